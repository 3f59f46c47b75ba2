"""The tutorial "Guard a SQL refactoring" is true: its commands print what the page says, its Python runs."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick.cli import main

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "examples" / "sql" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
RUNS = re.findall(r"^    \$ tallystick (.*)\n((?:    .*\n|\n(?=    ))*)", TEXT, re.MULTILINE)
"""Commands, and what they print."""


def plain(text: str) -> str:
    """A text without what depends on time or on lengths of proofs, blanks at the ends of lines, and the indentation.

    Which constraints would make queries equal is searched for in a limited time.
    """
    text = re.sub(r"^ +they would be equivalent if the schema said:\n(?: {8,}.*\n)+", "", text, flags=re.MULTILINE)
    text = re.sub(r"certificate of \d+ bytes", "certificate of … bytes", text)
    lines = [re.sub(r"\d+\.\d\d s\b", "… s", line.rstrip()) for line in text.strip("\n").splitlines()]
    return "\n".join(line.removeprefix("    ") for line in lines)


def printed(command: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, shlex.split(command))
    return result.exit_code, "\n".join(f"    {line}" if line else "" for line in result.output.splitlines())


@pytest.mark.parametrize(("command", "output"), RUNS, ids=[str(number) for number in range(len(RUNS))])
def test_a_command_prints_what_the_page_says(command: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert plain(printed(command)[1]) == plain(output)


def test_the_readme_shows_the_same_answers() -> None:
    shown = re.findall(
        r"^    \$ tallystick (check examples/sql/.*)\n((?:    .*\n|\n(?=    ))*?)    \.\.\.\n",
        (ROOT / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert [command for command, _ in shown] == [command for command, _ in RUNS[:2]]
    for (_, beginning), (_, whole) in zip(shown, RUNS, strict=False):
        assert plain(whole).startswith(plain(beginning))


def test_the_page_names_the_foreign_key_that_a_schema_lacks() -> None:
    assert "\n        orders: FOREIGN KEY (customer_id) REFERENCES customers (id)\n" in RUNS[3][1]


def test_the_page_shows_either_answer() -> None:
    answers = [output.strip().partition(":")[0] for _, output in RUNS]
    assert answers == ["equivalent", "inequivalent", "equivalent", "inequivalent"]


def test_a_page_that_says_something_else_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command, output = RUNS[1]
    assert plain(printed(command)[1]) != plain(
        output.replace(
            "NULL     2                          NULL     1", "NULL     2                          NULL     3"
        )
    )


def test_the_python_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    code = re.sub(r"^```.*$", "", TEXT, flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(code, {}, "tutorial", str(PAGE), 0)
    results = doctest.DocTestRunner(verbose=False).run(test)
    assert (results.failed, results.attempted) == (0, 5)


def test_the_test_of_the_page_is_the_one_in_the_folder() -> None:
    (function,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert function in (PAGE.parent / "test_shipped.py").read_text(encoding="utf-8")
