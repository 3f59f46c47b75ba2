"""Errata about reading user-defined functions (THEORY section 7): a reader that skips what it does not know is wrong.

For each construct, one pair is equivalent and another is not; a reader that drops part of the construct confuses
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .pair import Pair, different, equal
from .steps_of_one import advance
from .steps_of_two import leap, leap_twice

if TYPE_CHECKING:
    from pyspark import RDD


def three_conditions(r: RDD[int]) -> RDD[int]:
    """A conjunction of three."""
    return r.filter(lambda x: x > 0 and x < 10 and x != 5)


def first_two_conditions(r: RDD[int]) -> RDD[int]:
    """The third operand of `a and b and c` counts."""
    return r.filter(lambda x: x > 0 and x < 10)


def three_filters(r: RDD[int]) -> RDD[int]:
    """A conjunction of three conditions is three filters."""
    return r.filter(lambda x: x > 0).filter(lambda x: x < 10).filter(lambda x: x != 5)


def between(r: RDD[int]) -> RDD[int]:
    """A comparison chain."""
    return r.filter(lambda x: 0 < x < 10)


def above(r: RDD[int]) -> RDD[int]:
    """The second half of a comparison chain counts."""
    return r.filter(lambda x: x > 0)


def between_unchained(r: RDD[int]) -> RDD[int]:
    """A comparison chain is a conjunction."""
    return r.filter(lambda x: x > 0 and x < 10)


def sign(x: int) -> int:
    """Three ways by elif."""
    if x > 0:
        result = 1
    elif x == 0:
        result = 0
    else:
        result = -1
    return result


def sign_without_zero(x: int) -> int:
    """Two ways."""
    if x > 0:
        return 1
    return -1


def sign_by_early_return(x: int) -> int:
    """Three ways by returning early."""
    if x < 0:
        return -1
    if x == 0:
        return 0
    return 1


def signs(r: RDD[int]) -> RDD[int]:
    """The signs, by a chain of elif."""
    return r.map(sign)


def two_signs(r: RDD[int]) -> RDD[int]:
    """The middle branch of an elif chain counts."""
    return r.map(sign_without_zero)


def signs_by_early_return(r: RDD[int]) -> RDD[int]:
    """An elif chain is nested conditionals, in another order here."""
    return r.map(sign_by_early_return)


def with_local_steps(x: int) -> int:
    """Rebinds a local name."""
    y = x + 1
    y = 2 * y
    return y + x


def without_rebinding(x: int) -> int:
    """Forgets the second assignment."""
    y = x + 1
    return y + x


def locals_followed(r: RDD[int]) -> RDD[int]:
    """Local assignments, one after the other."""
    return r.map(with_local_steps)


def locals_skipped(r: RDD[int]) -> RDD[int]:
    """Each assignment to a local name counts."""
    return r.map(without_rebinding)


def locals_substituted(r: RDD[int]) -> RDD[int]:
    """Local assignments are substitutions: x + 1, doubled, and x once more."""
    return r.map(lambda x: 3 * x + 2)


def less_by(x: int, y: int) -> int:
    """x without y."""
    return x - y


def swapped(pair: tuple[int, int]) -> int:
    """Calls a helper with names that are the helper's own, in the other order."""
    y, x = pair
    return less_by(y, x)


def first_less_by_second(s: RDD[tuple[int, int]]) -> RDD[int]:
    """Arguments are passed by position, whatever the caller calls them."""
    return s.map(swapped)


def second_less_by_first(s: RDD[tuple[int, int]]) -> RDD[int]:
    """Passing arguments by the caller's names would turn the difference around."""
    return s.map(lambda pair: pair[1] - pair[0])


def first_less_by_second_by_name(s: RDD[tuple[int, int]]) -> RDD[int]:
    """Arguments passed by name, in another order than the parameters'."""
    return s.map(lambda pair: less_by(y=pair[1], x=pair[0]))


def advanced(r: RDD[int]) -> RDD[int]:
    """Two steps, of the file where a step is one."""
    return r.map(advance)


def leapt(r: RDD[int]) -> RDD[int]:
    """One step of the file where a step is two: a helper's name is looked up in the helper's own file."""
    return r.map(leap)


def leapt_twice(r: RDD[int]) -> RDD[int]:
    """The same text as the other program's helper, `step(step(x))`, but another file's `step`."""
    return r.map(leap_twice)


def distances(r: RDD[int]) -> RDD[int]:
    """The distance from 0, by a conditional expression."""
    return r.map(lambda x: x if x > 0 else -x)


def unchanged(r: RDD[int]) -> RDD[int]:
    """The else of a conditional expression counts."""
    return r.map(lambda x: x)


def distances_by_max(r: RDD[int]) -> RDD[int]:
    """Both branches of a conditional expression, as a maximum."""
    return r.map(lambda x: max(x, -x))


PAIRS: tuple[Pair, ...] = (
    different("third conjunct", three_conditions, first_two_conditions, "NoAgg", {"r": {5: 1}}),
    equal("three conjuncts", three_conditions, three_filters, "NoAgg"),
    different("end of a comparison chain", between, above, "NoAgg", {"r": {10: 1}}),
    equal("comparison chain", between, between_unchained, "NoAgg"),
    different("middle of an elif chain", signs, two_signs, "NoAgg", {"r": {0: 1}}),
    equal("elif chain", signs, signs_by_early_return, "NoAgg"),
    different("local assignment skipped", locals_followed, locals_skipped, "NoAgg", {"r": {0: 1}}),
    equal("local assignments", locals_followed, locals_substituted, "NoAgg"),
    different("arguments swapped", first_less_by_second, second_less_by_first, "NoAgg", {"s": {(1, 0): 1}}),
    equal("arguments by name", first_less_by_second, first_less_by_second_by_name, "NoAgg"),
    different("helpers of one name", advanced, leapt_twice, "NoAgg", {"r": {0: 1}}),
    equal("helpers in two files", advanced, leapt, "NoAgg"),
    different("else of a conditional", distances, unchanged, "NoAgg", {"r": {-1: 1}}),
    equal("conditional expression", distances, distances_by_max, "NoAgg"),
)
