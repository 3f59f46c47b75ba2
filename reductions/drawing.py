"""Drawings of a machine and of a run, with matplotlib (imported when something is drawn)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tallystick.reductions.two_counter_machine import Decrement, Machine, Run, successors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_INCHES = 0.36
BOX_WIDTH = 2.6
LANE_WIDTH = 0.32
COUNTER_COLOURS = ("#1f5fa8", "#c4561a")
JUMP_COLOUR, ZERO_COLOUR = "#555555", "#b02020"
MOST_TICKS = 40


def draw_machine(machine: Machine) -> Figure:
    """The control flow of a machine: a box for each location, top to bottom in the order of the file.

    Short arrows lead to the next box. Jumps run in lanes on the left, and jumps that are taken when a counter is 0
    in dashed lanes on the right.
    """
    from matplotlib.figure import Figure

    rows = len(machine.instructions) + 1
    jumps, zeros = _lanes(_jumps(machine)), _lanes(_zero_jumps(machine))
    left, right = (LANE_WIDTH * (1 + max(lanes.values(), default=0)) for lanes in (jumps, zeros))
    figure = Figure(figsize=(1.1 * (left + BOX_WIDTH + right) + 0.4, ROW_INCHES * (rows + 1.6)), layout="constrained")
    axes = figure.add_subplot()
    for location in range(rows):
        _draw_box(axes, machine, location)
    for location, instruction in enumerate(machine.instructions):
        if instruction.next == location + 1:
            _draw_arrow(axes, [(BOX_WIDTH / 2, location + 0.32), (BOX_WIDTH / 2, location + 0.68)], JUMP_COLOUR)
    for (source, target), lane in jumps.items():
        _draw_lane(axes, source, target, 0, -LANE_WIDTH * (1 + lane), JUMP_COLOUR)
    for (source, target), lane in zeros.items():
        _draw_lane(axes, source, target, BOX_WIDTH, BOX_WIDTH + LANE_WIDTH * (1 + lane), ZERO_COLOUR, dashed=True)
    axes.set_xlim(-left - 0.25, BOX_WIDTH + right + 0.25)
    axes.set_ylim(rows - 0.4, -1.1)
    axes.axis("off")
    start = f"{machine.name}: starts at {machine.place(machine.start)} with c1 = {machine.counters[0]}, "
    axes.text(BOX_WIDTH / 2, -0.75, start + f"c2 = {machine.counters[1]}", ha="center", va="center", fontsize=9)
    return figure


def _jumps(machine: Machine) -> list[tuple[int, int]]:
    return [(here, each.next) for here, each in enumerate(machine.instructions) if each.next != here + 1]


def _zero_jumps(machine: Machine) -> list[tuple[int, int]]:
    decrements = [(here, each) for here, each in enumerate(machine.instructions) if isinstance(each, Decrement)]
    return [(here, each.if_zero) for here, each in decrements]


def _lanes(jumps: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """A lane for each jump, such that jumps in one lane overlap only where they lead to the same place; short first."""
    lanes: dict[tuple[int, int], int] = {}
    for jump in sorted(jumps, key=lambda jump: abs(jump[0] - jump[1])):
        low, high = sorted(jump)
        taken = {
            lane for other, lane in lanes.items() if other[1] != jump[1] and low <= max(other) and min(other) <= high
        }
        lanes[jump] = next(lane for lane in range(len(jumps)) if lane not in taken)
    return lanes


def _draw_box(axes: Axes, machine: Machine, location: int) -> None:
    from matplotlib.patches import FancyBboxPatch

    is_end = location == machine.halting_location
    labels = [label for label, place in machine.labels if place == location and not is_end]
    reachable = location == machine.start or any(location in successors(each) for each in machine.instructions)
    face = "#dff0d8" if is_end else "#f4f4f4" if reachable else "white"
    box = FancyBboxPatch(
        (0, location - 0.3),
        BOX_WIDTH,
        0.6,
        boxstyle="round,pad=0,rounding_size=0.12",
        facecolor=face,
        edgecolor="#333333",
    )
    axes.add_patch(box)
    label = f"{', '.join(labels)}:" if labels else ""
    axes.text(0.1, location, label, ha="left", va="center", fontsize=8, fontweight="bold")
    axes.text(
        BOX_WIDTH - 0.1,
        location,
        machine.describe(location).partition(" else ")[0],
        ha="right",
        va="center",
        fontsize=8,
        family="monospace",
    )


def _draw_arrow(axes: Axes, points: list[tuple[float, float]], colour: str, dashed: bool = False) -> None:
    """A line through points, with an arrow head at its end."""
    style = {"color": colour, "linestyle": "--" if dashed else "-", "linewidth": 1.0}
    axes.plot(*zip(*points[:-1], strict=True), solid_joinstyle="round", **style)
    axes.annotate("", points[-1], points[-2], arrowprops={"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, **style})


def _draw_lane(
    axes: Axes, source: int, target: int, edge: float, lane: float, colour: str, dashed: bool = False
) -> None:
    """A jump beside the boxes: out of the lower half of its source, into the upper half of its target."""
    leave, enter = source + 0.12, target - 0.12
    _draw_arrow(axes, [(edge, leave), (lane, leave), (lane, enter), (edge, enter)], colour, dashed)
    if dashed:
        axes.text(edge + 0.04, leave + 0.02, "= 0", color=colour, fontsize=7, ha="left", va="top")


def draw_run(run: Run) -> Figure:
    """The counters and the location over the steps of a run."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    machine, steps = run.machine, range(len(run.trace))
    visited = sorted({state[0] for state in run.trace})
    figure = Figure(figsize=(9.0, 3.4 + 0.17 * min(len(visited), MOST_TICKS)), layout="constrained")
    height = 0.8 + 0.07 * min(len(visited), MOST_TICKS)
    counters, locations = figure.subplots(2, 1, sharex=True, height_ratios=[1.6, height])
    for index, colour in enumerate(COUNTER_COLOURS, 1):
        values = [state[index] for state in run.trace]
        counters.step(steps, values, where="post", color=colour, label=f"c{index}", linewidth=1.4)
    ending = f"halts after {run.steps} steps" if run.halted else run.stopped
    counters.set_title(f"{machine.name}: {ending}", fontsize=10)
    counters.set_ylabel("counters")
    counters.yaxis.set_major_locator(MaxNLocator(integer=True))
    counters.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    rows = {location: row for row, location in enumerate(visited)}
    places = [rows[state[0]] for state in run.trace]
    locations.plot(steps, places, color="#bbbbbb", linewidth=0.6, drawstyle="steps-post")
    locations.plot(steps, places, ".", color="#333333", markersize=3.5)
    shown = visited if len(visited) <= MOST_TICKS else [place for place in visited if "+" not in machine.place(place)]
    locations.set_yticks([rows[location] for location in shown], [machine.place(location) for location in shown])
    locations.tick_params(axis="y", labelsize=7)
    locations.invert_yaxis()
    locations.set_ylabel("location")
    locations.set_xlabel("step, which is also the number of elements of the bag")
    locations.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


def save_drawings(run: Run, folder: str | Path, suffix: str = "svg") -> tuple[Path, Path]:
    """Writes `NAME-machine.SUFFIX` and `NAME-run.SUFFIX` into a folder, and returns their paths.

    Raises OSError when a file cannot be written, and ValueError when matplotlib does not know the suffix.
    """
    figures = {"machine": draw_machine(run.machine), "run": draw_run(run)}
    paths = {kind: Path(folder) / f"{run.machine.name}-{kind}.{suffix}" for kind in figures}
    for kind, figure in figures.items():
        figure.savefig(paths[kind], dpi=150)
    return paths["machine"], paths["run"]
