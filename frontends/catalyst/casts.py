"""Casts between the types of Spark."""

from __future__ import annotations

from fractions import Fraction

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import Case, Cast, Comparison, Divide, Expression, Function, IsNull, Literal
from tallystick.core.queries.types import BOOLEAN, DECIMAL, INTEGER, TEXT, TIMESTAMP, SqlType
from tallystick.frontends.calendar import moment
from tallystick.frontends.catalyst.nodes import Node, refused
from tallystick.frontends.catalyst.reading import PlanReading
from tallystick.frontends.catalyst.types import SparkType
from tallystick.frontends.catalyst.values import Value, exact, folded, integer, nearest, scaled, times

FROM_TEXT = {"integer": "integer", "long": "integer", "short": "integer", "byte": "integer", "date": "date"}


def cast(reading: PlanReading, node: Node, value: Value, target: SparkType, mode: str) -> Value:
    """A value as one of another type; `mode` is ANSI, LEGACY or TRY.

    Raises SourceError for a cast that is not understood, and for one of numbers that gives NULL where these do not fit.
    """
    source = value.type
    if source == target:
        return value
    if "whole" in (source.kind, target.kind) and source.name != "void":
        raise refused(node, f"a cast of {source} to {target} is not understood")
    if source.name == "void":
        return Value(Literal(None, target.core), target)
    if mode == "TRY" and source.name != "string" and not _never_fails(source, target):
        raise refused(node, f"a try_cast of {source} to {target} is not understood")
    return Value(folded(_converted(reading, node, value, target, mode)), target)


def _never_fails(source: SparkType, target: SparkType) -> bool:
    """Whether each value has one of the target type."""
    if target.name == "string" or target.is_float:
        return source.name != "string"
    if (source.is_integral or source.name == "decimal") and target.name == "decimal":
        digits = source.as_decimal.precision - source.scale
        return digits <= target.precision - target.scale
    if source.is_integral and target.is_integral:
        return source.as_decimal.precision <= target.as_decimal.precision
    return source.core == target.core or source.name == "boolean" or {source.name, target.name} <= _TIMES


_TIMES = {"date", "timestamp", "timestamp_ntz"}


def _converted(reading: PlanReading, node: Node, value: Value, target: SparkType, mode: str) -> Expression:
    source, expression = value.type, value.expression
    is_number = source.is_integral or source.name == "decimal"
    if (is_number or source.is_float) and target.is_float:
        reading.assumptions.add(Assumption.EXACT_FLOATS)
        return exact(value)
    if is_number and (target.is_integral or target.name == "decimal"):
        reading.assumptions.add(Assumption.EXACT_NUMBERS)
        if target.is_integral and source.scale:
            return Divide(expression, integer(10**source.scale), "truncate", "error")
        return scaled(expression, target.scale - source.scale)
    if source.is_float and target.name == "decimal":
        reading.assumptions |= {Assumption.EXACT_FLOATS, Assumption.EXACT_NUMBERS}
        return nearest(times(Fraction(10**target.scale), expression))
    if source.is_float and target.is_integral:
        reading.assumptions |= {Assumption.EXACT_FLOATS, Assumption.EXACT_NUMBERS}
        return Divide(expression, Literal(Fraction(1), DECIMAL), "truncate", "error")
    if source.name == "boolean" and (target.is_integral or target.name == "decimal"):
        return scaled(Cast(expression, INTEGER), target.scale)
    if source.name == "boolean" and target.is_float:
        return Cast(expression, DECIMAL)
    if is_number and target.name == "boolean":
        return Comparison("<>", expression, integer(0))
    if target.name == "string":
        return _as_text(node, value)
    if source.name == "string":
        return _from_text(reading, node, value, target, mode)
    return _between_times(reading, node, value, target)


def _as_text(node: Node, value: Value) -> Expression:
    source = value.type
    if source.name == "boolean":
        otherwise = Case(((value.expression, Literal("true", TEXT)),), Literal("false", TEXT))
        return Case(((IsNull(value.expression), Literal(None, TEXT)),), otherwise)
    if source.is_integral or (source.name == "decimal" and not source.scale):
        name = "cast integer as text"
    elif source.name == "decimal":
        name = f"cast units of {source.scale} digits as text"
    elif source.name == "date":
        name = "cast date as text"
    else:
        raise refused(node, f"a cast of {source} to string is not understood")
    return Function(name, (value.expression,), TEXT, strict=True)


def _from_text(reading: PlanReading, node: Node, value: Value, target: SparkType, mode: str) -> Expression:
    """In ANSI mode strict: a text that is no such value is an error."""
    strict = mode == "ANSI"
    constant = value.expression
    zoned = target.name == "timestamp" and not reading.settings.is_utc
    if target.core == TIMESTAMP and not zoned and isinstance(constant, Literal) and isinstance(constant.value, str):
        known = moment(constant.value)
        if known is not None:
            return known
    kind = FROM_TEXT.get(target.name)
    if kind is None and target.name != "decimal" and target.core not in (DECIMAL, BOOLEAN, TIMESTAMP):
        raise refused(node, f"a cast of string to {target} is not understood")
    name = f"cast text as {kind or target}"
    return Function(name, (value.expression,), target.core, strict)


def _between_times(reading: PlanReading, node: Node, value: Value, target: SparkType) -> Expression:
    source = value.type
    zoned = "timestamp" in (source.name, target.name)
    if source.core == target.core and source.core in (SqlType.MONTHS, SqlType.MICROSECONDS):
        narrowed = source.name.rpartition(" ")[2] != target.name.rpartition(" ")[2]
        if narrowed and source.core == SqlType.MICROSECONDS:
            raise refused(node, f"a cast of {source} to {target} is not understood")
        return value.expression
    if {source.name, target.name} <= _TIMES and (not zoned or reading.settings.is_utc):
        if source.core == SqlType.DATE:
            return Cast(value.expression, TIMESTAMP)
        if target.core == SqlType.DATE:
            return Function("cast timestamp as date", (value.expression,), target.core, strict=True)
        return value.expression
    raise refused(node, f"a cast of {source} to {target} is not understood")
