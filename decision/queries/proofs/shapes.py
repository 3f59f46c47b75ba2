"""Bags and sums of monomials alike: how goals are made of monomials, and which rule ends a proof (untrusted)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tallystick.certificates.judgements import Goal
from tallystick.certificates.rules import Rule
from tallystick.certificates.rules.bag import Bag
from tallystick.certificates.rules.matching import Group, Match
from tallystick.certificates.rules.sum import Sum
from tallystick.core.binders import summation
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, build
from tallystick.core.types import BasicType


@dataclass(frozen=True, slots=True)
class Shape:
    """Goals Γ; Δ ⊢ left ≡ right whose sides are bags of heads, or sums of them.

    Attributes:
        context: a goal with Γ, Δ and Σ, whose sides do not matter.
        of: the type of the heads.
        sums: whether the sides are sums.
    """

    context: Goal
    of: BasicType
    sums: bool

    def goal(self, left: Iterable[Term], right: Iterable[Term]) -> Goal:
        """The goal about some monomials."""
        return replace(self.context, left=self._side(left), right=self._side(right))

    def _side(self, monomials: Iterable[Term]) -> Term:
        bag = summation(monomials, self.of)
        return build(Operator.SUM, (bag,)) if self.sums else bag

    def rule(self, pairs: tuple[Match, ...], groups: tuple[Group, ...]) -> Rule:
        """The rule that ends a proof, with its hints."""
        return Sum(pairs, groups) if self.sums else Bag(pairs, groups)
