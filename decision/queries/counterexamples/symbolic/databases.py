"""Databases of unknown rows that satisfy a catalogue, and the database of a model."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import z3
from tallystick.core.queries.catalogue import Catalogue, Column, Database, ForeignKey, Table
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.types import MICROSECONDS_A_DAY, SqlRow, SqlType, SqlValue
from tallystick.decision.queries.counterexamples.pools import FIRST_DAY, LAST_DAY
from tallystick.decision.queries.counterexamples.symbolic.cells import (
    Rows,
    SymbolicRow,
    SymbolicValue,
    Truth,
    both,
    conj,
    disj,
    neg,
    same,
    same_rows,
    truth_of,
)
from tallystick.decision.queries.counterexamples.symbolic.expressions import Expressions
from tallystick.decision.queries.counterexamples.symbolic.texts import Functions


class Unknowns:
    """Tables of at most so many unknown rows, and what makes them a database of the catalogue."""

    def __init__(self, catalogue: Catalogue, sizes: Mapping[str, int], functions: Functions) -> None:
        self.catalogue, self.functions = catalogue, functions
        self.tables: Mapping[str, Rows] = {
            table.name: [self._row(table, number) for number in range(sizes[table.name])] for table in catalogue.tables
        }

    def _row(self, table: Table, number: int) -> SymbolicRow:
        name = f"{table.name} {number}"
        cells = (self._cell(f"{name} {index}", column) for index, column in enumerate(table.columns))
        return SymbolicRow(z3.Bool(name), tuple(cells))

    def _cell(self, name: str, column: Column) -> SymbolicValue:
        sort = {SqlType.BOOLEAN: z3.Bool, SqlType.DECIMAL: z3.Real}.get(column.type, z3.Int)
        return SymbolicValue(sort(name), z3.Bool(f"{name} null") if column.nullable else False, column.type)

    def constraints(self, expressions: Expressions) -> list[Truth]:
        """What makes the rows a database of the catalogue; absent rows are the last ones."""
        found: list[Truth] = []
        for table in self.catalogue.tables:
            rows = self.tables[table.name]
            found += [disj((first.present, neg(second.present))) for first, second in pairwise(rows)]
            found += [self._value(cell) for row in rows for cell in row.cells]
            found += [self._has_room(room, row.cells[index]) for row in rows for index, room in table.ranges.items()]
            for key in table.keys:
                found += [_differ(key, *pair) for pair in combinations(rows, 2)]
            for foreign in table.foreign_keys:
                found += [self._refers(foreign, row) for row in rows]
            for check in table.checks:
                for row in rows:
                    cell = expressions.cell(check, (row.cells,))
                    found.append(disj((neg(row.present), cell.null, truth_of(cell))))
        return found

    def _value(self, cell: SymbolicValue) -> Truth:
        """What values of a type there are."""
        match cell.type:
            case SqlType.TEXT:
                return self.functions.is_text(cell)
            case SqlType.DATE:
                return conj((cell.value >= FIRST_DAY, cell.value <= LAST_DAY))
            case SqlType.TIMESTAMP:
                day = MICROSECONDS_A_DAY
                return conj((cell.value >= FIRST_DAY * day, cell.value < (LAST_DAY + 1) * day))
            case _:
                return True

    def _has_room(self, room: Range, cell: SymbolicValue) -> Truth:
        """What values a declared type has room for; NULL stands for any."""
        parts: list[Truth] = []
        if room.length is not None:
            numbers = self.functions.texts.number_of
            parts += [cell.value != number for text, number in numbers.items() if text not in room]
        if room.scale is not None:
            units = cell.value * 10**room.scale if room.scale > 0 else cell.value
            unit = max(int(room.unit), 1)
            parts += [z3.IsInt(units)] if cell.type is SqlType.DECIMAL else [] if unit == 1 else [units % unit == 0]
            parts += [] if room.least is None else [units >= room.least * unit]
            parts += [] if room.greatest is None else [units <= room.greatest * unit]
        return disj((cell.null, conj(parts))) if parts else True

    def _refers(self, key: ForeignKey, row: SymbolicRow) -> Truth:
        own = [row.cells[index] for index in key.columns]
        targets = [
            both(other.present, same_rows(own, [other.cells[index] for index in key.referenced]))
            for other in self.tables[key.table]
        ]
        return disj((neg(row.present), *(cell.null for cell in own), *targets))

    def database(self, model: Any) -> Database:
        """The database of a model."""
        return {
            name: tuple(self._concrete(row, model) for row in rows if z3.is_true(model.eval(row.present, True)))
            for name, rows in self.tables.items()
        }

    def _concrete(self, row: SymbolicRow, model: Any) -> SqlRow:
        return tuple(self._concrete_cell(cell, model) for cell in row.cells)

    def _concrete_cell(self, cell: SymbolicValue, model: Any) -> SqlValue:
        if cell.null is not False and z3.is_true(model.eval(cell.null, True)):
            return None
        value = model.eval(cell.value, True)
        match cell.type:
            case SqlType.BOOLEAN:
                return bool(z3.is_true(value))
            case SqlType.DECIMAL:
                if z3.is_algebraic_value(value):
                    value = value.approx(10)
                return Fraction(value.numerator_as_long(), value.denominator_as_long())
            case SqlType.TEXT:
                return self.functions.texts.text_of[value.as_long()]
            case _:
                return int(value.as_long())


def _differ(key: tuple[int, ...], left: SymbolicRow, right: SymbolicRow) -> Truth:
    parts: list[Truth] = [neg(left.present), neg(right.present)]
    for index in key:
        one, other = left.cells[index], right.cells[index]
        parts += [one.null, other.null, neg(same(one, other))]
    return disj(parts)
