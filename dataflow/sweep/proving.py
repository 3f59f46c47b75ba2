"""Proofs that two statements return the same, found or remembered."""

from __future__ import annotations

import os

from tallystick.core.errors import TallystickError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.syntax import Statement
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide

RAISING = "TALLYSTICK_RAISE_DEFECTS"
"""An environment variable: if it is set, as in our tests, a defect of the search is raised and not told as a reason."""
LEAST_SECONDS = 0.2
"""Seconds of an attempt, however little is left."""


class Proofs:
    """Asks the prover of queries.

    Attributes:
        calls: how often it was asked.
    """

    def __init__(self) -> None:
        self.calls = 0

    def prove(self, left: Statement, right: Statement, catalogue: Catalogue, seconds: float) -> Proved | str:
        """A proof, or why there is none."""
        self.calls += 1
        try:
            answer = decide(left, right, catalogue, ProofLimits(seconds=max(seconds, LEAST_SECONDS)))
        except TallystickError as problem:
            return str(problem)
        except (IndexError, KeyError, AttributeError) as problem:
            if os.environ.get(RAISING):
                raise
            return f"a defect of the search: {type(problem).__name__}: {problem}"
        return answer if isinstance(answer, Proved) else answer.reason
