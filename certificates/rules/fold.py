"""FOLD: induction over the elements, with an invariant of the accumulators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tallystick.certificates.judgements import Goal, Judgement, Premise, Requirements, Subgoal, equivalence
from tallystick.core.errors import KernelError
from tallystick.core.monomials import Monomial, monomials, name_of, plain
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    apply,
    conjunction,
    equal,
    free_variables,
    implies,
    ite,
    substitute,
)
from tallystick.core.types import BOOL


@dataclass(frozen=True, slots=True)
class Initial:
    """The invariant holds of the initial values."""

    def __str__(self) -> str:
        return "initial"


@dataclass(frozen=True, slots=True)
class Preserved:
    """A step preserves the invariant: one over an element of each of these bags."""

    bags: tuple[str, ...]

    def __str__(self) -> str:
        return f"preserved by {' × '.join(self.bags)}"


@dataclass(frozen=True, slots=True)
class AnyOrder:
    """An accumulator takes an element of one summand and one of another in either order."""

    state: str
    first: int
    second: int

    def __str__(self) -> str:
        return f"order of {self.state} over summands {self.first} and {self.second}"


@dataclass(frozen=True, slots=True)
class Change:
    """A step of accumulators.

    Attributes:
        about: what the premise says that it preserves the invariant.
        sources: the input bags that it takes an element from, one a row.
        guard: the condition, over these rows, under which it is taken.
        after: the accumulators that it changes, with their values after it.
    """

    about: object
    sources: tuple[Term, ...]
    guard: Term
    after: dict[Term, Term]


@dataclass(frozen=True, slots=True)
class Transitions:
    """How accumulators evolve: initial values, and steps."""

    initial: dict[Term, Term]
    steps: list[Change]


@dataclass(frozen=True, slots=True)
class Fold:
    """
    Γ ⇒ Inv(i)    Γ ∧ Inv(M) ⇒ Inv(stepₛ(M, x)) for each index set s    order does not matter
    Γ ∧ Inv(M) ⊢ E₁[M₁] ≡ E₂[M₂]
    -------------------------------------------------------------------------------------------  FOLD
    Γ ⊢ E₁[F₁] ≡ E₂[F₂]

    Where the invariant holds, each fold may take any two elements in either order. A fold with several summands of one
    degree takes several elements a step and may rest between them, where the invariant need not hold: there order must
    not matter at all.

    Attributes:
        folds: F₁, F₂, …
        accumulators: a variable M for each.
        invariant: Inv, a formula over them.

    Fails when the accumulators are not fresh, or a folded bag is outside the NoAgg class.
    """

    folds: tuple[Term, ...]
    accumulators: tuple[Term, ...]
    invariant: Term

    def requirements(self, goal: Judgement) -> Requirements:
        """The premises about the invariant, and the conclusion under it."""
        sides = equivalence(goal)
        conclusion = self.conclusion(sides)
        known = sides.hypothesis
        premises = [*inductive(known, self.invariant, fold_transitions(self.folds, self.accumulators))]
        for state, fold in zip(self.accumulators, self.folds, strict=True):
            summands = monomials(fold.arguments[2])
            one_each = len({summand.sources for summand in summands}) == len(summands)
            where = conjunction(known, self.invariant) if one_each else known
            premises += orders(where, fold.arguments[1], state, summands)
        return Requirements(tuple(premises), (Subgoal("conclusion", conclusion),))

    def conclusion(self, goal: Goal) -> Goal:
        """Γ ∧ Inv(M) ⊢ E₁[M₁] ≡ E₂[M₂]; raises KernelError when these are no folds, or no fresh accumulators."""
        whole = (goal.hypothesis, goal.left, goal.right)
        if any(term.operator is not Operator.FOLD for term in self.folds) or self.invariant.type != BOOL:
            raise KernelError("FOLD is about folds and an invariant of their accumulators")
        plain(*self.folds, self.invariant)
        require_fresh(self.accumulators, [term.type for term in self.folds], (*whole, *self.folds))
        states = dict(zip(self.folds, self.accumulators, strict=True))
        hypothesis = conjunction(goal.hypothesis, self.invariant)
        return Goal(hypothesis, substitute(goal.left, states), substitute(goal.right, states))


def inductive(hypothesis: Term, invariant: Term, transitions: Transitions) -> Iterator[Premise]:
    """That an invariant holds of the initial values and that each step preserves it."""
    yield Premise(Initial(), implies(hypothesis, substitute(invariant, transitions.initial)))
    for step in transitions.steps:
        known = conjunction(hypothesis, invariant, step.guard)
        yield Premise(step.about, implies(known, substitute(invariant, step.after)), step.sources)


def require_fresh(variables: Sequence[Term], types: Sequence[object], others: Sequence[Term]) -> None:
    """Raises KernelError unless `variables` have distinct names, in none of `others`, and are of the given types."""
    used = {name_of(free) for term in others for free in free_variables(term)}
    if any(term.operator is not Operator.VARIABLE for term in variables):
        raise KernelError("fresh variables are variables")
    if len(used.union(map(name_of, variables))) < len(used) + len(variables) or [v.type for v in variables] != [*types]:
        raise KernelError("fresh variables are distinct, of the right types, and occur nowhere else")


def fold_transitions(folds: tuple[Term, ...], accumulators: tuple[Term, ...]) -> Transitions:
    """One step for each index set: it updates the accumulators of the folds that run over it (THEORY section 3)."""
    initial = {state: fold.arguments[0] for state, fold in zip(accumulators, folds, strict=True)}
    steps: dict[tuple[Term, ...], dict[Term, Term]] = {}
    for state, fold in zip(accumulators, folds, strict=True):
        for monomial in monomials(fold.arguments[2]):
            after = steps.setdefault(monomial.sources, {})
            before = after.get(state, state)
            after[state] = ite(monomial.exists, apply(fold.arguments[1], monomial.value, before), before)
    return Transitions(
        initial,
        [Change(Preserved(tuple(map(name_of, bags))), bags, TRUE, after) for bags, after in steps.items()],
    )


def orders(known: Term, udf: Term, state: Term, summands: tuple[Monomial, ...]) -> Iterator[Premise]:
    """f(f(M, y₁), y₂) = f(f(M, y₂), y₁) (TR section 2) for elements y₁, y₂ of the folded bag, where `known` holds."""
    for place, first in enumerate(summands):
        for later, other in enumerate(summands[place:], place):
            second = other.after(len(first.sources))
            one_way = apply(udf, second.value, apply(udf, first.value, state))
            other_way = apply(udf, first.value, apply(udf, second.value, state))
            either = implies(conjunction(known, first.exists, second.exists), equal(one_way, other_way))
            yield Premise(AnyOrder(name_of(state), place, later), either, first.sources + second.sources)
