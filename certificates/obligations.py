"""The premises that a proof rests on, each with its path, formula and evidence (untrusted: for readers and exports).

The kernel derives the same premises on its own when it replays a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tallystick.certificates import kernel, premises, proofs
from tallystick.certificates.proofs import Certificate, Counterexample
from tallystick.core.terms import TRUE, Term


@dataclass(frozen=True, slots=True)
class Obligation:
    """A premise of a step: the path of the step in the proof, the premise's name, its formula and its evidence."""

    path: str
    name: str
    formula: Term
    evidence: proofs.Evidence


def obligations(certificate: Certificate) -> Iterator[Obligation]:
    """The premises behind a certificate of equivalence, in the order of the proof; none for a counterexample."""
    if not isinstance(certificate.result, Counterexample):
        goal = (TRUE, certificate.left.expression, certificate.right.expression)
        yield from _of_proof(goal, certificate.result, "proof")


def _of_proof(goal: kernel.Goal, proof: proofs.Proof, path: str) -> Iterator[Obligation]:
    hypothesis, left, right = goal
    match proof:
        case proofs.NoAgg(matching, evidence):
            yield from _of_step(path, premises.no_agg(*goal, matching), evidence)
        case proofs.Distinct(evidence):
            yield from _of_step(path, premises.distinct(*goal), evidence)
        case proofs.Fold(folds, accumulators, invariant, evidence, rest):
            yield from _of_step(path, premises.fold(hypothesis, folds, accumulators, invariant), evidence)
            conclusion = kernel.fold_goal(*goal, folds, accumulators, invariant)
            yield from _of_proof(conclusion, rest, f"{path}.conclusion")
        case proofs.ByKey(folds, buckets, invariant, evidence):
            functions = kernel.posts((left, right), folds)
            yield from _of_step(path, premises.by_key(hypothesis, folds, functions, buckets, invariant), evidence)
        case proofs.Congruence(parts, fresh, equal_parts, whole):
            yield from _of_proof((hypothesis, *parts), equal_parts, f"{path}.equal_parts")
            yield from _of_proof(kernel.congruence_goal(*goal, parts, fresh), whole, f"{path}.whole")
        case proofs.Transitive(middle, first, second):
            yield from _of_proof((hypothesis, left, middle), first, f"{path}.first")
            yield from _of_proof((hypothesis, middle, right), second, f"{path}.second")
        case proofs.Symmetric(mirrored):
            yield from _of_proof((hypothesis, right, left), mirrored, f"{path}.proof")


def _of_step(path: str, required: premises.Premises, evidence: tuple[proofs.Evidence, ...]) -> Iterator[Obligation]:
    for (name, formula), piece in zip(required, evidence, strict=True):
        yield Obligation(path, name, formula, piece)
