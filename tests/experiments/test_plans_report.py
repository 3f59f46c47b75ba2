"""The report of `tallystick plans`: a row a query, why it is not proved, and what proofs take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tallystick.experiments.plans_report import main, plot, records, table

PROVED = {
    "query": "queries/q1.sql",
    "verdict": "equivalent",
    "operators": [9, 7],
    "effective_rules": ["ColumnPruning", "PushDownPredicates"],
    "optimizer_seconds": 0.25,
    "processor_seconds": 1.5,
    "memory_mebibytes": 120.4,
    "certificate_bytes": 1234,
    "reasons": {},
}
UNKNOWN = {
    "query": "queries/q2.sql",
    "verdict": "unknown",
    "operators": None,
    "effective_rules": [],
    "optimizer_seconds": 0.5,
    "processor_seconds": 4.0,
    "memory_mebibytes": 80.0,
    "certificate_bytes": 0,
    "reasons": {"proof": "the time | limit\nwas reached"},
}
TABLE = """\
| query | verdict | operators | rules | Spark s | our s | MiB | certificate | why not |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| q1 | equivalent | 9 → 7 | 2 | 0.25 | 1.50 | 120 | 1234 B |  |
| q2 | unknown |  | 0 | 0.50 | 4.00 | 80 |  | proof: the time \\| limit was reached |

2 queries: 1 optimised plans proved equal, 0 wrong, 1 not known
our time: 2.8 s in the median, at most 4.0 s (q2)
Spark's optimiser: 0.4 s in the median, at most 0.5 s (q2)
memory: 100 MiB in the median, at most 120 MiB (q1)
certificates: 1234 B in the median, at most 1234 B (q1)
"""


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in (PROVED, UNKNOWN)), encoding="utf-8")
    return path


def test_the_report_has_a_row_a_query(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(results)])
    assert capsys.readouterr().out == TABLE


def test_lines_of_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"name": 1}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="is no result of `tallystick plans`"):
        records([path])


def test_the_plot_is_written(results: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot(records([results]), tmp_path / "plans.svg")
    assert "<svg" in (tmp_path / "plans.svg").read_text(encoding="utf-8")


def test_what_is_kept_says_the_same(results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "plans.json"
    for title in ("a suite", "another", "a suite"):
        main([str(results), "--record", str(kept), "--title", title])
    capsys.readouterr()
    entries = json.loads(kept.read_text(encoding="utf-8"))
    assert [each["title"] for each in entries] == ["a suite", "another"]
    assert table(entries[0]["records"]) == TABLE.rstrip()


def test_of_a_hunt_the_sums_are_kept(results: Path, tmp_path: Path) -> None:
    kept = tmp_path / "plans.json"
    main([str(results), "--record", str(kept), "--title", "a hunt", "--hunt"])
    [entry] = json.loads(kept.read_text(encoding="utf-8"))
    assert entry["totals"] == TABLE.splitlines()[-5:]
    assert entry["unknown"] == {"proof: the time | limit\nwas reached": 1}


@pytest.mark.parametrize("arguments", [["--title", "a"], ["--record", "a.json"], ["--hunt"]])
def test_what_is_kept_has_a_title(results: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(results), *arguments])
    assert "--record FILE and --title TITLE go together" in capsys.readouterr().err
