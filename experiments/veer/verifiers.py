"""The verifiers of Veer's evaluation, as published: EQUITAS and SPES, with their restrictions.

EQUITAS (R1 to R6 of section 4.2) is the one made anew in `experiments/equitas`, with its errata mended. SPES is asked
for what table 3 gives it: selections, projections and joins with linear conditions, as bags. For such queries it looks
for a bijection between the tables of both, under which conditions and columns are the same (Zhou, Arulraj, Navathe,
Harris, Wu: SPES, ICDE 2022). Both believe Z3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, permutations, product

import z3
from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.expressions import Arithmetic, Expression, Function, Literal, WithQuery
from tallystick.core.queries.syntax import Aggregate, Filter, Join, Project, Query, Scan, Statement
from tallystick.core.queries.traversal import nodes
from tallystick.dataflow.veer.relations import Relation
from tallystick.experiments.equitas.construction import Construction, Renaming
from tallystick.experiments.equitas.containment import equivalent_as_sets
from tallystick.experiments.equitas.representation import UnsupportedError, all_same
from tallystick.frontends.workflows.functions import stands_for_function

DEPENDS_ON_CARDINALITY = ("count", "sum", "avg")
MOST_BIJECTIONS = 200
"""At most so many bijections between the tables of two queries are tried."""


@dataclass(frozen=True)
class Equitas:
    """EQUITAS."""

    seconds: float = 2.0

    name = "EQUITAS"
    relation = Relation.SET
    monotone = False

    def restriction(self, left: Statement, right: Statement) -> str:
        """Which of R2 to R6 a pair breaks; "" if none. R1, set semantics, is what `relation` says."""
        found = [list(nodes(side.query)) for side in (left, right)]
        for side in (left, right):
            broken = _not_plain(side, ("inner", "left", "right", "full"), aggregates=True)
            if broken:
                return broken
        outer, groups = ([_count(each, kind) for each in found] for kind in ("outer", "aggregate"))
        if outer[0] != outer[1]:
            return "R4: the queries have differently many outer joins"
        if groups[0] != groups[1]:
            return "R5: the queries have differently many aggregates"
        return next(filter(None, (_r6(side.query) for side in (left, right))), "")

    def equal(self, left: Statement, right: Statement, catalogue: Catalogue) -> bool:
        """Whether it shows that two statements return the same set."""
        try:
            return equivalent_as_sets(left, right, self.seconds)
        except UnsupportedError:
            return False


@dataclass(frozen=True)
class Spes:
    """SPES, on selections, projections and joins."""

    seconds: float = 2.0

    name = "SPES"
    relation = Relation.BAG
    monotone = True

    def restriction(self, left: Statement, right: Statement) -> str:
        """What a pair has besides selections, projections and joins with linear conditions."""
        return next(filter(None, (_not_plain(side, ("inner",), aggregates=False) for side in (left, right))), "")

    def equal(self, left: Statement, right: Statement, catalogue: Catalogue) -> bool:
        """Whether a bijection between the tables makes conditions and columns the same."""
        literals = (each for each in nodes(left.query, right.query) if isinstance(each, Literal))
        texts = sorted({each.value for each in literals if isinstance(each.value, str)})
        try:
            for renaming in islice(_bijections(left.query, right.query), MOST_BIJECTIONS):
                sides = Construction("l ", texts, {}, False), Construction("r ", texts, renaming, False)
                one, other = sides[0].construct(left.query), sides[1].construct(right.query)
                solver = z3.Solver()
                solver.set("timeout", int(1000 * self.seconds))
                same = z3.And(one.cond == other.cond, z3.Implies(one.cond, all_same(one.cols, other.cols)))
                solver.add(one.assign, other.assign, z3.Not(same))
                if solver.check() == z3.unsat:
                    return True
        except (UnsupportedError, z3.Z3Exception):
            return False
        return False


def _bijections(left: Query, right: Query) -> Iterator[Renaming]:
    """The ways to let each table that the right query scans be one of those that the left one scans."""
    counts = [Counter(node.table for node in _scans(query)) for query in (left, right)]
    if counts[0] != counts[1]:
        return
    orders = []
    for table, size in counts[1].items():
        orders.append([[((table, i), number) for i, number in enumerate(each)] for each in permutations(range(size))])
    for chosen in product(*orders):
        yield dict(pair for part in chosen for pair in part)


def _scans(query: Query) -> Iterator[Scan]:
    """The scans of a query, each as often as it occurs."""
    match query:
        case Scan():
            yield query
        case Join():
            yield from _scans(query.left)
            yield from _scans(query.right)
        case Filter() | Project() | Aggregate():
            yield from _scans(query.input)
        case _:
            return


def _not_plain(side: Statement, joins: tuple[str, ...], aggregates: bool) -> str:
    """What a statement has besides selections, projections and joins with linear conditions, and aggregates."""
    if side.order:
        return "R2: Sort is not supported"
    for node in nodes(side.query):
        match node:
            case Scan(table) if stands_for_function(table):
                return "R2: a function of the user's is not supported"
            case Scan() | Filter() | Project():
                pass
            case Join() if node.kind in joins and not node.lateral:
                pass
            case Aggregate() if aggregates and node.grouping_sets is None:
                if not all(isinstance(call, AggregateCall) and not call.opaque for call in node.calls):
                    return "R2: an aggregate function is not supported"
            case _ if isinstance(node, WithQuery):
                return "R2: subqueries are not supported"
            case Arithmetic("*", one, other) if not isinstance(one, Literal) and not isinstance(other, Literal):
                return "R3: a product is not linear"
            case Function():
                return f"R3: the function {node.name} is not linear"
            case _ if isinstance(node, Query):
                return f"R2: {type(node).__name__} is not supported"
            case _:
                pass
    return ""


def _count(found: list[Query | Expression], kind: str) -> int:
    if kind == "aggregate":
        return sum(isinstance(node, Aggregate) for node in found)
    return sum(isinstance(node, Join) and node.kind != "inner" for node in found)


def _r6(query: Query) -> str:
    """R6: below an aggregate that depends on cardinalities are only selections, projections, joins, of tables that are
    scanned once."""
    for node in nodes(query):
        if isinstance(node, Aggregate) and any(
            isinstance(call, AggregateCall) and call.function in DEPENDS_ON_CARDINALITY for call in node.calls
        ):
            below = list(nodes(node.input))
            if any(isinstance(each, Aggregate) or (isinstance(each, Join) and each.kind != "inner") for each in below):
                return "R6: below an aggregate is another, or an outer join"
            tables = Counter(scan.table for scan in _scans(node.input))
            if any(times > 1 for times in tables.values()):
                return "R6: below an aggregate, a table is scanned twice"
    return ""
