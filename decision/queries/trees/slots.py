"""Slots of terms: which are free, what stands for them, and the conjuncts of a monomial's condition.

A term under n binders has slots 0 (innermost) to n - 1. An *environment* is the tuple of the closed terms that
stand for them, outermost first, so that slot j is `environment[-1 - j]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from weakref import WeakKeyDictionary

from tallystick.core.binders import canonical
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, build

Environment = tuple[Term, ...]
NO_SLOTS: Final[frozenset[int]] = frozenset()
_free: WeakKeyDictionary[Term, frozenset[int]] = WeakKeyDictionary()


def free_slots(term: Term) -> frozenset[int]:
    """The indices of the slots that are free in a term."""
    if not term.bound:
        return NO_SLOTS
    known = _free.get(term)
    if known is None:
        parameters: list[Any] = [slot.parameter for slot in term.bound]
        known = _free[term] = frozenset(index for index, _ in parameters)
    return known


def scopes(term: Term) -> Iterator[tuple[Term, int]]:
    """The arguments of a term, each with the number of slots that the term binds in it."""
    if term.operator is not Operator.MONOMIAL:
        for argument in term.arguments:
            yield argument, 0
        return
    slots = len(term.arguments) - 2
    for position, argument in enumerate(term.arguments):
        yield argument, min(position, slots)


def close(term: Term, environment: Environment) -> Term:
    """`term` with closed terms for all its free slots."""
    return _Closing(environment).visit(term, 0)


class _Closing:
    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._done: dict[tuple[Term, int], Term] = {}

    def visit(self, term: Term, depth: int) -> Term:
        free = free_slots(term)
        if not free or max(free) < depth:
            return term
        known = self._done.get((term, depth))
        if known is None:
            known = self._done[term, depth] = self._visit(term, depth)
        return known

    def _visit(self, term: Term, depth: int) -> Term:
        if term.operator is Operator.SLOT:
            parameter: Any = term.parameter
            return self._environment[-1 - (parameter[0] - depth)]
        arguments = tuple(self.visit(argument, depth + binders) for argument, binders in scopes(term))
        return remake(term, arguments)


def remake(term: Term, arguments: tuple[Term, ...]) -> Term:
    """A term with other arguments, simplified as the kernel does."""
    return canonical(term.operator, arguments, term.parameter)


def replaced(term: Term, values: Mapping[Term, Term]) -> Term:
    """`term` with closed terms over rows replaced by others of their types."""
    rows = frozenset(row for key in values for row in key.rows)
    done: dict[Term, Term] = dict(values)

    def visit(node: Term) -> Term:
        known = done.get(node)
        if known is None:
            if node.rows.isdisjoint(rows):
                return node
            arguments = tuple(map(visit, node.arguments))
            known = done[node] = node if arguments == node.arguments else remake(node, arguments)
        return known

    return visit(term)


def conjuncts(condition: Term) -> list[Term]:
    """The formulas of which a condition is the conjunction, without repetitions."""
    found: dict[Term, None] = {}
    _collect(condition, True, found)
    return list(found)


def _collect(condition: Term, holds: bool, found: dict[Term, None]) -> None:
    operator = condition.operator
    if operator is Operator.NOT:
        _collect(condition.arguments[0], not holds, found)
    elif operator is (Operator.AND if holds else Operator.OR):
        for part in condition.arguments:
            _collect(part, holds, found)
    elif operator is Operator.CONSTANT and condition.parameter is holds:
        pass
    else:
        found[condition if holds else build(Operator.NOT, (condition,))] = None
