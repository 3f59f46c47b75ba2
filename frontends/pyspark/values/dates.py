"""Dates, times without zones, and their differences: numbers of days and of microseconds.

Comparisons, differences, weekdays and hours are arithmetic; the year, month and day of a date, and texts of dates, are
functions that are known by name. The present moment is not read: a program has one meaning.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Final

from tallystick.core.terms import Operator, Term, build, constant, equal, ite, tuple_of
from tallystick.core.types import INT
from tallystick.frontends.pyspark.named_functions.methods import ISO_CALENDAR, MOMENT
from tallystick.frontends.pyspark.python import arithmetic
from tallystick.frontends.pyspark.python.texts import applied, concatenated, text
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import constant_value, literal, show_type
from tallystick.frontends.pyspark.values.kinds import Builtin, Value
from tallystick.frontends.pyspark.values.nominal_types import (
    DATE,
    DATETIME,
    DAY,
    TIMEDELTA,
    NominalType,
    content,
    days,
    microseconds,
    wrapped,
)

HINT: Final = (
    "read of dates are year, month, day, weekday(), isoweekday(), isocalendar(), isoformat(), replace(day=1), of "
    "datetimes also hour, minute, second, microsecond and date(), of timedeltas days, seconds, total_seconds() and "
    "`// % /`"
)
_UNITS: Final = {
    "weeks": 7 * DAY,
    "days": DAY,
    "hours": 3_600_000_000,
    "minutes": 60_000_000,
    "seconds": 1_000_000,
    "milliseconds": 1000,
    "microseconds": 1,
}
_ORDER: Final = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")


def attribute(owner: Term, name: str, place: Place) -> Value:
    """An attribute of a date, a datetime or a timedelta; a method as a function."""
    if owner.type not in (DATE, DATETIME, TIMEDELTA):
        raise place.error(f"`{name}` of a {owner.type} is not supported", "numbers have operators, `round` and `int`")
    number, of = content(owner), owner.type
    day = number if of == DATE else _floor(number, DAY)
    if of in (DATE, DATETIME):
        parts: dict[str, Callable[[], Term]] = {
            **{part: lambda part=part: applied(f"date.{part}", day) for part in ("year", "month", "day")},
        }
        if of == DATETIME:
            parts |= {
                "hour": lambda: _modulo(_floor(number, _UNITS["hours"]), 24),
                "minute": lambda: _modulo(_floor(number, _UNITS["minutes"]), 60),
                "second": lambda: _modulo(_floor(number, _UNITS["seconds"]), 60),
                "microsecond": lambda: _modulo(number, 1_000_000),
            }
        if name in parts:
            return parts[name]()
        methods: dict[str, Callable[[Place, list[Value]], Value]] = {
            "weekday": lambda where, given: _modulo(_plus(day, 5), 7),
            "isoweekday": lambda where, given: _plus(_modulo(_plus(day, 5), 7), 1),
        }
        if name == "isocalendar":
            methods[name] = lambda where, given: tuple_of(*(applied(f"{ISO_CALENDAR} {i}", day) for i in range(3)))
        if of == DATETIME:
            methods["isoformat"] = lambda where, given: _in_iso(number, "T")
            methods["date"] = lambda where, given: wrapped(DATE, day)
        if of == DATE:
            methods["isoformat"] = lambda where, given: applied("date.isoformat", day)
            methods["toordinal"] = lambda where, given: _plus(number, date(2000, 1, 1).toordinal())
        if name == "strftime" and of == DATE:
            return Builtin(name, lambda where, given: applied("date.strftime", day, text(given[0], where, "a format")))
        if name == "strftime":
            return Builtin(name, lambda where, given: _shown(number, arithmetic.exactly(where, given, 1, name), where))
        if name == "replace" and of == DATETIME:
            return Builtin(name, _no_positions, lambda where, given, named: _changed(number, named, where))
        if name == "replace" and of == DATE:
            return Builtin(name, _no_positions, lambda where, given, named: _replaced(day, named, where))
        if name in methods:
            return Builtin(name, lambda where, given: methods[name](where, arithmetic.exactly(where, given, 0, name)))
    if of == TIMEDELTA:
        if name == "days":
            return _floor(number, DAY)
        if name == "seconds":
            return _floor(_modulo(number, DAY), 1_000_000)
        if name == "total_seconds":
            return Builtin(name, lambda where, given: arithmetic.divide(where, number, constant(1_000_000)))
    raise place.error(f"`{name}` of a {of} is not supported", HINT)


def _no_positions(place: Place, given: list[Value]) -> Value:
    raise place.error("`replace` takes its arguments by name")


_TIMES: Final = {"%H": ("hours", 24), "%M": ("minutes", 60), "%S": ("seconds", 60)}


def _shown(number: Term, given: list[Value], place: Place) -> Term:
    """strftime of a datetime: hours, minutes and seconds with two digits, and what dates have."""
    form = constant_value(given[0])
    if not isinstance(form, str) or "%%" in form:
        raise place.error("the format of `strftime` must be constant, and without `%%`")
    parts: list[Term] = []
    for part in re.split("(%[HMS])", form):
        if part in _TIMES:
            unit, most = _TIMES[part]
            parts.append(applied("format", _modulo(_floor(number, _UNITS[unit]), most), constant("02d")))
        elif part:
            plain = constant(part) if "%" not in part else applied("date.strftime", _floor(number, DAY), constant(part))
            parts.append(plain)
    return concatenated(*parts)


def _in_iso(number: Term, between: str) -> Term:
    """isoformat of a datetime, and its text with a blank between: microseconds are there where they are not 0."""
    parts = [applied("date.isoformat", _floor(number, DAY)), constant(between)]
    for mark, before in (("%H", ""), ("%M", ":"), ("%S", ":")):
        unit, most = _TIMES[mark]
        shown = applied("format", _modulo(_floor(number, _UNITS[unit]), most), constant("02d"))
        parts += [constant(before), shown]
    rest = _modulo(number, 1_000_000)
    fraction = concatenated(constant("."), applied("format", rest, constant("06d")))
    if (known := literal(rest)) is not None:
        return concatenated(*parts, fraction) if known else concatenated(*parts)
    return concatenated(*parts, ite(equal(rest, constant(0)), constant(""), fraction))


def shown(value: Term, specification: str, place: Place) -> Term | None:
    """What `str`, or an f-string, makes of a date or a datetime; None of other values."""
    if value.type == DATE:
        day = content(value)
        return (
            applied("date.strftime", day, constant(specification)) if specification else applied("date.isoformat", day)
        )
    if value.type == DATETIME:
        number = content(value)
        return _shown(number, [constant(specification)], place) if specification else _in_iso(number, " ")
    return None


_FIELDS: Final = {
    "hour": ("hours", 24),
    "minute": ("minutes", 60),
    "second": ("seconds", 60),
    "microsecond": ("microseconds", 1_000_000),
}


def _changed(number: Term, named: dict[str, Value], place: Place) -> Term:
    """`replace` of a datetime."""
    day = {name: value for name, value in named.items() if name not in _FIELDS}
    if unknown := set(day) - {"year", "month", "day"}:
        raise place.error(f"`replace` of `{unknown.pop()}` is not supported", HINT)
    result = _floor(number, DAY) if not day else content(_replaced(_floor(number, DAY), day, place))
    total = arithmetic.times(place, constant(DAY), result)
    for name, (unit, most) in _FIELDS.items():
        part = _modulo(_floor(number, _UNITS[unit]) if unit != "microseconds" else number, most)
        if name in named:
            known = literal(arithmetic.integer(named[name], place, f"`{name}`"))
            if known is None or not 0 <= known < most:
                raise place.error(f"`{name}` must be a constant from 0 to {most - 1}")
            part = constant(known)
        total = arithmetic.plus(place, total, arithmetic.times(place, constant(_UNITS[unit]), part))
    return wrapped(DATETIME, total)


def _replaced(day: Term, named: dict[str, Value], place: Place) -> Term:
    parts = [
        arithmetic.integer(named[part], place, f"`{part}`") if part in named else applied(f"date.{part}", day)
        for part in ("year", "month", "day")
    ]
    return wrapped(DATE, applied("date", *parts))


def _floor(number: Term, by: int) -> Term:
    """The floor of a quotient by a constant; exact multiples are divided at once."""
    factor = number.parameter if number.operator is Operator.SCALE else None
    if type(factor) is int and factor % by == 0:
        (inner,) = number.arguments
        return inner if factor == by else build(Operator.SCALE, (inner,), factor // by)
    if type(factor) is int and factor > 0 and by % factor == 0:
        return build(Operator.DIV, number.arguments, by // factor)
    known = literal(number)
    return build(Operator.DIV, (number,), by) if known is None else constant(known // by)


def _modulo(number: Term, by: int) -> Term:
    known = literal(number)
    return build(Operator.MOD, (number,), by) if known is None else constant(known % by)


def _plus(number: Term, more: int) -> Term:
    known = literal(number)
    return build(Operator.ADD, (number, constant(more))) if known is None else constant(known + more)


def combined(place: Place, kind: type[ast.operator], left: Term, right: Term) -> Term:
    """`+` and `-` of dates, datetimes and timedeltas, and `*` and `//` of a timedelta and an int."""
    types = left.type, right.type
    if kind is ast.Sub and types == (DATE, DATE):
        return wrapped(TIMEDELTA, arithmetic.times(place, constant(DAY), _difference(place, left, right)))
    if kind is ast.Sub and types == (DATETIME, DATETIME):
        return wrapped(TIMEDELTA, _difference(place, left, right))
    if kind in (ast.Add, ast.Sub) and types == (TIMEDELTA, TIMEDELTA):
        return wrapped(TIMEDELTA, _moved(place, kind, content(left), content(right)))
    if kind is ast.Add and types[0] == TIMEDELTA:
        left, right = right, left
    if kind in (ast.Add, ast.Sub) and right.type == TIMEDELTA and left.type in (DATE, DATETIME):
        of: NominalType = DATE if left.type == DATE else DATETIME
        span = content(right)  # of a date, Python adds or takes away the `days` of the span, which it has rounded down
        return wrapped(of, _moved(place, kind, content(left), _floor(span, DAY) if of is DATE else span))
    if kind is ast.Mult and TIMEDELTA in types and INT in types:
        span, factor = (left, right) if left.type == TIMEDELTA else (right, left)
        return wrapped(TIMEDELTA, arithmetic.times(place, content(span), factor))
    if kind in (ast.FloorDiv, ast.Mod, ast.Div) and types == (TIMEDELTA, TIMEDELTA):
        return _quotient(place, kind, content(left), content(right))
    if kind is ast.FloorDiv and types == (TIMEDELTA, INT):
        return wrapped(TIMEDELTA, arithmetic.floor_divide(place, content(left), right))
    symbol = _SYMBOLS.get(kind, "this operator")  # type: ignore[arg-type]
    raise place.error(f"`{symbol}` of {show_type(left.type)} and {show_type(right.type)} is not supported", HINT)


_SYMBOLS: Final = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Div: "/"}


def _quotient(place: Place, kind: type[ast.operator], whole: Term, part: Term) -> Term:
    """`//`, `%` and `/` of two timedeltas: an int, a timedelta and a float."""
    if kind is ast.Div:
        return arithmetic.divide(place, whole, part)
    by = literal(part)
    if kind is ast.Mod:
        return wrapped(TIMEDELTA, arithmetic.remainder(place, whole, part))
    return _floor(whole, by) if by is not None and by > 0 else arithmetic.floor_divide(place, whole, part)


def _difference(place: Place, left: Term, right: Term) -> Term:
    return arithmetic.minus(place, content(left), content(right))


def _signed(kind: type[ast.operator], number: Term) -> Term:
    if kind is ast.Add:
        return number
    known = literal(number)
    return build(Operator.SCALE, (number,), -1) if known is None else constant(-known)


def _moved(place: Place, kind: type[ast.operator], left: Term, right: Term) -> Term:
    return arithmetic.plus(place, left, _signed(kind, right))


def _of_parts(place: Place, given: list[Value]) -> Term:
    """date(year, month, day)."""
    parts = [arithmetic.integer(each, place, "an argument of `date`") for each in given]
    if len(parts) != 3:
        raise place.error("`date` takes a year, a month and a day")
    known = [literal(each) for each in parts]
    if None not in known:
        try:
            return wrapped(DATE, constant(days(date(*known))))  # type: ignore[arg-type]
        except ValueError as problem:
            raise place.error(f"there is no such date: {problem}") from None
    return wrapped(DATE, applied("date", *parts))


def _moment(place: Place, given: list[Value]) -> Term:
    """datetime(year, month, day, …) of ints."""
    parts = [arithmetic.integer(each, place, "an argument of `datetime`") for each in given]
    known = [literal(each) for each in parts]
    if not 3 <= len(known) <= 7:
        raise place.error("the arguments of `datetime` must be three to seven ints")
    if None in known:
        return wrapped(DATETIME, applied(f"{MOMENT} {len(parts)}", *parts))
    try:
        return wrapped(DATETIME, constant(microseconds(datetime(*known))))  # type: ignore[arg-type]
    except ValueError as problem:
        raise place.error(f"there is no such moment: {problem}") from None


def _span(place: Place, given: list[Value], named: dict[str, Value]) -> Term:
    """timedelta(days=…, …) of ints."""
    total = constant(0)
    for unit, value in [*zip(_ORDER, given, strict=False), *named.items()]:
        if unit not in _UNITS:
            raise place.error(f"`timedelta` has no `{unit}`")
        number = arithmetic.integer(value, place, f"`{unit}`")
        total = arithmetic.plus(place, total, arithmetic.times(place, constant(_UNITS[unit]), number))
    return wrapped(TIMEDELTA, total)


def _parsed(place: Place, given: list[Value]) -> Term:
    """datetime.strptime of a text and a format."""
    moment, form = (
        text(each, place, "an argument of `strptime`") for each in arithmetic.exactly(place, given, 2, "strptime")
    )
    return wrapped(DATETIME, applied("datetime.strptime", moment, form))


def _of_ordinal(place: Place, given: list[Value]) -> Term:
    """date.fromordinal of an int."""
    (number,) = arithmetic.exactly(place, given, 1, "fromordinal")
    ordinal = arithmetic.integer(number, place, "the argument of `fromordinal`")
    return wrapped(DATE, arithmetic.minus(place, ordinal, constant(date(2000, 1, 1).toordinal())))


def _iso(place: Place, given: list[Value]) -> Term:
    """date.fromisoformat of a text."""
    (day,) = arithmetic.exactly(place, given, 1, "fromisoformat")
    return wrapped(DATE, applied("date.fromisoformat", text(day, place, "the argument of `fromisoformat`")))


CLASSES: Final = {
    "date": Builtin("date", _of_parts),
    "datetime": Builtin("datetime", _moment),
    "timedelta": Builtin("timedelta", lambda place, given: _span(place, given, {}), _span),
}


def _of_seconds(place: Place, given: list[Value]) -> Term:
    """datetime.utcfromtimestamp of an int."""
    (seconds,) = arithmetic.exactly(place, given, 1, "utcfromtimestamp")
    since = arithmetic.times(place, constant(1_000_000), arithmetic.integer(seconds, place, "a time stamp"))
    return wrapped(DATETIME, arithmetic.plus(place, constant(microseconds(datetime(1970, 1, 1))), since))


_FUNCTIONS: Final = {
    ("datetime", "utcfromtimestamp"): Builtin("utcfromtimestamp", _of_seconds),
    ("date", "fromisoformat"): Builtin("fromisoformat", _iso),
    ("date", "fromordinal"): Builtin("fromordinal", _of_ordinal),
    ("datetime", "strptime"): Builtin("strptime", _parsed),
    ("date", "min"): wrapped(DATE, constant(days(date.min))),
    ("date", "max"): wrapped(DATE, constant(days(date.max))),
}


def of_class(name: str, member: str, place: Place) -> Value:
    """`date.fromisoformat` and the like."""
    known = _FUNCTIONS.get((name, member))
    if known is None:
        if member == "fromtimestamp":
            raise place.error("`datetime.fromtimestamp` depends on the time zone", "write `datetime.utcfromtimestamp`")
        now = " and depends on when the program runs" if member in ("today", "now", "utcnow") else ""
        raise place.error(f"`{name}.{member}` is not supported{now}", "read are date.fromisoformat, datetime.strptime")
    return known
