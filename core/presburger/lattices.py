"""Short bases of lattices, and coordinates in which thin sets of integer points become round."""

from __future__ import annotations

from collections.abc import Sequence

from tallystick.core.presburger.linear import Linear

Vector = tuple[int, ...]


def reduce_basis(basis: Sequence[Sequence[int]]) -> list[list[int]]:
    """A basis of short, nearly orthogonal vectors of the lattice that the given independent vectors span.

    Lenstra, Lenstra and Lovász 1982, with integers throughout: Cohen, "A Course in Computational Algebraic
    Number Theory", algorithm 2.6.7. Raises ValueError when the vectors are dependent.
    """
    return _Reduction(basis).run()


class _Reduction:
    """Invariant: for i < reached, `determinants[i + 1]` is the Gram determinant of the first i + 1 vectors, and
    `products[i][j]` for j < i is determinants[j + 1] times the Gram–Schmidt coefficient μᵢⱼ."""

    def __init__(self, basis: Sequence[Sequence[int]]) -> None:
        self.vectors = [list(vector) for vector in basis]
        self.determinants = [1]
        self.products: list[list[int]] = []

    def run(self) -> list[list[int]]:
        index = 0
        while index < len(self.vectors):
            if index == len(self.products):
                self._orthogonalize(index)
            if index == 0:
                index = 1
                continue
            self._shorten(index, index - 1)
            before, here, after = self.determinants[index - 1 : index + 2]
            if 4 * (after * before + self.products[index][index - 1] ** 2) < 3 * here**2:
                self._swap(index)
                index = max(1, index - 1)
            else:
                for other in reversed(range(index - 1)):
                    self._shorten(index, other)
                index += 1
        return self.vectors

    def _orthogonalize(self, index: int) -> None:
        row: list[int] = []
        for j in range(index + 1):
            product = sum(a * b for a, b in zip(self.vectors[index], self.vectors[j], strict=True))
            for i in range(j):
                other = row[i] if j == index else self.products[j][i]
                product = (self.determinants[i + 1] * product - row[i] * other) // self.determinants[i]
            if j < index:
                row.append(product)
            elif product == 0:
                raise ValueError("the vectors are dependent")
            else:
                self.determinants.append(product)
        self.products.append(row)

    def _shorten(self, index: int, other: int) -> None:
        determinant = self.determinants[other + 1]
        quotient = (2 * self.products[index][other] + determinant) // (2 * determinant)
        if quotient:
            shorter = zip(self.vectors[index], self.vectors[other], strict=True)
            self.vectors[index] = [a - quotient * b for a, b in shorter]
            self.products[index][other] -= quotient * determinant
            for i in range(other):
                self.products[index][i] -= quotient * self.products[other][i]

    def _swap(self, index: int) -> None:
        vectors, products, determinants = self.vectors, self.products, self.determinants
        vectors[index - 1], vectors[index] = vectors[index], vectors[index - 1]
        kept = products[index][index - 1]
        products[index - 1], products[index] = products[index][: index - 1], [*products[index - 1], kept]
        before, here, after = determinants[index - 1 : index + 2]
        swapped = (before * after + kept**2) // here
        for row in products[index + 1 :]:
            old = row[index]
            row[index] = (after * row[index - 1] - kept * old) // here
            row[index - 1] = (swapped * old + kept * row[index]) // after
        determinants[index] = swapped


def short_coordinates(terms: Sequence[Linear], names: Sequence[str]) -> list[Vector]:
    """Integer vectors u₁, …, uₖ over `names` such that x = u₁·y₁ + … + uₖ·yₖ reaches every value that the terms take
    together on integers, and the coefficients of the y in the terms are as small as basis reduction makes them.

    Krishnamoorthy and Pataki, "Column basis reduction and decomposable knapsack problems", 2009: branching on
    the y needs few cases. The uᵢ belong to a unimodular matrix; those along which no term changes are left out.
    """
    matrix = [[term.coefficient(name) for term in terms] for name in names]
    largest = max(abs(entry) for row in matrix for entry in row)
    weight = 1 << len(names) * (1 + largest.bit_length() + len(terms).bit_length())
    unit = [[int(i == j) for j in range(len(names))] for i in range(len(names))]
    extended = [[*(weight * entry for entry in row), *unit[i]] for i, row in enumerate(matrix)]
    return [tuple(vector[len(terms) :]) for vector in reduce_basis(extended) if any(vector[: len(terms)])]
