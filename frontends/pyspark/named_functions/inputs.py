"""Inputs that hold lists, sets and dicts: each text stands for one of these, so that all texts are inputs.

The code of a value stands for the value. Another text stands for a small value that is made of its characters, which
lets texts that are tried as inputs be lists and dicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from fractions import Fraction
from hashlib import sha256
from itertools import cycle
from typing import Any, Final

from tallystick.core.functions import FUNCTIONS, Function, FunctionError
from tallystick.core.types import TEXT, BagType, TupleType, Type
from tallystick.frontends.pyspark.named_functions.coding import Member, canonical_code
from tallystick.frontends.pyspark.named_functions.pure_types import pure_type
from tallystick.frontends.pyspark.uninterpreted.types import PureType
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.nominal_types import EPOCH
from tallystick.frontends.pyspark.values.options import is_option

_MOST_ITEMS: Final = 3
_TEXTS: Final = ("a", "b", "c", "", "1")


def coded_types_in(of: Type) -> Iterator[CodedType]:
    """The types within a type whose values are codes."""
    match of:
        case CodedType():
            yield of
        case TupleType(components):
            for each in components:
                yield from coded_types_in(each)
        case BagType(element):
            yield from coded_types_in(element)


def know_inputs(of: Type) -> None:
    """Lets texts stand for values of the containers within a type; raises NotPureError where there are no codes."""
    for each in coded_types_in(of):
        if each.input_code not in FUNCTIONS:
            FUNCTIONS[each.input_code] = Function((TEXT,), TEXT, _code_of(pure_type(each, {})))


def input_value(of: Type, value: Any) -> Any:
    """An input in core values, with the codes of its lists, sets and dicts in the place of what stands for these."""
    if is_option(of):
        return None if value is None else input_value(of.components[1], value)  # type: ignore[union-attr]
    match of:
        case CodedType():
            return (_code_of(pure_type(of, {}))(value[0]),)
        case TupleType(components):
            return tuple(input_value(*each) for each in zip(components, value, strict=True))
        case BagType(element) if isinstance(value, list):
            return [input_value(element, each) for each in value]
    return value


def _code_of(of: PureType) -> Callable[[str], str]:
    def code(text: str) -> str:
        try:
            return canonical_code(of, text)
        except FunctionError:
            return canonical_code(of, _Made(text).value(of, min(len(text), _MOST_ITEMS)))

    return code


class _Made:
    """Values made of a text: the same each time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._bytes = cycle(sha256(text.encode(errors="surrogatepass")).digest())

    def _number(self, below: int) -> int:
        return next(self._bytes) % below

    def value(self, of: PureType, size: int) -> Any:
        """A value of a type of pure code, with so many items where it is a container."""
        number = self._number(4)
        match of.kind:
            case "list" | "set" | "sequence":
                items = [self.value(of.of[0], self._number(_MOST_ITEMS)) for _ in range(size)]
                return items if of.kind == "list" else tuple(items) if of.kind == "sequence" else set(items)
            case "dict" | "unordered dict":
                return {self.value(of.of[0], 1): self.value(of.of[1], self._number(_MOST_ITEMS)) for _ in range(size)}
            case "tuple" | "record":
                return tuple(self.value(each, self._number(_MOST_ITEMS)) for each in of.of)
            case "optional" | "nullable":
                return self.value(of.of[0], size) if number else None
        scalars: dict[str, Any] = {
            "none": None,
            "bool": number % 2 == 0,
            "int": number - (number == 3) * self._number(9),
            "rational": Fraction(number, 2),
            "decimal": Fraction(number, 2),
            "text": self._text if number == 3 else _TEXTS[self._number(len(_TEXTS))],
            "date": date.fromordinal(EPOCH.toordinal() + number),
            "datetime": EPOCH + timedelta(hours=6 * number),
            "timedelta": timedelta(minutes=number),
            "enum": Member(of.name, number % max(len(of.fields), 1)),
        }
        return scalars[of.kind]
