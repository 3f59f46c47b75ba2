"""One term on both sides (kernel rule REFLEXIVE).

Statement    A program is equivalent to itself.
Fragment     programs that are read as one term, and parts of programs.
Complete     where it applies.
Certificate  REFLEXIVE.
"""

from __future__ import annotations

from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.decision.outcome import Goal, MethodContext, Outcome, Proved

NAME = "reflexive"


def reflexive(goal: Goal, _: MethodContext) -> Outcome | None:
    """Proves a goal whose sides are one term; None for others. Equal terms are one object."""
    return Proved(Step(Reflexive()), (NAME,)) if goal.left is goal.right else None
