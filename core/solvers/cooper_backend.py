"""Our own decision procedure (core/presburger) behind the solvers' interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tallystick.core.answers import Answer, Invalid, NoAnswer, Valid
from tallystick.core.presburger.decide import decide
from tallystick.core.presburger.formulas import Formula
from tallystick.core.presburger.limits import LimitError, Limits
from tallystick.core.presburger.validity import validity, validity_forall_exists
from tallystick.core.terms import Term


@dataclass(frozen=True)
class CooperSolver:
    """Cooper's algorithm; see `Solver` for its methods. It gives witness terms and needs no other package."""

    name: str = "cooper"

    def validity(self, formula: Term, deadline: float | None = None) -> Answer:
        return validity(formula, Limits(deadline=deadline))

    def validity_forall_exists(
        self,
        universals: Sequence[Term],
        existentials: Sequence[Term],
        body: Term,
        deadline: float | None = None,
    ) -> Answer:
        return validity_forall_exists(universals, existentials, body, Limits(deadline=deadline))

    def truth(self, sentence: Formula, deadline: float | None = None) -> Answer:
        try:
            return Valid() if decide(sentence, Limits(deadline=deadline)) else Invalid({})
        except LimitError as reached:
            return NoAnswer(str(reached))
