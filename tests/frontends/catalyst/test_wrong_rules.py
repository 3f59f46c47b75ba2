"""Wrong rules are caught: the plan that they make is refuted, with tables on which Spark returns both results."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.syntax import Statement
from tallystick.core.queries.types import SqlRow
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.frontends.catalyst.data import returned
from tallystick.frontends.catalyst.data import views as tables_of
from tallystick.frontends.catalyst.reader import PlanPair, read_plans
from tallystick.frontends.catalyst.types import LONG
from tallystick.frontends.sql.printing.databases import views
from tallystick.frontends.sql.printing.queries import statement_text
from tallystick.queries.trials import permits
from tallystick.replay.catalyst.process import SparkPlans
from tallystick.replay.sql_engines import rounded

from frontends.catalyst.capture import captured
from frontends.catalyst.shop import QUERIES, TABLES
from frontends.catalyst.wrong_rules import WRONG_RULES, rewritten

# Any column may be NULL and no key is known, so that rules change no types.
LOOSE = tuple(
    replace(table, columns=tuple(replace(each, nullable=True) for each in table.columns), keys=(), foreign_keys=())
    for table in TABLES
)
PLANS = captured()


def refuted(name: str) -> tuple[str, PlanPair, DistinguishingDatabase]:
    """The query that a rule is applied to, the pair of its plan and the wrong one, and a database."""
    query, rule = WRONG_RULES[name]
    plans = PLANS[query]
    pair = read_plans(plans["analyzed"], plans["analyzed"], plans["settings"], LOOSE)
    wrong = rewritten(pair.left.query, rule)
    assert wrong != pair.left.query
    pair = replace(pair, right=Statement(wrong, pair.left.names, pair.left.order))
    found = find(pair.left, pair.right, pair.catalogue, seconds=20)
    assert isinstance(found, DistinguishingDatabase), found
    return query, pair, found


@pytest.mark.parametrize("name", sorted(WRONG_RULES))
def test_the_plan_of_a_wrong_rule_is_refuted(name):
    _, _, found = refuted(name)
    assert not found.left.may_equal(found.right)


@pytest.mark.slow
@pytest.mark.spark
def test_spark_returns_both_results():
    with SparkPlans() as spark:
        for name in sorted(WRONG_RULES):
            query, pair, found = refuted(name)
            used = {table: pair.tables[table] for table in found.database}
            [right] = spark.rows([QUERIES[query]], tables_of(used, found.database))
            assert _is(found.left, returned(right, pair.types)), name
            units = views(pair.catalogue, found.database, "spark")
            [wrong] = spark.rows([statement_text(pair.right, pair.catalogue, "spark")], units)
            counted = [LONG if type_.name == "decimal" else type_ for type_ in pair.types]
            assert _is(found.right, returned(wrong, counted)), name
            assert not _is(found.left, returned(wrong, counted)), name


def _is(outcome: Outcome, rows: list[SqlRow]) -> bool:
    return permits(outcome, [rounded(row) for row in rows])
