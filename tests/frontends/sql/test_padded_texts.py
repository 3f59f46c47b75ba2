"""CHAR(n): comparisons that hang on how a dialect pads texts are refused; others are read, without the blanks."""

from __future__ import annotations

import pytest
from tallystick.core.queries.assumptions import Assumption
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText

SCHEMA = "CREATE TABLE t (id INT NOT NULL, a CHAR(5), b VARCHAR(5), c CHAR(3))"
REFUSED = "a CHAR is padded with blanks: whether it is equal to another text hangs on the dialect"
HANGS = [
    "a = 'x '",
    "'x ' <> a",
    "a IN ('y', 'x ')",
    "a >= 'x' AND a <= 'y '",
    "a = b",
    "id = 1 AND (b < a OR c = a)",
    "EXISTS (SELECT 1 FROM t u WHERE u.b = t.a)",
]
READ = ["a = 'x'", "a = ' x'", "a IN ('x', 'y')", "a = c", "a = a", "b = 'x '", "a = '' OR a IS NULL"]


SPARK_READS = ["a = 'x'", "'x' = a", "a <> c", "a IN ('x', 'y')", "b BETWEEN 'x' AND 'y'", "COALESCE(b, 'x') = 'y'"]
SPARK_SEES = [
    "a BETWEEN 'x' AND 'y'",
    "(a, id) = ('x', 1)",
    "(a, id) IN (('x', 1))",
    "NULLIF(a, 'x') IS NULL",
    "a = (SELECT MAX(c) FROM t)",
    "(SELECT MAX(a) FROM t) = 'x'",
    "a IN (SELECT 'x' FROM t)",
    "a IN (SELECT c FROM t)",
    "b IN (SELECT a FROM t)",
    "UPPER(a) = 'X'",
    "a || 'x' = b",
    "EXISTS (SELECT 1 FROM (SELECT 'x' AS k) u WHERE k = a)",
]


@pytest.mark.parametrize("dialect", ["spark", "databricks"])
def test_where_spark_pads_both_sides_comparisons_are_read(dialect: str) -> None:
    for condition in SPARK_READS:
        read(condition, dialect)


@pytest.mark.parametrize("condition", SPARK_SEES)
def test_where_spark_pads_one_side_comparisons_are_refused(condition: str) -> None:
    with pytest.raises(SourceError, match="a CHAR is padded with blanks, which this comparison sees"):
        read(condition, "spark")


@pytest.mark.parametrize("condition", ["COALESCE(a, b) = 'x'", "CASE WHEN id = 1 THEN a ELSE b END = 'x'"])
@pytest.mark.parametrize("dialect", ["spark", "postgres"])
def test_branches_of_padded_texts_and_others_are_refused(condition: str, dialect: str) -> None:
    with pytest.raises(SourceError, match="texts of a CHAR, which is padded with blanks, meet others here"):
        read(condition, dialect)


POSTGRES_READS = [
    "a = c",
    "a IN (SELECT c FROM t)",
    "a = ANY (SELECT a FROM t)",
    "UPPER(a) = 'X'",
    "a BETWEEN 'x' AND 'y'",
]
POSTGRES_SEES = [
    "(SELECT MIN(a) FROM t) = 'x '",
    "id IN (SELECT id FROM t GROUP BY id HAVING MIN(a) = 'x ')",
    "EXISTS (SELECT 1 FROM (SELECT id, a FROM t UNION ALL SELECT id, a FROM t) u WHERE u.a = b)",
    "EXISTS (SELECT 1 FROM (SELECT id, a FROM t UNION ALL SELECT id, a FROM t) u WHERE u.a = 'x ')",
    "a IN (SELECT b FROM t)",
    "b IN (SELECT a FROM t)",
    "a = (SELECT MAX(b) FROM t)",
    "a = ANY (SELECT b FROM t)",
]


@pytest.mark.parametrize("condition", POSTGRES_READS)
def test_where_postgres_takes_blanks_away_comparisons_are_read(condition: str) -> None:
    read(condition, "postgres")


@pytest.mark.parametrize("condition", POSTGRES_SEES)
def test_where_postgres_may_compare_as_chars_comparisons_are_refused(condition: str) -> None:
    with pytest.raises(SourceError, match="a CHAR is padded with blanks"):
        read(condition, "postgres")


@pytest.mark.parametrize("condition", ["MIN(a) = 'x '", "MIN(a) LIKE 'x'"])
def test_aggregates_of_padded_texts_are_not_taken_for_other_columns(condition: str) -> None:
    schema = schema_from_statements(SqlText(SCHEMA, "schema"), DIALECTS["postgres"])
    text = SqlText(f"SELECT c FROM t GROUP BY c HAVING {condition}", "query")
    with pytest.raises(SourceError, match="a CHAR is padded with blanks"):
        read_pair(text, text, schema, DIALECTS["postgres"])


def test_constants_beside_padded_texts_are_padded_by_postgres_alone() -> None:
    read("COALESCE(a, 'x') = 'y'", "postgres")
    for condition, dialect in (("COALESCE(a, 'x') = 'y'", "spark"), ("COALESCE(a, 'x ') = 'y'", "postgres")):
        with pytest.raises(SourceError, match="meet others here"):
            read(condition, dialect)


def read(condition: str, dialect: str) -> None:
    schema = schema_from_statements(SqlText(SCHEMA, "schema"), DIALECTS[dialect])
    for table in ("t", "(SELECT id, a, b, c FROM t WHERE id > 1) t"):
        query = f"SELECT id FROM {table} WHERE {condition}"
        text = SqlText(query, "query")
        read_pair(text, text, schema, DIALECTS[dialect])


@pytest.mark.parametrize("condition", HANGS)
@pytest.mark.parametrize("dialect", ["spark", "databricks", "postgres", "mysql", "calcite"])
def test_what_hangs_on_padding_is_refused(condition: str, dialect: str) -> None:
    with pytest.raises(SourceError, match=REFUSED):
        read(condition, dialect)


@pytest.mark.parametrize("condition", READ)
@pytest.mark.parametrize("dialect", ["spark", "postgres"])
def test_other_comparisons_are_read(condition: str, dialect: str) -> None:
    read(condition, dialect)


@pytest.mark.parametrize("dialect", ["duckdb", "bigquery", "snowflake"])
def test_where_char_is_varchar_all_are_read(dialect: str) -> None:
    for condition in ("a = 'x '", "a IN ('y', 'x ')", "a = b"):
        read(condition, dialect)


@pytest.mark.parametrize(
    ("query", "dialect", "assumed"),
    [
        ("SELECT id FROM t WHERE LENGTH(a) = 1", "spark", True),
        ("SELECT id FROM t WHERE a LIKE 'x%' AND b LIKE 'x'", "postgres", True),
        ("SELECT id FROM t WHERE a LIKE 'x'", "mysql", True),
        ("SELECT a FROM t UNION SELECT a FROM t UNION SELECT NULL", "calcite", True),
        ("SELECT id FROM t WHERE LENGTH(a) = 1", "duckdb", False),
        ("SELECT LENGTH(s) FROM plain", "spark", False),
    ],
)
def test_texts_of_a_table_with_padding_are_without_it_by_assumption(query: str, dialect: str, assumed: bool) -> None:
    schema = schema_from_statements(
        SqlText(f"{SCHEMA}; CREATE TABLE plain (s VARCHAR(5))", "schema"), DIALECTS[dialect]
    )
    pair = read_pair(SqlText(query, "query"), SqlText(query, "query"), schema, DIALECTS[dialect])
    assert (Assumption.UNPADDED in pair.assumptions) == assumed


@pytest.mark.parametrize(
    ("condition", "dialect", "place"),
    [
        ("a LIKE 'x'", "postgres", 24),
        ("a LIKE 'x'", "spark", 24),
        ("a LIKE 'x_%'", "spark", 24),
        ("a NOT LIKE '% %'", "databricks", 24),
        ("a ILIKE 'x'", "postgres", 24),
        ("a RLIKE 'x$'", "spark", 24),
        ("UPPER(a) LIKE 'X'", "spark", 24),
        ("UPPER(a) LIKE 'x'", "postgres", 24),
        ("b = 'x' AND a LIKE b", "calcite", 36),
    ],
)
def test_patterns_that_see_padding_are_refused(condition: str, dialect: str, place: int) -> None:
    with pytest.raises(SourceError) as caught:
        read(condition, dialect)
    assert str(caught.value).splitlines()[0] == f"query:1:{place}: a CHAR is padded with blanks, which a pattern sees"


@pytest.mark.parametrize("dialect", ["spark", "postgres"])
@pytest.mark.parametrize(
    "condition", ["a LIKE 'x%'", "a LIKE '%x%'", "b LIKE 'x_'", "UPPER(b) LIKE 'x'", "a NOT LIKE '%'"]
)
def test_patterns_that_see_no_padding_are_read(condition: str, dialect: str) -> None:
    read(condition, dialect)


@pytest.mark.parametrize("dialect", ["spark", "postgres", "calcite"])
@pytest.mark.parametrize("other", ["b", "c", "'x'"])
@pytest.mark.parametrize("operation", ["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])
def test_set_operations_of_padded_texts_and_others_are_refused(operation: str, other: str, dialect: str) -> None:
    schema = schema_from_statements(SqlText(SCHEMA, "schema"), DIALECTS[dialect])
    text = SqlText(f"SELECT a FROM t {operation} SELECT {other} FROM t", "query")
    with pytest.raises(SourceError, match="the column a has texts of a CHAR, which is padded with blanks, and others"):
        read_pair(text, text, schema, DIALECTS[dialect])


def test_mysql_takes_padding_away() -> None:
    schema = schema_from_statements(SqlText(SCHEMA, "schema"), DIALECTS["mysql"])
    text = SqlText("SELECT a FROM t UNION ALL SELECT b FROM t WHERE a LIKE 'x_'", "query")
    read_pair(text, text, schema, DIALECTS["mysql"])


def test_a_cast_adds_no_padding_where_no_column_has_it() -> None:
    schema = schema_from_statements(SqlText("CREATE TABLE t (b VARCHAR(5))", "schema"), DIALECTS["spark"])
    text = SqlText("SELECT b FROM t WHERE CAST(b AS CHAR(5)) LIKE 'x_'", "query")
    read_pair(text, text, schema, DIALECTS["spark"])
