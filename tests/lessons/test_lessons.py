"""The lessons are true: each line of Python in them runs, and prints what the page says."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

LESSONS = Path(__file__).parents[2] / "lessons"
PAGES = sorted(LESSONS.glob("[0-9]-*.md"))


def run(page: str, name: str) -> doctest.TestResults:
    """Runs a page from the root of the repository; a line that opens or closes code ends what is printed."""
    text = re.sub(r"^```.*$", "", page, flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, name, name, 0)
    return doctest.DocTestRunner(verbose=False).run(test)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_lesson_prints_what_its_page_says(path, monkeypatch):
    monkeypatch.chdir(LESSONS.parent)
    results = run(path.read_text(encoding="utf-8"), path.stem)
    assert results.failed == 0
    assert results.attempted >= 10


def test_a_page_that_says_something_else_fails(monkeypatch, capsys):
    monkeypatch.chdir(LESSONS.parent)
    page = PAGES[0].read_text(encoding="utf-8")
    assert run(page.replace("{1: 2, 0: 1}", "{1: 3, 0: 1}"), "altered").failed == 1
    assert "{1: 2, 0: 1}" in capsys.readouterr().out


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_all_code_of_a_lesson_is_run(path):
    fences = re.findall(r"^```(.*)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert fences == ["pycon", ""] * (len(fences) // 2)
    assert fences


def test_the_list_of_lessons_is_complete():
    linked = re.findall(r"\]\((.*?\.md)\)", (LESSONS / "README.md").read_text(encoding="utf-8"))
    assert linked == [path.name for path in PAGES]
    assert len(PAGES) >= 6
