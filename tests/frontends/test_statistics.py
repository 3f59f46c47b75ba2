"""`stats`, `mean`, `variance` and `stdev` are exact, and nan or inf where Spark's are."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isclose, isnan
from pathlib import Path
from typing import Any

import pytest
from tallystick import check
from tallystick.core.functions import FunctionError
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.pyspark.named_functions.showing import as_python
from tallystick.replay import SparkReplayer
from tallystick.verdict import Answer

from .local_rdd import load, run_by_python, run_by_terms

EXACT = [[], [3], [1, 3], [0, 0, 5, 0, 0], [5, 5, 5]]
"""Numbers whose variances have exact roots."""
BODIES = (
    "r.mean()",
    "r.variance()",
    "r.stdev()",
    "r.stats().mean()",
    "r.stats().min()",
    "r.stats().max()",
    "(r.stats().count(), r.stats().sum(), r.stats().stdev())",
    "round(r.variance(), 1)",
    "float(r.stdev()) * 2 - 1",
    "-r.variance() / 4 + abs(r.stdev())",
    "math.sqrt(r.variance())",
    "math.isnan(r.stdev())",
    "math.isnan(r.mean())",
    "(r.variance() > 1, r.variance() <= 1, r.variance() == 0, r.variance() != 0, not r.variance() < 1)",
    "r.variance() if r.variance() else 7.5",
    "bool(r.stdev())",
    "0.0 if r.isEmpty() else r.stdev()",
    "None if r.isEmpty() else r.stdev()",
    "r.stdev() is None",
    "r.mean() + 1 > 2 * r.mean()",
    "round(r.mean(), 1)",
    "r.sampleVariance() if r.count() != 5 else 2.0",
    "0.0 if r.count() in (2, 5) else r.sampleStdev()",
)


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, tuple):
        return all(map(_same, left, right))
    if left is None or isinstance(left, bool):
        return left is right
    return (isnan(left) and isnan(right)) or isclose(left, right)


@pytest.mark.parametrize("numbers", EXACT, ids=str)
@pytest.mark.parametrize("of", ["int", "float"])
@pytest.mark.parametrize("body", BODIES)
def test_it_means_what_python_computes(
    body: str, of: str, numbers: list[int], read: Callable[..., SourceProgram]
) -> None:
    text = f"import math\ndef p(r: 'RDD[{of}]'): return {body}"
    program = read(text)
    values: list[Any] = numbers if of == "int" else list(map(Fraction, numbers))
    meant = as_python(run_by_terms(program, [values]), program.result_type)
    assert _same(meant, run_by_python(load(text), [list(map(float, numbers)) if of == "float" else numbers]))


def test_a_root_that_is_no_exact_number_has_no_value(read: Callable[..., SourceProgram]) -> None:
    program = read("def p(r: 'RDD[int]'): return r.stdev()")
    with pytest.raises(FunctionError, match=r"math\.sqrt"):
        run_by_terms(program, [[0, 0, 1]])


def test_the_root_of_a_negative_number_raises(read: Callable[..., SourceProgram]) -> None:
    program = read("import math\ndef p(r: 'RDD[int]'): return math.sqrt(r.sum())")
    assert run_by_terms(program, [[4]]) == 2
    with pytest.raises(FunctionError, match="raises ValueError"):
        run_by_terms(program, [[-4]])


PAIRS = {
    "of stats": ("r.variance()", "r.stats().variance()", "equivalent"),
    "a root": ("r.stdev()", "math.sqrt(r.variance())", "equivalent"),
    "its definition": (
        "0.0 if r.isEmpty() else r.variance()",
        "r.map(lambda x: x * x).sum() / r.count() - (r.sum() / r.count()) ** 2 if r.count() else 0.0",
        "equivalent",
    ),
    "of a sample": ("r.variance()", "r.sampleVariance()", "inequivalent"),
    "of no elements": ("r.stdev()", "0.0 if r.isEmpty() else r.stdev()", "inequivalent"),
    "none of no elements": ("r.stdev()", "None if r.isEmpty() else r.stdev()", "inequivalent"),
    "extremes of no elements": ("r.stats().max()", "float(r.max())", "inequivalent"),
    "both extremes": ("r.stats().max()", "r.stats().min()", "inequivalent"),
    "nan against inf": ("r.variance()", "r.map(lambda x: 0).stats().min()", "inequivalent"),
    "a comparison with nan": ("r.variance() > 1", "not r.variance() <= 1", "inequivalent"),
    "no outliers": (
        "r.filter(lambda x: abs(x - r.mean()) <= 2 * r.stdev())",
        "r.filter(lambda x: r.mean() - 2 * r.stdev() <= x <= r.mean() + 2 * r.stdev())",
        "equivalent",
    ),
    "another bound": (
        "r.filter(lambda x: abs(x - r.mean()) <= r.stdev())",
        "r.filter(lambda x: abs(x - r.mean()) < r.stdev())",
        "inequivalent",
    ),
    "a mean and its definition": ("r.mean()", "r.sum() / r.count() if r.count() else 0.0", "equivalent"),
    "a mean and one of no elements": ("r.mean()", "r.mean() if r.count() else None", "inequivalent"),
    "the mean of others": ("r.mean()", "r.filter(lambda x: x).mean()", "inequivalent"),
    "a mean in a tuple": ("(r.mean(), r.count())", "(r.stats().mean(), r.stats().count())", "equivalent"),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_pairs_are_decided(pair: str, tmp_path: Path) -> None:
    left, right, expected = PAIRS[pair]
    path = tmp_path / "jobs.py"
    text = "import math\nfrom pyspark import RDD\n"
    if "lambda x: abs" in left:  # an RDD is none of the values of functions that run on elements
        left, right = (each.replace("r.mean()", "m").replace("r.stdev()", "s") for each in (left, right))
        text += f"def f(r: RDD[int]):\n    m, s = r.mean(), r.stdev()\n    return {left}\n"
        text += f"def g(r: RDD[int]):\n    m, s = r.mean(), r.stdev()\n    return {right}\n"
    else:
        text += f"def f(r: RDD[int]): return {left}\ndef g(r: RDD[int]): return {right}\n"
    path.write_text(text)
    verdict = check(f"{path}:f", f"{path}:g")
    assert str(verdict.verdict) == expected
    assert (
        "floating-point numbers are exact" in verdict.assumptions
        or verdict.verdict is not Answer.EQUIVALENT
        or ("means are exact quotients, and 0 for no elements" in verdict.assumptions)
    )


REFUSED = {
    "r.stats().asDict()": "`asDict` of `stats()` is not supported",
    "r.stats()": "`p` must return an RDD or a value, and returns what `stats` gives",
    "r.stats().max() + 1": "an operand of `+` must be an int, and is of type float or inf",
    "r.stats().max() > 1": "an operand of `>` must be an int, and is of type float or inf",
    "int(r.stdev())": "the argument of `int` must be an int, and is of type float or nan",
    "max(r.stdev(), 1.0)": "an argument of `max` must be an int, and is of type float or nan",
    "r.stats().max() == r.stats().min()": "`==` of floats that may be nan or inf is not read",
    "(r.stdev(), 1) == (r.stdev(), 1)": "`==` of floats that may be nan or inf is not read",
    "1 if r.stats().min() else 0": "the truth of the condition of `if … else` is not read, which may be inf",
    "r.map(lambda x: x > 0).variance()": "`variance` needs an RDD[int] or RDD[float], and this is RDD[bool]",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_refused(body: str, read: Callable[..., SourceProgram]) -> None:
    with pytest.raises(SourceError) as caught:
        read(f"def p(r: 'RDD[int]'): return {body}")
    assert caught.value.message == REFUSED[body]


def test_what_may_be_nan_is_no_key(read: Callable[..., SourceProgram]) -> None:
    with pytest.raises(SourceError, match="an element may be nan, which equals nothing, or inf"):
        read("def p(r: 'RDD[int]'):\n    v = r.variance()\n    return r.map(lambda x: x - v).distinct()")


def test_spark_computes_the_same(tmp_path: Path, replayer: SparkReplayer) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(
        "from pyspark import RDD\n"
        "def f(r: RDD[int]): return r.stdev()\n"
        "def g(r: RDD[int]): return 0.0 if r.isEmpty() else r.stdev()\n"
        "def h(r: RDD[int]): return (r.stats().min(), 1)\n"
        "def k(r: RDD[int]): return (r.stats().max(), 1)\n"
    )
    for one, other in (("f", "g"), ("h", "k")):
        verdict = check(f"{path}:{one}", f"{path}:{other}", replay="spark", replayer=replayer)
        assert verdict.counterexample is not None
        assert verdict.counterexample.replayed_on == ("reference", "spark")
