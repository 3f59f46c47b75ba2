"""Certificates as canonical JSON (FORMAT.md): one encoding for each certificate. What `decode` accepts, `encode` gives
back byte for byte.
"""

from __future__ import annotations

import json
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any

from tallystick.certificates.annotations import fields_of
from tallystick.certificates.proofs import Certificate
from tallystick.certificates.queries.proofs import QueryCertificate
from tallystick.certificates.reader import FRACTION, LIMITS, AnyCertificate, AuditLimits, header, read
from tallystick.core.errors import CertificateError
from tallystick.core.queries.syntax import NODES
from tallystick.core.terms import Term


def encode(certificate: AnyCertificate) -> bytes:
    """The encoding of a certificate; raises CertificateError when its nesting or numbers are beyond Python's limits."""
    rows: list[list[Any]] = []
    numbers: dict[Term, int] = {}
    syntax: list[list[Any]] = []
    nodes: dict[str, int] = {}
    written: dict[int, int] = {}

    def node(value: Any) -> int:
        """The number of a node of a query: equal nodes are one row."""
        if id(value) not in written:
            row = [type(value).__name__, *map(write, [getattr(value, name) for name in fields_of(type(value))])]
            key = json.dumps(row)
            if key not in nodes:
                nodes[key] = len(syntax)
                syntax.append(row)
            written[id(value)] = nodes[key]
        return written[id(value)]

    def write(value: Any) -> Any:
        if type(value) in (int, str, bool, NoneType):
            return value
        if NODES.get(type(value).__name__) is type(value):
            return node(value)
        if isinstance(value, Term):
            if value not in numbers:
                arguments = list(map(write, value.arguments))
                rows.append([value.operator.value, write(value.parameter), *arguments])
                numbers[value] = len(numbers)
            return numbers[value]
        if isinstance(value, tuple):
            return list(map(write, value))
        if isinstance(value, Fraction):
            return [FRACTION, value.numerator, value.denominator]
        if isinstance(value, Enum):
            return value.value
        if isinstance(value, dict):
            return write(tuple(sorted(value.items())))
        return [type(value).__name__, *map(write, [getattr(value, name) for name in fields_of(type(value))])]

    try:
        document = {field.name: write(getattr(certificate, field.name)) for field in fields(certificate)}
        document |= {**header(type(certificate)), "terms": rows, "verdict": certificate.verdict}
        if not isinstance(certificate, Certificate):
            document["syntax"] = syntax
        lines = [f'"{key}":{json.dumps(document[key], separators=(",", ":"))}' for key in sorted(document)]
    except (RecursionError, ValueError) as error:
        raise CertificateError(f"the certificate cannot be written: {error}") from error
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("ascii")


def decode(data: bytes, limits: AuditLimits = LIMITS) -> Certificate:
    """The certificate about programs that `data` is the encoding of.

    Raises CertificateError, which says where, when there is none; for a certificate about queries, too.
    """
    certificate = read(data, limits)
    if not isinstance(certificate, Certificate):
        raise CertificateError("certificate: it is not about programs")
    require_canonical(certificate, data)
    return certificate


def decode_queries(data: bytes, limits: AuditLimits = LIMITS) -> QueryCertificate:
    """The certificate about queries that `data` is the encoding of; raises CertificateError like `decode`."""
    certificate = read(data, limits)
    if not isinstance(certificate, QueryCertificate):
        raise CertificateError("certificate: it is not about queries")
    require_canonical(certificate, data)
    return certificate


def require_canonical(certificate: AnyCertificate, data: bytes) -> None:
    """Raises CertificateError unless `data` is what `encode` writes."""
    if encode(certificate) != data:
        problem = "the order of keys, terms or elements, a term that is unused or repeated, or layout"
        raise CertificateError(f"certificate: not canonical: {problem}")
