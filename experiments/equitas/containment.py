"""Containment of queries by their representations (sections 3.2.1 and 4.2), and what follows: equivalence as sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations, product
from time import monotonic
from typing import Any, Final

import z3
from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.expressions import Literal
from tallystick.core.queries.syntax import Aggregate, Join, Query, Scan, Statement
from tallystick.core.queries.traversal import inputs, nodes
from tallystick.core.queries.types import SqlType
from tallystick.experiments.equitas.construction import Construction, Renaming
from tallystick.experiments.equitas.representation import (
    Independent,
    Representation,
    UnsupportedError,
    all_same,
    same,
)

MOST_RENAMINGS: Final = 24
"""At most so many ways to let the tables of one query stand for those of the other are tried."""
CARDINALITY_DOES_NOT_MATTER: Final = ("min", "max")


def equivalent_as_sets(left: Statement, right: Statement, seconds: float = 10.0, *, printed: bool = False) -> bool:
    """Whether EQUITAS shows that two queries return the same set of rows.

    Args:
        left, right: the queries; an ORDER BY at the top means nothing to a set.
        seconds: for all questions to Z3.
        printed: the rules to the letter, without what is missing there (see `published.ERRATA`).

    Raises UnsupportedError for queries with other operators.
    """
    deadline = monotonic() + seconds
    texts = sorted(
        {str(each.value) for each in nodes(left.query, right.query) if isinstance(each, Literal) and _is_text(each)}
    )
    for renaming in islice(_renamings(left.query, right.query), MOST_RENAMINGS):
        sides = [Construction("l ", texts, {}, printed), Construction("r ", texts, renaming, printed)]
        ones = [side.construct(query) for side, query in zip(sides, (left.query, right.query), strict=True)]
        comparison = Comparison(deadline, printed)
        for one in sides[0].independent:
            for other in sides[1].independent:
                comparison.relate(one, other)
        if comparison.contains(ones[0], ones[1]) and comparison.contains(ones[1], ones[0]):
            return True
        if monotonic() > deadline:
            return False
    return False


def _is_text(literal: Literal) -> bool:
    return literal.type is SqlType.TEXT and literal.value is not None


def _renamings(left: Query, right: Query) -> Iterator[Renaming]:
    """Ways to number the occurrences of tables on the right, the one in order first.

    The tables of both queries have to be the same: what only one of them reads would be an arbitrary tuple.
    """
    counts = [Counter(_scans(query)) for query in (left, right)]
    if set(counts[0]) != set(counts[1]):
        raise UnsupportedError("tables that only one of the queries reads")
    orders = []
    for table, size in counts[1].items():
        width = max(size, counts[0][table])
        orders.append([[((table, i), number) for i, number in enumerate(p)] for p in permutations(range(width), size)])
    for chosen in product(*orders):
        yield dict(pair for part in chosen for pair in part)


def _scans(query: Query) -> Iterator[str]:
    if isinstance(query, Scan):
        yield query.table
    for each in inputs(query):
        yield from _scans(each)


class Comparison:
    """The questions about one pair; `constraints` are the relational constraints that were derived."""

    def __init__(self, deadline: float, printed: bool) -> None:
        self.deadline, self.printed = deadline, printed
        self.constraints: list[Any] = []

    def valid(self, formula: Any) -> bool:
        """Whether Z3 shows, within the time, that a formula follows from the constraints."""
        solver = z3.Solver()
        solver.set("timeout", max(1, int(1000 * (self.deadline - monotonic()))))
        solver.add(*self.constraints, z3.Not(formula))
        return solver.check() == z3.unsat

    def contains(self, larger: Representation, smaller: Representation) -> bool:
        """Both properties of section 3.2.1: COND of the smaller implies that of the larger, with the same tuple."""
        if len(larger.cols) != len(smaller.cols) or not larger.scans <= smaller.scans:
            return False
        known = z3.And(larger.assign, smaller.assign, smaller.cond)
        if any(one.value.sort() != other.value.sort() for one, other in zip(larger.cols, smaller.cols, strict=True)):
            return False
        return self.valid(z3.Implies(known, larger.cond)) and self.valid(
            z3.Implies(z3.And(known, larger.cond), all_same(larger.cols, smaller.cols))
        )

    def relate(self, one: Independent, other: Independent) -> None:
        """Relational constraints between the independent variables of two operators (section 4.2)."""
        match one.node, other.node:
            case Aggregate(), Aggregate():
                self._aggregates(one, other)
            case Join(kind=kind), Join(kind=same_kind) if kind == same_kind:
                for side in (0, 1):
                    self._no_match(one, other, side)
                    self._no_match(other, one, side)
            case _:
                return

    def _no_match(self, one: Independent, other: Independent, side: int) -> None:
        """No match in `one` implies no match in `other`, for tuples of the given side.

        The paper asks for containments alone; without equal keys the rule is unsound.
        """
        kept, padding = one.inputs[side], one.inputs[1 - side]
        others, its_padding = other.inputs[side], other.inputs[1 - side]
        if not self.contains(others, kept) or not self.contains(padding, its_padding):
            return
        given = z3.And(kept.cond, others.cond, its_padding.cond, other.key)
        if self.printed or self.valid(z3.Implies(given, one.key)):
            self.constraints.append(z3.Implies(one.variables[side], other.variables[side]))

    def _aggregates(self, one: Independent, other: Independent) -> None:
        """Equal aggregates: the same calls, groups and inputs; as bags, unless duplicates do not matter."""
        [left], [right] = one.inputs, other.inputs
        if len(one.groups) != len(other.groups):
            return
        if not (
            self._same_rows(left, right)
            and self._together(left, right, list(zip(one.groups, other.groups, strict=True)))
        ):
            return
        for place, call in enumerate(_calls(one)):
            for its_place, its_call in enumerate(_calls(other)):
                key = (call.function, call.distinct, call.rounding, len(call.arguments))
                if key != (its_call.function, its_call.distinct, its_call.rounding, len(its_call.arguments)):
                    continue
                simple = left.simple and right.simple and left.scans == right.scans
                if not (simple or call.distinct or call.function in CARDINALITY_DOES_NOT_MATTER):
                    continue
                pairs = list(zip(one.arguments[place], other.arguments[its_place], strict=True))
                if self._together(left, right, pairs):
                    self.constraints.append(same(one.variables[place], other.variables[its_place]))

    def _same_rows(self, left: Representation, right: Representation) -> bool:
        """The same choices of tuples of tables make a row on both sides."""
        if left.scans != right.scans:
            return False
        known = z3.And(left.assign, right.assign)
        return self.valid(z3.Implies(known, left.cond == right.cond))

    def _together(self, left: Representation, right: Representation, pairs: list[Any]) -> bool:
        if any(one.value.sort() != other.value.sort() for one, other in pairs):
            return False
        known = z3.And(left.assign, right.assign, left.cond, right.cond)
        return self.valid(z3.Implies(known, z3.And([same(*pair) for pair in pairs])))


def _calls(of: Independent) -> tuple[AggregateCall, ...]:
    assert isinstance(of.node, Aggregate)
    return tuple(call for call in of.node.calls if isinstance(call, AggregateCall))
