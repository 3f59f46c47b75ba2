"""Cactus and scatter plots of records, legible in print and for people who do not see all colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from tallystick.experiments.records import Record

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F")
"""Okabe and Ito's colours, which people with any kind of colour vision tell apart."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", "--", "-.", ":")
SMALLEST = 1e-3
"""Seconds below which times are drawn at the edge."""

Records = Mapping[str, Sequence[Record]]
"""The records of each configuration, about the same pairs in the same order."""


def cactus_plot(records: Records, timeout: float, path: Path) -> None:
    """How many pairs each configuration decides when each pair may take so long."""
    figure, axes = _figure("Pairs decided within a time limit for each pair", (7.5, 4.8))
    most = 0
    for name, these, colour, marker, line in _styled(records):
        times = sorted(max(record.seconds, SMALLEST) for record in these if record.verdict != "unknown")
        most = max(most, len(these))
        axes.plot(
            range(1, len(times) + 1),
            times,
            color=colour,
            marker=marker,
            linestyle=line,
            markersize=4,
            markevery=max(1, len(times) // 12),
            label=f"{name} ({len(times)})",
        )
    axes.set_yscale("log")
    axes.axhline(timeout, color="grey", linewidth=0.8)
    axes.annotate("time limit", (0.01, timeout), xycoords=("axes fraction", "data"), va="bottom", color="dimgrey")
    axes.set_xlim(0, most + 1)
    axes.set_xlabel("pairs decided (number)")
    axes.set_ylabel("time for the slowest of them (seconds)")
    _save(figure, axes, path)


def scatter_plot(records: Records, timeout: float, path: Path) -> None:
    """The time of each pair with the first configuration against its time with each other one."""
    first, *others = records
    figure, axes = _figure(f"Time for each pair: others against {first}", (7.5, 6.0))
    late = 1.5 * timeout
    for (name, these, colour, marker, _), __ in zip(list(_styled(records))[1:], others, strict=True):
        axes.scatter(
            [_time(record, late) for record in records[first]],
            [_time(record, late) for record in these],
            color=colour,
            marker=marker,
            s=22,
            alpha=0.7,
            linewidths=0,
            label=name,
        )
    limits = (SMALLEST, 2 * late)
    axes.plot(limits, limits, color="grey", linewidth=0.8)
    for edge in (axes.axhline, axes.axvline):
        edge(timeout, color="grey", linewidth=0.8, linestyle=":")
    axes.annotate("not decided", (0.01, late), xycoords=("axes fraction", "data"), va="center", color="dimgrey")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(*limits)
    axes.set_ylim(*limits)
    axes.set_aspect("equal")
    axes.set_xlabel(f"time with {first} (seconds)")
    axes.set_ylabel("time with the other configuration (seconds)")
    _save(figure, axes, path)


def _time(record: Record, late: float) -> float:
    return late if record.verdict == "unknown" else max(record.seconds, SMALLEST)


def _styled(records: Records):
    styles = zip(cycle(COLOURS), cycle(MARKERS), cycle(LINES), strict=False)
    for (name, these), (colour, marker, line) in zip(records.items(), styles, strict=False):
        yield name, these, colour, marker, line


def _figure(title: str, size: tuple[float, float]) -> tuple[Figure, Axes]:
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title)
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
    return figure, axes


def _save(figure: Figure, axes: Axes, path: Path) -> None:
    beside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), "borderaxespad": 0}
    axes.legend(**beside, frameon=False, fontsize="small", handlelength=3.5)  # long enough for a line's pattern
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
