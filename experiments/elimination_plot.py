"""The figure of the benchmark of quantifier elimination: one panel for each family of problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from tallystick.experiments.plots import COLOURS, LINES, MARKERS

SMALLEST = 1e-4
"""Seconds below which times are drawn at the edge."""
COLUMNS = 4


class Panel(NamedTuple):
    """A family: its title, what its problems are ordered by, and (place, seconds) for each problem of each solver.

    Seconds are None where the solver gave no answer. All panels name the same
    solvers; one that is not asked has no times.
    """

    title: str
    order: str
    times: Mapping[str, Sequence[tuple[int, float | None]]]


def plot_families(panels: Sequence[Panel], timeout: float, path: Path) -> None:
    """Writes the figure; the ending of the path gives its format.

    Problems at the same place are drawn as their median; one without an answer counts as more than any time.
    """
    rows = -(-len(panels) // COLUMNS)
    figure = Figure(figsize=(11, 2.7 * rows + 0.9), layout="constrained")
    figure.suptitle(f"Time for each problem (above the grey line: no answer within {timeout:g} s)")
    grid = figure.subplots(rows, COLUMNS, squeeze=False)
    for index, axes in enumerate(grid.flat):
        if index >= len(panels):
            axes.set_axis_off()
            continue
        _draw(axes, panels[index], timeout)
        if index % COLUMNS == 0:
            axes.set_ylabel("processor time (s)")
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _draw(axes: Axes, panel: Panel, timeout: float) -> None:
    late = 3 * timeout
    for (name, times), colour, marker, line in zip(panel.times.items(), COLOURS, MARKERS, LINES, strict=False):
        places, seconds = _medians(times, late)
        axes.plot(
            places,
            seconds,
            color=colour,
            marker=marker,
            linestyle=line,
            markersize=4,
            markevery=max(1, len(places) // 8),
            label=name,
        )
    axes.axhline(timeout, color="grey", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_ylim(SMALLEST, 2 * late)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
    axes.set_title(panel.title, fontsize="medium")
    axes.set_xlabel(panel.order, fontsize="small")


def _medians(times: Sequence[tuple[int, float | None]], late: float) -> tuple[list[int], list[float]]:
    ordered = sorted((place, late if seconds is None else max(seconds, SMALLEST)) for place, seconds in times)
    grouped = [(place, [seconds for _, seconds in group]) for place, group in groupby(ordered, lambda pair: pair[0])]
    return [place for place, _ in grouped], [median(seconds) for _, seconds in grouped]
