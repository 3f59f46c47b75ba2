"""Refutation trees as Coq's data, and the numbers in them."""

from __future__ import annotations

from collections.abc import Iterable

from tallystick.certificates.evidence import Apply, Case, Cut, Evidence, Farkas, Split
from tallystick.certificates.proofs import Oracle
from tallystick.core.errors import FragmentError

SPELT = 10
"""Natural numbers are unary in Coq: those from this one on are spelt out once, and have a name."""


class Writer:
    """Writes evidence; `lines` are the definitions of the numbers that it has named."""

    def __init__(self) -> None:
        self._named: set[int] = set()

    @property
    def lines(self) -> list[str]:
        """The definitions of the numbers that have a name."""
        return [f"Definition n{number} := {number}%nat." for number in sorted(self._named)]

    def natural(self, number: int) -> str:
        """The number of a fact, an unknown or a place; there are fewer than a million of each."""
        if not 0 <= number < 10**6:
            raise FragmentError(f"nothing has the number {number}")
        if number < SPELT:
            return f"{number}%nat"
        self._named.add(number)
        return f"n{number}"

    def naturals(self, numbers: Iterable[int]) -> str:
        """A list of numbers of things."""
        return listed(map(self.natural, numbers))

    def trees(self, evidence: Iterable[Evidence]) -> str:
        """A list of refutation trees."""
        return listed(map(self.tree, evidence))

    def tree(self, evidence: Evidence) -> str:
        """A refutation tree; raises FragmentError for the word of an oracle."""
        match evidence:
            case Oracle(solver=solver):
                raise FragmentError(f"Coq takes no solver's word, and a premise rests on that of {solver}")
            case Farkas(multipliers=multipliers):
                return f"(Farkas {self._pairs(multipliers)})"
            case Cut(multipliers=multipliers, rest=rest):
                return f"(Cut {self._pairs(multipliers)} {self.tree(rest)})"
            case Split(coefficients=coefficients, bound=bound, below=below, above=above):
                return f"(Split {self._pairs(coefficients)} {integer(bound)} {self.tree(below)} {self.tree(above)})"
            case Case(fact=fact, branches=branches):
                return f"(Case {self.natural(fact)} {self.trees(branches)})"
            case Apply(first=first, second=second, rest=rest):
                return f"(Congruent {self.natural(first)} {self.natural(second)} {self.tree(rest)})"
            case _:
                raise FragmentError(f"the Coq development has no {type(evidence).__name__}")

    def _pairs(self, pairs: Iterable[tuple[int, int]]) -> str:
        return listed(f"({self.natural(number)}, {integer(multiplier)})" for number, multiplier in pairs)


def integer(number: int) -> str:
    """An integer."""
    return f"({number})" if number < 0 else str(number)


def listed(items: Iterable[str]) -> str:
    """A list."""
    return f"[{'; '.join(items)}]"
