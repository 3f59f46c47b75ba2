"""Each reading is tried before a verdict: one that is wrong is no verdict, and what cannot be tried is said."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tallystick import check
from tallystick.cli import main
from tallystick.core.terms import ite
from tallystick.core.types import INT, BagType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.python import growing_dictionaries, outcomes, reader
from tallystick.frontends.pyspark.python.functions.table import BUILTINS
from tallystick.frontends.pyspark.scoping import bound_names
from tallystick.frontends.rdd import read_program
from tallystick.validation import ReadingError, Trial, that_counts, tried
from tallystick.validation.inputs import Draw
from tallystick.verdict import Answer

CORPUS = sorted((Path(__file__).parents[1] / "corpus").glob("*.py"))
JOBS = """
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import NamedTuple, Optional, cast
from pyspark import RDD, SparkContext


class Colour(Enum):
    RED = 1
    BLUE = 2


class Sale(NamedTuple):
    shop: str
    amount: Optional[int]


@dataclass(frozen=True)
class Reading:
    at: date
    value: float
    colour: Colour


def count_by_cast(r: RDD[tuple[int, int]]):
    d = {}
    e = cast(dict, d)
    for k, v in r.collect():
        e[k] = e.get(k, 0) + v
    return len(d)
def nothing(r: RDD[tuple[int, int]]): return 0
def by_cast_of_group(vs):
    d = {}
    e = cast(dict, d)
    for v in vs:
        e[v % 3] = e.get(v % 3, 0) + 1
    return len(d)
def groups(r: RDD[tuple[int, int]]): return r.groupByKey().mapValues(by_cast_of_group)
def zeros(r: RDD[tuple[int, int]]): return r.groupByKey().mapValues(lambda vs: 0)

def tuple_(xs): return xs
def first_of(x):
    sorted = tuple_
    d = [0, x]
    ys = sorted(d)
    d[0] = x + 5
    return ys[0]
def firsts(r: RDD[int]): return r.map(first_of)
def no_firsts(r: RDD[int]): return r.map(lambda x: 0)

def largest(r: RDD[tuple[int, int]]): return r.map(lambda p: max(p))
def larger(r: RDD[tuple[int, int]]): return r.map(lambda p: p[0] if p[0] > p[1] else p[1])
def positive(r: RDD[int]): return r.filter(lambda x: x > 0).map(lambda x: "a" if x > 1 else "b")

def sold(r: RDD[Sale]): return r.filter(lambda s: s.amount is not None).map(lambda s: (s.shop, s.amount))
def days(r: RDD[Reading]): return r.filter(lambda x: x.colour is Colour.RED).map(lambda x: (x.at.year, x.value / 3))
def exact(r: RDD[Decimal], k: Decimal): return r.map(lambda x: x * k + Decimal("0.1"))
def listed(r: RDD[list[int]]): return r.map(lambda xs: sorted(set(xs)))
def lines(sc: SparkContext, path: str): return sc.textFile(path).map(lambda line: line.split(",")[0])
def inner(r: RDD[int], *, k: int = 3): return r.map(lambda x: x % k if k else 0)
def by_place(r: RDD[int], k: int, /): return r.map(lambda x: x + k)
def shortest(r: RDD[str]): return sorted(r.distinct().collect(), key=len)[:1]
def of_nothing(r: RDD[int]): return r.map(lambda x: 1 // (x - x))
def variances(r: RDD[float]): return (r.variance(), r.map(lambda x: x / 3).sampleStdev())
def whole(r: RDD[Decimal]): return r.sum()
def sets(r: RDD[tuple[str, int]]): return r.groupByKey().mapValues(set)
def sets_by_key(r: RDD[tuple[str, int]]): return r.groupByKey().mapValues(set).collectAsMap()
def lists(r: RDD[tuple[str, int]]): return r.groupByKey().mapValues(list)
def sorted_lists(r: RDD[tuple[str, int]]): return r.groupByKey().mapValues(sorted)
def by_second(r: RDD[tuple[str, list[int]]]): return sorted(r.collect(), key=lambda p: len(p[1]))
def uniques(r: RDD[tuple[str, int]]): return r.groupByKey().mapValues(lambda vs: sorted(set(vs)))
def dates(r: RDD[date]): return sorted(r.distinct().map(lambda d: (d, d.day)).collect())
class Job:
    def __init__(self): self.k = 2
    def run(self, r: RDD[int]): return r.map(lambda x: x * self.k)
    @staticmethod
    def fixed(r: RDD[int]): return r.map(lambda x: x + 1)
"""
PAIRS = {
    "a lost alias": ("count_by_cast", "nothing"),
    "a lost alias in a group": ("groups", "zeros"),
    "a name of another meaning": ("firsts", "no_firsts"),
    "another term of a builtin": ("largest", "larger"),
    "a wrong join of branches": ("positive", "positive"),
}


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.py").write_text(JOBS)
    return "jobs.py"


def plant(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the reader of texts misread; `test_store.py` plants what the store misreads."""

    def refused(*_: object) -> None:
        raise SourceError("read as a text", "jobs.py")

    def every_name(cls: type, node: object) -> bool:
        return isinstance(node, ast.Name)

    def branches_exchanged(condition: Any, then: Any, otherwise: Any) -> Any:
        return ite(condition, otherwise, then)

    monkeypatch.setattr("tallystick.frontends.rdd.program.read_on_store", refused)
    match fault:
        case "a lost alias" | "a lost alias in a group":
            monkeypatch.setattr(growing_dictionaries, "_MAKERS", ("dict", "cast"))
        case "a name of another meaning":
            monkeypatch.setattr(type(bound_names.BuiltinName), "__instancecheck__", every_name)
        case "another term of a builtin":
            monkeypatch.setitem(BUILTINS, "max", BUILTINS["min"])
        case "a wrong join of branches":
            for module in (reader, outcomes):
                if hasattr(module, "ite"):
                    monkeypatch.setattr(module, "ite", branches_exchanged)


@pytest.mark.parametrize("fault", PAIRS)
def test_a_misreading_is_no_verdict(fault: str, jobs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(fault, monkeypatch)
    left, right = (f"{jobs}:{name}" for name in PAIRS[fault])
    with pytest.raises(ReadingError, match=r"the reading of .* is wrong, on this input: r = "):
        check(left, right)


def test_a_misreading_ends_commands_with_status_4_and_shows_the_input(
    jobs: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plant("a lost alias in a group", monkeypatch)
    with pytest.raises(SystemExit) as ended:
        main(["check", f"{jobs}:groups", f"{jobs}:zeros"])
    assert ended.value.code == 4
    message = capsys.readouterr().err
    assert message.startswith("error: the reading of groups is wrong, on this input: r = [(")
    assert "\n  the interpreter of Python has [(" in message
    assert "\n  the reading means [(" in message


@pytest.mark.parametrize(
    ("left", "right", "answer"),
    [("largest", "larger", Answer.EQUIVALENT), ("count_by_cast", "nothing", Answer.INEQUIVALENT)],
)
def test_without_a_misreading_there_is_a_verdict_that_says_what_was_tried(
    left: str, right: str, answer: Answer, jobs: str
) -> None:
    verdict = check(f"{jobs}:{left}", f"{jobs}:{right}")
    assert verdict.verdict is answer
    assert verdict.trials == tuple(f"{name}: its reading was tried on 30 inputs" for name in (left, right))
    assert json.loads(json.dumps(verdict.to_json()))["trials"] == list(verdict.trials)
    assert verdict.phases["trying"] > 0


@pytest.mark.parametrize(
    "name",
    [
        "sold",
        "days",
        "exact",
        "listed",
        "lines",
        "inner",
        "by_place",
        "shortest",
        "largest",
        "positive",
        "variances",
        "whole",
        "sets",
        "sets_by_key",
        "lists",
        "sorted_lists",
        "by_second",
        "uniques",
        "dates",
        "Job.run",
        "Job.fixed",
    ],
)
def test_programs_with_parameters_of_all_kinds_are_tried(name: str, jobs: str) -> None:
    trial = tried(read_program(f"{jobs}:{name}"))
    assert trial.why_not == ""
    assert trial.compared > 5  # what is rounded is not compared


def test_what_cannot_be_tried_says_why(jobs: str, write: Callable[[str, str], str]) -> None:
    assert tried(read_program(f"{jobs}:of_nothing")).compared > 0, "on no elements it returns"
    around = (
        "from pyspark import RDD\ndef h():\n    def add(x): return x + 1\n    def g(r: RDD[int]): return r.map(add)\n"
        "    return g\n"
    )
    path = write("around.py", around)
    namespace: dict[str, Any] = {}
    exec(compile(around, path, "exec", dont_inherit=True), namespace)  # the tests' own text
    assert tried(read_program(namespace["h"]())).compared > 5, "what it captured is as it is in memory"
    around = (
        "from pyspark import RDD\ndef f():\n    def g(r: RDD[int], k: int = 1): return r.map(lambda x: x + k)\n"
        "    return g\n"
    )
    path = write("around.py", around)
    exec(compile(around, path, "exec", dont_inherit=True), namespace)  # the tests' own text
    found = tried(read_program(namespace["f"]()))
    assert found == Trial(0, "it stands inside of another function")
    assert str(found) == "its reading was not tried: it stands inside of another function"


def test_a_file_that_raises_is_not_tried(write: Callable[[str, str], str]) -> None:
    path = write("raising.py", "from pyspark import RDD\ndef f(r: RDD[int]): return r.map(abs)\n{}[1]\n")
    assert tried(read_program(f"{path}:f")) == Trial(0, "its file raises KeyError (1)")


def tally(files: list[Path]) -> Counter[str]:
    """How many readings of the corpus were tried; an order-dependent fold has no one value, and gets no verdict."""
    found: Counter[str] = Counter()
    for path in files:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                try:
                    read = that_counts(f"{path}:{node.name}")
                except SourceError:
                    continue
                if node.name != "moments_wrong":
                    found["tried" if not tried(read).why_not else "not tried"] += 1
    return found


def test_readings_of_the_corpus_are_tried_and_right() -> None:
    found = tally(CORPUS[::20])
    assert found["tried"] >= 0.95 * found.total()


@pytest.mark.slow
def test_all_readings_of_the_corpus_are_tried_and_right() -> None:
    found = tally(CORPUS)
    assert found["tried"] >= 0.99 * found.total()


def test_inputs_of_trials_are_drawn_from_other_values_each_time() -> None:
    draw, seen = Draw(ast.parse("x > 3"), "f"), set[int]()
    for _ in range(30):
        draw.anew()
        seen |= set(draw.value(BagType(INT)))
    assert seen == {0, 1, 2, 3, 4, -1}


@pytest.mark.parametrize("of", ["None", "(x, None)", "None if x < 0 else (x, None)"])
def test_what_is_always_none_agrees(tmp_path: Path, of: str) -> None:
    file = tmp_path / "jobs.py"
    file.write_text(f"from pyspark import RDD\n\ndef p(r: RDD[int]):\n    return r.map(lambda x: {of})\n")
    assert tried(read_program(f"{file}:p")).compared > 5
