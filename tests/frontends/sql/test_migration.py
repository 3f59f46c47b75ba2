"""Two texts in two dialects: the schema that moves, functions of their own, and choices that no two engines share."""

from __future__ import annotations

import pytest
from tallystick.core.queries.expressions import Function, Literal, plain_name
from tallystick.core.queries.interpreter.functions import implementation
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.syntax import Scan
from tallystick.core.queries.traversal import nodes
from tallystick.core.queries.types import DECIMAL, INTEGER, TEXT
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS, dialect_named
from tallystick.frontends.sql.migration.functions import own_name
from tallystick.frontends.sql.migration.schemas import moved
from tallystick.frontends.sql.migration.types import common_range, counterpart, examples, written
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema
from tallystick.frontends.sql.schema_json import parsed_type
from tallystick.frontends.sql.source import SqlText
from tallystick.queries.checking import decided
from tallystick.verdict import Answer

SCHEMA = """
CREATE TABLE t (a INT NOT NULL PRIMARY KEY, b INT, s VARCHAR(10), d DATE, x DOUBLE PRECISION, n DECIMAL(10, 2))
"""


def pair(left: str, right: str, dialect: str, to: str, schema: str = SCHEMA, collation: str | None = None) -> SqlPair:
    one, other = (dialect_named(each, collation) for each in (dialect, to))
    texts = SqlText(left, "the left query"), SqlText(right, "the right query")
    return read_pair(*texts, read_schema(schema, one).with_floats(), one, to=other)


def answer(left: str, right: str, dialect: str, to: str, collation: str | None = None) -> Answer:
    return decided(pair(left, right, dialect, to, collation=collation), 1).verdict


DIFFERENT = [
    ("SELECT a / 2 FROM t", "SELECT a / 2 FROM t", "postgres", "spark"),
    ("SELECT a FROM t ORDER BY b", "SELECT a FROM t ORDER BY b", "postgres", "spark"),
    ("SELECT a FROM t ORDER BY b", "SELECT a FROM t ORDER BY b", "duckdb", "spark"),
    ("SELECT a FROM t WHERE s = 'a'", "SELECT a FROM t WHERE s = 'a'", "mysql", "spark"),
    ("SELECT GREATEST(a, b) FROM t", "SELECT GREATEST(a, b) FROM t", "mysql", "spark"),
    ("SELECT CAST(n AS INTEGER) FROM t", "SELECT CAST(n AS INT) FROM t", "postgres", "spark"),
    ("SELECT (a, b) = (b, a) FROM t", "SELECT (a, b) = (b, a) FROM t", "postgres", "duckdb"),
]
SAME = [
    ("SELECT a / 2 FROM t", "SELECT a DIV 2 FROM t", "postgres", "spark"),
    ("SELECT a FROM t ORDER BY b", "SELECT a FROM t ORDER BY b NULLS LAST", "postgres", "spark"),
    ("SELECT a::text FROM t", "SELECT CAST(a AS STRING) FROM t", "postgres", "spark"),
    ("SELECT LENGTH(s) || '' FROM t", "SELECT CONCAT(CHAR_LENGTH(s), '') FROM t", "duckdb", "spark"),
    ("SELECT MAX(x) FROM t", "SELECT MAX(x) FROM t", "postgres", "spark"),
    ("SELECT a FROM t WHERE x > 1", "SELECT a FROM t WHERE x > 1", "postgres", "spark"),
    ("SELECT EXTRACT(YEAR FROM d) FROM t", "SELECT YEAR(d) FROM t", "postgres", "spark"),
    ("SELECT a FROM t WHERE b > 1", 'SELECT "a" FROM t WHERE b >= 2', "snowflake", "postgres"),
]
UNKNOWN = [
    ("SELECT UPPER(s) FROM t", "SELECT UPPER(s) FROM t", "duckdb", "spark"),
    ("SELECT EXTRACT(DOW FROM d) FROM t", "SELECT DAYOFWEEK(d) FROM t", "postgres", "spark"),
    ("SELECT a FROM t LIMIT 1", "SELECT a FROM t LIMIT 1", "duckdb", "spark"),
    ("SELECT VAR_POP(b) FROM t", "SELECT VAR_POP(b) FROM t", "duckdb", "spark"),
    ("SELECT SUM(x) FROM t", "SELECT SUM(x) FROM t", "duckdb", "spark"),
    # NaN is greater than 1 here, and is not there
    ("SELECT a FROM t WHERE x > 1", "SELECT a FROM t WHERE x > 1", "postgres", "bigquery"),
    ("SELECT s LIKE b || '%' FROM t", "SELECT s LIKE CONCAT(b, '%') FROM t", "duckdb", "spark"),
]


@pytest.mark.parametrize(("left", "right", "dialect", "to"), DIFFERENT)
def test_what_engines_do_differently_is_a_difference(left: str, right: str, dialect: str, to: str):
    assert answer(left, right, dialect, to) is Answer.INEQUIVALENT


@pytest.mark.parametrize(("left", "right", "dialect", "to"), SAME)
def test_what_is_the_same_in_both_is_proved(left: str, right: str, dialect: str, to: str):
    assert answer(left, right, dialect, to) is Answer.EQUIVALENT


@pytest.mark.parametrize(("left", "right", "dialect", "to"), UNKNOWN)
def test_what_no_table_says_to_be_the_same_is_not_known(left: str, right: str, dialect: str, to: str):
    assert answer(left, right, dialect, to) is Answer.UNKNOWN


def test_with_binary_collation_equal_texts_are_the_same_in_both():
    text = "SELECT a FROM t WHERE s = 'a'"
    assert answer(text, text, "mysql", "spark", "binary") is Answer.EQUIVALENT


def test_a_reason_names_whose_functions_differ():
    text = "SELECT UPPER(s) FROM t"
    reasons = decided(pair(text, text, "duckdb", "spark"), 1).reasons
    expected = "the queries differ in duckdb's UPPER, spark's UPPER: such a function is known by its name alone"
    assert reasons["proof"] == expected


def test_a_function_of_one_dialect_has_the_value_that_all_dialects_agree_on():
    own = Function(own_name(DIALECTS["spark"], "UPPER"), (Literal("a", TEXT),), TEXT, strict=True)
    assert implementation(own)("a") == "A"
    assert plain_name("field x's UPPER") == "field x's UPPER"
    assert plain_name("UPPER") == "UPPER"


def test_one_dialect_twice_is_one_dialect():
    text = "SELECT UPPER(s) FROM t LIMIT 1"
    both = pair(text, text, "spark", "spark")
    assert both.to is None
    assert decided(both, 2).verdict is Answer.EQUIVALENT


def test_both_read_the_same_tables_whatever_they_are_called():
    both = pair("SELECT a FROM t", "SELECT a FROM T", "postgres", "snowflake")
    scans = [next(node for node in nodes(each.query) if isinstance(node, Scan)) for each in (both.left, both.right)]
    assert [each.table for each in scans] == ["t", "t"]
    assert both.right_schema is not None
    assert [each.name for each in both.right_schema.tables] == ["T"]


def test_a_quoted_name_stays_as_it_is():
    schema = read_schema('CREATE TABLE "Of" ("A" INT, b INT)', DIALECTS["postgres"])
    [table] = moved(schema, DIALECTS["postgres"], DIALECTS["snowflake"]).right.catalogue.tables
    assert [table.name, *(each.name for each in table.columns)] == ["Of", "A", "B"]


def test_two_names_that_are_one_in_the_other_dialect_are_refused():
    schema = read_schema('CREATE TABLE t ("A" INT, a INT)', DIALECTS["postgres"])
    with pytest.raises(SourceError, match="two columns of table t have one name in spark"):
        moved(schema, DIALECTS["postgres"], DIALECTS["spark"])


REFUSED = [
    ("TIMESTAMP WITH TIME ZONE", "postgres", "duckdb"),
    ("TIMESTAMP", "mysql", "spark"),
    ("FLOAT", "mysql", "spark"),
    ("JSON", "postgres", "duckdb"),
    ("INTERVAL", "postgres", "duckdb"),
    ("TIME", "postgres", "duckdb"),
    ("BOOLEAN", "spark", "mysql"),
    ("REAL", "postgres", "bigquery"),
    ("DECIMAL(60, 2)", "mysql", "spark"),
    ("CHAR(3)", "spark", "duckdb"),
    ("CHAR(3)", "spark", "postgres"),
]


@pytest.mark.parametrize(("kind", "dialect", "to"), REFUSED)
def test_a_type_without_a_counterpart_may_not_be_read(kind: str, dialect: str, to: str):
    with pytest.raises(
        SourceError, match=f"cannot be read: values of the type .* of {dialect} have no counterpart in {to}"
    ):
        pair("SELECT v FROM q", "SELECT v FROM q", dialect, to, f"CREATE TABLE q (v {kind})")


def test_an_array_has_no_counterpart_and_its_message_says_so():
    with pytest.raises(SourceError) as caught:
        pair("SELECT v FROM q", "SELECT v FROM q", "spark", "duckdb", "CREATE TABLE q (v ARRAY<INT>)")
    assert caught.value.message == (
        "the column v cannot be read: values of the type OPAQUE of spark have no counterpart in duckdb"
    )


COUNTERPARTS = [
    ("TINYINT", "spark", "postgres", "SMALLINT"),
    ("INT", "snowflake", "spark", "BIGINT"),
    ("INT", "snowflake", "duckdb", "HUGEINT"),
    ("BOOLEAN", "mysql", "spark", "TINYINT"),
    ("VARCHAR(20)", "postgres", "bigquery", "STRING(20)"),
    ("CHAR(3)", "duckdb", "spark", "STRING"),
    ("CHAR(3)", "snowflake", "spark", "VARCHAR(3)"),
    ("NUMERIC", "postgres", "spark", "DECIMAL(38, 18)"),
    ("DATETIME", "mysql", "spark", "TIMESTAMP"),
    ("TIMESTAMP", "spark", "mysql", "DATETIME(6)"),
    ("DATETIME", "bigquery", "duckdb", "TIMESTAMP"),
    ("DOUBLE PRECISION", "postgres", "bigquery", "FLOAT64"),
]


@pytest.mark.parametrize(("kind", "dialect", "to", "expected"), COUNTERPARTS)
def test_the_counterpart_of_a_type(kind: str, dialect: str, to: str, expected: str):
    declared = parsed_type(kind, DIALECTS[dialect])
    assert declared is not None
    assert counterpart(declared, DIALECTS[to]) is not None
    assert written(declared, DIALECTS[to]) == expected


def test_every_dialect_has_a_column_in_the_table_of_types():
    assert all(list(row) == list(DIALECTS) for row in examples().values())


def test_claims_are_about_values_for_which_both_columns_have_room():
    both = pair("SELECT v FROM q", "SELECT v FROM q", "snowflake", "spark", "CREATE TABLE q (v INT)")
    assert both.catalogue.by_name["Q"].columns[0].range == Range(0, -(2**63), 2**63 - 1)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (None, Range(0, 1, 2), Range(0, 1, 2)),
        (Range(length=3), Range(length=5), Range(length=3)),
        (Range(2, -150, 999), Range(1, -10, None), Range(1, -10, 99)),
        (Range(-6, -5, 5), Range(0, -4_500_000, None), Range(-6, -4, 5)),
    ],
)
def test_the_common_range_of_two(one: Range | None, other: Range | None, expected: Range):
    assert common_range(one, other) == common_range(other, one) == expected


def test_keys_of_a_table_are_assumed_where_one_dialect_does_not_enforce_them():
    assert pair("SELECT a FROM t", "SELECT a FROM t", "postgres", "spark").unenforced == {"t"}
    assert pair("SELECT a FROM t", "SELECT a FROM t", "postgres", "duckdb").unenforced == frozenset()


def test_a_text_that_is_a_key_is_none_to_a_wider_equality():
    schema = read_schema("CREATE TABLE q (s VARCHAR(5) PRIMARY KEY, v INT UNIQUE)", DIALECTS["postgres"])
    [table] = moved(schema, DIALECTS["postgres"], DIALECTS["mysql"]).right.catalogue.tables
    assert table.keys == ((1,),)


def test_checks_are_in_the_words_of_the_dialect_of_the_schema():
    schema = "CREATE TABLE q (s VARCHAR(5), CHECK (UPPER(s) = 'A'))"
    both = pair("SELECT s FROM q", "SELECT s FROM q", "postgres", "duckdb", schema)
    [check] = both.catalogue.by_name["q"].checks
    assert {each.name for each in nodes(check) if isinstance(each, Function)} == {"postgres's UPPER"}


def test_truth_values_are_numbers_where_their_own_dialect_says_so():
    assert (
        pair("SELECT a = b FROM t", "SELECT CAST(a = b AS INT) FROM t", "mysql", "duckdb").left.columns[0].type
        == INTEGER
    )
    with pytest.raises(SourceError, match="column 1 of the results has the types integer and boolean"):
        pair("SELECT a FROM t", "SELECT a = b FROM t", "mysql", "spark")


def test_numbers_of_two_kinds_are_compared_as_decimals():
    both = pair("SELECT a FROM t", "SELECT n FROM t", "postgres", "spark")
    assert both.left.columns[0].type == both.right.columns[0].type == DECIMAL


def test_what_arrays_hold_is_not_compared():
    schema = "CREATE TABLE q (v INT, s STRING)"
    with pytest.raises(SourceError, match="what arrays hold is not compared between two dialects"):
        pair("SELECT v FROM q, UNNEST(SPLIT(s, ',')) AS w", "SELECT v FROM q", "bigquery", "spark", schema)


@pytest.mark.parametrize(
    ("name", "plain"),
    [("duckdb's UPPER", "UPPER"), ("Spark's UPPER", "Spark's UPPER"), ("a b's UPPER", "a b's UPPER"), ("x's ", "x's ")],
)
def test_only_a_dialect_is_left_out_of_a_name(name: str, plain: str):
    assert plain_name(name) == plain
