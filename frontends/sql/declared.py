"""Declared types: what an engine knows of an expression before it runs, beside the type of its values.

To the core, INTEGER is one type and DECIMAL another; engines have integers of several widths, decimals with so many
digits, DOUBLE, and intervals by their units. Where a query sees that (PostgreSQL's SUM of a BIGINT is NUMERIC, a
decimal's text shows as many digits as its type has, a date plus INTERVAL '24' HOUR is a timestamp), the reader asks
here. The answer is None where it is not known: then it is refused, or taken for what assumes least.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from sqlglot import exp
from tallystick.core.queries.types import DATE, DECIMAL, INTEGER, MICROSECONDS, MONTHS, TEXT, TIMESTAMP
from tallystick.frontends.sql import literals
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.named import known
from tallystick.frontends.sql.scopes import positions, qualifier_of
from tallystick.frontends.sql.type_names import TypeName, integers, type_name

INT: Final = integers(32)
BIGINT: Final = integers(64)
HUGEINT: Final = integers(128)
UNSIGNED: Final = integers(64, unsigned=True)
EXACT: Final = TypeName(DECIMAL)
"""A decimal of digits that are not known, but no floating-point number."""
DOUBLE: Final = TypeName(DECIMAL, floating=True)
WHOLE_DOUBLE: Final = TypeName(DECIMAL, floating=True, scale=0)
"""A DOUBLE that is an integer."""
Declared = TypeName | None


def declared_type(expressions: Expressions, node: exp.Expr) -> Declared:
    """The declared type of the expression that a node is; it is read before, so that it has no error."""
    found = _READERS.get(type(node))
    return None if found is None else found(expressions, node)


def common(types: Iterable[Declared]) -> Declared:
    """The type of what may be a value of one of these: NULL without a type is left out before."""
    listed = list(types)
    if not listed or None in listed:
        return None
    first, *rest = listed
    for each in rest:
        first = _either(first, each)
    return first


def _either(one: Declared, other: Declared) -> Declared:
    if one is None or other is None:
        return one
    if one == other:
        return one if one.exact == other.exact else inexact(one)
    if one.type == other.type == INTEGER:
        if one.greatest is None or other.greatest is None or one.least is None or other.least is None:
            return None
        ends = {"least": min(one.least, other.least), "greatest": max(one.greatest, other.greatest)}
        return replace(one, exact="", **ends)
    if {one.type, other.type} <= {INTEGER, DECIMAL}:
        return TypeName(DECIMAL, floating=True) if one.floating or other.floating else EXACT
    if one.type == other.type == TEXT:
        lengths = None if one.length is None or other.length is None else max(one.length, other.length)
        return TypeName(TEXT, length=lengths, padded=one.padded or other.padded)
    if one.type == other.type == MICROSECONDS:
        return TypeName(MICROSECONDS, whole_days=one.whole_days and other.whole_days)
    return TypeName(one.type) if one.type == other.type else None


def inexact(declared: Declared) -> Declared:
    """What is known of a type, but not which one the engine has."""
    return None if declared is None else replace(declared, exact="")


def _same(expressions: Expressions, node: exp.Expr) -> Declared:
    """The type of the first argument."""
    return declared_type(expressions, node.this) if isinstance(node.this, exp.Expr) else None


def _absolute(expressions: Expressions, node: exp.Expr) -> Declared:
    """Of ABS: MySQL computes it in 64 bits."""
    found = _same(expressions, node)
    return inexact(found) if expressions.reading.dialect.name == "mysql" else found


def _any_of(expressions: Expressions, *nodes: exp.Expr | None) -> Declared:
    values = [node for node in nodes if node is not None and not isinstance(node.unnest(), exp.Null)]
    return common(declared_type(expressions, node) for node in values)


def _arithmetic(expressions: Expressions, node: exp.Expr) -> Declared:
    """Of `+`, `-`, `*`, `%` and operations on bits: the wider one; the digits of a decimal are not known."""
    found = _any_of(expressions, node.this, node.expression)
    if found is not None and found.type == DECIMAL:
        return DOUBLE if found.floating else EXACT
    return inexact(found)


def _product(expressions: Expressions, node: exp.Expr) -> Declared:
    sides = [declared_type(expressions, each) for each in (node.this, node.expression)]
    for each in sides:
        if each is not None and each.type in (MONTHS, MICROSECONDS):
            return replace(each, exact="", whole_days=each.whole_days and expressions.reading.dialect.scaled_days)
    return _arithmetic(expressions, node)


def _truth(expressions: Expressions, node: exp.Expr) -> Declared:
    """Of a truth value: an integer where these are numbers."""
    return INT if expressions.reading.dialect.truth_as_number else None


def _quotient(expressions: Expressions, node: exp.Expr) -> Declared:
    if expressions.reading.dialect.double_quotients:
        return DOUBLE
    found = _arithmetic(expressions, node)
    if found is None or found.floating:
        return found
    whole = found.type == INTEGER and expressions.reading.dialect.integer_division == "truncate"
    return found if whole else EXACT if expressions.reading.dialect.decimal_quotients else None


def _columns(expressions: Expressions, node: exp.Expr) -> Declared:
    """What a name of the SELECT list stands for, or what the column of a relation has."""
    assert isinstance(node, exp.Column)
    name, qualifier = expressions.reading.folded(node.this), qualifier_of(expressions.reading, node)
    meant = expressions.aliases.get(name) if not qualifier else None
    if meant is not None and not positions(expressions.scope.relation, name, ()):
        del expressions.aliases[name]
        try:
            return declared_type(expressions, meant)
        finally:
            expressions.aliases[name] = meant
    for _, relation in expressions.scope.levels():
        found = positions(relation, name, qualifier)
        if found:
            return relation.names[found[0]].declared
    return None


def _literal(expressions: Expressions, node: exp.Expr) -> Declared:
    if node.args.get("is_string"):
        return TypeName(TEXT, length=len(str(node.this)))
    return _constant(expressions, str(node.this))


def _constant(expressions: Expressions, text: str) -> Declared:
    value = literals.number(text)
    if value is None:
        return None
    if isinstance(value.value, int):
        fitting = (bits for bits in (32, 64) if -(2 ** (bits - 1)) <= value.value < 2 ** (bits - 1))
        return next((integers(bits) for bits in fitting), TypeName(DECIMAL, scale=0))
    if expressions.reading.dialect.is_float(text):
        return DOUBLE
    if "e" in text.lower():
        return EXACT
    return TypeName(DECIMAL, scale=len(text.partition(".")[2]))


def _negation(expressions: Expressions, node: exp.Expr) -> Declared:
    number = isinstance(node.this, exp.Literal) and not node.this.args.get("is_string")
    return _constant(expressions, f"-{node.this.this}") if number else inexact(_same(expressions, node))


def _cast(expressions: Expressions, node: exp.Expr) -> Declared:
    return type_name(node.args["to"], expressions.reading.dialect)


def _interval(expressions: Expressions, node: exp.Expr) -> Declared:
    unit = node.args["unit"].name.lower().removesuffix("s") if node.args.get("unit") is not None else ""
    return (
        TypeName(MONTHS) if unit in literals.MONTHS_OF else TypeName(MICROSECONDS, whole_days=unit in ("day", "week"))
    )


def _case(expressions: Expressions, node: exp.Expr) -> Declared:
    return _any_of(expressions, *(each.args["true"] for each in node.args["ifs"]), node.args.get("default"))


def _nullif(expressions: Expressions, node: exp.Expr) -> Declared:
    first, found = declared_type(expressions, node.this), _any_of(expressions, node.this, node.expression)
    if not expressions.reading.dialect.nullif_converts:
        return first if found is not None and found.exact else inexact(first)
    whole = found is not None and found.type == INTEGER  # PostgreSQL: NULLIF(int, bigint) is INT
    return inexact(first) if whole else found


def _sum(expressions: Expressions, node: exp.Expr) -> Declared:
    """PostgreSQL: INT and SMALLINT add up to a BIGINT, BIGINT to a NUMERIC; all integers add up to a DECIMAL in MySQL,
    and to a HUGEINT in DuckDB. A DECIMAL keeps its scale.
    """
    inner = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
    found = declared_type(_of_rows(expressions), inner)
    if found is None or found.type != INTEGER:
        return inexact(found)
    widest = expressions.reading.dialect.widest_integer
    if expressions.reading.dialect.decimal_sums:
        return TypeName(DECIMAL, scale=0)
    if widest is not None and (found.greatest is None or found.greatest >= 2 ** (widest - 1) - 1):
        return TypeName(DECIMAL, scale=0)
    return HUGEINT if expressions.reading.dialect.double_quotients else BIGINT


def _average(expressions: Expressions, node: exp.Expr) -> Declared:
    if expressions.reading.dialect.double_quotients:
        return DOUBLE
    inner = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
    found = declared_type(_of_rows(expressions), inner)
    if found is None or found.floating:
        return inexact(found)
    return EXACT if expressions.reading.dialect.decimal_quotients else None


def _of_rows(expressions: Expressions) -> Expressions:
    """The expressions over the rows that an aggregate reads."""
    return expressions if expressions.calls is None else expressions.calls.rows


def _of_values(expressions: Expressions, node: exp.Expr) -> Declared:
    """Of MIN and MAX: the type of their argument."""
    inner = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
    return declared_type(_of_rows(expressions), inner)


def _rounded(expressions: Expressions, node: exp.Expr) -> Declared:
    """Of CEIL, FLOOR, ROUND, TRUNC and SIGN."""
    found, dialect = declared_type(expressions, node.this), expressions.reading.dialect
    name = ROUNDINGS[type(node)]
    if found is None:
        return None
    if found.floating:
        return WHOLE_DOUBLE if node.args.get("decimals") is None else inexact(found)
    if found.type == INTEGER and node.args.get("decimals") is None:
        return WHOLE_DOUBLE if name in dialect.rounded_to_double else inexact(found)
    return EXACT


def _named(expressions: Expressions, node: exp.Expr) -> Declared:
    """Of a call that is known by its name: the type that the engine has."""
    name, dialect = node.name.upper(), expressions.reading.dialect
    found = known(dialect, name, len(node.expressions))
    if found is not None and found.exact:
        return type_name(exp.DataType.build(found.exact, dialect=dialect.parser), dialect)
    return INT if name in ("DATE_PART", "DATEPART") and not dialect.numeric_parts else None


def _parts(expressions: Expressions, node: exp.Expr) -> Declared:
    return EXACT if expressions.reading.dialect.numeric_parts else INT


def _truncated(expressions: Expressions, node: exp.Expr) -> Declared:
    """Of DATE_TRUNC: PostgreSQL makes a timestamp with a time zone of a date."""
    found, dialect = _same(expressions, node), expressions.reading.dialect
    if found is None or found.type not in (DATE, TIMESTAMP):
        return None
    return TypeName(TIMESTAMP, zoned=dialect.truncates_dates_to_zones if found.type == DATE else found.zoned)


def _subquery(expressions: Expressions, node: exp.Expr) -> Declared:
    names = expressions.subquery(node).names
    return names[0].declared if len(names) == 1 else None


def _of_bits(signed: Callable[[Expressions, exp.Expr], Declared]) -> Callable[[Expressions, exp.Expr], Declared]:
    """Of operations on bits: 64 of them without a sign in MySQL."""
    return lambda expressions, node: (
        UNSIGNED if expressions.reading.dialect.unsigned_bits else signed(expressions, node)
    )


def _fixed(declared: Declared) -> Callable[[Expressions, exp.Expr], Declared]:
    return lambda expressions, node: declared


ROUNDINGS: Final[dict[type[exp.Expr], str]] = {
    exp.Ceil: "CEIL",
    exp.Floor: "FLOOR",
    exp.Round: "ROUND",
    exp.Sign: "SIGN",
    exp.Trunc: "TRUNC",
}
_READERS: Final[dict[type[exp.Expr], Callable[[Expressions, exp.Expr], Declared]]] = {
    **dict.fromkeys((exp.Paren, exp.Window, exp.Filter, exp.IgnoreNulls, exp.RespectNulls), _same),
    **dict.fromkeys((exp.FirstValue, exp.LastValue, exp.NthValue), _same),
    exp.Abs: _absolute,
    **dict.fromkeys((exp.Min, exp.Max), _of_values),
    **dict.fromkeys((exp.BitwiseAndAgg, exp.BitwiseOrAgg, exp.BitwiseXorAgg), _of_bits(_of_values)),
    **dict.fromkeys((exp.Add, exp.Sub, exp.Mod), _arithmetic),
    **dict.fromkeys((exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor), _of_bits(_arithmetic)),
    exp.BitwiseNot: _of_bits(_same),
    **dict.fromkeys((exp.Year, exp.Quarter, exp.Month, exp.Week, exp.Day, exp.DayOfMonth), _fixed(INT)),
    **dict.fromkeys((exp.Length, exp.StrPosition, exp.Ascii, exp.Grouping, exp.Ntile, exp.DateDiff), _fixed(INT)),
    **dict.fromkeys((exp.Count, exp.CountIf, exp.RowNumber, exp.Rank, exp.DenseRank), _fixed(BIGINT)),
    **dict.fromkeys((exp.Sqrt, exp.Ln, exp.Log, exp.Exp, exp.Pow), _fixed(DOUBLE)),
    **dict.fromkeys(ROUNDINGS, _rounded),
    **dict.fromkeys((exp.Cast, exp.TryCast), _cast),
    **dict.fromkeys((exp.Subquery, exp.Select), _subquery),
    **dict.fromkeys(
        (exp.Lag, exp.Lead), lambda expressions, node: _any_of(expressions, node.this, node.args.get("default"))
    ),
    **dict.fromkeys(
        (exp.Coalesce, exp.Greatest, exp.Least),
        lambda expressions, node: _any_of(expressions, node.this, *node.expressions),
    ),
    **dict.fromkeys(
        (exp.If, exp.Nvl2),
        lambda expressions, node: _any_of(expressions, node.args["true"], node.args.get("false")),
    ),
    exp.Case: _case,
    exp.Nullif: _nullif,
    exp.Column: _columns,
    exp.Literal: _literal,
    **dict.fromkeys((exp.Boolean, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.And, exp.Or, exp.Not), _truth),
    exp.Interval: _interval,
    exp.Neg: _negation,
    exp.Mul: _product,
    exp.Div: _quotient,
    exp.IntDiv: _arithmetic,
    exp.Sum: _sum,
    exp.Avg: _average,
    exp.Extract: _parts,
    exp.Anonymous: _named,
    exp.TimestampTrunc: _truncated,
}
"""What knows the type of each construct."""
