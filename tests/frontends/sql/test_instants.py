"""A TIMESTAMP of MySQL has room for the years from 1970 to 2038: no difference is shown on other moments."""

from __future__ import annotations

from datetime import date

import pytest
from tallystick import check_sql
from tallystick.core.queries.types import MICROSECONDS_A_DAY
from tallystick.frontends.sql.instants import has_room

SCHEMA = "CREATE TABLE t (id INT, ts TIMESTAMP NULL, dt DATETIME)"
REASON = "they differ on moments that a TIMESTAMP has no room for in each time zone"
NOWHERE = "SELECT id FROM t WHERE FALSE"


@pytest.mark.parametrize("condition", ["ts < '1970-01-01'", "ts > '2039-01-01'"])
def test_moments_without_room_show_nothing(condition: str) -> None:
    verdict = check_sql(f"SELECT id FROM t WHERE {condition}", NOWHERE, schema=SCHEMA, dialect="mysql", timeout=2)
    assert verdict.verdict == "unknown"
    assert verdict.reasons["instants"] == REASON


@pytest.mark.parametrize("condition", ["ts < '2000-01-01'", "ts IS NULL", "dt < '1970-01-01'"])
def test_other_moments_do(condition: str) -> None:
    verdict = check_sql(f"SELECT id FROM t WHERE {condition}", NOWHERE, schema=SCHEMA, dialect="mysql", timeout=5)
    assert verdict.verdict == "inequivalent"
    assert all(row[1] is None or has_room(row[1]) for row in verdict.counterexample.database["t"])


def test_each_time_zone_has_room_for_these() -> None:
    days = [(date.fromisoformat(text) - date(1970, 1, 1)).days for text in ("1970-01-02", "2038-01-18")]
    first, end = (each * MICROSECONDS_A_DAY for each in days)
    assert [has_room(each) for each in (first - 1, first, end - 1, end, None)] == [False, True, True, False, True]
