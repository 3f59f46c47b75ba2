"""The work that an audit may do: named limits, and a counter that all of the checking spends from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tallystick.core.errors import KernelError
from tallystick.core.terms import Term


class BudgetError(KernelError):
    """Checking takes more than it may."""


STEPS: Final = 8_000_000
"""Steps of checking, each a few hundred nanoseconds and bytes: a term visited, a coefficient added, a node replayed."""

TERM_SIZE: Final = 200_000
"""Distinct subterms of one premise, or of the two sides of one judgement."""


@dataclass(slots=True)
class Budget:
    """Steps that are left, and the sizes of the terms that were measured."""

    steps: int = STEPS
    term_size: int = TERM_SIZE
    sizes: dict[Term, int] = field(default_factory=dict)
    seen: set[object] = field(default_factory=set)

    def spend(self, steps: int) -> None:
        """Takes steps away; raises BudgetError when too few are left."""
        self.steps -= steps
        if self.steps < 0:
            raise BudgetError("checking takes more steps than its budget allows")

    def once(self, key: object) -> bool:
        """Whether this is asked for the first time."""
        new = key not in self.seen
        self.seen.add(key)
        return new

    def spend_on(self, term: Term) -> bool:
        """Spends a step for each distinct subterm, or one where the term was measured before; whether it is new.

        Raises BudgetError for a term that is too large, too.
        """
        new = term not in self.sizes
        if new:
            self.sizes[term] = self._measure(term)
        self.spend(self.sizes[term] if new else 1)
        return new

    def _measure(self, term: Term) -> int:
        seen, waiting = {term}, [term]
        while waiting:
            for argument in waiting.pop().arguments:
                if argument not in seen:
                    seen.add(argument)
                    waiting.append(argument)
            if len(seen) > self.term_size:
                raise BudgetError(f"a term has more than {self.term_size} distinct subterms")
        return len(seen)
