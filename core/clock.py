"""One clock for limits of time: the processor time of a thread, and a tenth of the time on the wall where that is more.

What is decided within a limit then depends on the work that is done, not on what else the machine does; and a limit
holds also where a machine is so busy, or something waits so long, that the processor's time hardly passes.
"""

from __future__ import annotations

from threading import local
from time import monotonic, thread_time
from typing import Final

WALL: Final = 10
"""A limit ends after so many times its seconds on the wall, at the latest."""
SPAN: Final = 1.0
"""Seconds on the wall over which both times are compared: a process that waits for its turn has its turn in them."""


class _Clock(local):
    """The time of one thread: `time` when the span began, at `processor` and `wall`."""

    def __init__(self) -> None:
        self.time, self.processor, self.wall = 0.0, thread_time(), monotonic()

    def now(self) -> float:
        """The time when the span began, and what has passed since, by whichever time went further."""
        processor, wall = thread_time(), monotonic()
        if processor < self.processor:  # this is a fork, whose processor time began anew
            self.processor, self.wall = processor, wall
        time = self.time + max(processor - self.processor, (wall - self.wall) / WALL)
        if wall - self.wall >= SPAN:
            self.time, self.processor, self.wall = time, processor, wall
        return time


clock: Final = _Clock().now
"""The time of the thread that asks, in seconds since it asked first: for differences and deadlines within a thread."""
