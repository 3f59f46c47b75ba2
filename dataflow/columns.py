"""Which columns of two wires correspond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tallystick.core.queries.types import SqlType


@dataclass(frozen=True)
class Named:
    """A column of a wire.

    Attributes:
        digits: behind the point, where its values are numbers of units, which no others are compared with.
    """

    name: str
    type: SqlType
    digits: int = 0

    @property
    def kind(self) -> tuple[SqlType, int]:
        """What its values are."""
        return self.type, self.digits

    def __str__(self) -> str:
        return f"a number of {self.digits} digits behind the point" if self.digits else str(self.type)


def by_name(old: Sequence[Named], new: Sequence[Named]) -> tuple[int, ...] | None:
    """For each column of the old wire, the one of its name and type in the new one; None if the columns differ."""
    names = [column.name for column in new]
    if sorted(names) != sorted(column.name for column in old):
        return None
    columns = tuple(names.index(column.name) for column in old)
    return columns if all(new[i].kind == old[k].kind for k, i in enumerate(columns)) else None


def corresponding(old: Sequence[Named], new: Sequence[Named]) -> tuple[int, ...] | None:
    """Columns by name, else by position; None if their types differ."""
    columns = by_name(old, new)
    if columns is not None:
        return columns
    same = [column.kind for column in old] == [column.kind for column in new]
    return tuple(range(len(old))) if same else None


def shared(old: Sequence[Named], new: Sequence[Named]) -> list[str]:
    """The columns that two wires have in common, by name and type."""
    kinds = {column.name: column.kind for column in old}
    return [column.name for column in new if kinds.get(column.name) == column.kind]


def told_apart(old: Sequence[Named], new: Sequence[Named]) -> str:
    """What is different about the columns of two wires."""
    before, after = ({column.name: column for column in wire} for wire in (old, new))
    parts = []
    if added := [name for name in after if name not in before]:
        parts.append(f"has the new columns {', '.join(added)}" if len(added) > 1 else f"has the new column {added[0]}")
    if gone := [name for name in before if name not in after]:
        parts.append(f"lacks {', '.join(gone)}")
    both = [name for name in before if name in after and before[name].kind != after[name].kind]
    parts += [f"has {name} as {after[name]}, which was {before[name]}" for name in both]
    return f"it {' and '.join(parts)}"
