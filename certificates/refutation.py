"""Refutation trees: evidence, checked without a solver, that a formula is valid (trusted).

THEORY section 4 and THEORY-SQL section 3. A formula (see `facts`) is valid when assuming that it fails is
contradictory. A refutation is a tree that shows it, with one rule a node; the facts of a branch are those of the nodes
above it, and its rows are those of the premise and those that were opened:

    Case     one branch for each branch of a disjunctive fact, in which that branch's literals are assumed
    Split    a linear form t of integer unknowns is ≤ bound or ≥ bound + 1
    Cut      a positive combination of atoms, divided by the gcd of its coefficients and rounded, is an atom
    Farkas   a positive combination of atoms that says c ≤ 0 with c ≥ 1, or 0 < 0
    Open     a bag that has an element has one of one of its monomials: new rows, of which its condition holds
    Lemma    an equation that a proof shows under facts of the branch
    Use, Extremum, Key, Foreign, Check, Member, Apply, Sign      a formula that is always true: see `nodes`

Cuts and splits make the rules complete for linear integer arithmetic (Chvátal, 1973); Open and Use are the δ and γ
rules of tableaux. Facts, unknowns and rows are named by their numbers on the branch. `check` is the only door, and
accepts by returning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tallystick.certificates.budget import Budget
from tallystick.certificates.facts import Disjunction, Fact, Facts, integer, number, numbered, require_logical
from tallystick.certificates.forms import ONE, Form, size_of, tightened, total
from tallystick.certificates.judgements import Goal
from tallystick.certificates.trees import Case, Cut, Farkas, Multipliers, Split, Step, row_node
from tallystick.core.binders import in_scope
from tallystick.core.errors import RefutationError
from tallystick.core.relations import Relations
from tallystick.core.terms import Term
from tallystick.core.types import BOOL, RationalType

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Refutation

Prove = Callable[[Goal, Step, str], None]
"""The kernel's `prove`, for the sub-judgements of lemmas."""


def check(
    formula: Term,
    refutation: Refutation,
    budget: Budget | None = None,
    rows: tuple[Term, ...] = (),
    relations: Relations | None = None,
    prove: Prove | None = None,
) -> None:
    """Accept, by returning, a refutation of ¬formula; so the formula is true of all values of its variables and rows.

    Fails when (RefutationError): `formula` is no formula over the rows; a node names a fact, unknown or row that its
    branch does not have, or one of the wrong kind; a case does not have one branch for each of the disjunction's; a
    multiplier is not a positive integer; a leaf is not contradictory; or the nesting is too deep for Python.
    """
    facts = Facts(rows, relations, budget)
    try:
        require_formula(formula, facts.budget)
        if not in_scope(rows, formula):
            raise RefutationError(f"a formula has no other rows than the {len(rows)} in scope")
        facts.assume((formula, False))
        Tree(facts, prove).close(refutation)
    except RecursionError:
        raise RefutationError("the formula or its refutation is nested too deeply") from None


def require_formula(term: Term, budget: Budget | None = None) -> None:
    """Raise RefutationError unless `term` is a formula, all of it: what no branch reaches counts too."""
    if term.type != BOOL:
        raise RefutationError(f"a formula is a boolean, not of type {term.type}")
    require_logical(term, Budget() if budget is None else budget)
    if term.bound:
        raise RefutationError("a formula has no bound variable outside what binds it")


class Tree:
    """The checker of one tree: the facts of the present branch, and how lemmas are proved.

    The files of nodes about rows are loaded for trees that have such nodes.
    """

    def __init__(self, facts: Facts, prove: Prove | None) -> None:
        self.facts = facts
        self.prove = prove

    def close(self, node: Refutation) -> None:
        """Accept, by returning, a refutation of the facts of the branch."""
        facts = self.facts
        facts.budget.spend(1)
        match node:
            case Farkas():
                if not combination(facts, node.multipliers).contradictory:
                    raise RefutationError(f"the leaf {node.multipliers} is not contradictory")
            case Case() | Split() | Cut():
                for assumed, child in branches(facts, node):
                    with facts.branch():
                        for fact in assumed:
                            facts.add(fact)
                        self.close(child)
            case _ if row_node(type(node).__name__) is not type(node):
                raise RefutationError(f"a refutation has no {type(node).__name__}")
            case _:
                node.close(self)

    def then(self, formula: Term, rest: Refutation) -> None:
        """Go on where a formula is a further fact."""
        with self.facts.branch():
            self.facts.assume((formula, True))
            self.close(rest)


def branches(facts: Facts, node: Case | Split | Cut) -> list[tuple[list[Fact], Refutation]]:
    """Lists of facts of which one is true whenever the facts of the branch are, each with its refutation."""
    match node:
        case Case():
            fact = numbered(facts, node.fact, Disjunction)
            if len(node.branches) != len(fact.branches):
                found, expected = len(node.branches), len(fact.branches)
                raise RefutationError(f"fact {node.fact} has {expected} branches, not {found}")
            lowered = ([part for literal in branch for part in facts.lower(*literal)] for branch in fact.branches)
            return list(zip(lowered, node.branches, strict=True))
        case Split():
            terms = [(-integer(node.bound), ONE)]
            for place, coefficient in node.coefficients:
                split = facts.numbered[number(place, len(facts.numbered), "unknown")]
                if isinstance(split.type, RationalType):
                    raise RefutationError(f"unknown {place} is no integer, and cannot be split on")
                terms.append((integer(coefficient), Form({split: 1}, 0)))
            below = total(*terms)
            above = total((-1, below), (1, ONE))  # the negation of t - bound ≤ 0 is bound + 1 - t ≤ 0
            return [([tightened(below)], node.below), ([tightened(above)], node.above)]
        case Cut():
            combined = combination(facts, node.multipliers)
            return [([tightened(combined, combined.strict)], node.rest)]
    raise RefutationError(f"a refutation has no {type(node).__name__}")


def combination(facts: Facts, multipliers: Multipliers) -> Form:
    """The sum of multiplier · atom, which is ≤ 0 because the multipliers are positive, or < 0 if an atom is strict."""
    for _, multiplier in multipliers:
        if integer(multiplier) < 1:
            raise RefutationError(f"multiplier {multiplier} is not positive")
    atoms = [(multiplier, numbered(facts, place, Form)) for place, multiplier in multipliers]
    size = sum(1 + len(atom.coefficients) for _, atom in atoms)
    facts.budget.spend(size, size)
    combined = total(*atoms)
    size_of(combined)  # or cuts of cuts grow numbers without end
    return Form(combined.coefficients, combined.constant, any(atom.strict for _, atom in atoms))
