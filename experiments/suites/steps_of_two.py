"""A helper named `step`; `steps_of_one` has another of the same name."""

from __future__ import annotations


def step(x: int) -> int:
    """Two further."""
    return x + 2


def leap(x: int) -> int:
    """One step of two."""
    return step(x)


def leap_twice(x: int) -> int:
    """Two steps of two."""
    return step(step(x))
