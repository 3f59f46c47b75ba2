"""Ranges whose bounds depend on the element mean what Python computes, and other numbers are told apart."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PREAMBLE = """
from datetime import date, timedelta
DAY = date(2024, 2, 27)
def yielded(e):
    a, b = e
    for n in range(a, b):
        if n % 2:
            yield n
        else:
            yield -n
def appended(e):
    out = []
    if e[0] < e[1]:
        for n in range(e[0], e[1]):
            if n != 1:
                out.append(n)
                out.append(e[0])
    return out
def days(e):
    start, end = DAY + timedelta(days=e[0]), DAY + timedelta(days=e[1])
    return [(start + timedelta(days=i)).day for i in range((end - start).days + 1)]
def ordinals(e):
    start = DAY.toordinal() + e[0]
    yield from (date.fromordinal(n).isoweekday() for n in range(start, start + 2))
def some(e):
    return [n for n in range(e[0])] if e[1] else []
"""
BODIES = (
    "s.flatMap(lambda e: range(e[0]))",
    "s.flatMap(lambda e: range(*e))",
    "s.flatMap(lambda e: range(e[0], e[1], 2))",
    "s.flatMap(lambda e: range(e[0], e[1], -1))",
    "s.flatMap(lambda e: list(range(3 * e[1], e[0], -3)))",
    "s.flatMap(lambda e: [(n, e[1]) for n in range(e[0], e[1] + 1) if n != 1])",
    "s.flatMapValues(range)",
    "s.flatMapValues(lambda n: tuple(range(1, n)))",
    "s.flatMap(yielded)",
    "s.flatMap(appended)",
    "s.flatMap(days)",
    "s.flatMap(ordinals)",
    "s.flatMap(some)",
    "s.flatMap(lambda e: map(str, range(e[0], e[1])))",
    "s.flatMap(lambda e: filter(lambda n: n > 0, range(e[0], e[1])))",
    "s.map(lambda e: (len(range(e[0], e[1])), len(range(e[0], e[1], 3)), len(set(range(e[0])))))",
    "s.map(lambda e: (e[0] in range(e[1]), 2 in range(e[0], e[1], 2), 1 in range(e[0], e[1], -3)))",
    "s.filter(lambda e: e[0] < 2).map(lambda e: sum(n * n for n in range(e[0], e[1])))",
    "s.filter(lambda e: e[0] in window)",
    "s.flatMap(lambda e: [n for n in window if n < e[0]])",
    "s.map(lambda e: range(e[0])).flatMap(lambda r: [n + 1 for n in r])",
    "s.map(lambda e: len([n for n in range(e[0]) if n > 1]))",
)
ROWS = st.lists(st.tuples(st.integers(-3, 4), st.integers(-3, 4)), max_size=4)


@pytest.mark.parametrize("body", BODIES)
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS, k=st.integers(-1, 3))
def test_it_means_what_python_computes(
    body: str, read: Callable[..., SourceProgram], rows: list[object], k: int
) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[tuple[int, int]]', k: int):\n    window = range(k - 1, k + 2)\n    return {body}"
    assert same(run_by_terms(read(text), [rows, k]), run_by_python(load(text), [rows, k]))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("s.flatMap(lambda e: range(0, 9, e[0]))", "the step of `range` must be constant"),
        ("s.flatMap(lambda e: range(0, e[1], 0))", "the step of `range` is zero"),
        ("s.flatMap(lambda e: range())", "`range` takes one to three arguments"),
        ("s.flatMap(lambda e: range(e[0] > 1))", "must be an int, and is of type bool"),
        ("s.flatMap(lambda e: reversed(range(e[0])))", "a range whose bounds are not constant"),
        ("s.map(lambda e: sum(range(e[0])))", "a range whose bounds are not constant"),
        ("s.filter(lambda e: 'a' in range(e[0]))", "must be an int, and is of type str"),
        ("s.flatMap(lambda e: [(a, b) for a in range(e[0]) for b in range(a)])", "a range whose bounds are not"),
        ("s.map(lambda e: e).union(s) if [1 for n in range(k)] == [] else s", "a list of unknown length"),
    ],
)
def test_what_is_not_read_is_refused_by_name(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"def p(s: 'RDD[tuple[int, int]]', k: int): return {body}")


def test_days_that_there_are_not_are_not_followed(refusal: Callable[..., str]) -> None:
    text = "def f(n):\n    try:\n        return date.fromordinal(n).year\n    except ValueError:\n        return 0"
    message = refusal(f"from datetime import date\n{text}\ndef p(r: 'RDD[int]'): return r.map(f)")
    assert "days that there are not are not followed in a `try`" in message


@pytest.mark.parametrize(
    "lines",
    [
        "t += n\n        out.append(t)",
        "out.append(n)\n        if n > 2: break",
        "out.append(len(out))",
        "out.append(n)\n    out.append(n)",
        "out.append(n)\n        more.append(n)",
    ],
)
def test_lists_that_grow_otherwise_are_refused(lines: str, refusal: Callable[..., str]) -> None:
    loop = f"def f(x):\n    t, more = 0, []\n    out = []\n    for n in range(x):\n        {lines}\n    return out"
    assert "jobs.py:" in refusal(f"{loop}\ndef p(r: 'RDD[int]'): return r.flatMap(f)")


PAIRS = {
    "from a number on": ("range(e[0], e[1])", "[e[0] + i for i in range(e[1] - e[0])]", "equivalent"),
    "one more": ("range(e[0], e[1])", "range(e[0], e[1] + 1)", "inequivalent"),
    "as long, later": ("range(e[0], e[1])", "range(e[0] + 1, e[1] + 1)", "inequivalent"),
    "yielded": ("yielded(e)", "[n if n % 2 else -n for n in range(e[0], e[1])]", "equivalent"),
    "of days": (
        "[DAY + timedelta(days=i) for i in range(e[1] - e[0] + 1)]",
        "[date.fromordinal(n) for n in range(DAY.toordinal(), DAY.toordinal() + e[1] + 1 - e[0])]",
        "equivalent",
    ),
    "without the last day": (
        "[DAY + timedelta(days=i) for i in range(e[1] + 1)]",
        "[DAY + timedelta(days=i) for i in range(e[1])]",
        "inequivalent",
    ),
    "every second one": ("range(0, e[0], 2)", "[2 * i for i in range((e[0] + 1) // 2)]", "equivalent"),
    "every second one, rounded": ("range(0, e[0], 2)", "[2 * i for i in range(e[0] // 2)]", "inequivalent"),
    "downwards": ("range(e[0], e[1], -1)", "[e[0] - i for i in range(e[0] - e[1])]", "equivalent"),
    "downwards, from below": ("range(e[0], e[1], -1)", "range(e[1], e[0])", "inequivalent"),
    "where it is empty": ("[0] if len(range(e[0])) else [1]", "[0] if e[0] > 0 else [1]", "equivalent"),
    "where it is below 0": ("[len(range(e[0]))]", "[e[0]]", "inequivalent"),
    "in it": ("[e[1] in range(e[0])]", "[0 <= e[1] < e[0]]", "equivalent"),
    "its end": ("[e[1] in range(e[0])]", "[0 <= e[1] <= e[0]]", "inequivalent"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_they_are_told_apart(name: str, write: Callable[[str, str], str]) -> None:
    left, right, answer = PAIRS[name]
    functions = "".join(
        f"def {f}(s: RDD[tuple[int, int]]): return s.flatMap(lambda e: {body})\n"
        for f, body in (("f", left), ("g", right))
    )
    path = write("jobs.py", f"from pyspark import RDD\n{PREAMBLE}\n{functions}")
    assert check(f"{path}:f", f"{path}:g").verdict == answer
