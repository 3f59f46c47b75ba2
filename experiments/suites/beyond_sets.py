"""Part of `beyond`: `intersection` and `subtract`, which ask what another RDD holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallystick.experiments.suites.pair import different, equal

if TYPE_CHECKING:
    from pyspark import RDD


def common(r: RDD[int], t: RDD[int]):
    return r.intersection(t)


def common_the_other_way_round(r: RDD[int], t: RDD[int]):
    """An intersection is symmetric: the two slots of a product change places, and distinct hides how often."""
    return t.intersection(r)


def common_by_a_product(r: RDD[int], t: RDD[int]):
    """Without distinct, an element that is twice in both RDDs is there four times."""
    return r.cartesian(t).filter(lambda p: p[0] == p[1]).map(lambda p: p[1])


def common_of_halves(r: RDD[int], t: RDD[int]):
    """One RDD was split for no reason: its halves are two summands of a product with the other."""
    return r.filter(lambda x: x > 0).union(r.filter(lambda x: x <= 0)).intersection(t)


def with_itself(r: RDD[int]):
    return r.intersection(r)


def once(r: RDD[int]):
    """Both slots of the self-product go into one slot: an intersection with itself is distinct, not the RDD."""
    return r.distinct()


def as_it_is(r: RDD[int]):
    """An intersection drops repetitions, even with the RDD itself."""
    return r


def large_and_even(r: RDD[int]):
    return r.filter(lambda x: x > 9).intersection(r.filter(lambda x: x % 2 == 0))


def large_even(r: RDD[int]):
    """Two conditions on two slots that are equal are one condition on one slot."""
    return r.filter(lambda x: x > 9 and x % 2 == 0).distinct()


def large_even_or_ten(r: RDD[int]):
    """A difference at one number only, which no random input is likely to have."""
    return r.filter(lambda x: x > 10 and x % 2 == 0).distinct()


def without_large(r: RDD[int]):
    return r.subtract(r.filter(lambda x: x > 9))


def small(r: RDD[int]):
    """What is subtracted is a part of the same RDD, so that a condition says what is left, repetitions included."""
    return r.filter(lambda x: x <= 9)


def small_once(r: RDD[int]):
    """`subtract` keeps repetitions, like a filter and unlike `EXCEPT` of SQL."""
    return r.filter(lambda x: x <= 9).distinct()


def without_two_parts(r: RDD[int]):
    return r.subtract(r.filter(lambda x: x > 9).union(r.filter(lambda x: x < 0)))


def without_one_part_after_the_other(r: RDD[int]):
    """A union is subtracted at once, or its summands one after the other: the second `subtract` is of a filter."""
    rest = r.subtract(r.filter(lambda x: x > 9))
    return rest.subtract(rest.filter(lambda x: x < 0))


def without_overlapping_parts(r: RDD[int]):
    """0 is in the second part as well."""
    rest = r.subtract(r.filter(lambda x: x > 9))
    return rest.subtract(rest.filter(lambda x: x <= 0))


def cheap_of_all(s: RDD[tuple[int, int]]):
    return s.subtract(s.filter(lambda p: p[1] > 100).distinct()).map(lambda p: p[1]).fold(0, lambda a, x: a + x)


def cheap(s: RDD[tuple[int, int]]):
    """Whether what is subtracted is distinct makes no difference to the sum of what is left."""
    return s.values().fold(0, lambda a, v: a + (v if v <= 100 else 0))


def cheap_once(s: RDD[tuple[int, int]]):
    """A sum of distinct entries: two equal orders are one."""
    return s.distinct().values().fold(0, lambda a, v: a + (v if v <= 100 else 0))


def common_and_positive(r: RDD[int], t: RDD[int]):
    return r.intersection(t).filter(lambda x: x > 0)


def positive_and_common(r: RDD[int], t: RDD[int]):
    """A filter goes through the distinct and into one side of the product."""
    return r.filter(lambda x: x > 0).intersection(t)


def positive_in_both_and_common(r: RDD[int], t: RDD[int]):
    """A filter on each side: the same, since what is common is equal."""
    return r.filter(lambda x: x > 0).intersection(t.filter(lambda x: x > 0))


def positive_here_or_there(r: RDD[int], t: RDD[int]):
    """Different conditions on both sides both hold of what is common."""
    return r.filter(lambda x: x > 0).intersection(t.filter(lambda x: x > 1))


PAIRS = (
    equal("intersection is symmetric", common, common_the_other_way_round, "NoAgg"),
    different("intersection repeats nothing", common, common_by_a_product, "NoAgg", {"r": {1: 2}, "t": {1: 1}}),
    equal("intersection of an RDD in halves", common, common_of_halves, "NoAgg"),
    equal("intersection with itself", with_itself, once, "NoAgg"),
    different("intersection with itself drops repetitions", with_itself, as_it_is, "NoAgg", {"r": {0: 2}}),
    equal("intersection of two conditions", large_and_even, large_even, "NoAgg"),
    different("intersection of two conditions, but for 10", large_and_even, large_even_or_ten, "NoAgg", {"r": {10: 1}}),
    equal("subtract what a filter keeps", without_large, small, "NoAgg"),
    different("subtract keeps repetitions", without_large, small_once, "NoAgg", {"r": {0: 2}}),
    equal("subtract twice", without_two_parts, without_one_part_after_the_other, "NoAgg"),
    different("subtract too much", without_two_parts, without_overlapping_parts, "NoAgg", {"r": {0: 1}}),
    equal("sum of what subtract leaves", cheap_of_all, cheap, "AggOneP"),
    different("sum of what subtract leaves, once", cheap_of_all, cheap_once, "AggOneP", {"s": {(1, 5): 2}}),
    equal("filter before an intersection", common_and_positive, positive_and_common, "NoAgg"),
    equal("filters before an intersection", common_and_positive, positive_in_both_and_common, "NoAgg"),
    different(
        "other filters before an intersection",
        common_and_positive,
        positive_here_or_there,
        "NoAgg",
        {"r": {1: 1}, "t": {1: 1}},
    ),
)
