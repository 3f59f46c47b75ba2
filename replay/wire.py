"""Values and bags as JSON, between the replayer and the process that runs user code.

    value    true, false, null (None), "0x2a" (an integer of any size), a list (a tuple) of values, {"text": "…"}, or
             {"number": ["0x1", "0x2"]}, an exact number, or {"float": "nan"}, "inf" or "-inf", which are none; dates
             and members of enums are tuples, as in core programs
    bag      {"bag": [[value, "0x1"], …]}, in the order of the elements' text: equal bags have equal JSON
    spread   {"partitions": [[value, …], …]}, a bag in partitions
    list     {"list": [value, …]}, in order
    outcome  a value, a bag, a list, {"float": its hexadecimal text}, or {"raised": [type, message]}

Integers are hexadecimal text because Python refuses to read decimal integers of more than 4300 digits.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import inf, nan
from typing import Any, Final

from tallystick.core.interpreter import Bag
from tallystick.core.types import Value

Json = None | bool | str | list["Json"] | dict[str, "Json"]


NO_NUMBERS: Final = {"nan": nan, "inf": inf, "-inf": -inf}
"""Floats that are no exact numbers; one object each, so that a bag has one entry for all nan."""


def encode(value: object) -> Json:
    """A value, or a bag given as a dictionary, as JSON; raises TypeError for anything else."""
    if isinstance(value, dict):
        entries = [[encode_value(element), encode_value(count)] for element, count in value.items()]
        return {"bag": sorted(entries, key=json.dumps)}  # type: ignore[dict-item]
    return encode_value(value)


def encode_result(value: object) -> Json:
    """What a program returned as JSON: as `encode`, and a float."""
    if isinstance(value, list):
        return {"list": list(map(encode_value, value))}
    return {"float": value.hex()} if type(value) is float else encode(value)


def decode_result(json_value: object) -> Value | Bag | float:
    """What `encode_result` wrote; raises ValueError for any other JSON."""
    match json_value:
        case {"float": str(text)}:
            return float.fromhex(text)
        case {"list": list(items)}:
            return list(map(decode_value, items))  # type: ignore[return-value]
    return decode(json_value)


def encode_value(value: object) -> Json:
    """A basic value as JSON; raises TypeError for what is no value of a program."""
    if value is None or type(value) is bool:
        return value
    if type(value) is int:
        return hex(value)
    if type(value) is str:
        return {"text": value}
    if isinstance(value, Fraction):
        return {"number": [hex(value.numerator), hex(value.denominator)]}
    if isinstance(value, float) and (text := str(float(value))) in NO_NUMBERS:
        return {"float": text}
    if isinstance(value, tuple) and value:
        return [encode_value(component) for component in value]
    raise no_value(value)


def no_value(value: object) -> TypeError:
    """The error that says that this is no basic value."""
    return TypeError(
        f"{value!r} is of type {type(value).__name__}, and no int, bool, str, number, None or tuple of these"
    )


def encode_partitions(partitions: Iterable[Iterable[object]]) -> dict[str, Json]:
    """A bag in partitions as JSON; raises TypeError unless its elements are basic values of one type."""
    parts = [list(part) for part in partitions]
    list(of_one_type(each for part in parts for each in part))
    return {"partitions": [[encode_value(each) for each in part] for part in parts]}


def decode_partitions(json_value: dict[str, Any]) -> tuple[tuple[Value, ...], ...]:
    """The partitions that `encode_partitions` wrote; raises ValueError for other elements."""
    return tuple(tuple(map(decode_value, part)) for part in json_value["partitions"])


def decode(json_value: object) -> Value | Bag:
    """The value or bag that `encode` wrote; raises ValueError for any other JSON."""
    if isinstance(json_value, dict) and "bag" in json_value:
        bag: Bag = {}
        entries = json_value["bag"]
        for entry in entries if isinstance(entries, list) else [None]:
            if not (isinstance(entry, list) and len(entry) == 2 and isinstance(entry[1], str)):
                raise ValueError("a bag is a list of elements with their multiplicities")
            bag[decode_value(entry[0])] = int(entry[1], 16)
        return bag
    return decode_value(json_value)


def decode_value(json_value: object) -> Value:
    """The basic value that `encode_value` wrote; raises ValueError for any other JSON."""
    if json_value is None or isinstance(json_value, bool):
        return json_value  # type: ignore[return-value]
    if isinstance(json_value, str):
        return int(json_value, 16)
    if isinstance(json_value, list) and json_value:
        return tuple(map(decode_value, json_value))
    match json_value:
        case {"text": str(text)}:
            return text  # type: ignore[return-value]
        case {"number": [str(numerator), str(denominator)]}:
            return Fraction(int(numerator, 16), int(denominator, 16))  # type: ignore[return-value]
        case {"float": str(text)} if text in NO_NUMBERS:
            return NO_NUMBERS[text]  # type: ignore[return-value]
    raise ValueError("a value is a boolean, an integer as hexadecimal text, or a list of values")


def bag_of(elements: Iterable[object]) -> Bag:
    """The bag of these elements; raises TypeError when they are not basic values of one type."""
    bag: Bag = {}
    for element in of_one_type(elements):
        bag[element] = bag.get(element, 0) + 1
    return bag


def of_one_type(elements: Iterable[object]) -> Iterator[Value]:
    """The elements; raises TypeError when one is no basic value, or of another type than those before."""
    first: object = None
    shape: object = type(None)
    for number, element in enumerate(elements):
        first = element if number == 0 else first
        both = _common(shape, _shape(element))
        if both is None:
            raise TypeError(f"the elements of a bag are of one type, but {first!r} and {element!r} are not")
        shape = both
        yield element  # type: ignore[misc]


def _common(one: object, other: object) -> object:
    """The shape of values of both shapes, where None is of any; None when there is none."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        parts = tuple(map(_common, one, other))
        return None if None in parts else parts
    if type(None) in (one, other):
        return other if one is type(None) else one
    return one if one == other else None


def _shape(value: object) -> object:
    if isinstance(value, float) and value in NO_NUMBERS.values():
        return Fraction  # among floats
    if value is None or type(value) in (bool, int, str) or isinstance(value, Fraction):
        return type(value)
    if isinstance(value, tuple) and value:
        return tuple(map(_shape, value))
    raise no_value(value)
