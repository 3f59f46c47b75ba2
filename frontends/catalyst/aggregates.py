"""Calls of aggregate functions, and the types of their results.

What a library knows of SQL has its meaning. Others are functions by name: of the bag of the rows of their arguments
(`BAGS`), or of these rows in their order, which is the window's, and among rows that tie that in which they come.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.calls import AggregateCall, OrderKey
from tallystick.core.queries.expressions import And, Expression, IsNull, Literal, Not
from tallystick.core.queries.types import DECIMAL, INTEGER
from tallystick.frontends.catalyst.named import BY_NAME, Naming, name_of, named_type, require_deterministic
from tallystick.frontends.catalyst.nodes import Node, refused
from tallystick.frontends.catalyst.types import BOOL, DOUBLE, INT, LONG, SparkType, bounded
from tallystick.frontends.catalyst.values import Struct, Value, folded, nearest, times

if TYPE_CHECKING:
    from tallystick.frontends.catalyst.expressions import Expressions

SPREADS = {"StddevSamp": "STDDEV_SAMP", "StddevPop": "STDDEV_POP", "VarianceSamp": "VAR_SAMP", "VariancePop": "VAR_POP"}
BITS = {"BitAndAgg": "BIT_AND", "BitOrAgg": "BIT_OR", "BitXorAgg": "BIT_XOR"}
BAGS: Final = frozenset(
    {
        *("HyperLogLogPlusPlus", "Percentile", "PercentileCont", "PercentileDisc", "Median", "Corr", "CovPopulation"),
        *("CovSample", "Skewness", "Kurtosis", "RegrCount", "RegrAvgX", "RegrAvgY", "RegrR2", "RegrSXX", "RegrSXY"),
        *("RegrSYY", "RegrSlope", "RegrIntercept", "Product", "CountMinSketchAgg", "BitmapConstructAgg"),
        *("BitmapOrAgg", "BitmapAndAgg", "BloomFilterAggregate"),
    }
)
"""Aggregates whose value does not hang on the order of rows; sums of doubles are exact by assumption."""
COLLECTING: Final = frozenset({"CollectList", "CollectSet", "ListAgg", "CollectTopK"})
"""Aggregates that Spark calls not deterministic because they hang on the order of rows, and on nothing else."""
ORDER_FREE: Final = frozenset({"Size", "SortArray", "ArrayContains", "ArrayMin", "ArrayMax"})
"""Functions of an array, the first child, whose value does not hang on the order of its elements."""
OWN_ORDER: Final = OrderKey(Literal(0, INTEGER), False, False)
"""The key of an order in which all rows tie: that in which they come."""
FIRST, LAST = "first_in_order", "last_in_order"


@dataclass(frozen=True)
class Aggregated:
    """Calls, and how the value that Spark gives is computed from those of the calls."""

    calls: tuple[AggregateCall, ...]
    result: Callable[[Sequence[Expression]], Value | Struct]


@dataclass(frozen=True)
class Rows:
    """The rows of a call: which, in which order, and whether their order matters."""

    distinct: bool = False
    kept: Expression | None = None
    order: tuple[OrderKey, ...] = ()
    ordered: bool = True

    def known(self, value: Value) -> Rows:
        """Those in which a value is not NULL."""
        known = folded(Not(IsNull(value.expression))) if value.expression.nullable else None
        if known is None:
            return self
        return replace(self, kept=known if self.kept is None else And((self.kept, known)))

    @property
    def as_they_come(self) -> tuple[OrderKey, ...]:
        """The order in which the rows are a list; () if that does not matter."""
        return (*self.order, OWN_ORDER) if self.ordered else ()


def order_free(nodes: Sequence[Node]) -> set[Node]:
    """Among the parts of expressions, the calls that collect values into an array whose order does not matter.

    Of others, such as `percentile_approx` with several percentages, the elements themselves hang on the order of rows.
    """
    free = (each.children[0] for each in nodes if each.name in ORDER_FREE and each.children)
    return {each for each in free if each.name == "AggregateExpression" and _collected(each) is not None}


def read_aggregate(self: Expressions, node: Node, order: tuple[OrderKey, ...] = (), ordered: bool = True) -> Aggregated:
    """An AggregateExpression over the rows of a group or frame, which come in an order that may matter."""
    condition = node.maybe("filter")
    kept = None if condition is None else self.condition(condition)
    require_complete(node)
    rows = Rows(node.flag("isDistinct"), kept, order, ordered)
    return _of_function(self, node.one("aggregateFunction"), rows)


def is_number_collected(node: Node) -> bool:
    """Whether an expression is the number of values that an aggregate collects."""
    if node.name != "Size" or node.children[0].name != "AggregateExpression":
        return False
    function = _collected(node.children[0])
    return function is not None and function.plain("ignoreNulls") is True


def _collected(call: Node) -> Node | None:
    """The function of a call, if its value is an array of the values of the rows."""
    function = call.one("aggregateFunction")
    return function if function.name in ("CollectList", "CollectSet") else None


def read_number_collected(self: Expressions, node: Node) -> Aggregated:
    """SIZE of COLLECT_LIST or COLLECT_SET, which is never NULL: a count of values, or of different ones."""
    node.plain("legacySizeOfNull")
    call = node.one("child")
    condition, function = call.maybe("filter"), call.one("aggregateFunction")
    kept = None if condition is None else self.condition(condition)
    require_complete(call)
    value = self.read(function.one("child"))
    distinct = call.flag("isDistinct") or function.name == "CollectSet"
    return _same(AggregateCall("count", (value.expression,), distinct, kept), INT)


def require_complete(node: Node) -> None:
    """Raises SourceError for a part of an aggregation: what is computed of each partition, or of such results."""
    if node.object_name("mode") != "Complete":
        raise refused(node, f"an aggregate in mode {node.object_name('mode')} is not understood")


def _of_function(self: Expressions, node: Node, rows: Rows) -> Aggregated:
    match node.name:
        case "Count":
            values = self.all(node.many("children"))
            arguments = tuple(value.expression for value in values)
            if not rows.distinct:
                arguments = tuple(each for each in arguments if each.nullable)
            if any(value.type.name == "void" for value in values):
                raise refused(node, "COUNT of an untyped NULL is not understood")
            return _same(AggregateCall("count", arguments, rows.distinct, rows.kept), LONG)
        case "CountIf" if not rows.distinct:
            condition = self.condition(node.one("child"))
            kept = condition if rows.kept is None else And((rows.kept, condition))
            return _same(AggregateCall("count", (), False, kept), LONG)
        case "Sum" | "Average":
            return _of_numbers(self, node, rows)
        case "Min" | "Max" | "First" | "Last" | "AnyValue":
            return _of_values(self, node, rows)
        case "MaxBy" | "MinBy":
            return _at_extreme(self, node, rows)
        case "BoolAnd" | "BoolOr":
            value = self.read(node.one("child"))
            name = "min" if node.name == "BoolAnd" else "max"
            return _same(AggregateCall(name, (value.expression,), rows.distinct, rows.kept), BOOL)
        case name if name in BITS:
            value = self.read(node.one("child"))
            call = AggregateCall(BITS[name], (value.expression,), rows.distinct, rows.kept, result=INTEGER)
            return _same(call, value.type)
        case name if name in SPREADS:
            value = self.read(node.one("child"))
            self.reading.assumptions.add(Assumption.EXACT_FLOATS)
            name = SPREADS[name] + ("" if node.fields.get("nullOnDivideByZero", True) else " or NaN")
            call = AggregateCall(name, (value.expression,), rows.distinct, rows.kept, result=DECIMAL)
            return _same(call, DOUBLE)
        case _:
            return _by_name(self, node, rows)


def _by_name(self: Expressions, node: Node, rows: Rows) -> Aggregated:
    """An aggregate of which nothing is known but its name, and whether it hangs on the order of rows."""
    if node.name not in COLLECTING:
        require_deterministic(node)
    type_, naming = named_type(node), Naming(self, constants=True)
    text = self.consumed(BY_NAME, lambda _, each: naming.name(each), node)
    arguments = naming.arguments
    if node.name in ("CollectList", "CollectSet") and node.plain("ignoreNulls") is True:
        rows = replace(rows.known(arguments[0]) if arguments else rows, distinct=node.name == "CollectSet")
    in_order = not (node.name in BAGS or (node.name == "Mode" and node.plain("reverseOpt") is not None))
    order = rows.as_they_come if in_order else ()
    if order:
        self.reading.assumptions.add(Assumption.ONE_CHOICE)
        self.reading.choices.append(f"{node.name}({', '.join(map(_called, node.children[:1]))})")
    name = name_of(self.reading, text, arguments, type_)
    values = tuple(each.expression for each in arguments)
    return _same(AggregateCall(name, values, rows.distinct, rows.kept, result=type_.core, order=order), type_)


def _same(call: AggregateCall, type_: SparkType) -> Aggregated:
    return Aggregated((call,), lambda values: Value(values[0], type_))


def _of_numbers(self: Expressions, node: Node, rows: Rows) -> Aggregated:
    """SUM and AVG: a sum of decimals has ten digits more, an average four more behind the point."""
    value = self.read(node.one("child"))
    type_ = value.type
    if type_.name == "void" or not (type_.is_integral or type_.is_float or type_.name == "decimal"):
        return _by_name(self, node, rows)
    if node.name == "Sum":
        if type_.is_float:
            self.reading.assumptions.add(Assumption.EXACT_FLOATS)
        elif type_.name == "decimal":
            type_ = bounded(type_.precision + 10, type_.scale)
        else:
            type_ = LONG
        result = DOUBLE if type_.is_float else type_
        return _same(AggregateCall("sum", (value.expression,), rows.distinct, rows.kept), result)
    call = AggregateCall("avg", (value.expression,), rows.distinct, rows.kept, rounding="exact")
    if type_.name != "decimal":
        self.reading.assumptions.add(Assumption.EXACT_FLOATS)
        return _same(call, DOUBLE)
    result = bounded(type_.precision + 4, type_.scale + 4)
    power = Fraction(10) ** (result.scale - type_.scale)
    return Aggregated((call,), lambda values: Value(nearest(times(power, values[0])), result))


def _of_values(self: Expressions, node: Node, rows: Rows) -> Aggregated:
    child = node.one("child")
    found = self.any(child)
    if isinstance(found, Struct) and node.name in ("Min", "Max") and found.names and not rows.distinct:
        return _extreme_struct(self, node, found, rows)
    value = self.read(child)
    if value.type.name == "void":
        raise refused(node, f"{node.name} of an untyped NULL is not understood")
    if node.name in ("Min", "Max"):
        if value.type.kind:
            raise refused(node, f"{node.name} of a {value.type} is not understood")
        if value.type.is_float:
            self.reading.assumptions.add(Assumption.EXACT_FLOATS)
        return _same(AggregateCall(node.name.lower(), (value.expression,), rows.distinct, rows.kept), value.type)
    self.reading.choices.append(f"{node.name.lower()}({_called(child)})")
    if node.plain("ignoreNulls"):
        rows = rows.known(value)
    return _same(any_value(self, node, value, rows.kept), value.type)


def _extreme_struct(self: Expressions, node: Node, struct: Struct, rows: Rows) -> Aggregated:
    """MIN or MAX of structs: the fields of the row that is first by their order, in which NULL is smallest."""
    order = _order_of_struct(self, node, struct, node.name == "Max")
    calls = tuple(_first(each, rows.kept, order) for each in struct.fields)
    types = tuple(each.type for each in struct.fields)

    def result(values: Sequence[Expression]) -> Struct:
        return Struct(tuple(Value(each, type_) for each, type_ in zip(values, types, strict=True)))

    return Aggregated(calls, result)


def _at_extreme(self: Expressions, node: Node, rows: Rows) -> Aggregated:
    """MAX_BY and MIN_BY: the value in the row with the largest or smallest other value that is not NULL."""
    value, other = self.read(node.one("valueExpr")), self.any(node.one("orderingExpr"))
    if rows.distinct:
        raise refused(node, f"{node.name} of different rows is not understood")
    self.reading.choices.append(f"{node.name}({_called(node.one('valueExpr'))})")
    if isinstance(other, Struct) and other.names:  # which is never NULL itself
        return _same(_first(value, rows.kept, _order_of_struct(self, node, other, node.name == "MaxBy")), value.type)
    if isinstance(other, Struct):
        raise refused(node, f"{node.name} by a struct that may be NULL is not understood")
    require_ordered(self, node, other)
    order = (OrderKey(other.expression, node.name == "MaxBy", False),)
    return _same(_first(value, rows.known(other).kept, order), value.type)


def _order_of_struct(self: Expressions, node: Node, struct: Struct, descending: bool) -> tuple[OrderKey, ...]:
    """The order of structs: by their fields, in which NULL is smallest."""
    for each in struct.fields:
        require_ordered(self, node, each)
    return tuple(OrderKey(each.expression, descending, not descending) for each in struct.fields)


def _first(value: Value, kept: Expression | None, order: tuple[OrderKey, ...], name: str = FIRST) -> AggregateCall:
    return AggregateCall(name, (value.expression,), filter=kept, result=value.type.core, order=order)


def require_ordered(self: Expressions, node: Node, value: Value) -> None:
    """Raises SourceError unless the order of values is known."""
    if value.type.kind or value.type.name == "void":
        raise refused(node, f"{node.name} by a {value.type} is not understood")
    if value.type.is_float:
        self.reading.assumptions.add(Assumption.EXACT_FLOATS)


def known_end(self: Expressions, node: Node, order: tuple[OrderKey, ...]) -> Aggregated:
    """FIRST or LAST of the values of a frame that are not NULL."""
    value = self.read(node.one("child"))
    node.plain("ignoreNulls")
    if value.type.name == "void":
        raise refused(node, f"{node.name} of an untyped NULL is not understood")
    call = _first(value, Rows().known(value).kept, (*order, OWN_ORDER), LAST if node.name == "Last" else FIRST)
    return _same(call, value.type)


def _called(node: Node) -> str:
    return str(node.fields.get("name", "…"))


def any_value(self: Expressions, node: Node, value: Value, kept: Expression | None = None) -> AggregateCall:
    """FIRST and its like without an order: the value of one of the rows, known where all have the same."""
    self.reading.assumptions.add(Assumption.ONE_CHOICE)
    name = {"Last": "last value"}.get(node.name, "any_value")
    return AggregateCall(name, (value.expression,), filter=kept, result=value.type.core)
