"""Truth values: connectives, IS, BETWEEN, LIKE and EXISTS; scalar subqueries; and what comparisons have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    IsNull,
    Literal,
    Not,
    Or,
    ScalarSubquery,
)
from tallystick.core.queries.syntax import Project, references
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    DOUBLE,
    INTEGER,
    OPAQUE,
    ORDERED_ONLY,
    REAL,
    TEXT,
    SqlType,
)
from tallystick.frontends.calendar import conjoined, on_days
from tallystick.frontends.elaboration.truths import is_truth
from tallystick.frontends.sql.casts import as_text
from tallystick.frontends.sql.coercion import (
    TIMES,
    cast_function,
    collated,
    common_type,
    convert,
    is_float_constant,
    named_kinds,
    narrowed,
    type_error,
    typed,
    unified,
)
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.literals import truth
from tallystick.frontends.sql.nulls import NULL, UntypedNull, Value
from tallystick.frontends.sql.padding import require_no_padded_match, require_no_padding, require_written_comparison
from tallystick.frontends.sql.parts import Parts, Place
from tallystick.frontends.sql.scopes import QueryReading, Relation, row_of, unwrapped


def compared(
    expressions: Expressions, operator: ComparisonOperator, left: Value, right: Value, node: Place
) -> Expression:
    """`left operator right` of values that are converted to one type."""
    if mixes_order(left, right):
        _require_one_meaning(expressions, typed(left), typed(right), node)
        return _named(operator, typed(left), typed(right))
    pair = unified(expressions.reading, [left, right], node)
    if pair is None:
        return truth(True) if operator == "<=>" else Literal(None, BOOLEAN)
    left, right = pair
    if left.type == TEXT:
        expressions.reading.assumptions.add(Assumption.CODE_POINTS)
        require_no_padding(expressions, left, right, node)
        require_no_padding(expressions, right, left, node)
        require_written_comparison(expressions, left, right, node)
        left, right = collated(expressions.reading, left), collated(expressions.reading, right)
    return on_days(narrowed(Comparison(operator, left, right)))


MIRRORED: Final[dict[ComparisonOperator, ComparisonOperator]] = {
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
    "=": "=",
    "<>": "<>",
    "<=>": "<=>",
}


def mixes_order(left: Value, right: Value) -> bool:
    """Whether a value that is known by its order alone meets one of another type, or two are OPAQUE.

    A struct with a NULL in it is not equal to itself in BigQuery: such values are compared by name.
    """
    if isinstance(left, UntypedNull) or isinstance(right, UntypedNull):
        return False
    types = {left.type, right.type}
    return OPAQUE in types or (len(types) > 1 and bool(types & ORDERED_ONLY))


def _named(operator: ComparisonOperator, left: Expression, right: Expression) -> Expression:
    """A comparison of a value that is known by its order alone with one of another type: a function by its name."""
    if right.type in ORDERED_ONLY and left.type not in ORDERED_ONLY:
        operator, left, right = MIRRORED[operator], right, left
    if operator == "<>":
        return Not(_named("=", left, right))
    if OPAQUE in (left.type, right.type):  # may be NULL of what is no NULL
        constant = "constant " if isinstance(right, Literal) else ""  # which an engine may convert otherwise
        return Function(f"{left.type} {operator} {constant}{right.type}", (left, right), BOOLEAN, strict=False)
    if operator == "<=>":
        neither = And((IsNull(left), IsNull(right)))
        return Or((neither, And((Not(IsNull(left)), Not(IsNull(right)), _named("=", left, right)))))
    return Function(f" {operator} ".join(named_kinds(left, right)), (left, right), BOOLEAN, strict=True)


def _require_one_meaning(expressions: Expressions, left: Expression, right: Expression, node: Place) -> None:
    """Raises SourceError where an array or a document is compared with a value, and how hangs on that one's exact type:
    on the digits of a decimal, the zone of a moment, or whether a text is a constant, which an engine converts."""
    reading = expressions.reading
    if reading.dialect.name in ("bigquery", "snowflake") or left.type == right.type:
        return
    other = right if left.type == OPAQUE else left
    if OPAQUE not in (left.type, right.type):
        return
    if other.type not in (TEXT, INTEGER, BOOLEAN, DATE, REAL, DOUBLE) or (other.type == TEXT and reading.pads):
        raise type_error(reading, node, "a text, an integer, a truth value or a date", other)
    if other.type == TEXT and isinstance(other, Literal):
        of = node.of if isinstance(node, Parts) else node
        if not any(each.is_string and each.name == other.value for each in of.find_all(exp.Literal)):
            raise reading.error(node, "whether this text is a constant is not known", "cast the document to a text")


def of_width(expressions: Expressions, relation: Relation, width: int, node: Place) -> Relation:
    """The relation; raises SourceError if it has not so many columns."""
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
    if OPAQUE in types:
        raise expressions.reading.error(node, "IN of a query is not understood for arrays and documents")
    columns = zip(values, references(relation.query), strict=True)
    if any(is_float_constant(value) and column.type == DECIMAL for value, column in columns):
        raise expressions.reading.error(node, "whether this constant is a DECIMAL is not known", "cast it")
    if TEXT in types:
        expressions.reading.assumptions.add(Assumption.CODE_POINTS)
    keys = tuple(collated(expressions.reading, value) for value in converted)
    aligned = as_types(expressions, relation, types, node)
    spelled = tuple(collated(expressions.reading, each) for each in references(aligned.query))
    if spelled == references(aligned.query):
        return keys, aligned
    return keys, Relation(Project(aligned.query, spelled), aligned.names)


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
    return conjoined(operands)


def read_or(expressions: Expressions, node: Parts) -> Expression:
    """OR of all conditions that are joined by it."""
    return Or(tuple(expressions.condition(each) for each in _flattened(expressions.reading, node)))


def _flattened(reading: QueryReading, node: Parts) -> list[exp.Expr]:
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
        test: Expression = is_truth(
            expressions.condition(node.this), expressions.reading.word(node.expression) == "True"
        )
        return Not(test) if node.args.get("negate") else test
    if isinstance(node.expression, exp.Null):
        expressions.read(node.expression)
        test = IsNull(expressions.typed(node.this))
        return Not(test) if node.args.get("negate") else test
    raise expressions.reading.error(node, "after IS, NULL, TRUE, FALSE or UNKNOWN is expected")


def read_between(expressions: Expressions, node: Parts) -> Expression:
    """BETWEEN: at least the one and at most the other."""
    values = [expressions.read(node.args[part]) for part in ("this", "low", "high")]
    value, low, high = values
    require_one_type(expressions, value, (low, high), node)
    if not (mixes_order(value, low) or mixes_order(value, high)):
        value, low, high = unified(expressions.reading, values, node) or values
    return And((compared(expressions, ">=", value, low, node), compared(expressions, "<=", value, high, node)))


def require_one_type(expressions: Expressions, value: Value, others: Sequence[Value], node: Place) -> None:
    """Raises SourceError where an array or a document is compared with values of several types at once, to which an
    engine converts all."""
    types = {each.type for each in (value, *others) if not isinstance(each, UntypedNull)}
    if OPAQUE in types and len(types) > 2 and expressions.reading.dialect.name != "snowflake":
        raise expressions.reading.error(node, "an array or a document meets values of several types", "write OR")


PATTERNS: Final[Mapping[type[exp.Expr], str]] = {
    exp.Like: "LIKE",
    exp.ILike: "ILIKE",
    exp.RegexpLike: "RLIKE",
    exp.RegexpILike: "RLIKE in any case",
}
"""The relations of texts and patterns."""


def read_like(expressions: Expressions, node: Parts) -> Expression:
    """LIKE, ILIKE and RLIKE: functions of the text and the pattern; with ANY and ALL, of each pattern of a list."""
    listed = isinstance(node.expression, exp.Any | exp.All) and isinstance(node.of, exp.Like | exp.ILike)
    if listed and expressions.reading.dialect.by_manual:
        return _matched_by_list(expressions, node)
    return _matched(expressions, node, [node.this, node.expression])


def _matched_by_list(expressions: Expressions, node: Parts) -> Expression:
    """`text LIKE ANY (pattern, …)`: OR of all, and with ALL, AND."""
    reading, quantified = expressions.reading, node.expression
    with reading.parts(quantified) as parts:
        listed = unwrapped(reading, parts.this)
    patterns = row_of(reading, listed) if isinstance(listed, exp.Tuple) else [listed]
    if any(isinstance(each, exp.Query | exp.Subquery) for each in patterns) or node.args.get("negate"):
        raise reading.error(node, "LIKE with ANY or ALL is understood of a list only")
    matched = tuple(_matched(expressions, node, [node.this, each]) for each in patterns)
    return Or(matched) if isinstance(quantified, exp.Any) else And(matched)


NO_EMPTY_ESCAPE = frozenset({"spark", "databricks", "mysql"})


def read_escape(expressions: Expressions, node: Parts) -> Expression:
    """LIKE with an escape character."""
    if not isinstance(node.this, exp.Like | exp.ILike):
        raise expressions.reading.refused(node)
    escape = node.expression
    if isinstance(escape, exp.Literal) and not escape.this and expressions.reading.dialect.name in NO_EMPTY_ESCAPE:
        # An error in Spark; a backslash in MariaDB, and no escape character in the manual of MySQL.
        hint = "write ESCAPE '|', or another character that the pattern has not"
        raise expressions.reading.error(escape, "ESCAPE '' is not understood", hint)
    with expressions.reading.parts(node.this) as like:
        return _matched(expressions, like, [like.this, like.expression, node.expression])


def _matched(expressions: Expressions, node: Parts, nodes: Sequence[exp.Expr]) -> Expression:
    negated, whole = bool(node.args.get("negate")), bool(node.args.get("full_match"))
    values = [(expressions.read(each), each) for each in nodes]
    arguments = []
    for value, each in values:
        if isinstance(value, UntypedNull):
            value.of(TEXT)
            return Literal(None, BOOLEAN)
        if value.type == OPAQUE and expressions.reading.dialect.name == "snowflake":
            value = cast_function(value, TEXT)
        if value.type in TIMES and expressions.reading.dialect.name == "snowflake":
            value = as_text(expressions, value, each)
        if value.type != TEXT:
            raise type_error(expressions.reading, each, "a text", value)
        arguments.append(value)
    likes = isinstance(node.of, exp.Like | exp.ILike) and len(arguments) == 2
    require_no_padded_match(expressions, arguments[0], arguments[1] if likes else Literal("", TEXT), nodes[0])
    pattern = arguments[1].value if isinstance(arguments[1], Literal) else None
    if expressions.reading.dialect.matches_any_case and str(pattern).upper() != str(pattern).lower():
        raise expressions.reading.error(node, "LIKE ignores the case of letters here", "compare with =, or SUBSTR")
    if isinstance(node.of, exp.Like) and len(arguments) == 2 and (same := _without_wildcards(expressions, *arguments)):
        return Not(same) if negated else same
    in_any_case = expressions.reading.dialect.collation != "binary"
    name = PATTERNS[type(node.of)]
    name = "ILIKE" if name == "LIKE" and in_any_case else name
    if len(arguments) == 2 and name in ("LIKE", "ILIKE") and not _needs_no_escape(expressions, arguments[1]):
        arguments.append(Literal("", TEXT))
    name = f"{name} ESCAPE" if len(arguments) > 2 else f"{name} of the whole text" if whole else name
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
    relation = of_width(expressions, expressions.subquery(node.whole()), 1, node)
    if relation.names[0].untyped:
        return NULL
    return ScalarSubquery(relation.query)


HANDLERS = {
    exp.And: read_and,
    exp.Or: read_or,
    exp.Xor: read_xor,
    exp.Not: read_not,
    exp.Is: read_is,
    exp.Between: read_between,
    exp.Like: read_like,
    exp.ILike: read_like,
    exp.RegexpLike: read_like,
    exp.RegexpILike: read_like,
    exp.Escape: read_escape,
    exp.Exists: read_exists,
    exp.Subquery: read_subquery,
    exp.Select: read_subquery,
}
