"""The literals that a search has asserted: equations solved for unknowns, intervals of terms,
disequalities."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from tallystick.core.presburger.formulas import Atom, Relation
from tallystick.core.presburger.fourier_motzkin import Conflict, Inequality, Values
from tallystick.core.presburger.inequalities import System, solve_equation
from tallystick.core.presburger.limits import Limits
from tallystick.core.presburger.linear import Coefficients, Linear, balanced, combine, unknown

FRESH = "#"
"""How the names of unknowns begin that only a store knows."""

Interval = tuple[int | None, int, int | None, int]
"""Least value and its origins, greatest value and its origins, of a sum of unknowns."""


class Store:
    """A conjunction of literals, with the origins (see inequalities.py) of each.

    Invariants: no solved unknown occurs in an interval, a disequality or another solution; an interval's
    coefficients have gcd 1, the first is positive, and its least value is below its greatest.
    """

    def __init__(self, limits: Limits, fresh: Iterator[str]) -> None:
        self._limits = limits
        self._fresh = fresh
        self._solved: dict[str, tuple[Linear, int]] = {}
        self._intervals: dict[Coefficients, Interval] = {}
        self._apart: dict[tuple[Linear, int], int] = {}
        self._remainders: dict[tuple[Coefficients, int], Linear] = {}

    def copy(self) -> Store:
        """An independent store with the same literals; it forgets solved unknowns that only stores know."""
        twin = Store(self._limits, self._fresh)
        named = {name for remainder in self._remainders.values() for name in remainder.names()}
        twin._solved = {name: known for name, known in self._solved.items() if name[0] != FRESH or name in named}
        twin._remainders = dict(self._remainders)
        twin._intervals = dict(self._intervals)
        twin._apart = dict(self._apart)
        return twin

    def add(self, atom: Atom, origins: int) -> Conflict | None:
        """Asserts a literal; a conflict when simple reasoning finds one."""
        relation, term, divisor = atom
        match relation:
            case Relation.AT_MOST:
                return self._add_bound(term, origins)
            case Relation.EQUAL:
                return self._add_equation(term, origins)
            case Relation.DIFFERS | Relation.INDIVISIBLE:
                term, because = self.rewrite(term)
                self._apart.setdefault((term, divisor), origins | because)
                return self._check_apart()
            case Relation.DIVIDES:
                return self._add_equation(term.minus(unknown(next(self._fresh), divisor)), origins)

    def rewrite(self, term: Linear) -> tuple[Linear, int]:
        """The term without solved unknowns, and the origins of the equations used."""
        because = 0
        result = term
        for name, factor in term.coefficients:
            known = self._solved.get(name)
            if known is not None:
                result = combine(1, result.without(name), factor, known[0])
                because |= known[1]
        return result, because

    def refutes(self, atom: Atom) -> int | None:
        """Origins that contradict the literal, found by looking up; None when nothing is found."""
        relation, divisor = atom.relation, atom.divisor
        term, because = self.rewrite(atom.term)
        content = term.content()
        match relation:
            case Relation.AT_MOST if content == 0:
                return because if term.constant > 0 else None
            case Relation.AT_MOST:
                least, least_origins, _, _ = self._range(term, content)
                return because | least_origins if least is not None and least > 0 else None
            case Relation.EQUAL if content == 0:
                return because if term.constant else None
            case Relation.EQUAL if term.constant % content:
                return because
            case Relation.EQUAL:
                least, least_origins, greatest, greatest_origins = self._range(term, content)
                if least is not None and least > 0:
                    return because | least_origins
                if greatest is not None and greatest < 0:
                    return because | greatest_origins
                return None
            case Relation.DIFFERS:
                return because if content == 0 and term.constant == 0 else None
            case Relation.DIVIDES:
                common = gcd(content, divisor)
                return because if term.constant % common else None
            case Relation.INDIVISIBLE:
                return because if content % divisor == 0 and term.constant % divisor == 0 else None

    def _range(self, term: Linear, content: int) -> Interval:
        """What the interval of the term's sum says about the term itself."""
        sign = content if term.coefficients[0][1] > 0 else -content
        pairs = tuple((name, factor // sign) for name, factor in term.coefficients)
        low, low_origins, high, high_origins = self._intervals.get(pairs, (None, 0, None, 0))
        if sign < 0:
            low, low_origins, high, high_origins = high, high_origins, low, low_origins
        least = None if low is None else sign * low + term.constant
        greatest = None if high is None else sign * high + term.constant
        return least, low_origins, greatest, high_origins

    def _add_bound(self, term: Linear, origins: int) -> Conflict | None:
        term, because = self.rewrite(term)
        origins |= because
        content = term.content()
        if content == 0:
            return Conflict(origins) if term.constant > 0 else None
        sign = content if term.coefficients[0][1] > 0 else -content
        pairs = tuple((name, factor // sign) for name, factor in term.coefficients)
        low, low_origins, high, high_origins = self._intervals.get(pairs, (None, 0, None, 0))
        if sign > 0:
            bound = -term.constant // content
            if high is not None and high <= bound:
                return None
            high, high_origins = bound, origins
        else:
            bound = -(-term.constant // content)
            if low is not None and low >= bound:
                return None
            low, low_origins = bound, origins
        if low is None or high is None or low < high:
            self._intervals[pairs] = low, low_origins, high, high_origins
            return None
        if low > high:
            return Conflict(low_origins | high_origins)
        self._intervals.pop(pairs, None)
        return self._add_equation(Linear(pairs, -low), low_origins | high_origins)

    def _add_equation(self, term: Linear, origins: int) -> Conflict | None:
        term, because = self.rewrite(term)
        origins |= because
        content = term.content()
        if content == 0:
            return Conflict(origins) if term.constant else None
        if term.constant % content:
            return Conflict(origins)
        primitive = Linear(tuple((n, c // content) for n, c in term.coefficients), term.constant // content)
        bits = max(abs(c).bit_length() for c in (primitive.constant, *(c for _, c in primitive.coefficients)))
        self._limits.check("coefficient_bits", bits)
        disturbed: list[Inequality] = []
        for name, replacement, renames in solve_equation(primitive, self._fresh):
            disturbed += self._replace(name, replacement, 0 if renames else origins)
        for term, because in disturbed:
            conflict = self._add_bound(term, because)
            if conflict is not None:
                return conflict
        return self._check_apart()

    def _replace(self, name: str, replacement: Linear, origins: int) -> list[Inequality]:
        """Records name = replacement; returns the bounds that mentioned it, rewritten, for adding again."""
        for other, (term, because) in self._solved.items():
            if term.coefficient(name):
                self._solved[other] = term.substitute(name, replacement), because | origins
        self._solved[name] = replacement, origins
        for (term, divisor), because in list(self._apart.items()):
            if term.coefficient(name):
                del self._apart[term, divisor]
                self._apart.setdefault((term.substitute(name, replacement), divisor), because | origins)
        disturbed: list[Inequality] = []
        for pairs in [pairs for pairs in self._intervals if any(other == name for other, _ in pairs)]:
            low, low_origins, high, high_origins = self._intervals.pop(pairs)
            term = Linear(pairs, 0).substitute(name, replacement)
            if low is not None:
                disturbed.append(Inequality(term.times(-1).shift(low), low_origins | origins))
            if high is not None:
                disturbed.append(Inequality(term.shift(-high), high_origins | origins))
        return disturbed

    def _check_apart(self) -> Conflict | None:
        for (term, divisor), because in list(self._apart.items()):
            constant = term.content() % divisor == 0 if divisor else not term.coefficients
            if constant:
                if (term.constant % divisor if divisor else term.constant) == 0:
                    return Conflict(because)
                del self._apart[term, divisor]
        return None

    def solve(self) -> Values | Conflict:
        """Values for all unknowns that satisfy equations and inequalities, or why there are none."""
        inequalities: list[Inequality] = []
        for pairs, (low, low_origins, high, high_origins) in self._intervals.items():
            if low is not None:
                inequalities.append(Inequality(Linear(pairs, -low).times(-1), low_origins))
            if high is not None:
                inequalities.append(Inequality(Linear(pairs, -high), high_origins))
        values = System(self._apart, self._limits).solve(inequalities)
        if isinstance(values, dict):
            values.update({name: term.value(values) for name, (term, _) in self._solved.items()})
        return values

    def violated(self, values: Values) -> Iterator[tuple[Linear, int, int]]:
        """Each (t, d, origins) of which t ≠ 0, or for d > 0 d ∤ t, was asserted but fails at the values."""
        for (term, divisor), origins in self._apart.items():
            value = term.value(values)
            if (value % divisor if divisor else value) == 0:
                yield term, divisor, origins

    def name_remainder(self, term: Linear, divisor: int, origins: int) -> Conflict | None:
        """Says d ∤ t as r ≠ -c, for the remainder r by d of what t is without its constant c.

        Terms that differ in their constants share the remainder.
        """
        pairs = tuple((name, residue) for name, c in term.coefficients if (residue := balanced(c, divisor)))
        del self._apart[term, divisor]
        remainder = self._remainders.get((pairs, divisor))
        if remainder is None:
            remainder = self._remainders[pairs, divisor] = unknown(next(self._fresh))
            quotient = unknown(next(self._fresh), divisor)
            conflict = (
                self._add_equation(Linear(pairs, 0).minus(quotient).minus(remainder), 0)
                or self._add_bound(remainder.times(-1), 0)
                or self._add_bound(remainder.shift(1 - divisor), 0)
            )
            if conflict is not None:
                return conflict
        return self.add(Atom(Relation.DIFFERS, remainder.shift(-(-term.constant % divisor))), origins)
