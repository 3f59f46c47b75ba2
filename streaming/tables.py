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
from tallystick.streaming.evaluation import CaseRun
from tallystick.streaming.letters import Batch
from tallystick.streaming.report import Report


def failure_text(report: Report, width: int = 80) -> str:
    """Return the whole message for a property that failed. The report has a failure."""
    run = report.failure
    if run is None:
        raise ValueError("the property holds: there is no failure to show")
    ending = str(run.error) if run.error else f"the formula is false from batch {len(run.steps)} on"
    lines = [
        fill(f"The property is false: {report}", width),
        "",
        case_table(run, width),
        f"{ending[0].upper()}{ending[1:]}.",
    ]
    unseen = run.case.length - len(run.steps)
    if unseen > 0 and not run.error:
        lines.append(f"The case has {unseen} more {'batch' if unseen == 1 else 'batches'}, which were not needed.")
    formula = _clipped(str(report.formula), 4 * width)
    lines += ["", fill(f"Formula: {formula}", width, subsequent_indent=" " * 9), f"To repeat: seed={report.seed}"]
    return "\n".join(lines)


def case_table(run: CaseRun, width: int = 80) -> str:
    """Return the case as a table: a row for each batch up to the decision."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("batch", justify="right")
    names = list(run.steps[0].letter) if run.steps else list(run.case.inputs)
    for name in names:
        table.add_column(name, overflow="fold", ratio=2)
    table.add_column("what must hold from here on", overflow="fold", ratio=3)
    for step in run.steps:
        cells = [Text(_records(step.letter[name])) for name in names]
        table.add_row(str(step.number), *cells, Text(_clipped(str(step.formula), 160)))
    if run.error is not None and run.error.batch:
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
    counts = Counter(map(repr, batch))
    return [record if times == 1 else f"{record}×{times}" for record, times in sorted(counts.items())]


def _records(batch: Batch, limit: int = 400) -> str:
    return _clipped("  ".join(counted_records(batch)) or "∅", limit)


def _clipped(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
