"""Calls of all that PySpark lists: none is left out, and a sample of them is read, or refused for its reason."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import islice

import pytest
from tallystick.experiments.one_liners import (
    ELSEWHERE,
    FUNCTIONS,
    METHODS,
    NOT_CALLED,
    READ,
    REFUSED,
    Called,
    OneLiners,
    listed,
    table,
    texts_of,
)
from tallystick.replay.session import spark_session

functions = pytest.importorskip("pyspark.sql.functions")

SAMPLE = {
    "F.abs": ('F.abs("i")', READ),
    "F.upper": ('F.upper("s")', READ),
    "F.row_number": ('F.row_number().over(Window.partitionBy("b").orderBy("i"))', READ),
    "F.transform": ('F.transform("a", lambda x: x)', READ),
    "F.rand": ("F.rand()", REFUSED),
    "DataFrame.dropna": ("t.dropna()", READ),
    "DataFrame.sample": ("t.sample(0.5, 1)", REFUSED),
    "GroupedData.pivot": ('t.groupBy("b").pivot("s", ["x", "y"]).sum("i")', READ),
}


@pytest.mark.parametrize("kind", METHODS)
def test_each_method_that_pyspark_lists_is_called_or_said_to_make_no_dataframe(kind: str) -> None:
    from pyspark.sql import Column, DataFrame, GroupedData

    own = {"DataFrame": DataFrame, "GroupedData": GroupedData, "Column": Column}[kind]
    names = {name for name in dir(own) if not name.startswith("_")}
    assert names == {*METHODS[kind], *ELSEWHERE[kind].split()}
    assert not METHODS[kind].keys() & set(ELSEWHERE[kind].split())


def test_all_functions_are_listed() -> None:
    assert len(listed()) > 600
    assert {f"F.{name}" for name in functions.__all__ if inspect.isfunction(getattr(functions, name))} <= {*listed()}


def test_calls_that_are_written_out_are_of_functions_that_are_listed() -> None:
    assert {f"F.{name}" for name in FUNCTIONS} <= set(listed())
    assert all(f"F.{name}(" in call for name, call in FUNCTIONS.items())


def test_the_likely_calls_come_first_and_none_comes_twice() -> None:
    calls = [*texts_of("add_months", functions.add_months)]
    assert calls[:3] == ['F.add_months("i", "i")', 'F.add_months("i", "s")', 'F.add_months("s", "i")']
    assert len({*calls}) == len(calls)
    assert [*islice(texts_of("pi", functions.pi), 3)] == ["F.pi()"]


def test_the_table_counts_calls_and_tells_reasons() -> None:
    found = [Called("F.a", "F.a()", READ), Called("F.b", "F.b()", REFUSED, "why"), Called("F.c", "F.c()", NOT_CALLED)]
    *lines, last = table(found)
    assert lines == ["refused    F.b(): why", "not called F.c(): "]
    assert last == "2 calls of 3 functions and methods: 1 read, 1 refused, 0 failed"


@pytest.fixture(scope="module")
def calls() -> Iterator[OneLiners]:
    with spark_session("local[1]") as spark:
        yield OneLiners(spark)


@pytest.mark.spark
@pytest.mark.slow
def test_a_sample_is_read_or_refused(calls: OneLiners) -> None:
    found = {name: calls.called(name) for name in SAMPLE}
    assert {name: (each.text, each.answer) for name, each in found.items()} == SAMPLE
    assert found["F.rand"].reason == "Rand is not deterministic"
