"""LIMIT-MAP: LIMIT commutes with a function of rows that keeps the order keys (THEORY-SQL section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any, Literal

from tallystick.certificates.judgements import Goal, Judgement, Premise, Requirements, Subgoal, related
from tallystick.certificates.rules.matching import chosen, opened
from tallystick.core.binders import bind, element_type, fresh_rows, in_scope, instantiate, limit, slots_of, summation
from tallystick.core.errors import KernelError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, build, conjunction, equal, implies, project, row, substitute, subterms
from tallystick.core.types import TupleType

Directions = tuple[tuple[bool, bool], ...]


@dataclass(frozen=True, slots=True)
class Determined:
    """Two rows of monomials of B' that have the same order keys are the same."""

    monomials: tuple[int, int]

    def __str__(self) -> str:
        return "the order keys determine the rows of monomials {} and {}".format(*self.monomials)


@dataclass(frozen=True, slots=True)
class LimitMap:
    """
    x̄; B ≡ {f(y') : y' in B'}        C[⟨x̄, y': L(B'), z̄ | φ ↦ h⟩ with f(y') for y] ≡ D
    -----------------------------------------------------------------------------------  LIMIT-MAP
    Γ; Δ ⊢ C[⟨x̄, y: L(B), z̄ | φ ↦ h⟩] ≡ D

    under Γ and Δ everywhere, where L is LIMIT with some count, offset and directions, and f keeps the order keys: the
    last columns of f(y') are those of y'.

    Either the keys determine the rows of B', which are premises: then L leaves no choice. Or B, B' and f are closed and
    B' has more columns than B; and whatever L chooses from B', it chooses the images from B, for which all steps of a
    certificate say the same of rows of the type of B in these directions. Such an L exists: what it chooses from bags
    of fewer columns is fixed after what it chooses from those of more. L is a function of bags, as for other rules.

    Fails when there is no such monomial or no LIMIT in it, B' is no summation of rows, or f is no row of the type of
    B's rows made from y' and the rows before it, or changes an order key.

    Attributes:
        side: on which C stands: a bag, or a SUM or an EXTREMUM of one.
        monomial: the number of the monomial in C.
        slot: the number of its slot y.
        bag: B'; its rows x̄ are the rows after those of Δ.
        image: f(y'), where y' is the row after x̄.
        determined: whether the keys determine the rows of B'.
    """

    side: Literal["left", "right"]
    monomial: int
    slot: int
    bag: Term
    image: Term
    determined: bool

    def requirements(self, goal: Judgement) -> Requirements:
        """That B is the image of B', and the goal with the monomial changed."""
        goal = related(goal)
        if self.side not in ("left", "right"):
            raise KernelError("a goal has a left and a right side")
        side = goal.left if self.side == "left" else goal.right
        wrapped = side.operator in (Operator.SUM, Operator.EXTREMUM)
        whole = side.arguments[0] if wrapped else side
        if whole.operator is not Operator.SUMMATION:
            raise KernelError("LIMIT-MAP changes a monomial of a bag, or of a sum or extremum over one")
        changed, images, directions = self._changed(goal, chosen(whole.arguments, self.monomial))
        monomials = (*whole.arguments[: self.monomial], changed, *whole.arguments[self.monomial + 1 :])
        bag = summation(monomials, element_type(whole))
        replaced = build(side.operator, (bag,), side.parameter) if wrapped else bag
        rest = replace(goal, left=replaced) if self.side == "left" else replace(goal, right=replaced)
        subgoals = Subgoal("image", images), Subgoal("rest", rest)
        if self.determined:
            before = images.rows[len(goal.rows) :]
            return Requirements(tuple(self._one_row(images, before, len(directions))), subgoals)
        return Requirements((), subgoals, self._one_choice(images, directions))

    def _changed(self, goal: Goal, monomial: Term) -> tuple[Term, Goal, Directions]:
        """The monomial with B' and f(y'), the goal that B is what f makes of B', and the directions of the LIMIT."""
        first, place = len(goal.rows), self.slot
        rows = fresh_rows(monomial, first)
        if type(place) is not int or not 0 <= place < len(rows):
            raise KernelError(f"there is no slot {place}, only {len(rows)}")
        sources = instantiate(monomial, rows).sources
        old = sources[place]
        if old.operator is not Operator.LIMIT or old.arguments[0].operator is not Operator.SUMMATION:
            raise KernelError("LIMIT-MAP is about a slot that ranges over a LIMIT")
        before = (*goal.rows, *sources[:place])
        if self.bag.operator is not Operator.SUMMATION or not in_scope(before, self.bag):
            raise KernelError("B' is no bag over the rows before the LIMIT")
        parameter: Any = old.parameter
        count, offset, directions = parameter
        source = limit(self.bag, count, offset, directions)
        new = row(first + place, element_type(source))
        self._require_image(new, element_type(old), len(directions), (*before, source))
        values = (*rows[:place], self.image, *rows[place + 1 :])
        whole = instantiate(monomial, values)
        kept = (*rows[:place], new, *rows[place + 1 :])
        changed = bind(kept, (*sources[:place], source, *whole.sources[place + 1 :]), whole.condition, whole.head)
        images = []
        for each in self.bag.arguments:
            inner = fresh_rows(each, first + len(rows))
            part = instantiate(each, inner)
            images.append(bind(inner, part.sources, part.condition, substitute(self.image, {new: part.head})))
        right = summation(images, element_type(old))
        return changed, replace(goal, left=old.arguments[0], right=right, rows=before), directions

    def _one_row(self, images: Goal, before: tuple[Term, ...], keys: int) -> Iterator[Premise]:
        """x̄; φᵢ, φⱼ, keys(fᵢ) ≐ keys(fⱼ) ⊢ fᵢ ≐ fⱼ."""
        for places in combinations_with_replacement(range(len(self.bag.arguments)), 2):
            one, other = (self.bag.arguments[place] for place in places)
            left, right = opened(one, len(images.rows)), opened(other, len(images.rows) + slots_of(one))
            same = map(equal, _last(left.head, keys), _last(right.head, keys))
            given = conjunction(images.hypothesis, left.condition, right.condition, *same)
            formula = implies(given, equal(left.head, right.head))
            yield Premise(Determined(places), formula, (*before, *left.sources, *right.sources))

    def _one_choice(self, images: Goal, directions: Directions) -> tuple[tuple[object, object], ...]:
        """What is said of how L breaks ties of rows of the type of those of B."""
        of, wide = element_type(images.left), element_type(self.bag)
        new = row(len(images.rows), wide)
        limits = any(part.operator is Operator.LIMIT for bag in (images.left, self.bag) for part in subterms(bag))
        if limits or images.left.rows or self.bag.rows or not self.image.rows <= {new}:
            raise KernelError(
                "LIMIT-MAP with ties is about closed bags without a LIMIT in them, and a function of one row"
            )
        if len(of.components) >= len(wide.components):  # type: ignore[union-attr]
            raise KernelError("LIMIT-MAP with ties is about a LIMIT of more columns")
        said = (images.left, self.bag, substitute(self.image, {new: row(0, wide)}))
        return ("ties", "as their images"), ((of, directions), said)

    def _require_image(self, new: Term, of: object, keys: int, scope: tuple[Term, ...]) -> None:
        """Raises KernelError unless f(y') is a row of B over what is in scope, with the order keys of y'."""
        if self.image.type != of or not in_scope(scope, self.image):
            raise KernelError("the image is no row of the LIMIT, made from the new row and those before it")
        before, after = new.type, self.image.type
        if not isinstance(before, TupleType) or not isinstance(after, TupleType) or len(before.components) < keys:
            raise KernelError("LIMIT-MAP is about rows that have the order keys as columns")
        if _last(self.image, keys) != _last(new, keys):
            raise KernelError("the image changes an order key")


def _last(head: Term, keys: int) -> list[Term]:
    """The last columns of a row, the order keys."""
    width = len(head.type.components)  # type: ignore[union-attr]
    return [project(head, width - keys + place) for place in range(keys)]
