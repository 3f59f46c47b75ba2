"""Inequalities, and Fourier and Motzkin's elimination of their unknowns.

Each inequality carries its *origins*, a bit set of the decisions that it depends on (search.py), and so does
each consequence. A conflict names the decisions to blame, which is what lets the search jump back over
others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tallystick.core.presburger.limits import Limits
from tallystick.core.presburger.linear import Coefficients, Linear, combine

Values = dict[str, int]


class Inequality(NamedTuple):
    """term ≤ 0, because of `origins`."""

    term: Linear
    origins: int


class Conflict(NamedTuple):
    """No integers satisfy what was asserted; the assertions of `origins` alone suffice for that."""

    origins: int


class Level:
    """One step of the elimination: an unknown, its lower and upper bounds, and the rest."""

    def __init__(self, name: str, inequalities: list[Inequality]) -> None:
        self.name = name
        self.lower: list[Inequality] = []
        self.upper: list[Inequality] = []
        self.rest: list[Inequality] = []
        for item in inequalities:
            factor = item.term.coefficient(name)
            (self.lower if factor < 0 else self.upper if factor > 0 else self.rest).append(item)

    def shadow(self) -> Iterator[Inequality]:
        """b·p ≤ a·q for p ≤ a·x and b·x ≤ q."""
        for below in self.lower:
            a = -below.term.coefficient(self.name)
            for above in self.upper:
                b = above.term.coefficient(self.name)
                yield Inequality(combine(b, below.term, a, above.term), below.origins | above.origins)

    def interval(self, values: Values) -> tuple[int | None, int | None]:
        """The least and the greatest integer that the bounds admit where the unknowns of later levels have `values`."""
        least = max((_bound(item.term, self.name, values) for item in self.lower), default=None)
        return least, min((_bound(item.term, self.name, values) for item in self.upper), default=None)


def eliminate(inequalities: list[Inequality], most: int, limits: Limits) -> list[Level] | Conflict | None:
    """The levels of an elimination of all unknowns, each from the shadow of the one before; or a conflict.

    None when a level would have more than `most` inequalities. Raises LimitError at the cap `coefficient_bits` and at
    the deadline.
    """
    levels: list[Level] = []
    current: list[Inequality] | Conflict = inequalities
    while current:
        if isinstance(current, Conflict):
            return current
        level = Level(_cheapest(current), current)
        levels.append(level)
        if len(level.rest) + len(level.lower) * len(level.upper) > most:
            return None
        current = tighten((*level.rest, *level.shadow()), limits)
    return levels


def tighten(inequalities: Iterable[Inequality], limits: Limits) -> list[Inequality] | Conflict:
    """The inequalities with gcds divided out, only the tightest of parallel ones; or a conflict."""
    tightest: dict[Coefficients, tuple[int, int]] = {}
    for term, origins in inequalities:
        content = term.content()
        if content == 0:
            if term.constant > 0:
                return Conflict(origins)
            continue
        pairs, bound = term
        if content > 1:
            pairs = tuple((name, factor // content) for name, factor in pairs)
            bound = -(-bound // content)
        known = tightest.get(pairs)
        if known is None or known[0] < bound:
            tightest[pairs] = bound, origins
    found = [Inequality(Linear(pairs, bound), origins) for pairs, (bound, origins) in tightest.items()]
    bits = max((abs(item.term.constant).bit_length() for item in found), default=0)
    limits.check("coefficient_bits", bits)
    return found


def _cheapest(inequalities: list[Inequality]) -> str:
    """The unknown to eliminate next: exact steps first, then those that leave the fewest inequalities."""
    lowers: dict[str, list[int]] = {}
    uppers: dict[str, list[int]] = {}
    for (pairs, _), _ in inequalities:
        for name, factor in pairs:
            (lowers if factor < 0 else uppers).setdefault(name, []).append(abs(factor))

    def cost(name: str) -> tuple[bool, int, str]:
        below, above = lowers.get(name, []), uppers.get(name, [])
        exact = not below or not above or max(below) == 1 or max(above) == 1
        return not exact, len(below) * len(above) - len(below) - len(above), name

    return min(lowers | uppers, key=cost)


def _bound(term: Linear, name: str, values: Values) -> int:
    """The integer bound that term ≤ 0 sets on an unknown where the others have `values`."""
    factor = term.coefficient(name)
    rest = term.without(name).value(values)
    return -(rest // factor) if factor < 0 else -rest // factor
