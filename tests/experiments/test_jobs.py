"""Jobs of packages, with classes, parameters, sources and logging, are decided rightly, and do what they are called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tallystick import Answer
from tallystick.experiments.jobs import RIGHT, WRONG, Jobs, confirmed, decide, random_rows
from tallystick.frontends.catalyst.reading import SourceColumn, SourceTable
from tallystick.frontends.catalyst.types import column_type
from tallystick.frontends.errors import SourceError
from tallystick.plans.functions import Calling, check_functions, compared
from tallystick.plans.schemas import declared_tables
from tallystick.plans.validating import prepared
from tallystick.replay.catalyst.process import SparkPlans

FOLDER = Path(__file__).parents[1] / "jobs"
JOBS = Jobs.of(FOLDER)
SAMPLE = ("FailureRate.run", "RepeatRate.transform", "daily_revenue")
CASES = """
from pyspark.sql import functions as f

def reads(spark): return spark.table("silver.orders").select("order_id")
def reads_bronze(spark): return spark.read.parquet("/bronze/orders").select("order_id")
def reads_csv(spark): return spark.read.option("mode", "DROPMALFORMED").csv("/bronze/orders").select("order_id")
def asks(spark): return spark.sql("SELECT order_id FROM silver.orders o WHERE EXTRACT(YEAR FROM o.ordered_at) > 2023")
def writes(orders): orders.where("amount > 0").write.mode("overwrite").parquet("/gold/orders")
def writes_later(orders): orders.filter("NOT amount <= 0").write.mode("overwrite").parquet("/gold/orders")
def appends(orders): orders.filter("NOT amount <= 0").write.mode("append").parquet("/gold/orders")
def draws(orders):
    return orders.select(f.rand().alias("r"))
def looks(orders):
    return orders.limit(orders.count() - 1)
def pivots(orders): return orders.groupBy("channel").pivot("status").count()
def sorts(orders): return orders.select("order_id").orderBy("order_id")
def leaves(orders): return orders.select("order_id")
def pair(orders): return orders, orders
def named(orders): return {"a": orders}
def takes(orders, day): return orders.where(f.to_date("ordered_at") == day)
"""


def test_the_jobs_are_found_with_their_refactorings() -> None:
    jobs = {job.name: job for job in JOBS}
    assert len(jobs) == 47
    assert {"age_bands", "LatestStock.run", "RepeatRate.transform"} <= set(jobs)
    assert JOBS.calling_of(jobs["age_bands"]).param == {"run_date": "2024-03-31"}
    assert JOBS.calling_of(jobs["days_out"]).param == {}


def test_random_rows_keep_keys_and_foreign_keys() -> None:
    number = column_type("long")
    owner = SourceTable("owner", (SourceColumn("id", number, False),), ((0,),))
    pet = SourceTable(
        "pet", (SourceColumn("of", number, True), SourceColumn("age", number, True)), (), (((0,), "owner", (0,)),)
    )
    for seed in range(20):
        rows = random_rows(Random(seed), (owner, pet), {"age": [7]})
        assert len(set(rows["owner"])) == len(rows["owner"])
        assert {row[0] for row in rows["pet"]} <= {row[0] for row in rows["owner"]}
        assert {row[1] for row in rows["pet"]} <= {7, None}


@pytest.fixture(scope="module")
def process() -> Iterator[SparkPlans]:
    with SparkPlans() as spark:
        yield spark


@pytest.mark.spark
@pytest.mark.slow
def test_a_sample_is_decided_rightly_and_spark_agrees(process: SparkPlans) -> None:
    tables = prepared(process, declared_tables(JOBS.schema))
    for job in JOBS:
        if job.name in SAMPLE:
            right, wrong = (decide(process, tables, JOBS, job, kind, 20) for kind in (RIGHT, WRONG))
            assert (right.answer, wrong.answer) == ("equivalent", "inequivalent"), (job.name, right, wrong)
            assert wrong.replayed, job.name
            assert confirmed(process, tables, JOBS, job) == ""


@pytest.mark.spark
@pytest.mark.slow
def test_what_functions_read_write_and_look_at(process: SparkPlans, tmp_path: Path) -> None:
    path = tmp_path / "cases.py"
    path.write_text(CASES, encoding="utf-8")
    tables = prepared(process, declared_tables(JOBS.schema))

    def verdict(before: str, after: str, param: dict[str, str] | None = None, **source: str) -> Answer:
        references = [(str(path), before), (str(path), after)]
        return compared(
            process, references, tables, Calling(param or {}, source.get("source", {})), 20, "reference"
        ).verdict  # type: ignore[arg-type]

    def refusal(before: str, after: str, **more: object) -> str:
        with pytest.raises(SourceError) as raised:
            verdict(before, after, **more)  # type: ignore[arg-type]
        return str(raised.value)

    assert verdict("reads", "reads") is Answer.EQUIVALENT
    assert verdict("reads", "asks") is Answer.INEQUIVALENT
    assert "orders is read as /bronze/orders and as silver.orders, which may have other rows" in refusal(
        "reads", "reads_bronze"
    )
    both = {"silver.orders": "orders", "/bronze/orders": "orders"}
    assert verdict("reads", "reads_bronze", source=both) is Answer.EQUIVALENT  # type: ignore[arg-type]
    assert "orders is read as option mode DROPMALFORMED csv and as the table" in refusal(
        "reads", "reads_csv", source=both
    )
    assert verdict("writes", "writes_later") is Answer.EQUIVALENT
    assert "the functions make written to /gold/orders parquet mode overwrite and written to" in refusal(
        "writes", "appends"
    )
    assert f"{path}:12:1: draws: Rand is not deterministic" in refusal("draws", "draws")
    assert "looks fails: it looks at rows while it makes its result" in refusal("looks", "leaves")
    assert "pivots fails: pivot without a list of values" in refusal("pivots", "pivots")
    assert verdict("sorts", "sorts") is Answer.EQUIVALENT
    assert verdict("sorts", "leaves") is Answer.UNKNOWN
    assert "the functions make [0], [1] and ['a']" in refusal("pair", "named")
    assert "day is no table of the schema: give its value by --param day=VALUE" in refusal("takes", "takes")
    assert verdict("takes", "takes", {"day": "2024-02-29"}) is Answer.EQUIVALENT
    assert "no parameter is called date" in refusal("leaves", "leaves", param={"date": "2024-02-29"})


def test_options_of_calls_are_the_functions_own() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'columns'"):
        check_functions("a.py:f", "a.py:g", schema="CREATE TABLE t (a INT)", columns=True)  # type: ignore[call-arg]
