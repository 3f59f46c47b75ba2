"""What the text of a plan says of its groups that its JSON does not."""

from __future__ import annotations

from typing import Any

import pytest
from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.expressions import Literal
from tallystick.core.queries.syntax import Aggregate
from tallystick.core.queries.types import BOOLEAN
from tallystick.experiments.sql_suites.records import Record, read_record
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.qed.groupings import Grouping, groupings

TEXT = """LogicalAggregate(group=[{0}], n=[COUNT() FILTER $1], i=[LITERAL_AGG(true)])
  LogicalAggregate(group=[{0, 1}], groups=[[{0, 1}, {}]], i=[LITERAL_AGG(1)])
    LogicalTableScan(table=[[T]])
"""
COLUMNS = [{"name": name, "type": kind, "nullable": False} for name, kind in (("a", "INTEGER"), ("p", "BOOLEAN"))]


def group(keys: int) -> dict[str, Any]:
    call = {"distinct": False, "type": "BOOLEAN", "operand": [], "operator": "LITERAL_AGG", "ignoreNulls": False}
    shown = [{"column": number, "type": "INTEGER"} for number in range(keys)]
    return {"group": {"keys": shown, "function": [call], "source": {"scan": 0}}}


def read(keys: int, texts: list[str]) -> Any:
    data = {"id": "pair", "suite": "s", "format": "qed-plan", "expected": "equivalent", "help": texts}
    schema = {"tables": [{"name": "t", "columns": COLUMNS, "keys": [], "guaranteed": []}]}
    return read_record(Record("s", "pair", data | {"schema": schema, "q1": group(keys), "q2": group(keys)}))


def test_filters_and_constants_of_calls() -> None:
    assert groupings(TEXT) == [
        Grouping((0,), None, (1, None), (None, "true")),
        Grouping((0, 1), ((0, 1), ()), (None,), (None,)),  # of the set {}, there is a constant of no rows, too
    ]


def test_the_constant_of_a_group_is_the_least_of_it() -> None:
    text = "LogicalAggregate(group=[{0}], i=[LITERAL_AGG(true)])\n  LogicalTableScan(table=[[T]])\n"
    query = read(1, [text, text]).left.query
    assert isinstance(query, Aggregate)
    assert query.calls == (AggregateCall("min", (Literal(True, BOOLEAN),)),)


@pytest.mark.parametrize(
    ("keys", "texts", "problem"),
    [
        (1, [], "the plan has lost its constants of LITERAL_AGG, and its text is not there"),
        (1, ["LogicalTableScan(table=[[T]])"] * 2, "the text of the plan does not match it"),
        (0, ["LogicalAggregate(group=[{}], i=[LITERAL_AGG(true)])"] * 2, "LITERAL_AGG is not understood"),
        (1, ["LogicalAggregate(group=[{0}], i=[LITERAL_AGG(true) FILTER $1])"] * 2, "LITERAL_AGG is not understood"),
        (1, ["LogicalAggregate(group=[{0}], groups=[[{0}, {}]], i=[LITERAL_AGG(true)])"] * 2, "is not understood"),
    ],
)
def test_a_constant_that_is_not_told_is_refused(keys: int, texts: list[str], problem: str) -> None:
    with pytest.raises(SourceError, match=problem):
        read(keys, texts)
