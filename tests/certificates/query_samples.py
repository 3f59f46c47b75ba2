"""Certificates about pairs of queries: their proofs have every rule for queries, and every node of evidence."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

from tallystick.certificates.evidence import Step
from tallystick.certificates.queries.certificates import Inequivalence, QueryCertificate, QueryPair, Witness
from tallystick.certificates.queries.proofs import Equivalence, Rewriting
from tallystick.decision.queries.certifying import certificate
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema
from tallystick.frontends.sql.source import SqlText

SCHEMA = """
CREATE TABLE t (k INT PRIMARY KEY, a INT, n INT NOT NULL, s VARCHAR(10), CHECK (n > 0));
CREATE TABLE u (id INT PRIMARY KEY, t INT NOT NULL REFERENCES t (k), v DECIMAL(10, 2), d DATE);
CREATE TABLE loose (a INT, b INT, s VARCHAR(10))
"""
SAMPLES = {
    "a filter by parts": ("SELECT a FROM loose WHERE a > 1 AND b > 1", "SELECT a FROM loose WHERE b > 1 AND a > 1"),
    "halves": ("SELECT a FROM loose WHERE 2 * a > 1", "SELECT a FROM loose WHERE a >= 1"),
    "thirds": (
        "SELECT a FROM loose WHERE 3 * a > b AND 3 * a < b + 2",
        "SELECT a FROM loose WHERE 3 * a = b + 1",
    ),
    "two halves": ("SELECT a FROM loose WHERE 2 * a = 1", "SELECT a FROM loose WHERE 1 = 0"),
    "one or two": ("SELECT a FROM loose WHERE a = 1 OR a = 2", "SELECT a FROM loose WHERE a BETWEEN 1 AND 2"),
    "an odd number": (
        "SELECT a FROM loose WHERE 3 * a > 2 * b AND 3 * a < 2 * b + 2",
        "SELECT a FROM loose WHERE 3 * a = 2 * b + 1",
    ),
    "union of cases": (
        "SELECT a FROM loose WHERE a > 1 UNION ALL SELECT a FROM loose WHERE a <= 1",
        "SELECT a FROM loose WHERE a IS NOT NULL",
    ),
    "self-join on the key": ("SELECT x.a FROM t x JOIN t y ON x.k = y.k", "SELECT a FROM t"),
    "join to a referenced row": ("SELECT u.id FROM u JOIN t ON u.t = t.k", "SELECT id FROM u"),
    "a check": ("SELECT k FROM t WHERE n > 0", "SELECT k FROM t"),
    "exists by count": (
        "SELECT k FROM t WHERE EXISTS (SELECT 1 FROM loose WHERE loose.a = t.a)",
        "SELECT k FROM t WHERE (SELECT COUNT(*) FROM loose WHERE loose.a = t.a) > 0",
    ),
    "distinct maximum": ("SELECT MAX(DISTINCT a) FROM loose", "SELECT MAX(a) FROM loose"),
    "any and minimum": (
        "SELECT a FROM t WHERE a >= (SELECT MIN(b) FROM loose)",
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM loose WHERE b <= t.a)",
    ),
    "average by its definition": ("SELECT AVG(a) FROM loose", "SELECT SUM(a) / COUNT(a) FROM loose"),
    "group by the key": ("SELECT k, SUM(n) FROM t GROUP BY k", "SELECT k, n FROM t"),
    "limits of equal bags": (
        "SELECT a FROM (SELECT a FROM loose WHERE a > 1 AND b > 1 ORDER BY a LIMIT 3) x",
        "SELECT a FROM (SELECT a FROM loose WHERE b > 1 AND a > 1 ORDER BY a LIMIT 3) x",
    ),
    "a filter behind a limit": (
        "SELECT a FROM (SELECT a FROM loose WHERE a > 1 LIMIT 3) x WHERE a > 0",
        "SELECT a FROM (SELECT a FROM loose WHERE a > 1 LIMIT 3) x",
    ),
    "limits below a limit": (
        "SELECT a FROM (SELECT a FROM loose UNION ALL SELECT n FROM t) x ORDER BY a LIMIT 3",
        "SELECT a FROM ((SELECT a FROM loose ORDER BY a LIMIT 3) UNION ALL (SELECT n FROM t ORDER BY n LIMIT 5)) x "
        "ORDER BY a LIMIT 3",
    ),
    "a list": (
        "SELECT k, n FROM t WHERE n > 2 ORDER BY n DESC, k",
        "SELECT k, n FROM t WHERE n > 2 ORDER BY n DESC, k",
    ),
    "functions and dates": (
        "SELECT UPPER(s) FROM t WHERE s LIKE 'a%' AND k IN (SELECT t FROM u WHERE d > DATE '2020-01-31' AND v > 1.5)",
        "SELECT UPPER(s) FROM t WHERE k IN (SELECT t FROM u WHERE v > 1.5 AND d > DATE '2020-01-31') AND s LIKE 'a%'",
    ),
    "a stricter filter": ("SELECT a FROM loose WHERE a > 1", "SELECT a FROM loose WHERE a > 2"),
    "a lost duplicate": ("SELECT s FROM loose", "SELECT DISTINCT s FROM loose"),
    "an outer join": ("SELECT t.k, v FROM t LEFT JOIN u ON t.k = u.t", "SELECT t.k, v FROM t JOIN u ON t.k = u.t"),
    "another order": ("SELECT a, b FROM loose ORDER BY a", "SELECT a, b FROM loose ORDER BY a DESC"),
}

DIFFERENT = ("a stricter filter", "a lost duplicate", "an outer join", "another order")


def read(left: str, right: str, schema: str = SCHEMA) -> SqlPair:
    """Two texts over the tables of SCHEMA, of which the right may make what choices the left permits."""
    return read_pair(SqlText(left, "left"), SqlText(right, "right"), read_schema(schema, SPARK), SPARK, one_query=True)


def question(pair: SqlPair) -> QueryPair:
    """What a certificate is asked about."""
    return QueryPair(pair.catalogue, pair.left, pair.right, pair.unenforced, "spark", SPARK.switches, pair.assumptions)


@cache
def sample(name: str) -> tuple[QueryPair, bytes]:
    """The pair of a sample, and a certificate of the verdict."""
    pair = read(*SAMPLES[name])
    result = None
    if name in DIFFERENT:
        result = find(pair.left, pair.right, pair.catalogue, 5.0)
    if not isinstance(result, DistinguishingDatabase):
        result = decide(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=20))
    if not isinstance(result, Proved | DistinguishingDatabase):
        raise AssertionError(f"{name}: {result}")
    texts = pair.sources[0].text, pair.sources[1].text
    return question(pair), certificate(question(pair), result, texts)


def with_result(made: QueryCertificate, result: Step | Rewriting | Witness, **changes: Any) -> QueryCertificate:
    """A claim about the same statements, or changed ones: by a proof that they are equal, by a witness that they
    differ."""
    parts = {each.name: getattr(made, each.name) for each in fields(QueryCertificate)} | changes
    if isinstance(result, Witness):
        return Inequivalence(**parts, result=result)
    return Equivalence(**parts, result=result)
