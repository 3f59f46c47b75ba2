"""Statements step by step: a subquery gives way to an equal one, or becomes a table of which nothing else is known.

Only closed subqueries are exchanged and named: they have one bag of rows wherever they stand. Equal subqueries are made
one object first, so that a subquery is found wherever it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from tallystick.certificates.annotations import names_of
from tallystick.certificates.budget import Budget
from tallystick.certificates.judgements import Goal
from tallystick.certificates.proving import prove
from tallystick.certificates.queries.kernel import goal_of
from tallystick.certificates.queries.proofs import Exchange, Pull, Rewriting
from tallystick.core.errors import KernelError
from tallystick.core.operators import Operator
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.claims import require_claim, require_tables
from tallystick.core.queries.compilation.bags import Spend
from tallystick.core.queries.compilation.queries import Queries
from tallystick.core.queries.compilation.tables import relations
from tallystick.core.queries.nodes import QueryNode, Scan, Statement
from tallystick.core.terms import TRUE, Term, subterms

if TYPE_CHECKING:
    from tallystick.core.queries.syntax import Query

EMPTY: Final[Mapping[int, Any]] = MappingProxyType({})


class Rewriter:
    """Two queries that change, and the tables that stand for subqueries of theirs."""

    def __init__(self, left: Statement, right: Statement, catalogue: Catalogue, spend: Spend) -> None:
        self.catalogue = catalogue
        require_claim(left, right, catalogue)
        self.spend = spend
        self.named: list[tuple[Scan, Query]] = []
        self._made: dict[object, Any] = {}
        self._queries: dict[int, frozenset[int]] = {}
        self._shared: dict[int, tuple[Any, Any]] = {}
        self._compiler = Queries(catalogue, spend)
        self.sides: dict[str, Query] = {"left": self.shared(left.query), "right": self.shared(right.query)}

    def shared(self, query: Query, exchanged: Mapping[int, Query] = EMPTY) -> Any:
        """The query made of nodes that are one object where they are equal; from the leaves on, nodes give way to
        those that `exchanged` has for their identities: nodes have identities of their own while they are kept here."""
        done = {} if exchanged else self._shared

        def visit(value: Any) -> Any:
            if isinstance(value, tuple):
                return tuple(map(visit, value))
            if not is_dataclass(value):
                return value
            inside = self._queries.get(id(value))
            if inside is not None and inside.isdisjoint(exchanged):
                return value
            if id(value) not in done:
                self.spend(1)
                old = [getattr(value, name) for name in names_of(type(value))]
                new = list(map(visit, old))
                same = all(one is other for one, other in zip(old, new, strict=True))
                made = self._made.setdefault((type(value), _key(tuple(new))), value if same else type(value)(*new))
                if id(made) not in self._queries:
                    found = frozenset[int]().union(*(self._queries[id(part)] for part in _parts(new)))
                    self._queries[id(made)] = found | {id(made)} if isinstance(made, QueryNode) else found
                done[id(value)] = value, exchanged.get(id(made), made)
            return done[id(value)][1]

        return visit(query)

    def exchange(self, side: str, old: Query, new: Query) -> None:
        """Puts `new` in the place of `old` wherever it stands on a side; that they are equal is for others to show."""
        if old.free or new.free or old.columns != new.columns:
            raise KernelError("subqueries that are exchanged have the same columns, and no references to rows around")
        require_tables(self.catalogue, old, new)
        self.sides[side] = self.shared(self.sides[side], {id(self.shared(old)): self.shared(new)})

    def name(self, query: Query) -> Scan:
        """Makes a subquery a table on both sides. Groups (one, by nothing) and rows without duplicates have a key."""
        if query.free:
            raise KernelError("a subquery that is named has no references to rows around")
        require_tables(self.catalogue, query)  # by now: no definition is about itself
        columns = [Column(f"column {place}", of.type, of.nullable) for place, of in enumerate(query.columns)]
        node: Any = query
        kind, keys = type(node).__name__, ()
        if kind == "Distinct" or (kind == "Aggregate" and node.grouping_sets is None):
            keys = (tuple(range(len(columns if kind == "Distinct" else node.keys))),)
        table = Table(f"subquery {len(self.named)}", tuple(columns), keys)
        self.catalogue = Catalogue((*self.catalogue.tables, table))  # raises SortError where the name is taken
        scan = self.shared(table.scan())
        self.named.append((scan, self.shared(query)))
        self.sides = {side: self.shared(root, {id(self.named[-1][1]): scan}) for side, root in self.sides.items()}
        return scan

    def form(self, query: Query, numbers: tuple[int, ...]) -> Term:
        """The normal form of a query with subqueries again in the place of the tables with these numbers. It is made
        once: tables that are named later change nothing that it reads."""
        query = self.shared(query)
        for number in sorted(numbers, reverse=True):
            if not 0 <= number < len(self.named):
                raise KernelError(f"no subquery has the number {number}")
            scan, definition = self.named[number]
            query = self.shared(query, {id(scan): definition})
        self._compiler.bags.catalogue = self.catalogue
        return self._compiler.alone(query)


def rewritten(
    left: Statement, right: Statement, catalogue: Catalogue, proof: Rewriting, budget: Budget
) -> frozenset[str]:
    """The oracles behind a proof by REWRITING that two statements return the same.

    Σ ⊢ nf(qᵢ) ≡ nf(qᵢ')  for each exchange of qᵢ for qᵢ'    Σ, T ⊢ nf(left') ≡ nf(right')
    --------------------------------------------------------------------------------------  REWRITING
    Σ ⊢ left ≡ right

    left' and right' have the exchanged subqueries, and tables T in the place of those that are named: the claim about
    them is for all rows of T, so for those of the subqueries: a query depends on the bags of its subqueries alone.
    Conditions on groups and partitions may be pulled out of them: see `pulling`. What is said of how LIMIT breaks ties
    is said of tables of Σ: see `require_ties_of_tables`.

    Fails when a subquery is not closed, when columns differ, when a name is taken, and like `prove`.
    """
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
    require_ties_of_tables(catalogue, budget)
    return oracles | rest.oracles


def require_ties_of_tables(catalogue: Catalogue, budget: Budget) -> None:
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


def _key(part: object) -> object:
    """What tells a part of a node apart from others: nodes by identity, True from 1 by the type."""
    if isinstance(part, tuple):
        return tuple(map(_key, part))
    return id(part) if is_dataclass(part) else (type(part), part)


def _parts(value: object) -> Iterator[Any]:
    """The nodes that a field holds."""
    if isinstance(value, tuple | list):
        for part in value:
            yield from _parts(part)
    elif is_dataclass(value):
        yield value
