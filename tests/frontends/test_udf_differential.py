"""Random user-defined functions: the term that is read has the value that Python computes."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.frontends.rdd import read_program

from .local_rdd import load, run_by_python, run_by_terms, same

HEADER = """
from functools import partial
from operator import add, floordiv, ge, itemgetter, mod, mul, ne, neg, not_, sub
import operator
K = 3
FLAG = False
PAIR = (4, True)
SOME = {1, 2, 3, 8, -7}
TABLE = {0: 5, 1: -1, 2: 20, 8: 0}
triple = lambda x: 3 * x
def scaled(x, by=2, *, more=1):
    return by * x + more if by == 2 else x - by
def named(x):
    match x:
        case 0 | 1:
            return 7
        case -3 if K > 2:
            return 4
        case n:
            return n + 1
def looped(x, y):
    total = 0
    for index, each in enumerate((x, y, 3)):
        if each > 2 and index:
            total += each
        elif each == -1:
            return total
        total -= index
    return total
def paired(t):
    match t:
        case (0, flag):
            return 1 if flag else 2
        case (n, True):
            return n
    return -5
def clamp(low, high, *, value):
    return min(max(low, value), high)
def swap(pair):
    a, b = pair
    return b, a
def at_least(k):
    def test(x):
        return x >= k
    return test
def classify(x):
    if x < 0:
        return -1
    elif x == 0:
        return 0
    y = x // 2
    if y > 3:
        y -= 1
    return y
"""


class Generator:
    """Draws source text of well-typed code over the variables in scope."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.fresh = count()

    def choose(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def constant(self) -> str:
        return str(self.draw(st.sampled_from([-7, -3, -2, -1, 0, 1, 2, 3, 5, 10])))

    def divisor(self) -> str:
        return self.choose("-7", "-3", "-2", "-1", "1", "2", "3", "5", "(2 - 5)", "K", "-K")

    def integer(self, scope: dict[str, str], depth: int) -> str:
        names = [name for name, kind in scope.items() if kind == "int"]
        pairs = [name for name, kind in scope.items() if kind == "pair"]
        if depth == 0:
            return self.choose(*names, self.constant(), "K", "PAIR[0]", *(f"{name}[0]" for name in pairs))
        x = lambda: self.integer(scope, depth - 1)  # noqa: E731
        b = lambda: self.boolean(scope, depth - 1)  # noqa: E731
        plain = lambda: self.integer(scope, 0)  # noqa: E731  (no lambda, which a comprehension must not make)
        form = self.draw(st.integers(0, 34))
        forms = {
            21: lambda: f"sum(v for v in ({x()}, {x()}, {x()}) if v {self.choose('<', '>', '!=')} {plain()})",
            22: lambda: f"sum([u * {self.constant()} + v for u in range(1, 3) for v in ({plain()}, {plain()})])",
            23: lambda: f"len([v for v in ({x()}, {x()}) if v])",
            24: lambda: f"sorted(({x()}, {x()}, {x()}))[{self.choose('0', '1', '-1')}]",
            25: lambda: f"TABLE.get({x()}, {x()})",
            26: lambda: f"({x()} or {x()})",
            27: lambda: f"({x()} and {x()})",
            28: lambda: f"scaled({x()}{self.choose('', ', 3', ', more=4', ', by=5')})",
            29: lambda: f"named({x()})",
            30: lambda: f"looped({x()}, {x()})",
            31: lambda: f"paired(({x()}, {b()}))",
            32: lambda: f"int({b()}) + sum(({b()}, {b()}))",
            33: lambda: f"partial(sub, {x()})({x()}) + partial(scaled, by=3)({x()})",
            34: lambda: f"itemgetter(1)(({b()}, {x()})) + sum(SOME, {x()})",
            0: lambda: f"({x()} + {x()})",
            1: lambda: f"({x()} - {x()})",
            2: lambda: f"({self.constant()} * {x()})",
            3: lambda: f"({x()} * K)",
            4: lambda: f"({x()} // {self.divisor()})",
            5: lambda: f"({x()} % {self.divisor()})",
            6: lambda: f"(-{x()})",
            7: lambda: f"({x()} if {b()} else {x()})",
            8: lambda: f"min({x()}, {x()}, {x()})",
            9: lambda: f"max({x()}, {x()})",
            10: lambda: f"abs({x()})",
            11: lambda: f"({x()}, {b()}, {x()})[{self.choose('0', '2', '-1', '-3')}]",
            12: lambda: f"triple({x()})",
            13: lambda: f"clamp({x()}, value={x()}, high={x()})",
            14: lambda: f"classify({x()})",
            15: lambda: f"(lambda a, b: a - b)(b={x()}, a={x()})",
            16: lambda: f"swap(({b()}, {x()}))[0]",
            17: lambda: f"add({x()}, operator.mul(2, neg({x()})))",
            18: lambda: f"divmod({x()}, {self.divisor()})[{self.choose('0', '1')}]",
            19: lambda: f"mod(floordiv({x()}, 2), {self.divisor()})",
            20: lambda: f"max(({x()}, {x()}))",
        }
        return forms[form]()

    def boolean(self, scope: dict[str, str], depth: int) -> str:
        names = [name for name, kind in scope.items() if kind == "bool"]
        if depth == 0:
            pairs = [f"{name}[1]" for name, kind in scope.items() if kind == "pair"]
            return self.choose("True", "False", "FLAG", "PAIR[-1]", *names, *pairs)
        x = lambda: self.integer(scope, depth - 1)  # noqa: E731
        b = lambda: self.boolean(scope, depth - 1)  # noqa: E731
        plain = lambda: self.integer(scope, 0)  # noqa: E731
        relation = lambda: self.choose("<", "<=", ">", ">=", "==", "!=")  # noqa: E731
        forms = {
            0: lambda: f"({x()} {relation()} {x()})",
            1: lambda: f"({x()} {relation()} {x()} {relation()} {x()})",
            2: lambda: f"({b()} and {b()} and {b()})",
            3: lambda: f"({b()} or {b()} or {b()})",
            4: lambda: f"(not {b()})",
            5: lambda: f"({b()} {self.choose('==', '!=')} {b()})",
            6: lambda: f"(({x()}, {b()}) {self.choose('==', '!=')} ({x()}, {b()}))",
            7: lambda: f"({b()} if {b()} else {b()})",
            8: lambda: f"at_least({x()})({x()})",
            9: lambda: f"not_(ge({x()}, {x()}))",
            10: lambda: f"({x()} {self.choose('in', 'not in')} {self.choose('SOME', 'TABLE', '{1, 20}', '[3, K]')})",
            11: lambda: f"({x()} in ({x()}, {x()}))",
            12: lambda: f"{self.choose('any', 'all')}(v > {plain()} for v in ({x()}, {x()}))",
            13: lambda: f"{self.choose('any', 'all')}([{b()}, {b()}])",
            14: lambda: f"bool({x()})",
            15: lambda: f"(not {x()})",
        }
        return forms[self.draw(st.integers(0, 15))]()

    def of(self, kind: str, scope: dict[str, str], depth: int) -> str:
        if kind == "pair":
            return f"({self.integer(scope, depth)}, {self.boolean(scope, depth)})"
        return self.integer(scope, depth) if kind == "int" else self.boolean(scope, depth)

    def block(self, scope: dict[str, str], depth: int, returns: bool) -> str:
        """Statements that bind names in `scope`; each path returns an int if `returns`, else some may."""
        lines = [self.statement(scope, depth) for _ in range(self.draw(st.integers(0, 3)))]
        if returns:
            if depth and self.draw(st.booleans()):
                then, otherwise = (self.block(dict(scope), depth - 1, True) for _ in range(2))
                lines.append(f"if {self.boolean(scope, 1)}:\n{indented(then)}else:\n{indented(otherwise)}".rstrip())
            else:
                lines.append(f"return {self.integer(scope, 2)}")
        return "\n".join(lines or ["pass"]) + "\n"

    def statement(self, scope: dict[str, str], depth: int) -> str:
        names = [name for name, kind in scope.items() if kind == "int"]
        form = self.draw(st.integers(0, 8 if depth else 4))
        if form == 7:
            name = f"v{next(self.fresh)}"
            body = indented(self.block({**scope, name: "int"}, depth - 1, False))
            return f"for {name} in ({self.integer(scope, 1)}, {self.constant()}):\n{body}".rstrip()
        if form == 8:
            return f"{self.choose(*names)} += ({self.choose(*names)} := {self.integer(scope, 1)})"
        if form == 0:
            return f"{self.choose(*names)} {self.choose('+=', '-=')} {self.integer(scope, 1)}"
        if form == 1:
            return f"{self.choose(*names)} {self.choose('//=', '%=')} {self.divisor()}"
        if form == 2:
            first, second = self.choose(*names), self.choose(*names)
            return f"{first}, {second} = {self.integer(scope, 1)}, {self.integer(scope, 1)}"
        if form in (3, 4):
            kind, name = self.choose("int", "bool", "pair"), f"v{next(self.fresh)}"
            if form == 3 and kind == "pair":
                text = f"{name}a, {name}b = {self.of(kind, scope, 1)}"
                scope.update({f"{name}a": "int", f"{name}b": "bool"})
                return text
            text = f"{name} = {self.of(kind, scope, 2)}"
            scope[name] = kind
            return text
        then = indented(self.block(dict(scope), depth - 1, form == 5))
        text = f"if {self.boolean(scope, 1)}:\n{then}"
        if self.draw(st.booleans()):
            text += f"elif {self.boolean(scope, 1)}:\n{indented(self.block(dict(scope), depth - 1, False))}"
            text += f"else:\n{indented(self.block(dict(scope), depth - 1, False))}"
        return text.rstrip()


def indented(text: str) -> str:
    return indent(text, "    ")


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A program that maps a random function over an RDD of pairs."""
    generator = Generator(draw)
    scope = {"x": "int", "t": "pair"}
    body = generator.block(scope, 2, True)
    function = f"def f(t):\n    x, (y, z) = t[0], t\n    t = y, z\n{indented(body)}"
    return f"{HEADER}\n{function}\ndef p(r: 'RDD[tuple[int, bool]]'):\n    return r.map(f)\n"


INPUT = [(x, x % 3 == 0) for x in (-20, -9, -7, -3, -2, -1, 0, 1, 2, 3, 4, 8, 11, 20)] + [(0, False), (5, True)]


MANY = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=examples(150), suppress_health_check=MANY)
@given(programs())
def test_a_random_function_means_what_python_computes(source: str) -> None:
    check(source)


@pytest.mark.slow
@settings(max_examples=3000, suppress_health_check=MANY)
@given(programs())
def test_many_random_functions_mean_what_python_computes(source: str) -> None:
    check(source)


def check(source: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "jobs.py"
        path.write_text(source)
        read = read_program(f"{path}:p")
    function = load(source)
    for element in INPUT:
        assert same(run_by_terms(read, [[element]]), run_by_python(function, [[element]]))
