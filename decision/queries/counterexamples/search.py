"""Databases on which two statements surely differ, by random search over the constants of both.

Sound: what is returned satisfies the catalogue, and no list of rows is a result of both statements on it, as the
reference interpreter says. Databases on which a statement fails, or is not determined, do not count. Not complete: the
search gives up after a time. What it finds is made minimal, see `minimal`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from time import monotonic

from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.core.queries.interpreter.evaluation import interpreter
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.syntax import Statement
from tallystick.decision.outcome import Unknown
from tallystick.decision.queries.counterexamples.draws import Draws
from tallystick.decision.queries.counterexamples.minimal import minimal

STEP_LIMIT = 200_000
"""Steps of the interpreter for one statement on one database."""


@dataclass(frozen=True)
class Counterexample:
    """A database with what the two statements return on it. Only tables that matter are in it."""

    database: Database
    left: Outcome
    right: Outcome


def find(
    left: Statement, right: Statement, catalogue: Catalogue, seconds: float = 5.0, seed: int = 0
) -> Counterexample | Unknown:
    """A minimal database on which the statements surely differ, or Unknown with the reason."""
    try:
        search = Search(left, right, catalogue, seed)
        found = search.run(monotonic() + seconds)
    except FragmentError as error:
        return Unknown(f"no counterexample is searched for: {error}")
    if found is None:
        return Unknown(search.reason(seconds))
    database = minimal(found, search.differ, search.draws.violation, search.draws.catalogue, monotonic() + seconds)
    return Counterexample(database, search.left(database), search.right(database))


class Search:
    """The search for one pair of statements.

    Raises FragmentError for functions without an implementation, when it is made or while it runs.
    """

    def __init__(self, left: Statement, right: Statement, catalogue: Catalogue, seed: int) -> None:
        self.left = interpreter(left, STEP_LIMIT)
        self.right = interpreter(right, STEP_LIMIT)
        self.draws = Draws((left.query, right.query), catalogue, seed)
        self.tried: Counter[str] = Counter()

    def run(self, deadline: float) -> Database | None:
        """The first database on which the statements differ; the empty one is tried first."""
        empty: Database = {table.name: () for table in self.draws.catalogue.tables}
        if self.differ(empty):
            return empty
        while monotonic() < deadline:
            database = self.draws.draw(self.tried.total())
            if self.differ(database):
                return database
        return None

    def differ(self, database: Database) -> bool:
        """Whether the statements surely differ on a database; not if one of them fails or is not determined."""
        try:
            same = self.left(database).may_equal(self.right(database))
        except FragmentError:
            raise
        except EvaluationError as error:
            self.tried[type(error).__name__] += 1
            return False
        self.tried["decided"] += 1
        return not same

    def reason(self, seconds: float) -> str:
        """Why there is no answer."""
        reason = f"the statements agree on {self.tried['decided']} random databases in {seconds:g} s"
        skipped = self.tried.total() - self.tried["decided"]
        return f"{reason}; on {skipped} more they fail or are not determined" if skipped else reason
