"""Loops over a group or a list inside of loops over the same one: each has an item of its own, or they are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest
from tallystick import check
from tallystick.frontends.pyspark import SourceError, SourceProgram
from tallystick.frontends.pyspark.python import reader
from tallystick.frontends.pyspark.uninterpreted.types import NotPureError

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [("a", 3), ("b", -1), ("a", 3), ("a", -2), ("c", 0), ("b", 5), ("c", 7), ("a", 2)]
LINES = ["1 2 1", "", "3", "0 -1 5 -1", "2 2"]
INNER = {
    "sum": "sum(d for d in XS if d <= e)",
    "any": "int(any(d < e for d in XS))",
    "all": "int(all(e <= d for d in XS))",
    "max": "max(d - e for d in XS)",
    "list": "len([d for d in XS if d != e])",
    "set": "len({d for d in XS if d > e})",
    "filter": "len(list(filter(lambda d: d < e, XS)))",
    "map": "sum(map(lambda d: d * e, XS))",
    "key": "max(XS, key=lambda d: (d == e, d))",
    "in": "int(e + 1 in XS)",
    "count": "list(XS).count(e)",
    "dictionary": "len({d: 1 for d in XS if d < e})",
    "a constant": "len(list(XS))",
    "both of one": "sum(d for d in XS if d > 0)",
    "a function": "below(e, XS)",
    "a loop": "counted(e, XS)",
}
OUTER = {
    "sum": "sum(INNER for e in XS)",
    "conditions": "sum(e for e in XS if INNER > 1)",
    "sizes": "len({INNER for e in XS})",
    "dictionary": "sum({e: INNER for e in XS}.values())",
    "best": "max(XS, key=lambda e: (INNER, e))",
    "map": "sum(map(lambda e: INNER, XS))",
    "filter": "len(list(filter(lambda e: INNER > 1, XS)))",
    "sorted": "sorted(XS, key=lambda e: (INNER, e))[0]",
    "loop": "total(XS)",
}
PREAMBLE = """
def below(e, xs):
    return sum(1 for d in xs if d < e)

def counted(e, xs):
    n = 0
    for d in xs:
        if d < e:
            n += 1
    return n

def total(xs):
    result = 0
    for e in xs:
        result += BODY
    return result

def made(xs):
    for e in xs:
        yield BODY
"""


def program(inner: str, outer: str, through: str, around: str) -> str:
    """A program that goes through something twice; `around` says of which RDD that is."""
    body = INNER[inner]
    preamble = PREAMBLE.replace("BODY", body.replace("XS", "xs"))
    whole = OUTER[outer].replace("INNER", body).replace("XS", "xs")
    return f"{preamble}\ndef each(g):\n    xs = {through}\n    return {whole}\n\n{around}"


OF_GROUPS = "def p(s: 'RDD[tuple[str, int]]'):\n    return s.groupByKey().mapValues(each)\n"
OF_SIDES = "def p(s: 'RDD[tuple[str, int]]'):\n    return s.cogroup(s).mapValues(lambda p: each(p[0]) if p[0] else 0)\n"
OF_LINES = "def p(s: 'RDD[str]'):\n    return s.filter(lambda l: l != '').map(lambda l: each(l))\n"
OF_PLAIN_GROUPS = ("g", "sorted(g)", "[x for x in g if x > -2]")
"""What some loops in loops are read of in full; of others none are."""
SOURCES = {
    **{through: (through, OF_GROUPS, PAIRS) for through in (*OF_PLAIN_GROUPS, "set(g)")},
    "a side of a co-group": ("g", OF_SIDES, PAIRS),
    "a list of pieces": ("[int(w) for w in g.split()]", OF_LINES, LINES),
    "a list that map makes": ("list(map(int, g.split()))", OF_LINES, LINES),
}


@contextmanager
def read_in_full(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """No code is taken for pure code with a name."""

    def no_name(*_: object) -> None:
        raise NotPureError(None, "it is not asked whether this is pure code")

    with patch.context() as patched:
        patched.setattr(reader, "applied", no_name)
        patched.setattr(reader, "applied_builtin", no_name)
        yield


def means_what_python_computes(read: Callable[..., SourceProgram], text: str, data: Sequence[object]) -> bool:
    """Whether a program is read; fails where it means something else than Python computes."""
    try:
        found = read(text)
    except SourceError:
        return False
    assert same(run_by_terms(found, [list(data)]), run_by_python(load(text), [list(data)])), text
    return True


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_each_loop_has_an_item_of_its_own(
    source: str, every: int, read: Callable[..., SourceProgram], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each fourth program, so that each inner loop and each outer one is there; all of them if slow."""
    through, around, data = SOURCES[source]
    texts = [program(inner, outer, through, around) for inner, outer in [*product(INNER, OUTER)][::every]]
    found = sum(means_what_python_computes(read, text, data) for text in texts)
    with read_in_full(monkeypatch):
        in_full = sum(means_what_python_computes(read, text, data) for text in texts)
    assert found > len(texts) // 2
    assert in_full > 0 or source not in OF_PLAIN_GROUPS


RESULTS = {
    "lists of a group": "s.groupByKey().flatMapValues(lambda xs: [INNER for e in xs])",
    "some of a group": "s.groupByKey().flatMapValues(lambda xs: [e for e in xs if INNER > 1])",
    "a generator": "s.groupByKey().flatMapValues(made)",
    "values at the driver": "{k: sum(INNER for e in xs) for k, xs in s.groupByKey().collect()}",
    "lists": "s.groupByKey().mapValues(lambda xs: [INNER for e in xs])",
    "one side": "s.cogroup(s).flatMapValues(lambda p: [INNER for e in p[0] for xs in [p[0]]])",
}


@pytest.mark.parametrize("whole", RESULTS.values(), ids=RESULTS)
def test_what_is_made_for_each_item(
    whole: str, read: Callable[..., SourceProgram], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [
        PREAMBLE.replace("BODY", body.replace("XS", "xs"))
        + f"\ndef p(s: 'RDD[tuple[str, int]]'):\n    return {whole.replace('INNER', body).replace('XS', 'xs')}\n"
        for body in INNER.values()
    ]
    for text in texts:
        means_what_python_computes(read, text, PAIRS)
    with read_in_full(monkeypatch):
        for text in texts:
            means_what_python_computes(read, text, PAIRS)


OTHERS = {
    "sums of some, and of all": (
        "s.groupByKey().flatMapValues(lambda xs: [sum(d for d in xs if d <= e) for e in xs])",
        "s.groupByKey().flatMapValues(lambda xs: [sum(xs) for e in xs])",
    ),
    "items below another, and none": (
        "s.groupByKey().mapValues(lambda xs: sum(1 for e in xs if any(d < e for d in xs)))",
        "s.mapValues(lambda x: 0).reduceByKey(lambda x, y: x)",
    ),
    "the most frequent, and all": (
        "s.groupByKey().mapValues(lambda xs: max(sum(1 for d in xs if d == e) for e in xs))",
        "s.groupByKey().mapValues(len)",
    ),
    "later items, and none": (
        "s.groupByKey().mapValues(lambda g: sum(len(sorted(g)[i + 1:]) for i, e in enumerate(sorted(g))))",
        "s.mapValues(lambda x: 0).reduceByKey(lambda x, y: x)",
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_pairs_that_differ(name: str, tmp_path: Path) -> None:
    left, right = (
        f"def {f}(s: 'RDD[tuple[str, int]]'):\n    return {body}\n" for f, body in zip("fg", OTHERS[name], strict=True)
    )
    (tmp_path / "jobs.py").write_text(left + right)
    try:
        assert check(f"{tmp_path}/jobs.py:f", f"{tmp_path}/jobs.py:g").verdict != "equivalent"
    except SourceError:
        assert name != "the most frequent, and all"  # which is read


TWO_OF_A_GROUP = {
    "sums at keys of counts": """
    d, e = {}, {}
    for x in g:
        d[x % 3] = d.get(x % 3, 0) + x
    for x in g:
        e[x] = e.get(x, 0) + 1
    return sum(d.get(k, 0) for k in e)""",
    "items of defaultdicts": """
    d, e = defaultdict(int), defaultdict(int)
    for x in g:
        d[x % 3] += x
        e[x] += 1
    return sum(d.get(k, 7) * n for k, n in e.items())""",
    "values at keys of others": """
    d, e = {x: -x for x in g}, {x % 3: x % 3 for x in g}
    return sum(d.get(k, 0) for k in e)""",
    "some values at all items": """
    d = {x: 1 for x in set(g) if x > 0}
    return sum(d.get(x, 0) for x in set(g)) + sum(d.get(x, 0) for x in g)""",
    "counts at keys of sums": """
    d = {}
    for x in g:
        d[x % 3] = d.get(x % 3, 0) + x
    c = Counter(g)
    return max(d, key=lambda k: (c[k], k))""",
    "one dictionary twice": """
    c = Counter(g)
    return sum(c[k] for k in c if k > 0) * 100 + max(c, key=lambda k: (c[k], k))""",
    "one set in another": """
    xs, ys = {x for x in g}, {x % 2 for x in g}
    return len([x for x in xs if x in ys]) * 10 + len(xs & ys)""",
    "one of two sets": """
    xs = {x for x in g} if len(g) > 2 else {x for x in g}
    return sum(xs)""",
    "one of two sets of others": """
    xs = {x for x in g} if len(g) > 2 else {x % 2 for x in g}
    return sum(xs)""",
}
PAIRS_OF_LISTS = {
    "later items of another set": """
    xs, ys = sorted(set(g)), sorted({x % 3 for x in g})
    for i, x in enumerate(xs):
        for y in ys[i + 1:]:
            yield x, y""",
    "later items downwards": """
    xs, ys = sorted(set(g)), sorted(set(g), reverse=True)
    for i, x in enumerate(xs):
        for y in ys[i + 1:]:
            yield x, y""",
    "later items upwards": """
    xs, ys = sorted(g, reverse=True), sorted(g)
    for i, x in enumerate(xs):
        for y in ys[i + 1:]:
            yield x, y""",
    "later items of the same": """
    xs = sorted(set(g))
    for i, x in enumerate(xs):
        for y in xs[i + 1:]:
            yield x, y""",
}
IMPORTS = "from collections import Counter, defaultdict\n"


@pytest.mark.parametrize("name", [*TWO_OF_A_GROUP, *PAIRS_OF_LISTS], ids=lambda name: name.replace(" ", "-"))
@pytest.mark.parametrize("of", ["s", "s.distinct()"])
def test_what_is_made_of_one_group_twice_is_kept_apart(
    name: str, of: str, read: Callable[..., SourceProgram], monkeypatch: pytest.MonkeyPatch
) -> None:
    body, method = (TWO_OF_A_GROUP | PAIRS_OF_LISTS)[name], "mapValues" if name in TWO_OF_A_GROUP else "flatMapValues"
    text = f"{IMPORTS}def made(g):{body}\n\ndef p(s: 'RDD[tuple[str, int]]'):\n"
    text += f"    return {of}.groupByKey().{method}(made)\n"
    found = means_what_python_computes(read, text, PAIRS)
    assert found or name not in ("one dictionary twice", "one of two sets", "later items of the same")
    with read_in_full(monkeypatch):
        means_what_python_computes(read, text, PAIRS)
