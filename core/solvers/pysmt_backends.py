"""Z3 and cvc5 through pySMT, quantifiers included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pysmt.environment import Environment
from pysmt.exceptions import (
    InternalSolverError,
    SolverReturnedUnknownResultError,
)
from pysmt.fnode import FNode
from pysmt.logics import LIA, QF_LIA
from tallystick.core.answers import Answer, Invalid, NoAnswer, Valid
from tallystick.core.errors import FragmentError
from tallystick.core.presburger.formulas import Formula
from tallystick.core.solvers.encode import Encoder, encode_formula, value_of
from tallystick.core.solvers.interface import TIMED_OUT, SolverError, confirmed, milliseconds
from tallystick.core.terms import Term, free_variables
from tallystick.core.types import BOOL, Value

TIME_LIMIT = {"z3": "timeout", "cvc5": "tlimit-per"}
"""The option of each solver that limits the milliseconds of one check."""


@dataclass(frozen=True)
class PySmtSolver:
    """An SMT solver; see `Solver` for its methods. Each query gets an environment of its own.

    The solver's class is named here rather than found by pySMT's factory, which probes all solvers each time.
    """

    name: str

    def __post_init__(self) -> None:
        self._running  # noqa: B018 - raises ImportError now rather than at the first query

    @property
    def _running(self) -> Callable[..., Any]:
        match self.name:
            case "z3":
                from pysmt.solvers.z3 import Z3Solver

                return Z3Solver
            case "cvc5":
                from pysmt.solvers.cvcfive import CVC5Solver

                return CVC5Solver
        raise SolverError(f"no pySMT back-end is set up for {self.name}")

    def validity(self, formula: Term, deadline: float | None = None) -> Answer:
        return self.validity_forall_exists((), (), formula, deadline)

    def validity_forall_exists(
        self,
        universals: Sequence[Term],
        existentials: Sequence[Term],
        body: Term,
        deadline: float | None = None,
    ) -> Answer:
        if body.type != BOOL:
            raise FragmentError(f"expected a Bool-typed formula, found {body.type}")
        environment = Environment()
        encoder = Encoder(environment)
        manager = environment.formula_manager
        negated = manager.Not(encoder.encode(body))
        bound = set(existentials)
        inner = [quotient for quotient in encoder.quotients.values() if quotient.variables & bound]
        outer = [quotient for quotient in encoder.quotients.values() if not quotient.variables & bound]
        names = [*encoder.symbols_of(existentials), *(quotient.symbol for quotient in inner)]
        if names:
            defined = manager.And([quotient.definition for quotient in inner])
            negated = manager.ForAll(names, manager.Implies(defined, negated))
        goal = manager.And([negated, *(quotient.definition for quotient in outer)])
        variables = [*dict.fromkeys((*universals, *sorted(free_variables(body) - bound, key=repr)))]
        values = self._model(environment, goal, encoder, deadline, quantified=bool(names))
        if values is None:
            return Valid()
        if isinstance(values, NoAnswer):
            return values
        model = {variable: value_of(variable, values) for variable in variables}
        return confirmed(model, existentials, body, deadline, self.name)

    def truth(self, sentence: Formula, deadline: float | None = None) -> Answer:
        environment = Environment()
        goal = encode_formula(sentence, environment)
        values = self._model(environment, goal, Encoder(environment), deadline, quantified=True)
        if isinstance(values, NoAnswer):
            return values
        return Invalid({}) if values is None else Valid()

    def _model(
        self,
        environment: Environment,
        goal: FNode,
        encoder: Encoder,
        deadline: float | None,
        quantified: bool,
    ) -> dict[Term, Value] | NoAnswer | None:
        """Values of the encoder's symbols where the goal holds; None when it holds nowhere."""
        remaining = milliseconds(deadline)
        if remaining == 0:
            return NoAnswer(TIMED_OUT)
        options = {} if remaining is None else {TIME_LIMIT[self.name]: remaining}
        try:
            logic = LIA if quantified else QF_LIA
            with self._running(environment, logic, generate_models=True, solver_options=options) as running:
                running.add_assertion(goal)
                if not running.solve():
                    return None
                return {path: running.get_value(symbol).constant_value() for path, symbol in encoder.symbols.items()}
        except SolverReturnedUnknownResultError:
            late = milliseconds(deadline) == 0
            return NoAnswer(TIMED_OUT if late else f"{self.name} gave up")
        except InternalSolverError as failure:
            return NoAnswer(f"{self.name} failed: {failure}")
