"""Flattening: a linear combination of sums as one sum of monomials with weights (THEORY-SQL section 4, SUM).

    Sum⟨x̄ | φ ↦ Sum⟨ȳ | ψ ↦ u⟩⟩  =  Sum⟨x̄, ȳ | φ ∧ ψ ↦ u⟩        Sum(B) · Sum(C)  joins their slots
    ite(c, s, t)  =  s where c, and t where ¬c                      a term without sums is a monomial without slots

These laws hold of finite sums; others are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from tallystick.certificates.facts import reach
from tallystick.core.binders import bind, fresh_rows, instantiate
from tallystick.core.errors import FragmentError
from tallystick.core.finiteness import require_finite
from tallystick.core.operators import Operator
from tallystick.core.terms import TRUE, Term, conjunction, default_term, multiply, negation, scale, to_rational

MONOMIAL_LIMIT = 256
LINEAR = (Operator.ADD, Operator.SCALE, Operator.ITE, Operator.MULTIPLY, Operator.TO_RATIONAL)
"""Operators that let sums through."""


def flatten(term: Term, first: int) -> tuple[Term, ...]:
    """Monomials whose weights sum up to a number, over rows with numbers below `first`.

    Raises FragmentError when a sum in it might be infinite, or there are too many monomials.
    """
    return tuple(_Flattening().monomials(term, first))


class _Flattening:
    def __init__(self) -> None:
        self._sums: dict[Term, bool] = {}

    def has_sum(self, term: Term) -> bool:
        """Whether a sum occurs where flattening reaches it."""
        if term not in self._sums:
            reached = reach(term)
            inside = reached.operator in LINEAR and any(map(self.has_sum, reached.arguments))
            self._sums[term] = reached.operator is Operator.SUM or inside
        return self._sums[term]

    def monomials(self, term: Term, first: int) -> list[Term]:
        """The monomials of a number, at most so many as the limit allows."""
        found = self.parts(reach(term), first)
        if len(found) > MONOMIAL_LIMIT:
            raise FragmentError(f"a sum has more than {MONOMIAL_LIMIT} monomials when it is flattened")
        return found

    def parts(self, term: Term, first: int) -> list[Term]:
        """The same, for a term that no reading can be moved into."""
        if not self.has_sum(term):
            return [] if term is default_term(term.type) else [bind((), (), TRUE, term)]  # type: ignore[arg-type]
        arguments = term.arguments
        match term.operator:
            case Operator.SUM:
                require_finite(arguments[0])
                return [inner for monomial in arguments[0].arguments for inner in self.weights(monomial, first)]
            case Operator.ADD:
                return [monomial for part in arguments for monomial in self.monomials(part, first)]
            case Operator.SCALE:
                factor = term.parameter
                return self.changed(arguments[0], first, lambda weight: scale(factor, weight))  # type: ignore[arg-type]
            case Operator.TO_RATIONAL:
                return self.changed(arguments[0], first, to_rational)
            case Operator.ITE:
                condition, then, otherwise = arguments
                cases = ((condition, then), (negation(condition), otherwise))
                return [
                    joined(bind((), (), guard, TRUE), part, first, _second)
                    for guard, case in cases
                    for part in self.monomials(case, first)
                ]
        factors = [self.monomials(factor, first) for factor in arguments]
        return reduce(lambda left, right: self.products(left, right, first), factors)

    def weights(self, monomial: Term, first: int) -> list[Term]:
        """A monomial whose weight may have sums inside."""
        rows = fresh_rows(monomial, first)
        opened = instantiate(monomial, rows)
        found = []
        for inner in self.monomials(opened.head, first + len(rows)):
            inside = fresh_rows(inner, first + len(rows))
            more = instantiate(inner, inside)
            condition = conjunction(opened.condition, more.condition)
            found.append(bind((*rows, *inside), (*opened.sources, *more.sources), condition, more.head))
        return found

    def changed(self, term: Term, first: int, change: Callable[[Term], Term]) -> list[Term]:
        """The monomials of a term with other weights."""
        return [
            joined(monomial, bind((), (), TRUE, TRUE), first, lambda weight, _: change(weight))
            for monomial in self.monomials(term, first)
        ]

    def products(self, left: list[Term], right: list[Term], first: int) -> list[Term]:
        """Each monomial of one list joined with each of another."""
        if len(left) * len(right) > MONOMIAL_LIMIT:
            raise FragmentError(f"a sum has more than {MONOMIAL_LIMIT} monomials when it is flattened")
        return [joined(one, other, first, multiply) for one in left for other in right]


def _second(_: Term, weight: Term) -> Term:
    return weight


def joined(left: Term, right: Term, first: int, weight: Callable[[Term, Term], Term]) -> Term:
    """The slots of two monomials beside each other, both conditions, and a weight made from both."""
    rows = fresh_rows(left, first)
    others = fresh_rows(right, first + len(rows))
    one, other = instantiate(left, rows), instantiate(right, others)
    condition = conjunction(one.condition, other.condition)
    return bind((*rows, *others), (*one.sources, *other.sources), condition, weight(one.head, other.head))
