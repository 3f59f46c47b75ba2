"""Scalar expressions: one handler for each construct that is understood; all others are refused by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache, partial
from typing import Protocol

from sqlglot import exp
from tallystick.core.queries.expressions import Expression, Function
from tallystick.frontends.errors import UnknownNameError
from tallystick.frontends.sql.coercion import condition, typed
from tallystick.frontends.sql.folding import folded
from tallystick.frontends.sql.nulls import NULL, UntypedNull, Value
from tallystick.frontends.sql.parameters import NAME
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.scopes import (
    QueryReading,
    Relation,
    Scope,
    Tables,
    find,
    positions,
    qualifier_of,
)
from tallystick.frontends.sql.window_calls import Windows


class Calls(Protocol):
    """What stands for aggregates and grouped expressions, after GROUP BY; `rows` reads the rows that are grouped."""

    rows: Expressions

    def value_of(self, node: exp.Expr) -> Expression | None:
        """The value of an aggregate call or a grouped expression; None if the node is neither."""
        ...


class Expressions:
    """The expressions over one row: of a scope, and after GROUP BY of a group.

    Attributes:
        aliases: names of the SELECT list that may be used instead of columns, with what they stand for.
        several: names of the SELECT list that stand there for different things, and may not be used so.
        strict_aliases: whether a name of both a column and the SELECT list is refused; else the column is meant.
        calls: what stands for aggregates; None where there is no group.
        windows: where window calls are collected; None where they may not occur.
        place: what messages call the clause that is read.
    """

    def __init__(
        self,
        reading: QueryReading,
        scope: Scope,
        tables: Tables,
        *,
        calls: Calls | None = None,
        windows: Windows | None = None,
        place: str = "WHERE",
    ) -> None:
        self.reading = reading
        self.scope = scope
        self.tables = tables
        self.calls = calls
        self.windows = windows
        self.place = place
        self.aliases: dict[str, exp.Expr] = {}
        self.several: AbstractSet[str] = frozenset()
        self.strict_aliases = False
        self._subqueries: dict[int, Relation] = {}

    def read(self, node: exp.Expr) -> Value:
        """The expression that a node of the text stands for; raises SourceError if it is not understood."""
        value = self._read(node)
        self.reading.types[id(node)] = "null" if isinstance(value, UntypedNull) else str(value.type)
        return value

    def _read(self, node: exp.Expr) -> Value:
        grouped = self.calls.value_of(node) if self.calls is not None else None
        if grouped is not None:
            return grouped
        handler = handlers().get(type(node))
        if handler is None:
            raise self.reading.refused(node)
        with self.reading.parts(node) as parts:
            value = handler(self, parts)
        return folded(value) if isinstance(value, Function) else value

    def typed(self, node: exp.Expr) -> Expression:
        """The expression; NULL without a type becomes an integer."""
        return typed(self.read(node))

    def condition(self, node: exp.Expr) -> Expression:
        """The expression as a truth value; raises SourceError if it is none."""
        return condition(self.reading, self.read(node), node)

    def subquery(self, node: exp.Expr) -> Relation:
        """A query inside an expression, which sees the row."""
        from tallystick.frontends.sql.queries import read_query

        if id(node) not in self._subqueries:  # it is asked for its type, too: that is not to read it again
            self._subqueries[id(node)] = read_query(self.reading, node, self.scope, self.tables).visible()
        return self._subqueries[id(node)]

    def column(self, node: Parts) -> Value:
        """The value of a column, or of what a name of the SELECT list stands for."""
        aliased = self._aliased(node)
        if aliased is not None:
            return aliased
        try:
            found = find(self.reading, self.scope, node)
        except UnknownNameError:
            from tallystick.frontends.sql.documents import field_of_column

            field = field_of_column(self, node)  # type: ignore[arg-type]
            if field is None:
                raise
            return field
        if found is None:
            return NULL
        level, relation, index = found
        return relation.column(index, level)

    def _aliased(self, node: Parts) -> Value | None:
        name = self.reading.folded(node.this)
        if name not in self.aliases or qualifier_of(self.reading, node):
            return None
        is_column = bool(positions(self.scope.relation, name, ()))
        if is_column and not self.strict_aliases:
            return None
        if name in self.several:
            raise self.reading.error(node, f"{node.of.sql()} names several columns of the SELECT list")
        definition = self.aliases.pop(name)
        try:
            value = self.read(definition)
            if is_column and value != self.read(node.of):
                message = f"{node.of.sql()} is both a column and a name of the SELECT list"
                raise self.reading.error(node, message, "qualify the column with its table, or choose another name")
            return value
        finally:
            self.aliases[name] = definition


Handler = Callable[[Expressions, Parts], Value]


@cache
def handlers() -> Mapping[type[exp.Expr], Handler]:
    """What understands each construct."""
    from tallystick.frontends.sql import (
        aggregates,
        arithmetic,
        casts,
        comparisons,
        documents,
        functions,
        moments,
        predicates,
        series,
        windows,
    )

    modules = (arithmetic, predicates, comparisons, casts, functions, moments, documents, series, aggregates, windows)
    own: dict[type[exp.Expr], Handler] = {
        exp.Column: _column,
        exp.Paren: _paren,
        exp.Null: _null,
        exp.Placeholder: _parameter,
    }
    return {**own, **{node: handler for module in modules for node, handler in module.HANDLERS.items()}}


def _column(expressions: Expressions, node: Parts) -> Value:
    return expressions.column(node)


def _paren(expressions: Expressions, node: Parts) -> Value:
    return expressions.read(node.this)


def read_parameter(reading: QueryReading, node: Parts, *, counts: bool = False) -> Value:
    """A bind parameter; `counts` says that it is a number of rows. Raises SourceError outside of a pair of queries."""
    node.unwritten("jdbc")
    if reading.parameters is None:
        raise reading.error(node, "a parameter is understood in pairs of queries only", "write a value for it")
    read = reading.parameters.read_count if counts else reading.parameters.read
    return read(node.of.meta[NAME], partial(reading.error, node.of))


def _parameter(expressions: Expressions, node: Parts) -> Value:
    return read_parameter(expressions.reading, node)


def _null(expressions: Expressions, node: Parts) -> Value:
    return NULL
