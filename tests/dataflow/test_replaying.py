"""Differences are run again on a real engine, with functions of the user's where they are given."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick.cli import main
from tallystick.dataflow import replaying
from tallystick.dataflow.comparing import compared
from tallystick.dataflow.reading import read_versions
from tallystick.dataflow.replaying import replayed
from tallystick.dataflow.sweep.calling import FunctionsProcess
from tallystick.dataflow.sweep.sweeping import SweepLimits
from tallystick.dataflow.verdict import Change, DataflowVerdict
from tallystick.replay.sql_engines import EngineError

from dataflow.flows import verdict_of
from dataflow.test_json_workflows import JUDGED, op, write

FUNCTIONS = """
def classify(text): return None if text is None else "long" if len(text) > 1 else "short"
def split(text): return list(text or "")
def top(rows): return sorted({(row[0],) for row in rows})[:1]
"""
OLD = {"a": "SELECT id, amount FROM orders WHERE amount > 1", "b": "SELECT id, SUM(amount) AS s FROM a GROUP BY id"}
NEW = {**OLD, "a": "SELECT id, amount FROM orders WHERE amount > 2 ORDER BY amount"}


def texts_differ() -> DataflowVerdict:
    return verdict_of(OLD, NEW)


def functions_differ(folder: Path) -> DataflowVerdict:
    """Functions of each row, of many rows for each, and of all rows, below and above what was edited."""
    before = [
        {"name": "judged", "inputs": ["tweets"], **JUDGED},
        op("letters", "function", "judged", function="split", rows="many", reads=["label"], adds={"letter": "STRING"}),
    ]
    after = [op("top", "function", "some", function="top", rows="all", columns={"id": "INT"}), op("r", "sink", "top")]
    for side, letter in (("old", "s"), ("new", "l")):
        some = op("some", "filter", "letters", condition=f"letter = '{letter}'")
        write(folder / f"{side}.json", *before, some, *after)
    (folder / "functions.py").write_text(FUNCTIONS, encoding="utf-8")
    pair = read_versions(folder / "old.json", folder / "new.json")
    pair = replace(pair, functions=FunctionsProcess(folder / "functions.py").functions())
    return compared(pair, limits=SweepLimits(seconds=2, searching=2))


def test_texts_are_run_again_on_duckdb() -> None:
    found = replayed(texts_differ(), "duckdb")
    assert {wire.name: wire.reason for wire in found.wires} == {
        "a": "its text was changed; replayed on duckdb",
        "b": "it reads a; replayed on duckdb",
    }


def test_functions_are_called_on_the_rows_of_the_engine(tmp_path: Path) -> None:
    verdict = functions_differ(tmp_path)
    changed = {wire.name for wire in verdict.wires if wire.change is Change.CHANGED}
    assert changed == {"some", "top", "r"}
    found = replayed(verdict, "duckdb")
    assert all(found.of(name).reason.endswith("; replayed on duckdb") for name in changed)


WRITTEN = {
    "plain": "SELECT id, MD5(status) AS h FROM orders WHERE amount > {}",
    "of_itself": "WITH orders AS (SELECT * FROM main.orders) SELECT orders.id FROM orders WHERE orders.amount > {}",
    "twice": 'SELECT orders.id, b.id AS of FROM "orders" JOIN orders AS b ON orders.id = b.id AND b.amount > {};',
    "of_another": "SELECT h FROM plain WHERE id > {} -- and no more",
    "inside": "SELECT id FROM orders AS o WHERE EXISTS (SELECT 1 FROM orders WHERE orders.id = o.id + {})",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_queries_run_as_they_were_written_on_the_engine_of_their_dialect(name: str) -> None:
    tables = "CREATE TABLE main.orders (id INT, amount INT, status VARCHAR)"
    old, new = ({"plain": WRITTEN["plain"].format(1), name: WRITTEN[name].format(limit)} for limit in (1, 2))
    found = replayed(verdict_of(old, new, tables), "duckdb")
    assert found.of(name).change is Change.CHANGED
    assert found.of(name).reason == "its text was changed; replayed on duckdb"


def test_what_a_text_returns_that_was_read_otherwise_is_unknown() -> None:
    """The texts of a version are those of another, as if its queries had been misread."""
    verdict = texts_differ()
    pair = verdict.pair
    misread = replace(
        verdict, pair=replace(pair, dialect="duckdb", queries={**pair.queries, "new": pair.queries["old"]})
    )
    found = replayed(misread, "duckdb")
    assert found.of("a").change is Change.UNKNOWN
    assert found.of("a").reason == "duckdb returns other rows for new a than the reference interpreter"


@pytest.mark.spark
@pytest.mark.slow
def test_both_are_run_again_on_spark(tmp_path: Path) -> None:
    for verdict in (texts_differ(), functions_differ(tmp_path)):
        found = replayed(verdict, "spark")
        reasons = [wire.reason for wire in found.wires if wire.change is Change.CHANGED]
        assert len(reasons) >= 2
        assert all(reason.endswith("; replayed on spark") for reason in reasons), reasons


def test_what_an_engine_does_not_bear_out_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    real = replaying.on_duckdb

    def wrong(setup: list[str], queries: list[str]) -> list:
        rows = real(setup, queries)
        return [[*rows[0], (17, 17)], *rows[1:]]

    monkeypatch.setattr(replaying, "on_duckdb", wrong)
    found = replayed(texts_differ(), "duckdb")
    assert found.of("a").change is Change.UNKNOWN
    assert found.of("a").reason == "duckdb returns other rows for old a than the reference interpreter"
    assert found.of("a").difference is None
    assert found.of("b").change is Change.CHANGED


def test_an_engine_that_does_not_run_changes_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(setup: list[str], queries: list[str]) -> list:
        raise EngineError("no such engine\nand more")

    monkeypatch.setattr(replaying, "on_duckdb", fails)
    found = replayed(texts_differ(), "duckdb")
    assert found.of("a").change is Change.CHANGED
    assert found.of("a").reason.endswith("; not replayed: duckdb does not run it: no such engine")


def test_the_command_replays(tmp_path: Path) -> None:
    for side, models in (("old", OLD), ("new", NEW)):
        (tmp_path / side).mkdir()
        for name, text in models.items():
            (tmp_path / side / f"{name}.sql").write_text(text, encoding="utf-8")
    sources = "CREATE TABLE orders (id INT, amount INT)"
    arguments = [str(tmp_path / "old"), str(tmp_path / "new"), "--schema", sources, "--replay", "duckdb", "--json"]
    said = CliRunner().invoke(main, ["dataflow", *arguments])
    assert said.exit_code == 1
    assert [wire["reason"].rpartition("; ")[2] for wire in json.loads(said.output)["wires"]] == [
        "replayed on duckdb"
    ] * 2
