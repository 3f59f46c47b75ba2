"""AGAIN: what has been proved before need not be proved again."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.judgements import Judgement, Requirements, related
from tallystick.core.errors import KernelError


@dataclass(frozen=True, slots=True)
class Again:
    """
    ---------  AGAIN
    judgement

    where a step before this one proves the same judgement: the kernel, which keeps what it has proved, sees to that.
    Steps come in the order in which they are replayed: subproofs first, in their order, then the premises' evidence.

    Fails when no step before has the same hypothesis, sides, rows and catalogue, and for programs without a catalogue.
    """

    def requirements(self, goal: Judgement) -> Requirements:
        """None."""
        if related(goal).catalogue is None:
            raise KernelError("AGAIN is about queries")
        return Requirements()
