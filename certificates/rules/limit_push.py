"""LIMIT-PUSH: a LIMIT below a LIMIT that looks at no more rows is of no account (THEORY-SQL section 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from tallystick.certificates.judgements import Goal, Judgement, Premise, Requirements, Subgoal, related
from tallystick.certificates.rules.matching import chosen, opened
from tallystick.core.binders import (
    Instance,
    bind,
    element_type,
    exists,
    fresh_rows,
    in_scope,
    instantiate,
    limit,
    slots_of,
    summation,
)
from tallystick.core.errors import KernelError
from tallystick.core.operators import Operator
from tallystick.core.terms import TRUE, Term, conjunction, disjunction, equal, implies, project, row
from tallystick.core.types import BOOL, TupleType


@dataclass(frozen=True, slots=True)
class KeysAgree:
    """The rows that are made from a row have its order keys."""

    monomial: int
    inner: int

    def __str__(self) -> str:
        return f"monomial {self.monomial} keeps the order keys of inner monomial {self.inner}"


@dataclass(frozen=True, slots=True)
class RowsExist:
    """At least one row is made from each row below the inner LIMIT."""

    inner: int

    def __str__(self) -> str:
        return f"at least one row is made from each of inner monomial {self.inner}"


@dataclass(frozen=True, slots=True)
class LimitPush:
    """
    x̄, z̄; φ, ψ[f] ⊢ keys(h[f]) ≐ keys(f)    x̄; φ ⊢ ⋁ Ex(z̄ | ψ[f])    for each ⟨x̄ | φ ↦ f⟩ of A
    Γ; Δ ⊢ L(Σ ⟨z̄, y: A | ψ ↦ h⟩ ⊎ R) ≡ C
    -----------------------------------------------------------------------------------------  LIMIT-PUSH
    Γ; Δ ⊢ L(Σ ⟨z̄, y: L'(A) | ψ ↦ h⟩ ⊎ R) ≡ C

    under Γ and Δ everywhere, where L' takes as many first rows as L looks at, or more, in the same order, and h begins
    with the columns of y that are no keys. All LIMITs of a certificate break ties by one order of rows, column by
    column from the first on. A row y that L' leaves out comes after as many rows as L looks at, or is equal to some of
    them; each of these makes a row, and the least one comes before all that y makes, or is equal to the least of these:
    L does without y.

    Fails when the side is no LIMIT of a summation, or the slots named do not range over one LIMIT, over the rows of Δ.

    Attributes:
        side: on which L stands.
        slots: the monomial and the slot of each y, by ascending monomials, one slot of each.
    """

    side: Literal["left", "right"]
    slots: tuple[tuple[int, int], ...]

    def requirements(self, goal: Judgement) -> Requirements:
        """The premises for each ⟨x̄ | φ ↦ f⟩, and the goal without L'."""
        goal = related(goal)
        places = [at for at, _ in self.slots]
        if self.side not in ("left", "right") or not places or places != sorted(set(places)):
            raise KernelError("LIMIT-PUSH names a side, and slots of monomials in ascending order")
        side = goal.left if self.side == "left" else goal.right
        monomials, (count, skipped, directions) = _limited(side)
        inner = {_source(goal, chosen(monomials, at), slot, len(directions)) for at, slot in self.slots}
        below, (most, offset, same) = _limited(inner.pop())
        if inner or None in (count, most) or offset or most < skipped + count or same != directions:
            raise KernelError("the slots range over one LIMIT of the first rows, of enough of them, in the same order")
        premises: list[Premise] = []
        pushed: dict[int, list[Term]] = {at: [] for at in places}
        for number, each in enumerate(below):
            rows = fresh_rows(each, len(goal.rows))
            start, found = instantiate(each, rows), list[Term]()
            known = conjunction(goal.hypothesis, start.condition)
            for at, slot in self.slots:
                more, made = _made(monomials[at], slot, start.head, len(goal.rows) + len(rows))
                sources = (*start.sources, *made.sources)
                both = zip(*(_keys(head, len(directions)) for head in (start.head, made.head)), strict=True)
                agree = implies(conjunction(known, made.condition), conjunction(*(equal(*pair) for pair in both)))
                premises.append(Premise(KeysAgree(at, number), agree, sources))
                found.append(exists(summation((bind(more, made.sources, made.condition, TRUE),), BOOL)))
                condition = conjunction(start.condition, made.condition)
                pushed[at].append(bind((*rows, *more), sources, condition, made.head))
            premises.append(Premise(RowsExist(number), implies(known, disjunction(*found)), start.sources))
        parts = [part for at, one in enumerate(monomials) for part in pushed.get(at, [one])]
        changed = limit(summation(parts, element_type(side)), count, skipped, directions)
        rest = replace(goal, left=changed) if self.side == "left" else replace(goal, right=changed)
        return Requirements(tuple(premises), (Subgoal("rest", rest),), (("ties", "by columns"),))


def _limited(term: Term) -> tuple[tuple[Term, ...], Any]:
    """The monomials below a LIMIT; its count, offset and directions."""
    if term.operator is not Operator.LIMIT or term.arguments[0].operator is not Operator.SUMMATION:
        raise KernelError("LIMIT-PUSH is about a LIMIT of a summation, and one below it")
    return term.arguments[0].arguments, term.parameter


def _source(goal: Goal, monomial: Term, slot: object, keys: int) -> Term:
    """The source of a slot y, over the rows in scope, where the head begins with the columns of y before its keys."""
    first = len(goal.rows)
    whole = opened(monomial, first)
    if type(slot) is not int or not 0 <= slot < slots_of(monomial) or not in_scope(goal.rows, whole.sources[slot]):
        raise KernelError(f"there is no slot {slot} with a source over the rows in scope")
    y, own = row(first + slot, element_type(whole.sources[slot])), _own(whole.head, keys)
    for column in range(_own(y, keys)):
        made = project(whole.head, column) if column < own else TRUE
        if project(y, column) is not (made.arguments[0] if made.operator is Operator.SOME else made):
            raise KernelError("the rows that are made do not begin with the columns of the row that they are made from")
    return whole.sources[slot]


def _made(monomial: Term, slot: int, head: Term, first: int) -> tuple[tuple[Term, ...], Instance]:
    """The rows z̄, from number `first` on, and ⟨z̄ | ψ[f] ↦ h[f]⟩ over them, where f is `head`."""
    others = [source for place, source in enumerate(monomial.arguments[:-2]) if place != slot]
    rows = tuple(row(first + place, element_type(source)) for place, source in enumerate(others))
    whole = instantiate(monomial, (*rows[:slot], head, *rows[slot:]))
    return rows, replace(whole, sources=(*whole.sources[:slot], *whole.sources[slot + 1 :]))


def _own(head: Term, keys: int) -> int:
    """How many columns a row has before its order keys."""
    width = len(head.type.components) if isinstance(head.type, TupleType) else 0
    if width < max(keys, 1):
        raise KernelError("LIMIT-PUSH is about rows that have the order keys as columns")
    return width - keys


def _keys(head: Term, keys: int) -> list[Term]:
    """The last columns."""
    behind = _own(head, keys)
    return [project(head, behind + place) for place in range(keys)]
