"""Arithmetic: of integers, of decimals with the precision and scale of each result, of exact doubles, of intervals."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import (
    ARITHMETIC,
    Arithmetic,
    Case,
    Comparison,
    Divide,
    Expression,
    Function,
    Literal,
    OnZero,
    Remainder,
)
from tallystick.core.queries.types import DECIMAL, INTEGER
from tallystick.frontends.catalyst.nodes import Node, malformed, refused
from tallystick.frontends.catalyst.types import DOUBLE, LONG, SparkType, bounded, decimal, decimal_result
from tallystick.frontends.catalyst.values import Value, folded, integer, nearest, quotient, scaled, times

if TYPE_CHECKING:
    from tallystick.frontends.catalyst.expressions import Expressions

SYMBOLS = {"Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/", "Remainder": "%"}


def on_zero(self: Expressions, node: Node) -> OnZero:
    """What a division by zero gives: NULL where the session, or the call (`try_divide`), asks for it.

    Spark 3 has a truth value, whether it fails; Spark 4 a mode, or one in a context.
    """
    if "failOnError" in node.fields:
        return "error" if node.plain("failOnError") else "null"
    found = node.plain("evalContext" if "evalContext" in node.fields else "evalMode")
    text = str(next(iter(found.values()))) if isinstance(found, dict) and len(found) == 1 else ""
    modes = [mode for mode in ("ANSI", "TRY", "LEGACY") if mode in re.split(r"[(,)]", text)]
    if len(modes) != 1:
        raise refused(node, f"{node.name} in mode {text or found} is not understood")
    return "error" if modes == ["ANSI"] else "null"


def read_arithmetic(self: Expressions, node: Node) -> Value:
    """`left operator right`."""
    left, right = (self.read(node.one(side)) for side in ("left", "right"))
    symbol = SYMBOLS[node.name]
    zero_gives = on_zero(self, node) if symbol in "/%" else "error"
    if "void" in (left.type.name, right.type.name):
        raise refused(node, f"{symbol} with an untyped NULL is not understood")
    if left.type.name == right.type.name == "decimal":
        return of_decimals(self, symbol, left, right, zero_gives)
    if left.type.is_float and right.type.is_float:
        return of_doubles(self, node, symbol, left, right, zero_gives)
    if symbol in "+-*" and left.type == right.type:
        return Value(folded(_computed(node, symbol, left, right)), left.type)
    if symbol == "%" and left.type == right.type and left.type.is_integral:
        remainder = Remainder(left.expression, right.expression, "truncate", zero_gives)
        return Value(folded(remainder), left.type)
    raise refused(node, f"{left.type} {symbol} {right.type} is not understood")


def _computed(node: Node, symbol: str, left: Value, right: Value) -> Expression:
    if (symbol, left.type.core, right.type.core) not in ARITHMETIC:
        raise refused(node, f"{left.type} {symbol} {right.type} is not understood")
    return Arithmetic(symbol, left.expression, right.expression)  # type: ignore[arg-type]


def of_decimals(self: Expressions, symbol: str, left: Value, right: Value, zero_gives: OnZero) -> Value:
    """Arithmetic of decimals: exact, then rounded to the scale of the result, halves away from zero."""
    self.reading.assumptions.add(Assumption.EXACT_NUMBERS)
    settings, scales = self.reading.settings, (left.type.scale, right.type.scale)
    result = decimal_result(symbol, left.type, right.type, settings.precision_loss)
    if symbol == "/":
        ratio = quotient(left.expression, right.expression, zero_gives)
        power = result.scale - scales[0] + scales[1]
        return Value(nearest(times(Fraction(10) ** power, ratio)), result)
    if symbol == "*":
        product = folded(Arithmetic("*", left.expression, right.expression))
        return Value(scaled(product, result.scale - sum(scales)), result)
    first, second = (scaled(each.expression, max(scales) - each.type.scale) for each in (left, right))
    if symbol == "%":
        units: Expression = Remainder(first, second, "truncate", zero_gives)
    else:
        units = Arithmetic(symbol, first, second)  # type: ignore[arg-type]
    return Value(scaled(folded(units), result.scale - max(scales)), result)


def of_doubles(self: Expressions, node: Node, symbol: str, left: Value, right: Value, zero_gives: OnZero) -> Value:
    """Arithmetic of doubles, which are taken for exact."""
    self.reading.assumptions.add(Assumption.EXACT_FLOATS)
    result = DOUBLE if "double" in (left.type.name, right.type.name) else left.type
    match symbol:
        case "/":
            expression = quotient(left.expression, right.expression, zero_gives)
        case "%":
            raise refused(node, "the remainder of doubles is not understood")
        case _:
            expression = folded(_computed(node, symbol, left, right))
    return Value(expression, result)


def read_integral_divide(self: Expressions, node: Node) -> Value:
    """DIV: a quotient, rounded towards zero."""
    left, right = (self.read(node.one(side)) for side in ("left", "right"))
    scale = max(left.type.scale, right.type.scale)
    if left.type.core != INTEGER or right.type.core != INTEGER:
        raise refused(node, f"{left.type} div {right.type} is not understood")
    first, second = (scaled(each.expression, scale - each.type.scale) for each in (left, right))
    return Value(folded(Divide(first, second, "truncate", on_zero(self, node))), LONG)


def zero(type_: SparkType) -> Literal:
    """The number 0 of a type."""
    return Literal(Fraction(0), DECIMAL) if type_.core == DECIMAL else Literal(0, type_.core)


def read_minus(self: Expressions, node: Node) -> Value:
    """The negative of a number or an interval."""
    value = self.read(node.one("child"))
    return Value(folded(_negated(node, value)), value.type)


def _negated(node: Node, value: Value) -> Expression:
    if ("-", value.type.core, value.type.core) not in ARITHMETIC or value.type.core.name in ("DATE", "TIMESTAMP"):
        raise refused(node, f"the negative of a {value.type} is not understood")
    return Arithmetic("-", zero(value.type), value.expression)


def read_absolute(self: Expressions, node: Node) -> Value:
    """ABS, written out."""
    value = self.read(node.one("child"))
    negative = folded(Comparison("<", value.expression, zero(value.type)))
    return Value(folded(Case(((negative, _negated(node, value)),), value.expression)), value.type)


def read_round(self: Expressions, node: Node) -> Value:
    """ROUND to a number of digits, halves away from zero."""
    value, digits = self.read(node.one("child")), self.read(node.one("scale")).expression
    if not isinstance(digits, Literal) or not isinstance(digits.value, int):
        raise refused(node, "ROUND to a number of digits that is no constant is not understood")
    places, type_ = digits.value, value.type
    if type_.is_float:
        name = f"round to scale {places}"
        if places < 0:
            raise refused(node, "ROUND of a double to tens is not understood")
        return Value(folded(Function(name, (value.expression,), DECIMAL, strict=True)), type_)
    if type_.is_integral:
        if places < 0:
            return Value(scaled(scaled(value.expression, places), -places), type_)
        return value
    if type_.name != "decimal":
        raise refused(node, f"ROUND of a {type_} is not understood")
    before = type_.precision - type_.scale + 1
    if places < 0:
        result = decimal(min(max(before, 1 - places), 38), 0)
        return Value(scaled(scaled(value.expression, places - type_.scale), -places), result)
    scale = min(type_.scale, places)
    return Value(scaled(value.expression, scale - type_.scale), bounded(before + scale, scale))


def read_whole(self: Expressions, node: Node) -> Value:
    """FLOOR and CEIL."""
    value = self.read(node.one("child"))
    if value.type.is_integral:
        return Value(value.expression, LONG)
    floor = node.name == "Floor"
    if not value.type.is_float and value.type.name != "decimal":
        raise refused(node, f"{node.name} of a {value.type} is not understood")
    unit: Literal = Literal(Fraction(1), DECIMAL) if value.type.is_float else integer(10**value.type.scale)
    operand = value.expression if floor else folded(_negated(node, value))
    whole = folded(Divide(operand, unit, "floor", "error"))
    result = LONG if value.type.is_float else bounded(value.type.precision - value.type.scale + 1, 0)
    return Value(whole if floor else folded(Arithmetic("-", integer(0), whole)), result)


def read_units(self: Expressions, node: Node) -> Value:
    """The units of a decimal as an integer."""
    value = self.read(node.one("child"))
    if value.type.name != "decimal":
        raise malformed(f"UnscaledValue of a {value.type}")
    return Value(value.expression, LONG)


def read_decimal(self: Expressions, node: Node) -> Value:
    """A decimal of so many units."""
    value = self.read(node.one("child"))
    if not value.type.is_integral:
        raise malformed(f"MakeDecimal of a {value.type}")
    return Value(value.expression, decimal(node.number("precision"), node.number("scale")))


def read_checked(self: Expressions, node: Node) -> Value:
    """CheckOverflow: a decimal in the precision and scale of another type."""
    value, result = self.read(node.one("child")), self.reading.type_of(node)
    if value.type.name != "decimal" or result.name != "decimal":
        raise malformed(f"CheckOverflow of a {value.type} to {result}")
    return Value(scaled(value.expression, result.scale - value.type.scale), result)


def read_promoted(self: Expressions, node: Node) -> Value:
    """PromotePrecision: a mark."""
    return self.read(node.one("child"))


def read_bits(self: Expressions, node: Node) -> Value:
    """Bits of integers."""
    names = {"BitwiseAnd": "&", "BitwiseOr": "|", "BitwiseXor": "^"}
    left, right = self.all((node.one("left"), node.one("right")))
    if not (left.type.is_integral and left.type == right.type):
        raise refused(node, f"{names[node.name]} of {left.type} and {right.type} is not understood")
    call = Function(names[node.name], (left.expression, right.expression), INTEGER, strict=True)
    return Value(folded(call), left.type)


def read_shift(self: Expressions, node: Node) -> Value:
    """A shift to the right by a constant: a division by a power of two, rounded down."""
    value, by = self.all((node.one("left"), node.one("right")))
    places = by.expression
    if not isinstance(places, Literal) or not isinstance(places.value, int) or not 0 <= places.value < 32:
        raise refused(node, "a shift by what is no small constant is not understood")
    if value.type.name not in ("integer", "long"):
        raise refused(node, f"a shift of a {value.type} is not understood")
    return Value(folded(Divide(value.expression, integer(2**places.value), "floor", "error")), value.type)


HANDLERS = {
    **dict.fromkeys(SYMBOLS, read_arithmetic),
    "IntegralDivide": read_integral_divide,
    "UnaryMinus": read_minus,
    "UnaryPositive": read_promoted,
    "Abs": read_absolute,
    "Round": read_round,
    "Floor": read_whole,
    "Ceil": read_whole,
    "UnscaledValue": read_units,
    "MakeDecimal": read_decimal,
    "CheckOverflow": read_checked,
    "PromotePrecision": read_promoted,
    **dict.fromkeys(("BitwiseAnd", "BitwiseOr", "BitwiseXor"), read_bits),
    "ShiftRight": read_shift,
}
