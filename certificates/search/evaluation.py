"""The value of a formula's terms under given values of its variables (untrusted)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tallystick.core.errors import RefutationError
from tallystick.core.terms import Operator, Term
from tallystick.core.types import Value


def evaluate(term: Term, values: Mapping[Term, Value]) -> Value:
    """The value of a term without ⊥, bags and bound variables; RefutationError when it has one of these."""
    known: dict[Term, Value] = dict(values)

    def visit(node: Term) -> Value:
        result = known.get(node)
        if result is None:
            result = known[node] = _apply(node, visit)
        return result

    return visit(term)


def _apply(node: Term, visit: Callable[[Term], Any]) -> Value:
    arguments = node.arguments
    parameter: Any = node.parameter
    match node.operator:
        case Operator.CONSTANT:
            return parameter
        case Operator.ADD:
            return sum(map(visit, arguments))
        case Operator.SCALE:
            return parameter * visit(arguments[0])
        case Operator.DIV:
            return visit(arguments[0]) // parameter
        case Operator.MOD:
            return visit(arguments[0]) % parameter
        case Operator.EQUAL:
            return visit(arguments[0]) == visit(arguments[1])
        case Operator.LESS:
            return visit(arguments[0]) < visit(arguments[1])
        case Operator.LESS_EQUAL:
            return visit(arguments[0]) <= visit(arguments[1])
        case Operator.NOT:
            return not visit(arguments[0])
        case Operator.AND:
            return all(map(visit, arguments))
        case Operator.OR:
            return any(map(visit, arguments))
        case Operator.TUPLE:
            return tuple(map(visit, arguments))
        case Operator.PROJECTION:
            return visit(arguments[0])[parameter]
        case Operator.ITE:
            return visit(arguments[1] if visit(arguments[0]) else arguments[2])
    raise RefutationError(f"a formula has no {node.operator.value}")
