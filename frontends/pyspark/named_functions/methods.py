"""Methods of texts beside those of `core.functions`, and the numbers of a range: functions that terms apply by name.

As of pure code, proofs know of them that equal arguments have equal values; values are computed in this process alone.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from tallystick.core.functions import FUNCTIONS, LISTS, LONGEST, Function, FunctionError
from tallystick.core.types import BOOL, INT, TEXT, BasicType
from tallystick.frontends.pyspark.values.nominal_types import EPOCH, microseconds

QUESTIONS: Final = ("isascii", "isidentifier", "isprintable", "istitle")
PADDED: Final = ("center", "ljust", "rjust")
LINES: Final = "python lines"
FROM_THE_END: Final = "python rpieces"
"""`rsplit` of a separator, a number of times."""
RANGE: Final = "python range"
"""The numbers from 0 on, so many, as texts."""
NUMBER: Final = "python number of a range"
"""The number that an item of a range is."""
ISO_CALENDAR: Final = "python isocalendar"
"""The year, week and weekday of a day, each a function by name."""
MOMENT: Final = "python datetime of"
"""The moment of so many parts."""
_MOST_NUMBERS: Final = 1000
"""Longer ranges are not computed."""


def name_of_method(method: str) -> str:
    """The name of the function that a method of texts is."""
    return f"python str.{method}"


def _padded(method: Callable[[str, int, str], str], text: str, width: int, fill: str) -> str:
    if width > LONGEST or len(fill) != 1:
        raise FunctionError(f"a text of more than {LONGEST} characters, or filled with several")
    return method(text, width, fill)


def _numbers(count: int) -> list[str]:
    if count > _MOST_NUMBERS:
        raise FunctionError(f"a range of more than {_MOST_NUMBERS} numbers")
    return [str(each) for each in range(count)]


def _places(items: list[str]) -> range:
    """The indices that a list has."""
    return range(-len(items), len(items))


def _register_lists(name: str, takes: tuple[BasicType, ...], of: Callable[..., list[str]]) -> None:
    """Say what a function gives whose values are lists of texts, and so its set, its length and its items."""
    for known, made in ((name, of), (f"set of {name}", lambda *given: sorted(set(of(*given))))):
        LISTS[known] = (f"item of {known}", takes, made)
        FUNCTIONS[known] = Function(takes, INT, lambda *given, made=made: len(made(*given)))
        count: Callable[..., int] = lambda item, *given, made=made: made(*given).count(item)  # noqa: E731
        FUNCTIONS[f"count in {known}"] = Function((TEXT, *takes), INT, count)
        item: Callable[..., Any] = lambda *given, made=made: made(*given[:-1])[given[-1]]  # noqa: E731
        FUNCTIONS[f"item of {known}"] = Function((*takes, INT), TEXT, item, raises=True)
        there: Callable[..., bool] = lambda *given, made=made: given[-1] in _places(made(*given[:-1]))  # noqa: E731
        FUNCTIONS[f"item of {known} has a value"] = Function((*takes, INT), BOOL, there)


for _name in QUESTIONS:
    FUNCTIONS[name_of_method(_name)] = Function((TEXT,), BOOL, getattr(str, _name))
for _name in PADDED:
    FUNCTIONS[name_of_method(_name)] = Function((TEXT, INT, TEXT), TEXT, partial(_padded, getattr(str, _name)))
FUNCTIONS[name_of_method("rfind")] = Function((TEXT, TEXT), INT, lambda text, part: text.rfind(part))
for _index in (0, 2):
    FUNCTIONS[name_of_method(f"rpartition {_index}")] = Function(
        (TEXT, TEXT), TEXT, lambda text, by, index=_index: text.rpartition(by)[index], raises=False
    )
_register_lists(LINES, (TEXT,), str.splitlines)
_register_lists(FROM_THE_END, (TEXT, TEXT, INT), lambda text, by, most: text.rsplit(by, most))
_register_lists(RANGE, (INT,), _numbers)
for _part in range(3):
    FUNCTIONS[f"{ISO_CALENDAR} {_part}"] = Function(
        (INT,), INT, lambda day, part=_part: (EPOCH + timedelta(day)).isocalendar()[part], raises=True
    )
for _count in range(3, 8):
    FUNCTIONS[f"{MOMENT} {_count}"] = Function(
        (INT,) * _count, INT, lambda *parts: microseconds(datetime(*parts)), raises=True
    )
FUNCTIONS[NUMBER] = Function((TEXT,), INT, lambda text: int(text) if text.isdecimal() else 0)
