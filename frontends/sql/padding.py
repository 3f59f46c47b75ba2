"""CHAR(n): texts are read without the blanks that pad them; what sees these, or may, is refused.

Sources: PostgreSQL 15, "Character Types"; Spark 4, "Data Types"; MySQL 8, "The CHAR and VARCHAR Types", which takes the
blanks away before a query sees them.
"""

from __future__ import annotations

from sqlglot import exp
from tallystick.core.queries.expressions import Expression, Literal, Reference
from tallystick.core.queries.traversal import parts
from tallystick.core.queries.types import TEXT
from tallystick.frontends.sql.casts import origin
from tallystick.frontends.sql.declared import Declared, declared_type
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.parts import Place
from tallystick.frontends.sql.scopes import QueryReading

HINT = "declare the column VARCHAR, or cast it to VARCHAR in the statement that makes the table"


def require_no_padding(expressions: Expressions, left: Expression, right: Expression, node: Place) -> None:
    """Raises SourceError where a text that is padded with blanks meets one that may end with blanks, or has none.

    In PostgreSQL 'x' is equal to it then, in Spark it is if it is a literal, in a comparison with a VARCHAR it is not.
    """
    padded = expressions.reading.schema.padded
    if not padded or not isinstance(left, Reference) or origin(expressions, left, copied=True) not in padded:
        return
    place = origin(expressions, right, copied=True) if isinstance(right, Reference) else None
    if (place is not None and place not in padded) or (
        isinstance(right, Literal) and isinstance(right.value, str) and right.value.endswith(" ")
    ):
        message = "a CHAR is padded with blanks: whether it is equal to another text hangs on the dialect"
        raise expressions.reading.error(node, message, "leave out blanks at the end, or declare the same type")


def require_no_padded_match(expressions: Expressions, text: Expression, pattern: Expression, node: exp.Expr) -> None:
    """Raises SourceError where a text that is matched may be padded, unless the pattern matches it with blanks, too: it
    ends with `%`, and has neither a blank nor `_`."""
    if not _sees_padding(expressions.reading):
        return
    declared = declared_type(expressions, node)
    if declared is not None and declared.type == TEXT and not declared.padded:
        return
    known = declared is not None and declared.padded
    columns = [each for each in parts(text) if isinstance(each, Reference) and each.type == TEXT]
    if not known and all(_has_no_padding(expressions, each) for each in columns):
        return
    written = pattern.value if isinstance(pattern, Literal) and isinstance(pattern.value, str) else ""
    if written.endswith("%") and not any(each in written for each in " _\\"):
        return
    raise expressions.reading.error(node, "a CHAR is padded with blanks, which a pattern sees", HINT)


def _sees_padding(reading: QueryReading) -> bool:
    """Whether there are columns whose texts have blanks at their end; casts to CHAR(n) add none, or are refused."""
    dialect = reading.dialect
    padded = any(each.padded for each in reading.schema.types.values())
    return padded and dialect.pads_texts and not dialect.strips_padding


def _has_no_padding(expressions: Expressions, column: Reference) -> bool:
    """Whether the texts of a column are surely not padded: it is of a table, or declared, and not CHAR."""
    relation = next((each for level, each in expressions.scope.levels() if level == column.level), None)
    declared = None if relation is None else relation.names[column.index].declared
    return declared is not None and not declared.padded


def require_one_padding(reading: QueryReading, sides: tuple[Declared, Declared], of: str, node: Place) -> None:
    """Raises SourceError where a column of a set operation is of texts that are padded, and of others."""
    padded = any(each is not None and each.padded for each in sides)
    types = {"" if each is None else each.exact for each in sides}
    if padded and _sees_padding(reading) and ("" in types or len(types) > 1):
        message = f"the column {of} has texts of a CHAR, which is padded with blanks, and others"
        raise reading.error(node, message, "declare the same type for both")
