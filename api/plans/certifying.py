"""Certificates of verdicts about plans: what they claim is about the statements that the plans are read as."""

from __future__ import annotations

from dataclasses import replace

from tallystick.certificates.audit import AuditReport, audit
from tallystick.certificates.queries.certificates import QueryPair
from tallystick.decision.queries.certifying import certificate
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase
from tallystick.decision.queries.deciding import Proved
from tallystick.frontends.catalyst.reader import PlanPair
from tallystick.frontends.sql.dialects import SPARK

DIALECT = "spark_plans"
"""What certificates call the language; decimals are numbers of their units."""


def query_pair(pair: PlanPair) -> QueryPair:
    """The pair as certificates have it: no key or foreign key is enforced by Spark."""
    switches = replace(SPARK.switches, division_by_zero=pair.settings.on_zero)
    tables = frozenset(table.name for table in pair.catalogue.tables)
    return QueryPair(pair.catalogue, pair.left, pair.right, tables, DIALECT, switches, pair.assumptions)


def certified(
    pair: PlanPair, result: Proved | DistinguishingDatabase, names: tuple[str, str]
) -> tuple[bytes, AuditReport]:
    """The certificate of a result, and its audit."""
    asked = query_pair(pair)
    made = certificate(asked, result, names)
    return made, audit(made, against=asked)
