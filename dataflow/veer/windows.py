"""Windows: parts of both versions, and what has to be equal where wires leave them (section 3).

Sound where definition 3.1 and lemma 4.1 are not:

* every wire that leaves a window is compared, also one that is read inside of it too (the paper's sinks of a window
  have no reader inside);
* an operator that is inserted or deleted is compared with the bare wire (the paper compares nothing);
* what comes in from outside is one variable for both versions, named by the unit that it comes from, also at the second
  port of a join (definition 3.4 leaves it open).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from tallystick.core.dataflows.substitution import Substitution, columns_of
from tallystick.core.dataflows.workflow import Opaque, Wire, visible
from tallystick.core.errors import SortError
from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.queries.syntax import Query, Scan, Statement
from tallystick.core.queries.traversal import nodes
from tallystick.dataflow.veer.mapping import Mapping, Unit
from tallystick.dataflow.veer.relations import Relation, demands

Window = frozenset[Unit]
Output = tuple[str, str]
"""A wire of the old version and one of the new, which are to be equal."""


@dataclass(frozen=True)
class Question:
    """What a verifier is asked: whether two statements over variable tables are equal.

    Attributes:
        demand: how equal they have to be.
        needs: the wires that the variables stand for, which are to be equal for the answer to be of use.
    """

    left: Statement
    right: Statement
    catalogue: Catalogue
    demand: Relation
    needs: frozenset[Output]


class UnfitWindowError(Exception):
    """A window about which no question can be asked: why."""


class Windows:
    """The windows of a mapping. Questions are made once for each."""

    def __init__(self, mapping: Mapping) -> None:
        self.mapping, self.pair = mapping, mapping.pair
        self.made: dict[Window, tuple[Question, ...] | str] = {}
        self.demands = demands(self.pair.old), demands(self.pair.new)

    @cached_property
    def wires(self) -> tuple[dict[str, Wire], dict[str, Wire]]:
        """The wires of both versions by name."""
        old, new = self.pair.old, self.pair.new
        return {wire.name: wire for wire in old}, {wire.name: wire for wire in new}

    @cached_property
    def sinks(self) -> tuple[Output, ...]:
        """The results: mapped wires that nobody reads in one of the versions."""
        read = [{name for each in side.values() for name in each.ports} for side in self.mapping.properties]
        return tuple((old, new) for old, new in self.mapping.images if old not in read[0] or new not in read[1])

    def questions(self, window: Window) -> tuple[Question, ...]:
        """What has to be true of a window. Raises UnfitWindowError where it cannot be asked of the window alone."""
        if window not in self.made:
            try:
                self.made[window] = tuple(self.question(window, output) for output in self.outputs(window))
            except UnfitWindowError as problem:
                self.made[window] = str(problem)
        found = self.made[window]
        if isinstance(found, str):
            raise UnfitWindowError(found)
        return found

    def outputs(self, window: Window) -> tuple[Output, ...]:
        """The wires that leave a window, with those that they are compared with."""
        found: dict[Output, None] = {}
        old, new = self.mapping.unit_of
        for unit in self.mapping.units:
            if unit not in window:
                for a, b in self.read_by(unit):
                    inside = a is not None and old[a] in window, b is not None and new[b] in window
                    if all(inside) and a is not None and b is not None:
                        found[a, b] = None
                        continue
                    if any(inside) and a is not None and b is not None and self.root(0, a) != self.root(1, b):
                        raise UnfitWindowError(f"{a} and {b} are read in one place, and only one is in the window")
                    if inside[0] and a is not None:
                        found[a, self.counterpart(0, a)] = None
                    if inside[1] and b is not None:
                        found[self.counterpart(1, b), b] = None
        found |= {(a, b): None for a, b in self.sinks if (a, b) in window}
        return tuple(found)

    def read_by(self, unit: Unit) -> Iterator[tuple[str | None, str | None]]:
        """What a unit reads at each port in both versions."""
        old, new = unit
        before = self.mapping.properties[0][old].ports if old in self.mapping.properties[0] else ()
        after = self.mapping.properties[1][new].ports if new in self.mapping.properties[1] else ()
        if old is not None and new is not None and len(before) == len(after):
            yield from zip(before, after, strict=True)
        else:
            yield from ((name, None) for name in before)
            yield from ((None, name) for name in after)

    def root(self, side: int, name: str) -> Unit | None:
        """The unit that stands for a wire: its own if it is mapped, else that of its first input, the bare wire."""
        unit = self.mapping.unit_of[side][name]
        while None in unit:
            ports = self.mapping.properties[side][unit[side] or ""].ports
            if not ports:
                return None
            unit = self.mapping.unit_of[side][ports[0]]
        return unit

    def counterpart(self, side: int, name: str) -> str:
        """The wire of the other version that a wire is compared with. Raises UnfitWindowError if there is none."""
        root = self.root(side, name)
        other = None if root is None else root[1 - side]
        if other is None:
            raise UnfitWindowError(f"{name} has no counterpart in the other version")
        return other

    def question(self, window: Window, output: Output) -> Question:
        """Whether two wires are equal, over variables for what comes in from outside."""
        terms = [_Term(self, window, side) for side in (0, 1)]
        left, right = (term.statement(name) for term, name in zip(terms, output, strict=True))
        if [each.type for each in left.columns] != [each.type for each in right.columns]:
            raise UnfitWindowError(f"{output[0]} and {output[1]} have other columns")
        demand = min(self.demands[0].get(output[0], Relation.BAG), self.demands[1].get(output[1], Relation.BAG))
        if self.pair.ordered and output in self.sinks and (left.order or right.order):
            demand = Relation.LIST
        else:
            left, right = replace(left, order=()), replace(right, order=())
            left, right = Statement(visible(left), left.names), Statement(visible(right), right.names)
        return Question(left, right, self.catalogue(window, left, right), demand, terms[0].needs | terms[1].needs)

    def catalogue(self, window: Window, *statements: Statement) -> Catalogue:
        """The tables of statements: sources inside of the window with their constraints, and variables."""
        sources, found = self.pair.catalogue.by_name, {}
        for statement in statements:
            for node in nodes(statement.query, *(key.expression for key in statement.order)):
                if isinstance(node, Scan):
                    found[node.table] = self.table(node, (node.table, node.table) in window, sources)
        return Catalogue(
            tuple(
                replace(each, foreign_keys=tuple(key for key in each.foreign_keys if key.table in found))
                for each in found.values()
            )
        )

    def table(self, scan: Scan, inside: bool, sources: dict[str, Table]) -> Table:
        """The table of a scan; nothing is assumed of a source outside of the window."""
        if scan.table in sources:
            return sources[scan.table] if inside else replace(sources[scan.table], keys=(), foreign_keys=(), checks=())
        unit = next(each for each in self.mapping.units if variable(each) == scan.table)
        columns = self.wires[0][unit[0] or ""].table.columns
        typed = zip(columns, scan.columns, strict=True)
        return Table(scan.table, tuple(replace(each, nullable=row.nullable) for each, row in typed))


def variable(unit: Unit) -> str:
    """The name of the table that stands for a mapped unit outside of a window."""
    return f"{unit[0]} = {unit[1]}"


class _Term:
    """What fills wires of one version, down to what comes into a window."""

    def __init__(self, windows: Windows, window: Window, side: int) -> None:
        self.windows, self.window, self.side = windows, window, side
        self.needs: frozenset[Output] = frozenset()
        self.substitution = Substitution(self.filled)

    def statement(self, name: str) -> Statement:
        """What fills a wire, with its order if it is inside of the window."""
        wire = self.windows.wires[self.side].get(name)
        if wire is None:
            source = self.windows.pair.catalogue.by_name[name]
            return Statement(Scan(name, source.row), tuple(each.name for each in source.columns))
        if self.windows.mapping.unit_of[self.side][name] not in self.window:
            return Statement(self.filled(wire.scan()), tuple(each.name for each in wire.table.columns))
        operator = self.operator(wire)
        return Statement(self.substitution(operator.query), operator.names, self.substitution(operator.order))

    def operator(self, wire: Wire) -> Statement:
        if isinstance(wire.operator, Opaque):
            raise UnfitWindowError(f"nothing is known of what fills {wire.name}")
        return wire.operator

    def filled(self, scan: Scan) -> Query:
        """What is in the place of a wire: what fills it inside of the window, a variable outside."""
        windows, side = self.windows, self.side
        unit = windows.mapping.unit_of[side][scan.table]
        if scan.table in windows.pair.catalogue.by_name:
            return scan
        if unit in self.window:
            return self.substitution(visible(self.operator(windows.wires[side][scan.table])))
        root = windows.root(side, scan.table)
        if root is None or root in self.window:
            raise UnfitWindowError(f"{scan.table} is outside of the window, and what it stands for is not")
        old, new = root[0] or "", root[1] or ""
        self.needs |= {(old, new), (scan.table, new) if side == 0 else (old, scan.table)}
        try:
            rows = self.variable(root)
            if len(rows.columns) != len(scan.columns):
                raise UnfitWindowError(f"{scan.table} and {root[0]} have other columns")
            return columns_of(rows, range(len(rows.columns)), scan.columns)
        except SortError as problem:
            raise UnfitWindowError(str(problem)) from None

    def variable(self, unit: Unit) -> Scan:
        """The table that stands for what two equal wires hold: NULL is where both may hold it."""
        windows, (old, new) = self.windows, unit
        if old in windows.pair.catalogue.by_name:
            return Scan(old, windows.pair.catalogue.by_name[old].row)
        rows = windows.wires[0][old or ""].operator.columns, windows.wires[1][new or ""].operator.columns
        if [each.type for each in rows[0]] != [each.type for each in rows[1]]:
            raise UnfitWindowError(f"{old} and {new} have other columns")
        both = tuple(replace(a, nullable=a.nullable and b.nullable) for a, b in zip(*rows, strict=True))
        return Scan(variable(unit), both)
