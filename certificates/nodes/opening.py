"""Open: a bag that has an element has one of one of its monomials, of which new rows are on the branch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tallystick.certificates.facts import Facts, numbered
from tallystick.certificates.forms import Form, Literal
from tallystick.certificates.trees import RowNode
from tallystick.core.binders import fresh_rows, instantiate
from tallystick.core.errors import RefutationError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Refutation


@dataclass(frozen=True, slots=True)
class Open(RowNode):
    """Fact number `fact` says that a bag has an element: for each of its monomials a branch with new rows, in order."""

    fact: int
    branches: tuple[Refutation, ...]

    def close(self, tree: Any) -> None:
        """Accept, by returning, a refutation where a bag has an element.

        Γ, x̄ⱼ; φⱼ ⊢ ⊥ for each monomial ⟨x̄ⱼ | φⱼ⟩ of B
        -------------------------------------------------
        Γ; Ex(B) ⊢ ⊥

        Fails when the fact is not that Ex(B) holds, or there is not one branch a monomial.
        """
        fact = numbered(tree.facts, self.fact, Form)
        binder = next(iter(fact.coefficients), None)
        says_so = binder is not None and fact.coefficients == {binder: -1} and fact.constant == 1
        if binder is None or not says_so or binder.operator is not Operator.EXISTS:
            raise RefutationError(f"fact {self.fact} does not say that a bag has an element")
        monomials = binder.arguments[0].arguments
        if len(monomials) != len(self.branches):
            raise RefutationError(f"a bag of {len(monomials)} monomials has no {len(self.branches)} branches")
        for monomial, child in zip(monomials, self.branches, strict=True):
            under(tree, monomial, lambda _: (), child)


def under(tree: Any, monomial: Term, more: Callable[[Term], tuple[Literal, ...]], child: Refutation) -> None:
    """Go on with new rows for the slots of a monomial, its condition, and what `more` says of its head."""
    facts: Facts = tree.facts
    with facts.branch():
        opened = instantiate(monomial, fresh_rows(monomial, len(facts.rows)))
        facts.budget.spend_on(opened.condition)
        facts.budget.spend_on(opened.head)
        facts.rows.extend(opened.sources)
        facts.assume((opened.condition, True), *more(opened.head))
        tree.close(child)
