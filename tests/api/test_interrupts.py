"""Ctrl-C ends every command with status 130, at once, without a traceback, and no process outlives it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "reductions" / "examples"
# Each command is at work for seconds: an interrupt must not meet one that has ended by itself.
TERMS = [f"max({2 * n + 3} * x, {n * n + 1})" for n in range(24)]
JOBS = f"""
from pyspark import RDD

def forwards(r: RDD[int]): return r.map(lambda x: {" + ".join(TERMS)}).fold(0, max)
def backwards(r: RDD[int]): return r.map(lambda x: {" + ".join(reversed(TERMS))}).fold(0, max)
"""
MARK = "TALLYSTICK_TEST_RUN"
SECONDS = 60.0


def running(mark: str) -> list[int]:
    """The processes with this mark in their environment, which descendants inherit."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue  # it has ended meanwhile
    return found


def interrupted(command: list[str], after: float) -> tuple[int, str]:
    """Status and output of a command that is interrupted some time after it has started its prover."""
    mark = uuid.uuid4().hex
    with subprocess.Popen(
        [sys.executable, "-m", "tallystick", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        env={**os.environ, MARK: mark},
    ) as process:
        deadline = time.monotonic() + SECONDS
        while len(running(mark)) < 2:
            assert process.poll() is None, process.communicate()[0]
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(after)
        os.killpg(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=SECONDS)
    while left := running(mark):
        assert time.monotonic() < deadline, f"still running: {left}"
        time.sleep(0.05)
    return process.returncode, output


@pytest.mark.parametrize("after", [0.0, 0.4, pytest.param(0.1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("command", ["check", "explain", "lint", "machine", "suite"])
def test_an_interrupt_is_status_130_without_a_traceback(command: str, after: float, tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.py"
    jobs.write_text(JOBS)
    pair = [f"{jobs}:forwards", f"{jobs}:backwards"]
    (tmp_path / "suite.jsonl").write_text('{"name": "p", "left": "jobs.py:forwards", "right": "jobs.py:backwards"}\n')
    arguments = {
        "check": ["check", *pair],
        "explain": ["explain", *pair],
        "lint": ["lint", str(EXAMPLES.parents[1] / "experiments" / "suites")],
        "machine": ["machine", str(EXAMPLES / "five_n_plus_one.txt")],
        "suite": ["suite", str(tmp_path / "suite.jsonl")],
    }[command]
    status, output = interrupted(arguments, after)
    assert (status, "Traceback" in output, "KeyboardInterrupt" in output) == (130, False, False), output
