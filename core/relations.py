"""What is known of the tables of a database, as the logic sees it: input bags of rows, and constraints on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tallystick.core.terms import Term


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key: each row has a NULL in one of `columns`, or equals a row of `table` in `referenced`."""

    columns: tuple[int, ...]
    table: str
    referenced: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A table.

    Attributes:
        source: its input bag, of tuples; a column that may be NULL is an option.
        keys: two rows that agree on the columns of a key, none of them NULL, are one row.
        references: its foreign keys.
        checks: formulas over ROW 0 that are true of each row: its checks, and that numbers are in their ranges.
    """

    source: Term
    keys: tuple[tuple[int, ...], ...] = ()
    references: tuple[Reference, ...] = ()
    checks: tuple[Term, ...] = ()


Relations = Mapping[str, Relation]
"""The tables by their names; a table of another name is a bag of which nothing is known."""
