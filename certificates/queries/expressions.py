"""Scalar expressions of queries as text, every name quoted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import assert_never

from tallystick.certificates.words import quoted
from tallystick.core.errors import CertificateError
from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.expressions import (
    And,
    Arithmetic,
    Case,
    Cast,
    Comparison,
    Divide,
    Exists,
    Expression,
    ForSome,
    Function,
    IsNull,
    Literal,
    Not,
    Or,
    Reference,
    Remainder,
    ScalarSubquery,
)
from tallystick.core.queries.syntax import Query
from tallystick.core.queries.types import DATE, INTEGER, PYTHON_TYPES, TEXT, TIMESTAMP, SqlType, SqlValue

Names = tuple[str | None, ...]
"""What the columns of a row are called, where they have a name."""
Scopes = tuple[Names, ...]
"""The names of the rows in scope, level 0 first."""


def value_text(value: SqlValue, of: SqlType) -> str:
    """A value: numbers and texts as they are, others with their type."""
    if value is None:
        return "NULL"
    if type(value) is not PYTHON_TYPES[of]:  # of a function that nothing computes, whose name is anybody's text
        return f"some value {quoted(str(value))}"
    if of == TEXT:
        return quoted(str(value))
    if of == INTEGER:
        return str(value)
    return f"{of} {_moment(value, of) if of in (DATE, TIMESTAMP) else value}"


def _moment(value: SqlValue, of: SqlType) -> str:
    """A day or a time as in ISO 8601, or its number beyond the years from 1 to 9999."""
    try:
        if of == DATE:
            return (date(1970, 1, 1) + timedelta(days=int(value or 0))).isoformat()
        return (datetime(1970, 1, 1) + timedelta(microseconds=int(value or 0))).isoformat(" ")
    except OverflowError:
        return f"number {value}"


class Lines(ABC):
    """Lines of text that become no longer, together, than a limit. `subquery` gives the number of a query's line."""

    def __init__(self, longest: int) -> None:
        self.lines: list[str] = []
        self.left = longest

    @abstractmethod
    def subquery(self, query: Query, scopes: Scopes) -> str:
        """The number of the line of a query inside of an expression."""

    def spent(self, text: str) -> str:
        """The text, whose characters are counted. Raises CertificateError where all are too many."""
        self.left -= 1 + len(text)
        if self.left < 0:
            raise CertificateError("the claim is too long to be printed")
        return text

    def listed(self, expressions: Iterable[Expression], scopes: Scopes, between: str = ", ") -> str:
        """Expressions, with something between them."""
        return between.join(self.expression(expression, scopes) for expression in expressions)

    def order(self, keys: tuple[OrderKey, ...], scopes: Scopes) -> str:
        """ORDER BY."""
        shown = [
            f"{self.expression(key.expression, scopes)} {'descending' if key.descending else 'ascending'} "
            f"nulls {'first' if key.nulls_first else 'last'}"
            for key in keys
        ]
        return f"order by {', '.join(shown)}" if shown else "in no order"

    def expression(self, expression: Expression, scopes: Scopes) -> str:
        """An expression in the scope of rows."""
        return self.spent(self.text(expression, scopes))

    def text(self, node: Expression, scopes: Scopes) -> str:
        """An expression, in parentheses where that may be in doubt."""
        match node:
            case Reference(level, index):
                name = scopes[level][index] if level < len(scopes) else None
                return f"{'^' * level}#{index}{'' if name is None else quoted(name)}"
            case Literal(value, of):
                return value_text(value, of) if value is not None else f"NULL as {of}"
            case Arithmetic(operator, left, right) | Comparison(operator, left, right):
                return f"({self.listed((left, right), scopes, f' {operator} ')})"
            case Divide(left, right, rounding, on_zero) | Remainder(left, right, rounding, on_zero):
                name = "quotient" if isinstance(node, Divide) else "remainder"
                return f"{name}({self.listed((left, right), scopes)}, {rounding}, by zero {on_zero})"
            case Cast(operand, of):
                return f"cast({self.expression(operand, scopes)} as {of})"
            case Function(name, arguments, of, strict):
                nulls = "" if strict else ", NULL or not"
                return f"{quoted(name)}({self.listed(arguments, scopes)} as {of}{nulls})"
            case And(operands) | Or(operands):
                word = "and" if isinstance(node, And) else "or"
                shown = self.listed(operands, scopes, f" {word} ")
                return f"({shown})" if len(operands) > 1 else f"{word}({shown})"
            case Not(operand):
                return f"not {self.expression(operand, scopes)}"
            case IsNull(operand):
                return f"({self.expression(operand, scopes)} is null)"
            case Case(branches, default):
                shown = "".join(f" when {self.listed(branch, scopes, ' then ')}" for branch in branches)
                return f"case{shown} else {self.expression(default, scopes)} end"
            case Exists(query):
                return f"exists {self.subquery(query, scopes)}"
            case ForSome(operator, expressions, query):
                return f"(({self.listed(expressions, scopes)}) {operator} some {self.subquery(query, scopes)})"
            case ScalarSubquery(query):
                return f"value of {self.subquery(query, scopes)}"
            case _:
                assert_never(node)
