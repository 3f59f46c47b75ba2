"""What becomes of the suite of SQL queries, as plain records for the paper."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from tallystick.experiments.sql_suites.outcomes import OUTCOMES, Decided
from tallystick.experiments.sql_suites.running import run
from tallystick.experiments.sql_suites.sources import own_records
from tallystick.experiments.sql_suites.tables import by_reason

SECONDS = 2.0
TRAPS = (
    ("a sum of counts over no rows is NULL, not 0", "empty_groups", "count-as-sum-of-counts"),
    ("a count decorrelated to a join loses the groups without rows", "empty_groups", "count-bug"),
    ("NOT IN a list with a NULL is never true", "null_logic", "not-in-a-nullable-list"),
    ("`x = x` is not true of NULL", "null_logic", "equal-to-itself"),
    ("a condition in ON keeps rows that one in WHERE drops", "joins", "condition-in-on"),
    ("a unique key may be NULL in several rows", "joins", "self-join-on-a-unique-column"),
    ("a foreign key that is NULL refers to nothing", "joins", "nullable-foreign-key-join"),
    ("without a key, a self-join multiplies duplicates", "joins", "self-join-on-no-key"),
    ("columns are compared by position, not by name", "joins", "star-of-a-join-exchanged"),
    ("joining back on a group key loses the group of NULL", "groups", "join-back-on-a-group-key"),
    ("an average of averages is no average", "counting", "average-of-averages"),
    ("EXCEPT ALL is not EXCEPT", "sets", "except-and-except-all"),
    ("a decimal between two integers", "arithmetic", "comparison-of-decimals-is-dense"),
    ("a filter does not move below LIMIT", "lists", "limit-and-filter"),
    ("ROW_NUMBER and RANK differ in ties", "lists", "rank-with-ties"),
)
"""Traps, each with the theme and the name of a pair that falls into it."""


def total(results: Sequence[Decided]) -> dict[str, Any]:
    """Counts by label and outcome, and median times in milliseconds."""
    proved = [each for each in results if each.outcome == "proved"]
    return {
        "pairs": len(results),
        "equivalent": sum(each.expected == "equivalent" for each in results),
        **{outcome: sum(each.outcome == outcome for each in results) for outcome in OUTCOMES},
        "wrong": sum(each.is_wrong for each in results),
        "deciding": 1000 * median(each.deciding for each in results),
        "auditing": 1000 * median([each.auditing for each in proved] or [0.0]),
    }


def query_records() -> dict[str, Any]:
    """Totals of each theme and of all, what becomes of the traps, and why pairs stay unknown."""
    results = run(own_records(), SECONDS)
    themes = list(dict.fromkeys(each.suite for each in results))
    found = {(each.suite, each.pair): each.outcome for each in results}
    return {
        "seconds": SECONDS,
        "themes": {theme: total([each for each in results if each.suite == theme]) for theme in themes},
        "all": total(results),
        "traps": [{"trap": words, "outcome": found[f"sql/{theme}", name]} for words, theme, name in TRAPS],
        "unknown": [{"pairs": pairs, "reason": reason} for pairs, reason, _ in by_reason(results, "unknown")],
    }
