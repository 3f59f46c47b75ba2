"""What a function by its name says of an argument: its exact type, on which the value may hang.

To the core, INTEGER is one type, and so is DECIMAL; engines tell their widths and digits apart (`TO_HEX(-1)`, `BIN`,
`TO_JSON`). Where the type that the engine has is not known, the name says the whole text: then such a call is the same
as one of the same text alone. Values that are equal and not the same are refused: a function may tell them apart.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sqlglot import exp
from tallystick.core.queries.expressions import Expression
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    DOUBLE,
    INTEGER,
    MICROSECONDS,
    MONTHS,
    REAL,
    TEXT,
    TIMESTAMP,
    SqlType,
)
from tallystick.frontends.sql.coercion import type_error
from tallystick.frontends.sql.declared import Declared, declared_type
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.scopes import positions

OF_ONE_TYPE: Final = frozenset({BOOLEAN, DATE, REAL, DOUBLE})
"""Values whose type says all: there is one type of these."""
NOT_TEXT: Final = frozenset({"UUID", "NAME"})
"""Types that engines compare otherwise than texts, although their values are texts here."""
BY_MANUAL: Final = frozenset({"bigquery", "snowflake"})
"""Dialects in which there is one type of integers and of texts, and the text of a document does not say its type."""


def written_type(expressions: Expressions, node: exp.Expr, value: Expression) -> str:
    """What the name of a function says of an argument, which is "" where its type says all.

    Raises SourceError for values of which equal ones are not the same: lengths of time, and PostgreSQL's NUMERIC.
    """
    reading, found = expressions.reading, declared_type(expressions, node)
    if reading.dialect.name in BY_MANUAL:
        known = _digits(found) if value.type in (DECIMAL, TIMESTAMP) else ""
        fits = value.type not in (DECIMAL, TIMESTAMP) or (found is not None and found.type == value.type)
        return known if fits and known is not None else _of_its_text(expressions, node)
    known = exact_type(expressions, node, value)
    if value.type in (MONTHS, MICROSECONDS) and (known is None or not known.startswith("constant")):
        raise type_error(reading, node, "a value that is the same as those equal to it", value)
    if value.type == DECIMAL and reading.dialect.name == "postgres" and (found is None or found.scale is None):
        message = "PostgreSQL shows as many digits of this decimal as it was computed with, which are not known"
        raise reading.error(node, message, "cast it to DECIMAL(p, s) first")
    return _of_its_text(expressions, node) if known is None else known


def exact_type(expressions: Expressions, node: exp.Expr, value: Expression) -> str | None:
    """The type that an engine has of a value that was read at a node, "" where its type says all; None if not known."""
    inner = node.unnest()
    if isinstance(inner, exp.Neg) and isinstance(inner.this, exp.Literal):
        inner = inner.this
    if isinstance(inner, exp.Literal) and not inner.is_string:
        return f"constant {inner.name}"
    if isinstance(inner, exp.Interval) and isinstance(inner.this, exp.Literal):
        return f"constant {inner.sql()}"
    if isinstance(inner, exp.Null):
        return "NULL"
    return _exactly(expressions, str(value.type), declared_type(expressions, node))


def _exactly(expressions: Expressions, kind: str, found: Declared) -> str | None:
    if kind in map(str, OF_ONE_TYPE):
        return ""
    if kind == str(TEXT):
        if found is None:
            return None if expressions.reading.pads else ""
        return (found.exact or None) if found.padded else ""
    return None if found is None or str(found.type) != kind else found.exact or None


def column_type(dialect: Dialect, kind: SqlType, declared: Declared, *, one_text: bool) -> str | None:
    """The type that an engine has of a column whose values are of a kind; None if it is not known, or if values of that
    type may be equal and not the same. With `one_text`, no text is padded, or of a type in `NOT_TEXT`.
    """
    exact = "" if declared is None or declared.type != kind else declared.exact
    if kind in (REAL, DOUBLE) and dialect.name == "mysql":
        return exact or None  # DOUBLE(10, 2) shows two digits
    if kind in OF_ONE_TYPE or (kind == INTEGER and dialect.name in BY_MANUAL):
        return str(kind)
    if kind == TEXT:
        return str(kind) if one_text else _text_type(declared)
    if kind in (MONTHS, MICROSECONDS) and not exact.startswith("TIME"):
        return None
    if kind == DECIMAL and dialect.name == "postgres" and (declared is None or declared.scale is None):
        return None
    return exact or None


def _text_type(declared: Declared) -> str | None:
    if declared is None or declared.exact in ("", "BPCHAR"):
        return None
    return declared.exact if declared.padded or declared.exact in NOT_TEXT else str(TEXT)


def _digits(of: Declared) -> str | None:
    """What a declared type says of the texts of decimals and moments; None if that is not known."""
    if of is None or (of.type == DECIMAL and of.scale is None):
        return None
    if of.type == DECIMAL:
        return f"scale {of.scale}"
    return of.kind or ("" if of.precision is None else f"{of.precision} digits")


def _of_its_text(expressions: Expressions, node: exp.Expr) -> str:
    """The text of an expression, with the types of its columns: they say its type. A name whose type is not known may
    stand for something else in another text: `v` in `(SELECT n * 1.0 AS v FROM t)` and in `(SELECT n * 1.00 AS v …)`.
    """
    reading = expressions.reading
    known = [_of_column(expressions, each) for each in node.find_all(exp.Column)]
    if None in known or node.find(exp.Query) is not None:
        return in_its_text(expressions, node)
    text = f"`{node.sql(reading.dialect.parser, comments=False)}`"
    said = ", ".join(filter(None, known))
    return f"{text} of {said}" if said else text


def _of_column(expressions: Expressions, column: exp.Column) -> str | None:
    kind = expressions.reading.types.get(id(column))
    if expressions.reading.dialect.name in BY_MANUAL:
        without_digits = kind in (str(BOOLEAN), str(INTEGER), str(TEXT), str(DATE))
        return "" if without_digits else _digits(declared_type(expressions, column))
    if kind is None or _alias(expressions, column):
        return None
    return _exactly(expressions, kind, declared_type(expressions, column))


def item_type(expressions: Expressions, node: exp.Expr) -> Declared:
    """The declared type of an item of a SELECT list. Of a number whose exact type is not known, its text says it, with
    the types of its columns: `SUM(v)` of an INT is of one type wherever it stands.
    """
    reading, found = expressions.reading, declared_type(expressions, node)
    if found is None or found.exact or found.type not in (INTEGER, DECIMAL) or reading.dialect.name in BY_MANUAL:
        return found
    known = [_of_column(expressions, each) for each in node.find_all(exp.Column)]
    if None in known or node.find(exp.Query) is not None:
        return found
    kinds = [reading.types[id(each)] for each in node.find_all(exp.Column)]
    said = ", ".join(f"{kind} {exact}".strip() for kind, exact in zip(kinds, known, strict=True))
    return replace(found, exact=f"`{node.sql(reading.dialect.parser, comments=False)}` of ({said})")


def in_its_text(expressions: Expressions, node: exp.Expr) -> str:
    """The text of an expression in the SELECT where it stands, of the whole text: nothing else is named so."""
    reading = expressions.reading
    said = f"`{node.sql(reading.dialect.parser, comments=False)}` in {reading.place(node)}"
    names = {_alias(expressions, each) for each in node.find_all(exp.Column)} - {""}
    meant = {name: expressions.aliases[name].sql(reading.dialect.parser) for name in names}
    named = "".join(f", {name} as `{text}`" for name, text in sorted(meant.items()))
    return f"{said}{named}"


def _alias(expressions: Expressions, column: exp.Column) -> str:
    """The name of the SELECT list that a column is; "" if it is none."""
    name = expressions.reading.folded(column.this) if isinstance(column.this, exp.Identifier) else ""
    if column.args.get("table") or name not in expressions.aliases:
        return ""
    return "" if positions(expressions.scope.relation, name, ()) else name
