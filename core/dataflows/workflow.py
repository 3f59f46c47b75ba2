"""Workflows: named wires, each with the operator that fills it from tables of a catalogue and from earlier wires.

A wire is an output port of an operator: its rows are a bag, and go to whoever reads the wire. An operator that has a
meaning is a statement whose `Scan`s name what it reads; any other is opaque. Sets and lists need no wires of their own
kind: what is compared as a set, or reads a set, does so from a wire without duplicates; what is compared as a list is
a statement with an order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tallystick.core.dataflows.substitution import columns_of
from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.queries.syntax import Query, Scan, Statement
from tallystick.core.queries.traversal import nodes
from tallystick.core.queries.types import RowType, require


@dataclass(frozen=True)
class Opaque:
    """An operator of which nothing is known but what it reads, and its name.

    Attributes:
        function: operators of one name are one function of the bags that they read.
        inputs: the tables and wires that it reads, in the order of its input ports.
        columns: the types of its rows.
        repeatable: whether its rows are the same whenever it runs on the same inputs; not, if it draws at random, or
            depends on earlier runs.
    """

    function: str
    inputs: tuple[str, ...]
    columns: RowType
    repeatable: bool = True


@dataclass(frozen=True)
class Wire:
    """The rows of an operator.

    Attributes:
        table: the name of the wire and of its columns, and constraints that its rows are assumed to satisfy: keys,
            foreign keys to tables and wires, and NOT NULL. Its columns are nullable only if the operator's are.
        operator: what fills it. Who reads the wire sees the columns of the operator.
    """

    table: Table
    operator: Statement | Opaque

    def __post_init__(self) -> None:
        name, given, stated = self.table.name, self.operator.columns, self.table.row
        same = [column.type for column in given] == [column.type for column in stated]
        require(same, f"the columns of wire {name} are not those of its operator")
        narrower = all(one.nullable or not other.nullable for one, other in zip(given, stated, strict=True))
        require(narrower, f"wire {name} is said to hold NULL where its operator gives none")
        checks = self.table.checks or self.table.ranges
        require(not checks, f"wire {name} has checks or ranges: keys and NOT NULL alone may be assumed of wires")

    @property
    def name(self) -> str:
        """The name of the wire."""
        return self.table.name

    @property
    def reads(self) -> tuple[str, ...]:
        """The tables and wires that its operator reads, each once, in order of their names."""
        if isinstance(self.operator, Opaque):
            return tuple(sorted(set(self.operator.inputs)))
        return tuple(sorted({scan.table for scan in scans(self.operator)}))

    def scan(self) -> Scan:
        """The query that reads the wire."""
        return Scan(self.name, self.operator.columns)


Workflow = tuple[Wire, ...]
"""Wires, each after those that it reads."""


def scans(statement: Statement) -> Iterator[Scan]:
    """What a statement reads."""
    keys = (key.expression for key in statement.order)
    return (node for node in nodes(statement.query, *keys) if isinstance(node, Scan))


def visible(statement: Statement) -> Query:
    """The rows of a statement as a bag, without the columns that exist for its order alone."""
    return columns_of(statement.query, range(len(statement.names)), statement.columns)


def require_flow(workflow: Workflow, catalogue: Catalogue) -> None:
    """Raises SortError unless each wire reads tables of the catalogue and earlier wires, with the columns that these
    have, and no two have one name."""
    columns = {table.name: table.row for table in catalogue.tables}
    for wire in workflow:
        require(wire.name not in columns, f"two tables or wires have the name {wire.name}")
        for name in wire.reads:
            require(name in columns, f"wire {wire.name} reads {name}, which is no table and no earlier wire")
        for scan in scans(wire.operator) if isinstance(wire.operator, Statement) else ():
            require(scan.columns == columns[scan.table], f"wire {wire.name} reads other columns than {scan.table} has")
        columns[wire.name] = wire.operator.columns
    for wire in workflow:
        for key in wire.table.foreign_keys:
            require(key.table in columns, f"wire {wire.name} refers to {key.table}, which is no table and no wire")
            target, own = columns[key.table], wire.operator.columns
            known = all(0 <= index < len(target) for index in key.referenced)
            require(known, f"wire {wire.name} refers to a column that {key.table} does not have")
            same = [target[index].type for index in key.referenced] == [own[index].type for index in key.columns]
            require(same, f"wire {wire.name} refers to {key.table} by columns of other types")
