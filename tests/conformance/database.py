"""The one database of the table: NULLs, duplicates, an empty table, extremes, ends of months, letters beyond ASCII."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

SCHEMA: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "t": (
        ("id", "INT"),
        ("a", "INT"),
        ("b", "INT"),
        ("s", "VARCHAR(10)"),
        ("d", "DATE"),
        ("p", "BOOLEAN"),
        ("m", "DECIMAL(10,2)"),
        ("ts", "TIMESTAMP"),
    ),
    "u": (("a", "INT"), ("c", "INT"), ("s", "VARCHAR(10)")),
    "e": (("a", "INT"), ("z", "INT")),
    "x": (("id", "INT"), ("a", "INT"), ("k", "INT")),
    "y": (("k", "INT"), ("b", "INT"), ("id", "INT")),
    "g": (("n", "BIGINT"), ("i", "INT"), ("w", "SMALLINT")),
}
"""The columns of each table; an engine, or a dialect, may call a type otherwise."""

ROWS: Final[Mapping[str, Sequence[Sequence[Any]]]] = {
    "t": (
        (1, 1, 10, "a", "2000-01-31", True, "1.50", "2000-01-31 23:59:59"),
        (2, 1, None, "Ab", "2000-02-29", False, "-1.50", "1999-12-31 12:30:00.5"),
        (3, 2, -7, None, "1999-12-31", None, "0.05", None),
        (4, None, 3, "", None, True, None, "2001-03-01 00:00:00"),
        (5, None, None, "straße", "2001-02-28", False, "2.50", "2000-02-29 06:00:00"),
        (6, -3, 2, "É😀", "1970-01-01", True, "-2.50", "1969-12-31 23:59:59.999999"),
        (7, 2, -7, "a%_b ", "2000-02-29", True, "0.00", "2000-02-29 00:00:00"),
    ),
    "u": ((1, 100, "a"), (1, 100, "a"), (2, None, "b"), (None, 5, None), (4, 7, "Ab")),
    "e": (),
    "x": ((1, 1, 1), (2, None, 1), (3, 3, None)),
    "y": ((1, 7, 1), (2, 8, 5), (None, 9, 3)),
    "g": (
        (9223372036854775807, 2147483647, 32767),
        (-9223372036854775808, -2147483648, -32768),
        (7, 7, 7),
        (None, None, None),
    ),
}
"""The rows of each table; dates, moments and decimals as texts."""
