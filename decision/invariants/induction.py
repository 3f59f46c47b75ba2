"""The FOLD rule as a tactic: from an invariant of the folds to a proof tree (THEORY section 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.fold import Fold, Initial
from tallystick.core.interpreter import Environment
from tallystick.core.terms import Operator, Term, aggregates
from tallystick.core.types import BagType, default_value, is_basic
from tallystick.decision.inputs import parameters
from tallystick.decision.invariants.runs import Contents, realised
from tallystick.decision.outcome import Differs, Goal, MethodContext, Model, Outcome, Proved, Unknown
from tallystick.decision.prover import GaveUp
from tallystick.decision.tactics import Failed, evidence_for, searched

Run = Callable[[Environment], Contents]
"""From an input of a conclusion, where accumulators are parameters, to the index elements that lead to these."""


@dataclass(frozen=True, slots=True)
class Induction:
    """The innermost folds of a goal, each with the variable that stands for its accumulator."""

    goal: Goal
    folds: tuple[Term, ...]
    accumulators: tuple[Term, ...]

    @classmethod
    def over(cls, goal: Goal) -> Induction:
        """The induction over all innermost folds of a goal; accumulators are called M₁, M₂, … in order."""
        return cls.of(goal, goal.innermost_folds)

    @classmethod
    def first_stage(cls, goal: Goal) -> Induction | None:
        """The induction over the innermost folds on whose values other folds depend; None where that is all or none.

        An innermost fold over the same bags as a fold around another waits for that one, to run beside it later.
        """
        innermost = goal.innermost_folds
        outer = [term for side in (goal.left, goal.right) for term in aggregates(side) if term not in innermost]
        inside = {term for fold in outer for term in aggregates(fold)}
        later = {index_set(fold) for fold in outer}
        folds = tuple(fold for fold in innermost if fold in inside or index_set(fold) not in later)
        return cls.of(goal, folds) if folds and len(folds) < len(innermost) else None

    @classmethod
    def of(cls, goal: Goal, folds: tuple[Term, ...]) -> Induction:
        """The induction over some of the innermost folds."""
        names = [goal.fresh(f"M{index}", fold.type) for index, fold in enumerate(folds, 1)]
        return cls(goal, folds, tuple(names))

    @property
    def initial(self) -> tuple[Term, ...]:
        """The initial values of the folds."""
        return tuple(fold.arguments[0] for fold in self.folds)

    def conclusion(self, invariant: Term) -> Goal:
        """What is left to show when `invariant` holds of the accumulators."""
        goal = self.goal
        return searched(Fold(self.folds, self.accumulators, invariant).conclusion(goal))

    def state(self, environment: Environment) -> Model:
        """The values that an input of the conclusion gives to the basic parameters and accumulators of the goal.

        Those that the conclusion does not mention have the default value of their type: any does as well.
        """
        names = [*(name for name in parameters(self.goal) if is_basic(name.type)), *self.accumulators]
        return {name: environment.get(name, default_value(name.type)) for name in names}  # type: ignore[misc]

    def refuted(self, reached: Term, context: MethodContext, method: str, run: Run) -> Differs | None:
        """An input of the goal on which its sides differ, where accumulators have values that `reached` describes.

        Other variables of `reached` are read as bound by ∃: refuting needs no elimination of quantifiers. None when
        such an input was not found.
        """
        answer = context.decide(self.conclusion(reached))
        return self._realised(answer, method, run) if isinstance(answer, Differs) else None

    def prove(self, invariant: Term, context: MethodContext, method: str, run: Run | None = None) -> Outcome:
        """A proof by FOLD with this invariant, or Unknown with the premise that failed and the model of its failure.

        Where the invariant does not imply the conclusion, and `run` says how accumulators get the values on which it
        fails, there may be an input on which the sides of the goal differ.
        """
        rule = Fold(self.folds, self.accumulators, invariant)
        evidence = evidence_for(rule.requirements(self.goal).premises, context.prover)
        if isinstance(evidence, Failed):
            return _failed(evidence)
        match context.decide(self.conclusion(invariant)):
            case Unknown(reason, models):
                return Unknown(f"the invariant does not imply the conclusion: {reason}", models)
            case Differs(environment) as differs:
                unknown = Unknown("the invariant does not imply the conclusion", (values(environment),))
                return (run and self._realised(differs, method, run)) or unknown
            case Proved(proof, methods):
                return Proved(Step(rule, evidence, (proof,)), (method, *methods))

    def _realised(self, differs: Differs, method: str, run: Run) -> Differs | None:
        found = realised(self.goal, [differs.environment], run(differs.environment))
        return Differs(found, method) if found is not None else None


def index_set(fold: Term) -> frozenset[Term]:
    """The input bags that a fold runs over, apart from those that only its functions mention."""
    waiting, found = [fold.arguments[2]], set()
    while waiting:
        bag = waiting.pop()
        if bag.operator is Operator.VARIABLE:
            found.add(bag)
        waiting.extend(argument for argument in bag.arguments if isinstance(argument.type, BagType))
    return frozenset(found)


def values(environment: Environment) -> Model:
    """The part of an input that is no bag."""
    return {name: value for name, value in environment.items() if not isinstance(value, dict)}


def _failed(failed: Failed) -> Unknown:
    about = failed.premise.about
    if isinstance(failed.answer, GaveUp):
        return Unknown(f"premise {str(about)!r} was not decided: {failed.answer.reason}")
    shown = "true initially" if isinstance(about, Initial) else str(about)
    return Unknown(f"the invariant is not {shown}", failed.models)
