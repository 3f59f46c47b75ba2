"""Functions that are pure, and not read in full: they mean what Python computes, and proofs know no more of them."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tallystick import check
from tallystick.comparing import SignatureError
from tallystick.core.errors import EvaluationError
from tallystick.core.functions import FUNCTIONS, FunctionError
from tallystick.core.types import INT, has_type
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.pyspark.named_functions.bags import items_of, number_of_items
from tallystick.frontends.pyspark.named_functions.coding import decoded, encoded
from tallystick.frontends.pyspark.named_functions.pure_types import term_type
from tallystick.frontends.pyspark.uninterpreted import types as pure
from tallystick.frontends.pyspark.uninterpreted.types import PureType
from tallystick.frontends.pyspark.values.record_types import plain_type
from tallystick.frontends.rdd import read_program

from .local_rdd import load, run_by_python, run_by_terms, same

PREAMBLE = """
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple, Optional
from pyspark import RDD
GAP, WIDER = 3, 4
class Visit(NamedTuple):
    time: int
    page: int
class Swapped(NamedTuple):
    page: int
    time: int
def sessions(times, gap=GAP):
    n, last = 0, None
    for t in sorted(times):
        if last is None or t - last > gap:
            n += 1
        last = t
    return n
def wider(times, gap=WIDER):
    n, last = 0, None
    for t in sorted(times):
        if last is None or t - last > gap:
            n += 1
        last = t
    return n
def longest(rows):
    best = now = 0
    for time, page in sorted(rows):
        now = now + 1 if page > 0 else 0
        best = max(best, now)
    return best, now > 0
def digits(times):
    n = 0
    for t in sorted(times):
        n = n * 3 + t
    return n
def first_gap(times):
    s = sorted(times)
    for a, b in zip(s, s[1:]):
        if b - a > GAP:
            return b - a
    return None
def ratios(times):
    n = 0
    for t in sorted(times):
        n = n * 2 + 10 // t
    return n
def times(group):
    n = 0
    for v in sorted(group):
        n = n * 3 + v.time
    return n
def steps(n):
    count = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count
def letters(text):
    return "".join(sorted(text))
def gaps(times):
    s = sorted(times)
    return [b - a for a, b in zip(s, s[1:])]
def gaps_of_set(times):
    s = sorted(set(times))
    return [b - a for a, b in zip(s, s[1:])]
def distinct_gaps(times):
    return set(gaps(times))
def frozen(times):
    return tuple(gaps(times))
def steps_between(times):
    last = None
    for t in sorted(times):
        if last is not None:
            yield t - last, last
        last = t
def growing(times):
    found = []
    for t in sorted(times):
        found.append(t)
        yield found
def of_pair(kv):
    k, g = kv
    s = sorted(g)
    for a, b in zip(s, s[1:]):
        yield k + a, b
def labelled(times):
    out, last = [], None
    for t in sorted(times):
        out.append((last, str(t), t > 2, Visit(t, 1)))
        last = t
    return out
def bigrams(line):
    w = line.split()
    return [(w[i], w[i + 1]) for i in range(len(w) - 1)]
def make(k):
    def f(group):
        n = 0
        for a in sorted(group):
            n = n * k + a
        return n
    return f
"""
R, PAIRS_OF_INTS = "r: RDD[tuple[int, int]]", "r: RDD[tuple[int, tuple[int, int]]]"
INTS, TEXTS = "r: RDD[int]", "r: RDD[str]"

ACCEPTED = [
    (R, "r.groupByKey().mapValues(sessions)"),
    (R, "r.groupByKey().map(lambda kv: (kv[0], sessions(kv[1], 2)))"),
    (R, "r.groupByKey().mapValues(lambda g: sessions(list(g)))"),
    (R, "r.groupByKey().mapValues(lambda g: digits(set(g)) + sum(g))"),
    (R, "r.groupByKey().mapValues(lambda g: sessions([t for t in g if t > 0]))"),
    (R, "r.groupByKey().mapValues(lambda g: digits(sorted(g, reverse=True)))"),
    (R, "r.groupBy(lambda p: p[0] % 2).mapValues(longest)"),
    (PAIRS_OF_INTS, "r.groupByKey().mapValues(longest)"),
    (R, "r.groupByKey().mapValues(first_gap)"),
    (R, "r.groupByKey().mapValues(first_gap).filter(lambda p: p[1] is not None).mapValues(lambda n: n + 1)"),
    (R, "r.groupByKey().filter(lambda kv: sessions(kv[1]) > 1).mapValues(len)"),
    (R, "r.mapValues(lambda t: Visit(t, 1)).groupByKey().mapValues(times)"),
    (R, "r.groupByKey().mapValues(make(5))"),
    (R, "r.cogroup(r.map(lambda p: (p[1], p[0]))).mapValues(lambda p: sessions(p[0]) - digits(p[1]))"),
    (INTS, "r.map(steps)"),
    (INTS, "r.filter(lambda n: steps(n) > 2)"),
    (TEXTS, "r.map(lambda t: t[::-1])"),
    (R, "r.groupByKey().flatMapValues(gaps)"),
    (R, "r.groupByKey().flatMapValues(distinct_gaps)"),
    (R, "r.groupByKey().flatMapValues(lambda g: (b - 1 for b in gaps(g) if b > 1))"),
    (R, "r.groupByKey().flatMapValues(steps_between)"),
    (R, "r.groupByKey().flatMap(of_pair)"),
    (R, "r.groupByKey().flatMap(lambda kv: [(kv[0], x) for x in gaps(kv[1])])"),
    (R, "r.groupByKey().mapValues(gaps).flatMapValues(lambda l: l)"),
    (R, "r.groupByKey().flatMapValues(labelled).map(lambda p: (p[1][0], p[1][1], p[1][2], p[1][3].time + p[0]))"),
    (R, "r.groupByKey().mapValues(gaps).mapValues(lambda l: (len(l), sum(l), l == [0], 3 in l, not l))"),
    (R, "r.groupByKey().mapValues(gaps).mapValues(lambda l: l[-1] if l else None)"),
    (R, "r.groupByKey().mapValues(gaps).filter(lambda p: p[1]).mapValues(max)"),
    (R, "r.groupByKey().mapValues(gaps).filter(lambda p: p[1] < [2, 1]).mapValues(lambda l: l[:1] == l)"),
    (R, "r.groupByKey().mapValues(distinct_gaps).mapValues(sum)"),
    (R, "r.groupByKey().map(lambda kv: (frozen(kv[1]), kv[0])).groupByKey().mapValues(sum).values()"),
    (TEXTS, "r.flatMap(bigrams)"),
    (TEXTS, "r.map(lambda t: t.split()).flatMap(lambda w: zip(w, w[1:]))"),
    (TEXTS, "r.map(letters).map(lambda t: (t, 1)).reduceByKey(lambda a, b: a + b)"),
]


def _source(parameter: str, body: str) -> str:
    return f"{PREAMBLE}\ndef p({parameter}):\n    return {body}\n"


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str], SourceProgram]:
    def read(source: str) -> SourceProgram:
        path = tmp_path / "p.py"
        path.write_text(source)
        return read_program(f"{path}:p")

    return read


def _elements(parameter: str, generator: random.Random) -> list[Any]:
    def number() -> int:
        return generator.choice((-2, 0, 1, 2, 3, 5, 9))

    make: dict[str, Callable[[], Any]] = {
        R: lambda: (generator.randint(0, 2), number()),
        PAIRS_OF_INTS: lambda: (generator.randint(0, 2), (number(), number())),
        INTS: number,
        TEXTS: lambda: "".join(generator.choice("aab ") for _ in range(generator.randint(0, 4))),
    }
    return [make[parameter]() for _ in range(generator.randint(0, 8))]


@pytest.mark.parametrize(("parameter", "body"), ACCEPTED)
def test_they_mean_what_python_computes(parameter: str, body: str, read: Callable[[str], SourceProgram]) -> None:
    source = _source(parameter, body)
    program, function, generator = read(source), load(source), random.Random(1)
    assert "no expression raises an error" in program.assumptions
    for _ in range(40):
        elements = _elements(parameter, generator)
        expected = run_by_python(function, [elements])
        found = run_by_terms(program, [elements])
        assert same(_plain(found), _plain(expected)), (elements, found, expected)


def _plain(result: Any) -> Any:
    """Records as tuples."""
    if isinstance(result, dict):
        return {_plain(key): value for key, value in result.items()}
    return tuple(map(_plain, result)) if isinstance(result, tuple) else result


REFUSED = [
    (
        "equal for the key",
        PAIRS_OF_INTS,
        "r.groupByKey().mapValues(lambda g: [b for a, b in sorted(g, key=lambda p: p[0])][1])",
    ),
    ("a generator", R, "r.groupByKey().mapValues(lambda g: sessions(t for t in g) + sessions(t for t in g))"),
    ("order", R, "r.groupByKey().mapValues(lambda g: [t for t in g][0] * 2)"),
    ("no hash", R, "r.groupByKey().map(lambda kv: (gaps(kv[1]), 1)).reduceByKey(lambda a, b: a + b)"),
    ("no hash", R, "r.groupByKey().mapValues(gaps).distinct()"),
    ("no order that is read", R, "r.groupByKey().mapValues(gaps).sortBy(lambda p: p[1])"),
    ("a generator is no list", R, "r.groupByKey().mapValues(steps_between)"),
    ("a generator of what changes", R, "r.groupByKey().mapValues(lambda g: len(list(growing(g))))"),
    ("zip", R, "r.groupByKey().mapValues(changing)"),
]
CHANGING = """
def changing(group):
    n, items = 0, list(group)
    for a, b in zip(items, items[1:]):
        n = n * 2 + a - b
    return n
"""


@pytest.mark.parametrize(("_", "parameter", "body"), REFUSED)
def test_what_depends_on_an_order_is_refused(
    _: str, parameter: str, body: str, read: Callable[[str], SourceProgram]
) -> None:
    with pytest.raises(SourceError):
        read(CHANGING + _source(parameter, body))


def _check(tmp_path: Path, one: tuple[str, str], other: tuple[str, str], before: str = "") -> Any:
    path = tmp_path / "pair.py"
    source = PREAMBLE + before
    for name, (parameter, body) in (("one", one), ("two", other)):
        source += f"\ndef {name}({parameter}):\n    return {body}\n"
    path.write_text(source)
    return check(f"{path}:one", f"{path}:two")


EQUIVALENT = [
    (R, "r.groupByKey().mapValues(sessions)", "r.groupByKey().map(lambda kv: (kv[0], sessions(kv[1], 3)))"),
    (
        R,
        "r.groupByKey().mapValues(sessions)",
        "r.map(lambda p: (p[0], p[1])).groupByKey().mapValues(lambda g: sessions(list(g)))",
    ),
    (R, "r.groupByKey().mapValues(sessions)", "r.groupByKey().mapValues(lambda g: wider(g, gap=GAP))"),
    (R, "r.groupByKey().mapValues(set).mapValues(digits)", "r.groupByKey().mapValues(lambda g: digits(set(g)))"),
    (
        R,
        "r.groupByKey().filter(lambda kv: sessions(kv[1]) > 1).mapValues(len)",
        "r.groupByKey().mapValues(lambda g: (sessions(g), len(g))).filter(lambda p: p[1][0] > 1)"
        ".mapValues(lambda p: p[1])",
    ),
    (R, "r.groupByKey().mapValues(gaps)", "r.groupByKey().map(lambda kv: (kv[0], gaps(kv[1])))"),
    (R, "r.groupByKey().flatMapValues(gaps)", "r.groupByKey().mapValues(gaps).flatMapValues(lambda l: l)"),
    (
        R,
        "r.groupByKey().flatMapValues(gaps).filter(lambda p: p[1] > 0)",
        "r.groupByKey().flatMap(lambda kv: ((kv[0], x) for x in gaps(kv[1]) if x >= 1))",
    ),
    (TEXTS, "r.flatMap(bigrams)", "r.flatMap(lambda line: bigrams(line)).filter(lambda p: True)"),
    (INTS, "r.map(steps)", "r.map(lambda n: steps(n))"),
    (TEXTS, "r.map(lambda t: t[::-1])", "r.map(lambda s: s[::-1]).filter(lambda s: True)"),
]


@pytest.mark.parametrize(("parameter", "one", "other"), EQUIVALENT)
def test_the_same_code_of_the_same_values_is_the_same(parameter: str, one: str, other: str, tmp_path: Path) -> None:
    verdict = _check(tmp_path, (parameter, one), (parameter, other))
    assert verdict.verdict == "equivalent"
    assert verdict.assumptions == ("no expression raises an error",)
    certificate = tmp_path / "certificate.json"
    certificate.write_bytes(verdict.certificate)
    assert "accepted  every step holds" in _audit(certificate)


DIFFERENT = [
    (R, "r.groupByKey().mapValues(sessions)", "r.groupByKey().mapValues(wider)"),
    (R, "r.groupByKey().mapValues(digits)", "r.groupByKey().mapValues(lambda g: digits(set(g)))"),
    (R, "r.groupByKey().mapValues(digits)", "r.distinct().groupByKey().mapValues(digits)"),
    (
        R,
        "r.groupByKey().mapValues(digits)",
        "r.groupByKey().mapValues(lambda g: digits([t for t in g if t != 0]) + 0 * len(g))",
    ),
    (R, "r.groupByKey().mapValues(digits)", "r.groupByKey().mapValues(lambda g: digits([-t for t in g]))"),
    (R, "r.groupByKey().mapValues(make(4))", "r.groupByKey().mapValues(make(5))"),
    (
        R,
        "r.mapValues(lambda t: Visit(t, 1)).groupByKey().mapValues(times)",
        "r.mapValues(lambda t: Swapped(t, 1)).groupByKey().mapValues(times)",
    ),
    (
        R,
        "r.groupByKey().mapValues(first_gap)",
        "r.groupByKey().mapValues(first_gap).filter(lambda p: p[1] is not None)",
    ),
    (R, "r.cogroup(r).mapValues(lambda p: digits(p[0]))", "r.union(r).groupByKey().mapValues(digits)"),
    (R, "r.groupByKey().mapValues(gaps)", "r.groupByKey().mapValues(gaps_of_set)"),
    (R, "r.groupByKey().flatMapValues(gaps)", "r.groupByKey().flatMapValues(distinct_gaps)"),
    (R, "r.groupByKey().flatMapValues(gaps)", "r.groupByKey().flatMapValues(gaps).distinct()"),
    (R, "r.groupByKey().mapValues(gaps)", "r.groupByKey().mapValues(gaps).filter(lambda p: p[1])"),
    (TEXTS, "r.flatMap(bigrams)", "r.flatMap(bigrams).distinct()"),
    (INTS, "r.map(steps)", "r.map(lambda n: steps(n + 1))"),
    (TEXTS, "r.map(lambda t: t[::-1])", "r.map(lambda t: t[::-2])"),
    (TEXTS, "r.map(letters)", 'r.map(lambda t: "".join(sorted(set(t))))'),
]


@pytest.mark.parametrize(("parameter", "one", "other"), DIFFERENT)
def test_what_differs_in_a_corner_is_told_apart(parameter: str, one: str, other: str, tmp_path: Path) -> None:
    verdict = _check(tmp_path, (parameter, one), (parameter, other))
    assert verdict.verdict != "equivalent"
    if "t != 0" not in other:  # leading zeros change no number
        assert verdict.verdict == "inequivalent"


def test_one_group_that_raises_is_assumed_away_by_name(tmp_path: Path) -> None:
    """`10 // 0` fails the job, whatever keeps the other groups."""
    one, other = "r.groupByKey().mapValues(ratios)", "r.groupByKey().mapValues(ratios).filter(lambda p: True)"
    verdict = _check(tmp_path, (R, one), (R, other))
    assert verdict.assumptions == ("no expression raises an error",)
    kept = _check(tmp_path, (R, one), (R, "r.filter(lambda p: p[1] != 0).groupByKey().mapValues(ratios)"))
    assert kept.verdict != "inequivalent"


@pytest.mark.parametrize("other", ["distinct_gaps", "frozen", "lambda g: [t > 2 for t in gaps(g)]"])
def test_lists_sets_and_tuples_of_any_length_are_not_compared(other: str, tmp_path: Path) -> None:
    """[] is no tuple, and [True] equals [1]: texts that stand for these say neither."""
    with pytest.raises(SignatureError):
        _check(
            tmp_path,
            (R, "r.groupByKey().mapValues(gaps).map(lambda p: p[1])"),
            (R, f"r.groupByKey().mapValues({other}).map(lambda p: p[1])"),
        )


def test_lists_are_shown_as_python_writes_them(tmp_path: Path) -> None:
    verdict = _check(tmp_path, (R, "r.groupByKey().mapValues(gaps)"), (R, "r.groupByKey().mapValues(gaps_of_set)"))
    assert [repr(each) for each in verdict.counterexample.outputs] == ["[(0, [0])]", "[(0, [])]"]


VALUES: list[tuple[PureType, Any]] = [
    (pure.list_of(pure.INT), [3, -1, 10**30]),
    (pure.list_of(pure.list_of(pure.TEXT)), [[], ["", '"', "\0\ud800", "\u00e9,"]]),
    (pure.set_of(pure.tuple_of(pure.INT, pure.BOOL)), frozenset({(1, True), (10, False), (9, False)})),
    (pure.list_of(pure.optional(pure.DATE)), [None, date(1, 1, 1), date(9999, 12, 31)]),
    (pure.sequence_of(pure.TIMEDELTA), (timedelta(0), timedelta(days=-3, microseconds=1))),
    (pure.optional(pure.list_of(pure.DATETIME)), [datetime(2024, 2, 29, 1, 2, 3, 4)]),
]


@pytest.mark.parametrize(("of", "value"), VALUES)
def test_codes_are_of_one_value(of: PureType, value: Any) -> None:
    core = plain_type(term_type(of, {}))
    code = encoded(of, value, core)  # type: ignore[arg-type]
    assert decoded(of, code) == value
    assert has_type(code, core)


def test_sets_have_one_code() -> None:
    of = pure.set_of(pure.INT)
    core = plain_type(term_type(of, {}))
    assert encoded(of, {10, 9, 1}, core) == encoded(of, {1, 9, 10}, core) == ("[1,10,9]",)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [[True], [1.0], ["a"], (1,), [None], [[1]]])
def test_values_of_other_types_have_no_code(value: Any) -> None:
    of = pure.list_of(pure.INT)
    with pytest.raises(FunctionError):
        encoded(of, value, plain_type(term_type(of, {})))  # type: ignore[arg-type]


def _audit(certificate: Path, *against: str) -> str:
    """What a process says of a certificate that has read no program."""
    more = ["--against", *against] if against else []
    run = subprocess.run(
        [sys.executable, "-m", "tallystick", "audit", str(certificate), *more],
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout + run.stderr


def test_an_auditor_without_the_sources_accepts_no_value_of_pure_code(tmp_path: Path) -> None:
    one, other = "r.groupByKey().mapValues(sessions)", "r.groupByKey().mapValues(wider)"
    verdict = _check(tmp_path, (R, one), (R, other))
    certificate = tmp_path / "certificate.json"
    certificate.write_bytes(verdict.certificate)
    assert any("--against" in note for note in verdict.notes)
    path = tmp_path / "pair.py"
    assert _audit(certificate).startswith("rejected  nothing is known of the function python")
    assert _audit(certificate, f"{path}:one", f"{path}:two").startswith("accepted  every step holds")


def test_other_helpers_of_one_name_are_other_functions(tmp_path: Path) -> None:
    """Two files whose functions have one text, and call a helper of one name."""
    for name, constant in (("a", 2), ("b", 3)):
        (tmp_path / f"{name}.py").write_text(
            "from pyspark import RDD\n"
            f"def weight(t):\n    return t * {constant}\n"
            "def total(group):\n    n = 0\n    for t in sorted(group):\n        n = n * 2 + weight(t)\n    return n\n"
            "def p(r: RDD[tuple[int, int]]):\n    return r.groupByKey().mapValues(total)\n"
        )
    verdict = check(f"{tmp_path}/a.py:p", f"{tmp_path}/b.py:p")
    assert verdict.verdict == "inequivalent"


def test_a_shadowed_builtin_is_not_the_builtin(read: Callable[[str], SourceProgram]) -> None:
    loop = "    for a, b in zip(s, s[1:]):\n        n = n * 2 + a - b\n    return n\n"
    rises = f"def rises(group):\n    n, s = 0, sorted(group)\n{loop}"
    read(_source(R, "r.groupByKey().mapValues(rises)").replace("def p(", rises + "def p("))
    for shadow in ("def sorted(group):\n    return list(group)\n", "sorted = list\n"):
        with pytest.raises(SourceError):
            read(_source(R, "r.groupByKey().mapValues(rises)").replace("def p(", shadow + rises + "def p("))


@pytest.fixture
def numbers() -> str:
    return number_of_items(INT)


def test_sums_of_numbers_say_which_items_there_are(numbers: str) -> None:
    generator = random.Random(3)
    for _ in range(50):
        items = [generator.randint(0, 5000) for _ in range(generator.randint(0, 12))]
        total = sum(FUNCTIONS[numbers].value(each) for each in items)
        total = total if _is_known(numbers, total) else sum(FUNCTIONS[numbers].value(each) for each in items)
        assert sorted(items_of(numbers, total)) == sorted(items)


def _is_known(name: str, total: Any) -> bool:
    try:
        items_of(name, total)
    except FunctionError:
        return False
    return True


def test_other_sums_are_refused(numbers: str) -> None:
    value = FUNCTIONS[numbers].value
    for total in (-1, 1, value(1) - 1, value(1) + 1, 5000 * value(1), value(1) << 400):
        with pytest.raises(EvaluationError):
            items_of(numbers, total)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "body",
    [
        "s.map(lambda p: p[1] + 1)",
        "s.map(lambda p: -p[1])",
        "s.filter(lambda p: p[1] < 3)",
        "s.groupByKey().mapValues(lambda g: sorted(g)[1])",
        "s.groupByKey().mapValues(lambda g: sum(x for x in g))",
    ],
)
def test_what_may_be_none_and_is_used_without_a_test_is_refused(body: str, read: Callable[..., SourceProgram]) -> None:
    """As pure code it would raise, and a refactoring without the test would be equivalent where nothing raises."""
    with pytest.raises(SourceError):
        read(f"def p(s: 'RDD[tuple[int, int | None]]'): return {body}")


@pytest.mark.parametrize(
    "body",
    [
        "s.map(lambda n: [n][0] if n < [1] else 0)",
        "s.map(lambda n: ''.join(sorted(str(n))) < n)",
        "s.map(lambda n: sorted([n, 1]) == n)",
        "s.map(lambda n: [(n, 'a')] < [(n, 1)])",
        "s.map(lambda n: date(2024, 1, 1) < n)",
        "s.map(lambda n: n in sorted(str(n)))",
    ],
)
def test_values_of_classes_that_have_no_order_or_are_never_equal_are_not_compared(
    body: str, read: Callable[..., SourceProgram]
) -> None:
    with pytest.raises(SourceError):
        read(f"from datetime import date\ndef p(s: 'RDD[int]'): return {body}")


@pytest.mark.parametrize(
    "body",
    [
        "s.map(lambda n: sorted([n, 1]) == [1, n])",
        "s.map(lambda n: [(n, 'a')] < [(n, 'b')])",
        "s.map(lambda n: n / 2 in sorted([n, 1]))",
    ],
)
def test_values_of_classes_that_have_an_order_are_compared(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"def p(s: 'RDD[int]'): return {body}"
    assert same(run_by_terms(read(text), [[0, 1, 2, 4]]), run_by_python(load(text), [[0, 1, 2, 4]]))
