"""Symbolic representations of queries: (COND, COLS, ASSIGN), section 3.2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import z3
from tallystick.core.errors import TallystickError
from tallystick.core.queries.syntax import Aggregate, Join
from tallystick.core.queries.types import ORDERED_ONLY, SqlType


class UnsupportedError(TallystickError, ValueError):
    """A query has what EQUITAS does not support (section 6.4, and whatever its Table 1 does not list)."""


@dataclass(frozen=True)
class Cell:
    """A column of a symbolic tuple: its value, and whether it is NULL."""

    value: Any
    null: Any


Tuple = tuple[Cell, ...]


@dataclass(frozen=True)
class Representation:
    """An arbitrary tuple that a query may return.

    Attributes:
        cond: when it is returned.
        cols: the tuple.
        assign: what relates the symbolic variables of both.
        scans: the names of the symbolic tuples of tables that it is made from.
        simple: whether the query is SELECT-PROJECT-JOIN.
    """

    cond: Any
    cols: Tuple
    assign: Any
    scans: frozenset[str]
    simple: bool = True


@dataclass(frozen=True)
class Independent:
    """An operator whose representation has independent variables (section 4.1).

    Attributes:
        node: an aggregation, or a left or full join.
        inputs: the representations of what it reads.
        variables: the values of aggregates; or for a join, whether the left, and the right, tuple has no match.
        key: of a join: when two tuples match.
        groups, arguments: of an aggregation: the tuple that is grouped by, and that of each call.
    """

    node: Aggregate | Join
    inputs: tuple[Representation, ...]
    variables: tuple[Any, ...]
    key: Any = None
    groups: Tuple = ()
    arguments: tuple[Tuple, ...] = ()


SORTS: Final = {
    SqlType.BOOLEAN: z3.BoolSort,
    SqlType.INTEGER: z3.IntSort,
    SqlType.DATE: z3.IntSort,
    SqlType.TIMESTAMP: z3.IntSort,
    SqlType.MONTHS: z3.IntSort,
    SqlType.MICROSECONDS: z3.IntSort,
    **dict.fromkeys(ORDERED_ONLY, z3.IntSort),
    SqlType.DECIMAL: z3.RealSort,
    SqlType.TEXT: z3.RealSort,
}
"""Texts are reals, in their order: whatever holds of a dense order holds of texts."""


def fresh(name: str, type_: SqlType) -> Cell:
    """A cell of two variables."""
    return Cell(z3.Const(f"{name}.value", SORTS[type_]()), z3.Bool(f"{name}.null"))


def same(one: Cell, other: Cell) -> Any:
    """Both NULL, or equal."""
    return z3.And(one.null == other.null, z3.Or(one.null, one.value == other.value))


def all_same(ones: Tuple, others: Tuple) -> Any:
    """Tuples that are equal cell by cell."""
    return z3.And([same(*pair) for pair in zip(ones, others, strict=True)])
