"""A helper named `step`; `steps_of_two` has another of the same name."""

from __future__ import annotations


def step(x: int) -> int:
    """One further."""
    return x + 1


def advance(x: int) -> int:
    """Two steps of one."""
    return step(step(x))
