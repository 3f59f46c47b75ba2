"""Certificates and proof trees: plain data about how a claim follows. Nothing is proved until the kernel says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from tallystick.certificates.trees import ORACLES, Oracle, Step
from tallystick.core.programs import Program
from tallystick.core.terms import Term
from tallystick.core.types import Bag, Value

__all__ = ["ORACLES", "Certificate", "Counterexample", "Oracle", "Step"]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A value for each parameter, in order, and what both programs return."""

    inputs: tuple[Value | Bag, ...]
    outputs: tuple[Value | Bag, ...]


ASSUMPTIONS: Final = (
    "integers do not overflow",
    "means are exact quotients, and 0 for no elements",
    "decimals are exact",
    "floating-point numbers are exact",
    "no expression raises an error",
)
"""What a certificate may assume. The kernel asks for the second where programs return means."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The claim that two programs are equivalent, with a proof, or that they are not, with a counterexample.

    Attributes:
        VERSION: of the format (FORMAT.md). NODES, TERM: the classes whose objects have tables.
        semantics: what folds mean: "sparklite" or "spark".
        one_values: for each goal of `kernel.one_values`, its proof. None, in a counterexample, where the orders of the
            elements on that input are few enough to be tried.
        sources: the texts that the programs were read from: for the reader, and no part of the claim.
        assumptions: some of ASSUMPTIONS.
        producer: names and versions of the software that found the result.
    """

    VERSION: ClassVar[int] = 2
    NODES: ClassVar[tuple[type, ...]] = ()
    TERM: ClassVar[type] = Term
    left: Program
    right: Program
    semantics: str
    sources: tuple[str, str]
    assumptions: tuple[str, ...]
    producer: tuple[tuple[str, str], ...]
    one_values: tuple[Step | None, ...]
    result: Step | Counterexample

    @property
    def verdict(self) -> str:
        """The claim in a word."""
        return "inequivalent" if isinstance(self.result, Counterexample) else "equivalent"
