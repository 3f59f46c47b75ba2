"""Apply: values of one unknown function are equal where the arguments are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from tallystick.certificates.facts import Facts
from tallystick.certificates.nodes.naming import root, unknown_at
from tallystick.certificates.trees import RowNode
from tallystick.core.errors import RefutationError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, conjunction, disjunction, equal, implies

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Refutation


@dataclass(frozen=True, slots=True)
class Apply(RowNode):
    """Two unknowns are values of one unknown function, which are equal where the arguments are."""

    first: int
    second: int
    rest: Refutation

    def formula(self, facts: Facts) -> Term:
        """
        some aᵢ and bᵢ differ ∨ f(ā) ≐ f(b̄)

        Of a product, the factors bᵢ may stand in any order; so many orders are tried while there are at most three.

        Fails when the unknowns are not read from values of one unknown function, or two products, of arguments of
        the same types.
        """
        first, second = (root(unknown_at(facts, place)) for place in (self.first, self.second))
        types = [[argument.type for argument in term.arguments] for term in (first, second)]
        applied = first.operator is second.operator and first.operator in (Operator.APPLY, Operator.MULTIPLY)
        if not applied or first.parameter != second.parameter or types[0] != types[1]:
            raise RefutationError("congruence is about two values of one unknown function")
        orders = [second.arguments]
        if first.operator is Operator.MULTIPLY and len(orders[0]) <= 3:
            orders = list(permutations(orders[0]))
        alike = (conjunction(*map(equal, first.arguments, order)) for order in orders)
        return implies(disjunction(*alike), equal(first, second))
