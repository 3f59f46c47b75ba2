"""What to put on an open branch next: the first node that its structure calls for (untrusted).

The order is that of cost: what leaves one branch comes first, what makes rows comes last. Each function below looks
for one kind of violation; a branch on which none finds any is as saturated as the rules can make it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tallystick.certificates.facts import Disjunction, Facts
from tallystick.core.operators import Operator
from tallystick.core.terms import Term
from tallystick.decision.queries.trees.arithmetic import QueryArithmetic
from tallystick.decision.queries.trees.equations import agreements
from tallystick.decision.queries.trees.instances import heads
from tallystick.decision.queries.trees.lemma_source import Lemma, Source
from tallystick.decision.queries.trees.replay import Move
from tallystick.decision.queries.trees.structure import Number, Structure, is_aggregate
from tallystick.decision.queries.trees.theory import Theory
from tallystick.decision.queries.trees.violations import Nonnegative, Violations


class Moves:
    """The moves on the branches of one premise.

    Attributes:
        rows: how many rows the premise has.
    """

    def __init__(self, theory: Theory, rows: int, nonnegative: Nonnegative, lemmas: Source) -> None:
        self._theory = theory
        self._nonnegative = nonnegative
        self._source = lemmas
        self._lemmas: list[Lemma] = []
        self._conclusions: list[Disjunction] = []
        self.rows = rows

    def structure(self, facts: Facts, arithmetic: QueryArithmetic) -> Structure:
        """The structure of the present branch."""
        rows: dict[Term, list[Term]] = {}
        for number, source in enumerate(facts.rows):
            rows.setdefault(source, []).append(self._theory.row(number, source))
        unknowns = facts.unknowns  # others may have values from branches that were left

        def value(term: Term) -> Number | None:
            return arithmetic.known_value(term) if term in unknowns else None

        same: dict[Term, Term] = {}
        for lemma in self._present(facts):
            left, right = _last(same, lemma.left), _last(same, lemma.right)
            if left is not right and left not in unknowns:
                same[left] = right
            elif left is not right and right not in unknowns and is_aggregate(right):
                same[right] = left
        for fact in facts.facts:
            if isinstance(fact, Disjunction) and fact.origin[1]:
                for one, other in agreements(fact.origin[0]):
                    left, right = _last(same, one), _last(same, other)
                    if left is not right and left not in unknowns:
                        same[left] = right
                    elif left is not right and right not in unknowns:
                        same[right] = left
        return Structure(value, arithmetic.bounds, heads, rows, same, facts.form)

    def next_rows(self, facts: Facts, sources: tuple[Term, ...]) -> tuple[Term, ...]:
        """The rows that the next rows of these sources will be."""
        first = len(facts.rows)
        return tuple(self._theory.row(first + index, source) for index, source in enumerate(sources))

    def _present(self, facts: Facts) -> list[Lemma]:
        """The lemmas that hold on the present branch."""
        literals = {fact.origin for fact in facts.facts}
        return [
            lemma
            for lemma in self._lemmas
            if lemma.rows == tuple(facts.rows[: len(lemma.rows)]) and literals.issuperset(lemma.hypotheses)
        ]

    def next(self, facts: Facts, arithmetic: QueryArithmetic, structure: Structure, path: set[object]) -> Move | None:
        """The next move, or None when the structure violates nothing that a node could use."""
        if not path:
            self._conclusions = [fact for fact in facts.facts if isinstance(fact, Disjunction) and _denies(fact)]
        move = self._cheap(facts, arithmetic, structure, path)
        if move is None and self._discover(facts, structure):
            return self.next(facts, arithmetic, self.structure(facts, arithmetic), path)
        return move or self._costly(facts, arithmetic, structure, path)

    def _discover(self, facts: Facts, structure: Structure) -> bool:
        """Whether there are lemmas for aggregates that have different values here."""
        for unknown in facts.unknowns:
            if is_aggregate(unknown):
                structure.leaf(unknown)
        known = [frozenset((lemma.left, lemma.right)) for lemma in self._present(facts)]
        literals = [fact.origin for fact in facts.facts if fact.origin is not None]
        terms = dict.fromkeys(_unknown(facts, term) for term in structure.aggregates())
        found = self._source.on_branch(tuple(facts.rows), literals, list(terms), structure, known)
        self._lemmas.extend(found)
        return bool(found)

    def _cheap(self, facts: Facts, arithmetic: QueryArithmetic, structure: Structure, path: set[object]) -> Move | None:
        clashes = structure.interpret(facts.unknowns)
        search = Violations(self._theory, facts, arithmetic, structure, self._nonnegative)
        case, branches = search.falsified(path)
        if case is not None and branches <= 1:
            return search.case(case)
        for lemma in self._present(facts):
            if search.lemma_applies(lemma):
                return search.lemma(lemma, self._source)
        found = _first(
            (lambda: search.agreeing(clashes), search.single_opens, search.keys, search.uses, search.checks), path
        )
        if found is None and case is not None:
            return search.case(next((each for each in self._conclusions if each not in path), case))
        return found or _first((search.opens, search.extrema, search.members), path)

    def _costly(
        self, facts: Facts, arithmetic: QueryArithmetic, structure: Structure, path: set[object]
    ) -> Move | None:
        search = Violations(self._theory, facts, arithmetic, structure, self._nonnegative)
        return _first((search.foreign, search.signs, search.other_checks), path)


def _denies(fact: Disjunction) -> bool:
    """Whether a disjunction says that one of several formulas fails, as the conclusion of a premise does: each of them
    is refuted with what it needs of the other facts, so this comes before any other disjunction."""
    term, holds = fact.origin
    return term.operator is Operator.AND and not holds


def _first(kinds: tuple[Callable[[], Iterator[Move]], ...], path: set[object]) -> Move | None:
    return next((move for moves in kinds for move in moves() if move.identity not in path), None)


def _last(same: Mapping[Term, Term], term: Term) -> Term:
    while term in same:
        term = same[term]
    return term


def _unknown(facts: Facts, term: Term) -> Term:
    """The unknown that an aggregate is; a product is the one that has its factors."""
    if term.operator is not Operator.MULTIPLY:
        return term
    coefficients = facts.form(term).coefficients
    return next(iter(coefficients)) if len(coefficients) == 1 else term
