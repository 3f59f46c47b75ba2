"""What a certificate about queries claims, in words."""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.certificates.queries.expressions import quoted
from tallystick.certificates.queries.kernel import DifferentResults, database_of
from tallystick.certificates.queries.printing import catalogue_lines, database_lines, outcome_line, statement_lines
from tallystick.certificates.queries.proofs import QueryCertificate, Witness

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


def outcomes(theorem: DifferentResults) -> Iterator[str]:
    """What both statements return on the database of a theorem."""
    sides = ((LEFT, theorem.left), (RIGHT, theorem.right))
    for (title, statement), outcome in zip(sides, theorem.outcomes, strict=True):
        yield outcome_line(title, outcome, statement.columns, bool(statement.order))
