"""Which slots of one monomial stand for which slots of another: the hints of rule BAG (untrusted).

Slots have equal sources (blocks: sources that were proved equal). Candidates are ordered by how much of the two
conditions and heads becomes the same formula; few are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tallystick.core.binders import instantiate
from tallystick.core.operators import Operator
from tallystick.core.terms import Term
from tallystick.decision.queries.opened import Opened
from tallystick.decision.queries.slots import conjuncts

MOST_ASSIGNMENTS = 720
"""So many assignments of slots are compared by their formulas."""
MOST_TRIED = 6
"""So many of them are tried, the most similar first."""


def assignments(left: Opened, right: Term, same: Callable[[Term, Term], bool]) -> Iterator[tuple[int, ...]]:
    """For each slot of `right`, the position of the slot of `left` that stands for it; the best guesses first."""
    *sources, _, _ = right.arguments
    if len(sources) != len(left.rows):
        return
    found: list[tuple[int, int, tuple[int, ...]]] = []
    own = frozenset(left.conditions)
    for slots in _bijections(left, sources, same):
        instance = instantiate(right, tuple(left.rows[position] for position in slots))
        parts = frozenset(conjuncts(instance.condition))
        difference = len(own ^ parts) + 2 * _different(left.head, instance.head)
        found.append((difference, len(found), slots))
        if len(found) >= MOST_ASSIGNMENTS:
            break
    found.sort()
    for _, _, slots in found[:MOST_TRIED]:
        yield slots


def _different(left: Term, right: Term) -> int:
    if left.operator is Operator.TUPLE and right.operator is Operator.TUPLE:
        return sum(one is not other for one, other in zip(left.arguments, right.arguments, strict=True))
    return int(left is not right)


def _bijections(left: Opened, sources: list[Term], same: Callable[[Term, Term], bool]) -> Iterator[tuple[int, ...]]:
    chosen: list[int] = []

    def extend() -> Iterator[tuple[int, ...]]:
        if len(chosen) == len(sources):
            yield tuple(chosen)
            return
        source = sources[len(chosen)]
        for position, candidate in enumerate(left.sources):
            if position not in chosen and same(candidate, source):
                chosen.append(position)
                yield from extend()
                chosen.pop()

    return extend()
