"""Bind parameters: which texts have them, which types they take, and what is said and shown of their values."""

from __future__ import annotations

import pytest
from tallystick.certificates.audit import audit
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema, read_statement
from tallystick.frontends.sql.source import SqlText
from tallystick.queries.checking import check_sql
from tallystick.queries.reading import question
from tallystick.verdict import Answer

SCHEMA = "CREATE TABLE t (a INT, b INT, m DECIMAL(9, 2), s VARCHAR(9), d DATE, o TIMESTAMP)"


def read(left: str, right: str, dialect: str = "postgres") -> SqlPair:
    meaning = DIALECTS[dialect]
    texts = SqlText(left, "left"), SqlText(right, "right")
    return read_pair(*texts, read_schema(SCHEMA, meaning).with_floats(), meaning)


def typed(text: str, dialect: str = "postgres") -> str:
    """The parameters of a text with their types; those that may be NULL with a mark."""
    table = read(text, text, dialect).parameters
    columns = () if table is None else table.columns
    return ", ".join(f"{each.name} {each.type}{'?' if each.nullable else ''}" for each in columns)


@pytest.mark.parametrize(
    ("dialect", "text", "found"),
    [
        ("postgres", "SELECT a FROM t WHERE a = ? AND s = ?", "?1 integer?, ?2 text?"),
        ("postgres", "SELECT a FROM t WHERE a = %s AND s = %s", "?1 integer?, ?2 text?"),
        ("postgres", "SELECT a FROM t WHERE a = $2 AND s = $1", "?1 text?, ?2 integer?"),
        ("postgres", "SELECT a FROM t WHERE a = %(x)s AND b = %(x)s", ":x integer?"),
        ("duckdb", "SELECT a FROM t WHERE a = $1 AND s = $x", ":x text?, ?1 integer?"),
        ("snowflake", "SELECT a FROM t WHERE a = $x AND b = $X", ":x integer?"),
        ("bigquery", "SELECT a FROM t WHERE a = @x AND b = @X", ":x integer?"),
        ("mysql", "SELECT a FROM t WHERE a = @x", ":x integer?"),
        ("spark", "SELECT a FROM t WHERE a = :x AND b = {{x}}", ":x integer?, {{ x }} integer?"),
        ("postgres", "SELECT a FROM t WHERE d = '{{ ds }}' AND s = '{{ t.s }}'", "'{{ ds }}' date, '{{ t.s }}' text"),
        ("postgres", "SELECT '{{ x }}' AS x FROM t", "'{{ x }}' text"),
        ("postgres", "SELECT a FROM t WHERE a % b = 1 AND s = ':x ? $1 %s' -- ? :y", ""),
        ("snowflake", "SELECT a FROM t WHERE PARSE_JSON(s):x = 1", ""),
        # types are those of what is met, or what a cast says
        ("postgres", "SELECT a FROM t WHERE a > :x AND m > :x", ":x decimal?"),
        ("postgres", "SELECT a FROM t WHERE d > :x AND o > :x", ":x timestamp?"),
        ("postgres", "SELECT a FROM t WHERE :x = :y AND :y = a", ":x integer?, :y integer?"),
        ("postgres", "SELECT CAST(? AS DATE) AS d, ?::TEXT AS s FROM t", "?1 date?, ?2 text?"),
        ("postgres", "SELECT COALESCE(s, ?) AS s FROM t WHERE ? IN (a, ?)", "?1 text?, ?2 integer?, ?3 integer?"),
        ("postgres", "SELECT CASE WHEN ? THEN b ELSE ? END AS q FROM t", "?1 boolean?, ?2 integer?"),
        ("postgres", "SELECT UPPER(?) AS u, a + ? AS q FROM t WHERE s LIKE ?", "?1 text?, ?2 integer?, ?3 text?"),
        ("postgres", "SELECT a FROM t ORDER BY a LIMIT ? OFFSET ?", "?1 integer, ?2 integer"),
    ],
)  # fmt: skip
def test_parameters_have_names_and_types(dialect: str, text: str, found: str) -> None:
    assert typed(text, dialect) == found


def test_a_parameter_has_the_type_that_either_query_says() -> None:
    assert read("SELECT a FROM t WHERE a = :x", "SELECT a FROM t WHERE COALESCE(:x, :x) = a").parameters


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT ? AS x FROM t", "q:1:8: nothing says which type the parameter ? has"),
        ("SELECT d - :x AS q FROM t", "q:1:12: nothing says which type the parameter :x has"),
        (
            "SELECT a FROM t WHERE a = :x AND s = :x",
            "q:1:27: the parameter :x meets values of the types integer and text",
        ),
        (
            "SELECT s FROM t WHERE m > :x LIMIT :x",
            "q:1:36: the parameter :x is a number of rows, and meets values of other types",
        ),
        ("SELECT a FROM ?", "q:1:15: a parameter is understood where a value stands only"),
        ("SELECT ?.a FROM t", "q:1:8: a parameter is understood where a value stands only"),
        ("SELECT a AS ? FROM t", "q:1:13: a parameter is understood where a value stands only"),
        ("SELECT a FROM t WHERE s = 'x{{ y }}'", "q:1:27: {{ y }} is a part of this text"),
        ("SELECT a FROM t ORDER BY a LIMIT ? + 1", "q:1:34: a number of rows is expected here"),
        # which may be a value of the program and a variable of the server, and the second place or the first
        ("SELECT a FROM t WHERE a = :n + %(n)s", "q:1:32: the text writes the parameter %(n)s in another way, too"),
        ("SELECT a FROM t WHERE a = $2 + ?", "q:1:32: the text writes the parameter ? in another way, too"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        read(text, text)
    assert str(caught.value).splitlines()[0].replace("left:", "q:").replace("right:", "q:") == message


def test_a_query_by_itself_has_no_parameters() -> None:
    meaning = DIALECTS["postgres"]
    with pytest.raises(SourceError, match="a parameter is understood in pairs of queries only"):
        read_statement(SqlText("SELECT a FROM t WHERE a = ?", "q"), read_schema(SCHEMA, meaning), meaning)


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("SELECT a FROM t WHERE a > :x", "SELECT a FROM t WHERE NOT a <= :x", "equivalent"),
        ("SELECT a FROM t WHERE a > :x", "SELECT a FROM t WHERE a >= :x", "inequivalent"),
        ("SELECT a FROM t WHERE a > :x", "SELECT a FROM t WHERE a > :y", "inequivalent"),
        # a parameter may be NULL
        ("SELECT a FROM t WHERE a IS NOT NULL", "SELECT a FROM t WHERE a = :x OR a <> :x", "inequivalent"),
        ("SELECT a FROM t WHERE a IS NOT NULL", "SELECT a FROM t WHERE a = '{{ x }}' OR a <> '{{ x }}'", "equivalent"),
        ("SELECT a FROM t WHERE a = :x", "SELECT :x AS a FROM t WHERE a = :x", "equivalent"),
        # places count
        ("SELECT a FROM t WHERE a = ? AND b = ?", "SELECT a FROM t WHERE b = ? AND a = ?", "inequivalent"),
        ("SELECT a FROM t WHERE a = ? AND b = ?", "SELECT a FROM t WHERE b = $2 AND a = $1", "equivalent"),
        # within queries of WITH, subqueries and groups
        (
            "WITH q AS (SELECT a, b FROM t WHERE a > :x) SELECT b, COUNT(*) AS n FROM q GROUP BY b HAVING b = :y",
            "SELECT b, COUNT(*) AS n FROM t WHERE b = :y AND a > :x GROUP BY b",
            "equivalent",
        ),
        (
            "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM t AS u WHERE u.b = t.b AND u.a > :x)",
            "SELECT a FROM t WHERE b IN (SELECT b FROM t WHERE a > :x)",
            "equivalent",
        ),
        (
            "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM t AS u WHERE u.b = t.b AND u.a > :x)",
            "SELECT a FROM t WHERE b IN (SELECT b FROM t WHERE a >= :x)",
            "inequivalent",
        ),
        ("SELECT a FROM t ORDER BY a LIMIT :n", "SELECT a FROM t ORDER BY a LIMIT :n OFFSET 0", "equivalent"),
        ("SELECT a FROM t ORDER BY a LIMIT :n", "SELECT a FROM t ORDER BY a LIMIT :n OFFSET 1", "inequivalent"),
        ("SELECT a FROM t LIMIT :n", "SELECT a FROM t LIMIT :n", "equivalent"),
    ],
)  # fmt: skip
def test_verdicts_are_about_all_values(left: str, right: str, verdict: str) -> None:
    """Certificates are accepted as those of the texts; what differs, and what is the same, is so on DuckDB."""
    found = check_sql(left, right, schema=SCHEMA, dialect="postgres", replay="duckdb")
    assert str(found.verdict) == verdict
    assert found.certificate is not None
    assert audit(found.certificate, against=question(found.pair))
    if found.verdict is Answer.INEQUIVALENT:
        assert found.replayed_on == ("reference", "duckdb")
        assert found.counterexample is not None
        assert found.counterexample.database["the parameters"]
    else:
        assert found.tried is not None
        assert found.tried.same > 10


def test_the_lines_of_a_text_are_comments_in_a_script() -> None:
    text = "'a\nDROP TABLE t; --'"
    found = check_sql(
        f"SELECT a FROM t WHERE s = {text} AND s = :x",
        f"SELECT a FROM t WHERE s = {text} AND s = :x AND a > 0",
        schema="CREATE TABLE t (a INT, s VARCHAR(20))",
        dialect="duckdb",
    )
    before, _, _ = found.script().partition("CREATE TABLE")
    assert before == "-- :x is 'a\n-- DROP TABLE t; --'\n"


def test_counterexamples_show_the_values() -> None:
    found = check_sql(
        "SELECT a FROM t WHERE a > :x",
        "SELECT a FROM t WHERE a >= :x",
        schema="CREATE TABLE t (a INT)",
        dialect="duckdb",
    )
    assert "  the parameters:\n  :x\n  --\n  0\n" in str(found)
    assert "note: for all values of the parameters: :x integer or NULL" in str(found)
    assert found.script().splitlines()[0] == "-- :x is CAST(0 AS BIGINT)"
    assert found.to_json()["witness"]["inputs"][1] == {
        "name": "the parameters", "columns": [{"name": ":x", "type": "integer"}], "rows": [[0]]
    }  # fmt: skip
