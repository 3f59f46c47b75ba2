"""Notebooks and handouts of the lessons: they show what the pages show."""

from __future__ import annotations

import doctest
from pathlib import Path
from runpy import run_path

import nbformat
import pytest
import typst

FORMS = run_path(str(Path(__file__).parents[2] / "lessons" / "lesson_forms.py"))
PAGES, notebook, publish, slides = (FORMS[name] for name in ("PAGES", "notebook", "publish", "slides"))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in PAGES}


@pytest.mark.parametrize("page", TEXTS.values(), ids=TEXTS)
def test_a_notebook_has_the_examples_and_the_text_of_its_page(page: str) -> None:
    cells = notebook(page, "../..").cells
    first, *code = [cell for cell in cells if cell.cell_type == "code"]
    assert first.source == "%cd -q ../.."
    blocks = page.split("```")[1::2]
    examples = [each for block in blocks for each in doctest.DocTestParser().get_examples(block)]
    assert [cell.source + "\n" for cell in code] == [each.source for each in examples]
    assert ["".join(output.text for output in cell.outputs) for cell in code] == [each.want for each in examples]
    text = "".join(page.split("```")[::2]).split()
    assert [word for cell in cells if cell.cell_type == "markdown" for word in cell.source.split()] == text


def test_the_same_page_is_the_same_notebook() -> None:
    assert notebook("# One\n", ".") == notebook("# One\n", ".")


def test_a_handout_has_a_slide_for_each_heading_and_no_letter_has_a_meaning() -> None:
    page = "# One\n\n## Two\n\nLetters: #[*_$ and '\\\"'.\n"
    pictures = typst.compile(slides(page), ignore_system_fonts=True, format="png", ppi=10)
    assert len(pictures) == 2


def test_what_has_no_form_in_a_handout_is_an_error() -> None:
    with pytest.raises(KeyError, match="html_block"):
        slides("# One\n\n<div>no</div>\n")


def test_all_lessons_are_written(tmp_path) -> None:
    written = list(publish(tmp_path))
    assert [each.name for each in written] == [f"{path.stem}.{form}" for path in PAGES for form in ("ipynb", "pdf")]
    assert all(nbformat.read(each, 4) for each in written if each.suffix == ".ipynb")
    assert all(each.read_bytes().startswith(b"%PDF") for each in written if each.suffix == ".pdf")


@pytest.mark.parametrize("page", TEXTS.values(), ids=TEXTS)
def test_each_question_has_an_answer(page: str) -> None:
    assert page.count("**Try it.**") == page.count("## An answer") == 1
    assert page.index("**Try it.**") < page.index("## An answer")
