"""UUIDs, which are texts to the core, as engines show them: in small letters, with hyphens.

An engine takes other spellings for the same UUID, as in `u = 'A0EEBC99-…'`. Constants in these are refused, and of
texts that are computed it is assumed that there are none.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from sqlglot import exp
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.syntax import Query, Scan
from tallystick.core.queries.traversal import nodes
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.scopes import QueryReading

NAME: Final = "UUID"
"""The type, by the name that all engines give it."""
_DIGITS: Final = re.compile(r"\{?(?:[0-9a-f]-?){32}\}?", re.IGNORECASE)


def require_shown(reading: QueryReading, query: Query, tree: exp.Expr) -> None:
    """Notes that a query is about UUIDs; raises SourceError where its text has constants in other spellings."""
    tables = {node.table for node in nodes(query) if isinstance(node, Scan)}
    types = (each.this for each in tree.find_all(exp.DataType))
    if tables.isdisjoint(table for table, _ in uuid_columns(reading.schema)) and exp.DType.UUID not in types:
        return
    reading.assumptions.add(Assumption.SHOWN_UUIDS)
    for literal in tree.find_all(exp.Literal):
        text = literal.name
        if literal.is_string and _DIGITS.fullmatch(text.strip()) and text != (own := _shown(text)):
            raise reading.error(
                literal, "this UUID is written otherwise than engines show it", f"write {own!r} if it is one"
            )


def uuid_columns(schema: Schema) -> frozenset[tuple[str, int]]:
    """The columns of UUIDs, by their tables and places."""
    return frozenset(place for place, of in schema.types.items() if of.exact == NAME)


def is_shown(text: str) -> bool:
    """Whether a text is a UUID as engines show it."""
    return _DIGITS.fullmatch(text) is not None and text == _shown(text)


def _shown(text: str) -> str:
    digits = re.sub(r"[^0-9a-f]", "", text.lower())
    return "-".join(digits[start:end] for start, end in pairwise((0, 8, 12, 16, 20, 32)))
