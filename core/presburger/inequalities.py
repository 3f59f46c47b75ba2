"""Integer solutions of conjunctions of inequalities: Fourier and Motzkin's elimination with Pugh's exactness
test.

Each inequality carries its *origins*, a bit set of the decisions that it depends on (search.py), and so does
each consequence. A conflict names the decisions to blame, which is what lets the search jump back over
others.

Pugh, "The Omega test", 1991: the real shadow over-approximates, the dark shadow under-approximates, and an
integer solution outside the dark shadow lies close to a lower bound, hence on one of finitely many
hyperplanes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tallystick.core.presburger.formulas import Formula, at_most, equal
from tallystick.core.presburger.limits import Limits
from tallystick.core.presburger.linear import Coefficients, Linear, combine, unknown

Values = dict[str, int]


class Inequality(NamedTuple):
    """term ≤ 0, because of `origins`."""

    term: Linear
    origins: int


class Conflict(NamedTuple):
    """No integers satisfy what was asserted; the assertions of `origins` alone suffice for that."""

    origins: int


class Split(NamedTuple):
    """Every solution of the assertions of `origins` satisfies one of these cases, all equations or all
    bounds."""

    cases: tuple[Formula, ...]
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

    def shadow(self, dark: bool) -> Iterator[Inequality]:
        """For p ≤ a·x and b·x ≤ q: b·p ≤ a·q, and the margin (a-1)·(b-1) between them in the dark shadow."""
        for below in self.lower:
            a = -below.term.coefficient(self.name)
            for above in self.upper:
                b = above.term.coefficient(self.name)
                term = combine(b, below.term, a, above.term)
                margin = (a - 1) * (b - 1) if dark else 0
                yield Inequality(term.shift(margin), below.origins | above.origins)


DISTANCES = (0, 1, 100, 10_000)
"""How far from a single bound, or whether in the middle of two, values are chosen, one attempt after
another."""


class System:
    """A search for integers that satisfy inequalities and, if that costs nothing, disequalities.

    Args:
        avoid: pairs (t, d), where t should better not become 0, or for d > 0 a multiple of d; the caller
        checks
            whether it did.
        round_first: whether to split at x ≤ k or x ≥ k + 1 where the rational solution found has no integer
        x.
            That is often quick, but need not end; splitting along planes does end.
        limits: the caps; LimitError is raised at `constraints`, `test_points`, `coefficient_bits`, and at the
            `deadline`.
    """

    def __init__(self, avoid: Iterable[tuple[Linear, int]], round_first: bool, limits: Limits) -> None:
        self._avoid = tuple(avoid)
        self._round_first = round_first
        self._limits = limits

    def solve(self, inequalities: Iterable[Inequality]) -> Values | Conflict | Split:
        """Values that satisfy the inequalities, or why there are none, or what to distinguish next."""
        levels: list[Level] = []
        current = self._tighten(inequalities)
        while current:
            if isinstance(current, Conflict):
                return current
            levels.append(Level(_cheapest(current), current))
            current = self._tighten((*levels[-1].rest, *levels[-1].shadow(dark=False)))
        attempts = (self._descend(levels, {}, distance) for distance in DISTANCES)
        values, stuck = next(attempts)
        if stuck:
            values, stuck = min((values, stuck), *attempts, key=lambda attempt: attempt[1])
        while stuck:
            outcome = self._beside(levels[stuck - 1], values)
            if not isinstance(outcome, dict):
                return outcome
            values, stuck = self._descend(levels[: stuck - 1], outcome, 0)
        return values

    def _descend(self, levels: list[Level], values: Values, distance: int) -> tuple[Values, int]:
        """Values for the levels' unknowns too, the last eliminated first, and how many levels got none."""
        values = dict(values)
        for index in reversed(range(len(levels))):
            value = self._choose(levels[index], values, distance)
            if value is None:
                return values, index + 1
            values[levels[index].name] = value
        return values, 0

    def _beside(self, level: Level, shadow_point: Values) -> Values | Conflict | Split:
        """No integer lies above a point of the level's real shadow: try the dark shadow, then split."""
        solution = self.solve([*level.rest, *level.shadow(dark=True)])
        if isinstance(solution, dict):
            value = self._choose(level, solution, 0)
            if value is None:
                raise AssertionError("a point of the dark shadow has an integer above it")
            return {**solution, level.name: value}
        if self._round_first:
            name, k = level.name, min(_bound(item.term, level.name, shadow_point) for item in level.upper)
            cases = at_most(unknown(name).shift(-k)), at_most(unknown(name, -1).shift(k + 1))
            return Split(cases, 0)
        origins = solution.origins
        for inequality in (*level.lower, *level.upper):
            origins |= inequality.origins
        inner = solution.cases if isinstance(solution, Split) else ()
        cases = tuple(dict.fromkeys((*inner, *map(equal, self._planes(level)))))
        return Split(cases, origins) if cases else Conflict(origins)

    def _planes(self, level: Level) -> Iterator[Linear]:
        """Pugh's splinters: a·x = p + s for bounds a·x ≥ p and few s ≥ 0, or a·x = p - s for bounds a·x ≤
        p."""
        below = _splinters(level.lower, level.upper, level.name)
        above = _splinters(level.upper, level.lower, level.name)
        chosen = min(below, above, key=lambda counted: sum(count for _, count in counted))
        self._limits.check("test_points", sum(count for _, count in chosen))
        for term, splinters in chosen:
            for offset in range(splinters):
                yield term.shift(offset)

    def _tighten(self, inequalities: Iterable[Inequality]) -> list[Inequality] | Conflict:
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
        self._limits.check("constraints", len(tightest))
        found = [Inequality(Linear(pairs, bound), origins) for pairs, (bound, origins) in tightest.items()]
        bits = max((abs(item.term.constant).bit_length() for item in found), default=0)
        self._limits.check("coefficient_bits", bits)
        return found

    def _choose(self, level: Level, values: Values, distance: int) -> int | None:
        """An integer between the level's bounds that avoids what it should if it can; None if none lies
        there.

        It is the one nearest to 0, or for a distance > 0 the middle, or that far from a single bound.
        """
        least = max((_bound(item.term, level.name, values) for item in level.lower), default=None)
        greatest = min((_bound(item.term, level.name, values) for item in level.upper), default=None)
        if least is not None and greatest is not None and least > greatest:
            return None
        start = 0 if least is None else max(distance and least + distance, least)
        if greatest is not None:
            start = min(start, greatest - (distance if least is None else 0))
            if distance and least is not None:
                start = (least + greatest) // 2
        forbids = self._forbidding(level.name, values)
        for step in range(2 * len(forbids) + 1):
            for candidate in (start + step, start - step):
                within = (least is None or candidate >= least) and (greatest is None or candidate <= greatest)
                if within and not any(_is_zero(factor * candidate + rest, d) for factor, rest, d in forbids):
                    return candidate
        return start

    def _forbidding(self, name: str, values: Values) -> list[tuple[int, int, int]]:
        """(c, r, d) for each term to avoid that is c·x + r now: it must not be 0 modulo d (0 itself for d =
        0)."""
        return [
            (factor, term.without(name).value(values), divisor)
            for term, divisor in self._avoid
            if (factor := term.coefficient(name)) and all(n == name or n in values for n in term.names())
        ]


def _is_zero(value: int, divisor: int) -> bool:
    return value % divisor == 0 if divisor else value == 0


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


def _splinters(side: list[Inequality], opposite: list[Inequality], name: str) -> list[tuple[Linear, int]]:
    """For each bound of a side, how many planes next to it hold the solutions outside the dark shadow."""
    greatest = max(abs(bound.term.coefficient(name)) for bound in opposite)
    factors = [(bound.term, abs(bound.term.coefficient(name))) for bound in side]
    return [(term, (a * greatest - a - greatest) // greatest + 1) for term, a in factors]


def _bound(term: Linear, name: str, values: Values) -> int:
    """The integer bound that term ≤ 0 sets on an unknown where the others have `values`."""
    factor = term.coefficient(name)
    rest = term.without(name).value(values)
    return -(rest // factor) if factor < 0 else -rest // factor


def solve_equation(term: Linear, fresh: Iterator[str]) -> Iterator[tuple[str, Linear, bool]]:
    """All integer solutions of term = 0 (coefficients with gcd 1) as replacements to make in order.

    Yields (unknown, replacement, renames): a replacement that `renames` is a bijective change of variable and
    holds without the equation (Knuth, TAOCP 2, section 4.5.2, algorithm for linear Diophantine equations).
    """
    while True:
        name, factor = min(term.coefficients, key=lambda pair: abs(pair[1]))
        rest = term.without(name)
        if abs(factor) == 1:
            yield name, rest.times(-factor), False
            return
        new = next(fresh)
        quotients = Linear(tuple((x, -(c // factor)) for x, c in rest.coefficients if c // factor), 0)
        yield name, quotients.plus(unknown(new)), True
        term = term.substitute(name, quotients.plus(unknown(new)))
