"""The answers of provers: valid, invalid with a model, or unknown with a reason.

A *formula* here is a quantifier-free Bool-typed term without ⊥ and bags, understood as universally closed.
"""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.interpreter import evaluate
from tallystick.core.terms import Term
from tallystick.core.types import Value

Model = dict[Term, Value]
STEP_LIMIT = 100_000_000


@dataclass(frozen=True, slots=True)
class Valid:
    """The formula holds for all values of its variables.

    Attributes:
        witnesses: for `∀u ∃w. φ`, tuples of terms over u, one term for each variable of w, such that the
            disjunction of the φ[w := tuple] is valid; empty when there is no w, or when the prover gives none.
    """

    witnesses: tuple[tuple[Term, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Invalid:
    """The formula is false in `model`, which gives a value to each (universal) variable."""

    model: Model


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The prover gave up, and why."""

    reason: str


Answer = Valid | Invalid | NoAnswer


def falsifies(model: Model, formula: Term) -> bool:
    """Whether the reference interpreter finds a formula false in a model; EvaluationError when it cannot tell."""
    return evaluate(formula, model, step_limit=STEP_LIMIT) is False
