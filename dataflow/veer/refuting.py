"""Inputs on which results differ: the one ground for calling two versions inequivalent."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.dataflows.kernel import Composition
from tallystick.core.clock import clock
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.sweep.inputs import Inputs
from tallystick.dataflow.veer.mapping import Mapping
from tallystick.dataflow.verdict import Difference

INPUTS = 24
"""Random legal inputs that all wires are run on first."""
SECONDS_A_WIRE = 1.0
"""For a search on one wire, a solver's time included."""


@dataclass(frozen=True)
class Found:
    """A result, by its names in both versions, and an input on which it differs."""

    old: str
    new: str
    difference: Difference


def refuted(mapping: Mapping, sinks: tuple[tuple[str, str], ...], seconds: float) -> Found | None:
    """A legal input on which a result differs, as far as it is found in some seconds of the processor.

    Wires are told apart from the sources on: what tells one apart is mostly a good input for the next.
    """
    pair, deadline = mapping.pair, clock() + seconds
    inputs = Inputs(pair, Composition(pair.certificate()))
    inputs.fill(INPUTS)
    for old, new in mapping.images:
        types = _types(pair, 0, old)
        if types != _types(pair, 1, new):
            continue
        columns = tuple(range(len(types)))
        found = inputs.difference(("old", old), ("new", new), columns)
        if found is None and clock() < deadline and _is_edited(mapping, inputs, old, new):
            found = inputs.search(("old", old), ("new", new), columns, SECONDS_A_WIRE, 1)
        if found is not None and (old, new) in sinks:
            return Found(old, new, found)
    return None


def _is_edited(mapping: Mapping, inputs: Inputs, old: str, new: str) -> bool:
    """Whether an edit is above a wire."""
    above = {name for _, name in inputs.simulation.upstream(("old", old), ("new", new))}
    return any(above & {each for each in unit if each} for edit in mapping.edits for unit in edit)


def _types(pair: Pair, side: int, name: str) -> list[object]:
    wire = next(wire for wire in (pair.old, pair.new)[side] if wire.name == name)
    return [column.type for column in wire.table.columns]
