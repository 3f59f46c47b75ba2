"""Suite `beyond`: folds inside other operators: their values filter or map a bag, or enter other folds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .functions import larger, plus, smaller
from .pair import Pair, different, equal

if TYPE_CHECKING:
    from pyspark import RDD


# Values of folds in the functions of maps and filters.


def below_limit(r: RDD[int], s: RDD[int]) -> RDD[int]:
    """Keeps what is below the smallest element of another bag."""
    limit = s.fold(1000, smaller)
    return r.filter(lambda x: x < limit)


def below_limit_of_opposites(r: RDD[int], s: RDD[int]) -> RDD[int]:
    """The bound is a minimum by a maximum of opposites: filters with equal bounds, by an equation of two folds."""
    limit = s.map(lambda y: -y).fold(-1000, larger)
    return r.filter(lambda x: x + limit < 0)


def up_to_limit(r: RDD[int], s: RDD[int]) -> RDD[int]:
    """The bound is included: an element of both bags shows it."""
    limit = s.fold(1000, smaller)
    return r.filter(lambda x: x <= limit)


def centred(r: RDD[int]) -> RDD[int]:
    """Each element against the sum of all: the bag is folded and mapped."""
    total = r.sum()
    return r.map(lambda x: x - total)


def centred_by_parts(r: RDD[int]) -> RDD[int]:
    """The sum in two parts, subtracted one after the other: three folds inside maps."""
    even, odd = r.filter(lambda x: x % 2 == 0).sum(), r.filter(lambda x: x % 2 == 1).sum()
    return r.map(lambda x: x - even).map(lambda x: x - odd)


def centred_by_even(r: RDD[int]) -> RDD[int]:
    """Only the even part of the sum is subtracted: an odd element shows it."""
    even = r.filter(lambda x: x % 2 == 0).sum()
    return r.map(lambda x: x - even)


def above_count(r: RDD[int]) -> RDD[int]:
    """Keeps what exceeds the number of elements."""
    size = r.count()
    return r.filter(lambda x: x > size)


def above_count_of_ones(r: RDD[int]) -> RDD[int]:
    """The count as a sum of ones, and a strict comparison as a weak one of the successor."""
    size = r.map(lambda x: 1).sum()
    return r.filter(lambda x: x >= size + 1)


def from_count(r: RDD[int]) -> RDD[int]:
    """The bound is included: one element equal to 1 is enough."""
    size = r.count()
    return r.filter(lambda x: x >= size)


def by_parity_of_count(r: RDD[int], s: RDD[int]) -> RDD[int]:
    """Keeps everything when the other bag has an even number of elements, and nothing otherwise."""
    return r if s.count() % 2 == 0 else r.filter(lambda x: False)


def by_switch(r: RDD[int], s: RDD[int]) -> RDD[int]:
    """A switch that every element of the other bag turns: a boolean state against a parity."""
    even = s.fold(True, lambda a, y: not a)  # type: ignore[arg-type]
    return r.filter(lambda x: even)  # type: ignore


def by_emptiness(r: RDD[int], s: RDD[int]) -> RDD[int]:
    """Only the empty bag counts as even: two elements of the other bag show it."""
    empty = s.isEmpty()
    return r.filter(lambda x: empty)


def labelled(r: RDD[int]) -> RDD[tuple[int, int, int]]:
    """Each element with both extrema."""
    low, high = r.fold(0, smaller), r.fold(0, larger)
    return r.map(lambda x: (low, x, high))


def labelled_in_one_pass(r: RDD[int]) -> RDD[tuple[int, int, int]]:
    """Both extrema in one fold, whose components enter a map."""
    bounds = r.fold((0, 0), lambda a, x: (min(a[0], x), max(a[1], x)))  # type: ignore
    return r.map(lambda x: (bounds[0], x, bounds[1]))  # type: ignore


def labelled_in_other_order(r: RDD[int]) -> RDD[tuple[int, int, int]]:
    """The extrema in the other order: any element but 0 shows it."""
    low, high = r.fold(0, smaller), r.fold(0, larger)
    return r.map(lambda x: (high, x, low))


def join_by_total(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """A join after a filter whose bound is a sum over the other bag."""
    total = t.values().sum()
    return s.filter(lambda p: p[1] < total).join(t)


def total_after_join(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Pushdown of a predicate that is itself the value of a fold."""
    total = t.map(lambda p: 2 * p[1]).sum()
    return s.join(t).filter(lambda row: 2 * row[1][0] < total)


def total_on_the_wrong_side(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """The other value of the join is compared."""
    total = t.values().sum()
    return s.join(t).filter(lambda row: row[1][1] < total)


# Folds over bags that depend on folds.


def sum_above_count(r: RDD[int], s: RDD[int]) -> int:
    """A sum of what exceeds a count: a fold in the filter below another fold."""
    size = s.count()
    return r.filter(lambda x: x > size).sum()


def sum_above_count_by_case(r: RDD[int], s: RDD[int]) -> int:
    """The inner fold moves from a filter into the function of a map; it is a parameter of the outer induction."""
    size = s.map(lambda y: 2).sum()
    return r.map(lambda x: x if 2 * x > size else 0).sum()


def sum_above_half_count(r: RDD[int], s: RDD[int]) -> int:
    """Twice the count: one element of the other bag, and 1 or 2, show it."""
    size = s.map(lambda y: 2).sum()
    return r.filter(lambda x: x > size).sum()


def count_below_sum(r: RDD[int]) -> int:
    """How many elements are below the sum of all."""
    total = r.sum()
    return r.filter(lambda x: x < total).count()


def count_not_from_sum(r: RDD[int]) -> int:
    """The complement: three folds, two of them inside the functions of the others."""
    total = r.fold(0, plus)
    return r.count() - r.filter(lambda x: x >= total).count()


def count_not_above_sum(r: RDD[int]) -> int:
    """Elements equal to the sum are counted: every single element is."""
    total = r.sum()
    return r.count() - r.filter(lambda x: x > total).count()


def largest_within(r: RDD[int], s: RDD[int]) -> int:
    """The largest element up to the largest of the other bag."""
    bound = s.fold(0, larger)
    return r.filter(lambda x: x <= bound).fold(0, larger)


def largest_within_by_case(r: RDD[int], s: RDD[int]) -> int:
    """The bound moves from a filter into the step of the fold, where it is doubled and halved."""
    bound = s.map(lambda y: 2 * y).fold(0, larger)
    return r.fold(0, lambda a, x: max(a, x) if x <= bound // 2 else a)


def largest_clamped(r: RDD[int], s: RDD[int]) -> int:
    """Clamps at the bound instead of dropping what exceeds it."""
    bound = s.fold(0, larger)
    return min(bound, r.fold(0, larger))


def shifted_sum(r: RDD[int], s: RDD[int]) -> int:
    """Each element shifted by a sum in two parts, and the largest result."""
    low, high = s.filter(lambda y: y < 0).sum(), s.filter(lambda y: y >= 0).sum()
    return r.map(lambda x: x + low + high).fold(low + high, larger)


def shift_of_largest(r: RDD[int], s: RDD[int]) -> int:
    """The shift moves out of the maximum: the inner folds are parameters of the outer one, and its initial value."""
    return r.fold(0, larger) + s.sum()


def unshifted_start(r: RDD[int], s: RDD[int]) -> int:
    """The initial value is not shifted: an empty bag shows it."""
    shift = s.sum()
    return r.map(lambda x: x + shift).fold(0, larger)


def guarded(r: RDD[int], s: RDD[int]) -> int:
    """An `if` on the result of one fold chooses between two others."""
    if s.isEmpty():
        return r.sum()
    return r.sum() + s.sum()


def unguarded(r: RDD[int], s: RDD[int]) -> int:
    """The guard is not needed, since the sum of nothing is 0: it must be known that both folds see one bag."""
    return r.sum() + s.sum()


def guarded_by_count(r: RDD[int], s: RDD[int]) -> int:
    """The guard also drops bags of one element."""
    if s.count() <= 1:
        return r.sum()
    return r.sum() + s.sum()


def at_most_largest(r: RDD[int]) -> RDD[int]:
    """Keeps what does not exceed the largest element."""
    top = r.fold(0, larger)
    return r.filter(lambda x: x <= top)


def everything(r: RDD[int]) -> RDD[int]:
    """Every element is at most the largest: a fact about a bag's elements and a fold over the same bag."""
    return r


def below_largest(r: RDD[int]) -> RDD[int]:
    """The largest element itself is lost."""
    top = r.fold(0, larger)
    return r.filter(lambda x: x < top)


PAIRS: tuple[Pair, ...] = (
    equal("bound from another bag", below_limit, below_limit_of_opposites, "AggOneB"),
    different("bound included", below_limit, up_to_limit, "AggOneB", {"r": {0: 1}, "s": {0: 1}}),
    equal("centred by parts", centred, centred_by_parts, "other"),
    different("centred by even elements", centred, centred_by_even, "AggOneB", {"r": {1: 1}}),
    equal("above the count", above_count, above_count_of_ones, "AggOneB"),
    different("from the count", above_count, from_count, "AggOneB", {"r": {1: 1}}),
    equal("a switch", by_parity_of_count, by_switch, "AggOneB"),
    different("a switch for emptiness", by_switch, by_emptiness, "AggOneB", {"r": {0: 1}, "s": {0: 2}}),
    equal("labelled with extrema", labelled, labelled_in_one_pass, "other"),
    different("labelled in other order", labelled, labelled_in_other_order, "other", {"r": {1: 1}}),
    equal("pushdown of a sum's bound", join_by_total, total_after_join, "AggOneB"),
    different(
        "pushdown of the wrong value",
        join_by_total,
        total_on_the_wrong_side,
        "AggOneB",
        {"s": {(0, 0): 1}, "t": {(0, 1): 1}},
    ),
    equal("fold above a fold's bound", sum_above_count, sum_above_count_by_case, "other"),
    different("twice the bound", sum_above_count, sum_above_half_count, "other", {"r": {2: 1}, "s": {0: 1}}),
    equal("complement of a nested count", count_below_sum, count_not_from_sum, "other"),
    different("complement, strictly", count_below_sum, count_not_above_sum, "other", {"r": {0: 1}}),
    equal("bound moves into a step", largest_within, largest_within_by_case, "other"),
    different("clamped, not dropped", largest_within, largest_clamped, "other", {"r": {2: 1}, "s": {1: 1}}),
    equal("shift by nested sums", shifted_sum, shift_of_largest, "other"),
    different("shift without its start", shift_of_largest, unshifted_start, "other", {"r": {}, "s": {1: 1}}),
    equal("guard of an empty sum", guarded, unguarded, "AggMultP"),
    different("guard that drops too much", unguarded, guarded_by_count, "AggMultP", {"r": {}, "s": {1: 1}}),
    equal("at most the largest", at_most_largest, everything, "AggOneB"),
    different("below the largest", everything, below_largest, "AggOneB", {"r": {0: 1}}),
)
