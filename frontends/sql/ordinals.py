"""Keys of GROUP BY, ORDER BY and DISTINCT ON that are positions of the SELECT list."""

from __future__ import annotations

from sqlglot import exp
from tallystick.frontends.sql.scopes import QueryReading, unwrapped
from tallystick.frontends.sql.written import SIGNED


def ordinal(reading: QueryReading, node: exp.Expr, width: int) -> int | None:
    """The column that a key is by its position, from 0; None if it is no number. Brackets around it do not matter.

    Raises SourceError if there is no such column, and at a constant that is a position in some engines alone.
    """
    key = node
    signed = False
    while isinstance(key, exp.Paren | exp.Neg):
        signed |= isinstance(key, exp.Neg) or SIGNED in key.meta
        key = key.this
    is_number = isinstance(key, exp.Literal) and not key.is_string
    if isinstance(key, exp.Boolean) or (is_number and (signed or SIGNED in key.meta)):
        message = "engines do not agree whether this constant is a position of the SELECT list"
        raise reading.error(node, message, "write the position without a sign, or leave the key out")
    if not is_number:
        return None
    number = reading.word(unwrapped(reading, node))
    found = int(number) if number.isdecimal() else 0
    if not 1 <= found <= width:
        raise reading.error(node, f"the SELECT list has no position {number}")
    return found - 1
