"""What a statement returns: a bag of rows, or a list up to ties; and when two results surely differ."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from tallystick.core.queries.types import SqlRow


class AnyValue:
    """Some value that is not known: see `unknown.py`, which rows need only where they have functions."""


@dataclass(frozen=True)
class Outcome:
    """The rows of a statement. The groups follow each other in the order; the rows of one group come in any order.

    Without ORDER BY all rows are one group. There are no empty groups.
    """

    groups: tuple[tuple[SqlRow, ...], ...]

    @property
    def rows(self) -> tuple[SqlRow, ...]:
        """All rows, the groups one after the other."""
        return tuple(row for group in self.groups for row in group)

    @cached_property
    def unknown(self) -> frozenset[int]:
        """The columns with an Unknown value."""
        return frozenset(place for row in self.rows for place, each in enumerate(row) if isinstance(each, AnyValue))

    def is_list(self, rows: list[SqlRow]) -> bool:
        """Whether the statement may return the rows in this order."""
        return self.may_equal(Outcome(tuple((row,) for row in rows)))

    def may_equal(self, other: Outcome) -> bool:
        """Whether some list of rows is a result of both; if not, the statements surely differ.

        Columns with an Unknown value on either side are left out: a list that is a result of both is one without them.
        The ends of the groups of both cut a common list into segments. The group that ends with a segment determines
        its rows: what earlier segments left of it. They must be among what is left of the other group.
        """
        if len(self.rows) != len(other.rows):
            return False
        unknown = self.unknown | other.unknown
        waiting = [[Counter(_without(unknown, group)) for group in outcome.groups] for outcome in (self, other)]
        left, right = (iter(groups) for groups in waiting)
        a, b = next(left, Counter[SqlRow]()), next(right, Counter[SqlRow]())
        while a or b:
            smaller, larger = (a, b) if a.total() <= b.total() else (b, a)
            if not smaller <= larger:
                return False
            larger.subtract(segment := Counter(smaller))
            smaller.subtract(segment)
            a = +a or next(left, Counter[SqlRow]())
            b = +b or next(right, Counter[SqlRow]())
        return True


def _without(columns: frozenset[int], rows: tuple[SqlRow, ...]) -> list[SqlRow] | tuple[SqlRow, ...]:
    if not columns:
        return rows
    return [tuple(value for place, value in enumerate(row) if place not in columns) for row in rows]
