"""A verdict as Markdown, for a pull request."""

from __future__ import annotations

from collections import Counter

from tallystick.dataflow.showing.text import assumptions, difference_lines, first_line, printable
from tallystick.dataflow.verdict import Change, DataflowVerdict, WireVerdict

SIGNS = {
    Change.UNCHANGED: "✅",
    Change.CHANGED: "🔴",
    Change.UNKNOWN: "🟡",
    Change.ADDED: "➕",
    Change.REMOVED: "➖",
}


def markdown(verdict: DataflowVerdict) -> str:
    """A table of what was edited or is not the same, the differences folded away, and what is assumed."""
    counts = Counter(wire.change for wire in verdict.wires)
    head = ", ".join(f"{counts[change]} {change}" for change in Change if counts[change]) or "nothing to compare"
    shown = [wire for wire in verdict.wires if wire.edited or wire.change is not Change.UNCHANGED]
    lines = [f"### Tallystick: {head}", ""]
    if shown:
        lines += ["| | model | answer | why |", "|---|---|---|---|", *map(_row, shown)]
    else:
        lines.append("Every model returns what it returned before, on all data.")
    rest = len(verdict.wires) - len(shown)
    if rest and shown:
        lines += ["", f"{rest} more were not edited and are unchanged."]
    rebuilt = [wire.name for wire in verdict.wires if wire.needs_rebuild]
    if rebuilt:
        lines += ["", f"To be built again: {', '.join(map(_code, rebuilt))}"]
    if renamed := [f"{_code(wire.old)} to {_code(wire.name)}" for wire in verdict.wires if wire.is_renamed]:
        lines += ["", f"To be renamed, and the same: {', '.join(renamed)}"]
    for wire in shown:
        if wire.difference is not None and wire.edited:
            inner = "\n".join(difference_lines(verdict, wire, wire.difference))
            title = f"An input on which {_code(wire.name)} differs"
            lines += ["", f"<details><summary>{title}</summary>", "", "```", inner, "```", "", "</details>"]
    lines += ["", "<details><summary>Assumptions</summary>", ""]
    lines += [f"* {_escaped(each)}" for each in assumptions(verdict)]
    return "\n".join([*lines, "", "</details>", ""])


def _row(wire: WireVerdict) -> str:
    reason = first_line(wire.reason)
    if wire.shared is not None:
        reason += f"; the columns of both versions are {wire.shared.change}"
    return f"| {SIGNS[wire.change]} | {_code(wire.name)} | {wire.change} | {_escaped(reason)} |"


def _code(name: str) -> str:
    return f"`{printable(name).replace('`', '').replace('|', '')}`"


def _escaped(line: str) -> str:
    """A line that a cell of a table holds as it is."""
    for sign in "\\|<>*_`[]":
        line = line.replace(sign, f"&#{ord(sign)};")
    return printable(line)
