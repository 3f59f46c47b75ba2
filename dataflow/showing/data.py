"""A verdict as one JSON object."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tallystick.dataflow.showing.text import assumptions, database_of, results_of, unread_of
from tallystick.dataflow.verdict import Change, DataflowVerdict, WireVerdict
from tallystick.queries.tables import as_json


def to_json(verdict: DataflowVerdict) -> dict[str, Any]:
    """The verdict, wire by wire."""
    changes = [wire.change for wire in verdict.wires if wire.change is not Change.UNCHANGED]
    known = next((each for each in changes if each is not Change.UNKNOWN), None)
    return {
        "verdict": "changed" if known else str(Change.UNKNOWN if changes else Change.UNCHANGED),
        "wires": [_wire(wire, verdict) for wire in verdict.wires],
        "counts": {str(change): number for change, number in Counter(w.change for w in verdict.wires).items()},
        "rename": {wire.old: wire.name for wire in verdict.wires if wire.is_renamed},
        "rebuild": [wire.name for wire in verdict.wires if wire.needs_rebuild],
        "interrupted": verdict.interrupted,
        "coverage": {"old": unread_of(verdict.pair, "old"), "new": unread_of(verdict.pair, "new")},
        "assumptions": assumptions(verdict),
        "dialect": verdict.pair.dialect,
        "certified": verdict.certificate is not None,
        "calls": verdict.calls,
        "seconds": verdict.seconds,
    }


def _wire(wire: WireVerdict, verdict: DataflowVerdict) -> dict[str, Any]:
    content: dict[str, Any] = {
        "name": wire.name,
        "old": wire.old or None,
        "verdict": str(wire.change),
        "reason": wire.reason,
        "edited": wire.edited,
        "reads": list(wire.reads),
        "rebuild": wire.needs_rebuild,
        "computed_by": wire.computed_by or None,
        "columns": {name: str(change) for name, change in wire.by_column},
        "shared_columns": None if wire.shared is None else str(wire.shared.change),
        "witness": None,
    }
    if wire.difference is not None:
        sources, held = database_of(verdict, wire.difference), results_of(verdict, wire, wire.difference)
        content["witness"] = {
            "inputs": [as_json(*each) for each in sources],
            "outputs": [as_json(*each) for each in held],
        }
    return content
