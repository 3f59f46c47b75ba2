"""PySpark pipelines: which functions are models, what their plans make of them, what is told of what is not read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick.certificates.audit import audit
from tallystick.cli import main
from tallystick.dataflow.comparing import compared
from tallystick.dataflow.history import History
from tallystick.dataflow.limits import LIMITS
from tallystick.dataflow.pipelines import SETTINGS, read_pipelines
from tallystick.dataflow.reading import read_versions
from tallystick.dataflow.replaying import replayed
from tallystick.dataflow.showing.data import to_json
from tallystick.dataflow.showing.markdown import markdown
from tallystick.dataflow.showing.picture import picture
from tallystick.dataflow.showing.text import text
from tallystick.dataflow.verdict import DataflowVerdict
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pipelines.functions import load_pipeline
from tallystick.replay.catalyst.process import SparkPlans

SCHEMA = """
CREATE TABLE customers (id INT NOT NULL PRIMARY KEY, name STRING, city STRING);
CREATE TABLE orders (
  id INT NOT NULL PRIMARY KEY, customer_id INT NOT NULL REFERENCES customers (id), amount DECIMAL(10,2), tags STRING
);
"""
TABLES = ("customers", "orders")
SHOP = """
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

FEE = 3

@f.udf("string")
def loud(x):
    return None if x is None else x.upper()

def _clean(df):
    return df.filter(f.col("amount") > 0)

def halved(df, column):
    return df.withColumn("half", f.col(column) + FEE)

def describe(orders) -> str:
    return str(orders)

def main(spark):
    raise SystemExit

def valid(orders: DataFrame) -> DataFrame:
    return _clean(orders)

def large(valid):
    return valid.filter((f.col("amount") > 100) & (f.col("customer_id") > 3)).select("id", "amount")

def revenue(valid, customers, rate=2):
    joined = valid.join(customers, valid.customer_id == customers.id)
    return joined.groupBy("city").agg(f.sum("amount").alias("revenue"), f.count("*").alias("n"))

def shouted(customers):
    return customers.withColumn("loud", loud("name"))

def cities(shouted):
    return shouted.filter("city = 'Oslo'").select("loud")

def tags(orders):
    return orders.select("id", f.explode(f.split("tags", ",")).alias("tag"))

def frequent(tags):
    return tags.groupBy("tag").count()

def ranked(revenue):
    return revenue.orderBy(f.desc("revenue"), "city")

def top(ranked):
    return ranked.limit(3)

def noisy(customers):
    return customers.withColumn("r", f.rand())

def constants(spark) -> DataFrame:
    return spark.createDataFrame([(1, "a")], "x int, y string")

def known(constants, customers):
    return customers.join(constants, customers.id == constants.x).select("id", "y")

def looks(orders):
    return orders.filter(f.lit(orders.count() > 3))

def behind(looks):
    return looks.select("id")

def extended(orders):
    return halved(orders, "id")
"""
EDITS = {
    '(f.col("amount") > 100) & (f.col("customer_id") > 3)': '(f.col("customer_id") > 3) & (f.col("amount") > 100)',
    "valid.customer_id == customers.id)": 'valid.customer_id == customers.id, "left")',
    "shouted.filter(\"city = 'Oslo'\")": 'shouted.select("loud", "city").where(f.col("city") == "Oslo")',
    'tags.groupBy("tag").count()': 'tags.select("tag").groupBy("tag").agg(f.count("*").alias("count"))',
}
"""Edits that change no result."""


def written(folder: Path, content: str, name: str = "shop.py") -> Path:
    folder.mkdir(exist_ok=True, parents=True)
    (folder / name).write_text(content, encoding="utf-8")
    return folder / name


def edited(content: str, edits: dict[str, str]) -> str:
    for before, after in edits.items():
        assert content.count(before) == 1, before
        content = content.replace(before, after)
    return content


# ---- which functions are models


def test_functions_come_after_those_that_they_read(tmp_path: Path) -> None:
    found = {each.name: each.reads for each in load_pipeline(written(tmp_path, SHOP), TABLES)}
    assert "halved" not in found  # it is called with arguments of its own
    assert not {"_clean", "describe", "main", "loud"} & found.keys()
    assert found["revenue"] == ("valid", "customers")
    assert found["constants"] == ()
    names = list(found)
    assert all(
        names.index(read) < names.index(name) for name, reads in found.items() for read in reads if read in found
    )


def test_the_text_of_a_function_is_what_it_hangs_on(tmp_path: Path) -> None:
    def texts(name: str, content: str, helpers: str = "def add(x): return x + 1\n") -> dict[str, str]:
        written(tmp_path / name, helpers, "helpers.py")
        written(tmp_path / name, content)
        return {each.name: each.text for each in load_pipeline(tmp_path / name, TABLES)}

    content = "from helpers import add\nLIMIT = 3\ndef _inner(x): return x\n"
    content += 'def one(orders):\n    """Says."""\n    return _inner(orders)\ndef two(customers): return customers\n'
    old = texts("old", content)
    assert texts("same", content.replace("Says", "Tells").replace("one(orders):", "one(orders):  # yes")) == old
    inner = texts("inner", content.replace("return x\n", "return x.distinct()\n"))
    assert inner["one"] != old["one"]
    assert inner["two"] == old["two"]
    for changed in (
        texts("constant", content.replace("LIMIT = 3", "LIMIT = 4")),
        texts("helper", content, "def add(x): return x + 2\n"),
    ):
        assert all(changed[name] != old[name] for name in old)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "def a(b): return b\ndef b(c): return c\ndef c(a): return a\n",
            "shop.py: functions read each other in a circle: a reads b reads c reads a",
        ),
        (
            "def a(orders): return orders\n\ndef totals(a, ordres): return a\n",
            "shop.py:3:15: totals takes ordres, which is no table of the schema and no function\n"
            "  help: functions that are no models begin with an underscore",
        ),
        ("def main(): pass\nX = 1\n", "shop.py: there is no function that makes a DataFrame"),
        ("", "shop.py: there is no function that makes a DataFrame"),
        ("def orders(customers): return customers\n", "a table of the schema and a function have the name orders"),
        ("def a(orders): return orders\ndef a(customers): return customers\n", "two functions have the name a"),
        (
            "def ab(orders): return orders\ndef aB(customers): return customers\n",
            "two functions have the name aB, as Spark reads ab",
        ),
        ("def a(orders) return orders\n", "shop.py:1:15: the file is no Python: expected ':'"),
        ("def a(x):\n return '\0'\n", "the file is no Python: source code string cannot contain null bytes"),
    ],
)
def test_what_makes_no_pipeline_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(SourceError) as refusal:
        load_pipeline(path, TABLES)
    assert message in str(refusal.value)


def test_the_command_needs_a_schema_and_takes_no_dialect(tmp_path: Path) -> None:
    path = written(tmp_path, SHOP)
    with pytest.raises(SourceError, match="a pipeline needs --schema: the tables that its functions take"):
        read_versions(path, path)
    with pytest.raises(SourceError, match="pipelines have one dialect"):
        read_versions(path, path, schema=SCHEMA, dialect="duckdb")
    result = CliRunner().invoke(main, ["dataflow", str(path), str(path)])
    assert (result.exit_code, "a pipeline needs --schema" in result.output) == (3, True)


# ---- what Spark makes of them


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkPlans]:
    with SparkPlans(SETTINGS) as process:
        yield process


def verdict_of(spark: SparkPlans, folder: Path, old: str, new: str, history: History | None = None) -> DataflowVerdict:
    """The verdict about two texts; files of two names, as users have them."""
    paths = written(folder / "a", old, "old_version.py"), written(folder / "b", new, "new_version.py")
    return compared(read_pipelines(*paths, SCHEMA, spark), history=history)


def answers(verdict: DataflowVerdict) -> dict[str, str]:
    return {wire.name: str(wire.change) for wire in verdict.wires}


@pytest.mark.spark
@pytest.mark.slow
def test_nothing_is_changed_by_comments_and_edits_that_change_no_result(spark: SparkPlans, tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    same = verdict_of(spark, tmp_path, SHOP, '"""New."""\n\n# lines\n' + SHOP, history)
    assert set(answers(same).values()) == {"unchanged"}, text(same)
    assert not any(wire.edited for wire in same.wires)
    new = edited(SHOP, EDITS)
    verdict = verdict_of(spark, tmp_path, SHOP, new, history)
    assert set(answers(verdict).values()) == {"unchanged"}, text(verdict)
    assert {wire.name for wire in verdict.wires if wire.edited} == {"large", "revenue", "cities", "frequent"}
    assert verdict.certificate is not None
    assert audit(verdict.certificate, limits=LIMITS)
    again = verdict_of(spark, tmp_path, SHOP, new, History(tmp_path / "history"))
    assert answers(again) == answers(verdict)
    assert again.calls == 0
    assert all(wire.computed_by == 1 for wire in again.wires if wire.name not in ("noisy", "looks", "behind"))


@pytest.mark.spark
@pytest.mark.slow
def test_what_changes_has_an_input_that_spark_confirms(spark: SparkPlans, tmp_path: Path) -> None:
    new = edited(
        SHOP,
        {
            'f.desc("revenue"), "city"': '"revenue", "city"',
            'f.count("*").alias("n")': 'f.count("name").alias("n")',
            "x.upper()": "x.lower()",
            "f.col(column) + FEE": "f.col(column) + FEE + 1",
            '(1, "a")': '(1, "b")',
            'tags.groupBy("tag").count()': 'tags.filter("id > 0").groupBy("tag").count()',
            'amount") > 100)': 'amount") > 99.99)',
        },
    )
    verdict = replayed(verdict_of(spark, tmp_path, SHOP, new), "spark")
    found = answers(verdict)
    changed = {name for name, answer in found.items() if answer == "changed"}
    assert changed == {"large", "revenue", "ranked", "top", "extended", "constants", "known"}, text(verdict)
    assert all("replayed on Spark" in wire.reason for wire in verdict.wires if wire.name in changed)
    # what only a function of the user's, or of Spark's that nothing computes, may change, is unknown
    assert {name for name, answer in found.items() if answer == "unknown"} == {"shouted", "cities", "frequent"}
    assert found["valid"] == found["tags"] == found["noisy"] == "unchanged"
    assert "unknown: it fails on empty tables" not in text(verdict)
    data = to_json(verdict)
    [large] = [wire for wire in data["wires"] if wire["name"] == "large"]
    [orders] = [each for each in large["witness"]["inputs"] if each["name"] == "orders"]
    place = [each["name"] for each in orders["columns"]].index("amount")
    amounts = {row[place] for row in orders["rows"]}
    assert amounts == {"100"}  # in units of money, as the table has it, and not in hundredths
    assert json.dumps(data)
    assert "| 🔴 | `large` | changed |" in markdown(verdict)
    assert "large" in picture(verdict)


@pytest.mark.spark
@pytest.mark.slow
def test_a_result_with_an_order_is_passed_on_with_it(spark: SparkPlans, tmp_path: Path) -> None:
    """A table would forget the order, and the first three rows of a table may be any."""
    new = edited(SHOP, {'f.desc("revenue"), "city"': 'f.desc("revenue"), f.desc("city")'})
    found = answers(verdict_of(spark, tmp_path, SHOP, new))
    assert (found["ranked"], found["top"], found["revenue"]) == ("changed", "changed", "unchanged")


@pytest.mark.spark
@pytest.mark.slow
def test_units_of_decimals_are_no_numbers(spark: SparkPlans, tmp_path: Path) -> None:
    """1 and 0.01 are both one unit of their types; columns with other digits are other columns."""
    old = 'from pyspark.sql import functions as f\ndef a(orders): return orders.select(f.expr("1 AS x"))\n'
    old += 'def b(orders): return orders.select(f.expr("CAST(1 AS DECIMAL(3, 1)) AS x"))\n'
    old += 'def gone(orders): return orders.select(f.expr("0.01BD AS x"))\n'
    swapped = {
        '"1 AS': '"0.01BD AS',
        "(3, 1)": "(5, 1)",
        'gone(orders): return orders.select(f.expr("0.01BD': 'fresh(orders): return orders.select(f.expr("1',
    }
    new = edited(old, swapped)
    verdict = verdict_of(spark, tmp_path, old, new, History(tmp_path / "history"))
    assert answers(verdict) == {"a": "changed", "b": "unchanged", "fresh": "added", "gone": "removed"}, text(verdict)
    assert verdict.of("a").reason == "it has x as a number of 2 digits behind the point, which was integer"
    assert verdict.of("fresh").old == ""
    assert verdict.of("fresh").reason == "the old version does not have it"
    back = verdict_of(spark, tmp_path, new, old, History(tmp_path / "history"))
    assert back.of("a").computed_by == 1
    assert back.of("gone").computed_by == 1


@pytest.mark.spark
@pytest.mark.slow
def test_functions_that_cannot_be_read_are_told_by_name(spark: SparkPlans, tmp_path: Path) -> None:
    new = edited(
        SHOP,
        {
            "orders.count() > 3": "orders.count() > 4",
            '"tags", ","': '"tags", ";"',
            'customers.withColumn("r", f.rand())': 'customers.withColumn("s", f.rand())',
            'looks.select("id")': 'looks.select("idd")',
            "_clean(orders)": '_clean(orders).filter("nothing > 3")',
        },
    )
    verdict = verdict_of(spark, tmp_path, SHOP, new)
    reasons = {wire.name: wire.reason for wire in verdict.wires if wire.change == "unknown"}
    assert reasons["looks"].startswith(
        "old looks: it fails on empty tables: it looks at rows while it makes its result"
    )
    assert reasons["behind"] == "old behind: it reads looks, which makes no DataFrame of empty tables"
    assert reasons["tags"].endswith("is as frequent on both sides: a branch stays open")
    assert reasons["noisy"] == "old noisy: its plan is not understood: Rand is not deterministic"
    assert reasons["valid"].startswith("new valid: it fails on empty tables: [UNRESOLVED_COLUMN")
    assert reasons["large"] == "new large: it reads valid, which makes no DataFrame of empty tables"


TRAPS = """
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

KNOWN = {"a": 1}

@f.udf("string")
def shown(x): return str(x)

@f.udf("int")
def looked(x): return KNOWN.get(x)

def made(step): return f.udf(lambda x: x + step, "int")

def aaa(spark) -> DataFrame: return spark.table("large").select("id")
def large(orders): return orders.filter("amount > 3")
def zzz(spark) -> DataFrame: return spark.table("large").select("id")
def units(orders): return orders.select(shown(f.expr("1")).alias("x"))
def closed(orders): return orders.select(made(1)("id").alias("x"))
def mapped(customers): return customers.select(looked("name").alias("x"))
def moved(customers): return customers.select(made(5)("id").alias("x")).filter("x > 3")
def parsed(customers): return customers.select(f.from_csv("name", "x INT", {"mode": "PERMISSIVE"}).alias("x"))
def drawn(orders): return orders.sample(0.5)
def seeded(orders): return orders.sample(0.5, seed=1)
def ranked(orders): return orders.orderBy("amount", "id")
def flagged(ranked): return ranked.filter("id > 0").withColumn("flag", f.lit(1))
def first(flagged): return flagged.limit(3)
def joined(customers, orders): return customers.join(orders, customers.id == orders.customer_id)
def narrow(joined): return joined.select("amount", "city")
def emptied(customers, spark) -> DataFrame:
    spark.sql("TRUNCATE TABLE orders")
    return customers
def saved(customers) -> DataFrame:
    customers.write.saveAsTable("beside")
    return customers
"""


@pytest.mark.spark
@pytest.mark.slow
def test_what_looks_the_same_and_is_not_is_never_unchanged(spark: SparkPlans, tmp_path: Path) -> None:
    new = edited(
        TRAPS,
        {
            'filter("amount > 3")': 'filter("amount > 4")',
            'f.expr("1")': 'f.expr("0.01BD")',
            "made(1)": "made(2)",
            'KNOWN = {"a": 1}': 'KNOWN = {"a": 1}\nKNOWN["a"] = 2',
            'select(made(5)("id").alias("x"))': 'select("id").withColumn("x", made(5)("id")).select("x")',
            "PERMISSIVE": "FAILFAST",
            "seed=1": "seed=2",
            'orderBy("amount", "id")': 'orderBy(f.desc("amount"), "id")',
            "joined(customers, orders)": "joined(orders, customers)",
            'spark.sql("TRUNCATE TABLE orders")': "pass",
            'customers.write.saveAsTable("beside")': "pass",
        },
    )
    expected = dict.fromkeys(
        ("aaa", "units", "closed", "mapped", "parsed", "seeded", "drawn", "emptied", "saved"), "unknown"
    )
    expected |= dict.fromkeys(("large", "zzz", "ranked", "flagged", "first"), "changed")
    expected |= dict.fromkeys(("moved", "joined", "narrow"), "unchanged")
    verdict = verdict_of(spark, tmp_path, TRAPS, new)
    assert answers(verdict) == expected, text(verdict)
    assert [column.name for column in verdict.pair.columns(("new", "joined"))][:4] == ["id", "name", "city", "id (2)"]


@pytest.mark.spark
@pytest.mark.slow
def test_a_folder_is_a_pipeline_and_its_helpers_count(spark: SparkPlans, tmp_path: Path) -> None:
    pairs = []
    for version, step in (("old", "+ 1"), ("new", "+ 2")):
        folder = tmp_path / version
        written(folder, f"def add(x): return x {step}\ndef same(x): return x + 1\n", "_helpers.py")
        written(folder / "staging", "def paid(orders): return orders.filter('amount > 0')\n", "paid.py")
        body = "from pyspark.sql import functions as f\nimport _helpers\nfrom _helpers import add, same\n"
        body += "def planned(paid): return paid.select(add(f.col('id')).alias('x'))\n"
        body += "def called(paid): return paid.select(f.udf(_helpers.add, 'int')('id').alias('x'))\n"
        body += "def kept(paid): return paid.select(f.udf(same, 'int')('id').alias('x'))\n"
        written(folder, body, "reports.py")
        pairs.append(folder)
    verdict = compared(read_pipelines(*pairs, SCHEMA, spark))
    found = {"paid": "unchanged", "called": "unknown", "kept": "unchanged", "planned": "changed"}
    assert answers(verdict) == found, text(verdict)


@pytest.mark.spark
@pytest.mark.slow
def test_the_command_writes_all_that_it_is_asked_for(tmp_path: Path) -> None:
    old = written(tmp_path, SHOP, "old.py")
    new = written(tmp_path, edited(SHOP, {"> 100)": "> 101)"}), "new.py")
    (tmp_path / "shop.sql").write_text(SCHEMA, encoding="utf-8")
    given = ["dataflow", str(old), str(new), "--schema", str(tmp_path / "shop.sql"), "--select", "large"]
    given += ["--columns", "--replay", "spark", "--html", str(tmp_path / "a.html"), "--history", str(tmp_path / "h")]
    result = CliRunner().invoke(main, [*given, "--certificate", str(tmp_path / "c.json"), "--format", "github"])
    assert result.exit_code == 1, result.output
    assert "| 🔴 | `large` | changed | its text was changed; replayed on Spark |" in result.output
    assert "valid" not in result.output
    assert {path.name for path in tmp_path.iterdir()} >= {"a.html", "c.json", "h"}
