"""Work that a computation may do: counted where terms are built and walked, so that no rule can forget to count it.

No limit is in force but inside of `limited`, which audits use.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Lock
from typing import Final

from tallystick.core.errors import BudgetError

ENDLESS: Final = 1 << 62
STEP_LIMIT: Final = 600_000
"""Steps of one evaluation of a program."""
NESTED_CALLS: Final = 10_000
"""Calls that Python may nest: some ten for each level of the deepest term or proof that is read."""
_before: Final[list[int]] = []
_one_thread: Final = Lock()


@dataclass(slots=True)
class Work:
    """What may still be done.

    Attributes:
        steps: of some hundred nanoseconds to two microseconds each: a term built or walked over, a coefficient added.
        cells: of about a hundred bytes each, that are kept: parts of terms, coefficients of forms.
    """

    steps: int = ENDLESS
    cells: int = ENDLESS

    def spend(self, steps: int, cells: int = 0) -> None:
        """Takes steps and cells away; raises BudgetError when too few are left."""
        self.steps -= steps
        self.cells -= cells
        if self.steps < 0 or self.cells < 0:
            what = "steps" if self.steps < 0 else "memory"
            raise BudgetError(f"checking takes more {what} than its budget allows")


_in_force: ContextVar[Work] = ContextVar("work", default=Work())  # noqa: B039 - it has no end
present = _in_force.get
"""The work in force."""


@contextmanager
def deeply_nested() -> Iterator[None]:
    """Lets Python nest NESTED_CALLS calls inside: whatever is within its bounds is read, checked and printed."""
    with _one_thread:
        _before.append(sys.getrecursionlimit())
        sys.setrecursionlimit(max(_before[-1], NESTED_CALLS))
    try:
        yield
    finally:
        with _one_thread:
            limit = _before.pop()
            if not _before:  # no other thread is inside
                sys.setrecursionlimit(limit)


@contextmanager
def limited(work: Work) -> Iterator[None]:
    """What is done inside counts as this work."""
    token = _in_force.set(work)
    try:
        yield
    finally:
        _in_force.reset(token)
