"""Three wrong rewritings of Spark 3.3.0 and 3.4.0 are found, where Spark itself returns a wrong result."""

from __future__ import annotations

import pytest
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.decision.queries.deciding import Proved, decide
from tallystick.frontends.catalyst.reader import PlanPair, read_plans
from tallystick.plans.schemas import declared_tables
from tallystick.plans.validating import prepared, validated
from tallystick.replay.catalyst.process import SparkPlans
from tallystick.verdict import Answer

from frontends.catalyst.old_spark import BUGS, SCHEMA, VERSIONS, WRONG, captured, python_of

CASES = [(version, bug) for version in VERSIONS for bug in BUGS]


def read(version: str, bug: str) -> PlanPair:
    plans = captured()[version][bug]
    assert plans["settings"]["version"] == version
    return read_plans(plans["analyzed"], plans["optimized"], plans["settings"])


@pytest.mark.parametrize(("version", "bug"), CASES)
def test_a_wrong_plan_is_refuted_and_a_right_one_proved(version, bug):
    pair = read(version, bug)
    if (version, bug) in WRONG:
        found = find(pair.left, pair.right, pair.catalogue, seconds=20)
        assert isinstance(found, DistinguishingDatabase)
        assert not found.left.may_equal(found.right)
    else:
        assert isinstance(decide(pair.left, pair.right, pair.catalogue), Proved)


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.parametrize("version", VERSIONS)
def test_the_old_spark_returns_the_wrong_result(version):
    with SparkPlans(python=python_of(version)) as spark:
        assert spark.version == version
        tables = prepared(spark, declared_tables(SCHEMA))
        for bug, query in BUGS.items():
            verdict = validated(spark, bug, query, tables, timeout=20).verdict
            wrong = (version, bug) in WRONG
            assert verdict.verdict is (Answer.INEQUIVALENT if wrong else Answer.EQUIVALENT), str(verdict)
            assert verdict.replayed_on == (("reference", "spark") if wrong else ("reference",))


@pytest.mark.slow
@pytest.mark.spark
def test_spark_4_optimises_them_right():
    with SparkPlans() as spark:
        tables = prepared(spark, declared_tables(SCHEMA))
        for bug, query in BUGS.items():
            assert validated(spark, bug, query, tables, timeout=20).verdict.verdict is Answer.EQUIVALENT
