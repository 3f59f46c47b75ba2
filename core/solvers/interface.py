"""The one interface of all solvers, and what their back-ends share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tallystick.core.answers import Answer, Invalid, Model, NoAnswer, falsifies
from tallystick.core.clock import clock
from tallystick.core.errors import TallystickError
from tallystick.core.presburger.formulas import Formula
from tallystick.core.presburger.limits import LimitError, Limits
from tallystick.core.presburger.witnesses import witness_terms
from tallystick.core.terms import Term


class SolverError(TallystickError, LookupError):
    """No solver of that name exists, or the package that it needs is not installed."""


class Solver(Protocol):
    """Decides core formulas and Presburger sentences.

    A `deadline` is a time of `core.clock`, or None. A solver that does not answer by then says `NoAnswer`; the
    outermost guarantee of a time limit is the end of the process that the solver runs in.
    """

    @property
    def name(self) -> str:
        """What the command line calls it."""
        ...

    def validity(self, formula: Term, deadline: float | None = None) -> Answer:
        """Whether a formula holds for all values of its variables; FragmentError when it is not a formula."""
        ...

    def validity_forall_exists(
        self,
        universals: Sequence[Term],
        existentials: Sequence[Term],
        body: Term,
        deadline: float | None = None,
    ) -> Answer:
        """Whether ∀ universals ∃ existentials. body; other variables of the body are universal too."""
        ...

    def truth(self, sentence: Formula, deadline: float | None = None) -> Answer:
        """Whether a Presburger formula without free unknowns is true; `Invalid` has an empty model."""
        ...


def confirmed(
    model: Model, existentials: Sequence[Term], body: Term, deadline: float | None, name: str
) -> Invalid | NoAnswer:
    """A solver's countermodel, if our own evaluation (or, with existentials, our own search) agrees."""
    if not existentials:
        refuted = falsifies(model, body)
    else:
        try:
            refuted = witness_terms(existentials, body, model, Limits(deadline=deadline)) is None
        except LimitError as reached:
            return NoAnswer(f"the countermodel of {name} could not be confirmed: {reached}")
    return Invalid(model) if refuted else NoAnswer(f"{name} returned a model that does not falsify the formula")


def milliseconds(deadline: float | None) -> int | None:
    """The time until a deadline in whole milliseconds, at least 0; None without a deadline."""
    return None if deadline is None else max(0, int((deadline - clock()) * 1000))


TIMED_OUT = "the deadline passed before an answer was found"
