"""What the SQL front-end refuses: `refused.txt` has the queries, each with the whole text of its message."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from sampling import sampled
from sqlglot import exp
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS, SPARK
from tallystick.frontends.sql.reader import read_schema, read_statement
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.source import SqlText

BLOCKS = Path(__file__).with_name("refused.txt").read_text().split("====\n")
REFUSED = [tuple(block.rstrip("\n").split("\n--\n")) for block in BLOCKS]


@pytest.mark.parametrize(("query", "message"), REFUSED, ids=[query[:60] for query, _ in REFUSED])
def test_is_refused_with_its_place(schema: Schema, query: str, message: str) -> None:
    with pytest.raises(SourceError) as refusal:
        read_statement(SqlText(query, "q"), schema, SPARK)
    assert str(refusal.value) == message


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("block", range(len(REFUSED)))
def test_whatever_is_cut_off_or_changed_is_read_or_refused(schema: Schema, dialect: str, block: int) -> None:
    """Texts cut anywhere, and with characters exchanged: nothing but SourceError comes out."""
    query, random = REFUSED[block][0], Random(block)
    for _ in range(3):
        start = random.randrange(len(query) + 1)
        character = random.choice("()',.*$`\"x1² ?:;%|-")
        for text in (query[:start], query[:start] + character + query[start + 1 :], query[start:]):
            try:
                read_statement(SqlText(text, "q"), schema, DIALECTS[dialect])
            except SourceError:
                continue


@pytest.mark.parametrize(
    "text",
    [
        "SELECT empno FROM emp LIMIT {}",
        "SELECT empno FROM emp ORDER BY {}",
        "SELECT empno FROM emp GROUP BY {}",
        "SELECT empno FROM emp WHERE empno > {}",
        "SELECT empno FROM emp WHERE empno > 0.{}",
        "SELECT empno FROM emp WHERE empno > 1e{}",
        "SELECT CAST(empno AS DECIMAL({}, 1)) AS x FROM emp",
    ],
)
def test_numbers_that_python_does_not_read_are_refused(schema: Schema, text: str) -> None:
    with pytest.raises(SourceError, match=r"a number of more than 1,000 characters is not read"):
        read_statement(SqlText(text.format("9" * 5_000), "q"), schema, SPARK)


@pytest.mark.parametrize("sizes", ["\u00b2, 1", "3, -1", "999999999", "2, 1001"])
def test_decimals_with_sizes_that_are_not_read_are_refused(schema: Schema, sizes: str) -> None:
    """A superscript is a digit to `isdigit` and none to `int`; a scale below zero rounds to tens."""
    with pytest.raises(SourceError, match=r"(?i)type"):
        read_statement(SqlText(f"SELECT CAST(empno AS DECIMAL({sizes})) AS x FROM emp", "q"), schema, SPARK)


@pytest.mark.parametrize("dialect", ["postgres", "duckdb", "bigquery"])
def test_dialects_that_do_not_convert_texts_refuse_the_comparison(schema: Schema, dialect: str) -> None:
    text = SqlText("SELECT name FROM emp WHERE name = salary", "q")
    with pytest.raises(SourceError, match="values of the types integer and text meet"):
        read_statement(text, schema, DIALECTS[dialect])
    assert read_statement(text, schema, SPARK)


@pytest.mark.parametrize(
    ("dialect", "query", "message"),
    [
        ("mysql", "WITH q AS (SELECT 1 AS v), r AS (WITH q AS (SELECT 2 AS v) SELECT v FROM q) SELECT v FROM r",
         "WITH has a query that is called q already"),
        ("postgres", "SELECT empno AS q FROM emp ORDER BY q + 1", "there is no column q"),
    ],
)  # fmt: skip
def test_a_dialect_refuses_what_its_engine_reads_otherwise(
    schema: Schema, dialect: str, query: str, message: str
) -> None:
    text = SqlText(query, "q")
    with pytest.raises(SourceError, match=message):
        read_statement(text, schema, DIALECTS[dialect])
    assert read_statement(text, schema, DIALECTS["duckdb"])


ARGUMENTS = ("", "salary", "DISTINCT salary, empno", "DISTINCT", "salary, empno, name", "name, salary", "NULL")
FUNCTIONS = sorted({*exp.FUNCTION_BY_NAME, "BIT_AND", "ROW_NUMBER", "NTILE", "NTH_VALUE", "SUM", "INTERVAL"})


@pytest.mark.parametrize("dialect", sampled(["spark", "mysql"], 2))
def test_functions_of_too_few_or_too_many_arguments_are_read_or_refused(schema: Schema, dialect: str) -> None:
    """Every function that the parser knows: nothing but SourceError comes out."""
    for name in FUNCTIONS:
        for arguments in ARGUMENTS:
            try:
                read_statement(SqlText(f"SELECT {name}({arguments}) FROM emp", "q"), schema, DIALECTS[dialect])
            except SourceError:
                continue


@pytest.mark.parametrize(
    ("dialect", "query"),
    [
        ("snowflake", "SELECT a AS k, b AS k, {k} + 1 AS z FROM t"),
        ("snowflake", "SELECT a AS k, {k} + 1 AS k FROM t"),
        ("snowflake", "SELECT a AS k, b AS k FROM t WHERE {k} > 1"),
        ("snowflake", "SELECT a AS k, b AS k FROM t QUALIFY ROW_NUMBER() OVER (ORDER BY {k}) = 1"),
        ("duckdb", "SELECT a AS k, MAX(b) AS k FROM t GROUP BY a HAVING {k} > 1"),
        ("duckdb", "SELECT a AS k, MAX(b) AS k FROM t GROUP BY {k}"),
        ("duckdb", "SELECT a AS k, b AS k FROM t ORDER BY {k} + 1"),
        ("duckdb", "SELECT a AS k, b AS k, {k} + 1 AS z FROM t"),
        ("spark", "SELECT a AS k, b AS k, {k} + 1 AS z FROM t"),
    ],
)
def test_a_name_of_two_columns_of_the_list_stands_for_neither(dialect: str, query: str) -> None:
    meaning = DIALECTS[dialect]
    schema = read_schema("CREATE TABLE t (a INT, b INT)", meaning)
    with pytest.raises(SourceError, match="k names several columns of the SELECT list"):
        read_statement(SqlText(query.format(k="k"), "q"), schema, meaning)
    same = query.replace("MAX(b) AS k", "a AS k").replace("b AS k", "a AS k").replace("{k} + 1 AS k", "a AS k")
    read_statement(SqlText(same.format(k="k"), "q"), schema, meaning)
