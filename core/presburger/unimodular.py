"""When integer points of k·P are sums of k integer points of P: unimodular systems; and generators for the others."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd
from typing import Any

from tallystick.core.presburger.limits import Limits

Vector = tuple[int, ...]
FORMS = 8
"""How many different rows a system may have to be tested: more are called not unimodular."""


def is_unimodular(rows: Sequence[Sequence[int]]) -> bool:
    """Whether the rows are totally unimodular over a basis of rows that extends to a basis of the integer lattice.

    Then A·y ≤ b, for integer b, has the integer decomposition property (Baum and Trotter 1978): integer points of its
    k-fold are sums of k integer points. Rows are counted once, whatever their sign. May say no where it is so.
    """
    forms = list({max(tuple(row), tuple(-entry for entry in row)) for row in rows if any(row)})
    if len(forms) > FORMS:
        return False
    rank = len(independent(forms))
    for basis in combinations(sorted(forms), rank):
        minors = [_determinant([[row[i] for i in columns] for row in basis]) for columns in _columns(basis, rank)]
        if gcd(*minors) == 1:
            others = [_coordinates(form, basis) for form in forms if form not in basis]
            if all(_is_totally_unimodular(others, size) for size in range(1, min(len(others), rank) + 1)):
                return True
    return rank == 0


def _columns(rows: Sequence[Vector], size: int) -> combinations:
    return combinations(range(len(rows[0]) if rows else 0), size)


def _is_totally_unimodular(rows: Sequence[Sequence[Fraction]], size: int) -> bool:
    return all(
        _determinant([[row[i] for i in columns] for row in chosen]) in (-1, 0, 1)
        for chosen in combinations(rows, size)
        for columns in combinations(range(len(rows[0])), size)
    )


def _determinant(matrix: Sequence[Sequence[Any]]) -> Any:
    if not matrix:
        return 1
    first, *rest = matrix
    return sum(
        (-1) ** index * entry * _determinant([[*row[:index], *row[index + 1 :]] for row in rest])
        for index, entry in enumerate(first)
        if entry
    )


def independent(rows: Sequence[Vector]) -> list[Vector]:
    """The rows that no rows before them span."""
    kept: list[Vector] = []
    found: list[list[Fraction]] = []
    for row in rows:
        reduced = [Fraction(entry) for entry in row]
        for other in found:
            lead = next(index for index, entry in enumerate(other) if entry)
            factor = reduced[lead] / other[lead]
            reduced = [entry - factor * part for entry, part in zip(reduced, other, strict=True)]
        if any(reduced):
            found.append(reduced)
            kept.append(row)
    return kept


def _coordinates(form: Vector, basis: Sequence[Vector]) -> list[Fraction]:
    """The coefficients of a form that the rows of a basis span: Cramer's rule on columns where the basis is regular."""
    for columns in _columns(basis, len(basis)):
        square = [[row[i] for i in columns] for row in basis]
        whole = _determinant(square)
        if whole:
            wanted = [form[i] for i in columns]
            return [
                Fraction(_determinant([*square[:index], wanted, *square[index + 1 :]]), whole)
                for index in range(len(basis))
            ]
    raise ValueError("the rows are no basis")


def minimal_solutions(
    rows: Sequence[Sequence[int]], constants: Sequence[int], limits: Limits
) -> tuple[list[Vector], list[Vector]]:
    """Starts c and directions p such that the integer y with rows·y + constants ≤ 0 are those of all c + ℕ·p₁ + ….

    These are the minimal solutions of rows·(u - v) + s + k·constants = 0 in natural numbers with k = 1 and with k = 0
    (Contejean and Devie 1994). Raises LimitError.
    """
    width = len(rows[0])
    slack = [tuple(int(i == j) for i in range(len(rows))) for j in range(len(rows))]
    positive = [tuple(row[j] for row in rows) for j in range(width)]
    negative = [tuple(-entry for entry in column) for column in positive]
    columns = [*positive, *negative, *slack, tuple(constants)]
    minimal: list[Vector] = []
    frontier = {tuple(int(i == j) for i in range(len(columns))) for j in range(len(columns))}
    while frontier:
        images = {
            t: [sum(n * c[i] for n, c in zip(t, columns, strict=True)) for i in range(len(rows))] for t in frontier
        }
        minimal += [t for t, image in images.items() if not any(image)]
        following: set[Vector] = set()
        for t, image in images.items():
            for j, column in enumerate(columns):
                closer = sum(one * other for one, other in zip(image, column, strict=True)) < 0
                if closer and not (j == len(columns) - 1 and t[-1]):
                    following.add((*t[:j], t[j] + 1, *t[j + 1 :]))
        limits.check("constraints", len(following) + len(minimal))
        frontier = {t for t in following if not any(_is_below(least, t) for least in minimal)}
    values = [(t[-1], tuple(t[j] - t[width + j] for j in range(width))) for t in minimal]
    starts = list(dict.fromkeys(y for k, y in values if k == 1))
    return starts, list(dict.fromkeys(y for k, y in values if k == 0 and any(y)))


def _image(vector: Vector, columns: Sequence[Vector]) -> list[int]:
    """The matrix with these columns, times a vector."""
    used = [(times, column) for times, column in zip(vector, columns, strict=True) if times]
    return [sum(times * column[i] for times, column in used) for i in range(len(columns[0]))]


def _is_below(least: Vector, other: Vector) -> bool:
    return all(a <= b for a, b in zip(least, other, strict=True))
