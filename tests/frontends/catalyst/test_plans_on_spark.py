"""What a plan is read as returns what Spark returns: the analysed and the optimised plan, on random tables."""

from __future__ import annotations

from time import monotonic

import pytest
from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.queries.catalogue import Database
from tallystick.decision.queries.counterexamples.search import Search
from tallystick.frontends.catalyst.data import returned, views
from tallystick.frontends.catalyst.reader import PlanPair, read_plans
from tallystick.queries.trials import permits
from tallystick.replay.catalyst.process import SparkPlans
from tallystick.replay.sql_engines import rounded

from frontends.catalyst.capture import captured
from frontends.catalyst.shop import QUERIES, TABLES

NOT_RUN = {
    "except all": "its optimised plan is not read",
    "deviation": "the reference interpreter has no irrational numbers for all samples",
}
SECONDS = 0.7
"""For the search of tables on which a query returns many rows."""


def interesting(pair: PlanPair, search: Search) -> Database | None:
    """Tables on which the left statement is determined and returns many rows."""
    best: tuple[int, Database | None] = -1, None
    deadline, number = monotonic() + SECONDS, 0
    while monotonic() < deadline and best[0] < 4:
        database, number = search.draws.draw(number), number + 1
        try:
            outcome = search.left(database)
            search.right(database)
        except FragmentError:
            raise
        except EvaluationError:
            continue
        best = max(best, (len(outcome.rows), database), key=lambda each: each[0])
    return best[1]


@pytest.mark.slow
@pytest.mark.spark
def test_readings_of_plans_return_what_spark_returns():
    compared, rows_seen = 0, 0
    with SparkPlans() as spark:
        for seed, (name, plans) in enumerate(captured().items()):
            if name in NOT_RUN:
                continue
            pair = read_plans(plans["analyzed"], plans["optimized"], plans["settings"], TABLES)
            search = Search(pair.left, pair.right, pair.catalogue, seed)
            database = interesting(pair, search)
            if database is None:
                continue
            used = {table: pair.tables[table] for table in search.constants.tables}
            [rows] = spark.rows([QUERIES[name]], views(used, database))
            result = [rounded(row) for row in returned(rows, pair.types)]
            for outcome in (search.left(database), search.right(database)):
                assert permits(outcome, result), (name, database, outcome, result)
            compared += 1
            rows_seen += len(result)
    assert compared > len(QUERIES) - 8
    assert rows_seen > 100
