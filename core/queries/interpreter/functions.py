"""Functions that queries know by name alone: what the interpreter takes them to be.

Arguments that are NULL do not reach a strict function. A function raises `QueryFailure` where it has no value.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, trunc
from typing import Any

from tallystick.core.errors import FragmentError
from tallystick.core.queries.expressions import Function
from tallystick.core.queries.interpreter.running import QueryFailure
from tallystick.core.queries.types import MICROSECONDS_A_DAY, PYTHON_TYPES, SqlValue

EPOCH = date(1970, 1, 1)


def implementation(function: Function) -> Callable[..., SqlValue]:
    """What computes the function.

    Raises FragmentError if nothing does; the result raises it for arguments or values that have other types than meant.
    """
    if function.name not in FUNCTIONS:
        raise FragmentError(f"the function {function.name} has no implementation")
    compute, expected = FUNCTIONS[function.name], PYTHON_TYPES[function.type]

    def value(*arguments: Any) -> SqlValue:
        try:
            result = compute(*arguments)
        except (TypeError, AttributeError) as error:
            raise FragmentError(f"the function {function.name} has no implementation for {arguments!r}") from error
        except (OverflowError, ValueError) as error:
            raise QueryFailure(f"the function {function.name} has no value for {arguments!r}") from error
        if expected is Fraction and type(result) is int:
            result = Fraction(result)
        if type(result) is not expected and (result is not None or function.strict):
            raise FragmentError(f"the function {function.name} has no implementation of type {function.type}")
        return result

    return value


def like(text: str, pattern: str, escape: str = "\\") -> bool:
    """Whether the text is matched by the pattern, with `%` for any text, `_` for any character."""
    return bool(_pattern(pattern, escape).fullmatch(text))


@lru_cache(maxsize=256)
def _pattern(pattern: str, escape: str) -> re.Pattern[str]:
    parts, position = [], 0
    while position < len(pattern):
        character = pattern[position]
        if escape and character == escape:
            position += 1
            if position == len(pattern):
                raise QueryFailure("a pattern of LIKE ends with its escape character")
            parts.append(re.escape(pattern[position]))
        else:
            parts.append({"%": ".*", "_": "."}.get(character) or re.escape(character))
        position += 1
    return re.compile("".join(parts), re.DOTALL)


def substring(text: str, start: int, length: int | None = None) -> str:
    """The characters at the positions start, …, start + length - 1, counted from 1, that exist (SQL:1999)."""
    if length is not None and length < 0:
        raise QueryFailure("SUBSTRING with a negative length is an error")
    end = len(text) if length is None else start - 1 + length
    return text[max(start - 1, 0) : max(end, 0)]


def round_half_up(number: int | Fraction, digits: int = 0) -> int | Fraction:
    """The nearest multiple of 10**-digits; of two, the one further from zero."""
    scale = Fraction(10) ** digits
    size = Fraction(floor(abs(number) * scale + Fraction(1, 2)), scale)
    rounded = size if number >= 0 else -size
    return int(rounded) if isinstance(number, int) else rounded


def day(days: int) -> date:
    """The calendar day of a DATE."""
    return EPOCH + timedelta(days=days)


def add_months(days: int, months: int) -> int:
    """The same day of another month, or its last day if the month is shorter."""
    start = day(days)
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return (date(year, month + 1, min(start.day, monthrange(year, month + 1)[1])) - EPOCH).days


def timestamp_add_months(microseconds: int, months: int) -> int:
    """The same time on the day that `add_months` gives."""
    days, time = divmod(microseconds, MICROSECONDS_A_DAY)
    return add_months(days, months) * MICROSECONDS_A_DAY + time


def _trim(side: str) -> Callable[..., str]:
    def trimmed(text: str, characters: str = " ") -> str:
        return getattr(text, side)(characters)

    return trimmed


def _of_day(part: Callable[[date], int]) -> dict[str, Callable[..., int]]:
    return {
        "": lambda days: part(day(days)),
        "timestamp_": lambda microseconds: part(day(microseconds // MICROSECONDS_A_DAY)),
    }


_PARTS: dict[str, Callable[[date], int]] = {
    "year": lambda day: day.year,
    "quarter": lambda day: (day.month + 2) // 3,
    "month": lambda day: day.month,
    "day": lambda day: day.day,
}

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "like": like,
    "ilike": lambda text, pattern, *escape: like(text.lower(), pattern.lower(), *escape),
    "substring": substring,
    "upper": lambda text: text.upper(),
    "lower": lambda text: text.lower(),
    "length": lambda text: len(text),
    "concat": lambda *texts: "".join(texts),
    "trim": _trim("strip"),
    "ltrim": _trim("lstrip"),
    "rtrim": _trim("rstrip"),
    "replace": lambda text, old, new: text.replace(old, new) if old else text,
    "position": lambda sought, text: text.find(sought) + 1,
    "starts_with": lambda text, prefix: text.startswith(prefix),
    "abs": lambda number: abs(number),
    "sign": lambda number: (number > 0) - (number < 0),
    "ceil": lambda number: ceil(number),
    "floor": lambda number: floor(number),
    "round": round_half_up,
    "add_months": add_months,
    "timestamp_add_months": timestamp_add_months,
    "cast_decimal_integer_truncate": lambda number: trunc(number),
    "cast_decimal_integer_round": lambda number: int(round_half_up(number)),
    "cast_integer_text": lambda number: str(number),
    "cast_integer_boolean": lambda number: number != 0,
    "cast_date_text": lambda days: day(days).isoformat(),
    "cast_timestamp_date": lambda microseconds: microseconds // MICROSECONDS_A_DAY,
    **{prefix + name: of for name, part in _PARTS.items() for prefix, of in _of_day(part).items()},
}
"""The implementations by name. `cast_A_B` converts from A to B; functions of timestamps begin with `timestamp_`."""
