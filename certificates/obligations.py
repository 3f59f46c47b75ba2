"""What a proof rests on, step by step: rules, goals, premises and their evidence (untrusted: for readers and exports).

The kernel derives the same premises from the same rules on its own when it replays a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tallystick.certificates.evidence import Evidence
from tallystick.certificates.judgements import Goal, Judgement, Premise
from tallystick.certificates.kernel import one_values
from tallystick.certificates.proofs import Certificate, Counterexample, Step
from tallystick.core.terms import TRUE


@dataclass(frozen=True, slots=True)
class Obligation:
    """A premise of a step: the path of the step in the proof, the premise, and its evidence."""

    path: str
    premise: Premise
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Node:
    """A step of a proof: its path, what it proves, its premises with their evidence, and what proves its subgoals."""

    path: str
    goal: Judgement
    step: Step
    obligations: tuple[Obligation, ...]
    subproofs: tuple[Node, ...]


def proof_of(certificate: Certificate) -> Node | None:
    """The proof of a certificate of equivalence; None for a counterexample. Raises like the rules that it uses."""
    if isinstance(certificate.result, Counterexample):
        return None
    return derived(Goal(TRUE, certificate.left.expression, certificate.right.expression), certificate.result)


def values_of(certificate: Certificate) -> list[Node]:
    """The proofs that folds of a certificate's programs have one value."""
    goals = one_values(certificate.semantics, certificate.left, certificate.right)
    pairs = enumerate(zip(goals, certificate.one_values, strict=True))
    return [derived(goal, step, f"one_values[{number}]") for number, (goal, step) in pairs if step is not None]


def derived(goal: Judgement, step: Step, path: str = "proof") -> Node:
    """A proof with what its rules require."""
    required = step.rule.requirements(goal)
    pairs = zip(required.premises, step.evidence, strict=True)
    below = zip(required.subgoals, step.subproofs, strict=True)
    return Node(
        path,
        goal,
        step,
        tuple(Obligation(path, premise, evidence) for premise, evidence in pairs),
        tuple(derived(subgoal.goal, subproof, f"{path}.{subgoal.role}") for subgoal, subproof in below),
    )


def obligations(certificate: Certificate) -> Iterator[Obligation]:
    """The premises behind a certificate, in the order of the proofs; for a counterexample, those about its folds."""
    proof = proof_of(certificate)
    for node in (*([] if proof is None else [proof]), *values_of(certificate)):
        yield from _all(node)


def _all(node: Node) -> Iterator[Obligation]:
    yield from node.obligations
    for subproof in node.subproofs:
        yield from _all(subproof)
