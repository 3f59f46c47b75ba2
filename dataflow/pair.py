"""Two versions of a workflow over one catalogue: what a comparison is about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from tallystick.certificates.dataflows.kernel import assumptions_of
from tallystick.certificates.dataflows.proofs import Claim, Cut, DataflowCertificate, Place
from tallystick.core.dataflows.workflow import Opaque, Wire, Workflow
from tallystick.core.queries.assumptions import Assumption, of_checks
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.switches import Switches
from tallystick.core.queries.syntax import Project, Statement, reference
from tallystick.core.queries.types import DECIMAL, SqlRow, SqlType, SqlValue
from tallystick.dataflow.columns import Named, shared
from tallystick.frontends.errors import SourceError
from tallystick.frontends.workflows.version import Version, Written

Holder = tuple[Literal["old", "new", "source"], str]
"""What holds rows: a wire of a version, or a source."""


@dataclass(frozen=True)
class Pair:
    """Two versions. What is assumed of tables and wires is what the new version says of them.

    Attributes:
        notes: for each version, why wires are opaque.
        texts: for each version, what its wires were read from.
        queries: for each version, the texts of its wires that were read from queries, as they were written.
        ordered: whether wires that have an order are lists.
        parts: wires that were added to compare some columns of another: its name, and the column, or "" for all that
            both versions have.
        functions: functions of the user's that may be called to find differences.
        digits: behind the point of the columns of sources and wires whose values are numbers of units.
        on_spark: calls both versions themselves on Spark, on the inputs of a verdict's differences; None if they are
            printed as queries.
    """

    catalogue: Catalogue
    old: Workflow
    new: Workflow
    dialect: str
    switches: Switches
    unenforced: tuple[str, ...]
    assumptions: frozenset[Assumption]
    notes: Mapping[str, Mapping[str, str]]
    texts: Mapping[str, Mapping[str, str]]
    ordered: bool
    queries: Mapping[str, Mapping[str, Written]] = field(default_factory=dict)
    parts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict, compare=False)
    digits: Mapping[Holder, tuple[int, ...]] = field(default_factory=dict)
    on_spark: Callable[[Any], Any] | None = field(default=None, compare=False)

    @cached_property
    def wires(self) -> dict[Place, Wire]:
        """The wires of both versions."""
        found: dict[Place, Wire] = {("old", wire.name): wire for wire in self.old}
        found.update((("new", wire.name), wire) for wire in self.new)
        return found

    @cached_property
    def edited(self) -> frozenset[str]:
        """The wires of both versions whose texts differ, or, where there are none, whose operators do."""
        old, new = ({wire.name: wire for wire in workflow} for workflow in (self.old, self.new))
        texts = self.texts["old"], self.texts["new"]
        return frozenset(
            name
            for name in old.keys() & new.keys()
            if (
                texts[0][name] != texts[1][name]
                if texts[0].get(name) and texts[1].get(name)
                else old[name].operator != new[name].operator
            )
        )

    def columns(self, place: Place) -> list[Named]:
        """The columns of a wire."""
        own, known = self.wires[place].table.columns, self.digits.get(place)
        digits = known or (0,) * len(own)
        return [Named(column.name, column.type, each) for column, each in zip(own, digits, strict=True)]

    def with_parts(self, columns: bool) -> Pair:
        """The pair with a wire for the columns that both versions have of a wire, where these are not all; with
        `columns`, also one for each of them."""
        old, new = ({wire.name: wire for wire in workflow} for workflow in (self.old, self.new))
        added: tuple[list[Wire], list[Wire]] = ([], [])
        parts: dict[str, tuple[str, str]] = {}
        for name in new:
            if name not in old or any(isinstance(each[name].operator, Opaque) for each in (old, new)):
                continue
            common = shared(self.columns(("old", name)), self.columns(("new", name)))
            whole = len(common) == len(old[name].table.columns) == len(new[name].table.columns)
            wanted = [("the columns of both", common)] if common and not whole else []
            wanted += [(column, [column]) for column in common] if columns else []
            for title, chosen in wanted:
                part = f"{name}: {title}"
                parts[part] = name, title if title in common and chosen == [title] else ""
                added[0].append(_columns_of(old[name], chosen, part))
                added[1].append(_columns_of(new[name], chosen, part))
        return replace(self, old=(*self.old, *added[0]), new=(*self.new, *added[1]), parts=parts)

    def table(self, place: Holder) -> Table:
        """A source, or a wire as a table."""
        version, name = place
        return self.catalogue.by_name[name] if version == "source" else self.wires[version, name].table

    def shown(self, place: Holder, rows: Sequence[SqlRow]) -> tuple[list[SqlType], list[SqlRow]]:
        """Rows as they are shown, with their types: units as the numbers that they stand for."""
        table = self.table(place)
        digits = self.digits.get(place) or (0,) * len(table.columns)
        types = [DECIMAL if each else column.type for column, each in zip(table.columns, digits, strict=True)]
        found = [tuple(_without_units(value, each) for value, each in zip(row, digits, strict=True)) for row in rows]
        return types, found

    def only(self, names: Collection[str]) -> Pair:
        """The pair with some wires, and whatever these read."""
        kept = []
        for workflow in (self.old, self.new):
            wanted = set(names)
            for wire in reversed(workflow):
                if wire.name in wanted:
                    wanted |= {*wire.reads, *(key.table for key in wire.table.foreign_keys)}
            kept.append(tuple(wire for wire in workflow if wire.name in wanted))
        return replace(self, old=kept[0], new=kept[1])

    def certificate(
        self, cuts: Sequence[Cut] = (), claims: Sequence[Claim] = (), producer: tuple[tuple[str, str], ...] = ()
    ) -> DataflowCertificate:
        """A certificate of claims about the two."""
        unenforced = tuple(name for name in self.unenforced if self.catalogue.by_name[name].is_constrained)
        made = DataflowCertificate(
            self.catalogue,
            self.old,
            self.new,
            unenforced,
            self.dialect,
            self.switches,
            (),
            "dataflow",
            producer,
            (*cuts, *claims),
        )
        assumed = {*self.assumptions, *assumptions_of(made), *of_checks(self.catalogue)}
        if unenforced:
            assumed.add(Assumption.NOT_ENFORCED)
        return replace(made, assumptions=tuple(each for each in Assumption if each in assumed))


def paired(old: Version, new: Version) -> Pair:
    """Two versions as a pair: the ranges of columns are those of the new version.

    Raises SourceError where a source has other columns in one than in the other.
    """
    if (old.dialect, old.switches) != (new.dialect, new.switches):
        raise SourceError(f"the versions are in the dialects {old.dialect} and {new.dialect}", "--dialect")
    tables = dict(old.catalogue.by_name)
    for name, table in new.catalogue.by_name.items():
        if name in tables and tables[name].shape != table.shape:
            hint = "declare the columns that both versions may read with --schema"
            raise SourceError(f"the source {name} has other columns in the new version", name, hint=hint)
        tables[name] = table
    unenforced = {*new.unenforced, *(old.unenforced - new.catalogue.by_name.keys())}
    theirs = {wire.name: wire.table for wire in new.wires}
    return Pair(
        Catalogue(tuple(tables.values())),
        tuple(replace(wire, table=_as_in(theirs.get(wire.name), wire)) for wire in old.wires),
        new.wires,
        new.dialect,
        new.switches,
        tuple(sorted(unenforced)),
        old.assumptions | new.assumptions,
        {"old": old.notes, "new": new.notes},
        {"old": old.texts, "new": new.texts},
        old.ordered and new.ordered,
        {"old": old.queries, "new": new.queries},
        digits=_digits(old, new),
    )


def _without_units(value: SqlValue, digits: int) -> SqlValue:
    return Fraction(value, 10**digits) if digits and isinstance(value, int) else value


def _digits(old: Version, new: Version) -> dict[Holder, tuple[int, ...]]:
    """The digits of both versions. Raises SourceError where a source has others in one than in the other."""
    found: dict[Holder, tuple[int, ...]] = {}
    for version in (old, new):
        for name, digits in version.digits.items():
            if name not in version.catalogue.by_name:
                found["old" if version is old else "new", name] = digits
            elif found.setdefault(("source", name), digits) != digits:
                raise SourceError(f"the source {name} has other columns in the new version", name)
    return found


def _as_in(new: Table | None, wire: Wire) -> Table:
    """What is assumed of a wire of the old version: no more than the new one assumes of the wire of its name."""
    if new is None:
        return wire.table
    places = {column.name: index for index, column in enumerate(new.columns)}
    at = [places.get(column.name) for column in wire.table.columns]
    filled = [
        row.nullable and (column.nullable or place is None or new.columns[place].nullable)
        for row, column, place in zip(wire.operator.columns, wire.table.columns, at, strict=True)
    ]
    keys = [key for key in wire.table.keys if tuple(at[i] for i in key) in new.keys]
    kept = {(tuple(at[i] for i in key.columns), key.table): key for key in wire.table.foreign_keys}
    foreign = {(key.columns, key.table) for key in new.foreign_keys}
    return replace(
        wire.table,
        columns=tuple(replace(each, nullable=may) for each, may in zip(wire.table.columns, filled, strict=True)),
        keys=tuple(keys),
        foreign_keys=tuple(key for what, key in kept.items() if what in foreign),
    )


def _columns_of(wire: Wire, names: Sequence[str], part: str) -> Wire:
    """A wire with some columns of another."""
    places = [column.name for column in wire.table.columns]
    query = Project(wire.scan(), tuple(reference(wire.scan(), places.index(name)) for name in names))
    statement = Statement(query, tuple(names))
    columns = (Column(name, row.type, row.nullable) for name, row in zip(names, statement.columns, strict=True))
    return Wire(Table(part, tuple(columns)), statement)
