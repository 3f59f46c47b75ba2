"""The result of a query in a text: rows with names, an order, and columns that exist for the order alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tallystick.core.queries.calls import OrderKey, WindowCall, WindowFunction
from tallystick.core.queries.expressions import And, Arithmetic, Comparison, Expression, Literal
from tallystick.core.queries.syntax import Filter, Limit, Project, Query, Values, Window, reference, references
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

    def limited(self, count: int | Expression | None, offset: int | Expression) -> Result:
        """The rows that LIMIT and OFFSET leave."""
        if isinstance(count, Expression) or isinstance(offset, Expression):
            return self._numbered(_integer(0 if count is None else count), _integer(offset), bounded=count is not None)
        if count == 0:
            return replace(self, query=Values((), self.query.columns))
        if offset == 0 and (count is None or has_at_most_one_row(self.query)):
            return self
        return replace(self, query=Limit(self.query, self.order, count, offset))

    def _numbered(self, count: Expression, offset: Expression, bounded: bool) -> Result:
        """The rows after the first `offset`, `count` of them or all, where these are known by name alone."""
        numbered = Window(self.query, (WindowCall(WindowFunction("row_number"), (), self.order, None),))
        number = reference(numbered, len(self.query.columns))
        last = (Comparison("<=", number, Arithmetic("+", offset, count)),) if bounded else ()
        rows = Filter(numbered, And((Comparison(">", number, offset), *last)))
        return replace(self, query=Project(rows, references(rows)[:-1]))

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


def _integer(number: int | Expression) -> Expression:
    return Literal(number, INTEGER) if isinstance(number, int) else number


def no_rows(width: int) -> Relation:
    """A relation of no rows and so many columns, all without a type."""
    columns = tuple(ColumnType(INTEGER, True) for _ in range(width))
    return Relation(Values((), columns), tuple(Name("", untyped=True) for _ in range(width)))
