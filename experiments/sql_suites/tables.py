"""Tables of what became of suites of queries: counts, times, unknowns by missing rule, the slowest, the wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from tallystick.experiments.sql_suites.outcomes import OUTCOMES, Decided

MOST_REASONS, EXAMPLES, SLOWEST = 20, 3, 10
COLUMNS = ("suite", "pairs", *OUTCOMES, "wrong", "ms", "audit ms")
"""Times are medians."""


def counts(results: Sequence[Decided]) -> list[tuple[str, ...]]:
    """A row for each suite, in their order, and one for all if there are several."""
    suites = list(dict.fromkeys(each.suite for each in results))
    rows = [_row(suite, [each for each in results if each.suite == suite]) for suite in suites]
    return [*rows, _row("all", results)] if len(suites) > 1 else rows


def _row(name: str, results: Sequence[Decided]) -> tuple[str, ...]:
    numbers = Counter(each.outcome for each in results)
    read = [each.deciding for each in results if each.outcome != "refused"]
    audits = [each.auditing for each in results if each.outcome == "proved"]
    wrong = sum(each.is_wrong for each in results)
    times = [f"{1000 * median(part):.1f}" if part else "" for part in (read, audits)]
    return (name, str(len(results)), *(str(numbers[each]) for each in OUTCOMES), str(wrong), *times)


def by_reason(results: Sequence[Decided], outcome: str) -> list[tuple[int, str, tuple[str, ...]]]:
    """How many pairs have an outcome for each reason, and some of them; the most frequent reason first.

    For unknown pairs the reason is what is missing; in that of others, numbers do not count.
    """
    found: dict[str, list[str]] = {}
    for each in results:
        if each.outcome == outcome:
            found.setdefault(each.missing or re.sub(r"\d+", "n", each.reason), []).append(f"{each.suite} {each.pair}")
    rows = [(len(pairs), reason, tuple(pairs[:EXAMPLES])) for reason, pairs in found.items()]
    return sorted(rows, key=lambda row: -row[0])


def report(results: Sequence[Decided]) -> Iterator[str]:
    """All tables, line by line."""
    yield from aligned([COLUMNS, *counts(results)])
    for outcome, title in (
        ("unknown", "unknown, by the rule or construct that is missing"),
        ("refused", "refused, by reason"),
    ):
        reasons = by_reason(results, outcome)
        if reasons:
            yield from ("", f"{title}:")
            for count, reason, examples in reasons[:MOST_REASONS]:
                yield f"  {count:5}  {reason}"
                yield f"         such as {', '.join(examples)}"
            if len(reasons) > MOST_REASONS:
                yield f"         and {len(reasons) - MOST_REASONS} more reasons"
    slowest = sorted(results, key=lambda each: each.deciding, reverse=True)[:SLOWEST]
    yield from ("", "slowest:")
    yield from (f"  {each.deciding:8.2f} s  {each.suite} {each.pair}: {each.outcome}" for each in slowest)
    for title, chosen in (
        ("WRONG", [each for each in results if each.is_wrong]),
        ("refuted, though the source calls them equivalent", [each for each in results if each.contradicts_source]),
    ):
        if chosen:
            yield from ("", f"{title}:")
            yield from (f"  {each.suite} {each.pair}: {each.outcome}" for each in chosen)


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows as lines: the first column to the left, numbers to the right."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join([row[0].ljust(widths[0]), *cells]).rstrip()
