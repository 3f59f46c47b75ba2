"""Certificates as theorems of Coq, about programs and about queries."""

from __future__ import annotations

from tallystick.certificates.codec import decode, require_canonical
from tallystick.certificates.exports.coq import theorem
from tallystick.certificates.exports.coq_queries import theorem_of_queries
from tallystick.certificates.proofs import Certificate, Step
from tallystick.certificates.reader import read
from tallystick.core.errors import FragmentError
from tallystick.core.programs import Program
from tallystick.decision.service.process import ProverProcess

SECONDS = 30.0
"""How long a proof about the programs that two queries are compiled to is searched for."""


def theorem_of(data: bytes) -> str:
    """The Coq file that proves the claim of the certificate that `data` is the encoding of.

    Raises CertificateError when it is none, and FragmentError for what the development in `coq/` does not have.
    """
    certificate = read(data)
    require_canonical(certificate, data)
    try:
        return theorem(certificate) if isinstance(certificate, Certificate) else theorem_of_queries(certificate, _proof)
    except RecursionError:
        raise FragmentError("the certificate is nested too deeply to be written for Coq") from None


def _proof(left: Program, right: Program) -> Step | None:
    """A proof that two programs return the same, if one is found."""
    with ProverProcess() as prover:
        found = prover.settle(left, right, ("", ""), "auto", SECONDS).certificate
    result = None if found is None else decode(found.encode()).result
    return result if isinstance(result, Step) else None
