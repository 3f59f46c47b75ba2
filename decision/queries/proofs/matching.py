"""Which slots of one monomial stand for which slots of another: the hints of rules BAG and SUM (untrusted).

Slots have equal sources (blocks: sources that were proved equal), and values that are columns of the head are the same
columns. Slots of like colours come first; candidates are ordered by how much of the two conditions and heads becomes
the same formula; few are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile

from tallystick.core.binders import instantiate
from tallystick.core.operators import Operator
from tallystick.core.terms import Term
from tallystick.decision.queries.proofs.colours import histories, oriented
from tallystick.decision.queries.trees.opened import Opened, opened
from tallystick.decision.queries.trees.slots import close, conjuncts

MOST_ASSIGNMENTS = 120
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
    for slots in _bijections(left, opened(right, 0), sources, same):
        instance = instantiate(right, tuple(left.rows[position] for position in slots))
        parts = frozenset(conjuncts(instance.condition))
        difference = len(own ^ parts) + 2 * _different(left.head, instance.head)
        found.append((difference, len(found), slots))
        if difference == 0 or len(found) >= MOST_ASSIGNMENTS:
            break
    found.sort()
    for _, _, slots in found[:MOST_TRIED]:
        yield slots


def _different(left: Term, right: Term) -> int:
    if left.operator is Operator.TUPLE and right.operator is Operator.TUPLE:
        return sum(one is not other for one, other in zip(left.arguments, right.arguments, strict=True))
    return int(left is not right)


def _bijections(
    left: Opened, right: Opened, sources: list[Term], same: Callable[[Term, Term], bool]
) -> Iterator[tuple[int, ...]]:
    columns, others = _columns(left), _columns(right)
    colours, wanted_colours = _colours(left), _colours(right)
    chosen: list[int] = []

    def unlike(position: int, place: int) -> tuple[bool, int]:
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(colours[position], wanted_colours[place], strict=False))
        return columns[position] != others[place], -len(list(alike))

    def extend() -> Iterator[tuple[int, ...]]:
        place = len(chosen)
        if place == len(sources):
            yield tuple(chosen)
            return
        wanted = others[place]
        source = close(sources[place], tuple(left.rows[position] for position in chosen))  # LATERAL: of earlier rows
        positions = sorted(range(len(columns)), key=lambda position: unlike(position, place))
        for position in positions:
            told_apart = wanted and columns[position] and wanted != columns[position]
            if position not in chosen and not told_apart and same(left.sources[position], source):
                chosen.append(position)
                yield from extend()
                chosen.pop()

    return extend()


def _colours(monomial: Opened) -> list[tuple[bytes, ...]]:
    parts = (*map(oriented, monomial.conditions), oriented(monomial.head))
    return histories(monomial.rows, monomial.sources, parts)


def _columns(monomial: Opened) -> list[frozenset[int]]:
    """For each slot, which columns of the head it is, as a whole."""
    head = monomial.head
    cells = head.arguments if head.operator is Operator.TUPLE else (head,)
    return [frozenset(place for place, cell in enumerate(cells) if cell is row) for row in monomial.rows]
