"""Certificates as theorems of Coq, about programs and about queries."""

from __future__ import annotations

from dataclasses import replace

from tallystick.certificates import kernel
from tallystick.certificates.codec import decode, encode, require_canonical
from tallystick.certificates.exports.coq import theorem
from tallystick.certificates.exports.coq_members import Members, with_members
from tallystick.certificates.exports.core.theorems import theorem_of_core
from tallystick.certificates.judgements import Goal
from tallystick.certificates.proofs import Certificate, Step
from tallystick.certificates.queries.certificates import QueryCertificate
from tallystick.certificates.reader import read
from tallystick.certificates.rules.normal import Normal
from tallystick.core.errors import FragmentError
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE
from tallystick.core_proofs.proofs import core_proof
from tallystick.decision.service.portfolio import METHODS
from tallystick.decision.service.process import ProverProcess
from tallystick.members.rule import members_proof

SECONDS = 30.0
"""How long a proof is searched for in place of one with NORMAL."""


def theorem_of(data: bytes) -> str:
    """The Coq file that proves the claim of the certificate that `data` is the encoding of.

    Where its proof has a rule that the development lacks, another proof is searched for. Raises CertificateError when
    it is none, and FragmentError for what the development in `coq/` does not have.
    """
    certificate = read(data)
    require_canonical(certificate, data)
    try:
        match certificate:
            case Certificate():
                return theorem(with_covered_rules(certificate))
            case QueryCertificate():
                return theorem_of_core(certificate, core_proof)
            case _:
                raise FragmentError("the Coq development has no certificates about dataflows")
    except RecursionError:
        raise FragmentError("the certificate is nested too deeply to be written for Coq") from None


def for_ocaml(data: bytes) -> bytes:
    """A certificate of the same claim that the extracted auditor reads: NORMAL is translated into MEMBERS.

    It is the certificate itself where that has no NORMAL. Raises CertificateError for what is no certificate about
    programs, and FragmentError where no proof without NORMAL is found.
    """
    return encoded_for_ocaml(with_covered_rules(decode(data)))


def encoded_for_ocaml(certificate: Certificate) -> bytes:
    """The encoding of a certificate without NORMAL."""
    has_members = isinstance(certificate.result, Step) and _has(Members, certificate.result)
    return encode(with_members(certificate) if has_members else certificate)


def with_covered_rules(certificate: Certificate) -> Certificate:
    """The certificate, or one of the same claim without NORMAL.

    Raises FragmentError when none is found, and KernelError where the proof by NORMAL is none.
    """
    result = certificate.result
    if not isinstance(result, Step) or not _has(Normal, result):
        return certificate
    kernel.check(certificate)
    translated = _translated(goal_of(certificate), result)
    if translated is not None:
        return replace(certificate, result=translated)
    found = _settled(certificate.left, certificate.right, certificate.semantics)
    if found is None or not isinstance(found.result, Step):
        raise FragmentError("the Coq development has no rule Normal, and no proof without it is found")
    return replace(certificate, result=found.result, one_values=found.one_values)


def goal_of(certificate: Certificate) -> Goal:
    """What the proof of an equivalence is about."""
    return Goal(TRUE, certificate.left.expression, certificate.right.expression)


def _translated(goal: Goal, step: Step) -> Step | None:
    """A proof with MEMBERS for NORMAL, if it is found."""
    if isinstance(step.rule, Normal):
        return members_proof(goal, step.rule)
    subgoals = step.rule.requirements(goal).subgoals
    subproofs = [
        _translated(each.goal, proof)  # type: ignore[arg-type]
        for each, proof in zip(subgoals, step.subproofs, strict=True)
    ]
    if any(each is None for each in subproofs):
        return None
    return replace(step, subproofs=tuple(each for each in subproofs if each is not None))


def _has(rule: type, step: Step) -> bool:
    return isinstance(step.rule, rule) or any(_has(rule, each) for each in step.subproofs)


def _settled(left: Program, right: Program, semantics: str) -> Certificate | None:
    """A certificate about two programs by rules that the development has, if one is found."""
    methods = [name for name in METHODS if name != "normal_forms"]
    with ProverProcess() as prover:
        found = prover.settle(left, right, ("", ""), "auto", SECONDS, methods, semantics=semantics).certificate
    return None if found is None else decode(found.encode())
