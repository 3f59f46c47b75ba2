"""Items of lists and tuples of so many items at an index that depends on values: a choice among them."""

from __future__ import annotations

from collections.abc import Sequence

from tallystick.core.functions import RAISE
from tallystick.core.terms import FALSE, Operator, Term, apply_function, constant, disjunction, equal, ite
from tallystick.frontends.pyspark.values.describing import literal
from tallystick.frontends.pyspark.values.options import common_type_of, converted


def item_at(items: Sequence[Term], index: Term) -> Term | None:
    """The item at an index that is not constant, which raises where there is none; None for items of several types."""
    of = common_type_of(item.type for item in items)
    if of is None or not items:
        return None
    possible = places(index, len(items))
    *first, (last, _) = possible
    inside = is_inside(index, len(items))
    result = converted(items[last], of) if inside else apply_function(RAISE, of)  # type: ignore[arg-type]
    for at, condition in reversed(first if inside else possible):
        result = ite(condition, converted(items[at], of), result)
    return result


def places(index: Term, size: int) -> list[tuple[int, Term]]:
    """The places that an index may mean, each with the condition under which it does."""
    low, high = _bounds(index) or (-size, size - 1)
    found: list[tuple[int, Term]] = []
    for at in range(size):
        names = [each for each in (at, at - size) if low <= each <= high]
        if names:
            found.append((at, disjunction(*(equal(index, constant(each)) for each in names))))
    return found or [(0, FALSE)]


def is_inside(index: Term, size: int) -> bool:
    """Whether an index surely means an item."""
    bounds = _bounds(index)
    return bounds is not None and -size <= bounds[0] and bounds[1] < size


def _bounds(term: Term) -> tuple[int, int] | None:
    """The least and the greatest value that an int may have by its form; None where that is not seen."""
    if (known := literal(term)) is not None:
        return known, known
    match term.operator:
        case Operator.MOD:
            return 0, int(term.parameter) - 1  # type: ignore[arg-type]
        case Operator.ADD:
            parts = [_bounds(each) for each in term.arguments]
            return None if None in parts else (sum(each[0] for each in parts), sum(each[1] for each in parts))  # type: ignore[index]
        case Operator.ITE:
            branches = [_bounds(each) for each in term.arguments[1:]]
            if None not in branches:
                return min(each[0] for each in branches), max(each[1] for each in branches)  # type: ignore[index]
    return None
