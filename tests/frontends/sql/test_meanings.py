"""What calls and casts mean where a dialect or a schema says it: the same as other texts, and not the same as these."""

from __future__ import annotations

from datetime import date

import pytest
from sampling import sampled
from tallystick.core.queries.expressions import And, Comparison, Function, Literal, Reference
from tallystick.core.queries.syntax import Statement
from tallystick.core.queries.types import BOOLEAN, DATE, TEXT
from tallystick.decision.queries.deciding import Proved, decide
from tallystick.frontends.calendar import EPOCH, conjoined
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.folding import matched
from tallystick.frontends.sql.reader import read_pair, read_schema
from tallystick.frontends.sql.source import SqlText

SCHEMA = "CREATE TABLE t (a INT NOT NULL, b INT, d DECIMAL(15, 2), s VARCHAR(5))"
SQUARES = "(SUM(a * a) - SUM(a) * SUM(a) / COUNT(*))"
OTHERS = "CASE WHEN COUNT(*) = 1 THEN NULL ELSE COUNT(*) - 1 END"


def statements(
    left: str, right: str, dialect: str = "spark", exact_floats: bool = True
) -> tuple[Statement, Statement, object]:
    chosen = DIALECTS[dialect]
    texts = SqlText(left, "left"), SqlText(right, "right")
    pair = read_pair(*texts, read_schema(SCHEMA, chosen), chosen, exact_floats=exact_floats)
    return pair.left, pair.right, pair.catalogue


def is_proved(left: str, right: str, dialect: str = "spark") -> bool:
    one, other, catalogue = statements(left, right, dialect)
    return isinstance(decide(one, other, catalogue), Proved)  # type: ignore[arg-type]


MEASURES = {
    "VAR_POP(a)": f"CAST({SQUARES} / COUNT(*) AS INTEGER)",
    "VAR_SAMP(a)": f"CAST({SQUARES} / {OTHERS} AS INTEGER)",
    "STDDEV_POP(a)": f"CAST(POWER({SQUARES} / COUNT(*), 0.5) AS INTEGER)",
    "STDDEV_SAMP(a)": f"CAST(POWER({SQUARES} / {OTHERS}, 0.5) AS INTEGER)",
}


@pytest.mark.parametrize("call", sampled(MEASURES, 2))
def test_calcite_computes_measures_of_integers_by_sums_of_squares(call: str) -> None:
    query, other = (f"SELECT b, {value} FROM t GROUP BY b" for value in (call, MEASURES[call]))
    assert is_proved(query, other, "calcite")
    assert not is_proved(query, other, "spark")
    assert not is_proved(query.replace("(a)", "(b)"), other, "calcite")


@pytest.mark.parametrize("near", [2, pytest.param(len(MEASURES), marks=pytest.mark.slow)])
def test_measures_are_different_ones(near: int) -> None:
    """Each and the next one, and all of them if slow."""
    texts = [f"SELECT {call} FROM t" for call in MEASURES]
    for place, text in enumerate(texts):
        proved = [is_proved(text, other, "calcite") for other in texts[place : place + near]]
        assert proved == [True, *[False] * (len(proved) - 1)]


def test_measures_of_decimals_and_with_inexact_floats_are_known_by_name() -> None:
    for exact, text in ((True, "SELECT VAR_POP(d) FROM t"), (False, "SELECT STDDEV_POP(a) FROM t")):
        one, _, _ = statements(text, text, "calcite", exact)
        assert one.query.input.calls[0].function in text  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("cast", "same"),
    [
        ("CAST(d AS DECIMAL(21, 7))", True),
        ("CAST(d AS DECIMAL(15, 2))", True),
        ("CAST(d AS DECIMAL(15, 1))", False),
        ("CAST(d AS DECIMAL(10))", False),
        ("CAST(d + d AS DECIMAL(21, 7))", False),
        ("CAST(s AS VARCHAR(5))", True),
        ("CAST(s AS VARCHAR(4))", False),
    ],
)
def test_a_cast_that_loses_no_declared_digit_changes_nothing(cast: str, same: bool) -> None:
    column = cast[5 : cast.index(" AS")]
    assert is_proved(f"SELECT {cast} FROM t", f"SELECT {column} FROM t", "postgres") is same


@pytest.mark.parametrize(("name", "same"), [("BIT_AND", True), ("BIT_OR", True), ("BIT_XOR", False)])
def test_duplicates_do_not_matter_to_and_and_or(name: str, same: bool) -> None:
    query = f"SELECT {name}(a) FROM t"
    assert is_proved(query, f"SELECT {name}(a) FROM (SELECT a FROM t GROUP BY a) u") is same
    assert is_proved(query, query)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("SUM(a)", "SUM(n * a)", True),
        ("SUM(n)", "SUM(1 * n)", True),
        ("SUM(a)", "SUM(n * n)", False),
        ("SUM(n * a)", "SUM(a * n)", True),
    ],
)
def test_counts_are_multiplied_with_columns(left: str, right: str, same: bool) -> None:
    """Eager aggregation: a group counts as often as it has rows."""
    groups = "(SELECT a, COUNT(*) AS n FROM t GROUP BY a) u"
    rows = "t" if "n" not in left else groups
    assert is_proved(f"SELECT {left} FROM {rows}", f"SELECT {right} FROM {groups}") is same


@pytest.mark.parametrize("dialect", ["postgres", "calcite"])
def test_rows_without_columns_exist_or_not(dialect: str) -> None:
    one = "SELECT a FROM t WHERE EXISTS (SELECT FROM t u WHERE u.b = t.a)"
    assert is_proved(one, "SELECT a FROM t WHERE a IN (SELECT b FROM t)", dialect)
    assert not is_proved(one, "SELECT a FROM t", dialect)
    assert is_proved("SELECT FROM t WHERE a > 1", "SELECT FROM (SELECT a FROM t) u WHERE a > 1", dialect)
    assert not is_proved("SELECT FROM t", "SELECT FROM t GROUP BY a", dialect)
    for text, read_as in (("SELECT FROM t", "spark"), ("SELECT DISTINCT FROM t", dialect)):
        with pytest.raises(SourceError, match="the SELECT list has no columns"):
            statements(text, text, read_as)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("SELECT a, b FROM t WHERE a = 1 ORDER BY a, b", "SELECT a, b FROM t WHERE a = 1 ORDER BY b", True),
        (
            "SELECT a, b FROM t WHERE 1 = a AND b > 2 ORDER BY b, a DESC",
            "SELECT a, b FROM t WHERE a = 1 AND b > 2 ORDER BY b",
            True,
        ),
        (
            "SELECT b, COUNT(*) FROM t WHERE b = 2 GROUP BY b ORDER BY b",
            "SELECT b, COUNT(*) FROM t WHERE b = 2 GROUP BY b",
            True,
        ),
        ("SELECT a FROM t WHERE a = 1 ORDER BY a LIMIT 3", "SELECT a FROM t WHERE a = 1 LIMIT 3", True),
        ("SELECT a, b FROM t WHERE a >= 1 ORDER BY a, b", "SELECT a, b FROM t WHERE a >= 1 ORDER BY b", False),
        (
            "SELECT a, b FROM t WHERE a = 1 OR b = 1 ORDER BY a, b",
            "SELECT a, b FROM t WHERE a = 1 OR b = 1 ORDER BY b",
            False,
        ),
        ("SELECT a, b FROM t WHERE a = b ORDER BY a, b", "SELECT a, b FROM t WHERE a = b ORDER BY b", True),
        (
            "SELECT b AS a, a AS b FROM t WHERE a = 1 ORDER BY 1, 2",
            "SELECT b AS a, a AS b FROM t WHERE a = 1 ORDER BY 2",
            False,
        ),
        (
            "SELECT a FROM (SELECT a, b FROM t WHERE a = 1 UNION ALL SELECT b, a FROM t) u ORDER BY a",
            "SELECT a FROM (SELECT a, b FROM t WHERE a = 1 UNION ALL SELECT b, a FROM t) u",
            False,
        ),
    ],
)
def test_an_order_by_constant_columns_is_none(left: str, right: str, same: bool) -> None:
    assert is_proved(left, right) is same


@pytest.mark.parametrize("dialect", ["postgres", "duckdb", "calcite"])
def test_an_empty_grouping_is_one_group(dialect: str) -> None:
    assert is_proved("SELECT COUNT(*) FROM t GROUP BY ()", "SELECT COUNT(*) FROM t", dialect)
    assert is_proved("SELECT a, SUM(b) FROM t GROUP BY a, ()", "SELECT a, SUM(b) FROM t GROUP BY a", dialect)
    assert not is_proved("SELECT COUNT(*) FROM t GROUP BY ()", "SELECT COUNT(*) FROM t GROUP BY a", dialect)


def test_safe_division_by_zero_is_null() -> None:
    guarded = "SELECT CASE WHEN b = 0 THEN NULL ELSE a / b END FROM t"
    assert is_proved("SELECT SAFE_DIVIDE(a, b) FROM t", guarded, "bigquery")
    assert not is_proved("SELECT SAFE_DIVIDE(a, b) FROM t", "SELECT SAFE_DIVIDE(b, a) FROM t", "bigquery")
    assert is_proved("SELECT SAFE_DIVIDE(a, 0) FROM t", "SELECT CAST(NULL AS INT64) / 1 FROM t", "bigquery")


@pytest.mark.parametrize(
    ("dialect", "scale"),
    [("spark", 0), ("databricks", 0), ("snowflake", 0), ("calcite", 0), ("duckdb", 3), ("bigquery", 9)],
)
def test_a_decimal_without_sizes_has_those_of_its_dialect(dialect: str, scale: int) -> None:
    unsized = "SELECT CAST(d * d AS DECIMAL) FROM t"
    assert not is_proved(unsized, "SELECT d * d FROM t", dialect)
    assert not is_proved(unsized, f"SELECT CAST(d * d AS DECIMAL(18, {scale + 1})) FROM t", dialect)
    assert is_proved(unsized, f"SELECT CAST(d * d AS DECIMAL(18, {scale})) FROM t", dialect)


def test_a_decimal_without_sizes_has_room_for_all_in_postgres() -> None:
    assert is_proved("SELECT CAST(d * d AS DECIMAL) FROM t", "SELECT d * d FROM t", "postgres")


@pytest.mark.parametrize("scale", [0, 1, 3])
def test_a_text_that_becomes_a_decimal_is_rounded_to_its_scale(scale: int) -> None:
    two = "SELECT CAST(s AS DECIMAL(10, 2)) FROM t"
    assert not is_proved(f"SELECT CAST(s AS DECIMAL(10, {scale})) FROM t", two)
    assert is_proved("SELECT CAST(s AS DECIMAL(9, 2)) FROM t", two)


def test_the_text_of_a_decimal_shows_the_digits_of_its_type() -> None:
    text = "SELECT CAST(d AS VARCHAR(99)) FROM t"
    assert is_proved(text, "SELECT CAST(CAST(d AS DECIMAL(9, 2)) AS VARCHAR(99)) FROM t")
    assert not is_proved(text, "SELECT CAST(CAST(d AS DECIMAL(21, 7)) AS VARCHAR(99)) FROM t")
    one, _, _ = statements("SELECT LENGTH(d) FROM t", "SELECT 1 FROM t")
    assert one.query.expressions[0].arguments[0].name == "cast decimal as text of scale 2"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ("d + d", "t"),
        ("AVG(d)", "t"),
        ("COALESCE(d, 1)", "t"),
        ("x", "(SELECT d + 1 AS x FROM t) AS u"),
    ],
)
def test_the_text_of_a_decimal_of_no_known_type_is_refused(value: str, rows: str) -> None:
    query = f"SELECT CAST({value} AS VARCHAR(99)) FROM {rows}"
    with pytest.raises(SourceError, match="the text of a decimal shows as many digits as its type has"):
        statements(query, query)


def test_the_text_of_a_float_is_another_than_that_of_a_decimal() -> None:
    as_float = "SELECT CAST(CAST(d AS DOUBLE) AS VARCHAR(99)) FROM t"
    assert is_proved(as_float, as_float)
    assert not is_proved(as_float, "SELECT CAST(d AS VARCHAR(99)) FROM t")


@pytest.mark.parametrize(
    ("left", "right", "dialect", "same"),
    [
        ("PMOD(a, 3)", "(a % 3 + 3) % 3", "spark", True),
        ("PMOD(a, 3)", "a % 3", "spark", False),
        ("PMOD(a, -3)", "CASE WHEN a % -3 < 0 THEN (a % -3 + -3) % -3 ELSE a % -3 END", "databricks", True),
        ("PMOD(a, b)", "CASE WHEN a % b < 0 THEN (a % b + b) % b ELSE a % b END", "spark", True),
        ("PMOD(a, b)", "a % b", "spark", False),
        ("UPPER('ab') || LOWER('C')", "'ABc'", "spark", True),
        ("UPPER('ß')", "'SS'", "spark", False),
        ("LENGTH('abc') + a", "a + 3", "duckdb", True),
        ("YEAR(DATE '2024-02-29')", "2024", "snowflake", True),
        ("SUBSTRING('abc', 0, 2)", "'ab'", "postgres", False),
        ("'A' LIKE 'a'", "FALSE", "mysql", False),
    ],
)
def test_functions_of_constants_have_the_values_on_which_dialects_agree(
    left: str, right: str, dialect: str, same: bool
) -> None:
    assert is_proved(f"SELECT {left} AS x FROM t", f"SELECT {right} AS x FROM t", dialect) is same


@pytest.mark.parametrize(
    ("name", "text", "pattern", "value"),
    [
        ("LIKE", "foo", "f%", True),
        ("LIKE", "foo", "F%", False),
        ("ILIKE", "foo", "F__", True),
        ("SIMILAR TO", "monday", "_onday", True),
        ("SIMILAR TO", "monday", "(m|s)onday", None),
        ("RLIKE", "tuEsday", "t[uU][eE]s", True),
        ("RLIKE", "tuesday", "^t", None),
        ("RLIKE", "a", "[z-a]", None),
        ("RILIKE", "wednesday", "W.*y", True),
        ("ILIKE", "ß", "SS", None),
        ("LIKE", "a%", "a\\%", None),
    ],
)
def test_a_pattern_that_all_engines_understand_alike_is_matched(
    name: str, text: str, pattern: str, value: object
) -> None:
    call = Function(name, (Literal(text, TEXT), Literal(pattern, TEXT)), BOOLEAN, strict=True)
    assert matched(call) == (call if value is None else Literal(value, BOOLEAN))
    column = Function(name, (Reference(0, 0, TEXT, False), Literal(pattern, TEXT)), BOOLEAN, strict=True)
    assert matched(column) is column


@pytest.mark.parametrize(
    "query",
    [
        "SELECT CAST(d AS DECIMAL(21, 7)) AS x, CAST(x AS VARCHAR(99)) AS y FROM t",
        "SELECT CAST(x AS VARCHAR(99)) AS y FROM t AS u (a, b, x, s)",
    ],
)
def test_the_text_of_what_another_name_stands_for_has_the_digits_of_that(query: str) -> None:
    """The name may be one of the SELECT list, for the column with other digits."""
    one, _, _ = statements(query, query)
    digits = 7 if "21, 7" in query else 2
    assert one.query.expressions[-1].name == f"cast decimal as text of scale {digits}"  # type: ignore[attr-defined]


def test_the_last_year_of_dates_is_no_year_of_months() -> None:
    years = "(b = 1 AND (e >= DATE '9999-01-01' AND e < DATE '9999-12-31')) AND MONTH(e) = 3"
    schema = "CREATE TABLE t (b INT, e DATE)"
    texts = SqlText(f"SELECT b FROM t WHERE {years}", "left"), SqlText("SELECT b FROM t", "right")
    read_pair(*texts, read_schema(schema, DIALECTS["spark"]), DIALECTS["spark"])
    day = Reference(0, 0, DATE, True)
    ends = [Literal((date(9999, *each) - EPOCH).days, DATE) for each in ((1, 1), (12, 31))]
    given = And((Comparison(">=", day, ends[0]), Comparison("<", day, ends[1])))
    assert conjoined([given]).operands == (given,)


@pytest.mark.parametrize("pattern", ["a*a*a*a*b", "a*+b", "a++"])
def test_patterns_that_may_take_long_or_differ_are_not_matched(pattern: str) -> None:
    call = Function("RLIKE", (Literal("a" * 50, TEXT), Literal(pattern, TEXT)), BOOLEAN, strict=True)
    assert matched(call) is call
