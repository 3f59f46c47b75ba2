"""Bounds of sums over records that are not known one by one."""

from __future__ import annotations

from tallystick.core.terms import (
    Operator,
    Term,
    conjunction,
    constant,
    equal,
    implies,
    less_equal,
    scale,
    subterms,
)
from tallystick.core.types import INT
from tallystick.streaming.proving.functions import is_valid


class Bounds:
    """Constant bounds of integer terms, where a condition on their variables holds."""

    def __init__(self) -> None:
        self._known: dict[tuple[Term, Term], tuple[int | None, int | None]] = {}

    def of(self, condition: Term, term: Term) -> tuple[int | None, int | None]:
        """The best bounds, below and above, among the constants of condition and term and their neighbours."""
        key = condition, term
        if key not in self._known:
            named = {
                each.parameter
                for each in subterms(conjunction(condition, equal(term, constant(0))))
                if each.operator is Operator.CONSTANT and each.type == INT
            }
            tried = sorted({near for value in named | {0} for near in (value - 1, value, value + 1)})  # type: ignore
            low = [each for each in tried if is_valid(implies(condition, less_equal(constant(each), term)))]
            high = [each for each in tried if is_valid(implies(condition, less_equal(term, constant(each))))]
            self._known[key] = max(low, default=None), min(high, default=None)
        return self._known[key]

    def of_sum(self, condition: Term, term: Term, number: Term, total: Term) -> Term:
        """What holds of the sum of a term over so many records, all of which satisfy a condition."""
        low, high = self.of(condition, term)
        parts = [implies(equal(number, constant(0)), equal(total, constant(0)))]
        if low is not None:
            parts.append(less_equal(scale(low, number), total))
        if high is not None:
            parts.append(less_equal(total, scale(high, number)))
        return conjunction(*parts)
