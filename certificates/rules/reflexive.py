"""REFLEXIVE: identical terms are equivalent."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.judgements import Judgement, Requirements, related
from tallystick.core.errors import KernelError


@dataclass(frozen=True, slots=True)
class Reflexive:
    """
    --------------  REFLEXIVE
    Γ; Δ ⊢ P ≡ P

    Fails when the sides are not one term. Equal terms are one object.
    """

    def requirements(self, goal: Judgement) -> Requirements:
        """None."""
        if (sides := related(goal)).left is not sides.right:
            raise KernelError("the sides are not the same term")
        return Requirements()
