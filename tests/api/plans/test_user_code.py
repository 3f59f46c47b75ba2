"""Functions are called as if each were alone: modules, views and settings of one are not those of another."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from tallystick import Answer
from tallystick.frontends.errors import SourceError
from tallystick.plans.functions import check_functions

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
        for name in ("counts", "pivots"):
            with pytest.raises(SourceError, match=f"{name} fails: it looks at rows while it makes its result"):
                verdict(name, "nothing")
