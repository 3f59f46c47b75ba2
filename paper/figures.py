"""The figures of the paper. Colours are those of Okabe and Ito, and every class has a marker of its own as well."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

from matplotlib import rcParams
from matplotlib.figure import Figure

STYLES = {
    "NoAgg": ("#0072B2", "o"),
    "AggOneP": ("#E69F00", "s"),
    "AggOneP_sync": ("#009E73", "^"),
    "AggOneB": ("#56B4E9", "v"),
    "AggMultP": ("#D55E00", "P"),
    "AggOneKB": ("#CC79A7", "D"),
    "other": ("#000000", "X"),
}
NAMES = {
    "AggOneP": "AggOneᵖ",
    "AggOneP_sync": "AggOneᵖ sync",
    "AggOneB": "AggOneᵇ",
    "AggMultP": "AggMultᵖ",
    "AggOneKB": "AggOneKᵇ",
}

SHADE = "#cfe3f1"

rcParams.update({"svg.hashsalt": "tallystick", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False})


def times(records: list[dict[str, Any]]) -> Figure:
    """Time to audit against time to decide, a mark for each decided pair."""
    records = [each for each in records if each["verdict"] != "unknown"]
    _require_styles(records)
    figure = Figure(figsize=(5.6, 3.4), layout="constrained")
    axes = figure.subplots()
    for program_class, (colour, marker) in STYLES.items():
        chosen = [each for each in records if each["class"] == program_class]
        axes.scatter(
            [each["deciding"] for each in chosen],
            [each["auditing"] for each in chosen],
            s=26,
            c=colour,
            marker=marker,
            alpha=0.75,
            linewidths=0,
            label=f"{NAMES.get(program_class, program_class)} ({len(chosen)})",
        )
    low = 0.8 * min(min(each["deciding"], each["auditing"]) for each in records)
    high = 1.25 * max(max(each["deciding"], each["auditing"]) for each in records)
    axes.plot([low, high], [low, high], color="#888888", linewidth=0.8, linestyle="--")
    middle = high / 3
    axes.annotate("equal times", (middle, middle), (-8, 4), textcoords="offset points", ha="right", color="#555555")
    axes.set(xscale="log", yscale="log", xlabel="time to decide (ms)", ylabel="time to audit (ms)")
    axes.set(xlim=(low, high), ylim=(low, high))
    axes.grid(which="major", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    figure.legend(loc="outside right upper", frameon=False, title="class (pairs)", alignment="left")
    return figure


def sizes(records: list[dict[str, Any]]) -> Figure:
    """Sizes of certificates by class, proofs and counterexamples apart."""
    records = [each for each in records if each["verdict"] != "unknown"]
    _require_styles(records)
    figure = Figure(figsize=(5.6, 3.2), layout="constrained")
    axes = figure.subplots()
    for row, (program_class, (colour, _)) in enumerate(reversed(STYLES.items())):
        for verdict, shift, face in (("equivalent", 0.14, colour), ("inequivalent", -0.14, "white")):
            chosen = [e["bytes"] / 1000 for e in records if (e["class"], e["verdict"]) == (program_class, verdict)]
            axes.scatter(chosen, [row + shift] * len(chosen), s=22, facecolors=face, edgecolors=colour, linewidths=1.1)
    axes.scatter([], [], s=22, c="#444444", label="proof")
    axes.scatter([], [], s=22, facecolors="white", edgecolors="#444444", label="counterexample")
    axes.set_yticks(range(len(STYLES)), [NAMES.get(name, name) for name in reversed(STYLES)])
    axes.set(xlabel="size of the certificate (kB)", xscale="log")
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    figure.legend(loc="outside right upper", frameon=False)
    return figure


def reached() -> Figure:
    """States of two folds that small bags reach, and their invariants: sum and count of marks, minimum and maximum."""
    figure = Figure(figsize=(5.6, 2.6), layout="constrained")
    sums, extremes = figure.subplots(1, 2)
    bags = [bag for size in range(5) for bag in combinations_with_replacement(range(4), size)]
    sums.fill([0, 4.5, 4.5], [0, 0, 13.5], color=SHADE, linewidth=0)
    sums.scatter(*zip(*{(len(bag), sum(bag)) for bag in bags}, strict=True), s=16, c="#0072B2", zorder=2)
    sums.set(title="linear aggregates", xlabel="count $M_1$ (elements)", ylabel="sum $M_2$ (marks)")
    sums.set(xlim=(-0.3, 4.5), ylim=(-0.8, 13.5), xticks=range(5), yticks=range(0, 13, 3))
    bags = [bag for size in range(5) for bag in combinations_with_replacement(range(-3, 4), size)]
    states = {(min((0, *bag)), max((0, *bag))) for bag in bags}
    extremes.fill([-3, 0, 0, -3], [0, 0, 3, 3], color=SHADE, linewidth=0)
    extremes.scatter(*zip(*states, strict=True), s=16, c="#0072B2", zorder=2)
    extremes.set(title="extrema", xlabel="minimum $M_1$ (value)", ylabel="maximum $M_2$ (value)")
    extremes.set(xlim=(-3.6, 3.6), ylim=(-3.6, 3.6), xticks=range(-3, 4), yticks=range(-3, 4), aspect="equal")
    for axes in (sums, extremes):
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.set_axisbelow(True)
    return figure


def _require_styles(records: list[dict[str, Any]]) -> None:
    """Raises ValueError for a class without a style, whose pairs would be missing from a figure."""
    unknown = {each["class"] for each in records} - set(STYLES)
    if unknown:
        raise ValueError(f"the figures have no style for the classes {', '.join(sorted(unknown))}")
