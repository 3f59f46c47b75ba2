"""What an evaluation can do besides returning rows: fail, hang on a choice, or take too many steps."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tallystick.core.errors import EvaluationError
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.types import SqlRow, SqlValue

STEP_LIMIT = 2_000_000
MOST_BITS = 10_000
"""The largest numbers: of so many binary digits, in the numerator and the denominator."""
MOST_CHARACTERS = 10_000
"""The longest texts."""


class Undetermined(EvaluationError):  # noqa: N818 - it is an outcome, not a mistake
    """SQL permits several results on this database, or leaves open which: the message says what they hang on."""


class NotComputed(Undetermined):
    """The result hangs on a function that has no implementation."""


class QueryFailure(EvaluationError):  # noqa: N818 - it is an outcome, not a mistake
    """A query fails on this database at run time: the message says why."""


class Run:
    """One evaluation on one database: its tables, the results of closed queries so far, and the steps that are left."""

    def __init__(self, database: Database, step_limit: int) -> None:
        self.tables = database
        self.known: dict[int, list[SqlRow]] = {}
        self.steps_left = step_limit

    def spend(self, steps: int) -> None:
        """Counts steps. Raises EvaluationError when none are left."""
        self.steps_left -= steps
        if self.steps_left < 0:
            raise EvaluationError("the evaluation takes more steps than its limit allows")


def bounded(value: SqlValue) -> SqlValue:
    """The value. Raises EvaluationError if it is larger than evaluation goes on with."""
    if isinstance(value, str):
        large = len(value) > MOST_CHARACTERS
    elif isinstance(value, Fraction):
        large = value.numerator.bit_length() > MOST_BITS or value.denominator.bit_length() > MOST_BITS
    else:
        large = value is not None and value.bit_length() > MOST_BITS
    if large:
        raise EvaluationError("a value is larger than the evaluation allows")
    return value


Environment = tuple[Any, ...]
"""The rows in scope, level 0 first, and at last the `Run`."""
Evaluator = Callable[[Environment], SqlValue]
"""The value of an expression, whose input row is level 0 of the environment."""
RowsOf = Callable[[Environment], list[SqlRow]]
"""The rows of a query, as often as they occur, where level 0 is the row around the query."""
