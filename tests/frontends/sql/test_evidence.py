"""What a dialect accepts has evidence: cases of a text, and refusals where one was not met."""

from __future__ import annotations

import pytest
from tallystick import check_sql
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.evidence import Evidence, cases, evidence, note
from tallystick.frontends.sql.evidence.cases import parts, plain
from tallystick.frontends.sql.queries import read_query
from tallystick.frontends.sql.reader import read_schema, read_statement
from tallystick.frontends.sql.scopes import QueryReading
from tallystick.frontends.sql.source import SqlText, statements

SCHEMA = "CREATE TABLE t (id INT, m DECIMAL(10, 2), s VARCHAR(10), d DATE)"


def _cases(text: str, dialect: str) -> set[str]:
    meaning = DIALECTS[dialect]
    reading = QueryReading(SqlText(text, "q"), meaning, read_schema(SCHEMA, meaning))
    [node] = statements(reading.source, meaning)
    read_query(reading, node, None, {})
    return {case for case, *_ in cases(reading, node)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("SELECT ROUND(m, 1) FROM t", {"ROUND", "Round(decimals=integer, this=decimal)", "number 9"}),
        ("SELECT id + 1.50 FROM t", {"+", "number 9.9", "Add(expression=decimal, this=integer)"}),
        ("SELECT 'it''s'", {"text with a quote or a backslash"}),
        ("SELECT id /* of t */ FROM t -- all", {"comment /*"}),
        ("SELECT id IS NOT DISTINCT FROM 1 FROM t", {"IS NOT DISTINCT FROM"}),
        ("SELECT CAST(id AS DECIMAL(7, 3)) FROM t", {"Cast(this=integer, to=DECIMAL(n, n))"}),
        ("SELECT id FROM t WHERE d > '2000-01-31'", {"GT: constant of type text as date", "Select.where"}),
        ("SELECT SUM(id) OVER (PARTITION BY s) FROM t", {"Window of Sum.partition_by", "Sum(this=integer)"}),
        ("SELECT 1 UNION SELECT 2 INTERSECT SELECT 3", {"UNION", "INTERSECT"}),
    ],
)
def test_a_text_has_cases(text: str, found: set[str]):
    assert found <= _cases(text, "postgres")


def test_names_and_constants_are_no_cases():
    assert _cases("SELECT t.id AS q FROM t WHERE s = 'x'", "duckdb") == _cases(
        "SELECT v.id AS z FROM t AS v WHERE s = 'y'", "duckdb"
    ) - {"Table(alias, this)"} | {"Table(this)"}


def test_each_dialect_has_evidence_and_says_what_was_asked():
    sources = {name: evidence(name).source.split(" ")[0] for name in DIALECTS}
    assert {name for name, source in sources.items() if source == "the"} == {
        "databricks",
        "bigquery",
        "snowflake",
        "calcite",
    }
    assert note(DIALECTS["postgres"]) == ""
    assert note(DIALECTS["calcite"]) == "read by the manual of Apache Calcite, no engine was asked"


def test_a_verdict_says_that_no_engine_was_asked():
    texts = "SELECT id FROM t", "SELECT id AS id FROM t"
    said = check_sql(*texts, schema=SCHEMA, dialect="snowflake")
    assert "note: read by the manual of Snowflake, no engine was asked" in str(said)
    assert said.to_json()["notes"] == ["read by the manual of Snowflake, no engine was asked"]
    assert "engine was asked" not in str(check_sql(*texts, schema=SCHEMA, dialect="duckdb"))


OTHERWISE = "write the query without it; frontends/sql/CONFORMANCE.md says what was compared"


@pytest.mark.parametrize(
    ("dialect", "text", "message", "hint"),
    [
        (
            "postgres",
            "SELECT id FROM t WHERE id = 1 /*! AND m = 1 */ AND m = 2",
            "q:1:30: a comment that starts with /*! was not compared with PostgreSQL 15.18",
            OTHERWISE,
        ),
        (
            "postgres",
            "SELECT IFNULL(id, 1) FROM t",
            "q:1:8: PostgreSQL 15.18 does not take `IFNULL`, or computes it otherwise than it is read",
            "write COALESCE",
        ),
        (
            "duckdb",
            "SELECT CAST(d AS INT) FROM t",
            "q:1:13: `CAST(d AS INT)` (of date) was not compared with DuckDB 2.0.0",
            OTHERWISE,
        ),
        (
            "mysql",
            "SELECT FLOOR(m, 1) FROM t",
            "q:1:14: MariaDB 10.11.19 does not take `FLOOR(m, 1)` (of decimal and integer),"
            " or computes it otherwise than it is read",
            OTHERWISE,
        ),
        (
            "duckdb",
            "SELECT GREATEST(d, s) FROM t",
            "q:1:8: DuckDB 2.0.0 does not take `GREATEST(d, s)` (a value of type text as date),"
            " or computes it otherwise than it is read",
            OTHERWISE,
        ),
        (
            "postgres",
            "SELECT MAX(NULL) FROM t",
            "q:1:8: PostgreSQL 15.18 does not take `MAX(NULL)` (of NULL), or computes it otherwise than it is read",
            "write CAST(NULL AS …)",
        ),
        (
            "spark",
            "SELECT id FROM t WHERE id > ALL (SELECT id FROM t AS v WHERE v.m = 1 UNION SELECT 2)",
            "q:1:24: Spark 4.3.0 does not take `id > ALL (…)`, or computes it otherwise than it is read",
            "as a condition, write NOT EXISTS (SELECT … WHERE (x > y) IS NOT TRUE)",
        ),
        (
            "mysql",
            "SELECT FLOOR(m + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12, 1) FROM t",
            "q:1:14: MariaDB 10.11.19 does not take"
            " `FLOOR(m + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12,…` (of decimal and integer),"
            " or computes it otherwise than it is read",
            OTHERWISE,
        ),
        (
            "calcite",
            "SELECT MEDIAN(id) FROM t",
            "q:1:8: the manual of Apache Calcite says nothing of `MEDIAN`",
            OTHERWISE,
        ),
    ],
)
def test_what_has_no_evidence_is_refused(dialect: str, text: str, message: str, hint: str):
    meaning = DIALECTS[dialect]
    with pytest.raises(SourceError) as caught:
        read_statement(SqlText(text, "q"), read_schema(SCHEMA, meaning), meaning)
    assert str(caught.value).splitlines()[0] == message
    assert caught.value.hint == hint


def test_a_manual_speaks_of_constructs_without_types():
    assert plain("Round(decimals=integer, this=decimal)") == "Round"
    assert plain("Select.where") == "Select"
    assert plain("Window of Sum.order=Order") == "Window of Sum"
    assert plain("GROUP BY") == "GROUP BY"


@pytest.mark.parametrize(
    ("case", "found"),
    [
        (">=", {">="}),
        ("Round(decimals=integer, this=decimal)", {"Round.decimals=integer", "Round.this=decimal"}),
        ("Case(default=integer, ifs=integer|text)", {"Case.default=integer", "Case.ifs=integer", "Case.ifs=text"}),
        ("Rollup.expressions=text", {"Rollup.expressions"}),
        ("GT: constant of type text as date", {"constant of type text as date"}),
        ("Cast(this=integer, to=DECIMAL(n, n))", {"Cast(this=integer, to=DECIMAL(n, n))"}),
        ("Div(expression=decimal, this=DECIMAL(n, n))", {"Div.expression=decimal", "Div.this=DECIMAL(n, n)"}),
    ],
)
def test_a_case_has_parts(case: str, found: set[str]):
    assert parts(case) == found


def test_a_case_is_known_by_its_parts_unless_texts_show_it_to_be_wrong():
    met = frozenset({"Add(expression=date, this=integer)", "Add(expression=integer, this=decimal)"})
    case = "Add(expression=date, this=decimal)"
    assert Evidence("an engine", met).knows(case)
    assert not Evidence("an engine", met, frozenset({case})).knows(case)
    assert not Evidence("an engine", met).knows("Add(expression=text, this=decimal)")
    assert not Evidence("an engine", met).knows("Sub(expression=date, this=decimal)")
