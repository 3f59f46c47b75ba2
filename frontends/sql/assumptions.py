"""What a reading of queries takes for granted, by name: the fixed list from which a claim quotes."""

from __future__ import annotations

from enum import Enum


class Assumption(Enum):
    """A condition under which a query means what its reading says."""

    EXACT_NUMBERS = "numbers are exact: nothing overflows, and no decimal is rounded to a scale"
    EXACT_QUOTIENTS = "quotients and averages are exact: they are not rounded"
    EXACT_FLOATS = "floating-point numbers are exact, and none is NaN or infinite"
    NO_ERROR = "neither query stops with an error"
    NOT_ENFORCED = "the constraints that the database does not enforce hold"
    CODE_POINTS = "texts are equal only if they are the same characters, and ordered by code points"
    SAME_MOMENT = "both queries run at the same moment"

    @property
    def label(self) -> str:
        """The name on command lines and in certificates."""
        return self.name.lower().replace("_", "-")
