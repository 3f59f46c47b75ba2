"""Dates in texts; and conditions on parts of dates, as conditions on the dates themselves.

    YEAR(d) = 2024                             d >= DATE '2024-01-01' AND d < DATE '2025-01-01'
    DATE_TRUNC('month', d) <= DATE '2024-03-01'    d < DATE '2024-04-01'
    YEAR(d) = 2024 AND MONTH(d) = 3            … d >= DATE '2024-03-01' AND d < DATE '2024-04-01'
    CAST(t AS DATE) = DATE '2024-03-01'        t >= TIMESTAMP '2024-03-01' AND t < TIMESTAMP '2024-03-02'

Both sides are NULL where d is. Of timestamps this is so where the clocks of their time zone are not changed, which
every claim about them assumes: clocks that are set back over midnight return to the day before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final

from tallystick.core.queries.expressions import (
    And,
    Cast,
    Comparison,
    ComparisonOperator,
    Expression,
    Function,
    Literal,
    Or,
)
from tallystick.core.queries.types import DATE, INTEGER, MICROSECONDS_A_DAY, TIMESTAMP, SqlType

EPOCH: Final = date(1970, 1, 1)
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_TIME = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?", re.ASCII)
DAYS_OF_A_CYCLE, YEARS_OF_A_CYCLE = 146_097, 400
"""After so many days the calendar repeats itself."""
MONTHS: Final = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
"""How many months the parts of dates have."""
TRUNCATED: Final = "DATE_TRUNC "
DAYS: Final = ("cast timestamp as date", f"{TRUNCATED}DAY")
MIRRORED: Final[dict[ComparisonOperator, ComparisonOperator]] = {
    "=": "=",
    "<>": "<>",
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
}


def day(text: str) -> Literal | None:
    """The date that a text denotes, `yyyy-mm-dd`; None if it is no date."""
    match = _DATE.fullmatch(text.strip())
    try:
        return Literal((date(*map(int, match.groups())) - EPOCH).days, DATE) if match else None
    except ValueError:
        return None


def day_text(days: int) -> str:
    """Days since 1970 as engines write the date: with more digits after the year 9999, and (BC) before the year 1."""
    cycles, rest = divmod(days + EPOCH.toordinal() - 1, DAYS_OF_A_CYCLE)
    at = date.fromordinal(rest + 1)
    year = at.year + cycles * YEARS_OF_A_CYCLE
    return f"{year:04}-{at:%m-%d}" if year > 0 else f"{1 - year:04}-{at:%m-%d} (BC)"


def moment_text(microseconds: int) -> str:
    """A number of microseconds since 1970 as engines write the timestamp."""
    days, rest = divmod(microseconds, MICROSECONDS_A_DAY)
    return f"{day_text(days)} {(datetime.min + timedelta(microseconds=rest)).time().isoformat()}"


def moment(text: str) -> Literal | None:
    """The timestamp that a text denotes: a date, or `yyyy-mm-dd hh:mm:ss.ffffff`; None if it is no timestamp."""
    as_date = day(text)
    if as_date is not None and isinstance(as_date.value, int):
        return Literal(as_date.value * MICROSECONDS_A_DAY, TIMESTAMP)
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return None
    days = day(match[1])
    hour, minute, second = int(match[2]), int(match[3]), int(match[4] or 0)
    if days is None or not isinstance(days.value, int) or hour > 23 or minute > 59 or second > 59:
        return None
    seconds = (hour * 60 + minute) * 60 + second
    microseconds = int((match[5] or "0").ljust(6, "0"))
    return Literal(days.value * MICROSECONDS_A_DAY + seconds * 1_000_000 + microseconds, TIMESTAMP)


def on_days(comparison: Comparison) -> Expression:
    """A comparison of a part of a date, or of a timestamp, with a constant as one of it; any other as it is."""
    operator, left, right = comparison.operator, comparison.left, comparison.right
    if isinstance(left, Literal):
        operator, left, right = MIRRORED.get(operator, operator), right, left
    if not isinstance(right, Literal) or right.value is None or operator not in MIRRORED:
        return comparison
    if isinstance(left, Cast) and left.operand.type == DATE:
        left = left.operand
    if not isinstance(left, Function) or len(left.arguments) != 1:
        return comparison
    day = _moment(left.arguments[0])
    if day.type not in (DATE, TIMESTAMP):
        return comparison
    try:
        found = _period(left.name, right)
    except (OverflowError, ValueError):  # beyond the years that Python's dates have
        return comparison
    return comparison if found is None else _within(day, operator, *found)


def conjoined(operands: Sequence[Expression]) -> And:
    """A conjunction, in which the month or quarter of a date is a range of days if its year is given; see `on_days`."""
    years = dict(filter(None, map(_year, _parts(operands))))
    return And(tuple(_in_year(each, years) for each in operands))


def _moment(day: Expression) -> Expression:
    """The timestamp whose day a date is; any other date as it is."""
    return day.arguments[0] if isinstance(day, Function) and day.name == DAYS[0] else day


def _period(name: str, value: Literal) -> tuple[date, date, bool] | None:
    """The first day of the period that a constant names or lies in, that of the next, and whether it names it."""
    if name == "YEAR" and value.type == INTEGER:
        year = date(int(value.value), 1, 1)  # type: ignore[arg-type]
        return year, _later(year, 12), True
    months = MONTHS.get(name.removeprefix(TRUNCATED)) if name.startswith(TRUNCATED) else None
    if (months is None and name not in DAYS) or value.type not in (DATE, TIMESTAMP):
        return None
    days, rest = divmod(int(value.value), _a_day(value.type))  # type: ignore[arg-type]
    day = EPOCH + timedelta(days)
    if months is None:
        return day, day + timedelta(1), rest == 0
    start = date(day.year, (day.month - 1) // months * months + 1, 1)
    return start, _later(start, months), start == day and rest == 0


def _a_day(of: SqlType) -> int:
    """By how much the numbers of a type grow in a day."""
    return MICROSECONDS_A_DAY if of == TIMESTAMP else 1


def _later(start: date, months: int) -> date:
    month = start.month - 1 + months
    return date(start.year + month // 12, month % 12 + 1, 1)


def _within(day: Expression, operator: ComparisonOperator, start: date, end: date, is_start: bool) -> Expression:
    """The comparison of the first day of the period of a day with a constant, which is `start` or within the period."""
    since, until = (Literal((each - EPOCH).days * _a_day(day.type), day.type) for each in (start, end))
    beyond = until if is_start else since  # where a constant within is compared, no period is equal to it
    match operator:
        case "=":
            return And((Comparison(">=", day, since), Comparison("<", day, beyond)))
        case "<>":
            return Or((Comparison("<", day, since), Comparison(">=", day, beyond)))
        case "<":
            return Comparison("<", day, since if is_start else until)
        case "<=":
            return Comparison("<", day, until)
        case ">":
            return Comparison(">=", day, until)
        case _:
            return Comparison(">=", day, since if is_start else until)


def _parts(operands: Sequence[Expression]) -> list[Expression]:
    return [part for each in operands for part in ([each, *_parts(each.operands)] if isinstance(each, And) else [each])]


def _year(condition: Expression) -> tuple[Expression, int] | None:
    """The date of which a condition says that it lies in a year, and the year."""
    if not isinstance(condition, And) or len(condition.operands) != 2:
        return None
    first, second = condition.operands
    if not (isinstance(first, Comparison) and isinstance(second, Comparison) and first.left == second.left):
        return None
    ends = [each.right for each in (first, second)]
    if (first.operator, second.operator) != (">=", "<") or first.left.type not in (DATE, TIMESTAMP):
        return None
    if not all(isinstance(each, Literal) and each.value is not None for each in ends):
        return None
    days = [divmod(int(each.value), _a_day(first.left.type)) for each in ends]  # type: ignore[union-attr]
    if any(rest for _, rest in days):
        return None
    try:
        start, end = (EPOCH + timedelta(day) for day, _ in days)
    except OverflowError:
        return None
    whole = (start.month, start.day) == (end.month, end.day) == (1, 1) and end.year == start.year + 1
    return (first.left, start.year) if whole else None


def _in_year(condition: Expression, years: dict[Expression, int]) -> Expression:
    """The condition that a date of a known year is in a month or a quarter of it as one of the date."""
    if isinstance(condition, And):
        return And(tuple(_in_year(each, years) for each in condition.operands))
    if not isinstance(condition, Comparison) or condition.operator != "=":
        return condition
    for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
        if not (isinstance(one, Function) and one.name in ("MONTH", "QUARTER") and isinstance(other, Literal)):
            continue
        year, months, number = years.get(_moment(one.arguments[0])), MONTHS[one.name], other.value
        if year is not None and type(number) is int and 1 <= number <= 12 // months:
            start = date(year, (number - 1) * months + 1, 1)
            return _within(_moment(one.arguments[0]), "=", start, _later(start, months), True)
    return condition
