"""Rows without duplicates, and unions of what has none."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tallystick.core.binders import bind, every, summation
from tallystick.core.queries.compilation.bags import Bags, OpenRows, same_rows
from tallystick.core.queries.compilation.cells import Row, packed_row, row_type, term_type, unpacked
from tallystick.core.queries.types import RowType
from tallystick.core.terms import Term
from tallystick.core.types import BasicType


def distinct(bags: Bags, columns: RowType, where: Callable[[Row], Term]) -> Term:
    """⟨k̄:★ | where k̄ ↦ k̄⟩: each row for which a formula holds, once. There must be finitely many of these."""
    slots = tuple(bags.row(term_type(column)) for column in columns)
    keys = tuple(unpacked(slot) for slot in slots)
    monomial = bind(slots, [every(term_type(column)) for column in columns], where(keys), packed_row(keys, columns))
    return summation([monomial], row_type(columns))


def has(bags: Bags, bag: Term | OpenRows, columns: RowType, keys: Row) -> Term:
    """Ex(B | h ≐ k̄): whether the row is one of the bag."""
    return bags.some(bag, columns, lambda head: same_rows(head, keys))


def without_duplicates(bags: Bags, bag: Term | OpenRows, columns: RowType) -> Term:
    """DISTINCT."""
    return distinct(bags, columns, lambda keys: has(bags, bag, columns, keys))


def union(bags: Iterable[Term], of: BasicType) -> Term:
    """The sum of bags of one type."""
    return summation([monomial for bag in bags for monomial in bag.arguments], of)
