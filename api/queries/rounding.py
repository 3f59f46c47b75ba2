"""Whether a result hangs on digits that engines round away: quotients and averages after a few digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final

from tallystick.core.dataflows.substitution import Substitution
from tallystick.core.errors import EvaluationError, SortError
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.expressions import Arithmetic, Divide, Expression, Literal
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.syntax import Aggregate, Project, Statement, Window, references
from tallystick.core.queries.types import DECIMAL, SqlRow

UNIT: Final = 10**6
"""Numbers are cut off after six digits, the fewest that engines keep."""


def hangs_on_rounding(
    statement: Statement, database: Database, outcome: Outcome, permits: Callable[[Outcome, Sequence[SqlRow]], bool]
) -> bool:
    """Whether the outcome of a statement on a database is another one with quotients and averages cut off.

    `permits` compares numbers with fewer digits than are cut off.
    """
    coarse = _CutOff(lambda scan: scan)
    try:
        cut = Statement(coarse(statement.query), statement.names, coarse(statement.order))
        return not permits(outcome, evaluate(cut, database).rows)
    except (EvaluationError, SortError):
        return True


class _CutOff(Substitution):
    """Cuts off quotients, and the numbers that aggregates and windows compute."""

    def replaced(self, node: Any) -> Any:
        made = super().replaced(node)
        if isinstance(made, Divide) and made.rounding == "exact":
            return _cut(made)
        if isinstance(made, Aggregate | Window) and any(column.type == DECIMAL for column in made.columns):
            return Project(made, tuple(_cut(each) if each.type == DECIMAL else each for each in references(made)))
        return made


def _cut(number: Expression) -> Expression:
    """A decimal without its further digits."""
    units = Divide(
        Arithmetic("*", number, Literal(Fraction(UNIT), DECIMAL)), Literal(Fraction(1), DECIMAL), "floor", "error"
    )
    return Divide(units, Literal(UNIT, units.type), "exact", "error")
