"""Values of pure code as values of the core, and back."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from math import isfinite
from typing import Any, Final

from tallystick.core.functions import FunctionError
from tallystick.core.types import INT, BasicType, TupleType, default_value
from tallystick.frontends.pyspark.uninterpreted.types import RATIONAL, PureType
from tallystick.frontends.pyspark.values.nominal_types import EPOCH, days, microseconds

_QUOTIENT: Final = re.compile(r"-?[0-9]{1,40}(/[1-9][0-9]{0,40})?")
_MOST_PARTS: Final = 2**20
_MICROSECOND: Final = timedelta(microseconds=1)
_NUMBERED: Final = ("date", "datetime", "timedelta", "enum")
CODED: Final = ("list", "set", "sequence", "dict", "unordered dict")
"""The kinds whose values are texts in core programs."""


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
            case "decimal":
                return value[0]
    except (ValueError, OverflowError):
        raise FunctionError(f"there is no {of} with the number {value[0]}") from None
    match of.kind:
        case _ if of.kind in CODED:
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
        case kind, _ if kind in CODED:
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
        case (("decimal" | "rational" | "float"), Fraction() | int() | float()) if not isinstance(value, bool):
            number = _exact(value) if isinstance(value, float) else Fraction(value)
            return (number,) if of.kind == "decimal" else number
        case ("int", int()) | ("bool", bool()) | ("text", str()) if (of.kind == "bool") == isinstance(value, bool):
            return value
    raise FunctionError(f"a value that is no {of}")


def _exact(number: float) -> Fraction:
    """The number that a float is, of so few digits that it was not rounded; raises FunctionError for others."""
    if not isfinite(number) or Fraction(number).denominator > _MOST_PARTS:
        raise FunctionError("a float that is not exact")
    return Fraction(number)


def written(code: Any) -> str:
    """The text of a code; raises FunctionError where there is none."""
    try:
        return json.dumps(code, separators=(",", ":"))
    except ValueError:
        raise FunctionError("an integer with too many digits") from None


def uncoded(of: PureType, code: str, core: BasicType) -> Any:
    """The value, of type `core`, that has a code; raises FunctionError."""
    return encoded(of, _container(of, _loaded(code)), core)


def canonical_code(of: PureType, value: Any) -> str:
    """The one code of a value of pure code, or of what a text is a code of; raises FunctionError where it is none."""
    return written(_coded(of, _container(of, _loaded(value)) if isinstance(value, str) else value))


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
        case "dict" | "unordered dict" if isinstance(value, dict):
            items = ([_coded(*each) for each in zip(of.of, item, strict=True)] for item in value.items())
            return sorted(items, key=written)
        case "tuple" | "record" if isinstance(value, tuple) and len(value) == len(of.of):
            return [_coded(*each) for each in zip(of.of, value, strict=True)]
        case "decimal" | "rational" | "float":
            return str(encoded(RATIONAL, value, INT))
        case kind if kind in (*CODED, "tuple", "record"):
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
        case "dict" | "unordered dict" if all(isinstance(each, list) and len(each) == 2 for each in parts):
            found = {_container(of.of[0], key): _container(of.of[1], each) for key, each in parts}
            if len(found) == len(parts) and isinstance(code, list):
                return found
        case "tuple" | "record" if len(parts) == len(of.of) and isinstance(code, list):
            return tuple(_container(*each) for each in zip(of.of, parts, strict=True))
        case "decimal" | "rational" | "float" if isinstance(code, str) and _QUOTIENT.fullmatch(code):
            return Fraction(code)
    if of.kind in (*CODED, "tuple", "record", "decimal", "rational", "float"):
        raise FunctionError(f"this is the code of no {of}")
    if of.kind in _NUMBERED and not (type(code) is int and (of.kind != "enum" or 0 <= code < len(of.fields))):
        raise FunctionError(f"this is the code of no {of}")
    found = decoded(of, (code,) if of.kind in _NUMBERED else code)
    encoded(of, found, INT)
    return found
