"""What a certificate would be if it were about the queries that somebody asks about."""

from __future__ import annotations

from dataclasses import replace

from tallystick.certificates.queries.certificates import Inequivalence, QueryCertificate, QueryPair
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Table


def claim_about(certificate: QueryCertificate, pair: QueryPair) -> QueryCertificate | None:
    """The certificate with these statements, if a claim of it about them holds of the tables that are there.

    It is about them if nothing changes: statements share nodes, and are compared as they are written, each node once.
    The columns of its tables are those that are there. An equivalence may rest on fewer constraints and wider ranges
    than hold, and a database that shows a difference may satisfy more.
    """
    if not set(pair.assumptions) <= {*certificate.assumptions, Assumption.NOT_ENFORCED}:  # which tables say below
        return None
    there = pair.catalogue.by_name
    for table in certificate.catalogue.tables:
        fewer, more = table, there.get(table.name)
        if more is None or fewer.shape != more.shape:
            return None
        if table.is_constrained and (table.name in certificate.unenforced) != (table.name in pair.unenforced):
            return None
        if isinstance(certificate, Inequivalence):
            fewer, more = more, fewer
        if not set(fewer.keys) <= set(more.keys) or not set(fewer.foreign_keys) <= set(more.foreign_keys):
            return None
        if any(check not in more.checks for check in fewer.checks) or not _within(more, fewer):
            return None
    return replace(certificate, **{name: getattr(pair, name) for name in ("left", "right", "dialect", "switches")})


def _within(one: Table, other: Table) -> bool:
    """Whether the columns of one table have no room for values that those of the other have no room for."""
    pairs = ((one.ranges.get(index), room) for index, room in other.ranges.items())
    return all(own is not None and own.is_within(room) for own, room in pairs)
