"""CASE and what is written with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import Case, Comparison, Expression, IsNull, Literal, Not
from tallystick.frontends.catalyst.nodes import Node, malformed, refused
from tallystick.frontends.catalyst.types import SparkType
from tallystick.frontends.catalyst.values import Value, folded

if TYPE_CHECKING:
    from tallystick.frontends.catalyst.expressions import Expressions


def common_type(node: Node, values: list[Value]) -> SparkType:
    """The type of all values that are no untyped NULLs."""
    types = {value.type for value in values if value.type.name != "void"}
    if len(types) > 1:
        raise refused(node, f"{node.name} of the types {', '.join(sorted(map(str, types)))} is not understood")
    return next(iter(types), values[0].type)


def of_type(value: Value, type_: SparkType) -> Expression:
    """A value, or an untyped NULL as one of the type."""
    return Literal(None, type_.core) if value.type.name == "void" else value.expression


def chosen(node: Node, branches: list[tuple[Expression, Value]], default: Value) -> Value:
    """The value of the first branch whose condition is true, else the default."""
    type_ = common_type(node, [*(value for _, value in branches), default])
    pairs = tuple((condition, of_type(value, type_)) for condition, value in branches)
    return Value(_simplified(pairs, of_type(default, type_)), type_)


def _simplified(branches: tuple[tuple[Expression, Expression], ...], default: Expression) -> Expression:
    """A CASE without branches whose conditions are constants."""
    kept = []
    for condition, value in branches:
        if isinstance(condition, Literal):
            if condition.value is True:
                default = value
                break
        else:
            kept.append((condition, value))
    return folded(Case(tuple(kept), default)) if kept else default


def read_case(self: Expressions, node: Node) -> Value:
    """CASE WHEN … ELSE …; without ELSE it is NULL."""
    pairs = node.items("branches")
    read = [(self.condition(_part(node, pair, "_1")), self.read(_part(node, pair, "_2"))) for pair in pairs]
    default = node.maybe("elseValue")
    if default is not None:
        return chosen(node, read, self.read(default))
    type_ = common_type(node, [value for _, value in read])
    return chosen(node, read, Value(Literal(None, type_.core), type_))


def _part(node: Node, pair: Any, field: str) -> Node:
    if not isinstance(pair, dict):
        raise malformed("a branch of CaseWhen is a pair")
    return node.inside("branch", pair).one(field)


def read_if(self: Expressions, node: Node) -> Value:
    """IF(condition, value, other)."""
    values = self.all((node.one("trueValue"), node.one("falseValue")))
    return chosen(node, [(self.condition(node.one("predicate")), values[0])], values[1])


def read_null_if(self: Expressions, node: Node) -> Value:
    """NULL where the condition is true, else the value: what NULLIF has become."""
    value = self.read(node.one("value"))
    null = Value(Literal(None, value.type.core), value.type)
    return chosen(node, [(self.condition(node.one("predicate")), null)], value)


def read_coalesce(self: Expressions, node: Node) -> Value:
    """The first value that is not NULL."""
    *first, last = self.all(node.many("children"))
    return chosen(node, [(folded(Not(IsNull(value.expression))), value) for value in first], last)


def read_extreme(self: Expressions, node: Node) -> Value:
    """GREATEST and LEAST: of the values that are not NULL."""
    values = self.all(node.many("children"))
    type_ = common_type(node, values)
    if type_.is_float:
        self.reading.assumptions.add(Assumption.EXACT_FLOATS)
    best = of_type(values[0], type_)
    for value in values[1:]:
        other = of_type(value, type_)
        better = Comparison(">" if node.name == "Greatest" else "<", other, best)
        best = Case(((IsNull(best), other), (better, other)), best)
    return Value(folded(best), type_)


def read_not_nan(self: Expressions, node: Node) -> Value:
    """NANVL: the first double, since none is NaN by assumption."""
    self.reading.assumptions.add(Assumption.EXACT_FLOATS)
    value, _ = self.all((node.one("left"), node.one("right")))
    return value


HANDLERS = {
    "CaseWhen": read_case,
    "If": read_if,
    "NullIfResult": read_null_if,
    "Coalesce": read_coalesce,
    "Greatest": read_extreme,
    "Least": read_extreme,
    "NaNvl": read_not_nan,
}
