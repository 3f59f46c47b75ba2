"""Suite `beyond`: aggregates by two functions, groups, dictionaries and means: other names of folds."""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from .functions import larger
from .pair import Pair, different, equal

if TYPE_CHECKING:
    from pyspark import RDD


# Aggregates by two functions, which are proved to agree before there is a verdict.


def sum_and_count(r: RDD[int]) -> tuple[int, int]:
    """Two passes."""
    return r.sum(), r.count()


def sum_and_count_at_once(r: RDD[int]) -> tuple[int, int]:
    """One pass with a pair for a state; the second function adds pairs."""
    return r.aggregate((0, 0), lambda a, x: (a[0] + x, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1]))  # type: ignore


def sum_and_positives_at_once(r: RDD[int]) -> tuple[int, int]:
    """Only positive elements are counted: a zero shows it."""
    return r.aggregate(
        (0, 0),
        lambda a, x: (a[0] + x, a[1] + (1 if x > 0 else 0)),  # type: ignore
        lambda a, b: (a[0] + b[0], a[1] + b[1]),  # type: ignore
    )


def highest_or_0(r: RDD[int]) -> int:
    """A maximum in a tree: the zero is no unit of max, but no state is below it."""
    return r.treeAggregate(0, max, max)  # type: ignore


def highest_or_0_by_cases(r: RDD[int]) -> int:
    """A fold whose function is written out."""
    return r.fold(0, larger)


def highest_or_1(r: RDD[int]) -> int:
    """Another zero: the empty bag shows it."""
    return r.treeAggregate(1, max, max)  # type: ignore


def joined_up(r: RDD[int]) -> int:
    """A reduce in a tree raises on an empty bag."""
    return r.treeReduce(add)


def joined_up_in_line(r: RDD[int]) -> int:
    """So does a plain reduce, whose function has another name."""
    return r.reduce(lambda a, b: b + a)


def joined_up_by_aggregate(r: RDD[int]) -> int:
    """An aggregate from 0 does not raise."""
    return r.aggregate(0, add, add)


def spread(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Largest minus smallest value of each group: two states with a flag each."""
    return s.groupByKey().mapValues(lambda group: max(group) - min(group))


def spread_combined(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The usual combineByKey: one flag for a pair of bounds; within a bucket both are attained."""
    bounds = s.combineByKey(
        lambda v: (v, v),
        lambda a, v: (min(a[0], v), max(a[1], v)),
        lambda a, b: (min(a[0], b[0]), max(a[1], b[1])),
    )
    return bounds.mapValues(lambda b: b[1] - b[0])


def spread_from_0(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The bounds start from 0: a group of one other value shows it."""
    bounds = s.aggregateByKey(
        (0, 0),
        lambda a, v: (min(a[0], v), max(a[1], v)),  # type: ignore
        lambda a, b: (min(a[0], b[0]), max(a[1], b[1])),  # type: ignore
    )
    return bounds.mapValues(lambda b: b[1] - b[0])


def averages(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Sum and number of values by aggregateByKey, as every introduction to Spark has it."""
    return s.aggregateByKey((0, 0), lambda a, v: (a[0] + v, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1]))  # type: ignore


def averages_grouped(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """A group of which two things are asked is one fold with two components."""
    return s.groupByKey().map(lambda row: (row[0], (sum(row[1]), len(row[1]))))  # type: ignore


def averages_joined(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """A join of two by-key results over one bag: neither has a key that the other lacks."""
    return s.reduceByKey(add).join(s.mapValues(lambda v: 1).reduceByKey(add))


def averages_of_positive(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """The second result lacks keys without positive values, and the join drops these."""
    return s.reduceByKey(add).join(s.filter(lambda p: p[1] > 0).mapValues(lambda v: 1).reduceByKey(add))


def positive_averages(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """The join as one pass: a bucket is there for both sides when it has counted something."""
    counted = s.groupByKey().mapValues(lambda group: sum(group))
    positives = s.foldByKey(0, lambda a, v: a + 1 if v > 0 else a)
    return counted.join(positives).filter(lambda row: row[1][1] > 0)


# Dictionaries at the driver.


def counts_by_key(s: RDD[tuple[int, int]]) -> dict[int, int]:
    """A dictionary is the bag of its items."""
    return s.countByKey()  # type: ignore


def counts_by_key_collected(s: RDD[tuple[int, int]]) -> dict[int, int]:
    """Word count, collected: its keys do not repeat, so that nothing is overwritten."""
    return s.mapValues(lambda v: 1).reduceByKey(add).collectAsMap()


def counts_of_pairs_by_key(s: RDD[tuple[int, int]]) -> dict[int, int]:
    """Distinct pairs are counted: only a repeated pair shows it."""
    return s.distinct().countByKey()  # type: ignore


def counts_by_digit(r: RDD[int]) -> dict[int, int]:
    """Counts of last digits."""
    return r.map(lambda x: x % 10).countByValue()  # type: ignore


def counts_by_digit_keyed(r: RDD[int]) -> dict[int, int]:
    """The values are keys of pairs whose values do not matter."""
    return r.keyBy(lambda x: x % 10).countByKey()  # type: ignore


def counts_by_first_digit(r: RDD[int]) -> dict[int, int]:
    """The wrong digit: 10 shows it."""
    return r.map(lambda x: x // 10).countByValue()  # type: ignore


# Means: equal where sums and counts are. Where these differ, `check` goes on to the quotients.


def mean_of_large(r: RDD[int]) -> float:
    """The mean of what is large."""
    return r.filter(lambda x: x > 99).mean()


def mean_of_large_by_items(r: RDD[int]) -> float:
    """A filter as a flatMap: sum and count are equal, each over the other bag."""
    return r.flatMap(lambda x: [x] if x >= 100 else []).mean()


def mean_of_larger(r: RDD[int]) -> float:
    """The counts are equal, so that different sums are different means."""
    return r.map(lambda x: x + 1).filter(lambda x: x > 100).mean()


PAIRS: tuple[Pair, ...] = (
    equal("aggregate in one pass", sum_and_count, sum_and_count_at_once, "AggMultP"),
    different("aggregate of positives", sum_and_count, sum_and_positives_at_once, "AggMultP", {"r": {0: 1}}),
    equal("treeAggregate", highest_or_0, highest_or_0_by_cases, "AggOneP_sync"),
    different("treeAggregate from 1", highest_or_0, highest_or_1, "AggOneP_sync", {"r": {}}),
    equal("treeReduce", joined_up, joined_up_in_line, "AggOneP_sync"),
    different("treeReduce or aggregate", joined_up, joined_up_by_aggregate, "AggOneP_sync", {"r": {}}),
    equal("spread combined", spread, spread_combined, "AggOneKB"),
    different("spread from 0", spread, spread_from_0, "AggOneKB", {"s": {(0, 1): 1}}),
    equal("averages grouped", averages, averages_grouped, "AggOneKB"),
    different("averages of positive values", averages_joined, averages_of_positive, "AggOneKB", {"s": {(0, 0): 1}}),
    equal("positive averages", averages_of_positive, positive_averages, "AggOneKB"),
    equal("countByKey", counts_by_key, counts_by_key_collected, "AggOneKB"),
    different("countByKey of distinct pairs", counts_by_key, counts_of_pairs_by_key, "AggOneKB", {"s": {(0, 0): 2}}),
    equal("countByValue", counts_by_digit, counts_by_digit_keyed, "AggOneKB"),
    different("countByValue of another digit", counts_by_digit, counts_by_first_digit, "AggOneKB", {"r": {10: 1}}),
    equal("mean of items", mean_of_large, mean_of_large_by_items, "AggMultP"),
    different("mean of larger numbers", mean_of_large, mean_of_larger, "AggMultP", {"r": {100: 1}}),
)
