"""Rows in an order: which comes before which, which tie, and at what place a row is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tallystick.core.queries.calls import OrderKey
from tallystick.decision.queries.counterexamples.symbolic.cells import (
    SymbolicValue,
    Truth,
    both,
    compared,
    conj,
    counted,
    disj,
    neg,
    same,
    same_rows,
)


@dataclass(frozen=True)
class Ordered:
    """Some rows in an order, each there or not; ties come in the order of their numbers.

    Attributes:
        present: whether a row is there.
        keys: its order keys.
        rows: its columns.
        together: whether two rows are in one partition, by their numbers; the same for both orders.
    """

    order: tuple[OrderKey, ...]
    present: Sequence[Truth]
    keys: Sequence[tuple[SymbolicValue, ...]]
    rows: Sequence[tuple[SymbolicValue, ...]]
    together: Sequence[Sequence[Truth]] | None = None

    def partners(self, row: int) -> list[tuple[int, Truth]]:
        """The rows in the partition of a row, itself too, and whether they are there."""
        numbers = range(len(self.present))
        if self.together is None:
            return [(other, self.present[other]) for other in numbers]
        return [(other, both(self.present[other], self.together[row][other])) for other in numbers]

    def before(self, row: int, other: int) -> Truth:
        """Whether a row comes before another by the order."""
        result: Truth = False
        for key, left, right in reversed(list(zip(self.order, self.keys[row], self.keys[other], strict=True))):
            result = disj((_before(key, left, right), both(same(left, right), result)))
        return result

    def ties(self, row: int, other: int) -> Truth:
        """Whether two rows tie."""
        return same_rows(self.keys[row], self.keys[other])

    def place(self, row: int) -> Any:
        """How many rows come before a row, ties by their numbers."""
        return counted(
            both(there, self.before(other, row) if other > row else neg(self.before(row, other)))
            for other, there in self.partners(row)
            if other != row
        )

    def places(self) -> list[Any]:
        """The places of all rows."""
        return [self.place(row) for row in range(len(self.present))]

    def ties_are_same(self) -> Truth:
        """Whether rows that tie are the same, so that it does not matter which comes first."""
        return conj(
            disj((neg(self.present[row]), neg(there), neg(self.ties(row, other)), self.are_same(row, other)))
            for row in range(len(self.present))
            for other, there in self.partners(row)
            if other < row
        )

    def are_same(self, row: int, other: int) -> Truth:
        """Whether two rows have the same columns."""
        return same_rows(self.rows[row], self.rows[other])


def _before(key: OrderKey, left: SymbolicValue, right: SymbolicValue) -> Truth:
    values = compared(">" if key.descending else "<", left, right)
    first, second = left.null, right.null
    if key.nulls_first:
        return both(neg(second), disj((first, values)))
    return both(neg(first), disj((second, values)))
