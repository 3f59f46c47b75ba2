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
from tallystick.frontends.sql.coercion import common_type, convert, type_error, unified
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.literals import truth
from tallystick.frontends.sql.nulls import NULL, UntypedNull, Value
from tallystick.frontends.sql.scopes import Relation

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
    expressions: Expressions, operator: ComparisonOperator, left: Value, right: Value, node: exp.Expr
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
    return on_days(Comparison(operator, left, right), expressions.reading.assumptions)


def _require_no_padding(expressions: Expressions, left: Expression, right: Expression, node: exp.Expr) -> None:
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


def read_comparison(expressions: Expressions, node: exp.Expr) -> Expression:
    """A comparison of two values, of two rows, or of a value with the rows of a query."""
    expressions.reading.only(node, "this", "expression")
    if isinstance(node.expression, exp.In | exp.Between | exp.Like | exp.ILike | exp.RegexpLike | exp.Is | exp.Not):
        message = "dialects do not agree on what is compared here"
        raise expressions.reading.error(node.expression, message, "write parentheses")
    operator, left, right = COMPARISONS[type(node)], _unwrapped(node.this), _unwrapped(node.expression)
    if isinstance(right, exp.Any | exp.All):
        return _quantified(expressions, operator, left, right)
    if isinstance(left, exp.Any | exp.All):
        return _quantified(expressions, MIRRORED[operator], right, left)
    if isinstance(left, exp.Tuple) or isinstance(right, exp.Tuple):
        return _rows_compared(expressions, operator, left, right, node)
    return compared(expressions, operator, expressions.read(left), expressions.read(right), node)


def _unwrapped(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def _rows_compared(
    expressions: Expressions, operator: ComparisonOperator, left: exp.Expr, right: exp.Expr, node: exp.Expr
) -> Expression:
    rows = isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple)
    if not rows or operator not in ("=", "<>", "<=>"):
        raise expressions.reading.error(node, "this comparison of rows is not understood", "compare their columns")
    if len(left.expressions) != len(right.expressions):
        raise expressions.reading.error(node, "rows of different length are compared")
    pairs = zip(left.expressions, right.expressions, strict=True)
    each: ComparisonOperator = "<=>" if operator == "<=>" else "="
    equal = And(tuple(compared(expressions, each, expressions.read(a), expressions.read(b), node) for a, b in pairs))
    return Not(equal) if operator == "<>" else equal


def _quantified(expressions: Expressions, operator: ComparisonOperator, left: exp.Expr, right: exp.Expr) -> Expression:
    if isinstance(left, exp.Tuple):
        raise expressions.reading.error(left, "ANY and ALL compare one column", "write IN or EXISTS")
    query = _unwrapped(right.this)
    if not isinstance(query, exp.Query):
        raise expressions.reading.error(right, f"{right.key.upper()} of a list is not understood", "write IN")
    relation = _of_width(expressions, expressions.subquery(query), 1, query)
    values, aligned = aligned_with(expressions, [expressions.read(left)], relation, right)
    quantifier = "all" if isinstance(right, exp.All) else "any"
    return Quantified(operator, quantifier, values[0], aligned.query)


def _of_width(expressions: Expressions, relation: Relation, width: int, node: exp.Expr) -> Relation:
    if len(relation.names) != width:
        wanted = "one column" if width == 1 else f"{width} columns"
        raise expressions.reading.error(node, f"the subquery returns {len(relation.names)} columns, not {wanted}")
    return relation


def aligned_with(
    expressions: Expressions, values: Sequence[Value], relation: Relation, node: exp.Expr
) -> tuple[tuple[Expression, ...], Relation]:
    """Values and the columns of a relation, converted to common types."""
    types = [
        common_type(expressions.reading, [value, relation.column(index)], node) or SqlType.INTEGER
        for index, value in enumerate(values)
    ]
    converted = [convert(expressions.reading, value, each, node) for value, each in zip(values, types, strict=True)]
    if TEXT in types:
        expressions.reading.assumptions.add(Assumption.CODE_POINTS)
    return tuple(converted), as_types(expressions, relation, types, node)


def as_types(expressions: Expressions, relation: Relation, types: Sequence[SqlType], node: exp.Expr) -> Relation:
    """The relation with its columns converted to the given types."""
    columns = tuple(
        convert(expressions.reading, relation.column(index), each, node) for index, each in enumerate(types)
    )
    if columns == references(relation.query):
        return relation
    return Relation(Project(relation.query, columns), relation.names)


def read_and(expressions: Expressions, node: exp.Expr) -> Expression:
    """AND of all conditions that are joined by it."""
    operands = tuple(expressions.condition(each) for each in _flattened(node, exp.And))
    return conjoined(operands, expressions.reading.assumptions)


def read_or(expressions: Expressions, node: exp.Expr) -> Expression:
    """OR of all conditions that are joined by it."""
    return Or(tuple(expressions.condition(each) for each in _flattened(node, exp.Or)))


def _flattened(node: exp.Expr, connective: type[exp.Expr]) -> list[exp.Expr]:
    """The conditions from left to right, without recursion: generated texts have thousands."""
    found: list[exp.Expr] = []
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, connective):
            waiting += [each.args["expression"], each.this]
        else:
            found.append(each)
    return found


def read_xor(expressions: Expressions, node: exp.Expr) -> Expression:
    """XOR: the truth values differ."""
    expressions.reading.only(node, "this", "expression")
    return Comparison("<>", expressions.condition(node.this), expressions.condition(node.expression))


def read_not(expressions: Expressions, node: exp.Expr) -> Expression:
    """NOT, and IS NOT, NOT IN and the like, which are parsed as NOT of the rest."""
    expressions.reading.only(node, "this")
    return Not(expressions.condition(node.this))


def read_is(expressions: Expressions, node: exp.Expr) -> Expression:
    """IS NULL, IS UNKNOWN, IS TRUE and IS FALSE."""
    expressions.reading.only(node, "this", "expression", "negate")
    if isinstance(node.expression, exp.Boolean):
        test: Expression = IsTruth(expressions.condition(node.this), bool(node.expression.this))
        return Not(test) if node.args.get("negate") else test
    if isinstance(node.expression, exp.Null):
        test = IsNull(expressions.typed(node.this))
        return Not(test) if node.args.get("negate") else test
    raise expressions.reading.error(node, "after IS, NULL, TRUE, FALSE or UNKNOWN is expected")


def read_in(expressions: Expressions, node: exp.Expr) -> Expression:
    """IN, of a list or of a query."""
    expressions.reading.only(node, "this", "expressions", "query")
    left = _unwrapped(node.this)
    nodes = list(left.expressions) if isinstance(left, exp.Tuple) else [left]
    query = node.args.get("query")
    if query is None:
        return _in_list(expressions, left, node)
    relation = _of_width(expressions, expressions.subquery(query), len(nodes), query)
    values, aligned = aligned_with(expressions, [expressions.read(each) for each in nodes], relation, node)
    return In(values, aligned.query)


def _in_list(expressions: Expressions, left: exp.Expr, node: exp.Expr) -> Expression:
    items = [_unwrapped(item) for item in node.expressions]
    if isinstance(left, exp.Tuple):
        alternatives = [_rows_compared(expressions, "=", left, item, node) for item in items]
        return Or(tuple(alternatives))
    values = [expressions.read(left), *(expressions.read(item) for item in items)]
    value, *members = unified(expressions.reading, values, node) or values
    return Or(tuple(compared(expressions, "=", value, member, node) for member in members))


def read_between(expressions: Expressions, node: exp.Expr) -> Expression:
    """BETWEEN: at least the one and at most the other."""
    expressions.reading.only(node, "this", "low", "high")
    values = [expressions.read(node.args[part]) for part in ("this", "low", "high")]
    value, low, high = unified(expressions.reading, values, node) or values
    return And((compared(expressions, ">=", value, low, node), compared(expressions, "<=", value, high, node)))


def read_like(expressions: Expressions, node: exp.Expr) -> Expression:
    """LIKE, ILIKE and RLIKE: functions of the text and the pattern."""
    return _matched(expressions, node, [node.this, node.expression])


def read_escape(expressions: Expressions, node: exp.Expr) -> Expression:
    """LIKE with an escape character."""
    expressions.reading.only(node, "this", "expression")
    like = node.this
    if not isinstance(like, exp.Like | exp.ILike):
        raise expressions.reading.refused(node)
    return _matched(expressions, like, [like.this, like.expression, node.expression])


def _matched(expressions: Expressions, node: exp.Expr, nodes: Sequence[exp.Expr]) -> Expression:
    expressions.reading.only(node, "this", "expression", "negate")
    arguments = []
    for each in nodes:
        value = expressions.read(each)
        if isinstance(value, UntypedNull):
            return Literal(None, BOOLEAN)
        if value.type != TEXT:
            raise type_error(expressions.reading, each, "a text", value)
        arguments.append(value)
    if isinstance(node, exp.Like) and len(arguments) == 2 and (same := _without_wildcards(expressions, *arguments)):
        return Not(same) if node.args.get("negate") else same
    name = {exp.Like: "LIKE", exp.ILike: "ILIKE", exp.RegexpLike: "RLIKE"}[type(node)]
    if len(arguments) == 2 and name != "RLIKE" and not _needs_no_escape(expressions, arguments[1]):
        arguments.append(Literal("", TEXT))
    name = f"{name} ESCAPE" if len(arguments) > 2 else name
    matched = Function(name, tuple(arguments), BOOLEAN, strict=True)
    return Not(matched) if node.args.get("negate") else matched


def _without_wildcards(expressions: Expressions, text: Expression, pattern: Expression) -> Expression | None:
    """LIKE as an equation: with a pattern without wildcards, or of the text with itself if the pattern is `%`."""
    if not (isinstance(pattern, Literal) and isinstance(pattern.value, str)):
        return None
    if pattern.value and not pattern.value.strip("%"):
        return Comparison("=", text, text)
    if any(each in pattern.value for each in "%_\\") or expressions.reading.dialect.name == "mysql":
        return None  # in MySQL, collations make LIKE of letters another relation than `=` of texts
    expressions.reading.assumptions.add(Assumption.CODE_POINTS)
    return Comparison("=", text, pattern)


def _needs_no_escape(expressions: Expressions, pattern: Expression) -> bool:
    """Whether the pattern means the same with a backslash for an escape character, and without any."""
    has_default = expressions.reading.dialect.name not in ("duckdb", "calcite", "snowflake")
    return has_default or (isinstance(pattern, Literal) and "\\" not in str(pattern.value))


def read_exists(expressions: Expressions, node: exp.Expr) -> Expression:
    """EXISTS of a query."""
    expressions.reading.only(node, "this")
    return Exists(expressions.subquery(node.this).query)


def read_subquery(expressions: Expressions, node: exp.Expr) -> Value:
    """A query that stands for a value."""
    relation = _of_width(expressions, expressions.subquery(node), 1, node)
    if relation.names[0].untyped:
        return NULL
    return ScalarSubquery(relation.query)


def read_null_safe_difference(expressions: Expressions, node: exp.Expr) -> Expression:
    """IS DISTINCT FROM."""
    expressions.reading.only(node, "this", "expression")
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
