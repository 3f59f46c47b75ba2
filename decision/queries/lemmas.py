"""Equal aggregates: lemmas for trees, each proved once in the context in which it is used (untrusted).

Two sums are equal by rule SUM, two other aggregates or extrema when their bags are (rule CONG). The context of a lemma
is the rows of the premise and those of its literals that mention no binder: few lemmas need more, and proofs are short without.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from tallystick.certificates.judgements import Goal
from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.bag import Match
from tallystick.certificates.rules.congruence_of_bags import CongruenceOfBags
from tallystick.certificates.rules.sum import Sum, flatten
from tallystick.certificates.rules.transitive import Transitive
from tallystick.core.binders import element_type, slots_of
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, conjunction, subterms
from tallystick.decision.queries.bags import MonomialProver
from tallystick.decision.queries.moves import Lemma
from tallystick.decision.queries.proving import Missing
from tallystick.decision.queries.shapes import Shape

AGGREGATES = (Operator.SUM, Operator.AGGREGATE, Operator.EXTREMUM)
BINDERS = (*AGGREGATES, Operator.EXISTS)
MOST_PAIRS = 24
"""At most so many pairs of aggregates of a premise are compared."""
DEEPEST = 3
"""Lemmas inside lemmas nest at most so deep."""


def has_binder(term: Term) -> bool:
    """Whether a term has an EXISTS or an aggregate in it."""
    return any(part.operator in BINDERS for part in subterms(term))


def aggregates(formula: Term) -> list[Term]:
    """The aggregates in a formula that are closed: unknowns of its premise."""
    return [part for part in subterms(formula) if part.operator in AGGREGATES and not part.bound]


class Lemmas:
    """Proves aggregates equal."""

    def __init__(self, monomials: MonomialProver) -> None:
        self._monomials = monomials
        self._known: dict[tuple[object, ...], Step | Missing] = {}
        self._depth = 0

    def useful(self, goal: Goal, formula: Term, literals: tuple[Term, ...]) -> list[Lemma]:
        """Equations between the aggregates of a premise that hold in its context."""
        if self._depth >= DEEPEST:
            return []
        chosen = tuple(number for number, literal in enumerate(literals) if not has_binder(literal))
        context = replace(goal, hypothesis=conjunction(*(literals[number] for number in chosen)))
        found: list[Lemma] = []
        classes: dict[Term, Term] = {}
        for left, right in _pairs(aggregates(formula)):
            if _root(classes, left) is _root(classes, right):
                continue
            proof = self.prove(replace(context, left=left, right=right))
            if isinstance(proof, Step):
                classes[_root(classes, right)] = _root(classes, left)
                found.append(Lemma(left, right, chosen, proof))
        return found

    def prove(self, goal: Goal) -> Step | Missing:
        """A proof that two aggregates are equal, or what is missing."""
        key = (goal.hypothesis, goal.rows, goal.left, goal.right)
        known = self._known.get(key)
        if known is None:
            self._known[key] = Missing("the lemma needs itself")
            self._depth += 1
            try:
                known = self._sums(goal) if goal.left.operator is Operator.SUM else self._congruent(goal)
            finally:
                self._depth -= 1
            self._known[key] = known
        return known

    def _sums(self, goal: Goal) -> Step | Missing:
        left, right = tuple(flatten(goal.left)), tuple(flatten(goal.right))
        shape = Shape(goal, goal.left.type, True)
        found = self._monomials.prove(shape, left, right)
        if isinstance(found, Missing):
            return found
        flat = shape.goal(left, right)
        if flat.right is not goal.right:
            found = Step(Transitive(flat.right), (), (found, self._flattening(goal, right)))
        if flat.left is not goal.left:
            found = Step(Transitive(flat.left), (), (self._flattening(goal, left), found))
        return found

    def _flattening(self, goal: Goal, monomials: tuple[Term, ...]) -> Step:
        """A sum is the sum of what it is flattened to: every monomial is its own partner."""
        pairs = tuple(Match(i, i, tuple(range(slots_of(one)))) for i, one in enumerate(monomials))
        shape = Shape(goal, goal.left.type, True)
        found = self._monomials.prover.step(shape.goal(monomials, monomials), Sum(pairs, ()))
        assert isinstance(found, Step)
        return found

    def _congruent(self, goal: Goal) -> Step | Missing:
        proofs: list[Step] = []
        for left, right in zip(goal.left.arguments, goal.right.arguments, strict=True):
            proof = self.bags(replace(goal, left=left, right=right))
            if isinstance(proof, Missing):
                return proof
            proofs.append(proof)
        return Step(CongruenceOfBags(), (), tuple(proofs))

    def bags(self, goal: Goal) -> Step | Missing:
        """A proof that two sums of monomials are one bag, or what is missing."""
        shape = Shape(goal, element_type(goal.left), False)
        return self._monomials.prove(shape, goal.left.arguments, goal.right.arguments)


def _root(classes: dict[Term, Term], term: Term) -> Term:
    while term in classes:
        term = classes[term]
    return term


def _pairs(terms: list[Term]) -> Iterator[tuple[Term, Term]]:
    """Pairs that could be equal by their kinds, those over the same tables first."""
    found = [
        (_sources(one) != _sources(other), place, one, other)
        for place, (one, other) in enumerate(combinations(terms, 2))
        if one.operator is other.operator
        and one.parameter == other.parameter
        and one.type == other.type
        and len(one.arguments) == len(other.arguments)
    ]
    found.sort(key=lambda pair: pair[:2])
    for _, _, one, other in found[:MOST_PAIRS]:
        yield one, other


def _sources(term: Term) -> list[str]:
    names = (part.parameter[0] for part in subterms(term) if part.operator is Operator.VARIABLE)  # type: ignore[index]
    return sorted(names)  # type: ignore[type-var]
