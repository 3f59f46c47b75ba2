"""Names of functions of the user's, as queries and tables have them."""

from __future__ import annotations

from typing import Final

PREFIX: Final = "the user's function "
OPAQUE_PREFIX: Final = "the function "
"""What the name of an opaque operator begins with that is a function of all rows."""
ROWS_PREFIX: Final = "rows of the function "


def called(function: str, column: str = "") -> str:
    """What queries call a function, or a column that it makes."""
    return f"{PREFIX}{function}" + (f": {column}" if column else "")


def rows_of(function: str) -> str:
    """The name of the table that stands for a function with many rows for each row."""
    return f"{ROWS_PREFIX}{function}"


def stands_for_function(table: str) -> bool:
    """Whether a table stands for a function of the user's: it is no source."""
    return table.startswith(ROWS_PREFIX)
