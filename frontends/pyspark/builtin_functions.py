"""The builtin functions of Python that are read, and those of the modules operator and functools."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    conjunction,
    constant,
    disjunction,
    implies,
    ite,
    negation,
    tuple_of,
)
from tallystick.core.types import BOOL
from tallystick.frontends.pyspark import arithmetic
from tallystick.frontends.pyspark.arithmetic import combine, compare, exactly, integer, plus
from tallystick.frontends.pyspark.sequences import MOST_ITEMS, certain_items, constant_set, items_of
from tallystick.frontends.pyspark.source import Place
from tallystick.frontends.pyspark.truth import truth
from tallystick.frontends.pyspark.values import Builtin, Generator, Group, Listing, Partial, Value, basic, literal


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
        number = _number(item, place, "an item of the argument of `sum`")
        result = plus(place, result, number if there is TRUE else ite(there, number, constant(0)))
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
    if isinstance(whole, Generator):
        raise place.error("a generator has no `len`", "make a list of it")
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


def _sorted(place: Place, values: list[Value]) -> Listing:
    """sorted of an iterable of ints, by exchanging neighbours."""
    whole = _only(place, values, "sorted")
    items = [
        integer(each, place, "an item of the argument of `sorted`")
        for each in certain_items(whole, place, "the argument of `sorted`", any_order=True)
    ]
    if len(items) > MOST_SORTED:
        raise place.error(f"`sorted` of more than {MOST_SORTED} items is not supported")
    for end in range(len(items) - 1, 0, -1):
        for index in range(end):
            pair: list[Value] = [items[index], items[index + 1]]
            items[index], items[index + 1] = arithmetic.minimum(place, pair), arithmetic.maximum(place, pair)
    return Listing(tuple((TRUE, item) for item in items))


def _list(place: Place, values: list[Value]) -> Value:
    """list of an iterable, or of a group, of which only its elements matter."""
    whole = _only(place, values, "list")
    if isinstance(whole, Group):
        return whole
    return Listing(tuple((there, basic(item, place, "an item")) for there, item in items_of(whole, place)))


def _tuple(place: Place, values: list[Value]) -> Term:
    """tuple of an iterable all of whose items are there."""
    items = certain_items(_only(place, values, "tuple"), place, "the argument of `tuple`")
    if not items or [item.type for item in items] == [BOOL]:
        raise place.error("this tuple is not supported", "a tuple has at least one component, and more than one bool")
    return tuple_of(*items)


def _set(place: Place, values: list[Value]) -> Value:
    """set or frozenset of constants."""
    return constant_set(
        certain_items(_only(place, values, "set"), place, "the argument of `set`", any_order=True), place
    )


def _bool(place: Place, values: list[Value]) -> Term:
    """Python's truth of a value."""
    return truth(_only(place, values, "bool"), place, "the argument of `bool`")


def _int(place: Place, values: list[Value]) -> Term:
    """int of an int or a bool."""
    return _number(_only(place, values, "int"), place, "the argument of `int`")


def _or_of_group(name: str, apply: Callable[[Place, list[Value]], Term]) -> Builtin:
    """A builtin that takes groups too."""

    def applied(place: Place, values: list[Value]) -> Term:
        match values:
            case [Group() as group]:
                return group.aggregate(name, place)
            case [Group() as group, start] if name == "sum":
                return plus(place, group.aggregate(name, place), integer(start, place, "the start of `sum`"))
        return apply(place, values)

    return Builtin(name, applied)


_PLAIN: Final[dict[str, Callable[[Place, list[Value]], Value]]] = {
    "abs": arithmetic.absolute,
    "bool": _bool,
    "divmod": arithmetic.quotient_and_remainder,
    "enumerate": _enumerate,
    "frozenset": _set,
    "int": _int,
    "list": _list,
    "range": _range,
    "set": _set,
    "sorted": _sorted,
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
    "itemgetter": Builtin("itemgetter", _itemgetter),
    "not_": Builtin("not_", lambda place, values: negation(truth(_only(place, values, "not_"), place, "the argument"))),
}


def _partial(place: Place, values: list[Value], named: dict[str, Value]) -> Partial:
    """functools.partial of a function, its first arguments, and arguments by name."""
    if not values:
        raise place.error("`partial` needs a function")
    function, *given = values
    return Partial(function, tuple(given), tuple(named.items()))


FUNCTOOLS_MODULE: Final = {
    "partial": Builtin("partial", lambda place, values: _partial(place, values, {}), _partial),
}
