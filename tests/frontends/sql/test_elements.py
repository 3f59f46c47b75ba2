"""Rows of what arrays hold, and PIVOT: what is read, what is refused, and what verdicts say."""

from __future__ import annotations

import pytest
from tallystick.core.queries.assumptions import Assumption
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import read_pair, read_schema, read_statement
from tallystick.frontends.sql.source import SqlText
from tallystick.queries.checking import check_sql
from tallystick.queries.missing import missing_constraints

SCHEMAS = {
    "bigquery": (
        "CREATE TABLE t (id INT64, s STRING, n INT64, d DATE, a ARRAY<INT64>, e ARRAY<STRUCT<k STRING, v INT64>>);"
        "CREATE TABLE u (k STRING)"
    ),
    "snowflake": "CREATE TABLE t (id INT, s VARCHAR, n INT, d DATE, v VARIANT); CREATE TABLE u (k VARCHAR)",
}


def columns(dialect: str, text: str) -> list[str]:
    """The names and types of the columns of a query over the tables of a dialect."""
    meaning = DIALECTS[dialect]
    schema = read_schema(SCHEMAS[dialect], meaning).with_floats()
    read = read_statement(SqlText(text, "q"), schema, meaning, open_sources=True)
    return [f"{name} {column.type}" for name, column in zip(read.names, read.columns, strict=True)]


@pytest.mark.parametrize(
    ("dialect", "text", "found"),
    [
        ("bigquery", "SELECT id, x, o FROM t, UNNEST(a) AS x WITH OFFSET AS o", "id integer, x opaque, o integer"),
        ("bigquery", "SELECT id, x FROM t LEFT JOIN UNNEST(a) AS x ON x > 1", "id integer, x opaque"),
        ("bigquery", "SELECT id, x.k FROM t CROSS JOIN t.e AS x", "id integer, k opaque"),
        ("bigquery", "SELECT k, COUNT(*) AS c FROM t, UNNEST(e) GROUP BY k", "k opaque, c integer"),
        ("bigquery", "SELECT x.k, MAX(n) AS m FROM t, UNNEST(e) AS x GROUP BY x.k", "k opaque, m integer"),
        ("bigquery", "SELECT (SELECT v FROM UNNEST(e) WHERE k = 'x') AS v FROM t", "v opaque"),
        ("bigquery", "SELECT * FROM UNNEST(SPLIT('a,b', ',')) AS p WITH OFFSET AS o", "p text, o integer"),
        ("bigquery", "SELECT * FROM UNNEST(GENERATE_DATE_ARRAY(DATE '2020-01-01', DATE '2020-02-01')) AS x", "x date"),
        ("bigquery", "SELECT id, x FROM t, UNNEST(['a', s]) AS x", "id integer, x text"),
        ("bigquery", "SELECT id IN UNNEST(a) AS x FROM t", "x boolean"),
        ("snowflake", "SELECT f.index, f.key, f.value:x::INT AS x FROM t, LATERAL FLATTEN(INPUT => v:a) f",
         "INDEX integer, KEY text, X integer"),
        ("snowflake", "SELECT value, this FROM t, TABLE(FLATTEN(v))", "VALUE opaque, THIS opaque"),
        ("snowflake", "SELECT g.value FROM t, LATERAL FLATTEN(v) f, LATERAL FLATTEN(f.value, OUTER => TRUE) g",
         "VALUE opaque"),
        ("snowflake", "SELECT p.value, p.index FROM t, LATERAL SPLIT_TO_TABLE(s, ',') p", "VALUE text, INDEX integer"),
        ("bigquery", "SELECT * FROM (SELECT s, n, d FROM t) PIVOT(COUNT(*) AS c FOR n IN (0, 12))",
         "s text, d date, c_0 integer, c_12 integer"),
        ("bigquery", "SELECT p.* FROM (SELECT s, n, d FROM t) PIVOT(SUM(n), MAX(n) AS m FOR s IN ('x', 'y' AS z)) AS p",
         "d date, x integer, m_x integer, z integer, m_z integer"),
        ("snowflake", "SELECT * FROM t UNPIVOT(x FOR c IN (id, n)) AS p",
         "S text, D date, V opaque, C text, X integer"),
        ("snowflake", "SELECT * FROM (SELECT s, n, d FROM t) PIVOT(SUM(n) FOR s IN ('x', 'y' AS z))",
         "D date, 'x' integer, Z integer"),
    ],
)  # fmt: skip
def test_columns_are_those_of_the_manual(dialect: str, text: str, found: str) -> None:
    assert ", ".join(columns(dialect, text)) == found


@pytest.mark.parametrize(
    ("dialect", "text", "message"),
    [
        ("bigquery", "SELECT * FROM t, UNNEST(e)", "whether \\* has the fields of what UNNEST makes is not known"),
        ("bigquery", "SELECT (SELECT v FROM UNNEST(t.e) WHERE k = 'x') FROM t, u", "k may be a field of what UNNEST"),
        ("bigquery", "SELECT k FROM UNNEST([1]) AS x", "there is no column k"),
        ("bigquery", "SELECT x FROM t, UNNEST(s) AS x", "an array or a document is expected, not a value of type text"),
        ("bigquery", "SELECT x FROM t RIGHT JOIN UNNEST(a) AS x ON TRUE", "a right join is not lateral"),
        ("snowflake", "SELECT f.seq FROM t, LATERAL FLATTEN(v) f", "SEQ cannot be read: nothing fixes its values"),
        ("snowflake", "SELECT f.path FROM t, LATERAL FLATTEN(v, OUTER => TRUE) f", "PATH cannot be read"),
        (
            "snowflake",
            "SELECT value FROM TABLE(FLATTEN(PARSE_JSON('[]'), OUTER => TRUE))",
            "TRUE is understood in a join",
        ),
        (
            "snowflake",
            "SELECT id FROM t JOIN LATERAL FLATTEN(v, OUTER => TRUE) f ON f.index = 1",
            "OUTER => TRUE is understood in a join without a condition only",
        ),
        (
            "snowflake",
            "SELECT (SELECT COUNT(*) FROM TABLE(FLATTEN(v, OUTER => TRUE))) FROM t",
            "OUTER => TRUE is understood in a join without a condition only",
        ),
        ("snowflake", "SELECT value FROM t, LATERAL FLATTEN(v, RECURSIVE => TRUE)", "FLATTEN with RECURSIVE is not"),
        ("snowflake", "SELECT value FROM t, LATERAL FLATTEN(MODE => 'ARRAY')", "FLATTEN with MODE is not understood"),
        ("bigquery", "SELECT * FROM t PIVOT(SUM(n) FOR id IN (1))", "a value that is no name is not understood here"),
        ("bigquery", "SELECT * FROM (SELECT s, n FROM t) PIVOT(SUM(n) FOR s IN ('x'))", "PIVOT of rows with no other"),
        ("bigquery", "SELECT * FROM t PIVOT(ARRAY_AGG(n) FOR s IN ('x'))", "PIVOT with ARRAY_AGG\\(n\\) is not"),
        ("bigquery", "SELECT * FROM t JOIN u ON k = s PIVOT(SUM(n) FOR s IN ('x'))", "PIVOT or UNPIVOT is not"),
        ("bigquery", "SELECT * FROM t UNPIVOT(v FOR c IN (id, n))", "PIVOT or UNPIVOT is not understood"),
        (
            "snowflake",
            "SELECT * FROM t PIVOT(SUM(n) FOR s IN ('x') DEFAULT ON NULL (0))",
            "DEFAULT ON NULL in PIVOT is not",
        ),
        ("snowflake", "SELECT * FROM t UNPIVOT(x FOR c IN (n, s))", "PIVOT or UNPIVOT is not understood"),
        ("snowflake", "SELECT * FROM t UNPIVOT INCLUDE NULLS (x FOR c IN (id, n))", "NULLS in PIVOT is not"),
        ("snowflake", "SELECT * FROM t PIVOT(COUNT(n) FOR s IN ('x'))", "PIVOT with COUNT\\(n\\) is not understood"),
        ("snowflake", "SELECT * FROM t PIVOT(SUM(n) FOR s IN (ANY))", "a text or a number is expected here"),
    ],
)
def test_what_is_not_known_is_refused(dialect: str, text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        columns(dialect, text)


def test_what_arrays_hold_is_in_no_table_of_a_workflow() -> None:
    meaning = DIALECTS["bigquery"]
    with pytest.raises(SourceError, match="the elements of arrays of type opaque is not read here"):
        read_statement(
            SqlText("SELECT x FROM t, UNNEST(a) AS x", "q"), read_schema(SCHEMAS["bigquery"], meaning), meaning
        )


@pytest.mark.parametrize(
    ("dialect", "left", "right", "status"),
    [
        ("bigquery", "SELECT id, x FROM t, UNNEST(a) AS x WHERE id > 1",
         "SELECT id, x FROM (SELECT * FROM t WHERE id > 1) AS t CROSS JOIN UNNEST(t.a) AS x", "equivalent"),
        ("bigquery", "SELECT id, x.k FROM t, UNNEST(e) AS x", "SELECT id, k FROM t, t.e", "equivalent"),
        ("bigquery", "SELECT id, x FROM t, UNNEST(a) AS x", "SELECT id, x FROM t LEFT JOIN UNNEST(a) AS x", "unknown"),
        ("bigquery", "SELECT id FROM t, UNNEST(a) AS x", "SELECT id FROM t", "unknown"),
        ("bigquery", "SELECT x.K FROM t, UNNEST(JSON_QUERY_ARRAY(s)) AS x",
         "SELECT x.k FROM t, UNNEST(JSON_QUERY_ARRAY(s)) AS x", "unknown"),
        ("snowflake", "SELECT id FROM t, LATERAL FLATTEN(v, OUTER => TRUE) f",
         "SELECT id FROM t LEFT JOIN LATERAL FLATTEN(v) f", "equivalent"),
        ("bigquery", "SELECT id, o FROM t, UNNEST(a) AS x WITH OFFSET AS o",
         "SELECT DISTINCT id, o FROM t, UNNEST(a) AS x WITH OFFSET AS o", "unknown"),
        ("bigquery", "SELECT x FROM UNNEST([1, 2]) AS x", "SELECT x FROM UNNEST([2, 1]) AS x", "equivalent"),
        ("bigquery", "SELECT x FROM UNNEST([1, 2]) AS x", "SELECT x FROM UNNEST([1, 2, 2]) AS x", "inequivalent"),
        ("snowflake", "SELECT s, c, x FROM (SELECT s, id, n FROM t) UNPIVOT(x FOR c IN (id, n))",
         "SELECT s, 'ID', id FROM t WHERE id IS NOT NULL UNION ALL SELECT s, 'N', n FROM t WHERE n IS NOT NULL",
         "equivalent"),
        ("snowflake", "SELECT s, c, x FROM (SELECT s, id, n FROM t) UNPIVOT(x FOR c IN (id, n))",
         "SELECT s, 'ID', id FROM t UNION ALL SELECT s, 'N', n FROM t", "inequivalent"),
        ("snowflake", "SELECT id, f.value FROM t, LATERAL FLATTEN(v) f WHERE f.index = 0",
         "SELECT id, f.value FROM t, TABLE(FLATTEN(INPUT => v)) f WHERE 0 = f.index", "equivalent"),
        ("bigquery", "SELECT * FROM (SELECT d, s, n FROM t) PIVOT(SUM(n) FOR s IN ('x', 'y'))",
         "SELECT d, SUM(IF(s = 'x', n, NULL)), SUM(IF(s = 'y', n, NULL)) FROM t GROUP BY d", "equivalent"),
        ("bigquery", "SELECT * FROM (SELECT d, s, n FROM t) PIVOT(COUNT(n) AS c FOR s IN ('x'))",
         "SELECT d, COUNT(n) AS c_x FROM t WHERE s = 'x' GROUP BY d", "inequivalent"),
    ],
)  # fmt: skip
def test_verdicts(dialect: str, left: str, right: str, status: str) -> None:
    verdict = check_sql(left, right, schema=SCHEMAS[dialect], dialect=dialect, timeout=3)
    assert verdict.verdict.value == status, str(verdict)


def test_no_counterexample_makes_up_what_arrays_hold() -> None:
    queries = "SELECT id FROM t, UNNEST(a) AS x", "SELECT id FROM t"
    verdict = check_sql(*queries, schema=SCHEMAS["bigquery"], dialect="bigquery", timeout=1, replay="duckdb")
    reason = "which rows the elements of arrays of type opaque may have is not known, so none are tried"
    assert verdict.reasons["counterexamples"] == reason
    assert f"nothing was tried: {reason}" in verdict.notes
    assert missing_constraints(verdict, SCHEMAS["bigquery"]) == ()
    assert Assumption.SAME_VALUES in verdict.pair.assumptions


def test_elements_of_one_type_are_one_table() -> None:
    meaning = DIALECTS["bigquery"]
    texts = [SqlText(f"SELECT x FROM t, UNNEST({of}) AS x", of) for of in ("a", "e")]
    pair = read_pair(texts[0], texts[1], read_schema(SCHEMAS["bigquery"], meaning), meaning)
    assert pair.open_sources == ("the elements of arrays of type opaque",)
    assert pair.catalogue.by_name[pair.open_sources[0]].keys == ((2, 1),)
