"""Functions by name, generators, pivots and aggregates that hang on the order of rows; and jobs that use them."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import Function
from tallystick.core.queries.traversal import nodes
from tallystick.frontends.catalyst.reader import PlanPair, read_plans
from tallystick.frontends.errors import SourceError
from tallystick.plans.deciding import decided
from tallystick.plans.schemas import declared_tables
from tallystick.queries.choices import open_choices

from frontends.catalyst import jobs, named_frames
from frontends.catalyst.capture import frames
from frontends.catalyst.named_frames import CHOOSES, REFUSED

PLANS = cache(frames)
LONG = {
    ("pivoted", "pivoted_by_hand"),
    ("unpivoted", "stacked"),
    ("unpivoted", "united"),
    ("hourly", "hourly_filtered_before"),
    ("days", "days_or_first"),
    ("listed_in_order", "listed_backwards"),
    ("second", "second_moved"),
    ("struct_before_join", "struct_after_join"),
    ("spread", "spread_to_ninety"),
    ("each_tag", "each_tag_outer"),
    ("by_month", "by_day"),
    *(pair for pair in jobs.PAIRS if pair[0] not in ("coupons", "dormant", "filled_prices") or pair[1].endswith("ed")),
}
"""Pairs that take more than a second."""


def read(module: str, left: str, right: str, change: Any = None) -> PlanPair:
    kept = PLANS(module)
    schema = import_module(f"frontends.catalyst.{module}").SCHEMA
    tables = [table.source(kept["tables"][table.table.name]) for table in declared_tables(schema)]
    first, second = kept["plans"][left], kept["plans"][right]
    plan = second["analyzed"] if change is None else json.loads(json.dumps(second["analyzed"]).replace(*change))
    assert change is None or plan != second["analyzed"]
    return read_plans(first["analyzed"], plan, first["settings"], tables)


def marked(module: str, pairs: dict[tuple[str, str], tuple[str, str]]) -> list[Any]:
    marks = {pair: [pytest.mark.slow] if pair in LONG else [] for pair in pairs}
    return [pytest.param(module, pair, marks=marks[pair], id=" ".join(pair)) for pair in sorted(pairs)]


EXPECTED = {"named_frames": named_frames.PAIRS, "jobs": jobs.PAIRS}


@pytest.mark.parametrize(
    ("module", "names"), [*marked("named_frames", named_frames.PAIRS), *marked("jobs", jobs.PAIRS)]
)
def test_pairs_of_functions_are_decided(module: str, names: tuple[str, str]) -> None:
    answer, reason = EXPECTED[module][names]
    pair = read(module, *names)
    if reason.startswith(CHOOSES):  # a search for a proof, or for tables, would end with the time
        assert open_choices(pair, 10.0) == {"choices": reason}
        return
    verdict = decided(pair, names, timeout=0.5 if answer == "unknown" else 60)
    assert str(verdict.verdict) == answer, str(verdict)
    assert any(reason in each for each in verdict.reasons.values()) or not reason, verdict.reasons


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_another_value_in_each_run_is_refused(name: str) -> None:
    with pytest.raises(SourceError, match=re.escape(REFUSED[name])):
        read("named_frames", name, name)


def functions_of(pair: PlanPair) -> list[set[str]]:
    sides = (nodes(side.query) for side in (pair.left, pair.right))
    return [{part.name for part in side if isinstance(part, Function)} for side in sides]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("parsed", ('"timeZoneId": {"value": "UTC"}', '"timeZoneId": {"value": "Asia/Tokyo"}')),
        ("parsed", ('"variantAllowDuplicateKeys": {"value": false}', '"variantAllowDuplicateKeys": {"value": true}')),
        ("by_month", ('{"value": "UTC"}', '{"value": "Asia/Tokyo"}')),
    ],
)  # fmt: skip
def test_functions_of_other_parameters_have_other_names(name: str, change: tuple[str, str]) -> None:
    text = json.dumps(PLANS("named_frames")["plans"][name]["analyzed"])
    if change[0] not in text:
        pytest.fail(f"{change[0]} is not in the plan of {name}")
    try:
        left, right = functions_of(read("named_frames", name, name, change))
    except SourceError:
        return
    assert left != right


def test_what_spark_does_not_call_deterministic_is_refused_wherever_it_stands() -> None:
    change = '"computesAlike": {"value": true}', '"computesAlike": {"value": false}'
    for name in ("initials", "longer", "parsed", "spread"):
        with pytest.raises(SourceError, match="is not deterministic"):
            read("named_frames", name, name, change)


def test_a_function_is_strict_where_spark_says_so_but_not_of_code() -> None:
    said, unsaid = '"nullForNullAlone": {"value": true}', '"nullForNullAlone": {"value": false}'
    for name, change, strict in (("initials", (said, unsaid), [True, False]), ("longer", (unsaid, said), [False] * 2)):
        pair = read("named_frames", name, name, change)
        found = [
            [
                each.strict
                for each in nodes(side.query)
                if isinstance(each, Function) and each.name.startswith("Spark's")
            ]
            for side in (pair.left, pair.right)
        ]
        assert [any(each) for each in found] == strict, found


def test_a_field_of_which_spark_could_not_say_all_is_refused() -> None:
    change = (
        '"options": {"value": {"object": "scala.collection.immutable.Map$EmptyMap$"}}',
        '"options": {"value": {"unknown": "a.Map"}}',
    )
    with pytest.raises(SourceError, match="options of JsonToStructs is not understood"):
        read("named_frames", "parsed", "parsed", change)


def test_what_a_reading_by_name_takes_for_granted_is_listed() -> None:
    assert Assumption.SAME_MOMENT in read("named_frames", "older", "older").assumptions
    assert Assumption.EXACT_FLOATS in read("named_frames", "spread", "spread").assumptions
    assert Assumption.EXACT_FLOATS not in read("named_frames", "longer", "longer").assumptions
    assert Assumption.ONE_CHOICE in read("named_frames", "listed_kinds", "listed_kinds").assumptions
    assert Assumption.ONE_CHOICE not in read("named_frames", "sorted_kinds", "sorted_kinds").assumptions


def test_rows_without_null_may_have_arrays() -> None:
    before = 'IsNotNull", "num-children": 1, "child": 0'
    pair = read("frames", "tagged", "tagged", (before, 'AtLeastNNonNulls", "num-children": 1, "n": 1, "children": [0]'))
    verdict = decided(pair, ("IS NOT NULL", "dropna"), timeout=30)
    assert str(verdict.verdict) == "equivalent", str(verdict)


def test_max_by_and_row_number_choose_apart_among_rows_that_tie() -> None:
    """The second key of both orders, which no two rows share, is made the first one again."""
    kept = PLANS("named_frames")
    tables = [each.source(kept["tables"][each.table.name]) for each in declared_tables(named_frames.SCHEMA)]
    plans = [kept["plans"][name] for name in ("kind_of_newest", "kind_of_newest_numbered")]
    ties = [tied(each["analyzed"]) for each in plans]
    assert all(tie != each["analyzed"] for tie, each in zip(ties, plans, strict=True))
    pair = read_plans(*ties, plans[0]["settings"], tables)
    assert open_choices(pair, 10.0) == {"choices": f"{CHOOSES}MaxBy(kind), row_number() over a window"}
    verdict = decided(pair, ("max_by", "row_number"), timeout=1)
    assert str(verdict.verdict) == "unknown", str(verdict)


def tied(plan: Any) -> Any:
    """A plan in which `at` stands instead of the key `id` where rows are ordered by both."""
    if isinstance(plan, dict):
        return {name: tied(value) for name, value in plan.items()}
    if not isinstance(plan, list):
        return plan
    found, kinds = list(map(tied, plan)), [each.get("class", "") if isinstance(each, dict) else "" for each in plan]
    places = [index for index, kind in enumerate(kinds) if kind.endswith(".SortOrder")]
    if len(places) == 2:
        found[places[1] + 1] = found[places[0] + 1]
    for index in (index for index, kind in enumerate(kinds) if kind.endswith(".CreateNamedStruct")):
        found[index + 4] = found[index + 2]
    return found
