"""Programs as they are read, against Python itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import bag_of
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.pyspark.assumptions import NO_ERRORS
from tallystick.validation import that_counts

from ..local_rdd import RAISED, load, run_by_python, run_by_terms, same
from .programs import START, RandomProgram, Rows, programs


@dataclass
class Tally:
    """What was compared.

    Attributes:
        programs, refused: how many programs there were, and how many of these are not read.
        values: how many values were compared.
        exceptions: for how many inputs Python raises an exception.
        read: the templates of programs that have a value and are read; how often each is in one.
    """

    programs: int = 0
    refused: int = 0
    values: int = 0
    exceptions: int = 0
    read: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return (
            f"{self.programs} programs, {self.refused} of them refused; {self.values} values compared, "
            f"and {self.exceptions} exceptions"
        )


def compare(path: Path, first_seed: int, least: int) -> Tally:
    """Compares programs until there were so many values; an AssertionError shows a difference."""
    tally, seed = Tally(), first_seed
    while tally.values < least:
        for program in programs(seed):
            compare_program(program, path, tally)
        seed += 1
    return tally


def compare_program(program: RandomProgram, path: Path, tally: Tally) -> None:
    """Compares one program on its inputs; an AssertionError shows a difference."""
    path.write_text(program.source)
    tally.programs += 1
    function = load(program.source)
    try:
        read = that_counts(f"{path}:p")
    except SourceError as error:
        tally.refused += 1
        tally.reasons[error.message] += 1
        return
    before = tally.values
    for given in program.inputs:
        try:
            expected = run_by_python(function, [given])
        except Exception:  # what the random code raises
            expected = RAISED
        if expected == RAISED:
            tally.exceptions += 1
            _require_no_value(read, given, program.source)
            continue
        _require_value(read, given, expected, program.source)
        tally.values += 1
    if tally.values > before:
        tally.read.update(program.templates)


def _require_value(read: SourceProgram, given: Rows, expected: Any, source: str) -> None:
    try:
        found = run_by_terms(read, [given])
    except EvaluationError as error:
        raise AssertionError(f"{error}, but Python has {expected} for {given} in\n{_shown(source)}") from error
    if isinstance(expected, list) and isinstance(found, dict):
        expected = bag_of(expected)
    assert same(found, expected), f"{found}, but Python has {expected} for {given} in\n{_shown(source)}"


def _require_no_value(read: SourceProgram, given: Rows, source: str) -> None:
    """Where Python raises, the program has no value, or assumes by name that nothing raises."""
    if NO_ERRORS in read.assumptions:
        return
    try:
        found = run_by_terms(read, [given])
    except EvaluationError:
        return
    assert found == RAISED, f"{found}, but Python raises an exception for {given} in\n{_shown(source)}"


def _shown(source: str) -> str:
    return source.partition(START)[2]
