"""A model that is not read is a function of rows with the types that the engine has, which flow from text to text."""

from __future__ import annotations

import pytest
from tallystick.dataflow.comparing import compared
from tallystick.dataflow.pair import paired
from tallystick.dataflow.sweep.sweeping import SweepLimits
from tallystick.frontends.sql.dialects import dialect_named
from tallystick.frontends.sql.reader import read_schema
from tallystick.frontends.sql.source import SqlText
from tallystick.frontends.workflows.meanings import read_operators
from tallystick.frontends.workflows.operators import Operator
from tallystick.frontends.workflows.version import Version

from dataflow.flows import answers

SCHEMA = """CREATE TABLE t (id INT PRIMARY KEY, x INT, i INT, big BIGINT, d DECIMAL(10, 1), n NUMERIC, c CHAR(5),
s TEXT, j JSON, jb JSONB, ts TIMESTAMP, tz TIMESTAMPTZ, small SMALLINT);
CREATE TABLE u (id INT PRIMARY KEY, i INT, big BIGINT)"""


def below(old: str, new: str, unread: str = "SELECT MODE() WITHIN GROUP (ORDER BY v) AS r FROM a") -> tuple[str, str]:
    """What is answered about a model, and about one below it that is not read and was not edited."""
    found = answers({"a": old, "b": unread}, {"a": new, "b": unread}, SCHEMA, "postgres")
    return found["a"], found["b"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("SELECT i AS v FROM t", "SELECT CAST(i AS BIGINT) AS v FROM t"),
        ("SELECT d AS v FROM t", "SELECT CAST(d AS DECIMAL(12, 2)) AS v FROM t"),
        ("SELECT d AS v FROM t", "SELECT d * 1.0 AS v FROM t"),
        ("SELECT i + small AS v FROM t", "SELECT i + CAST(small AS BIGINT) AS v FROM t"),
        ("SELECT COUNT(*) AS v FROM t", "SELECT CAST(COUNT(*) AS DECIMAL(30, 0)) AS v FROM t"),
        (
            "SELECT SUM(w) AS v FROM (SELECT i AS w FROM t) AS r",
            "SELECT SUM(w) AS v FROM (SELECT CAST(i AS BIGINT) AS w FROM t) AS r",
        ),
        ("SELECT n AS v FROM t", "SELECT CAST(n * 1.00 AS NUMERIC) AS v FROM t"),
        ("SELECT i AS v FROM t", "SELECT i AS v FROM t UNION ALL SELECT big FROM t WHERE FALSE"),
        ("SELECT i AS v FROM t", "SELECT CASE WHEN TRUE THEN i ELSE big END AS v FROM t"),
        ("SELECT i AS v FROM t", "SELECT COALESCE(i, CAST(NULL AS BIGINT)) AS v FROM t"),
        ("SELECT s AS v FROM t WHERE s = 'a'", "SELECT CAST('a' AS CHAR(1)) AS v FROM t WHERE s = 'a'"),
        (
            "SELECT i AS v FROM t JOIN u USING (i)",
            "SELECT i AS v FROM t JOIN (SELECT CAST(i AS BIGINT) AS i FROM u) AS w USING (i)",
        ),
    ],
)
def test_another_type(old: str, new: str) -> None:
    of_model, of_unread = below(old, new)
    assert of_unread == "unknown", of_model


@pytest.mark.parametrize(
    "column",
    ["i", "big", "d", "c", "s", "j", "jb", "ts", "tz", "small", "CAST(i AS BIGINT)", "i + 1", "SUM(i)", "COUNT(*)"],
)
def test_refactoring_of_columns_of_known_types(column: str) -> None:
    old, new = (f"SELECT {column} AS v FROM t WHERE {condition}" for condition in ("x > 1", "NOT x <= 1"))
    assert below(old, new) == ("unchanged", "unchanged")


def test_digits_of_numeric_are_not_known() -> None:
    old, new = (f"SELECT n AS v FROM t WHERE {condition}" for condition in ("x > 1", "NOT x <= 1"))
    assert below(old, new) == ("unchanged", "unknown")
    assert below(old, f"{old} -- the same") == ("unchanged", "unchanged")


def test_types_flow_through_models() -> None:
    unread = "SELECT MODE() WITHIN GROUP (ORDER BY v) AS r FROM m"
    texts = {"m": "SELECT v FROM a WHERE v > 0", "b": unread}
    old, new = {"a": "SELECT i AS v FROM t", **texts}, {"a": "SELECT CAST(i AS BIGINT) AS v FROM t", **texts}
    assert answers(old, new, SCHEMA, "postgres") == {"a": "unchanged", "m": "unchanged", "b": "unknown"}
    old, new = ({"a": f"SELECT i AS v FROM t WHERE {each}", **texts} for each in ("x > 1", "NOT x <= 1"))
    assert set(answers(old, new, SCHEMA, "postgres").values()) == {"unchanged"}


def test_what_reads_an_unread_model() -> None:
    texts = {
        "b": "SELECT MODE() WITHIN GROUP (ORDER BY v) AS r FROM a",
        "c": "SELECT MODE() WITHIN GROUP (ORDER BY r) AS r FROM b",
    }
    old, new = ({"a": f"SELECT i AS v FROM t WHERE {each}", **texts} for each in ("x > 1", "NOT x <= 1"))
    assert set(answers(old, new, SCHEMA, "postgres").values()) == {"unchanged"}
    old, new = ({"a": f"SELECT {each} AS v FROM t", **texts} for each in ("i", "CAST(i AS BIGINT)"))
    assert answers(old, new, SCHEMA, "postgres") == {"a": "unchanged", "b": "unknown", "c": "unknown"}


@pytest.mark.parametrize(("column", "answer"), [("i", "unchanged"), ("CAST(i AS BIGINT)", "unknown")])
def test_call_by_name_of_a_column_of_a_model(column: str, answer: str) -> None:
    down = "SELECT id, TO_JSON(v) AS j FROM a"
    old = {"a": "SELECT id, i AS v FROM t WHERE x > 1", "b": down}
    new = {"a": f"SELECT id, {column} AS v FROM t WHERE NOT x <= 1", "b": down}
    assert answers(old, new, SCHEMA, "postgres") == {"a": "unchanged", "b": answer}


@pytest.mark.parametrize(("column", "answer"), [("i", "unchanged"), ("CAST(i AS BIGINT)", "unknown")])
def test_workflow_in_json(column: str, answer: str) -> None:
    def version(projected: str, condition: str) -> Version:
        text = f"SELECT {projected} AS v FROM input1 WHERE {condition}"
        unread = "SELECT MODE() WITHIN GROUP (ORDER BY v) AS r FROM input1"
        operators = (
            Operator("a", "query", ("t",), {"query": text}),
            Operator("b", "query", ("a",), {"query": unread}),
        )
        postgres = dialect_named("postgres")
        return read_operators(operators, read_schema(SqlText("CREATE TABLE t (i INT, x INT)", ""), postgres), postgres)

    pair = paired(version("i", "x > 1"), version(column, "NOT x <= 1"))
    found = compared(pair, limits=SweepLimits(seconds=5, searching=0.5))
    assert {wire.name: str(wire.change) for wire in found.wires} == {"a": "unchanged", "b": answer}
