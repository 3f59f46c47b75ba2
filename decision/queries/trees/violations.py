"""What the structure of an open branch violates, and the nodes that would use it (untrusted).

Each method looks for one kind of violation. A node that adds a formula takes the formula from the checker (`added`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from tallystick.certificates.evidence import (
    Added,
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
from tallystick.certificates.evidence import Lemma as LemmaNode
from tallystick.certificates.facts import Disjunction, Facts
from tallystick.certificates.forms import Form, Literal
from tallystick.certificates.instances import added
from tallystick.core.binders import fresh_rows, instantiate
from tallystick.core.errors import TallystickError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, equal, is_none, project, value_of
from tallystick.core.types import OptionType
from tallystick.decision.queries.trees.arithmetic import QueryArithmetic
from tallystick.decision.queries.trees.instances import instances
from tallystick.decision.queries.trees.lemma_source import Lemma, Source
from tallystick.decision.queries.trees.replay import Move, Naming
from tallystick.decision.queries.trees.structure import Structure
from tallystick.decision.queries.trees.theory import Theory, column_of

NOTHING: Any = None
"""In the place of what refutes the rest of a branch, while a node is asked only for the formula that it adds."""
BLOCKS = (Operator.LIMIT, Operator.EXCEPT_ALL, Operator.INTERSECT_ALL)


Nonnegative = Callable[[Term, Facts], tuple[Refutation, ...] | None]
"""Evidence that no head of a SUM's monomials is negative where its condition holds, if there is some."""


class Violations:
    """Violations of one structure."""

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
        monomials = unknown.arguments[0].arguments
        opened = [instantiate(monomial, fresh_rows(monomial, first)) for monomial in monomials]
        branches = [((instance.condition, True),) for instance in opened]
        sources = [instance.sources for instance in opened]
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
                        yield from self._use(unknown, index, terms)

    def _use(self, unknown: Term, index: int, terms: tuple[Term, ...]) -> Iterator[Move]:
        return self._adding(
            lambda naming: Use(naming.unknown(unknown), index, tuple(map(naming.term, terms)), NOTHING),
            ("use", unknown, index, terms),
            (unknown,),
            terms,
        )

    def applications(self, one: Term, other: Term) -> Iterator[Move]:
        """Two unknowns apply one function to equal arguments, or are products of equal factors."""
        return self._adding(
            lambda naming: Apply(naming.unknown(one), naming.unknown(other), NOTHING),
            ("apply", one, other),
            (one, other),
        )

    def agreeing(self, clashes: list[tuple[Term, Term]]) -> Iterator[Move]:
        """Functions with two values for equal arguments."""
        return (move for one, other in clashes for move in self.applications(one, other))

    def keys(self) -> Iterator[Move]:
        """Two rows of one table that agree on a key, but not on all columns that matter."""
        structure = self._structure
        for source, rows in structure.rows.items():
            for number, key in enumerate(self._theory.keys(source)):
                seen: dict[tuple[object, ...], Term] = {}
                for row in rows:
                    values = tuple(structure.leaf(project(row, column)) for column in key)
                    if None in values:
                        continue
                    known = seen.setdefault(values, row)
                    if known is not row and self._differ(known, row):
                        yield from self._key(known, row, number)

    def _differ(self, one: Term, other: Term) -> bool:
        leaf = self._structure.leaf
        return any(leaf(first) != leaf(second) for first, second in self._theory.columns(one, other))

    def _key(self, one: Term, other: Term, key: int) -> Iterator[Move]:
        return self._adding(
            lambda naming: Key(naming.row_number(one), naming.row_number(other), key, NOTHING),
            ("key", one, other, key),
            (),
            (one, other),
        )

    def checks(self) -> Iterator[Move]:
        """Checks of columns that the branch mentions, which a row violates."""
        mentioned = set(map(column_of, self._facts.unknowns))
        return self._checks(lambda columns: not mentioned.isdisjoint(columns))

    def other_checks(self) -> Iterator[Move]:
        """All checks that a row violates: of other columns they say nothing that a branch needs, but values to try."""
        return self._checks(lambda columns: True)

    def _checks(self, wanted: Callable[[frozenset[Term]], bool]) -> Iterator[Move]:
        for number, source in enumerate(self._facts.rows):
            row = self._theory.row(number, source)
            for check, (formula, columns) in enumerate(self._theory.checks(source, row)):
                if wanted(columns) and not self._structure.holds(formula):
                    yield from self._adding(
                        lambda naming, row=row, check=check: Check(naming.row_number(row), check, NOTHING),
                        ("check", row, check),
                        (),
                        (row,),
                    )

    def members(self) -> Iterator[Move]:
        """What the rows of a block have by its definition."""
        for number, source in enumerate(self._facts.rows):
            if source.operator in BLOCKS:
                row = self._theory.row(number, source)
                yield from self._violated(
                    lambda naming, row=row: Member(naming.row_number(row), NOTHING), ("member", row), (), (row,)
                )

    def foreign(self) -> Iterator[Move]:
        """Rows that foreign keys refer to, in tables that some binder of the branch's facts mentions."""
        wanted = {source for term in self._terms() for source in self._theory.sources(term)}
        for number, source in enumerate(self._facts.rows):
            row = self._theory.row(number, source)
            for key, target in enumerate(self._theory.foreign_tables(source)):
                if target in wanted:
                    yield from self._violated(
                        lambda naming, row=row, key=key: Foreign(naming.row_number(row), key, NOTHING),
                        ("foreign", row, key),
                        (),
                        (row,),
                    )

    def _terms(self) -> Iterator[Term]:
        """What the facts of the branch are about: the unknowns of its atoms, and what its disjunctions say."""
        yield from self._facts.unknowns
        for fact in self._facts.facts:
            if isinstance(fact, Disjunction):
                yield fact.origin[0]

    def extrema(self) -> Iterator[Move]:
        """Extrema that are not attained, and values beyond them."""
        structure = self._structure
        for unknown in self._unknowns(Operator.EXTREMUM):
            value = structure.leaf(unknown)
            least = unknown.parameter == "min"
            attained = False
            for index, monomial in enumerate(unknown.arguments[0].arguments):
                for terms in instances(structure, monomial):
                    head = structure.value(monomial.arguments[-1], terms)
                    attained = attained or head == value
                    if head < value if least else head > value:
                        yield from self._use(unknown, index, terms)
            if not attained:
                yield from self._adding(
                    lambda naming, unknown=unknown: Extremum(naming.unknown(unknown), NOTHING),
                    ("extremum", unknown),
                    (unknown,),
                )

    def signs(self) -> Iterator[Move]:
        """Sums that are 0 though something is added, or not though nothing is."""
        for unknown in self._unknowns(Operator.SUM):
            yield from self._violated(
                lambda naming, unknown=unknown: Sign(
                    naming.unknown(unknown), self._nonnegative(naming.term(unknown), naming.facts), NOTHING
                ),
                ("sign", unknown),
                (unknown,),
            )

    def _violated(
        self,
        node: Callable[[Naming], Added],
        identity: object,
        unknowns: tuple[Term, ...] = (),
        terms: tuple[Term, ...] = (),
    ) -> Iterator[Move]:
        """The node, if the structure violates the formula that it adds."""
        for move in self._adding(node, identity, unknowns, terms):
            (((formula, _),),) = move.branches
            if not self._structure.holds(formula):
                yield move

    def _adding(
        self,
        node: Callable[[Naming], Added],
        identity: object,
        unknowns: tuple[Term, ...] = (),
        terms: tuple[Term, ...] = (),
    ) -> Iterator[Move]:
        """A node that adds one formula, unless the checker refuses it; `node` makes it without its rest."""
        try:
            formula = added(self._facts, node(Naming(self._facts)))
        except TallystickError:
            return

        def make(naming: Naming) -> Callable[[list[Refutation]], Refutation]:
            made = node(naming)
            return lambda children: replace(made, rest=children[0])

        rows = frozenset(row for term in terms for row in term.rows)
        yield Move((((formula, True),),), make, identity, unknowns=unknowns, rows=rows)

    def lemma_applies(self, lemma: Lemma) -> bool:
        """Whether a lemma says something new about an unknown of the branch."""
        if self._part(lemma.left) is None:
            return False
        return self._structure.leaf(lemma.left) != self._structure.value(lemma.right)

    def _part(self, term: Term) -> Term | None:
        """An unknown of the branch that a term is, or that is read from it."""
        parts = (is_none(term), value_of(term)) if isinstance(term.type, OptionType) else (term,)
        return next((part for part in parts if part in self._facts.unknowns), None)

    def lemma(self, lemma: Lemma, source: Source) -> Move:
        """An equation that has been proved."""
        unknown = self._part(lemma.left)
        assert unknown is not None

        def make(naming: Naming) -> Callable[[list[Refutation]], Refutation]:
            renewed = source.renewed(lemma, naming)
            number, count = naming.unknown(unknown), len(renewed.rows)
            hypotheses = tuple(map(naming.literal, renewed.hypotheses))
            return lambda children: LemmaNode(number, renewed.right, count, hypotheses, renewed.proof, children[0])

        wanted = set(lemma.hypotheses)
        kept = tuple(fact for fact in self._facts.facts if fact.origin in wanted)
        return Move(
            (((equal(lemma.left, lemma.right), True),),),
            make,
            ("lemma", lemma),
            facts=kept,
            unknowns=(unknown,),
            rows=lemma.left.rows | lemma.right.rows,
        )

    def _unknowns(self, operator: Operator) -> list[Term]:
        return [unknown for unknown in self._facts.unknowns if unknown.operator is operator]
