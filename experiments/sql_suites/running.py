"""Suites of queries decided here or on Spark; what is finished is kept in a file, and not decided again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from tallystick.experiments.progress import shown_progress
from tallystick.experiments.sql_suites.outcomes import Decided, decided, decided_of, key_of
from tallystick.experiments.sql_suites.records import Record
from tallystick.results_file import ResultsFile

PAIRS_OF_A_JOB = 16
"""So many pairs a core are decided by one job of Spark; those of finished jobs are kept."""

Found = Callable[[Decided], None]


def run(
    records: Sequence[Record], seconds: float, kept: Path | None = None, master: str | None = None
) -> list[Decided]:
    """What becomes of each record, in their order.

    Args:
        records: the pairs.
        seconds: for one pair.
        kept: a file of results, one a line: those that it has are taken from it, others are added one by one.
        master: a Spark to decide on; this process, without one.

    Raises SourceError for a file that holds something else, OutputError when it cannot be written, and
    ReplayUnavailable when there is no Spark.
    """
    results = ResultsFile(kept, Decided.to_json, decided_of)
    left = [record for record in records if key_of(record, seconds) not in results.results]
    try:
        with shown_progress("deciding", len(left), lambda: results.added):
            if master is None:
                for record in left:
                    results.add(decided(record, seconds))
            elif left:
                _on_spark(left, seconds, master, results.add)
    except KeyboardInterrupt:
        results.say_interrupted(len(left))
        raise
    return [results.results[key_of(record, seconds)] for record in records]


def _on_spark(records: Sequence[Record], seconds: float, master: str, found: Found) -> None:
    from tallystick.replay.session import spark_session

    with spark_session(master) as spark:
        context = spark.sparkContext
        size = PAIRS_OF_A_JOB * context.defaultParallelism
        for batch in _batches(records, size):
            slices = min(len(batch), size)
            for each in context.parallelize(batch, slices).map(partial(_in_worker, seconds)).collect():
                found(each)


def _in_worker(seconds: float, record: Record) -> Decided:
    return decided(record, seconds)


def _batches(records: Sequence[Record], size: int) -> Iterator[Sequence[Record]]:
    return (records[start : start + size] for start in range(0, len(records), size))
