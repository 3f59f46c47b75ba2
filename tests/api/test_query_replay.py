"""Counterexamples run on engines: every type of value, what contradicts a verdict, and engines that are not there."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest
from tallystick import Answer, MisreadingError, check_sql
from tallystick.frontends.sql.printing.databases import views
from tallystick.queries import replaying
from tallystick.replay.spark_sql import decoded, encoded, on_own_spark
from tallystick.replay.sql_engines import EngineError, Ran

SCHEMA = """
CREATE TABLE t (
  id INT PRIMARY KEY, n INT, price DECIMAL(10, 2), name STRING, day DATE, moment TIMESTAMP, good BOOLEAN
);
"""
ALL_TYPES = (
    "SELECT id, n, price, name, day, moment, good FROM t",
    "SELECT id, n, price, name, day, moment, good FROM t WHERE n > 0 OR price > 1.5 OR name = 'it''s' OR good "
    "OR day < DATE '2020-01-01' OR moment > TIMESTAMP '2024-02-29 12:00:00'",
)
PAIRS = {
    "all types": ALL_TYPES,
    "dates": ("SELECT DATE_ADD(day, n) AS d FROM t", "SELECT day AS d FROM t"),
    "decimals": ("SELECT price * 2 AS p FROM t", "SELECT price + 0.01 AS p FROM t"),
    "averages": ("SELECT AVG(price) AS p FROM t", "SELECT SUM(price) / COUNT(*) AS p FROM t"),
    "order": ("SELECT id, n FROM t ORDER BY n", "SELECT id, n FROM t ORDER BY n DESC"),
    "nulls": ("SELECT COUNT(n) AS c FROM t", "SELECT COUNT(*) AS c FROM t"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_duckdb_confirms_counterexamples(name: str) -> None:
    left, right = (text.replace("DATE_ADD(day, n)", "day + CAST(n AS INT)") for text in PAIRS[name])
    verdict = check_sql(left, right, schema=SCHEMA.replace("STRING", "TEXT"), dialect="duckdb", replay="duckdb")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert (verdict.replayed_on, verdict.notes) == (("reference", "duckdb"), ())


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("name", ["all types", "dates", "averages"])
def test_spark_confirms_counterexamples(name: str) -> None:
    verdict = check_sql(*PAIRS[name], schema=SCHEMA, replay="spark")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert (verdict.replayed_on, verdict.notes) == (("reference", "spark"), ())


@pytest.mark.spark
@pytest.mark.slow
def test_a_spark_of_its_own_is_ansi_and_returns_every_type_of_value() -> None:
    values = (
        "SELECT 1, CAST('1.50' AS DECIMAL(5, 2)), 'a', DATE '2024-02-29', TIMESTAMP '2024-02-29 12:00:00', NULL, true"
    )
    (rows,) = on_own_spark([], [values])
    assert rows == [(1, Decimal("1.50"), "a", date(2024, 2, 29), datetime(2024, 2, 29, 12), None, True)]
    with pytest.raises(EngineError, match="DIVIDE_BY_ZERO"):
        on_own_spark([], ["SELECT 1 / 0"])


@pytest.mark.parametrize(
    "value", [None, True, 3, -(10**30), "text", Decimal("-0.50"), 0.1, date(1, 1, 1), datetime(2024, 2, 29, 1, 2, 3, 4)]
)
def test_values_survive_the_way_between_processes(value: object) -> None:
    returned = decoded(encoded(value))
    assert (returned, type(returned)) == (value, type(value))


def test_intervals_survive_and_other_values_become_texts() -> None:
    assert decoded(encoded(timedelta(days=-1, microseconds=1))) == timedelta(days=-1, microseconds=1)
    assert decoded(encoded([1])) == "[1]"


def test_an_engine_that_contradicts_the_interpreter_leaves_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "databases_on_duckdb", lambda *_: Ran("DuckDB 1", (([(7,)], [(7,)]),)))
    with pytest.raises(MisreadingError) as found:
        check_sql(*PAIRS["nulls"], schema=SCHEMA, replay="duckdb")
    assert found.value.problem == (
        "the reading of the left query, or its translation for the engine, is wrong: "
        "DuckDB 1 returns other rows than the reference interpreter"
    )


def test_an_engine_that_is_not_there_leaves_the_verdict_and_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise EngineError("Spark is not installed: pip install 'tallystick[spark]'")

    monkeypatch.setattr(replaying, "databases_on_own_spark", missing)
    verdict = check_sql(*PAIRS["nulls"], schema=SCHEMA, replay="spark")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.notes == ("spark does not run the queries: Spark is not installed: pip install 'tallystick[spark]'",)


def test_an_engine_that_refuses_a_query_leaves_the_verdict_and_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = Ran("DuckDB 1", ((EngineError("Binder Error: no\nLINE 1"), []),))
    monkeypatch.setattr(replaying, "databases_on_duckdb", lambda *_: ran)
    verdict = check_sql(*PAIRS["nulls"], schema=SCHEMA, replay="duckdb")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.notes == ("duckdb does not run the queries: Binder Error: no",)


def test_integers_of_a_view_have_32_bits_where_they_fit() -> None:
    verdict = check_sql("SELECT n FROM t", "SELECT n FROM t WHERE n < 3000000000", schema=SCHEMA)
    assert verdict.counterexample is not None
    (view,) = views(verdict.pair.catalogue, verdict.counterexample.database, "spark")
    assert view.count("AS INT)") in (1, 2)
    small = {"t": ((1, 2, None, None, None, None, None),)}
    assert views(verdict.pair.catalogue, small, "spark")[0].count("AS INT)") == 2
