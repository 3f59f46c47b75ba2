"""Functions that are known by their names: what engines tell apart by the exact type of an argument is not the same."""

from __future__ import annotations

import pytest
from tallystick import Answer, check_sql
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql import named
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.named import COMPARED
from tallystick.frontends.sql.reader import read_schema, read_unverified
from tallystick.frontends.sql.source import SqlText

SCHEMAS = {
    "duckdb": (
        "CREATE TABLE t (id INT, i INT, big BIGINT, n DECIMAL(10, 1), m DECIMAL(10, 2), s VARCHAR, d DATE, "
        "ts TIMESTAMP, tz TIMESTAMPTZ, l INT[], w BIGINT[], j JSON, g STRUCT(a INT))"
    ),
    "postgres": (
        "CREATE TABLE t (id INT, i INT, big BIGINT, n DECIMAL(10, 1), m DECIMAL(10, 2), x NUMERIC, y NUMERIC, "
        "s VARCHAR, c CHAR(5), e CHAR(8), d DATE, ts TIMESTAMP, tz TIMESTAMPTZ, l INT[], w BIGINT[], b JSONB)"
    ),
    "spark": (
        "CREATE TABLE t (id INT, i INT, big BIGINT, n DECIMAL(10, 1), m DECIMAL(10, 2), s STRING, d DATE, "
        "ts TIMESTAMP, l ARRAY<INT>, w ARRAY<BIGINT>, g STRUCT<a: INT>)"
    ),
}


@pytest.mark.parametrize(
    ("dialect", "left", "right"),
    [
        ("duckdb", "TO_JSON(n) FROM t WHERE n = m", "TO_JSON(m) FROM t WHERE n = m"),
        ("duckdb", "LIST_VALUE(i) FROM t WHERE i = big", "LIST_VALUE(big) FROM t WHERE i = big"),
        ("duckdb", "TO_JSON(d) FROM t WHERE d = ts", "TO_JSON(ts) FROM t WHERE d = ts"),
        ("duckdb", "TO_JSON(ts) FROM t WHERE tz = ts", "TO_JSON(tz) FROM t WHERE tz = ts"),
        ("duckdb", "TO_JSON(1.0)", "TO_JSON(1.00)"),
        (
            "duckdb",
            "TO_JSON(v) FROM (SELECT n * 1.0 AS v FROM t) AS q",
            "TO_JSON(v) FROM (SELECT n * 1.00 AS v FROM t) AS q",
        ),
        (
            "duckdb",
            "CAST(ts AS VARCHAR) FROM t WHERE ts = TO_TIMESTAMP(i)",
            "CAST(TO_TIMESTAMP(i) AS VARCHAR) FROM t WHERE ts = TO_TIMESTAMP(i)",
        ),
        ("duckdb", "TRY_CAST(j AS TINYINT) FROM t", "TRY_CAST(j AS INT) FROM t"),
        ("duckdb", "TRY_CAST(j AS INT) FROM t", "CAST(j AS INT) FROM t"),
        ("postgres", "TO_JSONB(n) FROM t WHERE n = m", "TO_JSONB(m) FROM t WHERE n = m"),
        ("postgres", "CONCAT_WS('-', c, 'x') FROM t WHERE c = e", "CONCAT_WS('-', e, 'x') FROM t WHERE c = e"),
        ("postgres", "OCTET_LENGTH(c) FROM t WHERE c = e", "OCTET_LENGTH(e) FROM t WHERE c = e"),
        ("postgres", "CONCAT_WS('-', d, 'x') FROM t WHERE d = ts", "CONCAT_WS('-', ts, 'x') FROM t WHERE d = ts"),
        ("spark", "HEX(i - 9) FROM t WHERE i = big", "HEX(big - 9) FROM t WHERE i = big"),
        ("spark", "HASH(i) FROM t WHERE i = big", "HASH(big) FROM t WHERE i = big"),
        ("spark", "ARRAY(n) FROM t WHERE n = m", "ARRAY(m) FROM t WHERE n = m"),
    ],
)
def test_what_hangs_on_the_exact_type_is_not_the_same(dialect: str, left: str, right: str) -> None:
    texts = (f"SELECT {each}" for each in (left, right))
    assert check_sql(*texts, schema=SCHEMAS[dialect], dialect=dialect, timeout=1).verdict is Answer.UNKNOWN


@pytest.mark.parametrize(
    ("dialect", "left", "right"),
    [
        ("duckdb", "TO_JSON(n) FROM t WHERE n = 1", "TO_JSON(n) FROM t WHERE 1 = n"),
        ("duckdb", "CONCAT_WS('-', s, i + 1) FROM t WHERE i > 0", "CONCAT_WS('-', s, i + 1) FROM t WHERE 0 < i"),
        ("duckdb", "TO_JSON(v) FROM (SELECT n AS v FROM t) AS q", "TO_JSON(n) FROM t"),
        (
            "postgres",
            "TO_JSONB(CAST(i AS BIGINT)) FROM t",
            "TO_JSONB(v) FROM (SELECT CAST(i AS BIGINT) AS v FROM t) AS q",
        ),
        ("spark", "HEX(v) FROM (SELECT COALESCE(i, id) AS v FROM t) AS q", "HEX(COALESCE(i, id)) FROM t"),
    ],
)
def test_calls_of_known_types_are_the_same(dialect: str, left: str, right: str) -> None:
    texts = (f"SELECT {each} " for each in (left, right))
    assert check_sql(*texts, schema=SCHEMAS[dialect], dialect=dialect, timeout=5).verdict is Answer.EQUIVALENT


@pytest.mark.parametrize(
    ("dialect", "left", "right"),
    [
        (
            "duckdb",
            "CAST(v AS VARCHAR) FROM (SELECT l AS v FROM t UNION ALL SELECT w FROM t) AS q",
            "CAST(l AS VARCHAR) FROM t UNION ALL SELECT CAST(w AS VARCHAR) FROM t",
        ),
        (
            "duckdb",
            "TO_JSON(COALESCE(l, w)) FROM t WHERE l IS NOT NULL",
            "TO_JSON(l) FROM t WHERE l IS NOT NULL",
        ),
        (
            "bigquery",
            "CAST(COALESCE(st.x, st.y) AS STRING) FROM t WHERE st.x IS NOT NULL",
            "CAST(st.x AS STRING) FROM t WHERE st.x IS NOT NULL",
        ),
        (
            "bigquery",
            "TO_JSON_STRING(v) FROM (SELECT STRUCT(i AS a) AS v FROM t UNION ALL SELECT STRUCT(f AS a) FROM t) AS q",
            "TO_JSON_STRING(STRUCT(i AS a)) FROM t UNION ALL SELECT TO_JSON_STRING(STRUCT(f AS a)) FROM t",
        ),
    ],
)
def test_what_arrays_become_beside_those_of_another_type_is_not_known(dialect: str, left: str, right: str) -> None:
    schema = SCHEMAS.get(dialect, "CREATE TABLE t (i INT64, f FLOAT64, st STRUCT<x DATE, y DATETIME>)")
    texts = (f"SELECT {each}" for each in (left, right))
    assert check_sql(*texts, schema=schema, dialect=dialect, timeout=3).verdict is Answer.UNKNOWN


def test_arrays_of_one_type_meet() -> None:
    left = "SELECT CAST(v AS VARCHAR) FROM (SELECT l AS v FROM t UNION ALL SELECT l FROM t) AS q"
    right = "SELECT CAST(l AS VARCHAR) FROM t UNION ALL SELECT CAST(l AS VARCHAR) FROM t"
    assert check_sql(left, right, schema=SCHEMAS["duckdb"], dialect="duckdb").verdict is Answer.EQUIVALENT


@pytest.mark.parametrize(
    ("dialect", "text", "message"),
    [
        ("postgres", "SELECT b FROM t GROUP BY b", "of which equal ones may not be the same"),
        ("postgres", "SELECT DISTINCT l FROM t", "of which equal ones may not be the same"),
        ("postgres", "SELECT l FROM t UNION SELECT l FROM t", "of which equal ones may not be the same"),
        ("postgres", "SELECT COUNT(DISTINCT b) FROM t", "of which equal ones may not be the same"),
        ("postgres", "SELECT id, ROW_NUMBER() OVER (PARTITION BY b ORDER BY id) FROM t", "may not be the same"),
        ("postgres", "SELECT id FROM t ORDER BY b LIMIT 1", "may not be the same"),
        ("duckdb", "SELECT l FROM (SELECT l, CAST(s AS INTERVAL) AS v FROM t) AS q GROUP BY l", "may not be the same"),
        ("postgres", "SELECT CONCAT_WS('-', x, 'a') FROM t", "PostgreSQL shows as many digits of this decimal"),
        ("postgres", "SELECT CONCAT_WS('-', ts - ts, 'a') FROM t", "not compared with arguments|is the same as those"),
        ("postgres", "SELECT TO_JSONB(CAST(n AS DECIMAL) / 3) FROM t", "PostgreSQL shows as many digits"),
        ("duckdb", "SELECT EPOCH_MS(id) FROM t", "EPOCH_MS was not compared with arguments of types integer"),
        ("duckdb", "SELECT STRPTIME(s, '%Y %z') FROM t", "STRPTIME was not compared with arguments"),
        ("duckdb", "SELECT STRPTIME(s, s) FROM t", "STRPTIME was not compared with arguments"),
        ("duckdb", "SELECT JSON_EXTRACT_STRING(s, '$.*') FROM t", "JSON_EXTRACT_STRING was not compared"),
        ("duckdb", "SELECT JSON_VALUE(s, '$..a') FROM t", "JSON_VALUE was not compared with arguments"),
        ("duckdb", "SELECT JSON_EXTRACT(s, '$.' || '*') FROM t", "JSON_EXTRACT was not compared with arguments"),
        ("duckdb", "SELECT CONCAT_WS(NULL, s) FROM t", "CONCAT_WS was not compared with arguments"),
        ("duckdb", "SELECT id FROM t WHERE j > n", "a text, an integer, a truth value or a date is expected"),
        ("duckdb", "SELECT id FROM t WHERE j IN ('a', 1)", "an array or a document meets values of several types"),
        (
            "duckdb",
            "SELECT id FROM t WHERE j BETWEEN 'a' AND 1",
            "an array or a document meets values of several types",
        ),
        ("duckdb", "SELECT LAG(l, 1, w) OVER (ORDER BY id) FROM t", "a default is not understood for arrays"),
        ("duckdb", "SELECT UNNEST(g) FROM t", "whether this is an array, or a struct of several columns"),
        ("duckdb", "SELECT id FROM t JOIN t AS v USING (l)", "USING and NATURAL are not understood for arrays"),
        ("spark", "SELECT EXPLODE_OUTER(l) FROM t", "EXPLODE_OUTER is not understood|ExplodeOuter|EXPLODE"),
        ("spark", "SELECT EXPLODE(l) FROM t", "EXPLODE is not understood"),
        (
            "spark",
            "SELECT t.id FROM t LATERAL VIEW EXPLODE(t.l) v AS x JOIN t AS u ON u.id = t.id",
            "a join behind LATERAL VIEW is not understood",
        ),
        (
            "duckdb",
            "SELECT * FROM GENERATE_SERIES(CURRENT_TIMESTAMP, ts, INTERVAL '1' DAY) AS g(i)",
            "no column ts|a time zone is not known",
        ),
    ],
)
def test_what_is_not_known_is_refused(dialect: str, text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        check_sql(text, text, schema=SCHEMAS[dialect], dialect=dialect)


def test_series_of_dates_have_a_zone_in_postgresql() -> None:
    series = "t, GENERATE_SERIES(d, d, INTERVAL '1' DAY) AS g(k) WHERE k = ts"
    texts = (f"SELECT CAST({each} AS TEXT) FROM {series}" for each in ("k", "ts"))
    assert check_sql(*texts, schema=SCHEMAS["postgres"], dialect="postgres", timeout=3).verdict is Answer.UNKNOWN


ARGUMENTS = {
    "s": "s",
    "p": "'%Y'",
    "j": "'$.a'",
    "i": "i",
    "n": "n",
    "f": "f",
    "b": "i > 1",
    "d": "d",
    "m": "ts",
    "t": "ts",
    "v": "INTERVAL '1' DAY",
    "o": "l",
    "a": "s",
}


@pytest.mark.parametrize("dialect", list(COMPARED))
def test_no_function_by_its_name_has_another_meaning(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the reader understands without the table of names is not to stand in it."""
    monkeypatch.setattr(named, "NAMED", {})
    schema = read_schema(
        SqlText(SCHEMAS[dialect].replace("id INT", "id INT, f DOUBLE PRECISION"), "s"), DIALECTS[dialect]
    )
    calls = {
        f"{name}({', '.join(ARGUMENTS[letter] for letter in kinds.replace('+', ''))})"
        for (name, _), known in COMPARED[dialect].items()
        for kinds in known.kinds or ()
    }
    for call in calls:
        with pytest.raises(SourceError):
            read_unverified(SqlText(f"SELECT {call} FROM t", "q"), schema.with_floats(), DIALECTS[dialect])
