"""Types of terms as types of pure code, and back."""

from __future__ import annotations

from collections.abc import Mapping

from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BagType, BasicType, TupleType, Type
from tallystick.frontends.pyspark.uninterpreted import types as pure
from tallystick.frontends.pyspark.uninterpreted.types import NotPureError, PureType
from tallystick.frontends.pyspark.values.coded_types import CodedType, coded_type
from tallystick.frontends.pyspark.values.describing import show_type
from tallystick.frontends.pyspark.values.nominal_types import DATE, DATETIME, DECIMAL, TIMEDELTA, NominalType
from tallystick.frontends.pyspark.values.options import MARK, NONE, is_option, optional
from tallystick.frontends.pyspark.values.record_types import RecordType

Records = dict[str, RecordType]
"""The classes of records by their names; each name is of one class."""
_SCALARS: dict[Type, PureType] = {
    INT: pure.INT,
    BOOL: pure.BOOL,
    TEXT: pure.TEXT,
    NONE: pure.NONE,
    RATIONAL: pure.RATIONAL,
    DECIMAL: pure.DECIMAL,
    DATE: pure.DATE,
    DATETIME: pure.DATETIME,
    TIMEDELTA: pure.TIMEDELTA,
}


def pure_type(of: Type, records: Records) -> PureType:
    """The type in pure code of the values of a type; raises NotPureError where pure code has none."""
    if of in _SCALARS:
        return _SCALARS[of]
    if isinstance(of, CodedType) and of.kind == "dict":
        return PureType("unordered dict", tuple(pure_type(each, records) for each in of.item.components))  # type: ignore[union-attr]
    if isinstance(of, CodedType):
        return PureType(of.kind, (pure_type(of.item, records),))
    if isinstance(of, NominalType) and of.members and not of.is_mixed:
        return pure.enum_of(
            of.name, tuple(f"{name}={value}" for name, value in zip(of.members, of.values, strict=True))
        )
    if isinstance(of, BagType | NominalType) or not isinstance(of, TupleType) or of == MARK:
        raise NotPureError(None, f"values of type {show_type(of)} are not supported in pure code")
    if is_option(of):
        return pure.optional(pure_type(of.components[1], records))
    parts = tuple(pure_type(each, records) for each in of.components)
    if not isinstance(of, RecordType):
        return pure.tuple_of(*parts)
    special = [name for name in of.definition.methods if name.startswith("__")]
    if of.kind not in ("NamedTuple", "dataclass") or special or of.definition.base is not None:
        raise NotPureError(None, f"values of type {show_type(of)} are not supported in pure code")
    if records.setdefault(of.definition.name, of) != of:
        raise NotPureError(None, f"two classes are called `{of}`")
    fields = tuple(zip(of.names, parts, strict=True))
    return pure.record_of(of.definition.name, fields, of.kind == "NamedTuple")


def term_type(of: PureType, records: Mapping[str, RecordType]) -> BasicType:
    """The type of the terms for values of pure code; raises NotPureError where there is none."""
    for known, scalar in _SCALARS.items():
        if of == scalar:
            return known  # type: ignore[return-value]
    match of.kind:
        case "float":
            return RATIONAL
        case "optional" | "nullable":
            return optional(term_type(of.of[0], records))
        case "list" | "set" | "sequence":
            item = term_type(of.of[0], records)
            if not (isinstance(item, RecordType) and item.kind != "NamedTuple"):
                return coded_type(of.kind, item, show_type(item))  # type: ignore[arg-type]
        case "record" if of.name in records:
            found = records[of.name]
            if tuple(term_type(each, records) for each in of.of) == found.components:
                return found
        case "tuple" if of.of not in ((), (pure.BOOL,)):
            return TupleType(tuple(term_type(each, records) for each in of.of))
    raise NotPureError(None, f"results of the type {of} are not supported: ints, bools, texts and tuples are")
