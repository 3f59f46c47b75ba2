"""Arguments of functions, converted to what these expect."""

from __future__ import annotations

from typing import Final
from typing import Literal as Choice

from sqlglot import exp
from tallystick.core.queries.expressions import Expression, Function, Literal
from tallystick.core.queries.types import DATE, DECIMAL, FLOATS, INTEGER, OPAQUE, TEXT, TIMESTAMP
from tallystick.frontends.sql import literals
from tallystick.frontends.sql.casts import as_text
from tallystick.frontends.sql.coercion import NUMBERS, TIMES, cast_function, convert, type_error
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.nulls import UntypedNull

Kind = Choice["text", "integer", "number", "float", "time", "any"]
"""What an argument must be: `float` is a number of a function whose result is a floating-point number."""


TEXTS_BY_NAME: Final = frozenset({"bigquery", "spark", "databricks"})
"""Dialects in which a value of a type that is not known is a text where a text is expected."""


def argument(expressions: Expressions, node: exp.Expr, kind: Kind) -> Expression:
    """An argument, converted to what a function expects."""
    value = expressions.read(node)
    if isinstance(value, UntypedNull):
        return value.of({"text": TEXT, "time": DATE, "float": DECIMAL}.get(kind, INTEGER))
    variants = expressions.reading.dialect.name == "snowflake"  # its documents are converted as it takes
    match kind:
        case "text" if value.type == TEXT:
            return value
        case "text" if value.type in NUMBERS | TIMES and expressions.reading.dialect.text_as_number:
            return (
                literals.converted(value, TEXT)
                if isinstance(value, Literal) and value.type == INTEGER
                else as_text(expressions, value, node)
            )  # type: ignore[return-value]
        case "text" if value.type == OPAQUE and expressions.reading.dialect.name in TEXTS_BY_NAME:
            # a field or an element whose type is not known: what takes texts takes no documents and arrays there
            return Function("a text or bytes", (value,), TEXT, strict=False)
        case "text" | "time" | "integer" | "number" if value.type == OPAQUE and variants:
            return cast_function(value, {"text": TEXT, "time": TIMESTAMP, "integer": INTEGER}.get(kind, DECIMAL))
        case "integer" if value.type == INTEGER:
            return value
        case "number" if value.type in NUMBERS:
            return value
        case "float" if value.type in FLOATS or (value.type in NUMBERS and not expressions.reading.exact_floats):
            return value
        case "float" if value.type in NUMBERS:
            return convert(expressions.reading, value, DECIMAL, node)
        case "time" if value.type in TIMES:
            return value
        case "time" if value.type == TEXT:
            return convert(expressions.reading, value, DATE, node)
        case "any":
            return value
        case _:
            article = "an" if kind == "integer" else "a"
            raise type_error(expressions.reading, node, f"{article} {'date' if kind == 'time' else kind}", value)
