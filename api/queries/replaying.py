"""A counterexample run on a real engine: the database as statements of the engine, the queries as they were written."""

from __future__ import annotations

from typing import Any, Literal

import sqlglot
from sqlglot.errors import ParseError
from tallystick.decision.queries.counterexamples.search import Counterexample
from tallystick.frontends.sql.printing import script, views
from tallystick.frontends.sql.reader import SqlPair
from tallystick.replay.sql_engines import EngineError, agrees, on_duckdb, on_spark

Engine = Literal["reference", "duckdb", "spark"]


def replayed(pair: SqlPair, found: Counterexample, engine: Engine) -> str:
    """ "" if the engine returns what the reference interpreter says for both queries; else what it does instead."""
    parser = "spark" if pair.dialect.name == "databricks" else pair.dialect.name
    try:
        texts = [_translated(source.text, parser, engine) for source in pair.sources]
        if engine == "duckdb":
            returned = on_duckdb(script(pair.catalogue, found.database, "duckdb"), texts)
        else:
            returned = _on_local_spark(views(pair.catalogue, found.database, "spark"), texts)
        sides = zip((pair.left, pair.right), (found.left, found.right), returned, strict=True)
        if all(agrees(outcome, rows, statement.columns) for statement, outcome, rows in sides):
            return ""
    except (EngineError, ParseError) as error:
        return f"{engine} does not run the queries: {str(error).strip().splitlines()[0]}"
    return f"{engine} returns other rows than the reference interpreter"


def _on_local_spark(setup: list[str], texts: list[str]) -> list[list[tuple[Any, ...]]]:
    from pyspark.sql import SparkSession

    settings: dict[str, Any] = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.log.level": "FATAL",
    }
    session = SparkSession.builder.master("local[1]").appName("tallystick").config(map=settings).getOrCreate()
    try:
        return on_spark(session, setup, texts)
    finally:
        session.stop()


def _translated(text: str, dialect: str, engine: str) -> str:
    if dialect == engine:
        return text
    return sqlglot.transpile(text, read=None if dialect == "calcite" else dialect, write=engine)[0]
