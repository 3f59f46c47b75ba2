"""Whether a certificate is about the queries that somebody asks about."""

from __future__ import annotations

from dataclasses import replace

from tallystick.certificates.codec import encode
from tallystick.certificates.queries.proofs import QueryCertificate, QueryPair, Witness
from tallystick.core.queries.assumptions import Assumption


def is_about(certificate: QueryCertificate, pair: QueryPair) -> bool:
    """Whether a certificate is about these statements, and its claim holds of the tables that are there.

    The columns of its tables are those that are there. An equivalence may rest on fewer constraints than hold, and a
    database that shows a difference may satisfy more.
    """
    given = {name: getattr(pair, name) for name in ("left", "right", "dialect", "switches")}
    # Statements share nodes: they are compared as they are written, each node once. A proof is no part of the claim.
    claimed = replace(certificate, result=Witness(()))
    if encode(replace(claimed, **given)) != encode(claimed):
        return False
    if not set(pair.assumptions) <= {*certificate.assumptions, Assumption.NOT_ENFORCED}:  # which tables say below
        return False
    there = pair.catalogue.by_name
    for table in certificate.catalogue.tables:
        fewer, more = table, there.get(table.name)
        if more is None or fewer.columns != more.columns:
            return False
        if (table.name in certificate.unenforced) != (table.name in pair.unenforced):
            return False
        if isinstance(certificate.result, Witness):
            fewer, more = more, fewer
        if not set(fewer.keys) <= set(more.keys) or not set(fewer.foreign_keys) <= set(more.foreign_keys):
            return False
        if any(check not in more.checks for check in fewer.checks):
            return False
    return True
