"""Suite `beyond`: bags without aggregates, where multiplicities matter (NOAGG with unions and self-products)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .functions import double
from .pair import Pair, different, equal

if TYPE_CHECKING:
    from pyspark import RDD


def same(r: RDD[int]) -> RDD[int]:
    """The bag itself."""
    return r


# Unions.


def halves(r: RDD[int]) -> RDD[int]:
    """Two summands against one: a condition and its negation add up to every element once."""
    return r.filter(lambda x: x < 3).union(r.filter(lambda x: x >= 3))


def halves_with_a_gap(r: RDD[int]) -> RDD[int]:
    """The two halves of a bag with both bounds strict: only the element 3 is lost."""
    return r.filter(lambda x: x < 3).union(r.filter(lambda x: x > 3))


def residues_of_3(r: RDD[int]) -> RDD[int]:
    """Three residue classes, whose conditions never hold together: completeness needs the remainder's range."""
    zeros, ones = r.filter(lambda x: x % 3 == 0), r.filter(lambda x: x % 3 == 1)
    return zeros.union(ones).union(r.filter(lambda x: x % 3 == 2))


def residues_of_4(r: RDD[int]) -> RDD[int]:
    """Three residue classes of four: an element of the fourth class shows it."""
    zeros, ones = r.filter(lambda x: x % 4 == 0), r.filter(lambda x: x % 4 == 1)
    return zeros.union(ones).union(r.filter(lambda x: x % 4 == 2))


def overlapping(r: RDD[int]) -> RDD[int]:
    """Two filters that overlap between 0 and 10."""
    return r.filter(lambda x: x > 0).union(r.filter(lambda x: x < 10))


def once_and_overlap(r: RDD[int]) -> RDD[int]:
    """Inclusion and exclusion: what both filters keep occurs twice, and no matching pairs the summands."""
    return r.union(r.filter(lambda x: 0 < x < 10))


def twice(r: RDD[int]) -> RDD[int]:
    """Every element twice, by a union."""
    return r.union(r)


def flat_twice(r: RDD[int]) -> RDD[int]:
    """Every element twice, by a flatMap: two equal summands must be matched with two others."""
    return r.flatMap(lambda x: [x, x])


def with_opposites(r: RDD[int]) -> RDD[int]:
    """Every element and its opposite: as many elements as twice each, but others."""
    return r.flatMap(lambda x: [x, -x])


def opposites_of_absolute_values(r: RDD[int]) -> RDD[int]:
    """{x, -x} = {|x|, -|x|} although neither summand equals one of the other side: only the multisets agree."""
    return r.map(abs).flatMap(lambda x: [x, -x])


def absolute_values_twice(r: RDD[int]) -> RDD[int]:
    """The same support for positive elements, but without the opposites."""
    return r.map(abs).union(r.map(abs))


def swapped_twice(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Each pair in both orders."""
    return s.union(s.map(lambda p: (p[1], p[0])))


def sorted_and_reversed(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Sorted and reversed: which summand is which depends on the element, so the matching changes with it."""
    return s.flatMap(lambda p: [(min(p), max(p)), (max(p), min(p))])


def sorted_twice(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """Sorted twice is not both orders: an unsorted pair of different components shows it."""
    return s.flatMap(lambda p: [(min(p), max(p)), (min(p), max(p))])


# Self-products.


def weighted_triples(r: RDD[int]) -> RDD[int]:
    """A self-product of three bags, with another weight for each slot."""
    triples = r.cartesian(r).cartesian(r)
    return triples.map(lambda t: t[0][0] + 2 * t[0][1] + 3 * t[1])


def weights_rotated(r: RDD[int]) -> RDD[int]:
    """Three slots of one bag may be permuted: of the six permutations exactly one makes the terms equal."""
    triples = r.cartesian(r.cartesian(r))
    return triples.map(lambda t: 3 * t[0] + t[1][0] + 2 * t[1][1])


def weights_1_2_2(r: RDD[int]) -> RDD[int]:
    """No permutation of the slots makes other weights equal; two elements are needed when a sum hides it."""
    triples = r.cartesian(r).cartesian(r)
    return triples.map(lambda t: t[0][0] + 2 * t[0][1] + 2 * t[1])


def sums_over_union(r: RDD[int], s: RDD[int]) -> RDD[int]:
    """The sums of two elements of a union."""
    both = r.union(s)
    return both.cartesian(both).map(lambda p: p[0] + p[1])


def sums_by_binomial(r: RDD[int], s: RDD[int]) -> RDD[int]:
    """(r + s)² = r² + 2rs + s²: monomials of three degrees, and the mixed one has coefficient two."""
    mixed = r.cartesian(s)
    return r.cartesian(r).union(s.cartesian(s)).union(mixed.union(mixed)).map(lambda p: p[1] + p[0])


def sums_without_doubling(r: RDD[int], s: RDD[int]) -> RDD[int]:
    """(r + s)² is not r² + rs + s²: the degrees agree, and one coefficient does not."""
    return r.cartesian(r).union(s.cartesian(s)).union(r.cartesian(s)).map(lambda p: p[0] + p[1])


def pairs_sorted(r: RDD[int]) -> RDD[tuple[int, int]]:
    """All pairs, each sorted."""
    return r.cartesian(r).map(lambda p: (min(p), max(p)))


def pairs_by_case(r: RDD[int]) -> RDD[tuple[int, int]]:
    """Ascending pairs twice and pairs of equals once: equal only because both slots range over one bag."""
    pairs = r.cartesian(r)
    ascending = pairs.filter(lambda p: p[0] < p[1])
    return ascending.union(ascending).union(pairs.filter(lambda p: p[0] == p[1]))


def pairs_not_descending_twice(r: RDD[int]) -> RDD[tuple[int, int]]:
    """Pairs of equals are now counted twice: a bag with a single element shows it."""
    ascending = r.cartesian(r).filter(lambda p: p[0] <= p[1])
    return ascending.union(ascending)


def diagonal(r: RDD[int]) -> RDD[int]:
    """Each element as often as the square of its multiplicity: only an element that occurs twice tells it from r."""
    return r.cartesian(r).filter(lambda p: p[0] == p[1]).map(lambda p: p[0])


def self_join_ascending(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """A self-join that keeps each pair of different values in ascending order."""
    return s.join(s).filter(lambda row: row[1][0] < row[1][1])


def self_join_descending_swapped(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """A self-join is symmetric: the slots change places, and the common key must be read from either side."""
    descending = s.join(s).filter(lambda row: row[1][1] < row[1][0])
    return descending.map(lambda row: (row[0], (row[1][1], row[1][0])))


def self_join_not_descending(s: RDD[tuple[int, int]]) -> RDD[tuple[int, tuple[int, int]]]:
    """With ≤ every pair is also joined with itself."""
    return s.join(s).filter(lambda row: row[1][0] <= row[1][1])


def shifted_apart(r: RDD[int], k: int) -> RDD[int]:
    """Sums of elements that were shifted in opposite directions."""
    return r.map(lambda x: x + k).cartesian(r.map(lambda x: x - k)).map(lambda p: p[0] + p[1])


def sums(r: RDD[int], k: int) -> RDD[int]:
    """A parameter that cancels out of a self-product."""
    return r.cartesian(r).map(lambda p: p[0] + p[1])


def doubled_firsts(r: RDD[int], k: int) -> RDD[int]:
    """Sums of two elements are not doubled ones: on a single element they agree, and on two they do not."""
    return r.cartesian(r).map(lambda p: 2 * p[0])


# Parameters, booleans, flatMap and keys.


def split_at(r: RDD[int], k: int) -> RDD[int]:
    """Splits at a parameter, and puts the parts together again."""
    return r.filter(lambda x: x > k).union(r.filter(lambda x: x <= k))


def whole(r: RDD[int], k: int) -> RDD[int]:
    """The split is at an unknown bound: the proof is for all values of the parameter."""
    return r


def split_around(r: RDD[int], k: int) -> RDD[int]:
    """The parameter itself is lost: the counterexample must choose the parameter as an element."""
    return r.filter(lambda x: x > k).union(r.filter(lambda x: x < k))


def signed_in_udf(r: RDD[int], negate: bool) -> RDD[int]:
    """A flag is tested for each element."""
    return r.map(lambda x: -x if negate else x)


def signed_outside(r: RDD[int], negate: bool) -> RDD[int]:
    """The flag is tested once, in an `if`: two return statements become a union under opposite conditions."""
    if negate:
        return r.map(lambda x: -x)
    return r


def signed_wrongly(r: RDD[int], negate: bool) -> RDD[int]:
    """The branches of the `if` changed places: 0 and the empty bag hide it."""
    if negate:
        return r
    return r.map(lambda x: -x)


def only_one_bound(r: RDD[int]) -> RDD[tuple[bool, bool]]:
    """Two flags that differ say which elements they come from."""
    return r.map(lambda x: (x > 0, x > 1)).filter(lambda p: p[0] != p[1])


def flags_of_one(r: RDD[int]) -> RDD[tuple[bool, bool]]:
    """The flags differ just for x = 1, and always in one way: a constant map over a filtered bag."""
    return r.filter(lambda x: x == 1).map(lambda x: (True, False))


def flags_of_one_swapped(r: RDD[int]) -> RDD[tuple[bool, bool]]:
    """Constant flags in the wrong order: only elements equal to 1 show it."""
    return r.filter(lambda x: x == 1).map(lambda x: (False, True))


def keep_or_drop(r: RDD[int]) -> RDD[int]:
    """A flatMap with a conditional list: some elements give two results, some one and some none."""
    return r.flatMap(lambda x: [x, x] if x > 5 else ([x] if x > 0 else []))


def layers(r: RDD[int]) -> RDD[int]:
    """Two filters, one inside the other, in a union: elements above 5 pass both."""
    return r.filter(lambda x: x > 0).union(r.filter(lambda x: x > 5))


def layers_from_5(r: RDD[int]) -> RDD[int]:
    """The inner bound includes 5, which must occur once and occurs twice."""
    return r.filter(lambda x: x > 0).union(r.filter(lambda x: x >= 5))


def both_signs_by_value(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """flatMapValues: the key stays with both results."""
    return s.flatMapValues(lambda v: (v, -v))


def both_signs_by_pair(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """flatMap in other order than flatMapValues: a bag has no order."""
    return s.flatMap(lambda p: [(p[0], -p[1]), p])


def both_signs_of_both(s: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]:
    """The key changes its sign too: a key of 0 hides it."""
    return s.flatMap(lambda p: [(-p[0], -p[1]), p])


def last_digits_as_keys(r: RDD[int]) -> RDD[int]:
    """Keys by keyBy, then only the keys."""
    return r.keyBy(lambda x: x % 10).keys()


def last_digits(r: RDD[int]) -> RDD[int]:
    """keyBy and keys in one map; Python's remainder of a negative number is not negative."""
    return r.map(lambda x: x - 10 * (x // 10))


def truncated_digits(r: RDD[int]) -> RDD[int]:
    """The remainder that C and Java compute: it differs for negative numbers only."""
    return r.map(lambda x: x % 10 if x >= 0 else -(-x % 10))


# distinct.


def doubled_distinct(r: RDD[int]) -> RDD[int]:
    """Removes duplicates, then doubles."""
    return r.distinct().map(double)


def distinct_doubled(r: RDD[int]) -> RDD[int]:
    """An injective map does not create duplicates, so they may be removed after it."""
    return r.map(double).distinct()


def absolute_of_distinct(r: RDD[int]) -> RDD[int]:
    """Removes duplicates, then takes absolute values."""
    return r.distinct().map(abs)


def distinct_absolute(r: RDD[int]) -> RDD[int]:
    """A map that is not injective creates duplicates: x and -x show it."""
    return r.map(abs).distinct()


def distinct_of_union(r: RDD[int]) -> RDD[int]:
    """Under distinct a union with itself is nothing new: the sets agree, the multiplicities do not matter."""
    return r.union(r.filter(lambda x: x > 0)).distinct()


def distinct_only(r: RDD[int]) -> RDD[int]:
    """Each element once: no single element tells it from r, and two equal ones do."""
    return r.distinct()


def distinct_pairs(r: RDD[int], s: RDD[int]) -> RDD[tuple[int, int]]:
    """Removes duplicates among pairs."""
    return r.cartesian(s).distinct()


def pairs_of_distinct(r: RDD[int], s: RDD[int]) -> RDD[tuple[int, int]]:
    """The distinct pairs are the pairs of distinct elements: one distinct moves below a product and becomes two."""
    return r.distinct().cartesian(s.distinct())


def pairs_of_half_distinct(r: RDD[int], s: RDD[int]) -> RDD[tuple[int, int]]:
    """Only one side of the product is without duplicates."""
    return r.distinct().cartesian(s)


NO_DISTINCT = "no rule of the kernel is about distinct below another operator, with multiplicities"

PAIRS: tuple[Pair, ...] = (
    equal("halves", same, halves, "NoAgg"),
    different("halves with a gap", same, halves_with_a_gap, "NoAgg", {"r": {3: 1}}),
    equal("residues of 3", same, residues_of_3, "NoAgg"),
    different("residues of 4", same, residues_of_4, "NoAgg", {"r": {3: 1}}),
    equal("overlapping filters", overlapping, once_and_overlap, "NoAgg"),
    different("overlap counted once", overlapping, same, "NoAgg", {"r": {5: 1}}, "The overlap counts twice, not once."),
    equal("twice by flatMap", twice, flat_twice, "NoAgg"),
    different("opposites are not copies", twice, with_opposites, "NoAgg", {"r": {1: 1}}),
    equal("opposites of absolute values", with_opposites, opposites_of_absolute_values, "NoAgg"),
    different("absolute values twice", with_opposites, absolute_values_twice, "NoAgg", {"r": {1: 1}}),
    equal("both orders, sorted first", swapped_twice, sorted_and_reversed, "NoAgg"),
    different("both orders, sorted twice", swapped_twice, sorted_twice, "NoAgg", {"s": {(0, 1): 1}}),
    equal("weighted triples", weighted_triples, weights_rotated, "NoAgg"),
    different("other weights", weighted_triples, weights_1_2_2, "NoAgg", {"r": {1: 1}}),
    equal("binomial", sums_over_union, sums_by_binomial, "NoAgg"),
    different("binomial without 2", sums_over_union, sums_without_doubling, "NoAgg", {"r": {0: 1}, "s": {0: 1}}),
    equal("sorted pairs by case", pairs_sorted, pairs_by_case, "NoAgg"),
    different("sorted pairs twice", pairs_sorted, pairs_not_descending_twice, "NoAgg", {"r": {0: 1}}),
    different("diagonal", same, diagonal, "NoAgg", {"r": {0: 2}}),
    equal("self-join swapped", self_join_ascending, self_join_descending_swapped, "NoAgg"),
    different("self-join with equals", self_join_ascending, self_join_not_descending, "NoAgg", {"s": {(0, 0): 1}}),
    equal("shifts that cancel", shifted_apart, sums, "NoAgg"),
    different("sums are not doubles", sums, doubled_firsts, "NoAgg", {"r": {0: 1, 1: 1}, "k": 0}),
    equal("split at a parameter", split_at, whole, "NoAgg"),
    different("split around a parameter", whole, split_around, "NoAgg", {"r": {7: 1}, "k": 7}),
    equal("a flag tested once", signed_in_udf, signed_outside, "NoAgg"),
    different("a flag tested wrongly", signed_in_udf, signed_wrongly, "NoAgg", {"r": {1: 1}, "negate": False}),
    equal("flags of one value", only_one_bound, flags_of_one, "NoAgg"),
    different("flags swapped", only_one_bound, flags_of_one_swapped, "NoAgg", {"r": {1: 1}}),
    equal("conditional lists", keep_or_drop, layers, "NoAgg"),
    different("conditional lists, wrong bound", keep_or_drop, layers_from_5, "NoAgg", {"r": {5: 1}}),
    equal("flatMapValues as flatMap", both_signs_by_value, both_signs_by_pair, "NoAgg"),
    different("flatMap changes the key", both_signs_by_value, both_signs_of_both, "NoAgg", {"s": {(1, 1): 1}}),
    equal("keys of keyBy", last_digits_as_keys, last_digits, "NoAgg"),
    different("truncated remainder", last_digits_as_keys, truncated_digits, "NoAgg", {"r": {-1: 1}}),
    equal("distinct after an injective map", doubled_distinct, distinct_doubled, "NoAgg", undecided=NO_DISTINCT),
    different("distinct after another map", absolute_of_distinct, distinct_absolute, "NoAgg", {"r": {1: 1, -1: 1}}),
    equal("distinct of a union", distinct_only, distinct_of_union, "NoAgg"),
    different("distinct is not the identity", same, distinct_only, "NoAgg", {"r": {0: 2}}),
    equal("distinct below a product", distinct_pairs, pairs_of_distinct, "NoAgg"),
    different("half distinct", distinct_pairs, pairs_of_half_distinct, "NoAgg", {"r": {0: 1}, "s": {0: 2}}),
)
