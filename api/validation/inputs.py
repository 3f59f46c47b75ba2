"""Small random inputs of a program: values of the core, and the same values as the interpreter has them."""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BagType, TupleType, Type, default_value
from tallystick.frontends.pyspark.named_functions.coding import Member, decoded
from tallystick.frontends.pyspark.named_functions.inputs import input_value
from tallystick.frontends.pyspark.named_functions.pure_types import pure_type
from tallystick.frontends.pyspark.named_functions.showing import as_python
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.nominal_types import (
    DATE,
    DATETIME,
    DAY,
    EXACT,
    PARTIAL_FLOATS,
    TIMEDELTA,
    NominalType,
)
from tallystick.frontends.pyspark.values.options import is_option
from tallystick.frontends.pyspark.values.record_types import RecordType

SIZES: Final = (0, 1, 2, 3, 5, 8)
_TEXTS: Final = ("a", "b", "", "a b")
_NUMBERS: Final = (0, 1, 2, 3, -1)
_PARTS: Final = (1, 2, 4)
"""Of what floats and decimals are quotients: so few digits that sums and products of them are exact."""
_DAYS: Final = (0, 1, 3, 7, 40)
_FEBRUARY_2024: Final = 8_823
"""The 27th of it, in days since 2000."""
_LONGEST: Final = 20
_MOST_PARTS: Final = 8
_LARGEST: Final = 10**9


class NoInputError(Exception):
    """There are no inputs of a type here, or no value of the interpreter for one."""


class Draw:
    """Draws values from few of each, so that keys meet and items repeat; numbers and texts near the program's own."""

    def __init__(self, tree: ast.Module, seed: str) -> None:
        self._choices = random.Random(seed)
        constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        texts = sorted({each for each in constants if isinstance(each, str) and len(each) < _LONGEST})
        numbers = sorted({each for each in constants if type(each) is int and abs(each) < _LARGEST})
        near = [number + step for number in numbers for step in (-1, 0, 1)]
        self._signs = [each for each in texts if len(each) == 1 and not each.isalnum()] or [","]
        self._counts = [2, 3, *(each for each in numbers if 1 < each < _MOST_PARTS)]
        self._all_texts, self._all_numbers = [*_TEXTS, *texts], [*_NUMBERS, *near]
        self.anew()

    def anew(self) -> None:
        """Choose the few values anew of which the next are drawn."""
        self._texts = self._choices.choices(self._all_texts, k=4)
        self._numbers = self._choices.choices(self._all_numbers, k=5)

    def value(self, of: Type) -> Any:
        """A value of a type, as the core has it; raises NoInputError."""
        choose = self._choices.choice
        match of:
            case BagType(element):
                return dict(Counter(self.value(element) for _ in range(choose(SIZES))))
            case CodedType():
                return input_value(of, (choose((*self._texts, f"{choose(self._texts)}{choose(self._numbers)}")),))
            case NominalType(members=members) if members:
                return (choose(range(len(members))),)
            case NominalType():
                return self._nominal(of)
            case TupleType((_, inner)) if is_option(of):
                there = choose((True, True, False))
                return ((there,), self.value(inner) if there else _smallest(inner))
            case TupleType(parts):
                return tuple(map(self.value, parts))
        scalars: dict[Type, Callable[[], Any]] = {
            INT: lambda: choose(self._numbers),
            BOOL: lambda: choose((True, False)),
            TEXT: self._text,
            RATIONAL: lambda: Fraction(choose(self._numbers), choose(_PARTS)),
        }
        if of not in scalars:
            raise NoInputError(f"inputs of the type {of}")
        return scalars[of]()

    def _text(self) -> str:
        """A text of the program, or a line: some of its texts and numbers, with one of its signs between."""
        choose = self._choices.choice
        if choose((True, True, False)):
            return choose(self._texts)
        parts = [choose((choose(self._texts), str(choose(self._numbers)))) for _ in range(choose(self._counts))]
        return choose(self._signs).join(parts)

    def _nominal(self, of: NominalType) -> Any:
        choose, day = self._choices.choice, _FEBRUARY_2024 + self._choices.choice(_DAYS)
        if of == DATE:
            return (day,)
        if of == DATETIME:
            return (day * DAY + choose((0, 28_800_000_000, 86_340_000_000)),)
        if of == TIMEDELTA:
            return (choose(self._numbers) * choose((1_000_000, DAY)),)
        if of in EXACT:
            return (Fraction(choose(self._numbers), choose(_PARTS)),)
        if of in PARTIAL_FLOATS:
            return True, Fraction(choose(self._numbers), choose(_PARTS))
        raise NoInputError(f"inputs of the type {of}")


def _smallest(of: Type) -> Any:
    """What stands in the place of a value that is not there."""
    return default_value(of)  # type: ignore[arg-type]


class Interpreted:
    """Values of the interpreter for values of the core; `class_of` finds the classes of the program.

    Args:
        class_of: by the name of a class, and the file of a record's.
    """

    def __init__(self, class_of: Callable[[str, Any], type], rdd: Callable[[Iterable[Any]], Any]) -> None:
        self._class_of, self._rdd = class_of, rdd

    def value(self, of: Type, value: Any) -> Any:
        """The value of the interpreter; raises NoInputError."""
        match of:
            case BagType(element):
                items = [self.value(element, each) for each, count in value.items() for _ in range(count)]
                return self._rdd(items)
            case CodedType():
                return self._pure(of, decoded(pure_type(of, {}), value))
            case NominalType(members=members) if members:
                return self._member(of, value[0])
            case NominalType():
                return as_python(value, of) if of not in PARTIAL_FLOATS else float(value[1])
            case TupleType((_, inner)) if is_option(of):
                return self.value(inner, value[1]) if value[0][0] else None
            case TupleType(parts):
                return self._record(of, list(map(self.value, parts, value)))
        return float(value) if of == RATIONAL else value

    def _pure(self, of: Type, value: Any) -> Any:
        """The value of the interpreter for one of pure code."""
        match of:
            case CodedType(kind="dict", item=TupleType((key, item))):
                return {self._pure(key, one): self._pure(item, other) for one, other in value.items()}
            case CodedType(kind=kind, item=item):
                make = {"list": list, "set": set, "sequence": tuple}[kind]
                return make(self._pure(item, each) for each in value)
            case NominalType() if isinstance(value, Member):
                return self._member(of, value.place)
            case NominalType() if isinstance(value, Fraction):
                return Decimal(value.numerator) / Decimal(value.denominator) if of.name == "Decimal" else value
            case TupleType((_, inner)) if is_option(of):
                return None if value is None else self._pure(inner, value)
            case TupleType(parts) if isinstance(value, tuple):
                return self._record(of, list(map(self._pure, parts, value)))
        return float(value) if of == RATIONAL else value

    def _member(self, of: NominalType, place: int) -> Any:
        return self._class_of(of.name, None)[of.members[place]]  # type: ignore[index]

    def _record(self, of: TupleType, parts: list[Any]) -> Any:
        if not isinstance(of, RecordType):
            return tuple(parts)
        if of.kind == "dict":
            return dict(zip(of.names, parts, strict=True))
        if of.kind == "list":
            return parts
        made = self._class_of(of.definition.name, of.definition.source.file)
        return made(**dict(zip(of.names, parts, strict=True)))
