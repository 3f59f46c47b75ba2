"""What a reading of plans takes for granted, by name: the fixed list from which a claim quotes."""

from __future__ import annotations

from enum import Enum


class Assumption(Enum):
    """A condition under which a plan means what its reading says."""

    NO_OVERFLOW = "numbers fit their types: nothing overflows"
    EXACT_FLOATS = "floating-point numbers are exact, and none is NaN, infinite or -0.0"
    NO_ERROR = "neither query stops with an error"
    NOT_ENFORCED = "the keys that Spark does not enforce hold"
    SAME_MOMENT = "both queries run at the same moment"
    SAME_CHOICE = "where Spark may choose a row, it chooses the same of the same rows"
    PURE_FUNCTIONS = "Python functions are deterministic, and those of equal code are equal"

    @property
    def label(self) -> str:
        """The name on command lines and in certificates."""
        return self.name.lower().replace("_", "-")
