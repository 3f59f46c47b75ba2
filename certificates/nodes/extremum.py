"""Extremum: the least or greatest head of a bag is that of an element, or there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallystick.certificates.facts import Facts
from tallystick.certificates.nodes.naming import unknown
from tallystick.certificates.trees import RowNode
from tallystick.core.binders import element_type, exists, restricted
from tallystick.core.finiteness import require_finite
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, conjunction, default_term, disjunction, equal, negation

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Refutation


@dataclass(frozen=True, slots=True)
class Extremum(RowNode):
    """The EXTREMUM that is unknown number `unknown` is the head of an element of its bag, or the bag is empty."""

    unknown: int
    rest: Refutation

    def formula(self, facts: Facts) -> Term:
        """
        (¬Ex(B) ∧ Ext(B) = default) ∨ Ex(B | h = Ext(B))

        Fails when the unknown is no EXTREMUM, or B might be infinite.
        """
        binder = unknown(facts, self.unknown, Operator.EXTREMUM)
        bag = binder.arguments[0]
        require_finite(bag)
        attained = exists(restricted(bag, len(facts.rows), lambda opened: equal(opened.head, binder)))
        empty = conjunction(negation(exists(bag)), equal(binder, default_term(element_type(bag))))
        return disjunction(empty, attained)
