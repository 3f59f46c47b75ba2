"""Truth values: comparisons, connectives, IS, IN, BETWEEN, LIKE, EXISTS, ANY and ALL; and scalar subqueries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlglot import exp
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import (
    And,
    Comparison,
    ComparisonOperator,
    Exists,
    Expression,
    Function,
    In,
    IsNull,
    IsTruth,
    Literal,
    Not,
    Or,
    Quantified,
    Reference,
    ScalarSubquery,
)
from tallystick.core.queries.syntax import Project, references
from tallystick.core.queries.types import BOOLEAN, TEXT, SqlType
from tallystick.frontends.calendar import conjoined, on_days
from tallystick.frontends.sql.casts import origin
from tallystick.frontends.sql.coercion import collated, common_type, convert, narrowed, type_error, unified
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.literals import truth
from tallystick.frontends.sql.nulls import NULL, UntypedNull, Value
from tallystick.frontends.sql.parts import Parts, Place
from tallystick.frontends.sql.scopes import Reading, Relation, row_of, unwrapped

COMPARISONS: Final[dict[type[exp.Expr], ComparisonOperator]] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "<=>",
}
MIRRORED: Final[dict[ComparisonOperator, ComparisonOperator]] = {
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
    "=": "=",
    "<>": "<>",
    "<=>": "<=>",
}


def compared(
    expressions: Expressions, operator: ComparisonOperator, left: Value, right: Value, node: Place
) -> Expression:
    """`left operator right` of values that are converted to one type."""
    pair = unified(expressions.reading, [left, right], node)
    if pair is None:
        return truth(True) if operator == "<=>" else Literal(None, BOOLEAN)
    left, right = pair
    if left.type == TEXT:
        expressions.reading.assumptions.add(Assumption.CODE_POINTS)
        _require_no_padding(expressions, left, right, node)
        _require_no_padding(expressions, right, left, node)
        left, right = collated(expressions.reading, left), collated(expressions.reading, right)
    return on_days(narrowed(Comparison(operator, left, right)), expressions.reading.assumptions)


def _require_no_padding(expressions: Expressions, left: Expression, right: Expression, node: Place) -> None:
    """Raises SourceError where a text that is padded with blanks meets one that may end with blanks, or has none.

    In PostgreSQL 'x' is equal to it then, in Spark it is if it is a literal, in a comparison with a VARCHAR it is not.
    """
    padded = expressions.reading.schema.padded
    if not padded or not isinstance(left, Reference) or origin(expressions, left, copied=True) not in padded:
        return
    place = origin(expressions, right, copied=True) if isinstance(right, Reference) else None
    if (place is not None and place not in padded) or (
        isinstance(right, Literal) and isinstance(right.value, str) and right.value.endswith(" ")
    ):
        message = "a CHAR is padded with blanks: whether it is equal to another text hangs on the dialect"
        raise expressions.reading.error(node, message, "leave out blanks at the end, or declare the same type")


def read_comparison(expressions: Expressions, node: Parts) -> Expression:
    """A comparison of two values, of two rows, or of a value with the rows of a query."""
    if isinstance(node.expression, exp.In | exp.Between | exp.Like | exp.ILike | exp.RegexpLike | exp.Is | exp.Not):
        message = "dialects do not agree on what is compared here"
        raise expressions.reading.error(node.expression, message, "write parentheses")
    operator = COMPARISONS[type(node.of)]
    left, right = (unwrapped(expressions.reading, each) for each in (node.this, node.expression))
    if isinstance(right, exp.Any | exp.All):
        return _quantified(expressions, operator, left, right)
    if isinstance(left, exp.Any | exp.All):
        return _quantified(expressions, MIRRORED[operator], right, left)
    if isinstance(left, exp.Tuple) or isinstance(right, exp.Tuple):
        return _rows_compared(expressions, operator, left, right, node)
    return compared(expressions, operator, expressions.read(left), expressions.read(right), node)


def _rows_compared(
    expressions: Expressions, operator: ComparisonOperator, left: exp.Expr, right: exp.Expr, node: Place
) -> Expression:
    rows = isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple)
    if not rows or operator not in ("=", "<>", "<=>"):
        raise expressions.reading.error(node, "this comparison of rows is not understood", "compare their columns")
    columns = [row_of(expressions.reading, each) for each in (left, right)]
    if len(columns[0]) != len(columns[1]):
        raise expressions.reading.error(node, "rows of different length are compared")
    pairs = zip(*columns, strict=True)
    each: ComparisonOperator = "<=>" if operator == "<=>" else "="
    equal = And(tuple(compared(expressions, each, expressions.read(a), expressions.read(b), node) for a, b in pairs))
    return Not(equal) if operator == "<>" else equal


def _quantified(expressions: Expressions, operator: ComparisonOperator, left: exp.Expr, right: exp.Expr) -> Expression:
    if isinstance(left, exp.Tuple):
        raise expressions.reading.error(left, "ANY and ALL compare one column", "write IN or EXISTS")
    with expressions.reading.parts(right) as parts:
        query = unwrapped(expressions.reading, parts.this)
    if not isinstance(query, exp.Query):
        raise expressions.reading.error(right, f"{right.key.upper()} of a list is not understood", "write IN")
    relation = _of_width(expressions, expressions.subquery(query), 1, query)
    values, aligned = aligned_with(expressions, [expressions.read(left)], relation, right)
    quantifier = "all" if isinstance(right, exp.All) else "any"
    return Quantified(operator, quantifier, values[0], aligned.query)


def _of_width(expressions: Expressions, relation: Relation, width: int, node: Place) -> Relation:
    if len(relation.names) != width:
        wanted = "one column" if width == 1 else f"{width} columns"
        raise expressions.reading.error(node, f"the subquery returns {len(relation.names)} columns, not {wanted}")
    return relation


def aligned_with(
    expressions: Expressions, values: Sequence[Value], relation: Relation, node: Place
) -> tuple[tuple[Expression, ...], Relation]:
    """Values and the columns of a relation, converted to common types."""
    types = [
        common_type(expressions.reading, [value, relation.column(index)], node) or SqlType.INTEGER
        for index, value in enumerate(values)
    ]
    converted = [convert(expressions.reading, value, each, node) for value, each in zip(values, types, strict=True)]
    if TEXT in types:
        expressions.reading.assumptions.add(Assumption.CODE_POINTS)
    keys = tuple(collated(expressions.reading, value) for value in converted)
    aligned = as_types(expressions, relation, types, node)
    columns = tuple(collated(expressions.reading, each) for each in references(aligned.query))
    if columns == references(aligned.query):
        return keys, aligned
    return keys, Relation(Project(aligned.query, columns), aligned.names)


def as_types(expressions: Expressions, relation: Relation, types: Sequence[SqlType], node: Place) -> Relation:
    """The relation with its columns converted to the given types."""
    columns = tuple(
        convert(expressions.reading, relation.column(index), each, node) for index, each in enumerate(types)
    )
    if columns == references(relation.query):
        return relation
    return Relation(Project(relation.query, columns), relation.names)


def read_and(expressions: Expressions, node: Parts) -> Expression:
    """AND of all conditions that are joined by it."""
    operands = tuple(expressions.condition(each) for each in _flattened(expressions.reading, node))
    return conjoined(operands, expressions.reading.assumptions)


def read_or(expressions: Expressions, node: Parts) -> Expression:
    """OR of all conditions that are joined by it."""
    return Or(tuple(expressions.condition(each) for each in _flattened(expressions.reading, node)))


def _flattened(reading: Reading, node: Parts) -> list[exp.Expr]:
    """The conditions that one connective joins, without recursion: generated texts have thousands."""
    found: list[exp.Expr] = []
    waiting = [node.expression, node.this]
    while waiting:
        each = waiting.pop()
        if type(each) is type(node.of):
            with reading.parts(each) as parts:
                waiting += [parts.expression, parts.this]
        else:
            found.append(each)
    return found


def read_xor(expressions: Expressions, node: Parts) -> Expression:
    """XOR: the truth values differ."""
    return Comparison("<>", expressions.condition(node.this), expressions.condition(node.expression))


def read_not(expressions: Expressions, node: Parts) -> Expression:
    """NOT, and IS NOT, NOT IN and the like, which are parsed as NOT of the rest."""
    return Not(expressions.condition(node.this))


def read_is(expressions: Expressions, node: Parts) -> Expression:
    """IS NULL, IS UNKNOWN, IS TRUE and IS FALSE."""
    if isinstance(node.expression, exp.Boolean):
        test: Expression = IsTruth(
            expressions.condition(node.this), expressions.reading.word(node.expression) == "True"
        )
        return Not(test) if node.args.get("negate") else test
    if isinstance(node.expression, exp.Null):
        expressions.read(node.expression)
        test = IsNull(expressions.typed(node.this))
        return Not(test) if node.args.get("negate") else test
    raise expressions.reading.error(node, "after IS, NULL, TRUE, FALSE or UNKNOWN is expected")


def read_in(expressions: Expressions, node: Parts) -> Expression:
    """IN, of a list or of a query."""
    left = unwrapped(expressions.reading, node.this)
    query = node.args.get("query")
    if query is None:
        return _in_list(expressions, left, node)
    nodes = row_of(expressions.reading, left) if isinstance(left, exp.Tuple) else [left]
    relation = _of_width(expressions, expressions.subquery(query), len(nodes), query)
    values, aligned = aligned_with(expressions, [expressions.read(each) for each in nodes], relation, node)
    return In(values, aligned.query)


def _in_list(expressions: Expressions, left: exp.Expr, node: Parts) -> Expression:
    items = [unwrapped(expressions.reading, item) for item in node.expressions]
    if isinstance(left, exp.Tuple):
        alternatives = [_rows_compared(expressions, "=", left, item, node) for item in items]
        return Or(tuple(alternatives))
    values = [expressions.read(left), *(expressions.read(item) for item in items)]
    value, *members = unified(expressions.reading, values, node) or values
    return Or(tuple(compared(expressions, "=", value, member, node) for member in members))


def read_between(expressions: Expressions, node: Parts) -> Expression:
    """BETWEEN: at least the one and at most the other."""
    values = [expressions.read(node.args[part]) for part in ("this", "low", "high")]
    value, low, high = unified(expressions.reading, values, node) or values
    return And((compared(expressions, ">=", value, low, node), compared(expressions, "<=", value, high, node)))


def read_like(expressions: Expressions, node: Parts) -> Expression:
    """LIKE, ILIKE and RLIKE: functions of the text and the pattern."""
    return _matched(expressions, node, [node.this, node.expression])


def read_escape(expressions: Expressions, node: Parts) -> Expression:
    """LIKE with an escape character."""
    if not isinstance(node.this, exp.Like | exp.ILike):
        raise expressions.reading.refused(node)
    with expressions.reading.parts(node.this) as like:
        return _matched(expressions, like, [like.this, like.expression, node.expression])


def _matched(expressions: Expressions, node: Parts, nodes: Sequence[exp.Expr]) -> Expression:
    negated = bool(node.args.get("negate"))
    values = [(expressions.read(each), each) for each in nodes]
    arguments = []
    for value, each in values:
        if isinstance(value, UntypedNull):
            return Literal(None, BOOLEAN)
        if value.type != TEXT:
            raise type_error(expressions.reading, each, "a text", value)
        arguments.append(value)
    if isinstance(node.of, exp.Like) and len(arguments) == 2 and (same := _without_wildcards(expressions, *arguments)):
        return Not(same) if negated else same
    in_any_case = expressions.reading.dialect.collation != "binary"
    name = {exp.Like: "ILIKE" if in_any_case else "LIKE", exp.ILike: "ILIKE", exp.RegexpLike: "RLIKE"}[type(node.of)]
    if len(arguments) == 2 and name != "RLIKE" and not _needs_no_escape(expressions, arguments[1]):
        arguments.append(Literal("", TEXT))
    name = f"{name} ESCAPE" if len(arguments) > 2 else name
    matched = Function(name, tuple(arguments), BOOLEAN, strict=True)
    return Not(matched) if negated else matched


def _without_wildcards(expressions: Expressions, text: Expression, pattern: Expression) -> Expression | None:
    """LIKE as an equation: with a pattern without wildcards, or of the text with itself if the pattern is `%`."""
    if not (isinstance(pattern, Literal) and isinstance(pattern.value, str)):
        return None
    if pattern.value and not pattern.value.strip("%"):
        return Comparison("=", text, text)
    if any(each in pattern.value for each in "%_\\") or expressions.reading.dialect.name == "mysql":
        return None  # in MySQL, collations make LIKE another relation than `=` of texts
    expressions.reading.assumptions.add(Assumption.CODE_POINTS)
    return Comparison("=", text, pattern)


def _needs_no_escape(expressions: Expressions, pattern: Expression) -> bool:
    """Whether the pattern means the same with a backslash for an escape character, and without any."""
    has_default = expressions.reading.dialect.name not in ("duckdb", "calcite", "snowflake")
    return has_default or (isinstance(pattern, Literal) and "\\" not in str(pattern.value))


def read_exists(expressions: Expressions, node: Parts) -> Expression:
    """EXISTS of a query."""
    return Exists(expressions.subquery(node.this).query)


def read_subquery(expressions: Expressions, node: Parts) -> Value:
    """A query that stands for a value."""
    relation = _of_width(expressions, expressions.subquery(node.whole()), 1, node)
    if relation.names[0].untyped:
        return NULL
    return ScalarSubquery(relation.query)


def read_null_safe_difference(expressions: Expressions, node: Parts) -> Expression:
    """IS DISTINCT FROM."""
    return Not(compared(expressions, "<=>", expressions.read(node.this), expressions.read(node.expression), node))


HANDLERS = {
    **dict.fromkeys(COMPARISONS, read_comparison),
    exp.NullSafeNEQ: read_null_safe_difference,
    exp.And: read_and,
    exp.Or: read_or,
    exp.Xor: read_xor,
    exp.Not: read_not,
    exp.Is: read_is,
    exp.In: read_in,
    exp.Between: read_between,
    exp.Like: read_like,
    exp.ILike: read_like,
    exp.RegexpLike: read_like,
    exp.Escape: read_escape,
    exp.Exists: read_exists,
    exp.Subquery: read_subquery,
    exp.Select: read_subquery,
}
