"""Certificates about two versions of a workflow: what they claim, in words; whether it follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from tallystick.certificates.budget import Budget
from tallystick.certificates.dataflows import kernel
from tallystick.certificates.dataflows.proofs import Claim, DataflowCertificate
from tallystick.certificates.queries.claims import CALLS, COMPILED, EVALUATED
from tallystick.certificates.queries.printing import (
    catalogue_lines,
    database_lines,
    outcome_line,
    statement_lines,
    table_lines,
)
from tallystick.certificates.trees import used as used_in
from tallystick.certificates.words import quoted
from tallystick.core.dataflows.workflow import Opaque, Wire, Workflow
from tallystick.core.queries.catalogue import Catalogue, Column, Table

OTHERS: Final = "other wires or sources, or another reading of them"
"""What a certificate is about that is not about given versions."""
COMPARING: Final = ()
"""What is loaded besides to compare a certificate with given versions."""


def lines(certificate: DataflowCertificate) -> Iterator[str]:
    """The claims, the tables with their constraints, both versions wire by wire, and how the texts were read."""
    for claim in certificate.claims:
        yield from _claim(claim, certificate)
    yield from catalogue_lines(certificate.catalogue, certificate.unenforced)
    for version, workflow in (("old", certificate.old), ("new", certificate.new)):
        yield f"the {version} version has {len(workflow)} wires"
        earlier = certificate.old if version == "new" else ()
        yield from _workflow(workflow, certificate.catalogue, {wire.name: wire for wire in earlier})
    positions = ", ".join(f"{name} {position}" for name, position in certificate.switches.positions.items())
    yield f"read in the dialect {quoted(certificate.dialect)}: {positions}"


def claim_about(certificate: DataflowCertificate, given: Any, semantics: str) -> DataflowCertificate | None:
    """A certificate as it would be about the wires, sources and reading of another one."""
    fields = "catalogue", "old", "new", "unenforced", "dialect", "switches"
    changes = {name: getattr(given, name) for name in fields} if isinstance(given, DataflowCertificate) else None
    return replace(certificate, **changes) if changes else None


def modules(certificate: DataflowCertificate) -> Iterator[str]:
    """What an audit of a certificate loads, at most, besides what this module imports, and the rules of its proofs."""
    yield "tallystick.certificates.dataflows.reader"
    yield from CALLS
    if any(cut.proof is not None for cut in certificate.cuts):
        yield from (f"tallystick.certificates.queries.{name}" for name in ("kernel", "rewriting", "pulling"))
        yield from (f"tallystick.core.queries.compilation.{name}" for name in COMPILED)
    if any(claim.witness is not None for claim in certificate.claims):
        yield "tallystick.certificates.queries.refuting"
        yield from (f"tallystick.core.queries.interpreter.{name}" for name in EVALUATED)


def used(certificate: DataflowCertificate) -> Iterator[type]:
    """The classes of rules and evidence that a certificate uses."""
    return used_in(certificate.result, certificate.NODES)


def check(certificate: DataflowCertificate, steps: int, budget: Budget) -> tuple[frozenset[str], tuple[str, ...]]:
    """The oracles on whose word the claims depend, and what the wires of claims with a witness hold on it. Raises a
    TallystickError like the kernel."""
    theorem = kernel.check(certificate, steps, budget)
    wires = {wire.name: wire for wire in certificate.old}
    shown: list[str] = []
    for claim, found in zip(theorem.claims, theorem.outcomes, strict=True):
        if found is not None:
            columns, names = wires[claim.old].operator.columns, (f"old {quoted(claim.old)}", f"new {quoted(claim.new)}")
            shown += (outcome_line(*each, columns, claim.ordered) for each in zip(names, found, strict=True))
    return theorem.oracles, tuple(shown)


def _claim(claim: Claim, certificate: DataflowCertificate) -> Iterator[str]:
    pair = f"old {quoted(claim.old)} and new {quoted(claim.new)}"
    width = next((len(wire.table.columns) for wire in certificate.old if wire.name == claim.old), None)
    if claim.columns != tuple(range(width or 0)):
        pair += f", whose columns {', '.join(map(str, claim.columns))} are the old ones in order,"
    rows = "list, up to rows that tie in its order," if claim.ordered else "bag of rows"
    if claim.witness is None:
        yield f"{pair} hold the same {rows} on every database on which all constraints below hold"
        return
    from tallystick.certificates.queries.refuting import database_of

    yield f"{pair} do not hold the same {rows} on a database on which all constraints below hold:"
    catalogue = certificate.catalogue
    yield from (f"  {line}" for line in database_lines(catalogue, database_of(catalogue, claim.witness)))


def _as_read(wire: Wire) -> Table:
    """What those who read a wire see."""
    columns = zip(wire.table.columns, wire.operator.columns, strict=True)
    return Table(wire.name, tuple(Column(column.name, of.type, of.nullable) for column, of in columns))


def _workflow(workflow: Workflow, catalogue: Catalogue, earlier: Mapping[str, Wire]) -> Iterator[str]:
    known = Catalogue((*catalogue.tables, *map(_as_read, workflow)))
    for wire in workflow:
        if wire == earlier.get(wire.name):
            yield f"wire {quoted(wire.name)} is filled as in the old version, by the wires of the new one"
            continue
        if isinstance(wire.operator, Opaque):
            of = ", ".join(map(quoted, wire.operator.inputs))
            how = "" if wire.operator.repeatable else ", which need not repeat its rows"
            function = f"the unknown function {quoted(wire.operator.function)} of ({of})"
            columns = ", ".join(f"{quoted(name)} {of}" for name, of in _as_read(wire).shape)
            yield f"wire {quoted(wire.name)} returns {function}{how}, with the columns {columns}"
        else:
            yield from statement_lines(f"wire {quoted(wire.name)}", wire.operator, known)
        named = isinstance(wire.operator, Opaque) or wire.operator.names == tuple(n for n, _ in wire.table.shape)
        if wire.table.is_constrained or wire.table.row != wire.operator.columns or not named:
            yield from (f"  assumed: {line.strip()}" for line in table_lines(wire.table, known))
