"""Refutation trees: evidence that a formula is valid, checked without a solver (THEORY section 4)."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.terms import Term

Multipliers = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One branch a disjunct of a fact."""

    fact: int
    branches: tuple[Refutation, ...]


@dataclass(frozen=True, slots=True)
class Farkas:
    """A combination of facts that says 0 ≤ -1."""

    multipliers: Multipliers


Refutation = Case | Farkas


def check(formula: Term, refutation: Refutation) -> None:
    """Checks that `refutation` refutes ¬formula."""
    raise ValueError("not merged")
