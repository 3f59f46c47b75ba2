"""Values of pure code as values of the core, and back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from tallystick.core.functions import FunctionError
from tallystick.core.types import INT, BasicType, TupleType, default_value
from tallystick.frontends.pyspark.uninterpreted.types import PureType
from tallystick.frontends.pyspark.values.nominal_types import EPOCH, days, microseconds

_MICROSECOND: Final = timedelta(microseconds=1)
_NUMBERED: Final = ("date", "datetime", "timedelta", "enum")


@dataclass(frozen=True)
class Member:
    """A member of an enum.

    Attributes:
        name: of the enum.
        place: of the member.
    """

    name: str
    place: int


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
            case "enum":
                return Member(of.name, value[0])
    except (ValueError, OverflowError):
        raise FunctionError(f"there is no {of} with the number {value[0]}") from None
    match of.kind:
        case "list" | "set" | "sequence":
            return _container(of, _loaded(value[0]))
        case "optional" | "nullable":
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
        case (("list" | "set" | "sequence"), _):
            return (written(_coded(of, value)),)
        case (("optional" | "nullable"), _):
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
        case "enum", Member():
            return (value.place,)
        case ("int", int()) | ("bool", bool()) | ("text", str()) if (of.kind == "bool") == isinstance(value, bool):
            return value
    raise FunctionError(f"a value that is no {of}")


def written(code: Any) -> str:
    """The text of a code; raises FunctionError where there is none."""
    try:
        return json.dumps(code, separators=(",", ":"))
    except ValueError:
        raise FunctionError("an integer with too many digits") from None


def uncoded(of: PureType, code: str, core: BasicType) -> Any:
    """The value, of type `core`, that has a code; raises FunctionError."""
    return encoded(of, _container(of, _loaded(code)), core)


def _loaded(code: str) -> Any:
    try:
        return json.loads(code)
    except ValueError:
        raise FunctionError("this is the code of no value") from None


_CONTAINERS: Final[dict[str, type]] = {"list": list, "set": frozenset, "sequence": tuple}


def _coded(of: PureType, value: Any) -> Any:
    """The code of a value of pure code, of a type: numbers, texts and lists, so that equal values have equal codes."""
    match of.kind:
        case "optional" | "nullable":
            return None if value is None else _coded(of.of[0], value)
        case "list" | "sequence" if isinstance(value, list if of.kind == "list" else tuple):
            return [_coded(of.of[0], each) for each in value]
        case "set" if isinstance(value, set | frozenset):
            return sorted((_coded(of.of[0], each) for each in value), key=written)
        case "tuple" | "record" if isinstance(value, tuple) and len(value) == len(of.of):
            return [_coded(*each) for each in zip(of.of, value, strict=True)]
        case "list" | "sequence" | "set" | "tuple" | "record":
            raise FunctionError(f"a value that is no {of}")
    found = encoded(of, value, INT)
    return found[0] if of.kind in _NUMBERED else None if of.kind == "none" else found


def _container(of: PureType, code: Any) -> Any:
    """The value of pure code that has a code; raises FunctionError where none has."""
    parts = code if isinstance(code, list) else []
    match of.kind:
        case "optional" | "nullable":
            return None if code is None else _container(of.of[0], code)
        case "list" | "set" | "sequence" if isinstance(code, list):
            return _CONTAINERS[of.kind](_container(of.of[0], each) for each in parts)
        case "tuple" | "record" if len(parts) == len(of.of):
            return tuple(_container(*each) for each in zip(of.of, parts, strict=True))
        case "list" | "set" | "sequence" | "tuple" | "record":
            raise FunctionError(f"this is the code of no {of}")
    found = decoded(of, (code,) if of.kind in _NUMBERED else code)
    encoded(of, found, INT)
    return found
