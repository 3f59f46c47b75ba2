"""How fast Tallystick is, commit by commit, from benchmarks/history.jsonl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from tables import table

HISTORY: Final = Path(__file__).parents[1] / "benchmarks" / "history.jsonl"
SHOWN: Final = 6
"""So many of the last lines are shown."""


def speed() -> str:
    """A table of what was measured last."""
    lines = [json.loads(line) for line in HISTORY.read_text(encoding="utf-8").splitlines()][-SHOWN:]
    names = dict.fromkeys(name for line in reversed(lines) for name in line["measured"])
    rows = ([name, *(_cell(line["measured"].get(name)) for line in lines)] for name in names)
    return "\n\n".join(
        [
            "Speed",
            "Processor time of what a user calls, from the texts to the verdict with its certificate, divided by that "
            "of one fixed computation in the same run (about 0.03 s): numbers of one line can be compared with those "
            "of another machine. Commands are processes of their own; *queries* are every seventh pair of the suite "
            "`sql`, one after the other; families are those of `benchmarks/growth.py`. *?*: no verdict within 10 s. "
            "`make bench` adds a line, and prints what became slower by a tenth.",
            table(("what", *(f"{line['commit']}, {line['day']}" for line in lines)), rows),
        ]
    )


def _cell(measured: tuple[float, int] | None) -> str:
    if measured is None:
        return ""
    ratio, done = measured
    return f"{ratio:.1f}" if done else f"{ratio:.1f} ?"
