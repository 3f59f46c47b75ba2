"""A function that nothing computes, in a column that nobody reads or beside what differs, hides no difference."""

from __future__ import annotations

import json

import pytest
from tallystick import Answer, check_sql
from tallystick.certificates.audit import audit
from tallystick.core.clock import clock
from tallystick.explaining.queries import walkthrough
from tallystick.explaining.text_format import to_text
from tallystick.queries.reading import question

SCHEMA = "CREATE TABLE orders (id INT, customer INT, flag INT, note TEXT)"
KEYED = "WITH keyed AS (SELECT {} AS order_key, customer, flag, note FROM orders) "
COUNTED = ("sum(flag)", "count(CASE WHEN flag = 1 THEN 1 ELSE 0 END)")
HASH, PADDED = "md5(CAST(id AS VARCHAR))", "lpad(note, 3, 'x')"


@pytest.mark.parametrize("key", [HASH, PADDED])
def test_a_sum_that_became_a_count_is_seen_beside_a_key_that_nobody_reads(key: str) -> None:
    sides = [f"{KEYED.format(key)} SELECT customer, {each} AS n FROM keyed GROUP BY customer" for each in COUNTED]
    before = clock()
    verdict = check_sql(*sides, schema=SCHEMA, dialect="duckdb")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert clock() - before < 0.5


def test_a_value_that_is_not_known_is_shown_as_its_call() -> None:
    sides = [f"SELECT {PADDED} AS k, {each} AS n FROM orders WHERE note = 'a'" for each in ("flag", "flag + 1")]
    verdict = check_sql(*sides, schema=SCHEMA, dialect="duckdb", replay="duckdb")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.replayed_on == ("reference", "duckdb")
    assert verdict.certificate is not None
    assert audit(verdict.certificate, question(verdict.pair))
    assert "LPAD(a, 3, x)" in str(verdict)
    assert "LPAD(a, 3, x)" in to_text(walkthrough(verdict))
    found = json.loads(json.dumps(verdict.to_json()))["witness"]["outputs"]
    assert [row[0] for row in found[0]["rows"]] == [{"call": "LPAD(a, 3, x)"}]


def test_no_difference_hangs_on_such_a_value() -> None:
    """Both return the same where texts are short."""
    sides = [f"SELECT lpad(note, {each}, 'x') AS k, flag FROM orders" for each in (3, 4)]
    verdict = check_sql(*sides, schema=SCHEMA, dialect="duckdb", timeout=5.0)
    assert verdict.verdict is Answer.UNKNOWN
    assert "results hang on what has no implementation: LPAD" in verdict.reasons["counterexamples"]
