"""Quotients of floats, Decimals and timedeltas, and texts of dates, mean what Python computes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tallystick import check
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.pyspark.values.nominal_types import days, microseconds

from .local_rdd import load, run_by_python, run_by_terms, same

PREAMBLE = """
from datetime import date, datetime, timedelta
from decimal import Decimal
WEEK = timedelta(weeks=1)
def day(n):
    return date(2024, 2, 28) + timedelta(days=n)
def span(n):
    return day(n) - date(2024, 1, 1)
def moment(n):
    return datetime(2024, 2, 28, 23, 59, 58) + timedelta(microseconds=n * 700_000_000_000_000) + timedelta(seconds=n)
def half(n):
    return n / 4
def exact(n):
    return Decimal(n) / 4
"""
NUMBERS = [-7, -6, -1, 0, 1, 2, 13, -8784, -374000]
BODIES = (
    "span(n) // WEEK",
    "span(n) // timedelta(days=-3)",
    "span(n) // timedelta(hours=36)",
    "(span(n) % WEEK).days",
    "(span(n) % timedelta(days=-3)).days",
    "span(n) / timedelta(days=2)",
    "((span(n) // 2).total_seconds(), (span(n) // -7).total_seconds())",
    "(str(day(n)), f'{day(n)}', f'{day(n):%d/%m}', f'on {day(n):%Y}!')",
    "((moment(n % 9) - datetime(2024, 1, 1)) // timedelta(hours=1))",
    "((moment(n % 9) - datetime(2024, 1, 1)) % timedelta(hours=1)).seconds",
    "(moment(n % 9).isoformat(), str(moment(n % 9)), f'{moment(n % 9)}', f'{moment(n % 9):%H:%M}')",
    "(moment(n % 9) + timedelta(microseconds=5)).isoformat()",
    "(moment(0).isoformat(), str(datetime(2024, 1, 2)), str(datetime(2024, 1, 2, 3, 4, 5, 6)))",
    "(datetime(2024, n % 12 + 1, 3).isoformat(), datetime(2024, 2, n % 29 + 1, n % 24, 59, n % 60, n % 9).isoformat())",
    "(day(n).isocalendar()[:2], moment(n % 9).isocalendar()[2], day(n).isocalendar()[1] == 52)",
    "(datetime(999, 1, 2) + timedelta(seconds=n % 9)).isoformat()",
    "(half(n) // 2, half(n) % 2, half(n) // 0.5, half(n) % -2.5, half(n) // -4, int(half(n) // 2) * 2)",
    "divmod(half(n), 2.5)",
    "(float(exact(n) // 2), float(exact(n) % 2))",
    "(float(exact(n) // Decimal('-2.5')), float(exact(n) % Decimal('-2.5')))",
    "(n // 2.0, n % 2.5, float(n // Decimal(2)), float(n % Decimal(4)))",
)


OPERANDS = {
    "date": "day(n)",
    "datetime": "moment(n % 9)",
    "timedelta": "(timedelta(hours=12) * n + timedelta(microseconds=n % 3 + 1))",
    "timedelta, constant": "timedelta(hours=12)",
    "timedelta, negative": "timedelta(seconds=-1)",
    "int": "(n % 5 + 1)",
}
"""Of each class that counts time, values that are no whole days."""
OPERATORS = ("+", "-", "*", "//", "%", "/", "<", "<=", "==", "!=")
NUMBERS_OF_TIME = [-7, -2, -1, 0, 1, 2, 3, 13]


def _of_class(value: Any) -> Any:
    """A date, datetime or timedelta as the core has it."""
    match value:
        case datetime():
            return (microseconds(value),)
        case date():
            return (days(value),)
        case timedelta():
            return (value // timedelta(microseconds=1),)
    return value


def _as_floats(value: Any) -> Any:
    """A value of the core as Python has it, whose floats are not exact."""
    value = _of_class(value)
    if isinstance(value, tuple):
        return tuple(map(_as_floats, value))
    return float(value) + 0.0 if isinstance(value, Fraction | float) else value  # -0.0 equals 0.0


@pytest.mark.parametrize("body", BODIES)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[int]'): return s.map(lambda n: {body})"
    found = {_as_floats(each): count for each, count in run_by_terms(read(text), [NUMBERS]).items()}
    expected = {_as_floats(each): count for each, count in run_by_python(load(text), [NUMBERS]).items()}
    assert same(found, expected)


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("right", OPERANDS)
@pytest.mark.parametrize("left", OPERANDS)
def test_operators_mean_what_python_computes(
    left: str, operator: str, right: str, read: Callable[..., SourceProgram]
) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[int]'): return s.map(lambda n: {OPERANDS[left]} {operator} {OPERANDS[right]})"
    try:
        expected = run_by_python(load(text), [NUMBERS_OF_TIME])
    except TypeError:
        expected = None
    classes = left.split(",")[0], operator, right.split(",")[0]
    if expected is None or (operator in ("==", "!=") and classes[0] != classes[2]):
        with pytest.raises(SourceError):
            read(text)
        return
    found = run_by_terms(read(text), [NUMBERS_OF_TIME])
    assert same(*({_as_floats(each): count for each, count in one.items()} for one in (found, expected)))


@pytest.mark.parametrize(
    ("of", "body", "message"),
    [
        ("date", "(x - date(2024, 1, 1)) // timedelta(0)", "zero"),
        ("date", "(x - date(2024, 1, 1)) / 2", "must be an int"),
        ("date", "2 // (x - date(2024, 1, 1))", "is not supported"),
        ("date", "x // WEEK", "`//` of date and timedelta is not supported"),
        ("float", "x // 0", "zero"),
        ("float", "x % 0.0", "zero"),
        ("float", "x // x", "is not supported"),
        ("float", "x // Decimal(2)", "raises TypeError"),
        ("float", "str(x)", "is not read"),
        ("float", "f'{x:.2f}'", "is not supported"),
    ],
)
def test_what_is_not_read_is_refused_by_name(of: str, body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"{PREAMBLE}\ndef p(s: 'RDD[{of}]'): return s.map(lambda x: {body})")


JOBS = """
from datetime import date, timedelta
from pyspark import RDD

def weeks(s: RDD[tuple[date, date]]):
    return s.map(lambda kv: (kv[1] - kv[0]) // timedelta(weeks=1))

def equivalent(s: RDD[tuple[date, date]]):
    return s.map(lambda kv: (kv[1] - kv[0]).days // 7)

def inequivalent(s: RDD[tuple[date, date]]):
    return s.map(lambda kv: -((kv[0] - kv[1]).days // 7))
"""


@pytest.mark.parametrize("answer", ["equivalent", "inequivalent"])
def test_refactorings_are_told_apart(answer: str, tmp_path: Path) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    assert check(f"{path}:weeks", f"{path}:{answer}").verdict.value == answer
