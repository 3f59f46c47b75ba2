"""Houdini: the largest inductive subset of candidate facts (Flanagan and Leino, FME 2001).

Candidates that fail initially or after a step are dropped until the rest is inductive. The rest is the strongest
invariant that is a conjunction of candidates, as far as the prover decides the premises.
"""

from __future__ import annotations

from collections.abc import Sequence

from tallystick.certificates.rules.fold import Transitions
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import Term, conjunction, free_variables, implies, substitute
from tallystick.core.types import default_value
from tallystick.decision.outcome import MethodContext, Model
from tallystick.decision.prover import Countermodel, GaveUp


def houdini(
    hypothesis: Term, candidates: Sequence[Term], transitions: Transitions, context: MethodContext
) -> list[Term]:
    """The candidates that together are inductive under `hypothesis`, in their order."""
    kept = surviving(_after(transitions.initial, list(dict.fromkeys(candidates))), hypothesis, context)
    before = -1
    while len(kept) != before:
        before = len(kept)
        for step in transitions.steps:
            kept = _inductive_over(kept, hypothesis, step.guard, step.after, context)
    return kept


def _inductive_over(
    kept: list[Term], hypothesis: Term, guard: Term, after: dict[Term, Term], context: MethodContext
) -> list[Term]:
    """The facts left when facts that a step can falsify are dropped, and then those that rested on them."""
    while kept:  # what is asked last is the very premise of FOLD, so that the prover knows its answer
        remaining = surviving(_after(after, kept), conjunction(hypothesis, *kept, guard), context)
        if len(remaining) == len(kept):
            break
        kept = remaining
    return kept


def _after(change: dict[Term, Term], facts: list[Term]) -> dict[Term, Term]:
    return {fact: substitute(fact, change) for fact in facts}


def surviving(claims: dict[Term, Term], known: Term, context: MethodContext) -> list[Term]:
    """The facts whose claims hold wherever `known` does; a claim says that its fact holds after a change of state."""
    claims = dict(claims)
    while claims:
        match context.prover.answer(implies(known, conjunction(*claims.values()))):
            case Countermodel(model):
                holding = {fact: claim for fact, claim in claims.items() if _holds(claim, model)}
                claims = holding if len(holding) < len(claims) else {}
            case GaveUp():
                return [fact for fact, claim in claims.items() if _is_proved(implies(known, claim), context)]
            case _:
                break
    return list(claims)


def _is_proved(formula: Term, context: MethodContext) -> bool:
    return not isinstance(context.prover.answer(formula), Countermodel | GaveUp)


def _holds(claim: Term, model: Model) -> bool:
    values = {name: model.get(name, default_value(name.type)) for name in free_variables(claim)}  # type: ignore
    return evaluate(claim, values) is True
