"""The 19 pairs of the technical report (TR Fig. 9), as PySpark.

Joins are spelled out as Fig. 9's caption defines them. Where the figure applies a function of Fig. 10 to elements
of another shape (m2 and odd to pairs, dd to the rows of a join), the function that it must mean is used, as in the
published prototype.
"""

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


def doubled_from_100(r: RDD[int]) -> RDD[int]:
    """Doubles, then keeps what is at least 100 (TR Fig. 1)."""
    return r.map(double).filter(geq(100))


def from_50_doubled(r: RDD[int]) -> RDD[int]:
    """The report's opening example: the filter moves before the map, and its bound is halved."""
    return r.filter(geq(50)).map(double)


def below_100_doubled(r: RDD[int]) -> RDD[int]:
    """The filter before the map keeps the small elements where the other program keeps the large results."""
    return r.filter(lambda x: not x >= 100).map(double)


def product_doubled(r1: RDD[int], r2: RDD[int]) -> RDD[tuple[int, int]]:
    """Doubles both components of a product."""
    return r1.cartesian(r2).map(lambda pair: (2 * pair[0], 2 * pair[1]))


def product_of_doubled(r1: RDD[int], r2: RDD[int]) -> RDD[tuple[int, int]]:
    """A map of both components is a map of each bag."""
    return r1.map(double).cartesian(r2.map(double))


def doubled(r: RDD[int]) -> RDD[int]:
    """Doubles."""
    return r.map(double)


def doubled_plus_one(r: RDD[int]) -> RDD[int]:
    """Off by one, on every element."""

    def double_plus_one(x: int) -> int:
        even = double(x)
        return even + 1

    return r.map(double_plus_one)


def product_where_both_from_50(r1: RDD[int], r2: RDD[int]) -> RDD[tuple[int, int]]:
    """Keeps the pairs of which both components are at least 50."""

    def both_from_50(pair: tuple[int, int]) -> bool:
        x, y = pair
        return x >= 50 and y >= 50

    return r1.cartesian(r2).filter(both_from_50)


def product_where_either_from_50(r1: RDD[int], r2: RDD[int]) -> RDD[tuple[int, int]]:
    """Keeps the pairs of which a component is at least 50."""

    def either_from_50(pair: tuple[int, int]) -> bool:
        if pair[0] >= 50:
            return True
        return pair[1] >= 50

    return r1.cartesian(r2).filter(either_from_50)


def product_of_from_50(r1: RDD[int], r2: RDD[int]) -> RDD[tuple[int, int]]:
    """A conjunction of conditions on the two components is one filter for each bag."""
    from_50 = geq(50)
    return r1.filter(from_50).cartesian(r2.filter(from_50))


def odd_counted(r: RDD[int]) -> int:
    """Counts the odd elements."""
    return r.filter(is_odd).fold(0, count_up)


def odd_summed(r: RDD[int]) -> int:
    """A count after a filter is a sum of ones and zeros; in Spark's own meaning the count is wrong (THEORY 5)."""

    def indicator(x: int) -> int:
        if is_odd(x):
            return 1
        else:  # noqa: RET505 - both branches return, as people write it
            return 0

    return r.map(indicator).fold(0, plus)


def lowest(r: RDD[int]) -> int:
    """The lowest price, at most 1000."""
    return r.fold(1000, smaller)


def lowest_discounted(r: RDD[int]) -> int:
    """The discount is in the result: only an input whose discounted prices are all from 1000 on hides it."""
    return r.map(discounted).fold(1000, smaller)


def lowest_from_100(r: RDD[int]) -> bool:
    """Whether no price is below 100."""
    return r.fold(1000, smaller) >= 100


def lowest_discounted_from_80(r: RDD[int]) -> bool:
    """A bound on a minimum moves with the discount; a simple induction proves it."""
    return r.map(discounted).fold(1000, smaller) >= 80


def lowest_is_100(r: RDD[int]) -> bool:
    """Whether the lowest price is 100."""
    return r.fold(1000, smaller) == 100


def lowest_discounted_is_80(r: RDD[int]) -> bool:
    """Equality in place of a bound needs the stronger induction of synchronous collapse."""
    return r.map(discounted).fold(1000, smaller) == 80


def summed_modulo_5(r: RDD[int]) -> int:
    """The sum modulo 5, reduced at each step."""
    return r.fold(0, sum_modulo_5)


def tripled_summed_modulo_5(r: RDD[int]) -> int:
    """Tripling permutes the remainders modulo 5, and moves all of them but 0."""
    return r.map(triple).fold(0, sum_modulo_5)


def sum_divides_by_5(r: RDD[int]) -> bool:
    """Whether 5 divides the sum."""
    return r.fold(0, plus) % 5 == 0


def tripled_sum_divides_by_5(r: RDD[int]) -> bool:
    """Tripling permutes the remainders modulo 5 and keeps 0 where it is."""
    total = r.map(triple).fold(0, plus)
    return total % 5 == 0


def sum_divides_by_6(r: RDD[int]) -> bool:
    """Whether 6 divides the sum."""
    return r.fold(0, plus) % 6 == 0


def tripled_sum_divides_by_6(r: RDD[int]) -> bool:
    """Modulo 6, tripling sends 2 and 4 to 0: the sum of the input need not be a multiple of 6."""
    total = r.map(triple).fold(0, plus)
    return total % 6 == 0


def highest(r: RDD[int]) -> int:
    """The largest element, at least -100."""
    return r.fold(-100, larger)


def highest_from_0(r: RDD[int]) -> int:
    """The largest element, at least 0."""
    return r.fold(0, larger)


def highest_by_negation(r: RDD[int]) -> int:
    """A maximum as the negated minimum of the negated elements, from the negated initial value."""
    return -(r.map(lambda x: -x).fold(100, smaller))


def same_key(pair: tuple[tuple[int, int], tuple[int, int]]) -> bool:
    """Whether two elements of a product have one key."""
    (x, _), (z, _) = pair
    return x == z


def joined(pair: tuple[tuple[int, int], tuple[int, int]]) -> tuple[int, tuple[int, int]]:
    """The row that a join makes of two elements with one key."""
    return pair[0][0], (pair[0][1], pair[1][1])


def join_of_doubled(s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Doubles keys and values, then joins."""
    return s1.map(double_both).cartesian(s2.map(double_both)).filter(same_key).map(joined)


def join_doubled(s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Two keys are equal just when their doubles are, so the map may wait until after the join."""
    return s1.cartesian(s2).filter(same_key).map(joined).map(double_joined)


def product_of_doubled_values(
    s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]
) -> RDD[tuple[tuple[int, int], tuple[int, int]]]:
    """Doubles the values of two bags, then pairs their elements."""
    return s1.map(double_value).cartesian(s2.map(double_value))


def product_with_values_doubled(
    s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]
) -> RDD[tuple[tuple[int, int], tuple[int, int]]]:
    """A map distributes over a product of bags of pairs."""
    return s1.cartesian(s2).map(lambda pair: ((pair[0][0], 2 * pair[0][1]), (pair[1][0], 2 * pair[1][1])))


def join_of_doubled_values(s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Doubles the values only, then joins."""
    return s1.map(double_value).cartesian(s2.map(double_value)).filter(same_key).map(joined)


def join_of_odd(s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """Keeps odd keys, then joins."""
    odd1 = s1.filter(lambda pair: is_odd(pair[0]))
    odd2 = s2.filter(lambda pair: is_odd(pair[0]))
    return odd1.cartesian(odd2).filter(same_key).map(joined)


def join_where_odd(s1: RDD[tuple[int, int]], s2: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """A condition on the common key of a join, checked once after it instead of twice before."""
    return s1.cartesian(s2).filter(same_key).map(joined).filter(lambda row: row[0] % 2 == 1)


PAIRS: tuple[Pair, ...] = (
    equal("row 1", doubled_from_100, from_50_doubled, "NoAgg"),
    different("row 2", doubled_from_100, below_100_doubled, "NoAgg", {"r": {0: 1}}),
    equal("row 3", product_doubled, product_of_doubled, "NoAgg"),
    different("row 4", doubled, doubled_plus_one, "NoAgg", {"r": {60: 1}}),
    equal("row 5", product_where_both_from_50, product_of_from_50, "NoAgg"),
    different(
        "row 6",
        product_where_either_from_50,
        product_of_from_50,
        "NoAgg",
        {"r1": {1: 1}, "r2": {50: 1}},
        "A disjunction of conditions on the two components cannot be checked on each bag alone.",
    ),
    equal("row 7", odd_counted, odd_summed, "AggOneP"),
    different("row 8", lowest, lowest_discounted, "AggOneP_sync", {"r": {60: 1}}),
    equal("row 9", lowest_from_100, lowest_discounted_from_80, "AggOneP_sync"),
    equal("row 10", lowest_is_100, lowest_discounted_is_80, "AggOneP_sync"),
    different("row 11", summed_modulo_5, tripled_summed_modulo_5, "AggOneP_sync", {"r": {7: 1}}),
    equal("row 12", sum_divides_by_5, tripled_sum_divides_by_5, "AggOneP_sync"),
    different("row 13", sum_divides_by_6, tripled_sum_divides_by_6, "AggOneP_sync", {"r": {20: 1}}),
    equal("row 14", highest, highest_by_negation, "AggOneP_sync"),
    different(
        "row 15",
        highest_from_0,
        highest_by_negation,
        "AggOneP_sync",
        {"r": {}},
        "The initial values are not each other's negation, which the empty bag shows.",
    ),
    equal("row 16", join_of_doubled, join_doubled, "NoAgg"),
    equal("row 17", product_of_doubled_values, product_with_values_doubled, "NoAgg"),
    different(
        "row 18",
        join_of_doubled_values,
        join_doubled,
        "NoAgg",
        {"s1": {(-2, 4): 1}, "s2": {(-2, 5): 1}},
        "The keys of the result are doubled on one side only.",
    ),
    equal("row 19", join_of_odd, join_where_odd, "NoAgg"),
)
