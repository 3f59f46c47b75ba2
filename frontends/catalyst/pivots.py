"""Pivots with listed values: Spark groups twice, by the keys and the pivot's column, then by the keys alone.

The second grouping picks, of each aggregate, its value for each listed value (`PivotFirst`). This is read as one
grouping by the keys, with an aggregate of the rows that have the value, which is NULL where there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.expressions import And, Case, Comparison, Expression, Literal
from tallystick.core.queries.syntax import Aggregate, Project, reference
from tallystick.frontends.catalyst.aggregates import read_aggregate, require_complete
from tallystick.frontends.catalyst.expressions import Expressions
from tallystick.frontends.catalyst.nodes import Node, malformed, refused
from tallystick.frontends.catalyst.reading import Attribute, PlanReading, Relation, RowScope, Scopes, expression_id
from tallystick.frontends.catalyst.subqueries import bare
from tallystick.frontends.catalyst.types import SparkType, core_value
from tallystick.frontends.catalyst.values import Struct, Value, integer

ReadQuery = Callable[[Node, Scopes], Relation]
OF_NO_ROWS = ("sum", "min", "max", "avg")
"""Aggregates that are NULL of no rows by themselves."""


def pivot_of(node: Node) -> Node | None:
    """The call of PivotFirst that an expression is, if it is one."""
    call = node.children[0] if node.name == "Alias" and node.children else node
    found = call.name == "AggregateExpression" and call.one("aggregateFunction").name == "PivotFirst"
    return call if found else None


def read_pivot(reading: PlanReading, node: Node, outer: Scopes, read: ReadQuery) -> Relation:
    """The two groupings of a pivot."""
    inner = node.one("child")
    if inner.name != "Aggregate":
        raise refused(node, "a pivot of what is not grouped is not understood")
    rows = bare(read(inner.one("child"), outer))
    pivot = _Pivot(reading, Expressions(reading, (rows.frame(), *outer), read), inner, [])
    keys = {expression_id(key): pivot.key(expression_id(key)) for key in node.many("groupingExpressions")}
    columns: list[tuple[Node, list[_Cell]]] = []
    for each in node.many("aggregateExpressions"):
        call = pivot_of(each)
        if call is not None:
            columns.append((each, pivot.cells(call, list(keys.values()))))
        elif each.name != "AttributeReference" or expression_id(each) not in keys:
            raise refused(each, "a pivot with other columns than keys and aggregates is not understood")
        else:
            columns.append((each, []))
    grouped = Aggregate(rows.query, tuple(key.expression for key in keys.values()), tuple(pivot.calls))
    places = {id_: Attribute(id_, "", key.type, index) for index, (id_, key) in enumerate(keys.items())}
    over = (RowScope(places, grouped.columns), *outer)
    shown: list[Expression] = []
    attributes = []
    for each, cells in columns:
        id_, name = expression_id(each), each.text("name")
        if not cells:
            attributes.append(Attribute(id_, name, keys[id_].type, len(shown)))
            shown.append(reference(grouped, places[id_].index))
            continue
        values = [cell(grouped, over, len(keys)) for cell in cells]
        type_ = SparkType("pivoted", fields=tuple(value.type for value in values))
        attributes.append(Attribute(id_, name, type_, len(shown)))
        shown += [value.expression for value in values]
    return Relation(Project(grouped, tuple(shown)), tuple(attributes))


_Cell = Callable[[Aggregate, Scopes, int], Value]
"""The value of an aggregate for one value of the pivot's column, over the groups."""


class _Pivot:
    """Reads the first grouping of a pivot, of the rows below it.

    Attributes:
        calls: the aggregates of the rows that have a listed value, as they are met.
    """

    def __init__(self, reading: PlanReading, over_rows: Expressions, inner: Node, calls: list[AggregateCall]) -> None:
        self.reading, self.over_rows, self.calls = reading, over_rows, calls
        self.columns = {expression_id(each): each for each in inner.many("aggregateExpressions")}
        self.keys = [over_rows.read(each) for each in inner.many("groupingExpressions")]

    def key(self, id_: int) -> Value:
        """A column that the first grouping has as a key."""
        found = self.columns.get(id_)
        value = None if found is None else self.over_rows.read(found)
        if value is None or value not in self.keys:
            raise malformed("a pivot groups by what is no key of its first grouping")
        return value

    def cells(self, call: Node, keys: list[Value]) -> list[_Cell]:
        """The columns of one PivotFirst."""
        require_complete(call)
        function = call.one("aggregateFunction")
        if call.maybe("filter") is not None or call.flag("isDistinct"):
            raise refused(call, "a pivot of some rows is not understood")
        column = self.key(expression_id(function.one("pivotColumn")))
        if {*keys, column} != set(self.keys) or column.type.kind:
            raise refused(function, "a pivot by other columns than its first grouping is not understood")
        aggregate = self.columns[expression_id(function.one("valueColumn"))]
        return [self.cell(aggregate, column, text) for text in function.items("pivotColumnValues")]

    def cell(self, aggregate: Node, column: Value, text: str | None) -> _Cell:
        """An aggregate of the rows in which the pivot's column has a value."""
        try:
            wanted = Literal(core_value(text, column.type), column.type.core)
        except (ValueError, TypeError):
            raise refused(aggregate, f"the {column.type} {text!r} of a pivot is not understood") from None
        condition = Comparison("<=>", column.expression, wanted)
        present = AggregateCall("count", filter=condition)

        def restricted(call: AggregateCall) -> AggregateCall:
            return replace(call, filter=condition if call.filter is None else And((call.filter, condition)))

        def found(part: Node) -> tuple[list[AggregateCall], Callable[[Sequence[Expression]], Value | Struct]]:
            aggregated = read_aggregate(self.over_rows, part)
            return [restricted(each) for each in aggregated.calls], aggregated.result

        for part in _calls(aggregate):
            self.calls += [each for each in [*found(part)[0], present] if each not in self.calls]

        def value(grouped: Aggregate, over: Scopes, keys: int) -> Value:
            def special(part: Node) -> Value | Struct | None:
                if part.name != "AggregateExpression":
                    return None
                calls, result = found(part)
                return result([reference(grouped, keys + self.calls.index(each)) for each in calls])

            expressions = Expressions(self.reading, over, self.over_rows.query, special)
            read = expressions.read(aggregate)
            own = aggregate.children[0] if aggregate.name == "Alias" else aggregate
            if own.name == "AggregateExpression" and found(own)[0][0].function in OF_NO_ROWS:
                return read
            number = reference(grouped, keys + self.calls.index(present))
            known = Comparison(">", number, integer(0))
            return Value(Case(((known, read.expression),), Literal(None, read.type.core)), read.type)

        return value


def _calls(node: Node) -> list[Node]:
    """The aggregate calls in an expression."""
    found, pending = [], [node]
    while pending:
        part = pending.pop()
        found += [part] if part.name == "AggregateExpression" else []
        pending += part.children
    return found
