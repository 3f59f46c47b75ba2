"""What methods ask of a rule of inference: evidence for its premises, and its subgoals as goals of theirs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tallystick.certificates.evidence import Evidence
from tallystick.certificates.judgements import Goal as Judged
from tallystick.certificates.judgements import Judgement, Premise
from tallystick.certificates.rules.congruence import Congruence
from tallystick.core.terms import Term
from tallystick.decision.inputs import input_bags
from tallystick.decision.outcome import Goal, Model
from tallystick.decision.prover import Countermodel, GaveUp, Prover


@dataclass(frozen=True, slots=True)
class Failed:
    """A premise without evidence, and what the prover said of it."""

    premise: Premise
    answer: Countermodel | GaveUp

    @property
    def models(self) -> tuple[Model, ...]:
        """The model of the goal that falsifies the premise, if there is one."""
        found = isinstance(self.answer, Countermodel)
        return (input_bags(self.answer.values, self.premise.rows),) if found else ()  # type: ignore[union-attr]


def evidence_for(premises: Iterable[Premise], prover: Prover) -> tuple[Evidence, ...] | Failed:
    """Evidence for all premises in order, or the first that has none."""
    found: list[Evidence] = []
    for premise in premises:
        answer = prover.answer(premise.formula)
        if isinstance(answer, Countermodel | GaveUp):
            return Failed(premise, answer)
        found.append(answer)
    return tuple(found)


def formulas(premises: Iterable[Premise]) -> list[Term]:
    """What premises say."""
    return [premise.formula for premise in premises]


def searched(goal: Judgement) -> Goal:
    """A subgoal of a rule about programs, as the methods take it."""
    assert isinstance(goal, Judged)
    return goal if isinstance(goal, Goal) else Goal(goal.hypothesis, goal.left, goal.right)


def congruence_rest(goal: Goal, rule: Congruence) -> Goal:
    """What CONG leaves of a goal: E₁[x] ≡ E₂[x]."""
    _, whole = rule.requirements(goal).subgoals
    return searched(whole.goal)
