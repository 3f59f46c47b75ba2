"""Suite `beyond`: by-key results inside larger programs: joined, folded, grouped again."""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from .functions import larger, plus, smaller
from .pair import Pair, different, equal

if TYPE_CHECKING:
    from pyspark import RDD


def totals_joined(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """By-key sums joined with another bag."""
    return s.foldByKey(0, plus).join(t)


def totals_joined_reduced(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """A join is symmetric, and the by-key sums on both sides are one bag, by congruence."""
    return t.join(s.reduceByKey(add)).mapValues(lambda v: (v[1], v[0]))


def joined_then_totalled(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Joins with sums of the other bag instead."""
    return s.join(t.reduceByKey(add))


def spread(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Two by-key results over two bags, joined: highest against lowest."""
    return s.reduceByKey(max).join(t.reduceByKey(min)).mapValues(lambda v: v[0] - v[1])


def spread_by_opposites(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Congruence twice: each by-key result is replaced by a fresh bag, and a join remains."""
    lowest_of_t = t.mapValues(lambda v: -v).groupByKey().mapValues(max)
    return lowest_of_t.mapValues(lambda v: -v).join(s.groupByKey().mapValues(max)).mapValues(lambda v: v[1] - v[0])


def spread_of_one(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Both extrema from the first bag: the second one matters no more, but for its keys."""
    return s.reduceByKey(max).join(t.reduceByKey(min)).mapValues(lambda v: v[0])


def best_total(s: RDD[tuple[int, int]]) -> int:
    """The largest sum of a group: a fold over the result of a by-key fold."""
    return s.foldByKey(0, plus).values().fold(0, larger)


def best_total_reduced(s: RDD[tuple[int, int]]) -> int:
    """By-key then fold: congruence first, then an induction over the groups."""
    return -s.reduceByKey(add).map(lambda p: -p[1]).fold(0, smaller)


def total_of_best(s: RDD[tuple[int, int]]) -> int:
    """The sum of the largest values instead."""
    return s.foldByKey(0, larger).values().fold(0, plus)


def large_totals_of_union(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """By-key sums of two bags together."""
    return s.union(t).reduceByKey(add)


def large_totals_swapped(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The folded bags are unions in other order: they are equal, and therefore what is made of them."""
    return t.union(s).reduceByKey(add)


def totals_of_first(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Only the first of two bags is summed."""
    return s.reduceByKey(add)


def regrouped(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Sums by key, then by ten keys: a by-key fold of a by-key fold."""
    return s.reduceByKey(add).map(lambda p: (p[0] // 10, p[1])).reduceByKey(add)


def grouped_once(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Partial aggregation: sums of sums are sums, which relates buckets of different keys."""
    return s.map(lambda p: (p[0] // 10, p[1])).reduceByKey(add)


def regrouped_highest(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Sums of maxima are no sums: two values of one key show it."""
    return s.reduceByKey(max).map(lambda p: (p[0] // 10, p[1])).reduceByKey(add)


def regrouped_by_opposites(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The inner by-key folds are equal, and so are the outer ones then: congruence inside out."""
    return s.foldByKey(0, plus).map(lambda p: (p[0] // 10, -p[1])).foldByKey(0, plus).mapValues(lambda m: -m)


def grand_total(s: RDD[tuple[int, int]]) -> int:
    """The sum of all by-key sums."""
    return s.reduceByKey(add).values().sum()


def plain_total(s: RDD[tuple[int, int]]) -> int:
    """The by-key step is not needed: a fold over buckets against one over elements."""
    return s.values().sum()


def total_of_keys(s: RDD[tuple[int, int]]) -> int:
    """Keys are summed instead of values: any pair of different components shows it."""
    return s.keys().sum()


def statistics_together(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Sum and number of values in one pass."""
    return s.foldByKey((0, 0), lambda a, v: (a[0] + v, a[1] + 1))  # type: ignore


def statistics_joined(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Two by-key passes that are joined, against one: their keys are those of one bag, each once."""
    return s.reduceByKey(add).join(s.groupByKey().mapValues(len))  # type: ignore


PAIRS: tuple[Pair, ...] = (
    equal("sums joined", totals_joined, totals_joined_reduced, "AggOneKB"),
    different(
        "sums joined on the other side",
        totals_joined,
        joined_then_totalled,
        "AggOneKB",
        {"s": {(0, 0): 2}, "t": {(0, 0): 1}},
    ),
    equal("two by-key results joined", spread, spread_by_opposites, "other"),
    different("one extremum dropped", spread, spread_of_one, "other", {"s": {(0, 0): 1}, "t": {(0, 1): 1}}),
    equal("largest sum", best_total, best_total_reduced, "other"),
    different("sum of largest", best_total, total_of_best, "other", {"s": {(0, 1): 2}}),
    equal("sums of a union", large_totals_of_union, large_totals_swapped, "AggOneKB"),
    different("sums of one bag", large_totals_swapped, totals_of_first, "AggOneKB", {"s": {}, "t": {(0, 0): 1}}),
    equal("regrouped by opposites", regrouped, regrouped_by_opposites, "other"),
    different("regrouped maxima", grouped_once, regrouped_highest, "other", {"s": {(0, 1): 2}}),
    equal("regrouped sums", grouped_once, regrouped, "other"),
    different("sum of keys", grand_total, total_of_keys, "other", {"s": {(1, 0): 1}}),
    equal("sum of sums", grand_total, plain_total, "other"),
    equal("statistics joined", statistics_together, statistics_joined, "AggOneKB"),
)
