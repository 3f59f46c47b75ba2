"""The reading of plans tried on Spark: on a counterexample, or on random databases where there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.syntax import Scan
from tallystick.core.queries.traversal import nodes
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase
from tallystick.frontends.catalyst.data import returned, script, views
from tallystick.frontends.catalyst.reader import PlanPair
from tallystick.frontends.catalyst.types import SparkType
from tallystick.misreading import MisreadingError, problem_of
from tallystick.plans.verdict import (
    Compared,
    PlanVerdict,
    database_in_json,
    database_lines,
    result_lines,
    rows_in_json,
)
from tallystick.queries.tables import beside
from tallystick.queries.trials import TRIALS, Contradiction, Result, Trial, Trials, first_line, trials_of
from tallystick.replay.catalyst.process import SparkPlans
from tallystick.replay.errors import ReplayError
from tallystick.verdict import Answer

UNASKED: Final = 4
"""Databases on which a reading is tried where nobody asked for it: they take about what calling the functions takes."""
SECONDS: Final = {UNASKED: 2.0, TRIALS: 30.0}
"""Of the processor: after so long no further database is tried, by their number. The second plan takes less."""
ROUNDED: Final = "Spark returns other rows, and they hang on how numbers are rounded"


def trials_of_plans(pair: PlanPair, number: int, found: DistinguishingDatabase | None = None) -> Trials | None:
    """Databases on which the reading of two plans is tried: a counterexample, or so many random ones; None for 0.

    None, too, where Spark cannot be given what is read: open sources, and values known by equality alone.
    """
    read = {node.table for side in (pair.left, pair.right) for node in nodes(side.query) if isinstance(node, Scan)}
    columns = (column.type for name in read for column in pair.tables[name].columns)
    if pair.open_sources or any(type_.kind for type_ in (*columns, *pair.types)):
        return None
    if found is not None:
        trial = Trial(found.database, (found.left, found.right))
        return Trials((pair.left, pair.right), frozenset(pair.assumptions), (trial,))
    return trials_of(pair.left, pair.right, pair.catalogue, pair.assumptions, number=number) if number else None


def tried(
    verdict: PlanVerdict, pair: PlanPair, spark: SparkPlans, wanted: Any, number: int, calling: Mapping[str, Any]
) -> PlanVerdict:
    """The verdict after its reading was tried on Spark.

    Args:
        wanted: what makes both results, as `SparkPlans.tried` takes it.
        number: of random databases, where there is no counterexample.
        calling: how functions are called.

    Raises MisreadingError if Spark returns something else than was read.
    """
    found = verdict.counterexample
    trials = trials_of_plans(pair, number, found)
    if trials is None:
        return verdict
    databases = [views({name: pair.tables[name] for name in each.database}, each.database) for each in trials.each]
    try:
        results = spark.tried(wanted, databases, SECONDS[number], **calling)
    except ReplayError as error:
        return replace(verdict, notes=(*verdict.notes, f"Spark does not run them: {first_line(str(error))}"))
    values = [[result_of(each, pair.types) for each in side] for side in results]
    engine = f"Spark {spark.version}"
    came = trials.judged(engine, zip(*values, strict=False), verdict.verdict is Answer.EQUIVALENT)
    if isinstance(came, Contradiction):
        raise misreading(Compared.of(pair), verdict.names, came)
    if found is None:
        return replace(verdict, tried=came)
    if came.same:
        return replace(verdict, replayed_on=("reference", "spark"))
    if came.rounded:
        reasons = {"replay": ROUNDED}
        unknown = replace(verdict, verdict=Answer.UNKNOWN, counterexample=None, certificates=())
        return replace(unknown, reasons=reasons)
    problem = came.failure or "it returns values of other types"
    return replace(verdict, notes=(*verdict.notes, f"Spark does not run them: {problem}"))


def result_of(rows: list[list[Any]] | str, types: Sequence[SparkType]) -> Result:
    """What Spark returned as values of the core."""
    if isinstance(rows, str):
        return rows
    try:
        return returned(rows, types)
    except ValueError:
        return None


def misreading(compared: Compared, names: tuple[str, str], found: Contradiction) -> MisreadingError:
    """The defect that a database shows."""
    database, types = found.trial.database, compared.types
    tables = {name: compared.tables[name] for name in database}
    if found.side is None:
        sides = zip(names, compared.columns, found.returned, strict=True)
        left, right = (
            result_lines(f"{found.engine} returns for {name}", each, types, rows) for name, each, rows in sides
        )
    else:
        columns, outcome = compared.columns[found.side], found.trial.outcomes[found.side] or Outcome(())
        left = result_lines(f"{found.engine} returns", columns, types, found.returned[found.side])
        right = result_lines("it was read as returning", columns, types, outcome.rows)
    sides = list(zip(names, compared.columns, strict=True))
    content = {
        "engine": found.engine,
        "witness": {
            "inputs": database_in_json(database, tables),
            "outputs": [rows_in_json(*side, types, rows) for side, rows in zip(sides, found.returned, strict=True)],
        },
        "read_as": [
            None if outcome is None else rows_in_json(*side, types, outcome.rows)
            for side, outcome in zip(sides, found.trial.outcomes, strict=True)
        ],
    }
    shown = [*database_lines(database, tables), "", *beside(left, right), ""]
    return MisreadingError(names, problem_of(names, found.side, found.engine), shown, script(tables, database), content)
