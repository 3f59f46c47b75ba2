"""Whatever is given, the answer is a program or a SourceError."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.core.errors import TallystickError
from tallystick.frontends.pyspark import SourceError, SourceProgram
from tallystick.frontends.rdd import read_program


def refused(reference: object, types: str | None = None) -> str:
    with pytest.raises(SourceError) as caught:
        read_program(reference, types)  # type: ignore[arg-type]
    return str(caught.value)


HINT = 'name a function as "path.py:function", "path.py:Class.method" or\n        "note.ipynb:function"'


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "jobs.py"
    path.write_text("def before(r: RDD[int]): return r\nbound = before\nif bound:\n    def inside(r): return r\n")
    return path


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("", f"\"\": '' names no function\n  help: {HINT}"),
        ("jobs.py", f"jobs.py: 'jobs.py' names no function\n  help: {HINT}"),
        ("jobs.py:", f"jobs.py:: 'jobs.py:' names no function\n  help: {HINT}"),
        ("missing.py:f", "missing.py: there is no such file"),
        (".:f", ".: the file cannot be read: Is a directory"),
        ("a\0b:f", "a\0b: the file is not Python source text: embedded null byte"),
        (
            "jobs.py:befor",
            "jobs.py: there is no function `befor` at the top level of this file\n  help: did you mean `before`?",
        ),
        (
            "jobs.py:x",
            "jobs.py: there is no function `x` at the top level of this file\n  help: it defines before",
        ),
        (
            "jobs.py:bound",
            "jobs.py:2:1: `bound` is no plain function\n    bound = before\n    ^^^^^^^^^^^^^^\n"
            "  help: define it by `def` at the top level",
        ),
        (
            "jobs.py:inside",
            "jobs.py:4:5: `inside` is no plain function\n    def inside(r): return r\n    ^^^^^^^^^^^^^^^^^^^^^^^\n"
            "  help: define it by `def` at the top level",
        ),
        (3, "<object>: 3 is no Python function\n  help: define it by `def`"),
        (len, "<object>: len is no Python function\n  help: define it by `def`"),
    ],
)
def test_a_reference_that_names_no_function(reference: object, message: str, jobs: Path) -> None:
    assert refused(reference) == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe", "jobs.py: the file is not Python source text: invalid or missing encoding declaration"),
        (
            b"x = '\0'",
            "jobs.py:1:1: syntax error: source code string cannot contain null bytes\n    x = '\ufffd'",
        ),
        (b"def p(r: RDD[int]):\n  return (\n", "jobs.py:2:10: syntax error: '(' was never closed"),
        (b"def p(r: RDD[int]):\nreturn r\n", "jobs.py:2:1: syntax error: expected an indented block after"),
        (b"x = " + b"9" * 5000, "jobs.py:1:1: syntax error: Exceeds the limit"),
        (b"x = " + b"(" * 5000, "jobs.py:1:"),
        (b"x = " + b"-" * 200_000 + b"1", "jobs.py"),
        (b"x = " + b"-" * 2000 + b"1\ndef p(r: RDD[int]): return r.map(lambda y: x)", "jobs.py"),
        (b"", "jobs.py: there is no function `p` at the top level of this file\n  help: it defines no function"),
    ],
)
def test_a_file_that_is_no_python(content: bytes, message: str, jobs: Path) -> None:
    jobs.write_bytes(content)
    assert refused("jobs.py:p").startswith(message)


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ("r RDD[int]", '--types: this is no list of parameters and types\n  help: write "r: RDD[int], k: int"'),
        ("r", '--types: this is no list of parameters and types\n  help: write "r: RDD[int], k: int"'),
        ("*r: int", '--types: this is no list of parameters and types\n  help: write "r: RDD[int], k: int"'),
        ("r: int = 3", '--types: this is no list of parameters and types\n  help: write "r: RDD[int], k: int"'),
        ("): pass\nx = (3", '--types: this is no list of parameters and types\n  help: write "r: RDD[int], k: int"'),
        (
            "r: RDD[bytes]",
            "--types: the type `bytes` is not supported\n    r: RDD[bytes]\n       ^^^^^^^^^^\n"
            "  help: types are int, bool, str, float, Decimal, Fraction, date, datetime,\n"
            "        timedelta, tuple[…], list[…], set[…] and dict[…] of these, `… | None` of\n"
            "        these, and RDD[…] of one of these",
        ),
        (
            "k: int",
            "jobs.py:1:1: types are given for `k`, which is no parameter of `before`\n"
            "    def before(r: RDD[int]): return r\n    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
        ),
    ],
)
def test_types_that_are_no_types(types: str, message: str, jobs: Path) -> None:
    assert refused("jobs.py:before", types) == message


def test_an_error_in_a_helper_points_into_its_file(refusal: Callable[..., str]) -> None:
    text = "from helper import f\ndef p(r: RDD[int]): return r.map(f)"
    message = refusal(text, helper="\ndef f(x):\n    return x @ 2")
    assert message.startswith("helper.py:2:12: `@` is not supported\n    return x @ 2\n           ^^^^^\n")


def test_a_syntax_error_in_a_helper_points_into_its_file(refusal: Callable[..., str]) -> None:
    text = "from helper import f\ndef p(r: RDD[int]): return r.map(f)"
    assert refusal(text, helper="def f(x) return").startswith("helper.py:1:10: syntax error: expected ':'")


@pytest.mark.parametrize(
    ("text", "files", "message"),
    [
        ("from helper import g", {"helper": "def f(x): return x"}, "jobs.py:1:1: helper.py defines no `g`"),
        ("import helper as g", {"helper": ""}, "jobs.py:2:34: this must be a function, and is a module"),
        ("import helper.g", {"helper": ""}, "jobs.py:2:34: the name `g` is not defined"),
        ("from operator import add as g", {"operator": ""}, "jobs.py:1:1: `operator` is both a library module and"),
        ("from helper import g", {"helper": "from jobs import g"}, "helper.py:1:1: `g` is defined by itself"),
        ("from . import *", {}, "jobs.py:2:34: `import *` in jobs.py may give `g` another value"),
        ("from helper import *", {"helper": ""}, "jobs.py:2:34: the name `g` is not defined"),
        (
            "import helper; from helper import g; helper.K = 3",
            {"helper": "K = 1\ndef g(x): return x + K"},
            "jobs.py:1:38: this may give `K`, which the program uses, another value",
        ),
    ],
)
def test_imports_that_are_refused(text: str, files: dict[str, str], message: str, refusal: Callable[..., str]) -> None:
    assert refusal(f"{text}\ndef p(r: RDD[int]): return r.map(g)", **files).startswith(message)


def test_the_error_is_a_value_error_that_carries_its_data(read: Callable[..., SourceProgram]) -> None:
    with pytest.raises(ValueError, match=r"is not supported") as caught:
        read("def p(r: RDD[int]):\n    return r.map(lambda x: x @ 2)")
    error = caught.value
    assert isinstance(error, SourceError)
    assert isinstance(error, TallystickError)
    assert (error.path, error.line, error.column, error.message) == ("jobs.py", 2, 28, "`@` is not supported")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


DEEP = {
    "parentheses": "x = x " + "+ (x " * 150 + ")" * 150,
    "a sum": "x = x" + " + x" * 3000,
    "unary operators": "x = " + "-" * 2000 + "x",
    "attributes": "x = x" + ".a" * 3000,
    "many statements": "\n    ".join(["x = x - 1"] * 1000),
    "powers of two": "\n    ".join(["x = x * 3"] * 3000),
    "doubling": "\n    ".join(["x = x + x"] * 500),
    "many elifs": "if x > 0: x = 1\n" + "".join(f"    elif x > {k}: x = {k}\n" for k in range(500)),
    "huge shift": "x = x * 0x" + "f" * 5000,
    "nested tuples": "x = " + "(" * 150 + "x," + ")," * 149 + ")",
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_code_gets_an_error(name: str, refusal: Callable[..., str]) -> None:
    message = refusal(f"def f(x):\n    {DEEP[name]}\n    return x\ndef p(r: RDD[int]): return r.map(f)")
    assert "deep" in message or "more than" in message or "nested" in message


def test_helpers_that_call_helpers_twice_get_an_error(refusal: Callable[..., str]) -> None:
    helpers = "\n".join(f"def f{k}(x): return f{k + 1}(f{k + 1}(x))" for k in range(40))
    message = refusal(f"{helpers}\ndef f40(x): return x\ndef p(r: RDD[int]): return r.map(f0)")
    assert "deep" in message or "steps" in message


def test_an_rdd_paired_with_itself_again_and_again_gets_an_error(refusal: Callable[..., str]) -> None:
    chain = "\n".join(["    r = r.cartesian(r)"] * 30)
    assert "has more than 128 components" in refusal(f"def p(r: RDD[int]):\n{chain}\n    return r")


def test_many_ifs_in_turn_grow_the_term_linearly(read: Callable[..., SourceProgram]) -> None:
    """States are merged by variable, so the number of paths does not matter."""
    steps = "".join(f"    if x > {k}:\n        y += {k}\n" for k in range(45))
    program = read(f"def f(x):\n    y = 0\n{steps}    return y\ndef p(r: RDD[int]): return r.map(f)")
    assert program.program.result is not None


@settings(max_examples=examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str, jobs: Path) -> None:
    jobs.write_text(f"def p(r: RDD[int]): return r.map(lambda x: {text})", encoding="utf-8", errors="replace")
    with contextlib.suppress(SourceError):
        read_program("jobs.py:p")
