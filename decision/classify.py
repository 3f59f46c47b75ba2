"""The papers' classes (TR Table 1, CAV Table 1): what a pair of programs looks like, whatever decides it."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.terms import Operator, Term, aggregates
from tallystick.core.types import BagType
from tallystick.decision.outcome import Goal


@dataclass(frozen=True, slots=True)
class ProgramClass:
    """A class of program pairs: its name in CAV 2017, and what it holds."""

    name: str
    description: str

    def __str__(self) -> str:
        return self.name


NO_AGG = ProgramClass("NoAgg", "no aggregations")
AGG_ONE = ProgramClass("AggOneP", "one fold a side, a value for a result")
AGG_ONE_SYNC = ProgramClass("AggOneP_sync", "one fold a side, collapsing in synchrony, a value for a result")
AGG_ONE_BAG = ProgramClass("AggOneB", "one fold a side, a bag for a result")
AGG_MULT = ProgramClass("AggMultP", "several folds, none inside another, a value for a result")
AGG_ONE_KEY = ProgramClass("AggOneKB", "one by-key fold a side, a bag for a result")
OUTSIDE = ProgramClass("other", "outside the papers' classes")


def classify(goal: Goal) -> ProgramClass:
    """The syntactic class of a pair: the smallest one that both programs are in.

    AggOneP_sync is a semantic subclass of AggOneP, which `agg_one_sync.collapses_in_synchrony` decides.
    """
    sides = [aggregates(side) for side in (goal.left, goal.right)]
    found = [term for side in sides for term in side]
    by_key = [term for term in found if term.operator is Operator.FOLD_BY_KEY]
    is_bag = isinstance(goal.left.type, BagType)
    if not found:
        return NO_AGG
    if any(_is_nested(term) for term in found) or (by_key and len(by_key) < len(found)):
        return OUTSIDE
    single = max(map(len, sides)) == 1
    if by_key:
        return AGG_ONE_KEY if single and is_bag else OUTSIDE
    if is_bag:
        return AGG_ONE_BAG if single else OUTSIDE
    return AGG_ONE if single else AGG_MULT


def _is_nested(term: Term) -> bool:
    return len(aggregates(term)) > 1
