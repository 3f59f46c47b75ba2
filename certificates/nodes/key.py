"""Key: two rows of a table that agree on a key are equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallystick.certificates.facts import Facts, number
from tallystick.certificates.nodes.tables import row_of_table, same
from tallystick.certificates.trees import RowNode
from tallystick.core.errors import RefutationError
from tallystick.core.terms import Term, conjunction, equal, implies, project

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Refutation


@dataclass(frozen=True, slots=True)
class Key(RowNode):
    """Two rows of a table that agree on key number `key` are equal."""

    first: int
    second: int
    key: int
    rest: Refutation

    def formula(self, facts: Facts) -> Term:
        """
        some column of the key K is NULL in x ∨ x and y differ in one ∨ x ≐ y

        for rows x, y of one table.

        Fails when they are no such rows, or the table has no such key.
        """
        first, table = row_of_table(facts, self.first)
        second, other = row_of_table(facts, self.second)
        if table.source is not other.source:
            raise RefutationError("a key is about two rows of one table")
        columns = table.keys[number(self.key, len(table.keys), "key")]
        agree = conjunction(*(same(project(first, c), project(second, c)) for c in columns))
        return implies(agree, equal(first, second))
