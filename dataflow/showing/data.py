"""A verdict as one JSON object."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tallystick.core.queries.catalogue import Table
from tallystick.core.queries.types import INTEGER, SqlRow, SqlType, SqlValue
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
        pair = verdict.pair
        old, new = pair.wires["old", wire.old].table, pair.wires["new", wire.name].table
        content["difference"] = {
            "sources": {
                table.name: _rows(table, wire.difference.database[table.name]) for table in pair.catalogue.tables
            },
            "old": _rows(old, wire.difference.old.rows),
            "new": _rows(new, wire.difference.new.rows),
        }
    return content


def _rows(table: Table, rows: tuple[SqlRow, ...]) -> list[dict[str, int | bool | str | None]]:
    return [
        {column.name: _value(value, column.type) for column, value in zip(table.columns, row, strict=True)}
        for row in rows
    ]


def _value(value: SqlValue, type_: SqlType) -> int | bool | str | None:
    """A value as JSON has it; as it is shown, where JSON has no such value."""
    if value is None or isinstance(value, bool | str) or (isinstance(value, int) and type_ is INTEGER):
        return value
    return value_shown(value, type_)
