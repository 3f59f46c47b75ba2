"""Machines and their simulator."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from tallystick.reductions import Machine, MachineError, example, example_names, simulate
from tallystick.reductions.two_counter_machine import Decrement, Increment, Jump, states, step

from reductions.machines import HALTING, NOT_DECIDED, PROVED_NOT_TO_HALT, machines


def test_each_instruction_makes_one_step() -> None:
    machine = Machine("m", (Increment(1, 1), Decrement(2, 2, 0), Jump(3)))
    assert step(machine, (0, 4, 5)) == (1, 5, 5)
    assert step(machine, (1, 4, 5)) == (2, 4, 4)
    assert step(machine, (1, 4, 0)) == (0, 4, 0)
    assert step(machine, (2, 4, 5)) == (3, 4, 5)


def test_a_halted_machine_stays_as_it_is() -> None:
    assert step(Machine("m", (Jump(1),)), (1, 7, 8)) == (1, 7, 8)


@given(machines())
def test_counters_stay_natural_and_locations_exist(machine: Machine) -> None:
    for location, c1, c2 in islice(states(machine), 50):
        assert 0 <= location <= machine.halting_location
        assert min(c1, c2) >= 0


@given(machines())
def test_a_run_is_a_chain_of_steps_that_halts_at_most_at_its_end(machine: Machine) -> None:
    run = simulate(machine, 40)
    assert run.trace[0] == machine.initial
    assert all(step(machine, before) == after for before, after in zip(run.trace, run.trace[1:], strict=False))
    assert all(state[0] != machine.halting_location for state in run.trace[:-1])
    assert run.halted == (run.trace[-1][0] == machine.halting_location)
    assert run.halted or run.steps == 40


def test_limits_end_a_simulation_and_say_so() -> None:
    assert simulate(example("count_up"), 7).stopped == "it has not halted after 7 steps"
    run = simulate(example("count_up"), counter_limit=10)
    assert (run.stopped, run.trace[-1][1]) == ("a counter is above 10", 11)
    assert simulate(example("addition"), 13).halted
    assert not simulate(example("addition"), 12).halted
    with pytest.raises(ValueError, match="the step limit is a natural number"):
        simulate(example("addition"), -1)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"instructions": (Jump(2),)}, "there is no location 2, only 0 to 1"),
        ({"instructions": (Increment(3, 0),)}, "there is no counter 3, only 1 and 2"),
        ({"instructions": (), "start": 1}, "there is no location 1, only 0 to 0"),
        ({"instructions": (), "labels": (("a", -1),)}, "there is no location -1, only 0 to 0"),
        ({"instructions": (Jump(0),) * 81}, "the machine has 81 instructions, and at most 80 are read"),
        ({"instructions": (), "counters": (0, -1)}, "the two counters start from natural numbers"),
    ],
)
def test_impossible_machines_are_refused(fields: dict, message: str) -> None:
    with pytest.raises(MachineError, match=message):
        Machine("m", **fields)


def test_the_examples_do_what_their_comments_say() -> None:
    assert {name: simulate(example(name)).steps for name in HALTING} == HALTING
    others = set(example_names()) - set(HALTING)
    assert others == {*PROVED_NOT_TO_HALT, *NOT_DECIDED}
    assert not any(simulate(example(name)).halted for name in others)
    assert all(re.search(r"[Nn]ever (to )?halt", example(name).comment) for name in others)


def test_the_examples_compute_what_they_are_called_after() -> None:
    ends = {name: simulate(example(name)).trace[-1][1:] for name in HALTING}
    assert ends["addition"] == (3 + 4, 0)
    assert ends["doubling"] == (0, 2 * 10)
    assert ends["multiplication"] == (6 * 6, 0)
    assert ends["division"] == (17 % 3, 17 // 3)
    assert ends["parity"] == (0, 19 % 2)
    assert ends["minimum"] == (0, 9 - 7)


def test_an_unknown_example_is_refused() -> None:
    with pytest.raises(MachineError, match="there is no such example"):
        example("universal")


def test_locations_are_named_after_their_labels() -> None:
    machine = example("addition")
    assert [machine.place(location) for location in range(4)] == ["loop", "loop+1", "loop+2", "halt"]
    assert machine.describe(0) == "dec c2 else halt"
    assert Machine("m", (Jump(0),)).place(0) == "0"


def test_the_readme_tells_how_each_example_ends() -> None:
    readme = Path(__file__).parents[2] / "reductions" / "README.md"
    rows = [line for line in readme.read_text().splitlines() if line.startswith("| `")]
    told = [[cell.strip(" `") for cell in row.strip("|").split("|")] for row in rows]
    assert {name: int(steps) for name, steps, *_ in told} == HALTING
    assert {name: known for _, _, name, _, known in told if name} == {
        **dict.fromkeys(PROVED_NOT_TO_HALT, "proved"),
        **dict.fromkeys(NOT_DECIDED, "unknown"),
    }
