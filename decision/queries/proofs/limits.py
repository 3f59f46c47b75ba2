"""Rules about LIMIT: over all columns of the rows that it is made from, and without a LIMIT below (untrusted).

Two LIMITs that differ in the columns that they hand on become one and the same by rule LIMIT-MAP, a step of the chase:
what is computed from the columns, or left out of them, is moved out of the LIMIT. LIMITs in the branches of a UNION
ALL, or in an outer join, below a LIMIT that looks at no more rows, are left out by rule LIMIT-PUSH.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tallystick.certificates.evidence import Refutation
from tallystick.certificates.judgements import Goal
from tallystick.certificates.rules.limit_push import LimitPush
from tallystick.core.binders import bind, element_type, limit, summation
from tallystick.core.operators import Operator
from tallystick.core.terms import TRUE, Term, project, row, tuple_of
from tallystick.core.types import TupleType
from tallystick.decision.queries.proofs.classes import Classes
from tallystick.decision.queries.trees.lemma_source import Missing
from tallystick.decision.queries.trees.opened import Opened, opened
from tallystick.decision.queries.trees.slots import replaced
from tallystick.decision.queries.trees.theory import Theory

if TYPE_CHECKING:
    from tallystick.decision.queries.proofs.proving import Prover

LENGTH = 16
"""Widened rows have a multiple of so many columns."""


@dataclass(frozen=True, slots=True)
class Widened:
    """B' and f of rule LIMIT-MAP."""

    bag: Term
    image: Term


def limited(source: Term) -> Term | None:
    """The only monomial of the bag of a LIMIT."""
    if source.operator is not Operator.LIMIT:
        return None
    monomials = source.arguments[0].arguments
    return monomials[0] if len(monomials) == 1 else None


def widened(source: Term, monomial: Term, first: int, number: int) -> Widened | None:
    """The rows of a LIMIT's `monomial` with all their columns, and what the LIMIT's rows are of row `number`.

    None if they have these columns already, or there is none. Rows from number `first` on are fresh. Constants make the
    rows longer than the LIMIT's own, and mostly as long as those of other LIMITs over the same rows.
    """
    parameter: Any = source.parameter
    keys = len(parameter[2])
    inner = opened(monomial, first)
    of = inner.head.type
    if not isinstance(of, TupleType):
        return None
    cells = [project(inner.head, index) for index in range(len(of.components))]
    places = sorted(range(len(inner.rows)), key=lambda place: (repr(inner.sources[place])[:60], place))
    columns = [column for place in places for column in _columns(inner.rows[place])]
    own, ordered = cells[: len(cells) - keys], cells[len(cells) - keys :]
    if own[: len(columns)] == columns and own[len(columns) :] == [TRUE] * max(len(own) - len(columns), 1):
        return None
    length = max(len(cells), len(columns) + keys) // LENGTH * LENGTH + LENGTH
    wide = (*columns, *[TRUE] * (length - keys - len(columns)), *ordered)
    bag = summation((bind(inner.rows, inner.sources, inner.condition, tuple_of(*wide)),), tuple_of(*wide).type)  # type: ignore[arg-type]
    new = row(number, element_type(limit(bag, *parameter)))
    values = {column: project(new, index) for index, column in enumerate(columns)}
    for each in inner.rows:
        if isinstance(each.type, TupleType):
            values[each] = tuple_of(*(values[column] for column in _columns(each)))
    computed = [replaced(cell, values) for cell in own]
    kept = [project(new, len(wide) - keys + index) for index in range(keys)]
    return Widened(bag, tuple_of(*computed, *kept))


def pushes(goal: Goal, prover: Prover) -> Iterator[tuple[LimitPush, tuple[Refutation, ...], Goal]]:
    """Steps of rule LIMIT-PUSH on a side of a goal between two LIMITs: with their evidence, and what is left."""
    sides: tuple[tuple[Literal["left", "right"], Term], ...] = (("left", goal.left), ("right", goal.right))
    for side, term in sides:
        if term.operator is not Operator.LIMIT:
            continue
        places: dict[Term, dict[int, int]] = {}
        for number, monomial in enumerate(term.arguments[0].arguments):
            for slot, source in enumerate(opened(monomial, len(goal.rows)).sources):
                if source.operator is Operator.LIMIT:
                    places.setdefault(source, {}).setdefault(number, slot)
        for slots in places.values():
            rule = LimitPush(side, tuple(slots.items()))
            found = prover.evidence(goal, rule)
            required = None if isinstance(found, Missing) else rule.requirements(goal)
            if required is not None and prover.may_choose(required.choices):
                prover.choices.update(required.choices)
                yield rule, found, required.subgoals[0].goal  # type: ignore[misc]


def _columns(each: Term) -> list[Term]:
    of = each.type
    return [project(each, index) for index in range(len(of.components))] if isinstance(of, TupleType) else [each]


def rows_of_limits(theory: Theory, monomial: Opened, classes: Classes, first: int) -> Iterator[tuple[int, Opened]]:
    """Rows of tables that a row of a LIMIT holds: their positions, and the monomial without them."""
    for place, (holder, source) in enumerate(zip(monomial.rows, monomial.sources, strict=True)):
        made = limited(source)
        if made is None:
            continue
        inner = opened(made, first)
        cells = {project(inner.head, index): project(holder, index) for index in range(len(holder.type.components))}  # type: ignore[union-attr]
        for position, (other, table) in enumerate(zip(monomial.rows, monomial.sources, strict=True)):
            if position == place or not theory.keys(table):
                continue
            for inside, inner_source in zip(inner.rows, inner.sources, strict=True):
                pairs = list(zip(_columns(other), _columns(inside), strict=False))
                if inner_source is not table or not all(own in cells for _, own in pairs):
                    continue
                held = [cells[own] for _, own in pairs]
                if any(all(classes.same(project(other, i), held[i]) for i in key) for key in theory.keys(table)):
                    values = dict(zip((column for column, _ in pairs), held, strict=True))
                    values[other] = tuple_of(*held)
                    yield position, monomial.without(position).substituted(values)
