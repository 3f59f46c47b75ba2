"""The modules of Python that are read: operator, functools, math, itertools and string."""

from __future__ import annotations

import ast
import string
from dataclasses import replace
from fractions import Fraction
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    constant,
    negation,
    project,
    scale,
    tuple_of,
)
from tallystick.frontends.pyspark.python import arithmetic, gathered, group_dictionaries, texts
from tallystick.frontends.pyspark.python.arithmetic import combine, compare, exactly, integer
from tallystick.frontends.pyspark.python.functions.arguments import Calls, calling, only_argument, refuse_named
from tallystick.frontends.pyspark.python.functions.conversions import FRACTIONS_MODULE
from tallystick.frontends.pyspark.python.functions.heaps import HEAPQ_MODULE
from tallystick.frontends.pyspark.python.functions.iterables import ITERTOOLS_MODULE, reduced
from tallystick.frontends.pyspark.python.functions.regular_expressions import RE_MODULE
from tallystick.frontends.pyspark.python.one_time import kept
from tallystick.frontends.pyspark.python.sequences import is_constant, items_of
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, constant_value, literal, show_type
from tallystick.frontends.pyspark.values.groups import Group, GroupDictionary
from tallystick.frontends.pyspark.values.kinds import (
    Builtin,
    Closure,
    Collected,
    Dictionary,
    Flags,
    Growing,
    Listing,
    Partial,
    Pieces,
    Tally,
    Unusable,
    Value,
)
from tallystick.frontends.pyspark.values.partial_floats import computed, is_nan, is_number
from tallystick.frontends.pyspark.values.record_types import RecordType


def _itemgetter(place: Place, values: list[Value]) -> Builtin:
    """The function that takes one or more components of a tuple."""
    indices = [literal(integer(each, place, "an argument of `itemgetter`")) for each in values]
    if not indices or None in indices:
        raise place.error("the arguments of `itemgetter` must be one or more constants")

    def get(where: Place, given: list[Value]) -> Value:
        items = items_of(only_argument(where, given, "itemgetter"), where, "the argument of `itemgetter`")
        if any(not -len(items) <= int(index or 0) < len(items) for index in indices):
            raise where.error(f"`itemgetter` takes a component that a tuple with {len(items)} does not have")
        found = [basic(items[int(index or 0)][1], where, "an item") for index in indices]
        return found[0] if len(found) == 1 else tuple_of(*found)

    return Builtin("itemgetter", get)


def _attrgetter(place: Place, values: list[Value]) -> Builtin:
    """The function that takes one or more fields of a record."""
    names = [constant_value(each) for each in values]
    if not names or not all(isinstance(each, str) for each in names):
        raise place.error("the arguments of `attrgetter` must be one or more constant texts")

    def get(where: Place, given: list[Value]) -> Value:
        owner = basic(only_argument(where, given, "attrgetter"), where, "the argument of `attrgetter`")
        known = owner.type.names if isinstance(owner.type, RecordType) else ()
        missing = [each for each in names if each not in known]
        if missing:
            hint = f"write `lambda x: x.{missing[0]}`: `attrgetter` is read for fields of records"
            raise where.error(f"`{missing[0]}` is no field of {show_type(owner.type)}", hint)
        found = [project(owner, known.index(str(each))) for each in names]
        return found[0] if len(found) == 1 else tuple_of(*found)

    return Builtin("attrgetter", get)


def _binary(name: str, kind: type[ast.operator]) -> Builtin:
    def apply(place: Place, values: list[Value]) -> Value:
        left, right = exactly(place, values, 2, name)
        put_together = gathered.combined(kind, left, right, place)
        return combine(place, kind, left, right) if put_together is None else put_together

    return Builtin(name, apply)


def _comparison(name: str, kind: type[ast.cmpop]) -> Builtin:
    return Builtin(name, lambda place, values: compare(place, kind, *exactly(place, values, 2, name)))


OPERATOR_MODULE: Final = {
    **{name: _binary(name, kind) for name, kind in (("add", ast.Add), ("sub", ast.Sub), ("mul", ast.Mult))},
    **{name: _binary(name, kind) for name, kind in (("or_", ast.BitOr), ("and_", ast.BitAnd), ("xor", ast.BitXor))},
    "truediv": _binary("truediv", ast.Div),
    **{name: _binary(name, kind) for name, kind in (("floordiv", ast.FloorDiv), ("mod", ast.Mod))},
    **{name: _comparison(name, kind) for name, kind in (("eq", ast.Eq), ("ne", ast.NotEq), ("lt", ast.Lt))},
    **{name: _comparison(name, kind) for name, kind in (("le", ast.LtE), ("gt", ast.Gt), ("ge", ast.GtE))},
    "neg": Builtin("neg", lambda place, values: arithmetic.negative(place, *exactly(place, values, 1, "neg"))),
    "attrgetter": Builtin("attrgetter", _attrgetter),
    "itemgetter": Builtin("itemgetter", _itemgetter),
    "not_": Builtin(
        "not_", lambda place, values: negation(truth(only_argument(place, values, "not_"), place, "the argument"))
    ),
}


def _partial(place: Place, values: list[Value], named: dict[str, Value]) -> Partial:
    """functools.partial of a function, its first arguments, and arguments by name."""
    if not values:
        raise place.error("`partial` needs a function")
    function, *given = values
    for each in (*given, *named.values()):
        kept(each, place)
    return Partial(function, tuple(given), tuple(named.items()))


def _identity(place: Place, values: list[Value]) -> Value:
    """A decorator that changes nothing that a result depends on."""
    return only_argument(place, values, "this decorator")


_TRANSPARENT: Final = Builtin("a decorator", _identity)


def _cache(place: Place, values: list[Value], named: dict[str, Value]) -> Value:
    """functools.lru_cache, of a function or of a size."""
    if len(values) == 1 and not named and isinstance(values[0], Closure | Partial | Builtin):
        return values[0]
    return _TRANSPARENT


FUNCTOOLS_MODULE: Final = {
    "cache": _TRANSPARENT,
    "lru_cache": Builtin("lru_cache", lambda place, values: _cache(place, values, {}), _cache),
    "reduce": calling("reduce", reduced),
    "wraps": Builtin("wraps", lambda place, values: _TRANSPARENT),
    "partial": Builtin("partial", lambda place, values: _partial(place, values, {}), _partial),
}


def _floored(place: Place, values: list[Value]) -> Term:
    """math.floor of a number; of an int by a constant as `//` has it."""
    exact = arithmetic.rational(only_argument(place, values, "floor"), place, "the argument of `floor`")
    inner = exact.arguments[0] if exact.operator is Operator.SCALE else exact
    if inner.operator is Operator.TO_RATIONAL:
        factor = Fraction(exact.parameter) if inner is not exact else Fraction(1)  # type: ignore[arg-type]
        whole = arithmetic.times(place, constant(factor.numerator), inner.arguments[0])
        return arithmetic.floor_divide(place, whole, constant(factor.denominator))
    return texts.applied("floor", exact)


def _raised_up(place: Place, values: list[Value]) -> Term:
    """math.ceil of a number: -floor(-x)."""
    exact = arithmetic.rational(only_argument(place, values, "ceil"), place, "the argument of `ceil`")
    return arithmetic.times(place, constant(-1), _floored(place, [_opposite(exact)]))


def _opposite(exact: Term) -> Term:
    """-x, of a multiple with one factor."""
    if exact.operator is Operator.SCALE:
        return scale(-1 * exact.parameter, exact.arguments[0])  # type: ignore[operator]
    number = constant_value(exact)
    return scale(-1, exact) if number is None else constant(-1 * number)


def _square_root(place: Place, values: list[Value]) -> Term:
    """math.sqrt of a number, which raises below 0."""
    whole = only_argument(place, values, "sqrt")
    if is_nan(whole):
        return computed(lambda each: _square_root(place, [each]), [whole])
    return texts.applied("math.sqrt", arithmetic.rational(whole, place, "the argument of `sqrt`"))


def _is_nan(place: Place, values: list[Value]) -> Term:
    """math.isnan: floats that are exact are numbers, but for what Spark computes of no elements."""
    whole = only_argument(place, values, "isnan")
    if is_nan(whole):
        return negation(is_number(whole))  # type: ignore[arg-type]
    arithmetic.rational(whole, place, "the argument of `isnan`")
    return FALSE


MATH_MODULE: Final = {
    "ceil": Builtin("ceil", _raised_up),
    "floor": Builtin("floor", _floored),
    "isnan": Builtin("isnan", _is_nan),
    "sqrt": Builtin("sqrt", _square_root),
}


def _counter(place: Place, values: list[Value]) -> Value:
    """collections.Counter: empty, or of the list of an RDD's elements."""
    match [*map(texts.characters, values)]:
        case []:
            return Growing("Counter")
        case [Pieces() as pieces] if not pieces.is_set:
            return Tally(pieces)
        case [Collected() as whole]:
            return whole.asked("Counter", place)
        case [Group() as group]:
            return group_dictionaries.counted(group, place)
        case [GroupDictionary() as counts]:
            return replace(counts, kind="Counter")
        case [Dictionary() as counts]:
            return replace(counts, kind="Counter")
    raise place.error(
        "`Counter` is supported of the list of an RDD's elements, of a group, and of the list that `split` makes",
        "write `sum` of comparisons",
    )


def _defaultdict(call: Calls, place: Place, values: list[Value], named: dict[str, Value]) -> Value:
    """collections.defaultdict: of int, empty or with a dictionary's entries; empty, of list, set or a lambda."""
    refuse_named("defaultdict", named, place)
    match values:
        case [Builtin(name="list" | "set" as of)]:
            return Growing("defaultdict", of)
        case [Builtin(name="int" | "float")]:
            return Growing("defaultdict")
        case [Builtin(name="int"), Dictionary(kind="dict") as entries]:
            return replace(entries, kind="defaultdict")
        case [Closure(node=ast.Lambda(body=body)) as made]:
            return _default_made(call(made, []), isinstance(body, ast.List))
    return _unusable_default()


def _default_made(first: Value, is_new: bool) -> Value:
    """A defaultdict of a lambda that returns a constant, or a new list of so many constants each time."""
    if (
        is_new
        and isinstance(first, Listing)
        and len(first.items) > 1
        and all(there is TRUE for there, _ in first.items)
    ):
        items = [item for _, item in first.items]
        if all(map(is_constant, items)):
            return Growing("defaultdict", first=tuple_of(*items), size=len(items))
    if isinstance(first, Term) and is_constant(first):
        return Growing("defaultdict") if first is constant(0) else Growing("defaultdict", first=first)
    return _unusable_default()


def _unusable_default() -> Unusable:
    hint = "write `groupByKey()` for lists and sets by key"
    return Unusable("is a defaultdict, which is supported of int, list, set and of constants only", hint)


COLLECTIONS_MODULE: Final = {
    "Counter": Builtin("Counter", _counter),
    "defaultdict": calling("defaultdict", _defaultdict),
}
TYPING_MODULE: Final = {
    "NewType": Builtin("NewType", lambda place, values: _TRANSPARENT),
    "cast": Builtin("cast", lambda place, values: exactly(place, values, 2, "cast")[1]),
}
STRING_MODULE: Final = {
    name: constant(getattr(string, name))
    for name in ("ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits", "punctuation", "whitespace")
}
MODULES: Final[dict[str, dict[str, Builtin] | dict[str, Term] | dict[str, Builtin | Flags]]] = {
    "collections": COLLECTIONS_MODULE,
    "fractions": FRACTIONS_MODULE,
    "functools": FUNCTOOLS_MODULE,
    "heapq": HEAPQ_MODULE,
    "itertools": ITERTOOLS_MODULE,
    "math": MATH_MODULE,
    "operator": OPERATOR_MODULE,
    "re": RE_MODULE,
    "string": STRING_MODULE,
    "typing": TYPING_MODULE,
}
