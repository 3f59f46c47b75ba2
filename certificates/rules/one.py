"""ONE: rows that exist at most once need not be counted, but only to exist (THEORY-SQL section 4, generalised)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tallystick.certificates.judgements import Goal, Judgement, Premise, Requirements, Subgoal, related
from tallystick.certificates.rules.matching import chosen
from tallystick.core.binders import (
    Instance,
    beyond,
    bind,
    element_type,
    exists,
    fresh_rows,
    instantiate,
    slots_of,
    summation,
)
from tallystick.core.errors import KernelError
from tallystick.core.operators import Operator
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    build,
    conjunction,
    disjunction,
    equal,
    implies,
    is_none,
    negation,
    project,
    row,
)
from tallystick.core.types import BOOL, OptionType


@dataclass(frozen=True, slots=True)
class Unique:
    """At most one choice of the rows in question satisfies the larger monomial's condition."""

    def __str__(self) -> str:
        return "the rows exist at most once"


@dataclass(frozen=True, slots=True)
class HeadsAgree:
    """Both monomials have the same head."""

    def __str__(self) -> str:
        return "both monomials have the same head"


@dataclass(frozen=True, slots=True)
class Necessary:
    """Where the larger monomial's condition holds, so does the smaller one's."""

    def __str__(self) -> str:
        return "the larger monomial's condition implies the smaller one's"


@dataclass(frozen=True, slots=True)
class Sufficient:
    """Where the smaller monomial's condition holds, there are rows that satisfy the larger one's."""

    def __str__(self) -> str:
        return "the smaller monomial's condition implies that the rows exist"


@dataclass(frozen=True, slots=True)
class One:
    """
    x̄, ȳ, ȳ'; χ, χ[ȳ'] ⊢ ȳ ~ ȳ'    x̄, ȳ; χ ⊢ h ≐ h'    x̄, ȳ; χ ⊢ χ'    x̄; χ' ⊢ Ex(ȳ | χ)
    Γ; Δ ⊢ B[M'] ≡ C
    -------------------------------------------------------------------------------------  ONE
    Γ; Δ ⊢ B[M] ≡ C

    under Γ and Δ everywhere, where M is ⟨x̄, ȳ | χ ↦ h⟩ and M' is ⟨x̄ | χ' ↦ h'⟩, or, if `opening`, the other way
    round. For each x̄ there is then one choice of ȳ, of weight 1, if χ' holds, and otherwise none.

    ȳ ~ ȳ' says that both are one row of weight 1: rows of a table agree on the columns of a key, none of them NULL;
    slots that range over every value are ≐; a block of at most one row says so itself, if it mentions no row of ȳ.

    Fails when the monomials do not have the sources x̄, ȳ and x̄, in particular when a block of x̄ mentions a row of ȳ.

    Attributes:
        side: on which B stands: a bag, or a SUM or an EXTREMUM of one.
        monomial: the number of M in B.
        replacement: M'.
        slots: which slots of the larger monomial are ȳ, in ascending order.
        opening: whether the larger monomial replaces the smaller one.
    """

    side: Literal["left", "right"]
    monomial: int
    replacement: Term
    slots: tuple[int, ...]
    opening: bool

    def requirements(self, goal: Judgement) -> Requirements:
        """The premises above the line, the first only where there are rows ȳ; and the goal with M replaced."""
        goal = related(goal)
        if self.side not in ("left", "right"):
            raise KernelError("a goal has a left and a right side")
        side = goal.left if self.side == "left" else goal.right
        wrapped = side.operator in (Operator.SUM, Operator.EXTREMUM)
        bag = side.arguments[0] if wrapped else side
        if bag.operator is not Operator.SUMMATION or self.replacement.operator is not Operator.MONOMIAL:
            raise KernelError("ONE replaces a monomial of a bag, or of a sum or extremum over one, by a monomial")
        present = chosen(bag.arguments, self.monomial)
        large, small = (self.replacement, present) if self.opening else (present, self.replacement)
        premises = _premises(goal, large, small, self.slots)
        monomials = (*bag.arguments[: self.monomial], self.replacement, *bag.arguments[self.monomial + 1 :])
        changed = summation(monomials, element_type(bag))
        replaced = build(side.operator, (changed,), side.parameter) if wrapped else changed
        rest = replace(goal, left=replaced) if self.side == "left" else replace(goal, right=replaced)
        return Requirements(premises, (Subgoal("rest", rest),))


def _premises(goal: Goal, large: Term, small: Term, slots: tuple[int, ...]) -> tuple[Premise, ...]:
    size, first, known = slots_of(large), len(goal.rows), goal.hypothesis
    if any(type(slot) is not int for slot in slots) or [*slots] != sorted({*slots} & {*range(size)}):
        raise KernelError(f"{slots} are no slots of a monomial that has {size}, in ascending order")
    kept = [slot for slot in range(size) if slot not in slots]
    rows = fresh_rows(large, first)
    whole, part = instantiate(large, rows), instantiate(small, tuple(rows[slot] for slot in kept))
    if tuple(whole.sources[slot] for slot in kept) != part.sources:
        raise KernelError("the rows that both monomials have come from the same sources")
    holds = conjunction(known, whole.condition)
    premises = (_unique(goal, large, rows, whole, slots),) if slots else ()
    return (
        *premises,
        Premise(HeadsAgree(), implies(holds, equal(whole.head, part.head)), whole.sources),
        Premise(Necessary(), implies(holds, beyond(holds, part.condition)), whole.sources),
        _sufficient(goal, large, small, kept, slots),
    )


def _unique(goal: Goal, large: Term, rows: tuple[Term, ...], whole: Instance, slots: tuple[int, ...]) -> Premise:
    """x̄, ȳ, ȳ'; χ, χ[ȳ'] ⊢ ȳ ~ ȳ'."""
    first = len(goal.rows) + len(rows)
    again = {slot: row(first + place, element_type(whole.sources[slot])) for place, slot in enumerate(slots)}
    twin = instantiate(large, tuple(again.get(slot, each) for slot, each in enumerate(rows)))
    same = [_is_one(goal, whole.sources[s], twin.sources[s], rows[s], again[s]) for s in slots]
    formula = implies(conjunction(goal.hypothesis, whole.condition, twin.condition), conjunction(*same))
    return Premise(Unique(), formula, (*whole.sources, *(twin.sources[slot] for slot in slots)))


def _is_one(goal: Goal, source: Term, twin: Term, one: Term, other: Term) -> Term:
    """Why two rows of a source are one row of weight 1."""
    match source.operator:
        case Operator.EVERY:
            return equal(one, other)
        case Operator.VARIABLE:
            relation = (goal.catalogue or {}).get(source.parameter[0])  # type: ignore[index]
            if relation is not None and relation.source is source:
                return disjunction(*(_agree(one, other, columns) for columns in relation.keys))
        case Operator.LIMIT if source is twin and source.parameter[0] in (0, 1):  # type: ignore[index]
            return TRUE
    return FALSE


def _agree(one: Term, other: Term, columns: tuple[int, ...]) -> Term:
    """That two rows agree on the columns of a key, none of them NULL."""
    cells = [(project(one, column), project(other, column)) for column in columns]
    known = [negation(is_none(cell)) for cell, _ in cells if isinstance(cell.type, OptionType)]
    return conjunction(*(equal(*pair) for pair in cells), *known)


def _sufficient(goal: Goal, large: Term, small: Term, kept: list[int], slots: tuple[int, ...]) -> Premise:
    """x̄; χ' ⊢ Ex(ȳ | χ)."""
    first = len(goal.rows)
    rows = fresh_rows(small, first)
    part = instantiate(small, rows)
    types = [element_type(source) for source in large.arguments[:-2]]
    bound = {slot: row(first + len(rows) + place, types[slot]) for place, slot in enumerate(slots)}
    there = bound | dict(zip(kept, rows, strict=True))
    whole = instantiate(large, tuple(there[slot] for slot in range(len(types))))
    given = conjunction(goal.hypothesis, part.condition)
    found = bind(tuple(bound.values()), [whole.sources[slot] for slot in slots], beyond(given, whole.condition), TRUE)
    formula = implies(given, beyond(given, exists(summation((found,), BOOL))))
    return Premise(Sufficient(), formula, part.sources)
