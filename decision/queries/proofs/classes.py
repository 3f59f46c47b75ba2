"""Which terms a conjunction equates, by congruence of nothing but equality: guesses for the chase (untrusted)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tallystick.core.operators import Operator
from tallystick.core.terms import Term, some, value_of
from tallystick.core.types import OptionType
from tallystick.decision.queries.trees.equations import equations


class Classes:
    """Classes of terms that the equations among some formulas connect.

    A nullable value and its content are taken for equal: that a value is not NULL is for the evidence to show.
    """

    def __init__(self, formulas: Iterable[Term]) -> None:
        self._parents: dict[Term, Term] = {}
        at_most: set[tuple[Term, Term]] = set()
        for formula in formulas:
            for left, right in equations(formula):
                self.join(left, right)
            if formula.operator is Operator.LESS_EQUAL:
                left, right = formula.arguments
                at_most.add((left, right))
                if (right, left) in at_most:
                    self.join(left, right)

    def join(self, left: Term, right: Term) -> None:
        """Take two terms for equal."""
        first, second = self._root(_content(left)), self._root(_content(right))
        if first is not second:
            self._parents[second] = first

    def _root(self, term: Term) -> Term:
        parent = self._parents.setdefault(term, term)
        while parent is not term:
            term, parent = parent, self._parents[parent]
        return term

    def same(self, left: Term, right: Term) -> bool:
        """Whether two terms are taken for equal."""
        left, right = _content(left), _content(right)
        return left is right or self._root(left) is self._root(right)

    def others(self, term: Term) -> list[Term]:
        """The other terms of a term's class, in terms of its type; constants first, then as they were met."""
        content = _content(term)
        root = self._root(content)
        found = [other for other in list(self._parents) if other is not content and self._root(other) is root]
        found.sort(key=lambda other: (other.operator is not Operator.CONSTANT, _size(other)))
        return [typed for other in found for typed in _typed(other, term)]


def _content(term: Term) -> Term:
    """What a nullable value has for content: the nullable term itself stands for both."""
    if term.operator in (Operator.VALUE, Operator.SOME):
        return term.arguments[0]
    return term


def _typed(other: Term, term: Term) -> Iterator[Term]:
    if other.type == term.type:
        yield other
    elif isinstance(term.type, OptionType) and term.type.of == other.type:
        yield some(other)
    elif isinstance(other.type, OptionType) and other.type.of == term.type:
        yield value_of(other)


def _size(term: Term) -> int:
    return 1 + sum(map(_size, term.arguments)) if term.operator is not Operator.EXISTS else 1_000
