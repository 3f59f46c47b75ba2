"""AGAIN: what has been proved before need not be proved again."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.judgements import Judgement, Requirements, related
from tallystick.core.errors import KernelError


@dataclass(frozen=True, slots=True)
class Again:
    """
    ------------------  AGAIN
    Γ; Δ ⊢ P ≡ Q

    where a step that is replayed before this one proves the same: the kernel keeps what it proves, and asks for it.
    """

    def requirements(self, goal: Judgement) -> Requirements:
        """None. Fails for programs, which have no catalogue."""
        if related(goal).catalogue is None:
            raise KernelError("AGAIN is about queries")
        return Requirements()
