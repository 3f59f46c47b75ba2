"""What Core Python says of code: what does not count for its text, and what is not read stops where it stands."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from tallystick.frontends.python.interpreter.attributes import PREFIX
from tallystick.frontends.python.interpreter.limits import Clock, LimitError, StopError, UnreadError
from tallystick.frontends.python.interpreter.machine import Machine, World
from tallystick.frontends.python.library import table
from tallystick.frontends.python.lowering import lower
from tallystick.frontends.python.printing import text


def printed(source: str) -> str:
    return text(lower(ast.parse(source)))


def run(source: str, steps: int = 20_000) -> Machine:
    return World(clock=Clock(steps)).machine(ast.parse(source), f"{PREFIX}jobs")


def value(source: str) -> Any:
    """The value of `p()`."""
    return run(source).globals["p"]()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(x):\n    y = x + 1\n    return y", "def f(x):\n    'A sum.'\n\n    b = (x + 1)  # here\n    return b"),
        ("f = lambda x: [y for y in x]", "f = lambda x: [q for q in x]"),
        ("def f():\n    x = 1\n    return lambda: x", "def f():\n    z = 1\n    return lambda: z"),
        ("x += 1", "x += 1  # more"),
    ],
)
def test_what_variables_are_called_and_where_code_stands_does_not_count(one: str, other: str) -> None:
    assert printed(one) == printed(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f = lambda x: list(x)", "def list(x): return x\nf = lambda x: list(x)"),
        ("f = lambda x, y: x", "f = lambda x, y: y"),
        ("x = 1", "x = True"),
        ("x = 0.0", "x = -0.0"),
        ("def f(x):\n    def g(): return x\n    return g", "def f(x):\n    def g(x=x): return x\n    return g"),
        ("x += y", "x = x + y"),
        ("f = lambda a: g(a=a)", "f = lambda b: g(b=b)"),
        ("def f(x): return x", "def f(y): return y"),
    ],
)
def test_what_means_something_else_has_another_text(one: str, other: str) -> None:
    assert printed(one) != printed(other)


def test_what_is_not_read_stops_whoever_comes_to_it_and_no_one_else() -> None:
    machine = run(
        "import requests\nfrom time import time\nasync def a(): pass\ndef p(x):\n    return time() if x else 3"
    )
    assert machine.globals["p"](False) == 3
    with pytest.raises(UnreadError, match="time"):
        machine.globals["p"](True)


def test_what_a_statement_would_have_changed_is_unknown() -> None:
    machine = run("T = {}\nT.update(open('x'))\ndef p():\n    return T\ndef q():\n    return 1")
    assert machine.globals["q"]() == 1
    with pytest.raises(UnreadError, match="open"):
        machine.globals["p"]()


@pytest.mark.parametrize(
    "body",
    [
        "return ().__class__.__subclasses__()",
        "return p.__globals__",
        "return (lambda: 0).__code__",
        "return getattr(p, '__clo' + 'sure__')",
        "from operator import attrgetter\n    return attrgetter('__class__.__mro__')(1)",
        "return eval('1')",
        "return open('/etc/passwd')",
        "import os\n    return os.getcwd()",
        "return __import__('os')",
        "from collections import Counter\n    Counter.x = 1",
        "return (x for x in ()).gi_frame",
        "return type('A', (), {})",
        "return vars(p)",
    ],
)
def test_nothing_leads_out_of_what_is_interpreted(body: str) -> None:
    with pytest.raises(StopError):
        value(f"def p():\n    {body}")


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "return p()",
        "return [0] * 10 ** 9",
        "return 'a' * 10 ** 9",
        "return 2 ** 10 ** 9",
        "return 1 << 10 ** 9",
        "x = [1]\n    while True: x += x",
        "return list(range(10 ** 9))",
        "import itertools\n    return list(itertools.count())",
        "return 'a'.ljust(10 ** 9)",
        "return f'{1:1000000000}'",
        "return '%999999999d' % 1",
        "return ('a' * 1000).replace('a', 'b' * 1000)",
        "try:\n        p()\n    except BaseException:\n        return 1",
        "try:\n        while True: pass\n    finally:\n        return 1",
    ],
)
def test_runs_are_bounded_and_no_handler_catches_that(body: str) -> None:
    with pytest.raises(LimitError):
        value(f"def p():\n    {body}")


@pytest.mark.parametrize(
    "method",
    [
        "def __class_getitem__(cls, of): return (cls.__name__, of)",
        "def __init_subclass__(cls, k=0): cls.k = k",
        "def __new__(cls, *of): return (cls.__name__, of)",
        "def __call__(self, of): return of",
        "def __getitem__(self, of): return of",
    ],
)
def test_methods_with_names_of_pythons_own_are_bound_as_cpython_binds_them(method: str) -> None:
    source = (
        f"class A:\n    {method}\nclass B(A): pass\n"
        "def p():\n    found = []\n"
        "    for of in (lambda: A[1], lambda: B[1], lambda: A()[2], lambda: A()(3), lambda: A(4), lambda: B.k):\n"
        "        try:\n            found.append(of())\n        except Exception as error:\n"
        "            found.append(type(error).__name__)\n"
        "    return [each if isinstance(each, (int, str, tuple)) else 'object' for each in found]"
    )
    namespace: dict[str, Any] = {}
    exec(compile(source, "test", "exec", dont_inherit=True), namespace)  # the tests' own text
    assert value(source) == namespace["p"]()


def test_tables_are_frozen_and_each_row_has_a_value_of_its_kind() -> None:
    with pytest.raises(TypeError):
        table.FUNCTIONS["os.system"] = table.Row("os.system")  # type: ignore[index]
    missing = []
    for name in table.FUNCTIONS:
        try:
            table.value_of(name)
        except AttributeError:
            missing.append(name)
    assert set(missing) <= {"datetime.UTC", "enum.StrEnum"}, "newer versions of Python have these"
    for kind, rows in table.METHODS.items():
        of = table.value_of(f"builtins.{kind}" if "." not in kind else kind)
        lacking = [each for each in rows if not hasattr(of, each)]
        assert kind == "object" or set(lacking) <= {"maps"}, f"of {kind}; the rows of object are for all classes"
