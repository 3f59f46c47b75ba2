"""What is read by its name: functions that manuals list, floating-point numbers, parts of documents, ordered calls."""

from __future__ import annotations

import pytest
from tallystick import Answer
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.types import DOUBLE, INTEGER, OPAQUE, TEXT, TIMESTAMP
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.named import BIGQUERY, DUCKDB, LISTED, NAMED, POSTGRES, SNOWFLAKE, SPARK
from tallystick.frontends.sql.printing.literals import Dialect, name_text
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema, read_statement, read_unverified
from tallystick.frontends.sql.source import SqlText
from tallystick.queries.checking import check_sql

SCHEMAS = {
    "snowflake": (
        "CREATE TABLE t (id INT, f FLOAT, n NUMBER(10, 2), s VARCHAR, v VARIANT, a ARRAY, d DATE, ts TIMESTAMP)"
    ),
    "bigquery": (
        "CREATE TABLE t (id INT64, f FLOAT64, n NUMERIC, s STRING, a ARRAY<INT64>, j JSON, d DATE, ts TIMESTAMP, "
        "dt DATETIME, st STRUCT<x INT64>)"
    ),
    "duckdb": "CREATE TABLE t (id INT, f DOUBLE, r REAL, s VARCHAR, l INT[], d DATE, ts TIMESTAMP)",
    "postgres": "CREATE TABLE t (id INT, f DOUBLE PRECISION, s VARCHAR, d DATE, ts TIMESTAMP)",
    "spark": "CREATE TABLE t (id INT, f DOUBLE, s STRING, d DATE, ts TIMESTAMP)",
}


def types(dialect: str, items: str, rest: str = "") -> list[str]:
    """The types of a SELECT list over the table of a dialect."""
    meaning = DIALECTS[dialect]
    schema = read_schema(SCHEMAS[dialect], meaning).with_floats()
    text = SqlText(f"SELECT {items} FROM t {rest}", "q")
    return [str(column.type) for column in read_statement(text, schema, meaning).columns]


def pair(dialect: str, left: str, right: str) -> SqlPair:
    """Two SELECT lists over the table of a dialect."""
    meaning = DIALECTS[dialect]
    texts = [SqlText(f"SELECT {items} FROM t", side) for items, side in ((left, "left"), (right, "right"))]
    return read_pair(texts[0], texts[1], read_schema(SCHEMAS[dialect], meaning).with_floats(), meaning)


@pytest.mark.parametrize(
    ("dialect", "items", "expected"),
    [
        ("snowflake", "SPLIT_PART(s, '-', 1), MD5(s), REGEXP_SUBSTR(s, 'x', 1, 1, 'e')", [TEXT] * 3),
        ("snowflake", "ARRAY_SIZE(a), DATEDIFF('month', d, ts), DATE_PART('epoch', ts)", [INTEGER] * 3),
        ("snowflake", "TRY_TO_TIMESTAMP_NTZ(s), TO_TIMESTAMP(id), CONVERT_TIMEZONE('UTC', 'x', ts)", [TIMESTAMP] * 3),
        ("snowflake", "v:a.b, v['x'], a[0], PARSE_JSON(s), CONVERT_TIMEZONE('UTC', ts)", [OPAQUE] * 5),
        ("snowflake", "v:a::STRING, TO_VARCHAR(f), UPPER(v:a), TO_CHAR(d, 'YYYY')", [TEXT] * 4),
        ("snowflake", "f + 1, f / n, -f, ABS(f), ROUND(f, 2), SQRT(id), COALESCE(f, 0)", [DOUBLE] * 7),
        ("snowflake", "COUNT(DISTINCT id) OVER (PARTITION BY s), LEFT(s, 3) || v:x", [INTEGER, TEXT]),
        ("bigquery", "TO_HEX(MD5(s)), REGEXP_EXTRACT(s, r'x'), STRING(ts), 'a' || \"b\"", [TEXT] * 4),
        ("bigquery", "TIMESTAMP_DIFF(ts, ts, SECOND), DATE_DIFF(d, d, ISOWEEK)", [INTEGER] * 2),
        ("bigquery", "EXTRACT(ISOWEEK FROM d), EXTRACT(DAYOFWEEK FROM ts), ARRAY_LENGTH(a)", [INTEGER] * 3),
        ("bigquery", "TIMESTAMP_SUB(ts, INTERVAL 1 DAY), DATETIME_ADD(d, INTERVAL 2 MONTH)", [TIMESTAMP] * 2),
        ("bigquery", "STRUCT(id AS x, s), [id, 1]", [OPAQUE] * 2),
        ("bigquery", "UPPER(st.x), st.x || 'a'", [TEXT] * 2),
        ("snowflake", "MD5(x) AS y, s AS x, UPPER(x)", [TEXT] * 3),
        ("snowflake", "TRUNC(n, 1), TRUNCATE(n), TRY_CAST(s AS NUMBER(10, 2)), DIV0NULL(n, id)", ["decimal"] * 4),
        ("snowflake", "RIGHT(s, 2), RIGHT(s, id), AS_VARCHAR(v)", [TEXT] * 3),
        ("snowflake", "d LIKE '%-02-29', TRY_CAST(s AS BOOLEAN)", ["boolean"] * 2),
        ("snowflake", "TIMEADD(hour, 1, ts), TIMESTAMPADD(day, 1, ts)", [TIMESTAMP] * 2),
        ("bigquery", "st.x, t.st.x, a[SAFE_OFFSET(0)], SPLIT(s, ',')[OFFSET(0)], MD5(s)", [OPAQUE] * 5),
        ("bigquery", "SAFE.PARSE_TIMESTAMP('%Y', s), TIMESTAMP_TRUNC(ts, DAY, 'x')", [TIMESTAMP] * 2),
        ("bigquery", "f * n, f / 2, 1e3, SAFE_DIVIDE(f, id), CAST(s AS FLOAT64)", [DOUBLE] * 5),
        ("bigquery", "TIMESTAMP_DIFF(ts, ts, SECOND) / 60.0, n * 0.1, -0.5, 2", [DOUBLE, DOUBLE, DOUBLE, INTEGER]),
        ("bigquery", f"REGEXP_REPLACE(s, r'{'a' * 50}', '')", [TEXT]),
        ("duckdb", "CONCAT_WS('-', s, 'x'), MONTHNAME(d), SHA256(s)", [TEXT] * 3),
        ("duckdb", "MAKE_DATE(id, 1, 1), EPOCH(ts), REGEXP_FULL_MATCH(s, 'a')", ["date", DOUBLE, "boolean"]),
        ("duckdb", "STRING_SPLIT(s, 'b'), CAST('[1]' AS JSON), TO_TIMESTAMP(id)", [OPAQUE, OPAQUE, TIMESTAMP]),
        ("postgres", "CONCAT_WS('-', s, d), REGEXP_REPLACE(s, 'a', 'x', 'g')", [TEXT] * 2),
        ("postgres", "TO_DATE(s, 'YYYY'), TO_JSONB(s), s ~* '^a'", ["date", OPAQUE, "boolean"]),
        ("postgres", "CAST('{a}' AS TEXT[])", [OPAQUE]),
        ("spark", "CONCAT_WS('-', s, 'x'), SHA2(s, 256), SIZE(SPLIT(s, 'b'))", [TEXT, TEXT, INTEGER]),
    ],
)
def test_functions_have_the_types_of_the_manual(dialect: str, items: str, expected: list[object]) -> None:
    assert types(dialect, items) == [str(each) for each in expected]


@pytest.mark.parametrize(
    ("dialect", "items", "rest", "expected"),
    [
        ("snowflake", "LISTAGG(s, ',') WITHIN GROUP (ORDER BY id), MAX_BY(s, id)", "", [TEXT, TEXT]),
        ("snowflake", "ARRAY_AGG(DISTINCT s), ARRAY_UNIQUE_AGG(s)", "", [OPAQUE, OPAQUE]),
        ("bigquery", "ANY_VALUE(s), STRING_AGG(s, ',' ORDER BY id), SUM(f)", "GROUP BY id", [TEXT, TEXT, DOUBLE]),
        ("bigquery", "ARRAY_AGG(s IGNORE NULLS ORDER BY id LIMIT 1)[OFFSET(0)]", "", [OPAQUE]),
        ("snowflake", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY f), CORR(f, f)", "GROUP BY s", [DOUBLE, DOUBLE]),
        ("bigquery", "BIT_AND(id)", "", [INTEGER]),
        ("bigquery", "PERCENTILE_CONT(id, 0.5) OVER w", "WINDOW w AS (PARTITION BY s)", [DOUBLE]),
        ("bigquery", "s, ARRAY_CONCAT_AGG(a ORDER BY id)", "GROUP BY s", [TEXT, OPAQUE]),
        (
            "bigquery",
            "ANY_VALUE(s HAVING MAX id), ANY_VALUE(id HAVING MIN ts), MAX_BY(s, id)",
            "",
            [TEXT, INTEGER, TEXT],
        ),
        ("bigquery", "COUNTIF(id > 1) OVER w, ARRAY_AGG(s) OVER w", "WINDOW w AS (PARTITION BY s)", [INTEGER, OPAQUE]),
        ("bigquery", "FIRST_VALUE(s IGNORE NULLS) OVER (PARTITION BY id ORDER BY ts)", "", [TEXT]),
        (
            "snowflake",
            "LAST_VALUE(f) IGNORE NULLS OVER (ORDER BY id), LAG(d) IGNORE NULLS OVER (ORDER BY id)",
            "",
            [DOUBLE, "date"],
        ),
        ("snowflake", "LISTAGG(s, ',') WITHIN GROUP (ORDER BY id) OVER (PARTITION BY d)", "", [TEXT]),
        ("duckdb", "ANY_VALUE(s), ARG_MAX(id, id), ARRAY_AGG(s ORDER BY id)", "GROUP BY d", [TEXT, INTEGER, OPAQUE]),
        ("duckdb", "FIRST_VALUE(s IGNORE NULLS) OVER some_rows", "WINDOW some_rows AS (ORDER BY id)", [TEXT]),
        ("postgres", "ARRAY_AGG(s ORDER BY id), STRING_AGG(s, ', ')", "GROUP BY d", [OPAQUE, TEXT]),
        ("spark", "MAX_BY(s, id), COLLECT_LIST(s)", "GROUP BY d", [TEXT, OPAQUE]),
        (
            "snowflake",
            "d::VARCHAR AS x, MD5(x) AS y, MAX(z), id + 1 AS z",
            "GROUP BY 1, 2, z",
            [TEXT, TEXT, INTEGER, INTEGER],
        ),
        ("snowflake", "s AS x, f", "WHERE x LIKE ANY ('a%', 'b') AND f > 1 AND f BETWEEN 0 AND n", [TEXT, DOUBLE]),
    ],
)
def test_aggregates_and_conditions_are_read(dialect: str, items: str, rest: str, expected: list[object]) -> None:
    assert types(dialect, items, rest) == [str(each) for each in expected]


@pytest.mark.parametrize(
    ("dialect", "items", "message"),
    [
        ("snowflake", "RANDOM()", "RAND is not deterministic"),
        ("snowflake", "UUID_STRING()", "UUID is not deterministic"),
        ("snowflake", "SEQ4()", "the function SEQ4 is not understood"),
        ("snowflake", "OWN(s)", "the function OWN is not understood"),
        ("bigquery", "GENERATE_UUID()", "UUID is not deterministic"),
        ("bigquery", "f DIV 2", "syntax error"),
        ("bigquery", "SIGN(f)", "an exact number is expected, not a value of type double"),
        ("bigquery", "COALESCE(j, s)", "values of the types opaque and text meet"),
        ("bigquery", "s.x", "there is no table s here"),
        ("bigquery", "EXTRACT(YEAR FROM j)", "a date is expected, not a value of type opaque"),
        ("bigquery", "ARRAY(SELECT id FROM t)", "the function ARRAY is not understood"),
        ("bigquery", "id IN (SELECT a FROM t)", "values of the types integer and opaque meet"),
        ("bigquery", "st IN (SELECT st FROM t)", "IN of a query is not understood for arrays and documents"),
        ("duckdb", "HASH(id)", "the function HASH is not understood"),
        ("duckdb", "TYPEOF(id)", "the function TYPEOF is not understood"),
        ("duckdb", "LAG(s, 2 IGNORE NULLS) OVER (ORDER BY id)", "only the nearest value in an order is understood"),
        ("snowflake", "LAG(s, 1, 'x') IGNORE NULLS OVER (ORDER BY id)", "only the nearest value in an order"),
        ("spark", "s AT TIME ZONE 'UTC'", "AT TIME ZONE is not understood"),
        ("postgres", "s AT TIME ZONE 'UTC'", "AT TIME ZONE is not understood"),
        ("postgres", "JSON_OBJECT_AGG(s, id)", "is not understood"),
        ("postgres", "GENERATE_SERIES(1, 2)", "the function GENERATE_SERIES is not understood"),
        ("duckdb", "1e3", "holds floating-point numbers"),
        ("duckdb", "r + 1", "a REAL meets another number here"),
    ],
)
def test_what_is_on_no_list_is_refused(dialect: str, items: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        types(dialect, items)


ATTACKED = (
    "CREATE TABLE t (id INT, a INT, b INT, s VARCHAR(9), c CHAR(5), e CHAR(8)); CREATE TABLE v (id INT, a VARCHAR(9))"
)


@pytest.mark.parametrize(
    ("dialect", "left", "right"),
    [
        (
            "spark",
            "SELECT id FROM (SELECT id, a AS k FROM t SORT BY k) AS q LIMIT 1",
            "SELECT id FROM (SELECT id, b AS k FROM t SORT BY k) AS q LIMIT 1",
        ),
        ("spark", "SELECT TO_JSON(STRUCT((a))) FROM t", "SELECT TO_JSON(STRUCT((k))) FROM (SELECT a AS k FROM t) AS q"),
        ("postgres", "SELECT TO_JSONB(c) FROM t WHERE c = e", "SELECT TO_JSONB(e) FROM t WHERE c = e"),
        ("postgres", "SELECT OCTET_LENGTH(c) FROM t WHERE c = e", "SELECT OCTET_LENGTH(e) FROM t WHERE c = e"),
    ],
)
def test_what_engines_tell_apart_is_not_the_same(dialect: str, left: str, right: str) -> None:
    assert check_sql(left, right, schema=ATTACKED, dialect=dialect, timeout=5).verdict is Answer.UNKNOWN


def test_the_place_of_an_element_is_before_it() -> None:
    exploded = "FROM v LATERAL VIEW POSEXPLODE(SPLIT(a, 'q')) w AS n, q"
    left, right = (f"SELECT {items} {exploded}" for items in ("*", "id, a, n, q"))
    assert check_sql(left, right, schema=ATTACKED, dialect="spark").verdict is Answer.EQUIVALENT


@pytest.mark.parametrize(("dialect", "made"), [("spark", "STRUCT(s AS a)"), ("duckdb", "CAST(s AS STRUCT(a VARCHAR))")])
def test_a_field_is_nearer_than_the_column_of_a_table_around(dialect: str, made: str) -> None:
    left = f"SELECT id FROM v WHERE EXISTS (SELECT 1 FROM (SELECT {made} AS v FROM t) AS q WHERE v.a = 'b')"
    with pytest.raises(SourceError, match="or of a nearer column"):
        check_sql(left, left, schema=ATTACKED, dialect=dialect)


def test_no_function_is_listed_twice() -> None:
    for text in (SNOWFLAKE, BIGQUERY, DUCKDB, POSTGRES, SPARK):
        names = [name for line in text.split("\n") for name in line.strip().partition(": ")[2].split()]
        assert len(names) == len(set(names))
    assert not {"RANDOM", "UUID_STRING", "SEQ4", "RAND", "GENERATE_UUID", "ARRAYS_ZIP"} & {
        name for table in NAMED.values() for name, _ in table
    }
    assert "ARRAY_DISTINCT" not in {name for table in LISTED.values() for name, _ in table}


@pytest.mark.parametrize(
    ("dialect", "left", "right"),
    [
        ("bigquery", "CAST(s AS TIMESTAMP)", "CAST(s AS DATETIME)"),
        (
            "duckdb",
            "FIRST_VALUE(s IGNORE NULLS) OVER (ORDER BY id DESC)",
            "LAST_VALUE(s IGNORE NULLS) OVER (ORDER BY id)",
        ),
        ("duckdb", "CAST(s AS JSON)", "TO_JSON(s)"),
        ("postgres", "REGEXP_REPLACE(s, 'a', 'x', 'g')", "REGEXP_REPLACE(s, 'a', 'x')"),
        ("postgres", "s ~* 'a'", "s ~ 'a'"),
        ("snowflake", "CAST(s AS TIMESTAMP_NTZ)", "CAST(s AS TIMESTAMP_LTZ)"),
        ("snowflake", "TO_DATE(s, 'YY')", "TO_DATE(s, 'YYYY')"),
        ("snowflake", "v:a", "v:A"),
        ("snowflake", "REGEXP_SUBSTR(s, 'x', 1)", "REGEXP_SUBSTR(s, 'x', 2)"),
        ("bigquery", "a[OFFSET(0)]", "a[SAFE_OFFSET(0)]"),
        ("bigquery", "a[OFFSET(0)]", "a[ORDINAL(0)]"),
        ("bigquery", "DATE_TRUNC(d, WEEK)", "DATE_TRUNC(d, WEEK(MONDAY))"),
        ("bigquery", "SAFE.PARSE_DATE('%Y', s)", "PARSE_DATE('%Y', s)"),
        ("bigquery", "TIMESTAMP_DIFF(ts, ts, HOUR)", "TIMESTAMP_DIFF(ts, ts, DAY)"),
        ("bigquery", "f + 1", "f + 1.0"),
        ("bigquery", "STRING(ts)", "STRING(CAST(ts AS DATETIME))"),
        ("bigquery", "CAST(ts AS STRING)", "CAST(CAST(ts AS DATETIME) AS STRING)"),
        ("bigquery", "CAST(CAST(d AS TIMESTAMP) AS STRING)", "CAST(CAST(d AS DATETIME) AS STRING)"),
        ("bigquery", "CAST(CAST(dt AS TIMESTAMP) AS STRING)", "CAST(dt AS STRING)"),
        ("bigquery", "CAST(d + INTERVAL 1 DAY AS STRING)", "CAST(CAST(d AS TIMESTAMP) + INTERVAL 1 DAY AS STRING)"),
        ("bigquery", "DATETIME_TRUNC(d, DAY)", "TIMESTAMP_TRUNC(CAST(d AS TIMESTAMP), DAY)"),
        ("bigquery", "DATETIME_ADD(d, INTERVAL 1 DAY)", "TIMESTAMP_ADD(CAST(d AS TIMESTAMP), INTERVAL 1 DAY)"),
        ("bigquery", "FORMAT('%T', n)", "FORMAT('%T', CAST(n AS BIGNUMERIC))"),
        ("bigquery", "STRUCT(id AS x)", "STRUCT(id AS y)"),
        ("bigquery", "STRUCT(id AS x)", "STRUCT(id AS X)"),
        ("bigquery", "STRUCT(id)", "STRUCT(ID)"),
        ("bigquery", "STRUCT<x INT64>(id)", "STRUCT<X INT64>(id)"),
        ("bigquery", "j.x", "j.X"),
        ("bigquery", "PARSE_JSON(s).x", "PARSE_JSON(s).X"),
        ("bigquery", "STRUCT(n AS x)", "STRUCT(CAST(n AS BIGNUMERIC) AS x)"),
        ("bigquery", "[n]", "[CAST(n AS BIGNUMERIC)]"),
        ("bigquery", "LENGTH(st.x)", "LENGTH(CAST(st.x AS STRING))"),
        ("snowflake", "MD5(n)", "MD5(CAST(n AS NUMBER(38, 4)))"),
        ("snowflake", "MD5(n + 0.00)", "MD5(n + 0.000)"),
        ("snowflake", "TO_VARCHAR(CURRENT_TIMESTAMP)", "TO_VARCHAR(CAST(CURRENT_TIMESTAMP AS TIMESTAMP_NTZ))"),
        ("snowflake", "RIGHT(s, id)", "RIGHT(s, 2)"),
        ("snowflake", "MD5(ts)", "MD5(CAST(ts AS TIMESTAMP_LTZ))"),
        ("snowflake", "CAST(n AS VARIANT)", "CAST(CAST(n AS NUMBER(38, 4)) AS VARIANT)"),
        ("snowflake", "TO_VARCHAR(ts)", "TO_VARCHAR(CAST(ts AS TIMESTAMP_LTZ))"),
        (
            "snowflake",
            "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY f)",
            "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY f DESC)",
        ),
        ("snowflake", "ARRAY_AGG(n)", "ARRAY_AGG(CAST(n AS NUMBER(38, 4)))"),
    ],
)
def test_what_is_said_differently_is_not_the_same(dialect: str, left: str, right: str) -> None:
    read = pair(dialect, left, right)
    assert read.left != read.right


@pytest.mark.parametrize("dialect", ["bigquery"])
def test_a_zone_in_a_text_counts_by_the_type_that_it_becomes(dialect: str) -> None:
    meaning = DIALECTS[dialect]
    schema = read_schema("CREATE TABLE t (s VARCHAR(30))", meaning)
    for text in ("s", "'2000-02-29 01:02:03+02:00'"):
        queries = [f"SELECT CAST(CAST({text} AS {type_}) AS DATE) FROM t" for type_ in ("TIMESTAMP", "DATETIME")]
        first, second = (read_unverified(SqlText(query, "q"), schema, meaning)[0] for query in queries)
        assert first != second


def test_comparing_floats_assumes_that_equal_ones_are_the_same() -> None:
    assert Assumption.SAME_VALUES not in pair("bigquery", "f, a", "f, a").assumptions
    for items in ("DISTINCT f", "COUNT(DISTINCT a)", "MIN(f)", "SUM(f)", "f = f", "ROW_NUMBER() OVER (ORDER BY f)"):
        assert Assumption.SAME_VALUES in pair("bigquery", items, items).assumptions


@pytest.mark.parametrize(
    ("left", "right", "status"),
    [
        ("SELECT f FROM t WHERE f > 0", "SELECT f FROM t WHERE 0 < f", "equivalent"),
        ("SELECT f FROM t WHERE f > 0 AND s = 'a'", "SELECT f FROM t WHERE s = 'a' AND f > 0", "equivalent"),
        ("SELECT f FROM t", "SELECT f FROM t WHERE f = f", "inequivalent"),
        ("SELECT id FROM t", "SELECT id FROM t WHERE st = st OR st IS NULL", "unknown"),
        ("SELECT id FROM t WHERE st = st", "SELECT id FROM t WHERE NOT st <> st", "equivalent"),
        ("SELECT DISTINCT f FROM t", "SELECT f FROM t GROUP BY f", "equivalent"),
        ("SELECT DISTINCT a FROM t", "SELECT a FROM t", "inequivalent"),
        ("SELECT f + n + 1 AS x FROM t", "SELECT n + f + 1 AS x FROM t", "unknown"),
        ("SELECT SUM(f) AS x FROM t", "SELECT SUM(f + 0) AS x FROM t", "unknown"),
        ("SELECT a FROM t WHERE a IS NULL", "SELECT a FROM t WHERE a IS NULL AND id > 0", "inequivalent"),
        ("SELECT ROUND(f) AS x FROM t", "SELECT f AS x FROM t", "unknown"),
        ("SELECT ANY_VALUE(s) AS x FROM t", "SELECT MAX(s) AS x FROM t", "unknown"),
    ],
)
def test_verdicts_about_values_that_are_known_by_their_order(left: str, right: str, status: str) -> None:
    verdict = check_sql(left, right, schema=SCHEMAS["bigquery"], dialect="bigquery", timeout=2.0)
    assert verdict.verdict.value == status


def test_a_document_may_make_null_of_what_is_no_null() -> None:
    meaning = DIALECTS["snowflake"]
    for condition in ("v = 1", "v = PARSE_JSON(s)", "v::STRING = s", "EQUAL_NULL(v, 1)"):
        queries = [f"SELECT id FROM t WHERE ({condition}) IS {said}" for said in ("NULL", "NULL AND v IS NULL")]
        verdict = check_sql(*queries, schema=SCHEMAS["snowflake"], dialect=meaning.name).verdict
        assert verdict.value != "equivalent", condition


def test_a_column_that_has_no_text_does_not_keep_a_difference_from_an_engine() -> None:
    schema = "CREATE TABLE t (id INT, f DOUBLE, xs INT[])"
    verdict = check_sql(
        "SELECT MIN(f) AS m FROM t", "SELECT MAX(f) AS m FROM t", schema=schema, dialect="duckdb", replay="duckdb"
    )
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.replayed_on == ("reference", "duckdb")
    assert "NULL AS VARCHAR" in verdict.script()


@pytest.mark.parametrize(("dialect", "text"), [("duckdb", '"a""b`"'), ("spark", '`a"b```')])
def test_quotes_in_names_are_doubled(dialect: Dialect, text: str) -> None:
    assert name_text('a"b`', dialect) == text


@pytest.mark.parametrize(
    ("left", "right", "status"),
    [
        (
            "SELECT DATE_DIFF('year', d, ts) AS x FROM t",
            "SELECT YEAR(ts) - DATE_PART('year', d) AS x FROM t",
            "equivalent",
        ),
        (
            "SELECT id FROM t WHERE DATE_DIFF('quarter', d, ts) > 4",
            "SELECT id FROM t WHERE DATE_DIFF('month', d, ts) > 12",
            "inequivalent",
        ),
        ("SELECT DATE_DIFF('hour', d, ts) AS x FROM t", "SELECT DATE_DIFF('minute', d, ts) AS x FROM t", "unknown"),
        ("SELECT s || id AS x FROM t", "SELECT CONCAT(s, id) AS x FROM t", "inequivalent"),
        ("SELECT s || '-' || d AS x FROM t", "SELECT s || '-' || CAST(d AS VARCHAR) AS x FROM t", "equivalent"),
        (
            "SELECT STRING_AGG(s, ',' ORDER BY s) AS x FROM t WHERE id > 1",
            "SELECT STRING_AGG(s, ',' ORDER BY s) AS x FROM (SELECT s FROM t WHERE 1 < id) AS u",
            "equivalent",
        ),
        (
            "SELECT STRING_AGG(s, ',' ORDER BY s) AS x FROM t",
            "SELECT STRING_AGG(s, ',' ORDER BY s DESC) AS x FROM t",
            "unknown",
        ),
        ("SELECT SPLIT_PART(s, '-', 1) AS x FROM t", "SELECT SPLIT_PART(s, '-', -1) AS x FROM t", "unknown"),
    ],
)
def test_verdicts_about_what_was_compared_with_duckdb(left: str, right: str, status: str) -> None:
    schema = "CREATE TABLE t (id INT, s VARCHAR, d DATE, ts TIMESTAMP)"
    verdict = check_sql(left, right, schema=schema, dialect="duckdb", timeout=3, replay="duckdb")
    assert verdict.verdict.value == status, str(verdict)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT d > '2026-01-15 12:00:00+00:00' FROM t", "a zone in a constant is not understood"),
        ("SELECT LEFT(s, 3) > '2026-01-15 12:00:00+00:00' FROM t", "a zone in a constant is not understood"),
        ("SELECT MODE(s) FROM t", "the function MODE is not understood"),
        ("SELECT DATE_DIFF('century', d, ts) FROM t", "DATEDIFF is understood for days between dates only"),
        ("SELECT DATE_PART(s, d) FROM t", "the function DATE_PART is not understood"),
        ("SELECT l || l FROM t", "a text is expected, not a value of type opaque"),
    ],
)
def test_what_duckdb_was_not_asked_about_is_refused(text: str, message: str) -> None:
    meaning = DIALECTS["duckdb"]
    schema = read_schema("CREATE TABLE t (id INT, s VARCHAR, d DATE, ts TIMESTAMP, l INT[])", meaning)
    with pytest.raises(SourceError, match=message):
        read_statement(SqlText(text, "q"), schema, meaning)


@pytest.mark.parametrize("dialect", ["duckdb", "bigquery"])
def test_a_long_chain_of_texts_is_read_in_the_time_of_its_length(dialect: str) -> None:
    assert types(dialect, " || ".join(["s"] * 60)) == [str(TEXT)]


@pytest.mark.parametrize(
    ("dialect", "left", "right", "answer"),
    [
        ("snowflake", "SELECT n * 1.0 AS v FROM t", "SELECT n * 1.00 AS v FROM t", Answer.UNKNOWN),
        ("snowflake", "SELECT n AS v FROM t WHERE n = m", "SELECT m AS v FROM t WHERE n = m", Answer.UNKNOWN),
        ("snowflake", "SELECT n * 1.0 AS v FROM t", "SELECT n*1.0 AS v\nFROM t -- the same", Answer.EQUIVALENT),
        ("snowflake", "SELECT n AS v FROM t WHERE n = m", "SELECT n AS v FROM t WHERE m = n", Answer.EQUIVALENT),
    ],
)
def test_a_decimal_is_known_by_its_digits_or_by_the_whole_text(
    dialect: str, left: str, right: str, answer: Answer
) -> None:
    """A name of a column may stand for numbers of other digits in another text."""
    schema = "CREATE TABLE t (id INT, n DECIMAL(10, 1), m DECIMAL(10, 2))"
    texts = [f"SELECT TO_JSON(v) AS q FROM ({each}\n) AS s" for each in (left, right)]
    assert check_sql(*texts, schema=schema, dialect=dialect, timeout=3).verdict is answer


@pytest.mark.parametrize("alias", ["a", "b"])
def test_columns_in_a_text_are_known_by_their_digits(alias: str) -> None:
    schema = "CREATE TABLE t (id INT, n DECIMAL(10, 1)); CREATE TABLE u (id INT, n DECIMAL(10, 2))"
    text = "SELECT TO_JSON({}.n * 1.0) AS q FROM t AS {} JOIN u AS {} ON a.n = b.n"
    left, right = text.format(alias, "a", "b"), text.format(alias, "b", "a")
    assert check_sql(left, right, schema=schema, dialect="snowflake", timeout=3).verdict is Answer.UNKNOWN


def test_a_field_of_a_nearer_column_is_no_column_of_a_table_around() -> None:
    schema = "CREATE TABLE v (id INT64, a STRING); CREATE TABLE u (b INT64, c STRUCT<a STRING>)"
    text = "SELECT id FROM v WHERE EXISTS (SELECT 1 FROM (SELECT c AS v FROM u) AS s WHERE v.a = 'b')"
    with pytest.raises(SourceError, match=r"v\.a may be a field of what UNNEST makes, or of a nearer column"):
        check_sql(text, text, schema=schema, dialect="bigquery")
