"""Odd arguments end with a sentence: no command with an internal error, no function with a stray exception."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import click
import pytest
import tallystick
from click.testing import CliRunner, Result
from tallystick import Answer, check, check_sql
from tallystick.cli import main
from tallystick.core.errors import TallystickError
from tallystick.frontends.errors import SourceError
from tallystick.options import OptionError

from api.odd_arguments import FILES, SCHEMA, TEXTS, command_lines, made

FEW, MANY = 150, 6_000
LONG = ("reproduce", "compare", "suite")
"""Commands that work for long whatever they are told."""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of odd files, which is the current one, on a machine without Java."""
    made(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def walk(seed: int, steps: int) -> None:
    """Fails at a command line that ends with an internal error or a traceback."""
    certificates = {"programs.json": check("jobs.py:before", "jobs.py:after").certificate}
    certificates["queries.json"] = check_sql("left.sql", "right.sql", schema="schema.sql").certificate
    for name, content in certificates.items():
        assert content is not None
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    lines = (words for words in command_lines(Random(seed), tuple(certificates)) if words[0] not in LONG)
    for words in islice(lines, steps):
        result = run(*words)
        assert result.exit_code in (0, 1, 2, 3), (words, result.output)
        assert "Traceback" not in result.output, (words, result.output)
        assert result.exit_code != 3 or result.output.strip(), words


def test_no_command_line_ends_with_an_internal_error(files: Path) -> None:
    walk(1, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 5))
def test_no_command_line_of_many_ends_with_an_internal_error(files: Path, seed: int) -> None:
    walk(seed, MANY)


# ---- functions of Python


class Odd:
    def __call__(self, r: Any) -> Any:
        return r

    def method(self, r: Any) -> Any:
        return r


def odd_values() -> list[Any]:
    """Values of many kinds."""
    numbers = [None, 0, -1, True, 1.5, math.nan, math.inf]
    containers = [b"SELECT 1", [], {}, (), {1: 2}, {"tables": 3}, {"tables": {"t": object()}}, iter([]), range(3), ...]
    functions = [print, int, lambda r: r, partial(print, 1), Odd, Odd(), Odd().method, Odd.method, type, math]
    return [*numbers, *containers, *functions, Path("left.sql"), Path("folder"), "\0", "a \0 b", *TEXTS, *FILES]


def calls(random: Random) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Calls of functions of the library, on and on."""
    odd = odd_values()

    def some(*good: Any) -> Any:
        return random.choice(good) if random.random() < 0.6 else random.choice(odd)

    def options(**likely: Any) -> dict[str, Any]:
        return {"timeout": 0.1, **{name: some(value) for name, value in likely.items() if random.random() < 0.2}}

    texts = ("left.sql", "right.sql", "SELECT a FROM t", Path("with blank.sql"))
    functions = ("jobs.py:before", "jobs.py:after", "jobs with blank.py:after", "jobs.py:Job.run")
    of_functions: dict[str, Any] = {"types": "r: RDD[int]", "solver": "auto", "timeout": 0.1, "replay": "reference"}
    while True:
        match random.choice(("check", "assert_equivalent", "check_sql", "assert_equivalent_sql", "audit", "lint")):
            case "audit":
                yield "audit", (some("certificate.json", Path("empty")),), {}
            case "lint":
                yield "lint", (some(*functions),), options(**of_functions)
            case ("check" | "assert_equivalent") as name:
                more = options(**of_functions, semantics="spark", as_sets=True, schema="schema.sql")
                yield name, (some(*functions), some(*functions)), more
            case name:
                schema = some("schema.sql", "schema with blank.sql", {"tables": {"t": {"columns": []}}}, SCHEMA)
                more = options(
                    dialect="duckdb", assume=("exact-floats",), replay="reference", columns=True, timeout=0.1
                )
                yield name, (some(*texts), some(*texts)), {"schema": schema, **more}


SAYS_WHAT = (TallystickError, AssertionError, TypeError, ValueError, OSError)


def called(seed: int, steps: int) -> None:
    """Fails at a call that raises something else than what says what is wrong with it."""
    for name, arguments, options in islice(calls(Random(seed)), steps):
        try:
            getattr(tallystick, name)(*arguments, **options)
        except SAYS_WHAT as error:
            if str(error):
                continue
            raise AssertionError((name, arguments, options)) from error
        except Exception as error:
            raise AssertionError((name, arguments, options)) from error


def test_no_call_raises_what_says_nothing(files: Path) -> None:
    called(1, FEW // 2)


@pytest.mark.slow
def test_no_call_of_many_raises_what_says_nothing(files: Path) -> None:
    called(2, MANY)


# ---- what is a path, and what a text


def test_what_a_file_is_called_is_its_path_blanks_or_not(files: Path) -> None:
    for text, schema in (("with blank.sql", "schema.sql"), ("SELECT a FROM t", "schema with blank.sql")):
        verdict = check_sql(text, "SELECT a FROM t", schema=schema)
        assert verdict.verdict is Answer.EQUIVALENT
    assert check("jobs with blank.py:before", "jobs.py:after").verdict is Answer.EQUIVALENT
    assert run("check", "with blank.sql", "SELECT a FROM t", "--schema", "schema with blank.sql").exit_code == 0
    assert run("check", "jobs with blank.py:before", "jobs.py:after").exit_code == 0
    assert run("lint", "jobs with blank.py").exit_code == 1


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("no file.sql", "the left query:1:8: syntax error: invalid expression / unexpected token"),
        ("nofile.sql", "nofile.sql: there is no such file"),
        ("folder.sql", "folder.sql: the file cannot be read: Is a directory"),
        ("binary.sql", "binary.sql: the file is not text in UTF-8"),
        ("empty.sql", "empty.sql: there is no query"),
        ("dangling.sql", "dangling.sql: there is no such file"),
        ("", "the query: the text is empty"),
        ("a\0b", "a\0b: the file cannot be read: embedded null byte"),
        ("a" * 5_000, f"{'a' * 200}…: the file cannot be read: File name too long"),
    ],
)
def test_what_is_no_query_is_said(files: Path, source: str, message: str) -> None:
    with pytest.raises(SourceError) as refused:
        check_sql(source, "SELECT 1 AS x", schema="schema.sql")
    assert str(refused.value).lower().startswith(message.lower())


def test_a_schema_may_be_a_dictionary(files: Path) -> None:
    schema = {"tables": {"t": {"columns": [{"name": "a", "type": "INT", "nullable": False}]}}}
    pair = ("SELECT a FROM t", "SELECT a FROM t WHERE a IS NOT NULL")
    assert check_sql(*pair, schema=schema).verdict is Answer.EQUIVALENT
    assert check_sql(*pair, schema=json.dumps(schema)).verdict is Answer.EQUIVALENT
    with pytest.raises(SourceError, match="the schema: the mapping is no JSON: Object of type object is not JSON"):
        check_sql(*pair, schema={"tables": object()})
    with pytest.raises(TypeError, match=r"^the schema is a text or a path, not a list$"):
        check_sql(*pair, schema=[])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^the query is a text or a path, not None$"):
        check_sql(None, "SELECT 1 AS x", schema=schema)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"timeout": 0}, "timeout must be a number of seconds above 0, and is 0"),
        ({"timeout": math.nan}, "timeout must be a number of seconds above 0, and is nan"),
        ({"timeout": math.inf}, "timeout must be a number of seconds above 0, and is inf"),
        ({"timeout": "1"}, "timeout must be a number of seconds above 0, and is '1'"),
        ({"replay": "oracle"}, "replay must be one of 'reference', 'duckdb', 'spark', 'own', and is 'oracle'"),
        ({"dialect": None}, "dialect must be a name, or a pair of names, and is None"),
        ({"assume": 1}, "assume must be a sequence of names, and is an int"),
    ],
)
def test_an_option_with_an_odd_value_is_refused(files: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as refused:
        check_sql("left.sql", "right.sql", schema="schema.sql", **options)
    assert str(refused.value) == message


@pytest.mark.parametrize("number", ["0", "-1", "nan", "inf", "1e400", "x", ""])
def test_a_limit_that_is_none_is_refused(files: Path, number: str) -> None:
    result = run("check", "left.sql", "right.sql", "--schema", "schema.sql", "--timeout", number)
    assert result.exit_code == 3
    assert result.stderr.endswith(f"Invalid value for '--timeout': {number!r} is no number of seconds above 0\n")


# ---- options that do not apply to what is compared


QUERIES = ("check", "left.sql", "right.sql", "--schema", "schema.sql")
FUNCTIONS = ("check", "jobs.py:before", "jobs.py:after")
REFUSED = [
    (QUERIES, "--set", "queries"),
    (QUERIES, "--types=x", "queries"),
    (QUERIES, "--solver=z3", "queries"),
    (QUERIES, "--semantics=spark", "queries"),
    (FUNCTIONS, "--columns", "functions on RDDs"),
    (FUNCTIONS, "--dialect=duckdb", "functions on RDDs"),
    (FUNCTIONS, "--to=duckdb", "functions on RDDs"),
    (FUNCTIONS, "--bag", "functions on RDDs"),
    (FUNCTIONS, "--assume=exact-floats", "functions on RDDs"),
    (FUNCTIONS, "--collation=binary", "functions on RDDs"),
    (FUNCTIONS, "--script=x", "functions on RDDs"),
    (FUNCTIONS, "--suggest", "functions on RDDs"),
    (FUNCTIONS, "--param=day=2024-02-29", "functions on RDDs"),
    (QUERIES, "--source=path=t", "queries"),
    *(
        ((*FUNCTIONS, "--schema", "schema.sql"), option, "functions that make DataFrames")
        for option in (
            "--set",
            "--types=x",
            "--solver=z3",
            "--semantics=spark",
            "--columns",
            "--dialect=spark",
            "--to=spark",
            "--bag",
            "--assume=exact-floats",
            "--explain",
            "--suggest",
        )
    ),
    (("explain", *QUERIES[1:]), "--set", "queries"),
    (("explain", *FUNCTIONS[1:]), "--schema=schema.sql", "functions on RDDs"),
    (("audit", "empty"), "--schema=schema.sql", "a certificate without --against"),
    (("audit", "empty", "--against", *FUNCTIONS[1:]), "--dialect=spark", "functions on RDDs"),
    (("audit", "empty", "--against", *QUERIES[1:]), "--types=x", "queries"),
    (("suite", "sql"), "--solver=z3", "suites of queries"),
]


@pytest.mark.parametrize(("words", "option", "door"), REFUSED)
def test_an_option_that_does_not_apply_is_refused_by_its_name(
    files: Path, words: tuple[str, ...], option: str, door: str
) -> None:
    result = run(*words, option)
    assert result.exit_code == 3
    assert result.stderr.endswith(f"Error: {option.partition('=')[0]} does not apply to {door}\n")


def test_each_option_of_check_applies_somewhere_and_is_refused_elsewhere() -> None:
    """A new option has to be given to a door: without a test here it is forgotten by one."""
    from tallystick.commands.check import EVERYWHERE, check

    tested = {option.partition("=")[0] for words, option, _ in REFUSED if words[0] == "check"}
    named = {max(each.opts, key=len): each.name for each in check.params if isinstance(each, click.Option)}
    assert {option for option, name in named.items() if name not in EVERYWHERE} - tested == {"--schema"}


def test_replay_and_no_replay_contradict_each_other(files: Path) -> None:
    result = run(*QUERIES, "--replay", "duckdb", "--no-replay")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (3, "Error: --no-replay contradicts --replay duckdb")


def test_what_python_calls_odd_is_refused_for_dataframes(files: Path) -> None:
    with pytest.raises(SourceError, match=r"a function is named PATH\.py:FUNCTION, not given as an int"):
        check(1, 2, schema="schema.sql")  # type: ignore[arg-type]
    with pytest.raises(SourceError, match=r"^no file\.py: there is no such file"):
        check("no file.py:f", "no file.py:g", schema="schema.sql")
