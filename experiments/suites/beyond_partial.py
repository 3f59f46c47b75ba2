"""Suite `beyond`: programs that raise on an empty RDD, which is a result like any other."""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from .functions import larger
from .pair import Pair, different, equal

if TYPE_CHECKING:
    from pyspark import RDD


def largest(r: RDD[int]) -> int:
    """The largest element; raises where there is none."""
    return r.max()  # type: ignore


def largest_by_smallest(r: RDD[int]) -> int:
    """Both raise on the same inputs, and agree on all others."""
    return -r.map(lambda x: -x).min()  # type: ignore


def largest_from_0(r: RDD[int]) -> int:
    """A fold never raises: the empty bag shows it, and bags of negative numbers."""
    return r.fold(0, larger)


def extremes(r: RDD[int]) -> tuple[int, int]:
    """Two passes, each of which raises on an empty bag."""
    return r.min(), r.max()  # type: ignore


def extremes_reduced(r: RDD[int]) -> tuple[int, int]:
    """One pass over pairs: two states with a flag each against one state with one flag."""
    return r.map(lambda x: (x, x)).reduce(lambda a, b: (min(a[0], b[0]), max(a[1], b[1])))


def extremes_mixed(r: RDD[int]) -> tuple[int, int]:
    """Smallest and largest in the other order: a single element hides it."""
    return r.max(), r.min()  # type: ignore


def total_or_0(r: RDD[int]) -> int:
    """A guard before a reduce."""
    return 0 if r.isEmpty() else r.reduce(add)


def total(r: RDD[int]) -> int:
    """The guard makes the reduce total: the conditions of the branch and of the failure are one."""
    return r.sum()


def total_unguarded(r: RDD[int]) -> int:
    """Without the guard the empty bag raises."""
    return r.reduce(lambda a, b: a + b)


def all_small(r: RDD[int]) -> bool:
    """`or` does not reach its second operand where the bag is empty."""
    return r.isEmpty() or r.max() < 10  # type: ignore


def none_large(r: RDD[int]) -> bool:
    """A short-circuit guard against a test that never raises."""
    return r.filter(lambda x: x >= 10).isEmpty()


def all_small_too_late(r: RDD[int]) -> bool:
    """The operands of `or` changed places, so the guard comes too late."""
    return r.max() < 10 or r.isEmpty()  # type: ignore


def counted(r: RDD[int], s: RDD[int]) -> int:
    """The number of elements of the second bag."""
    return s.count()


def counted_after_minimum(r: RDD[int], s: RDD[int]) -> int:
    """A value that is not used is computed all the same, and raises where the first bag is empty."""
    low = r.min()  # type: ignore
    return s.count() + 0 * low


def largest_of_both(r: RDD[int], s: RDD[int]) -> int:
    """The larger of two largest elements; raises where either bag is empty."""
    return max(r.max(), s.max())  # type: ignore


def largest_of_union(r: RDD[int], s: RDD[int]) -> int:
    """The union is empty only where both bags are."""
    return r.union(s).max()  # type: ignore


PAIRS: tuple[Pair, ...] = (
    equal("largest by smallest", largest, largest_by_smallest, "AggOneP_sync"),
    different("largest from 0", largest, largest_from_0, "AggOneP_sync", {"r": {}}),
    equal("both extrema reduced", extremes, extremes_reduced, "AggMultP"),
    different("both extrema mixed", extremes, extremes_mixed, "AggMultP", {"r": {0: 1, 1: 1}}),
    equal("guarded reduce", total_or_0, total, "AggMultP"),
    different("unguarded reduce", total, total_unguarded, "AggOneP_sync", {"r": {}}),
    equal("guarded by or", all_small, none_large, "AggMultP"),
    different("guarded too late", none_large, all_small_too_late, "AggMultP", {"r": {}}),
    different("a value that is not used", counted, counted_after_minimum, "AggMultP", {"r": {}, "s": {}}),
    different("largest of a union", largest_of_both, largest_of_union, "AggMultP", {"r": {0: 1}, "s": {}}),
)
