"""What one reading of plans knows and collects: settings, tables, common table expressions, assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.catalogue import Catalogue, Column, ForeignKey, Table
from tallystick.core.queries.expressions import Expression, OnZero, Reference
from tallystick.core.queries.syntax import Project, Query, reference
from tallystick.core.queries.types import RowType
from tallystick.frontends.catalyst.nodes import Node, malformed, refused
from tallystick.frontends.catalyst.types import SparkType, column_type, spark_type
from tallystick.frontends.catalyst.values import Struct, Value
from tallystick.frontends.errors import SourceError


@dataclass(frozen=True)
class Settings:
    """What a plan does not say of its meaning: see the README."""

    version: str = "4"
    ansi: bool = True
    time_zone: str = "UTC"
    precision_loss: bool = True
    database: str = "default"

    @property
    def on_zero(self) -> OnZero:
        """What a division by zero gives that asks for nothing else."""
        return "error" if self.ansi else "null"

    @property
    def is_utc(self) -> bool:
        """Whether a timestamp with the session's zone and one without are the same."""
        return self.time_zone.upper() in ("UTC", "ETC/UTC", "Z", "GMT", "+00:00")

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Settings:
        """From the `settings` that were captured with a plan."""
        return cls(
            str(data.get("version", "4")),
            bool(data.get("ansi", True)),
            str(data.get("time_zone", "")),
            bool(data.get("precision_loss", True)),
            str(data.get("others", {}).get("database", "default")),
        )


@dataclass(frozen=True)
class SourceColumn:
    """A column of what a plan reads."""

    name: str
    type: SparkType
    nullable: bool


@dataclass(frozen=True)
class SourceTable:
    """What a plan reads: a table by its name, or something else by a name that says what it is.

    Keys are positions of columns; a foreign key is (positions, table, positions there). An *open* source is one of
    which nobody has said that it may have any rows, such as an RDD or a file: it is equal to itself, and no
    counterexample ranges over it.
    """

    name: str
    columns: tuple[SourceColumn, ...]
    keys: tuple[tuple[int, ...], ...] = ()
    foreign_keys: tuple[tuple[tuple[int, ...], str, tuple[int, ...]], ...] = ()
    is_open: bool = False

    def as_table(self) -> Table:
        """The table of the core: a decimal is the number of its units."""
        columns = tuple(Column(each.name, each.type.core, each.nullable, each.type.range) for each in self.columns)
        return Table(self.name, columns, self.keys, tuple(ForeignKey(*key) for key in self.foreign_keys))


@dataclass(frozen=True)
class Attribute:
    """A column of a relation: its identity in the plan, its name and type, and where it starts in the row."""

    id: int
    name: str
    type: SparkType
    index: int


@dataclass(frozen=True)
class Relation:
    """A query whose first columns are these attributes; in this order, if it has one."""

    query: Query
    attributes: tuple[Attribute, ...]
    order: tuple[OrderKey, ...] = ()

    @property
    def by_id(self) -> dict[int, Attribute]:
        """The attributes by their identities; of equal ones, the first."""
        return {attribute.id: attribute for attribute in reversed(self.attributes)}

    @property
    def width(self) -> int:
        """How many columns of the query are visible."""
        return width(attribute.type for attribute in self.attributes)

    def frame(self) -> RowScope:
        """Its rows as a scope."""
        return RowScope(self.by_id, self.query.columns)

    def values(self) -> list[Value]:
        """Its visible columns, without structs."""
        return [Value(reference(self.query, each.index), each.type) for each in self.attributes]


def shown(
    query: Query, columns: Iterable[Expression], attributes: Iterable[Attribute], order: tuple[OrderKey, ...] = ()
) -> Relation:
    """The columns over the rows of a query; keys of its order stand behind them as hidden columns."""
    visible = tuple(columns)
    projected = Project(query, (*visible, *(key.expression for key in order)))
    keys = (replace(key, expression=reference(projected, len(visible) + index)) for index, key in enumerate(order))
    return Relation(projected, tuple(attributes), tuple(keys))


def width(types: Iterable[SparkType]) -> int:
    """How many columns hold values of these types."""
    return sum(len(each.fields) or 1 for each in types)


@dataclass(frozen=True)
class RowScope:
    """The attributes of a row in scope, and the type of the row."""

    attributes: Mapping[int, Attribute]
    columns: RowType

    def value(self, attribute: Attribute, level: int) -> Value | Struct:
        """An attribute of a row that is so many scopes out."""
        types = attribute.type.fields or (attribute.type,)
        values = []
        for offset, type_ in enumerate(types):
            column = self.columns[attribute.index + offset]
            values.append(Value(Reference(level, attribute.index + offset, column.type, column.nullable), type_))
        return Struct(tuple(values), attribute.type.names) if attribute.type.fields else values[0]


Scopes = tuple[RowScope, ...]


@dataclass
class PlanReading:
    """What is known while plans are read: both plans of a pair share one."""

    settings: Settings
    tables: dict[str, SourceTable]
    aliases: dict[str, str] = field(default_factory=dict)
    closed: bool = False
    """Whether a schema says which tables there are."""
    assumptions: set[Assumption] = field(default_factory=lambda: {Assumption.NO_ERROR, Assumption.EXACT_NUMBERS})
    common: dict[int, tuple[Relation, int]] = field(default_factory=dict)
    """Common table expressions by their numbers, and how many scopes were around their definitions."""
    consumers: list[tuple[str, Node]] = field(default_factory=list)
    """The expressions that are being read, from the outermost inwards, each with what it takes values for."""
    choices: list[str] = field(default_factory=list)
    """What was read that chooses among rows, as a user calls it."""

    def type_of(self, node: Node, field_: str = "dataType") -> SparkType:
        """The type in a field of a node."""
        found = spark_type(node.fields.get(field_))
        if found is None:
            column = f"the column {node.text('name')}" if node.name == "AttributeReference" else node.name
            raise refused(node, f"the type {_named(node.fields.get(field_))} of {column} is not understood")
        return found

    def column_of(self, node: Node) -> SparkType:
        """The type of an attribute that a leaf has."""
        return column_type(node.fields.get("dataType"))

    def catalogue(self) -> Catalogue:
        """All tables."""
        return Catalogue(tuple(table.as_table() for table in self.tables.values()))


def unknown(type_: SparkType, column: str) -> SourceError:
    """The error of a column that may be there, but not be read."""
    return SourceError(f"the type {type_} of the column {column} is not understood", "the plan")


def require_equality(relation: Relation) -> Relation:
    """The relation, if equality of its values is known. Raises SourceError if it is not."""
    for attribute in relation.attributes:
        if attribute.type.kind == "unknown" or (attribute.type.fields and not attribute.type.names):
            raise unknown(attribute.type, attribute.name)
    return relation


def with_whole_structs(relation: Relation) -> Relation:
    """The relation with structs as one value each, which an outer join may make NULL."""
    if not any(attribute.type.fields for attribute in relation.attributes):
        return relation
    frame, values = relation.frame(), []
    for attribute in relation.attributes:
        value = frame.value(attribute, 0)
        whole = value.whole if isinstance(value, Struct) else value
        if whole is None:
            raise unknown(attribute.type, attribute.name)
        values.append(whole)
    pairs = enumerate(zip(relation.attributes, values, strict=True))
    attributes = tuple(replace(each, type=value.type, index=index) for index, (each, value) in pairs)
    return shown(relation.query, (value.expression for value in values), attributes, relation.order)


def expression_id(node: Node) -> int:
    """The identity of an attribute or alias."""
    found = node.fields.get("exprId")
    if not isinstance(found, dict) or not isinstance(found.get("id"), int):
        raise malformed(f"{node.name} has no exprId")
    return found["id"]


def renamed(attribute: Attribute, id_: int, name: str) -> Attribute:
    """The attribute with another identity."""
    return replace(attribute, id=id_, name=name)


def _named(type_: object) -> str:
    """A type as Spark writes it in JSON, in a word where it has one."""
    return str(type_.get("type", type_)) if isinstance(type_, dict) else str(type_)
