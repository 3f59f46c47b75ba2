"""Legal inputs: databases of the sources on which the wires of both versions satisfy what is assumed of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tallystick.certificates.dataflows.proofs import Place
from tallystick.core.queries.catalogue import Catalogue, Column, Database, ForeignKey, Table
from tallystick.core.queries.interpreter.constraints import Violation, constraints
from tallystick.core.queries.syntax import Statement, reference
from tallystick.core.queries.types import SqlRow
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.sweep.simulation import Simulation, Values
from tallystick.queries.candidates import origin


class Legality:
    """Which databases are legal; of wires that hang on opaque operators nothing is known.

    Attributes:
        wanted: the wires of which something is assumed, and those that it takes to see whether it holds.
    """

    def __init__(self, pair: Pair, simulation: Simulation) -> None:
        self.pair = pair
        stated = [
            place
            for place, wire in pair.wires.items()
            if wire.table.is_constrained or wire.table.row != wire.operator.columns
        ]
        targets: list[Place] = [
            (place[0], key.table) for place in stated for key in pair.wires[place].table.foreign_keys
        ]
        self.wanted = simulation.upstream(*stated, *(target for target in targets if target in pair.wires))
        hidden = {place for place in self.wanted if not isinstance(pair.wires[place].operator, Statement)}
        self.hidden = {place for place in self.wanted if hidden & simulation.upstream(place)}
        self.violations = [self._violation(version) for version in ("old", "new")]

    def _violation(self, version: str) -> Callable[[Database], Violation | None]:
        mine = {name for of, name in self.wanted - self.hidden if of == version}
        known = mine | {table.name for table in self.pair.catalogue.tables}
        tables = [*self.pair.catalogue.tables, *(self.pair.wires[version, name].table for name in sorted(mine))]  # type: ignore[index]
        kept = (
            replace(table, foreign_keys=tuple(key for key in table.foreign_keys if key.table in known))
            for table in tables
        )
        return constraints(Catalogue(tuple(kept)))

    def __call__(self, database: Database, values: Values) -> bool:
        """Whether a database is legal, by what the wanted wires hold; not if that is not determined."""
        for version, violation in zip(("old", "new"), self.violations, strict=True):
            rows: dict[str, tuple[SqlRow, ...]] = dict(database)
            for place in self.wanted - self.hidden:
                if place[0] == version:
                    if place not in values.outcomes:
                        return False
                    rows[place[1]] = values.outcomes[place].rows
            if violation(rows) is not None:
                return False
        return True


def likely(pair: Pair) -> Catalogue:
    """The sources with constraints that are mostly enough for legal inputs: what is assumed of a wire, said of the
    columns that it copies."""
    tables = dict(pair.catalogue.by_name)

    def source(version: str, name: str, index: int) -> tuple[str, int] | None:
        while name not in pair.catalogue.by_name:
            operator = pair.wires[version, name].operator  # type: ignore[index]
            if not isinstance(operator, Statement):
                return None
            place = origin((operator.query,), reference(operator.query, index))
            if place is None:
                return None
            name, index = place
        return name, index

    for (version, _), wire in pair.wires.items():
        at = [source(version, wire.name, index) for index in range(len(wire.table.columns))]
        for index, column in enumerate(wire.table.columns):
            if not column.nullable and wire.operator.columns[index].nullable:
                place = at[index]
                if place is not None:
                    tables[place[0]] = _filled(tables[place[0]], place[1])
        for key in wire.table.keys:
            places = [at[index] for index in key]
            of = {place[0] for place in places if place is not None}
            if len(of) == 1 and None not in places:
                table = tables[of.pop()]
                new = tuple(place[1] for place in places if place is not None)
                tables[table.name] = replace(table, keys=tuple(dict.fromkeys((*table.keys, new))))
        for key in wire.table.foreign_keys:
            here, there = at[key.columns[0]], source(version, key.table, key.referenced[0])
            if here is not None and there is not None and len(key.columns) == 1:
                table, made = tables[here[0]], ForeignKey((here[1],), there[0], (there[1],))
                same = table.columns[here[1]].type == tables[there[0]].columns[there[1]].type
                if same and made not in table.foreign_keys:
                    tables[here[0]] = replace(table, foreign_keys=(*table.foreign_keys, made))
    return Catalogue(tuple(tables.values()))


def _filled(table: Table, index: int) -> Table:
    columns: tuple[Column, ...] = tuple(
        replace(column, nullable=column.nullable and i != index) for i, column in enumerate(table.columns)
    )
    return replace(table, columns=columns)
