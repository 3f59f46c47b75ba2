"""Which wires a user asks about."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from tallystick.dataflow.pair import Pair
from tallystick.frontends.errors import SourceError


def selected(pair: Pair, patterns: Sequence[str]) -> tuple[Pair, frozenset[str] | None, tuple[str, ...]]:
    """The pair with the wires of these names and what they read, and the names, all without patterns; and the patterns
    that fit nothing.

    `+name` stands for the wire and all that it reads, `name+` for it and all that read it, directly or not. Raises
    SourceError where no pattern fits anything.
    """
    if not patterns:
        return pair, None, ()
    reads: dict[str, set[str]] = {}
    for wire in pair.wires.values():
        reads.setdefault(wire.name, set()).update(wire.reads)
    names: set[str] = set()
    idle: list[str] = []
    for pattern in patterns:
        found = {name for name in reads if fnmatchcase(name, pattern.strip("+"))}
        idle += [] if found else [pattern]
        above, below = set(found), set(found)
        if pattern.startswith("+"):
            _close(above, reads)
        if pattern.endswith("+"):
            _close(below, {name: {each for each in reads if name in reads[each]} for name in reads})
        names |= above | below
    if not names:
        raise SourceError(f"no model fits {' or '.join(map(repr, idle))}", "--select")
    return pair.only(names), frozenset(names), tuple(idle)


def _close(names: set[str], edges: dict[str, set[str]]) -> None:
    pending = list(names)
    while pending:
        new = edges.get(pending.pop(), set()) & edges.keys() - names
        names |= new
        pending += new
