"""Refutations that name facts by themselves, and their numbering for the checker (untrusted)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from tallystick.certificates.evidence import Apply, Case, Cut, Farkas, Multipliers, Refutation, Split
from tallystick.certificates.facts import Disjunction, Fact, Facts
from tallystick.certificates.forms import Form
from tallystick.certificates.instances import added
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
    atoms: tuple[Form, Form]
    branches: tuple[Plan, Plan]
    used: set[Fact]


@dataclass(slots=True, eq=False)
class CutPlan:
    combination: Conflict
    atom: Form
    rest: Plan
    used: set[Fact]


@dataclass(slots=True, eq=False)
class ApplyPlan:
    first: Term
    second: Term
    rest: Plan
    used: set[Fact]


class LeafPlan:
    __slots__ = ("combination", "used")

    def __init__(self, combination: Conflict) -> None:
        self.combination = combination
        self.used: set[Fact] = {atom for atom, _ in combination}


Plan = CasePlan | SplitPlan | CutPlan | ApplyPlan | LeafPlan
"""Each node with `used`, the facts of its branch that it relies on."""


def congruence(facts: Facts, first: Term, second: Term) -> Term:
    """What an Apply node adds to a branch for two of its unknowns."""
    return added(facts, Apply(facts.unknowns[first], facts.unknowns[second], Farkas(())))


def numbered(formula: Term, facts: Facts, plan: Plan) -> Refutation:
    """The refutation of ¬formula that `plan` stands for, numbered by replaying it on the emptied `facts`."""
    return _Numbering(facts).under(facts.lower(formula, False), plan)


class _Numbering:
    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._numbers: dict[Fact, int] = {}

    def under(self, assumed: Iterable[Fact], plan: Plan) -> Refutation:
        """`plan`, numbered on the branch on which some facts are added."""
        facts, numbers = self._facts, self._numbers
        start, known = len(facts.facts), len(numbers)
        with facts.branch():
            for fact in assumed:
                facts.add(fact)
            for index in range(start, len(facts.facts)):
                numbers.setdefault(facts.facts[index], index)
            result = self._node(plan)
            while len(numbers) > known:
                numbers.popitem()
        return result

    def _node(self, plan: Plan) -> Refutation:
        match plan:
            case CasePlan():
                number = self._numbers[plan.disjunction]
                branches: list[Refutation] = []
                for literals, branch in zip(plan.disjunction.branches, plan.branches, strict=True):
                    assumed = [fact for literal in literals for fact in self._facts.lower(*literal)]
                    branches.append(self.under(assumed, branch))
                return Case(number, tuple(branches))
            case SplitPlan():
                unknowns = self._facts.unknowns
                coefficients = tuple(sorted((unknowns[unknown], part) for unknown, part in plan.form.items()))
                pairs = zip(plan.atoms, plan.branches, strict=True)
                below, above = [self.under((atom,), branch) for atom, branch in pairs]
                return Split(coefficients, plan.bound, below, above)
            case CutPlan():
                return Cut(self._multipliers(plan.combination), self.under((plan.atom,), plan.rest))
            case ApplyPlan():
                places = self._facts.unknowns[plan.first], self._facts.unknowns[plan.second]
                formula = congruence(self._facts, plan.first, plan.second)
                return Apply(*places, self.under(self._facts.lower(formula, True), plan.rest))
            case LeafPlan():
                return Farkas(self._multipliers(plan.combination))
        assert_never(plan)

    def _multipliers(self, combination: Conflict) -> Multipliers:
        return tuple(sorted((self._numbers[atom], multiplier) for atom, multiplier in combination))
