"""Records as inputs: what the annotations of a program's parameters make of plain tuples."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from tallystick.replay import wire

Make = Callable[[Any], Any]


def makers(program: Callable[..., Any]) -> dict[str, Make]:
    """For each parameter whose annotation mentions classes, what makes its elements of plain values.

    Annotations that Python cannot resolve mention none.
    """
    try:
        hints = get_type_hints(program)
    except Exception:  # user code: an annotation may name what exists for type checkers alone
        return {}
    found = {name: _maker(_element(hint)) for name, hint in hints.items()}
    return {name: make for name, make in found.items() if make is not None}


EPOCH = datetime(2000, 1, 1)
_OF_CLASSES: dict[Any, Make] = {
    float: float,
    Decimal: lambda value: Decimal(value[0].numerator) / Decimal(value[0].denominator),
    Fraction: lambda value: Fraction(value[0]),
    date: lambda value: (EPOCH + timedelta(days=value[0])).date(),
    datetime: lambda value: EPOCH + timedelta(microseconds=value[0]),
    timedelta: lambda value: timedelta(microseconds=value[0]),
}
"""What makes the values of a class of what core programs have for them: floats are exact numbers, the rest tuples."""
DIGITS = 9
"""How many digits behind the point of a float count: the others depend on the order of additions."""


def plain(value: Any) -> Any:
    """A result of user code as core programs have it; anything else as it is."""
    match value:
        case float() if not isfinite(value):
            return wire.NO_NUMBERS[str(float(value))]
        case float():
            return Fraction(round(value, DIGITS)).limit_denominator(10**DIGITS)
        case Decimal() | Fraction():
            return (Fraction(value),)
        case datetime():
            return (_microseconds(value - EPOCH),)
        case date():
            return ((value - EPOCH.date()).days,)
        case timedelta():
            return (_microseconds(value),)
        case Enum():
            return ([*type(value)].index(value),)
        case tuple():
            return tuple(map(plain, value))
        case dict() if all(type(name) is str for name in value):
            return tuple(plain(value[name]) for name in sorted(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple(plain(getattr(value, each.name)) for each in dataclasses.fields(value))
    return value


def _microseconds(span: timedelta) -> int:
    return span // timedelta(microseconds=1)


def _element(hint: Any) -> Any:
    """The type of the elements of RDD[…]; any other hint as it is."""
    arguments = get_args(hint)
    return arguments[0] if getattr(get_origin(hint), "__name__", "") == "RDD" and len(arguments) == 1 else hint


def _maker(hint: Any) -> Make | None:
    """What makes a value of a type from plain tuples; None where plain values are meant."""
    if hint in _OF_CLASSES:
        return _OF_CLASSES[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        members = list(hint)
        return lambda value: members[value[0] if 0 <= value[0] < len(members) else 0]
    if isinstance(hint, type) and (hasattr(hint, "_fields") or dataclasses.is_dataclass(hint) or is_typeddict(hint)):
        return _record(hint)
    if _is_container(hint):
        make_of_code = _of_code(hint)
        return lambda value: make_of_code(json.loads(value[0]))
    if get_origin(hint) is tuple:
        makers_of_parts = list(map(_maker, get_args(hint)))
        return _tuple(makers_of_parts) if any(makers_of_parts) else None
    if get_origin(hint) in (Union, UnionType):
        some = [_maker(each) for each in get_args(hint) if each is not NoneType]
        if len(some) == 1 and some[0] is not None:
            make = some[0]
            return lambda value: None if value is None else make(value)
    return None


_KINDS: dict[Any, Callable[[Any], Any]] = {list: list, set: set, frozenset: frozenset, tuple: tuple}


def _is_container(hint: Any) -> bool:
    """Whether values of a type are texts in core programs: lists, sets, dicts, tuples of any length."""
    origin = get_origin(hint)
    return origin in (list, set, frozenset, dict, Mapping) or (origin is tuple and get_args(hint)[-1:] == (...,))


def _of_code(hint: Any) -> Make:
    """What makes a value of a type from its code: a number, a text, a truth value, None, or a list of codes."""
    origin, inside = get_origin(hint), get_args(hint)
    if _is_container(hint) and origin not in (dict, Mapping):
        item = _of_code(inside[0])
        return lambda code: _KINDS[origin](item(each) for each in code)
    if _is_container(hint):
        key, value = map(_of_code, inside)
        return lambda code: {key(one): value(other) for one, other in code}
    if origin in (Union, UnionType):
        (some,) = [_of_code(each) for each in inside if each is not NoneType]
        return lambda code: None if code is None else some(code)
    if origin is tuple:
        return _tuple([_of_code(each) for each in inside])
    if hint in (float, Decimal, Fraction):
        make = _OF_CLASSES[hint]
        return lambda code: make(Fraction(code)) if hint is float else make((Fraction(code),))
    if isinstance(hint, type) and (hasattr(hint, "_fields") or dataclasses.is_dataclass(hint)):
        hints = get_type_hints(hint)
        parts = _tuple([_of_code(hints[name]) for name in _names(hint, hints)])
        return lambda code: hint(*parts(code))
    made = _maker(hint)
    return (lambda code: code) if made is None else lambda code: made((code,))


def _tuple(parts: list[Make | None]) -> Make:
    return lambda value: tuple(each if make is None else make(each) for make, each in zip(parts, value, strict=True))


def _names(of: type, hints: dict[str, Any]) -> list[str]:
    if is_typeddict(of):
        return sorted(hints)
    return list(of._fields) if hasattr(of, "_fields") else [each.name for each in dataclasses.fields(of)]


def _record(of: type) -> Make:
    hints = get_type_hints(of)
    names = _names(of, hints)
    parts = _tuple([_maker(hints.get(name)) for name in names])
    return lambda value: of(**dict(zip(names, parts(value), strict=True)))
