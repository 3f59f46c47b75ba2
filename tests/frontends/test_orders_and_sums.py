"""Tuples with bools are ordered as Python orders them, and sums start from what they are given."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.tuples(st.integers(-1, 1), st.booleans(), st.sampled_from(["", "a"]))), max_size=5
)
OF_TUPLES = (
    "s.reduceByKey(max)",
    "s.groupByKey().mapValues(min)",
    "s.groupByKey().mapValues(lambda g: sorted(g)[-1])",
    "s.groupByKey().mapValues(lambda g: min(g, key=lambda v: (v[1], v)))",
    "s.map(lambda e: (e[1] < (0, True, ''), e[1] >= (0, False, 'a'), max(e[1], (0, True, 'b'))))",
    "s.groupByKey().mapValues(lambda g: max(g, key=lambda v: v[1])[1])",
)


@pytest.mark.parametrize("body", OF_TUPLES)
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS)
def test_tuples_with_bools_are_ordered(body: str, read: Callable[..., SourceProgram], rows: list[object]) -> None:
    text = f"def p(s: 'RDD[tuple[int, tuple[int, bool, str]]]'): return {body}"
    assert same(run_by_terms(read(text), [rows]), run_by_python(load(text), [rows]))


SUMS = (
    "s.groupByKey().mapValues(lambda g: int(sum((Decimal(v) for v in g), Decimal(0))))",
    "s.groupByKey().mapValues(lambda g: sum((v for v in g if v > 1), start=Decimal(2)) > 3)",
    "s.map(lambda e: sum([Decimal(e[1]), e[1] + 1], Decimal('1')) > 0)",
    "s.map(lambda e: int(sum([v for v in (Decimal(e[1]), Decimal(-e[1])) if v > 0])))",
    "s.map(lambda e: sum((1, 2), start=3) + sum([True, e[1] > 0], 5))",
    "s.groupByKey().mapValues(lambda g: sum((timedelta(hours=v) for v in g), timedelta(days=1)).days)",
    "s.map(lambda e: sum([timedelta(hours=e[1]), timedelta(1)], timedelta()).days)",
)


@pytest.mark.parametrize("body", SUMS)
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(st.integers(0, 1), st.integers(-30, 30)), max_size=5))
def test_sums_start_from_what_they_are_given(body: str, read: Callable[..., SourceProgram], rows: list[object]) -> None:
    text = (
        f"from decimal import Decimal\nfrom datetime import timedelta\ndef p(s: 'RDD[tuple[int, int]]'): return {body}"
    )
    assert same(run_by_terms(read(text), [rows]), run_by_python(load(text), [rows]))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("s.groupByKey().mapValues(lambda g: sum(d - date(2020, 1, 1) for d in g).days)", "which raises TypeError"),
        (
            "s.groupByKey().mapValues(lambda g: sum(((d - date(2020, 1, 1)).days for d in g), timedelta()))",
            "not supported",
        ),
        ("s.map(lambda e: sum([1], initial=2))", "initial"),
        ("s.map(lambda e: (e[1], None) < (e[1], None))", "tuple[date, None]"),
    ],
)
def test_what_is_not_read_is_refused(body: str, message: str, refusal: Callable[..., str]) -> None:
    imports = "from datetime import date, timedelta"
    assert message in refusal(f"{imports}\ndef p(s: 'RDD[tuple[int, date]]'):\n    return {body}")


PAIRS = {
    "the last is the largest": (
        "s.reduceByKey(max)",
        "s.groupByKey().mapValues(lambda g: sorted(g)[-1])",
        "equivalent",
    ),
    "the smallest is not": ("s.reduceByKey(max)", "s.groupByKey().mapValues(min)", "inequivalent"),
    "one before": (
        "s.filter(lambda e: e[1] < (0, True))",
        "s.filter(lambda e: e[1][0] < 0 or e[1] == (0, False))",
        "equivalent",
    ),
    "one at most": (
        "s.filter(lambda e: e[1] <= (0, True))",
        "s.filter(lambda e: e[1][0] < 0 or e[1] == (0, False))",
        "inequivalent",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_they_are_told_apart(name: str, write: Callable[[str, str], str]) -> None:
    left, right, answer = PAIRS[name]
    parameter = "s: RDD[tuple[int, tuple[int, bool]]]"
    path = write(
        "jobs.py", f"from pyspark import RDD\ndef f({parameter}): return {left}\ndef g({parameter}): return {right}\n"
    )
    assert check(f"{path}:f", f"{path}:g").verdict == answer
