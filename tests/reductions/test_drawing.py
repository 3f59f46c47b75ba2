"""Drawings: that all of a machine is in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallystick.reductions import example, example_names, simulate
from tallystick.reductions.drawing import _lanes, draw_machine, draw_run, save_drawings
from tallystick.reductions.two_counter_machine import Decrement


@pytest.mark.parametrize("name", ["halt_at_once", "powers_of_four"])
def test_a_machine_has_a_box_with_its_instruction_for_each_location(name: str) -> None:
    machine = example(name)
    (axes,) = draw_machine(machine).axes
    texts = [text.get_text() for text in axes.texts]
    for location in range(machine.halting_location + 1):
        assert machine.describe(location).partition(" else ")[0] in texts
    assert len(axes.patches) == 1 + len(machine.instructions)
    assert texts.count("= 0") == sum(isinstance(each, Decrement) for each in machine.instructions)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), unique_by=lambda jump: jump[0]))
def test_jumps_to_different_places_never_share_a_stretch_of_a_lane(jumps: list[tuple[int, int]]) -> None:
    lanes = _lanes(jumps)
    assert set(lanes) == set(jumps)
    for one, lane in lanes.items():
        for other, its_lane in lanes.items():
            if one[1] != other[1] and lane == its_lane:
                assert max(one) < min(other) or max(other) < min(one)


def test_a_run_shows_both_counters_at_every_step() -> None:
    run = simulate(example("addition"))
    counters, locations = draw_run(run).axes
    assert [list(line.get_ydata()) for line in counters.lines] == [[s[1] for s in run.trace], [s[2] for s in run.trace]]
    assert [label.get_text() for label in locations.get_yticklabels()] == ["loop", "loop+1", "loop+2", "halt"]
    assert counters.get_title() == "addition: halts after 13 steps"


def test_drawings_are_saved_under_the_machines_name(tmp_path: Path) -> None:
    paths = save_drawings(simulate(example(example_names()[0])), tmp_path)
    assert [path.name for path in paths] == ["addition-machine.svg", "addition-run.svg"]
    assert all(path.read_text().startswith("<?xml") for path in paths)
