"""Certificates about queries: what they claim, in words; whether it is about given queries; whether it follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tallystick.certificates.budget import Budget
from tallystick.certificates.queries import comparing, kernel
from tallystick.certificates.queries.kernel import SameResults, database_of
from tallystick.certificates.queries.printing import catalogue_lines, database_lines, outcome_line, statement_lines
from tallystick.certificates.queries.proofs import QueryCertificate, QueryPair, Witness
from tallystick.certificates.words import quoted

OTHERS: Final = "other queries or constraints, or another reading of them"
"""What a certificate is about that is not about given queries."""
LEFT, RIGHT = "the left query", "the right query"


def lines(certificate: QueryCertificate) -> Iterator[str]:
    """The claim, both statements, the tables with their constraints, and how the texts were read."""
    left, right, catalogue, result = certificate.left, certificate.right, certificate.catalogue, certificate.result
    if isinstance(result, Witness):
        yield "on this database, both queries do not return the same"
        yield from database_lines(catalogue, database_of(catalogue, result))
    elif left.order or right.order:
        yield "on every database of these tables, both queries return the same list, up to rows that tie in its order"
    else:
        yield "on every database of these tables, both queries return the same bag of rows"
    yield from catalogue_lines(catalogue, certificate.unenforced)
    yield from statement_lines(LEFT, left, catalogue)
    yield from statement_lines(RIGHT, right, catalogue)
    positions = ", ".join(f"{name} {position}" for name, position in certificate.switches.positions.items())
    yield f"read in the dialect {quoted(certificate.dialect)}: {positions}"


def asked(certificate: QueryCertificate, given: Any, semantics: str) -> QueryCertificate | None:
    """A certificate as it would be about the queries of a QueryPair; the semantics is that of folds."""
    return comparing.asked(certificate, given) if isinstance(given, QueryPair) else None


def check(certificate: QueryCertificate, steps: int, budget: Budget) -> tuple[frozenset[str], tuple[str, ...]]:
    """The oracles on whose word the claim depends, and what both statements return on a database that shows a
    difference. Raises a TallystickError like the kernel."""
    theorem = kernel.check(certificate, steps, budget)
    if isinstance(theorem, SameResults):
        return theorem.oracles, ()
    sides = zip((LEFT, RIGHT), (theorem.left, theorem.right), theorem.outcomes, strict=True)
    shown = (outcome_line(title, one, each.columns, bool(each.order)) for title, each, one in sides)
    return frozenset(), tuple(shown)
