"""The kernel for queries: NORMAL and REFUTE, the only constructors of theorems about statements.

What proves that two sums of monomials are one bag is a proof like any other (`certificates/kernel.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tallystick.certificates import kernel
from tallystick.certificates.budget import Budget
from tallystick.certificates.evidence import Step
from tallystick.certificates.judgements import Goal
from tallystick.certificates.queries.proofs import Exchange, Pull, QueryCertificate, Rewriting, Witness
from tallystick.certificates.queries.rewriting import Rewriter, pushed
from tallystick.core.errors import KernelError
from tallystick.core.operators import Operator
from tallystick.core.queries.assumptions import Assumption, required
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.core.queries.compilation.normal_form import normal_forms
from tallystick.core.queries.compilation.tables import relations
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.interpreter.refuting import refute
from tallystick.core.queries.interpreter.running import STEP_LIMIT
from tallystick.core.queries.syntax import Query, Statement
from tallystick.core.queries.types import admits_row
from tallystick.core.terms import TRUE, subterms


@dataclass(frozen=True, slots=True)
class SameResults:
    """A theorem: the statements return the same on every database of the catalogue, if the oracles are right."""

    left: Statement
    right: Statement
    catalogue: Catalogue
    oracles: frozenset[str]


@dataclass(frozen=True, slots=True)
class DifferentResults:
    """A theorem: the statements return `outcomes` on a database of the catalogue, and no list of rows is both."""

    left: Statement
    right: Statement
    catalogue: Catalogue
    outcomes: tuple[Outcome, Outcome]


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
    theorem = kernel.prove(goal_of(left, right, catalogue, budget), proof, budget)
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
    Conditions on groups and partitions may be pulled out of them: see `pushed`. What is said of how LIMIT breaks ties
    is said of tables of Σ: see `require_tables`.

    Fails when a subquery is not closed, when columns differ, when a name is taken, and like `prove`.
    """
    rewriter = Rewriter(left, right, catalogue, budget.spend)
    oracles: frozenset[str] = frozenset()
    for number, step in enumerate(proof.steps):
        if isinstance(step, Exchange):
            goal = exchange_goal(rewriter, step.old, step.new, step.unfolded)
            oracles |= kernel.prove(goal, step.proof, budget, f"steps[{number}]").oracles
            rewriter.exchange(step.side, step.old, step.new)
        elif isinstance(step, Pull):
            rewriter.exchange(step.side, pushed(step.filtered), step.filtered)
        else:
            rewriter.name(step.query)
    ends = replace(left, query=rewriter.sides["left"]), replace(right, query=rewriter.sides["right"])
    rest = kernel.prove(goal_of(*ends, rewriter.catalogue, budget), proof.proof, budget)
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


def different_results(
    left: Statement, right: Statement, catalogue: Catalogue, witness: Witness, steps: int = STEP_LIMIT
) -> DifferentResults:
    """
    D satisfies Σ,  left(D) and right(D) have no list of rows in common
    --------------------------------------------------------------------  REFUTE
    Σ ⊬ left ≡ right

    Fails where no claim is about the statements, when D has not the tables of Σ or breaks a constraint, when results
    may be equal, and when one fails, hangs on a choice that SQL leaves open, or takes more than `steps` steps.
    """
    found = refute(left, right, catalogue, database_of(catalogue, witness), steps)
    return DifferentResults(left, right, catalogue, (found.left, found.right))


def database_of(catalogue: Catalogue, witness: Witness) -> Database:
    """The tables of a witness by their names. Raises KernelError where they are not those of the catalogue."""
    if len(witness.tables) != len(catalogue.tables):
        raise KernelError(f"a database has the {len(catalogue.tables)} tables of its catalogue")
    for table, rows in zip(catalogue.tables, witness.tables, strict=True):
        for number, row in enumerate(rows):
            if not admits_row(table.row, row):
                raise KernelError(f"row {number} of table {table.name} breaks the types of the columns")
    return {table.name: rows for table, rows in zip(catalogue.tables, witness.tables, strict=True)}


def check(
    certificate: QueryCertificate, steps: int = STEP_LIMIT, budget: Budget | None = None
) -> SameResults | DifferentResults:
    """The theorem that a certificate claims. Raises a TallystickError when it does not follow."""
    left, right, catalogue = certificate.left, certificate.right, certificate.catalogue
    require_assumptions(catalogue, certificate.unenforced, certificate.assumptions, required(left, right))
    if isinstance(certificate.result, Witness):
        return different_results(left, right, catalogue, certificate.result, steps)
    return same_results(left, right, catalogue, certificate.result, budget)


def require_assumptions(
    catalogue: Catalogue, unenforced: tuple[str, ...], given: tuple[Assumption, ...], needed: Iterable[Assumption]
) -> None:
    """Fails unless a certificate states what is needed, and what tables without enforced constraints need."""
    tables = catalogue.by_name
    known = all(name in tables and tables[name].is_constrained for name in unenforced)
    if list(unenforced) != sorted(set(unenforced)) or not known:
        raise KernelError("the tables whose constraints are not enforced are different ones that have some, sorted")
    if unenforced:
        needed = {*needed, Assumption.NOT_ENFORCED}
    if given != tuple(each for each in Assumption if each in given):
        raise KernelError("the assumptions are different ones, in the order of their list")
    missing = [each for each in Assumption if each in needed and each not in given]
    if missing:
        raise KernelError(f"such a claim also assumes that {missing[0].value}")
