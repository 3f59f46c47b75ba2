"""The kernel for queries: NORMAL and REWRITING, by which two statements return the same.

What proves that two sums of monomials are one bag is a proof like any other (`certificates/proving.py`). That two
statements differ is for `refuting` to say.
"""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.budget import Budget
from tallystick.certificates.judgements import Goal
from tallystick.certificates.proving import prove
from tallystick.certificates.queries.proofs import Rewriting
from tallystick.certificates.trees import Step
from tallystick.core.errors import KernelError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.normal_form import normal_forms
from tallystick.core.queries.compilation.tables import relations
from tallystick.core.queries.nodes import Statement
from tallystick.core.terms import TRUE


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
        from tallystick.certificates.queries.rewriting import rewritten

        return SameResults(left, right, catalogue, rewritten(left, right, catalogue, proof, budget))
    theorem = prove(goal_of(left, right, catalogue, budget), proof, budget)
    return SameResults(left, right, catalogue, theorem.oracles)
