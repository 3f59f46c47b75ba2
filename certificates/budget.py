"""The work that an audit may do: named limits, and a counter that all of the checking spends from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tallystick.core.errors import BudgetError
from tallystick.core.work import STEP_LIMIT, Work

if TYPE_CHECKING:
    from tallystick.core.terms import Term

STEPS: Final = 3_000_000
"""Steps of checking."""

CELLS: Final = 2_500_000
"""Cells of memory, of about a hundred bytes."""

TERM_SIZE: Final = 200_000
"""Distinct subterms of one premise, or of the two sides of one judgement."""

DEPTH: Final = 900
"""Levels of nesting of such a term, which is made of terms that were read."""


@dataclass(slots=True)
class Budget(Work):
    """Steps and cells that are left, the sizes of the terms that were measured, the judgements that were proved, and
    how LIMIT breaks ties in their proofs."""

    steps: int = STEPS
    cells: int = CELLS
    term_size: int = TERM_SIZE
    depth: int = DEPTH
    sizes: dict[Term, int] = field(default_factory=dict)
    seen: set[object] = field(default_factory=set)
    proved: dict[object, Any] = field(default_factory=dict)
    choices: dict[object, object] = field(default_factory=dict)

    def once(self, key: object) -> bool:
        """Whether this is asked for the first time."""
        new = key not in self.seen
        self.seen.add(key)
        return new

    def spend_on(self, term: Term) -> bool:
        """Spends a step for each distinct subterm, or one where the term was measured before; whether it is new.

        Raises BudgetError when it has too many, or is nested too deeply.
        """
        new = term not in self.sizes
        if new:
            self.sizes[term] = self._measure(term)
        self.spend(self.sizes[term] if new else 1, 1)
        return new

    def _measure(self, term: Term) -> int:
        if term.depth > self.depth:
            raise BudgetError(f"a term is nested more than {self.depth} levels deep")
        seen, waiting = {term}, [term]
        while waiting:
            for argument in waiting.pop().arguments:
                if argument not in seen:
                    seen.add(argument)
                    waiting.append(argument)
            if len(seen) > self.term_size:
                raise BudgetError(f"a term has more than {self.term_size} distinct subterms")
        return len(seen)


@dataclass(frozen=True, slots=True)
class AuditLimits:
    """What an audit accepts at most, and how many steps it takes to evaluate counterexamples and to check proofs.

    `terms` bounds the nodes of queries, too, and `columns` all their columns and references together.
    """

    bytes: int = 1_000_000
    terms: int = 20_000
    depth: int = 600
    digits: int = 300
    leaves: int = 200
    letters: int = 100
    nodes: int = 50_000
    columns: int = 1_000_000
    evaluation: int = STEP_LIMIT
    steps: int = STEPS
    cells: int = CELLS
    term_size: int = TERM_SIZE

    def budget(self) -> Budget:
        """What the kernel may spend."""
        return Budget(self.steps, self.cells, self.term_size)


LIMITS = AuditLimits()
