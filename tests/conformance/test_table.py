"""Each text of the table returns on its engine what it is read as."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import pytest
from tallystick.core.errors import TallystickError
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.interpreter.running import STEP_LIMIT
from tallystick.frontends.sql.evidence import evidence

from conformance.conftest import Run
from conformance.engines import Engine
from conformance.page import column, read_page
from conformance.readings import Reader
from conformance.running import QUICK, ask, evidence_of
from conformance.table import LETTERS, Kind, Known, Row, row, rows

TABLE = [*rows()]
pytestmark = pytest.mark.xdist_group("conformance")
SPARK = pytest.param("spark", marks=[pytest.mark.spark, pytest.mark.slow])


@pytest.mark.parametrize("run", [*QUICK, SPARK], indirect=True)
def test_the_table(run: Run):
    wrong = [str(result) for result in run.results if result.wrong]
    assert not wrong, f"{len(wrong)} of {run.engine.product} {run.engine.version}\n\n" + "\n\n".join(wrong[:50])


@pytest.mark.parametrize("run", [*QUICK, SPARK], indirect=True)
def test_what_is_accepted_is_what_the_table_shows_to_be_right(run: Run):
    """The files of evidence and the page are those of this table and this reader: `make conformance` writes them."""
    known, shown = evidence(run.engine.name), evidence_of(run.results)
    assert known.cases - shown.cases == set(), "accepted, and no row shows it to be right"
    assert shown.cases - known.cases == set(), "shown to be right, and refused"
    assert shown.wrong == known.wrong
    assert read_page()[1][run.engine.name] == column(run.results)


@pytest.mark.parametrize("run", ["postgres", "mysql"], indirect=True)
def test_a_function_by_name_is_null_where_it_is_for_the_engine(run: Run):
    """A function that is read as NULL for NULL alone is so; all that hangs on its other values is left out."""
    database, compared, wrong = Reader(run.engine.name).database, 0, []
    for each in run.results:
        if each.finding.kind is not Kind.BY_NAME or each.answer is None or each.read.statement is None:
            continue
        try:
            outcome = evaluate(each.read.statement, database, STEP_LIMIT, True)
        except TallystickError:
            continue
        compared += 1
        rows_ = [_nulls(row, outcome.unknown) for row in outcome.rows]
        if Counter(rows_) != Counter(_nulls(row, outcome.unknown) for row in each.answer.rows):
            wrong.append(str(each))
    assert not wrong, "\n\n".join(wrong)
    assert compared > 50


def _nulls(row: Sequence[object], columns: AbstractSet[int]) -> tuple[bool, ...]:
    """Which values in some columns are NULL."""
    return tuple(value is None for place, value in enumerate(row) if place in columns)


def test_no_row_stands_there_twice():
    seen: dict[tuple[str, str], str] = {}
    for each in TABLE:
        for dialect in each.dialects:
            before = seen.setdefault((dialect, each.query), each.place)
            assert before == each.place, f"{dialect}: {each.query} is in {before} and in {each.place}"


def test_every_row_is_written_as_it_is_read():
    for each in TABLE:
        assert row(each.line(), each.place) == each


BROKEN = [
    ("SELECT a FROM t", "SELECT b FROM t", Kind.VALUE),
    ("SELECT a FROM t ORDER BY id", "SELECT a FROM t ORDER BY id DESC", Kind.VALUE),
    ("SELECT id, a FROM t", "SELECT a, id FROM t", Kind.VALUE),
    ("SELECT a FROM t", "SELECT a AS b FROM t", Kind.NAMES),
    ("SELECT a FROM u", "SELECT DISTINCT a FROM u", Kind.VALUE),
    ("SELECT m FROM t WHERE id = 7", "SELECT CAST(m AS INTEGER) AS m FROM t WHERE id = 7", Kind.TYPE),
    ("SELECT id FROM t", "SELECT id, a FROM t", Kind.VALUE),
    ("SELECT id FROM t", "SELECT id FROM", Kind.REJECTS),
    ("SELECT id FROM t", "SELECT id FROM t WHERE id = (SELECT id FROM t)", Kind.ASSUMED),
]
"""A text, and another one that the engine is given in its place: what is found of the pair."""


class Other(Engine):
    """An engine that is given another text."""

    def __init__(self, engine: Engine, text: str) -> None:
        self.engine, self.text, self.name, self.loose = engine, text, engine.name, engine.loose  # type: ignore[misc]

    version = property(lambda self: self.engine.version)

    def run(self, text: str):
        return self.engine.run(self.text)

    def close(self) -> None:
        pass


@pytest.mark.parametrize("engine", ["postgres"], indirect=True)
@pytest.mark.parametrize(("text", "other", "kind"), BROKEN)
def test_a_row_that_is_broken_on_purpose_fails(engine: Engine, text: str, other: str, kind: Kind):
    asked = row(f"broken @ P @ {text}", "here")
    reader = Reader("postgres")
    assert not ask(engine, reader, asked).wrong
    broken = ask(Other(engine, other), reader, asked)
    assert broken.finding.kind is kind
    assert broken.wrong == kind.differs


@pytest.mark.parametrize("engine", ["postgres"], indirect=True)
def test_an_exception_that_no_longer_holds_fails(engine: Engine):
    asked = row("select @ P @ SELECT a FROM t @ P value: none", "here")
    assert ask(engine, Reader("postgres"), asked).wrong
    other = replace(asked, exceptions={"postgres": Known(Kind.TYPE, "not this kind")})
    assert ask(engine, Reader("postgres"), other).wrong


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a @ P", "here: not enough values to unpack (expected at least 3, got 2)"),
        ("a @ X @ SELECT 1", "here: 'X'"),
        ("a @ P @ SELECT 1 @ P value", "here: not enough values to unpack (expected 2, got 1)"),
        ("a @ P @ SELECT 1 @ P same: none", "here: an exception is a difference with a reason"),
        ("a @ P @ SELECT 1 @ D value: a reason", "here: an exception is of a dialect that the row asks"),
    ],
)
def test_a_line_that_is_no_row(line: str, message: str):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared
        row(line, "here")
    assert str(caught.value) == message


def test_an_expression_is_asked_of_each_row():
    assert row("sum @ * @ = a + 1", "").query == "SELECT id, a + 1 AS q FROM t"
    assert row("sum @ * @ = a + 1", "") == Row("sum", tuple(LETTERS.values()), "= a + 1", {})
