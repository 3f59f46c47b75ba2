"""Values to fill databases with: the constants of two queries, their neighbours, and a few others.

A column gets the constants that it, or what is computed from it, is compared with. An origin of a column of a query is
a column of a table that its values come from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction
from math import floor
from typing import Any

from tallystick.core.queries.calls import AggregateCall, GroupingCall, WindowCall
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.expressions import (
    Comparison,
    Expression,
    Function,
    Literal,
    Reference,
    WithQuery,
    plain_name,
)
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    Scan,
    SetOperation,
    Values,
    Window,
)
from tallystick.core.queries.traversal import expressions_of, inputs, parts
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    DOUBLE,
    INTEGER,
    MICROSECONDS,
    MICROSECONDS_A_DAY,
    MONTHS,
    OPAQUE,
    REAL,
    TEXT,
    TIMESTAMP,
    SqlType,
    SqlValue,
)

Place = tuple[str, int]
"""A column of a table."""
Origins = tuple[frozenset[Place], ...]

EPOCH = date(1970, 1, 1)
FIRST_DAY, LAST_DAY = -719_162, 2_932_896
"""Of the years 1 to 9999, which every engine has."""
LONGEST = 100
"""Characters of texts that are made because a number meets a text's column."""
COUNTED: Place = ("", 0)
"""Where counts and ranks of rows come from: the constants that they are compared with say how many rows matter."""
COUNTS = frozenset({"count", "row_number", "rank", "dense_rank", "ntile"})
COMMON: dict[SqlType, tuple[SqlValue, ...]] = {
    BOOLEAN: (False, True),
    INTEGER: (0, 1, 2, -1, 3, 4, 5, 6, 7, 8),
    DECIMAL: (Fraction(0), Fraction(1), Fraction(2), Fraction(-1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)),
    TEXT: ("a", "b", "", "A"),
    DATE: (0, 1, 31, 10_000, -354_286),  # the last one in the year 999
    # the next day and moment, and another hour, month and year
    TIMESTAMP: (0, MICROSECONDS_A_DAY, 1, MICROSECONDS_A_DAY // 24, 31 * MICROSECONDS_A_DAY, 400 * MICROSECONDS_A_DAY),
    MONTHS: (0, 1),
    MICROSECONDS: (0, MICROSECONDS_A_DAY),
    **dict.fromkeys((REAL, DOUBLE, OPAQUE), (0, 1, 2)),
}
"""Values that every pool has."""


class Constants:
    """The constants of queries: by type, and by the columns of tables that they meet."""

    def __init__(self, queries: Iterable[Query], catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.of_type: dict[SqlType, dict[SqlValue, None]] = {type_: {} for type_ in SqlType}
        self.of_column: dict[Place, dict[tuple[SqlType, SqlValue], None]] = {}
        self.tables: dict[str, None] = {}
        self.by_case = False
        # Queries are kept beside their origins, so that their identities are not used again.
        self.seen: dict[tuple[int, tuple[Origins, ...]], tuple[Query, Origins]] = {}
        for query in queries:
            self.visit(query, ())

    def visit(self, query: Query, outer: tuple[Origins, ...]) -> Origins:
        """Collects the constants of a query under the rows around it; returns the origins of its columns."""
        key = id(query), outer
        if key not in self.seen:
            self.seen[key] = query, self.origins(query, outer)
        return self.seen[key][1]

    def origins(self, query: Query, outer: tuple[Origins, ...]) -> Origins:
        scopes = (self.input_row(query, outer), *outer)
        for expression in expressions_of(query):
            self.collect(expression, scopes)
        match query:
            case Scan(table, columns):
                self.tables[table] = None
                return tuple(frozenset({(table, index)}) for index in range(len(columns)))
            case Values(rows, columns):
                for row in rows:
                    for value, column in zip(row, columns, strict=True):
                        self.add(value, column.type, ())
                return (frozenset(),) * len(columns)
            case Limit(_, _, count, offset):
                self.add((count or 0) + offset, INTEGER, (COUNTED,))
                return scopes[0]
            case Filter() | Distinct():
                return scopes[0]
            case Project(_, expressions):
                return tuple(_origin(expression, scopes) for expression in expressions)
            case Join(kind):
                return scopes[0][: len(query.columns)] if kind in ("semi", "anti") else scopes[0]
            case SetOperation():
                left, right = (self.visit(side, outer) for side in (query.left, query.right))
                return tuple(first | second for first, second in zip(left, right, strict=True))
            case Aggregate(_, keys, calls):
                return (*(_origin(key, scopes) for key in keys), *(_computed(call, scopes) for call in calls))
            case Window(_, calls):
                return (*scopes[0], *(_computed(call, scopes) for call in calls))

    def input_row(self, query: Query, outer: tuple[Origins, ...]) -> Origins:
        """The origins of the columns of a node's input row."""
        if isinstance(query, Join):
            left = self.visit(query.left, outer)
            return (*left, *self.visit(query.right, (left, *outer) if query.lateral else outer))
        if isinstance(query, SetOperation):
            return ()
        return tuple(origin for each in inputs(query) for origin in self.visit(each, outer))

    def collect(self, expression: Expression, scopes: tuple[Origins, ...]) -> None:
        """Constants that are compared with columns belong to these; all belong to their types."""
        for part in parts(expression):
            if isinstance(part, WithQuery):
                self.visit(part.query, scopes)
            if isinstance(part, Literal):
                self.add(part.value, part.type, ())
            self.by_case = self.by_case or (isinstance(part, Function) and plain_name(part.name) in ("UPPER", "LOWER"))
            if isinstance(part, Comparison | Function):
                met = _origin(part, scopes)
                for inner in parts(part):
                    if isinstance(inner, Literal):
                        self.add(inner.value, inner.type, met)

    def add(self, value: SqlValue, type_: SqlType, met: Iterable[Place]) -> None:
        """A constant and its neighbours; a text may be converted before it meets a number."""
        if isinstance(value, str) and (day := _day_like(value)) is not None:
            self.of_type[DATE][day] = self.of_type[TIMESTAMP][day * MICROSECONDS_A_DAY] = None
        if value is not None:
            for near in neighbours(value, type_):
                self.of_type[type_][near] = None
                for place in met:
                    column = self.of_column.setdefault(place, {})
                    column[type_, near] = None
                    if type_ in (INTEGER, DECIMAL):
                        column |= dict.fromkeys((TEXT, text) for text in _texts_like(near))

    def sizes(self) -> list[int]:
        """How many rows a group or a result has that counts and ranks tell from one with a row less or more."""
        return sorted({size for _, size in self.of_column.get(COUNTED, ()) if isinstance(size, int)})

    def pool(self, type_: SqlType) -> tuple[SqlValue, ...]:
        """All values of a type."""
        return self.there((*self.of_type[type_], *COMMON[type_]), type_)

    def column_pool(self, place: Place, type_: SqlType) -> tuple[SqlValue, ...]:
        """The constants that a column of a type meets."""
        met = (_of_type(value, own, type_) for own, value in self.of_column.get(place, ()))
        return self.fitting(place, self.there((value for value in met if value is not None), type_))

    def there(self, values: Iterable[SqlValue], type_: SqlType) -> tuple[SqlValue, ...]:
        """Different values that there are; texts in both cases, too, where queries change these."""
        found = dict.fromkeys(value for value in values if _is_there(value, type_))
        other = (value.swapcase() for value in found if isinstance(value, str)) if self.by_case else ()
        return (*dict.fromkeys((*found, *other)),)

    def fitting(self, place: Place, values: Iterable[SqlValue]) -> tuple[SqlValue, ...]:
        """The values that a column has room for."""
        table = self.catalogue.by_name.get(place[0])
        room = None if table is None else table.ranges.get(place[1])
        return tuple(values) if room is None else tuple(value for value in values if value in room)

    def any_of(self, place: Place, type_: SqlType) -> tuple[SqlValue, ...]:
        """Some values that a column has room for, be it for NULL alone."""
        return self.fitting(place, COMMON[type_]) or (None,)


def _day_like(text: str) -> int | None:
    """The first day of the year or the month that a text begins with, or the day."""
    found = re.match(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", text, re.ASCII)
    try:
        return None if found is None else (date(*(int(part or 1) for part in found.groups())) - EPOCH).days
    except ValueError:
        return None


def _texts_like(number: SqlValue) -> Iterator[str]:
    """A text that is converted to this number, or to one near it if it has many digits, and one as long as it says."""
    try:
        yield str(number) if isinstance(number, int) else f"{float(number):g}"  # type: ignore[arg-type]
    except OverflowError:  # beyond all floating-point numbers
        yield str(int(number))  # type: ignore[arg-type]
    if isinstance(number, int) and 0 < number <= LONGEST:
        yield "a" * number


def _is_there(value: Any, type_: SqlType) -> bool:
    """Whether a value of a type, if it is a date or a moment, is in the calendar."""
    day = value // MICROSECONDS_A_DAY if type_ == TIMESTAMP else value
    return type_ not in (DATE, TIMESTAMP) or FIRST_DAY <= day <= LAST_DAY


def _of_type(value: Any, own: SqlType, type_: SqlType) -> SqlValue:
    """A constant as a value of a type that it meets, None if it is none: moments meet dates on their days."""
    if own == type_:
        return value
    if {own, type_} == {DATE, TIMESTAMP}:
        return value // MICROSECONDS_A_DAY if type_ == DATE else value * MICROSECONDS_A_DAY
    if {own, type_} == {INTEGER, DECIMAL}:
        return floor(value) if type_ == INTEGER else Fraction(value)
    return value if type(value) is type(COMMON[type_][0]) else None


def neighbours(value: SqlValue, type_: SqlType) -> Iterator[SqlValue]:
    """A constant, and values just beside it; a pattern of LIKE as texts that it matches."""
    yield value
    if isinstance(value, str):
        if "%" in value or "_" in value:
            yield value.replace("%", "").replace("_", "a")
            yield value.replace("%", "b").replace("_", "b")
        if value.isdecimal():
            yield f"0{value}"
        yield from (each for each in (value.upper(), value.lower(), value + "a") if each != value)
    elif not isinstance(value, bool) and value is not None:
        step = MICROSECONDS_A_DAY if type_ in (TIMESTAMP, MICROSECONDS) else 1
        yield value + step
        yield value - step
        if isinstance(value, Fraction):
            yield value + Fraction(1, 2)
            yield value - Fraction(1, 2)


def _origin(expression: Expression, scopes: tuple[Origins, ...]) -> frozenset[Place]:
    return _union(
        scopes[part.level][part.index]
        for part in parts(expression)
        if isinstance(part, Reference) and part.level < len(scopes)
    )


def _computed(call: AggregateCall | GroupingCall | WindowCall, scopes: tuple[Origins, ...]) -> frozenset[Place]:
    """The origins of what a call computes."""
    called = call.call if isinstance(call, WindowCall) else call
    counts = not isinstance(called, GroupingCall) and called.function in COUNTS
    counted = [frozenset({COUNTED})] if counts else []
    return _union([*counted, *(_origin(part, scopes) for part in call.operands)])


def _union(sets: Iterable[frozenset[Place]]) -> frozenset[Place]:
    return frozenset[Place]().union(*sets)
