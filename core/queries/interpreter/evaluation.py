"""What a statement returns on a database."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.orders import in_order
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.interpreter.queries import Compiled
from tallystick.core.queries.interpreter.running import STEP_LIMIT, Run
from tallystick.core.queries.nodes import Statement
from tallystick.core.queries.types import SqlRow

if TYPE_CHECKING:
    from tallystick.core.queries.syntax import Query


def interpreter(
    statement: Statement, step_limit: int = STEP_LIMIT, partly: bool = False
) -> Callable[[Database], Outcome]:
    """The statement, compiled: a function from databases to outcomes.

    Raises FragmentError for a function without an implementation, unless `partly`: then its values are Unknown, and
    what hangs on one is Undetermined. The function raises Undetermined if SQL permits
    several outcomes that are not one list up to ties, QueryFailure if the query fails at run time, and
    EvaluationError for a database that lacks a table or has rows of wrong types, or beyond the step limit.
    """
    compiled = Compiled(partly)
    rows = compiled.rows(statement.query)
    keys = [compiled.expression(key.expression) for key in statement.order]
    visible = len(statement.names)

    def outcome(database: Database) -> Outcome:
        run = Run(database, step_limit)
        keyed = [(tuple(key((row, run)) for key in keys), row[:visible]) for row in rows((run,))]
        return Outcome(tuple(tuple(row for _, row in peers) for peers in in_order(keyed, statement.order)))

    return outcome


def evaluate(statement: Statement, database: Database, step_limit: int = STEP_LIMIT, partly: bool = False) -> Outcome:
    """The outcome of a statement on a database: see `interpreter`."""
    return interpreter(statement, step_limit, partly)(database)


def rows_of(query: Query, database: Database, step_limit: int = STEP_LIMIT) -> list[SqlRow]:
    """The rows of a query that stands alone: see `interpreter`."""
    return Compiled().rows(query)((Run(database, step_limit),))
