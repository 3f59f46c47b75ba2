"""Which keys, foreign keys or NOT NULL would make two queries equal, if some would."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from time import process_time
from typing import Final

from tallystick.core.errors import TallystickError
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.decision.outcome import Unknown
from tallystick.decision.queries.counterexamples.draws import restricted
from tallystick.decision.queries.counterexamples.search import find
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.frontends.sql.reader import SqlPair
from tallystick.queries.candidates import Constraint, candidates

MOST: Final = 3
"""More constraints than this are no answer."""
ONE_LOOK, ONE_PROOF = 1.0, 6.0
"""Seconds for a search for a database, and of processor time for one for a proof, under some constraints: a database
spares the proofs about all sets that it satisfies."""

Reread = Callable[[Catalogue], SqlPair]
"""Reads both queries again over other tables."""


def missing_constraints(pair: SqlPair, reread: Reread, known: Database | None, seconds: float = 5.0) -> tuple[str, ...]:
    """The smallest set of constraints that was found under which the kernel accepts that both are equal.

    `known` is a database on which the queries differ. Nothing where none was found in the time.
    """
    try:
        return _Search(pair, reread, process_time() + seconds).run(known)
    except TallystickError:  # a stronger catalogue may be contradictory, or the queries are refused over it
        return ()


class _Search:
    """Sets of candidates, the smaller and more natural ones first.

    Attributes:
        broken: for each database on which the queries differ, the candidates that it breaks: one of these is needed.
    """

    def __init__(self, pair: SqlPair, reread: Reread, deadline: float) -> None:
        self.catalogue, self.reread, self.deadline = pair.catalogue, reread, deadline
        self.candidates = candidates(pair.catalogue, pair.left, pair.right)
        self.broken: list[set[Constraint]] = []

    def run(self, known: Database | None) -> tuple[str, ...]:
        """The first set under which a proof is found: all smaller ones were tried."""
        if known is not None:
            self.refuted(known)
        for size in range(1, MOST + 1):
            for chosen in combinations(self.candidates, size):
                if process_time() > self.deadline:
                    return ()
                if all(not broken.isdisjoint(chosen) for broken in self.broken) and self.suffices(chosen):
                    return tuple(each.text(self.catalogue) for each in chosen)
        return ()

    def suffices(self, chosen: Iterable[Constraint]) -> bool:
        """Whether a proof is found under some constraints; a database on which the queries differ is kept."""
        catalogue = self.catalogue
        for each in chosen:
            catalogue = each.added(catalogue)
        pair = self.reread(catalogue)
        found = find(pair.left, pair.right, pair.catalogue, min(ONE_LOOK, self.left))
        if not isinstance(found, Unknown):
            self.refuted(found.database)
            return False
        limits = ProofLimits(seconds=min(ONE_PROOF, self.left))
        return isinstance(decide(pair.left, pair.right, pair.catalogue, limits), Proved)

    @property
    def left(self) -> float:
        """How many seconds of processor time are left."""
        return max(0.0, self.deadline - process_time())

    def refuted(self, database: Database) -> None:
        """Notes which candidates a database breaks."""
        self.broken.append({each for each in self.candidates if self._breaks(database, each)})

    def _breaks(self, database: Database, candidate: Constraint) -> bool:
        catalogue = restricted(candidate.added(self.catalogue), dict.fromkeys(database))
        return constraints(catalogue)({name: database.get(name, ()) for name in catalogue.by_name}) is not None
