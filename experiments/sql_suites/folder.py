"""Suites of pairs of queries in a folder that a user names: every pair decided, and a table of what came out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tallystick.decision.outcome import Unknown
from tallystick.decision.queries.counterexamples.search import find
from tallystick.decision.queries.deciding import Limits, Proved, decide
from tallystick.experiments.sql_suites.records import SuitePair, is_suite, read_record, records
from tallystick.frontends.errors import SourceError

COLUMNS = ("suite", "pairs", "refused", "proved", "refuted", "unknown", "wrong")


@dataclass
class Tally:
    """What came out for the pairs of one file; `wrong` names pairs whose verdict contradicts their label."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def row(self) -> tuple[str, ...]:
        """The row of the table."""
        numbers = [self.counts.total(), *(self.counts[each] for each in COLUMNS[2:-1]), len(self.wrong)]
        return (self.name, *map(str, numbers))


def answered(pair: SuitePair, seconds: float) -> tuple[str, str]:
    """Whether a pair is proved, refuted or unknown, and why not; plans that have lost constraints are not refuted."""
    if not pair.lost_constraints and not isinstance(find(pair.left, pair.right, pair.catalogue, seconds / 10), Unknown):
        return "refuted", ""
    answer = decide(pair.left, pair.right, pair.catalogue, Limits(seconds=seconds))
    return ("proved", "") if isinstance(answer, Proved) else ("unknown", answer.reason)


def tallies(folder: Path, seconds: float) -> Iterator[Tally]:
    """What comes out for each file of records in a folder, in the order of their names."""
    for path in sorted(folder.iterdir()):
        if path.is_file() and is_suite(path):
            yield tally(path, seconds)


def tally(path: Path, seconds: float) -> Tally:
    """What comes out for the pairs of a file."""
    result = Tally(path.name.split(".")[0])
    for record in records(path):
        try:
            outcome, reason = answered(read_record(record), seconds)
        except SourceError as refusal:
            outcome, reason = "refused", refusal.message
        result.counts[outcome] += 1
        if reason:
            result.reasons[f"{outcome}: {reason}"] += 1
        if (outcome, record.expected) in (("proved", "inequivalent"), ("refuted", "equivalent")):
            result.wrong.append(record.name)
    return result
