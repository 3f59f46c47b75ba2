"""Dictionaries at the driver whose values are lists or sets, and look-ups in loops over dictionaries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from textwrap import indent

import pytest
from tallystick import check
from tallystick.core.interpreter import bag_of
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

RANDOM = Random(7)
INPUTS = [[], [("a", 0)], [("a", 3), ("a", 3)]] + [
    [(RANDOM.choice(["a", "b", "", "c"]), RANDOM.randrange(-3, 4)) for _ in range(size)] for size in range(1, 12)
]
PREAMBLE = "from collections import Counter, defaultdict\n"
FILLED = {
    "setdefault": ("{}", "d.setdefault(k, NEW()).ADD(v)"),
    "a defaultdict": ("defaultdict(NEW)", "d[k].ADD(v)"),
    "made where missing": ("{}", "if k not in d:\n    d[k] = NEW()\nd[k].ADD(v)"),
    "one or the other": ("dict()", "if k in d:\n    d[k].ADD(v)\nelse:\n    d[k] = ONE"),
    "the other or one": ("{}", "if k not in d:\n    d[k] = ONE\nelse:\n    d[k].ADD(v)"),
    "made before": ("{}", "d.setdefault(k, NEW())\nd[k].ADD(v)"),
    "made anew": ("{}", "d[k] = d.get(k, NEW()) PLUS ONE"),
    "for some": ("{}", "if v > 0:\n    d.setdefault(k, NEW()).ADD(v)"),
    "for others": ("defaultdict(NEW)", "if v < 0:\n    continue\nd[k + '!'].ADD((k, v)[1])"),
    "for two keys": ("defaultdict(NEW)", "d[k].ADD(v)\nif v > 1:\n    d['all'].ADD(-v)"),
}
USED = {
    "sizes": "{k: len(vs) for k, vs in d.items()}",
    "sizes by key": "[(k, len(d[k])) for k in sorted(d)]",
    "means": "{k: sum(vs) // len(vs) for k, vs in d.items()}",
    "largest and smallest": "{k: (max(d[k]), min(d[k])) for k in d}",
    "some keys": "sorted(k for k, vs in d.items() if len(vs) > 1)",
    "number of keys": "(len(d), 'a' in d, 1 if d else 0)",
    "in order": "{k: sorted(vs) for k, vs in d.items()}",
    "of values alone": "sum(len(vs) for vs in d.values())",
    "itself": "d",
}
LISTS, SETS = ("list", "append", "[v]", "+"), ("set", "add", "{v}", "|")


def _program(made: str, body: str, result: str, of: tuple[str, str, str, str], before: str = "") -> str:
    for mark, text in zip(("NEW", "ADD", "ONE", "PLUS"), of, strict=True):
        made, body = made.replace(mark, text), body.replace(mark, text)
    lines = f"d = {made}\nfor k, v in s.collect():\n{indent(body, '    ')}\n{before}return {result}"
    return f"{PREAMBLE}def p(s: 'RDD[tuple[str, int]]'):\n{indent(lines, '    ')}\n"


def _same(program: SourceProgram, text: str, given: list[tuple[str, int]]) -> bool:
    expected, found = run_by_python(load(text), [list(given)]), run_by_terms(program, [list(given)])
    return same(found, bag_of(expected) if isinstance(found, dict) and isinstance(expected, list) else expected)


@pytest.mark.parametrize("of", [LISTS, SETS], ids=["lists", "sets"])
@pytest.mark.parametrize("filled", FILLED)
def test_it_means_what_python_computes(
    filled: str, of: tuple[str, str, str, str], read: Callable[..., SourceProgram]
) -> None:
    for used, result in USED.items():
        text = _program(*FILLED[filled], result, of)
        program = read(text)
        for given in INPUTS:
            assert _same(program, text, given), (used, given)


LOOPS = {
    "a loop": "n = 0\nfor k, vs in d.items():\n    n += len(vs) * len(vs)\n",
    "a loop over keys": "n = 0\nfor k in d:\n    n = max(n, len(d[k]))\n",
    "a loop over values": "n = []\nfor vs in d.values():\n    n.append(sum(vs))\n",
    "a loop in order": "n = []\nfor k in sorted(d, reverse=True):\n    n.append((k, len(d[k])))\n",
    "a loop in order, of some": "n = []\nfor k in sorted(d):\n    if len(d[k]) > 1:\n        n.append(k)\n",
    "a dictionary": "n = {}\nfor k in d:\n    n[k] = len(d[k])\n",
}


@pytest.mark.parametrize("loop", LOOPS)
def test_loops_over_lists_and_sets_mean_what_python_computes(loop: str, read: Callable[..., SourceProgram]) -> None:
    for of in (LISTS, SETS):
        text = _program("defaultdict(NEW)", "d[k].ADD(v)", "n", of, LOOPS[loop])
        program = read(text)
        for given in INPUTS:
            assert _same(program, text, given)


REFUSED = {
    "an empty set may be there": ("{}", "d.setdefault(k, NEW())\nif v > 0:\n    d[k].ADD(v)", "nothing in its list"),
    "a key may be missing": ("{}", "d[k].ADD(v)", "KeyError"),
    "a key may be missing in a branch": ("{}", "if v > 0:\n    d.setdefault(k, NEW())\nd[k].ADD(v)", "KeyError"),
    "another key": ("{}", "d.setdefault(k, NEW())\nd[k + 'x'].ADD(v)", "KeyError"),
    "a list and a set": ("{}", "d.setdefault(k, []).append(v)\nd.setdefault(k, set()).add(v)", "several ways"),
    "a default that is shared": ("{}", "d.setdefault(k, d)", ""),
    "of another kind": ("defaultdict(int)", "d[k].ADD(v)", ""),
    "looked at": ("defaultdict(NEW)", "if k in d:\n    d[k].ADD(v)", "looked at"),
    "numbers, too": ("defaultdict(NEW)", "d[k].ADD(v)\nd['n'] = 1", "several ways"),
    "by the state": ("{}", "n += v\nd.setdefault(k, NEW()).ADD(n)", "the elements before"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_refused_by_name(name: str, refusal: Callable[..., str]) -> None:
    made, body, message = REFUSED[name]
    for of in (LISTS, SETS):
        text = _program(made, body, "[len(vs) for vs in d.values()]", of)
        assert message in refusal(text.replace("    d =", "    n = 0\n    d ="))


def test_wrong_methods_are_refused(refusal: Callable[..., str]) -> None:
    assert "several ways" in refusal(_program("defaultdict(list)", "d.setdefault(k, set()).add(v)", "len(d)", SETS))
    assert refusal(_program("defaultdict(set)", "d[k].append(v)", "len(d)", SETS))
    assert refusal(_program("{}", "d.setdefault(k, []).add(v)", "len(d)", SETS))


@pytest.mark.parametrize(
    "after",
    [
        "d['x'] = set()",
        "d.clear()",
        "d['a'].add(7)",
        "d.pop('a')",
        "del d['a']",
        "d.setdefault('x', set())",
        "n = d['x']",
    ],
)
def test_a_dictionary_that_is_changed_after_the_loop_is_refused(after: str, refusal: Callable[..., str]) -> None:
    assert refusal(_program("defaultdict(set)", "d[k].add(v)", "len(d)", SETS, f"{after}\n"))


@pytest.mark.parametrize(
    "made", ["d = e = {}", "e = {}\nd = e", "d = (e := {})", "e, d = [{}] * 2", "e = defaultdict(int)\nd = e"]
)
def test_a_dictionary_with_another_name_is_refused(made: str, refusal: Callable[..., str]) -> None:
    for body in ("d[k] = d.get(k, 0) + v", "d.setdefault(k, set()).add(v)"):
        lines = f"{made}\nfor k, v in s.collect():\n    {body}\nreturn len(e)"
        text = f"{PREAMBLE}def p(s: 'RDD[tuple[str, int]]'):\n{indent(lines, '    ')}\n"
        assert refusal(text)


@pytest.mark.parametrize("result", ["e[k]", "len(e[k]) + len(d[k])"])
def test_a_look_up_in_another_dictionary_of_lists_or_sets_is_refused(result: str, refusal: Callable[..., str]) -> None:
    """Of distinct pairs the lists and the sets by key have the same items, and are no equal values."""
    body = "d, e = {}, {}\nfor k, v in s.distinct().collect():\n    d.setdefault(k, []).append(v)\n"
    body += f"    e.setdefault(k, set()).add(v)\nreturn {{k: {result} for k in d}}"
    assert "a look-up" in refusal(f"def p(s: 'RDD[tuple[str, int]]'):\n{indent(body, '    ')}\n")


@pytest.mark.parametrize(
    "body",
    [
        "n += sum(v for v in vs if v > n)",
        "n = max(n, max(v + n for v in vs))",
        "for v in vs:\n        n += v",
        "d2[k] = d2.get(k, 0) + sum(v + d2.get(k, 0) for v in vs)",
        "n += len([v for v in vs if v > n])",
    ],
)
def test_what_is_asked_of_a_list_by_the_rounds_before_is_refused(body: str, refusal: Callable[..., str]) -> None:
    """It would be a fold in a fold, whose states are no variables of their own."""
    loop = f"n, d2 = 0, {{}}\nfor k, vs in d.items():\n    {body}\n"
    assert "elements before" in refusal(_program("defaultdict(list)", "d[k].append(v)", "n", LISTS, loop))


SHADOWED = """
SHARED = [1]
def set():
    return SHARED
def p(s: 'RDD[tuple[str, int]]'):
    d = {}
    for k, v in s.collect():
        d.setdefault(k, set()).add(v)
    return len(d)
"""


def test_a_function_that_is_called_set_makes_no_set(refusal: Callable[..., str]) -> None:
    assert refusal(SHADOWED)


SETS_BY_KEY = """
def sizes(s: 'RDD[tuple[str, int]]') -> 'list[tuple[str, int]]':
    d = defaultdict(set)
    for k, v in s.collect():
        d[k].add(v)
    return [(k, len(d[k])) for k in sorted(d)]

def distinct(s: 'RDD[tuple[str, int]]') -> 'list[tuple[str, int]]':
    return sorted(s.distinct().map(lambda p: (p[0], 1)).reduceByKey(lambda a, b: a + b).collect())

def grouped(s: 'RDD[tuple[str, int]]') -> 'list[tuple[str, int]]':
    return sorted((k, len(set(vs))) for k, vs in s.groupByKey().collect())

def lists(s: 'RDD[tuple[str, int]]') -> 'list[tuple[str, int]]':
    d = {}
    for k, v in s.collect():
        d.setdefault(k, []).append(v)
    return sorted((k, len(vs)) for k, vs in d.items())

def positive(s: 'RDD[tuple[str, int]]') -> 'list[tuple[str, int]]':
    d = {}
    for k, v in s.collect():
        if v > 0:
            d.setdefault(k, set()).add(v)
    return sorted((k, len(vs)) for k, vs in d.items())

def counted(s: 'RDD[tuple[str, int]]') -> 'list[tuple[str, int]]':
    return sorted(s.map(lambda p: (p[0], int(p[1] > 0))).distinct().reduceByKey(lambda a, b: a + b).collect())

def means(s: 'RDD[tuple[str, int]]') -> 'dict[str, float]':
    total, n = defaultdict(int), defaultdict(int)
    for k, v in s.collect():
        total[k] += v
        n[k] += 1
    return {k: total[k] / n[k] for k in total}

def reduced(s: 'RDD[tuple[str, int]]') -> 'dict[str, float]':
    sums = s.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda p: p[0] / p[1]).collectAsMap()

def of_sets(s: 'RDD[tuple[str, int]]') -> 'dict[str, float]':
    d = defaultdict(set)
    for k, v in s.collect():
        d[k].add(v)
    return {k: sum(vs) / len(vs) for k, vs in d.items()}

def as_sets(s: 'RDD[tuple[str, int]]') -> 'dict[str, set[int]]':
    d = {}
    for k, v in s.collect():
        if k in d:
            d[k].add(v)
        else:
            d[k] = {v}
    return d

def as_sets_of_groups(s: 'RDD[tuple[str, int]]') -> 'dict[str, set[int]]':
    return s.groupByKey().mapValues(set).collectAsMap()
"""


@pytest.fixture
def by_name(tmp_path: Path) -> Callable[[str], str]:
    path = tmp_path / "programs.py"
    path.write_text(f"from __future__ import annotations\n{PREAMBLE}{SETS_BY_KEY}")
    return lambda name: f"{path}:{name}"


@pytest.mark.parametrize(
    ("one", "other"),
    [("sizes", "distinct"), ("sizes", "grouped"), ("means", "reduced"), ("as_sets", "as_sets_of_groups")],
)
def test_right_refactorings_are_proved(one: str, other: str, by_name: Callable[[str], str]) -> None:
    assert check(by_name(one), by_name(other)).verdict == "equivalent"


@pytest.mark.parametrize(
    ("one", "other"), [("sizes", "lists"), ("sizes", "positive"), ("positive", "counted"), ("means", "of_sets")]
)
def test_programs_that_differ_in_a_corner_are_told_apart(one: str, other: str, by_name: Callable[[str], str]) -> None:
    assert check(by_name(one), by_name(other)).verdict == "inequivalent"
