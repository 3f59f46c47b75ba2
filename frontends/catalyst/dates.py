"""Dates, timestamps and intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tallystick.core.queries.expressions import Arithmetic, Divide, Expression, Function, Literal
from tallystick.core.queries.types import DATE, INTEGER, MICROSECONDS, MICROSECONDS_A_DAY, MONTHS, TIMESTAMP
from tallystick.frontends.catalyst.casts import cast
from tallystick.frontends.catalyst.nodes import Node, refused
from tallystick.frontends.catalyst.types import DAY, INT, LONG, SparkType
from tallystick.frontends.catalyst.values import Value, folded, integer

if TYPE_CHECKING:
    from tallystick.frontends.catalyst.expressions import Expressions

PARTS = {
    "Year": "YEAR",
    "Quarter": "QUARTER",
    "Month": "MONTH",
    "DayOfMonth": "DAY",
    "DayOfYear": "DAYOFYEAR",
    "DayOfWeek": "DAYOFWEEK",
    "WeekOfYear": "WEEK",
    "WeekDay": "WEEKDAY",
}


OF_TIMES = {"Hour": "HOUR", "Minute": "MINUTE"}
UNITS = {
    **dict.fromkeys(("YEAR", "YYYY", "YY"), "YEAR"),
    "QUARTER": "QUARTER",
    **dict.fromkeys(("MONTH", "MM", "MON"), "MONTH"),
}
"""The units to which dates are truncated, as Spark knows them."""
UNITS_OF_TIMES = {
    **UNITS,
    **dict.fromkeys(("DAY", "DD"), "DAY"),
    **{each: each for each in ("HOUR", "MINUTE", "SECOND")},
}
"""Those to which moments are."""


def read_part(self: Expressions, node: Node) -> Value:
    """A part of a date."""
    value = self.read(node.one("child"))
    require_date(node, value)
    return Value(folded(Function(PARTS[node.name], (value.expression,), INTEGER, strict=True)), INT)


def require_date(node: Node, value: Value) -> None:
    """Raises SourceError unless a value is a date."""
    if value.type.name != "date":
        raise refused(node, f"{node.name} of a {value.type} is not understood")


def read_days_later(self: Expressions, node: Node) -> Value:
    """A date so many days later or earlier."""
    start, days = self.all((node.one("startDate"), node.one("days")))
    require_date(node, start)
    operator = "+" if node.name == "DateAdd" else "-"
    return Value(folded(Arithmetic(operator, start.expression, days.expression)), DAY)


def read_days_of(self: Expressions, node: Node) -> Value:
    """The whole days of an interval."""
    value = self.read(node.one("child"))
    days = as_number(node, value)
    return Value(folded(Divide(days, integer(MICROSECONDS_A_DAY), "truncate", "error")), INT)


def as_number(node: Node, value: Value) -> Expression:
    """A constant interval as its number of microseconds."""
    if value.type.core != MICROSECONDS or not isinstance(value.expression, Literal):
        raise refused(node, f"{node.name} of what is no constant interval is not understood")
    return Literal(value.expression.value, INTEGER)


def read_difference(self: Expressions, node: Node) -> Value:
    """DATEDIFF: the days between two dates."""
    end, start = self.all((node.one("endDate"), node.one("startDate")))
    for value in (end, start):
        require_date(node, value)
    return Value(folded(Arithmetic("-", end.expression, start.expression)), INT)


def read_months_later(self: Expressions, node: Node) -> Value:
    """A date so many months later, or the last day of that month."""
    field = "date" if node.name == "DateAddYMInterval" else "startDate"
    start, months = self.all((node.one(field), node.one("interval" if field == "date" else "numMonths")))
    require_date(node, start)
    by = months.expression
    if months.type.is_integral:
        by = folded(Arithmetic("*", by, Literal(1, MONTHS)))
    return Value(folded(Function("add months", (start.expression, by), DATE, strict=True)), DAY)


def read_to_date(self: Expressions, node: Node) -> Value:
    """TO_DATE without a format: a cast."""
    if len(node.children) != 1 or node.plain("timeZoneId") not in (None, self.reading.settings.time_zone):
        raise refused(node, "TO_DATE with a format is not understood")
    strict = self.reading.settings.ansi if node.plain("ansiEnabled") is None else node.plain("ansiEnabled")
    if type(strict) is not bool:
        raise refused(node, f"TO_DATE in the mode {strict!r} is not understood")
    mode = "ANSI" if strict else "LEGACY"
    return cast(self.reading, node, self.read(node.children[0]), DAY, mode)


def read_truncated(self: Expressions, node: Node) -> Value:
    """TRUNC of a date to a unit that is a constant."""
    start, unit = self.all((node.one("date"), node.one("format")))
    require_date(node, start)
    to = unit_of(node, unit, UNITS)
    return Value(folded(Function(f"DATE_TRUNC {to}", (start.expression,), DATE, strict=True)), DAY)


def unit_of(node: Node, unit: Value, known: Mapping[str, str]) -> str:
    """The unit that a constant says. Raises SourceError for any other."""
    name = str(unit.expression.value).upper() if isinstance(unit.expression, Literal) else ""
    if name not in known:
        raise refused(node, f"TRUNC to {name or 'what is no constant'} is not understood")
    return known[name]


def read_moment(self: Expressions, node: Node, field: str) -> Value:
    """A moment in the session's zone, which is UTC."""
    value = self.read(node.one(field))
    is_utc = node.plain("timeZoneId") in (None, self.reading.settings.time_zone) and self.reading.settings.is_utc
    if value.type.core != TIMESTAMP or not is_utc:
        raise refused(node, f"{node.name} of a {value.type} is not understood but in UTC")
    return value


def read_part_of_time(self: Expressions, node: Node) -> Value:
    """The hour or minute of a moment."""
    value = read_moment(self, node, "child")
    return Value(folded(Function(OF_TIMES[node.name], (value.expression,), INTEGER, strict=True)), INT)


def read_seconds(self: Expressions, node: Node) -> Value:
    """UNIX_TIMESTAMP of a moment, which needs no format."""
    value = read_moment(self, node, "timeExp")
    self.read(node.one("format"))
    node.plain("failOnError")
    return Value(folded(Function("seconds since 1970", (value.expression,), INTEGER, strict=True)), LONG)


def read_truncated_moment(self: Expressions, node: Node) -> Value:
    """DATE_TRUNC of a moment to a unit that is a constant."""
    to = unit_of(node, self.read(node.one("format")), UNITS_OF_TIMES)
    value = read_moment(self, node, "timestamp")
    return Value(folded(Function(f"DATE_TRUNC {to}", (value.expression,), TIMESTAMP, strict=True)), value.type)


def read_last_day(self: Expressions, node: Node) -> Value:
    """The last day of the month."""
    start = self.read(node.one("startDate"))
    require_date(node, start)
    return Value(folded(Function("LAST_DAY", (start.expression,), DATE, strict=True)), DAY)


def read_moved_timestamp(self: Expressions, node: Node) -> Value:
    """A timestamp plus an interval of days and less; with a zone, in UTC only."""
    start, by = self.all(node.children)
    if start.type.core != TIMESTAMP or by.type.core != MICROSECONDS or not self.reading.settings.is_utc:
        raise refused(node, f"{start.type} plus {by.type} is not understood")
    return Value(folded(Arithmetic("+", start.expression, by.expression)), start.type)


def read_interval(self: Expressions, node: Node) -> Value:
    """An interval of constants: months from years and months."""
    parts = self.all(node.children)
    if not all(isinstance(part.expression, Literal) for part in parts) or len(parts) != 2:
        raise refused(node)
    years, months = (part.expression.value for part in parts if isinstance(part.expression, Literal))
    total = int(years or 0) * 12 + int(months or 0)
    return Value(Literal(total, MONTHS), SparkType("interval year to month"))


HANDLERS = {
    **dict.fromkeys(PARTS, read_part),
    "DateAdd": read_days_later,
    "DateSub": read_days_later,
    "DateDiff": read_difference,
    "ExtractANSIIntervalDays": read_days_of,
    "DateAddYMInterval": read_months_later,
    "AddMonths": read_months_later,
    "ParseToDate": read_to_date,
    "TruncDate": read_truncated,
    "TruncTimestamp": read_truncated_moment,
    **dict.fromkeys(("UnixTimestamp", "ToUnixTimestamp"), read_seconds),
    **dict.fromkeys(OF_TIMES, read_part_of_time),
    "LastDay": read_last_day,
    "TimestampAddInterval": read_moved_timestamp,
    "MakeYMInterval": read_interval,
}
