"""A verdict as text: a line for each wire, with an input for each that was changed by its own text."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from tallystick.certificates.dataflows.kernel import assumptions_of
from tallystick.core.dataflows.workflow import Opaque, Wire
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.types import SqlRow, SqlType
from tallystick.dataflow.pair import Holder, Pair
from tallystick.dataflow.verdict import Change, DataflowVerdict, Difference, WireVerdict
from tallystick.queries.assumptions import parted
from tallystick.queries.tables import returned, table

WIDTH = 80
BEHIND = "it reads one that is not read"
"""Why a wire is not read that reads another whose columns are not known."""
_PLACE = re.compile(r"^.*?:\d+:\d+: ")
SHOWN = 3
"""Differences that are shown if nobody asks for all."""


ORDER = (Change.CHANGED, Change.ADDED, Change.REMOVED, Change.UNKNOWN, Change.UNCHANGED)
"""Which answers are shown first."""


def text(verdict: DataflowVerdict, verbose: bool = False, in_full: bool = False) -> str:
    """The whole verdict, changed wires first.

    Without `verbose`, unchanged wires are counted, but for those that were edited or renamed, and differences of wires
    that were not edited are left out. `in_full` says all assumptions in full.
    """
    wires = sorted(verdict.wires, key=lambda wire: ORDER.index(wire.change))
    listed = [wire for wire in wires if verbose or _tells_something(wire)]
    width = max((len(wire.name) for wire in listed), default=0)
    lines = [line for wire in listed for line in wire_lines(wire, width)]
    if len(wires) > len(listed):
        rest = len(wires) - len(listed)
        lines.append(f"{Change.UNCHANGED!s:<11}{rest} that {'was' if rest == 1 else 'were'} not edited (--verbose)")
    shown = 0
    for wire in verdict.wires:
        if wire.difference is not None and (verbose or (wire.edited and shown < SHOWN)):
            shown += 1
            lines += ["", f"{wire.name} differs on this input:", *difference_lines(verdict, wire, wire.difference)]
    hidden = sum(wire.difference is not None for wire in verdict.wires) - shown
    if hidden:
        lines += ["", f"{hidden} more differ on inputs that --verbose shows"]
    return "\n".join(map(printable, [*lines, "", *summary(verdict, in_full)]))


def _tells_something(wire: WireVerdict) -> bool:
    """Whether a wire is more than unchanged."""
    return wire.change is not Change.UNCHANGED or wire.edited or wire.is_renamed or len(wire_lines(wire, 0)) > 1


def printable(line: str) -> str:
    """A line without what a terminal would obey, or what would end it."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in line)


def wire_lines(wire: WireVerdict, width: int) -> list[str]:
    """The answer about a wire, and about its columns."""
    indent = " " * (11 + min(width, 30) + 2)
    head = f"{wire.change!s:<11}{wire.name:<{min(width, 30)}}  "
    reason = first_line(wire.reason)
    lines = textwrap.wrap(reason, max(WIDTH, len(head) + 30), initial_indent=head, subsequent_indent=indent)
    if wire.computed_by and wire.change is not Change.UNCHANGED:
        lines.append(f"{indent}its table is the one that version {wire.computed_by} of the history computed")
    if wire.shared is not None:
        lines.append(f"{indent}the columns of both versions: {wire.shared.change}")
    if wire.change is not Change.UNCHANGED:
        lines += [f"{indent}column {name}: {change}" for name, change in wire.by_column]
    return lines or [head.rstrip()]


def first_line(reason: str) -> str:
    """A reason without the excerpt of a text that follows it."""
    return reason.splitlines()[0] if reason else ""


def summary(verdict: DataflowVerdict, in_full: bool = False) -> list[str]:
    """How many wires have which answer, what has to be built again, and what is taken for granted."""
    counts = Counter(wire.change for wire in verdict.wires)
    shown = ", ".join(f"{counts[change]} {change}" for change in Change if counts[change]) or "nothing to compare"
    lines = [f"{len(verdict.wires)} {'wire' if len(verdict.wires) == 1 else 'wires'}: {shown}"]
    rebuilt = [wire.name for wire in verdict.wires if wire.needs_rebuild]
    spared = [wire.name for wire in verdict.wires if wire.edited and wire.change is Change.UNCHANGED]
    if rebuilt:
        lines += _filled(f"to be built again: {', '.join(rebuilt)}")
    if unread := sum(map(len, unread_of(verdict.pair, "new").values())):
        lines.append(f"known by their texts alone: {unread} of {len(verdict.pair.new)} in the new version (--coverage)")
    if renamed := [f"{wire.old} to {wire.name}" for wire in verdict.wires if wire.is_renamed]:
        lines += _filled(f"to be renamed, and the same: {', '.join(renamed)}")
    if spared:
        lines += _filled(f"edited, but the same: {', '.join(spared)}")
    if verdict.certificate is not None:
        lines.append(f"certificate of {len(verdict.certificate)} bytes, audited: no solver has to be trusted")
    lines += _filled(f"assuming: {'; '.join(assumptions(verdict, in_full))}{'' if in_full else ' (--assumptions)'}")
    lines.append(f"compared in {verdict.seconds:.2f} s; calls of the prover: {verdict.calls}")
    return lines


def assumptions(verdict: DataflowVerdict, in_full: bool = True) -> list[str]:
    """What the answers take for granted, in words; each constraint that is assumed of a wire by itself."""
    made = verdict.pair.certificate()
    found = [each for each in Assumption if each in {*made.assumptions, *assumptions_of(made)}]
    short, special = ([], found) if in_full else parted(found)
    sentences = [", ".join(short)] * bool(short) + [each.value for each in special]
    return sentences + [line for wire in verdict.pair.new for line in constraints_of(wire)]


def constraints_of(wire: Wire) -> Iterable[str]:
    """What is assumed of the rows of a wire."""
    names = [column.name for column in wire.table.columns]
    for column, row in zip(wire.table.columns, wire.operator.columns, strict=True):
        if row.nullable and not column.nullable:
            yield f"{wire.name}.{column.name} is not NULL"
    for key in wire.table.keys:
        yield f"{wire.name} has unique ({', '.join(names[i] for i in key)})"
    for key in wire.table.foreign_keys:
        yield f"{wire.name}.{names[key.columns[0]]} refers to {key.table}"


def difference_lines(verdict: DataflowVerdict, wire: WireVerdict, difference: Difference) -> list[str]:
    """A database as small tables, and what a wire holds on it in either version."""
    lines: list[str] = []
    for name, names, types, rows in database_of(verdict, difference):
        lines += ["", *table(f"{name}:", names, types, rows)] if rows else []
    if not lines:
        lines.append("no source has a row")
    shown = returned(*results_of(verdict, wire, difference))
    return [f"  {line}".rstrip() for line in (*lines, "", *shown)]


def unread_of(pair: Pair, version: Literal["old", "new"]) -> dict[str, list[str]]:
    """The wires of a version that are known by their texts alone, by the cause, the most frequent one first."""
    found: dict[str, list[str]] = {}
    for wire in pair.old if version == "old" else pair.new:
        note = pair.notes[version].get(wire.name)
        if note is not None and isinstance(wire.operator, Opaque):
            cause = _PLACE.sub("", first_line(note).removeprefix("it is not understood: "))
            found.setdefault(BEHIND if cause.endswith("whose columns are not known") else cause, []).append(wire.name)
    return dict(sorted(found.items(), key=lambda each: (-len(each[1]), each[0])))


def coverage(pair: Pair) -> Iterator[str]:
    """For each version, how many wires are known by more than their texts, and which are not, by the cause."""
    versions: tuple[Literal["old", "new"], ...] = ("old", "new")
    for version in versions:
        unread, wires = unread_of(pair, version), pair.old if version == "old" else pair.new
        yield f"{version}: {len(wires) - sum(map(len, unread.values()))} of {len(wires)} read"
        for cause, names in unread.items():
            line = printable(f"{len(names):5}  {cause}: {', '.join(names)}")
            yield from textwrap.wrap(line, WIDTH, subsequent_indent=" " * 7, break_on_hyphens=False)


Rows = tuple[str, list[str], list[SqlType], list[SqlRow]]
"""The rows of a table: its title, the names and the types of its columns."""


def database_of(verdict: DataflowVerdict, difference: Difference) -> Iterator[Rows]:
    """The sources in a database on which wires differ, empty ones too."""
    for source in verdict.pair.catalogue.tables:
        yield _rows(verdict.pair, ("source", source.name), source.name, difference.database[source.name])


def results_of(verdict: DataflowVerdict, wire: WireVerdict, difference: Difference) -> Iterator[Rows]:
    """What a wire holds there in the old version, and in the new one."""
    yield _rows(verdict.pair, ("old", wire.old), f"old {wire.old}", difference.old.rows)
    yield _rows(verdict.pair, ("new", wire.name), f"new {wire.name}", difference.new.rows)


def _rows(pair: Pair, place: Holder, title: str, rows: Sequence[SqlRow]) -> Rows:
    return title, [column.name for column in pair.table(place).columns], *pair.shown(place, rows)


def _filled(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
