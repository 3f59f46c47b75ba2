"""Certificates and proof trees: plain data about how a claim follows. Nothing is proved until the kernel says so."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.evidence import Evidence, Oracle, Step
from tallystick.core.interpreter import Bag
from tallystick.core.programs import Program
from tallystick.core.types import Value

__all__ = ["Certificate", "Counterexample", "Evidence", "Oracle", "Step"]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A value for each parameter, in order, and what both programs return."""

    inputs: tuple[Value | Bag, ...]
    outputs: tuple[Value | Bag, ...]


@dataclass(frozen=True, slots=True)
class Certificate:
    """The claim that two programs are equivalent, with a proof, or that they are not, with a counterexample.

    Attributes:
        sources: the texts that the programs were read from: for the reader, and no part of the claim.
        assumptions: sentences under which the programs mean what their sources mean.
        producer: names and versions of the software that found the result.
    """

    left: Program
    right: Program
    sources: tuple[str, str]
    assumptions: tuple[str, ...]
    producer: tuple[tuple[str, str], ...]
    result: Step | Counterexample

    @property
    def verdict(self) -> str:
        """The claim in a word."""
        return "inequivalent" if isinstance(self.result, Counterexample) else "equivalent"
