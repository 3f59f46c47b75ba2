"""Evidence for premises: the search for refutation trees first, a solver's word only where it gives up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import isinf

from tallystick.certificates.evidence import Evidence
from tallystick.certificates.proofs import Oracle
from tallystick.certificates.search.answers import Countermodel, GaveUp, SearchLimits
from tallystick.certificates.search.tableau import search
from tallystick.core.answers import Invalid, NoAnswer
from tallystick.core.clock import clock
from tallystick.core.errors import FragmentError
from tallystick.core.terms import Term

SOLVERS = ("auto", "z3", "cvc5", "cooper")
NO_SOLVER = "none"
QUICK_LIMITS = SearchLimits(nodes=2_000, seconds=1.0)


@dataclass(slots=True)
class Prover:
    """Finds evidence that formulas are valid, or models of their negations.

    With solver "auto" the search for refutation trees decides, and Z3 is asked when it gives up. Any other solver
    is asked first, and the search then looks for evidence that needs no solver. A formula without such evidence
    keeps the solver's word as an oracle. With NO_SOLVER what the search does not decide is not known.
    """

    solver: str = "auto"
    deadline: float = float("inf")
    limits: SearchLimits = field(default_factory=SearchLimits)
    answers: dict[Term, Evidence | Countermodel | GaveUp] = field(default_factory=dict)
    solver_calls: int = 0

    def answer(self, formula: Term) -> Evidence | Countermodel | GaveUp:
        """Evidence that `formula` is valid, a model of its negation, or the reason why neither was found."""
        known = self.answers.get(formula)
        if known is None:
            known = self.answers[formula] = self._answer(formula)
        return known

    def evidence(self, formulas: Iterable[Term]) -> tuple[Evidence, ...] | Countermodel | GaveUp:
        """Evidence for all formulas in order, or what the first formula without evidence gave."""
        found: list[Evidence] = []
        for formula in formulas:
            answer = self.answer(formula)
            if isinstance(answer, Countermodel | GaveUp):
                return answer
            found.append(answer)
        return tuple(found)

    @property
    def expired(self) -> bool:
        """Whether the time is up."""
        return clock() > self.deadline

    def quick(self) -> Prover:
        """A prover for questions that may stay open: smaller limits, and no solver."""
        return Prover(NO_SOLVER, self.deadline, QUICK_LIMITS)

    def _answer(self, formula: Term) -> Evidence | Countermodel | GaveUp:
        if self.expired:
            return GaveUp("the time limit was reached")
        if self.solver == NO_SOLVER:
            return search(formula, self.limits)
        if self.solver == "auto":
            found = search(formula, self.limits)
            return self._ask("z3", formula, found) if isinstance(found, GaveUp) else found
        return self._ask(self.solver, formula, None)

    def _ask(self, name: str, formula: Term, gave_up: GaveUp | None) -> Evidence | Countermodel | GaveUp:
        from tallystick.core.solvers.door import solver
        from tallystick.core.solvers.interface import SolverError

        try:
            back_end = solver(name)
        except SolverError as missing:
            if gave_up is None:
                raise
            return GaveUp(f"{gave_up.reason}; {missing}")
        self.solver_calls += 1
        try:
            answer = back_end.validity(formula, None if isinf(self.deadline) else self.deadline)
        except FragmentError as refused:  # solvers here know integers, booleans and tuples
            return search(formula, self.limits) if gave_up is None else GaveUp(f"{gave_up.reason}; {name}: {refused}")
        if isinstance(answer, Invalid):
            return Countermodel(answer.model)
        if isinstance(answer, NoAnswer):
            return GaveUp(f"{gave_up.reason}; {name}: {answer.reason}" if gave_up else f"{name}: {answer.reason}")
        found = search(formula, self.limits) if gave_up is None else gave_up
        return Oracle(name) if isinstance(found, Countermodel | GaveUp) else found
