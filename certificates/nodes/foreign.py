"""Foreign: a row of a table refers to a row by a foreign key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallystick.certificates.facts import Facts, number
from tallystick.certificates.nodes.tables import absent, row_of_table, same
from tallystick.certificates.trees import RowNode
from tallystick.core.binders import bind, element_type, exists, summation
from tallystick.core.terms import TRUE, Term, conjunction, disjunction, project, row
from tallystick.core.types import BOOL

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Refutation


@dataclass(frozen=True, slots=True)
class Foreign(RowNode):
    """A row of a table refers to a row by foreign key number `key`."""

    row: int
    key: int
    rest: Refutation

    def formula(self, facts: Facts) -> Term:
        """
        some column of the foreign key f is NULL in x ∨ Ex(y:S | y.k = x.f)

        Fails when x is no row of a table, or the table has no such foreign key.
        """
        referring, table = row_of_table(facts, self.row)
        found = table.references[number(self.key, len(table.references), "foreign key")]
        target = facts.relations[found.table].source
        slot = row(len(facts.rows), element_type(target))
        columns = zip(found.columns, found.referenced, strict=True)
        pairs = [(project(referring, c), project(slot, k)) for c, k in columns]
        referred = bind((slot,), (target,), conjunction(*(same(here, there) for here, there in pairs)), TRUE)
        return disjunction(*(absent(here) for here, _ in pairs), exists(summation((referred,), BOOL)))
