"""Texts of SQLite, where a name in double quotes that nothing has is a text.

SQLite's documentation calls it a misfeature that it keeps: "If a keyword in double quotes is used in a context where it
cannot be resolved to an identifier but where a string literal is allowed, then the token is understood to be a string
literal". Published queries rely on it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

TOKEN: Final = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*\"""")
"""A text, or a name in double quotes."""


def with_texts(query: str, names: Collection[str]) -> str:
    """The query with texts in single quotes for what stands in double quotes and is none of the names.

    Args:
        names: of tables and columns, in lower case; what the query itself names by AS is added.
    """
    known = {*names, *(alias.lower() for alias in re.findall(r"""\bAS\s+"((?:[^"]|"")*)\"""", query, re.IGNORECASE))}

    def read(token: re.Match[str]) -> str:
        quoted = token[0]
        if quoted.startswith("'") or quoted[1:-1].lower() in known:
            return quoted
        text = quoted[1:-1].replace('""', '"').replace("'", "''")
        return f"'{text}'"

    return TOKEN.sub(read, query)
