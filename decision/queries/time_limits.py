"""A limit of time that holds wherever terms are built or walked over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tallystick.core.clock import clock
from tallystick.core.work import Work, limited

CALLS = 500
"""So often work is done between two looks at the clock: some milliseconds."""


class OutOfTimeError(Exception):
    """The time is over."""


@dataclass(slots=True)
class Until(Work):
    """Work that may be done until a time, by `core.clock`: a look at the clock takes as long as building many terms."""

    end: float = 0.0
    unseen: int = 0

    def spend(self, steps: int, cells: int = 0) -> None:
        """Raises OutOfTimeError when the time is over, as every so many calls find out."""
        self.unseen += 1
        if self.unseen >= CALLS:
            self.unseen = 0
            if clock() > self.end:
                raise OutOfTimeError


@contextmanager
def until(end: float) -> Iterator[None]:
    """What is done inside raises OutOfTimeError soon after a time."""
    with limited(Until(end=end)):
        yield
