"""Certificates as canonical JSON (FORMAT.md): one encoding for each certificate. What `decode` accepts, `encode` gives
back byte for byte.
"""

from __future__ import annotations

import json
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tallystick.certificates.annotations import VALUES, names_of
from tallystick.certificates.budget import LIMITS, AuditLimits
from tallystick.certificates.reader import FRACTION, header, read
from tallystick.core.errors import CertificateError
from tallystick.core.work import deeply_nested

if TYPE_CHECKING:
    from tallystick.certificates.proofs import Certificate
    from tallystick.core.terms import Term


def encode(certificate: Any) -> bytes:
    """The encoding of a Certificate, QueryCertificate or DataflowCertificate.

    Raises CertificateError when its nesting or numbers are beyond Python's limits.
    """
    rows: list[list[Any]] = []
    numbers: dict[Term, int] = {}
    syntax: list[list[Any]] = []
    nodes: dict[str, int] = {}
    written: dict[int, int] = {}

    def node(value: Any) -> int:
        """The number of a node of a query: equal nodes are one row."""
        if id(value) not in written:
            row = record(value)
            key = repr(row)
            if key not in nodes:
                nodes[key] = len(syntax)
                syntax.append(row)
            written[id(value)] = nodes[key]
        return written[id(value)]

    def record(value: Any) -> list[Any]:
        kind = type(value)
        return [kind.__name__, *map(write, [getattr(value, name) for name in names_of(kind)])]

    def write(value: Any) -> Any:
        kind = type(value)
        if kind in VALUES:
            return value
        if kind is tuple:
            return list(map(write, value))
        if kind is certificate.TERM:
            if value not in numbers:
                arguments = list(map(write, value.arguments))
                rows.append([value.operator.value, write(value.parameter), *arguments])
                numbers[value] = len(numbers)
            return numbers[value]
        if isinstance(value, certificate.NODES):
            return node(value)
        if kind is Fraction:
            return [FRACTION, value.numerator, value.denominator]
        if kind is dict:
            return write(tuple(sorted(value.items())))
        return value.value if isinstance(value, Enum) else record(value)

    try:
        with deeply_nested():
            document = {name: write(getattr(certificate, name)) for name in names_of(type(certificate))}
        document |= {**header(type(certificate)), "terms": rows, "verdict": certificate.verdict}
        if certificate.NODES:
            document["syntax"] = syntax
        lines = [f'"{key}":{json.dumps(document[key], separators=(",", ":"))}' for key in sorted(document)]
    except (RecursionError, ValueError) as error:
        raise CertificateError(f"the certificate cannot be written: {error}") from error
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("ascii")


def decode(data: bytes, limits: AuditLimits = LIMITS) -> Certificate:
    """The certificate about programs that `data` is the encoding of.

    Raises CertificateError, which says where, when there is none; for a certificate about queries, too.
    """
    from tallystick.certificates.proofs import Certificate

    certificate = read(data, limits)
    if not isinstance(certificate, Certificate):
        raise CertificateError("certificate: it is not about programs")
    require_canonical(certificate, data)
    return certificate


def require_canonical(certificate: Any, data: bytes) -> None:
    """Raises CertificateError unless `data` is what `encode` writes."""
    if encode(certificate) != data:
        problem = "the order of keys, terms or elements, a term that is unused or repeated, or layout"
        raise CertificateError(f"certificate: not canonical: {problem}")
