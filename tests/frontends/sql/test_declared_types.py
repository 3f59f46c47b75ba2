"""Types and values by dialect: what engines declare beside the type of a value, and what a query sees of it.

The engines themselves are asked in tests/conformance (table/types.txt); here are refusals and their places, and what
two texts of one dialect have in common.
"""

from __future__ import annotations

import pytest
from tallystick import check_sql
from tallystick.core.queries.expressions import Cast, Expression, Function
from tallystick.core.queries.interpreter.evaluation import interpreter
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.syntax import Statement
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT, TIMESTAMP, SqlType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS, dialect_named
from tallystick.frontends.sql.reader import read_pair, read_schema, read_unverified
from tallystick.frontends.sql.source import SqlText

SCHEMA = (
    "CREATE TABLE t (w SMALLINT, i INT, n BIGINT, m DECIMAL(10, 2), s VARCHAR(9), d DATE, ts TIMESTAMP, p BOOLEAN);"
    "CREATE TABLE u (n BIGINT, s VARCHAR(9))"
)


def statement(text: str, dialect: str, collation: str | None = None) -> Statement:
    named = dialect_named(dialect, collation)
    return read_unverified(SqlText(text, "the query"), read_schema(SCHEMA, named), named)[0]


def value(text: str, dialect: str) -> Expression:
    return statement(f"SELECT {text} AS x FROM t", dialect).query.expressions[0]  # type: ignore[attr-defined]


def refusal(text: str, dialect: str) -> str:
    with pytest.raises(SourceError) as caught:
        statement(text, dialect)
    return str(caught.value)


@pytest.mark.parametrize(
    ("query", "type_"),
    [
        ("SELECT SUM(w) FROM t", INTEGER),
        ("SELECT SUM(i) FROM t", INTEGER),
        ("SELECT SUM(n) FROM t", DECIMAL),
        ("SELECT SUM(i + n) FROM t", DECIMAL),
        ("SELECT SUM(-i * w) FROM t", INTEGER),
        ("SELECT SUM(CAST(i AS BIGINT)) FROM t", DECIMAL),
        ("SELECT SUM(CAST(n AS INT)) FROM t", INTEGER),
        ("SELECT SUM(COALESCE(n, 0)) FROM t", DECIMAL),
        ("SELECT SUM(CASE WHEN i > 1 THEN 1 ELSE 0 END) FROM t", INTEGER),
        ("SELECT SUM(3000000000) FROM t", DECIMAL),
        ("SELECT SUM(c) FROM (SELECT COUNT(*) AS c FROM t GROUP BY i) q", DECIMAL),
        ("SELECT SUM(c) FROM (SELECT MAX(i) AS c FROM t GROUP BY i) q", INTEGER),
        ("SELECT SUM(v) FROM (SELECT i AS v FROM t UNION ALL SELECT n FROM u) q", DECIMAL),
        ("SELECT SUM(v) FROM (VALUES (1), (2)) q (v)", INTEGER),
        ("SELECT SUM(q.n) FROM (SELECT * FROM t) q", DECIMAL),
        ("SELECT SUM(n) FROM t JOIN u USING (n)", DECIMAL),
        ("SELECT SUM((SELECT MAX(n) FROM u)) FROM t", DECIMAL),
        ("SELECT SUM(i) OVER () FROM t", INTEGER),
        ("SELECT SUM(n) OVER () FROM t", DECIMAL),
        ("SELECT SUM(SUM(i)) OVER () FROM t GROUP BY w", DECIMAL),
        ("SELECT (SELECT SUM(n) FROM u) FROM t", DECIMAL),
        ("SELECT COALESCE(SUM(n), 0) FROM t", DECIMAL),
        ("SELECT EXTRACT(YEAR FROM d) FROM t", DECIMAL),
        ("SELECT CEIL(i) FROM t", DECIMAL),
        ("SELECT SIGN(m) FROM t", DECIMAL),
        ("SELECT ABS(i) FROM t", INTEGER),
        ("SELECT NULLIF(i, 1.0) FROM t", DECIMAL),
        ("SELECT NULLIF(i, n) FROM t", INTEGER),
        ("SELECT 9223372036854775808", DECIMAL),
        ("SELECT -9223372036854775808", INTEGER),
    ],
)
def test_what_is_no_integer_to_postgres_is_none(query: str, type_: SqlType) -> None:
    assert statement(query, "postgres").query.columns[0].type == type_


def test_a_sum_of_a_type_that_is_not_known_is_refused() -> None:
    assert "whether this sum is an integer is not known" in refusal("SELECT SUM(NULL) FROM t", "postgres")
    assert statement("SELECT SUM(NULL) FROM t", "duckdb").query.columns[0].type == INTEGER


@pytest.mark.parametrize(
    ("text", "dialect", "type_"),
    [
        ("d + INTERVAL '1' DAY", "postgres", TIMESTAMP),
        ("d + INTERVAL '1' DAY", "duckdb", TIMESTAMP),
        ("d - INTERVAL '1' MONTH", "bigquery", TIMESTAMP),
        ("d + INTERVAL '1' DAY", "spark", DATE),
        ("d + INTERVAL '24' HOUR", "spark", TIMESTAMP),
        ("d + 2 * INTERVAL '1' DAY", "spark", TIMESTAMP),
        ("d + (INTERVAL '1' DAY + INTERVAL '1' DAY)", "spark", DATE),
        ("d + INTERVAL 1 WEEK", "mysql", DATE),
        ("d + INTERVAL i DAY", "mysql", DATE),
        ("d + INTERVAL 24 HOUR", "mysql", TIMESTAMP),
        ("DATE_ADD(d, INTERVAL 1 MINUTE)", "mysql", TIMESTAMP),
        ("DATE_ADD(d, 1)", "duckdb", DATE),
        ("DATE_ADD(d, INTERVAL 1 DAY)", "duckdb", TIMESTAMP),
        ("DATE_ADD(d, INTERVAL 1 DAY)", "bigquery", DATE),
        ("ADD_MONTHS(d, 1)", "spark", DATE),
        ("d + 1", "postgres", DATE),
    ],
)
def test_a_date_that_is_moved_is_a_date_by_the_dialect_and_the_unit(text: str, dialect: str, type_: SqlType) -> None:
    assert value(text, dialect).type == type_


@pytest.mark.parametrize(
    ("text", "dialect", "name"),
    [
        ("CAST(d AS CHAR(7))", "postgres", "SUBSTRING"),
        ("CAST(d AS CHAR(7))", "mysql", "SUBSTRING"),
        ("CAST(d AS CHAR(7))", "duckdb", "cast date as text"),
        ("CAST(d AS VARCHAR(10))", "postgres", "cast date as text"),
        ("CAST(i AS VARCHAR(11))", "postgres", "cast integer as text"),
        ("CAST(i AS VARCHAR(10))", "postgres", "SUBSTRING"),
        ("CAST(s AS VARCHAR(2))", "postgres", "SUBSTRING"),
        ("CAST(CONCAT(s, 'x') AS CHAR)", "mysql", "||"),
        ("CAST(ts AS TIMESTAMP(3))", "postgres", "round to digits of a second 3"),
        ("CAST(ts + INTERVAL 1 MICROSECOND AS DATETIME)", "mysql", "cut to digits of a second 0"),
        ("CAST(ts AS TIMESTAMP_S)", "duckdb", "round to digits of a second 0"),
        ("CAST(DATE_TRUNC('month', d) AS TEXT)", "postgres", "cast timestamp as text with its zone"),
        ("CAST(DATE_TRUNC('month', ts) AS TEXT)", "postgres", "cast timestamp as text"),
        ("CAST(FLOOR(i) AS TEXT)", "duckdb", "cast float as text"),
        ("CAST(FLOOR(i) AS VARCHAR(20))", "spark", "cast integer as text"),
        ("CAST(i / 2 AS INT)", "duckdb", "cast float as integer"),
        ("CAST(COALESCE(m / 2, 0) AS INT)", "duckdb", "cast float as integer"),
        ("CAST(AVG(m) OVER () AS INT)", "duckdb", "cast float as integer"),
        ("CAST(FLOOR(i / 2) AS INT)", "duckdb", "cast decimal as integer"),
        ("CAST(ROUND(i / 2) AS INT)", "duckdb", "cast decimal as integer"),
        ("CAST(m * 0.5 AS INT)", "duckdb", "cast decimal as integer"),
        ("CAST(m / 2 AS INT)", "postgres", "cast decimal as integer"),
        ("CAST(i / 2 AS SIGNED)", "mysql", "cast decimal as integer"),
        ("TRIM(LEADING 'ab' FROM s)", "mysql", "LTRIM a text"),
        ("TRIM(LEADING 'a' FROM s)", "mysql", "LTRIM"),
        ("TRIM(LEADING 'ab' FROM s)", "postgres", "LTRIM"),
    ],
)
def test_what_a_cast_does_is_what_its_dialect_does(text: str, dialect: str, name: str) -> None:
    found = value(text, dialect)
    assert isinstance(found, Function)
    assert found.name == name


@pytest.mark.parametrize(
    ("text", "dialect", "message"),
    [
        ("CAST(i AS CHAR(5))", "postgres", "CHAR(5) pads texts with blanks that comparisons ignore"),
        ("d - DATE '2000-01-01'", "mysql", "in this dialect, dates are numbers in arithmetic"),
        ("d + 1", "mysql", "in this dialect, dates are numbers in arithmetic"),
        ("DATE_ADD('2000-01-31', INTERVAL 1 DAY)", "mysql", "a date that is a text remains a text here"),
        ("'1' + '1'", "spark", "arithmetic on two texts is refused"),
        ("GREATEST(i, '10')", "spark", "a text meets another value here"),
        ("GREATEST(i, '10')", "mysql", "a text meets another value here"),
        ("s + 1", "mysql", "a text as a number holds floating-point numbers"),
        ("COALESCE(m, 'x')", "mysql", "values of the types decimal and text meet"),
        ("i = '1.5'", "duckdb", "values of the types integer and text meet"),
        ("i = '1.0'", "spark", "values of the types integer and text meet"),
        ("m = '1.505'", "duckdb", "values of the types decimal and text meet"),
        ("SUM(s)", "mysql", "a text as a number holds floating-point numbers"),
        ("1e-1", "spark", "the constant 1e-1 holds floating-point numbers"),
        ("1e-1", "duckdb", "the constant 1e-1 holds floating-point numbers"),
        ("i / 0", "duckdb", "a division by zero is infinite, or NaN"),
        ("CAST(MEDIAN(m) OVER () AS INT)", "duckdb", "whether this is a DOUBLE"),
        ("s LIKE 'a|%' ESCAPE ''", "mysql", "ESCAPE '' is not understood"),
        ("s LIKE 'a|%' ESCAPE ''", "spark", "ESCAPE '' is not understood"),
        ("i AS n, RANK() OVER (ORDER BY n DESC)", "mysql", "n is both a column and a name of the SELECT list"),
        ("-i AS i, RANK() OVER (PARTITION BY s ORDER BY (i))", "mysql", "(i) is both a column and a name"),
        ("-i AS i, SUM(n) OVER (PARTITION BY i)", "mysql", "i is both a column and a name of the SELECT list"),
        ("CONCAT(ROUND(SUM(i), 1), '')", "mysql", "the text of a decimal shows as many digits"),
        ("CAST(ROUND(COALESCE(SUM(i), 0), 1) AS CHAR)", "mysql", "the text of a decimal shows as many digits"),
        ("d + INTERVAL '1' WEEK", "postgres", "this interval is not understood in PostgreSQL"),
        ("d + INTERVAL '1' DAYS", "postgres", "this interval is not understood in PostgreSQL"),
        ("d + INTERVAL 1 DAY", "postgres", "this interval is not understood in PostgreSQL"),
        ("DATE_FORMAT(d, 'YYYY')", "spark", "YYYY in a format is not understood"),
        ("DATE_FORMAT(d, s)", "spark", "a format that is no constant is not understood"),
        ("DATEDIFF(DAY, d, ts)", "spark", "DATEDIFF with a unit is understood for days between dates only"),
        ("TRUNC(d, s)", "spark", "the unit is expected as a text"),
    ],
)
def test_what_a_dialect_does_otherwise_is_refused(text: str, dialect: str, message: str) -> None:
    assert message in refusal(f"SELECT {text} AS x FROM t", dialect)


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("-i AS i, RANK() OVER (ORDER BY t.i)", "mysql"),
        ("t.i, RANK() OVER (ORDER BY i)", "mysql"),
        ("-i AS i, RANK() OVER (ORDER BY i)", "postgres"),
        ("s LIKE 'a|%' ESCAPE ''", "postgres"),
        ("s LIKE 'a|%' ESCAPE '|'", "mysql"),
        ("CAST(ROUND(SUM(i)) AS CHAR)", "mysql"),
        ("d + INTERVAL '1' DAY + INTERVAL '2 weeks' - INTERVAL '1 DAYS'", "postgres"),
        ("d + INTERVAL '1' WEEK", "duckdb"),
        ("d + INTERVAL 1 DAY", "duckdb"),
        ("CAST(ROUND(COUNT(i), 1) AS CHAR)", "mysql"),
        ("CAST(ROUND(SUM(i), 1) AS VARCHAR(9))", "spark"),
    ],
)
def test_what_is_refused_elsewhere_is_read_here(text: str, dialect: str) -> None:
    assert statement(f"SELECT {text} AS x FROM t", dialect).names


def test_a_set_operation_is_ordered_by_its_columns_alone_in_postgres() -> None:
    union = "SELECT i FROM t UNION SELECT n FROM u ORDER BY "
    assert "PostgreSQL orders a set operation by columns" in refusal(f"{union} i + 1", "postgres")
    assert statement(f"{union} i + 1", "duckdb").order
    for keys in ("i", "1 DESC"):
        assert statement(union + keys, "postgres").order


@pytest.mark.parametrize(
    ("dialect", "group", "rows"),
    [
        ("mysql", "i WITH ROLLUP", 0),
        ("spark", "i WITH ROLLUP", 0),
        ("postgres", "ROLLUP (i)", 1),
        ("duckdb", "ROLLUP (i)", 1),
    ],
)
def test_a_rollup_of_no_rows_has_a_row_by_the_dialect(dialect: str, group: str, rows: int) -> None:
    read = statement(f"SELECT i, COUNT(*) AS n FROM t GROUP BY {group}", dialect)
    assert len(interpreter(read)({"t": (), "u": ()}).rows) == rows


def test_a_union_of_numbers_and_texts_is_one_of_texts_in_duckdb() -> None:
    assert "values of the types integer and text meet in the column x" in refusal(
        "SELECT 1 AS x UNION ALL SELECT '2'", "duckdb"
    )
    assert statement("SELECT 1 UNION ALL SELECT '2'", "mysql").query.columns[0].type == TEXT


def test_truth_is_a_number_in_mysql() -> None:
    assert value("p", "mysql").type == INTEGER
    assert value("p", "postgres").type == BOOLEAN
    same = statement("SELECT i FROM t WHERE p <> 0", "mysql")
    assert statement("SELECT i FROM t WHERE p", "mysql") == same
    assert statement("SELECT i FROM t WHERE p = 1", "mysql") != same
    assert "a condition is expected" in refusal("SELECT i FROM t WHERE i", "postgres")


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("s = 'Bob'", "s = 'bob'", True),
        ("s IN ('A', '1')", "s IN ('a', '1')", True),
        ("s IN (SELECT s FROM u WHERE s > 'B')", "s IN (SELECT s FROM u WHERE s > 'b')", True),
        ("s LIKE 'a%'", "s LIKE 'b%'", False),
        ("s = 'a'", "LOWER(s) = 'a'", False),
        ("s = 'a_b'", "s = 'A_b'", False),  # the order of this character hangs on the collation
    ],
)
def test_letters_have_no_case_in_the_collation_of_mysql(left: str, right: str, same: bool) -> None:
    texts = [f"SELECT i FROM t WHERE {condition}" for condition in (left, right)]
    assert (statement(texts[0], "mysql") == statement(texts[1], "mysql")) is same
    assert statement(texts[0], "mysql", "binary") != statement(texts[1], "mysql", "binary")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT DISTINCT s FROM t",
        "SELECT s FROM t UNION SELECT s FROM u",
        "SELECT MAX(s) FROM t",
        "SELECT s, COUNT(*) FROM t GROUP BY s",
        "SELECT GREATEST(s, 'a') FROM t",
    ],
)
def test_what_shows_one_of_several_spellings_is_refused(query: str) -> None:
    assert "say --collation binary" in refusal(query, "mysql")
    statement(query, "mysql", "binary")
    statement("SELECT COUNT(*) FROM t GROUP BY s", "mysql")


def test_there_is_one_other_collation() -> None:
    with pytest.raises(SourceError, match="there is no collation 'utf8'"):
        dialect_named("mysql", "utf8")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dates_have_the_range_of_their_dialect(dialect: str) -> None:
    named = DIALECTS[dialect]
    columns = read_schema("CREATE TABLE r (d DATE, ts TIMESTAMP)", named).catalogue.tables[0].columns
    if named.years is None:
        assert [column.range for column in columns] == [None, Range(-6) if dialect == "calcite" else None]
    else:
        day = 86_400_000_000
        assert columns[0].range == Range(0, -719_162, 2_932_896)
        moments = Range(0, -719_162 * day, 2_932_897 * day - 1)
        whole = Range(-6, -719_162 * 86_400, 2_932_897 * 86_400 - 1)
        assert columns[1].range == (whole if dialect == "mysql" else moments)


@pytest.mark.parametrize(
    ("dialect", "type_", "digits"),
    [
        ("mysql", "DATETIME", 0),
        ("mysql", "TIMESTAMP", 0),
        ("mysql", "DATETIME(3)", 3),
        ("postgres", "TIMESTAMP(0)", 0),
        ("postgres", "TIMESTAMP(5)", 5),
        ("duckdb", "TIMESTAMP_MS", 3),
        ("calcite", "TIMESTAMP", 0),
        ("mysql", "DATETIME(6)", 6),
        ("postgres", "TIMESTAMP", 6),
    ],
)
def test_moments_have_the_digits_that_are_declared(dialect: str, type_: str, digits: int) -> None:
    named = DIALECTS[dialect]
    (column,) = read_schema(f"CREATE TABLE r (ts {type_})", named).catalogue.tables[0].columns
    for scale in range(7):
        moment = 10 ** (6 - scale)
        assert column.range is None or (moment in column.range) == (scale <= digits)
    assert column.range is not None or digits == 6


@pytest.mark.parametrize(("type_", "differs"), [("DATETIME", False), ("TIMESTAMP", False), ("DATETIME(3)", True)])
def test_no_difference_hangs_on_digits_that_a_column_lacks(type_: str, differs: bool) -> None:
    before, after = (
        f"SELECT ts FROM r WHERE ts {end}" for end in ("<= '2024-01-31 23:59:59'", "< '2024-02-01 00:00:00'")
    )
    found = check_sql(before, after, schema=f"CREATE TABLE r (ts {type_})", dialect="mysql", timeout=2.0)
    assert (str(found.verdict) == "inequivalent") == differs


def test_a_cast_to_the_digits_that_a_moment_has_does_nothing() -> None:
    named = DIALECTS["postgres"]
    schema = read_schema("CREATE TABLE r (ts TIMESTAMP(3))", named)
    plain, same, fewer = (
        read_unverified(SqlText(f"SELECT {each} AS q FROM r", "q"), schema, named)[0]
        for each in ("ts", "CAST(ts AS TIMESTAMP(3))", "CAST(ts AS TIMESTAMP(0))")
    )
    assert plain == same != fewer


def test_numbers_that_are_extracted_are_compared_as_integers() -> None:
    year = "EXTRACT(YEAR FROM d)"
    days = "d >= DATE '2024-01-01' AND d < DATE '2025-01-01'"
    texts = [f"SELECT i FROM t WHERE {condition}" for condition in (f"{year} = 2024", days)]
    assert statement(texts[0], "postgres") == statement(texts[1], "postgres")
    assert isinstance(value(year, "postgres"), Cast)


def test_results_of_different_columns_are_refused() -> None:
    postgres = DIALECTS["postgres"]
    for other, message in (
        ("SELECT i, n FROM t", r"the results have 1 and 2 columns, \(i\) and \(i, n\): no row is in both"),
        ("SELECT s FROM t", "column 1 of the results has the types integer and text"),
    ):
        with pytest.raises(SourceError, match=message):
            read_pair(SqlText("SELECT i FROM t", "l"), SqlText(other, "r"), read_schema(SCHEMA, postgres), postgres)
