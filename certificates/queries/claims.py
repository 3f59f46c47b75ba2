"""Certificates about queries: what they claim, in words; whether it is about given queries; whether it follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from tallystick.certificates.budget import Budget
from tallystick.certificates.queries.certificates import Inequivalence, QueryCertificate, QueryPair
from tallystick.certificates.queries.printing import catalogue_lines, database_lines, outcome_line, statement_lines
from tallystick.certificates.words import quoted
from tallystick.core.queries.assumptions import require_assumptions, required
from tallystick.core.queries.nodes import nodes

if TYPE_CHECKING:
    from tallystick.certificates.queries.proofs import Equivalence

    Claim = Equivalence | Inequivalence

OTHERS: Final = "other queries or constraints, or another reading of them"
"""What a certificate is about that is not about given queries."""
COMPARING: Final = ("tallystick.certificates.queries.comparing",)
"""What is loaded besides to compare a certificate with given queries."""
CALLS: Final = ("tallystick.certificates.queries.calls", "tallystick.core.queries.assumptions_of_calls")
"""What the claim in words, and its assumptions, load for aggregate and window calls."""
EVALUATED: Final = {
    "truths": ("And", "Or", "Not", "IsNull", "Case"),
    "numbers": ("Arithmetic", "Divide", "Remainder", "Cast"),
    "functions": ("Function",),
    "subqueries": ("Exists", "ForSome", "ScalarSubquery"),
    "joins": ("Join",),
    "set_operations": ("SetOperation",),
    "aggregates": ("Aggregate",),
    "windows": ("Window",),
    "limits": ("Limit",),
}
"""What the interpreter, in files of these names, loads for nodes of these classes."""
COMPILED: Final = EVALUATED | {"functions": ("Function",), "distinct": ("Distinct",)}
"""What the compilation loads for nodes of these classes, at most: UNION ALL needs nothing."""
LEFT, RIGHT = "the left query", "the right query"


def lines(certificate: Claim) -> Iterator[str]:
    """The claim, both statements, the tables with their constraints, and how the texts were read."""
    left, right, catalogue = certificate.left, certificate.right, certificate.catalogue
    if isinstance(certificate, Inequivalence):
        from tallystick.certificates.queries.refuting import database_of

        yield "on this database, both queries do not return the same"
        yield from database_lines(catalogue, database_of(catalogue, certificate.result))
    elif left.order or right.order:
        yield "on every database of these tables, both queries return the same list, up to rows that tie in its order"
    else:
        yield "on every database of these tables, both queries return the same bag of rows"
    yield from catalogue_lines(catalogue, certificate.unenforced)
    yield from statement_lines(LEFT, left, catalogue)
    yield from statement_lines(RIGHT, right, catalogue)
    for which, dialect, switches in certificate.switches.readings(certificate.dialect):
        positions = ", ".join(f"{name} {position}" for name, position in switches.positions.items())
        yield f"{which}read in the dialect {quoted(dialect)}: {positions}"


def claim_about(certificate: Claim, given: Any, semantics: str) -> QueryCertificate | None:
    """A certificate as it would be about the queries of a QueryPair; the semantics is that of folds."""
    from tallystick.certificates.queries import comparing

    return comparing.claim_about(certificate, given) if isinstance(given, QueryPair) else None


def modules(certificate: Claim) -> Iterator[str]:
    """What an audit of a certificate loads besides what this module imports, and the rules of its proofs."""
    statements = certificate.left, certificate.right
    keys = (key.expression for each in statements for key in each.order)
    checks = (check for table in certificate.catalogue.tables for check in table.checks)
    found = {type(node) for node in nodes(*(each.query for each in statements), *keys, *checks)}
    yield from (kind.__module__ for kind in found)
    names = {kind.__name__ for kind in found}
    yield from CALLS if not names.isdisjoint(("Aggregate", "Window")) else ()
    refuted = isinstance(certificate, Inequivalence)
    meaning, table = ("interpreter", EVALUATED) if refuted else ("compilation", COMPILED)
    for name, kinds in table.items():
        if not names.isdisjoint(kinds):
            yield f"tallystick.core.queries.{meaning}.{name}"
    if isinstance(certificate, Inequivalence):
        yield from (f"tallystick.certificates.queries.{name}" for name in ("reader", "refuting"))
        return
    from tallystick.certificates.queries.proofs import Pull, Rewriting

    yield from (f"tallystick.certificates.queries.{name}" for name in ("proof_reader", "kernel"))
    if isinstance(certificate.result, Rewriting):
        yield "tallystick.certificates.queries.rewriting"
        if any(isinstance(step, Pull) for step in certificate.result.steps):
            yield "tallystick.certificates.queries.pulling"


def used(certificate: Claim) -> Iterator[type]:
    """The classes of rules and evidence that a certificate uses."""
    if isinstance(certificate, Inequivalence):
        yield type(certificate.result)
        return
    from tallystick.certificates.trees import used as used_in

    yield from used_in(certificate.result, certificate.NODES)


def check(certificate: Claim, steps: int, budget: Budget) -> tuple[frozenset[str], tuple[str, ...]]:
    """The oracles on whose word the claim depends, and what both statements return on a database that shows a
    difference. Raises a TallystickError like the kernel."""
    left, right, catalogue = certificate.left, certificate.right, certificate.catalogue
    require_assumptions(catalogue, certificate.unenforced, certificate.assumptions, required(left, right))
    if not isinstance(certificate, Inequivalence):
        from tallystick.certificates.queries.kernel import same_results

        return same_results(left, right, catalogue, certificate.result, budget).oracles, ()
    from tallystick.certificates.queries.refuting import different_results

    theorem = different_results(left, right, catalogue, certificate.result, steps)
    sides = zip((LEFT, RIGHT), (theorem.left, theorem.right), theorem.outcomes, strict=True)
    shown = (outcome_line(title, one, each.columns, bool(each.order)) for title, each, one in sides)
    return frozenset(), tuple(shown)
