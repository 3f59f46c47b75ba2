"""`tallystick suite` and `tallystick compare`, as people run them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console
from tallystick.cli import main
from tallystick.experiments.tables import new_table, print_table


def run(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(main, list(arguments))


def test_a_suite_is_decided_here_without_spark():
    result = run("suite", "sparklite-cav")
    assert result.exit_code == 0
    assert "23 of 23 verdicts are the known ones, 0 are wrong" in result.output
    assert max(map(len, result.output.splitlines())) <= 80
    assert "P15''/P16''" in result.output


@pytest.mark.parametrize("columns", [120, 60, 30, 10])
def test_a_narrow_terminal_cuts_no_number_and_no_name(columns: int):
    table = new_table("Costs")
    table.add_column("pair", overflow="fold")
    for heading in ("ms", "median bytes"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_row("a pair with a long name", "7989", "1234567")
    printed = io.StringIO()
    print_table(Console(width=columns, file=printed), table)
    for word in ("pair", "long", "name", " 7989 ", " 1234567 ", "median bytes"):
        assert word in printed.getvalue()


def test_a_generated_suite_needs_its_size_and_seed_only():
    result = run("suite", "generated", "--pairs", "5", "--seed", "1")
    assert result.exit_code == 0
    assert "0 are wrong" in result.output
    assert "1/4" in result.output


def test_a_wrong_verdict_is_marked_and_gives_exit_status_1(tmp_path: Path):
    (tmp_path / "jobs.py").write_text(
        "def f(r: RDD[int]):\n    return r\n\ndef g(r: RDD[int]):\n    return r.distinct()\n"
    )
    path = tmp_path / "suite.jsonl"
    path.write_text('{"name": "distinct", "left": "jobs.py:f", "right": "jobs.py:g", "expected": "equivalent"}\n')
    result = run("suite", str(path))
    assert result.exit_code == 1
    assert "inequivalent WRONG" in result.output
    assert "0 of 1 verdicts are the known ones, 1 are wrong" in result.output


def test_reasons_for_unknown_verdicts_are_printed(tmp_path: Path):
    (tmp_path / "jobs.py").write_text("def f(r: RDD[int]):\n    return r.takeSample(False, 3)\n")
    path = tmp_path / "suite.jsonl"
    path.write_text('{"name": "sampled", "left": "jobs.py:f", "right": "jobs.py:f"}\n')
    result = run("suite", str(path))
    assert result.exit_code == 0
    assert "sampled is unknown:" in result.output
    assert "takeSample" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("suite", "none"), "error: there is no suite 'none'; the suites are beyond, errata,"),
        (("suite", "none.jsonl"), "error: none.jsonl: there is no such file"),
        (("compare", "--methods", "magic"), "error: there are no methods 'magic'; there are all, papers, "),
    ],
)
def test_bad_names_are_refused(arguments: tuple[str, ...], message: str):
    result = run(*arguments)
    assert result.exit_code == 3
    assert message in result.output


@pytest.mark.spark
@pytest.mark.slow
def test_a_suite_is_decided_and_validated_on_spark(tmp_path: Path):
    result = run("suite", "sparklite-cav", "--spark", "local[2]", "--results", str(tmp_path), "--validate", "4")
    assert result.exit_code == 0
    assert result.output.count("differs") == 8
    assert result.output.count("same 4×") == 15
    assert "8 counterexamples, and 15 equivalent pairs on 60 inputs" in " ".join(result.output.split())
    assert "…" not in result.output
    assert max(map(len, result.output.splitlines())) <= 80
    assert list((tmp_path / "records").glob("*.parquet"))


@pytest.mark.spark
@pytest.mark.slow
def test_configurations_are_compared_in_tables_and_pictures(tmp_path: Path):
    solvers = [argument for solver in ("auto", "cooper") for argument in ("--solver", solver)]
    result = run("compare", "sparklite-cav", *solvers, "--results", str(tmp_path))
    assert result.exit_code == 0
    rows = [line.split()[:4] for line in result.output.splitlines()]
    assert ["all", "auto", "23", "0"] in rows
    assert ["papers", "cooper", "22", "0"] in rows
    assert "…" not in result.output
    assert all(len(line) <= 80 or "cactus.svg" in line for line in result.output.splitlines())
    for name in ("cactus.svg", "scatter.svg"):
        assert (tmp_path / name).read_text().startswith("<?xml")
