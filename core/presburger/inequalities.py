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
        tightest = self._tighten(inequalities)
        if isinstance(tightest, Conflict):
            return tightest
        if not tightest:
            return {}
        name = _cheapest(tightest)
        lower, upper, rest = _sides(tightest, name)
        rest_solution = self.solve([*rest, *_shadow(lower, upper, name, dark=False)])
        if not isinstance(rest_solution, dict):
            return rest_solution
        value = self._choose(lower, upper, name, rest_solution)
        if value is not None:
            return {**rest_solution, name: value}
        if self._round_first:
            greatest = min(_bound(item.term, name, rest_solution) for item in upper)
            cases = at_most(unknown(name).shift(-greatest)), at_most(unknown(name, -1).shift(greatest + 1))
            return Split(cases, 0)
        return self._outside_real_shadow(lower, upper, rest, name)

    def _outside_real_shadow(
        self, lower: list[Inequality], upper: list[Inequality], rest: list[Inequality], name: str
    ) -> Values | Conflict | Split:
        """The real shadow has a point above which no integer lies: try the dark shadow, then the planes
        beside it."""
        solution = self.solve([*rest, *_shadow(lower, upper, name, dark=True)])
        if isinstance(solution, dict):
            value = self._choose(lower, upper, name, solution)
            if value is None:
                raise AssertionError("a point of the dark shadow has an integer above it")
            return {**solution, name: value}
        origins = solution.origins
        for inequality in (*lower, *upper):
            origins |= inequality.origins
        inner = solution.cases if isinstance(solution, Split) else ()
        cases = tuple(dict.fromkeys((*inner, *map(equal, self._planes(lower, upper, name)))))
        return Split(cases, origins) if cases else Conflict(origins)

    def _planes(self, lower: list[Inequality], upper: list[Inequality], name: str) -> Iterator[Linear]:
        """Pugh's splinters: a·x = p + s for bounds a·x ≥ p and few s ≥ 0, or a·x = p - s for bounds a·x ≤
        p."""
        below, above = _splinters(lower, upper, name), _splinters(upper, lower, name)
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

    def _choose(self, lower: list[Inequality], upper: list[Inequality], name: str, values: Values) -> int | None:
        """An integer between the bounds, near 0, that avoids the disequalities if one does; or None."""
        least = max((_bound(item.term, name, values) for item in lower), default=None)
        greatest = min((_bound(item.term, name, values) for item in upper), default=None)
        if least is not None and greatest is not None and least > greatest:
            return None
        start = 0 if least is None else max(0, least)
        if greatest is not None:
            start = min(start, greatest)
        forbids = self._forbidding(name, values)
        for distance in range(2 * len(forbids) + 1):
            for candidate in (start + distance, start - distance):
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


def _sides(inequalities: list[Inequality], name: str) -> tuple[list[Inequality], list[Inequality], list[Inequality]]:
    """The inequalities that bound an unknown from below, from above, and the others."""
    lower: list[Inequality] = []
    upper: list[Inequality] = []
    rest: list[Inequality] = []
    for item in inequalities:
        factor = item.term.coefficient(name)
        (lower if factor < 0 else upper if factor > 0 else rest).append(item)
    return lower, upper, rest


def _shadow(lower: list[Inequality], upper: list[Inequality], name: str, dark: bool) -> Iterator[Inequality]:
    """For p ≤ a·x and b·x ≤ q: b·p ≤ a·q, and the margin (a-1)·(b-1) between them in the dark shadow."""
    for below in lower:
        a = -below.term.coefficient(name)
        for above in upper:
            b = above.term.coefficient(name)
            term = combine(b, below.term, a, above.term)
            margin = (a - 1) * (b - 1) if dark else 0
            yield Inequality(term.shift(margin), below.origins | above.origins)


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
