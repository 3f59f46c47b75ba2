"""Open: a bag that has an element has one of one of its monomials, of which new rows are on the branch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tallystick.certificates.evidence import Open, Refutation
from tallystick.certificates.facts import Facts, numbered
from tallystick.certificates.forms import Form, Literal
from tallystick.core.binders import fresh_rows, instantiate
from tallystick.core.errors import RefutationError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term


class Tree(Protocol):
    """The checker of a tree: the facts of its present branch, and what closes a branch."""

    facts: Facts

    def close(self, node: Refutation) -> None:
        """Accept, by returning, a refutation of the facts of the branch."""


def opened(tree: Tree, node: Open) -> None:
    """Accept, by returning, a refutation where a bag has an element.

    Γ, x̄ⱼ; φⱼ ⊢ ⊥ for each monomial ⟨x̄ⱼ | φⱼ⟩ of B
    -------------------------------------------------
    Γ; Ex(B) ⊢ ⊥

    Fails when the fact is not that Ex(B) holds, or there is not one branch a monomial.
    """
    fact = numbered(tree.facts, node.fact, Form)
    binder = next(iter(fact.coefficients), None)
    says_so = binder is not None and fact.coefficients == {binder: -1} and fact.constant == 1
    if binder is None or not says_so or binder.operator is not Operator.EXISTS:
        raise RefutationError(f"fact {node.fact} does not say that a bag has an element")
    monomials = binder.arguments[0].arguments
    if len(monomials) != len(node.branches):
        raise RefutationError(f"a bag of {len(monomials)} monomials has no {len(node.branches)} branches")
    for monomial, child in zip(monomials, node.branches, strict=True):
        under(tree, monomial, lambda _: (), child)


def under(tree: Tree, monomial: Term, more: Callable[[Term], tuple[Literal, ...]], child: Refutation) -> None:
    """Go on with new rows for the slots of a monomial, its condition, and what `more` says of its head."""
    facts = tree.facts
    with facts.branch():
        opened = instantiate(monomial, fresh_rows(monomial, len(facts.rows)))
        facts.budget.spend_on(opened.condition)
        facts.budget.spend_on(opened.head)
        facts.rows.extend(opened.sources)
        facts.assume((opened.condition, True), *more(opened.head))
        tree.close(child)
