"""Member: a row of a block is an element of the bags that the block is made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallystick.certificates.facts import Facts, number
from tallystick.certificates.trees import RowNode
from tallystick.core.binders import Instance, element_type, exists, restricted
from tallystick.core.errors import RefutationError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, conjunction, equal, row

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Refutation


@dataclass(frozen=True, slots=True)
class Member(RowNode):
    """A row of a block is an element of the bags that the block is made from."""

    row: int
    rest: Refutation

    def formula(self, facts: Facts) -> Term:
        """
        Ex(B | h ≐ x) for a row x of LIMIT(B) or EXCEPT ALL(B, C); Ex(B | h ≐ x) ∧ Ex(C | h ≐ x) of INTERSECT ALL(B, C)

        Fails when x is a row of none of these.
        """
        place = number(self.row, len(facts.rows), "row")
        source = facts.rows[place]
        found = row(place, element_type(source))
        if source.operator not in (Operator.LIMIT, Operator.EXCEPT_ALL, Operator.INTERSECT_ALL):
            raise RefutationError(f"row {place} is a row of no bag that is known to have it")
        bags = source.arguments if source.operator is Operator.INTERSECT_ALL else source.arguments[:1]

        def is_found(opened: Instance) -> Term:
            return equal(opened.head, found)

        return conjunction(*(exists(restricted(bag, len(facts.rows), is_found)) for bag in bags))
