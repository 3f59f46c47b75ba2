"""Values of pure code as values of the core, and back."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, Final

from tallystick.core.functions import FunctionError
from tallystick.core.types import BasicType, TupleType, default_value
from tallystick.frontends.pyspark.uninterpreted.types import PureType
from tallystick.frontends.pyspark.values.nominal_types import EPOCH, days, microseconds

_MICROSECOND: Final = timedelta(microseconds=1)


def decoded(of: PureType, value: Any) -> Any:
    """The value of pure code that a value of the core stands for; raises FunctionError where it is none."""
    try:
        match of.kind:
            case "none":
                return None
            case "date":
                return date.fromordinal(value[0] + EPOCH.toordinal())
            case "datetime":
                return EPOCH + value[0] * _MICROSECOND
            case "timedelta":
                return value[0] * _MICROSECOND
    except (ValueError, OverflowError):
        raise FunctionError(f"there is no {of} with the number {value[0]}") from None
    match of.kind:
        case "optional":
            return decoded(of.of[0], value[1]) if value[0][0] else None
        case "tuple" | "record":
            return tuple(decoded(*each) for each in zip(of.of, value, strict=True))
    return value


def encoded(of: PureType, value: Any, core: BasicType) -> Any:
    """The value, of type `core`, for a value of pure code; raises FunctionError where that is of another type."""
    parts = core.components if isinstance(core, TupleType) else (core,)
    match of.kind, value:
        case "none", None:
            return ((False,),)
        case "optional", _:
            inner = parts[-1]
            return ((False,), default_value(inner)) if value is None else ((True,), encoded(of.of[0], value, inner))
        case (("tuple" | "record"), tuple()) if len(value) == len(of.of):
            return tuple(encoded(*each) for each in zip(of.of, value, parts, strict=True))
        case "datetime", datetime() if value.tzinfo is None:
            return (microseconds(value),)
        case "date", date() if not isinstance(value, datetime):
            return (days(value),)
        case "timedelta", timedelta():
            return (value // _MICROSECOND,)
        case ("int", int()) | ("bool", bool()) | ("text", str()) if (of.kind == "bool") == isinstance(value, bool):
            return value
    raise FunctionError(f"a value that is no {of}")
