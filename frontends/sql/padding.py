"""CHAR(n): texts are read without the blanks that pad them; what sees these, or may, is refused.

Sources: PostgreSQL 15, "Character Types"; Spark 4, "Data Types"; MySQL 8, "The CHAR and VARCHAR Types", which takes the
blanks away before a query sees them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlglot import exp
from tallystick.core.queries.expressions import Expression, Literal, Reference, WithQuery
from tallystick.core.queries.traversal import parts
from tallystick.core.queries.types import TEXT
from tallystick.frontends.sql.casts import origin
from tallystick.frontends.sql.declared import Declared, declared_type
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.nulls import UntypedNull, Value
from tallystick.frontends.sql.parts import Place
from tallystick.frontends.sql.scopes import QueryReading, Relation

HINT = "declare the column VARCHAR, or cast it to VARCHAR in the statement that makes the table"

WRITTEN: Final = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.In, exp.Join)
"""Comparisons in which Spark pads a CHAR, or what it is compared with."""


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


def require_written_comparison(expressions: Expressions, left: Expression, right: Expression, node: Place) -> None:
    """Raises SourceError where a text that may be one of a CHAR is compared with one that may end with blanks.

    PostgreSQL compares texts of one CHAR and another without blanks. Spark pads both sides if a comparison, or IN of a
    list, is of a column and another or a constant; in all others, as in BETWEEN and in rows, it compares blanks, too.
    """
    if not _sees_padding(expressions.reading) or all(_surely_unpadded(expressions, each) for each in (left, right)):
        return
    plain = [_is_plain(expressions, each) for each in (left, right)]
    exact = not expressions.reading.dialect.compares_padding and any(
        isinstance(each, Literal) and known for each, known in zip((left, right), plain, strict=True)
    )
    if exact:
        return
    of = node if isinstance(node, exp.Expr) else node.of
    written = isinstance(of, WRITTEN) and not isinstance(of.this, exp.Tuple)
    if not all(plain) or (expressions.reading.dialect.compares_padding and not written):
        raise expressions.reading.error(node, "a CHAR is padded with blanks, which this comparison sees", HINT)


def _is_plain(expressions: Expressions, value: Expression) -> bool:
    """Whether a text is a column of type CHAR, or a constant without blanks at its end."""
    if isinstance(value, Literal):
        return not (isinstance(value.value, str) and value.value.endswith(" "))
    if not isinstance(value, Reference):
        return False
    if expressions.reading.dialect.compares_padding:
        return origin(expressions, value, copied=True) in expressions.reading.schema.padded
    declared = _declared(expressions, value)
    return declared is not None and declared.padded


def _surely_unpadded(expressions: Expressions, value: Expression) -> bool:
    inside = list(parts(value))
    columns = [each for each in inside if isinstance(each, Reference) and each.type == TEXT]
    return not any(isinstance(each, WithQuery) for each in inside) and all(
        _has_no_padding(expressions, each) for each in columns
    )


def require_no_padded_membership(
    expressions: Expressions, values: Sequence[Value], relation: Relation, node: Place
) -> None:
    """Raises SourceError where texts of a CHAR may be looked for, or among those, that a query returns: Spark compares
    them with the blanks, PostgreSQL others as if they were of a CHAR."""
    if not _sees_padding(expressions.reading):
        return
    for value, name in zip(values, relation.names, strict=True):
        if isinstance(value, UntypedNull) or value.type != TEXT:
            continue
        unpadded = name.declared is not None and not name.declared.padded
        padded = name.declared is not None and name.declared.padded
        alike = padded and _is_plain(expressions, value) and not expressions.reading.dialect.compares_padding
        if not alike and not (unpadded and _surely_unpadded(expressions, value)):
            raise expressions.reading.error(node, "a CHAR is padded with blanks, which this comparison sees", HINT)


def require_one_branch_padding(expressions: Expressions, values: Sequence[Value], node: Place) -> None:
    """Raises SourceError where the value of CASE or COALESCE is one of a CHAR, or a text that may end with blanks or be
    without those of a CHAR: PostgreSQL takes it for a CHAR, Spark for a text."""
    if not _sees_padding(expressions.reading):
        return
    texts = [each for each in values if not isinstance(each, UntypedNull) and each.type == TEXT]
    free = [each for each in texts if not isinstance(each, Literal) and not _surely_unpadded(expressions, each)]
    constants = all(isinstance(each, Literal) and _is_plain(expressions, each) for each in texts if each not in free)
    if free and (len(free) < len(texts)) and (expressions.reading.dialect.compares_padding or not constants):
        raise expressions.reading.error(node, "texts of a CHAR, which is padded with blanks, meet others here", HINT)


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
    declared = _declared(expressions, column)
    return declared is not None and not declared.padded


def _declared(expressions: Expressions, column: Reference) -> Declared:
    relation = next((each for level, each in expressions.scope.levels() if level == column.level), None)
    name = None if relation is None or column.index >= len(relation.names) else relation.names[column.index]
    return None if name is None or not name.readable else name.declared  # after GROUP BY: an aggregate, and no column


def require_one_padding(reading: QueryReading, sides: tuple[Declared, Declared], of: str, node: Place) -> None:
    """Raises SourceError where a column of a set operation is of texts that are padded, and of others."""
    padded = any(each is not None and each.padded for each in sides)
    types = {"" if each is None else each.exact for each in sides}
    if padded and _sees_padding(reading) and ("" in types or len(types) > 1):
        message = f"the column {of} has texts of a CHAR, which is padded with blanks, and others"
        raise reading.error(node, message, "declare the same type for both")
