"""Databases on which two statements surely differ: by random search over the constants of both, from the open branch of
a failed premise, and by solving for unknown rows.

Sound: what is returned satisfies the catalogue, columns have room for their values, and no list of rows is a result of
both statements on it, as the reference interpreter says. Databases on which a statement fails, or is not determined, do
not count. Not complete: the search gives up after a time, which is that of the processor. What it finds is made
minimal, see `minimal`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from math import inf

from tallystick.core.clock import clock
from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.queries.calls import AggregateCall, WindowCall
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.core.queries.expressions import Function, plain_name
from tallystick.core.queries.interpreter.aggregates import OPAQUE
from tallystick.core.queries.interpreter.evaluation import interpreter
from tallystick.core.queries.interpreter.functions import implementation
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.interpreter.running import NotComputed
from tallystick.core.queries.syntax import Aggregate, Statement, Window
from tallystick.core.queries.traversal import nodes
from tallystick.decision.outcome import Unknown
from tallystick.decision.queries.counterexamples.branches import candidates
from tallystick.decision.queries.counterexamples.draws import Draws
from tallystick.decision.queries.counterexamples.minimal import minimal
from tallystick.decision.queries.trees.structure import OpenBranch

STEP_LIMIT = 200_000
"""Steps of the interpreter for one statement on one database."""
MINIMISING = 0.5
"""Seconds for making a database minimal."""
AT_RANDOM_FIRST = 0.3
"""Seconds for random databases before z3 is asked, for half of what is left of the time."""
HANGS, HOPELESS = NotComputed.__name__, 1000
"""What results count as that hang on functions without an implementation; after so many, if few others came, no more
are tried."""
DRAWN, MANY = 200, 8
"""So many random databases of so many: often."""


@dataclass(frozen=True)
class DistinguishingDatabase:
    """A database with what the two statements return on it. Only tables that matter are in it."""

    database: Database
    left: Outcome
    right: Outcome


class Look:
    """A search for a database on which two statements surely differ. Asked again, it goes on where it was."""

    def __init__(self, left: Statement, right: Statement, catalogue: Catalogue, seed: int = 0) -> None:
        self.pair = left, right, catalogue, seed
        self.spent = 0.0

    @cached_property
    def search(self) -> Search:
        """What is asked. Raises FragmentError where nothing can be searched for."""
        return Search(*self.pair)

    def __call__(
        self, seconds: float, minimising: float = MINIMISING, branches: Sequence[OpenBranch] = ()
    ) -> DistinguishingDatabase | Unknown:
        """A minimal database, or Unknown with the reason.

        Args:
            seconds: for the search, and `minimising`, for making the database minimal.
            branches: open branches, if proofs have failed there.
        """
        start = clock()
        try:
            search = self.search
            found = search.run(start + seconds, branches)
        except FragmentError as error:
            return Unknown(f"no counterexample is searched for: {error}")
        self.spent += clock() - start
        if found is None:
            return Unknown(search.reason(self.spent))
        database = minimal(found, search.differ, search.draws.violation, search.catalogue, clock() + minimising)
        return DistinguishingDatabase(database, search.left(database), search.right(database))


def find(
    left: Statement,
    right: Statement,
    catalogue: Catalogue,
    seconds: float = 5.0,
    seed: int = 0,
    branches: Sequence[OpenBranch] = (),
) -> DistinguishingDatabase | Unknown:
    """A minimal database on which the statements surely differ, or Unknown with the reason: see `Look`."""
    return Look(left, right, catalogue, seed)(seconds, seconds, branches)


def differ_often(left: Statement, right: Statement, catalogue: Catalogue) -> bool:
    """Whether the statements surely differ on many random databases: on MANY of the first DRAWN."""
    try:
        search = Search(left, right, catalogue, 0)
        return sum(search.differ(search.draws.draw(number)) for number in range(DRAWN)) >= MANY
    except FragmentError:
        return False


def not_computed(*statements: Statement) -> list[str]:
    """The functions of statements that have no implementation."""
    found: set[str] = set()
    for node in nodes(*(each.query for each in statements)):
        if isinstance(node, Function):
            try:
                implementation(node)
            except FragmentError:
                found.add(node.name)
        elif isinstance(node, Aggregate | Window):
            calls = (each.call if isinstance(each, WindowCall) else each for each in node.calls)
            found |= {
                call.function
                for call in calls
                if isinstance(call, AggregateCall) and call.opaque and plain_name(call.function) not in OPAQUE
            }
    return sorted(found)


class Search:
    """The search for one pair of statements. What no function computes is no part of a difference.

    Raises FragmentError for checks of the catalogue without an implementation, when it is made.
    """

    def __init__(self, left: Statement, right: Statement, catalogue: Catalogue, seed: int) -> None:
        self.statements = left, right
        self.left = interpreter(left, STEP_LIMIT, partly=True)
        self.right = interpreter(right, STEP_LIMIT, partly=True)
        self.draws = Draws((left.query, right.query), catalogue, seed)
        self.constants, self.catalogue = self.draws.constants, self.draws.catalogue
        self.tried: Counter[str] = Counter()
        self.drawn = 0
        self.solving = ""

    def run(self, deadline: float, branches: Sequence[OpenBranch] = ()) -> Database | None:
        """The first database on which the statements differ, until a deadline of `core.clock`."""
        found = self.from_branches(branches, deadline)
        if found is None:
            found = self.at_random(min(deadline, clock() + AT_RANDOM_FIRST))
        if found is None and self.catalogue.tables and clock() < deadline:
            found = self.by_solving((clock() + deadline) / 2)
        return self.at_random(deadline) if found is None else found

    def from_branches(self, branches: Sequence[OpenBranch], deadline: float = inf) -> Database | None:
        """The first database that an open branch suggests on which the statements differ."""
        suggested = (each for branch in branches for each in candidates(branch, self.catalogue))
        in_time = takewhile(lambda _: clock() < deadline, suggested)
        return next((database for database in in_time if self.differ(database)), None)

    def at_random(self, deadline: float) -> Database | None:
        """The first random database on which the statements differ; the empty one is tried first of all."""
        empty: Database = {table.name: () for table in self.catalogue.tables}
        if not self.tried and self.differ(empty):
            return empty
        while self.catalogue.tables and not self.is_hopeless and clock() < deadline:
            database = self.draws.draw(self.drawn)
            self.drawn += 1  # whatever else was tried: which database is found hangs on no clock
            if self.differ(database):
                return database
        return None

    def by_solving(self, deadline: float) -> Database | None:
        """A database that z3 finds, if it is installed."""
        try:
            from tallystick.decision.queries.counterexamples.symbolic.solving import solved
        except ModuleNotFoundError:
            return None
        found, self.solving = solved(self.statements, self.catalogue, self.constants, self.differ, deadline)
        return found

    def differ(self, database: Database) -> bool:
        """Whether the statements surely differ on a database; not if one of them fails or is not determined."""
        try:
            left, right = self.left(database), self.right(database)
            same = left.may_equal(right)
        except FragmentError:
            raise
        except EvaluationError as error:
            self.tried[type(error).__name__] += 1
            return False
        self.tried[HANGS if same and (left.unknown or right.unknown) else "decided"] += 1
        return not same

    @property
    def is_hopeless(self) -> bool:
        """Whether most results hang on functions that have no implementation."""
        return self.tried[HANGS] > max(HOPELESS, 2 * (self.tried.total() - self.tried[HANGS]))

    def reason(self, seconds: float) -> str:
        """Why there is no answer."""
        if not self.catalogue.tables and self.tried["decided"]:
            return "the statements read no table, and return the same"
        reason = f"the statements agree on {self.tried['decided']} random databases in {seconds:.2g} s"
        if self.is_hopeless:
            what = ", ".join(not_computed(*self.statements))
            return f"{reason}; on most others, results hang on what has no implementation: {what}"
        skipped = self.tried.total() - self.tried["decided"]
        reason = f"{reason}; on {skipped} more they fail or are not determined" if skipped else reason
        return f"{reason}; {self.solving}" if self.solving else reason
