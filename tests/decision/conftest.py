"""Programs for the decision tests, written as PySpark source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick.core.programs import Program
from tallystick.frontends.pyspark import read_program

PRELUDE = """
from pyspark import RDD

def smaller(a, x): return x if x < a else a
def larger(a, x): return x if x > a else a
def plus(a, x): return a + x
def count(a, x): return a + 1
def above(m): return lambda x: x > m
def from_on(m): return lambda x: x >= m
"""

Pair = tuple[Program, Program]


@pytest.fixture
def pair(tmp_path: Path) -> Callable[..., Pair]:
    """Reads two return expressions over given parameters as a pair of programs."""

    def read(parameters: str, left: str, right: str) -> Pair:
        path = tmp_path / "jobs.py"
        path.write_text(
            f"{PRELUDE}\ndef left({parameters}):\n    return {left}\n\ndef right({parameters}):\n    return {right}\n"
        )
        return read_program(f"{path}:left").program, read_program(f"{path}:right").program

    return read
