"""CAST: exact where all agree on it; else a function that is known by the types alone."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import Comparison, Divide, Expression, Function, Literal, Reference
from tallystick.core.queries.syntax import Filter, Join, Limit, Project, Scan
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT, SqlType
from tallystick.frontends.sql import literals
from tallystick.frontends.sql.coercion import cast_function, convert
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.nulls import UntypedNull
from tallystick.frontends.sql.schema import FLOATING
from tallystick.frontends.sql.type_names import TypeName, type_name

TRUNCATING = frozenset({"spark", "databricks", "calcite"})
"""Dialects that cast a decimal to an integer by dropping the digits after the point."""


def read_cast(expressions: Expressions, node: exp.Expr) -> Expression:
    """CAST(value AS type), TRY_CAST and `::`."""
    reading = expressions.reading
    reading.only(node, "this", "to", "safe", "_type")
    target = node.args["to"]
    to = type_name(target, reading.dialect) if isinstance(target, exp.DataType) else None
    if to is None:
        raise reading.error(node, f"the type {target.sql()} is not understood")
    if to.floating:
        require_floats(expressions, node, f"the type {target.sql()}")
    value = expressions.read(node.this)
    if isinstance(value, UntypedNull):
        return Literal(None, to.type)
    return cast(expressions, value, to, node)


def require_floats(expressions: Expressions, node: exp.Expr, what: str) -> None:
    """Raises SourceError unless floating-point numbers are assumed to be exact; records the assumption."""
    if not expressions.reading.exact_floats:
        hint = "assume that they are exact with --assume exact-floats, or use DECIMAL"
        raise expressions.reading.error(node, f"{what} holds floating-point numbers, whose sums depend on order", hint)
    expressions.reading.assumptions.add(Assumption.EXACT_FLOATS)


def cast(expressions: Expressions, value: Expression, to: TypeName, node: exp.Expr) -> Expression:
    """A value as one of another type."""
    dialect = expressions.reading.dialect
    literal = _literal(value, to, dialect.name)
    if literal is not None:
        return literal
    match value.type, to.type:
        case SqlType.TEXT, SqlType.TEXT:
            return _shortened(expressions, value, to)
        case SqlType.DECIMAL, SqlType.DECIMAL if to.scale is not None:
            if fits(expressions, value, to):
                return value
            return Function(f"round to scale {to.scale}", (value,), DECIMAL, strict=True)
        case SqlType.DECIMAL, SqlType.INTEGER if dialect.name in TRUNCATING:
            return Divide(value, Literal(Fraction(1), DECIMAL), "truncate", dialect.division_by_zero)
        case SqlType.INTEGER, SqlType.BOOLEAN if dialect.name != "calcite":
            return Comparison("<>", value, literals.integer(0))
        case SqlType.DECIMAL, SqlType.INTEGER:
            return Function("cast decimal as integer", (value,), INTEGER, strict=True)
        case SqlType.TIMESTAMP, SqlType.DATE:
            return Function("cast timestamp as date", (value,), DATE, strict=True)
        case (same, other) if same == other:
            return value
        case SqlType.TEXT, SqlType.DECIMAL if to.scale is not None:
            return Function(f"round to scale {to.scale}", (cast_function(value, DECIMAL),), DECIMAL, strict=True)
        case SqlType.TEXT, SqlType.BOOLEAN | SqlType.INTEGER | SqlType.DECIMAL | SqlType.DATE | SqlType.TIMESTAMP:
            return cast_function(value, to.type)
        case _, SqlType.TEXT:
            return as_text(expressions, value, node.this)
        case _:
            return convert(expressions.reading, value, to.type, node)


def _literal(value: Expression, to: TypeName, dialect: str) -> Literal | None:
    """The literal that a cast of a literal gives, if that is plain."""
    if not isinstance(value, Literal):
        return None
    if value.type == TEXT and to.type == DATE and isinstance(value.value, str) and dialect in ("spark", "databricks"):
        return literals.day_before_text(value.value)
    if value.type == TEXT and to.type == TEXT and isinstance(value.value, str):
        fits = to.length is None or len(value.value) <= to.length
        return value if fits and not to.padded else None
    converted = literals.converted(value, to.type)
    if converted is not None and isinstance(converted.value, Fraction) and to.scale is not None:
        exact = (converted.value * 10**to.scale).denominator == 1
        return converted if exact else None
    if value.type == BOOLEAN and to.type == INTEGER:
        return literals.integer(int(bool(value.value)))
    return converted


def as_text(expressions: Expressions, value: Expression, node: exp.Expr) -> Expression:
    """The text of a value. That of a decimal shows as many digits as its type has: equal decimals have different texts.

    Raises SourceError for a decimal whose type is neither that of a column of a table nor that of a cast.
    """
    dialect = expressions.reading.dialect
    if value.type != DECIMAL or dialect.name == "bigquery":  # which shows no zeros at the end
        return cast_function(value, TEXT)
    floating, scale = _shown(expressions, value, node.unnest())
    if floating:
        return Function("cast float as text", (value,), TEXT, strict=True)
    if scale is None:
        message = "the text of a decimal shows as many digits as its type has, which is not known of this value"
        raise expressions.reading.error(node, message, "cast it to DECIMAL(p, s) first")
    return Function(f"cast decimal as text of scale {scale}", (value,), TEXT, strict=True)


def _shown(expressions: Expressions, value: Expression, node: exp.Expr) -> tuple[bool, int | None]:
    """Whether a decimal is a floating-point number, and else the digits after its point, if they are known."""
    if isinstance(node, exp.Cast | exp.TryCast):
        to = type_name(node.args["to"], expressions.reading.dialect)
        return (False, None) if to is None else (to.floating, to.scale)
    schema = expressions.reading.schema
    place = origin(expressions, value, copied=False) if isinstance(value, Reference) else None
    if place is None or not _is_name_of(expressions, node, place):
        return False, None
    return schema.notes.get(place) == FLOATING, schema.sizes.get(place)


def _is_name_of(expressions: Expressions, node: exp.Expr, place: tuple[str, int]) -> bool:
    """Whether a column is called as in its table: another name may be that of a cast of it in the SELECT list."""
    if not isinstance(node, exp.Column) or not isinstance(node.this, exp.Identifier):
        return False
    dialect, (table, index) = expressions.reading.dialect, place
    name = expressions.reading.schema.catalogue.by_name[table].columns[index].name
    return dialect.declared(name) == dialect.folded(node.name, bool(node.this.args.get("quoted")))


def _shortened(expressions: Expressions, value: Expression, to: TypeName) -> Expression:
    """A text as one of limited length: itself, if the column that it comes from has no longer texts."""
    if to.length is None and not (to.padded and expressions.reading.dialect.name != "mysql"):
        return value
    if fits(expressions, value, to) and not to.padded:
        return value
    kind = "padded text" if to.padded else "text"
    return Function(f"cast text as {kind} of {to.length}", (value,), TEXT, strict=True)


def fits(expressions: Expressions, value: Expression, to: TypeName) -> bool:
    """Whether a value comes from a column that declares no longer texts, or no more digits after the point."""
    if not isinstance(value, Reference) or to.size is None:
        return False
    place = origin(expressions, value, copied=True)
    declared = None if place is None else expressions.reading.schema.sizes.get(place)
    return declared is not None and declared <= to.size


def origin(expressions: Expressions, value: Reference, copied: bool) -> tuple[str, int] | None:
    """The column of a table whose values a column has; of a subquery's columns, only if they may be copied by SELECT,
    where a cast that changes no value may have changed the type."""
    relation = next(relation for level, relation in expressions.scope.levels() if level == value.level)
    query, index = relation.query, value.index
    while True:
        match query:
            case Scan(table=table):
                return table, index
            case Filter(input=inner) | Limit(input=inner):
                query = inner
            case Project(input=inner, expressions=(*parts,)) if copied:
                part = parts[index]
                if not (isinstance(part, Reference) and part.level == 0):
                    return None
                query, index = inner, part.index
            case Join(left=left, right=right):
                width = len(left.columns)
                query, index = (left, index) if index < width else (right, index - width)
            case _:
                return None


HANDLERS = {exp.Cast: read_cast, exp.TryCast: read_cast}
