"""Subqueries of both statements that return the same rows on random databases are proved equal, and named (untrusted).

As circuits are compared by points where they agree (Kuehlmann and Krohm, 1997; Mishchenko et al., 2005): the subqueries
of both sides are run by the reference interpreter; where two return the same, in some columns, and one has a boundary
below, the smallest are tried first. A proof makes them one table, of which nothing else is known. So several changes of
one long statement are proved one after the other. Conditions are put as low as they go before, and columns that nothing
above reads are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Final

from tallystick.core.clock import clock
from tallystick.core.errors import TallystickError
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.expressions import And, Expression, Literal, WithQuery
from tallystick.core.queries.interpreter.evaluation import rows_of
from tallystick.core.queries.syntax import (
    Aggregate,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    SetOperation,
    Window,
    reference,
    references,
)
from tallystick.core.queries.traversal import expressions_of, inputs, nodes, parts
from tallystick.core.queries.types import BOOLEAN, DECIMAL, TEXT, SqlRow, SqlValue
from tallystick.decision.queries.counterexamples.draws import Draws
from tallystick.decision.queries.structure.boundaries import boundary, conjuncts, substituted
from tallystick.decision.queries.structure.search import SIDES, StructureSearch
from tallystick.decision.queries.time_limits import OutOfTimeError

DATABASES, DRAWN = 16, 240
"""On so many databases, of so many that are drawn, all subqueries are run: those on which the statements return most
rows, and then those with most rows. Two that return the same there are run on all others."""
STEPS: Final = 60_000
"""Steps of the interpreter for one subquery on one database."""
FEWEST: Final = 2
"""So many rows, on all databases together, say something."""
ONE_PART: Final = 0.6
"""The part of the time that is left for the proof that two subqueries are equal."""

Pairs = tuple[tuple[int, int], ...]
"""Columns of two subqueries that hold the same."""


@dataclass(frozen=True)
class Candidate:
    """A subquery, the columns that are read of it, and its rows on each database."""

    query: Query
    read: tuple[int, ...]
    rows: tuple[tuple[SqlRow, ...], ...]
    size: int

    @property
    def counts(self) -> tuple[int, ...]:
        """How many rows it has on each database."""
        return tuple(map(len, self.rows))

    def column(self, place: int) -> object:
        """What a column holds, in any order of rows."""
        return self.query.columns[place].type, tuple(
            frozenset(Counter(r[place] for r in rows).items()) for rows in self.rows
        )

    def projected(self, places: tuple[int, ...]) -> list[Counter[SqlRow]]:
        """Its rows, in some columns."""
        return [Counter(tuple(row[place] for place in places) for row in rows) for rows in self.rows]


class Sweep:
    """Makes two statements smaller, step by step of a search for their structure."""

    def __init__(self, search: StructureSearch, draws: Draws) -> None:
        self.search = search
        self.rewriter = search.rewriter
        self.tried: set[tuple[int, int]] = set()
        self.draws = draws

    @cached_property
    def databases(self) -> list[dict[str, tuple[SqlRow, ...]]]:
        """Random databases, those on which most can be seen first."""
        drawn = [dict(self.draws.draw(number)) for number in range(DRAWN)]
        return sorted(drawn, key=self.telling, reverse=True)

    def steps(self) -> Iterator[None]:
        """Names one subquery after the other, and yields after each."""
        for side in SIDES:
            self.push(side)
            self.search.prepare(side)
        while self.step():
            yield

    def rows(self, query: Query, database: Database) -> list[SqlRow]:
        """What a query returns; raises OutOfTimeError when the time of the search is over."""
        if clock() > self.search.deadline:
            raise OutOfTimeError
        return rows_of(query, database, STEPS)

    def telling(self, database: Database) -> tuple[int, int]:
        """How many rows the statements return, and how many there are."""
        try:
            found = sum(len(self.rows(self.rewriter.sides[side], database)) for side in SIDES)
        except TallystickError:
            found = 0
        return found, sum(map(len, database.values()))

    def push(self, side: str) -> None:
        """Puts conditions as low as they go."""
        tried: set[int] = set()
        found = True
        while found:
            found = False
            for node in nodes(self.rewriter.sides[side]):
                if isinstance(node, Filter) and not node.free and id(node) not in tried:
                    tried.add(id(node))
                    new = pushed_down(node)
                    if new is not node and new.columns == node.columns and self.search.exchange(side, node, new, ()):
                        found = True
                        break

    def step(self) -> bool:
        """Names a subquery that both sides have; whether there is one."""
        subqueries = [self.subqueries(side) for side in SIDES]
        if not all(subqueries):
            return False
        left, right = ([*self.candidates(side, found)] for side, found in zip(SIDES, subqueries, strict=True))
        found: list[tuple[Candidate, Candidate, Pairs]] = []
        for one, other in product(left, right):
            columns = matched(one, other) if one.counts == other.counts else None
            if columns is not None and (id(one.query), id(other.query)) not in self.tried:
                found.append((one, other, columns))
        for one, other, columns in in_turn(found):
            if clock() < self.search.deadline:
                self.tried.add((id(one.query), id(other.query)))
                if self.merge(one, other, columns):
                    return True
        return False

    def merge(self, one: Candidate, other: Candidate, columns: Pairs) -> bool:
        """Names what two subqueries have in common, if there is a proof that it is the same."""
        search = self.search
        left = self.kept(one.query, tuple(place for place, _ in columns))
        right = self.kept(other.query, tuple(place for _, place in columns))
        try:
            if not self.agree(left, right):
                return False
            for side, same, old in (("right", left, right), ("left", right, left)):
                new = search.typed(same, old)
                if new is None:
                    continue
                if not self.equal(new, old, ONE_PART * (search.deadline - clock())):
                    return False
                for place, (where, each, kept) in enumerate((("left", one.query, left), ("right", other.query, right))):
                    places = tuple(pair[place] for pair in columns)
                    if not self.pad(where, each, kept, places):
                        return False
                if new is not old and not search.exchange(side, old, new, ()):
                    return False
                scan = search.name(same)
                for database in self.databases:
                    database[scan.table] = tuple(self.rows(same, database))
                return True
        except TallystickError as error:
            search.log.append(f"{type(error).__name__}: {error}")
        return False

    def agree(self, left: Query, right: Query) -> bool:
        """Whether two subqueries return the same on all databases."""
        return all(
            Counter(self.rows(left, database)) == Counter(self.rows(right, database)) for database in self.databases
        )

    def equal(self, new: Query, old: Query, seconds: float) -> bool:
        """Whether there is a proof that two subqueries are equal: the search remembers it."""
        new, old = self.rewriter.shared(new), self.rewriter.shared(old)
        return new is old or self.search.provable(old, new, seconds)

    def kept(self, query: Query, places: tuple[int, ...]) -> Query:
        """Some columns of a subquery; of groups by all their keys, groups."""
        shared: Query = self.rewriter.shared(query)
        own = references(shared)
        return (
            shared
            if places == tuple(range(len(own)))
            else self.rewriter.shared(Project(shared, tuple(own[p] for p in places)))
        )

    def pad(self, side: str, query: Query, kept: Query, places: tuple[int, ...]) -> bool:
        """Exchanges a subquery for what is kept of it, with constants for columns that nothing reads."""
        if kept is self.rewriter.shared(query):
            return True
        at = {place: reference(kept, number) for number, place in reversed(list(enumerate(places)))}
        cells = [at.get(place) or filler(column) for place, column in enumerate(query.columns)]
        root: Query = self.rewriter.sides[side]
        padded = self.rewriter.shared(Project(kept, tuple(cells)))
        new = self.rewriter.shared(root, {id(self.rewriter.shared(query)): padded})
        return self.search.exchange(side, root, new, ())

    def subqueries(self, side: str) -> list[tuple[Query, int]]:
        """The closed subqueries with boundaries below, and how many queries they are made of."""
        root: Query = self.rewriter.sides[side]
        found = []
        for node in nodes(root):
            if isinstance(node, Query) and node is not root and not node.free:
                below = [each for each in nodes(node) if isinstance(each, Query)]
                if any(boundary(each) is not None for each in below):
                    found.append((node, len(below)))
        return found

    def candidates(self, side: str, subqueries: list[tuple[Query, int]]) -> Iterator[Candidate]:
        """Subqueries of which something is read, and what they return."""
        used = columns_read(self.rewriter.sides[side])
        for node, size in subqueries:
            read = tuple(sorted(used.get(id(node), ())))
            try:
                rows = tuple(tuple(self.rows(node, database)) for database in self.databases[:DATABASES])
            except TallystickError:
                continue
            if read and sum(map(len, rows)) >= FEWEST:
                yield Candidate(node, read, rows, size)


def in_turn(found: list[tuple[Candidate, Candidate, Pairs]]) -> list[tuple[Candidate, Candidate, Pairs]]:
    """Pairs of subqueries, small ones first; of those that return the same the largest first: what is done above, such
    as a condition that no row breaks on these databases, belongs to what is to be proved."""

    def said(one: Candidate, columns: Pairs) -> frozenset[object]:
        return frozenset(one.column(place) for place, _ in columns)

    smallest: dict[frozenset[object], int] = {}
    for one, other, columns in found:
        key = said(one, columns)
        smallest[key] = min(one.size + other.size, smallest.get(key, one.size + other.size))
    return sorted(found, key=lambda each: (smallest[said(each[0], each[2])], -each[0].size - each[1].size))


def matched(one: Candidate, other: Candidate) -> Pairs | None:
    """Columns of two subqueries, all that are read among them, in which they return the same; None if they do not."""
    mine = [one.column(place) for place in range(len(one.query.columns))]
    theirs = [other.column(place) for place in range(len(other.query.columns))]
    pairs: dict[tuple[int, int], None] = {}
    for place in one.read:
        partners = [each for each, column in enumerate(theirs) if column == mine[place]]
        if not partners:
            return None
        pairs[place, min(partners, key=lambda each: (each not in other.read, each))] = None
    for place in other.read:
        if all(theirs_ != place for _, theirs_ in pairs):
            partners = [each for each, column in enumerate(mine) if column == theirs[place]]
            if not partners:
                return None
            pairs[partners[0], place] = None
    found = tuple(sorted(pairs))
    same = one.projected(tuple(mine_ for mine_, _ in found)) == other.projected(tuple(theirs_ for _, theirs_ in found))
    return found if same else None


def columns_read(root: Query) -> dict[int, set[int]]:
    """The columns of each query in another that something above reads, by the identity of the query."""
    read: dict[int, set[int]] = {}
    waiting: list[tuple[Query, set[int]]] = [(root, set(range(len(root.columns))))]
    while waiting:
        node, wanted = waiting.pop()
        known = read.get(id(node))
        if known is not None and wanted <= known:
            continue
        wanted = wanted | (known or set())
        read[id(node)] = wanted
        waiting += _read_below(node, wanted)
        inner = (part for expression in expressions_of(node) for part in parts(expression))
        waiting += [(p.query, set(range(len(p.query.columns)))) for p in inner if isinstance(p, WithQuery)]
    return read


def _read_below(node: Query, wanted: set[int]) -> list[tuple[Query, set[int]]]:
    match node:
        case Filter(below, condition):
            return [(below, wanted | _mentioned(condition))]
        case Project(below, expressions):
            return [(below, _mentioned(*(expressions[place] for place in wanted)))]
        case Join(_, left, right, condition):
            width = len(left.columns)
            both = wanted | _mentioned(condition)
            own = set(range(width)) if node.lateral else {place for place in both if place < width}
            return [(left, own), (right, {place - width for place in both if place >= width})]
        case Aggregate(below):
            return [(below, _mentioned(*expressions_of(node)))]
        case Window(below, _):
            own = {place for place in wanted if place < len(below.columns)}
            return [(below, own | _mentioned(*expressions_of(node)))]
        case Limit(below):
            return [(below, wanted | _mentioned(*expressions_of(node)))]
        case SetOperation("union", True, left, right):
            return [(left, wanted), (right, wanted)]
        case _:
            return [(below, set(range(len(below.columns)))) for below in inputs(node)]


def _mentioned(*expressions: Expression) -> set[int]:
    return {each.index for expression in expressions for each in expression.free if each.level == 0}


def pushed_down(node: Query) -> Query:
    """A filter with each of its conditions as low as it goes, without a change of what is returned."""
    if not isinstance(node, Filter):
        return node
    below, rest = node.input, list[Expression]()
    for condition in conjuncts(node.condition):
        lower = None if _asks(condition) else _below(below, condition)
        if lower is None:
            rest.append(condition)
        else:
            below = lower
    if below is node.input:
        return node
    return Filter(below, And(tuple(rest)) if len(rest) > 1 else rest[0]) if rest else below


def _below(query: Query, condition: Expression) -> Query | None:
    """A query with a condition on its rows somewhere below; None where that is not the same."""
    places = {each.index for each in condition.free if each.level == 0}
    match query:
        case Filter(below, _):
            lower = _below(below, condition)
            return None if lower is None else replace(query, input=lower)
        case Project(below, expressions):
            if any(_asks(expressions[place]) for place in places):
                return None
            return replace(query, input=_on(below, substituted(condition, lambda own: expressions[own.index])))
        case Join(kind, left, right) if not query.lateral:
            width = len(left.columns)
            if places and kind in ("inner", "left", "semi", "anti") and all(place < width for place in places):
                return replace(query, left=_on(left, condition))
            if kind == "inner" and places and all(place >= width for place in places):
                own = substituted(condition, lambda each: replace(each, index=each.index - width))
                return replace(query, right=_on(right, own))
    return None


def _on(query: Query, condition: Expression) -> Query:
    """The rows of a query on which a condition holds, tested as low as it goes."""
    return _below(query, condition) or Filter(query, condition)


def _asks(expression: Expression) -> bool:
    return any(isinstance(part, WithQuery) for part in parts(expression))


def filler(column: object) -> Literal:
    """A constant for a column that nothing reads."""
    value: SqlValue = None
    if not column.nullable:  # type: ignore[attr-defined]
        value = {BOOLEAN: False, DECIMAL: Fraction(0), TEXT: ""}.get(column.type, 0)  # type: ignore[attr-defined]
    return Literal(value, column.type)  # type: ignore[attr-defined]
