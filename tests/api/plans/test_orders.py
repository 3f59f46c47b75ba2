"""Choices are the same only under settings by which rows come in the same order."""

from __future__ import annotations

from pathlib import Path

import pytest
from tallystick import Answer
from tallystick.frontends.errors import SourceError
from tallystick.plans.functions import check_functions
from tallystick.replay.catalyst.settings import KEPT, other_settings, same_order

SCHEMA = "CREATE TABLE t (x INT NOT NULL, y INT)"
JOBS = """
FIVE = "spark.sql.shuffle.partitions", "5"
def chooses(t): return t.repartition("y").dropDuplicates(["x"])
def chooses_of_five(t):
    t.sparkSession.conf.set(*FIVE)
    return chooses(t)
def chooses_of_five_in_sql(t):
    t.sparkSession.sql("SET spark.sql.shuffle.partitions=5")
    return chooses(t)
def chooses_without_adaption(t):
    t.sparkSession.conf.set("spark.sql.adaptive.enabled", "false")
    return chooses(t)
def chooses_of_kept(t):
    t.sparkSession.conf.set(*FIVE)
    kept = t.repartition("y").cache()
    kept.count()
    t.sparkSession.conf.set("spark.sql.shuffle.partitions", "1")
    return kept.dropDuplicates(["x"])
def chooses_quietly(t):
    t.sparkSession.conf.set("spark.sql.broadcastTimeout", "5")
    t.sparkSession.conf.set("spark.my.flag", "5")
    return chooses(t)
def groups(t): return t.groupBy("x").count()
def groups_in_five(t):
    t.sparkSession.conf.set(*FIVE)
    return groups(t)
def for_hadoop(t):
    t.sparkSession.conf.set("mapreduce.input.pathFilter.class", "Filter")
    return t
def everything(t): return t
def writes(t): chooses(t).write.saveAsTable("out")
def writes_in_five(t):
    t.sparkSession.conf.set(*FIVE)
    chooses(t).write.saveAsTable("out")
    t.sparkSession.conf.set("spark.sql.shuffle.partitions", "1")
"""


def test_orders_of_settings() -> None:
    one, other = ({"ansi": True, "others": {}, "order": {"spark.sql.shuffle.partitions": each}} for each in "15")
    assert same_order(one, dict(one))
    assert not same_order(one, other)
    assert other_settings(one, other) == ["spark.sql.shuffle.partitions"]
    kept = {**one, "order": {KEPT: ""}}
    assert not same_order(kept, kept)


@pytest.mark.spark
@pytest.mark.slow
def test_choices_under_settings_by_which_rows_come_in_other_orders(tmp_path: Path) -> None:
    from tallystick.replay.catalyst.process import SparkPlans

    (tmp_path / "jobs.py").write_text(JOBS, encoding="utf-8")
    with SparkPlans() as spark:

        def answer(before: str, after: str) -> tuple[Answer, str]:
            names = [f"{tmp_path}/jobs.py:{name}" for name in (before, after)]
            found = check_functions(*names, schema=SCHEMA, timeout=4.0, spark=spark, replay="reference")
            return found.verdict, " ".join(found.reasons.values())

        for one, other in (
            ("chooses", "chooses"),
            ("chooses", "chooses_quietly"),
            ("chooses_of_five", "chooses_of_five_in_sql"),
            ("groups", "groups_in_five"),
        ):
            assert answer(one, other) == (Answer.EQUIVALENT, "")
        for one, other, setting in (
            ("chooses", "chooses_of_five", "spark.sql.shuffle.partitions"),
            ("chooses", "chooses_of_five_in_sql", "spark.sql.shuffle.partitions"),
            ("chooses", "chooses_without_adaption", "spark.sql.adaptive.enabled"),
            ("chooses_of_kept", "chooses", KEPT),
            ("chooses_of_kept", "chooses_of_kept", KEPT),
            ("writes", "writes_in_five", "spark.sql.shuffle.partitions"),
        ):
            verdict, reason = answer(one, other)
            assert verdict is Answer.UNKNOWN
            assert f"rows may come in other orders: {setting}" in reason
        with pytest.raises(SourceError, match=r"with other settings than the other function: mapreduce\.input"):
            answer("for_hadoop", "everything")
