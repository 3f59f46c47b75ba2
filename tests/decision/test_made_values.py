"""Values are made for what programs do with them: an input that tells two programs apart is found at once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tallystick import check
from tallystick.certificates.audit import audit
from tallystick.core.interpreter import Bag
from tallystick.core.terms import TRUE, variable
from tallystick.core.types import INT, TEXT, BagType, TupleType
from tallystick.decision.made_values import Maker
from tallystick.decision.methods.refute import find_difference
from tallystick.decision.outcome import Goal
from tallystick.frontends.rdd import read_program

HEAD = """from datetime import datetime
import re
from pyspark import RDD

def parse(line):
    parts = line.split(";")
    if len(parts) != 4:
        return None
    try:
        return parts[0], int(parts[1]), parts[2].strip(), datetime.strptime(parts[3], "%Y-%m-%d %H:%M")
    except ValueError:
        return None

def good(lines):
    return lines.map(parse).filter(lambda r: r is not None)
"""

PAIRS = {
    "a number in a line, next to its bound": (
        "lines: RDD[str]",
        "good(lines).filter(lambda r: r[1] >= 4711).map(lambda r: (r[0], 1)).reduceByKey(lambda a, b: a + b)",
        "good(lines).filter(lambda r: r[1] > 4711).map(lambda r: (r[0], 1)).reduceByKey(lambda a, b: a + b)",
    ),
    "an hour in a line": (
        "lines: RDD[str]",
        "good(lines).filter(lambda r: r[3].hour < 22).map(lambda r: r[0])",
        "good(lines).filter(lambda r: r[3].hour <= 22).map(lambda r: r[0])",
    ),
    "a word in a line, in capitals or not": (
        "lines: RDD[str]",
        "good(lines).filter(lambda r: r[2].lower() == 'blocked').map(lambda r: r[0])",
        "good(lines).filter(lambda r: r[2] == 'blocked').map(lambda r: r[0])",
    ),
    "the greatest of negative numbers in lines": (
        "lines: RDD[str]",
        "good(lines).map(lambda r: (r[2], r[1])).reduceByKey(max)",
        "good(lines).map(lambda r: (r[2], r[1])).foldByKey(0, max)",
    ),
    "an hour of a weekday": (
        "times: RDD[tuple[str, datetime]]",
        "times.filter(lambda t: t[1].weekday() == 4 and t[1].hour < 17).map(lambda t: t[0])",
        "times.filter(lambda t: t[1].weekday() == 4 and t[1].hour <= 17).map(lambda t: t[0])",
    ),
    "slashes at the end": (
        "lines: RDD[str]",
        "lines.map(lambda l: l.split('?')[0].rstrip('/'))",
        "lines.map(lambda l: l.split('?')[0].removesuffix('/'))",
    ),
    "a number that a pattern finds": (
        "lines: RDD[str]",
        "lines.filter(lambda l: re.fullmatch('[a-z]+=([0-9]+)', l) is not None)"
        ".map(lambda l: int(re.fullmatch('[a-z]+=([0-9]+)', l).group(1))).filter(lambda n: n > 731)",
        "lines.filter(lambda l: re.fullmatch('[a-z]+=([0-9]+)', l) is not None)"
        ".map(lambda l: int(re.fullmatch('[a-z]+=([0-9]+)', l).group(1))).filter(lambda n: n >= 731)",
    ),
    "a word among the words of a line": (
        "lines: RDD[str]",
        "lines.flatMap(lambda l: l.split()).filter(lambda w: not w.startswith('http'))",
        "lines.flatMap(lambda l: l.split()).filter(lambda w: not w.startswith('https'))",
    ),
    "a mark among blanks": (
        "r: RDD[str]",
        "r.map(lambda n: n.strip().replace('.', '')).filter(lambda n: len(n) >= 2)",
        "r.map(lambda n: n.replace('.', '').strip()).filter(lambda n: len(n) >= 2)",
    ),
    "another case behind a mark": (
        "r: RDD[str]",
        "r.filter(lambda w: w.startswith('#')).map(str.lower)",
        "r.filter(lambda w: w.startswith('#'))",
    ),
    "several of one group, some equal": (
        "r: RDD[tuple[str, str, int]]",
        "r.map(lambda e: (e[1], (e[2], 1))).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))"
        ".join(r.map(lambda e: (e[1], e[2]))).filter(lambda k: k[1][1] * k[1][0][1] > k[1][0][0]).keys()",
        "r.map(lambda e: (e[1], e[2])).distinct().mapValues(lambda v: (v, 1))"
        ".reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))"
        ".join(r.map(lambda e: (e[1], e[2]))).filter(lambda k: k[1][1] * k[1][0][1] > k[1][0][0]).keys()",
    ),
    "more than are taken": (
        "r: RDD[str]",
        "r.flatMap(lambda l: l.split()).distinct().takeOrdered(10)",
        "r.flatMap(lambda l: l.split()).distinct().takeOrdered(11)",
    ),
    "more than are counted": (
        "r: RDD[tuple[str, int]]",
        "r.keys().distinct().count() > 20",
        "r.keys().distinct().count() >= 20",
    ),
}


def written(folder: Path, parameters: str, left: str, right: str) -> Path:
    """A file with both programs."""
    functions = (
        f"\ndef {name}({parameters}):\n    return {body}\n" for name, body in (("left", left), ("right", right))
    )
    path = folder / "programs.py"
    path.write_text(HEAD + "".join(functions))
    return path


@pytest.mark.parametrize("fact", PAIRS)
def test_pairs_that_differ_where_lines_parse_are_refuted(fact: str, tmp_path: Path) -> None:
    parameters, left, right = PAIRS[fact]
    path = tmp_path / "programs.py"
    path.write_text(
        f"{HEAD}\ndef left({parameters}):\n    return {left}\n\ndef right({parameters}):\n    return {right}\n"
    )
    answer = check(f"{path}:left", f"{path}:right")
    assert answer.verdict.value == "inequivalent", str(answer)
    assert audit(answer.certificate)  # type: ignore[arg-type]


def test_an_hour_of_a_line_is_found_in_few_inputs(tmp_path: Path) -> None:
    """Among inputs at random there is next to none."""
    parameters, left, right = PAIRS["an hour in a line"]
    path = tmp_path / "programs.py"
    path.write_text(
        f"{HEAD}\ndef left({parameters}):\n    return {left}\n\ndef right({parameters}):\n    return {right}\n"
    )
    one, other = (read_program(f"{path}:{name}").program for name in ("left", "right"))
    assert find_difference(Goal(TRUE, one.expression, other.expression)) is not None


def test_made_values_have_the_types_of_the_inputs() -> None:
    of = BagType(TupleType((TEXT, TupleType((INT,)))))
    maker = Maker((), random.Random(1))
    names = [variable("r", of), variable("n", INT)]
    large = maker.large_environments(names, (3, 40), 5)
    for environment in (*maker.environments(names, 50), *maker.pooled_environments(names, 50), *large):
        bag: Bag = environment[variable("r", of)]  # type: ignore[assignment]
        assert bag
        assert all(type(text) is str and type(number) is int and count >= 1 for (text, (number,)), count in bag.items())
        assert type(environment[variable("n", INT)]) is int
