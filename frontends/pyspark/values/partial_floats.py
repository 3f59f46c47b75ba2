"""Floats that may be no number: what Spark computes of no elements, such as a variance, which is nan.

An operation on nan is nan, and a comparison with it is false, but for `!=`. Nan equals nothing, itself included, so
that such floats are no keys and stand in no set. As results of programs two nan are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    build,
    conjunction,
    constant,
    element,
    ite,
    project,
    tuple_of,
)
from tallystick.core.types import INT, RATIONAL, BagType, TupleType, Type
from tallystick.frontends.pyspark.values.kinds import Value
from tallystick.frontends.pyspark.values.nominal_types import (
    FLOAT_OR_NAN,
    PARTIAL_FLOATS,
    NominalType,
    content,
    wrapped,
)
from tallystick.frontends.pyspark.values.options import converted, given, is_option, missing, optional, present, some
from tallystick.frontends.pyspark.values.record_types import RecordType, alike


def partial(of: NominalType, there: Term, number: Term, otherwise: int = 0) -> Term:
    """The float that is this number where a condition holds, and elsewhere nan (0), inf (1) or -inf (-1)."""
    return wrapped(of, tuple_of(there, ite(there, number, constant(Fraction(otherwise)))))


def is_nan(value: Value) -> bool:
    """Whether a value may be nan."""
    return isinstance(value, Term) and value.type == FLOAT_OR_NAN


def is_number(value: Term) -> Term:
    """When a float that may be nan is none."""
    return project(content(value), 0)


def lifted(operation: Callable[..., Term], values: Sequence[Any]) -> tuple[Term, Term]:
    """When all of some values are numbers, and what an operation gives for these."""
    there = conjunction(*(is_number(each) for each in values if is_nan(each)))
    return there, operation(*(project(content(each), 1) if is_nan(each) else each for each in values))


def computed(operation: Callable[..., Term], values: Sequence[Any]) -> Term:
    """What an operation with a float for its result gives for some values, of which one may be nan: nan, then."""
    there, result = lifted(operation, values)
    return partial(FLOAT_OR_NAN, there, converted(result, RATIONAL))


def compared(operation: Callable[..., Term], values: Sequence[Any]) -> Term:
    """What a comparison that is false of nan gives for some values, of which one may be nan."""
    return conjunction(*lifted(operation, values))


def holds_partial(of: Type) -> bool:
    """Whether values of a type are, or hold, floats that may be no number."""
    if isinstance(of, BagType):
        return holds_partial(of.element)
    return of in PARTIAL_FLOATS or (isinstance(of, TupleType) and any(map(holds_partial, of.components)))


def widened_type(of: Type, other: Type) -> Type:
    """A type with floats that may be no number where values of another have these, and these are numbers."""
    if other in PARTIAL_FLOATS and of in (INT, RATIONAL):
        return other
    if isinstance(of, BagType) and isinstance(other, BagType):
        return BagType(widened_type(of.element, other.element))  # type: ignore[arg-type]
    if is_option(of) or is_option(other):
        value = widened_type(*map(_of_option, (of, other)))
        return optional(value) if is_option(of) else value  # type: ignore[arg-type]
    if not _have_parts(of, other):
        return of
    parts = tuple(map(widened_type, of.components, other.components))  # type: ignore[union-attr]
    return RecordType(parts, of.names, of.kind, of.definition) if isinstance(of, RecordType) else TupleType(parts)  # type: ignore[arg-type]


def widened(term: Term, of: Type, other: Type) -> Term:
    """A value of a type as one of `widened_type(of, other)`, in plain tuples.

    Args:
        term: of the plain type of `of`.
        of, other: types of the source.
    """
    if widened_type(of, other) == of:
        return term
    if other in PARTIAL_FLOATS and of in (INT, RATIONAL):
        return tuple_of(tuple_of(TRUE, converted(term, RATIONAL)))
    if isinstance(of, BagType) and isinstance(other, BagType):
        return build(Operator.MAP, (widened(element(term.type.element), of.element, other.element), term))  # type: ignore[union-attr]
    if is_option(of):
        value = widened(given(term), *map(_of_option, (of, other)))
        return ite(present(term), some(value), missing(value.type))  # type: ignore[arg-type]
    if is_option(other):
        return widened(term, of, _of_option(other))
    pairs = zip(of.components, other.components, strict=True)  # type: ignore[union-attr]
    return alike(term.type, *(widened(project(term, place), *pair) for place, pair in enumerate(pairs)))


def _of_option(of: Type) -> Type:
    """The type of what an option holds; any other type as it is."""
    return of.components[1] if is_option(of) else of  # type: ignore[union-attr]


def _have_parts(of: Type, other: Type) -> bool:
    """Whether both are tuples or records with as many parts."""
    if isinstance(of, NominalType) or not (isinstance(of, TupleType) and isinstance(other, TupleType)):
        return False
    return len(of.components) == len(other.components)
