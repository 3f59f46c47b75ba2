"""Certificates of verdicts about queries. Whoever wants to rely on one audits it first."""

from __future__ import annotations

from tallystick.certificates.codec import encode
from tallystick.certificates.queries.certificates import Inequivalence, QueryPair, Witness
from tallystick.certificates.queries.proofs import Equivalence
from tallystick.core.queries.assumptions import Assumption, of_checks, required
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.syntax import Scan, Statement
from tallystick.core.queries.traversal import nodes
from tallystick.core.version import VERSION
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase
from tallystick.decision.queries.deciding import Proved


def certificate(pair: QueryPair, result: Proved | DistinguishingDatabase, sources: tuple[str, str] = ("", "")) -> bytes:
    """The certificate that two statements return the same on every database, or that they do not.

    Its catalogue has the tables that the statements read, and those that these refer to.

    It assumes what the pair does and what the nodes of its statements show.

    Args:
        sources: the texts that the statements were read from, for the reader.

    Raises CertificateError when the nesting or numbers of the statements or of the proof are beyond Python's limits.
    """
    catalogue = restricted(pair.catalogue, pair.left, pair.right)
    constrained = (table.name for table in catalogue.tables if table.is_constrained)
    unenforced = sorted(name for name in constrained if name in pair.unenforced)
    assumed = {*pair.assumptions, *required(pair.left, pair.right), *of_checks(catalogue)} - {Assumption.NOT_ENFORCED}
    if unenforced:
        assumed.add(Assumption.NOT_ENFORCED)
    claim = (
        catalogue,
        pair.left,
        pair.right,
        tuple(unenforced),
        pair.dialect,
        pair.switches,
        tuple(each for each in Assumption if each in assumed),
        "sql",
        sources,
        (("tallystick", VERSION),),
    )
    if isinstance(result, Proved):
        return encode(Equivalence(*claim, result.proof))
    rows = (tuple(result.database.get(table.name, ())) for table in catalogue.tables)
    return encode(Inequivalence(*claim, Witness(tuple(rows))))


def restricted(catalogue: Catalogue, *statements: Statement) -> Catalogue:
    """The tables that statements read and those that these refer to, directly or not, in the order of the catalogue."""
    keys = [key.expression for statement in statements for key in statement.order]
    found = nodes(*(statement.query for statement in statements), *keys)
    wanted = {node.table for node in found if isinstance(node, Scan)}
    pending = list(wanted)
    while pending:
        table = catalogue.by_name.get(pending.pop())
        further = {key.table for key in table.foreign_keys} - wanted if table is not None else set[str]()
        wanted |= further
        pending += further
    return Catalogue(tuple(table for table in catalogue.tables if table.name in wanted))
