"""Fractions are exact quotients: they mean what Python computes, and are no Decimals and no floats."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tallystick import check
from tallystick.comparing import SignatureError
from tallystick.core.functions import FunctionError
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PREAMBLE = """
import fractions
from decimal import Decimal
from fractions import Fraction
HALF = Fraction(1, 2)
"""
NUMBERS = [-7, -6, -1, 0, 1, 2, 13]
BODIES = (
    "Fraction(n, 3)",
    "(Fraction(n), Fraction('1/3') * n, fractions.Fraction('0.25') + n)",
    "(HALF * n - 1, n - HALF, n / HALF, HALF / 3, -HALF * n)",
    "(Fraction(n, 4) // HALF, Fraction(n, 4) % HALF)",
    "(int(Fraction(n, 4)), round(Fraction(n, 4)), abs(Fraction(n, 3)))",
    "(Fraction(n, 3) > HALF, Fraction(n, 2) == n / Fraction(2), Fraction(n) == n, bool(Fraction(n, 3)))",
    "max(Fraction(n, 3), HALF)",
    "Fraction(Fraction(n, 2), Fraction(3, 5))",
    "Fraction(7, n) if n else HALF",
    "sum([Fraction(n, 2), HALF, Fraction(1)])",
    "float(Fraction(n, 4))",
)


def _plain(value: Any) -> Any:
    """A value of the core, or of Python, with fractions as they are."""
    if isinstance(value, tuple):
        parts = tuple(map(_plain, value))
        return parts[0] if len(parts) == 1 and isinstance(parts[0], Fraction) else parts
    return Fraction(value) if isinstance(value, float) else value


@pytest.mark.parametrize("body", BODIES)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[int]'): return s.map(lambda n: {body})"
    found = {_plain(each): count for each, count in run_by_terms(read(text), [NUMBERS]).items()}
    expected = {_plain(each): count for each, count in run_by_python(load(text), [NUMBERS]).items()}
    assert same(found, expected)


def test_a_fraction_over_zero_has_no_value(read: Callable[..., SourceProgram]) -> None:
    program = read(f"{PREAMBLE}\ndef p(s: 'RDD[int]'): return s.map(lambda n: Fraction(1, n))")
    with pytest.raises(FunctionError):
        run_by_terms(program, [[0]])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("Fraction(n, 3) + Decimal(1)", "raises TypeError"),
        ("Fraction(n, 3) / Decimal(1)", "raises TypeError"),
        ("Fraction(0.1)", "float or a Decimal"),
        ("Fraction(n, 0)", "zero"),
        ("Fraction('x')", "raises ValueError"),
        ("Fraction(str(n))", "no constant"),
        ("Fraction(n, 3).numerator", "`numerator` of a Fraction"),
        ("str(Fraction(n, 3))", "is not"),
        ("f'{Fraction(n, 3)}'", "is not"),
        ("Fraction()", "one or two arguments"),
    ],
)
def test_what_is_not_read_is_refused_by_name(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"{PREAMBLE}\ndef p(s: 'RDD[int]'): return s.map(lambda n: {body})")


JOBS = """
from decimal import Decimal
from fractions import Fraction
from pyspark import RDD

def means(s: RDD[tuple[str, int]]):
    sums = s.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda p: Fraction(*p))

def equivalent(s: RDD[tuple[str, int]]):
    return s.groupByKey().mapValues(lambda g: Fraction(sum(g), len(g)))

def inequivalent(s: RDD[tuple[str, int]]):
    return s.groupByKey().mapValues(lambda g: Fraction(sum(g) // len(g)))

def total(s: RDD[Fraction]):
    return s.map(lambda x: x * 2).sum()

def total_right(s: RDD[Fraction]):
    return s.fold(Fraction(0), lambda a, b: a + b) * 2

def decimals(s: RDD[int]):
    return s.map(lambda n: Decimal(n) / 2)

def fractions(s: RDD[int]):
    return s.map(lambda n: Fraction(n, 2))
"""


@pytest.mark.parametrize("answer", ["equivalent", "inequivalent"])
def test_refactorings_are_told_apart(answer: str, tmp_path: Path) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    verdict = check(f"{path}:means", f"{path}:{answer}")
    assert verdict.verdict.value == answer
    assert check(f"{path}:total", f"{path}:total_right").verdict.value == "equivalent"
    with pytest.raises(SignatureError, match="classes that differ"):
        check(f"{path}:decimals", f"{path}:fractions")
