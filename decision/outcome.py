"""What a decision method answers, and the goals that it is asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallystick.certificates import judgements
from tallystick.core.terms import Operator, Term, aggregates, free_variables, subterms, variable
from tallystick.core.types import Type, Value

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Step
    from tallystick.core.interpreter import Environment
    from tallystick.decision.prover import Prover

Model = Mapping[Term, Value]
"""A value for each variable and row of a formula; in models of goals, the tuple of its elements for an input bag."""


@dataclass(frozen=True, slots=True)
class Goal(judgements.Goal):
    """hypothesis ⊢ left ≡ right, to be proved or refuted."""

    @property
    def innermost_folds(self) -> tuple[Term, ...]:
        """The folds without aggregates inside, nor distinct, in order of occurrence."""
        return tuple(fold for fold in self._innermost if fold.operator is Operator.FOLD and not _has_distinct(fold))

    @property
    def innermost_by_key(self) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """The by-key folds without aggregates inside, of the left and of the right side."""
        left, right = (
            tuple(term for term in _innermost(side) if term.operator is Operator.FOLD_BY_KEY)
            for side in (self.left, self.right)
        )
        return left, right

    @property
    def _innermost(self) -> tuple[Term, ...]:
        return tuple(dict.fromkeys(_innermost(self.left) + _innermost(self.right)))

    def fresh(self, name: str, of: Type) -> Term:
        """A variable of a type whose name occurs nowhere in the goal: `name`, primed as often as it takes."""
        used = {
            free.parameter[0]  # type: ignore[index]
            for term in (self.hypothesis, self.left, self.right)
            for free in free_variables(term)
        }
        while name in used:
            name += "'"
        return variable(name, of)


def _has_distinct(term: Term) -> bool:
    return any(node.operator is Operator.DISTINCT for node in subterms(term))


def _innermost(term: Term) -> tuple[Term, ...]:
    return tuple(node for node in aggregates(term) if sum(1 for _ in aggregates(node)) == 1)


@dataclass(frozen=True, slots=True)
class Proved:
    """A proof tree for the goal, and the names of the methods that found it, outermost first."""

    proof: Step
    methods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Differs:
    """An input on which the two sides should differ, and the method that found it."""

    environment: Environment
    method: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """No answer: the reason, and models of the goal that failed premises gave, to build a differing input from."""

    reason: str
    models: tuple[Model, ...] = field(default=(), compare=False)


Outcome = Proved | Differs | Unknown


@dataclass(frozen=True, slots=True)
class MethodContext:
    """What every method may use: the prover of premises, and the portfolio for goals that remain."""

    prover: Prover
    decide: Callable[[Goal], Outcome]


Method = Callable[[Goal, MethodContext], Outcome | None]
"""A decision method: None where it does not apply."""
