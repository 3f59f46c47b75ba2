"""Which keys, foreign keys or NOT NULL would make two queries equal, if some would."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from typing import Final

from tallystick.core.clock import clock
from tallystick.core.errors import TallystickError
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.decision.queries.counterexamples.draws import restricted
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, Look
from tallystick.decision.queries.deciding import Proved
from tallystick.decision.queries.portfolio import Portfolio
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema
from tallystick.frontends.sql.source import Source
from tallystick.queries.candidates import Constraint, candidates
from tallystick.queries.verdict import SqlVerdict
from tallystick.verdict import Answer

MOST: Final = 3
"""More constraints than this are no answer."""
SECONDS: Final = 2.0
"""For all of the search, of `core.clock`."""
ONE_SET: Final = 1.0
"""For one set of constraints: a database spares the proofs about all sets that it satisfies."""


def missing_constraints(verdict: SqlVerdict, schema: Source, seconds: float = SECONDS) -> tuple[str, ...]:
    """The smallest set of constraints that was found under which the kernel accepts that both queries are equal.

    Nothing where they are equal as it is, and where none was found in the time.

    Args:
        schema: what the queries were read over.
    """
    if verdict.verdict is Answer.EQUIVALENT or verdict.pair.open_sources:
        return ()
    try:
        return _Search(verdict.pair, schema, clock() + seconds).run(verdict.counterexample)
    except TallystickError:  # a stronger catalogue may be contradictory, or the queries are refused over it
        return ()


class _Search:
    """Sets of candidates, the smaller and more natural ones first.

    Attributes:
        broken: for each database on which the queries differ, the candidates that it breaks: one of these is needed.
    """

    def __init__(self, pair: SqlPair, schema: Source, deadline: float) -> None:
        self.pair, self.catalogue, self.deadline = pair, pair.catalogue, deadline
        declared = read_schema(schema, pair.dialect)
        self.schema = declared if Assumption.EXACT_FLOATS in pair.assumptions else declared.with_floats()
        self.candidates = candidates(pair.catalogue, pair.left, pair.right)
        self.broken: list[set[Constraint]] = []

    def run(self, known: DistinguishingDatabase | None) -> tuple[str, ...]:
        """The first set under which a proof is found: all smaller ones were tried."""
        if known is not None:
            self.refuted(known.database)
        for size in range(1, MOST + 1):
            for chosen in combinations(self.candidates, size):
                if clock() > self.deadline:
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
        question = pair.left, pair.right, pair.catalogue
        answers = Portfolio(*question, min(ONE_SET, self.left), Look(*question)).answers()
        found = next(answers, None)
        if isinstance(found, DistinguishingDatabase):
            self.refuted(found.database)
        return isinstance(found, Proved)

    def reread(self, catalogue: Catalogue) -> SqlPair:
        """Both queries, read over another catalogue."""
        pair, schema = self.pair, replace(self.schema, catalogue=catalogue)
        exact = Assumption.EXACT_FLOATS in pair.assumptions
        return read_pair(*pair.sources, schema, pair.dialect, to=pair.to, exact_floats=exact)

    @property
    def left(self) -> float:
        """How many seconds of processor time are left."""
        return max(0.0, self.deadline - clock())

    def refuted(self, database: Database) -> None:
        """Notes which candidates a database breaks."""
        self.broken.append({each for each in self.candidates if self._breaks(database, each)})

    def _breaks(self, database: Database, candidate: Constraint) -> bool:
        catalogue = restricted(candidate.added(self.catalogue), dict.fromkeys(database))
        return constraints(catalogue)({name: database.get(name, ()) for name in catalogue.by_name}) is not None
