"""The typing rules of the operators of programs on bags; normal forms have none of these."""

from __future__ import annotations

from typing import Any

from tallystick.core.operators import Operator
from tallystick.core.types import BagType, BasicType, BoolType, TupleType, Type, is_basic
from tallystick.core.typing_rules import Terms

Bound = tuple[Operator, BasicType]
"""A variable that a user-defined function may mention: `element` or `accumulator`, and its type."""


def type_over_bags(operator: Operator, arguments: Terms, types: list[Type], parameter: Any) -> Type | None:
    """The type of the term with this operator, arguments of these types and parameter; None where no rule applies."""
    match operator, types, parameter:
        case Operator.EXPAND, [TupleType(), BagType(of)], (str(), item) if is_basic(item):
            return BagType(TupleType((of, item))) if _scoped(arguments, (Operator.ELEMENT, of)) else None
    if parameter is not None:
        return None
    match operator, types:
        case Operator.MAP, [result, BagType(of)] if is_basic(result) and _scoped(arguments, (Operator.ELEMENT, of)):
            return BagType(result)  # type: ignore[arg-type]
        case Operator.FILTER, [BoolType(), BagType(of) as bag] if _scoped(arguments, (Operator.ELEMENT, of)):
            return bag
        case Operator.CARTESIAN, [BagType(left), BagType(right)] if _scoped(arguments):
            return BagType(TupleType((left, right)))
        case Operator.UNION, [BagType() as left, right] if left == right and _scoped(arguments):
            return left
        case Operator.DISTINCT, [BagType() as bag] if _scoped(arguments):
            return bag
        case Operator.WITHOUT, [key, BagType(of) as bag, BagType(other)] if key == other:
            closed = not arguments[2].bound and is_basic(key)
            return bag if closed and _scoped(arguments[:2], (Operator.ELEMENT, of)) else None
        case Operator.FOLD, [initial, result, BagType(of)] if initial == result and is_basic(initial):
            return initial if _is_fold(arguments, initial, of) else None  # type: ignore[arg-type]
        case Operator.FOLD_BY_KEY, [initial, result, BagType(TupleType((key, of)))] if initial == result:
            pairs = is_basic(initial) and _is_fold(arguments, initial, of)  # type: ignore[arg-type]
            return BagType(TupleType((key, initial))) if pairs else None  # type: ignore[arg-type]
    return None


def _scoped(arguments: Terms, *bound: Bound) -> bool:
    """Whether the function, the last argument but one, binds no other variables than these, and the rest is closed."""
    *others, bag = arguments
    body = others.pop().bound if others else ()
    closed = not bag.bound and not any(term.bound for term in others)
    return closed and all((term.operator, term.parameter) in bound for term in body)


def _is_fold(arguments: Terms, state: BasicType, of: BasicType) -> bool:
    return _scoped(arguments, (Operator.ACCUMULATOR, state), (Operator.ELEMENT, of))
