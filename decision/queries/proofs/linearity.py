"""Sums of linear weights: equations that lemmas may prove (untrusted).

    Sum⟨x̄ | φ ↦ c₁·w₁ + … + cₙ·wₙ⟩  =  c₁·Sum⟨x̄ | φ ↦ w₁⟩ + … + cₙ·Sum⟨x̄ | φ ↦ wₙ⟩

So SUM(2 * v) is 2 * SUM(v), and SUM(v + 1) is SUM(v) + COUNT(v). Products are multiplied out. Rule SUM proves it: both
sides flatten to monomials over the same rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from tallystick.certificates.facts import Facts, reach
from tallystick.core.binders import summation, total
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, add, constant, default_term, ite, scale, to_rational
from tallystick.decision.queries.trees.opened import FRESH, opened

MOST_PARTS = 8
"""A sum is a combination of at most so many others."""


def combination(term: Term) -> Term | None:
    """A sum as a combination of sums whose weights are no combinations; None if it is one of these, or too long."""
    factors: dict[Term, int | Fraction] = defaultdict(int)
    for monomial in term.arguments[0].arguments:
        summed = opened(monomial, FRESH)
        for weight, factor in _weights(summed.head).items():
            alone = summation((replace(summed, head=weight).monomial,), weight.type)  # type: ignore[arg-type]
            part = total(alone)
            factors[part if part.type == term.type else to_rational(part)] += factor
    parts = [part if factor == 1 else scale(factor, part) for part, factor in factors.items() if factor]
    if not 0 < len(parts) <= MOST_PARTS or term in factors:
        return None
    return add(*parts) if len(parts) > 1 else parts[0]


def _weights(head: Term) -> Mapping[Term, int | Fraction]:
    """Terms that are no combinations, with their factors: integers where they can be, of rational numbers as well."""
    factors: dict[Term, int | Fraction] = defaultdict(int)
    head = reach(head)
    match head.operator:
        case Operator.ADD:
            for part in head.arguments:
                for weight, factor in _weights(part).items():
                    factors[weight] += factor
        case Operator.SCALE:
            for weight, factor in _weights(head.arguments[0]).items():
                factors[weight] += factor * head.parameter  # type: ignore[operator]
        case Operator.TO_RATIONAL:
            return _weights(head.arguments[0])
        case Operator.ITE:
            condition, *cases = head.arguments
            for place, case in enumerate(cases):
                for weight, factor in _weights(case).items():
                    zero = default_term(weight.type)  # type: ignore[arg-type]
                    alone = ite(condition, weight, zero) if place == 0 else ite(condition, zero, weight)
                    factors[alone] += factor
        case Operator.CONSTANT:
            factors[constant(1)] += head.parameter  # type: ignore[operator]
        case Operator.MULTIPLY if (form := Facts().form(head)).coefficients != {head: 1}:
            factors[constant(1)] += form.constant
            for unknown, times in form.coefficients.items():
                for weight, factor in _weights(unknown).items():
                    factors[weight] += factor * times
        case _:
            factors[head] += 1
    return factors
