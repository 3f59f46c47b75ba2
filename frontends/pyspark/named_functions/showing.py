"""Values of the core in which codes of lists and sets are, as Python writes these."""

from __future__ import annotations

from typing import Any

from tallystick.core.types import BagType, TupleType, Type
from tallystick.frontends.pyspark.named_functions.coding import decoded
from tallystick.frontends.pyspark.named_functions.pure_types import pure_type
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.options import is_option


class Written(str):
    """A text that is shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def with_lists(value: Any, of: Type | None) -> Any:
    """A value of the core, of a type of the source, with lists as Python writes them in the place of their codes."""
    match of:
        case BagType(element) if _holds_lists(element):
            return {with_lists(each, element): count for each, count in value.items()}
        case CodedType():
            return Written(_written(decoded(pure_type(of, {}), value)))
        case TupleType(parts) if _holds_lists(of) and not (is_option(of) and not value[0][0]):
            return tuple(with_lists(*each) for each in zip(value, parts, strict=True))
    return value


def _written(value: Any) -> str:
    """A list, set or tuple in Python's notation; sets in order, so that equal ones are shown alike."""
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(_written, value))) + "}" if value else "set()"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_written, value))}{',' * (len(value) == 1)})"
    return repr(value)


def _holds_lists(of: Type) -> bool:
    return isinstance(of, CodedType) or (isinstance(of, TupleType) and any(map(_holds_lists, of.components)))
