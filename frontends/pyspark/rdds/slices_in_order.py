"""Slices of a list in an order, at the driver: `[:n]`, where n may be below 0, and `[::-1]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tallystick.core.terms import (
    Operator,
    Term,
    conjunction,
    constant,
    ite,
    less,
    less_equal,
    negation,
)
from tallystick.core.types import INT
from tallystick.frontends.pyspark.python import arithmetic
from tallystick.frontends.pyspark.python.lists_in_order import backwards, first_of
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.rdds.collected import list_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import literal
from tallystick.frontends.pyspark.values.kinds import Ranked, Value
from tallystick.frontends.pyspark.values.options import MISSING, implies_literal

ZERO: Final = constant(0)


def sliced(reader: Reading, whole: Ranked, bounds: Sequence[Value | None], place: Place) -> Ranked:
    """The slice with these bounds, start, stop and step; None and what is always None stand for none."""
    start, stop, step = (
        None if each is None or each is MISSING else arithmetic.integer(each, place, "a bound of a slice")
        for each in bounds
    )
    if step is not None and literal(step) == -1 and start is stop is None:
        return backwards(whole, place)
    if stop is None or literal(start or ZERO) != 0 or literal(step or constant(1)) != 1:
        raise place.error("of a list in an order only the first items can be taken", "write `[:n]`, or `[::-1]`")
    return first_of(whole, _count(reader, whole, stop, place), "[:{}]", place)


def _count(reader: Reading, whole: Ranked, stop: Term, place: Place) -> Term:
    """How many items are before a bound, which counts from the end where it is below 0."""
    if is_at_least_0(stop, reader.path):
        return stop
    size = arithmetic.integer(list_of(reader, whole.pairs, place).asked("len", place), place, "the length")
    if whole.most is not None:
        size = ite(less_equal(whole.most, size), whole.most, size)
    from_end = arithmetic.plus(place, size, stop)
    return ite(less(stop, ZERO), ite(less(from_end, ZERO), ZERO, from_end), stop)


def is_at_least_0(number: Term, known: Term) -> bool:
    """Whether a number is surely not below 0 where a condition holds."""
    if number.operator is Operator.CONSTANT and number.type == INT:
        return literal(number) >= 0  # type: ignore[operator]
    if number.operator is Operator.ITE:
        condition, then, otherwise = number.arguments
        return is_at_least_0(then, conjunction(known, condition)) and is_at_least_0(
            otherwise, conjunction(known, negation(condition))
        )
    one = constant(1)
    above = [each(bound, number) for each, bound in ((less_equal, ZERO), (less, ZERO), (less_equal, one))]
    not_below = [each(number, bound) for each, bound in ((less, ZERO), (less_equal, ZERO), (less, one))]
    return any(implies_literal(known, each) for each in (*above, *map(negation, not_below)))
