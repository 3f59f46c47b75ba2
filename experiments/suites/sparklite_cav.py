"""The 23 pairs of the CAV 2017 paper, as PySpark; the functions bear the paper's names of the programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .functions import (
    count_up,
    discounted,
    double,
    double_both,
    double_joined,
    double_value,
    geq,
    is_odd,
    larger,
    plus,
    smaller,
    sum_modulo_5,
    triple,
)
from .pair import Pair, different, equal

if TYPE_CHECKING:
    from pyspark import RDD


def p1(r: RDD[int]) -> RDD[int]:
    """Doubles, then keeps what is below 100."""
    return r.map(double).filter(lambda x: x < 100)


def p2(r: RDD[int]) -> RDD[int]:
    """A filter moves before a map when its bound is adapted: here it is halved."""
    small = r.filter(lambda x: x < 50)
    return small.map(double)


def p2_prime(r: RDD[int]) -> RDD[int]:
    """The filter has moved before the map, but its bound was forgotten: 50 to 99 now pass."""
    return r.filter(lambda x: x < 100).map(double)


def p25(r: RDD[int]) -> RDD[tuple[int, int]]:
    """Doubles both components of the product of a bag with itself."""
    return r.cartesian(r).map(double_both)


def p26(r: RDD[int]) -> RDD[tuple[int, int]]:
    """A self-product: one bag, but two independent elements of it, so one variable cannot stand for both."""
    doubled = r.map(double)
    return doubled.cartesian(doubled)


def p27(r: RDD[int]) -> RDD[int]:
    """Doubles."""
    return r.map(double)


def p28(r: RDD[int]) -> RDD[int]:
    """Even against odd results: every element of every input tells the programs apart."""
    return r.map(lambda x: 2 * x + 1)


def p29(r1: RDD[int], r2: RDD[int]) -> RDD[tuple[int, int]]:
    """Filters a product by a condition on both components."""
    return r1.cartesian(r2).filter(lambda pair: pair[0] >= 50 and pair[1] >= 50)


def p29_prime(r1: RDD[int], r2: RDD[int]) -> RDD[tuple[int, int]]:
    """Filters a product by a condition on either component."""
    return r1.cartesian(r2).filter(lambda pair: pair[0] >= 50 or pair[1] >= 50)


def p30(r1: RDD[int], r2: RDD[int]) -> RDD[tuple[int, int]]:
    """A conjunction splits over a product: one filter for each of two bags."""
    return r1.filter(geq(50)).cartesian(r2.filter(geq(50)))


def p31(r: RDD[int]) -> int:
    """The lowest price, or 1000."""
    return r.fold(1000, smaller)


def p32(r: RDD[int]) -> int:
    """A discount of every price changes the lowest one, as soon as a price is below 1020."""
    return r.map(discounted).fold(1000, smaller)


def p3(r: RDD[int]) -> bool:
    """Whether the lowest price is at least 100."""
    return r.fold(1000, smaller) >= 100


def p4(r: RDD[int]) -> bool:
    """The minimum is compared, not returned: a simple induction on the truth of the comparison works."""
    return r.map(discounted).fold(1000, smaller) >= 80


def p5(r: RDD[int]) -> bool:
    """Whether the lowest price is 100."""
    lowest = r.fold(1000, smaller)
    return lowest == 100


def p6(r: RDD[int]) -> bool:
    """With = for ≥ the simple induction fails: it must know that both minima come from one element."""
    lowest = r.map(discounted).fold(1000, smaller)
    return lowest == 80


def p33(r: RDD[int]) -> int:
    """The sum, modulo 5 at each step."""
    return r.fold(0, sum_modulo_5)


def p34(r: RDD[int]) -> int:
    """Three times the sum has another remainder, unless that is 0."""
    return r.map(triple).fold(0, sum_modulo_5)


def p15(r: RDD[int]) -> bool:
    """Whether the sum is a multiple of 5."""
    return r.fold(0, plus) % 5 == 0


def p16(r: RDD[int]) -> bool:
    """3 has an inverse modulo 5, so both sums are multiples of 5 together; the invariant is M₂ = 3·M₁."""
    return r.map(triple).fold(0, plus) % 5 == 0


def p15_prime(r: RDD[int]) -> bool:
    """Whether the sum is a multiple of 6."""
    return r.fold(0, plus) % 6 == 0


def p16_prime(r: RDD[int]) -> bool:
    """3 has no inverse modulo 6: an even sum that is no multiple of 6 becomes one when tripled."""
    return r.map(triple).fold(0, plus) % 6 == 0


def p15_second(r: RDD[int]) -> bool:
    """Whether the number of elements is a multiple of 5."""
    return r.fold(0, count_up) % 5 == 0


def p16_second(r: RDD[int]) -> bool:
    """Counting is not synchronously collapsible and defeats the simple induction: the invariant is M₁ = M₂."""
    return r.map(triple).fold(0, count_up) % 5 == 0


def p17(r: RDD[int]) -> int:
    """The largest element, or -100."""
    return r.fold(-100, larger)


def p18(r: RDD[int]) -> int:
    """A maximum is a minimum under a minus sign, with the initial value negated too."""
    return -r.map(lambda x: -x).fold(100, smaller)


def p17_prime(r: RDD[int]) -> int:
    """The largest element, or 0."""
    return r.fold(0, larger)


def p13(r: RDD[int]) -> int:
    """How many elements are odd, counted."""
    return r.filter(is_odd).fold(0, count_up)


def p14(r: RDD[int]) -> int:
    """A filter before a count, against a sum of indicators: on Spark only the sum is right whatever the partitions."""
    return r.map(lambda x: 1 if x % 2 == 1 else 0).fold(0, plus)


def p9(s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Doubles keys and values, then joins."""
    return s1.map(double_both).join(s2.map(double_both))


def p10(s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """An injective map of the keys may move behind a join."""
    return s1.join(s2).map(double_joined)


def p9_prime(s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Doubles values only, then joins."""
    return s1.map(double_value).join(s2.map(double_value))


def p23(s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]) -> RDD[tuple[tuple[int, int], tuple[int, int]]]:
    """Doubles the values of two bags, then pairs their elements."""
    return s1.map(double_value).cartesian(s2.map(lambda pair: (pair[0], pair[1] * 2)))


def p24(s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]) -> RDD[tuple[tuple[int, int], tuple[int, int]]]:
    """A map distributes over a product; the elements are pairs of pairs, taken apart and put together again."""

    def both_values_doubled(
        pair: tuple[tuple[int, int], tuple[int, int]],
    ) -> tuple[tuple[int, int], tuple[int, int]]:
        (x, y), (z, w) = pair
        return (x, 2 * y), (z, 2 * w)

    return s1.cartesian(s2).map(both_values_doubled)


def p11(s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Keeps odd keys, then joins."""
    return s1.filter(lambda pair: is_odd(pair[0])).join(s2.filter(lambda pair: is_odd(pair[0])))


def p12(s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """A condition on the key of a join may be checked once, after it: both sides have the same key."""
    return s1.join(s2).filter(lambda row: is_odd(row[0]))


def p19(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Sums the values that are not negative, by key."""
    return s.filter(lambda pair: pair[1] >= 0).foldByKey(0, plus)


def p20(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """v ≥ 0 and v > -1 mean the same of integers: the buckets get the same values."""
    return s.filter(lambda pair: pair[1] > -1).foldByKey(0, plus)


def p21(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Adds the key to each value, then sums by key."""
    return s.map(lambda pair: (pair[0], pair[0] + pair[1])).foldByKey(0, plus)


def p22(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The fold adds both parts of a value: Spark can run that only where each key is in one partition."""

    def add_both(accumulated: int, value: tuple[int, int]) -> int:
        first, second = value
        return accumulated + first + second

    return s.map(lambda pair: (pair[0], pair)).foldByKey(0, add_both)  # type: ignore[arg-type,return-value]


def decile(graded: tuple[int, int]) -> tuple[int, int]:
    """A student's grade becomes the key, in tens."""
    student, grade = graded
    return grade // 10, student


def p7(g: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """A histogram of grades in tens; the tens that are not passed are dropped at the end."""
    return g.map(decile).foldByKey(0, count_up).filter(lambda entry: entry[0] >= 6)


def p8(g: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """A condition on the result of a by-key count becomes one on its input: g // 10 ≥ 6 just when g ≥ 60."""
    passed = g.filter(lambda graded: graded[1] >= 60)
    return passed.map(decile).foldByKey(0, count_up)


PAIRS: tuple[Pair, ...] = (
    equal("P1/P2", p1, p2, "NoAgg"),
    different("P1/P2'", p1, p2_prime, "NoAgg", {"r": {50: 1}}),
    equal("P25/P26", p25, p26, "NoAgg"),
    different("P27/P28", p27, p28, "NoAgg", {"r": {60: 1}}),
    equal("P29/P30", p29, p30, "NoAgg"),
    different(
        "P29'/P30",
        p29_prime,
        p30,
        "NoAgg",
        {"r1": {1: 1}, "r2": {50: 1}},
        "A disjunction does not split over a product: one large component is enough for it.",
    ),
    different("P31/P32", p31, p32, "AggOneP_sync", {"r": {60: 1}}),
    equal("P3/P4", p3, p4, "AggOneP_sync"),
    equal("P5/P6", p5, p6, "AggOneP_sync"),
    different("P33/P34", p33, p34, "AggOneP_sync", {"r": {7: 1}}),
    equal("P15/P16", p15, p16, "AggOneP_sync"),
    different("P15'/P16'", p15_prime, p16_prime, "AggOneP_sync", {"r": {20: 1}}),
    equal("P15''/P16''", p15_second, p16_second, "AggOneP"),
    equal("P17/P18", p17, p18, "AggOneP_sync"),
    different(
        "P17'/P18",
        p17_prime,
        p18,
        "AggOneP_sync",
        {"r": {}},
        "The initial value of one fold was not negated: the empty bag shows it.",
    ),
    equal("P13/P14", p13, p14, "AggOneP"),
    equal("P9/P10", p9, p10, "NoAgg"),
    equal("P23/P24", p23, p24, "NoAgg"),
    different(
        "P9'/P10",
        p9_prime,
        p10,
        "NoAgg",
        {"s1": {(-2, 4): 1}, "s2": {(-2, 5): 1}},
        "One program doubles the keys and the other does not; 0 is the only key that hides it.",
    ),
    equal("P11/P12", p11, p12, "NoAgg"),
    equal("P19/P20", p19, p20, "AggOneKB"),
    equal("P21/P22", p21, p22, "AggOneKB"),
    equal("P7/P8", p7, p8, "AggOneKB"),
)
