"""BYKEY: induction over a joint bucket of two by-key folds (CAV eq. 2–3, generalised)."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.judgements import Goal, Judgement, Premise, Requirements, equivalence
from tallystick.certificates.rules.fold import Change, Transitions, inductive, orders, require_fresh
from tallystick.core.errors import FragmentError, KernelError
from tallystick.core.monomials import Monomial, monomials, name_of, plain
from tallystick.core.terms import (
    FALSE,
    Operator,
    Term,
    apply,
    conjunction,
    disjunction,
    equal,
    free_variables,
    implies,
    ite,
    project,
    substitute,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, BagType, TupleType


@dataclass(frozen=True, slots=True)
class PreservedInBucket:
    """An element that belongs to the bucket preserves the invariant."""

    def __str__(self) -> str:
        return "preserved by an element"


@dataclass(frozen=True, slots=True)
class KeysAgree:
    """Two elements have equal keys on the left just when they have equal keys on the right."""

    def __str__(self) -> str:
        return "keys agree"


@dataclass(frozen=True, slots=True)
class LeftOutputIsRight:
    """What the left bucket puts out, the right one puts out too."""

    def __str__(self) -> str:
        return "left output is right output"


@dataclass(frozen=True, slots=True)
class RightOutputHasLeft:
    """Where the right bucket puts something out, so does the left one."""

    def __str__(self) -> str:
        return "right output exists only with left output"


@dataclass(frozen=True, slots=True)
class Bucket:
    """One side of a joint bucket: variables for its key, whether it exists, and its accumulator."""

    key: Term
    exists: Term
    accumulated: Term

    @property
    def variables(self) -> tuple[Term, Term, Term]:
        """All three."""
        return (self.key, self.exists, self.accumulated)


@dataclass(frozen=True, slots=True)
class ByKey:
    """
    keys agree    Inv of buckets without elements    enabled steps preserve Inv
    order does not matter where Inv holds    Inv ⇒ out₁ = out₂
    -----------------------------------------------------------------------------  BYKEY
    Γ ⊢ post₁(foldByKey(i₁, f₁)(μ₁)) ≡ post₂(foldByKey(i₂, f₂)(μ₂))

    Attributes:
        folds: both by-key folds.
        buckets: a bucket of each, made of fresh variables.
        invariant: Inv, a formula over these.

    Fails when a side is not one monomial over one pair of its by-key fold, the folds are not over one monomial each of
    one degree, or the buckets' variables are not fresh.
    """

    folds: tuple[Term, Term]
    buckets: tuple[Bucket, Bucket]
    invariant: Term

    def requirements(self, goal: Judgement) -> Requirements:
        """The premises: see above."""
        sides = equivalence(goal)
        types = [part for term in self.folds for part in _bucket_types(term)]
        variables = [name for bucket in self.buckets for name in bucket.variables]
        require_fresh(variables, types, (sides.hypothesis, sides.left, sides.right, *self.folds))
        if self.invariant.type != BOOL:
            raise KernelError("an invariant is boolean")
        plain(*self.folds, self.invariant)
        return Requirements((*self._induction(sides.hypothesis), *self._outputs(sides)))

    def _induction(self, hypothesis: Term) -> list[Premise]:
        transitions = by_key_transitions(self.folds, self.buckets)
        premises = [*inductive(hypothesis, self.invariant, transitions)]
        sources = [single(fold.arguments[2]) for fold in self.folds]
        existing, same = [hypothesis], []
        known = conjunction(hypothesis, self.invariant)
        for fold, bucket, source in zip(self.folds, self.buckets, sources, strict=True):
            twin = source.after(len(source.sources))
            existing += [source.exists, twin.exists]
            same.append(equal(project(source.value, 0), project(twin.value, 0)))
            premises += orders(known, fold.arguments[1], bucket.accumulated, (in_bucket(source, bucket.key),))
        twice = sources[0].sources * 2
        return [*premises, Premise(KeysAgree(), implies(conjunction(*existing), equal(*same)), twice)]

    def _outputs(self, goal: Goal) -> list[Premise]:
        known = conjunction(goal.hypothesis, self.invariant)
        functions = posts((goal.left, goal.right), self.folds)
        (left_exists, left_value), (right_exists, right_value) = (
            output(single(post), bucket) for post, bucket in zip(functions, self.buckets, strict=True)
        )
        agree = conjunction(right_exists, equal(left_value, right_value))
        return [
            Premise(LeftOutputIsRight(), implies(conjunction(known, left_exists), agree)),
            Premise(RightOutputHasLeft(), implies(conjunction(known, right_exists), left_exists)),
        ]


def _bucket_types(term: Term) -> tuple[object, ...]:
    match term.operator, term.type:
        case Operator.FOLD_BY_KEY, BagType(TupleType((key, accumulated))):
            return key, BOOL, accumulated
    raise KernelError("BYKEY is about by-key folds")


def posts(sides: tuple[Term, Term], folds: tuple[Term, Term]) -> tuple[Term, Term]:
    """Both sides as functions of what their by-key fold returns: with a new bag variable in its place.

    Fails when another input bag, or none, is left in one of them: its monomial would be taken for one of the new bag.
    """
    name = "B" * (1 + max((len(name_of(term)) for side in sides for term in free_variables(side)), default=0))
    left, right = (substitute(side, {term: variable(name, term.type)}) for side, term in zip(sides, folds, strict=True))
    for post, term in ((left, folds[0]), (right, folds[1])):
        if {free for free in free_variables(post) if isinstance(free.type, BagType)} != {variable(name, term.type)}:
            raise KernelError("BYKEY relates functions of by-key folds and of no other bag")
    return left, right


def by_key_transitions(folds: tuple[Term, Term], buckets: tuple[Bucket, Bucket]) -> Transitions:
    """The one step of a joint bucket: an element that fits the keys of the buckets that it belongs to.

    Raises FragmentError when the folds are not over one monomial each of the same bags.
    """
    initial: dict[Term, Term] = {}
    after: dict[Term, Term] = {}
    guards: list[Term] = []
    sources = [single(fold.arguments[2]) for fold in folds]
    if sources[0].sources != sources[1].sources:
        raise FragmentError("both by-key folds are over the same index set")
    for fold, bucket, source in zip(folds, buckets, sources, strict=True):
        start, udf, _ = fold.arguments
        initial |= {bucket.exists: FALSE, bucket.accumulated: start}
        total = apply(udf, project(source.value, 1), bucket.accumulated)
        after[bucket.exists] = disjunction(bucket.exists, source.exists)
        after[bucket.accumulated] = ite(source.exists, total, bucket.accumulated)
        guards.append(implies(source.exists, equal(project(source.value, 0), bucket.key)))
    return Transitions(initial, [Change(PreservedInBucket(), sources[0].sources, conjunction(*guards), after)])


def in_bucket(source: Monomial, key: Term) -> Monomial:
    """The values of the (key, value) pairs of a monomial that have the given key."""
    exists = conjunction(source.exists, equal(project(source.value, 0), key))
    return Monomial(source.sources, exists, project(source.value, 1))


def single(bag: Term) -> Monomial:
    """The one monomial of a bag; raises FragmentError when it has more."""
    summands = monomials(bag)
    if len(summands) != 1:
        raise FragmentError("a by-key fold is over a bag without unions, and so is what follows it")
    return summands[0]


def output(post: Monomial, bucket: Bucket) -> tuple[Term, Term]:
    """Whether and what a bucket outputs: the monomial of what follows the by-key fold, on the bucket's pair."""
    pair = tuple_of(bucket.key, bucket.accumulated)
    if [slot.type for slot in post.slots] != [pair.type]:
        raise FragmentError("what follows a by-key fold depends on one of its pairs, and on no other bag")
    result = post.put((pair,))
    return conjunction(bucket.exists, result.exists), result.value
