"""Functions that queries know by name alone: what the interpreter takes them to be.

Arguments that are NULL do not reach a strict function. Where dialects differ, or some of them fail, a function raises
`Undetermined`: no difference of two queries may hang on that.
"""

from __future__ import annotations

import hashlib
import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Any

from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.queries.constructs.functions import CHOICE, Function
from tallystick.core.queries.interpreter.rounding import square_root
from tallystick.core.queries.interpreter.running import MOST_CHARACTERS, NotComputed, Undetermined
from tallystick.core.queries.interpreter.unknown import Unknown
from tallystick.core.queries.names import plain_name
from tallystick.core.queries.types import BOOLEAN, MICROSECONDS_A_DAY, ORDERED_ONLY, PYTHON_TYPES, TIMESTAMP, SqlValue

EPOCH = date(1970, 1, 1)


def applied(function: Function) -> Callable[..., SqlValue]:
    """What computes the function where something does.

    Else its values are Unknown, if they are NULL for NULL alone and no truth values; others raise NotComputed.
    """

    def unknown(*arguments: SqlValue) -> SqlValue:
        if function.strict and function.type is not BOOLEAN:
            return Unknown(function.name, arguments)  # type: ignore[return-value]
        raise NotComputed(f"the function {function.name} has no implementation")

    try:
        compute = implementation(function)
    except FragmentError:
        return unknown

    def value(*arguments: SqlValue) -> SqlValue:
        if any(isinstance(each, Unknown) for each in arguments):
            return unknown(*arguments)
        try:
            return compute(*arguments)
        except FragmentError:
            return unknown(*arguments)

    return value


def implementation(function: Function) -> Callable[..., SqlValue]:
    """What computes the function.

    Raises FragmentError if nothing does; the result raises it for arguments or values that have other types than meant.
    """
    name, expected = plain_name(function.name), PYTHON_TYPES[function.type]
    if ORDERED_ONLY & {function.type, *(argument.type for argument in function.arguments)}:
        raise FragmentError(f"the function {name} has no implementation for values that are known by their order alone")
    timestamps = [place for place, argument in enumerate(function.arguments) if argument.type == TIMESTAMP]
    compute = _named(name) if not timestamps else _of_timestamp(name) if timestamps == [0] else None
    if compute is None:
        raise FragmentError(f"the function {name} has no implementation")

    def value(*arguments: Any) -> SqlValue:
        if None in arguments and name.startswith("cast "):  # also of one that is NULL of other values, too
            return None
        try:
            result = compute(*arguments)
        except (TypeError, AttributeError) as error:
            raise FragmentError(f"the function {name} has no implementation for {arguments!r}") from error
        except (OverflowError, ValueError) as error:
            raise Undetermined(f"the function {name} has no value for {arguments!r}") from error
        if expected is Fraction and type(result) is int:
            result = Fraction(result)
        if type(result) is not expected and (result is not None or function.strict):
            raise FragmentError(f"the function {name} has no implementation of type {function.type}")
        return result

    return value


def _named(name: str) -> Callable[..., Any] | None:
    """A function of the table, or one with a number in its name."""
    return _with_number(name, _NUMBERED) or FUNCTIONS.get(name)


def _with_number(name: str, numbered: dict[str, Callable[[Any, int], Any]]) -> Callable[..., Any] | None:
    """A function whose name ends with its second argument."""
    stem, _, number = name.rpartition(" ")
    compute = numbered.get(stem)
    return (lambda value: compute(value, int(number))) if compute is not None and number.isdecimal() else None


def _of_timestamp(name: str) -> Callable[..., Any] | None:
    """A function of a date, for the day of a timestamp."""
    known = OF_TIMESTAMPS.get(name) or _with_number(name, _NUMBERED_OF_TIMESTAMPS)
    if known is not None:
        return known
    of_day = _PARTS.get(name)
    return None if of_day is None else lambda microseconds: of_day(day(microseconds // MICROSECONDS_A_DAY))


def _require_same_in_dialects(condition: bool, what: str) -> None:
    if not condition:
        raise Undetermined(f"dialects differ in {what}")


def require_ascii(*texts: str) -> None:
    """Raises Undetermined for letters whose other case hangs on the engine, its version and its locale."""
    _require_same_in_dialects(all(text.isascii() for text in texts), "the case of letters beyond ASCII")


def in_any_case(matches: Callable[..., bool]) -> Callable[..., bool]:
    """A match without regard to the case of letters."""

    def value(text: str, pattern: str, *escape: str) -> bool:
        require_ascii(text, pattern, *escape)
        _require_same_in_dialects(not any(each.isalpha() for each in escape), "an escape that is a letter")
        return matches(text.lower(), pattern.lower(), *escape)

    return value


def collation_key(text: str) -> str:
    """What a text is compared by in a collation that ignores the case of letters.

    MySQL's and MariaDB's agree on these characters and their order, and differ in blanks at the end.
    """
    same = bool(re.fullmatch("[A-Za-z0-9 ./-]*", text)) and not text.endswith(" ")
    _require_same_in_dialects(same, "the collation of this text")
    return text.lower()


def upper(text: str) -> str:
    """The text in capital letters."""
    require_ascii(text)
    return text.upper()


def lower(text: str) -> str:
    """The text in small letters."""
    require_ascii(text)
    return text.lower()


def reverse(text: str) -> str:
    """The characters from the last to the first; some engines keep those together that are shown as one."""
    require_ascii(text)
    return text[::-1]


def like(text: str, pattern: str) -> bool:
    """Whether the text is matched by the pattern, with `%` for any text, `_` for any character."""
    _require_same_in_dialects("\\" not in pattern, "LIKE with a backslash")
    return _matches(text, _pattern(pattern, ""))


def like_escape(text: str, pattern: str, escape: str) -> bool:
    """LIKE, where a character after the escape character stands for itself; with no such character if it is empty."""
    _require_same_in_dialects(len(escape) <= 1, "LIKE with an escape that is no character")
    return _matches(text, _pattern(pattern, escape))


Pattern = tuple[tuple[str | None, ...], ...]
"""What stands between the `%` of a pattern: characters, and None for any one."""


@lru_cache(maxsize=256)
def _pattern(pattern: str, escape: str) -> Pattern:
    parts: list[list[str | None]] = [[]]
    position = 0
    while position < len(pattern):
        character = pattern[position]
        if character == escape:
            position += 1
            _require_same_in_dialects(position < len(pattern), "a pattern that ends with its escape character")
            parts[-1].append(pattern[position])
        elif character == "%":
            parts.append([])
        else:
            parts[-1].append(None if character == "_" else character)
        position += 1
    return tuple(map(tuple, parts))


def _matches(text: str, pattern: Pattern) -> bool:
    """Whether the parts of a pattern follow each other in the text, the first at its start and the last at its end.

    Parts in between are taken where they first occur: a later place leaves less for the others.
    """
    first, last = pattern[0], pattern[-1]
    if len(pattern) == 1:
        return len(text) == len(first) and _stands(text, 0, first)
    behind = len(text) - len(last)
    if len(first) > behind or not _stands(text, 0, first) or not _stands(text, behind, last):
        return False
    place = len(first)
    for part in pattern[1:-1]:
        while place + len(part) <= behind and not _stands(text, place, part):
            place += 1
        place += len(part)
    return place <= behind


def _stands(text: str, place: int, part: tuple[str | None, ...]) -> bool:
    return all(wanted is None or text[place + at] == wanted for at, wanted in enumerate(part))


def substring(text: str, start: int, length: int | None = None) -> str:
    """The characters from a place on, counted from 1; so many of them, if they exist."""
    _require_same_in_dialects(start >= 1 and (length is None or length >= 0), "SUBSTRING from before the text")
    return text[start - 1 :] if length is None else text[start - 1 : start - 1 + length]


def spark_substring(text: str, start: int, length: int | None = None) -> str:
    """The characters from a place on, counted from the end if negative; 0 is 1."""
    first = start - 1 if start > 0 else len(text) + start if start < 0 else 0
    behind = len(text) if length is None else first + length
    return text[max(first, 0) : max(behind, 0)]


def left(text: str, length: int) -> str:
    """The first characters."""
    _require_same_in_dialects(length >= 0, "LEFT of a negative length")
    return text[:length]


def right(text: str, length: int) -> str:
    """The last characters."""
    _require_same_in_dialects(length >= 0, "RIGHT of a negative length")
    return text[len(text) - min(length, len(text)) :]


def spark_substring_index(text: str, between: str, count: int) -> str:
    """What stands before so many occurrences of a text, which may overlap, or behind so many from the end."""
    if not between or not count:
        return ""
    place = -1 if count > 0 else len(text) - len(between) + 1
    for _ in range(abs(count)):
        place = text.find(between, place + 1) if count > 0 else text.rfind(between, 0, place - 1 + len(between))
        if place < 0:
            return text
    return text[:place] if count > 0 else text[place + len(between) :]


def md5(text: str) -> str:
    """The MD5 hash of the text in UTF-8, in small hexadecimal digits."""
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def _sha2(bits: int) -> Callable[[str], str]:
    """What gives the SHA-2 hash of the text in UTF-8, in small hexadecimal digits."""
    return lambda text: hashlib.new(f"sha{bits}", text.encode(), usedforsecurity=False).hexdigest()


def initcap(text: str, delimiters: str = " ") -> str:
    """The first letter of each word in capital; what ends a word, besides a blank, is another thing in each dialect."""
    _require_same_in_dialects(bool(re.fullmatch("[A-Za-z ]*", text)) and " " in delimiters, "where a word begins")
    return " ".join(word.capitalize() for word in text.split(" "))


def translate(text: str, old: str, new: str) -> str:
    """Each character of `old` replaced by that of `new` at its place, or left out if there is none."""
    _require_same_in_dialects(len(set(old)) == len(old), "TRANSLATE of one character to two")
    return text.translate({ord(each): new[place] if place < len(new) else None for place, each in enumerate(old)})


def repeat(text: str, times: int) -> str:
    """The text so many times; none of it for a negative number."""
    if len(text) * times > MOST_CHARACTERS:
        raise EvaluationError("a value is larger than the evaluation allows")
    return text * times


def first_code(text: str) -> int:
    """The number of the first character."""
    _require_same_in_dialects(text.isascii() and text != "", "the number of this character")
    return ord(text[0])


MOST_DIGITS = 100


def round_half_up(number: int | Fraction, digits: int = 0) -> int | Fraction:
    """The nearest multiple of 10**-digits; of two, the one further from zero."""
    _require_same_in_dialects(abs(digits) <= MOST_DIGITS, "rounding to very many digits")
    scale = Fraction(10) ** digits
    size = Fraction(floor(abs(number) * scale + Fraction(1, 2)), scale)
    rounded = size if number >= 0 else -size
    return int(rounded) if isinstance(number, int) else rounded


def trimmed(left: bool, right: bool) -> Callable[[str, str], str]:
    """What removes a text from the ends of another, as often as it stands there."""

    def value(text: str, part: str) -> str:
        start, end = 0, len(text)
        while left and part and text.startswith(part, start, end):
            start += len(part)
        while right and part and text.endswith(part, start, end):
            end -= len(part)
        return text[start:end]

    return value


def power(base: Fraction, exponent: Fraction) -> Fraction:
    """A power with a small integer as exponent."""
    small = exponent.denominator == 1 and abs(exponent) <= 16 and (base != 0 or exponent >= 0)
    _require_same_in_dialects(small, "powers that are no rational numbers")
    return base ** int(exponent)


def _read(form: str, kinds: str, meaning: Callable[[str], Any]) -> Callable[[str], Any]:
    """What texts of a form mean; of others, dialects make different things."""

    def read(text: str) -> Any:
        _require_same_in_dialects(bool(re.fullmatch(form, text)), f"texts that are no {kinds}")
        return meaning(text)

    return read


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


def _truncated(unit: str) -> Callable[[int], int]:
    def first_day(days: int) -> int:
        at = day(days)
        months = {"YEAR": 1, "QUARTER": 3 * ((at.month - 1) // 3) + 1, "MONTH": at.month}
        return (date(at.year, months[unit], 1) - EPOCH).days

    return first_day


def _first_moment(unit: str) -> Callable[[int], int]:
    first_day = _truncated(unit)
    return lambda microseconds: first_day(microseconds // MICROSECONDS_A_DAY) * MICROSECONDS_A_DAY


_PARTS: dict[str, Callable[[date], int]] = {
    "YEAR": lambda day: day.year,
    "QUARTER": lambda day: (day.month + 2) // 3,
    "MONTH": lambda day: day.month,
    "DAY": lambda day: day.day,
    "DAYOFYEAR": lambda day: day.timetuple().tm_yday,
}


def _formats(pieces: str, written: dict[str, str]) -> Callable[[int, str], str]:
    """What writes a day in a format: its pieces, by a regular expression, and what each stands for as in str.format;
    pieces that are no letters stand for themselves, and others have no value."""

    def value(days: int, form: str) -> str:
        at, found = day(days), [each[0] for each in re.finditer(pieces, form, re.DOTALL)]
        known = "".join(found) == form and all(each in written or not re.search("[A-Za-z%\"']", each) for each in found)
        _require_same_in_dialects(known, "this format")
        return "".join(written.get(each, each).format(at.year, at.month, at.day, at.year % 100) for each in found)

    return value


YEAR, MONTH, DAY = "{0:04}", "{1:02}", "{2:02}"
_OF_C = {"%Y": YEAR, "%m": MONTH, "%d": DAY, "%y": "{3:02}"}
_OF_JAVA = {"yyyy": YEAR, "MM": MONTH, "dd": DAY, "y": "{0}", "M": "{1}", "d": "{2}", "yy": "{3:02}"}


def shortened(text: str, length: int) -> str:
    """A text of at most so many characters."""
    _require_same_in_dialects(len(text) <= length, "texts that are too long for their type")
    return text


def decimal_text(number: Fraction, scale: int) -> str:
    """A decimal with so many digits after its point."""
    _require_same_in_dialects(scale <= MOST_DIGITS, "texts of very many digits")
    units = number * 10**scale
    _require_same_in_dialects(units.denominator == 1, "the texts of decimals with more digits")
    digits = f"{abs(int(units)):0{scale + 1}}"
    return "-" * (units < 0) + (f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits)


def _unit(digits: int) -> int:
    """Microseconds of the last of so many digits of a second."""
    _require_same_in_dialects(digits <= 6, "digits of a second behind those of a microsecond")
    return 10 ** (6 - digits)


def seconds_cut(moment: int, digits: int) -> int:
    """A moment without the further digits of its second."""
    return moment - moment % _unit(digits)


def seconds_rounded(moment: int, digits: int) -> int:
    """A moment rounded to so many digits of its second."""
    unit = _unit(digits)
    _require_same_in_dialects(2 * (moment % unit) != unit, "rounding a moment in the middle of two")
    return (moment + unit // 2) // unit * unit


_NUMBERED: dict[str, Callable[[Any, int], Any]] = {
    "round to scale": round_half_up,
    "cast text as text of": shortened,
    "cast decimal as text of scale": decimal_text,
}
"""Functions whose names end with a number."""
FUNCTIONS: dict[str, Callable[..., Any]] = {
    CHOICE: lambda number: number,
    "LIKE": like,
    "LIKE ESCAPE": like_escape,
    "ILIKE": in_any_case(like),
    "ILIKE ESCAPE": in_any_case(like_escape),
    "collation key": collation_key,
    "UPPER": upper,
    "LOWER": lower,
    "LENGTH": lambda text: len(text),
    "SUBSTRING": substring,
    "SUBSTRING in spark": spark_substring,
    "SUBSTRING_INDEX in spark": spark_substring_index,
    "LEFT": left,
    "RIGHT": right,
    "||": lambda first, second: first + second,
    "TRIM": lambda text, characters=" ": text.strip(characters),
    "LTRIM": lambda text, characters=" ": text.lstrip(characters),
    "RTRIM": lambda text, characters=" ": text.rstrip(characters),
    "TRIM a text": trimmed(True, True),
    "LTRIM a text": trimmed(True, False),
    "RTRIM a text": trimmed(False, True),
    "REPLACE": lambda text, old, new: text.replace(old, new) if old else text,
    "REVERSE": reverse,
    "MD5": md5,
    "SHA1 in spark": lambda text: hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest(),
    **{f"SHA2 of {bits} bits": _sha2(bits) for bits in (256, 384, 512)},
    "INITCAP": initcap,
    "TRANSLATE": translate,
    "REPEAT": repeat,
    "ASCII": first_code,
    "POSITION": lambda sought, text: text.find(sought) + 1,
    "STARTSWITH": lambda text, prefix: text.startswith(prefix),
    "ENDSWITH": lambda text, suffix: text.endswith(suffix),
    "CONTAINS": lambda text, part: part in text,
    "CEIL": lambda number: ceil(number),
    "FLOOR": lambda number: floor(number),
    "ROUND": round_half_up,
    "nearest integer": lambda number: int(round_half_up(number)),
    "POWER": power,
    "SQRT": square_root,
    "&": lambda first, second: first & second,
    "|": lambda first, second: first | second,
    "^": lambda first, second: first ^ second,
    "~": lambda number: ~number,
    "add months": add_months,
    "LAST_DAY": lambda days: add_months(days - day(days).day + 1, 1) - 1,
    "DATE_FORMAT by letters of java": _formats(r"([A-Za-z])\1*|.", _OF_JAVA),
    "DATE_FORMAT by letters of strftime": _formats("%.|[^%]", _OF_C),
    "DATE_FORMAT by letters of MySQL": _formats("%.|[^%]", {**_OF_C, "%c": "{1}", "%e": "{2}"}),
    "DATE_FORMAT by letters of PostgreSQL": _formats("YYYY|MM|DD|.", {"YYYY": YEAR, "MM": MONTH, "DD": DAY}),
    "cast decimal as integer": lambda number: int(round_half_up(number)),
    "cast integer as text": lambda number: str(number),
    "cast date as text": lambda days: day(days).isoformat(),
    "cast text as integer": _read("-?[0-9]+", "integers", int),
    "cast text as decimal": _read("-?[0-9]+([.][0-9]+)?", "numbers", Fraction),
    "cast text as date": _read("[0-9]{4}(-[0-9]{2}){2}", "dates", lambda text: (date.fromisoformat(text) - EPOCH).days),
    **{name: (lambda days, part=part: part(day(days))) for name, part in _PARTS.items()},
    **{f"DATE_TRUNC {unit}": _truncated(unit) for unit in ("YEAR", "QUARTER", "MONTH")},
}
"""The implementations by name. Those of a date in `_PARTS` are of timestamps, too."""


def moment_text(moment: int) -> str:
    """A moment with its second; how engines show fractions of it is not said here."""
    days, time = divmod(moment, MICROSECONDS_A_DAY)
    _require_same_in_dialects(time % 1_000_000 == 0, "the texts of fractions of a second")
    return f"{day(days).isoformat()} {timedelta(microseconds=time) + datetime.min:%H:%M:%S}"


_NUMBERED_OF_TIMESTAMPS: dict[str, Callable[[Any, int], Any]] = {
    "cut to digits of a second": seconds_cut,
    "round to digits of a second": seconds_rounded,
}


def whole_seconds(moment: int) -> int:
    """The seconds from 1970 to a moment."""
    _require_same_in_dialects(moment >= 0 or moment % 1_000_000 == 0, "whole seconds before 1970")
    return moment // 1_000_000


_WITHIN_DAYS = {"DAY": MICROSECONDS_A_DAY, "HOUR": 3_600_000_000, "MINUTE": 60_000_000, "SECOND": 1_000_000}
OF_TIMESTAMPS = {
    "add months": timestamp_add_months,
    "cast timestamp as date": lambda time: time // MICROSECONDS_A_DAY,
    "cast timestamp as text": moment_text,
    "seconds since 1970": whole_seconds,
    "HOUR": lambda time: time % MICROSECONDS_A_DAY // 3_600_000_000,
    "MINUTE": lambda time: time % 3_600_000_000 // 60_000_000,
    **{f"DATE_TRUNC {unit}": (lambda time, size=size: time - time % size) for unit, size in _WITHIN_DAYS.items()},
    **{f"DATE_TRUNC {unit}": _first_moment(unit) for unit in ("YEAR", "QUARTER", "MONTH")},
}
