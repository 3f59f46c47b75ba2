"""REFUTE for queries: a database on which two statements surely differ."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.errors import EvaluationError
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.core.queries.claims import require_claim
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.interpreter.running import STEP_LIMIT
from tallystick.core.queries.nodes import Statement


@dataclass(frozen=True)
class Refutation:
    """What two statements return on a database: no list of rows is a result of both."""

    left: Outcome
    right: Outcome


def refute(
    left: Statement, right: Statement, catalogue: Catalogue, database: Database, step_limit: int = STEP_LIMIT
) -> Refutation:
    """D satisfies Σ,  left(D) and right(D) have no list of rows in common
    ------------------------------------------------------------------- REFUTE
    Σ ⊬ left ≡ right

    Fails (EvaluationError) when the database breaks a constraint, when the outcomes have a list in common, and when
    a statement fails, is not determined, hangs on a function without an implementation or takes too many steps;
    FragmentError where no claim is about the statements (`require_claim`), and if a check has such a function.

    Sound for functions that are known by name alone, whatever they are: what is returned does not hang on their values
    (`Unknown`), and rows in which some stand differ in columns without them, or in how many they are.
    """
    require_claim(left, right, catalogue)
    broken = constraints(catalogue)(database)
    if broken is not None:
        table, number, constraint = broken
        raise EvaluationError(f"row {number} of table {table} breaks {constraint}")
    outcomes = evaluate(left, database, step_limit, True), evaluate(right, database, step_limit, True)
    if outcomes[0].may_equal(outcomes[1]):
        raise EvaluationError("both statements may return the same on the database")
    return Refutation(*outcomes)
