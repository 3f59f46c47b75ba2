"""Folders of suites of SQL queries: what comes out of each file, and what contradicts its labels."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from tallystick.experiments.sql_suites.folder import answered, tallies
from tallystick.experiments.sql_suites.records import Record, read_record

TABLES = {"t": {"columns": [{"name": "a", "type": "int", "nullable": True}], "primary_key": ["a"]}}
PAIRS = [
    ("SELECT a FROM t", "SELECT DISTINCT a FROM t", "equivalent"),
    ("SELECT a FROM t", "SELECT a FROM t WHERE a > 1", "inequivalent"),
    ("SELECT a FROM t", "SELECT a + 1 FROM t", "equivalent"),
    ("SELECT a FROM t", "SELECT b FROM t", "equivalent"),
]


def test_a_folder_is_tabulated(tmp_path: Path) -> None:
    schema = {"tables": TABLES}
    lines = [
        json.dumps(
            {"suite": "s", "id": str(number), "schema": schema, "q1": a, "q2": b, "expected": expected}
            | {"dialect": "spark"}
        )
        for number, (a, b, expected) in enumerate(PAIRS)
    ]
    (tmp_path / "small.jsonl").write_text("\n".join(lines))
    (tmp_path / "notes.txt").write_text("no suite")
    [tally] = tallies(tmp_path, 2.0)
    assert tally.row() == ("small", "4", "1", "1", "2", "0", "1")
    assert tally.wrong == ["2"]
    assert tally.reasons == {"refused: there is no column b": 1}


def test_plans_that_have_lost_constraints_are_not_refuted() -> None:
    left, right, expected = PAIRS[1]
    data = {"schema": {"tables": TABLES}, "q1": left, "q2": right, "expected": expected, "dialect": "spark"}
    pair = read_record(Record("s", "1", data))
    assert answered(pair, 1.0)[0] == "refuted"
    assert answered(dataclasses.replace(pair, lost_constraints=True), 1.0)[0] == "unknown"
