"""Whether what a program means is what the interpreter computed, up to the order that a claim says nothing about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from tallystick.certificates.refuting import listed
from tallystick.core.types import BagType, TupleType, Type
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.pyspark.named_functions.coding import Member, decoded
from tallystick.frontends.pyspark.named_functions.pure_types import pure_type
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.options import is_option, python_value
from tallystick.replay.record_inputs import plain

_DIGITS: Final = 6
"""How many digits behind the point count: floats are exact numbers in core programs."""


def elements_of(computed: Any) -> Any:
    """The elements of an RDD of the interpreter as a list; anything else as it is."""
    elements = getattr(computed, "_elements", None)
    return list(computed) if hasattr(computed, "__next__") else computed if elements is None else elements


def agree(read: SourceProgram, meant: Any, computed: Any) -> bool:
    """Whether a value of the core program is what the interpreter computed."""
    of = read.result_type
    if read.returns == "list":
        items, ties = listed(meant)
        one, other = [_rounded(python_value(each)) for each in items], list(map(_shown, computed))
        if ties and any(order[0] >= 0 for order, _ in meant):
            return len(one) == len(other)  # which of those with equal keys are taken, nothing fixes
        return Counter(one) == Counter(other) if ties else one == other
    if isinstance(meant, dict):
        items = computed.items() if isinstance(computed, dict) else _groups_apart(computed)
        element = of.element if isinstance(of, BagType) else None
        expected: Counter[Any] = Counter()
        for each, count in meant.items():
            expected[_meant(each, element)] += count
        return Counter(map(_shown, items)) == expected
    number = isinstance(meant, Fraction) and isinstance(computed, int | float | Fraction)
    return _meant(meant, of) == _shown(float(computed) if number else computed)


def _meant(value: Any, of: Type | None) -> Any:
    """A value of the core, of a type in the source, as `_shown` shows that of the interpreter."""
    match of:
        case CodedType():
            return _shown(decoded(pure_type(of, {}), value))
        case TupleType((_, inner)) if is_option(of):
            return _meant(value[1], inner) if value[0][0] else None
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
    return value if isinstance(value, bool | str | None) else round(float(value), _DIGITS)


def _shown(value: Any) -> Any:
    """A value of the interpreter as plain values: what it holds, by value, whatever its classes are."""
    match value:
        case Member():
            return (float(value.place),)
        case list() | tuple():
            return tuple(map(_shown, value))
        case set() | frozenset():
            return frozenset(map(_shown, value))
        case dict() if not all(type(name) is str for name in value):
            return frozenset(map(_shown, value.items()))
    return _rounded(plain(value))


def _groups_apart(elements: Any) -> Iterator[Any]:
    """Pairs of a key and a list or set as the pairs of the key and each item."""
    for each in elements:
        if isinstance(each, tuple) and len(each) == 2 and isinstance(each[1], list | set | frozenset):
            yield from ((each[0], item) for item in each[1])
        else:
            yield each
