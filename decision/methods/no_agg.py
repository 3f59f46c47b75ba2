"""NoAgg: programs without aggregates (TR Theorem 1, generalised in THEORY section 3).

Statement    Γ ⊢ P₁ ≡ P₂ iff, for each degree, the monomials of both sides form the same multiset of values under
             all permutations of the slots of one bag. With single monomials without self-products: iff their
             program terms are equal, and their RepVarSets too unless both are ⊥ (EqNoAgg, TR Fig. 7).
Fragment     map, filter, cartesian with self-products, union; values without aggregates.
Complete     yes: a failed premise of the multiset form is turned into an input on which the programs differ.
Certificate  NOAGG, with a matching of monomials where one exists.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.no_agg import Matching, NoAgg, permuted, slot_permutations
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import evaluate
from tallystick.core.monomials import Monomial, monomials
from tallystick.core.terms import Operator, Term, free_variables, subterms
from tallystick.core.types import BagType, Value
from tallystick.decision.inputs import differs, inputs_from_model, random_value
from tallystick.decision.outcome import Differs, Goal, MethodContext, Model, Outcome, Proved, Unknown
from tallystick.decision.prover import GaveUp
from tallystick.decision.tactics import Failed, evidence_for

NAME = "no_agg"
SAMPLES = 6


def no_agg(goal: Goal, context: MethodContext) -> Outcome | None:
    """Decides a goal without aggregates and distinct; None for other goals."""
    outside = {Operator.FOLD, Operator.FOLD_BY_KEY, Operator.DISTINCT}
    if any(node.operator in outside for side in (goal.left, goal.right) for node in subterms(side)):
        return None
    try:
        matching = find_matching(goal)
        outcome = _attempt(goal, matching, context)
        if matching is None or isinstance(outcome, Proved) or _is_only_matching(goal):
            return outcome
        return _attempt(goal, None, context)
    except FragmentError as error:
        return Unknown(str(error))


def _attempt(goal: Goal, matching: Matching | None, context: MethodContext) -> Outcome:
    rule = NoAgg(matching)
    evidence = evidence_for(rule.requirements(goal).premises, context.prover)
    if not isinstance(evidence, Failed):
        return Proved(Step(rule, evidence), (NAME,))
    if isinstance(evidence.answer, GaveUp):
        return Unknown(evidence.answer.reason)
    return _differing_input(goal, *evidence.models)


def find_matching(goal: Goal) -> Matching | None:
    """A pairing of monomials that agree on samples of their slots; None where there is none, or for values."""
    if not isinstance(goal.left.type, BagType):
        return None
    left, right = monomials(goal.left), monomials(goal.right)
    if Counter(monomial.sources for monomial in left) != Counter(monomial.sources for monomial in right):
        return None
    samples = _samples(left + right)
    return _extend((), left, right, samples)


def _extend(
    chosen: Matching, left: tuple[Monomial, ...], right: tuple[Monomial, ...], samples: Sequence[Model]
) -> Matching | None:
    if len(chosen) == len(left):
        return chosen
    monomial = left[len(chosen)]
    taken = {partner for partner, _ in chosen}
    for partner, other in enumerate(right):
        if partner in taken or other.sources != monomial.sources:
            continue
        for places in slot_permutations(other):
            if _is_only(left, right) or _agree(monomial, other, places, samples):
                result = _extend((*chosen, (partner, places)), left, right, samples)
                if result is not None:
                    return result
    return None


def _agree(monomial: Monomial, other: Monomial, places: tuple[int, ...], samples: Sequence[Model]) -> bool:
    placed = permuted(other, places)
    return all(_value(monomial, sample) == _value(placed, sample) for sample in samples)


def _value(monomial: Monomial, sample: Model) -> object:
    return evaluate(monomial.value, sample) if evaluate(monomial.exists, sample) else None


def _samples(sides: tuple[Monomial, ...]) -> list[dict[Term, Value]]:
    generator = random.Random(0)
    used = {slot: None for monomial in sides for slot in monomial.slots}
    for monomial in sides:
        used |= dict.fromkeys(sorted(free_variables(monomial.exists) | free_variables(monomial.value), key=repr))
    return [{name: random_value(name.type, generator) for name in used} for _ in range(SAMPLES)]


def _is_only(left: tuple[Monomial, ...], right: tuple[Monomial, ...]) -> bool:
    """Whether one matching alone is possible, so that it decides the goal: single monomials, no self-product."""
    return len(left) == len(right) == 1 and len(set(left[0].sources)) == len(left[0].sources)


def _is_only_matching(goal: Goal) -> bool:
    return isinstance(goal.left.type, BagType) and _is_only(monomials(goal.left), monomials(goal.right))


def _differing_input(goal: Goal, model: Model) -> Outcome:
    """An input made of the model's values, with multiplicities that tell both sides apart."""
    for environment in inputs_from_model(goal, model):
        if differs(goal, environment):
            return Differs(environment, NAME)
    return Unknown("a model of a failed premise gave no input on which the programs differ", (model,))
