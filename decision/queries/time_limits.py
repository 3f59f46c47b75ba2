"""A limit of time that holds wherever terms are built or walked over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import process_time

from tallystick.core.work import Work, limited


class OutOfTimeError(Exception):
    """The time is over."""


@dataclass(slots=True)
class Until(Work):
    """Work that may be done until a time, by `process_time`."""

    end: float = 0.0

    def spend(self, steps: int, cells: int = 0) -> None:
        """Raises OutOfTimeError when the time is over."""
        if process_time() > self.end:
            raise OutOfTimeError


@contextmanager
def until(end: float) -> Iterator[None]:
    """What is done inside raises OutOfTimeError soon after a time."""
    with limited(Until(end=end)):
        yield
