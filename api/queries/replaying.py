"""A counterexample run on a real engine: the database as statements of the engine, the queries as they were written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlglot.errors import ParseError
from tallystick.core.errors import FragmentError
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase
from tallystick.frontends.sql.printing.databases import script, views
from tallystick.frontends.sql.printing.translation import translated
from tallystick.frontends.sql.reader import SqlPair
from tallystick.replay.spark_sql import on_own_spark
from tallystick.replay.sql_engines import EngineError, agrees, on_duckdb

Engine = Literal["reference", "duckdb", "spark"]


@dataclass(frozen=True)
class Replayed:
    """What came of a replay.

    Attributes:
        agrees: whether the engine returns what the reference interpreter says, for both queries; None if it does not
            run them.
        problem: what it does instead, in words.
    """

    agrees: bool | None
    problem: str = ""


def replayed(pair: SqlPair, found: DistinguishingDatabase, engine: Engine) -> Replayed:
    """Runs both queries, as they were written, on an engine that has the database of a counterexample."""
    try:
        texts = [translated(source.text, pair.dialect, engine) for source in pair.sources]
        if engine == "duckdb":
            returned = on_duckdb(script(pair.catalogue, found.database, "duckdb"), texts)
        else:
            returned = on_own_spark(views(pair.catalogue, found.database, "spark"), texts)
        for statement, outcome, rows in zip((pair.left, pair.right), (found.left, found.right), returned, strict=True):
            if not agrees(outcome, rows, statement.columns):
                shown = ", ".join(map(str, rows[:5])) or "no rows"
                return Replayed(False, f"{engine} returns other rows than the reference interpreter: {shown}")
    except (EngineError, FragmentError, ParseError, ValueError) as error:
        return Replayed(None, f"{engine} does not run the queries: {str(error).strip().splitlines()[0]}")
    return Replayed(True)
