"""Which functions are the same in all dialects, and names of their own for all others.

A function that a query knows by its name alone is that of its dialect: `DAYOFWEEK` counts from Sunday or from Monday,
`UPPER` knows more or fewer letters. So where two texts are read in two dialects, a function has the dialect in its
name, unless the table SHARED says that dialects have the same one. The table is asked of the engines on hard values
(`tests/conformance/test_shared_functions.py`); the manuals of the others say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from tallystick.core.dataflows.substitution import Substitution
from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.expressions import CHOICE, OWN, Expression, Function, Literal
from tallystick.core.queries.syntax import Statement
from tallystick.core.queries.types import DECIMAL, DOUBLE, INTEGER, REAL
from tallystick.frontends.sql.dialects import Dialect

Same = Callable[[tuple[Expression, ...]], bool]
"""Whether dialects have the same function of such arguments."""


def _always(arguments: tuple[Expression, ...]) -> bool:
    return True


def _constant(argument: Expression) -> Any:
    return argument.value if isinstance(argument, Literal) else None


def _plain_pattern(arguments: tuple[Expression, ...]) -> bool:
    """A backslash is an escape in some dialects."""
    pattern = _constant(arguments[1])
    return isinstance(pattern, str) and "\\" not in pattern


def _from_within(arguments: tuple[Expression, ...]) -> bool:
    """Places before the first character are counted from the end, or from there."""
    start, *length = map(_constant, arguments[1:])
    return isinstance(start, int) and start >= 1 and all(isinstance(each, int) and each >= 0 for each in length)


def _not_negative(arguments: tuple[Expression, ...]) -> bool:
    length = _constant(arguments[1])
    return isinstance(length, int) and length >= 0


def _some_text(place: int) -> Same:
    return lambda arguments: bool(_constant(arguments[place]))


def _digits(arguments: tuple[Expression, ...]) -> bool:
    return arguments[0].type in (INTEGER, DECIMAL) and all(_constant(each) in range(10) for each in arguments[1:])


def _short_decimals(arguments: tuple[Expression, ...]) -> bool:
    """Constants whose nearest floating-point number any division finds; that of other decimals is no engine's duty."""
    decimals = (_constant(each) for each in arguments if each.type == DECIMAL)
    return all(isinstance(each, Fraction) and len(str(each * 10**6)) <= MOST_DIGITS for each in decimals)


MOST_DIGITS: Final = 15
"""Digits that a floating-point number of 64 bits has room for."""


def _of_floats(*operators: str) -> Iterator[str]:
    """The names of operations of which a side is a floating-point number."""
    for kind in (DOUBLE, INTEGER, DECIMAL):
        for operator in operators:
            yield from dict.fromkeys((f"{DOUBLE} {operator} {kind}", f"{kind} {operator} {DOUBLE}"))


COMPARISONS: Final = frozenset(_of_floats("=", "<", "<=", ">", ">="))
"""Comparisons of floating-point numbers. NaN is the greatest, and equal to itself, but in dialects of NAN_IS_NONE."""
NAN_IS_NONE: Final = frozenset({"bigquery", "calcite"})
"""Dialects in which NaN is neither equal to nor less nor greater than any number, itself included (IEEE 754).

BigQuery: "Data types", floating-point semantics; Calcite compares as Java does.
"""
SHARED: Final[dict[str, Same]] = {
    CHOICE: _always,
    **dict.fromkeys(("||", "LENGTH", "MD5"), _always),
    "LIKE": _plain_pattern,
    "SUBSTRING": _from_within,
    "RIGHT": _not_negative,
    "REPLACE": _some_text(1),
    "POSITION": _some_text(0),
    **dict.fromkeys(("STARTSWITH", "CONTAINS"), _some_text(1)),
    **dict.fromkeys(("CEIL", "FLOOR", "ROUND", "nearest integer", "cast decimal as integer"), _digits),
    **dict.fromkeys((f"round to scale {digits}" for digits in range(10)), _digits),
    "cast integer as text": _always,
    **dict.fromkeys(("&", "|", "^"), _always),
    **dict.fromkeys(("YEAR", "QUARTER", "MONTH", "DAY", "DAYOFYEAR", "HOUR", "MINUTE"), _always),
    **dict.fromkeys((f"DATE_TRUNC {unit}" for unit in ("YEAR", "QUARTER", "MONTH", "DAY", "HOUR", "MINUTE")), _always),
    **dict.fromkeys(("add months", "LAST_DAY", "cast timestamp as date"), _always),
    **dict.fromkeys((f"{sign}{kind}" for sign in ("- ", "ABS of ") for kind in (REAL, DOUBLE)), _always),
    **dict.fromkeys((*_of_floats("+", "-", "*"), *COMPARISONS), _short_decimals),
}
"""Functions by their names in the core, and for which arguments all dialects have the same. `LIKE` and the like compare
characters: dialects with another equality of texts call theirs otherwise."""
OF_ROWS: Final = frozenset({"first_in_order", "last_in_order", "BIT_AND", "BIT_OR", "BIT_XOR"})
"""Aggregates that are the same in all dialects."""
OF_CHARACTERS: Final = frozenset({"REPLACE", "POSITION", "STARTSWITH", "CONTAINS"})
"""Functions that compare texts: those of a dialect with another equality of texts are its own."""


def in_own_names(statement: Statement, dialect: Dialect) -> Statement:
    """A statement in which functions that dialects have differently have the dialect in their names."""
    own = _OwnNames(dialect)
    return replace(statement, query=own(statement.query), order=own(statement.order))


def with_own_checks(catalogue: Catalogue, dialect: Dialect) -> Catalogue:
    """A catalogue whose checks are in the words of a dialect."""
    own = _OwnNames(dialect)
    return Catalogue(tuple(replace(table, checks=own(table.checks)) for table in catalogue.tables))


def with_tables(statement: Statement, tables: Mapping[str, str]) -> Statement:
    """A statement with other names of the tables that it reads."""
    renamed = Substitution(lambda scan: replace(scan, table=tables.get(scan.table, scan.table)))
    return replace(statement, query=renamed(statement.query), order=renamed(statement.order))


def own_name(dialect: Dialect, name: str) -> str:
    """The name of a function of one dialect alone."""
    return f"{dialect.name}{OWN}{name}"


class _OwnNames(Substitution):
    def __init__(self, dialect: Dialect) -> None:
        super().__init__(lambda scan: scan)
        self.dialect = dialect

    def replaced(self, node: Any) -> Any:
        """The node with its parts replaced, and with a name of its own."""
        node = super().replaced(node)
        match node:
            case Function() if not self.is_shared(node):
                return replace(node, name=own_name(self.dialect, node.name))
            case AggregateCall() if node.opaque and node.function not in OF_ROWS and not self.is_own(node.function):
                return replace(node, function=own_name(self.dialect, node.function))
            case _:
                return node

    def is_shared(self, function: Function) -> bool:
        """Whether a function needs no other name."""
        same = SHARED.get(function.name)
        characters = function.name in OF_CHARACTERS and self.dialect.collation != "binary"
        numbers = function.name in COMPARISONS and self.dialect.name in NAN_IS_NONE
        if same is None or characters or numbers:
            return self.is_own(function.name)
        return same(function.arguments)

    def is_own(self, name: str) -> bool:
        """Whether a name has its dialect already: a check of a schema that was moved before."""
        return name.startswith(own_name(self.dialect, ""))
