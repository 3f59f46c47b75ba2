"""Walking over a formula from its leaves up, without Python's recursion: formulas may be thousands deep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tallystick.streaming.logic.formulas import (
    Always,
    And,
    Bind,
    Consume,
    Equals,
    Eventually,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Predicate,
    Release,
    Solved,
    Until,
)

_T = TypeVar("_T")


def operands(formula: Formula) -> tuple[Formula, ...]:
    """Return the formulas that a formula is made of, from left to right; a `Bind` hides its own."""
    match formula:
        case Solved() | Predicate() | Equals() | Bind():
            return ()
        case Not(body) | Next(body) | Eventually(body, _) | Always(body, _) | Consume(_, _, body):
            return (body,)
        case And(left, right) | Or(left, right) | Implies(left, right):
            return left, right
        case Until(left, right, _) | Release(left, right, _):
            return left, right
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def fold(
    formula: Formula,
    combine: Callable[[Any, Sequence[_T]], _T],
    parts_of: Callable[[Formula], tuple[Formula, ...]] = operands,
) -> _T:
    """Return combine(formula, values of its parts), where these are computed in the same way."""
    values: list[_T] = []
    waiting: list[tuple[Formula, bool]] = [(formula, False)]
    while waiting:
        node, parts_are_done = waiting.pop()
        parts = parts_of(node)
        if parts and not parts_are_done:
            waiting.append((node, True))
            waiting.extend((part, False) for part in reversed(parts))
            continue
        first = len(values) - len(parts)
        found = values[first:]
        del values[first:]
        values.append(combine(node, found))
    return values[0]


def outside_of_binders(formula: Formula) -> tuple[Formula, ...]:
    """Return the operands, but none of a consume operator: its body is not closed."""
    return () if isinstance(formula, Consume) else operands(formula)


def flattened(kind: type[And] | type[Or], formula: Formula) -> list[Formula]:
    """Return the operands of a nest of conjunctions, or of disjunctions, from left to right."""
    if not isinstance(formula, kind):
        return [formula]
    parts: list[Formula] = []
    waiting: list[Formula] = [formula]
    while waiting:
        node = waiting.pop()
        if isinstance(node, kind):
            waiting += (node.right, node.left)
        else:
            parts.append(node)
    return parts


def balanced(kind: type[And] | type[Or], parts: Sequence[Formula]) -> Formula:
    """Return one conjunction or disjunction of at least one formula, as flat as it can be."""
    if len(parts) == 1:
        return parts[0]
    middle = (len(parts) + 1) // 2
    return kind(balanced(kind, parts[:middle]), balanced(kind, parts[middle:]))
