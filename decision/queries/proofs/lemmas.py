"""Equal aggregates: lemmas for trees, each proved once in the context in which it is used (untrusted).

Two sums are equal by rule SUM, two other aggregates or extrema when their bags are (rule CONG). The context of a lemma
is the rows of the branch and those of its literals that mention no binder: few lemmas need more, and proofs are short
without.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations
from weakref import WeakKeyDictionary

from tallystick.certificates.evidence import Refutation, Step
from tallystick.certificates.forms import Literal
from tallystick.certificates.judgements import Goal
from tallystick.certificates.rules.flattening import flatten
from tallystick.certificates.rules.inside import Inside
from tallystick.certificates.rules.limit_push import LimitPush
from tallystick.certificates.rules.matching import Match
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.rules.sum import Sum
from tallystick.certificates.rules.transitive import Transitive
from tallystick.core.binders import element_type, slots_of, summation, total
from tallystick.core.errors import FragmentError
from tallystick.core.operators import Operator
from tallystick.core.relations import Relations
from tallystick.core.terms import Term, conjunction, negation, subterms
from tallystick.core.types import INT, RATIONAL
from tallystick.decision.queries.proofs.bags import MonomialProver
from tallystick.decision.queries.proofs.limits import pushes
from tallystick.decision.queries.proofs.linearity import combination
from tallystick.decision.queries.proofs.shapes import Shape
from tallystick.decision.queries.proofs.splitting import complements, halves, splits
from tallystick.decision.queries.trees.lemma_source import Lemma, Missing
from tallystick.decision.queries.trees.replay import Naming, RenumberingError
from tallystick.decision.queries.trees.structure import Structure

AGGREGATES = (Operator.SUM, Operator.AGGREGATE, Operator.EXTREMUM)
BINDERS = (*AGGREGATES, Operator.EXISTS)
MOST_PAIRS = 24
"""At most so many pairs of aggregates of a premise are compared."""
DEEPEST = 3
"""Lemmas inside lemmas nest at most so deep."""


class Lemmas:
    """Proves aggregates equal."""

    def __init__(self, monomials: MonomialProver, relations: Relations) -> None:
        self._monomials = monomials
        self._relations = relations
        self._known: dict[tuple[object, ...], Step | Missing] = {}
        self._depth = 0

    def on_branch(
        self,
        rows: tuple[Term, ...],
        literals: list[Literal],
        terms: list[Term],
        structure: Structure,
        known: list[frozenset[Term]],
    ) -> list[Lemma]:
        """New equations of aggregates that hold on a branch, but not in its structure."""
        if self._depth >= DEEPEST:
            return []
        simple = tuple(dict.fromkeys(literal for literal in literals if not has_binder(literal[0])))
        for left, right in _pairs(terms, structure):
            if {left, right} in known:
                continue
            mentioned = left.rows | right.rows
            near = tuple(literal for literal in simple if literal[0].rows and literal[0].rows <= mentioned)
            for chosen in dict.fromkeys((near, simple)):
                lemma = self._lemma(left, right, rows, chosen)
                if lemma is not None:
                    return [lemma]
        for term in terms:
            if term.operator is Operator.SUM:
                value = self._simpler(term, rows, simple)
                if value is None or {term, value} in known:
                    continue
                if structure.leaf(term) != structure.value(value):
                    lemma = self._lemma(term, value, rows, simple)
                    if lemma is not None:
                        return [lemma]
        sums = [term for term in terms if term.operator is Operator.SUM]
        linear = [(term, value) for term in sums if (value := combination(term)) is not None]
        added = {each for pair in known if any(term.operator is Operator.ADD for term in pair) for each in pair}
        whole = (term for term in terms if term not in added)
        parts = ((term, value) for term in whole for value in splits(term, structure, self._monomials.prover.theory))
        for term, value in chain(linear, complements(terms), parts):
            lemma = None if {term, value} in known else self._lemma(term, value, rows, simple)
            if lemma is not None:
                return [lemma]
        return []

    def _simpler(self, term: Term, rows: tuple[Term, ...], hypotheses: tuple[Literal, ...]) -> Term | None:
        """A sum as rule ONE leaves it, if that has parts that are no sums any more."""
        goal = Goal(_conjunction(hypotheses), term, term, rows, self._relations)
        try:
            monomials = flatten(term, len(rows))
        except FragmentError:
            return None
        shape = Shape(goal, term.type, True)  # type: ignore[arg-type]
        self._depth += 1
        try:
            chased = [self._monomials.chased(shape, monomial) for monomial in monomials]
        finally:
            self._depth -= 1
        if all(slots_of(monomial) for monomial in chased):
            return None
        return total(summation(chased, term.type))  # type: ignore[arg-type]

    def _lemma(self, left: Term, right: Term, rows: tuple[Term, ...], hypotheses: tuple[Literal, ...]) -> Lemma | None:
        proof = self.prove(Goal(_conjunction(hypotheses), left, right, rows, self._relations))
        if isinstance(proof, Missing):
            return None
        self._monomials.prover.used["lemma"] += 1
        return Lemma(left, right, rows, hypotheses, proof)

    def renewed(self, lemma: Lemma, naming: Naming) -> Lemma:
        """The lemma in the checker's terms."""
        count = len(lemma.rows)
        rows = tuple(naming.facts.rows)
        literals = tuple((naming.term(term), holds) for term, holds in lemma.hypotheses)
        known = {fact.origin for fact in naming.facts.facts}
        literals = tuple(literal for literal in literals if literal in known)
        left, right = naming.known(lemma.left), naming.term(lemma.right)
        same = left is lemma.left and right is lemma.right
        if same and rows[:count] == lemma.rows and literals == lemma.hypotheses:
            return lemma
        renewed = self._lemma(left, right, rows, literals)
        if renewed is None:
            raise RenumberingError("a lemma is lost where superfluous nodes are left out")
        return renewed

    def prove(self, goal: Goal) -> Step | Missing:
        """A proof that two aggregates are equal, or what is missing."""
        key = (goal.hypothesis, goal.rows, goal.left, goal.right)
        known = self._known.get(key)
        if known is None:
            self._known[key] = Missing("the lemma needs itself")
            self._depth += 1
            try:
                known = self._sums(goal) if _is_total(goal.left) else self._pushed(goal)
            finally:
                self._depth -= 1
            self._known[key] = known
        return known

    def _sums(self, goal: Goal) -> Step | Missing:
        try:
            left, right = flatten(goal.left, len(goal.rows)), flatten(goal.right, len(goal.rows))
        except FragmentError as error:
            return Missing(str(error))
        shape = Shape(goal, goal.left.type, True)
        found = self._monomials.prove(shape, left, right)
        if isinstance(found, Missing):
            found = self._by_halves(shape, left, right) or found
        if isinstance(found, Missing):
            return found
        flat = shape.goal(left, right)
        if flat.right is not goal.right:
            last = self._flattening(shape, right)
            if isinstance(last, Missing):
                return last
            found = Step(Transitive(flat.right), (), (found, last))
        if flat.left is not goal.left:
            first = self._flattening(shape, left)
            if isinstance(first, Missing):
                return first
            found = Step(Transitive(flat.left), (), (first, found))
        return found

    def _by_halves(self, shape: Shape, left: tuple[Term, ...], right: tuple[Term, ...]) -> Step | None:
        """A sum is that of the rows but one, and what that one weighs."""
        both = halves(left, right)
        if both is None:
            return None
        first = self._monomials.prove(shape, left, both)
        second = first if isinstance(first, Missing) else self._monomials.prove(shape, both, right)
        if isinstance(first, Missing) or isinstance(second, Missing):
            return None
        return Step(Transitive(shape.goal(both, ()).left), (), (first, second))

    def _flattening(self, shape: Shape, monomials: tuple[Term, ...]) -> Step | Missing:
        """A sum is the sum of what it is flattened to: every monomial is its own partner."""
        pairs = tuple(Match(i, i, tuple(range(slots_of(one)))) for i, one in enumerate(monomials))
        return self._monomials.prover.step(shape.goal(monomials, monomials), Sum(pairs, ()))

    def _pushed(self, goal: Goal) -> Step | Missing:
        """Rule LIMIT-PUSH on both sides as often as it applies, and congruence then."""
        steps: list[tuple[LimitPush, tuple[Refutation, ...]]] = []
        prover = self._monomials.prover
        while (found := next(pushes(goal, prover), None)) is not None:
            steps.append(found[:2])
            goal = found[2]
        proof = self._congruent(goal)
        for rule, premises in reversed(steps):
            proof = proof if isinstance(proof, Missing) else Step(rule, premises, (proof,))
        return proof

    def _congruent(self, goal: Goal) -> Step | Missing:
        """The same function of equal bags: equals for equals on the left, one by one."""
        if (goal.left.operator, goal.left.parameter) != (goal.right.operator, goal.right.parameter):
            return Missing("the sides are no values of one function of bags")
        proof = Step(Reflexive())
        for place, (left, right) in reversed(
            tuple(enumerate(zip(goal.left.arguments, goal.right.arguments, strict=True)))
        ):
            if left.type != right.type:
                return Missing("the bags have different types")
            if left is not right:
                equal = self.bags(replace(goal, left=left, right=right))
                if isinstance(equal, Missing):
                    return equal
                proof = Step(Inside("left", (place,), left, right), (), (equal, proof))
        return proof

    def bags(self, goal: Goal) -> Step | Missing:
        """A proof that two sums of monomials are one bag, or what is missing."""
        shape = Shape(goal, element_type(goal.left), False)
        return self._monomials.prove(shape, goal.left.arguments, goal.right.arguments)


_binders: WeakKeyDictionary[Term, bool] = WeakKeyDictionary()


def has_binder(term: Term) -> bool:
    """Whether a term has an EXISTS or an aggregate in it."""
    known = _binders.get(term)
    if known is None:
        known = _binders[term] = term.operator in BINDERS or any(map(has_binder, term.arguments))
    return known


def _pairs(terms: list[Term], structure: Structure) -> Iterator[tuple[Term, Term]]:
    """Pairs with different values that could be equal by their kinds, those over the same tables first."""
    found = [
        (_sources(one) != _sources(other), place, one, other)
        for place, (one, other) in enumerate(combinations(terms, 2))
        if _comparable(one, other) and structure.leaf(one) != structure.leaf(other)
    ]
    found.sort(key=lambda pair: pair[:2])
    for _, _, one, other in found[:MOST_PAIRS]:
        yield (one, other) if one.operator is not Operator.MULTIPLY else (other, one)


def _is_total(term: Term) -> bool:
    """Whether rule SUM is the one for a term: a number, but no function of bags other than a sum."""
    return term.type in (INT, RATIONAL) and term.operator not in (Operator.EXTREMUM, Operator.AGGREGATE)


def _conjunction(literals: tuple[Literal, ...]) -> Term:
    return conjunction(*(term if holds else negation(term) for term, holds in literals))


def _comparable(one: Term, other: Term) -> bool:
    if one.type != other.type:
        return False
    if {one.operator, other.operator} <= {Operator.SUM, Operator.MULTIPLY}:
        return True
    return (
        one.operator is other.operator
        and one.parameter == other.parameter
        and len(one.arguments) == len(other.arguments)
    )


_tables: WeakKeyDictionary[Term, list[str]] = WeakKeyDictionary()


def _sources(term: Term) -> list[str]:
    known = _tables.get(term)
    if known is None:
        names = (part.parameter[0] for part in subterms(term) if part.operator is Operator.VARIABLE)  # type: ignore[index, misc]
        known = _tables[term] = sorted(names)  # type: ignore[type-var]
    return known
