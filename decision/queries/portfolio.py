"""What is tried of two statements, in turns: a proof that they are equal, a database on which they differ.

The same query is known at once. Then come a glance at a few databases, which shows most differences, the quick attempt
at a proof, which settles most equal pairs, a longer look, all other attempts, and all other databases. All of it is
within one limit, of `core.clock`. A search that has nothing left to try leaves its time to the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, Protocol

from tallystick.core.clock import clock
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.syntax import Statement
from tallystick.decision.outcome import Unknown
from tallystick.decision.queries.counterexamples.search import MINIMISING, DistinguishingDatabase
from tallystick.decision.queries.deciding import ProofLimits, Proved, Unproved, as_one, attempts
from tallystick.decision.queries.trees.structure import OpenBranch

GLANCE, LOOK = 0.005, 0.2
"""Seconds for databases before any proof, and before all but the quick ones."""
FOR_PROOFS: Final = 0.8
"""The part of the time that is for proofs; what they leave is for databases."""
AT_MOST: Final = 0.1
"""The part of the time that a look takes at most, and making a database minimal."""


class Looking(Protocol):
    """A search for databases: `Look`, or one that accepts fewer of them."""

    def __call__(
        self, seconds: float, minimising: float = ..., branches: Sequence[OpenBranch] = ...
    ) -> DistinguishingDatabase | Unknown: ...


@dataclass(frozen=True)
class Untried:
    """No search for databases, of statements that read sources of which nobody knows what rows they may have."""

    sources: tuple[str, ...]

    @property
    def reason(self) -> str:
        """Why there is no database."""
        return f"which rows {' and '.join(self.sources)} may have is not known, so none are tried"

    def __call__(
        self, seconds: float, minimising: float = MINIMISING, branches: Sequence[OpenBranch] = ()
    ) -> DistinguishingDatabase | Unknown:
        return Unknown(self.reason)


class Portfolio:
    """What is tried of two statements within a limit of seconds.

    Args:
        most: seconds for databases at most, when all proofs have failed.

    Attributes:
        unproved: why there is no proof, once there was an attempt, and `unrefuted`, why there is no database.
    """

    def __init__(
        self,
        left: Statement,
        right: Statement,
        catalogue: Catalogue,
        seconds: float,
        look: Looking,
        most: float = inf,
    ) -> None:
        self.question = left, right, catalogue
        self.seconds, self.look, self.most = seconds, look, most
        self.deadline = clock() + seconds
        self.unproved: Unproved | None = None
        self.unrefuted = ""

    def answers(self) -> Iterator[Proved | DistinguishingDatabase]:
        """What is found; nothing more is tried until the caller, who does not accept an answer, asks for the next."""
        one = as_one(*self.question)
        if one is not None:
            yield one
            return
        yield from self.databases(min(GLANCE, AT_MOST * self.seconds))
        for number, found in enumerate(attempts(*self.question, ProofLimits(FOR_PROOFS * self.left))):
            if isinstance(found, Proved):
                yield found
                continue
            self.unproved = found
            if number == 0:
                yield from self.databases(min(LOOK, AT_MOST * self.seconds))
        yield from self.databases(min(self.most, self.left - self.minimising))

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return self.deadline - clock()

    @property
    def minimising(self) -> float:
        """The seconds for making a database minimal."""
        return min(MINIMISING, AT_MOST * self.seconds)

    def databases(self, seconds: float) -> Iterator[DistinguishingDatabase]:
        """A database on which the statements differ, if one is found in so many seconds, or in those that are left."""
        branches = self.unproved.branches if self.unproved is not None else ()
        found = self.look(max(0.0, min(seconds, self.left)), self.minimising, branches)
        if isinstance(found, DistinguishingDatabase):
            yield found
        else:
            self.unrefuted = found.reason
