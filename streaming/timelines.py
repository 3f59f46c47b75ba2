"""A case drawn as a timeline: a lane for each stream, a dot for each record, and the verdict below."""

from __future__ import annotations

from pathlib import Path

from tallystick.streaming.evaluation import CaseRun

_MAX_LABELLED = 6


def draw_timeline(run: CaseRun, path: str | Path) -> Path:
    """Draw the instants of a case up to its decision into a file (.png, .svg, .pdf); return the path.

    Records are written beside their dots when a batch has at most six, and counted otherwise.
    """
    from matplotlib.figure import Figure

    names = list(run.steps[0].letter) if run.steps else list(run.case.inputs)
    figure = Figure(figsize=(max(4.0, 1.2 + 0.9 * len(run.steps)), 1.2 + 0.9 * len(names)), layout="constrained")
    axes = figure.subplots()
    for lane, name in enumerate(names):
        height = len(names) - lane
        axes.axhline(height, color="0.85", zorder=0)
        for step in run.steps:
            batch = step.letter[name]
            axes.scatter([step.number], [height], s=30 + 12 * len(batch), color="C0" if batch else "0.85")
            few = len(batch) <= _MAX_LABELLED
            label = "\n".join(map(str, batch)) if few else f"{len(batch)} records"
            axes.annotate(label, (step.number, height), (0, 6), textcoords="offset points", ha="center", size=7)
    color = {"passed": "C2", "inconclusive": "0.5"}.get(run.kind, "C3")
    axes.scatter([len(run.steps)], [0], marker="s", color=color)
    axes.annotate(run.kind, (len(run.steps), 0), (0, 6), textcoords="offset points", ha="center", size=8)
    axes.set_yticks(range(len(names) + 1), ["formula", *reversed(names)])
    axes.set_xticks([step.number for step in run.steps])
    axes.set_xlim(0.4, len(run.steps) + 0.6)
    axes.set_ylim(-0.4, len(names) + 0.9)
    axes.set_xlabel("batch")
    axes.spines[["top", "right", "left"]].set_visible(False)
    figure.savefig(path, dpi=150)
    return Path(path)
