"""DataFrames whose plans were kept: choices, constants, and sources of which nothing is known."""

from __future__ import annotations

from functools import cache

import pytest
from tallystick.frontends.catalyst.reader import PlanPair, read_plans
from tallystick.frontends.catalyst.types import spark_type
from tallystick.plans.deciding import decided
from tallystick.plans.schemas import declared_tables

from frontends.catalyst.capture import frames
from frontends.catalyst.frames import PAIRS, SCHEMA

PLANS = cache(frames)
JSON_TYPES = {"BIGINT": "long", "INT": "integer", "STRING": "string", "DATE": "date"}


def read(left: str, right: str) -> PlanPair:
    tables = [table.source({"type": JSON_TYPES[type_]} for type_ in table.types) for table in declared_tables(SCHEMA)]
    first, second = PLANS()[left], PLANS()[right]
    return read_plans(first["analyzed"], second["analyzed"], first["settings"], tables)


@pytest.mark.parametrize("names", sorted(PAIRS), ids=" ".join)
def test_pairs_of_functions_are_decided_as_spark_permits(names: tuple[str, str]) -> None:
    answer, reason = PAIRS[names]
    pair = read(*names)
    verdict = decided(pair, names, timeout=4 if answer == "unknown" else 20)
    assert str(verdict.verdict) == answer, str(verdict)
    assert any(reason in each for each in verdict.reasons.values()) or not reason, verdict.reasons


def test_choices_from_rows_of_one_order_have_no_tags() -> None:
    """A certificate about them reads as it did."""
    assert read("some", "some_selected").alike is None
    assert read("some", "latest").alike is not None


def test_every_type_of_the_schema_is_known() -> None:
    assert all(spark_type(each) for each in JSON_TYPES.values())
