"""The typing rules of the operators that are not first-order: those that bind variables or range over bags."""

from __future__ import annotations

from typing import Any

from tallystick.core.operators import NUMBERS, ORDERED, OVER_BAGS, SOURCES, Operator
from tallystick.core.types import BOOL, BagType, BoolType, TupleType, Type, is_basic

Terms = tuple[Any, ...]
"""Terms, whose module imports this one."""


def type_of(operator: Operator, arguments: Terms, types: list[Type], parameter: Any) -> Type | None:
    """The type of the term with this operator, arguments of these types and parameter; None where no rule applies."""
    if operator in OVER_BAGS:
        from tallystick.core.typing_of_programs import type_over_bags

        return type_over_bags(operator, arguments, types, parameter)
    if parameter is None:
        return _type_of_binder(operator, arguments, types)
    summations = all(argument.operator is Operator.SUMMATION for argument in arguments)
    match operator, types, parameter:
        case Operator.VARIABLE, [], (str(), of) if is_basic(of) or isinstance(of, BagType):
            return of
        case ((Operator.SLOT | Operator.ROW), [], (int() as number, of)) if is_basic(of):
            return of if type(number) is int and number >= 0 else None
        case ((Operator.ELEMENT | Operator.ACCUMULATOR | Operator.BOTTOM), [], of) if is_basic(of):
            return of
        case Operator.EVERY, [], of if is_basic(of):
            return BagType(of)
        case Operator.SUMMATION, _, of if is_basic(of) and all(part == BagType(of) for part in types):
            return BagType(of) if all(part.operator is Operator.MONOMIAL for part in arguments) else None
        case Operator.LIMIT, [BagType(of) as bag], (count, int() as offset, tuple() as directions) if summations:
            return bag if _is_limit(count, offset) and _are_directions(directions, of) else None
        case Operator.OPAQUE_BAG, _, (str(), of) if is_basic(of) and summations:
            return BagType(of)
        case Operator.AGGREGATE, _, (str(), of) if is_basic(of) and summations:
            return of
        case Operator.EXTREMUM, [BagType(of)], "min" | "max" if summations and of in ORDERED:
            return of
    return None


def _type_of_binder(operator: Operator, arguments: Terms, types: list[Type]) -> Type | None:
    summations = all(argument.operator is Operator.SUMMATION for argument in arguments)
    match operator, types:
        case Operator.MONOMIAL, [*sources, BoolType(), head] if is_basic(head):
            return BagType(head) if _binds(arguments, sources) else None  # type: ignore[arg-type]
        case ((Operator.EXCEPT_ALL | Operator.INTERSECT_ALL), [left, right]) if left == right and summations:
            return left
        case Operator.EXISTS, [_] if summations:
            return BOOL
        case Operator.SUM, [BagType(of)] if summations and of in NUMBERS:
            return of
    return None


def _binds(arguments: Terms, sources: list[Type]) -> bool:
    """Whether a monomial's sources are sources, and nothing in it is bound but slots of the types that they give."""
    for place, argument in enumerate(arguments):
        depth = min(place, len(sources))
        for term in argument.bound:
            index, of = term.parameter if term.operator is Operator.SLOT else (0, None)  # type: ignore[misc]
            if of is None or (index < depth and sources[depth - 1 - index] != BagType(of)):  # type: ignore[operator, arg-type]
                return False
    return all(isinstance(of, BagType) for of in sources) and all(
        argument.operator in SOURCES for argument in arguments[: len(sources)]
    )


def _is_limit(count: object, offset: object) -> bool:
    return (count is None or (type(count) is int and count >= 0)) and type(offset) is int and offset >= 0


def _are_directions(directions: tuple[object, ...], of: Type) -> bool:
    """Whether there is one order key for each of the last columns of a row."""
    columns = len(of.components) if isinstance(of, TupleType) else 0
    kinds = (isinstance(each, tuple) and [*map(type, each)] == [bool, bool] for each in directions)
    return len(directions) <= columns and all(kinds)
