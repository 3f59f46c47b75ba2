"""Errata of the papers about what programs mean (THEORY section 7): each once equivalent and once inequivalent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .functions import count_up, double, plus
from .pair import Pair, different, equal

if TYPE_CHECKING:
    from pyspark import RDD


# Theorem 3 (CAV eq. 9-10) never checks the step from the empty bag to one element.


def becomes_one(r: RDD[int]) -> int:
    """0 for the empty bag, 1 for any other."""
    return r.fold(0, lambda accumulated, x: 1)


def becomes_two(r: RDD[int]) -> int:
    """Only the first step tells the programs apart: Theorem 3's conditions hold of them as printed."""
    return r.fold(0, lambda accumulated, x: 2)


def becomes_two_halved(r: RDD[int]) -> int:
    """The same two folds, equal once one result is halved."""
    return r.fold(0, lambda accumulated, x: 2) // 2


# A filtered-out element is ⊥, and stays so under a boolean or constant map.


def ones_of_large(r: RDD[int]) -> RDD[int]:
    """A 1 for each element from 50 on."""
    return r.filter(lambda x: x >= 50).map(lambda x: 1)


def ones(r: RDD[int]) -> RDD[int]:
    """A constant map does not bring a filtered-out element back."""
    return r.map(lambda x: 1)


def ones_by_flag(r: RDD[int]) -> RDD[int]:
    """The filter may come after the map when the map keeps what it needs to know."""
    return r.map(lambda x: 1 if x >= 50 else 0).filter(lambda one: one == 1)


def large_among_small(r: RDD[int]) -> RDD[bool]:
    """For each element below 100, whether it is at least 50."""
    return r.filter(lambda x: x < 100).map(lambda x: x >= 50)


def large_and_small(r: RDD[int]) -> RDD[bool]:
    """A filtered-out element is not the value False: from 100 on there must be no result at all."""
    return r.map(lambda x: x < 100 and x >= 50)


def large_of_flagged(r: RDD[int]) -> RDD[bool]:
    """A boolean map before the filter, with the filter's condition carried along."""
    flagged = r.map(lambda x: (x >= 50, x < 100))
    return flagged.filter(lambda pair: pair[1]).map(lambda pair: pair[0])


# Aggregation by key needs both programs to put the same elements together.


def sum_per_grade_then_tens(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Sums per grade, then calls each sum by the grade's tens."""
    return s.foldByKey(0, plus).map(lambda entry: (entry[0] // 10, entry[1]))


def sum_per_tens(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Two grades of the same tens are two results of one program, and one of the other."""
    return s.map(lambda pair: (pair[0] // 10, pair[1])).foldByKey(0, plus)


def sum_per_grade_then_raised(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Sums per grade, then raises the grade by one."""
    return s.foldByKey(0, plus).map(lambda entry: (entry[0] + 1, entry[1]))


def sum_per_raised(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """An injective change of the key keeps buckets apart, so it may come first."""
    return s.map(lambda pair: (pair[0] + 1, pair[1])).foldByKey(0, plus)


# The input bags matter even where their elements do not.


def ones_of_first(r0: RDD[int], r1: RDD[int]) -> RDD[int]:
    """A 1 for each element of the first bag."""
    return r0.map(lambda x: 1)


def ones_of_second(r0: RDD[int], r1: RDD[int]) -> RDD[int]:
    """The terms are the same constant, but one bag may have more elements than the other."""
    return r1.map(lambda x: 1)


def none_of_first(r0: RDD[int], r1: RDD[int]) -> RDD[int]:
    """Keeps no element of the first bag."""
    return r0.filter(lambda x: x < 0 and x > 0)


def none_of_second(r0: RDD[int], r1: RDD[int]) -> RDD[int]:
    """Programs over different bags are equivalent when both keep nothing."""
    return r1.filter(lambda x: x != x)


def differences(r: RDD[int]) -> RDD[int]:
    """The difference of each two elements, in each order."""
    return r.cartesian(r).map(lambda pair: pair[0] - pair[1])


def zero_for_each_two(r: RDD[int]) -> RDD[int]:
    """One variable for both sides of a self-product would make every difference 0."""
    return r.cartesian(r).map(lambda pair: 0)


def differences_reversed(r: RDD[int]) -> RDD[int]:
    """Element by element the differences have opposite signs; the bags of them are equal, by exchanging the sides."""
    return r.cartesian(r).map(lambda pair: pair[1] - pair[0])


# SparkLite's fold is not Spark's.


def counted(r: RDD[int]) -> int:
    """The number of elements, by a fold that Spark computes per partition and then once more."""
    return r.fold(0, count_up)


def ones_summed(r: RDD[int]) -> int:
    """One left fold counts rightly; Spark's fold then counts its partitions, unlike the sum of ones."""
    return r.map(lambda x: 1).fold(0, plus)


def doubles_counted_twice(r: RDD[int]) -> int:
    """Twice the number of elements: equal to it for the empty bag only."""
    return 2 * r.map(double).fold(0, count_up)


def sum_from_five(r: RDD[int]) -> int:
    """5 more than the sum; Spark adds it once for each partition, and once more."""
    return r.fold(5, plus)


def five_and_sum(r: RDD[int]) -> int:
    """A zero that is not neutral counts once in SparkLite, and once more than there are partitions in Spark."""
    return 5 + r.fold(0, plus)


def sum_from_zero(r: RDD[int]) -> int:
    """The initial value of a sum is part of it."""
    return r.fold(0, plus)


PAIRS: tuple[Pair, ...] = (
    different("first step of a fold", becomes_one, becomes_two, "AggOneP_sync", {"r": {0: 1}}),
    equal("first step of a fold, halved", becomes_one, becomes_two_halved, "AggOneP_sync"),
    different("constant map after a filter", ones_of_large, ones, "NoAgg", {"r": {0: 1}}),
    equal("constant map before a filter", ones_of_large, ones_by_flag, "NoAgg"),
    different("boolean map after a filter", large_among_small, large_and_small, "NoAgg", {"r": {100: 1}}),
    equal("boolean map before a filter", large_among_small, large_of_flagged, "NoAgg"),
    different("keys merged", sum_per_grade_then_tens, sum_per_tens, "AggOneKB", {"s": {(61, 1): 1, (62, 1): 1}}),
    equal("keys renamed", sum_per_grade_then_raised, sum_per_raised, "AggOneKB"),
    different("constants of two bags", ones_of_first, ones_of_second, "NoAgg", {"r0": {0: 1}, "r1": {}}),
    equal("nothing of two bags", none_of_first, none_of_second, "NoAgg"),
    different("self-product collapsed", differences, zero_for_each_two, "NoAgg", {"r": {0: 1, 1: 1}}),
    equal("self-product reversed", differences, differences_reversed, "NoAgg"),
    equal("fold that counts", counted, ones_summed, "AggOneP"),
    different("fold that counts twice", counted, doubles_counted_twice, "AggOneP", {"r": {0: 1}}),
    equal("fold from five", sum_from_five, five_and_sum, "AggOneP_sync"),
    different("fold from five or zero", sum_from_five, sum_from_zero, "AggOneP_sync", {"r": {}}),
)
