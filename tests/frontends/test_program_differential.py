"""Random programs over bags: the program that is read returns what Python computes on an imitation of RDDs."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.frontends.rdd import read_program

from .local_rdd import load, run_by_python, run_by_terms, same

# What each kind of bag offers: (method call, kind of its result). K is a parameter, {n} a fold's value or another.
INTS = (
    (".map(lambda x: 2 * x - K)", "ints"),
    (".map(lambda x: x % 3)", "ints"),
    (".map(triple)", "ints"),
    (".filter(lambda x: x > {n})", "ints"),
    (".filter(at_least(K))", "ints"),
    (".flatMap(lambda x: [x, -x] if x > 0 else [x])", "ints"),
    (".keyBy(lambda x: x % 2)", "pairs"),
    (".map(lambda x: (x // 2, x))", "pairs"),
    (".distinct()", "ints"),
    (".cache()", "ints"),
    (".union({ints})", "ints"),
    (".intersection({ints})", "ints"),
    (".cartesian({ints})", "pairs"),
)
DIFFERENCE = ".mapValues(lambda p: p[0] - p[1])"
OR_ZERO = ".mapValues(lambda p: (0 if p[0] is None else p[0]) - (p[1] if p[1] is not None else 0))"
KNOWN_KEYS = ".filter(lambda t: not (t[0] is None))"
PAIRS = (
    (".mapValues(lambda v: v + {n})", "pairs"),
    (".mapValues(abs)", "pairs"),
    (".map(swap)", "pairs"),
    (".filter(lambda t: t[0] <= t[1])", "pairs"),
    (".keys()", "ints"),
    (".values()", "ints"),
    (".foldByKey(0, lambda a, v: a + v)", "pairs"),
    (".foldByKey(zeroValue=K, func=max)", "pairs"),
    (".reduceByKey(lambda a, v: a + v)", "pairs"),
    (".groupByKey().mapValues(min)", "pairs"),
    (".groupByKey().mapValues(len)", "pairs"),
    (".join({pairs}).map(lambda t: (t[0], t[1][0] - t[1][1]))", "pairs"),
    (".flatMapValues(lambda v: (v, v + 1))", "pairs"),
    (".groupByKey().mapValues(lambda g: sum(g) - K - len(g))", "pairs"),
    (".groupByKey().map(lambda t: (len(t[1]), t[0] + max(t[1])))", "pairs"),
    (".aggregateByKey(0, max, max)", "pairs"),
    (".combineByKey(lambda v: v, lambda a, v: a + v, lambda a, b: a + b)", "pairs"),
    (".mapValues(lambda v: None if v < {n} else v).filter(lambda t: t[1] is not None)", "pairs"),
    (".map(lambda t: (None if t[1] > 0 else t[0], t[1])).reduceByKey(max)" + KNOWN_KEYS, "pairs"),
    (".leftOuterJoin({pairs}).filter(lambda t: t[1][1] is not None)" + DIFFERENCE, "pairs"),
    (
        ".fullOuterJoin({pairs}).flatMapValues(lambda p: [p] if p[0] is not None and p[1] is not None else [])"
        + DIFFERENCE,
        "pairs",
    ),
    (".reduceByKey(max).leftOuterJoin({pairs}.reduceByKey(min))" + OR_ZERO, "pairs"),
    (".reduceByKey(min).fullOuterJoin({pairs}.foldByKey({n}, max))" + OR_ZERO, "pairs"),
    (".foldByKey({n}, min).join({pairs}.groupByKey().mapValues(len))" + DIFFERENCE, "pairs"),
    (".cogroup({pairs}).mapValues(lambda p: sum(p[0]) - len(p[1]))", "pairs"),
    (".join(s.context.parallelize([(0, 1), (K, N)]))" + DIFFERENCE, "pairs"),
    (".union({pairs})", "pairs"),
    (".repartition(3)", "pairs"),
)
VALUES = {
    "ints": (".aggregate(K, max, max)", ".sum()", ".count()", ".fold(-3, max)", ".fold(K, lambda a, x: a + 2 * x)"),
    "pairs": (".count()", ".fold(0, lambda a, t: a + t[0] - t[1])", ".values().sum()"),
}
HEADER = """
def triple(x):
    return 3 * x
def at_least(k):
    return lambda x: x >= k
def swap(t):
    k, v = t
    return v, k
"""


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A program that binds several bags and values, each made of earlier ones."""
    names = {"ints": ["r"], "pairs": ["s"]}
    fresh, n = count(), "N"
    lines = []

    def bag(kind: str) -> str:
        return draw(st.sampled_from(names[kind]))

    for _ in range(draw(st.integers(1, 5))):
        kind = draw(st.sampled_from(("ints", "pairs")))
        if draw(st.integers(0, 4)) == 0:
            total, n = f"t{next(fresh)}", f"n{next(fresh)}"
            lines.append(f"{total} = {bag(kind)}{draw(st.sampled_from(VALUES[kind]))}")
            lines.append(f"{n} = min({total}, 5) if {total} > {draw(st.integers(-3, 3))} else 0")
            continue
        call, result = draw(st.sampled_from(INTS if kind == "ints" else PAIRS))
        name = f"b{next(fresh)}"
        lines.append(f"{name} = {bag(kind)}{call.format(ints=bag('ints'), pairs=bag('pairs'), n=n)}")
        names[result].append(name)
    kind = draw(st.sampled_from(("ints", "pairs")))
    value = draw(st.sampled_from(("", *VALUES[kind])))
    lines.append(f"return {bag(kind)}{value}")
    body = "\n    ".join(lines)
    return f"{HEADER}\ndef p(r: 'RDD[int]', s: 'RDD[tuple[int, int]]', K: int, N: int):\n    {body}\n"


small = st.integers(-4, 7)


@settings(max_examples=examples(250))
@given(programs(), st.lists(small, max_size=4), st.lists(st.tuples(small, small), max_size=4), small, small)
def test_a_random_program_means_what_python_computes(source: str, r: list[Any], s: list[Any], k: int, n: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "jobs.py"
        path.write_text(source)
        read = read_program(f"{path}:p")
    assert same(run_by_terms(read, [r, s, k, n]), run_by_python(load(source), [r, s, k, n]))
