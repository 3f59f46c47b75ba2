"""The dialect of Apache Calcite, as sqlglot parses it: the standard, and VALUES without rows, which Calcite prints."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.parser import IsPredicatePrecedence
from sqlglot.parser import Parser as StandardParser


class Calcite(Dialect):
    """Standard SQL as Calcite reads and prints it."""

    NULL_ORDERING = "nulls_are_large"

    class Parser(StandardParser):
        """The parser of the standard: IS binds weaker than `=`, and VALUES may have no rows."""

        IS_PREDICATE_PRECEDENCE = IsPredicatePrecedence.LOW

        def validate_expression(self, expression: Any, args: list[Any] | None = None) -> Any:
            if isinstance(expression, exp.Values) and not expression.expressions:
                return expression
            return super().validate_expression(expression, args)
