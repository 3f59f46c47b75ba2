"""Suite `beyond`: folds that compare: minima, maxima, tests of all elements, and existence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .functions import larger, smaller
from .pair import Pair, different, equal

if TYPE_CHECKING:
    from pyspark import RDD


def extremes_apart(r: RDD[int]) -> tuple[int, int]:
    """Smallest and largest in two passes."""
    return r.fold(1000, smaller), r.fold(-1000, larger)


def extremes_together(r: RDD[int]) -> tuple[int, int]:
    """Both extrema in one pass, with built-in functions and the largest by its opposite."""
    low, high = r.fold((1000, 1000), lambda a, x: (min(a[0], x), min(a[1], -x)))  # type: ignore
    return low, -high


def extremes_from_0(r: RDD[int]) -> tuple[int, int]:
    """The largest starts from 0: bags of negative numbers show it."""
    return r.fold(1000, smaller), r.fold(0, larger)


def largest_magnitude(r: RDD[int]) -> int:
    """The largest absolute value."""
    return r.map(abs).fold(0, larger)


def magnitude_of_extremes(r: RDD[int]) -> int:
    """The largest absolute value is that of one of the extrema: one fold against two."""
    return max(r.fold(0, larger), -r.fold(0, smaller))


def magnitude_of_largest(r: RDD[int]) -> int:
    """The absolute value of the largest: a large negative number shows it."""
    return abs(r.fold(0, larger))


def smallest_of_union(r: RDD[int], s: RDD[int]) -> int:
    """The smallest element of two bags."""
    return r.union(s).fold(1000, smaller)


def smaller_of_smallest(r: RDD[int], s: RDD[int]) -> int:
    """Extrema distribute over a union: a step of either bag."""
    return min(r.fold(1000, min), s.fold(1000, min))


def larger_of_smallest(r: RDD[int], s: RDD[int]) -> int:
    """The larger of two minima: one bag must be empty, or larger throughout."""
    return max(r.fold(1000, smaller), s.fold(1000, smaller))


def clamped_each_time(r: RDD[int]) -> int:
    """The largest element, at most 100, by steps that clamp."""
    return r.fold(0, lambda a, x: min(100, max(a, x)))


def clamped_once(r: RDD[int]) -> int:
    """A clamp moves out of a maximum."""
    return min(100, r.fold(0, larger))


def clamped_at_99(r: RDD[int]) -> int:
    """Another bound: one element of at least 100 shows it."""
    return min(99, r.fold(0, max))


def largest_shifted(r: RDD[int], k: int) -> int:
    """The largest of shifted elements, from a parameter."""
    return r.map(lambda x: x + k).fold(k, larger)


def shifted_largest(r: RDD[int], k: int) -> int:
    """The shift moves out of the maximum, and its initial value with it: an equation with a parameter."""
    return k + r.fold(0, larger)


def largest_shifted_from_0(r: RDD[int], k: int) -> int:
    """The initial value was not shifted: the empty bag shows it for every parameter but 0."""
    return r.map(lambda x: x + k).fold(0, larger)


def none_below_10(r: RDD[int]) -> bool:
    """Whether no element is below 10, by the smallest."""
    return r.fold(1000, smaller) >= 10


def all_from_10(r: RDD[int]) -> bool:
    """A conjunction of tests against a minimum: the states agree on one bit only."""
    return r.fold(True, lambda a, x: a and x >= 10)  # type: ignore[arg-type,return-value]


def all_above_10(r: RDD[int]) -> bool:
    """Elements equal to 10 show it."""
    return not r.fold(False, lambda a, x: a or x <= 10)  # type: ignore[arg-type]


def any_above_10(r: RDD[int]) -> bool:
    """Whether an element is above 10, by a disjunction."""
    return r.fold(False, lambda a, x: a or x > 10)  # type: ignore[arg-type,return-value]


def count_above_10(r: RDD[int]) -> bool:
    """Existence by counting: the invariant needs a bound, that counts are never negative."""
    return r.filter(lambda x: x > 10).count() > 0


def more_than_one_above_10(r: RDD[int]) -> bool:
    """At least two elements above 10: one alone shows it."""
    return r.filter(lambda x: x > 10).count() > 1


def is_empty(r: RDD[int]) -> bool:
    """isEmpty is a fold from True to False."""
    return r.isEmpty()


def counts_0(r: RDD[int]) -> bool:
    """Emptiness by counting: again a bound of the counter."""
    return r.count() == 0


def sums_to_0(r: RDD[int]) -> bool:
    """A sum of 0 is no emptiness: the element 0 shows it."""
    return r.sum() == 0


def never_above_1000(r: RDD[int]) -> bool:
    """A minimum never exceeds its initial value."""
    return r.fold(1000, smaller) <= 1000


def always(r: RDD[int]) -> bool:
    """The same constant answer by a fold that keeps its initial value."""
    return r.fold(True, lambda a, x: a)  # type: ignore[arg-type,return-value]


def below_1000(r: RDD[int]) -> bool:
    """Strictly below the initial value: the empty bag shows it."""
    return r.fold(1000, smaller) < 1000


def count_of_pairs(r: RDD[int], s: RDD[int]) -> bool:
    """Whether two bags have a pair."""
    return r.cartesian(s).count() > 0


def both_not_empty(r: RDD[int], s: RDD[int]) -> bool:
    """A pair exists just when both bags have an element: folds over r × s, r and s have different index sets."""
    return r.count() > 0 and s.count() > 0


def one_not_empty(r: RDD[int], s: RDD[int]) -> bool:
    """One bag with an element is not enough for a pair."""
    return r.count() > 0 or s.count() > 0


def largest_sum_of_pair(r: RDD[int]) -> int:
    """The largest sum of two elements, each at least 0."""
    return r.cartesian(r).map(lambda p: max(p[0], 0) + max(p[1], 0)).fold(0, larger)


def twice_the_largest(r: RDD[int]) -> int:
    """The largest sum is that of the largest with itself: a fold over a self-product against one over its bag."""
    return 2 * r.fold(0, larger)


def the_largest(r: RDD[int]) -> int:
    """Not doubled: one positive element shows it."""
    return r.fold(0, larger)


PAIRS: tuple[Pair, ...] = (
    equal("both extrema in one pass", extremes_apart, extremes_together, "AggMultP"),
    different("extrema from 0", extremes_apart, extremes_from_0, "AggMultP", {"r": {}}),
    equal("largest magnitude", largest_magnitude, magnitude_of_extremes, "AggMultP"),
    different("magnitude of the largest", largest_magnitude, magnitude_of_largest, "AggOneP", {"r": {-1: 1}}),
    equal("smallest of a union", smallest_of_union, smaller_of_smallest, "AggMultP"),
    different("larger of two minima", smallest_of_union, larger_of_smallest, "AggMultP", {"r": {0: 1}, "s": {}}),
    equal("clamp and maximum", clamped_each_time, clamped_once, "AggOneP_sync"),
    different("clamp at another bound", clamped_each_time, clamped_at_99, "AggOneP_sync", {"r": {100: 1}}),
    equal("shift and maximum", largest_shifted, shifted_largest, "AggOneP_sync"),
    different(
        "shift without its initial value", shifted_largest, largest_shifted_from_0, "AggOneP_sync", {"r": {}, "k": 1}
    ),
    equal("all by a minimum", none_below_10, all_from_10, "AggOneP_sync"),
    different("all by a minimum, strictly", none_below_10, all_above_10, "AggOneP_sync", {"r": {10: 1}}),
    equal("existence by counting", any_above_10, count_above_10, "AggOneP"),
    different("more than existence", any_above_10, more_than_one_above_10, "AggOneP", {"r": {11: 1}}),
    equal("emptiness by counting", is_empty, counts_0, "AggOneP"),
    different("a sum of 0 is no emptiness", is_empty, sums_to_0, "AggOneP_sync", {"r": {0: 1}}),
    equal("bounded by the initial value", always, never_above_1000, "AggOneP_sync"),
    different("strictly bounded", always, below_1000, "AggOneP_sync", {"r": {}}),
    equal("a pair exists", count_of_pairs, both_not_empty, "AggMultP"),
    different("a pair needs both", count_of_pairs, one_not_empty, "AggMultP", {"r": {0: 1}, "s": {}}),
    equal("largest sum of two", largest_sum_of_pair, twice_the_largest, "AggOneP"),
    different("largest sum, not doubled", largest_sum_of_pair, the_largest, "AggOneP", {"r": {1: 1}}),
)
