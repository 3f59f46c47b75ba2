"""Dates and timestamps: parts of them, differences, beginnings, and moments some units later."""

from __future__ import annotations

from typing import Final

from sqlglot import exp
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import Arithmetic, Cast, Expression, Function, Literal, Reference, WithQuery
from tallystick.core.queries.traversal import parts
from tallystick.core.queries.types import DATE, DECIMAL, INTEGER, MICROSECONDS, TEXT, TIMESTAMP, SqlType
from tallystick.frontends.sql import literals
from tallystick.frontends.sql.arguments import argument
from tallystick.frontends.sql.arithmetic import as_datetime, computed, moved, negated, remains_date, require_no_text
from tallystick.frontends.sql.coercion import TIMES, convert, type_error
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.folding import folded
from tallystick.frontends.sql.formats import WITHIN_DAYS
from tallystick.frontends.sql.nulls import UntypedNull
from tallystick.frontends.sql.parts import Parts

PARTS_OF_DATES: Final = frozenset(
    {"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DAYOFWEEK", "DAYOFYEAR", "HOUR", "MINUTE", "SECOND"}
)
SPELLINGS: Final = {"DOW": "DAYOFWEEK", "DOY": "DAYOFYEAR"}


NAMED_PARTS: Final = {
    "bigquery": frozenset({"ISOWEEK", "ISOYEAR", "MILLISECOND", "MICROSECOND"}),
    "snowflake": frozenset(
        {
            *("DAYOFWEEKISO", "DAYOFWEEK_ISO", "WEEKISO", "WEEK_ISO", "YEAROFWEEK", "YEAROFWEEKISO"),
            *("EPOCH", "EPOCH_SECOND", "EPOCH_MILLISECOND", "NANOSECOND"),
        }
    ),
}
"""Parts that are known by their names."""
WEEKS_FROM: Final = frozenset({"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"})


def read_extract(expressions: Expressions, node: Parts) -> Expression:
    """EXTRACT(part FROM date)."""
    return part_of(expressions, unit_of(expressions, node.this), node.expression, node)


def part_of(expressions: Expressions, written: str, date: exp.Expr, node: Parts) -> Expression:
    """A part of a date, by the name of the unit; some dialects give the seconds with their fraction."""
    reading = expressions.reading
    part = SPELLINGS.get(written.removesuffix("S"), written.removesuffix("S"))
    of = (argument(expressions, date, "time"),)
    is_constant = not any(isinstance(each, Reference | WithQuery) for each in parts(of[0]))
    if reading.dialect.name == "duckdb" and is_constant and of[0].nullable:
        message = "a part of a constant that may be NULL is a DOUBLE here"
        raise reading.error(node, message, "write CAST(NULL AS INTEGER)")
    if part == "DATE" and reading.dialect.name == "bigquery":
        return day_of(of[0])
    if written in NAMED_PARTS.get(reading.dialect.name, ()) or written.startswith("WEEK from "):
        return Function(f"{written} in {reading.dialect.name}", of, INTEGER, strict=True)
    if part not in PARTS_OF_DATES:
        raise reading.error(node, f"the part {written} of a date is not understood")
    if part == "SECOND" and reading.dialect.name in ("postgres", "spark", "databricks"):
        return Function("SECOND with its fraction", of, DECIMAL, strict=True)
    value = Function(of_week(expressions, part), of, INTEGER, strict=True)
    return Cast(folded(value), DECIMAL) if reading.dialect.numeric_parts else value


def unit_of(expressions: Expressions, node: exp.Expr) -> str:
    """A unit as it is written, in capitals; a week that begins on another day is `WEEK from` that day."""
    reading = expressions.reading
    if not isinstance(node, exp.WeekStart):
        return reading.word(node).upper()
    with reading.parts(node) as week:
        day = reading.word(week.this).upper()
    if day not in WEEKS_FROM:
        raise reading.error(node, f"weeks do not begin on {day}")
    return f"WEEK from {day}"


def of_week(expressions: Expressions, part: str) -> str:
    """The part of a date; the weeks of MySQL begin on Sundays, but for those of WEEKOFYEAR."""
    return "WEEK from Sunday" if part == "WEEK" and expressions.reading.dialect.name == "mysql" else part


def read_to_date(expressions: Expressions, node: Parts) -> Expression:
    """What dates are made of: a date as it is, a timestamp and a text by CAST; in a zone, by its name."""
    node.unwritten("safe")
    value, zone = argument(expressions, node.this, "time"), node.args.get("zone")
    if zone is not None:
        if not expressions.reading.dialect.by_manual:
            raise expressions.reading.refused(node)
        return Function("day in a zone", (value, argument(expressions, zone, "text")), DATE, strict=False)
    return day_of(value)


def day_of(value: Expression) -> Expression:
    """A date as it is, and a timestamp as its date."""
    if value.type == DATE:
        return value
    return Function("cast timestamp as date", (value,), DATE, strict=True)


def read_to_time(expressions: Expressions, node: Parts) -> Expression:
    """What timestamps are made of: a date or a timestamp as it is, a text by CAST."""
    value = expressions.read(node.this)
    if not isinstance(value, UntypedNull) and value.type in TIMES:
        return value
    return convert(expressions.reading, value, TIMESTAMP, node)


EARLIER: Final = (exp.DateSub, exp.TimestampSub, exp.DatetimeSub)
MOMENTS_LATER: Final = (exp.TimestampAdd, exp.TimestampSub, exp.DatetimeAdd, exp.DatetimeSub)
"""What makes timestamps, of dates, too."""
IN_A_YEAR: Final = {"YEAR": 1, "QUARTER": 4, "MONTH": 12}
UNITS: Final = frozenset(
    {
        *("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND"),
        *("ISOWEEK", "ISOYEAR", "NANOSECOND", *(f"WEEK from {day}" for day in WEEKS_FROM)),
    }
)


def read_days_later(expressions: Expressions, node: Parts) -> Expression:
    """DATE_ADD and DATE_SUB with a number of days, or of another unit; those of Spark make dates."""
    reading = expressions.reading
    node.unwritten("return_type")
    start = argument(expressions, node.this, "time")
    require_no_text(expressions, node.this)
    if isinstance(node.of, exp.TsOrDsAdd):
        start = day_of(start)
    if isinstance(node.of, exp.TimeAdd) and reading.dialect.name != "snowflake":  # there it is DATEADD
        raise reading.refused(node)
    if isinstance(node.of, MOMENTS_LATER):
        if reading.dialect.name != "bigquery":
            raise reading.refused(node)
        start = _of_kind(expressions, start, node)
    by = expressions.typed(node.expression)
    unit = reading.word(node.args["unit"]) if node.args.get("unit") is not None else "DAY"
    if isinstance(by, Literal) and by.type == TEXT:  # INTERVAL 1 DAY is parsed as a text and a unit
        by = convert(reading, by, INTEGER, node)
    remains = by.type == INTEGER and unit.upper() not in WITHIN_DAYS
    if by.type == INTEGER:
        one = literals.interval(1, unit)
        if one is None:
            raise reading.error(node, f"the unit {unit} is not understood")
        by = computed(Arithmetic("*", by, one))
    if isinstance(node.of, EARLIER):
        by = negated(expressions, by, node)
    if by.type not in (SqlType.MONTHS, MICROSECONDS):
        raise type_error(reading, node, "an interval", by)
    return moved(expressions, start, by, node, remains or remains_date(expressions, node.expression))


def read_date_difference(expressions: Expressions, node: Parts) -> Expression:
    """DATEDIFF(later, earlier): in days, the midnights between them where the dialect counts these; in other units, a
    function by its name."""
    reading = expressions.reading
    unit = "DAY" if node.args.get("unit") is None else unit_of(expressions, node.args["unit"])
    dates = [argument(expressions, each, "time") for each in (node.this, node.expression)]
    boundaries = bool(node.args.get("date_part_boundary"))
    if boundaries and reading.dialect.evidence == "duckdb" and unit in IN_A_YEAR:
        return Arithmetic("-", *(_since_year_0(each, unit) for each in dates))
    whole_days = unit == "DAY" or (not reading.dialect.by_manual and unit not in WITHIN_DAYS)
    if boundaries and whole_days:
        dates = [day_of(each) for each in dates]
    if unit == "DAY" and all(each.type == DATE for each in dates):
        return Arithmetic("-", *dates)
    if unit not in UNITS or not boundaries or not (reading.dialect.by_manual or reading.dialect.evidence == "duckdb"):
        raise reading.error(node, "DATEDIFF is understood for days between dates only")
    return Function(f"DATEDIFF {unit} in {reading.dialect.name}", tuple(dates), INTEGER, strict=True)


def _since_year_0(date: Expression, unit: str) -> Expression:
    """How many years, quarters or months have begun since the year 0."""
    years = folded(Function("YEAR", (date,), INTEGER, strict=True))
    if unit == "YEAR":
        return years
    whole = computed(Arithmetic("*", years, literals.integer(IN_A_YEAR[unit])))
    return computed(Arithmetic("+", whole, folded(Function(unit, (date,), INTEGER, strict=True))))


def read_truncated(expressions: Expressions, node: Parts) -> Expression:
    """DATE_TRUNC(unit, date); `formats.py` reads those of Spark."""
    reading = expressions.reading
    unit = unit_of(expressions, node.args["unit"])
    value = argument(expressions, node.this, "time")
    if value.type == DATE and unit in WITHIN_DAYS and reading.dialect.name == "duckdb":
        # DuckDB 2.0.0 returns other rows for comparisons of it with a constant, unless its optimiser is off
        message = "a date that is truncated to less than a day is not understood"
        raise reading.error(node, message, "cast it to TIMESTAMP")
    if value.type == DATE and unit in WITHIN_DAYS:
        truncated: Expression = value
    else:
        truncated = Function(f"DATE_TRUNC {unit}", (value,), value.type, strict=True)
    if isinstance(node.of, exp.DatetimeTrunc):
        return _of_kind(expressions, truncated, node)
    if isinstance(node.of, exp.TimestampTrunc) and not node.args.get("input_type_preserved"):
        return convert(reading, truncated, TIMESTAMP, node)
    return truncated


def _of_kind(expressions: Expressions, value: Expression, node: Parts) -> Expression:
    """A moment for a function of BigQuery: a date is a DATETIME to those that are called so."""
    if value.type == DATE and isinstance(node.of, exp.DatetimeAdd | exp.DatetimeSub | exp.DatetimeTrunc):
        return as_datetime(value)
    return convert(expressions.reading, value, TIMESTAMP, node)


def read_add_months(expressions: Expressions, node: Parts) -> Expression:
    """ADD_MONTHS(date, number)."""
    months = argument(expressions, node.expression, "integer")
    by = computed(Arithmetic("*", months, Literal(1, SqlType.MONTHS)))
    start = argument(expressions, node.this, "time")
    if node.args.get("preserve_end_of_month"):
        return Function("add months, last days to last days", (start, by), start.type, strict=True)
    if expressions.reading.dialect.name in ("spark", "databricks"):
        start = day_of(start)
    return moved(expressions, start, by, node, remains=True)


def read_now(expressions: Expressions, node: Parts) -> Expression:
    """CURRENT_DATE, CURRENT_TIMESTAMP and their like: a constant of the run, and of a zone if one is given."""
    expressions.reading.assumptions.add(Assumption.SAME_MOMENT)
    zone = node.args.get("this") if isinstance(node.of, exp.CurrentDate | exp.CurrentDatetime) else None
    zones = () if zone is None else (argument(expressions, zone, "text"),)
    if isinstance(node.of, exp.CurrentDate):
        return Function("CURRENT_DATE", zones, DATE, strict=True)
    if isinstance(node.of, exp.CurrentDatetime):
        return Function("CURRENT_DATETIME", zones, TIMESTAMP, strict=True)
    name = "SYSDATE" if node.args.get("sysdate") else "CURRENT_TIMESTAMP"
    return Function(name, (), TIMESTAMP, strict=True)


def read_in_zone(expressions: Expressions, node: Parts) -> Expression:
    """`moment AT TIME ZONE zone`, of BigQuery: as the clocks there show it."""
    reading = expressions.reading
    if reading.dialect.name != "bigquery":
        raise reading.refused(node)
    value = convert(reading, argument(expressions, node.this, "time"), TIMESTAMP, node)
    zone = argument(expressions, node.args["zone"], "text")
    return Function("moment in a zone", (value, zone), TIMESTAMP, strict=False)


HANDLERS = {
    exp.Extract: read_extract,
    exp.TsOrDsToDate: read_to_date,
    exp.Date: read_to_date,
    exp.TimeStrToTime: read_to_time,
    exp.TsOrDsAdd: read_days_later,
    exp.DateAdd: read_days_later,
    exp.DateSub: read_days_later,
    exp.TimeAdd: read_days_later,
    exp.DateDiff: read_date_difference,
    exp.DateTrunc: read_truncated,
    exp.TimestampTrunc: read_truncated,
    exp.AddMonths: read_add_months,
    exp.CurrentDate: read_now,
    exp.CurrentTimestamp: read_now,
    exp.CurrentDatetime: read_now,
    exp.AtTimeZone: read_in_zone,
    exp.DatetimeTrunc: read_truncated,
    **dict.fromkeys(MOMENTS_LATER, read_days_later),
}
