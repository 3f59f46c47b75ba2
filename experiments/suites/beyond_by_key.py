"""Suite `beyond`: aggregation by key: before and after filters, renamed keys, buckets on one side."""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from .functions import count_up, larger, plus, smaller
from .pair import Pair, different, equal

if TYPE_CHECKING:
    from pyspark import RDD


# Different names of one aggregation.


def totals(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Sums by key, by a fold."""
    return s.foldByKey(0, plus)


def totals_reduced(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """reduceByKey has no initial value: the state says whether there was a first value, and it always is."""
    return s.reduceByKey(add)


def totals_from_1(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The fold starts from 1."""
    return s.foldByKey(1, plus)


def totals_grouped(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """groupByKey with sum: the groups are never built."""
    return s.groupByKey().mapValues(sum)


def lowest(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Smallest value by key."""
    return s.reduceByKey(min)


def lowest_by_highest(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """A minimum as a maximum of opposites, in groups: maps of the values before and after the by-key fold."""
    return s.mapValues(lambda v: -v).groupByKey().mapValues(max).mapValues(lambda v: -v)


def lowest_from_0(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """From an initial value of 0 the smallest is never positive."""
    return s.foldByKey(0, smaller)


def sizes(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The size of each group."""
    return s.groupByKey().mapValues(len)  # type: ignore


def sizes_summed(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Word count: ones, reduced by key."""
    return s.map(lambda p: (p[0], 1)).reduceByKey(lambda a, b: a + b)  # type: ignore


def sizes_distinct(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The number of distinct values of each key: only repeated pairs show it."""
    return s.distinct().groupByKey().mapValues(len)  # type: ignore


# Filters before and after.


def even_keys_after(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Sums, then keeps even keys."""
    return s.foldByKey(0, plus).filter(lambda p: p[0] % 2 == 0)


def even_keys_before(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """A condition on keys moves before the by-key fold: buckets exist on one side only, and output nothing."""
    return s.filter(lambda p: p[0] % 2 == 0).reduceByKey(add)


def even_values_before(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The condition is on values: an odd value of an even key shows it."""
    return s.filter(lambda p: p[1] % 2 == 0).foldByKey(0, plus)


def chosen_after(s: RDD[tuple[int, int]], k: int) -> RDD[tuple[int, int]]:
    """Counts, then keeps one key, a parameter."""
    return s.foldByKey(0, count_up).filter(lambda p: p[0] == k)


def chosen_before(s: RDD[tuple[int, int]], k: int) -> RDD[tuple[int, int]]:
    """Only the bucket of the parameter is ever made, and its key is the parameter itself."""
    return s.filter(lambda p: p[0] == k).foldByKey(0, count_up).map(lambda p: (k, p[1]))


def not_chosen_before(s: RDD[tuple[int, int]], k: int) -> RDD[tuple[int, int]]:
    """Keeps from the parameter on: greater keys show it."""
    return s.filter(lambda p: p[0] >= k).foldByKey(0, count_up)


def high_groups(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Keeps groups whose highest value is at least 50."""
    return s.reduceByKey(max).filter(lambda p: p[1] >= 50)


def groups_of_high(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """A condition on the maximum becomes one on the values: low values do not matter where a high one is."""
    return s.filter(lambda p: p[1] >= 50).reduceByKey(max)


def low_groups(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Keeps groups whose lowest value is at least 50."""
    return s.reduceByKey(min).filter(lambda p: p[1] >= 50)


def low_groups_of_high(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The same step is wrong for a minimum: a group with a low and a high value shows it."""
    return s.filter(lambda p: p[1] >= 50).reduceByKey(min)


def positive_totals(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Sums of positive parts, where there are any."""
    return s.mapValues(lambda v: max(v, 0)).reduceByKey(add).filter(lambda p: p[1] > 0)


def totals_of_positive(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Buckets without positive values exist on one side only; their sum is 0, and no other is."""
    return s.filter(lambda p: p[1] > 0).foldByKey(0, plus)


def totals_of_not_negative(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Zeros make buckets too: a single pair (0, 0) shows it."""
    return s.filter(lambda p: p[1] >= 0).foldByKey(0, plus)


def having_any(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Keeps groups with at least one value."""
    return s.foldByKey(0, count_up).filter(lambda p: p[1] >= 1)


def having_two(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Groups of one value are dropped."""
    return s.foldByKey(0, count_up).filter(lambda p: p[1] >= 2)


# Keys renamed.


def renamed_after(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Sums, then renames the keys."""
    return s.reduceByKey(add).map(lambda p: (3 - 2 * p[0], p[1]))


def renamed_before(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Keys that are renamed injectively: the buckets pair off although their keys differ."""
    return s.map(lambda p: (3 - 2 * p[0], p[1])).reduceByKey(add)


def halved_after(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Sums, then halves the keys."""
    return s.reduceByKey(add).map(lambda p: (p[0] // 2, p[1]))


def halved_before(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Halving brings the keys 0 and 1 together: two results, or one."""
    return s.map(lambda p: (p[0] // 2, p[1])).reduceByKey(add)


def by_decimal_parts(r: RDD[int]) -> RDD[tuple[int, int]]:
    """Counts equal numbers, whose key is split in two and put together again."""
    counts = r.map(lambda x: ((x // 10, x % 10), 1)).reduceByKey(add)  # type: ignore
    return counts.map(lambda p: (10 * p[0][0] + p[0][1], p[1]))


def by_number(r: RDD[int]) -> RDD[tuple[int, int]]:
    """A pair of quotient and remainder is an injective name of a number."""
    return r.keyBy(lambda x: x).foldByKey(0, count_up)


def by_last_digit(r: RDD[int]) -> RDD[tuple[int, int]]:
    """The last digit alone names no number: 10 shows it."""
    return r.keyBy(lambda x: x % 10).foldByKey(0, count_up)


def by_swapped_key(s: RDD[tuple[int, int]]) -> RDD[tuple[tuple[int, bool], int]]:
    """Sums by a pair key in one order, swapped at the end."""
    return s.map(lambda p: ((p[1] > 0, p[0]), p[1])).reduceByKey(add).map(lambda p: ((p[0][1], p[0][0]), p[1]))


def by_pair_key(s: RDD[tuple[int, int]]) -> RDD[tuple[tuple[int, bool], int]]:
    """A key with a boolean component, in the other order."""
    return s.map(lambda p: ((p[0], p[1] > 0), p[1])).foldByKey(0, plus)


def by_pair_key_from_0(s: RDD[tuple[int, int]]) -> RDD[tuple[tuple[int, bool], int]]:
    """Zero is on the other side: only its flag shows it."""
    return s.map(lambda p: ((p[0], p[1] >= 0), p[1])).foldByKey(0, plus)


def histogram(r: RDD[int]) -> RDD[tuple[int, int]]:
    """Counts by tens, called by the first number of each ten."""
    return r.keyBy(lambda x: x - x % 10).mapValues(lambda x: 1).reduceByKey(add)


def histogram_named_later(r: RDD[int]) -> RDD[tuple[int, int]]:
    """Bucketing by quotient, with the bucket's name computed at the end."""
    return r.map(lambda x: (x // 10, 1)).foldByKey(0, plus).map(lambda p: (10 * p[0], p[1]))  # type: ignore


def histogram_rounded(r: RDD[int]) -> RDD[tuple[int, int]]:
    """Rounds to the nearest ten: 5 to 9 show it."""
    return r.map(lambda x: ((x + 5) // 10 * 10, 1)).foldByKey(0, plus)  # type: ignore


# What follows.


def doubled_before(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Doubles values, then sums."""
    return s.mapValues(lambda v: 2 * v).foldByKey(0, plus)


def doubled_after(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """A linear map moves behind the by-key sum: M₁ = 2·M₂ within a bucket."""
    return s.foldByKey(0, plus).mapValues(lambda m: 2 * m)


def incremented_after(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """An increment does not move behind a sum as it is: values are counted."""
    return s.reduceByKey(add).mapValues(lambda m: m + 1)


def incremented_before(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Every value is incremented: two values of one key show it."""
    return s.mapValues(lambda v: v + 1).reduceByKey(add)


def with_key_before(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The largest of key plus value."""
    return s.map(lambda p: (p[0], p[0] + p[1])).reduceByKey(max)


def with_key_after(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Key-dependent post-processing: within a bucket the key is a constant, and moves out of the maximum."""
    return s.reduceByKey(max).map(lambda p: (p[0], p[0] + p[1]))


def without_key(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The key is not added: keys other than 0 show it."""
    return s.reduceByKey(max)


def statistics(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Sum and number of values in one pass."""
    return s.foldByKey((0, 0), lambda a, v: (a[0] + v, a[1] + 1))  # type: ignore


def statistics_reduced(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """The same by pairs (v, 1) that are added: the usual way to write a mean."""
    return s.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))  # type: ignore


def statistics_without_count(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """The larger of two counts is kept, which is always 1: a group of one value hides it."""
    return s.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], max(a[1], b[1])))


def any_large(s: RDD[tuple[int, int]]) -> RDD[tuple[int, bool]]:
    """Whether each group has a value above 9."""
    return s.mapValues(lambda v: v > 9).reduceByKey(lambda a, b: a or b)


def any_large_by_highest(s: RDD[tuple[int, int]]) -> RDD[tuple[int, bool]]:
    """A disjunction of tests is a test of the maximum."""
    return s.reduceByKey(larger).mapValues(lambda m: m >= 10)


def all_large(s: RDD[tuple[int, int]]) -> RDD[tuple[int, bool]]:
    """A test of the minimum says whether all are large: a mixed group shows it."""
    return s.reduceByKey(smaller).mapValues(lambda m: m >= 10)


PAIRS: tuple[Pair, ...] = (
    equal("reduceByKey", totals, totals_reduced, "AggOneKB"),
    different("by-key sums from 1", totals_reduced, totals_from_1, "AggOneKB", {"s": {(0, 0): 1}}),
    equal("grouped sums", totals_reduced, totals_grouped, "AggOneKB"),
    equal("lowest by highest", lowest, lowest_by_highest, "AggOneKB"),
    different("lowest from 0", lowest, lowest_from_0, "AggOneKB", {"s": {(0, 1): 1}}),
    equal("word count", sizes, sizes_summed, "AggOneKB"),
    different("distinct word count", sizes, sizes_distinct, "AggOneKB", {"s": {(0, 0): 2}}),
    equal("keys filtered before", even_keys_after, even_keys_before, "AggOneKB"),
    different("values filtered before", even_keys_after, even_values_before, "AggOneKB", {"s": {(0, 1): 1}}),
    equal("one key, a parameter", chosen_after, chosen_before, "AggOneKB"),
    different("keys from a parameter on", chosen_after, not_chosen_before, "AggOneKB", {"s": {(1, 0): 1}, "k": 0}),
    equal("high groups", high_groups, groups_of_high, "AggOneKB"),
    different("low groups", low_groups, low_groups_of_high, "AggOneKB", {"s": {(0, 0): 1, (0, 50): 1}}),
    equal("buckets on one side", positive_totals, totals_of_positive, "AggOneKB"),
    different("buckets of zeros", positive_totals, totals_of_not_negative, "AggOneKB", {"s": {(0, 0): 1}}),
    equal("at least one", sizes_summed, having_any, "AggOneKB", "A group that exists has at least one value."),
    different("at least two", sizes_summed, having_two, "AggOneKB", {"s": {(0, 0): 1}}),
    equal("keys renamed", renamed_after, renamed_before, "AggOneKB"),
    different("keys halved", halved_after, halved_before, "AggOneKB", {"s": {(0, 0): 1, (1, 0): 1}}),
    equal("keys in two parts", by_number, by_decimal_parts, "AggOneKB"),
    different("last digits", by_number, by_last_digit, "AggOneKB", {"r": {10: 1}}),
    equal("pair keys swapped", by_swapped_key, by_pair_key, "AggOneKB"),
    different("pair keys, other flag", by_swapped_key, by_pair_key_from_0, "AggOneKB", {"s": {(0, 0): 1}}),
    equal("histogram named later", histogram, histogram_named_later, "AggOneKB"),
    different("histogram rounded", histogram, histogram_rounded, "AggOneKB", {"r": {5: 1}}),
    equal("doubled after", doubled_before, doubled_after, "AggOneKB"),
    different("incremented before", incremented_after, incremented_before, "AggOneKB", {"s": {(0, 0): 2}}),
    equal("key added after", with_key_before, with_key_after, "AggOneKB"),
    different("key not added", with_key_after, without_key, "AggOneKB", {"s": {(1, 0): 1}}),
    equal("statistics reduced", statistics, statistics_reduced, "AggOneKB"),
    different("statistics without a count", statistics, statistics_without_count, "AggOneKB", {"s": {(0, 0): 2}}),
    equal("any by highest", any_large, any_large_by_highest, "AggOneKB"),
    different("any is not all", any_large, all_large, "AggOneKB", {"s": {(0, 9): 1, (0, 10): 1}}),
)
