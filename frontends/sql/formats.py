"""Functions of dates that sqlglot's parser writes anew, so that what was written is lost: they are kept as written.

    DATE_FORMAT(d, 'y') and DATE_FORMAT(d, 'yyyy') are one tree for sqlglot, and two texts for Spark in the year 999;
    TRUNC(d, 'Q') is TRUNC(d, 'QUARTER') for sqlglot, and NULL for Spark.

A format is a function by its own letters: calls are the same where their formats are the same texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from sqlglot import exp
from tallystick.core.queries.expressions import Arithmetic, Case, Comparison, Expression, Function, Literal
from tallystick.core.queries.types import DATE, TEXT, TIMESTAMP
from tallystick.frontends.sql.coercion import TIMES, convert, type_error
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.nulls import UntypedNull
from tallystick.frontends.sql.parts import Parts

LONGEST_RUNS: Final = {
    **dict.fromkeys("y", 6),
    **dict.fromkeys("GMLEqQ", 4),
    "D": 3,
    **dict.fromkeys("dhHkKms", 2),
    **dict.fromkeys("aF", 1),
    "S": 9,
}
"""How often a letter may stand in a format of Spark 4 (asked, letter by letter); it raises for all others, but for
those of time zones. What stands in quotes or brackets, and a #, is not read."""
NULL_WITHOUT_LETTERS: Final = frozenset({"MySQL", "PostgreSQL"})
"""Those whose functions make NULL of an empty format (asked: MariaDB 10.11, PostgreSQL 15)."""
YEARS: Final = ("YEAR", "YYYY", "YY")
MONTHS: Final = ("MONTH", "MM", "MON")
DATE_UNITS: Final = {
    **dict.fromkeys(YEARS, "YEAR"),
    "QUARTER": "QUARTER",
    **dict.fromkeys(MONTHS, "MONTH"),
    "WEEK": "WEEK",
}
"""The units of Spark's TRUNC, as they may be written; of any other text it makes NULL."""
WITHIN_DAYS: Final = ("HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND")
"""Units that days are made of."""
TIME_UNITS: Final = {**DATE_UNITS, "DAY": "DAY", "DD": "DAY", **{unit: unit for unit in WITHIN_DAYS}}
"""Those of its DATE_TRUNC."""


def read_format(expressions: Expressions, node: Parts) -> Expression:
    """DATE_FORMAT(date, format), TO_CHAR, STRFTIME: a function by the letters of the dialect."""
    reading = expressions.reading
    when, how = node.expressions
    if (
        reading.dialect.evidence == "duckdb" and isinstance(when, exp.Literal) and when.is_string
    ):  # either may come first
        when, how = how, when
    value, form = _time(expressions, when), expressions.read(how)
    if isinstance(form, UntypedNull):
        return form.of(TEXT)
    if form.type != TEXT:
        raise type_error(reading, how, "a format", form)
    if reading.dialect.formats == "java":
        _require_letters(expressions, form, how)
    formatted = Function(f"DATE_FORMAT by letters of {reading.dialect.formats}", (value, form), TEXT, strict=True)
    null = Literal(None, TEXT)
    if reading.dialect.formats not in NULL_WITHOUT_LETTERS or (isinstance(form, Literal) and form.value):
        return formatted
    return null if isinstance(form, Literal) else Case(((Comparison("<>", form, Literal("", TEXT)), formatted),), null)


def _require_letters(expressions: Expressions, form: Expression, node: exp.Expr) -> None:
    """Raises SourceError for a format that Spark raises for, or that hangs on a time zone."""
    if not (isinstance(form, Literal) and isinstance(form.value, str)):
        raise expressions.reading.error(node, "a format that is no constant is not understood")
    if "'" in form.value or any(each in form.value for each in "#[]{}"):
        raise expressions.reading.error(node, "a format with quotes or brackets is not understood")
    for run in re.finditer(r"([A-Za-z])\1*", form.value):
        if len(run[0]) > LONGEST_RUNS.get(run[1], 0):
            hint = "the year is yyyy, the month MM, the day dd"
            raise expressions.reading.error(node, f"{run[0]} in a format is not understood", hint)


def _time(expressions: Expressions, node: exp.Expr) -> Expression:
    """A date or a timestamp; of a text where the dialect casts it to a timestamp."""
    value = expressions.read(node)
    if isinstance(value, UntypedNull):
        return value.of(TIMESTAMP)
    if value.type == TEXT and expressions.reading.dialect.days_before_texts:
        return convert(expressions.reading, value, TIMESTAMP, node)
    if value.type not in TIMES:
        raise type_error(expressions.reading, node, "a date", value)
    return value


def _day_of(value: Expression) -> Expression:
    return value if value.type == DATE else Function("cast timestamp as date", (value,), DATE, strict=True)


def _unit(expressions: Expressions, node: exp.Expr) -> str:
    if not (isinstance(node, exp.Literal) and node.is_string):
        raise expressions.reading.error(node, "the unit is expected as a text")
    return expressions.reading.word(node).upper()


def read_trunc(expressions: Expressions, node: Parts) -> Expression:
    """Spark's TRUNC(date, unit): a date; NULL of a unit that it does not know."""
    when, how = node.expressions
    unit = DATE_UNITS.get(_unit(expressions, how))
    day = _day_of(_time(expressions, when))
    return Literal(None, DATE) if unit is None else Function(f"DATE_TRUNC {unit}", (day,), DATE, strict=True)


def read_date_trunc(expressions: Expressions, node: Parts) -> Expression:
    """Spark's DATE_TRUNC(unit, timestamp): a timestamp; NULL of a unit that it does not know."""
    how, when = node.expressions
    unit, value = TIME_UNITS.get(_unit(expressions, how)), _time(expressions, when)
    if unit is None:
        return Literal(None, TIMESTAMP)
    whole = value.type == DATE and (unit == "DAY" or unit in WITHIN_DAYS)
    truncated = value if whole else Function(f"DATE_TRUNC {unit}", (value,), value.type, strict=True)
    return convert(expressions.reading, truncated, TIMESTAMP, node)


def read_difference(expressions: Expressions, node: Parts) -> Expression:
    """Spark's DATEDIFF(end, start), which counts midnights; with a unit, it counts whole ones."""
    if len(node.expressions) == 2:
        end, start = (_day_of(_time(expressions, each)) for each in node.expressions)
        return Arithmetic("-", end, start)
    unit, *parts = node.expressions
    start, end = (_time(expressions, each) for each in parts)
    if (expressions.reading.bare(unit) or "").upper() != "DAY" or {start.type, end.type} != {DATE}:
        hint = "write DATEDIFF(end, start), which counts midnights"
        raise expressions.reading.error(node, "DATEDIFF with a unit is understood for days between dates only", hint)
    return Arithmetic("-", end, start)


BY_NAME: Final[dict[tuple[str, int], Callable[[Expressions, Parts], Expression]]] = {
    **dict.fromkeys((("DATE_FORMAT", 2), ("TO_CHAR", 2), ("TO_VARCHAR", 2), ("STRFTIME", 2)), read_format),
    ("TRUNC", 2): read_trunc,
    ("DATE_TRUNC", 2): read_date_trunc,
    **dict.fromkeys((("DATEDIFF", 2), ("DATEDIFF", 3), ("DATE_DIFF", 2), ("DATE_DIFF", 3)), read_difference),
}
"""What reads the functions that are kept as written, by their names and numbers of arguments."""
