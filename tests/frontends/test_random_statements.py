"""Random functions on texts, numbers and groups: what is read has the value that Python computes.

    python -m pytest -m slow tests/frontends/test_random_statements.py

The functions have `try`, unpacking of what `split` gives, formats, look-ups, powers, records, decorators and starred
arguments; functions of groups have comprehensions, sets and sorted lists. Where Python raises an exception, nothing is
asked of the term: certificates assume that none is raised.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick.core.errors import EvaluationError
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import read_program

from .local_rdd import load, run_by_python, run_by_terms, same

HEADER = """
from collections import namedtuple
from functools import wraps
Named = namedtuple("Named", "name number")
TABLE = {"a": 1, "b": 2, "": -3}
def plain(function):
    @wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)
    return inner
@plain
def shifted(n, by=2):
    return n + by
def parsed(text, default=0):
    try:
        return int(text)
    except ValueError:
        return default
def fields(line):
    try:
        first, second = line.split(",")
        return second, len(first)
    except ValueError:
        return line, -1
class Scale:
    UNIT = 3
    def __init__(self, factor):
        self.factor = factor
    def of(self, n):
        return n * 2 + self.factor * self.UNIT
"""
ELEMENTS = [("a", 3), ("", 0), ("12", -4), ("a,b", 7), ("b,-5", 2), (" 7 ", 1), ("x,y,z", -1), ("Ab", 12), ("-3", 5)]
EVALUATIONS = 20_000


class Functions:
    """Random expressions and statements over `name`, a text, and `n`, a number."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self, depth: int) -> str:
        """An expression whose value is an int."""
        if depth == 0:
            return self.random.choice(["n", "3", "0", "-2", "len(name)"])
        one, other = self.number(depth - 1), self.number(depth - 1)
        text, condition = self.text(depth - 1), self.condition(depth - 1)
        return self.random.choice(
            [
                f"({one} + {other})",
                f"({one} - {other})",
                f"({one} // 3)",
                f"({one} % 4)",
                f"({one} // {other})",
                f"({one} % {other})",
                f"({one} ** 2)",
                f"({one} if {condition} else {other})",
                f"int({text})",
                f"len({text})",
                f"{text}.count('a')",
                f"parsed({text}, {one})",
                f"parsed({text}, default={one})",
                f"fields({text})[1]",
                f"shifted({one}, by={other})",
                f"shifted(*({one}, {other}))",
                f"TABLE.get({text}, {one})",
                f"TABLE[{text}]",
                f"max({one}, {other}, 1)",
                f"Named({text}, {one}).number",
                f"Scale({one}).of({other})",
                f"sum(x for x in ({one}, {other}, 2) if x > 1)",
                f"len({text}.split(','))",
            ]
        )

    def text(self, depth: int) -> str:
        """An expression whose value is a text."""
        if depth == 0:
            return self.random.choice(["name", "'a'", "''", "'b,2'"])
        one, other = self.text(depth - 1), self.text(depth - 1)
        number, condition = self.number(depth - 1), self.condition(depth - 1)
        return self.random.choice(
            [
                f"({one} + {other})",
                f"{one}.upper()",
                f"{one}.strip()",
                f"{one}.split(',')[0]",
                f"{one}.split(',')[1]",
                f"{one}[:2]",
                f"{one}[0]",
                f"str({number})",
                f"f'{{{number}}}:{{{one}}}'" if '"' not in one and "'" not in one + number else f"({one} + ':')",
                f"('%s-%d%%' % ({one}, {number}))",
                f"({one} if {condition} else {other})",
                f"fields({one})[0]",
                f"Named(number={number}, name={one}).name",
            ]
        )

    def condition(self, depth: int) -> str:
        """An expression whose value is a bool."""
        if depth == 0:
            return self.random.choice(["n > 2", "name == 'a'", "',' in name", "n == 0"])
        one, other = self.condition(depth - 1), self.condition(depth - 1)
        return self.random.choice(
            [
                f"({one} and {other})",
                f"({one} or {other})",
                f"(not {one})",
                f"({self.number(depth - 1)} < {self.number(depth - 1)})",
                f"({self.text(depth - 1)} < {self.text(depth - 1)})",
                f"({self.text(depth - 1)} in {self.text(depth - 1)})",
                f"{self.text(depth - 1)}.isdigit()",
                f"({self.number(depth - 1)} in {{1, 2, 7}})",
            ]
        )

    def block(self, depth: int, indent: str) -> list[str]:
        """Statements that give `m` and `t` other values, or return."""
        m, t = self.number(2), self.text(2)
        inner = indent + "    "
        kinds: list[Callable[[], list[str]]] = [
            lambda: [f"{indent}m = {m}"],
            lambda: [f"{indent}t = {t}"],
            lambda: [f"{indent}m += {self.number(1)}"],
        ]
        if depth:
            kinds += [
                lambda: [f"{indent}if {self.condition(2)}:", *self.block(depth - 1, inner)],
                lambda: [
                    f"{indent}if {self.condition(1)}:",
                    *self.block(depth - 1, inner),
                    f"{indent}else:",
                    *self.block(depth - 1, inner),
                ],
                lambda: [
                    f"{indent}try:",
                    f"{inner}q = {m}",
                    f"{indent}except Exception:",
                    f"{inner}q = {self.number(0)}",
                    f"{indent}m = q",
                ],
                lambda: [
                    f"{indent}try:",
                    f"{inner}u, v = {t}.split(',')",
                    f"{indent}except ValueError:",
                    f"{inner}return {self.number(0)}, {self.text(0)}",
                    f"{indent}t = v + u",
                ],
                lambda: [
                    f"{indent}try:",
                    f"{inner}return {m}, {t}",
                    f"{indent}except (ValueError, LookupError, ArithmeticError):",
                    f"{inner}pass",
                ],
                lambda: [f"{indent}for each in ({self.number(1)}, n):", f"{inner}m = m + each"],
            ]
        return self.random.choice(kinds)()

    def function(self) -> str:
        """A function of a text and a number, and a program that maps it."""
        body = [line for _ in range(self.random.randint(1, 3)) for line in self.block(2, "    ")]
        lines = ["def f(name, n):", "    m, t = n, name", *body, "    return m, t"]
        return "\n".join([HEADER, *lines, "def p(r: 'RDD[tuple[str, int]]'):", "    return r.map(lambda e: f(*e))"])

    def aggregate(self) -> str:
        """What a function of a group of numbers, `g`, may compute."""
        item = self.random.choice(["x", "x + 1", "x * x", "x // 3", "abs(x)", "-x"])
        condition = self.random.choice(["", " if x > 0", " if x % 2 == 0", " if x"])
        whole = self.random.choice(["g", "list(g)", "sorted(g)", f"[{item} for x in g]", "[y + 1 for y in sorted(g)]"])
        return self.random.choice(
            [
                f"sum({item} for x in g{condition})",
                f"len([{item} for x in g{condition}])",
                f"sum({whole})",
                f"len({whole})",
                f"max({whole})",
                f"min({whole}) + sum({whole})",
                f"max(({item} for x in g{condition}), default=9)",
                f"min([{item} for x in g{condition}], default=-9)",
                f"any(x > 2 for x in g{condition})",
                f"all(x > 0 for x in g{condition})",
                "(sorted(g)[0] + sorted(g, reverse=True)[0])",
                f"(1 if [x for x in g{condition}] else 2)",
            ]
        )

    def of_groups(self) -> str:
        """A program over groups."""
        item = self.random.choice(["x", "x // 3", "x % 3", "abs(x)"])
        several = f"({self.aggregate()}, {self.aggregate()}, len(g))"
        of_set = self.random.choice(
            [f"len(set({item} for x in g))", f"sum({{{item} for x in g}})", f"len(sorted(set([{item} for x in g])))"]
        )
        result = self.random.choice(
            [
                f"mapValues(lambda g: {several})",
                f"mapValues(lambda g: {of_set})",
                f"mapValues(lambda g: sorted({item} for x in g))",
                f"mapValues(lambda g: {{{item} for x in g}})",
                f"mapValues(lambda g: [{item} for x in sorted(set(g))])",
                f"flatMap(lambda e: [(e[0], {item}) for x in e[1] if x > 0])",
                f"flatMapValues(lambda g: {{{item} for x in g}})",
                f"filter(lambda e: (lambda g: {self.aggregate()})(e[1])).mapValues(lambda g: {several})",
                "filter(lambda e: len(e[1]) > 1).keys()",
            ]
        )
        return f"def p(r: 'RDD[tuple[str, int]]'):\n    return r.groupByKey().{result}\n"


def _evaluations(source: str, path: Path, inputs: list[list[tuple[str, int]]]) -> int:
    """How many inputs were compared; none where the program is refused."""
    path.write_text(source)
    try:
        program = read_program(f"{path}:p")
    except SourceError:
        return 0
    function, compared = load(source), 0
    for given in inputs:
        try:
            expected = run_by_python(function, [given])
        except (LookupError, ArithmeticError):
            continue
        if expected is None or isinstance(expected, str):  # a ValueError
            continue
        try:
            found = run_by_terms(program, [given])
        except EvaluationError as error:
            raise AssertionError(f"{error}: Python has {expected} for {given} in\n{source}") from error
        assert same(found, expected), f"{found}, but Python has {expected} for {given} in\n{source}"
        compared += 1
    return compared


def _compare(path: Path, first_seed: int, least: int) -> tuple[int, int]:
    """How many values were compared, at least so many, and of how many programs."""
    total, seed = 0, first_seed
    while total < least:
        functions = Functions(seed)
        generator = random.Random(seed)
        bags = [[(generator.choice("ab"), generator.randint(-4, 6)) for _ in range(size)] for size in (0, 1, 3, 6, 9)]
        total += _evaluations(functions.function(), path, [[each] for each in ELEMENTS])
        total += _evaluations(functions.of_groups(), path, bags)
        seed += 1
    return total, seed - first_seed


def test_random_functions_mean_what_python_computes(tmp_path: Path) -> None:
    total, programs = _compare(tmp_path / "jobs.py", 0, 300)
    assert total > programs  # most are read, and most have values


@pytest.mark.slow
def test_twenty_thousand_values_are_those_of_python(tmp_path: Path) -> None:
    assert _compare(tmp_path / "jobs.py", 10_000, EVALUATIONS)[0] >= EVALUATIONS
