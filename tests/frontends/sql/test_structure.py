"""What texts say by their structure, as engines read it (they are asked in `conformance`): accepted beside refused."""

from __future__ import annotations

import pytest
from sampling import sampled
from tallystick.core.queries.assumptions import Assumption, required
from tallystick.core.queries.expressions import Function
from tallystick.core.queries.interpreter.evaluation import rows_of
from tallystick.core.queries.traversal import nodes
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql import precedences
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import read_schema, read_unverified
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.source import SqlText, statements

SCHEMA = "CREATE TABLE x (id INT, a INT, k INT); CREATE TABLE y (k INT, b INT)"
DATABASE = {"x": [(1, 1, 1), (2, None, 1), (3, 2, None)], "y": [(1, 7), (2, None), (None, 9)]}


def rows(text: str, dialect: str) -> list[tuple[object, ...]]:
    """The rows of a query on the database, sorted."""
    chosen = DIALECTS[dialect]
    statement, _, _ = read_unverified(SqlText(text, "q"), read_schema(SCHEMA, chosen), chosen)
    width = len(statement.names)
    return sorted((row[:width] for row in rows_of(statement.query, DATABASE)), key=repr)


@pytest.mark.parametrize(
    ("dialect", "star", "table"),
    [
        ("postgres", (1, 1, 1, 7), (1, 1, 1)),
        ("spark", (1, 1, 1, 7), (1, 1, 1)),
        ("duckdb", (1, 1, 1, 7), (1, 1, 1)),
    ],
)
def test_the_key_of_using_is_there_once(dialect: str, star: tuple[int, ...], table: tuple[int, ...]) -> None:
    assert rows("SELECT * FROM x JOIN y USING (k) WHERE id = 1", dialect) == [star]
    assert rows("SELECT x.* FROM x JOIN y USING (k) WHERE id = 1", dialect) == [table]


@pytest.mark.parametrize(
    ("dialect", "left", "right"),
    [
        ("postgres", (None, 3, 2, None), (2, None, None, None)),
        ("spark", (None, 3, 2, None), (2, None, None, None)),
        ("duckdb", (3, 2, None, None), (None, None, 2, None)),
        ("mysql", (None, 3, 2, None), (2, None, None, None)),
    ],
)
def test_the_order_of_the_columns_of_a_star_is_that_of_the_dialect(
    dialect: str, left: tuple[object, ...], right: tuple[object, ...]
) -> None:
    assert left in rows("SELECT * FROM x LEFT JOIN y USING (k)", dialect)
    assert right in rows("SELECT * FROM x RIGHT JOIN y USING (k)", dialect)


def test_spark_puts_the_keys_first_in_a_table_too() -> None:
    assert rows("SELECT x.* FROM x LEFT JOIN y USING (k) WHERE id = 3", "spark") == [(None, 3, 2)]
    assert rows("SELECT x.* FROM x LEFT JOIN y USING (k) WHERE id = 3", "postgres") == [(3, 2, None)]
    assert rows("SELECT * FROM x LEFT ANTI JOIN y USING (k)", "spark") == [(None, 3, 2)]


TWO_VALUED = [(False,), (False,), (True,)]


@pytest.mark.parametrize(
    ("condition", "dialect", "expected"),
    [
        ("(id, a) = (2, NULL)", "duckdb", TWO_VALUED),
        ("(id, a) = (2, NULL)", "postgres", [(False,), (False,), (None,)]),
        ("(a, id) < (1, 2)", "duckdb", [(False,), (False,), (True,)]),
        ("(a, id) < (1, 2)", "spark", [(False,), (True,), (True,)]),
        ("(a, id) < (1, 2)", "mysql", [(False,), (None,), (True,)]),
        ("(a, id) IN ((1, 1), (2, NULL))", "duckdb", TWO_VALUED),
        ("(a, id) IN ((1, 1), (2, NULL))", "mysql", [(None,), (None,), (True,)]),
        ("a IN (SELECT k FROM y)", "postgres", [(None,), (True,), (True,)]),
        ("a IN (SELECT k FROM y)", "spark", [(False,), (True,), (True,)]),
        ("a NOT IN (SELECT k FROM y)", "spark", [(False,), (False,), (False,)]),
    ],
)
def test_rows_and_memberships_are_values_of_the_dialect(condition: str, dialect: str, expected: list[object]) -> None:
    assert rows(f"SELECT {condition} FROM x", dialect) == expected


def test_a_row_is_one_argument_of_count_where_the_dialect_says_so() -> None:
    for dialect in ("spark", "duckdb", "postgres"):
        assert rows("SELECT COUNT(DISTINCT (a, k)) FROM x", dialect) == [(3,)]
    assert rows("SELECT COUNT(DISTINCT a, k) FROM x", "spark") == rows("SELECT COUNT(DISTINCT a, k) FROM x", "mysql")
    assert rows("SELECT COUNT(DISTINCT a, k) FROM x", "spark") == [(1,)]


def test_a_comma_binds_weaker_than_a_join_where_the_dialect_says_so() -> None:
    text = "SELECT x.id, z.id FROM x, y JOIN x AS z USING (k)"
    assert len(rows(text, "duckdb")) == len(rows(text, "postgres")) == 6


def test_a_doubled_quote_is_a_quote_in_spark() -> None:
    assert rows("SELECT 'it''s', \"a\"\"b\", 'a' 'b', 'a''''b'", "spark") == [("it's", 'a"b', "ab", "a''b")]


def test_raw_texts_have_no_escapes() -> None:
    assert rows(r"SELECT r'a\nb'", "spark") == [(r"a\nb",)]
    assert rows("SELECT $$a'b$$", "postgres") == [("a'b",)]


@pytest.mark.parametrize(
    ("dialect", "chain", "brackets"),
    [
        ("spark", "id | a & k", "id | (a & k)"),
        ("spark", "id || id - 1", "(id || id) - 1"),
        ("spark", "6 ^ id & 1 | 8", "(6 ^ (id & 1)) | 8"),
        ("postgres", "~id + 1", "~(id + 1)"),
        ("postgres", "2 * ~id + 1 | 4", "(2 * (~(id + 1))) | 4"),
        ("duckdb", "id & ~a + 1", "id & (~(a + 1))"),
        ("mysql", "id = a < k", "(id = a) < k"),
        ("mysql", "id > a > 0 = k", "((id > a) > 0) = k"),
        ("mysql", "-id ^ 2 * 3", "((-id) ^ 2) * 3"),
        ("mysql", "7 - 2 * MOD(id, 3) % 5", "7 - ((2 * (MOD(id, 3))) % 5)"),
        ("spark", "1 - MOD(id | a & k, 3)", "1 - (MOD((id | (a & k)), 3))"),
        ("databricks", "id + 1 - k * 2 - 3", "((id + 1) - (k * 2)) - 3"),
    ],
)
def test_chains_of_operators_are_grouped_as_the_dialect_groups_them(dialect: str, chain: str, brackets: str) -> None:
    assert rows(f"SELECT {chain} FROM x", dialect) == rows(f"SELECT {brackets} FROM x", dialect)


def test_an_interval_of_several_units_is_one_operand() -> None:
    moved = "SELECT TIMESTAMP '2000-01-31 10:00:00' - INTERVAL 1 DAY 2 HOUR"
    bracketed = "SELECT TIMESTAMP '2000-01-31 10:00:00' - (INTERVAL 1 DAY + INTERVAL 2 HOUR)"
    assert rows(moved, "spark") == rows(bracketed, "spark")


def test_words_of_joins_are_names_where_the_dialect_has_no_such_join() -> None:
    for dialect, word in (("mysql", "FULL"), ("mysql", "ANTI"), ("postgres", "SEMI"), ("postgres", "anti")):
        named = rows(f"SELECT {word}.id, y.b FROM x {word} JOIN y ON {word}.k = y.k", dialect)
        assert named == rows("SELECT z.id, y.b FROM x AS z JOIN y ON z.k = y.k", dialect)
    assert rows("SELECT id FROM x SEMI JOIN y USING (k)", "duckdb") == [(1,), (2,)]


def test_postgresql_reads_intervals_of_iso_8601() -> None:
    for written, meant in (("P1M", "1 month"), ("PT1M", "1 minute"), ("P2W", "14 days"), ("PT36H", "36 hours")):
        moved = "SELECT TIMESTAMP '2000-01-31 10:00:00' + INTERVAL"
        assert rows(f"{moved} '{written}'", "postgres") == rows(f"{moved} '{meant}'", "postgres")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT id FROM x WHERE a = 1 /* ! */",
        "SELECT /*+ NO_INDEX_MERGE(x) */ id FROM x",
        "SELECT '/*! x */' FROM x",
    ],
)
def test_comments_that_are_not_executed_mean_nothing(text: str) -> None:
    assert rows(text, "mysql")


REFUSED = [
    ("mysql", "SELECT id FROM x WHERE a = 1 /*! AND k = 1 */", "the server executes this comment"),
    ("mysql", "SELECT id FROM x WHERE a = 1 /*M! AND k = 1 */", "the server executes this comment"),
    ("mysql", "SELECT /*+ SET_VAR(sql_mode = '') */ id FROM x", "a hint that sets a variable"),
    ("mysql", "SELECT x.id FROM x AS z FULL JOIN y USING (k)", "FULL is no join in this dialect"),
    ("mysql", "SELECT x.id FROM x FULL OUTER JOIN y USING (k)", "FULL is no join in this dialect"),
    ("postgres", "SELECT COUNT(*) FROM (SELECT k FROM x) SEMI JOIN y USING (k)", "SEMI is no join in this dialect"),
    ("duckdb", "SELECT x.id FROM x ASOF JOIN y ON x.k >= y.k", "a ASOF JOIN is not understood"),
    ("duckdb", "SELECT x.id FROM x POSITIONAL JOIN y", "a POSITIONAL JOIN is not understood"),
    ("spark", "SELECT COUNT(*) FROM x JOIN y ON x.k = y.k PIVOT (SUM(b) FOR a IN (1))", "PIVOT or UNPIVOT"),
    ("spark", "SELECT a FROM x GROUP BY ALL a", "GROUP BY ALL with a list"),
    ("duckdb", "SELECT a FROM x GROUP BY DISTINCT a", "GROUP BY DISTINCT is not understood"),
    ("postgres", "SELECT COUNT(*) FROM x JOIN y", "this join lacks its condition"),
    ("mysql", "SELECT COUNT(*) FROM x LEFT JOIN y", "this join lacks its condition"),
    ("spark", "SELECT 1 FROM x JOIN y JOIN x AS z ON y.k = z.k ON x.k = y.k", "a join inside another"),
    ("mysql", "SELECT COUNT(DISTINCT (a, k)) FROM x", "COUNT takes no row here"),
    ("postgres", "SELECT COUNT(DISTINCT a, k) FROM x", "COUNT has one argument here"),
    ("spark", "SELECT (a, k) = (1, NULL) FROM x", "rows of different types are compared"),
    ("spark", "SELECT (a IN (SELECT k FROM y)) = FALSE FROM x", "Spark compares a truth value"),
    ("spark", "SELECT 1 FROM x LEFT JOIN y ON NOT (a IN (SELECT b FROM y))", "Spark loses NULLs"),
    ("mysql", "SELECT a <=> ALL (SELECT b FROM y) FROM x", "a null-safe comparison with ALL is not understood"),
    ("spark", "SELECT RANK() OVER () FROM x", "Spark asks for an order"),
    ("spark", "SELECT TRUE = a < 2 FROM x", "values of the types boolean and integer meet"),
    ("duckdb", "SELECT id + 1 // ~a FROM x", "groups these operators otherwise"),
    ("duckdb", "SELECT id - ~a FROM x", "groups these operators otherwise"),
    ("duckdb", "SELECT 1 + 2 ** ~a FROM x", "groups these operators otherwise"),
    ("duckdb", "SELECT id - '1.5' FROM x", "the text '1.5' takes the type of the number beside it"),
    ("postgres", "SELECT id % '1.5' FROM x", "the text '1.5' takes the type of the number beside it"),
    ("duckdb", "SELECT NTH_VALUE(id, 0) OVER (ORDER BY id) FROM x", "the number is less than 1"),
    ("duckdb", "SELECT SUM(id) % 0.1 FROM x", "the remainder of a decimal and a HUGEINT is a DOUBLE"),
    ("duckdb", "SELECT EXTRACT(DAY FROM CAST(NULL AS DATE))", "a part of a constant that may be NULL is a DOUBLE here"),
    (
        "duckdb",
        "SELECT EXTRACT(DAY FROM CASE WHEN 1 = 2 THEN DATE '2000-01-01' END)",
        "that may be NULL is a DOUBLE here",
    ),
    ("postgres", "SELECT a < 2 = TRUE FROM x", "groups these operators otherwise"),
    ("mysql", "SELECT id <=> a < k FROM x", "groups these operators otherwise"),
    ("mysql", "SELECT INTERVAL 1 DAY + DATE '2000-01-31' = DATE '2000-02-01'", "groups these operators otherwise"),
    ("mysql", "SELECT 1 FROM x WHERE INTERVAL 1 DAY + DATE '2000-01-31' IS NULL", "groups these operators otherwise"),
    ("mysql", "SELECT INTERVAL 1 MONTH + DATE '2000-01-31' - INTERVAL 1 DAY", "groups these operators otherwise"),
    ("mysql", "SELECT a = INTERVAL 1 DAY + DATE '2000-01-31' IN (a) FROM x", "groups these operators otherwise"),
    ("spark", "SELECT TRUE <=> TRUE < FALSE FROM x", "groups these operators otherwise"),
    ("spark", "SELECT TRUE <=> id IN (1, 2) FROM x", "groups these operators otherwise"),
    ("postgres", "SELECT DATE '2000-01-01' + INTERVAL 'P1M1D'", "this interval is not understood"),
    ("duckdb", "SELECT TIMESTAMP '2000-02-29 01:02:03+02:00'", "a zone in a constant is not understood"),
    ("postgres", "SELECT CAST('2000-02-29 01:02:03Z' AS TIMESTAMP)", "a zone in a constant is not understood"),
    ("duckdb", "SELECT TIMESTAMP(0) '2000-01-01 00:00:00'::DATE", "a constant with a type is not understood by ::"),
    ("postgres", "SELECT NUMERIC(5, 2) '7'::INT", "a constant with a type is not understood by ::"),
    ("duckdb", "SELECT DATE_TRUNC('hour', DATE '2000-01-01')", "truncated to less than a day is not understood"),
    ("postgres", "SELECT 1_000", "a number runs into a name"),
    ("duckdb", "SELECT 'a' 'b'", "two texts side by side"),
    ("calcite", "SELECT * FROM (VALUES) AS v RIGHT JOIN y ON v.id = y.k", "VALUES without rows has no columns"),
]


@pytest.mark.parametrize(("dialect", "text", "message"), REFUSED, ids=[f"{each[0]} {each[1][:50]}" for each in REFUSED])
def test_is_refused(dialect: str, text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        rows(text, dialect)


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("spark", "SELECT id | (a & k) FROM x"),
        ("spark", "SELECT id & a | k FROM x"),
        ("postgres", "SELECT (~id) + 1 FROM x"),
        ("postgres", "SELECT a IS NULL = TRUE FROM x"),
        ("mysql", "SELECT id = (a < k) FROM x"),
        ("mysql", "SELECT (INTERVAL 1 DAY + DATE '2000-01-31') = DATE '2000-02-01' AND id = 1 FROM x"),
        ("mysql", "SELECT 1 FROM x WHERE DATE '2000-01-31' < INTERVAL 1 DAY + DATE '2000-01-31' AND id = 1"),
        ("mysql", "SELECT id <=> (a < k) FROM x"),
        ("spark", "SELECT TRUE <=> (TRUE < FALSE), (TRUE <=> TRUE) < FALSE FROM x"),
        ("mysql", "SELECT NOT id = a AND a IN (1, 2) OR k BETWEEN 1 AND 2 + 1 FROM x"),
    ],
)
def test_operators_that_are_grouped_alike_need_no_brackets(dialect: str, text: str) -> None:
    chosen = DIALECTS[dialect]
    assert read_unverified(SqlText(text, "q"), read_schema(SCHEMA, chosen), chosen)


@pytest.mark.parametrize(
    ("text", "cast"),
    [
        ("NUMERIC '7'::INT / 2", "CAST(CAST('7' AS NUMERIC) AS INT) / 2"),
        ("TIMESTAMP '2000-02-29 06:00:00'::DATE", "CAST(CAST('2000-02-29 06:00:00' AS TIMESTAMP) AS DATE)"),
        ("INT '5'::TEXT", "CAST(CAST('5' AS INT) AS TEXT)"),
    ],
)
@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
def test_a_cast_of_a_constant_with_a_type_is_of_the_constant(dialect: str, text: str, cast: str) -> None:
    chosen, schema = DIALECTS[dialect], read_schema(SCHEMA, DIALECTS[dialect])
    one, other = (read_unverified(SqlText(f"SELECT {each} AS q", "q"), schema, chosen)[0] for each in (text, cast))
    assert one == other


def test_group_by_distinct_has_each_grouping_set_once() -> None:
    twice = "SELECT a, COUNT(*) FROM x GROUP BY {} ROLLUP (a), ROLLUP (a)"
    once = rows("SELECT a, COUNT(*) FROM x GROUP BY ROLLUP (a)", "postgres")
    assert rows(twice.format("DISTINCT"), "postgres") == once
    assert len(rows(twice.format(""), "postgres")) > len(once)


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("postgres", "CREATE TABLE t (a INT UNIQUE NULLS NOT DISTINCT)"),
        ("postgres", "CREATE TABLE t (a INT) INHERITS (u)"),
        ("postgres", "CREATE TABLE t (a INT); ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0) NOT VALID"),
        ("mysql", "CREATE TABLE t (a VARCHAR(9), PRIMARY KEY (a(3)))"),
        ("spark", "CREATE TABLE t (a INT) PARTITIONED BY (b INT)"),
    ],
)
def test_what_a_schema_says_of_its_tables_is_read_or_refused(dialect: str, text: str) -> None:
    with pytest.raises(SourceError):
        read_schema(text, DIALECTS[dialect])


def test_how_a_table_is_kept_means_nothing() -> None:
    text = "CREATE TABLE IF NOT EXISTS t (a INT COMMENT 'x') USING parquet PARTITIONED BY (a) TBLPROPERTIES ('k' = 'v')"
    assert (
        read_schema(text, DIALECTS["spark"]).catalogue
        == read_schema("CREATE TABLE t (a INT)", DIALECTS["spark"]).catalogue
    )


COMPARED = [
    "SELECT * FROM p JOIN q USING (f)",
    "SELECT p.n FROM p LEFT JOIN q USING (f)",
    "SELECT n FROM p NATURAL JOIN q",
    "SELECT n FROM p JOIN q ON p.f = q.f",
    "SELECT n FROM p WHERE f IN (SELECT f FROM q)",
    "SELECT n FROM p GROUP BY n, f",
    "SELECT n FROM p ORDER BY f",
    "SELECT DISTINCT * FROM p",
    "TABLE p UNION TABLE q",
    "SELECT COUNT(*) OVER (PARTITION BY f) FROM p",
    "SELECT n FROM p WHERE EXISTS (SELECT 1 FROM q NATURAL JOIN p)",
]


def of_keys(type_of_key: str) -> Schema:
    """Two tables with columns of a type."""
    text = f"CREATE TABLE p (n INT, f {type_of_key}); CREATE TABLE q (m INT, f {type_of_key})"
    return read_schema(text, DIALECTS["postgres"])


@pytest.mark.parametrize("text", COMPARED)
def test_columns_of_floats_that_are_not_values_are_not_compared_anywhere(text: str) -> None:
    with pytest.raises(SourceError, match=r"the column f holds floating-point numbers|not understood"):
        read_unverified(SqlText(text, "q"), of_keys("DOUBLE PRECISION"), DIALECTS["postgres"])


@pytest.mark.parametrize("type_of_key", ["DOUBLE PRECISION", "JSONB"])
@pytest.mark.parametrize("text", COMPARED)
def test_values_that_are_known_by_their_order_are_compared_by_name_or_under_an_assumption(
    text: str, type_of_key: str
) -> None:
    try:
        statement, _, _ = read_unverified(SqlText(text, "q"), of_keys(type_of_key).with_floats(), DIALECTS["postgres"])
    except SourceError:
        return
    named = {part.name for part in nodes(statement.query) if isinstance(part, Function) and not part.strict}
    assert Assumption.SAME_VALUES in required(statement) or "opaque = opaque" in named


FEW = "CREATE TABLE t (a INT, b INT, c INT, d INT)"


def read(text: str, dialect: str) -> object:
    """The statement of a text; None if it is refused."""
    chosen = DIALECTS[dialect]
    try:
        return read_unverified(SqlText(text, "q"), read_schema(FEW, chosen), chosen)[0]
    except SourceError:
        return None


@pytest.mark.parametrize("dialect", sampled(DIALECTS, 3))
def test_brackets_around_arguments_change_nothing(dialect: str) -> None:
    """Of any call that the parser makes an operator of: it must not be grouped anew with those of its arguments.

    Of each third dialect, and of all if slow.
    """
    parser = DIALECTS[dialect].parser.parser_class
    compared = 0
    for name in sorted({*parser.FUNCTIONS, *parser.FUNCTION_PARSERS}):
        for arguments in ("a + b", "a + b, c - d", "a * b, c + d"):
            plain = f"SELECT 2 * {name}({arguments}) AS q FROM t"
            bracketed = ", ".join(f"({each})" for each in arguments.split(", "))
            try:
                (tree,) = statements(SqlText(plain, "q"), DIALECTS[dialect])
            except SourceError:
                continue
            if len(list(tree.find_all(*precedences.levels(DIALECTS[dialect].evidence)))) > 2 + arguments.count(","):
                found = read(plain, dialect)
                if found is not None:
                    assert found == read(f"SELECT 2 * ({name}({bracketed})) AS q FROM t", dialect), (name, arguments)
                compared += 1
    assert compared


def test_a_call_that_the_parser_makes_an_operator_of_is_refused_without_brackets() -> None:
    with pytest.raises(SourceError, match="an operator is not told from a call here"):
        read_unverified(
            SqlText("SELECT DIV(a + b, 2) AS q FROM t", "q"),
            read_schema(FEW, DIALECTS["postgres"]),
            DIALECTS["postgres"],
        )
    assert read("SELECT DIV((a + b), 2) AS q FROM t", "postgres") is not None


def test_a_parser_that_marks_no_calls_reads_no_operators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precedences, "calls_have_places", lambda: False)
    assert read("SELECT a + b AS q FROM t", "spark") is None
    assert read("SELECT a AS q FROM t", "spark") is not None
