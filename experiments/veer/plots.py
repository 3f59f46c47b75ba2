"""The figures of Veer's evaluation, drawn anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from tallystick.experiments.plots import COLOURS, MARKERS
from tallystick.experiments.veer.measuring import Measured

CALLS = "the sweep"
FILES = {"hops": "figure_26", "changes": "figure_27", "operators": "figure_28"}


def draw(
    folder: Path,
    equal: Mapping[str, Mapping[str, Measured]],
    unequal: Mapping[str, Mapping[str, Measured]],
    series: Mapping[str, Mapping[int, Mapping[str, Measured]]],
    costs: Mapping[int, Measured],
) -> None:
    """Draws figures 24 to 28, and the cost of the sweep, into a folder, as SVG."""
    folder.mkdir(parents=True, exist_ok=True)
    _bars(equal, "Equivalent pairs with two edits", folder / "figure_24.svg")
    _bars(unequal, "Inequivalent pairs with two edits", folder / "figure_25.svg")
    for what, each in series.items():
        _lines(each, what, folder / f"{FILES[what]}.svg")
    figure, axes = _figure("The sweep on longer workflows")
    axes.plot(list(costs), [each.seconds for each in costs.values()], color=COLOURS[0], marker=MARKERS[0])
    axes.set_xlabel("operators")
    axes.set_ylabel("seconds")
    _save(figure, folder / "long.svg")


def _figure(title: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(7.0, 4.2))
    axes = figure.add_subplot()
    axes.set_title(title)
    return figure, axes


def _save(figure: Figure, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def _size(method: str, each: Measured) -> int:
    """Decompositions that were explored; for the sweep, calls of its verifier."""
    return max(each.calls if method == CALLS else each.explored, 1)


def _bars(results: Mapping[str, Mapping[str, Measured]], title: str, path: Path) -> None:
    figure, axes = _figure(title)
    names: Sequence[str] = list(next(iter(results.values())))
    width = 0.8 / len(results)
    for number, (method, of) in enumerate(results.items()):
        places = [place + number * width for place in range(len(names))]
        axes.bar(places, [_size(method, of[name]) for name in names], width, color=COLOURS[number], label=method)
    axes.set_xticks([place + 0.4 for place in range(len(names))], names)
    axes.set_yscale("log")
    axes.set_ylabel("decompositions explored; calls of the sweep")
    axes.legend(fontsize=7)
    _save(figure, path)


def _lines(series: Mapping[int, Mapping[str, Measured]], what: str, path: Path) -> None:
    figure, axes = _figure(f"By {what}")
    for number, method in enumerate(next(iter(series.values()))):
        sizes = [_size(method, each[method]) for each in series.values()]
        axes.plot(list(series), sizes, color=COLOURS[number], marker=MARKERS[number], label=method)
    axes.set_yscale("log")
    axes.set_xticks(list(series))
    axes.set_xlabel(what)
    axes.set_ylabel("decompositions explored; calls of the sweep")
    axes.legend(fontsize=7)
    _save(figure, path)
