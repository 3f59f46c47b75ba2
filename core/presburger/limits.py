"""The caps on the procedure's work. Each one is named in the reason when it is met: `unknown` is never
silent."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.clock import clock
from tallystick.core.errors import TallystickError


class LimitError(TallystickError, RuntimeError):
    """The procedure stopped at a cap; the message names it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on time and memory. Meeting one raises LimitError in a function that returns a formula, and gives
    the answer `Unknown` in a function that decides.

    Attributes:
        deadline: the time, by `core.clock`, at which to stop; or None.
        atoms: atoms of a formula's negation normal form.
        branches: cases that one satisfiability search may open.
        nested_cases: cases within cases that it may open.
        cases: cases x ≤ k or x ≥ k + 1 that the search for integers in one conjunction may open.
        constraints: inequalities that one projection of a conjunction may hold.
        test_points: disjuncts of one textbook Cooper step.
        disjuncts: conjunctions that the elimination of one block of quantifiers may produce.
        witnesses: tuples of witness terms that one premise may need.
        coefficient_bits: size of the integers in a constraint.
    """

    deadline: float | None = None
    atoms: int = 100_000
    branches: int = 200_000
    nested_cases: int = 400
    cases: int = 20_000
    constraints: int = 5_000
    test_points: int = 20_000
    disjuncts: int = 1_000
    witnesses: int = 200
    coefficient_bits: int = 2_048

    def check_time(self) -> None:
        """Raises LimitError when the deadline has passed."""
        if self.deadline is not None and clock() > self.deadline:
            raise LimitError("the deadline passed before an answer was found")

    def check(self, cap: str, found: int) -> None:
        """Raises LimitError when `found` exceeds the cap of that name, or when the deadline has passed."""
        allowed = getattr(self, cap)
        if found > allowed:
            raise LimitError(f"more than {allowed} {cap.replace('_', ' ')} (cap `{cap}`)")
        self.check_time()


DEFAULT_LIMITS = Limits()
