"""A run that ends early, in any way, leaves no process behind, and the same command goes on where it was."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick.cli import main

from .interruptions import stopped

pytestmark = [pytest.mark.spark, pytest.mark.slow]

PROGRAMS = "experiments/suites/sparklite_cav.py"
PAIRS = (("p1", "p2"), ("p1", "p2_prime"), ("p3", "p4"), ("p25", "p26"), ("p27", "p28"))


def test_an_interrupted_run_says_where_its_records_are_and_leaves_no_traceback_and_no_process(tmp_path: Path):
    command = ["suite", "generated", "--spark", "local[1]", "--pairs", "60", "--results", str(tmp_path)]
    status, output = stopped(command, signal.SIGINT, tmp_path, "records/*.parquet")
    assert status == 1
    assert output.startswith("Interrupted. Finished pairs are in ")
    assert "the same command goes on" in " ".join(output.split())
    assert "Traceback" not in output
    assert list((tmp_path / "records").glob("*.parquet"))


def test_a_run_killed_while_it_validates_goes_on_with_the_pairs_that_are_left(tmp_path: Path):
    suite = tmp_path / "suite.jsonl"
    path = Path(PROGRAMS).resolve()
    rows = ({"name": f"{left}/{right}", "left": f"{path}:{left}", "right": f"{path}:{right}"} for left, right in PAIRS)
    suite.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    command = ["suite", str(suite), "--spark", "local[1]", "--results", str(tmp_path / "results"), "--validate", "3"]
    stopped(command, signal.SIGKILL, tmp_path, "results/validations.jsonl")
    log = tmp_path / "results" / "validations.jsonl"
    before = log.read_text()
    assert 0 < before.count('"key"') < len(PAIRS)
    log.write_text(before + '{"key": "cut sh')
    finished = CliRunner(env={"COLUMNS": "80"}).invoke(main, command)
    assert finished.exit_code == 0
    assert finished.output.count("same 3×") == 3
    assert finished.output.count("differs") == 2
    assert f"{len(PAIRS)} pairs had records already" in finished.output
    lines = log.read_text().splitlines()
    keys = [json.loads(line)["key"] for line in lines if line.startswith('{"key"') and line.endswith("}")]
    assert len(keys) == len(set(keys)) == len(PAIRS)
    assert log.read_text().startswith(before)


def test_a_master_that_is_none_is_named_with_what_spark_says_of_it(tmp_path: Path):
    """In a process of its own: in this one a Spark may run already."""
    command = [str(Path(sys.executable).with_name("tallystick")), "suite", "generated", "--pairs", "1"]
    command += ["--spark", "nonsense", "--results", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 3
    assert run.stderr.startswith("error: Spark does not start on nonsense:\n")
    assert "Master must either be yarn or start with spark, k8s, or local" in run.stderr
    assert "\tat " not in run.stderr
