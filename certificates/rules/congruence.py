"""CONG: equal parts of both sides are replaced by one new input."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tallystick.certificates.judgements import Judgement, Requirements, Subgoal, equivalence
from tallystick.certificates.rules.fold import require_fresh
from tallystick.core.terms import Term, substitute


@dataclass(frozen=True, slots=True)
class Congruence:
    """
    Γ ⊢ S₁ ≡ S₂    Γ ⊢ E₁[x] ≡ E₂[x]    x fresh
    --------------------------------------------  CONG
    Γ ⊢ E₁[S₁] ≡ E₂[S₂]

    Attributes:
        parts: S₁ and S₂.
        fresh: x.

    Fails when x is not fresh, or no variable of the type of S₁.
    """

    parts: tuple[Term, Term]
    fresh: Term

    def requirements(self, goal: Judgement) -> Requirements:
        """That the parts are equal, and that the rest is."""
        sides = equivalence(goal)
        one, other = self.parts
        require_fresh((self.fresh,), [one.type], (sides.hypothesis, sides.left, sides.right, one, other))
        left, right = substitute(sides.left, {one: self.fresh}), substitute(sides.right, {other: self.fresh})
        equal_parts, whole = replace(sides, left=one, right=other), replace(sides, left=left, right=right)
        return Requirements(subgoals=(Subgoal("equal_parts", equal_parts), Subgoal("whole", whole)))
