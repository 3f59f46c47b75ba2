"""DataFrames whose plans were kept: choices, constants, and sources of which nothing is known."""

from __future__ import annotations

import re
from functools import cache

import pytest
from tallystick.frontends.catalyst.reader import PlanPair, read_plans
from tallystick.frontends.errors import SourceError
from tallystick.plans.deciding import decided
from tallystick.plans.schemas import declared_tables
from tallystick.queries.choices import open_choices

from frontends.catalyst.capture import frames
from frontends.catalyst.frames import CHOOSES, PAIRS, REFUSED, SCHEMA

PLANS = cache(frames)


def read(left: str, right: str) -> PlanPair:
    tables = [table.source(PLANS()["tables"][table.table.name]) for table in declared_tables(SCHEMA)]
    first, second = PLANS()["plans"][left], PLANS()["plans"][right]
    return read_plans(first["analyzed"], second["analyzed"], first["settings"], tables)


@pytest.mark.parametrize("names", sorted(PAIRS), ids=" ".join)
def test_pairs_of_functions_are_decided_as_spark_permits(names: tuple[str, str]) -> None:
    answer, reason = PAIRS[names]
    pair = read(*names)
    if reason.startswith(CHOOSES):  # a search for a proof, or for tables, would end with the time
        assert open_choices(pair, 10.0) == {"choices": reason}
        return
    verdict = decided(pair, names, timeout=0.5 if answer == "unknown" else 20)
    assert str(verdict.verdict) == answer, str(verdict)
    assert any(reason in each for each in verdict.reasons.values()) or not reason, verdict.reasons


def test_choices_from_rows_of_one_order_have_no_tags() -> None:
    """A certificate about them reads as it did."""
    assert read("some", "some_selected").alike is None
    assert read("some", "latest").alike is not None


@pytest.mark.parametrize("name", REFUSED)
def test_what_needs_more_of_a_value_than_is_known_is_refused(name: str) -> None:
    with pytest.raises(SourceError, match=re.escape(REFUSED[name])):
        read(name, name)


def test_a_counterexample_needs_no_two_values_of_a_type_that_is_known_by_equality_alone() -> None:
    verdict = decided(read("all_of_visits", "all_of_visits_filtered"), ("a", "b"), timeout=0.5)
    assert "need several values of type array<string>" in verdict.reasons["counterexamples"]


def test_what_observe_measures_says_nothing_of_the_rows() -> None:
    tables = [table.source(PLANS()["tables"][table.table.name]) for table in declared_tables(SCHEMA)]
    name = next(iter(sorted(PAIRS)))[0]
    plan, settings = PLANS()["plans"][name]["analyzed"], PLANS()["plans"][name]["settings"]
    kind = "org.apache.spark.sql.catalyst.plans.logical.CollectMetrics"
    observed = {"class": kind, "num-children": 1, "name": "m", "metrics": [plan], "child": 0, "dataframeId": 3}
    pair = read_plans(plan, [observed, *plan], settings, tables)
    assert pair.left == pair.right
