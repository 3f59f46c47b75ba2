"""LOCATE, INSTR and POSITION of MySQL ignore the case of letters, as its collation does."""

from __future__ import annotations

import pytest
from tallystick import check_sql

SCHEMA = "CREATE TABLE t (id INT, s VARCHAR(5))"
PAIRS = [
    ("SELECT LOCATE('a', s) AS q FROM t", "SELECT LOCATE('A', s) AS q FROM t"),
    ("SELECT id FROM t WHERE LOCATE('a', s) = 1 AND s = 'A'", "SELECT id FROM t WHERE s = 'a'"),
    ("SELECT INSTR('BA', 'a') AS q FROM t", "SELECT 0 AS q FROM t"),
    ("SELECT POSITION('a' IN 'BA') AS q FROM t", "SELECT 2 AS q FROM t"),
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_positions_in_any_case_are_known_by_name(left: str, right: str) -> None:
    verdict = check_sql(left, right, schema=SCHEMA, dialect="mysql", timeout=1)
    assert verdict.verdict == "unknown"


def test_positions_of_characters_have_a_value() -> None:
    left, right = PAIRS[0]
    verdict = check_sql(left, right, schema=SCHEMA, dialect="mysql", collation="binary", timeout=2)
    assert verdict.verdict == "inequivalent"


def test_the_same_position_is_the_same() -> None:
    text = PAIRS[0][0]
    spelled = "SELECT INSTR(s, 'a') AS q FROM t"
    assert check_sql(text, spelled, schema=SCHEMA, dialect="mysql", timeout=2).verdict == "equivalent"
