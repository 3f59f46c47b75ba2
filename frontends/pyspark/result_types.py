"""Whether results of two types can be equal in Python, by the classes of their values.

Core programs have plain tuples for what is of a class of its own, so their types do not say that no date equals a
timedelta. Where values of two types are never equal, a program's result says which of the two types it is of: then two
results are equal where both are RDDs without elements, and nowhere else, as in Python.
"""

from __future__ import annotations

from typing import Literal

from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BagType, TupleType, Type
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.nominal_types import EXACT, PARTIAL_FLOATS, NominalType
from tallystick.frontends.pyspark.values.options import NONE, is_option, is_tuple
from tallystick.frontends.pyspark.values.record_types import RecordType

Family = Literal["number", "text", "None", "class", "tuple", "record", "unknown"]


def never_equal(one: Type, other: Type) -> bool:
    """Whether no value of one type equals one of the other; for RDDs, whether no element does."""
    if isinstance(one, BagType) or isinstance(other, BagType):
        return isinstance(one, BagType) and isinstance(other, BagType) and never_equal(one.element, other.element)
    if is_option(one) and is_option(other):  # both may be None
        return False
    if is_option(one) or is_option(other):
        option, value = (one, other) if is_option(one) else (other, one)
        return value != NONE and never_equal(option.components[1], value)  # type: ignore[union-attr]
    families = _family(one), _family(other)
    if "unknown" in families:
        return False
    if families[0] != families[1]:
        return True
    match families[0]:
        case "number" | "text" | "None":
            return False
        case "class":
            return one != other
        case "tuple":
            return _parts_differ(one, other)
        case _:
            assert isinstance(one, RecordType)
            assert isinstance(other, RecordType)
            return _records_differ(one, other)


def _family(of: Type) -> Family:
    if of in (INT, BOOL, RATIONAL, *EXACT):
        return "number"
    if of == TEXT:
        return "text"
    if of == NONE:
        return "None"
    if isinstance(of, NominalType):
        is_other = of.is_mixed or of.by_identity or isinstance(of, CodedType) or of in PARTIAL_FLOATS
        return "unknown" if is_other else "class"
    if is_tuple(of):
        return "tuple"
    return "record" if isinstance(of, RecordType) and of.kind != "object" else "unknown"


def _records_differ(one: RecordType, other: RecordType) -> bool:
    """Whether dataclasses, dictionaries or lists are never equal."""
    if one.kind != other.kind:
        return True
    if one.kind == "dataclass" and _class_of(one) != _class_of(other):
        return str(one) != str(other)  # of one name in two files: two versions of one class, perhaps
    return one.names != other.names or _parts_differ(one, other)


def _parts_differ(one: Type, other: Type) -> bool:
    assert isinstance(one, TupleType)
    assert isinstance(other, TupleType)
    pairs = list(zip(one.components, other.components, strict=False))
    return len(one.components) != len(other.components) or any(never_equal(*pair) for pair in pairs)


def _class_of(of: RecordType) -> tuple[object, str]:
    return of.definition.source.path, str(of)


def of_same_classes(one: Type, other: Type) -> bool:
    """Whether values of two types are equal where core programs have equal values for them, as far as classes go."""
    match one, other:
        case BagType(first), BagType(second):
            return of_same_classes(first, second)
    if NONE in (one, other):
        return True
    if is_option(one) or is_option(other):
        return of_same_classes(*(each.components[1] if is_option(each) else each for each in (one, other)))  # type: ignore[union-attr]
    if isinstance(one, NominalType) or isinstance(other, NominalType):
        return one == other or (one in PARTIAL_FLOATS and other in PARTIAL_FLOATS)
    if _family(one) == "record" or _family(other) == "record":
        same = isinstance(one, RecordType) and isinstance(other, RecordType) and one.kind == other.kind
        return same and one.names == other.names and _class_of(one) == _class_of(other) and _parts_same(one, other)  # type: ignore[union-attr, arg-type]
    return _parts_same(one, other)


def _parts_same(one: Type, other: Type) -> bool:
    if not isinstance(one, TupleType) or not isinstance(other, TupleType):
        return True
    pairs = zip(one.components, other.components, strict=False)
    return all(of_same_classes(*pair) for pair in pairs)
