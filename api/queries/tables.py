"""Rows as small tables of text, and two of them beside each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from tallystick.core.queries.interpreter.unknown import Unknown
from tallystick.core.queries.types import SqlRow, SqlType, SqlValue
from tallystick.frontends.calendar import day_text, moment_text

Result = tuple[str, Sequence[str], Sequence[SqlType], Sequence[SqlRow]]
"""What a query returns: a title, the names and types of its columns, and its rows."""
WIDEST = 76
"""Characters of a line."""
LARGEST_CELL = 30
"""Characters of a text that a cell shows."""
MOST_ROWS, ROWS_SHOWN = 20, 10
"""The rows of a table that are all shown, and how many of a larger one are."""


def value_shown(value: SqlValue, sql_type: SqlType) -> str:
    """A value as SQL writes it."""
    match value, sql_type:
        case None, _:
            return "NULL"
        case bool(), _:
            return str(value).lower()
        case int(), SqlType.DATE:
            return day_text(value)
        case int(), SqlType.TIMESTAMP:
            return moment_text(value)
        case Fraction(), _:
            return _decimal(value)
        case str(), _:
            shown = repr(value)
            return shown if len(shown) <= LARGEST_CELL else f"{shown[:LARGEST_CELL]}…"
        case _:
            return str(value)


def _decimal(value: Fraction) -> str:
    """A finite decimal fraction as digits, any other as a fraction."""
    digits = next((places for places in range(13) if (value * 10**places).denominator == 1), None)
    if digits is None:
        return str(value)
    if digits == 0:
        return str(value)
    scaled = f"{abs(int(value * 10**digits)):0{digits + 1}d}"
    return f"{'-' * (value < 0)}{scaled[:-digits]}.{scaled[-digits:]}"


def table(title: str, names: Sequence[str], types: Sequence[SqlType], rows: Sequence[SqlRow]) -> list[str]:
    """The lines of a table: its title, the names of its columns, a rule, and the rows.

    A table that would be wider than WIDEST is turned: a line for each column, with its values in the order of the rows.
    Of more than MOST_ROWS rows, the first are shown, and how many there are more.
    """
    if len(rows) > MOST_ROWS:
        more = f"… {len(rows) - ROWS_SHOWN} rows more"
        return [*table(title, names, types, rows[:ROWS_SHOWN]), more]
    cells = [[value_shown(value, each) for value, each in zip(row, types, strict=True)] for row in rows]
    widths = [max([len(name), *(len(line[index]) for line in cells)]) for index, name in enumerate(names)]
    if sum(widths) + 2 * (len(widths) - 1) > WIDEST:
        return [title, *_turned(names, cells)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)) for line in [names, *cells]]
    return [
        title,
        lines[0].rstrip(),
        "  ".join("-" * width for width in widths),
        *(line.rstrip() for line in lines[1:]),
    ]


def result_table(title: str, names: Sequence[str], types: Sequence[SqlType], rows: Sequence[SqlRow]) -> list[str]:
    """The lines of what a query returns; rows that have other columns are shown as they are."""
    if not rows:
        return [title, "no rows"]
    if any(len(row) != len(types) for row in rows):
        return [title, *(f"({', '.join(map(str, row))})" for row in rows)]
    return table(title, names, types, rows)


def returned(left: Result, right: Result) -> list[str]:
    """The lines of what two queries return, beside each other. Of many rows, those of both are only counted."""
    one, others = left[-1], right[-1]
    if max(len(one), len(others)) <= MOST_ROWS or any(_is_unknown(row) for row in (*one, *others)):
        return beside(result_table(*left), result_table(*right))
    shared = Counter(one) & Counter(others)
    one, others = _without(shared, one), _without(shared, others)
    if not shared or not (one or others):
        return beside(result_table(*left), result_table(*right))
    said = [f"both return {shared.total()} rows, and beside these", ""]
    return [*said, *beside(result_table(*left[:-1], one), result_table(*right[:-1], others))]


def _is_unknown(row: SqlRow) -> bool:
    """Whether a row has a value that nothing computes, which is equal to no other."""
    return any(isinstance(value, Unknown) for value in row)


def _without(some: Counter[SqlRow], rows: Sequence[SqlRow]) -> Sequence[SqlRow]:
    """The rows without some of them, which come first."""
    left, kept = some.copy(), []
    for row in rows:
        if left[row] > 0:
            left[row] -= 1
        else:
            kept.append(row)
    return kept


def table_cells(
    names: Sequence[str], types: Sequence[SqlType], rows: Sequence[SqlRow]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The names of columns, and for each row its values as SQL writes them; rows with other columns as they are."""
    cells = (tuple(map(value_shown, row, types)) if len(row) == len(types) else tuple(map(str, row)) for row in rows)
    return tuple(names), tuple(cells)


def as_json(title: str, names: Sequence[str], types: Sequence[SqlType], rows: Sequence[SqlRow]) -> dict[str, Any]:
    """A table as JSON has it (`answers.ROWS`); rows that have other columns are texts."""
    return {
        "name": title,
        "columns": [{"name": name, "type": str(each)} for name, each in zip(names, types, strict=True)],
        "rows": [
            [_in_json(value, each) for value, each in zip(row, types, strict=True)]
            if len(row) == len(types)
            else list(map(str, row))
            for row in rows
        ],
    }


def _in_json(value: SqlValue, sql_type: SqlType) -> bool | int | str | dict[str, str] | None:
    """A value as JSON has it; as SQL writes it, where JSON has no such value; the call that nothing computes."""
    if isinstance(value, Unknown):
        return {"call": str(value)}
    if value is None or isinstance(value, bool | str) or (isinstance(value, int) and sql_type is SqlType.INTEGER):
        return value
    return value_shown(value, sql_type)


def _turned(names: Sequence[str], cells: Sequence[Sequence[str]]) -> list[str]:
    columns = list(zip(names, *cells, strict=True))
    widths = [max(len(column[index]) for column in columns) for index in range(len(cells) + 1)]
    return ["  ".join(text.ljust(width) for text, width in zip(each, widths, strict=True)).rstrip() for each in columns]


def beside(left: Sequence[str], right: Sequence[str], width: int = WIDEST) -> list[str]:
    """Two blocks of lines beside each other if they fit, else one above the other."""
    column = max(len(line) for line in left)
    if column + 4 + max(len(line) for line in right) > width:
        return [*left, "", *right]
    return [f"{a:{column}}    {b}".rstrip() for a, b in zip_longest(left, right, fillvalue="")]
