"""Z3 and cvc5 through pySMT, quantifiers included.

pySMT has no integer division or remainder. `t div d` is a fresh q with d·q ≤ t < d·q + d, and `t mod d` is t - d·q; the
definitions are kept apart, since their place depends on the quantifiers around. Nothing is simplified or substituted by
pySMT: its simplifier divides integers through floats, its substitution captures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pysmt.environment import Environment
from pysmt.exceptions import (
    InternalSolverError,
    SolverReturnedUnknownResultError,
)
from pysmt.fnode import FNode
from pysmt.logics import LIA, QF_LIA
from pysmt.typing import BOOL as PYSMT_BOOL
from pysmt.typing import INT as PYSMT_INT
from tallystick.core.answers import Answer, Invalid, NoAnswer, Valid
from tallystick.core.errors import FragmentError
from tallystick.core.presburger.conversion import paths
from tallystick.core.presburger.formulas import Formula
from tallystick.core.solvers.encode import Encoder
from tallystick.core.solvers.interface import TIMED_OUT, SolverError, confirmed, milliseconds
from tallystick.core.solvers.sentences import encode_formula
from tallystick.core.terms import Term, free_variables, project
from tallystick.core.types import BOOL, TupleType, Type, Value

TIME_LIMIT = {"z3": "timeout", "cvc5": "tlimit-per"}
"""The option of each solver that limits the milliseconds of one check."""


class Quotient(NamedTuple):
    """A symbol that stands for a quotient, what defines it, and the symbols in the definition."""

    symbol: FNode
    definition: FNode
    symbols: frozenset[FNode]


class PySmtTerms:
    """Terms of pySMT; see `BackEnd` for its methods.

    Attributes:
        symbols: the symbol of each variable of type Int or Bool, or component of a variable.
        quotients: the quotients that occur, by dividend and divisor; each after those in its dividend.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._manager = environment.formula_manager
        self.symbols: dict[Term, FNode] = {}
        self.quotients: dict[tuple[FNode, FNode], Quotient] = {}

    def constant(self, value: bool | int) -> FNode:
        return self._manager.Bool(value) if isinstance(value, bool) else self._manager.Int(value)

    def variable(self, path: Term) -> FNode:
        if path not in self.symbols:
            kind = PYSMT_BOOL if path.type == BOOL else PYSMT_INT
            self.symbols[path] = self._manager.Symbol(f"v{len(self.symbols)}", kind)
        return self.symbols[path]

    def apply(self, symbol: str, arguments: Sequence[FNode], of: Type) -> FNode:
        manager = self._manager
        match symbol:
            case "div":
                return self._quotient(*arguments)
            case "mod":
                dividend, divisor = arguments
                return manager.Minus(dividend, manager.Times(divisor, self._quotient(dividend, divisor)))
        make: dict[str, Callable[..., FNode]] = {
            "+": manager.Plus,
            "*": manager.Times,
            "=": manager.EqualsOrIff,
            "<": manager.LT,
            "<=": manager.LE,
            "not": manager.Not,
            "and": manager.And,
            "or": manager.Or,
            "ite": manager.Ite,
        }
        return make[symbol](*arguments)

    def _quotient(self, dividend: FNode, divisor: FNode) -> FNode:
        key = dividend, divisor
        if key not in self.quotients:
            manager = self._manager
            symbol = manager.Symbol(f"q{len(self.quotients)}", PYSMT_INT)
            remainder = manager.Minus(dividend, manager.Times(divisor, symbol))
            within = manager.And(manager.LE(manager.Int(0), remainder), manager.LT(remainder, divisor))
            self.quotients[key] = Quotient(symbol, within, self._environment.fvo.get_free_variables(within))
        return self.quotients[key].symbol

    def symbols_of(self, variables: Iterable[Term]) -> list[FNode]:
        """The symbols of the variables' components."""
        return [self.variable(path) for variable in variables for path in paths(variable)]

    def dependent(self, bound: Iterable[FNode]) -> tuple[list[Quotient], list[Quotient]]:
        """The quotients that depend on the symbols, through other quotients too, and the others."""
        changing = set(bound)
        inner, outer = [], []
        for quotient in self.quotients.values():
            if changing.isdisjoint(quotient.symbols):
                outer.append(quotient)
            else:
                inner.append(quotient)
                changing.add(quotient.symbol)
        return inner, outer


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
        made = PySmtTerms(environment)
        manager = environment.formula_manager
        negated = manager.Not(Encoder(made).encode(body))
        bound = made.symbols_of(existentials)
        inner, outer = made.dependent(bound)
        names = [*bound, *(quotient.symbol for quotient in inner)]
        if names:
            defined = manager.And([quotient.definition for quotient in inner])
            negated = manager.ForAll(names, manager.Implies(defined, negated))
        goal = manager.And([negated, *(quotient.definition for quotient in outer)])
        others = sorted(free_variables(body).difference(existentials), key=repr)
        variables = [*dict.fromkeys((*universals, *others))]
        values = self._model(environment, goal, made.symbols, deadline, quantified=bool(names))
        if values is None:
            return Valid()
        if isinstance(values, NoAnswer):
            return values
        model = {variable: value_of(variable, values) for variable in variables}
        return confirmed(model, existentials, body, deadline, self.name)

    def truth(self, sentence: Formula, deadline: float | None = None) -> Answer:
        environment = Environment()
        goal = encode_formula(sentence, environment)
        values = self._model(environment, goal, {}, deadline, quantified=True)
        if isinstance(values, NoAnswer):
            return values
        return Invalid({}) if values is None else Valid()

    def _model(
        self,
        environment: Environment,
        goal: FNode,
        symbols: dict[Term, FNode],
        deadline: float | None,
        quantified: bool,
    ) -> dict[Term, Value] | NoAnswer | None:
        """Values of the symbols where the goal holds; None when it holds nowhere."""
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
                return {path: running.get_value(symbol).constant_value() for path, symbol in symbols.items()}
        except SolverReturnedUnknownResultError:
            late = milliseconds(deadline) == 0
            return NoAnswer(TIMED_OUT if late else f"{self.name} gave up")
        except InternalSolverError as failure:
            return NoAnswer(f"{self.name} failed: {failure}")


def value_of(path: Term, values: dict[Term, Value]) -> Value:
    """The value of a variable, put together from those of its components (the default value where none
    is)."""
    if isinstance(path.type, TupleType):
        inner = (project(path, index) for index in range(len(path.type.components)))
        return tuple(value_of(part, values) for part in inner)
    return values.get(path, False if path.type == BOOL else 0)
