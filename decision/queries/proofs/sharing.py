"""Proofs in which no judgement is proved twice: rule AGAIN (untrusted)."""

from __future__ import annotations

from tallystick.certificates.evidence import Step
from tallystick.certificates.judgements import Goal
from tallystick.certificates.rules.again import Again


def shared(goal: Goal, step: Step) -> Step:
    """A proof of the same goal, with rule AGAIN for what a step before has proved.

    Steps are visited as the kernel replays them. What the evidence of premises proves is left as it is.
    """
    return _Sharing().visit(goal, step)


class _Sharing:
    def __init__(self) -> None:
        self._proved: set[Goal] = set()

    def visit(self, goal: Goal, step: Step) -> Step:
        if goal in self._proved:
            return Step(Again())
        subgoals = step.rule.requirements(goal).subgoals if step.subproofs else ()
        below = tuple(
            self.visit(subgoal.goal, proof) if isinstance(subgoal.goal, Goal) else proof
            for subgoal, proof in zip(subgoals, step.subproofs, strict=True)
        )
        self._proved.add(goal)
        return Step(step.rule, step.evidence, below)
