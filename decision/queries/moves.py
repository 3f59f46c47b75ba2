"""What to put on an open branch next: the first node that its structure calls for (untrusted).

The order is that of cost: what leaves one branch comes first, what makes rows comes last. Each function below looks
for one kind of violation; a branch on which none finds any is as saturated as the rules can make it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from tallystick.certificates.facts import Disjunction, Facts, Form, Literal, total
from tallystick.certificates.proofs import Step
from tallystick.certificates.refutation import (
    Apply,
    Case,
    Check,
    Extremum,
    Foreign,
    Key,
    Member,
    Open,
    Refutation,
    Sign,
    Use,
)
from tallystick.certificates.refutation import Lemma as proved
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, equal, project
from tallystick.decision.queries.arithmetic import QueryArithmetic
from tallystick.decision.queries.instances import heads, instances
from tallystick.decision.queries.replay import Move, Naming
from tallystick.decision.queries.structure import Number, Structure, is_aggregate
from tallystick.decision.queries.theory import Theory

BLOCKS = (Operator.LIMIT, Operator.EXCEPT_ALL, Operator.INTERSECT_ALL)


@dataclass(frozen=True, slots=True)
class Lemma:
    """left = right on every branch that starts with these rows and has these literals, and the proof.

    `left` is an aggregate, `right` a term that may have aggregates in it, but not `left`.
    """

    left: Term
    right: Term
    rows: tuple[Term, ...]
    hypotheses: tuple[Literal, ...]
    proof: Step


class Source(Protocol):
    """Where lemmas come from."""

    def on_branch(
        self,
        rows: tuple[Term, ...],
        literals: list[Literal],
        terms: list[tuple[Term, Any]],
        known: list[frozenset[Term]],
    ) -> list[Lemma]:
        """New equations between aggregates, given with their values, that hold on a branch."""
        ...

    def renewed(self, lemma: Lemma, naming: Naming) -> Lemma:
        """The lemma in the checker's terms."""
        ...


class NoLemmas:
    """A source without lemmas."""

    def on_branch(
        self,
        rows: tuple[Term, ...],
        literals: list[Literal],
        terms: list[tuple[Term, Any]],
        known: list[frozenset[Term]],
    ) -> list[Lemma]:
        """None."""
        return []

    def renewed(self, lemma: Lemma, naming: Naming) -> Lemma:
        """The lemma itself."""
        return lemma


Nonnegative = Callable[[Term, tuple[Term, ...]], tuple[Refutation, ...] | None]
"""Evidence that no head of a SUM's monomials is negative where its condition holds, if there is some."""


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
        self.rows = rows

    def structure(self, facts: Facts, arithmetic: QueryArithmetic) -> Structure:
        """The structure of the present branch."""
        rows: dict[Term, list[Term]] = {}
        for number, source in enumerate(facts.rows):
            rows.setdefault(source, []).append(self._theory.row(number, source))
        unknowns = facts.unknowns  # others may have values from branches that were left

        def value(term: Term) -> Number | None:
            return arithmetic.value(term) if term in unknowns else None

        same: dict[Term, Term] = {}
        for lemma in self._present(facts):
            left, right = _last(same, lemma.left), _last(same, lemma.right)
            if left is not right and left not in unknowns:
                same[left] = right
            elif left is not right and right not in unknowns:
                same[right] = left
        return Structure(value, arithmetic.bounds, heads, rows, same)

    def next_rows(self, facts: Facts, sources: tuple[Term, ...]) -> tuple[Term, ...]:
        """The rows that the next rows of these sources will be."""
        first = len(facts.rows)
        return tuple(self._theory.row(first + index, source) for index, source in enumerate(sources))

    def _present(self, facts: Facts) -> list[Lemma]:
        """The lemmas that hold on the present branch."""
        literals = set(facts.literals)
        return [
            lemma
            for lemma in self._lemmas
            if lemma.rows == tuple(facts.rows[: len(lemma.rows)]) and literals.issuperset(lemma.hypotheses)
        ]

    def next(self, facts: Facts, arithmetic: QueryArithmetic, structure: Structure, path: set[object]) -> Move | None:
        """The next move, or None when the structure violates nothing that a node could use."""
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
        found = self._source.on_branch(tuple(facts.rows), facts.literals, structure.aggregates(), known)
        self._lemmas.extend(found)
        return bool(found)

    def _cheap(self, facts: Facts, arithmetic: QueryArithmetic, structure: Structure, path: set[object]) -> Move | None:
        clashes = structure.interpret(facts.unknowns)
        search = _Search(self._theory, facts, arithmetic, structure, self._nonnegative)
        case, branches = search.falsified(path)
        if case is not None and branches <= 1:
            return search.case(case)
        for lemma in self._present(facts):
            if search.lemma_applies(lemma):
                return search.lemma(lemma, self._source)
        for one, other in clashes:
            move = search.applications(one, other)
            if move.identity not in path:
                return move
        found = _first((search.single_opens, search.keys, search.uses, search.checks), path)
        if found is None and case is not None:
            return search.case(case)
        return found or _first((search.opens, search.extrema, search.members), path)

    def _costly(
        self, facts: Facts, arithmetic: QueryArithmetic, structure: Structure, path: set[object]
    ) -> Move | None:
        search = _Search(self._theory, facts, arithmetic, structure, self._nonnegative)
        return _first((search.foreign, search.signs), path)


def _first(kinds: tuple[Callable[[], Iterator[Move]], ...], path: set[object]) -> Move | None:
    return next((move for moves in kinds for move in moves() if move.identity not in path), None)


class _Search:
    def __init__(
        self, theory: Theory, facts: Facts, arithmetic: QueryArithmetic, structure: Structure, nonnegative: Nonnegative
    ) -> None:
        self._theory, self._facts, self._arithmetic, self._structure = theory, facts, arithmetic, structure
        self._nonnegative = nonnegative
        self._refuted: dict[object, bool] = {}

    # Disjunctions

    def falsified(self, path: set[object]) -> tuple[Disjunction | None, int]:
        """A disjunction that the structure falsifies, and how many branches the bounds leave it: the fewest."""
        chosen, fewest = None, 1_000_000
        holds = self._structure.holds
        for fact in self._facts.facts:
            if not isinstance(fact, Disjunction) or fact in path:
                continue
            if any(all(holds(term) is value for term, value in literals) for literals in fact.branches):
                continue
            left = sum(1 for literals in fact.branches if not self._contradicted(literals))
            if left <= 1:
                return fact, left
            if left < fewest:
                chosen, fewest = fact, left
        return chosen, fewest

    def _contradicted(self, literals: tuple[Literal, ...]) -> bool:
        return any(self._refutes(literal) for literal in literals)

    def _refutes(self, literal: Literal) -> bool:
        """Whether single bounds contradict a literal."""
        known = self._refuted.get(literal)
        if known is None:
            known = False
            for fact in self._facts.lower(*literal):
                if isinstance(fact, Form):
                    known = self._arithmetic.contradicts(fact)
                else:
                    known = all(map(self._contradicted, fact.branches))
                if known:
                    break
            self._refuted[literal] = known
        return known

    def case(self, fact: Disjunction) -> Move:
        """One branch a branch of the disjunction."""

        def make(naming: Naming) -> Callable[[list[Refutation]], Refutation]:
            number = naming.fact(fact)
            return lambda children: Case(number, tuple(children))

        return Move(fact.branches, make, fact, facts=(fact,))

    # Rows for EXISTS

    def single_opens(self) -> Iterator[Move]:
        """Rows for what certainly exists in one way only."""
        return (move for move in self.opens() if len(move.branches) == 1)

    def opens(self) -> Iterator[Move]:
        """Rows for what certainly exists, unless rows of the branch will do."""
        for unknown in self._unknowns(Operator.EXISTS):
            if self._arithmetic.bounds(unknown)[0] and not self._structure.exists(unknown):
                yield self.open(unknown)

    def open(self, unknown: Term) -> Move:
        """Rows for the slots of each monomial, with its condition."""
        first = len(self._facts.rows)
        sources: list[tuple[Term, ...]] = []
        branches: list[tuple[Literal, ...]] = []
        for monomial in unknown.arguments[0].arguments:
            opened, condition = self._theory.opened(monomial, first)
            sources.append(opened)
            branches.append(((condition, True),))
        fact = next(
            fact
            for fact in self._facts.facts
            if isinstance(fact, Form) and fact.constant == 1 and dict(fact.coefficients) == {unknown: -1}
        )

        def make(naming: Naming) -> Callable[[list[Refutation]], Refutation]:
            number = naming.fact(fact)
            return lambda children: Open(number, tuple(children))

        return Move(tuple(branches), make, ("open", unknown), tuple(sources), facts=(fact,))

    # Nodes that add one formula

    def uses(self) -> Iterator[Move]:
        """Instances of what certainly does not exist."""
        for unknown in self._unknowns(Operator.EXISTS):
            if self._arithmetic.bounds(unknown)[1]:
                for index, monomial in enumerate(unknown.arguments[0].arguments):
                    for terms in instances(self._structure, monomial):
                        yield self._use(unknown, index, terms)

    def _use(self, unknown: Term, index: int, terms: tuple[Term, ...]) -> Move:
        formula = self._theory.use(unknown, index, terms)
        return self._adding(
            formula,
            ("use", unknown, index, terms),
            (unknown,),
            terms,
            lambda naming: (Use, (naming.unknown(unknown), index, tuple(map(naming.term, terms)))),
        )

    def applications(self, one: Term, other: Term) -> Move:
        """Two unknowns apply one function to equal arguments."""
        formula = self._theory.apply(one, other)
        return self._adding(
            formula,
            ("apply", one, other),
            (one, other),
            (),
            lambda naming: (Apply, (naming.unknown(one), naming.unknown(other))),
        )

    def keys(self) -> Iterator[Move]:
        """Two rows of one table that agree on a key, but not on all columns that matter."""
        structure = self._structure
        for source, rows in structure.rows.items():
            for key_number, key in enumerate(self._theory.keys(source)):
                seen: dict[tuple[object, ...], Term] = {}
                for row in rows:
                    values = tuple(structure.leaf(project(row, column)) for column in key)
                    if None in values:
                        continue
                    known = seen.setdefault(values, row)
                    if known is not row and self._differ(known, row):
                        yield self._key(source, known, row, key_number)

    def _differ(self, one: Term, other: Term) -> bool:
        for first, second in self._theory.columns(one, other):
            if self._structure.leaf(first) != self._structure.leaf(second):
                return True
        return False

    def _key(self, source: Term, one: Term, other: Term, key: int) -> Move:
        formula = self._theory.key(source, one, other, key)
        return self._adding(
            formula,
            ("key", one, other, key),
            (),
            (one, other),
            lambda naming: (Key, (naming.row_number(one), naming.row_number(other), key)),
        )

    def checks(self) -> Iterator[Move]:
        """CHECK constraints that a row violates."""
        for number, source in enumerate(self._facts.rows):
            row = self._theory.row(number, source)
            for check in range(self._theory.checks(source)):
                formula = self._theory.check(row, source, check)
                if not self._structure.holds(formula):
                    yield self._adding(
                        formula,
                        ("check", row, check),
                        (),
                        (row,),
                        lambda naming, row=row, check=check: (Check, (naming.row_number(row), check)),
                    )

    def members(self) -> Iterator[Move]:
        """What the rows of a block have by its definition."""
        for number, source in enumerate(self._facts.rows):
            if source.operator in BLOCKS:
                row = self._theory.row(number, source)
                formula = self._theory.member(row, source)
                if not self._structure.holds(formula):
                    yield self._adding(
                        formula,
                        ("member", row),
                        (),
                        (row,),
                        lambda naming, row=row: (Member, (naming.row_number(row),)),
                    )

    def foreign(self) -> Iterator[Move]:
        """Rows that foreign keys refer to, in tables that some binder of the branch mentions."""
        wanted = {source for unknown in self._facts.unknowns for source in self._theory.sources(unknown)}
        for number, source in enumerate(self._facts.rows):
            row = self._theory.row(number, source)
            for index, target in enumerate(self._theory.foreign_tables(source)):
                if target in wanted:
                    formula = self._theory.foreign(row, source, index)
                    if not self._structure.holds(formula):
                        yield self._adding(
                            formula,
                            ("foreign", row, index),
                            (),
                            (row,),
                            lambda naming, row=row, index=index: (Foreign, (naming.row_number(row), index)),
                        )

    def extrema(self) -> Iterator[Move]:
        """Extrema that are not attained, and values beyond them."""
        structure = self._structure
        for unknown in self._unknowns(Operator.EXTREMUM):
            value = structure.leaf(unknown)
            minimum = unknown.parameter == "min"
            attained = False
            for index, monomial in enumerate(unknown.arguments[0].arguments):
                for terms in instances(structure, monomial):
                    head = structure.value(monomial.arguments[-1], terms)
                    attained = attained or head == value
                    if head < value if minimum else head > value:
                        yield self._use(unknown, index, terms)
            if not attained:
                formula = self._theory.extremum(unknown)
                yield self._adding(
                    formula,
                    ("extremum", unknown),
                    (unknown,),
                    (),
                    lambda naming, unknown=unknown: (Extremum, (naming.unknown(unknown),)),
                )

    def signs(self) -> Iterator[Move]:
        """Sums that are 0 though something is added, or not though nothing is."""
        for unknown in self._unknowns(Operator.SUM):
            evidence = self._nonnegative(unknown, tuple(self._facts.rows))
            formula = self._theory.sign(unknown, evidence is not None)
            if not self._structure.holds(formula):
                yield self._adding(
                    formula,
                    ("sign", unknown),
                    (unknown,),
                    (),
                    lambda naming, unknown=unknown, evidence=evidence: (Sign, (naming.unknown(unknown), evidence)),
                )

    def lemma_applies(self, lemma: Lemma) -> bool:
        """Whether a lemma says something new about unknowns of the branch."""
        difference = total((1, self._facts.form(lemma.left)), (-1, self._facts.form(lemma.right)))
        if any(unknown not in self._facts.unknowns for unknown in difference.coefficients):
            return False
        values = ((self._structure.leaf(unknown), part) for unknown, part in difference.coefficients.items())
        return sum(value * part for value, part in values) + difference.constant != 0

    def lemma(self, lemma: Lemma, source: Source) -> Move:
        """An equation that has been proved."""
        difference = total((1, self._facts.form(lemma.left)), (-1, self._facts.form(lemma.right)))
        unknowns = tuple(difference.coefficients)

        def name(naming: Naming) -> tuple[Callable[..., Any], tuple[Any, ...]]:
            renewed = source.renewed(lemma, naming)
            pairs = tuple((naming.unknown(unknown), int(difference.coefficients[unknown])) for unknown in unknowns)
            numbers = tuple(naming.facts.literals.index(literal) for literal in renewed.hypotheses)
            return proved, (pairs, numbers, len(renewed.rows), renewed.proof)

        lowered = {fact for literal in lemma.hypotheses for fact in self._facts.lower(*literal)}
        kept = tuple(fact for fact in self._facts.facts if fact in lowered)
        move = self._adding(
            equal(lemma.left, lemma.right), ("lemma", lemma), unknowns, (lemma.left, lemma.right), name
        )
        return replace(move, facts=kept)

    def _unknowns(self, operator: Operator) -> list[Term]:
        return [unknown for unknown in self._facts.unknowns if unknown.operator is operator]

    def _adding(
        self,
        formula: Term,
        identity: object,
        unknowns: tuple[Term, ...],
        terms: tuple[Term, ...],
        name: Callable[[Naming], tuple[Callable[..., Any], tuple[Any, ...]]],
    ) -> Move:
        """A node that adds one formula; `name` gives its class and all its fields but the last, `rest`."""

        def make(naming: Naming) -> Callable[[list[Refutation]], Refutation]:
            node, fields = name(naming)
            return lambda children: node(*fields, *children)

        rows = frozenset(row for term in terms for row in term.rows)
        return Move((((formula, True),),), make, identity, unknowns=unknowns, rows=rows)


def _last(same: Mapping[Term, Term], term: Term) -> Term:
    while term in same:
        term = same[term]
    return term
