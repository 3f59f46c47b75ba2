"""SQL queries as Coq's data: the constructors of `coq/queries/Meaning.v`.

What that file has no constructor for is spelt out: `a <> b` is NOT (a = b), `a - b` is a + (-1) * b, a right join is a
left join whose sides and columns change places. Everything else is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from tallystick.certificates.exports.coq_evidence import integer, listed
from tallystick.certificates.exports.plain_coq import TEXT_LIMIT
from tallystick.core.errors import FragmentError
from tallystick.core.queries import expressions as sql
from tallystick.core.queries import syntax
from tallystick.core.queries.calls import AggregateCall, GroupingCall
from tallystick.core.queries.types import BOOLEAN, DECIMAL, INTEGER, TEXT, ColumnType, RowType, SqlType, SqlValue


@dataclass(frozen=True, slots=True)
class Index:
    """The number of a scope or a column, or of columns."""

    number: int


Argument: TypeAlias = "Data | Index | int | bool | str | list[Any] | tuple[Any, ...]"


@dataclass(frozen=True, slots=True)
class Data:
    """A constructor with its arguments: integers and indices, texts, lists and, as tuples, pairs.

    Raises FragmentError where parts that are shared, written out, make it too long.
    """

    constructor: str
    arguments: tuple[Argument, ...] = ()
    text: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        words = " ".join((self.constructor, *map(_written, self.arguments)))
        if len(words) > TEXT_LIMIT:
            raise FragmentError("the query is too long to be spelt out in Coq")
        object.__setattr__(self, "text", f"({words})" if self.arguments else words)


def _written(argument: Argument) -> str:
    match argument:
        case Data(text=text):
            return text
        case Index(number=number):
            return f"{number}%nat"
        case bool():
            return str(argument).lower()
        case int():
            return integer(argument)
        case str():
            return quoted(argument)
        case list():
            return listed(map(_written, argument))
        case tuple():
            return f"({', '.join(map(_written, argument))})"


def lacking(construct: str) -> FragmentError:
    """The refusal of a construct, by its name."""
    return FragmentError(f"the Coq development has no {construct} in queries")


def quoted(text: str) -> str:
    """A text, whose bytes in UTF-8 are the characters of Coq's."""
    if not text.isprintable():
        raise lacking("text with control characters")
    return '"' + text.replace('"', '""') + '"'


def kind(of: SqlType) -> str:
    """What Coq calls a type; dates, timestamps and intervals are numbers."""
    if of == DECIMAL:
        raise lacking("decimal")
    return {BOOLEAN: "Truths", TEXT: "Texts"}.get(of, "Numbers")


def value(given: SqlValue) -> Data:
    """A value."""
    match given:
        case None:
            return Data("Null")
        case bool():
            return Data("Truth", (given,))
        case int():
            return Data("Number", (given,))
        case str():
            return Data("Text", (given,))
        case _:
            raise lacking("decimal")


def constant(given: SqlValue, of: SqlType) -> Data:
    """A literal."""
    return Data("Constant", (Data(kind(of)), value(given)))


def _column(index: int, scope: int = 0) -> Data:
    return Data("Column", (Index(scope), Index(index)))


_ONE: Final = constant(1, INTEGER)
_TRUE: Final = constant(True, BOOLEAN)


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression of core stands: `outer` scopes further in, and the columns of its own row at other places."""

    outer: int = 0
    places: tuple[int, ...] | None = None

    def column(self, reference: sql.Reference) -> Data:
        """The column that a reference means."""
        kind(reference.type)
        moved = reference.level == 0 and self.places is not None
        index = self.places[reference.index] if moved and self.places is not None else reference.index
        return _column(index, reference.level + self.outer)


HERE: Final = Scope()


def query(of: syntax.Query) -> Data:
    """A query; raises FragmentError for what the development does not have."""
    match of:
        case syntax.Scan(table=table, columns=columns):
            _require_kinds(columns)
            return Data("Table", (table,))
        case syntax.Values(rows=rows, columns=columns):
            _require_kinds(columns)
            return Data("Rows", ([[value(each) for each in row] for row in rows],))
        case syntax.Filter(input=source, condition=condition):
            read = query(source)
            return Data("Where", (expression(condition), read))
        case syntax.Project(input=source, expressions=expressions):
            read = query(source)
            return Data("Select", ([expression(each) for each in expressions], read))
        case syntax.Join():
            return _join(of)
        case syntax.SetOperation():
            return _set_operation(of)
        case syntax.Distinct(input=source):
            return Data("Distinct", (query(source),))
        case syntax.Aggregate():
            return _aggregate(of)
        case syntax.Window():
            raise lacking("window function")
        case syntax.Limit():
            raise lacking("LIMIT")


def _require_kinds(columns: RowType) -> None:
    for column in columns:
        kind(column.type)


def _join(of: syntax.Join) -> Data:
    if of.lateral:
        raise lacking("lateral join")
    left, right = query(of.left), query(of.right)
    widths = len(of.left.columns), len(of.right.columns)
    if of.kind not in ("right", "full"):
        condition = expression(of.condition)
        match of.kind:
            case "inner":
                return Data("Join", (condition, left, right))
            case "left":
                return Data("LeftJoin", (Index(widths[1]), condition, left, right))
            case "semi" | "anti":
                return Data("SemiJoin", (of.kind == "semi", condition, left, right))
    turned = (*range(widths[1], sum(widths)), *range(widths[1]))
    condition = expression(of.condition, Scope(places=turned))
    if of.kind == "right":
        joined = Data("LeftJoin", (Index(widths[0]), condition, right, left))
        return Data("Select", ([_column(index) for index in turned], joined))
    alone = Data("SemiJoin", (False, condition, right, left))
    padded = [constant(None, column.type) for column in of.left.columns]
    padded += [_column(index) for index in range(widths[1])]
    joined = Data("LeftJoin", (Index(widths[1]), expression(of.condition), left, right))
    return Data("UnionAll", (joined, Data("Select", (padded, alone))))


def _set_operation(of: syntax.SetOperation) -> Data:
    left, right = query(of.left), query(of.right)
    match of.kind, of.all:
        case "union", keeps:
            both = Data("UnionAll", (left, right))
            return both if keeps else Data("Distinct", (both,))
        case "except", True:
            return Data("ExceptAll", (left, right))
        case "intersect", True:
            return Data("ExceptAll", (left, Data("ExceptAll", (left, right))))
        case _:
            return Data("Among", (of.kind == "intersect", Data("Distinct", (left,)), right))


_AGGREGATES: Final = {"count": "Count", "sum": "Sum", "min": "Least", "max": "Greatest"}


def _aggregate(of: syntax.Aggregate) -> Data:
    if of.grouping_sets is not None:
        raise lacking("grouping sets")
    source, keys = query(of.input), [expression(key) for key in of.keys]
    if keys and not of.calls:
        return Data("Distinct", (Data("Select", (keys, source)),))
    calls: list[Argument] = [_call(call) for call in of.calls]
    return Data("GroupBy", (keys, calls, source)) if keys else Data("Total", (calls, source))


def _call(call: AggregateCall | GroupingCall) -> Argument:
    """An aggregate function, and what it takes of each row."""
    if isinstance(call, GroupingCall):
        raise lacking("GROUPING")
    distinct = call.distinct and call.function not in ("min", "max")
    if distinct or call.function not in _AGGREGATES or len(call.arguments) > 1:
        raise lacking(f"aggregate {call.function}{' of distinct rows' if distinct else ''}")
    argument = expression(call.arguments[0]) if call.arguments else _ONE
    of = call.arguments[0].type if call.arguments else INTEGER
    if call.function != "count" and kind(of) != "Numbers":
        raise lacking(f"aggregate {call.function} of values of type {of}")
    if call.filter is not None:
        argument = Data("When", (expression(call.filter), argument, constant(None, of)))
    return Data(_AGGREGATES[call.function]), argument


def expression(of: sql.Expression, scope: Scope = HERE) -> Data:
    """An expression; raises FragmentError for what the development does not have."""

    def here(part: sql.Expression) -> Data:
        return expression(part, scope)

    match of:
        case sql.Reference():
            return scope.column(of)
        case sql.Literal(value=given, type=of_type):
            return constant(given, of_type)
        case sql.Arithmetic():
            return _arithmetic(of, here)
        case sql.Comparison(operator=operator, left=left, right=right):
            return _comparison(operator, here(left), here(right), left.type)
        case sql.And(operands=operands):
            return _joined("Both", [*map(here, operands)] or [_TRUE])
        case sql.Or(operands=operands):
            return _joined("Either", [*map(here, operands)] or [constant(False, BOOLEAN)])
        case sql.Not(operand=operand):
            return _negated(here(operand))
        case sql.IsNull(operand=operand):
            return Data("IsNull", (here(operand),))
        case sql.Case(branches=branches, default=default):
            result = here(default)
            for condition, chosen in reversed(branches):
                result = Data("When", (here(condition), here(chosen), result))
            return result
        case sql.Cast(operand=operand, type=of_type):
            return _cast(operand, of_type, here)
        case sql.Exists() | sql.ForSome() | sql.ScalarSubquery():
            return _with_query(of, scope)
        case sql.Function(name=name):
            raise lacking(f"function {name}")
        case sql.Divide():
            raise lacking("division")
        case sql.Remainder():
            raise lacking("remainder")


Written = Callable[[sql.Expression], Data]


def _joined(constructor: str, parts: Sequence[Data]) -> Data:
    first, *others = parts
    for other in others:
        first = Data(constructor, (first, other))
    return first


def _negated(of: Data) -> Data:
    return Data("Negated", (of,))


def _arithmetic(of: sql.Arithmetic, here: Written) -> Data:
    kind(of.type)
    if of.operator == "*":
        for factor, other in ((of.left, of.right), (of.right, of.left)):
            if isinstance(factor, sql.Literal) and type(factor.value) is int:
                return Data("Times", (factor.value, here(other)))
        raise lacking("product of columns")
    right = here(of.right)
    return Data("Plus", (here(of.left), right if of.operator == "+" else Data("Times", (-1, right))))


def _comparison(operator: sql.ComparisonOperator, left: Data, right: Data, of: SqlType) -> Data:
    if kind(of) != "Numbers" and operator not in ("=", "<>", "<=>"):
        raise lacking(f"order of values of type {of}")
    match operator:
        case "<=>":
            return Data("Compare", (Data("Same"), left, right))
        case "=":
            return Data("Compare", (Data("Equal"), left, right))
        case "<>":
            return _negated(Data("Compare", (Data("Equal"), left, right)))
        case "<":
            return Data("Compare", (Data("Below"), left, right))
        case ">":
            return Data("Compare", (Data("Below"), right, left))
        case "<=":
            return Data("Compare", (Data("AtMost"), left, right))
        case ">=":
            return Data("Compare", (Data("AtMost"), right, left))


def _cast(operand: sql.Expression, of: SqlType, here: Written) -> Data:
    if operand.type != BOOLEAN or of == DECIMAL:
        raise lacking(f"cast of {operand.type} to {of}")
    truth = here(operand)
    known = Data("When", (truth, constant(1, of), constant(0, of)))
    return Data("When", (Data("IsNull", (truth,)), constant(None, of), known))


def _with_query(of: sql.WithQuery, scope: Scope) -> Data:
    """A subquery in an expression: the disjunction of a condition over its rows, or its only value."""
    if scope != HERE:
        raise lacking("subquery of a subquery's comparison, or in the condition of a right or full join,")
    read = query(of.query)
    match of:
        case sql.Exists():
            return Data("ForSome", (_TRUE, read))
        case sql.ScalarSubquery():
            return Data("TheValue", (read,))
        case sql.ForSome(operator=operator, expressions=expressions):
            pairs = zip(expressions, of.query.columns, strict=True)
            known = [_with_row(operator, each, index, column) for index, (each, column) in enumerate(pairs)]
            return Data("ForSome", (_joined("Both", known), read))


def _with_row(operator: sql.ComparisonOperator, of: sql.Expression, index: int, column: ColumnType) -> Data:
    """An expression compared with a column of a row of a subquery, whose scope is one further in."""
    return _comparison(operator, expression(of, Scope(outer=1)), _column(index), column.type)


def table(name: str, row: RowType) -> str:
    """The columns of a table, each with its kind and whether it may hold NULL."""
    return _written((name, [(Data(kind(column.type)), column.nullable) for column in row]))
