"""The result of a query in a text: rows with names, an order, and columns that exist for the order alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.syntax import Limit, Project, Query, Values, references
from tallystick.core.queries.types import INTEGER, ColumnType
from tallystick.frontends.choices.marks import in_order
from tallystick.frontends.choices.order_keys import has_at_most_one_row
from tallystick.frontends.sql.scopes import Name, Relation


@dataclass(frozen=True)
class Result:
    """A query whose first columns have names; further columns are seen by its order only, whose keys are columns.

    Attributes:
        wild: see `Relation`.
    """

    query: Query
    names: tuple[Name, ...]
    order: tuple[OrderKey, ...] = ()
    wild: tuple[str, ...] | None = None

    def limited(self, count: int | None, offset: int) -> Result:
        """The rows that LIMIT and OFFSET leave."""
        if count == 0:
            return replace(self, query=Values((), self.query.columns))
        if offset == 0 and (count is None or has_at_most_one_row(self.query)):
            return self
        return replace(self, query=Limit(self.query, self.order, count, offset))

    def visible(self) -> Relation:
        """The rows as a bag, without the columns of the order; what chooses from them sees the order that they had."""
        width = len(self.names)
        if width == len(self.query.columns):
            query = in_order(self.query, *self.order) if self.order else self.query
            return Relation(query, self.names, self.wild)
        inner, values = self.query, references(self.query)
        if isinstance(inner, Project):
            inner, values = inner.input, inner.expressions
        keys = (replace(key, expression=values[key.expression.index]) for key in self.order)  # type: ignore[attr-defined]
        return Relation(Project(in_order(inner, *keys), values[:width]), self.names, self.wild)


def no_rows(width: int) -> Relation:
    """A relation of no rows and so many columns, all without a type."""
    columns = tuple(ColumnType(INTEGER, True) for _ in range(width))
    return Relation(Values((), columns), tuple(Name("", untyped=True) for _ in range(width)))
