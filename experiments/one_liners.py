"""Calls of one line of all that PySpark's own modules list: how many are read, and why others are refused.

    python -m tallystick.experiments.one_liners --results build/one_liners.jsonl

Each function of `pyspark.sql.functions` is called on columns of a table that has one of each kind: the first call that
Spark accepts without a cast of its own, else the first that it accepts, or as `FUNCTIONS` says. Methods of DataFrame,
GroupedData and Column are called as `METHODS` says, which has all that are listed, but for those that make no DataFrame
(`ELSEWHERE`).
"""

from __future__ import annotations

import argparse
import inspect
import json
import logging
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from tallystick.frontends.catalyst.reader import read_plans
from tallystick.frontends.catalyst.reading import SourceTable
from tallystick.frontends.errors import SourceError
from tallystick.plans.dataframes import is_dataframe
from tallystick.plans.schemas import declared_tables
from tallystick.replay.catalyst.asking import analysed
from tallystick.replay.session import spark_session

READ, REFUSED, FAILED, NOT_CALLED = "read", "refused", "failed", "not called"
SCHEMA: Final = """CREATE TABLE t (i INT, s STRING, d DOUBLE, n DECIMAL(10, 2), day DATE, at TIMESTAMP, b BOOLEAN,
    a ARRAY<INT>, texts ARRAY<STRING>, m MAP<STRING, INT>, r STRUCT<x: INT, y: STRING>, data BINARY, v VARIANT,
    pairs ARRAY<STRUCT<x: STRING, y: INT>>, nested ARRAY<ARRAY<INT>>, l BIGINT, days ARRAY<DATE>, moment TIMESTAMP_NTZ,
    other MAP<STRING, INT>)"""
COLUMNS: Final = ("i", "s", "d", "day", "at", "a", "b", "m", "r", "n", "data", "texts", "v", "pairs", "nested", "other")
TEXTS: Final = ("yyyy", "i", "day", "1 hour", "$.x", "x INT", "UTF-8", "UNICODE", "abs", "Mon", "int")
LAMBDAS: Final = (
    *("lambda x: x", "lambda x, y: x", "lambda x: x.isNotNull()", "lambda x, y: y.isNotNull()", "lambda x, y: x + y"),
    "lambda k, x, y: x",
)
MOST_TRIES, MOST_BEYOND = 300, 16
"""So many calls of a function are tried, and so many after the first that Spark accepts with a cast."""
OVER: Final = '.over(Window.partitionBy("b").orderBy("i"))'

METHODS: Final[dict[str, dict[str, str]]] = {
    "DataFrame": {
        "agg": 't.agg({"i": "max"})',
        "alias": 't.alias("x").select("x.i")',
        "asTable": "spark.tvf.explode(F.array(F.lit(1)))",
        "coalesce": "t.coalesce(1)",
        "colRegex": 't.select(t.colRegex("`i`"))',
        "crossJoin": "t.crossJoin(u)",
        "cube": 't.cube("i", "b").count()',
        "describe": 't.describe("i")',
        "distinct": 't.select("i").distinct()',
        "drop": 't.drop("i")',
        "dropDuplicates": 't.dropDuplicates(["i"])',
        "dropDuplicatesWithinWatermark": 't.withWatermark("at", "1 hour").dropDuplicatesWithinWatermark(["i"])',
        "drop_duplicates": 't.drop_duplicates(["i"])',
        "dropna": "t.dropna()",
        "exceptAll": 't.select("i", "s").exceptAll(u.select("i", "s"))',
        "exists": "t.where(u.where(F.col('i').outer() == F.col('l')).exists())",
        "fillna": "t.fillna(0)",
        "filter": 't.filter("i > 0")',
        "groupBy": 't.groupBy("i").count()',
        "groupby": 't.groupby("i").count()',
        "groupingSets": 't.groupingSets([["i"], ["b"]], "i", "b").agg(F.count("*"))',
        "hint": 't.hint("broadcast")',
        "intersect": 't.select("i").intersect(u.select("i"))',
        "intersectAll": 't.select("i", "s").intersectAll(u.select("i", "s"))',
        "join": 't.join(u, "i", "left")',
        "lateralJoin": "t.lateralJoin(u.where(F.col('i').outer() == F.col('l')))",
        "limit": "t.limit(3)",
        "mapInArrow": 't.mapInArrow(lambda rows: rows, "i INT")',
        "mapInPandas": 't.mapInPandas(lambda rows: rows, "i INT")',
        "melt": 't.melt("s", ["i", "l"], "name", "value")',
        "metadataColumn": 't.select(t.metadataColumn("_metadata"))',
        "na": "t.na.drop()",
        "nearestByJoin": 't.nearestByJoin(u, F.abs(t.i - u.i), 1, "approx", "distance")',
        "observe": 't.observe("seen", F.count(F.lit(1)))',
        "offset": 't.orderBy("i").offset(1)',
        "orderBy": 't.orderBy("i")',
        "randomSplit": "t.randomSplit([0.5, 0.5], 1)[0]",
        "repartition": 't.repartition(3, "i")',
        "repartitionById": 't.repartitionById(3, "i")',
        "repartitionByRange": 't.repartitionByRange(3, "i")',
        "replace": "t.replace(1, 2)",
        "rollup": 't.rollup("i", "b").count()',
        "sample": "t.sample(0.5, 1)",
        "sampleBy": 't.sampleBy("i", {1: 0.5}, 1)',
        "scalar": 't.select("i", u.agg(F.max("i")).scalar())',
        "select": 't.select("i", t.s)',
        "selectExpr": 't.selectExpr("i + 1 AS x")',
        "sort": "t.sort(t.i.desc())",
        "sortWithinPartitions": 't.sortWithinPartitions("i")',
        "stat": 't.stat.sampleBy("i", {1: 0.5}, 1)',
        "subtract": 't.select("i").subtract(u.select("i"))',
        "summary": 't.select("i").summary("count")',
        "to": 't.select("i").to(T.StructType().add("i", "long"))',
        "toDF": 't.select("i").toDF("x")',
        "transform": 't.transform(lambda each: each.where("i > 0"))',
        "transpose": 't.select("i").transpose()',
        "union": "t.union(u)",
        "unionAll": "t.unionAll(u)",
        "unionByName": "t.unionByName(u)",
        "unpivot": 't.unpivot("s", ["i", "l"], "name", "value")',
        "where": "t.where(t.b)",
        "withColumn": 't.withColumn("x", t.i + 1)',
        "withColumnRenamed": 't.withColumnRenamed("i", "x")',
        "withColumns": 't.withColumns({"x": t.i, "y": t.s})',
        "withColumnsRenamed": 't.withColumnsRenamed({"i": "x"})',
        "withMetadata": 't.withMetadata("i", {"of": "x"})',
        "withWatermark": 't.withWatermark("at", "1 hour")',
        "zip": 't.select("i").zip(t.select("s"))',
        "zipWithIndex": "t.zipWithIndex()",
    },
    "GroupedData": {
        "agg": 't.groupBy("b").agg(F.max("i"), F.count("*"))',
        "applyInArrow": 't.groupBy("b").applyInArrow(lambda rows: rows, "i INT")',
        "applyInPandas": 't.groupBy("b").applyInPandas(lambda rows: rows, "i INT")',
        "avg": 't.groupBy("b").avg("i")',
        "cogroup": 't.groupBy("b").cogroup(u.groupBy("b")).applyInPandas(lambda x, y: x, "i INT")',
        "count": 't.groupBy("b").count()',
        "max": 't.groupBy("b").max("i")',
        "mean": 't.groupBy("b").mean("i")',
        "min": 't.groupBy("b").min("i")',
        "pivot": 't.groupBy("b").pivot("s", ["x", "y"]).sum("i")',
        "sum": 't.groupBy("b").sum("i")',
    },
    "Column": {
        "alias": 't.s.alias("x")',
        "asc": "t.orderBy(t.i.asc())",
        "asc_nulls_first": "t.orderBy(t.i.asc_nulls_first())",
        "asc_nulls_last": "t.orderBy(t.i.asc_nulls_last())",
        "astype": 't.i.astype("string")',
        "between": "t.i.between(1, 2)",
        "bitwiseAND": "t.i.bitwiseAND(t.l)",
        "bitwiseOR": "t.i.bitwiseOR(t.l)",
        "bitwiseXOR": "t.i.bitwiseXOR(t.l)",
        "cast": 't.i.cast("double")',
        "contains": 't.s.contains("a")',
        "desc": "t.orderBy(t.i.desc())",
        "desc_nulls_first": "t.orderBy(t.i.desc_nulls_first())",
        "desc_nulls_last": "t.orderBy(t.i.desc_nulls_last())",
        "dropFields": 't.r.dropFields("x")',
        "endswith": 't.s.endswith("a")',
        "eqNullSafe": "t.i.eqNullSafe(t.l)",
        "getField": 't.r.getField("x")',
        "getItem": "t.a.getItem(0)",
        "ilike": 't.s.ilike("A%")',
        "isNaN": "t.d.isNaN()",
        "isNotNull": "t.i.isNotNull()",
        "isNull": "t.i.isNull()",
        "isin": "t.i.isin(1, 2)",
        "like": 't.s.like("a%")',
        "name": 't.s.name("x")',
        "otherwise": "F.when(t.b, 1).otherwise(0)",
        "outer": 't.where(u.where(F.col("i").outer() == F.col("l")).exists())',
        "over": 'F.sum("i").over(Window.partitionBy("b"))',
        "rlike": 't.s.rlike("a+")',
        "startswith": 't.s.startswith("a")',
        "substr": "t.s.substr(1, 2)",
        "transform": "t.i.transform(lambda x: x + 1)",
        "try_cast": 't.s.try_cast("int")',
        "when": "F.when(t.b, 1).when(t.i > 0, 2)",
        "withField": 't.r.withField("z", t.i)',
    },
}
"""A call of each method that makes a DataFrame or a column, by the class that lists it."""
FUNCTIONS: Final[dict[str, str]] = {
    **{
        name: f't.orderBy(F.{name}("i"))'
        for order in ("asc", "desc")
        for name in (order, f"{order}_nulls_first", f"{order}_nulls_last")
    },
    **{name: f'F.{name}(F.lit("year"), "at")' for name in ("date_part", "datepart", "extract")},
    **{name: f't.cube("i").agg(F.{name}("i"))' for name in ("grouping", "grouping_id")},
    **{name: f'F.{name}("i", "i", "i", "i", "i", "n")' for name in ("make_timestamp", "make_timestamp_ntz")},
    **{name: f'F.{name}(F.lit("java.lang.Math"), F.lit("abs"), "i")' for name in ("java_method", "reflect")},
    "histogram_numeric": 'F.histogram_numeric("i", F.lit(3))',
    "map_zip_with": 'F.map_zip_with("m", "other", lambda k, x, y: x)',
    "named_struct": 'F.named_struct(F.lit("x"), "i")',
    "stack": 'F.stack(F.lit(2), "i", F.lit(1))',
    "arrow_udf": 'F.arrow_udf(lambda x: x, "int")("i")',
    "pandas_udf": 'F.pandas_udf(lambda x: x, "int")("i")',
    "udf": 'F.udf(lambda x: x, "int")("i")',
}
"""Calls of functions of which one of arguments by their kinds is none that a user would write."""
ELSEWHERE: Final[dict[str, str]] = {
    "DataFrame": """approxQuantile cache checkpoint collect columns corr count cov createGlobalTempView
        createOrReplaceGlobalTempView createOrReplaceTempView createTempView crosstab dtypes executionInfo explain
        first foreach foreachPartition freqItems head inputFiles isEmpty isLocal isStreaming localCheckpoint mergeInto
        pandas_api persist plot printSchema rdd registerTempTable sameSemantics schema semanticHash show sparkSession
        storageLevel tail take toArrow toJSON toLocalIterator toPandas unpersist write writeStream writeTo""",
    "GroupedData": "apply applyInPandasWithState transformWithState transformWithStateInPandas",
    "Column": "",
}
"""Methods that make no DataFrame of rows that are there: actions, writers, properties, streams."""


@dataclass(frozen=True, slots=True)
class Called:
    """A function or method, the call of it that was made, and whether it is read."""

    name: str
    text: str
    answer: str
    reason: str = ""


def listed() -> list[str]:
    """All that PySpark lists: functions as `F.abs`, methods as `DataFrame.agg`."""
    from pyspark.sql import functions

    own = sorted(name for name in functions.__all__ if not isinstance(getattr(functions, name), type))
    return [f"{kind}.{name}" for kind, calls in METHODS.items() for name in calls] + [f"F.{name}" for name in own]


def texts_of(name: str, function: Callable[..., Any]) -> Iterator[str]:
    """Calls of a function, the more likely first: its parameters without defaults are given values of their kinds."""
    given = [_values(each) for each in inspect.signature(function).parameters.values() if _is_needed(each)]
    for total in range(sum(len(each) - 1 for each in given) + 1):
        for values in _of_total(given, total):
            yield f"F.{name}({', '.join(values)})"


def _of_total(given: Sequence[list[str]], total: int) -> Iterator[tuple[str, ...]]:
    """A value of each list, whose places in the lists add up to a number."""
    if not given:
        yield from [()] if total == 0 else ()
        return
    first, *rest = given
    for place in range(min(total, len(first) - 1) + 1):
        for values in _of_total(rest, total - place):
            yield (first[place], *values)


def _is_needed(parameter: inspect.Parameter) -> bool:
    """Whether a call has to give a parameter, or may give as many as it wants."""
    return parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD


def _values(parameter: inspect.Parameter) -> list[str]:
    """What may be given for a parameter, by its annotation."""
    said = str(parameter.annotation)
    columns = [f'"{each}"' for each in COLUMNS]
    if "Callable" in said:
        return [*LAMBDAS]
    if "ColumnOrName" in said:
        several = ['"i", "s"', '"s", "s"'] if parameter.kind is parameter.VAR_POSITIONAL else []
        return [*columns, *several, 'F.lit("day")', "F.lit(1)", 'F.struct("i", "s")']
    if "DataFrame" in said:
        return ["t"]
    if "DataType" in said or "StructType" in said:
        return ["T.StringType()", 'T.StructType().add("x", "int")', '"x INT"']
    constants = ["1", "0.5", "256", "True"] if any(each in said for each in ("int", "float", "bool", "Any")) else []
    texts = [f'"{each}"' for each in TEXTS] if "str" in said or "Any" in said else []
    return [*constants, *texts, *(f"F.col({each})" for each in columns if "Column" in said)] or columns


class OneLiners:
    """Makes and reads calls in a session of Spark, which has the table `t` of `SCHEMA`, and its copy `u`."""

    def __init__(self, spark: Any) -> None:
        from pyspark.sql import Window, functions, types

        spark.conf.set("spark.sql.session.timeZone", "UTC")
        self.tables: list[SourceTable] = []
        for schema in (SCHEMA, SCHEMA.replace("TABLE t", "TABLE u")):
            [declared] = declared_tables(schema)
            spark.sql(declared.creation)
            fields = spark.table(declared.table.name).schema.fields
            self.tables.append(declared.source([each.jsonValue() | {"nullable": each.nullable} for each in fields]))
        self.names = {"spark": spark, "F": functions, "T": types, "Window": Window}
        self.names |= {table.name: spark.table(table.name) for table in self.tables}

    def called(self, name: str) -> Called:
        """What comes of a call of what is listed."""
        kind, _, own = name.partition(".")
        if kind != "F":
            texts: Iterator[str] = iter([METHODS[kind][own]])
        elif own in FUNCTIONS:
            texts = iter([FUNCTIONS[own]])
        else:
            texts = islice(texts_of(own, getattr(self.names["F"], own)), MOST_TRIES)
        tried = [*texts]
        accepted = self.accepted(tried) or self.accepted([f"{each}{OVER}" for each in tried[:20]])
        if accepted is None:
            return Called(name, tried[0], NOT_CALLED, self.refusal(tried[0]))
        text, plan = accepted
        try:
            read_plans(plan["analyzed"], plan["analyzed"], plan["settings"], self.tables)
        except SourceError as error:
            return Called(name, text, REFUSED, error.message)
        except Exception:
            return Called(name, text, FAILED, traceback.format_exc().strip().splitlines()[-1])
        return Called(name, text, READ)

    def accepted(self, texts: Sequence[str]) -> tuple[str, dict[str, Any]] | None:
        """The first text that Spark accepts without a cast of its own, else the first that it accepts, and its plan."""
        first, left = None, MOST_BEYOND
        for text in texts:
            try:
                plan = analysed(self.frame(text))
            except Exception:  # whatever Spark or Python raises for arguments that do not fit
                continue
            finally:
                left -= first is not None
            if not any(str(node["class"]).endswith(".Cast") for node in _nodes(plan["analyzed"])):
                return text, plan
            first = first or (text, plan)
            if left <= 0:
                break
        return first

    def frame(self, text: str) -> Any:
        """The DataFrame of a text; of a column, the table's with it alone."""
        made = eval(text, dict(self.names))
        return made if is_dataframe(made) else self.names["t"].select(made)

    def refusal(self, text: str) -> str:
        """What Spark, or Python, says of a text."""
        try:
            self.frame(text)
        except Exception as error:
            return (str(error).strip() or type(error).__name__).splitlines()[0]
        return ""


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "class" in value:
            yield value
        value = [*value.values()]
    for each in value if isinstance(value, list) else ():
        yield from _nodes(each)


def table(found: Sequence[Called]) -> Iterator[str]:
    """How many came out how, and what is not read, with the reason."""
    counts = Counter(each.answer for each in found)
    calls = len(found) - counts[NOT_CALLED]
    for answer in (FAILED, REFUSED, NOT_CALLED):
        for each in found:
            if each.answer == answer:
                yield f"{answer:10} {each.text}: {each.reason}"
    came = ", ".join(f"{counts[each]} {each}" for each in (READ, REFUSED, FAILED))
    yield f"{calls} calls of {len(found)} functions and methods: {came}"


def main(arguments: list[str] | None = None) -> int:
    """Makes the calls and prints the table; the exit status is 1 if one fails other than by a refusal."""
    parser = argparse.ArgumentParser(description="Read one-line calls of all that PySpark lists.")
    parser.add_argument("--only", default="", help="names that contain this")
    parser.add_argument("--results", type=Path, help="a file of JSON lines; what it has is not called again")
    given = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    lines = given.results.read_text("utf-8").splitlines() if given.results and given.results.exists() else []
    kept = {each.name: each for each in (Called(**json.loads(line)) for line in lines)}
    logging.disable(logging.CRITICAL)  # Spark logs each call that it does not accept
    with spark_session("local[1]") as spark:
        made = OneLiners(spark)
        for name in listed():
            if given.only in name and name not in kept:
                kept[name] = made.called(name)
                if given.results is not None:
                    with given.results.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps(asdict(kept[name])) + "\n")
    found = [*kept.values()]
    print(*table(found), sep="\n")
    return int(any(each.answer == FAILED for each in found))


if __name__ == "__main__":
    sys.exit(main())
