"""Functions that make DataFrames, and DataFrames of a session, are compared; what cannot be compared is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import tallystick
from tallystick import Answer, MisreadingError, PlanVerdict
from tallystick.certificates.audit import audit
from tallystick.frontends.catalyst import predicates
from tallystick.frontends.errors import SourceError
from tallystick.options import OptionError
from tallystick.plans.dataframes import is_dataframe
from tallystick.plans.functions import check_functions
from tallystick.plans.schemas import declared_tables
from tallystick.plans.trying import UNASKED
from tallystick.plans.validating import prepared, validated
from tallystick.queries.trials import TRIALS
from tallystick.replay.catalyst.process import SparkPlans
from tallystick.replay.errors import ReplayUnavailable

HERE = Path(__file__).parent
JOBS = ("spending", "idle", "sizes", "months", "shares", "cities", "unique", "codes", "filled", "activity")


@pytest.fixture(scope="module")
def process() -> Iterator[SparkPlans]:
    with SparkPlans() as spark:
        yield spark


def compared(process: SparkPlans, before: str, after: str, replay: str | None = "reference") -> PlanVerdict:
    """The verdict about two functions of jobs.py."""
    references = [f"{HERE / 'jobs.py'}:{name}" for name in (before, after)]
    return check_functions(*references, schema=HERE / "shop.sql", replay=replay, spark=process)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("job", JOBS)
def test_a_right_refactoring_is_proved_with_a_certificate(process, job):
    verdict = compared(process, job, f"{job}_right")
    assert verdict.verdict is Answer.EQUIVALENT, str(verdict)
    assert verdict.certificate is not None
    assert audit(verdict.certificate)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("job", JOBS)
def test_a_wrong_refactoring_is_refuted_with_tables_on_which_spark_agrees(process, job):
    verdict = compared(process, job, f"{job}_wrong", "spark")
    assert verdict.verdict is Answer.INEQUIVALENT, str(verdict)
    assert verdict.replayed_on == ("reference", "spark")


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("identities", "random", "Rand is not deterministic"),
        ("identities", "misspelt", "misspelt fails: .*amonut"),
        ("identities", "counted", "counted fails: it looks at rows while it makes its result"),
        ("identities", "absent", "has no function absent"),
        ("identities", "text_column", "column 1 is of type long on the left, string on the right"),
        ("identities", "unique", "the results have 1 and 2 columns"),
    ],
)
def test_what_cannot_be_compared_is_refused_by_its_name(process, before, after, message):
    with pytest.raises(SourceError, match=message):
        compared(process, before, after)


@pytest.mark.spark
@pytest.mark.slow
def test_cached_dataframes_and_python_functions_are_compared(process):
    assert compared(process, "cached", "not_cached").verdict is Answer.EQUIVALENT
    verdict = compared(process, "by_function", "by_function_later")
    assert verdict.verdict is Answer.EQUIVALENT
    assert "functions of the user's are deterministic" in str(verdict)
    assert compared(process, "by_function", "by_another_function").verdict is Answer.UNKNOWN


@pytest.mark.spark
@pytest.mark.slow
def test_other_names_of_columns_are_noted(process):
    verdict = compared(process, "identities", "renamed")
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.notes == ("column 1 is called id and order: names are not compared",)


@pytest.mark.parametrize(
    ("reference", "message"),
    [("jobs.py", "PATH.py:FUNCTION"), ("nowhere.py:f", "there is no such file"), ("a.sql:f", "PATH.py:FUNCTION")],
)
def test_a_reference_that_names_no_function_is_an_error(reference, message):
    with pytest.raises(SourceError, match=message):
        check_functions(reference, reference, schema=HERE / "shop.sql")


def test_without_java_the_error_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    with pytest.raises(ReplayUnavailable, match="JAVA_HOME is /nowhere"):
        check_functions(f"{HERE / 'jobs.py'}:idle", f"{HERE / 'jobs.py'}:idle_right", schema=HERE / "shop.sql")


def test_the_plans_of_spark_connect_cannot_be_read():
    connected = type("DataFrame", (), {"__module__": "pyspark.sql.connect.dataframe"})()
    assert is_dataframe(connected)
    with pytest.raises(SourceError, match="the plans of Spark Connect are not shown to its clients") as refusal:
        tallystick.check(connected, connected)
    assert "compare functions, as PATH.py:FUNCTION with a schema" in str(refusal.value)


def test_only_dataframes_of_pyspark_are_dataframes():
    class DataFrame:
        pass

    assert not is_dataframe(DataFrame())
    assert not is_dataframe("jobs.py:f")


@pytest.mark.spark
@pytest.mark.slow
def test_dataframes_of_the_users_session_are_compared_without_a_job(assert_equivalent):
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as f

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    try:
        orders = spark.createDataFrame([], "id INT, customer INT, amount DECIMAL(10, 2)")
        big = orders.where("amount > 10").select("id")
        same = orders.select("id", "amount").filter(f.col("amount") > 10).drop("amount")
        named = {"orders": orders}
        assert_equivalent(big, same, tables=named)
        other = orders.where("amount >= 10").select("id")
        verdict = tallystick.check(big, other, tables=named)
        assert verdict.verdict is Answer.INEQUIVALENT
        assert "orders:" in str(verdict)
        once = orders.select("id").distinct()
        assert tallystick.check(once, orders.select("id"), tables=named).verdict is Answer.INEQUIVALENT
        key = "CREATE TABLE orders (id INT PRIMARY KEY, customer INT, amount DECIMAL(10, 2))"
        assert tallystick.check(once, orders.select("id"), tables=named, schema=key).verdict is Answer.EQUIVALENT
        again = spark.createDataFrame([], "id INT, customer INT, amount DECIMAL(10, 2)")
        assert tallystick.check(orders, again, tables=named).verdict is Answer.UNKNOWN
        unnamed = tallystick.check(big, other)
        assert unnamed.verdict is Answer.UNKNOWN
        assert unnamed.notes == ('name what may have any rows: tables={"orders": orders}',)
        with pytest.raises(SourceError, match="both are made of constants alone, of which nothing can differ"):
            tallystick.check(spark.range(3), spark.range(4))
        unknown = tallystick.check(orders.rdd.toDF(orders.schema), orders, tables=named)
        assert unknown.verdict is Answer.UNKNOWN
        assert "may have is not known, so none are tried" in unknown.reasons["counterexamples"]
        with pytest.raises(SourceError, match=r"a DataFrame of Spark is compared with another, not with a str$"):
            tallystick.check(big, "jobs.py:f")
        with pytest.raises(SourceError, match=r"not with a DataFrame of pandas$"):
            tallystick.check(big, orders.toPandas())
        other_schema = "CREATE TABLE order (id INT PRIMARY KEY, customer INT, amount DECIMAL(10, 2))"
        unused = tallystick.check(once, orders.select("id"), tables={"orders": orders}, schema=other_schema)
        assert unused.notes == (
            "no table of the schema (order) is known to the session or named by tables={…}: it says nothing here",
        )
        tags = spark.createDataFrame([], "id INT, tags ARRAY<STRING>")
        assert tallystick.check(tags, tags).verdict is Answer.EQUIVALENT
        elsewhere = spark.newSession()
        elsewhere.conf.set("spark.sql.ansi.enabled", "false")
        with pytest.raises(SourceError, match="the DataFrames are of two sessions with other settings"):
            tallystick.check(spark.sql("SELECT 1"), elsewhere.sql("SELECT 1"))
        with pytest.raises(SourceError, match="Rand is not deterministic") as refusal:
            tallystick.check(orders.withColumn("drawn", f.rand()), orders)
        assert "its value is another one in each run" in str(refusal.value)
        with pytest.raises(AssertionError, match="inequivalent"):
            assert_equivalent(big, other, tables=named)
    finally:
        spark.stop()


@pytest.mark.spark
@pytest.mark.slow
def test_files_are_the_same_if_they_are_read_alike(tmp_path):
    from pyspark.sql import SparkSession

    (tmp_path / "a.csv").write_text("1,x\n2,y\n", encoding="utf-8")
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()

    def read(kind="csv", **options):
        return spark.read.schema("a INT, b STRING").options(**options).format(kind).load(str(tmp_path))

    try:
        assert tallystick.check(read(header=True), read(HEADER=True)).verdict is Answer.EQUIVALENT
        for other in (read(header=True), read(mode="DROPMALFORMED"), read("json")):
            assert tallystick.check(read(), other).verdict is Answer.UNKNOWN
    finally:
        spark.stop()


@pytest.mark.spark
@pytest.mark.slow
def test_a_proof_says_on_how_many_databases_spark_returned_what_was_read(process):
    unasked = compared(process, "sizes", "sizes_right", None)
    assert unasked.verdict is Answer.EQUIVALENT
    assert unasked.tried is not None
    assert (0 < unasked.tried.same <= UNASKED, unasked.tried.failed) == (True, 0)
    asked = compared(process, "sizes", "sizes_right", "spark")
    assert asked.tried is not None
    assert unasked.tried.same < asked.tried.same <= TRIALS
    assert f"  tried: returned the same on {asked.tried.same} databases, Spark {process.version}\n" in str(asked)
    assert compared(process, "sizes", "sizes_right", "reference").tried is None


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("after", ["sizes", "sizes_right"])
def test_a_planted_misreading_of_plans_is_no_verdict(process, after, monkeypatch):
    monkeypatch.setitem(predicates.OPERATORS, "LessThan", "<=")
    monkeypatch.setitem(predicates.OPERATORS, "GreaterThanOrEqual", ">")
    with pytest.raises(MisreadingError) as found:
        compared(process, "sizes", after, "spark")
    content = found.value.to_json()
    assert content["problem"].endswith(
        f" is wrong: Spark {process.version} returns other rows than the reference interpreter"
    )
    assert "CREATE TABLE `orders` (" in content["script"]
    assert "INSERT INTO `orders` VALUES (" in content["script"]
    with pytest.raises(OptionError, match="replay must be one of 'reference', 'spark', and is 'duckdb'"):
        compared(process, "sizes", after, "duckdb")


@pytest.mark.spark
@pytest.mark.slow
def test_a_planted_misreading_of_the_plans_of_a_query_is_no_verdict(process, monkeypatch):
    tables = prepared(process, declared_tables(HERE / "shop.sql"))
    text = "SELECT id FROM orders WHERE amount >= 10"
    right = validated(process, "q", text, tables, 20.0)
    assert (right.verdict.verdict, right.misread) == (Answer.EQUIVALENT, None)
    assert right.verdict.tried is not None
    assert right.verdict.tried.same > 0
    monkeypatch.setitem(predicates.OPERATORS, "GreaterThanOrEqual", ">")
    wrong = validated(process, "q", text, tables, 20.0)
    assert wrong.verdict.verdict is Answer.UNKNOWN
    assert wrong.misread is not None
    assert wrong.verdict.reasons == {"replay": f"{wrong.misread.problem}, or Spark is"}
    assert wrong.to_json()["misread"]["verdict"] == "misread"
