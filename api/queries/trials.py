"""The reading of queries, tried: what an engine returns on random databases against what the interpreter says.

A verdict is about what was read. Where an engine is at hand, the reading is tried before a verdict leaves: on small
databases that the schema permits, over the constants of both queries, each query runs on the engine. What it returns
has to be what the reference interpreter says, and two queries that were proved equivalent have to return the same.
Where they do not, there is no verdict but a defect. What the verdict's assumptions exclude is none: a query that stops
with an error, a choice in ties, rounded numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.core.queries.interpreter.evaluation import interpreter
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.syntax import Statement
from tallystick.core.queries.types import DECIMAL, SqlRow
from tallystick.decision.queries.counterexamples.draws import Draws
from tallystick.queries.rounding import hangs_on_rounding

TRIALS: Final = 50
"""Databases on which a reading is tried where that was asked for."""
ROWS: Final = 12
"""Rows a table of a database with all constants."""
STEP_LIMIT: Final = 200_000
"""Steps of the interpreter for one query on one database."""
OPEN: Final = frozenset({Assumption.ONE_CHOICE, Assumption.SAME_MOMENT, Assumption.SAME_DRAWS})
"""With one of these, two runs of an engine may differ: each is compared with the interpreter only."""
ROUNDED: Final = frozenset({Assumption.EXACT_QUOTIENTS, Assumption.EXACT_FLOATS})
"""With one of these, an engine's numbers may be rounded."""
FEW_DIGITS, DIGITS = 4, 6
"""Digits after the point that are compared, with rounded numbers and without: engines keep six of a long decimal."""

Rows = list[SqlRow]
Result = Rows | str | None
"""What an engine gave for a query on a database: rows, or its error; None if the values are not of our types."""


@dataclass(frozen=True)
class Trial:
    """A database, and what the interpreter says of both queries on it: None where it says no one result."""

    database: Database
    outcomes: tuple[Outcome | None, Outcome | None]


@dataclass(frozen=True)
class Tried:
    """What came of trying a reading on an engine, if that is no contradiction.

    Attributes:
        engine: its name and version.
        same: on so many databases, it returned what was read.
        failed: on so many more, a query raised an error.
        failure: the first of these errors.
        rounded: on so many more, the results hang on how numbers are rounded.
    """

    engine: str
    same: int = 0
    failed: int = 0
    failure: str = ""
    rounded: int = 0

    def __str__(self) -> str:
        said = [self._main()]
        if self.failed and self.same:
            said.append(f"on {self.failed} more a query raised an error: {self.failure}")
        if self.rounded:
            said.append(f"on {self.rounded} more the results hang on how numbers are rounded")
        return "; ".join(said)

    def _main(self) -> str:
        if self.same:
            return f"returned the same on {self.same} database{'s' * (self.same > 1)}, {self.engine}"
        if self.failed:
            return f"{self.engine} ran them on no database: {self.failure}"
        return f"nothing that {self.engine} returned could be compared"

    def to_json(self) -> dict[str, object]:
        """One JSON object."""
        return {
            "engine": self.engine,
            "same": self.same,
            "failed": self.failed,
            "failure": self.failure,
            "rounded": self.rounded,
        }


@dataclass(frozen=True)
class Contradiction:
    """A database on which an engine does not return what was read.

    Attributes:
        engine: its name and version.
        trial: the database.
        side: the query of which the interpreter says something else; None if two queries that were proved equivalent
            differ.
        returned: what the engine returned for both.
    """

    engine: str
    trial: Trial
    side: int | None
    returned: tuple[Rows, Rows]

    @property
    def size(self) -> int:
        """The number of rows of its database."""
        return sum(map(len, self.trial.database.values()))


@dataclass(frozen=True)
class Trials:
    """Databases on which the reading of two queries is tried.

    Attributes:
        statements: what was read.
        assumptions: those of a verdict about them.
        each: the databases.
        binary: whether all constants of the queries are exact as floating-point numbers.
    """

    statements: tuple[Statement, Statement]
    assumptions: frozenset[Assumption]
    each: tuple[Trial, ...]
    binary: bool = True

    def judged(self, engine: str, results: Iterable[tuple[Result, Result]], equivalent: bool) -> Tried | Contradiction:
        """What came of them on an engine: a contradiction on a database of few rows, if there is one.

        Args:
            engine: its name and version.
            results: for each database that it was asked for, what both queries gave.
            equivalent: whether the queries were proved equivalent.
        """
        judging = _Judging(self, engine, equivalent and not OPEN & self.assumptions)
        for trial, (left, right) in zip(self.each, results, strict=False):
            judging.add(trial, left, right)
        if judging.found:
            return min(judging.found, key=lambda each: each.size)
        failure = first_line(judging.failures[0]) if judging.failures else ""
        return Tried(engine, judging.same, len(judging.failures), failure, judging.rounded)

    def is_rounded(self, trial: Trial) -> bool:
        """Whether what the queries return on a database may hang on how an engine rounds numbers."""
        if Assumption.EXACT_FLOATS in self.assumptions and not (self.binary and _is_binary(trial.database)):
            return True
        if Assumption.EXACT_QUOTIENTS not in self.assumptions:
            return False
        sides = zip(self.statements, trial.outcomes, strict=True)
        return any(
            outcome is None or hangs_on_rounding(statement, trial.database, outcome, self.permits)
            for statement, outcome in sides
        )

    def permits(self, outcome: Outcome, rows: Sequence[SqlRow]) -> bool:
        """Whether rows are a result that an outcome permits."""
        return permits(outcome, rows, FEW_DIGITS if ROUNDED & self.assumptions else DIGITS)


def trials_of(
    left: Statement,
    right: Statement,
    catalogue: Catalogue,
    assumptions: Iterable[Assumption],
    number: int = TRIALS,
) -> Trials:
    """Databases that the catalogue permits: an empty one, then one with all constants and a small one in turns."""
    draws = Draws((left.query, right.query), catalogue, 0)
    first, second = (_evaluated(each) for each in (left, right))
    found = []
    for index in range(number):
        database: Database = dict.fromkeys(draws.catalogue.by_name, ())
        if index > 0:
            database = draws.full(ROWS) if index % 2 else draws.draw(index)
        found.append(Trial(database, (first(database), second(database))))
    binary = all(map(_is_short, draws.constants.of_type[DECIMAL]))
    return Trials((left, right), frozenset(assumptions), tuple(found), binary)


def _evaluated(statement: Statement) -> Callable[[Database], Outcome | None]:
    """What the interpreter says of a statement, where it says one result."""
    try:
        run = interpreter(statement, STEP_LIMIT)
    except FragmentError:
        return lambda _: None

    def outcome(database: Database) -> Outcome | None:
        try:
            return run(database)
        except EvaluationError:
            return None

    return outcome


@dataclass
class _Judging:
    """Compares what an engine gave, database by database; `together` if also what it gave for both queries."""

    trials: Trials
    engine: str
    together: bool
    same: int = 0
    rounded: int = 0
    failures: list[str] = field(default_factory=list)
    found: list[Contradiction] = field(default_factory=list)

    def add(self, trial: Trial, left: Result, right: Result) -> None:
        errors = [each for each in (left, right) if isinstance(each, str)]
        if errors or left is None or right is None:
            self.failures += errors[:1]
            return
        wrong = self.wrong(trial, (left, right))  # type: ignore[arg-type]
        if not wrong:
            self.same += self.together or any(outcome is not None for outcome in trial.outcomes)
        elif self.trials.is_rounded(trial):
            self.rounded += 1
        else:
            self.found.append(Contradiction(self.engine, trial, wrong[0], (left, right)))  # type: ignore[arg-type]

    def wrong(self, trial: Trial, returned: tuple[Rows, Rows]) -> list[int | None]:
        """The queries of which the engine returns what was not read; None if it returns different rows for both."""
        sides = enumerate(zip(trial.outcomes, returned, strict=True))
        found: list[int | None] = [
            side for side, (outcome, rows) in sides if outcome is not None and not self.trials.permits(outcome, rows)
        ]
        left, right = (Outcome((tuple(rows),) if rows else ()) for rows in returned)
        return [*found, None] if self.together and not self.trials.permits(left, right.rows) else found


def permits(outcome: Outcome, rows: Sequence[SqlRow], digits: int = FEW_DIGITS) -> bool:
    """Whether rows are a result that an outcome permits, up to numbers that differ beyond some digits.

    Two numbers just beside each other are the same in one of two roundings.
    """
    return any(_rounded(outcome, digits, shift).is_list([_row(row, digits, shift) for row in rows]) for shift in (0, 1))


def _rounded(outcome: Outcome, digits: int, shift: int) -> Outcome:
    return Outcome(tuple(tuple(_row(row, digits, shift) for row in group) for group in outcome.groups))


def _row(row: SqlRow, digits: int, shift: int) -> SqlRow:
    by = Fraction(shift, 3 * 10**digits)
    return tuple(round(value + by, digits) if isinstance(value, Fraction) else value for value in row)


def _is_binary(database: Database) -> bool:
    return all(_is_short(value) for rows in database.values() for row in rows for value in row)


def _is_short(value: object) -> bool:
    """Whether a number is exact as a floating-point one."""
    return not isinstance(value, Fraction) or (value.denominator & (value.denominator - 1) == 0)


def first_line(text: str) -> str:
    """The first line of what an engine says."""
    return next(iter(text.strip().splitlines()), "")
