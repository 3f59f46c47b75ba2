"""Sign: a SUM is 0 without elements of a weight other than 0, and positive with some if no weight is negative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tallystick.certificates.facts import Facts
from tallystick.certificates.nodes.naming import unknown
from tallystick.certificates.nodes.opening import under
from tallystick.certificates.trees import RowNode
from tallystick.core.binders import element_type, exists, restricted
from tallystick.core.errors import RefutationError
from tallystick.core.finiteness import require_finite
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, conjunction, default_term, disjunction, equal, less, less_equal, negation

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Refutation


@dataclass(frozen=True, slots=True)
class Sign(RowNode):
    """The SUM that is unknown number `unknown` is 0 without elements of a weight other than 0.

    With `nonnegative`, one refutation a monomial of "its condition, and its weight is negative": otherwise positive.
    """

    unknown: int
    nonnegative: tuple[Refutation, ...] | None
    rest: Refutation

    def formula(self, facts: Facts) -> Term:
        """
        (¬Ex(B | w ≠ 0) ∧ Sum(B) = 0) ∨ Ex(B | w ≠ 0)        or, if no weight is negative:
        (¬Ex(B | w ≠ 0) ∧ Sum(B) = 0) ∨ (Ex(B | w ≠ 0) ∧ 0 < Sum(B))

        Fails when the unknown is no SUM, or B might be infinite. That no weight is negative is for
        `require_nonnegative` to check.
        """
        binder = unknown(facts, self.unknown, Operator.SUM)
        bag = binder.arguments[0]
        require_finite(bag)
        zero = default_term(element_type(bag))
        some_weight = exists(restricted(bag, len(facts.rows), lambda opened: negation(equal(opened.head, zero))))
        none_left = conjunction(negation(some_weight), equal(binder, zero))
        positive = some_weight if self.nonnegative is None else conjunction(some_weight, less(zero, binder))
        return disjunction(none_left, positive)

    def close(self, tree: Any) -> None:
        RowNode.close(self, tree)
        if self.nonnegative is not None:
            self.require_nonnegative(tree, self.nonnegative)

    def require_nonnegative(self, tree: Any, children: tuple[Refutation, ...]) -> None:
        """Check that no weight of the sum is negative: x̄ⱼ; φⱼ, wⱼ < 0 ⊢ ⊥ for each monomial."""
        bag = unknown(tree.facts, self.unknown, Operator.SUM).arguments[0]
        if len(bag.arguments) != len(children):
            raise RefutationError(f"a bag of {len(bag.arguments)} monomials has no {len(children)} weights")
        zero = default_term(element_type(bag))
        for monomial, child in zip(bag.arguments, children, strict=True):
            under(tree, monomial, lambda weight: ((less_equal(zero, weight), False),), child)
