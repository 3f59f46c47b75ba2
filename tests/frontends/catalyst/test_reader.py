"""Plans that Spark has made of the shop's queries are read; what is not understood is refused by name."""

from __future__ import annotations

import copy
import json
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import pytest
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.calls import WindowFunction
from tallystick.core.queries.expressions import Function, Literal, Remainder
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.syntax import Aggregate, Filter, Limit, SetOperation, Window
from tallystick.core.queries.traversal import nodes, parts
from tallystick.core.queries.types import TIMESTAMP
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.frontends.catalyst.aggregates import order_free
from tallystick.frontends.catalyst.expressions import Expressions
from tallystick.frontends.catalyst.grouping import parts as parts_of
from tallystick.frontends.catalyst.nodes import Node, tree
from tallystick.frontends.catalyst.reader import PlanPair, compared_as, read_plans
from tallystick.frontends.catalyst.reading import PlanReading, Settings
from tallystick.frontends.catalyst.types import DOUBLE, INT, LONG, STRING, decimal
from tallystick.frontends.errors import SourceError

from frontends.catalyst.capture import captured
from frontends.catalyst.shop import QUERIES, TABLES

UNPROVED = {"limit inside", "top ranks", "running"}
"""Queries whose optimised plans are not proved yet."""
PLANS = cache(captured)


def read(name: str, left: str = "analyzed", right: str = "optimized") -> PlanPair:
    plans = PLANS()[name]
    return read_plans(plans[left], plans[right], plans["settings"], TABLES)


def test_plans_of_all_queries_are_kept():
    assert set(PLANS()) == set(QUERIES)


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_both_plans_are_read_with_columns_of_one_type(name):
    pair = read(name)
    assert [column.type for column in pair.left.columns] == [column.type for column in pair.right.columns]
    assert [type_.core for type_ in pair.types] == [column.type for column in pair.left.columns]


@pytest.mark.parametrize("name", sorted(set(QUERIES) - UNPROVED))
def test_the_optimised_plan_is_proved_equal_to_the_analysed_one(name):
    pair = read(name)
    assert isinstance(decide(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=30)), Proved)


def test_parts_of_days_and_texts_of_moments_are_read_as_ranges():
    pair = read("moments")
    (condition,) = [each.condition for each in nodes(pair.left.query) if isinstance(each, Filter)]
    functions = {each.name for each in parts(condition) if isinstance(each, Function)}
    assert not functions & {"YEAR", "MONTH", "cast text as timestamp", "cast timestamp as date"}
    moments = {each.value for each in parts(condition) if isinstance(each, Literal) and each.type == TIMESTAMP}
    epoch = datetime(1970, 1, 1)
    assert {datetime(2000, 3, 1, 10, 30), datetime(2000, 1, 2)} <= {epoch + timedelta(microseconds=x) for x in moments}
    assert Assumption.FIXED_CLOCKS in pair.assumptions


def nodes_of(name: str) -> set[type]:
    return {type(query) for query in nodes(read(name).left.query)}


def test_rollup_is_a_union_of_groupings():
    assert {SetOperation, Aggregate} <= nodes_of("rollup")
    branches = [each for each in nodes(read("rollup").left.query) if isinstance(each, Aggregate)]
    assert len(branches) == 3


def test_a_limit_knows_the_order_below_it():
    [limit] = [each for each in nodes(read("limit").left.query) if isinstance(each, Limit)]
    assert (limit.count, limit.offset, len(limit.order)) == (2, 0, 1)
    [limit] = [each for each in nodes(read("offset").right.query) if isinstance(each, Limit)]
    assert (limit.count, limit.offset, limit.order[0].descending) == (2, 1, True)


def test_a_group_limit_keeps_the_rows_of_the_first_ranks():
    windows = [each for each in nodes(read("top ranks").right.query) if isinstance(each, Window)]
    assert len(windows) == 2
    assert all(window.calls[0].call == WindowFunction("rank") for window in windows)
    assert Filter in nodes_of("top ranks")


def test_a_decimal_is_read_as_its_units():
    pair = read("never")
    assert evaluate(pair.left, {"orders": ((1, None, None, 1, None),)}).rows == ()
    pair = read("decimals")
    rows = evaluate(pair.left, {"item": ((1, "a", 3, 250, None),), "customer": ((3, None, None, 100),)}).rows
    assert rows[0][:3] == (750, 350, 200)
    assert [str(type_) for type_ in pair.types[:4]] == [
        "decimal(18,2)",
        "decimal(8,2)",
        "decimal(8,2)",
        "decimal(15,4)",
    ]


def test_what_a_reading_takes_for_granted_is_listed():
    assert read("doubles").assumptions == (
        Assumption.EXACT_NUMBERS,
        Assumption.EXACT_QUOTIENTS,
        Assumption.EXACT_FLOATS,
        Assumption.NO_ERROR,
        Assumption.NOT_ENFORCED,
        Assumption.CODE_POINTS,
    )
    assert Assumption.EXACT_FLOATS not in read("filter").assumptions


def test_the_empty_relation_of_a_condition_that_is_never_true_has_no_rows():
    pair = read("never")
    assert evaluate(pair.right, {"orders": ((1, None, None, 1, None),)}).rows == ()


def changed(name: str, kind: str, **fields: Any) -> list[Any]:
    """The analysed plan, where nodes of a class have other fields."""
    plan = copy.deepcopy(PLANS()[name]["analyzed"])
    hits = 0

    def visit(part: Any) -> None:
        nonlocal hits
        if isinstance(part, dict):
            if str(part.get("class", "")).endswith("." + kind):
                part.update(fields)
                hits += 1
            for value in list(part.values()):
                visit(value)
        elif isinstance(part, list):
            for value in part:
                visit(value)

    visit(plan)
    assert hits
    return plan


@pytest.mark.parametrize(
    ("name", "kind", "fields", "message"),
    [
        ("filter", "GreaterThan", {"class": "org.example.Mystery"}, "the expression Mystery is not understood"),
        ("filter", "Filter", {"class": "org.example.Sieve"}, "the operator Sieve is not understood"),
        ("filter", "Literal", {"dataType": "variant"}, "the type variant of Literal is not understood"),
        ("filter", "Literal", {"value": "much"}, "'much' is not understood"),
        ("filter", "Project", {"projectList": None}, "Project has no sequence projectList"),
        ("filter", "Filter", {"condition": None}, "Filter has no condition"),
        ("filter", "Filter", {"num-children": 3}, "children that exist"),
        ("left join", "Join", {"joinType": {"object": "a.LeftSingle$"}}, "a LeftSingle join is not understood"),
        ("order", "SortOrder", {"direction": {"object": "a.Sideways$"}}, "SortOrder is not understood"),
        ("in set", "LogicalRelation", {"catalogTable": None}, "what this LogicalRelation reads is not known"),
        ("common", "CTERelationRef", {"recursive": True}, "that is recursive"),
        ("groups", "Average", {"class": "a.aggregate.Mode"}, "the expression Mode is not understood"),
        ("limit", "LocalLimit", {"limitExpr": [{"class": "L.Literal", "num-children": 0, "value": "1",
                                                "dataType": "integer"}]}, "a limit of each partition"),
        ("rank", "Rank", {"class": "a.CounterDiff"}, "the window function CounterDiff is not understood"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_refused_with_its_name(name, kind, fields, message):
    plan = changed(name, kind, **fields)
    with pytest.raises(SourceError, match=message):
        read_plans(plan, PLANS()[name]["optimized"], PLANS()[name]["settings"], TABLES)


def test_an_attribute_of_another_type_than_its_definition_is_an_error():
    settings = PLANS()["groups"]["settings"]
    wrong = changed("groups", "AttributeReference")
    wrong[0] = {**wrong[0], "condition": changed("groups", "Filter")[0]["condition"]}
    for part in wrong[0]["condition"]:
        if part["class"].endswith("AttributeReference"):
            part["dataType"] = "integer"
    with pytest.raises(SourceError, match="is of type integer in the plan, long as it is read"):
        read_plans(wrong, wrong, settings, TABLES)


def test_a_table_with_other_columns_than_the_schema_says_is_refused():
    short = [table if table.name != "customer" else type(table)("customer", table.columns[:2]) for table in TABLES]
    plans = PLANS()["filter"]
    with pytest.raises(SourceError, match="customer has other columns in the plan than in the schema"):
        read_plans(plans["analyzed"], plans["optimized"], plans["settings"], short)


def test_where_a_division_does_not_fail_one_by_zero_is_null():
    plans = PLANS()["division"]
    for mode, expected in (("ANSI", "error"), ("LEGACY", "null"), ("TRY", "null")):
        text = json.dumps(plans["analyzed"])
        assert "NumericEvalContext(ANSI" in text
        plan = json.loads(text.replace("NumericEvalContext(ANSI", f"NumericEvalContext({mode}"))
        pair = read_plans(plan, plan, plans["settings"], TABLES)
        zeros = {part.on_zero for part in _divisions(pair)}
        assert zeros == {expected}


def _divisions(pair: PlanPair) -> list[Any]:
    return [each for each in nodes(pair.left.query) if isinstance(each, Remainder)]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (INT, INT, INT),
        (INT, LONG, LONG),
        (decimal(7, 2), decimal(10, 0), decimal(12, 2)),
        (decimal(7, 2), INT, decimal(12, 2)),
        (DOUBLE, decimal(7, 2), DOUBLE),
    ],
)
def test_columns_of_numbers_are_compared_by_value(left, right, expected):
    assert compared_as(left, right, 1) == expected
    assert compared_as(right, left, 1) == expected


def test_columns_of_a_number_and_a_text_are_not_compared():
    with pytest.raises(SourceError, match="column 2 is of type string on the left, integer on the right"):
        compared_as(STRING, INT, 2)


def test_results_of_different_widths_are_not_compared():
    first, second = PLANS()["filter"], PLANS()["between"]
    with pytest.raises(SourceError, match="the results have 2 and 1 columns"):
        read_plans(first["analyzed"], second["analyzed"], first["settings"], TABLES)


@pytest.mark.parametrize("nodes", [None, [], [1], [{"class": "a"}], [{"class": "a", "num-children": 0}] * 2])
def test_what_is_no_tree_is_an_error(nodes):
    with pytest.raises(SourceError):
        tree(nodes)


def test_a_deep_plan_is_read_or_refused_without_a_crash():
    deep = [{"class": "a.Not", "num-children": 1, "child": 0}] * 100_000 + [{"class": "a.Literal", "num-children": 0}]
    assert isinstance(tree(deep), Node)
    plan = changed("filter", "Filter", condition=deep)
    with pytest.raises(SourceError, match="nested too deeply"):
        read_plans(plan, plan, PLANS()["filter"]["settings"], TABLES)


def test_constants_are_computed_as_spark_computes_them():
    pair = read("one row")
    assert evaluate(pair.left, {}).rows == ((2, "a"),)
    literals = [each for query in nodes(pair.left.query) for each in getattr(query, "expressions", ())]
    assert all(isinstance(each, Literal) for each in literals)


def test_a_table_of_another_database_is_another_table():
    plans = PLANS()["filter"]
    text = json.dumps(plans["analyzed"])
    assert '"database": "default"' in text
    moved = json.loads(text.replace('"database": "default"', '"database": "archive"'))
    pair = read_plans(plans["analyzed"], moved, plans["settings"], TABLES)
    assert {table.name for table in pair.catalogue.tables} - {table.name for table in TABLES} == {"archive.customer"}
    there = {**plans["settings"], "others": {"database": "archive"}}
    assert {table.name for table in read_plans(moved, moved, there, TABLES).catalogue.tables} == {
        table.name for table in TABLES
    }


def expression(kind: str, /, *children: list[dict[str, Any]], **fields: Any) -> list[dict[str, Any]]:
    """An expression in preorder."""
    node = {"class": f"org.apache.spark.sql.catalyst.expressions.{kind}", "num-children": len(children), **fields}
    return [node, *(part for each in children for part in each)]


def of_python(child: list[dict[str, Any]], **fields: Any) -> Any:
    """A call of one Python function."""
    called = {"name": "f", "identity": "0", "udfDeterministic": True, "deterministic": True, "evalType": 100}
    node = expression("PythonUDF", child, children=[0], **{"dataType": "string", **called, **fields})
    reading = PlanReading(Settings(), {})
    return Expressions(reading, (), lambda *_: pytest.fail("there is no subquery")).read(tree(node)).expression


def literal(value: str, type_: str) -> list[dict[str, Any]]:
    return expression("Literal", value=value, dataType=type_)


def test_equal_units_of_decimals_are_other_numbers_to_a_python_function():
    one = of_python(literal("1.00", "decimal(10,2)"))
    assert one == of_python(literal("1.00", "decimal(12,2)"))
    assert one != of_python(literal("10.0", "decimal(10,1)"))
    assert of_python(literal("1", "integer")) == of_python(literal("1", "long"))
    assert of_python(literal("1", "integer")) != of_python(literal("1", "integer"), dataType="binary")
    assert of_python(literal("1", "integer")) != of_python(literal("1", "integer"), evalType=101)


@pytest.mark.parametrize(
    ("function", "free"), [("CollectList", True), ("CollectSet", True), ("HistogramNumeric", False)]
)
def test_sorting_hides_the_order_of_rows_only_from_what_collects_them(function, free):
    collected = expression(f"aggregate.{function}", literal("1", "integer"), child=0)
    call = expression("aggregate.AggregateExpression", collected, aggregateFunction=0)
    found = parts_of(tree(expression("SortArray", call, literal("true", "boolean"), base=0, ascendingOrder=1)))
    assert [each.name for each in order_free(found)] == ["AggregateExpression"] * free
