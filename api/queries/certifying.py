"""Certificates of verdicts about queries that were read from texts."""

from __future__ import annotations

from tallystick.certificates.audit import AuditReport, audit
from tallystick.decision.queries.certifying import certificate
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase
from tallystick.decision.queries.deciding import Proved
from tallystick.frontends.sql.reader import SqlPair
from tallystick.queries.reading import question


def certified(pair: SqlPair, result: Proved | DistinguishingDatabase) -> tuple[bytes, AuditReport]:
    """The certificate of a result, and what an audit of its very bytes says of it."""
    asked = question(pair)
    made = certificate(asked, result, (pair.sources[0].text, pair.sources[1].text))
    return made, audit(made, asked)
