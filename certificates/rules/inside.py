"""INSIDE: equals for equals, in any place of a term (THEORY-SQL section 4, CONG in context)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tallystick.certificates.judgements import Goal, Judgement, Requirements, Subgoal, related
from tallystick.core.binders import bind, canonical, fresh_rows, in_scope, instantiate
from tallystick.core.errors import KernelError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, rebuild
from tallystick.core.types import BagType


@dataclass(frozen=True, slots=True)
class Inside:
    """
    Γ; Δ, x̄ ⊢ s ≡ s'    Γ; Δ ⊢ T[s'] ≡ C
    ---------------------------------------  INSIDE
    Γ; Δ ⊢ T[s] ≡ C

    where x̄ are the slots that monomials of T bind around s: what stands in a monomial matters only where the rows are
    present that it may mention. Every s in the place that `path` leads to is replaced.

    Fails when the path leads elsewhere than into monomials and functions of bags alone, or s or s' are no terms of
    one type over Δ and x̄.

    Attributes:
        side: on which T stands.
        path: the numbers of the arguments that lead from T to the place; the slots of monomials on it become rows.
        old: s.
        new: s'.
    """

    side: Literal["left", "right"]
    path: tuple[int, ...]
    old: Term
    new: Term

    def requirements(self, goal: Judgement) -> Requirements:
        """That s and s' are equal, and the goal with s'."""
        goal = related(goal)
        if goal.catalogue is None or self.side not in ("left", "right"):
            raise KernelError("INSIDE changes the left or the right side of a goal about queries")
        inner, term = self._replaced(goal, goal.left if self.side == "left" else goal.right, self.path)
        rest = replace(goal, left=term) if self.side == "left" else replace(goal, right=term)
        return Requirements(subgoals=(Subgoal("inside", inner), Subgoal("rest", rest)))

    def _replaced(self, scope: Goal, term: Term, path: tuple[int, ...]) -> tuple[Goal, Term]:
        """What is to be shown in the place, and the term with s' in it."""
        if not path:
            same_type = self.old.type == self.new.type
            if not same_type or not (in_scope(scope.rows, self.old) and in_scope(scope.rows, self.new)):
                raise KernelError("INSIDE replaces a term over the rows in scope by another of its type")
            return replace(scope, left=self.old, right=self.new), rebuild(term, {self.old: self.new}, True, canonical)
        place = path[0]
        if type(place) is not int or not 0 <= place < len(term.arguments):
            raise KernelError(f"there is no part {place!r}, only {len(term.arguments)}")
        if all(isinstance(part.type, BagType) for part in term.arguments):
            inner, part = self._replaced(scope, term.arguments[place], path[1:])
            arguments = (*term.arguments[:place], part, *term.arguments[place + 1 :])
            return inner, canonical(term.operator, arguments, term.parameter)
        if term.operator is not Operator.MONOMIAL:
            raise KernelError(f"no path of INSIDE leads into a term made by {term.operator.value}")
        rows = fresh_rows(term, len(scope.rows))
        opened = instantiate(term, rows)
        parts = [*opened.sources, opened.condition, opened.head]
        around = replace(scope, rows=(*scope.rows, *opened.sources[:place]))
        inner, parts[place] = self._replaced(around, parts[place], path[1:])
        return inner, bind(rows, parts[:-2], parts[-2], parts[-1])
