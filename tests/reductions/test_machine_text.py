"""The text format: what it means, and what is refused, where."""

from __future__ import annotations

import pickle

import pytest
from tallystick.reductions import MachineError, parse_machine, read_machine
from tallystick.reductions.two_counter_machine import Decrement, Increment, Jump, Machine


def test_a_machine_is_read_with_its_counters_labels_and_comment() -> None:
    text = "# Adds.\n#   Slowly.\n\nc1 = 3\nc2 = 04\nloop: dec c2 else done  # try\ninc c1\n jump loop\ndone: halt\n"
    assert parse_machine(text, "some/where/sum.txt") == Machine(
        "sum",
        (Decrement(2, 1, 3), Increment(1, 2), Jump(0)),
        0,
        (3, 4),
        (("loop", 0), ("done", 3)),
        "Adds.\nSlowly.",
    )


def test_all_halts_are_one_location_and_others_are_numbered_without_them() -> None:
    machine = parse_machine("a: dec c1 else c\nhalt\nb: c:\nd: inc c2\njump e\ne: halt")
    assert machine.instructions == (Decrement(1, 3, 1), Increment(2, 2), Jump(3))
    assert dict(machine.labels) == {"a": 0, "b": 1, "c": 1, "d": 1, "e": 3}


def test_a_machine_may_start_halted() -> None:
    assert parse_machine("halt\ninc c1\nhalt").start == 1


REFUSED = {
    "an unknown instruction": (
        "inc c1\n  icn c2\nhalt",
        "m:2:3: 'icn' is no instruction\n    icn c2\n    ^^^\n"
        "  help: did you mean 'inc'? the instructions are inc, dec, jump, halt",
    ),
    "an unknown instruction like no other": (
        "multiply",
        "m:1:1: 'multiply' is no instruction\n    multiply\n    ^^^^^^^^\n"
        "  help: the instructions are inc, dec, jump, halt",
    ),
    "a third counter": (
        "inc c3\nhalt",
        "m:1:5: expected a counter, c1 or c2\n    inc c3\n        ^^\n  help: write inc c1",
    ),
    "no counter": (
        "inc  # c1\nhalt",
        "m:1:4: expected a counter, c1 or c2\n    inc  # c1\n       ^\n  help: write inc c1",
    ),
    "a decrement without else": (
        "dec c1\nhalt",
        "m:1:7: expected 'else'\n    dec c1\n          ^\n  help: write dec c1 else LABEL",
    ),
    "a reserved word as a target": (
        "jump halt\nhalt",
        "m:1:6: expected a label\n    jump halt\n         ^^^^\n  help: write jump LABEL",
    ),
    "a missing label": (
        "loop: dec c1 else dome\ndone: halt",
        "m:1:19: there is no label 'dome'\n    loop: dec c1 else dome\n                      ^^^^\n"
        "  help: did you mean 'done'?",
    ),
    "a missing label like no other": (
        "jump x\nhalt",
        "m:1:6: there is no label 'x'\n    jump x\n         ^\n  help: put x: before an instruction",
    ),
    "a label twice": (
        "a: inc c1\na: halt",
        "m:2:1: the label 'a' is already on line 1\n    a: halt\n    ^",
    ),
    "a number as a label": (
        "1: halt",
        "m:1:1: '1' cannot be a label\n    1: halt\n    ^\n  help: a label is a word of its own",
    ),
    "a label at the end": (
        "jump a\na:",
        "m:2:1: no instruction comes after the label 'a'\n    a:\n    ^\n  help: write halt there",
    ),
    "running past the end": (
        "halt\ninc c1",
        "m:2:1: the machine runs past its last instruction\n    inc c1\n    ^^^\n  help: end with halt or jump",
    ),
    "two instructions on a line": (
        "inc c1 inc c2\nhalt",
        "m:1:8: 'inc' after the end of the line's meaning\n    inc c1 inc c2\n           ^^^\n"
        "  help: write one instruction a line, and comments after #",
    ),
    "a negative initial value": (
        "c1 = -1\nhalt",
        "m:1:6: expected a natural number of at most 100 digits\n    c1 = -1\n         ^",
    ),
    "an enormous initial value": (
        f"c1 = {'9' * 5000}\nhalt",
        f"m:1:6: expected a natural number of at most 100 digits\n    c1 = {'9' * 5000}\n         {'^' * 5000}",
    ),
    "two initial values": ("c1 = 1\nc1 = 1\nhalt", "m:2:1: c1 already has an initial value\n    c1 = 1\n    ^^"),
    "an assignment in the middle": (
        "inc c1\nc1 = 0\nhalt",
        "m:2:1: initial values come before the first instruction\n    c1 = 0\n    ^^\n"
        "  help: to change a counter as the machine runs, write inc c1 or dec c1 else LABEL",
    ),
    "a comparison": ("c1 < 3\nhalt", "m:1:4: expected '='\n    c1 < 3\n       ^\n  help: write c1 = 3"),
    "nothing": ("# only a comment\n", "m: the machine has no instruction\n  help: the smallest machine is: halt"),
    "too many instructions": (
        "\n".join(["halt", *["inc c1"] * 81]),
        "m:82:1: a machine has at most 80 instructions besides halt\n    inc c1\n    ^^^",
    ),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_machine_is_refused_at_its_position(text: str, message: str) -> None:
    with pytest.raises(MachineError) as raised:
        parse_machine(text, "m")
    assert str(raised.value) == message


def test_a_longest_machine_is_read() -> None:
    assert len(parse_machine("\n".join(["inc c1"] * 80 + ["halt"])).instructions) == 80


def test_errors_survive_pickling() -> None:
    error = MachineError("message", "path", 1, 2, "hint", "excerpt")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_files_that_cannot_be_read_are_named(tmp_path) -> None:
    with pytest.raises(MachineError, match=r"missing\.txt: there is no such file"):
        read_machine(tmp_path / "missing.txt")
    with pytest.raises(MachineError, match="the file cannot be read: Is a directory"):
        read_machine(tmp_path)
    (tmp_path / "latin.txt").write_bytes(b"# \xe9\nhalt")
    with pytest.raises(MachineError, match="the file is not text in UTF-8"):
        read_machine(tmp_path / "latin.txt")
