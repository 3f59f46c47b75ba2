"""Literals of plans: numbers, quoted texts, dates as Java prints them, and search arguments."""

from __future__ import annotations

import re
from typing import Final

from tallystick.core.queries.expressions import And, Comparison, Expression, Literal, Or
from tallystick.core.queries.types import DATE, DECIMAL, TEXT, TIMESTAMP, SqlType
from tallystick.frontends.sql import literals
from tallystick.frontends.sql.literals import truth
from tallystick.frontends.sql.qed.values import PlanReading, carried_type, named, opaque_literal, plain_type

LARGEST_EXACT: Final = 2**53
"""Larger integers passed through floating-point numbers when the plan was written."""

_QUOTED = re.compile(r"(?:_[\w-]+)?'(.*)'", re.DOTALL)
_CALENDAR = re.compile(r"java\.util\.GregorianCalendar\[time=(-?\d+),")
_RANGE = re.compile(r"([\[(])([^.\[\]()]*)\.\.([^.\[\]()]*)([\])])")


def read_literal(plan: PlanReading, text: str, type_name: str) -> Expression:
    """A constant of a plan; raises SourceError where it is not understood."""
    if text == "NULL":
        return Literal(None, carried_type(type_name))
    if text == "AND":
        return truth(True)
    if text == "OR":
        return truth(False)
    sql_type = plain_type(type_name)
    if sql_type is None:
        return opaque_literal(type_name, text)
    literal = _plain(text, sql_type)
    if literal is None and sql_type in (DATE, TIMESTAMP) and _QUOTED.fullmatch(text):
        return named(f"{type_name} literal", (Literal(text, TEXT),), sql_type)  # a time zone, or 'today'
    if literal is None:
        raise plan.error(f"the constant {text[:60]} of type {type_name} is not understood")
    return literal


def _plain(text: str, sql_type: SqlType) -> Literal | None:
    quoted = _QUOTED.fullmatch(text)
    match sql_type:
        case SqlType.BOOLEAN:
            return truth(text.lower() == "true") if text.lower() in ("true", "false") else None
        case SqlType.INTEGER:
            exact = re.fullmatch(r"-?\d+", text) and abs(int(text)) <= LARGEST_EXACT
            return literals.integer(int(text)) if exact else None
        case SqlType.DECIMAL:
            number = literals.number(text)
            return None if number is None else literals.converted(number, DECIMAL)
        case SqlType.TEXT:
            return Literal(quoted[1], TEXT) if quoted else None
        case SqlType.DATE | SqlType.TIMESTAMP:
            return _time(text if quoted is None else quoted[1], sql_type)
        case _:
            return None


def _time(text: str, sql_type: SqlType) -> Literal | None:
    calendar = _CALENDAR.match(text)
    if calendar is None:
        return literals.day(text) if sql_type == DATE else literals.moment(text)
    microseconds = int(calendar[1]) * 1000
    day = literals.MICROSECONDS_OF["day"]
    if sql_type == TIMESTAMP:
        return Literal(microseconds, TIMESTAMP)
    return Literal(microseconds // day, DATE) if microseconds % day == 0 else None


def read_search(plan: PlanReading, value: Expression, text: str) -> Expression:
    """Calcite's SEARCH(value, Sarg[…]): the value is one of some points, or in one of some ranges."""
    body = re.fullmatch(r"Sarg\[(.*)\]", text)
    if body is None or ";" in text:
        raise plan.error(f"the search argument {text[:60]} is not understood")
    alternatives: list[Expression] = []
    rest = _RANGE.sub("", body[1])
    for opening, low, high, closing in _RANGE.findall(body[1]):
        lower = Comparison(">=" if opening == "[" else ">", value, _bound(plan, low, value.type)) if low else None
        upper = Comparison("<=" if closing == "]" else "<", value, _bound(plan, high, value.type)) if high else None
        alternatives.append(And(tuple(each for each in (lower, upper) if each is not None)))
    points = [each.strip() for each in rest.split(",") if each.strip()]
    alternatives += [Comparison("=", value, _bound(plan, each, value.type)) for each in points]
    return Or(tuple(alternatives))


def _bound(plan: PlanReading, text: str, sql_type: SqlType) -> Literal:
    stripped = re.sub(r":\w+(\(\d+\))?$", "", text.strip())
    literal = _plain(stripped, sql_type)
    if literal is None:
        raise plan.error(f"the bound {text[:60]} of a search argument is not understood")
    return literal
