"""The reference interpreter of queries returns what Spark SQL returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from random_queries import CATALOGUE, random_case
from tallystick.core.errors import FragmentError
from tallystick.core.queries.interpreter.evaluation import interpreter
from tallystick.core.queries.interpreter.running import Undetermined
from tallystick.experiments.queries.random_queries import Options
from tallystick.frontends.sql.printing.databases import views
from tallystick.frontends.sql.printing.queries import statement_text
from tallystick.replay.session import spark_session
from tallystick.replay.sql_engines import EngineError, agrees, on_spark

pytestmark = [pytest.mark.spark, pytest.mark.slow]

OPTIONS = Options(subqueries=False, quantified=False, lateral=False, groups_frames=False)
"""What Spark runs: no subqueries except in WHERE, no ANY and ALL, no frames by groups."""


@pytest.fixture(scope="module")
def spark() -> Iterator:
    with spark_session("local[2]") as session:
        session.conf.set("spark.sql.ansi.enabled", "false")
        yield session


def test_random_statements_return_what_spark_returns(spark):
    compared: Counter[str] = Counter()
    for seed in range(150):
        statement, (database,) = random_case(seed, OPTIONS, databases=1)
        try:
            text = statement_text(statement, CATALOGUE, "spark")
            outcome = interpreter(statement)(database)
            (rows,) = on_spark(spark, views(CATALOGUE, database, "spark"), [text])
        except (FragmentError, Undetermined, EngineError) as error:
            compared[type(error).__name__] += 1
            continue
        assert agrees(outcome, rows, statement.columns), (seed, text, database, outcome.groups, rows)
        compared["agreed"] += 1
        compared["rows"] += bool(rows)
    assert compared["agreed"] > 120
    assert compared["rows"] > 60
    assert compared["EngineError"] < 8
