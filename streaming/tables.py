"""A failed property as text: the shrunk case batch by batch, inputs, outputs and what the formula has
become."""

from __future__ import annotations

from collections import Counter
from io import StringIO
from textwrap import fill

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text
from tallystick.streaming.decorations import without_notes
from tallystick.streaming.describe import shown
from tallystick.streaming.errors import PredicateFailedError, SubjectFailedError
from tallystick.streaming.evaluation import CaseRun
from tallystick.streaming.letters import Batch
from tallystick.streaming.logic.formulas import Formula
from tallystick.streaming.pasting import case_as_code
from tallystick.streaming.reasons import false_conjunct, reasons
from tallystick.streaming.report import Report

_MAX_REASONS = 8
#: Of a longer case, so many of the first and of the last batches are rows of its table.
_FIRST_ROWS, _LAST_ROWS = 10, 20


def failure_text(report: Report, width: int = 80) -> str:
    """Return the whole message for a property that failed. The report has a failure."""
    run = report.failure
    if run is None:
        raise ValueError("the property holds: there is no failure to show")
    lines = [fill(f"The property is false: {report}", width), "", case_table(run, width)]
    lines += _ending(run, report.formula, width)
    unseen = run.case.length - len(run.steps)
    if unseen > 0 and not run.error:
        more = "1 more batch, which was" if unseen == 1 else f"{unseen} more batches, which were"
        lines.append(f"The case has {more} not needed.")
    lines += ["", *_wrapped("Formula: ", report.formula, width)]
    lines += [fill(note, width) for note in report.notes]
    lines += ["", *case_as_code(report, run, width), "", f"To repeat: seed={report.seed}"]
    return "\n".join(lines)


def _ending(run: CaseRun, formula: Formula, width: int) -> list[str]:
    """Say what went wrong: what was raised, or the conjunct that is false and the atoms that make it so."""
    if run.error is not None:
        text = str(run.error)
        return [_filled(f"{text[0].upper()}{text[1:]}.", width)]
    return without_notes(lambda: _reasons(run, formula, width))


def _reasons(run: CaseRun, formula: Formula, width: int) -> list[str]:
    word = [(step.letter, step.time) for step in run.steps]
    lines = [f"The formula is false from batch {len(run.steps)} on."]
    conjunct = false_conjunct(word, formula)
    if conjunct is not formula:
        lines += _wrapped("Its conjunct that is false: ", conjunct, width)
    because = [
        fill(_clipped(f"* {reason}", 3 * width), width, subsequent_indent="  ") for reason in reasons(word, formula)
    ]
    return [
        *lines,
        *because[:_MAX_REASONS],
        *([f"* {len(because) - _MAX_REASONS} more"] * (len(because) > _MAX_REASONS)),
    ]


def _filled(text: str, width: int) -> str:
    """Return a text in lines of a width; a word that is longer has a line of its own."""
    return fill(text, width, break_long_words=False, break_on_hyphens=False)


def _wrapped(label: str, formula: Formula, width: int) -> list[str]:
    return [fill(f"{label}{_clipped(str(formula), 4 * width)}", width, subsequent_indent=" " * 9)]


def case_table(run: CaseRun, width: int = 80) -> str:
    """Return the case as a table: a row for each batch up to the decision; one row for many in the middle."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("batch", justify="right")
    names = list(run.steps[0].letter) if run.steps else list(run.case.inputs)
    for name in names:
        table.add_column(name, overflow="fold", ratio=2)
    table.add_column("what must hold from here on", overflow="fold", ratio=3)
    hidden = range(_FIRST_ROWS, len(run.steps) - _LAST_ROWS)
    for place, step in enumerate(run.steps):
        if len(hidden) > 1 and place in hidden:
            if place == hidden.start:
                table.add_row("…", *["…" for _ in names], f"{len(hidden)} more batches")
            continue
        cells = [Text(_records(step.letter[name])) for name in names]
        raised = isinstance(run.error, PredicateFailedError) and step is run.steps[-1]
        table.add_row(
            str(step.number), *cells, Text("a predicate raised" if raised else _clipped(str(step.formula), 160))
        )
    if isinstance(run.error, SubjectFailedError) and run.error.batch:
        given = run.case.batch(run.error.batch)
        cells = [Text(_records(given[name])) if name in given else Text("–") for name in names]
        table.add_row(str(run.error.batch), *cells, Text("the subject raised"))
    page = StringIO()
    Console(file=page, width=width, color_system=None).print(table)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()) + "\n"


def counted_records(batch: Batch) -> list[str]:
    """Return the records in order of their text, equal ones once with their number.

    >>> counted_records((2, 1, 2, 2))
    ['1', '2×3']
    """
    counts = Counter(map(shown, batch))
    return [record if times == 1 else f"{record}×{times}" for record, times in sorted(counts.items())]


def _records(batch: Batch, limit: int = 400) -> str:
    return _clipped("  ".join(counted_records(batch)) or "∅", limit)


def _clipped(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
