"""The figures of the paper. Colours are those of Okabe and Ito, and every class has a marker of its own as well."""

from __future__ import annotations

from typing import Any

from matplotlib import rcParams
from matplotlib.figure import Figure

STYLES = {
    "NoAgg": ("#0072B2", "o"),
    "AggOneP": ("#E69F00", "s"),
    "AggOneP_sync": ("#009E73", "^"),
    "AggOneKB": ("#CC79A7", "D"),
}
NAMES = {"AggOneP": "AggOneᵖ", "AggOneP_sync": "AggOneᵖ sync", "AggOneKB": "AggOneKᵇ"}

rcParams.update({"svg.hashsalt": "tallystick", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False})


def times(records: list[dict[str, Any]]) -> Figure:
    """Time to audit against time to decide, a mark for each pair."""
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
    _require_styles(records)
    figure = Figure(figsize=(5.6, 2.4), layout="constrained")
    axes = figure.subplots()
    for row, (program_class, (colour, _)) in enumerate(reversed(STYLES.items())):
        for verdict, shift, face in (("equivalent", 0.14, colour), ("inequivalent", -0.14, "white")):
            chosen = [e["bytes"] / 1000 for e in records if (e["class"], e["verdict"]) == (program_class, verdict)]
            axes.scatter(chosen, [row + shift] * len(chosen), s=22, facecolors=face, edgecolors=colour, linewidths=1.1)
    axes.scatter([], [], s=22, c="#444444", label="proof")
    axes.scatter([], [], s=22, facecolors="white", edgecolors="#444444", label="counterexample")
    axes.set_yticks(range(len(STYLES)), [NAMES.get(name, name) for name in reversed(STYLES)])
    axes.set(xlabel="size of the certificate (kB)", xlim=(0, None))
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    figure.legend(loc="outside right upper", frameon=False)
    return figure


def _require_styles(records: list[dict[str, Any]]) -> None:
    """Raises ValueError for a class without a style, whose pairs would be missing from a figure."""
    unknown = {each["class"] for each in records} - set(STYLES)
    if unknown:
        raise ValueError(f"the figures have no style for the classes {', '.join(sorted(unknown))}")
