"""The tutorial "Guard a SQL refactoring" is true: its answers are those that it speaks of, its Python runs."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from transcripts import runs

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "examples" / "sql" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
RUNS = runs("examples/sql/README.md")


def test_the_page_names_the_foreign_key_that_a_schema_lacks() -> None:
    assert RUNS[3][1].endswith("\n    orders: FOREIGN KEY (customer_id) REFERENCES customers (id)")


def test_the_page_shows_either_answer() -> None:
    answers = [output.strip().partition(":")[0] for _, output in RUNS]
    assert answers == ["equivalent", "inequivalent", "equivalent", "inequivalent"]


def test_the_python_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    code = re.sub(r"^```.*$", "", TEXT, flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(code, {}, "tutorial", str(PAGE), 0)
    results = doctest.DocTestRunner(verbose=False).run(test)
    assert (results.failed, results.attempted) == (0, 5)


def test_the_test_of_the_page_is_the_one_in_the_folder() -> None:
    (function,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert function in (PAGE.parent / "test_shipped.py").read_text(encoding="utf-8")
