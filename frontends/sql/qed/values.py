"""What all parts of a plan's reading share: the row around each expression, types, and the error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlglot import exp
from tallystick.core.queries.catalogue import Table
from tallystick.core.queries.expressions import Expression, Function, Literal, Reference
from tallystick.core.queries.types import TEXT, RowType, SqlType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.qed.functions import NO_NAMES, Names
from tallystick.frontends.sql.schema_json import parsed_type
from tallystick.frontends.sql.scopes import QueryReading
from tallystick.frontends.sql.source import SqlText

CALCITE = DIALECTS["calcite"]
NODE = exp.Null()
"""Stands for a place in a text, which a plan does not have."""


class PlanSource(SqlText):
    """A plan, for messages: it has no lines."""

    def error_at(self, start: int, end: int, message: str, hint: str = "") -> SourceError:
        return SourceError(message, self.name, hint=hint)


@dataclass(frozen=True)
class Rows:
    """The rows that an expression sees, the innermost last; columns are numbered from the outermost."""

    rows: tuple[RowType, ...]

    def reference(self, number: int) -> Reference | None:
        """The column of that number; None if there is none."""
        for level, row in zip(range(len(self.rows) - 1, -1, -1), self.rows, strict=True):
            if number < len(row):
                return Reference(level, number, row[number].type, row[number].nullable)
            number -= len(row)
        return None

    def inside(self, row: RowType) -> Rows:
        """The rows with one more, the innermost."""
        return Rows((*self.rows, row))


@dataclass(frozen=True)
class PlanReading:
    """A plan's tables by their numbers, what coercion asks for, and the names that its text tells."""

    tables: tuple[Table, ...]
    reading: QueryReading
    names: Names = NO_NAMES

    def error(self, message: str) -> SourceError:
        """The error of this plan."""
        return self.reading.error(None, message)


def plain_type(name: str | None) -> SqlType | None:
    """The type of that name; None for one whose values are known by their equality alone."""
    if name is None:
        return None
    known = parsed_type({"STRING": "TEXT"}.get(name, name), CALCITE)
    if known is None or known.type in (SqlType.MICROSECONDS, SqlType.OPAQUE) or name.endswith("]"):
        return None
    return known.type


def carried_type(name: str | None) -> SqlType:
    """The type that carries values of a type; texts stand for values that are known by their equality alone."""
    return plain_type(name) or TEXT


def named(name: str, arguments: tuple[Expression, ...], result: SqlType) -> Function:
    """A function of which nothing but the name is known."""
    return Function(name, arguments, result, strict=False)


def opaque_literal(type_name: str, text: str) -> Function:
    """A literal of a type that is not understood: two texts may denote one value."""
    return named(f"{type_name} literal", (Literal(text, TEXT),), TEXT)


def member(data: Any, key: str) -> Any:
    """A part of a plan, which need not be well formed."""
    if not isinstance(data, dict) or key not in data:
        raise SourceError(f"the plan has no {key!r} where one is expected", "plan")
    return data[key]
