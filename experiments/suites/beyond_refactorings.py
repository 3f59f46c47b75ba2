"""Suite `beyond`: refactorings of joins, filters and maps without aggregates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .pair import Pair, different, equal

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark import RDD


# Joins.


def join_then_filter(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Joins orders (customer, amount) with customers (customer, age), then selects."""
    return orders.join(customers).filter(lambda row: row[1][0] > 100 and row[1][1] >= 18)


def filter_then_join(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Predicate pushdown: each conjunct goes below the join to the side that it is about."""
    return orders.filter(lambda row: row[1] > 100).join(customers.filter(lambda row: row[1] >= 18))


def filter_then_join_wrongly(
    orders: RDD[tuple[int, int]], customers: RDD[tuple[int, int]]
) -> RDD[tuple[int, tuple[int, int]]]:
    """Both conjuncts went below the join, to the wrong sides: each alone still looks right."""
    return orders.filter(lambda row: row[1] >= 18).join(customers.filter(lambda row: row[1] > 100))


def join_three(
    a: RDD[tuple[int, int]], b: RDD[tuple[int, int]], c: RDD[tuple[int, int]]
) -> RDD[tuple[int, tuple[int, int, int]]]:
    """Three bags joined from the left."""
    return a.join(b).join(c).mapValues(lambda v: (v[0][0], v[0][1], v[1]))


def join_three_reordered(
    a: RDD[tuple[int, int]], b: RDD[tuple[int, int]], c: RDD[tuple[int, int]]
) -> RDD[tuple[int, tuple[int, int, int]]]:
    """Join reordering with re-association: transitivity of key equality, and the values put back in order."""
    return b.join(c).join(a).mapValues(lambda v: (v[1], v[0][0], v[0][1]))


def join_three_misplaced(
    a: RDD[tuple[int, int]], b: RDD[tuple[int, int]], c: RDD[tuple[int, int]]
) -> RDD[tuple[int, tuple[int, int, int]]]:
    """The joins were reordered and the values were not: types agree, so nothing but the values shows it."""
    return b.join(c).join(a).mapValues(lambda v: (v[0][0], v[0][1], v[1]))


def theta_join(r: RDD[int], s: RDD[int]) -> RDD[tuple[int, int]]:
    """All pairs in one group of ten."""
    return r.cartesian(s).filter(lambda p: p[0] // 10 == p[1] // 10)


def bucket_join(r: RDD[int], s: RDD[int]) -> RDD[tuple[int, int]]:
    """A product with a condition becomes a join by bucket, which never makes the product."""
    return r.keyBy(lambda x: x // 10).join(s.keyBy(lambda y: y // 10)).values()


def near_join(r: RDD[int], s: RDD[int]) -> RDD[tuple[int, int]]:
    """Near is not in one bucket: 9 and 10 are near, and 0 and 9 are in one bucket."""
    return r.cartesian(s).filter(lambda p: abs(p[0] - p[1]) < 10)


def join_and_project(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Joins and keeps the left value."""
    return s.join(t).mapValues(lambda v: v[0])


def prune_and_join(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Projection pruning: the right values go before the join, but its multiplicities stay."""
    return s.join(t.keys().map(lambda k: (k, 0))).map(lambda row: (row[0], row[1][0]))


def drop_the_join(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """A join whose values are not used still selects and repeats, so it may not be dropped."""
    return s


def key_filter_after(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Selects by key after a join."""
    return s.join(t).filter(lambda row: row[0] % 2 == 0)


def key_filter_on_one_side(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """A condition on the key before the join, on one side only: the join carries it over to the other."""
    return s.filter(lambda p: p[0] % 2 == 0).join(t)


def value_filter_on_one_side(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """The condition is on the value instead of the key: pairs (k, k) hide it."""
    return s.filter(lambda p: p[1] % 2 == 0).join(t)


def normalised_keys(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Joins by key in units, and keeps the values."""
    return s.join(t).values()


def negated_keys(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """An injective change of both keys makes no difference to a join whose keys are dropped."""
    return s.map(lambda p: (7 - p[0], p[1])).join(t.map(lambda p: (7 - p[0], p[1]))).values()


def halved_keys(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Halving joins 0 with 1: a change of keys that is not injective."""
    return s.map(lambda p: (p[0] // 2, p[1])).join(t.map(lambda p: (p[0] // 2, p[1]))).values()


# Maps and filters.


def three_maps(r: RDD[int]) -> RDD[int]:
    """Three maps one after the other."""
    return r.map(lambda x: x + 1).map(lambda x: 2 * x).map(lambda x: x - 3)


def one_map(r: RDD[int]) -> RDD[int]:
    """Map fusion: 2·(x + 1) - 3, with the constants folded."""
    return r.map(lambda x: 2 * x - 1)


def one_map_in_other_order(r: RDD[int]) -> RDD[int]:
    """The maps fused in the wrong order: every element shows it."""
    return r.map(lambda x: 2 * (x - 3) + 1)


def three_filters(r: RDD[int], low: int, high: int) -> RDD[int]:
    """Three filters in a row."""
    return r.filter(lambda x: x > low).filter(lambda x: x < high).filter(lambda x: x != 0)


def one_filter(r: RDD[int], low: int, high: int) -> RDD[int]:
    """Combined filters, as one negated disjunction with a parameter on each side (De Morgan)."""
    return r.filter(lambda x: not (x <= low or x >= high or not (x < 0 or x > 0)))


def one_filter_off_by_one(r: RDD[int], low: int, high: int) -> RDD[int]:
    """The upper bound is included: element and parameter must be equal to show it."""
    return r.filter(lambda x: not (x <= low or x > high or x == 0))


def above(bound: int) -> Callable[[int], bool]:
    """A predicate for each bound."""
    return lambda x: x > bound


def by_helper(r: RDD[int], k: int) -> RDD[int]:
    """Helpers that return functions, one inside the other."""
    return r.filter(above(k)).filter(above(k + 10))


def strongest_bound(r: RDD[int], k: int) -> RDD[int]:
    """The weaker of two bounds is implied by the stronger, whatever the parameter is."""
    return r.filter(above(k + 10))


def weakest_bound(r: RDD[int], k: int) -> RDD[int]:
    """The wrong one of two bounds stays: only elements between them show it."""
    return r.filter(above(k))


def grade_by_ladder(r: RDD[int]) -> RDD[int]:
    """Grades by a chain of elif."""

    def grade(points: int) -> int:
        if points >= 90:
            return 1
        elif points >= 75:  # noqa: RET505 - a chain of elif is what is read here
            return 2
        elif points >= 60:
            return 3
        return 5

    return r.map(grade)


def grade_by_expressions(r: RDD[int]) -> RDD[int]:
    """The same grades by nested conditional expressions, tested from the other end."""
    return r.map(lambda p: 5 if p < 60 else (3 if p < 75 else 2 if p < 90 else 1))


def grade_in_wrong_order(r: RDD[int]) -> RDD[int]:
    """The tests in the wrong order: the second makes the third unreachable."""
    return r.map(lambda p: 5 if p < 60 else (2 if p < 90 else 3 if p < 75 else 1))


def leap_years(r: RDD[int]) -> RDD[int]:
    """Leap years by a boolean formula."""
    return r.filter(lambda y: y % 4 == 0 and (y % 100 != 0 or y % 400 == 0))


def leap_years_by_cases(r: RDD[int]) -> RDD[int]:
    """Leap years by cases: three moduli of one number, where 400 divides implies that 100 and 4 do."""
    return r.filter(lambda y: True if y % 400 == 0 else (False if y % 100 == 0 else y % 4 == 0))


def leap_years_before_gregory(r: RDD[int]) -> RDD[int]:
    """Without the rule of the centuries: 100 is the first positive year to show it."""
    return r.filter(lambda y: y % 4 == 0)


PAIRS: tuple[Pair, ...] = (
    equal("predicate pushdown", join_then_filter, filter_then_join, "NoAgg"),
    different(
        "pushdown to the wrong sides",
        join_then_filter,
        filter_then_join_wrongly,
        "NoAgg",
        {"orders": {(0, 101): 1}, "customers": {(0, 18): 1}},
    ),
    equal("join reordering", join_three, join_three_reordered, "NoAgg"),
    different(
        "join reordering, values misplaced",
        join_three,
        join_three_misplaced,
        "NoAgg",
        {"a": {(0, 1): 1}, "b": {(0, 2): 1}, "c": {(0, 3): 1}},
    ),
    equal("theta join as bucket join", theta_join, bucket_join, "NoAgg"),
    different("near is no bucket", bucket_join, near_join, "NoAgg", {"r": {9: 1}, "s": {10: 1}}),
    equal("projection pruning", join_and_project, prune_and_join, "NoAgg"),
    different("join dropped", join_and_project, drop_the_join, "NoAgg", {"s": {(0, 0): 1}, "t": {}}),
    equal("key filter on one side", key_filter_after, key_filter_on_one_side, "NoAgg"),
    different(
        "value filter for key filter",
        key_filter_after,
        value_filter_on_one_side,
        "NoAgg",
        {"s": {(0, 1): 1}, "t": {(0, 0): 1}},
    ),
    equal("join by negated keys", normalised_keys, negated_keys, "NoAgg"),
    different("join by halved keys", normalised_keys, halved_keys, "NoAgg", {"s": {(0, 0): 1}, "t": {(1, 0): 1}}),
    equal("map fusion", three_maps, one_map, "NoAgg"),
    different("map fusion in other order", three_maps, one_map_in_other_order, "NoAgg", {"r": {0: 1}}),
    equal("filters combined", three_filters, one_filter, "NoAgg"),
    different(
        "filters combined, off by one",
        three_filters,
        one_filter_off_by_one,
        "NoAgg",
        {"r": {1: 1}, "low": 0, "high": 1},
    ),
    equal("implied bound", by_helper, strongest_bound, "NoAgg"),
    different("weaker bound", by_helper, weakest_bound, "NoAgg", {"r": {1: 1}, "k": 0}),
    equal("ladder of grades", grade_by_ladder, grade_by_expressions, "NoAgg"),
    different("ladder in wrong order", grade_by_ladder, grade_in_wrong_order, "NoAgg", {"r": {60: 1}}),
    equal("leap years", leap_years, leap_years_by_cases, "NoAgg"),
    different("leap years without centuries", leap_years, leap_years_before_gregory, "NoAgg", {"r": {100: 1}}),
)
