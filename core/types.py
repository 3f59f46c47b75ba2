"""The types of SparkLite (TR section 2): integers, booleans, records (tuples) and bags of these."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.errors import SortError

Value = int | bool | tuple["Value", ...]
"""A value of a basic type: an exact integer, a boolean, or a tuple of values."""


@dataclass(frozen=True, slots=True)
class IntType:
    """Unbounded integers."""

    def __str__(self) -> str:
        return "Int"


@dataclass(frozen=True, slots=True)
class BoolType:
    """The truth values."""

    def __str__(self) -> str:
        return "Bool"


@dataclass(frozen=True, slots=True)
class TupleType:
    """Records with one or more components of basic types."""

    components: tuple[BasicType, ...]

    def __post_init__(self) -> None:
        if not self.components or not all(is_basic(component) for component in self.components):
            raise SortError("a tuple type has at least one component, each of a basic type")

    def __str__(self) -> str:
        return "(" + ", ".join(map(str, self.components)) + ("," if len(self.components) == 1 else "") + ")"


@dataclass(frozen=True, slots=True)
class BagType:
    """Finite multisets of elements of one basic type."""

    element: BasicType

    def __post_init__(self) -> None:
        if not is_basic(self.element):
            raise SortError("the elements of a bag are of a basic type")

    def __str__(self) -> str:
        return f"Bag[{self.element}]"


BasicType = IntType | BoolType | TupleType
Type = BasicType | BagType

INT = IntType()
BOOL = BoolType()


def is_basic(candidate: object) -> bool:
    """Whether `candidate` is the type of a single value rather than of a bag."""
    return isinstance(candidate, IntType | BoolType | TupleType)


def has_type(value: object, expected: Type) -> bool:
    """Whether a Python value is exactly of basic type `expected`: True is not an integer, 1 not a boolean."""
    match expected:
        case IntType():
            return type(value) is int
        case BoolType():
            return type(value) is bool
        case TupleType(components):
            return isinstance(value, tuple) and len(value) == len(components) and all(map(has_type, value, components))
        case BagType():
            return False


def default_value(of: BasicType) -> Value:
    """The smallest value of a basic type: 0, False, or a tuple of these."""
    match of:
        case IntType():
            return 0
        case BoolType():
            return False
        case TupleType(components):
            return tuple(map(default_value, components))
