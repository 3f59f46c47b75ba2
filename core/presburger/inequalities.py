"""Integer solutions of conjunctions of inequalities.

First values are chosen unknown by unknown from Fourier and Motzkin's elimination. Where that finds no integer
although there are rational solutions,

1. inequalities that grow slack in some direction without harm to the others are left out: whatever satisfies
   the others can be moved in that direction until it satisfies these too;
2. what remains has finitely many integer solutions, up to shifts that change nothing. It is written in
   coordinates that make it round (lattices.py), and searched by cases y ≤ k or y ≥ k + 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tallystick.core.presburger.fourier_motzkin import Conflict, Inequality, Level, Values, eliminate, tighten
from tallystick.core.presburger.lattices import short_coordinates
from tallystick.core.presburger.limits import Limits
from tallystick.core.presburger.linear import Linear, unknown
from tallystick.core.presburger.simplex import Dictionary, recession

DISTANCES = (0, 100)
"""How far from a single bound, or whether in the middle of two, values are chosen, one attempt after another."""
MOST = 250
"""How many inequalities an elimination may hold; beyond, it is given up for the simplex method."""


class System:
    """A search for integers that satisfy inequalities and, if that costs nothing, disequalities.

    Args:
        avoid: pairs (t, d), where t should better not become 0, or for d > 0 a multiple of d; the caller
            checks whether it did.
        limits: the caps; LimitError is raised at `constraints`, `cases`, `coefficient_bits`, and at the
            deadline.
    """

    def __init__(self, avoid: Iterable[tuple[Linear, int]], limits: Limits) -> None:
        self._avoid = tuple(avoid)
        self._limits = limits

    def solve(self, inequalities: Iterable[Inequality]) -> Values | Conflict:
        """Values that satisfy the inequalities, or why there are none."""
        current = tighten(inequalities, self._limits)
        if isinstance(current, Conflict):
            return current
        self._limits.check("constraints", len(current))
        levels = eliminate(current, MOST, self._limits)
        if isinstance(levels, Conflict):
            return levels
        for distance in DISTANCES:
            values = None if levels is None else self._descend(levels, distance)
            if values is not None:
                return values
        return self._solve_bounded(current)

    def _descend(self, levels: list[Level], distance: int) -> Values | None:
        """Values for the levels' unknowns, the last eliminated first; None where one finds no integer."""
        values: Values = {}
        for level in reversed(levels):
            least, greatest = level.interval(values)
            if least is not None and greatest is not None and least > greatest:
                return None
            values[level.name] = self._choose(least, greatest, distance, self._forbidding(level.name, values))
        return values

    def _choose(
        self, least: int | None, greatest: int | None, distance: int, forbids: list[tuple[int, int, int]]
    ) -> int:
        """An integer between the bounds that avoids what it should if it can.

        It is the one nearest to 0, or for a distance > 0 the middle, or that far from a single bound.
        """
        start = 0 if least is None else max(distance and least + distance, least)
        if greatest is not None:
            start = min(start, greatest - (distance if least is None else 0))
            if distance and least is not None:
                start = (least + greatest) // 2
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

    def _solve_bounded(self, inequalities: list[Inequality]) -> Values | Conflict:
        """`solve` in coordinates that make the set of solutions bounded and round."""
        bounding, direction = recession(inequalities, self._limits)
        names = sorted({name for item in inequalities for name in item.term.names()})
        values = dict.fromkeys(names, 0)
        if bounding:
            vectors = short_coordinates([item.term for item in bounding], names)
            columns = {f"@{index}": dict(zip(names, vector, strict=True)) for index, vector in enumerate(vectors)}
            found = self._branch([Inequality(_in_coordinates(term, columns), o) for term, o in bounding], columns)
            if isinstance(found, Conflict):
                return found
            values = {name: sum(column[name] * found.get(y, 0) for y, column in columns.items()) for name in names}
        steps = 0
        for term, _ in inequalities:
            fall = -Linear(term.coefficients, 0).value(direction)
            if fall > 0:
                steps = max(steps, -(-term.value(values) // fall))
        return {name: value + steps * direction.get(name, 0) for name, value in values.items()}

    def _branch(self, inequalities: list[Inequality], names: Iterable[str]) -> Values | Conflict:
        """`solve` by cases x ≤ k or x ≥ k + 1; ends where finitely many integers satisfy the inequalities."""
        case = 1 << max(item.origins.bit_length() for item in inequalities)
        pending = [Dictionary(tuple(names), inequalities, self._limits)]
        blamed = opened = 0
        while pending:
            opened += 1
            self._limits.check("cases", opened)
            dictionary = pending.pop()
            conflict = dictionary.settle()
            if conflict is not None:
                if not conflict.origins & case:
                    return conflict
                blamed |= conflict.origins
                continue
            values, denominator = dictionary.solution()
            broken = next((name for name in reversed(values) if values[name] % denominator), None)
            if broken is None:
                return {name: value // denominator for name, value in values.items()}
            k = values[broken] // denominator
            for term in (unknown(broken).shift(-k), unknown(broken, -1).shift(k + 1)):
                pending.append(dictionary.copy())
                pending[-1].add(Inequality(term, case))
        return Conflict(blamed & ~case)


def _in_coordinates(term: Linear, columns: dict[str, Values]) -> Linear:
    """The term over y where x = Σ columns[y]·y."""
    homogeneous = Linear(term.coefficients, 0)
    pairs = ((y, homogeneous.value(column)) for y, column in columns.items())
    return Linear(tuple(sorted(pair for pair in pairs if pair[1])), term.constant)


def _is_zero(value: int, divisor: int) -> bool:
    return value % divisor == 0 if divisor else value == 0


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
