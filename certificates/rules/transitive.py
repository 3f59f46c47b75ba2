"""TRANS: both sides equal a third term."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tallystick.certificates.judgements import Judgement, Requirements, Subgoal, related
from tallystick.core.terms import Term


@dataclass(frozen=True, slots=True)
class Transitive:
    """
    Γ; Δ ⊢ P₁ ≡ P₂    Γ; Δ ⊢ P₂ ≡ P₃
    ----------------------------------  TRANS
    Γ; Δ ⊢ P₁ ≡ P₃

    Attributes:
        middle: P₂.
    """

    middle: Term

    def requirements(self, goal: Judgement) -> Requirements:
        """That each side equals the middle."""
        sides = related(goal)
        first, second = replace(sides, right=self.middle), replace(sides, left=self.middle)
        return Requirements(subgoals=(Subgoal("first", first), Subgoal("second", second)))
