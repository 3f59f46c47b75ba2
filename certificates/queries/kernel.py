"""The kernel for queries: NORMAL and REWRITING, by which two statements return the same.

What proves that two sums of monomials are one bag is a proof like any other (`certificates/proving.py`). That two
statements differ is for `refuting` to say.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tallystick.certificates.budget import Budget
from tallystick.certificates.judgements import Goal
from tallystick.certificates.proving import prove
from tallystick.certificates.queries.proofs import Exchange, Pull, Rewriting
from tallystick.certificates.trees import Step
from tallystick.core.errors import KernelError
from tallystick.core.operators import Operator
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.normal_form import normal_forms
from tallystick.core.queries.compilation.tables import relations
from tallystick.core.queries.nodes import Statement
from tallystick.core.terms import TRUE, subterms

if TYPE_CHECKING:
    from tallystick.certificates.queries.rewriting import Rewriter
    from tallystick.core.queries.syntax import Query


@dataclass(frozen=True, slots=True)
class SameResults:
    """A theorem: the statements return the same on every database of the catalogue, if the oracles are right."""

    left: Statement
    right: Statement
    catalogue: Catalogue
    oracles: frozenset[str]


def goal_of(left: Statement, right: Statement, catalogue: Catalogue, budget: Budget | None = None) -> Goal:
    """What has to be proved so that two statements return the same: see `same_results`."""
    spend = (Budget() if budget is None else budget).spend
    one, other = normal_forms(left, right, catalogue, spend)
    if one.directions != other.directions:
        raise KernelError("the results are ordered by different keys")
    return Goal(TRUE, one.bag, other.bag, (), relations(catalogue, spend))


def same_results(
    left: Statement, right: Statement, catalogue: Catalogue, proof: Step | Rewriting, budget: Budget | None = None
) -> SameResults:
    """
    Σ ⊢ nf(left) ≡ nf(right)
    -------------------------  NORMAL
    Σ ⊢ left ≡ right

    nf is the sum of monomials that a statement is compiled to, with the values of its order keys as last columns: equal
    bags in equal directions are equal lists, up to rows that tie. Columns are compared by position, not by name.

    Fails where no claim is about the statements (`core/queries/claims.py`), as `different_results` does, when one is
    outside of the compilation's fragment, when the directions of the orders differ, and like `prove`.
    """
    budget = Budget() if budget is None else budget
    if isinstance(proof, Rewriting):
        return _rewritten(left, right, catalogue, proof, budget)
    theorem = prove(goal_of(left, right, catalogue, budget), proof, budget)
    return SameResults(left, right, catalogue, theorem.oracles)


def _rewritten(
    left: Statement, right: Statement, catalogue: Catalogue, proof: Rewriting, budget: Budget
) -> SameResults:
    """
    Σ ⊢ nf(qᵢ) ≡ nf(qᵢ')  for each exchange of qᵢ for qᵢ'    Σ, T ⊢ nf(left') ≡ nf(right')
    --------------------------------------------------------------------------------------  REWRITING
    Σ ⊢ left ≡ right

    left' and right' have the exchanged subqueries, and tables T in the place of those that are named: the claim about
    them is for all rows of T, so for those of the subqueries: a query depends on the bags of its subqueries alone.
    Conditions on groups and partitions may be pulled out of them: see `pulling`. What is said of how LIMIT breaks ties
    is said of tables of Σ: see `require_tables`.

    Fails when a subquery is not closed, when columns differ, when a name is taken, and like `prove`.
    """
    from tallystick.certificates.queries.rewriting import Rewriter

    rewriter = Rewriter(left, right, catalogue, budget.spend)
    oracles: frozenset[str] = frozenset()
    for number, step in enumerate(proof.steps):
        if isinstance(step, Exchange):
            goal = exchange_goal(rewriter, step.old, step.new, step.unfolded)
            oracles |= prove(goal, step.proof, budget, f"steps[{number}]").oracles
            rewriter.exchange(step.side, step.old, step.new)
        elif isinstance(step, Pull):
            from tallystick.certificates.queries.pulling import pushed

            rewriter.exchange(step.side, pushed(step.filtered), step.filtered)
        else:
            rewriter.name(step.query)
    ends = replace(left, query=rewriter.sides["left"]), replace(right, query=rewriter.sides["right"])
    rest = prove(goal_of(*ends, rewriter.catalogue, budget), proof.proof, budget)
    require_tables(catalogue, budget)
    return SameResults(left, right, catalogue, oracles | rest.oracles)


def require_tables(catalogue: Catalogue, budget: Budget) -> None:
    """Fails where LIMIT-MAP says how LIMIT breaks ties in bags over other tables than those of the catalogue.

    What these stand for may hang on choices itself, and be another query for another claim of the certificate.
    """
    terms = (part for said in budget.choices.values() if isinstance(said, tuple) for part in said)
    parts = (part for term in terms for part in subterms(term) if part.operator is Operator.VARIABLE)
    if not all(part.parameter[0] in catalogue.by_name for part in parts):  # type: ignore[index]
        raise KernelError("LIMIT-MAP with ties is about tables of the catalogue, not about named subqueries or wires")


def exchange_goal(rewriter: Rewriter, old: Query, new: Query, unfolded: tuple[int, ...]) -> Goal:
    """What has to be proved so that `new` may stand for `old`."""
    one, other = (rewriter.form(each, unfolded) for each in (old, new))
    return Goal(TRUE, one, other, (), relations(rewriter.catalogue, rewriter.spend))
