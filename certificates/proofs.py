"""Certificates and proof trees: plain data about how a claim follows. Nothing is proved until the kernel says so."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.premises import Bucket, Matching
from tallystick.certificates.refutation import Refutation
from tallystick.core.interpreter import Bag
from tallystick.core.programs import Program
from tallystick.core.terms import Term
from tallystick.core.types import Value


@dataclass(frozen=True, slots=True)
class Oracle:
    """The word of a solver that a formula is valid: allowed, reported by audits, and best avoided."""

    solver: str


Evidence = Refutation | Oracle
"""Why a premise is valid (THEORY section 4)."""


@dataclass(frozen=True, slots=True)
class NoAgg:
    """NOAGG: `evidence` for the premises, in their order."""

    matching: Matching | None
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Distinct:
    """SET: `evidence` for the premises, in their order."""

    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """FOLD: an invariant over `accumulators`, one for each of `folds`, evidence, and a proof of the conclusion."""

    folds: tuple[Term, ...]
    accumulators: tuple[Term, ...]
    invariant: Term
    evidence: tuple[Evidence, ...]
    conclusion: Proof


@dataclass(frozen=True, slots=True)
class ByKey:
    """BYKEY: an invariant over the two `buckets`, one for each of the two by-key `folds`."""

    folds: tuple[Term, Term]
    buckets: tuple[Bucket, Bucket]
    invariant: Term
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Congruence:
    """CONG: equal `parts` of both sides are replaced by the variable `fresh`."""

    parts: tuple[Term, Term]
    fresh: Term
    equal_parts: Proof
    whole: Proof


@dataclass(frozen=True, slots=True)
class Transitive:
    """TRANS: both sides equal `middle`."""

    middle: Term
    first: Proof
    second: Proof


@dataclass(frozen=True, slots=True)
class Symmetric:
    """SYM: the sides change places."""

    proof: Proof


Proof = NoAgg | Distinct | Fold | ByKey | Congruence | Transitive | Symmetric


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
    result: Proof | Counterexample

    @property
    def verdict(self) -> str:
        """The claim in a word."""
        return "inequivalent" if isinstance(self.result, Counterexample) else "equivalent"
