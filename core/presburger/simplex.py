"""Rational solutions of inequalities by the dual simplex method, and the directions they extend in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tallystick.core.presburger.fourier_motzkin import Conflict, Inequality, Values
from tallystick.core.presburger.limits import Limits
from tallystick.core.presburger.linear import Linear


class Dictionary:
    """Inequalities t ≤ 0 as slacks s = -t ≥ 0, some of which, and the unknowns, are written in terms of others.

    Invariant: denominator · basic[i] = rows[i][0] + Σⱼ rows[i][j + 1] · others[j], with integer rows and a
    positive denominator (Edmonds: it is a minor of the matrix of coefficients, so divisions below are exact).
    Unknowns are numbered -1, -2, …; slacks 0, 1, …. After `settle` found no conflict, others = 0 is a solution.
    """

    def __init__(self, names: Sequence[str], inequalities: Iterable[Inequality], limits: Limits) -> None:
        self._index = {name: -1 - position for position, name in enumerate(names)}
        self._limits = limits
        self._denominator = 1
        self._basic: list[int] = []
        self._others = list(self._index.values())
        self._rows: list[list[int]] = []
        self._origins: list[int] = []
        for inequality in inequalities:
            self.add(inequality)

    def copy(self) -> Dictionary:
        """An independent dictionary of the same inequalities."""
        twin = Dictionary(list(self._index), (), self._limits)
        twin._denominator = self._denominator
        twin._basic, twin._others = list(self._basic), list(self._others)
        twin._rows, twin._origins = list(self._rows), list(self._origins)
        return twin

    def add(self, inequality: Inequality) -> None:
        """Adds an inequality over the dictionary's unknowns."""
        row = [0] * (len(self._others) + 1)
        row[0] = -self._denominator * inequality.term.constant
        for name, factor in inequality.term.coefficients:
            index = self._index[name]
            if index in self._others:
                row[self._others.index(index) + 1] -= factor * self._denominator
            else:
                known = self._rows[self._basic.index(index)]
                row = [entry - factor * other for entry, other in zip(row, known, strict=True)]
        self._basic.append(len(self._origins))
        self._rows.append(row)
        self._origins.append(inequality.origins)

    def settle(self) -> Conflict | None:
        """Pivots until all slacks are at least 0, or finds out why they cannot be.

        Bland's rule, the least index first, makes this end. Raises LimitError at the cap `coefficient_bits` and
        at the deadline.
        """
        while True:
            self._limits.check("coefficient_bits", self._denominator.bit_length())
            negative = [index for index, row in zip(self._basic, self._rows, strict=True) if index >= 0 > row[0]]
            if not negative:
                return None
            leaving = self._basic.index(min(negative))
            row = self._rows[leaving]
            rising = [i for i, factor in zip(self._others, row[1:], strict=True) if factor > 0 or (i < 0 and factor)]
            if not rising:
                used = [i for i, factor in zip(self._others, row[1:], strict=True) if factor]
                origins = self._origins[self._basic[leaving]]
                for index in used:
                    origins |= self._origins[index]
                return Conflict(origins)
            self._pivot(leaving, self._others.index(min(rising)))

    def _pivot(self, leaving: int, entering: int) -> None:
        row, column = self._rows[leaving], entering + 1
        pivot, denominator = row[column], self._denominator
        sign = 1 if pivot > 0 else -1
        for index, other in enumerate(self._rows):
            if index == leaving:
                changed = [-sign * entry for entry in row]
                changed[column] = sign * denominator
            else:
                factor = other[column]
                changed = [sign * (pivot * a - factor * b) // denominator for a, b in zip(other, row, strict=True)]
                changed[column] = sign * factor
            self._rows[index] = changed
        self._denominator = abs(pivot)
        self._basic[leaving], self._others[entering] = self._others[entering], self._basic[leaving]

    def solution(self) -> tuple[Values, int]:
        """(numerators, denominator) of a solution, after `settle` found no conflict."""
        rows = dict(zip(self._basic, self._rows, strict=True))
        return {name: rows[i][0] if i in rows else 0 for name, i in self._index.items()}, self._denominator


def recession(inequalities: Sequence[Inequality], limits: Limits) -> tuple[list[Inequality], Values]:
    """The inequalities that hold the solutions within bounds, and a direction in which all the others grow slack.

    Along the direction the terms of the former stay the same. A conflict between a₁·r < 0, …, aₙ·r < 0 is a
    combination of the aᵢ with positive factors that is 0 (Farkas), so none of those that it uses can fall.
    """
    names = sorted({name for item in inequalities for name in item.term.names()})
    bounding = 0
    while bounding != (1 << len(inequalities)) - 1:
        cone = (
            Inequality(Linear(item.term.coefficients, 1 - (bounding >> index & 1)), 1 << index)
            for index, item in enumerate(inequalities)
        )
        dictionary = Dictionary(names, cone, limits)
        conflict = dictionary.settle()
        if conflict is None:
            return [item for index, item in enumerate(inequalities) if bounding >> index & 1], dictionary.solution()[0]
        bounding |= conflict.origins
    return list(inequalities), {}
