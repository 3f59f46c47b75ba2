"""The builtin functions of Python that are read, and those of the modules operator and functools."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    conjunction,
    constant,
    disjunction,
    implies,
    ite,
    negation,
    project,
    rebuild,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT
from tallystick.frontends.pyspark.python import arithmetic, texts
from tallystick.frontends.pyspark.python.arithmetic import combine, compare, exactly, integer, plus
from tallystick.frontends.pyspark.python.sequences import MOST_ITEMS, certain_items, constant_set, is_constant, items_of
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type, constant_value, literal, show_type
from tallystick.frontends.pyspark.values.dictionaries import is_dictionary, table_of_entries
from tallystick.frontends.pyspark.values.kinds import (
    Builtin,
    Closure,
    Collected,
    Dictionary,
    Generator,
    Group,
    Listing,
    Partial,
    Pieces,
    Ranked,
    Spread,
    Table,
    Value,
)
from tallystick.frontends.pyspark.values.nominal_types import DECIMAL, wrapped
from tallystick.frontends.pyspark.values.options import NONE, component_count, is_option, is_tuple, unified
from tallystick.frontends.pyspark.values.record_types import RecordType


def _range(place: Place, values: list[Value]) -> Listing:
    """range of constants."""
    bounds = [literal(integer(each, place, "an argument of `range`")) for each in values]
    numbers = [each for each in bounds if each is not None]
    if len(numbers) != len(values) or not 1 <= len(values) <= 3:
        raise place.error("the arguments of `range` must be one to three constants")
    start, stop, step = (0, *numbers, 1) if len(numbers) == 1 else (*numbers, 1)[:3]
    if step == 0:
        raise place.error("the step of `range` is zero")
    if abs(stop - start) > MOST_ITEMS * abs(step):
        raise place.error(f"this range has more than {MOST_ITEMS} items", "use fewer")
    return Listing(tuple((TRUE, constant(each)) for each in range(start, stop, step)))


def _enumerate(place: Place, values: list[Value]) -> Generator:
    """enumerate of one iterable, from 0 or from a constant."""
    if not 1 <= len(values) <= 2:
        raise place.error(f"`enumerate` takes one or two arguments, not {len(values)}")
    start = literal(integer(values[1], place, "the start of `enumerate`")) if len(values) > 1 else 0
    if start is None:
        raise place.error("the start of `enumerate` must be constant")
    items = certain_items(values[0], place, "the argument of `enumerate`")
    return Generator(tuple((TRUE, tuple_of(constant(start + index), item)) for index, item in enumerate(items)))


def _zip(place: Place, values: list[Value]) -> Generator:
    """zip of iterables, as long as the shortest."""
    columns = [certain_items(each, place, "an argument of `zip`") for each in values]
    return Generator(tuple((TRUE, tuple_of(*row)) for row in zip(*columns, strict=False)))


def _only(place: Place, values: list[Value], name: str) -> Value:
    """The only argument of a function."""
    (whole,) = exactly(place, values, 1, name)
    return whole


def _any(place: Place, values: list[Value]) -> Term:
    """any of an iterable."""
    return disjunction(FALSE, *(conjunction(there, holds) for there, holds in _truths(place, values, "any")))


def _all(place: Place, values: list[Value]) -> Term:
    """all of an iterable."""
    return conjunction(TRUE, *(implies(there, holds) for there, holds in _truths(place, values, "all")))


def _truths(place: Place, values: list[Value], name: str) -> list[tuple[Term, Term]]:
    whole = _only(place, values, name)
    items = items_of(whole, place, f"the argument of `{name}`", any_order=True)
    return [(there, truth(item, place, f"an item of the argument of `{name}`")) for there, item in items]


def _total(place: Place, values: list[Value]) -> Term:
    """sum of an iterable of ints, or of bools, of which each true one counts 1; from 0 or from a second argument."""
    if not 1 <= len(values) <= 2:
        raise place.error(f"`sum` takes one or two arguments, not {len(values)}")
    result = integer(values[1], place, "the start of `sum`") if len(values) > 1 else constant(0)
    for there, item in items_of(values[0], place, "the argument of `sum`", any_order=True):
        if isinstance(item, Term) and item.type in (RATIONAL, DECIMAL) and there is TRUE:
            result = combine(place, ast.Add, result, item)
            continue
        number = _number(item, place, "an item of the argument of `sum`")
        result = combine(place, ast.Add, result, number if there is TRUE else ite(there, number, constant(0)))
    return result


def _number(value: Value, place: Place, what: str) -> Term:
    """An int, or 1 for True and 0 for False."""
    if isinstance(value, Term) and value.type == BOOL:
        return value_of_bool(value)
    return integer(value, place, what)


def value_of_bool(truth_value: Term) -> Term:
    """1 for True and 0 for False."""
    return ite(truth_value, constant(1), constant(0))


def _length(place: Place, values: list[Value]) -> Term:
    """len of what has a fixed number of items."""
    whole = _only(place, values, "len")
    if isinstance(whole, Spread) and all(condition is TRUE for condition, _ in whole.items):
        return arithmetic.times(place, constant(len(whole.items)), texts.number_of_pieces(whole.pieces))
    if isinstance(whole, Pieces):
        return texts.number_of_pieces(whole)
    if isinstance(whole, Term) and whole.type == TEXT:
        return texts.length(whole)
    if isinstance(whole, Generator):
        raise place.error("a generator has no `len`", "make a list of it")
    if isinstance(whole, Term) and is_option(whole.type):
        message = f"the argument of `len` may be None, and is of type {show_type(whole.type)}"
        raise place.error(message, "test it before, as in `len(x) if x is not None else 0`")
    result = constant(0)
    for there, _ in items_of(whole, place, "the argument of `len`", any_order=True):
        result = plus(place, result, constant(1) if there is TRUE else value_of_bool(there))
    return result


def _extremum(name: str, choose: Callable[[Place, list[Value]], Term]) -> Callable[[Place, list[Value]], Term]:
    def apply(place: Place, values: list[Value]) -> Term:
        if len(values) != 1:
            return choose(place, values)
        items: list[Value] = list(certain_items(values[0], place, f"the argument of `{name}`", any_order=True))
        return choose(place, items)

    return apply


MOST_SORTED: Final = 16


def _require_order(group: Group, place: Place) -> None:
    for _, item in group.items:
        if not arithmetic.has_order(item.type):
            raise place.error(f"`sorted` needs what Python orders, and this is {show_type(item.type)}")


def _sorted(place: Place, values: list[Value], named: dict[str, Value]) -> Value:
    """sorted of an iterable of what Python orders, by exchanging neighbours; `reverse` may be given.

    Of the list of an RDD's elements: as `sortBy` has it.
    """
    whole = _only(place, values, "sorted")
    if isinstance(whole, Collected | Dictionary):
        return _as_list(whole, place).asked("sorted", place, **named)
    downwards = literal(named.pop("reverse", FALSE))
    if named or downwards is None:
        message = "`sorted` with a key, or `reverse` that is not constant, is not supported"
        raise place.error(message, "make pairs (key, item), and sort these")
    if isinstance(whole, Group):
        _require_order(whole, place)
        return replace(whole, kind="descending" if downwards else "ascending")
    items = certain_items(whole, place, "the argument of `sorted`", any_order=True)
    if len(items) > MOST_SORTED:
        raise place.error(f"`sorted` of more than {MOST_SORTED} items is not supported")
    for end in range(len(items) - 1, 0, -1):
        for index in range(end):
            low, high = arithmetic.ordered(items[index], items[index + 1], place, "an item of the argument of `sorted`")
            exchanged = arithmetic.precedes(high, low)
            items[index], items[index + 1] = ite(exchanged, high, low), ite(exchanged, low, high)
    return Listing(tuple((TRUE, item) for item in (reversed(items) if downwards else items)))


def _as_list(whole: Collected | Dictionary, place: Place) -> Collected:
    """What Python goes through: of a dictionary, the keys."""
    found = whole if isinstance(whole, Collected) else whole.items.asked("keys", place)
    assert isinstance(found, Collected)
    return found


def _dict(place: Place, values: list[Value], named: dict[str, Value]) -> Value:
    """dict of pairs whose keys are constants, and of values by name; of a list of an RDD's elements."""
    match values:
        case [Dictionary() as whole] if not named:
            return whole
        case [Collected() as whole] if not named:
            return whole.asked("dict", place)
        case []:
            entries: dict[Term, Value] = {}
        case [Table(of)]:
            entries = dict(of)
        case [Term() as one] if is_dictionary(one):
            entries = dict(table_of_entries(one).entries)
        case [one]:
            entries = {}
            for item in certain_items(one, place, "the argument of `dict`"):
                if not (is_tuple(item.type) and component_count(item) == 2 and is_constant(project(item, 0))):
                    raise place.error("`dict` takes pairs whose keys are constants", "write `{key: value, …}`")
                entries[project(item, 0)] = project(item, 1)
        case _:
            raise place.error(f"`dict` takes one argument, not {len(values)}")
    entries |= {constant(name): value for name, value in named.items()}
    if len({key.type for key in entries}) > 1:
        raise place.error("the keys of a dictionary must have one type")
    return Table(tuple(entries.items()))


def _list(place: Place, values: list[Value]) -> Value:
    """list of an iterable, or of a group, of which only its elements matter."""
    whole = _only(place, values, "list")
    if isinstance(whole, Group):
        return replace(whole, kind="list")
    if isinstance(whole, Collected | Dictionary):
        return replace(_as_list(whole, place), once=False)
    if isinstance(whole, Pieces | Spread | Ranked):
        return whole
    return Listing(tuple((there, basic(item, place, "an item")) for there, item in items_of(whole, place)))


def _tuple(place: Place, values: list[Value]) -> Value:
    """tuple of an iterable all of whose items are there; of a list of unknown length, the list."""
    if len(values) == 1 and isinstance(values[0], Pieces | Spread):
        return values[0]
    if len(values) == 1 and isinstance(values[0], Group):
        raise place.error("a tuple of a group is not supported", "make a list of it, or `sorted`")
    items = certain_items(_only(place, values, "tuple"), place, "the argument of `tuple`")
    if not items or [item.type for item in items] == [BOOL]:
        raise place.error("this tuple is not supported", "a tuple has at least one component, and more than one bool")
    return tuple_of(*items)


def _set(place: Place, values: list[Value]) -> Value:
    """set or frozenset of constants, or of a group."""
    if len(values) == 1 and isinstance(values[0], Group):
        return set_of_group(values[0], place)
    return constant_set(
        certain_items(_only(place, values, "set"), place, "the argument of `set`", any_order=True), place
    )


def set_of_group(group: Group, place: Place) -> Group:
    """The set of the items of a group."""
    (there, item), *others = group.items
    if others or there is not TRUE:
        raise place.error("a set of some items of a group is not supported", "use `filter` before `groupByKey`")
    if item is group.item and group.base is not None:
        return replace(group, kind="set")
    base = item if group.base is None else rebuild(item, {group.item: group.base}, inside=True)
    one = variable("item of a set", basic_type(item))
    return replace(group, item=one, items=((TRUE, one),), kind="set", base=base)


def _bool(place: Place, values: list[Value]) -> Term:
    """Python's truth of a value."""
    return truth(_only(place, values, "bool"), place, "the argument of `bool`")


def _int(place: Place, values: list[Value]) -> Term:
    """int of an int, a bool or a text, which raises for a text that is no number."""
    if values and isinstance(values[0], Term) and values[0].type in (RATIONAL, DECIMAL):
        return texts.applied("truncate", arithmetic.rational(values[0], place, "the argument of `int`"))
    if values and texts.is_text(values[0]):
        return texts.applied("int", texts.text(_only(place, values, "int"), place, "the argument of `int`"))
    return _number(_only(place, values, "int"), place, "the argument of `int`")


def _str(place: Place, values: list[Value]) -> Term:
    """str of a text, an int or a bool."""
    return texts.shown(_only(place, values, "str"), place, "the argument of `str`")


def _or_of_group(name: str, apply: Callable[[Place, list[Value]], Term]) -> Builtin:
    """A builtin that takes groups too; min and max of these may have a default."""

    def applied(place: Place, values: list[Value]) -> Value:
        match values:
            case [Collected() | Dictionary() as whole]:
                return _as_list(whole, place).asked(name, place)
            case [Group() as group]:
                return group.aggregate(name, place)
            case [Group() as group, start] if name == "sum":
                return plus(place, group.aggregate(name, place), integer(start, place, "the start of `sum`"))
        return apply(place, values)

    def applied_named(place: Place, values: list[Value], named: dict[str, Value]) -> Value:
        if name in ("min", "max") and set(named) == {"default"} and len(values) == 1 and isinstance(values[0], Group):
            return _or_default(values[0], name, named["default"], place)
        keyword = next(iter(named))
        hint = "make tuples whose first component is the key" if keyword == "key" else ""
        raise place.error(f"`{name}` takes no keyword `{keyword}` here", hint)

    return Builtin(name, applied, applied_named)


def _or_default(group: Group, name: str, default: Value, place: Place) -> Term:
    """min or max of a group, or the default where the group has no items."""
    best = group.aggregate(name, place)
    if group.is_never_empty:
        return best
    there, best, _ = best.arguments  # or else it raises
    both = unified(best, basic(default, place, "the default"))
    if both is None:
        raise place.error(f"the default of `{name}` is of another type than the items")
    return ite(there, *both)


def _decimal(place: Place, values: list[Value]) -> Value:
    """Decimal of an int, a text or a Decimal; of a float it is not what people mean."""
    whole = _only(place, values, "Decimal")
    if texts.is_text(whole):
        number = texts.applied("number", texts.text(whole, place, "the argument of `Decimal`"))
        return wrapped(DECIMAL, number)
    if isinstance(whole, Term) and whole.type == RATIONAL:
        raise place.error("`Decimal` of a float is not supported", "give it a text or an int")
    return wrapped(DECIMAL, arithmetic.rational(whole, place, "the argument of `Decimal`"))


def _float(place: Place, values: list[Value]) -> Term:
    """float of a number or of a text."""
    whole = _only(place, values, "float")
    if texts.is_text(whole):
        return texts.applied("number", texts.text(whole, place, "the argument of `float`"))
    if isinstance(whole, Term) and whole.type == BOOL:
        return arithmetic.rational(value_of_bool(whole), place, "the argument of `float`")
    return arithmetic.rational(whole, place, "the argument of `float`")


def _rounded(place: Place, values: list[Value]) -> Value:
    """round of a number, perhaps to constant digits."""
    if not 1 <= len(values) <= 2:
        raise place.error(f"`round` takes one or two arguments, not {len(values)}")
    number = basic(values[0], place, "the argument of `round`")
    if number.type == INT:
        if len(values) > 1:
            raise place.error("`round` of an int to digits is not supported", "divide by a constant")
        return number
    exact = arithmetic.rational(number, place, "the argument of `round`")
    if len(values) == 1:
        return texts.applied("round", exact)
    digits = integer(values[1], place, "the digits of `round`")
    return arithmetic.as_number(number.type, texts.applied("round to", exact, digits))


Calls = Callable[[Value, list[Value]], Value]


def _mapped(call: Calls, place: Place, values: list[Value]) -> Value:
    """map of a function over what has a fixed number of items, or over the pieces of a text."""
    function, source = exactly(place, values, 2, "map")
    spread = texts.spread_of(source)
    if isinstance(spread, Spread):
        items = [(there, basic(call(function, [item]), place, "an item")) for there, item in spread.items]
        return Spread(spread.pieces, spread.item, tuple(items))
    found = items_of(source, place, "the argument of `map`")
    return Generator(tuple((there, basic(call(function, [item]), place, "an item")) for there, item in found))


def _filtered(call: Calls, place: Place, values: list[Value]) -> Value:
    """filter of what has a fixed number of items, or of the pieces of a text."""
    function, source = exactly(place, values, 2, "filter")

    def kept(there: Term, item: Value) -> Term:
        is_none = isinstance(function, Term) and function.type == NONE
        result = item if is_none else call(function, [item])
        return conjunction(there, truth(result, place, "what the function of `filter` returns"))

    spread = texts.spread_of(source)
    if isinstance(spread, Spread):
        return Spread(spread.pieces, spread.item, tuple((kept(there, item), item) for there, item in spread.items))
    found = items_of(source, place, "the argument of `filter`")
    return Generator(tuple((kept(there, item), basic(item, place, "an item")) for there, item in found))


def _reduced(call: Calls, place: Place, values: list[Value]) -> Value:
    """functools.reduce of a function over what has a fixed number of items."""
    if not 2 <= len(values) <= 3:
        raise place.error(f"`reduce` takes two or three arguments, not {len(values)}")
    items = items_of(values[1], place, "the argument of `reduce`")
    if any(there is not TRUE for there, _ in items):
        raise place.error("`reduce` goes through items that may not be there", "choose them in the function")
    found = [*values[2:], *(item for _, item in items)]
    if not found:
        raise place.error("`reduce` of nothing raises TypeError", "give it a first value")
    result, *others = found
    for each in others:
        result = call(values[0], [result, each])
    return result


def _only_called(place: Place, values: list[Value]) -> Value:
    raise place.error("this function cannot be used here", "write a comprehension")


def _calling(name: str, apply: Callable[[Calls, Place, list[Value]], Value]) -> Builtin:
    return Builtin(name, _only_called, calling=apply)


_PLAIN: Final[dict[str, Callable[[Place, list[Value]], Value]]] = {
    "abs": arithmetic.absolute,
    "bool": _bool,
    "Decimal": _decimal,
    "float": _float,
    "round": _rounded,
    "divmod": arithmetic.quotient_and_remainder,
    "enumerate": _enumerate,
    "frozenset": _set,
    "int": _int,
    "list": _list,
    "range": _range,
    "set": _set,
    "str": _str,
    "tuple": _tuple,
    "zip": _zip,
}
BUILTINS: Final = {
    **{name: Builtin(name, apply) for name, apply in _PLAIN.items()},
    "all": _or_of_group("all", _all),
    "any": _or_of_group("any", _any),
    "len": _or_of_group("len", _length),
    "max": _or_of_group("max", _extremum("max", arithmetic.maximum)),
    "min": _or_of_group("min", _extremum("min", arithmetic.minimum)),
    "map": _calling("map", _mapped),
    "filter": _calling("filter", _filtered),
    "dict": Builtin("dict", lambda place, values: _dict(place, values, {}), _dict),
    "sorted": Builtin("sorted", lambda place, values: _sorted(place, values, {}), _sorted),
    "sum": _or_of_group("sum", _total),
}


def _itemgetter(place: Place, values: list[Value]) -> Builtin:
    """The function that takes one or more components of a tuple."""
    indices = [literal(integer(each, place, "an argument of `itemgetter`")) for each in values]
    if not indices or None in indices:
        raise place.error("the arguments of `itemgetter` must be one or more constants")

    def get(where: Place, given: list[Value]) -> Value:
        items = items_of(_only(where, given, "itemgetter"), where, "the argument of `itemgetter`")
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
        owner = basic(_only(where, given, "attrgetter"), where, "the argument of `attrgetter`")
        known = owner.type.names if isinstance(owner.type, RecordType) else ()
        missing = [each for each in names if each not in known]
        if missing:
            hint = f"write `lambda x: x.{missing[0]}`: `attrgetter` is read for fields of records"
            raise where.error(f"`{missing[0]}` is no field of {show_type(owner.type)}", hint)
        found = [project(owner, known.index(str(each))) for each in names]
        return found[0] if len(found) == 1 else tuple_of(*found)

    return Builtin("attrgetter", get)


def _binary(name: str, kind: type[ast.operator]) -> Builtin:
    return Builtin(name, lambda place, values: combine(place, kind, *exactly(place, values, 2, name)))


def _comparison(name: str, kind: type[ast.cmpop]) -> Builtin:
    return Builtin(name, lambda place, values: compare(place, kind, *exactly(place, values, 2, name)))


OPERATOR_MODULE: Final = {
    **{name: _binary(name, kind) for name, kind in (("add", ast.Add), ("sub", ast.Sub), ("mul", ast.Mult))},
    **{name: _binary(name, kind) for name, kind in (("floordiv", ast.FloorDiv), ("mod", ast.Mod))},
    **{name: _comparison(name, kind) for name, kind in (("eq", ast.Eq), ("ne", ast.NotEq), ("lt", ast.Lt))},
    **{name: _comparison(name, kind) for name, kind in (("le", ast.LtE), ("gt", ast.Gt), ("ge", ast.GtE))},
    "neg": Builtin("neg", lambda place, values: arithmetic.negative(place, *exactly(place, values, 1, "neg"))),
    "attrgetter": Builtin("attrgetter", _attrgetter),
    "itemgetter": Builtin("itemgetter", _itemgetter),
    "not_": Builtin("not_", lambda place, values: negation(truth(_only(place, values, "not_"), place, "the argument"))),
}


def _partial(place: Place, values: list[Value], named: dict[str, Value]) -> Partial:
    """functools.partial of a function, its first arguments, and arguments by name."""
    if not values:
        raise place.error("`partial` needs a function")
    function, *given = values
    return Partial(function, tuple(given), tuple(named.items()))


def _identity(place: Place, values: list[Value]) -> Value:
    """A decorator that changes nothing that a result depends on."""
    return _only(place, values, "this decorator")


_TRANSPARENT: Final = Builtin("a decorator", _identity)


def _cache(place: Place, values: list[Value], named: dict[str, Value]) -> Value:
    """functools.lru_cache, of a function or of a size."""
    if len(values) == 1 and not named and isinstance(values[0], Closure | Partial | Builtin):
        return values[0]
    return _TRANSPARENT


FUNCTOOLS_MODULE: Final = {
    "cache": _TRANSPARENT,
    "lru_cache": Builtin("lru_cache", lambda place, values: _cache(place, values, {}), _cache),
    "reduce": _calling("reduce", _reduced),
    "wraps": Builtin("wraps", lambda place, values: _TRANSPARENT),
    "partial": Builtin("partial", lambda place, values: _partial(place, values, {}), _partial),
}


def _floored(place: Place, values: list[Value]) -> Term:
    """math.floor of a number; of an int by a constant as `//` has it."""
    exact = arithmetic.rational(_only(place, values, "floor"), place, "the argument of `floor`")
    inner = exact.arguments[0] if exact.operator is Operator.SCALE else exact
    if inner.operator is Operator.TO_RATIONAL:
        factor = Fraction(exact.parameter) if inner is not exact else Fraction(1)  # type: ignore[arg-type]
        whole = arithmetic.times(place, constant(factor.numerator), inner.arguments[0])
        return arithmetic.floor_divide(place, whole, constant(factor.denominator))
    return texts.applied("floor", exact)


def _raised_up(place: Place, values: list[Value]) -> Term:
    """math.ceil of a number: -floor(-x)."""
    exact = arithmetic.rational(_only(place, values, "ceil"), place, "the argument of `ceil`")
    return arithmetic.times(place, constant(-1), _floored(place, [_opposite(exact)]))


def _opposite(exact: Term) -> Term:
    """-x, of a multiple with one factor."""
    if exact.operator is Operator.SCALE:
        return scale(-1 * exact.parameter, exact.arguments[0])  # type: ignore[operator]
    number = constant_value(exact)
    return scale(-1, exact) if number is None else constant(-1 * number)


MATH_MODULE: Final = {"ceil": Builtin("ceil", _raised_up), "floor": Builtin("floor", _floored)}
