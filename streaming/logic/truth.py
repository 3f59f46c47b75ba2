"""The three truth values ⊥ ≤ ? ≤ ⊤ and the connectives on them (paper, section 2.1).

The tables are those of LTL₃, that is, strong Kleene logic: conjunction is the minimum of the order.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Truth(Enum):
    """A truth value; its integer is its place in the order ⊥ ≤ ? ≤ ⊤."""

    FALSE = -1
    UNKNOWN = 0
    TRUE = 1

    @classmethod
    def of(cls, holds: bool) -> Truth:
        """Return ⊤ or ⊥ for a Python boolean."""
        return cls.TRUE if holds else cls.FALSE

    @property
    def is_definite(self) -> bool:
        """Whether this is ⊤ or ⊥: no longer word can change it."""
        return self is not Truth.UNKNOWN

    def __str__(self) -> str:
        return {-1: "⊥", 0: "?", 1: "⊤"}[self.value]

    def __bool__(self) -> bool:
        raise TypeError("a three-valued truth value is not a bool: compare it with Truth.TRUE or Truth.FALSE")


def negation(value: Truth) -> Truth:
    """Return ¬value."""
    return Truth(-value.value)


def conjunction(values: Iterable[Truth]) -> Truth:
    """Return the minimum of the values; ⊤ when there are none. Stops reading at the first ⊥."""
    least = Truth.TRUE
    for value in values:
        if value is Truth.FALSE:
            return value
        if value is Truth.UNKNOWN:
            least = value
    return least


def disjunction(values: Iterable[Truth]) -> Truth:
    """Return the maximum of the values; ⊥ when there are none. Stops reading at the first ⊤."""
    return negation(conjunction(negation(value) for value in values))
