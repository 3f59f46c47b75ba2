"""Proof trees: how a claim follows by the kernel's rules. Plain data: nothing is proved until the kernel says so."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.premises import Bucket, Matching
from tallystick.certificates.refutation import Refutation
from tallystick.core.terms import Term


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
