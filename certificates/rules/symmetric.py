"""SYM: the sides change places."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tallystick.certificates.judgements import Judgement, Requirements, Subgoal, related


@dataclass(frozen=True, slots=True)
class Symmetric:
    """
    Γ; Δ ⊢ P₁ ≡ P₂
    ---------------  SYM
    Γ; Δ ⊢ P₂ ≡ P₁
    """

    def requirements(self, goal: Judgement) -> Requirements:
        """The mirrored goal."""
        sides = related(goal)
        return Requirements(subgoals=(Subgoal("mirrored", replace(sides, left=sides.right, right=sides.left)),))
