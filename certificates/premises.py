"""The premises of the kernel's rules (THEORY section 3), as formulas.

A formula is a boolean term without ⊥, bags and aggregates, read as true for all values of its variables. Each
function returns the premises of one rule by name, in a fixed order. Prover and kernel both compute them here, so a
certificate never states a premise. Representative variables stand for arbitrary elements; that no other variable has
such a name is for the kernel to check.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from math import factorial, prod

from tallystick.core.errors import FragmentError
from tallystick.core.monomials import Degree, Monomial, monomials, name_of, representative, shift
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    add,
    apply,
    build,
    conjunction,
    constant,
    disjunction,
    equal,
    implies,
    ite,
    project,
    substitute,
    tuple_of,
)
from tallystick.core.types import BagType

Premises = list[tuple[str, Term]]
Matching = tuple[tuple[int, tuple[int, ...]], ...]
"""For each left monomial, the right monomial that it equals and the right slot that each left slot is put into."""

PERMUTATION_LIMIT = 720


def no_agg(hypothesis: Term, left: Term, right: Term, matching: Matching | None) -> Premises:
    """The premises of NOAGG.

    For values, one premise: they are equal. For bags with a `matching`, each pair of matched monomials is equal
    element by element, which is EqNoAgg (TR Fig. 7) for single monomials. Without one, for each degree the values
    of the monomials under all permutations of the slots form the same multiset. Raises FragmentError outside the
    NoAgg class, or when the matching is not one.
    """
    if not isinstance(left.type, BagType):
        return [("equal values", implies(hypothesis, equal(left, right)))]
    sides = monomials(left), monomials(right)
    if matching is not None:
        return _matched(hypothesis, *sides, matching)
    premises: Premises = []
    for here, there, side in ((*sides, "left"), (*reversed(sides), "right")):
        for index, monomial in enumerate(here):
            same = equal(_occurrences(monomial, there), _occurrences(monomial, here))
            known = conjunction(hypothesis, monomial.exists)
            premises.append((f"multiplicity of {side} monomial {index}", implies(known, same)))
    return premises


def _matched(hypothesis: Term, left: tuple[Monomial, ...], right: tuple[Monomial, ...], matching: Matching) -> Premises:
    if sorted(partner for partner, _ in matching) != list(range(len(right))) or len(left) != len(right):
        raise FragmentError("a matching pairs each left monomial with one right monomial")
    premises: Premises = []
    for index, (monomial, (partner, places)) in enumerate(zip(left, matching, strict=True)):
        other = right[partner]
        if other.degree != monomial.degree or places not in slot_permutations(other):
            raise FragmentError("matched monomials have the same degree, and slots of one bag are permuted")
        other = permuted(other, places)
        agree = conjunction(other.exists, equal(monomial.value, other.value))
        there = implies(conjunction(hypothesis, monomial.exists), agree)
        here = implies(conjunction(hypothesis, other.exists), monomial.exists)
        premises.append((f"left monomial {index} is right {partner}", there))
        premises.append((f"right monomial {partner} is left {index}", here))
    return premises


def _occurrences(monomial: Monomial, among: tuple[Monomial, ...]) -> Term:
    """How often the value of `monomial` occurs among the values, under all permutations, of those of its degree."""
    comparable = [other for other in among if other.degree == monomial.degree]
    terms = [constant(0), constant(0)]
    for other, places in product(comparable, slot_permutations(monomial, len(comparable))):
        other = permuted(other, places)
        terms.append(ite(conjunction(other.exists, equal(other.value, monomial.value)), constant(1), constant(0)))
    return add(*terms)


def distinct(hypothesis: Term, left: Term, right: Term) -> Premises:
    """The premises of SET: over arbitrary elements, each value of one side is one of the other, on the same elements.

    Raises FragmentError unless both sides are without repetitions and aggregates, or when there are too many cases.
    """
    if not (_is_set(left) and _is_set(right)):
        raise FragmentError("SET relates bags that repeat nothing: distinct, and filters and products of such bags")
    premises: Premises = []
    sides = monomials(support(left)), monomials(support(right))
    for here, there, side in ((*sides, "left"), (*reversed(sides), "right")):
        for index, monomial in enumerate(here):
            placed = (other.put(slots) for other in there for slots in _placements(other, monomial, len(there)))
            same = (conjunction(other.exists, equal(other.value, monomial.value)) for other in placed)
            known = conjunction(hypothesis, monomial.exists)
            premises.append((f"{side} monomial {index} is on the other side", implies(known, disjunction(*same))))
    return premises


def _is_set(bag: Term) -> bool:
    bags = [part for part in bag.arguments if isinstance(part.type, BagType)]
    filters = bag.operator in (Operator.FILTER, Operator.CARTESIAN)
    return bag.operator is Operator.DISTINCT or (filters and all(map(_is_set, bags)))


def support(bag: Term) -> Term:
    """A bag with the same elements, without distinct and without unions of a bag with itself."""
    parts = tuple(support(part) if isinstance(part.type, BagType) else part for part in bag.arguments)
    repeats = bag.operator is Operator.UNION and parts[0] is parts[1]
    return parts[0] if repeats or bag.operator is Operator.DISTINCT else build(bag.operator, parts, bag.parameter)


def _placements(monomial: Monomial, target: Monomial, uses: int) -> list[dict[Term, Term]]:
    """The ways to put each slot of a monomial into some slot of the same bag of another: few for so many `uses`."""
    bags = [bag for bag, count in monomial.degree for _ in range(count)]
    places = [range(dict(target.degree).get(bag, 0)) for bag in bags]
    if prod(map(len, places)) * uses > PERMUTATION_LIMIT:
        raise FragmentError(f"there are more than {PERMUTATION_LIMIT} ways to place slots")
    chosen = (map(representative, bags, indices) for indices in product(*places))
    return [dict(zip(monomial.slots, slots, strict=True)) for slots in chosen]


def slot_permutations(monomial: Monomial, uses: int = 1) -> list[tuple[int, ...]]:
    """The permutations of the slots of one input bag, for all bags at once: where each slot goes.

    Raises FragmentError when there are too many for this number of `uses`.
    """
    counts = [count for _, count in monomial.degree]
    if prod(map(factorial, counts)) * max(1, uses) > PERMUTATION_LIMIT:
        raise FragmentError(f"a self-product has more than {PERMUTATION_LIMIT} permutations of its slots")
    starts = [sum(counts[:index]) for index in range(len(counts))]
    blocks = (permutations(range(start, start + n)) for start, n in zip(starts, counts, strict=True))
    return [tuple(place for block in chosen for place in block) for chosen in product(*blocks)]


def permuted(monomial: Monomial, places: tuple[int, ...]) -> Monomial:
    """A monomial with each slot put into the place of another."""
    slots = monomial.slots
    return monomial.put({slot: slots[place] for slot, place in zip(slots, places, strict=True)})


@dataclass(frozen=True, slots=True)
class Transitions:
    """How accumulators evolve: initial values, and steps, each a name, a guard and the values after it."""

    initial: dict[Term, Term]
    steps: list[tuple[str, Term, dict[Term, Term]]]


def inductive(hypothesis: Term, invariant: Term, transitions: Transitions) -> Premises:
    """That an invariant holds of the initial values and that each step preserves it."""
    premises = [("initial", implies(hypothesis, substitute(invariant, transitions.initial)))]
    for name, guard, after in transitions.steps:
        known = conjunction(hypothesis, invariant, guard)
        premises.append((f"preserved by {name}", implies(known, substitute(invariant, after))))
    return premises


def fold_transitions(folds: tuple[Term, ...], accumulators: tuple[Term, ...]) -> Transitions:
    """One step for each index set: it updates the accumulators of the folds that run over it (THEORY section 3)."""
    initial = {state: fold.arguments[0] for state, fold in zip(accumulators, folds, strict=True)}
    steps: dict[Degree, dict[Term, Term]] = {}
    for state, fold in zip(accumulators, folds, strict=True):
        for monomial in monomials(fold.arguments[2]):
            after = steps.setdefault(monomial.degree, {})
            before = after.get(state, state)
            after[state] = ite(monomial.exists, apply(fold.arguments[1], monomial.value, before), before)
    return Transitions(initial, [(_names(degree), TRUE, after) for degree, after in steps.items()])


def fold(hypothesis: Term, folds: tuple[Term, ...], accumulators: tuple[Term, ...], invariant: Term) -> Premises:
    """The premises of FOLD about an invariant over the accumulators, apart from its conclusion.

    It is inductive, and where it holds each fold may take any two elements in either order. A fold with several
    summands of one degree takes several elements a step and may rest between them, where the invariant need not hold:
    there order must not matter at all. Raises FragmentError when a folded bag is outside the NoAgg class.
    """
    premises = inductive(hypothesis, invariant, fold_transitions(folds, accumulators))
    for state, fold in zip(accumulators, folds, strict=True):
        summands = monomials(fold.arguments[2])
        one_each = len({summand.degree for summand in summands}) == len(summands)
        known = conjunction(hypothesis, invariant) if one_each else hypothesis
        premises += orders(known, fold.arguments[1], state, summands)
    return premises


def orders(known: Term, udf: Term, state: Term, summands: tuple[Monomial, ...]) -> Premises:
    """f(f(M, y₁), y₂) = f(f(M, y₂), y₁) (TR section 2) for elements y₁, y₂ of the folded bag, where `known` holds."""
    premises: Premises = []
    for place, first in enumerate(summands):
        for later, other in enumerate(summands[place:], place):
            second = shift(other, dict(first.degree))
            one_way = apply(udf, second.value, apply(udf, first.value, state))
            other_way = apply(udf, first.value, apply(udf, second.value, state))
            either = implies(conjunction(known, first.exists, second.exists), equal(one_way, other_way))
            premises.append((f"order of {name_of(state)} over summands {place} and {later}", either))
    return premises


def _names(degree: Degree) -> str:
    return " × ".join(name_of(bag) for bag, count in degree for _ in range(count))


@dataclass(frozen=True, slots=True)
class Bucket:
    """One side of a joint bucket: variables for its key, whether it exists, and its accumulator."""

    key: Term
    exists: Term
    accumulated: Term

    @property
    def variables(self) -> tuple[Term, Term, Term]:
        return (self.key, self.exists, self.accumulated)


def by_key_transitions(folds: tuple[Term, Term], buckets: tuple[Bucket, Bucket]) -> Transitions:
    """The one step of a joint bucket: an element that fits the keys of the buckets that it belongs to."""
    initial: dict[Term, Term] = {}
    after: dict[Term, Term] = {}
    guards: list[Term] = []
    for fold, bucket in zip(folds, buckets, strict=True):
        start, udf, bag = fold.arguments
        source = _single(bag)
        initial |= {bucket.exists: FALSE, bucket.accumulated: start}
        total = apply(udf, project(source.value, 1), bucket.accumulated)
        after[bucket.exists] = disjunction(bucket.exists, source.exists)
        after[bucket.accumulated] = ite(source.exists, total, bucket.accumulated)
        guards.append(implies(source.exists, equal(project(source.value, 0), bucket.key)))
    return Transitions(initial, [("an element", conjunction(*guards), after)])


def by_key(
    hypothesis: Term,
    folds: tuple[Term, Term],
    posts: tuple[Term, Term],
    buckets: tuple[Bucket, Bucket],
    invariant: Term,
) -> Premises:
    """The premises of BYKEY, for an invariant over a joint bucket.

    `posts` are both programs as functions of the bag that their by-key fold returns: a bag variable each. Keys
    agree on both sides; the invariant is inductive; where it holds, both buckets give the same output and take
    elements in either order. Raises FragmentError unless both folds are over one monomial, of one degree, and each
    post over its own bucket.
    """
    premises = inductive(hypothesis, invariant, by_key_transitions(folds, buckets))
    known = conjunction(hypothesis, invariant)
    sources = [_single(fold.arguments[2]) for fold in folds]
    if sources[0].degree != sources[1].degree:
        raise FragmentError("both by-key folds are over the same index set")
    existing, same = [hypothesis], []
    for fold, bucket, source in zip(folds, buckets, sources, strict=True):
        twin = shift(source, dict(source.degree))
        existing += [source.exists, twin.exists]
        same.append(equal(project(source.value, 0), project(twin.value, 0)))
        premises += orders(known, fold.arguments[1], bucket.accumulated, (in_bucket(source, bucket.key),))
    (left_exists, left_value), (right_exists, right_value) = (
        output(_single(post), bucket) for post, bucket in zip(posts, buckets, strict=True)
    )
    agree = conjunction(right_exists, equal(left_value, right_value))
    premises += [
        ("keys agree", implies(conjunction(*existing), equal(*same))),
        ("left output is right output", implies(conjunction(known, left_exists), agree)),
        ("right output exists only with left output", implies(conjunction(known, right_exists), left_exists)),
    ]
    return premises


def in_bucket(source: Monomial, key: Term) -> Monomial:
    """The values of the (key, value) pairs of a monomial that have the given key."""
    exists = conjunction(source.exists, equal(project(source.value, 0), key))
    return Monomial(source.degree, exists, project(source.value, 1))


def _single(bag: Term) -> Monomial:
    summands = monomials(bag)
    if len(summands) != 1:
        raise FragmentError("a by-key fold is over a bag without unions, and so is what follows it")
    return summands[0]


def output(post: Monomial, bucket: Bucket) -> tuple[Term, Term]:
    """Whether and what a bucket outputs: the monomial of what follows the by-key fold, on the bucket's pair."""
    pair = tuple_of(bucket.key, bucket.accumulated)
    if [slot.type for slot in post.slots] != [pair.type]:
        raise FragmentError("what follows a by-key fold depends on one of its pairs, and on no other bag")
    result = post.put({post.slots[0]: pair})
    return conjunction(bucket.exists, result.exists), result.value
