"""Rows of the table that are made: each operator, function, cast, date part and clause on values of each kind.

`python -m conformance.families` asks all engines, and writes `table/made-NAME.txt`: the rows that the reader reads in
some dialect, for the dialects whose engine or reader takes them. Exceptions that are there stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

Made = Iterator[tuple[str, str]]
"""Constructs with texts, as they stand in a row."""

KINDS: Final = {
    "integer": "a",
    "decimal": "m",
    "text": "s",
    "date": "d",
    "timestamp": "ts",
    "boolean": "p",
    "null": "NULL",
}
"""A column of each kind."""
CONSTANTS: Final = {
    "integer": "2",
    "decimal": "1.5",
    "text": "'2'",
    "date": "DATE '2000-02-29'",
    "timestamp": "TIMESTAMP '2000-02-29 12:30:00'",
    "boolean": "TRUE",
    "interval": "INTERVAL '1' DAY",
}
"""A constant of each kind."""
OPERANDS: Final = {**KINDS, **{f"{kind} constant": text for kind, text in CONSTANTS.items()}}


def words(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split())
