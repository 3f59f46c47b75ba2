"""Calls of aggregate functions, and the types of their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.expressions import Expression
from tallystick.core.queries.types import DECIMAL
from tallystick.frontends.catalyst.nodes import Node, refused
from tallystick.frontends.catalyst.types import BOOL, DOUBLE, LONG, SparkType, bounded
from tallystick.frontends.catalyst.values import Value, nearest, times

if TYPE_CHECKING:
    from tallystick.frontends.catalyst.expressions import Expressions

SPREADS = {"StddevSamp": "STDDEV_SAMP", "StddevPop": "STDDEV_POP", "VarianceSamp": "VAR_SAMP", "VariancePop": "VAR_POP"}


@dataclass(frozen=True)
class Aggregated:
    """A call, and how the value that Spark gives is computed from that of the call."""

    call: AggregateCall
    result: Callable[[Expression], Value]


def read_aggregate(self: Expressions, node: Node) -> Aggregated:
    """An AggregateExpression over the rows of a group or frame."""
    condition = node.maybe("filter")
    kept = None if condition is None else self.condition(condition)
    require_complete(node)
    return _of_function(self, node.one("aggregateFunction"), node.flag("isDistinct"), kept)


def require_complete(node: Node) -> None:
    """Raises SourceError for a part of an aggregation: what is computed of each partition, or of such results."""
    if node.object_name("mode") != "Complete":
        raise refused(node, f"an aggregate in mode {node.object_name('mode')} is not understood")


def _of_function(self: Expressions, node: Node, distinct: bool, kept: Expression | None) -> Aggregated:
    match node.name:
        case "Count":
            values = self.all(node.many("children"))
            arguments = tuple(value.expression for value in values)
            if not distinct:
                arguments = tuple(each for each in arguments if each.nullable)
            if any(value.type.name == "void" for value in values):
                raise refused(node, "COUNT of an untyped NULL is not understood")
            return _same(AggregateCall("count", arguments, distinct, kept), LONG)
        case "Sum" | "Average":
            return _of_numbers(self, node, distinct, kept)
        case "Min" | "Max" | "First" | "Last" | "AnyValue":
            return _of_values(self, node, distinct, kept)
        case "BoolAnd" | "BoolOr":
            value = self.read(node.one("child"))
            name = "min" if node.name == "BoolAnd" else "max"
            return _same(AggregateCall(name, (value.expression,), distinct, kept), BOOL)
        case name if name in SPREADS:
            value = self.read(node.one("child"))
            self.reading.assumptions.add(Assumption.EXACT_FLOATS)
            name = SPREADS[name] + ("" if node.fields.get("nullOnDivideByZero", True) else " or NaN")
            call = AggregateCall(name, (value.expression,), distinct, kept, result=DECIMAL)
            return _same(call, DOUBLE)
        case name:
            raise refused(node, f"the aggregate {name} is not understood")


def _same(call: AggregateCall, type_: SparkType) -> Aggregated:
    return Aggregated(call, lambda value: Value(value, type_))


def _of_numbers(self: Expressions, node: Node, distinct: bool, kept: Expression | None) -> Aggregated:
    """SUM and AVG: a sum of decimals has ten digits more, an average four more behind the point."""
    value = self.read(node.one("child"))
    type_ = value.type
    if type_.name == "void" or not (type_.is_integral or type_.is_float or type_.name == "decimal"):
        raise refused(node, f"{node.name} of a {type_} is not understood")
    if node.name == "Sum":
        if type_.is_float:
            self.reading.assumptions.add(Assumption.EXACT_FLOATS)
        elif type_.name == "decimal":
            type_ = bounded(type_.precision + 10, type_.scale)
        else:
            type_ = LONG
        result = DOUBLE if type_.is_float else type_
        return _same(AggregateCall("sum", (value.expression,), distinct, kept), result)
    call = AggregateCall("avg", (value.expression,), distinct, kept, rounding="exact")
    if type_.name != "decimal":
        self.reading.assumptions.add(Assumption.EXACT_FLOATS)
        return _same(call, DOUBLE)
    result = bounded(type_.precision + 4, type_.scale + 4)
    power = Fraction(10) ** (result.scale - type_.scale)
    return Aggregated(call, lambda average: Value(nearest(times(power, average)), result))


def _of_values(self: Expressions, node: Node, distinct: bool, kept: Expression | None) -> Aggregated:
    value = self.read(node.one("child"))
    if value.type.name == "void":
        raise refused(node, f"{node.name} of an untyped NULL is not understood")
    if node.name in ("Min", "Max") and value.type.kind:
        raise refused(node, f"{node.name} of a {value.type} is not understood")
    if node.name in ("Min", "Max"):
        if value.type.is_float:
            self.reading.assumptions.add(Assumption.EXACT_FLOATS)
        return _same(AggregateCall(node.name.lower(), (value.expression,), distinct, kept), value.type)
    self.reading.choices.append(f"{node.name.lower()}({_called(node.one('child'))})")
    return _same(any_value(self, node, value, kept), value.type)


def _called(node: Node) -> str:
    return str(node.fields.get("name", "…"))


def any_value(self: Expressions, node: Node, value: Value, kept: Expression | None = None) -> AggregateCall:
    """FIRST and its like without an order: the value of one of the rows, known where all have the same."""
    if node.fields.get("ignoreNulls"):
        raise refused(node, f"{node.name} that ignores NULL is not understood")
    self.reading.assumptions.add(Assumption.ONE_CHOICE)
    name = {"Last": "last value"}.get(node.name, "any_value")
    return AggregateCall(name, (value.expression,), filter=kept, result=value.type.core)
