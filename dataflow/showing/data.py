"""A verdict as one JSON object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tallystick.core.queries.types import INTEGER, SqlRow, SqlType, SqlValue
from tallystick.dataflow.pair import Holder, Pair
from tallystick.dataflow.showing.text import assumptions
from tallystick.dataflow.verdict import DataflowVerdict, WireVerdict
from tallystick.queries.tables import value_shown


def to_json(verdict: DataflowVerdict) -> dict[str, Any]:
    """The verdict, wire by wire."""
    return {
        "wires": [_wire(wire, verdict) for wire in verdict.wires],
        "counts": {str(change): number for change, number in Counter(w.change for w in verdict.wires).items()},
        "rename": {wire.old: wire.name for wire in verdict.wires if wire.is_renamed},
        "rebuild": [wire.name for wire in verdict.wires if wire.needs_rebuild],
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
        "difference": None,
    }
    if wire.difference is not None:
        pair, found = verdict.pair, wire.difference
        content["difference"] = {
            "sources": {
                table.name: _rows(pair, ("source", table.name), found.database[table.name])
                for table in pair.catalogue.tables
            },
            "old": _rows(pair, ("old", wire.old), found.old.rows),
            "new": _rows(pair, ("new", wire.name), found.new.rows),
        }
    return content


def _rows(pair: Pair, place: Holder, rows: Sequence[SqlRow]) -> list[dict[str, int | bool | str | None]]:
    types, shown = pair.shown(place, rows)
    names = [column.name for column in pair.table(place).columns]
    return [{name: _value(value, type_) for name, value, type_ in zip(names, row, types, strict=True)} for row in shown]


def _value(value: SqlValue, type_: SqlType) -> int | bool | str | None:
    """A value as JSON has it; as it is shown, where JSON has no such value."""
    if value is None or isinstance(value, bool | str) or (isinstance(value, int) and type_ is INTEGER):
        return value
    return value_shown(value, type_)
