"""Long statements with several changes are proved part by part, by subqueries that return the same."""

from __future__ import annotations

import pytest
from tallystick.certificates.audit import audit
from tallystick.certificates.queries.certificates import QueryPair
from tallystick.core.queries.syntax import Filter, Project, Query
from tallystick.core.queries.traversal import nodes
from tallystick.decision.queries.certifying import certificate
from tallystick.decision.queries.deciding import ProofLimits, Proved, by_parts
from tallystick.decision.queries.structure.sweeping import columns_read, pushed_down
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import SqlPair, read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText

SCHEMA = schema_from_statements(
    SqlText(
        """
        CREATE TABLE accounts (account INT PRIMARY KEY, region VARCHAR(10), opened DATE NOT NULL);
        CREATE TABLE sessions (session INT PRIMARY KEY, account INT NOT NULL REFERENCES accounts(account),
            started DATE NOT NULL, device VARCHAR(10));
        CREATE TABLE clicks (click INT PRIMARY KEY, session INT NOT NULL REFERENCES sessions(session),
            page VARCHAR(20) NOT NULL, seconds INT NOT NULL);
        """,
        "schema",
    ),
    SPARK,
)
OLD = """
WITH mobile AS (
    SELECT s.session, s.account, s.started
    FROM sessions s
    WHERE s.device <> 'desktop' AND YEAR(s.started) = 2024
),
spent AS (
    SELECT c.session, SUM(c.seconds) AS seconds, COUNT(*) AS clicks
    FROM clicks c
    GROUP BY c.session
),
visits AS (
    SELECT m.session, m.account, COALESCE(p.seconds, 0) AS seconds, p.clicks
    FROM mobile m
    LEFT JOIN spent p ON p.session = m.session
)
SELECT a.account, a.region, COUNT(*) AS visits, SUM(v.seconds) AS seconds
FROM visits v
JOIN accounts a ON a.account = v.account
WHERE v.clicks > 2
GROUP BY a.account, a.region
"""
NEW = """
WITH long_sessions AS (
    SELECT session, SUM(seconds) AS seconds
    FROM clicks
    GROUP BY session
    HAVING COUNT(session) > 2
),
visits AS (
    SELECT s.account, l.seconds
    FROM (SELECT * FROM sessions WHERE started >= DATE '2024-01-01' AND started < DATE '2025-01-01') s
    INNER JOIN long_sessions l ON s.session = l.session
    WHERE NOT s.device = 'desktop'
),
summed AS (
    SELECT account, COUNT(*) AS visits, SUM(seconds) AS seconds
    FROM visits
    GROUP BY account
)
SELECT a.account, a.region, t.visits, t.seconds
FROM accounts a
JOIN summed t USING (account)
"""


def read(left: str, right: str) -> SqlPair:
    return read_pair(SqlText(left, "left"), SqlText(right, "right"), SCHEMA, SPARK)


@pytest.mark.slow
def test_a_long_refactoring_is_proved_part_by_part_and_the_certificate_is_accepted() -> None:
    pair = read(OLD, NEW)
    proved = by_parts(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=300))
    assert isinstance(proved, Proved)
    dialect = pair.dialect
    asked = QueryPair(
        pair.catalogue, pair.left, pair.right, frozenset(), dialect.name, dialect.switches, pair.assumptions
    )
    assert audit(certificate(asked, proved), asked)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("> 2\n)", "> 1\n)"),
        ("2025-01-01", "2024-12-31"),
        ("INNER JOIN long", "LEFT JOIN long"),
        ("COUNT(*)", "SUM(1 + 1)"),
    ],
)
def test_a_wrong_twin_has_no_proof(old: str, new: str) -> None:
    assert old in NEW
    pair = read(OLD, NEW.replace(old, new))
    assert not isinstance(by_parts(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=5)), Proved)


def filters(query: Query) -> list[Query]:
    return [node.input for node in nodes(query) if isinstance(node, Filter)]


def test_conditions_go_below_projections_and_joins_to_what_they_are_about() -> None:
    pair = read(
        "SELECT * FROM (SELECT s.account + 1 AS x, c.page FROM sessions s JOIN clicks c ON s.session = c.session) t"
        " WHERE x > 3 AND page = 'a' AND (x = 4 OR page = 'b')",
        "SELECT 1, 'a'",
    )
    (top,) = (node for node in nodes(pair.left.query) if isinstance(node, Filter))
    low = pushed_down(top)
    assert low.columns == top.columns
    assert isinstance(low, Project)
    assert sorted(type(each).__name__ for each in filters(low)) == ["Join", "Scan", "Scan"]


def test_conditions_on_padded_rows_stay_where_they_are() -> None:
    pair = read(
        "SELECT * FROM sessions s LEFT JOIN clicks c ON s.session = c.session WHERE c.click IS NULL",
        "SELECT * FROM sessions s LEFT JOIN clicks c ON s.session = c.session WHERE c.click IS NULL",
    )
    (top,) = (node for node in nodes(pair.left.query) if isinstance(node, Filter))
    assert pushed_down(top) is top


def test_what_is_read_of_a_query_is_what_something_above_it_reads() -> None:
    pair = read(
        "SELECT t.a FROM (SELECT account AS a, device AS d, started AS s FROM sessions) t WHERE t.d = 'x'", "SELECT 1"
    )
    (inner,) = (node for node in nodes(pair.left.query) if isinstance(node, Project) and len(node.columns) == 3)
    assert columns_read(pair.left.query)[id(inner)] == {0, 1}
