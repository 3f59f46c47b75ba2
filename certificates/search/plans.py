"""Refutations that name facts by themselves, and their numbering for the checker (untrusted)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from tallystick.certificates.facts import Atom, Disjunction, Fact, Facts
from tallystick.certificates.refutation import Case, Cut, Farkas, Multipliers, Refutation, Split
from tallystick.certificates.search.simplex import Conflict
from tallystick.core.terms import Term


@dataclass(slots=True, eq=False)
class CasePlan:
    disjunction: Disjunction
    branches: tuple[Plan, ...]
    used: set[Fact]


@dataclass(slots=True, eq=False)
class SplitPlan:
    form: dict[Term, int]
    bound: int
    atoms: tuple[Atom, Atom]
    branches: tuple[Plan, Plan]
    used: set[Fact]


@dataclass(slots=True, eq=False)
class CutPlan:
    combination: Conflict
    atom: Atom
    rest: Plan
    used: set[Fact]


class LeafPlan:
    __slots__ = ("combination", "used")

    def __init__(self, combination: Conflict) -> None:
        self.combination = combination
        self.used: set[Fact] = {atom for atom, _ in combination}


Plan = CasePlan | SplitPlan | CutPlan | LeafPlan
"""Each node with `used`, the facts of its branch that it relies on."""


def numbered(formula: Term, facts: Facts, plan: Plan) -> Refutation:
    """The refutation of ¬formula that `plan` stands for, numbered by replaying it on `facts`."""
    facts.restore((0, 0))
    facts.assume([(formula, False)])
    numbering = _Numbering(facts)
    numbering.number(0)
    return numbering.node(plan)


class _Numbering:
    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._numbers: dict[Fact, int] = {}

    def number(self, start: int) -> None:
        for index in range(start, len(self._facts.facts)):
            self._numbers.setdefault(self._facts.facts[index], index)

    def _leave(self, mark: tuple[int, int]) -> None:
        for index in range(mark[0], len(self._facts.facts)):
            fact = self._facts.facts[index]
            if self._numbers.get(fact) == index:
                del self._numbers[fact]
        self._facts.restore(mark)

    def _multipliers(self, combination: Conflict) -> Multipliers:
        return tuple(sorted((self._numbers[atom], multiplier) for atom, multiplier in combination))

    def node(self, plan: Plan) -> Refutation:
        match plan:
            case CasePlan():
                number = self._numbers[plan.disjunction]
                branches: list[Refutation] = []
                for literals, branch in zip(plan.disjunction.branches, plan.branches, strict=True):
                    mark = self._facts.mark()
                    self._facts.assume(literals)
                    self.number(mark[0])
                    branches.append(self.node(branch))
                    self._leave(mark)
                return Case(number, tuple(branches))
            case SplitPlan():
                unknowns = self._facts.unknowns
                coefficients = tuple(sorted((unknowns[unknown], part) for unknown, part in plan.form.items()))
                below, above = (
                    self._under(atom, branch) for atom, branch in zip(plan.atoms, plan.branches, strict=True)
                )
                return Split(coefficients, plan.bound, below, above)
            case CutPlan():
                return Cut(self._multipliers(plan.combination), self._under(plan.atom, plan.rest))
            case LeafPlan():
                return Farkas(self._multipliers(plan.combination))
        assert_never(plan)

    def _under(self, atom: Atom, plan: Plan) -> Refutation:
        mark = self._facts.mark()
        self._facts.add(atom)
        self.number(mark[0])
        result = self.node(plan)
        self._leave(mark)
        return result
