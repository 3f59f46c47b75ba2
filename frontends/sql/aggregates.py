"""Aggregate calls: COUNT, SUM, MIN, MAX and AVG by their meaning, others as named functions of bags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sqlglot import exp, parse_one
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.calls import AggregateCall, OrderKey
from tallystick.core.queries.expressions import And, Case, Cast, Expression, IsNull, Literal, Not
from tallystick.core.queries.types import BOOLEAN, DECIMAL, DOUBLE, FLOATS, INTEGER, TEXT, SqlType
from tallystick.frontends.sql import literals
from tallystick.frontends.sql.calcite import Calcite
from tallystick.frontends.sql.casts import require_floats, unsigned
from tallystick.frontends.sql.coercion import NUMBERS, collated, convert, require_spelling, type_error
from tallystick.frontends.sql.declared import declared_type
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.nulls import UntypedNull
from tallystick.frontends.sql.ordered_calls import AROUND, ORDERED, inner_call, read_ordered, read_over
from tallystick.frontends.sql.parts import Parts, Place, described
from tallystick.frontends.sql.rows import never_null
from tallystick.frontends.sql.scopes import unwrapped

EXACT: Final = {
    exp.Sum: "sum",
    exp.Min: "min",
    exp.Max: "max",
    exp.Avg: "avg",
    exp.LogicalAnd: "min",
    exp.LogicalOr: "max",
}
"""AND and OR of truth values are their minimum and maximum."""
MEASURES: Final[dict[type[exp.Expr], str]] = {
    exp.StddevPop: "STDDEV_POP",
    exp.StddevSamp: "STDDEV_SAMP",
    exp.Stddev: "STDDEV_SAMP",
    exp.VariancePop: "VAR_POP",
    exp.Variance: "VAR_SAMP",
    exp.Median: "MEDIAN",
    exp.PercentileCont: "PERCENTILE_CONT",
    exp.PercentileDisc: "PERCENTILE_DISC",
    exp.Corr: "CORR",
    exp.CovarPop: "COVAR_POP",
    exp.CovarSamp: "COVAR_SAMP",
}
"""Aggregates of numbers that are known by their names."""
PERCENTILES: Final = (exp.PercentileCont, exp.PercentileDisc)
"""Calls of BigQuery with two arguments, and of Snowflake WITHIN GROUP."""
DEFINED: Final[dict[type[exp.Expr], str]] = {
    exp.VariancePop: "CAST({squares} / COUNT(x) AS INTEGER)",
    exp.Variance: "CAST({squares} / {others} AS INTEGER)",
    exp.StddevPop: "CAST(POWER({squares} / COUNT(x), 0.5) AS INTEGER)",
    exp.StddevSamp: "CAST(POWER({squares} / {others}, 0.5) AS INTEGER)",
}
"""What Calcite computes for integers x (its rule AggregateReduceFunctions); quotients of integers are integers."""
SQUARES: Final = "(SUM(x * x) - SUM(x) * SUM(x) / COUNT(x))"
OTHERS: Final = "CASE WHEN COUNT(x) = 1 THEN NULL ELSE COUNT(x) - 1 END"
BITS: Final[dict[type[exp.Expr], str]] = {
    exp.BitwiseAndAgg: "BIT_AND",
    exp.BitwiseOrAgg: "BIT_OR",
    exp.BitwiseXorAgg: "BIT_XOR",
}
GROUPING: Final = (exp.Grouping, exp.GroupingId)
IDEMPOTENT: Final = frozenset({"BIT_AND", "BIT_OR"})
"""Aggregates to which duplicates do not matter: with DISTINCT they are the same."""
NAMED: Final = frozenset({"BIT_AND", "BIT_OR", "BIT_XOR", "EVERY"})
DEPENDS_ON_ORDER: Final = (
    exp.First,
    exp.Last,
    exp.FirstValue,
    exp.LastValue,
)


@dataclass(frozen=True)
class ParsedCall:
    """An aggregate call in a text.

    Attributes:
        node: the call itself, without FILTER.
        filter: the condition of FILTER, or None.
    """

    node: exp.Expr
    filter: exp.Expr | None


def aggregate_call(node: exp.Expr) -> ParsedCall | None:
    """The aggregate call that a node is; None if it is none."""
    if isinstance(node, exp.Filter):
        inner = aggregate_call(node.this)
        return None if inner is None else ParsedCall(inner.node, node.expression.this)
    if inner_call(node) is not None or _is_percentile(node):
        return ParsedCall(node, None)
    named = isinstance(node, exp.Anonymous) and node.name.upper() in NAMED
    known = (exp.Count, exp.CountIf, *EXACT, *MEASURES, *BITS, *DEPENDS_ON_ORDER)
    return ParsedCall(node, None) if named or isinstance(node, known) else None


def aggregate_nodes(node: exp.Expr) -> Iterator[exp.Expr]:
    """The outermost aggregate calls, and calls of GROUPING, that belong to the query of the expression itself."""
    if isinstance(node, exp.Query):
        return
    if isinstance(node, exp.Window):
        parts, inner = [part for part in _children(node) if part is not node.this], node.this
        while isinstance(inner, (exp.Filter, *AROUND)):
            parts += [part for part in _children(inner) if part is not inner.this]
            inner = inner.this
        parts = [*_children(inner), *parts]
    elif aggregate_call(node) is not None or isinstance(node, GROUPING):
        yield node
        return
    else:
        parts = _children(node)
    for part in parts:
        yield from aggregate_nodes(part)


def _children(node: exp.Expr) -> list[exp.Expr]:
    return list(node.iter_expressions())


def defined(expressions: Expressions, node: exp.Expr) -> exp.Expr | None:
    """What a call is short for in the dialect, made of other calls; None where it has a meaning or name of its own."""
    written = DEFINED.get(type(node))
    reading = expressions.reading
    if (
        written is None
        or reading.dialect.name != "calcite"
        or not reading.exact_floats
        or isinstance(node.this, exp.Distinct)
    ):
        return None
    with reading.parts(node) as parts:
        if expressions.typed(parts.this).type != INTEGER:
            return None
    tree = parse_one(written.format(squares=SQUARES, others=OTHERS), dialect=Calcite)
    return tree.transform(lambda part: exp.Paren(this=node.this.copy()) if part == exp.column("x") else part)


def read_call(expressions: Expressions, node: exp.Expr, window: tuple[OrderKey, ...] | None = None) -> AggregateCall:
    """An aggregate call over the rows that `expressions` reads, which come in an order if they are those of a window.

    Raises SourceError if it is not understood.
    """
    reading = expressions.reading
    condition: Expression | None = None
    inner = node
    while isinstance(inner, exp.Filter):
        with reading.parts(inner) as filtered, reading.parts(filtered.expression) as where:
            met, inner = expressions.condition(where.this), filtered.this
            condition = met if condition is None else And((met, condition))
    if inner_call(inner) is not None:
        call = (
            read_ordered(expressions, inner, condition)
            if window is None
            else read_over(expressions, inner, condition, window)
        )
    else:
        with reading.parts(inner) as parts:
            call = _read(expressions, parts, condition)
    _refuse_outer(expressions, call, node)
    return call


def as_declared(expressions: Expressions, node: exp.Expr, value: Expression) -> Expression:
    """The value of a call over rows, of the type that the dialect gives it.

    PostgreSQL's sums of BIGINTs are NUMERIC. MySQL's BIT_AND, BIT_OR and BIT_XOR are unsigned; of no values, BIT_AND is
    all ones and the others are 0.
    """
    parsed = aggregate_call(node)
    if parsed is None:
        return value
    dialect, call = expressions.reading.dialect, parsed.node
    if isinstance(call, exp.Sum) and value.type == INTEGER and dialect.widest_integer is not None:
        declared = declared_type(expressions, call)
        if declared is None:
            hint = "cast what is added to INT or BIGINT"
            raise expressions.reading.error(node, "whether this sum is an integer is not known", hint)
        return Cast(value, DECIMAL) if declared.type == DECIMAL else value
    bits = BITS.get(type(call))
    if bits is not None and dialect.unsigned_bits:
        none = literals.integer(2**64 - 1 if bits == "BIT_AND" else 0)
        return Case(((IsNull(value), none),), unsigned(value))
    return value


def _refuse_outer(expressions: Expressions, call: AggregateCall, node: exp.Expr) -> None:
    """An aggregate of columns of a query around this one belongs to that query, by the standard."""
    seen = {reference.level for operand in call.operands for reference in operand.free}
    if seen and 0 not in seen:
        raise expressions.reading.error(node, "an aggregate of columns of a query around is not understood")


def _read(expressions: Expressions, node: Parts, condition: Expression | None) -> AggregateCall:
    match node.of:
        case exp.Count():
            return _count(expressions, node, condition)
        case exp.WithinGroup():
            return _percentile(expressions, node, condition)
        case exp.CountIf():
            node.unwritten("big_int", "zero_on_all_null")
            met = expressions.condition(node.this)
            if expressions.reading.dialect.sums_truth:
                one, zero = literals.integer(1), literals.integer(0)
                return AggregateCall(
                    "sum", (Case(((met, one), (Not(met), zero)), Literal(None, INTEGER)),), False, condition
                )
            return AggregateCall("count", filter=met if condition is None else And((condition, met)))
        case exp.AggFunc() if isinstance(node.of, DEPENDS_ON_ORDER):
            hint = "use MIN or MAX, or compare the queries without it"
            raise expressions.reading.error(
                node, f"the result of {node.of.sql_name()} depends on the order of rows", hint
            )
        case exp.Anonymous() if node.name.upper() == "EVERY":
            met = expressions.condition(_only_one(expressions, node, node.expressions))
            return AggregateCall("min", (met,), False, condition)
        case exp.Anonymous():
            return _bits(expressions, node.name.upper(), _only_one(expressions, node, node.expressions), condition)
        case _ if type(node.of) in BITS:
            return _bits(expressions, BITS[type(node.of)], node.this, condition)
        case _ if type(node.of) in MEASURES:
            return _measure(expressions, node, condition)
        case _:
            return _exact(expressions, node, condition)


def _arguments(expressions: Expressions, node: Parts) -> tuple[list[exp.Expr], bool]:
    """The arguments of a call, and whether it says DISTINCT."""
    if isinstance(node.this, exp.Distinct):
        with expressions.reading.parts(node.this) as distinct:
            return list(distinct.expressions), True
    return [part for part in (node.this, *node.expressions) if part is not None], False


def _only_one(expressions: Expressions, node: Parts, arguments: list[exp.Expr]) -> exp.Expr:
    if len(arguments) != 1:
        message = f"{described(node.of)} has one argument, not {len(arguments)}"
        raise expressions.reading.error(node, message, "" if len(arguments) == 0 else "COUNT alone takes several")
    return arguments[0]


def _count(expressions: Expressions, node: Parts, condition: Expression | None) -> AggregateCall:
    node.unwritten("big_int")
    nodes, distinct = _arguments(expressions, node)
    if not nodes:
        raise expressions.reading.lacking(node)
    if len(nodes) == 1 and isinstance(nodes[0], exp.Star) and not distinct:
        with expressions.reading.parts(nodes[0]):
            return AggregateCall("count", filter=condition)
    if len(nodes) > 1 and not expressions.reading.dialect.counts_columns:
        raise expressions.reading.error(node, "COUNT has one argument here", "count the rows of a SELECT DISTINCT")
    arguments: list[Expression] = []
    for each in nodes:
        inner = unwrapped(expressions.reading, each)
        if not isinstance(inner, exp.Tuple):
            arguments.append(expressions.typed(each))
        elif expressions.reading.dialect.counts_rows:
            arguments += never_null(expressions, inner, node)
        else:
            raise expressions.reading.error(each, "COUNT takes no row here", "count the rows of a SELECT DISTINCT")
    if distinct:
        arguments = [collated(expressions.reading, each) for each in arguments]
    return AggregateCall("count", tuple(arguments), distinct, condition)


def _bits(expressions: Expressions, name: str, node: exp.Expr, condition: Expression | None) -> AggregateCall:
    """Bit by bit; of equal values one is enough for AND and OR."""
    value = expressions.typed(node)
    if value.type != INTEGER:
        raise type_error(expressions.reading, node.parent or node, "an integer", value)
    return AggregateCall(name, (value,), name in IDEMPOTENT, condition, result=INTEGER)


def _measure(expressions: Expressions, node: Parts, condition: Expression | None) -> AggregateCall:
    reading = expressions.reading
    if isinstance(node.of, exp.Stddev) and reading.dialect.name == "mysql":
        raise reading.error(node, "STDDEV is not understood", "write STDDEV_POP or STDDEV_SAMP")
    if isinstance(node.of, PERCENTILES) and reading.dialect.name != "bigquery":
        raise reading.refused(node)
    node.unwritten("null_on_zero_variance")
    nodes, distinct = _arguments(expressions, node)
    second = node.args.get("expression")
    given = [_only_one(expressions, node, nodes), *([] if second is None else [second])]
    arguments = [_numeric(expressions, each, node) for each in given]
    reading.assumptions.add(Assumption.EXACT_QUOTIENTS)
    rounds = reading.dialect.average_of_integers == "truncate" and arguments[0].type == INTEGER
    floating = any(each.type in FLOATS for each in arguments)
    floating = floating or (isinstance(node.of, PERCENTILES) and arguments[0].type == INTEGER)
    result = INTEGER if rounds else DOUBLE if floating else DECIMAL
    return AggregateCall(MEASURES[type(node.of)], tuple(arguments), distinct, condition, result=result)


def _is_percentile(node: exp.Expr) -> bool:
    return isinstance(node, exp.WithinGroup) and isinstance(node.this, PERCENTILES)


def _percentile(expressions: Expressions, node: Parts, condition: Expression | None) -> AggregateCall:
    """PERCENTILE_CONT(part) WITHIN GROUP (ORDER BY value): a function of the values, by the direction of the order."""
    from tallystick.frontends.sql.windows import ordered

    reading = expressions.reading
    if reading.dialect.name != "snowflake":
        raise reading.refused(node)
    with reading.parts(node.this) as call, reading.parts(node.expression) as order:
        [key] = order.expressions if len(order.expressions) == 1 else [None]
        if key is None:
            raise reading.refused(node)
        by, descending, _ = ordered(reading, key)
        arguments = (_numeric(expressions, by, node), expressions.typed(call.this))
        name = f"{MEASURES[type(call.of)]}{' from above' if descending else ''}"
    reading.assumptions.add(Assumption.EXACT_QUOTIENTS)
    result = DOUBLE if arguments[0].type in FLOATS else DECIMAL
    return AggregateCall(name, arguments, False, condition, result=result)


def _numeric(expressions: Expressions, node: exp.Expr, call: Place) -> Expression:
    value = expressions.typed(node)
    if value.type in NUMBERS | FLOATS:
        return value
    if value.type == TEXT and expressions.reading.dialect.text_as_number:
        if expressions.reading.dialect.texts_as_doubles:
            require_floats(expressions, node, "a text as a number")
        return convert(expressions.reading, value, DECIMAL, node)
    if value.type == BOOLEAN and expressions.reading.dialect.truth_as_number:
        return convert(expressions.reading, value, INTEGER, node)
    raise type_error(expressions.reading, call, "a number", value)


def _exact(expressions: Expressions, node: Parts, condition: Expression | None) -> AggregateCall:
    function = EXACT[type(node.of)]
    nodes, distinct = _arguments(expressions, node)
    each = _only_one(expressions, node, nodes)
    if isinstance(node.of, exp.LogicalAnd | exp.LogicalOr):
        return AggregateCall(function, (expressions.condition(each),), distinct, condition)
    if function in ("min", "max"):
        value = expressions.read(each)
        argument = Literal(None, INTEGER) if isinstance(value, UntypedNull) else value
        require_spelling(expressions.reading, [argument], node, function.upper())
        if argument.type == TEXT:
            expressions.reading.assumptions.add(Assumption.CODE_POINTS)
        return AggregateCall(function, (argument,), distinct, condition)
    intervals = {SqlType.MONTHS, SqlType.MICROSECONDS}
    value = expressions.typed(each)
    argument = value if function == "sum" and value.type in intervals else _numeric(expressions, each, node)
    if argument.type in FLOATS:
        name = f"{function.upper()} of {argument.type}"
        return AggregateCall(name, (argument,), distinct, condition, result=DOUBLE)
    if function == "sum":
        return AggregateCall(function, (argument,), distinct, condition)
    rounding = expressions.reading.dialect.average_of_integers if argument.type == INTEGER else "exact"
    if rounding == "exact":
        expressions.reading.assumptions.add(Assumption.EXACT_QUOTIENTS)
    return AggregateCall(function, (argument,), distinct, condition, rounding)


def read_misplaced(expressions: Expressions, node: Parts) -> Expression:
    """Refused: an aggregate where there is no group."""
    parsed = aggregate_call(node.of)
    if parsed is None:
        raise expressions.reading.refused(node)
    raise expressions.reading.error(node, f"an aggregate may not stand in {expressions.place}")


HANDLERS = {
    **dict.fromkeys(
        (exp.Count, exp.CountIf, exp.Filter, *EXACT, *MEASURES, *BITS, *DEPENDS_ON_ORDER, *ORDERED), read_misplaced
    ),
}
