"""Functions are called as if each were alone: modules, views and settings of one are not those of another."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from tallystick import Answer
from tallystick.frontends.errors import SourceError
from tallystick.plans.functions import check_functions
from tallystick.replay.catalyst.unknown_rows import LOOKS, PIVOT

SCHEMA = "CREATE TABLE t (x INT NOT NULL, y INT)\n"
JOBS = """
from pyspark.sql import SparkSession
from pyspark.sql import functions as f
import helpers
from helpers import step

{comment}
@f.udf("int")
def own(x): return x + 1

def by_name(t): return t.select(f.udf(step, "int")("x"))
def by_module(t): return t.select(f.udf(lambda x: helpers.step(x), "int")("x"))
def late(t):
    from later import step
    return t.select(f.udf(step, "int")("x"))
def plain(t): return t.select(own("x"))
def called(t): return t.select(helpers.plan("x").alias("z"))

def leaves_a_view(t):
    t.filter("x > 3").createOrReplaceTempView("t")
    return SparkSession.builder.getOrCreate().sql("SELECT * FROM t")
def filtered(t): return t.filter("x > 3")
def everything(t): return t
def divides(t): return t.select(f.expr("x / y"))
def divides_without_ansi(t):
    t.sparkSession.conf.set("spark.sql.ansi.enabled", "false")
    return t.select(f.expr("x / y"))

def counts(t): return t.filter(f.lit(t.count() > 3))
def nothing(t): return t.filter(f.lit(False))
def pivots(t): return t.groupBy("x").pivot("y").count()
def prints(t):
    t.printSchema()
    t.createOrReplaceTempView("seen")
    return t.sparkSession.table("seen").cache()
"""


def test_what_is_known_of_a_function_does_not_change_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function of a module that is there, and one that another module has wrapped, stay as they are."""
    asking = pytest.importorskip("tallystick.replay.catalyst.asking")
    cloudpickle = pytest.importorskip("pyspark.cloudpickle")
    wrapping = "import functools\ndef wrapped(f):\n    @functools.wraps(f)\n    def g(x): return f(x)\n    return g\n"
    (tmp_path / "wrapping_here.py").write_text(wrapping, encoding="utf-8")
    text = "from wrapping_here import wrapped\n@wrapped\ndef f(x): return x\ndef g(x): return x\n"
    (tmp_path / "functions_here.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    functions, others = (importlib.import_module(name) for name in ("functions_here", "wrapping_here"))
    before = dict(vars(functions)), dict(vars(others))
    for function in (functions.f, functions.g):
        assert asking._without_places(cloudpickle.dumps((function, "int")))
        assert function.__module__ == "functions_here"
    assert (dict(vars(functions)), dict(vars(others))) == before


def test_where_a_function_is_written_is_part_of_it_where_it_sees_that() -> None:
    asking = pytest.importorskip("tallystick.replay.catalyst.asking")
    cloudpickle = pytest.importorskip("pyspark.cloudpickle")

    def known(body: str, lines: int) -> bytes:
        names: dict[str, Any] = {}
        exec("\n" * lines + f"import sys\ndef f(x): return {body}\n", names)
        return asking._without_places(cloudpickle.dumps((names["f"], "int")))

    assert known("x + 1", 0) == known("x + 1", 2)
    assert known("sys._getframe().f_lineno", 0) != known("sys._getframe().f_lineno", 2)


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two folders of one job, with other helpers."""
    folders = tuple(tmp_path_factory.mktemp(name) for name in ("old", "new"))
    for number, folder in enumerate(folders, 1):
        helpers = f"NUMBER = {number}\ndef step(x): return x + NUMBER\n"
        planning = f"from pyspark.sql import functions as f\ndef plan(name): return f.col(name) + {number}\n"
        (folder / "jobs.py").write_text(JOBS.format(comment="# a line\n" * number), encoding="utf-8")
        (folder / "helpers.py").write_text(helpers + planning, encoding="utf-8")
        (folder / "later.py").write_text(helpers, encoding="utf-8")
    return folders[0], folders[1]


@pytest.mark.spark
@pytest.mark.slow
def test_functions_do_not_see_what_others_leave(versions: tuple[Path, Path]) -> None:
    from tallystick.replay.catalyst.process import SparkPlans

    with SparkPlans() as spark:

        def verdict(before: str, after: str) -> Answer:
            references = (f"{folder}/jobs.py:{name}" for folder, name in zip(versions, (before, after), strict=True))
            return check_functions(*references, schema=SCHEMA, timeout=20.0, spark=spark).verdict

        assert verdict("plain", "plain") is Answer.EQUIVALENT
        for name in ("by_name", "by_module", "late"):  # the helpers of the two versions are other functions
            assert verdict(name, name) is Answer.UNKNOWN
        assert verdict("called", "called") is Answer.INEQUIVALENT
        assert verdict("leaves_a_view", "everything") is Answer.INEQUIVALENT
        assert verdict("leaves_a_view", "filtered") is Answer.EQUIVALENT
        assert verdict("divides", "divides") is Answer.EQUIVALENT
        assert verdict("prints", "everything") is Answer.EQUIVALENT
        with pytest.raises(SourceError, match="it leaves Spark with other settings than the other function"):
            verdict("divides", "divides_without_ansi")
        for name, reason in (("counts", LOOKS), ("pivots", PIVOT)):
            with pytest.raises(SourceError, match=re.escape(f"{name} fails: {reason}")):
                verdict(name, "nothing")


WORLD = """
import datetime
import random
from pyspark.sql import functions as f

def everything(t): return t
def filtered(t): return t.filter("x > 3")
def writes(t): t.write.saveAsTable("out")
def writes_by_default(t): t.write.save("/out")
def writes_under_settings(t):
    t.sparkSession.conf.set("spark.sql.sources.default", "csv")
    t.write.save("/out")
    t.sparkSession.conf.unset("spark.sql.sources.default")
def leaves_settings(t):
    t.sparkSession.conf.set("spark.sql.parquet.datetimeRebaseModeInRead", "LEGACY")
    return t
def leaves_harmless_settings(t):
    t.sparkSession.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    t.sparkSession.conf.set("spark.sql.ansi.enabled", "true")
    return t
def if_there_is_a_database(spark, t): return t.filter("x > 3") if spark.catalog.databaseExists("prod") else t
def if_there_is_a_function(spark, t): return t.filter("x > 3") if spark.catalog.functionExists("scale") else t
def writes_renamed(t): t.select(f.col("x").alias("z"), "y").write.saveAsTable("out")
def writes_and_returns(t, u):
    u.write.saveAsTable("out")
    return t
def writes_less_and_returns(t, u):
    u.filter("x > 3").writeTo("out2").using("parquet").create()
    u.filter("x > 3").write.saveAsTable("out")
    return t
def writes_v2(t): t.writeTo("out").using("parquet").create()
def writes_less_v2(t): t.filter("x > 3").writeTo("out").using("parquet").create()
def writes_if_there_is_something(t):
    if t.count() > 0:
        t.write.saveAsTable("out")

def views(spark):
    spark.table("silver.t").filter("x > 3").createOrReplaceTempView("t")
    return spark.table("silver.t")
def views_in_sql(spark):
    spark.sql("CREATE TEMPORARY VIEW t AS SELECT * FROM silver.t WHERE x > 3")
    return spark.read.parquet("/lake/t")
def named_by_with(spark):
    return spark.sql("WITH t AS (SELECT * FROM silver.t WHERE x > 3) SELECT * FROM silver.t")
def reads_what_it_wrote(spark, u):
    u.write.saveAsTable("t")
    return spark.sql("SELECT * FROM t")
def read_before_it_wrote(spark, u):
    before = spark.table("silver.t")
    u.write.saveAsTable("t")
    return before
def inserts(spark, t):
    spark.sql("INSERT INTO t VALUES (1, 2)")
    return t
def runs_a_script(spark, t):
    spark.sql("BEGIN DELETE FROM t; END")
    return t
def shares_a_view(spark, t):
    spark.sql("CREATE GLOBAL TEMPORARY VIEW v AS SELECT * FROM t")
    return t
def calls_each(t):
    t.foreach(print)
    return t
def if_there(spark, t):
    return t.filter("x > 3") if spark.catalog.tableExists("history") else t
def if_t_is_there(spark, t):
    return t if spark.catalog.tableExists("silver.t") else t.filter("x > 3")
def unless_read(spark, t):
    try:
        return spark.sql("SELECT * FROM history")
    except Exception:
        return t
def unless_known(spark, t):
    try:
        return spark.table("silver.history")
    except:
        return t
def clock(t): return t.filter(f.lit(datetime.datetime.now()) > f.current_timestamp())
def chance(t): return t.filter(f.col("x") > random.random())
def chance_of_a_choice(t): return t.filter(f.col("x") > random.random()).limit(3)
"""
AGAIN = "makes something else when it is called again"


@pytest.mark.spark
@pytest.mark.slow
def test_what_a_function_does_to_the_world_is_compared_or_refused(tmp_path: Path) -> None:
    """No table is written, no file read: what hangs on either has no plan that is known."""
    from tallystick.replay.catalyst.process import SparkPlans

    (tmp_path / "jobs.py").write_text(WORLD, encoding="utf-8")
    schema = SCHEMA + "; CREATE TABLE u (x INT, y INT)"
    with SparkPlans() as spark:

        def verdict(before: str, after: str) -> Answer:
            names = [f"{tmp_path}/jobs.py:{name}" for name in (before, after)]
            return check_functions(*names, schema=schema, timeout=20.0, spark=spark, replay="reference").verdict

        assert verdict("writes_v2", "writes_less_v2") is Answer.INEQUIVALENT
        assert verdict("if_t_is_there", "everything") is Answer.EQUIVALENT
        assert verdict("leaves_harmless_settings", "everything") is Answer.EQUIVALENT
        for before, after, message in (
            ("writes", "writes_renamed", "what is written to out saveAsTable has other columns: x, y and z, y"),
            ("writes_and_returns", "everything", "make one DataFrame, written to out saveAsTable and one DataFrame"),
            ("writes_and_returns", "writes_less_and_returns", "written to out2 create using parquet"),
            ("writes", "writes_if_there_is_something", "it looks at rows"),
            ("writes_by_default", "writes_under_settings", "written to /out spark.sql.sources.default=csv"),
            ("leaves_settings", "everything", "it leaves Spark with other settings than the other function"),
            ("if_there_is_a_database", "everything", "it looks at rows"),
            ("if_there_is_a_function", "everything", "it looks at rows"),
            ("views", "filtered", "it reads silver.t as the table t, whose name it has given to a view"),
            ("views_in_sql", "filtered", "it reads /lake/t as the table t, whose name it has given to a view"),
            ("named_by_with", "filtered", "it reads silver.t as the table t, whose name WITH gives to a query"),
            ("reads_what_it_wrote", "everything", "it reads t again, which it has written"),
            ("read_before_it_wrote", "everything", "it reads silver.t again, which it has written"),
            ("inserts", "everything", "it runs a command of SQL that is no query (InsertIntoHadoopFsRelationCommand)"),
            ("runs_a_script", "everything", "runs_a_script fails"),
            ("shares_a_view", "everything", "it makes a view that other sessions see, v: make a temporary one"),
            ("calls_each", "everything", "it calls foreach, whose effects are not compared"),
            ("if_there", "everything", "it looks at rows"),
            ("unless_read", "everything", "it goes on where Spark does not read what it asks for"),
            ("unless_known", "everything", "silver.history is no table of the schema"),
            ("clock", "clock", "it asks for the clock (datetime.now)"),
            ("chance", "chance", AGAIN),
            ("chance_of_a_choice", "chance_of_a_choice", AGAIN),
        ):
            with pytest.raises(SourceError, match=re.escape(message)):
                verdict(before, after)
