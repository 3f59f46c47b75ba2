"""Where a proof about two wires stops: the smallest cut first, then wider ones."""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.certificates.dataflows.kernel import Composition
from tallystick.certificates.dataflows.proofs import Place
from tallystick.core.dataflows.workflow import Opaque

DEPTHS = (0, 1, 2, 4, 8, 1_000_000)
"""How many equal wires a proof goes through, before it stops at equal wires, in one attempt after the other."""


def frontiers(composition: Composition, *places: Place) -> Iterator[tuple[Place, ...]]:
    """Roots to stop at, for one attempt after the other, each only once."""
    seen: set[tuple[Place, ...]] = set()
    for depth in DEPTHS:
        stops = _stops(composition, places, depth)
        if stops not in seen:
            seen.add(stops)
            yield stops


def _stops(composition: Composition, places: tuple[Place, ...], depth: int) -> tuple[Place, ...]:
    equal = {root for root, _ in composition.roots.values()}
    found: dict[Place, None] = {}
    reached: dict[Place, int] = {}

    def go(place: Place, left: int) -> None:
        """Goes through a wire into those that it reads, past `left` equal ones at most."""
        if reached.get(place, -1) >= left:
            return
        reached[place] = left
        for name in composition.wires[place].reads:
            below: Place = (place[0], name)
            if below not in composition.wires:
                continue
            root, _ = composition.root(below)
            opaque = isinstance(composition.wires[below].operator, Opaque)
            if opaque or (root in equal and left == 0):
                found[root] = None
            else:
                go(below, left - 1 if root in equal else left)

    for place in places:
        go(place, depth)
    return tuple(sorted(found))
