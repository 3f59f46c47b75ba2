"""Suite `beyond`: arithmetic in the functions of maps and filters: quotients, remainders, extrema, cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .pair import Pair, different, equal

if TYPE_CHECKING:
    from pyspark import RDD


def with_tax(r: RDD[int]) -> RDD[int]:
    """Prices in cents with 15 % tax, rounded down."""
    return r.map(lambda price: price * 115 // 100)


def plus_tax(r: RDD[int]) -> RDD[int]:
    """The tax is computed apart and added: whole multiples of the divisor leave the floor."""
    return r.map(lambda price: price + price * 15 // 100)


def minus_negative_tax(r: RDD[int]) -> RDD[int]:
    """Subtracts a negative tax: the floor of a negative number rounds the tax up."""
    return r.map(lambda price: price - price * -15 // 100)


def half_up(r: RDD[int]) -> RDD[int]:
    """Half, rounded up."""
    return r.map(lambda x: (x + 1) // 2)


def half_and_rest(r: RDD[int]) -> RDD[int]:
    """Half rounded down plus the remainder: also right for negative numbers, by Python's floor."""
    return r.map(lambda x: x // 2 + x % 2)


def half_plus_one(r: RDD[int]) -> RDD[int]:
    """Half rounded down plus one: right for odd numbers only."""
    return r.map(lambda x: x // 2 + 1)


def by_minus_3(r: RDD[int]) -> RDD[int]:
    """A quotient by a negative constant."""
    return r.map(lambda x: x // -3)


def ceiling_of_third(r: RDD[int]) -> RDD[int]:
    """⌊x / -3⌋ = -⌈x / 3⌉, and the ceiling is a floor of x + 2."""
    return r.map(lambda x: -((x + 2) // 3))


def negated_third(r: RDD[int]) -> RDD[int]:
    """-⌊x / 3⌋ rounds up what ⌊x / -3⌋ rounds down: multiples of 3 hide it."""
    return r.map(lambda x: -(x // 3))


def remainder_by_minus_3(r: RDD[int]) -> RDD[int]:
    """A remainder by a negative constant, which is never positive."""
    return r.map(lambda x: x % -3)


def remainder_of_opposite(r: RDD[int]) -> RDD[int]:
    """Both the dividend and the remainder change their signs with the divisor."""
    return r.map(lambda x: -(-x % 3))


def negated_remainder(r: RDD[int]) -> RDD[int]:
    """Only the remainder changes its sign: the remainders 1 and 2 are confused."""
    return r.map(lambda x: -(x % 3))


def clock_from_seconds(r: RDD[int]) -> RDD[tuple[int, int, int]]:
    """Hours, minutes and seconds, from seconds."""
    return r.map(lambda t: (t // 3600, t % 3600 // 60, t % 60))


def clock_from_minutes(r: RDD[int]) -> RDD[tuple[int, int, int]]:
    """Hours and minutes from whole minutes: nested quotients by 60 and 60 against one by 3600."""
    return r.map(lambda t: (t // 60 // 60, t // 60 % 60, t % 60))


def clock_of_a_day(r: RDD[int]) -> RDD[tuple[int, int, int]]:
    """Hours within a day: only times outside a day show it."""
    return r.map(lambda t: (t // 3600 % 24, t % 3600 // 60, t % 60))


def date_parts(r: RDD[int]) -> RDD[int]:
    """A date yyyymmdd taken apart and put together again."""

    def rebuilt(date: int) -> int:
        year, rest = divmod(date, 10000)
        month, day = divmod(rest, 100)
        return 10000 * year + 100 * month + day

    return r.map(rebuilt)


def unchanged(r: RDD[int]) -> RDD[int]:
    """Two nested divmods and a sum of products cancel out."""
    return r


def date_parts_mixed(r: RDD[int]) -> RDD[int]:
    """Day and month in each other's place: only dates like 0505 hide it."""
    return r.map(lambda date: date // 10000 * 10000 + date % 100 * 100 + date // 100 % 100)


def clamped_from_below(r: RDD[int]) -> RDD[int]:
    """Raised to 0, then lowered to 100."""
    return r.map(lambda x: min(max(x, 0), 100))


def clamped_from_above(r: RDD[int]) -> RDD[int]:
    """The bounds of a clamp commute when they are in order: min and max distribute."""
    return r.map(lambda x: max(0, min(100, x)))


def clamped_by_strict_tests(r: RDD[int]) -> RDD[int]:
    """A clamp by comparisons that returns a wrong constant above its bound."""
    return r.map(lambda x: 0 if x < 0 else (99 if x > 100 else x))


def median(t: RDD[tuple[int, int, int]]) -> RDD[int]:
    """The median of three by minima and maxima."""
    return t.map(lambda v: max(min(v[0], v[1]), min(max(v[0], v[1]), v[2])))


def median_by_sum(t: RDD[tuple[int, int, int]]) -> RDD[int]:
    """The median is what is left of the sum without minimum and maximum: all orders of three numbers are cases."""
    return t.map(lambda v: v[0] + v[1] + v[2] - min(v) - max(v))


def middle_component(t: RDD[tuple[int, int, int]]) -> RDD[int]:
    """The second component is the median of sorted tuples only."""
    return t.map(lambda v: v[1])


def same_parity(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Keeps pairs of the same parity."""
    return s.filter(lambda p: p[0] % 2 == p[1] % 2)


def even_sum(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Modulo 2 a sum is a difference: two remainders against the remainder of the sum."""
    return s.filter(lambda p: (p[0] + p[1]) % 2 == 0)


def sum_of_two_odd(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Keeps pairs of odd components only: pairs of even ones are lost."""
    return s.filter(lambda p: p[0] % 2 + p[1] % 2 == 2)


def triangle(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The triangle inequality holds always, so this filter keeps everything."""
    return s.filter(lambda p: abs(p[0] + p[1]) <= abs(p[0]) + abs(p[1]))


def strict_triangle(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Strict, the inequality holds for opposite signs only."""
    return s.filter(lambda p: abs(p[0] + p[1]) < abs(p[0]) + abs(p[1]))


def all_pairs(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Everything is kept."""
    return s


PAIRS: tuple[Pair, ...] = (
    equal("tax apart", with_tax, plus_tax, "NoAgg"),
    different("tax subtracted", with_tax, minus_negative_tax, "NoAgg", {"r": {1: 1}}),
    equal("half rounded up", half_up, half_and_rest, "NoAgg"),
    different("half plus one", half_up, half_plus_one, "NoAgg", {"r": {0: 1}}),
    equal("quotient by -3", by_minus_3, ceiling_of_third, "NoAgg"),
    different("quotient by -3, negated", by_minus_3, negated_third, "NoAgg", {"r": {1: 1}}),
    equal("remainder by -3", remainder_by_minus_3, remainder_of_opposite, "NoAgg"),
    different("remainder by -3, negated", remainder_by_minus_3, negated_remainder, "NoAgg", {"r": {1: 1}}),
    equal("clock", clock_from_seconds, clock_from_minutes, "NoAgg"),
    different("clock of a day", clock_from_seconds, clock_of_a_day, "NoAgg", {"r": {86400: 1}}),
    equal("date parts", date_parts, unchanged, "NoAgg"),
    different("date parts mixed", unchanged, date_parts_mixed, "NoAgg", {"r": {1: 1}}),
    equal("clamp", clamped_from_below, clamped_from_above, "NoAgg"),
    different("clamp to 99", clamped_from_below, clamped_by_strict_tests, "NoAgg", {"r": {101: 1}}),
    equal("median of three", median, median_by_sum, "NoAgg"),
    different("middle component", median, middle_component, "NoAgg", {"t": {(0, 1, 0): 1}}),
    equal("parity of a sum", same_parity, even_sum, "NoAgg"),
    different("sum of odd numbers", same_parity, sum_of_two_odd, "NoAgg", {"s": {(0, 0): 1}}),
    equal("triangle inequality", all_pairs, triangle, "NoAgg"),
    different("strict triangle inequality", all_pairs, strict_triangle, "NoAgg", {"s": {(0, 0): 1}}),
)
