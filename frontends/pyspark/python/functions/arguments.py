"""What functions of Python take: one argument, numbers and bools, lists of elements."""

from __future__ import annotations

from collections.abc import Callable

from tallystick.core.terms import (
    Term,
    constant,
    ite,
)
from tallystick.core.types import BOOL
from tallystick.frontends.pyspark.python.arithmetic import exactly, integer
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.kinds import (
    Builtin,
    Collected,
    Dictionary,
    Value,
)


def only_argument(place: Place, values: list[Value], name: str) -> Value:
    """The only argument of a function."""
    (whole,) = exactly(place, values, 1, name)
    return whole


def number_or_bool(value: Value, place: Place, what: str) -> Term:
    """An int, or 1 for True and 0 for False."""
    if isinstance(value, Term) and value.type == BOOL:
        return value_of_bool(value)
    return integer(value, place, what)


def value_of_bool(truth_value: Term) -> Term:
    """1 for True and 0 for False."""
    return ite(truth_value, constant(1), constant(0))


def listed_elements(whole: Collected | Dictionary, place: Place) -> Collected:
    """What Python goes through: of a dictionary, the keys."""
    found = whole if isinstance(whole, Collected) else whole.items.asked("keys", place)
    assert isinstance(found, Collected)
    return found


Calls = Callable[[Value, list[Value]], Value]
"""Calls a function of the source on some arguments."""


def calling(name: str, apply: Callable[[Calls, Place, list[Value], dict[str, Value]], Value]) -> Builtin:
    """A builtin that calls a function that it is given."""

    def only_called(place: Place, values: list[Value]) -> Value:
        raise place.error("this function cannot be used here", "write a comprehension")

    return Builtin(name, only_called, calling=apply)


def refuse_named(name: str, named: dict[str, Value], place: Place) -> None:
    """Raise SourceError where a function is given arguments by name that it does not take."""
    if named:
        raise place.error(f"`{name}` takes no keyword `{next(iter(named))}` here")
