"""Explanations as documents: sections of paragraphs, formulas, code, lists and steps, to be written in any format.

Texts are in a small markup: what stands between two backticks is a formula or a name from the programs. Formulas are
in the notation of `core/pretty.py`, in every format.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tallystick.core.pretty import text
from tallystick.core.terms import Term, subterms
from tallystick.explaining.layout import laid_out

FORMULA_LIMIT = 400
"""The most operators, counted with repetitions, that a formula may have to be shown."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences, in the markup."""

    markup: str


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula on lines of its own, indented by spaces."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """The source of a program."""

    source: str


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows under the names of their columns; a cell is what SQL writes there."""

    title: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables, also as lines of text for a format that has none."""

    lines: tuple[str, ...]
    tables: tuple[Grid, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """Two texts as one list of lines with signs: a blank for those of both, - for the first's, + for the second's."""

    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list, each entry in the markup and at a depth from 0."""

    entries: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part with a title, in the markup; `folded` where a reader may want to skip it at first."""

    title: str
    blocks: tuple[Block, ...]
    folded: bool = False


Block = Paragraph | Formula | Code | Tables | Changes | Items | Section


@dataclass(frozen=True, slots=True)
class Document:
    """A whole explanation; where it is one of an answer, its first block is the paragraph that says the answer."""

    title: str
    blocks: tuple[Block, ...]
    answer: str = ""


def formula(term: Term, before: str = "") -> Formula:
    """A term on lines of its own, after the text `before`; a term that is too large is described."""
    return Formula(laid_out(before + term_text(term)))


def quoted(term: Term) -> str:
    """A term in the markup, as a part of a sentence."""
    return f"`{term_text(term)}`"


def term_text(term: Term) -> str:
    """The term as text, or what it is where it has more than FORMULA_LIMIT operators."""
    size = tree_size(term)
    return text(term) if size <= FORMULA_LIMIT else f"(a term of {size} operators, too large to show)"


def tree_size(term: Term) -> int:
    """How many operators the text of a term has: shared subterms count as often as they are written."""
    sizes: dict[Term, int] = {}
    for node in subterms(term):
        sizes[node] = 1 + sum(sizes[argument] for argument in node.arguments)
    return sizes[term]


def plain_text(words: str) -> str:
    """Words from elsewhere as markup that has no formulas."""
    return words.replace("`", "'")


def spans(markup: str) -> Iterator[tuple[bool, str]]:
    """The parts of a text in the markup, each with whether it is a formula."""
    for index, part in enumerate(markup.split("`")):
        if part:
            yield index % 2 == 1, part
