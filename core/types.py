"""The types of the language: integers, booleans, tuples and bags of these (TR section 2); for SQL also texts, exact
rationals, and options, which may be NULL."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tallystick.core.errors import SortError

Value = int | bool | tuple["Value", ...]
"""A value of RDD programs: an exact integer, a boolean, or a tuple of values. SQL has also str, Fraction and None."""
Bag = dict[Value, int]
"""Elements, with how often each occurs: at least once."""


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
class TextType:
    """Texts, ordered by code points."""

    def __str__(self) -> str:
        return "Text"


@dataclass(frozen=True, slots=True)
class RationalType:
    """Exact rational numbers; an integer is none of them."""

    def __str__(self) -> str:
        return "Rational"


@dataclass(frozen=True, slots=True)
class OptionType:
    """None, or a value of a basic type that is no option itself."""

    of: BasicType

    def __post_init__(self) -> None:
        if not is_basic(self.of) or isinstance(self.of, OptionType):
            raise SortError("an option is of a basic type, and not of an option")

    def __str__(self) -> str:
        return f"{self.of}?"


@dataclass(frozen=True)
class TupleType:
    """Records with one or more components of basic types."""

    __slots__ = ("_hash", "components")
    components: tuple[BasicType, ...]

    def __post_init__(self) -> None:
        if not self.components or not all(is_basic(component) for component in self.components):
            raise SortError("a tuple type has at least one component, each of a basic type")
        object.__setattr__(self, "_hash", hash((TupleType, self.components)))  # it is asked for with each term

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined]

    def __reduce__(self) -> tuple[type[TupleType], tuple[object, ...]]:
        return TupleType, (self.components,)

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


BasicType = IntType | BoolType | TextType | RationalType | OptionType | TupleType
Type = BasicType | BagType

INT = IntType()
BOOL = BoolType()
TEXT = TextType()
RATIONAL = RationalType()


def is_basic(candidate: object) -> bool:
    """Whether `candidate` is the type of a single value rather than of a bag."""
    return isinstance(candidate, BasicType)


def has_type(value: object, expected: Type) -> bool:
    """Whether a Python value is exactly of basic type `expected`: True is not an integer, 1 not a boolean."""
    match expected:
        case IntType():
            return type(value) is int
        case BoolType():
            return type(value) is bool
        case TextType():
            return type(value) is str
        case RationalType():
            return type(value) is Fraction
        case OptionType(of):
            return value is None or has_type(value, of)
        case TupleType(components):
            return isinstance(value, tuple) and len(value) == len(components) and all(map(has_type, value, components))
        case BagType():
            return False


def default_value(of: BasicType) -> Any:
    """The value that stands for none of a basic type: 0, False, the empty text, None, or a tuple of these."""
    match of:
        case IntType():
            return 0
        case BoolType():
            return False
        case TextType():
            return ""
        case RationalType():
            return Fraction(0)
        case OptionType():
            return None
        case TupleType(components):
            return tuple(map(default_value, components))
