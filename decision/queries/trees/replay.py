"""Refutations found by the search, and their numbering for the checker (untrusted).

While it searches, a node names facts, unknowns and rows by themselves. Nodes that turned out superfluous are dropped,
so rows and facts get other numbers than the search gave them: a replay on the checker's own `Facts` renames rows and
finds facts by their content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tallystick.certificates.evidence import Farkas, Refutation, Split
from tallystick.certificates.facts import Fact, Facts
from tallystick.certificates.forms import ONE, Form, Literal, tightened, total
from tallystick.certificates.search.simplex import Conflict
from tallystick.core.binders import element_type
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, row
from tallystick.decision.queries.trees.slots import remake

Key = tuple[object, ...]


class RenumberingError(Exception):
    """What a plan names does not exist on the checker's branch, where superfluous nodes are left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A node that the search can put on a branch.

    Attributes:
        branches: the literals assumed on each of its branches.
        sources: for each branch, the sources of the rows that it makes.
        facts: the facts, `unknowns` the unknowns and `rows` the rows that the node names.
        make: given names, the function that makes the node of the refutations of its branches.
        identity: equal for moves that would do the same.
    """

    branches: tuple[tuple[Literal, ...], ...]
    make: Callable[[Naming], Callable[[list[Refutation]], Refutation]]
    identity: object
    sources: tuple[tuple[Term, ...], ...] = ()
    facts: tuple[Fact, ...] = ()
    unknowns: tuple[Term, ...] = ()
    rows: frozenset[Term] = frozenset()


@dataclass(slots=True, eq=False)
class Node:
    """A move with the refutations of its branches; `made` has the rows that each branch makes."""

    move: Move
    branches: list[Plan]
    used: set[object]
    made: tuple[tuple[Term, ...], ...] = ()


@dataclass(slots=True, eq=False)
class SplitNode:
    """unknown ≤ bound or unknown ≥ bound + 1."""

    unknown: Term
    bound: int
    branches: list[Plan]
    used: set[object]


@dataclass(slots=True, eq=False)
class Leaf:
    """A combination of atoms that is contradictory."""

    combination: Conflict
    used: set[object] = field(default_factory=set)


Plan = Node | SplitNode | Leaf
"""Each with `used`: the facts and rows of the branch that it relies on."""


class Naming:
    """The numbers of facts, unknowns and rows on a branch of the checker's."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._rows: dict[Term, Term] = {}
        self._renamed: dict[Term, Term] = {}
        self._numbers: dict[Key, int] = {}

    def term(self, term: Term) -> Term:
        """A term of the search in terms of the checker's rows."""
        if not self._rows:
            return term
        known = self._renamed.get(term)
        if known is None:
            known = self._rows.get(term) or (
                remake(term, tuple(map(self.term, term.arguments))) if term.arguments else term
            )
            self._renamed[term] = known
        return known

    def fact(self, fact: Fact) -> int:
        """The number of a fact."""
        number = self._numbers.get(self._key(fact, rename=True))
        if number is None:
            raise RenumberingError("a fact is lost where superfluous nodes are left out")
        return number

    def literal(self, literal: Literal) -> int:
        """The number of a fact that stands for a literal of the checker's."""
        for number, fact in enumerate(self.facts.facts):
            if fact.origin == literal:
                return number
        raise RenumberingError("a literal is lost where superfluous nodes are left out")

    def known(self, term: Term) -> Term:
        """An unknown in terms of the checker's rows: of a product, the one with its factors."""
        renamed = self.term(term)
        if renamed not in self.facts.unknowns and renamed.operator is Operator.MULTIPLY:
            coefficients = self.facts.form(renamed).coefficients
            return next(iter(coefficients)) if len(coefficients) == 1 else renamed
        return renamed

    def unknown(self, term: Term) -> int:
        """The number of an unknown."""
        number = self.facts.unknowns.get(self.known(term))
        if number is None:
            raise RenumberingError("an unknown is lost where superfluous nodes are left out")
        return number

    def row_number(self, row: Term) -> int:
        """The number of a row."""
        parameter: Any = self.term(row).parameter
        return parameter[0]

    def _key(self, fact: Fact, rename: bool) -> Key:
        name: Callable[[Term], Term] = self.term if rename else (lambda term: term)
        if isinstance(fact, Form):
            pairs = frozenset((name(unknown), part) for unknown, part in fact.coefficients.items())
            return (pairs, fact.constant, fact.strict)
        return tuple(tuple((name(term), holds) for term, holds in branch) for branch in fact.branches)

    def note(self, start: int) -> list[Key]:
        """Number the facts from number `start` on; the keys that are new."""
        new: list[Key] = []
        for number in range(start, len(self.facts.facts)):
            key = self._key(self.facts.facts[number], rename=False)
            if key not in self._numbers:
                self._numbers[key] = number
                new.append(key)
        return new

    def forget(self, keys: Iterable[Key]) -> None:
        """Forget numbers that belong to a branch that is left."""
        for key in keys:
            del self._numbers[key]

    @contextmanager
    def renamed(self, old: tuple[Term, ...], new: tuple[Term, ...]) -> Iterator[None]:
        """Inside, let rows of the search be rows of the checker."""
        rows, terms = self._rows, self._renamed
        changed = {one: other for one, other in zip(old, new, strict=True) if rows.get(one, one) is not other}
        if changed:
            self._rows, self._renamed = {**rows, **changed}, {}
        yield
        self._rows, self._renamed = rows, terms


def numbered(facts: Facts, literals: tuple[Literal, ...], sources: tuple[Term, ...], plan: Plan) -> Refutation:
    """The refutation that a plan stands for, replayed on `facts`; its literals are about rows of some more sources."""
    made = tuple(row(len(facts.rows) + place, element_type(source)) for place, source in enumerate(sources))
    return _Replay(facts).under(literals, sources, made, plan)


class _Replay:
    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._naming = Naming(facts)

    def under(
        self, literals: Iterable[Literal], sources: tuple[Term, ...], made: tuple[Term, ...], plan: Plan
    ) -> Refutation:
        """`plan`, numbered on the branch with some more rows and literals."""
        facts, naming = self._facts, self._naming
        start = len(facts.facts)
        with facts.branch():
            rows = tuple(facts.add_row(naming.term(source)) for source in sources)
            with naming.renamed(made, rows):
                facts.assume(*((naming.term(term), holds) for term, holds in literals))
                new = naming.note(start)
                result = self._node(plan)
        naming.forget(new)
        return result

    def _node(self, plan: Plan) -> Refutation:
        match plan:
            case Node(move, branches, _, made):
                finish = move.make(self._naming)
                sources = move.sources or ((),) * len(branches)
                parts = zip(move.branches, sources, made or ((),) * len(branches), branches, strict=True)
                return finish([self.under(*part) for part in parts])
            case SplitNode(unknown, bound, (below, above), _):
                number = self._naming.unknown(unknown)
                atoms = split_atoms(self._naming.term(unknown), bound)
                first, second = [self._under_fact(*pair) for pair in zip(atoms, (below, above), strict=True)]
                return Split(((number, 1),), bound, first, second)
            case Leaf(combination):
                numbers = [(self._naming.fact(atom), multiplier) for atom, multiplier in combination]
                return Farkas(tuple(sorted(numbers)))
        raise TypeError(f"no plan: {plan!r}")

    def _under_fact(self, fact: Fact, plan: Plan) -> Refutation:
        start = len(self._facts.facts)
        with self._facts.branch():
            self._facts.add(fact)
            new = self._naming.note(start)
            result = self._node(plan)
        self._naming.forget(new)
        return result


def split_atoms(unknown: Term, bound: int) -> tuple[Form, Form]:
    """unknown ≤ bound, and unknown ≥ bound + 1."""
    below = total((-bound, ONE), (1, Form({unknown: 1}, 0)))
    return tightened(below), tightened(total((-1, below), (1, ONE)))
