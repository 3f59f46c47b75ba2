"""Names of functions of the user's, as queries and tables have them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from tallystick.frontends.errors import SourceError

PREFIX: Final = "the user's function "
OPAQUE_PREFIX: Final = "the function "
"""What the name of an opaque operator begins with that is a function of all rows."""
ROWS_PREFIX: Final = "rows of the function "


def called(function: str, column: str = "") -> str:
    """What queries call a function, or a column that it makes: quoted, so that no name spells another."""
    return PREFIX + json.dumps([function, column] if column else [function])


def call_named(name: str) -> tuple[str, str] | None:
    """The function and the column, or "", that `called` has written; None for another name."""
    if not name.startswith(PREFIX):
        return None
    function, *column = json.loads(name.removeprefix(PREFIX))
    return function, "".join(column)


def rows_of(function: str) -> str:
    """The name of the table that stands for a function with many rows for each row."""
    return f"{ROWS_PREFIX}{function}"


def stands_for_function(table: str) -> bool:
    """Whether a table stands for a function of the user's: it is no source."""
    return table.startswith(ROWS_PREFIX)


def require_sources(names: Iterable[str], path: str) -> None:
    """Raises SourceError for a source that has the name of a table that stands for a function."""
    for name in filter(stands_for_function, names):
        raise SourceError(f"the source {name} has a name that stands for a function", path)
