"""Certificates as canonical JSON (FORMAT.md): one encoding for each certificate. What `decode` accepts, `encode` gives
back byte for byte.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any, get_type_hints

from tallystick.certificates.proofs import Certificate
from tallystick.certificates.reader import HEADER, LIMITS, Limits, read
from tallystick.core.errors import CertificateError
from tallystick.core.terms import Term


def encode(certificate: Certificate) -> bytes:
    """The encoding of a certificate; raises CertificateError when its nesting or numbers are beyond Python's limits."""
    rows: list[list[Any]] = []
    numbers: dict[Term, int] = {}

    def write(value: Any) -> Any:
        if isinstance(value, Term):
            if value not in numbers:
                arguments = list(map(write, value.arguments))
                rows.append([value.operator.value, write(value.parameter), *arguments])
                numbers[value] = len(numbers)
            return numbers[value]
        if isinstance(value, tuple):
            return list(map(write, value))
        if isinstance(value, Fraction):
            return ["/", value.numerator, value.denominator]
        if isinstance(value, dict):
            return write(tuple(sorted(value.items())))
        if is_dataclass(value):
            return [type(value).__name__, *map(write, _parts(value))]
        return value

    try:
        document = dict(zip(get_type_hints(Certificate), map(write, _parts(certificate)), strict=True))
        document |= {**HEADER, "terms": rows, "verdict": certificate.verdict}
        lines = [f'"{key}":{json.dumps(document[key], separators=(",", ":"))}' for key in sorted(document)]
    except (RecursionError, ValueError) as error:
        raise CertificateError(f"the certificate cannot be written: {error}") from error
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("ascii")


def decode(data: bytes, limits: Limits = LIMITS) -> Certificate:
    """The certificate that `data` is the encoding of; raises CertificateError, which says where, when there is none."""
    certificate = read(data, limits)
    require_canonical(certificate, data)
    return certificate


def require_canonical(certificate: Certificate, data: bytes) -> None:
    """Raises CertificateError unless `data` is what `encode` writes."""
    if encode(certificate) != data:
        problem = "the order of keys, terms or elements, a term that is unused or repeated, or layout"
        raise CertificateError(f"certificate: not canonical: {problem}")


def _parts(value: Any) -> list[Any]:
    return [getattr(value, field.name) for field in fields(value)]
