"""Whether what a program means is what the interpreter computed, up to the order that a claim says nothing about."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any, Final

from tallystick.certificates.refuting import listed
from tallystick.core.programs import GROUPS
from tallystick.core.types import BagType, TupleType, Type
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.pyspark.named_functions.coding import Member, decoded
from tallystick.frontends.pyspark.named_functions.pure_types import pure_type
from tallystick.frontends.pyspark.named_functions.showing import as_python
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.nominal_types import EXACT, PARTIAL_FLOATS, NominalType
from tallystick.frontends.pyspark.values.options import NONE, is_option, python_value
from tallystick.replay.record_inputs import plain
from tallystick.replay.wire import NO_NUMBERS

_DIGITS: Final = 6
"""How many digits behind the point count: floats are exact numbers in core programs."""


def elements_of(computed: Any) -> Any:
    """The elements of an RDD of the interpreter as a list; anything else as it is."""
    elements = getattr(computed, "_elements", None)
    return list(computed) if hasattr(computed, "__next__") else computed if elements is None else elements


def agree(read: SourceProgram, meant: Any, computed: Any) -> bool:
    """Whether a value of the core program is what the interpreter computed."""
    of = read.result_type
    element = of.element if isinstance(of, BagType) else None
    if read.returns == "list":
        items, ties = listed(meant)
        item = element.components[1] if isinstance(element, TupleType) else None
        one, other = [_meant(each, item) for each in items], list(map(_shown, computed))
        if ties and any(order[0] >= 0 for order, _ in meant):
            return len(one) == len(other)  # which of those with equal keys are taken, nothing fixes
        return Counter(one) == Counter(other) if ties else one == other
    if isinstance(meant, dict):
        elements = computed.items() if isinstance(computed, dict) else computed
        if read.returns in GROUPS:
            elements = ((key, each) for key, group in elements for each in group)
        expected: Counter[Any] = Counter()
        for each, count in meant.items():
            expected[_meant(each, element)] += count
        return Counter(map(_shown, elements)) == expected
    return (_meant(meant, of),) == (_shown(computed),)  # in tuples, where nan is the same as itself


def _meant(value: Any, of: Type | None) -> Any:
    """A value of the core, of a type in the source, as `_shown` shows that of the interpreter."""
    if of == NONE:
        return None
    match of:
        case CodedType():
            return _shown(decoded(pure_type(of, {}), value))
        case TupleType((_, inner)) if is_option(of):
            return _meant(value[1], inner) if value[0][0] else None
        case NominalType() if of in (*PARTIAL_FLOATS, *EXACT):
            return _shown(as_python(value, of))
        case TupleType(parts) if isinstance(value, tuple) and len(value) == len(parts):
            return tuple(map(_meant, value, parts))
    return _rounded(python_value(value))


def _rounded(value: Any) -> Any:
    """A plain value, with numbers as rounded floats."""
    match value:
        case tuple() | list():
            return tuple(map(_rounded, value))
        case set() | frozenset():
            return frozenset(map(_rounded, value))
        case dict():
            return frozenset(map(_rounded, value.items()))
        case bool() | str() | None:
            return value
    number = float(value)
    return round(number, _DIGITS) if isfinite(number) else NO_NUMBERS[str(number)]


def _shown(value: Any) -> Any:
    """A value of the interpreter as plain values: what it holds, by value, whatever its classes are."""
    match value:
        case Member():
            return (float(value.place),)
        case Decimal() | Fraction():
            return _rounded(value)
        case list() | tuple():
            return tuple(map(_shown, value))
        case set() | frozenset():
            return frozenset(map(_shown, value))
        case dict() if not all(type(name) is str for name in value):
            return frozenset(map(_shown, value.items()))
    return _rounded(plain(value))
