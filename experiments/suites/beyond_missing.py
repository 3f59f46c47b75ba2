"""Suite `beyond`: values that may be None, outer joins and co-groups."""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from .pair import Pair, different, equal

if TYPE_CHECKING:
    from pyspark import RDD


# None in inputs and results.


def increments(r: RDD[int | None]) -> RDD[int]:
    """What is missing is dropped first: the sum is never reached with None."""
    return r.filter(lambda x: x is not None).map(lambda x: x + 1)  # type: ignore


def increments_by_items(r: RDD[int | None]) -> RDD[int]:
    """The test and the sum in one function, which returns no item for None."""
    return r.flatMap(lambda x: [] if x is None else [1 + x])


def increments_or_1(r: RDD[int | None]) -> RDD[int]:
    """What is missing counts as 0: a bag with None shows it, and every other hides it."""
    return r.map(lambda x: (0 if x is None else x) + 1)


def total_or_0(r: RDD[int | None]) -> int:
    """A default in a map before the sum."""
    return r.map(lambda x: x if x is not None else 0).sum()


def total_of_known(r: RDD[int | None]) -> int:
    """The fold itself tests for None: an invariant over sums whose elements have two shapes."""
    return r.fold(0, lambda a, x: a if x is None else a + x)  # type: ignore


def total_or_1(r: RDD[int | None]) -> int:
    """Another default: one None shows it."""
    return r.map(lambda x: 1 if x is None else x).sum()


def known_or_negative(r: RDD[int | None]) -> RDD[int | None]:
    """Results that are None in one branch: the code of None must be one, whatever was there before."""
    return r.map(lambda x: None if x is None or x < 0 else x)


def known_or_negative_nested(r: RDD[int | None]) -> RDD[int | None]:
    """The same by nested conditionals, of which the last branch gives back what it got."""
    return r.map(lambda x: x if x is None else (x if x >= 0 else None))


def known_or_0(r: RDD[int | None]) -> RDD[int]:
    """A result that is never None is compared with one that is: a negative number shows it."""
    return r.map(lambda x: 0 if x is None or x < 0 else x)


def highest_if_any(r: RDD[int]) -> int | None:
    """A fold that starts from None: the state is an option."""
    return r.fold(None, lambda a, x: x if a is None or (x is not None and x > a) else a)  # type: ignore


def highest_unless_empty(r: RDD[int]) -> int | None:
    """A guard and a maximum that would raise: three folds against one with an option for a state."""
    return None if r.isEmpty() else r.max()  # type: ignore


def highest_or_minus_1(r: RDD[int]) -> int | None:
    """Starts from a number: an empty bag shows it."""
    return r.fold(-1, lambda a, x: x if x > a else a)


def sums_of_known(s: RDD[tuple[int, int | None]]) -> RDD[tuple[int, int]]:
    """Keys with no value at all disappear with the filter."""
    return s.filter(lambda p: p[1] is not None).reduceByKey(add)  # type: ignore


def sums_from_none(s: RDD[tuple[int, int | None]]) -> RDD[tuple[int, int]]:
    """Sums that start from None: buckets on one side only, which the filter drops."""
    sums = s.aggregateByKey(
        None,
        lambda a, v: v if a is None else a if v is None else a + v,  # type: ignore
        lambda a, b: b if a is None else a if b is None else a + b,  # type: ignore
    )
    return sums.filter(lambda p: p[1] is not None)  # type: ignore


def sums_from_0(s: RDD[tuple[int, int | None]]) -> RDD[tuple[int, int]]:
    """Keys with no value stay, with 0."""
    return s.foldByKey(0, lambda a, v: a if v is None else a + v)  # type: ignore


# Outer joins that are joins.


def partners(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """An outer join of bags whose keys repeat, from which a filter drops what has no partner."""
    both = s.leftOuterJoin(t).filter(lambda row: row[1][1] is not None)
    return both.mapValues(lambda p: p[0] - p[1])  # type: ignore


def partners_joined(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The plain join from the other side."""
    return t.join(s).mapValues(lambda p: p[1] - p[0])


def partners_by_items(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """A full outer join, where a function returns no item for a row without a partner."""
    return s.fullOuterJoin(t).flatMapValues(
        lambda p: [p[0] - p[1]] if p[0] is not None and p[1] is not None else []  # type: ignore
    )


def partners_not_0(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The mistake of testing with 0 in mind: a partner of value 0 shows it."""
    both = s.rightOuterJoin(t).filter(lambda row: row[1][0] is not None and row[1][0] != 0)
    return both.mapValues(lambda p: p[0] - p[1])  # type: ignore


# Outer joins of by-key results: one pass, whose state says which sides are there.


def sums_with_positives(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Sums, and counts of positive values or 0: a left outer join of two by-key results."""
    positives = s.filter(lambda p: p[1] > 0).mapValues(lambda v: 1).reduceByKey(add)
    joined = s.reduceByKey(add).leftOuterJoin(positives)
    return joined.mapValues(lambda p: (p[0], 0 if p[1] is None else p[1]))  # type: ignore


def sums_with_positives_at_once(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """One pass: that a side is missing is that its count is 0."""
    return s.foldByKey((0, 0), lambda a, v: (a[0] + v, a[1] + 1 if v > 0 else a[1]))  # type: ignore


def sums_with_positives_only(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """A plain join drops keys without positive values: one zero shows it."""
    return s.reduceByKey(add).join(s.filter(lambda p: p[1] > 0).mapValues(lambda v: 1).reduceByKey(add))


def balances(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Two ledgers: a full outer join with defaults on both sides."""
    both = s.reduceByKey(add).fullOuterJoin(t.reduceByKey(add))
    return both.mapValues(lambda p: (0 if p[0] is None else p[0]) - (0 if p[1] is None else p[1]))  # type: ignore


def balances_grouped(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The co-group of both: empty groups have the sum 0, so that no default is needed."""
    return s.cogroup(t).mapValues(lambda groups: sum(groups[0]) - sum(groups[1]))


def balances_of_left(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """A left outer join forgets keys of the second ledger."""
    both = s.reduceByKey(add).leftOuterJoin(t.reduceByKey(add))
    return both.mapValues(lambda p: p[0] if p[1] is None else p[0] - p[1])  # type: ignore


def balances_of_union(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """One ledger with negative entries."""
    return s.union(t.mapValues(lambda v: -v)).reduceByKey(add)


def right_of(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int | None]]]:
    """A right outer join, with its sides exchanged afterwards."""
    both = s.reduceByKey(max).rightOuterJoin(t.reduceByKey(min))
    return both.map(lambda row: (row[0], (row[1][1], row[1][0])))  # type: ignore


def left_of(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int | None]]]:
    """The left outer join from the other side: both fold one bag, with the components of the state exchanged."""
    return t.reduceByKey(min).leftOuterJoin(s.reduceByKey(max))  # type: ignore


def left_of_0(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """A default of 0 for what is missing is not None."""
    both = t.reduceByKey(min).leftOuterJoin(s.reduceByKey(max))
    return both.mapValues(lambda p: (p[0], 0 if p[1] is None else p[1]))  # type: ignore


def sizes_of_both(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """A co-group of which only the sizes matter."""
    return s.cogroup(t).map(lambda row: (row[0], len(row[1][0]) + len(row[1][1])))  # type: ignore


def sizes_of_both_swapped(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The co-group from the other side."""

    def sizes(groups):
        there, here = groups
        return len(list(here)) + len(list(there))

    return t.cogroup(s).mapValues(sizes)


def sizes_of_left(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Groups of one side are counted, but keys of both are there, with the size 0."""
    return s.cogroup(t).mapValues(lambda groups: len(groups[0]))


# RDDs of literals, which are no bags of SparkLite.


def named(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """A left outer join with a table of literals, and a default for keys that it lacks."""
    names = s.context.parallelize([(0, 100), (1, 200)])
    return s.leftOuterJoin(names).mapValues(lambda p: p[0] + (0 if p[1] is None else p[1]))


def named_by_cases(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The table as a conditional: three summands against one."""
    return s.map(lambda p: (p[0], p[1] + (100 if p[0] == 0 else 200 if p[0] == 1 else 0)))


def named_if_known(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """A plain join drops what the table lacks: any other key shows it."""
    return s.join(s.context.parallelize([(0, 100), (1, 200)])).mapValues(lambda p: p[0] + p[1])


PAIRS: tuple[Pair, ...] = (
    equal("None dropped", increments, increments_by_items, "NoAgg"),
    different("None as 0", increments, increments_or_1, "NoAgg", {"r": {None: 1}}),
    equal("total of what is known", total_or_0, total_of_known, "AggOneP_sync"),
    different("total with 1 for None", total_of_known, total_or_1, "AggOneP", {"r": {None: 1}}),
    equal("None that is made", known_or_negative, known_or_negative_nested, "NoAgg"),
    different("None or 0", known_or_negative, known_or_0, "NoAgg", {"r": {-1: 1}}),
    equal("fold from None", highest_if_any, highest_unless_empty, "AggMultP"),
    different("fold from None or a number", highest_if_any, highest_or_minus_1, "AggOneP_sync", {"r": {}}),
    equal("by-key sums from None", sums_of_known, sums_from_none, "AggOneKB"),
    different("by-key sums of None", sums_of_known, sums_from_0, "AggOneKB", {"s": {(0, None): 1}}),
    equal("outer join that is a join", partners, partners_joined, "NoAgg"),
    equal("full outer join by items", partners, partners_by_items, "NoAgg"),
    different("partner 0", partners_joined, partners_not_0, "NoAgg", {"s": {(0, 0): 1}, "t": {(0, 0): 1}}),
    equal("left outer join in one pass", sums_with_positives, sums_with_positives_at_once, "AggOneKB"),
    different(
        "join for a left outer join", sums_with_positives, sums_with_positives_only, "AggOneKB", {"s": {(0, 0): 1}}
    ),
    equal("full outer join or co-group", balances, balances_grouped, "AggOneKB"),
    different("left for full outer join", balances, balances_of_left, "AggOneKB", {"s": {}, "t": {(0, 1): 1}}),
    equal("full outer join or union", balances, balances_of_union, "AggOneKB"),
    equal("right outer join from the left", right_of, left_of, "AggOneKB"),
    different("outer join with 0", right_of, left_of_0, "AggOneKB", {"s": {}, "t": {(0, 0): 1}}),
    equal("co-group from the other side", sizes_of_both, sizes_of_both_swapped, "AggOneKB"),
    equal("table of literals", named, named_by_cases, "NoAgg"),
    different("table of literals, joined", named, named_if_known, "NoAgg", {"s": {(2, 0): 1}}),
    different("co-group of one side", sizes_of_both, sizes_of_left, "AggOneKB", {"s": {}, "t": {(0, 0): 1}}),
)
