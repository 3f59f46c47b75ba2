"""Names of functions."""

from __future__ import annotations

OWN = "'s "
"""Behind the name of a dialect, and before that of a function that is its own."""


def plain_name(name: str) -> str:
    """The name of a function without the dialect, of small letters, that it is of alone: not what is called Spark's."""
    dialect, _, plain = name.partition(OWN)
    return plain if plain and dialect.isidentifier() and dialect.islower() else name
