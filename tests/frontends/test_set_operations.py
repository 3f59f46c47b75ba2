"""`intersection` and `subtract`: Python and PySpark compute what the term says; what does not reduce is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick.core.interpreter import bag_of, evaluate
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.rdd import read_program
from tallystick.replay import Returned, SparkReplayer

from .local_rdd import load, run_by_python, run_by_terms, same

BODIES = {
    "common elements, once": "r.intersection(t)",
    "an intersection with itself": "r.intersection(r)",
    "common pairs": "r.cartesian(t).intersection(t.cartesian(r))",
    "a part": "r.subtract(r.filter(lambda x: x > 0))",
    "a part of a part": "r.filter(lambda x: x < 3).subtract(r.filter(lambda x: x > 0))",
    "everything": "r.subtract(r)",
    "everything, though less often": "r.subtract(r.distinct())",
    "of distinct elements": "r.distinct().subtract(r.filter(lambda x: x > 0).distinct())",
    "several parts": "r.subtract(r.filter(lambda x: x > 2).union(r.filter(lambda x: x < 0)))",
    "of a mapped RDD": "(lambda m: m.subtract(m.filter(lambda x: x % 3 == 1)))(r.map(lambda x: 2 * x))",
    "of a union": "(lambda u: u.subtract(u.filter(lambda x: x == 0).filter(lambda x: x < 1)))(r.union(t))",
    "a condition with a fold": "(lambda n: r.subtract(r.filter(lambda x: x > n), numPartitions=2))(t.count())",
}
INPUTS = [
    ([], []),
    ([0, 0, 1, 1, 4, -2], [0, 1, 1, 7]),
    ([3, 3, 3, 2], [3, -1]),
    ([-1, 2, 2, 5], []),
]


def text_of(body: str) -> str:
    return f"def p(r: 'RDD[int]', t: 'RDD[int]'):\n    return {body}\n"


@pytest.mark.parametrize("name", BODIES)
def test_the_term_means_what_python_computes(name: str, read: Callable[..., SourceProgram]) -> None:
    text = text_of(BODIES[name])
    for given in INPUTS:
        arguments = [list(each) for each in given]
        assert same(run_by_terms(read(text), arguments), run_by_python(load(text), arguments))


@pytest.mark.spark
def test_pyspark_computes_what_the_terms_say(replayer: SparkReplayer, tmp_path: Path) -> None:
    lines = [f"def p{number}(r, t):\n    return {body}" for number, body in enumerate(BODIES.values())]
    path = tmp_path / "jobs.py"
    path.write_text("\n\n".join(lines))
    environments = [{"r": list(r), "t": list(t)} for r, t in INPUTS]
    for number in range(len(BODIES)):
        read = read_program(f"{path}:p{number}", "r: RDD[int], t: RDD[int]").program
        runs = replayer.run_on_spark(f"{path}:p{number}", environments)
        for given, run in zip(INPUTS, runs, strict=True):
            environment = dict(zip(read.parameters, map(bag_of, given), strict=True))
            assert run.written == Returned(evaluate(read.expression, environment)), (number, given)


@pytest.mark.parametrize("method", ["intersection", "subtract"])
def test_elements_have_one_type(method: str, refusal: Callable[..., str]) -> None:
    message = refusal(text_of(f"r.{method}(t.cartesian(t))"))
    assert f"`{method}` of RDD[int] and RDD[tuple[int, int]]" in message
    assert "help: the elements of both must have one type" in message
