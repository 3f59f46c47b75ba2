"""Functions that a proof by MEMBERS defines, and laws about them (`coq/Definitions.v`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tallystick.certificates.exports.coq_members import (
    Defined,
    Elements,
    Induct,
    Law,
    SumOver,
    Types,
    parameters,
)
from tallystick.core.terms import Term, conjunction, implies, substitute

Uses = tuple[tuple[int, tuple[Term, ...]], ...]
"""Instances of laws: the number of each, and its arguments."""


@dataclass(slots=True)
class Theory:
    """Definitions and laws so far: the formulas are those that `coq/` computes.

    Attributes:
        hypothesis: what holds of the programs' parameters.
        steps: what the laws come from, in order.
    """

    hypothesis: Term
    definitions: list[Defined] = field(default_factory=list)
    laws: list[Law] = field(default_factory=list)
    steps: list[Elements | Induct | SumOver] = field(default_factory=list)

    def define(self, takes: Types, body: Term) -> Defined:
        """The function with this body, which is defined if it is not."""
        known = self.defined(takes, body)
        if known is None:
            known = Defined(f"defined {len(self.definitions)}", takes, body)
            self.definitions.append(known)
        return known

    def defined(self, takes: Types, body: Term) -> Defined | None:
        """The function with this body, if it is defined."""
        return next((each for each in self.definitions if (each.takes, each.body) == (takes, body)), None)

    def number(self, function: Defined) -> int:
        """Which definition a function is."""
        return self.definitions.index(function)

    def add(self, step: Elements | Induct | SumOver, *laws: Law) -> int:
        """Takes a step, which makes these laws; the number of the first of them."""
        first = len(self.laws)
        self.steps.append(step)
        self.laws += laws
        return first

    def instance(self, number: int, arguments: tuple[Term, ...]) -> Term:
        """A law for these arguments."""
        law = self.laws[number]
        return substitute(law.says, dict(zip(parameters(law.over), arguments, strict=True)))

    def premise(self, hypotheses: Iterable[Term], goal: Term, uses: Uses) -> Term:
        """What a tree has to prove: folds are called by the names that were given to them."""
        known = [self.hypothesis, *hypotheses, *(self.instance(*use) for use in uses)]
        names = {each.body: each() for each in reversed(self.definitions) if not each.takes}
        return substitute(implies(conjunction(*known), goal), names)
