"""Idioms around functions: decorators, default values, starred arguments, classes of jobs, and records as results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick import check
from tallystick.comparing import SignatureError
from tallystick.frontends.pyspark import SourceError, SourceProgram
from tallystick.frontends.rdd import read_program

from .local_rdd import load, run_by_python, run_by_terms, same

NUMBERS = [-7, 0, 0, 3, 12]
PREAMBLE = """
from dataclasses import dataclass
from functools import cache, lru_cache, wraps

def logged(function):
    @wraps(function)
    def inner(*args, **kwargs):
        print("called", args)
        return function(*args, **kwargs)
    return inner

def times(n=2):
    def decorator(function):
        def inner(x):
            for _ in range(n):
                x = function(x)
            return x
        return inner
    return decorator

def both(first, second):
    return lambda x: second(first(x))

@cache
def increased(x, by=1):
    return x + by

@lru_cache(maxsize=None)
@logged
def doubled(x):
    return 2 * x

@times(3)
def raised(x):
    return increased(x, by=2)

def weighed(*parts, **weights):
    return parts[0] * weights["first"] + parts[1] * weights.get("second", 7)

LIMIT = 5
def limited(x, limit=LIMIT + 1):
    return x if x < limit else limit

class Scale:
    UNIT = 100

    def __init__(self, factor, offset: int = 0):
        pass
        self.factor = factor
        self.offset: int = offset

    @property
    def step(self):
        return self.factor * self.UNIT

    @classmethod
    def unit(cls, x):
        return cls.UNIT + x

    @staticmethod
    def halved(x):
        return x // 2

    def apply(self, x):
        return self.halved(x * self.step) + self.offset + self.unit(x)

@dataclass
class Row:
    number: int
    small: bool
"""
BODIES = {
    "a decorator": "r.map(doubled)",
    "a decorator with arguments": "r.map(raised)",
    "a composed function": "r.map(both(doubled, increased))",
    "starred arguments": "r.map(lambda x: increased(*(x, 3)) + increased(x, **{'by': 4}))",
    "any number of arguments": "r.map(lambda x: weighed(x, 2, first=3, second=x) + weighed(1, x, first=1))",
    "default values of lambdas": "r.map((lambda n: lambda x, n=n + 1: x + n)(3))",
    "default values of modules": "r.map(limited)",
    "powers": "r.map(lambda x: x ** 3 - x ** 1 + 2 ** 5)",
    "an object of a class": "r.map(Scale(3, offset=4).apply)",
    "another object": "r.map(lambda x: Scale(x).step)",
    "a method of a class": "r.map(Scale.unit).map(Scale.halved)",
}


@pytest.mark.parametrize("name", BODIES)
def test_idioms_mean_what_python_computes(name: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}def p(r: 'RDD[int]'):\n    return {BODIES[name]}\n"
    program, function = read(text), load(text)
    for given in (NUMBERS, NUMBERS[:2], []):
        assert same(run_by_terms(program, [list(given)]), run_by_python(function, [list(given)]))


JOB = """
from pyspark import RDD

class Job:
    LOW = 3

    def __init__(self, high=10):
        self.high = high

    def run(self, values: RDD[int]):
        return values.filter(lambda value: self.LOW <= value <= self.high)

    @staticmethod
    def run_right(values: RDD[int]):
        return values.filter(lambda value: value > 2 and not value > 10)

    @classmethod
    def run_wrong(cls, values: RDD[int]):
        return values.filter(lambda value: cls.LOW < value <= 10)

class Needy:
    def __init__(self, high):
        self.high = high

    def run(self, values: RDD[int]):
        return values
"""


def test_methods_are_programs(tmp_path: Path) -> None:
    path = tmp_path / "job.py"
    path.write_text(JOB)
    assert str(check(f"{path}:Job.run", f"{path}:Job.run_right")).startswith("equivalent: Job.run ≡ Job.run_right")
    found = check(f"{path}:Job.run", f"{path}:Job.run_wrong").counterexample
    assert found is not None
    assert found.inputs == {"values": [3]}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Job.walk", "the class `Job` has no method `walk`"),
        ("Work.run", "there is no class `Work` at the top level"),
        ("Needy.run", "`high` is missing"),
    ],
)
def test_methods_that_are_no_programs_are_refused(name: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "job.py"
    path.write_text(JOB)
    with pytest.raises(SourceError, match=message):
        read_program(f"{path}:{name}")


CHANGED = """
from pyspark import RDD

class Job:
    LOW = 3
    KINDS = {{1: 2}}

    def __init__(self, high=10):
        self.high = high

    def raised(self):
        {method}

JOB = Job()
{module}

def p(values: RDD[int]):
    return values.map(lambda value: value + JOB.high + Job.LOW + Job.KINDS.get(value, 0))
"""


@pytest.mark.parametrize(
    ("module", "method"),
    [
        ("JOB.high = 3", "pass"),
        ("Job.LOW = 4", "pass"),
        ("JOB.LOW = 4", "pass"),
        ("Job.KINDS[1] = 3", "return self.KINDS.clear()"),
        ("JOB.raised()", "self.high += 1"),
        ("del JOB.high", "pass"),
    ],
)
def test_objects_and_classes_that_other_code_may_change_are_refused(
    module: str, method: str, read: Callable[..., SourceProgram]
) -> None:
    assert read(CHANGED.format(module="", method="pass")).program.result is not None
    with pytest.raises(SourceError, match=r"another value|may change"):
        read(CHANGED.format(module=module, method=method))


RECORDS = """
from dataclasses import dataclass
from pyspark import RDD

@dataclass
class Row:
    number: int
    small: bool

def before(r: RDD[int]):
    return r.map(lambda x: Row(x, x < 3))

def after(r: RDD[int]):
    return r.map(lambda x: Row(small=not x >= 3, number=x))
"""


def test_dataclasses_are_results_and_equal_their_own_kind(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    for path in (one, other):
        path.write_text(RECORDS)
    assert str(check(f"{one}:before", f"{one}:after")).startswith("equivalent")
    with pytest.raises(SignatureError, match="return dataclasses, dictionaries or lists that differ"):
        check(f"{one}:before", f"{other}:after")


UNPACKED = """
from pyspark import RDD

def unpacked(line):
    name, amount = line.split(",")
    return name, int(amount)

def before(r: RDD[str]):
    return r.map(unpacked)

def after(r: RDD[str]):
    return r.map(lambda line: line.split(",")).map(lambda fields: (fields[0], int(fields[1])))

def swapped(r: RDD[str]):
    return r.map(lambda line: line.split(",")).map(lambda fields: (fields[1], int(fields[1])))
"""


def test_unpacking_is_indexing_where_nothing_raises(tmp_path: Path) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(UNPACKED)
    verdict = check(f"{path}:before", f"{path}:after")
    assert str(verdict).startswith("equivalent")
    assert verdict.assumptions == ("no expression raises an error",)
    found = check(f"{path}:before", f"{path}:swapped").counterexample
    assert found is not None
    (line,) = found.inputs["r"]
    assert line.count(",") == 1  # on a line of another number of fields, one of both raises
