"""Suite `beyond`: sums and counts: several in one pass, over different bags, with remainders and saturation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .functions import count_up, plus
from .pair import Pair, different, equal

if TYPE_CHECKING:
    from pyspark import RDD


# Sums and counts.


def sum_of_triples(r: RDD[int]) -> int:
    """The sum of linear images."""
    return r.map(lambda x: 3 * x + 5).fold(0, plus)


def triple_of_sum(r: RDD[int]) -> int:
    """A linear image moves out of a sum, and its constant is counted: one fold against two."""
    return 3 * r.sum() + 5 * r.count()


def triple_of_sum_plus_5(r: RDD[int]) -> int:
    """The constant is added once: bags of one element hide it."""
    return 3 * r.sum() + 5


def sum_and_count_apart(r: RDD[int]) -> tuple[int, int]:
    """Two passes."""
    return r.fold(0, plus), r.fold(0, count_up)


def sum_and_count_together(r: RDD[int]) -> tuple[int, int]:
    """Two aggregates in one pass, the second in reverse order and negative."""
    count, total = r.fold((0, 0), lambda a, x: (a[0] - 1, a[1] + x))  # type: ignore[arg-type,return-value]
    return total, -count


def sum_and_count_of_positive(r: RDD[int]) -> tuple[int, int]:
    """One of the two passes is over a filtered bag."""
    return r.sum(), r.filter(lambda x: x > 0).count()


def mean_from_10(r: RDD[int]) -> bool:
    """Whether the mean is at least 10, without a division."""
    return r.sum() >= 10 * r.count()


def surplus_from_10(r: RDD[int]) -> bool:
    """The comparison of two aggregates becomes one aggregate, compared with 0."""
    return r.map(lambda x: x - 10).sum() >= 0


def surplus_above_10(r: RDD[int]) -> bool:
    """Strictly more than 10: the empty bag and bags of 10 alone show it."""
    return r.map(lambda x: x - 10).sum() > 0


def sums_of_two(r: RDD[int], s: RDD[int]) -> int:
    """A fold over each of two bags."""
    return r.sum() + s.sum()


def sum_of_union(r: RDD[int], s: RDD[int]) -> int:
    """Folds over different bags become one fold over their union, with a step for each bag."""
    return r.union(s).sum()


def sum_of_union_twice(r: RDD[int], s: RDD[int]) -> int:
    """One of the bags is added twice."""
    return r.union(s).union(r).sum()


def balance_by_side(r: RDD[int]) -> int:
    """Income and expenses are summed apart."""
    return r.filter(lambda x: x > 0).sum() - r.filter(lambda x: x < 0).map(abs).sum()


def balance(r: RDD[int]) -> int:
    """The difference of two sums by case is the whole sum: each step has an absolute value and a test."""
    return r.sum()


def balance_of_large(r: RDD[int]) -> int:
    """Expenses of 1 are forgotten."""
    return r.filter(lambda x: x > 0).sum() - r.filter(lambda x: x < -1).map(abs).sum()


def counted_by_residue(r: RDD[int]) -> int:
    """Three counts by residue."""
    zeros, ones = r.filter(lambda x: x % 3 == 0), r.filter(lambda x: x % 3 == 1)
    return zeros.count() + ones.count() + r.filter(lambda x: x % 3 == 2).count()


def counted(r: RDD[int]) -> int:
    """Three counts of disjoint parts add up to one: the invariant is an equation between four folds."""
    return r.count()


def counted_by_sign(r: RDD[int]) -> int:
    """The zeros are not counted."""
    return r.filter(lambda x: x > 0).count() + r.filter(lambda x: x < 0).count()


def tens_and_units(r: RDD[int]) -> int:
    """Tens and units are summed apart."""
    return 10 * r.map(lambda x: x // 10).sum() + r.map(lambda x: x % 10).sum()


def tens_and_units_truncated(r: RDD[int]) -> int:
    """Tens rounded towards zero with units that are never negative: negative numbers show it."""
    return 10 * r.map(lambda x: x // 10 if x >= 0 else -(-x // 10)).sum() + r.map(lambda x: x % 10).sum()


def sum_of_neighbours(r: RDD[int]) -> int:
    """Each element and its successor, summed."""
    return r.flatMap(lambda x: [x, x + 1]).sum()


def sum_of_odd_numbers(r: RDD[int]) -> int:
    """A fold over two summands of one bag: each element makes two steps at once."""
    return r.map(lambda x: 2 * x + 1).sum()


def sum_of_even_numbers(r: RDD[int]) -> int:
    """The successors are forgotten: every element is one too few."""
    return r.map(lambda x: 2 * x).sum()


def split_count(r: RDD[int], k: int) -> int:
    """Counts both sides of a parameter."""
    return r.filter(lambda x: x > k).count() + r.filter(lambda x: x <= k).count()


def count_with_parameter(r: RDD[int], k: int) -> int:
    """The parameter does not matter: the proof is for all its values."""
    return r.count()


def split_count_strictly(r: RDD[int], k: int) -> int:
    """Elements equal to the parameter are not counted."""
    return r.filter(lambda x: x > k).count() + r.filter(lambda x: x < k).count()


def difference_of_components(s: RDD[tuple[int, int]]) -> int:
    """The sum of second components without that of the first ones."""
    return s.values().sum() - s.keys().sum()


def sum_of_differences(s: RDD[tuple[int, int]]) -> int:
    """Two folds over different maps of one bag, against one."""
    return s.map(lambda p: p[1] - p[0]).sum()


def sum_of_distances(s: RDD[tuple[int, int]]) -> int:
    """Distances instead of differences: descending pairs show it."""
    return s.map(lambda p: abs(p[1] - p[0])).sum()


# Remainders and saturation.


def sum_modulo_7(r: RDD[int]) -> int:
    """The remainder of a sum."""
    return r.sum() % 7


def sum_of_remainders(r: RDD[int]) -> int:
    """The remainder at each step: the invariant is that the states are congruent, not equal."""
    return r.fold(0, lambda a, x: (a + x % 7) % 7)


def sum_of_remainders_from_7(r: RDD[int]) -> int:
    """The fold starts from 7, which no step leaves in place: only the empty bag shows it."""
    return r.fold(7, lambda a, x: (a + x) % 7)


def odd_count_of_odd(r: RDD[int]) -> bool:
    """Parity by exclusive or of booleans."""
    return r.fold(False, lambda a, x: a != (x % 2 == 1))  # type: ignore[arg-type,return-value]


def odd_sum(r: RDD[int]) -> bool:
    """A boolean state against an integer one: they agree on parity only."""
    return r.sum() % 2 == 1


def some_odd(r: RDD[int]) -> bool:
    """Whether any element is odd: two odd ones show that this is no parity."""
    return r.fold(False, lambda a, x: a or x % 2 == 1)  # type: ignore[arg-type,return-value]


def counted_to_5(r: RDD[int]) -> int:
    """A counter that stays at 5."""
    return r.fold(0, lambda a, x: min(a + 1, 5))


def count_at_most_5(r: RDD[int]) -> int:
    """Saturation moves out of a count: the invariant is the claim itself."""
    return min(r.count(), 5)


def count_at_most_6(r: RDD[int]) -> int:
    """Another bound: bags of fewer than six elements hide it."""
    return min(r.count(), 6)


def hours_on_a_clock(r: RDD[int]) -> int:
    """Counts on a clock of twelve hours."""
    return r.fold(0, lambda a, x: 0 if a == 11 else a + 1)


def count_modulo_12(r: RDD[int]) -> int:
    """A counter that wraps against a remainder: twelve elements are needed to see the wrap."""
    return r.count() % 12


def count_modulo_13(r: RDD[int]) -> int:
    """Twelve elements are the smallest bag that shows the other modulus."""
    return r.count() % 13


PAIRS: tuple[Pair, ...] = (
    equal("linear images of a sum", sum_of_triples, triple_of_sum, "AggMultP"),
    different("a constant added once", sum_of_triples, triple_of_sum_plus_5, "AggOneP", {"r": {}}),
    equal("two aggregates in one pass", sum_and_count_apart, sum_and_count_together, "AggMultP"),
    different("a pass over fewer", sum_and_count_apart, sum_and_count_of_positive, "AggMultP", {"r": {0: 1}}),
    equal("mean compared", mean_from_10, surplus_from_10, "AggMultP"),
    different("mean compared strictly", mean_from_10, surplus_above_10, "AggMultP", {"r": {}}),
    equal("sum of a union", sums_of_two, sum_of_union, "AggMultP"),
    different("sum of a union, one twice", sums_of_two, sum_of_union_twice, "AggMultP", {"r": {1: 1}, "s": {}}),
    equal("balance by side", balance_by_side, balance, "AggMultP"),
    different("balance of large amounts", balance_of_large, balance, "AggMultP", {"r": {-1: 1}}),
    equal("count by residue", counted_by_residue, counted, "AggMultP"),
    different("count by sign", counted_by_sign, counted, "AggMultP", {"r": {0: 1}}),
    equal(
        "tens and units", tens_and_units, balance, "AggMultP", "Quotient and remainder of an element cancel in sums."
    ),
    different(
        "tens and units, truncated",
        tens_and_units_truncated,
        balance,
        "AggMultP",
        {"r": {-1: 1}},
        "A truncated quotient does not go with Python's remainder.",
    ),
    equal("two results an element", sum_of_neighbours, sum_of_odd_numbers, "AggOneP"),
    different("successors forgotten", sum_of_neighbours, sum_of_even_numbers, "AggOneP", {"r": {0: 1}}),
    equal("count split at a parameter", split_count, count_with_parameter, "AggMultP"),
    different("count split strictly", count_with_parameter, split_count_strictly, "AggMultP", {"r": {3: 1}, "k": 3}),
    equal("sum of differences", difference_of_components, sum_of_differences, "AggMultP"),
    different("sum of distances", difference_of_components, sum_of_distances, "AggMultP", {"s": {(1, 0): 1}}),
    equal("remainders summed", sum_modulo_7, sum_of_remainders, "AggOneP_sync"),
    different("remainders summed from 7", sum_modulo_7, sum_of_remainders_from_7, "AggOneP_sync", {"r": {}}),
    equal("parity by exclusive or", odd_count_of_odd, odd_sum, "AggOneP_sync"),
    different("parity is not existence", odd_count_of_odd, some_odd, "AggOneP", {"r": {1: 2}}),
    equal("saturated count", counted_to_5, count_at_most_5, "AggOneP"),
    different("saturated count, other bound", counted_to_5, count_at_most_6, "AggOneP", {"r": {0: 6}}),
    equal("clock of 12 hours", hours_on_a_clock, count_modulo_12, "AggOneP"),
    different("clock of 13 hours", hours_on_a_clock, count_modulo_13, "AggOneP", {"r": {0: 12}}),
)
