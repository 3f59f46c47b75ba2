"""A case drawn as a timeline: a lane for each stream with a dot for each batch, and the verdict below."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tallystick.streaming.errors import SubjectFailedError
from tallystick.streaming.evaluation import CaseRun
from tallystick.streaming.letters import Batch
from tallystick.streaming.tables import counted_records

_MAX_LINES = 6
_COLORS = {"passed": "C2", "inconclusive": "0.5", "falsified": "C3", "raised": "C3", "predicate raised": "C3"}


def draw_timeline(run: CaseRun, path: str | Path) -> Path:
    """Draw the instants of a case up to its decision into a file (.png, .svg, .pdf); return the path.

    The more records a batch has, the larger is its dot. Equal records are written once with their number, and up to
    six lines above the dot. The batch in which the subject raised has no outputs.
    """
    from matplotlib.figure import Figure

    instants = _instants(run)
    names = list(instants[1]) if instants else list(run.case.inputs)
    labels = {(name, number): _label(letter[name]) for number, letter in instants.items() for name in letter}
    longest = max((len(line) for label in labels.values() for line in label.split("\n")), default=0)
    lines = max((label.count("\n") + 1 for label in labels.values()), default=1)
    last = max(instants, default=1)
    size = max(4.0, 1.2 + last * max(0.9, 0.08 * longest)), 1.2 + len(names) * (0.8 + 0.12 * lines)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    for lane, name in enumerate(names):
        height = len(names) - lane
        axes.axhline(height, color="0.85", zorder=0)
        for number, letter in instants.items():
            if name in letter:
                _dot(axes, (number, height), len(letter[name]), labels[name, number])
    for number in range(1, last):
        axes.annotate("?", (number, 0), ha="center", va="center", color="0.5")
    axes.scatter([last], [0], marker="s", color=_COLORS[run.kind])
    axes.annotate(run.kind, (last, 0), (0, 6), textcoords="offset points", ha="center", size=8)
    axes.set_yticks(range(len(names) + 1), ["formula", *reversed(names)])
    axes.set_xticks(range(1, last + 1))
    axes.set_xlim(0.4, last + 0.6)
    axes.set_ylim(-0.4, len(names) + 0.9)
    axes.set_xlabel("batch")
    axes.spines[["top", "right", "left"]].set_visible(False)
    figure.savefig(path, dpi=150)
    return Path(path)


def _instants(run: CaseRun) -> dict[int, Mapping[str, Batch]]:
    """The streams that each instant has, by its number from 1 on."""
    instants: dict[int, Mapping[str, Batch]] = {step.number: step.letter for step in run.steps}
    if isinstance(run.error, SubjectFailedError) and run.error.batch:
        instants[run.error.batch] = run.case.batch(run.error.batch)
    return instants


def _label(batch: Batch) -> str:
    lines = counted_records(batch)
    more = len(lines) - _MAX_LINES
    return "\n".join(lines if more <= 0 else [*lines[: _MAX_LINES - 1], f"{more + 1} more"])


def _dot(axes: Any, place: tuple[int, int], records: int, label: str) -> None:
    area = 30 + 12 * min(records, 40)
    axes.scatter(*place, s=area, color="C0" if records else "0.85")
    radius = (area / 3.14) ** 0.5
    axes.annotate(label, place, (0, radius + 3), textcoords="offset points", ha="center", va="bottom", size=7)
