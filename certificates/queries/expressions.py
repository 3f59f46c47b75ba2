"""Scalar expressions of queries as text, every name quoted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tallystick.certificates.words import quoted
from tallystick.core.errors import CertificateError
from tallystick.core.queries.nodes import OrderKey
from tallystick.core.queries.types import DATE, INTEGER, PYTHON_TYPES, TEXT, TIMESTAMP, SqlType, SqlValue

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query

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

    def text(self, expression: Expression, scopes: Scopes) -> str:
        """An expression, in parentheses where that may be in doubt."""
        node: Any = expression
        match kind := type(node).__name__:
            case "Reference":
                name = scopes[node.level][node.index] if node.level < len(scopes) else None
                return f"{'^' * node.level}#{node.index}{'' if name is None else quoted(name)}"
            case "Literal":
                return value_text(node.value, node.type) if node.value is not None else f"NULL as {node.type}"
            case "Arithmetic" | "Comparison":
                return f"({self.listed((node.left, node.right), scopes, f' {node.operator} ')})"
            case "Divide" | "Remainder":
                name = "quotient" if kind == "Divide" else "remainder"
                sides = self.listed((node.left, node.right), scopes)
                return f"{name}({sides}, {node.rounding}, by zero {node.on_zero})"
            case "Cast":
                return f"cast({self.expression(node.operand, scopes)} as {node.type})"
            case "Function":
                nulls = "" if node.strict else ", NULL or not"
                return f"{quoted(node.name)}({self.listed(node.arguments, scopes)} as {node.type}{nulls})"
            case "And" | "Or":
                shown = self.listed(node.operands, scopes, f" {kind.lower()} ")
                return f"({shown})" if len(node.operands) > 1 else f"{kind.lower()}({shown})"
            case "Not":
                return f"not {self.expression(node.operand, scopes)}"
            case "IsNull":
                return f"({self.expression(node.operand, scopes)} is null)"
            case "Case":
                shown = "".join(f" when {self.listed(branch, scopes, ' then ')}" for branch in node.branches)
                return f"case{shown} else {self.expression(node.default, scopes)} end"
            case "Exists":
                return f"exists {self.subquery(node.query, scopes)}"
            case "ForSome":
                sought = self.listed(node.expressions, scopes)
                return f"(({sought}) {node.operator} some {self.subquery(node.query, scopes)})"
            case "ScalarSubquery":
                return f"value of {self.subquery(node.query, scopes)}"
            case _:
                raise CertificateError(f"{kind} is no expression that is printed")
