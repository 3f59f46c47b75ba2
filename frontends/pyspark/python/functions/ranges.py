"""`range`: of constants the list of its numbers, and of other bounds a list of unknown length.

The numbers start, start + step, … are made of those from 0 on below a number, of which nothing is known but how many
there are; so ranges with equally many numbers have the same ones there, however their bounds are written.
"""

from __future__ import annotations

from collections import Counter

from tallystick.core.terms import TRUE, Operator, Term, apply_function, constant, variable
from tallystick.core.types import INT, TEXT
from tallystick.frontends.pyspark.named_functions.methods import NUMBER, RANGE
from tallystick.frontends.pyspark.python import texts
from tallystick.frontends.pyspark.python.arithmetic import floor_divide, integer, minus, plus, times
from tallystick.frontends.pyspark.python.sequences import MOST_ITEMS
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import literal
from tallystick.frontends.pyspark.values.kinds import Interval, Pieces, Range, Value


def numbers_between(place: Place, values: list[Value]) -> Range | Interval:
    """range of one to three ints, whose step is constant."""
    if not 1 <= len(values) <= 3:
        raise place.error("`range` takes one to three arguments")
    terms = [integer(each, place, "an argument of `range`") for each in values]
    first, last, by = (constant(0), *terms, constant(1)) if len(terms) == 1 else (*terms, constant(1))[:3]
    start, stop, step = map(literal, (first, last, by))
    if step is None:
        raise place.error("the step of `range` must be constant")
    if step == 0:
        raise place.error("the step of `range` is zero")
    if start is None or stop is None:
        return _of_unknown_length(place, first, last, step)
    if abs(stop - start) > MOST_ITEMS * abs(step):
        raise place.error(f"this range has more than {MOST_ITEMS} items", "use fewer")
    return Range(tuple((TRUE, constant(each)) for each in range(start, stop, step)))


def _of_unknown_length(place: Place, start: Term, stop: Term, step: int) -> Interval:
    """The numbers start, start + step, …: as many as there are from 0 on below a number."""
    distance = minus(place, stop, start) if step > 0 else minus(place, start, stop)
    count = _summed(place, distance)
    if abs(step) > 1:
        count = floor_divide(place, plus(place, count, constant(abs(step) - 1)), constant(abs(step)))
    item = variable(texts.ITEM, TEXT)
    number = plus(place, start, times(place, constant(step), apply_function(NUMBER, INT, item)))
    return Interval(Pieces((count,), RANGE), item, ((TRUE, number),), start=start, stop=stop, step=step)


def _summed(place: Place, whole: Term) -> Term:
    """A sum of multiples with each term once, in an order: equal sums are one term, as far as sums go."""
    parts: Counter[Term | None] = Counter()
    waiting = [(1, whole)]
    while waiting:
        factor, term = waiting.pop()
        if term.operator is Operator.ADD:
            waiting += [(factor, each) for each in term.arguments]
        elif term.operator is Operator.SCALE and isinstance(term.parameter, int):
            waiting.append((factor * term.parameter, term.arguments[0]))
        elif (known := literal(term)) is not None:
            parts[None] += factor * known
        else:
            parts[term] += factor
    result = constant(0)
    for term in sorted((each for each in parts if each is not None), key=repr):
        if parts[term]:
            result = plus(place, result, times(place, constant(parts[term]), term))
    return plus(place, result, constant(parts[None]))
