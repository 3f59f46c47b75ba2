"""Suites of queries decided here or on Spark; what is finished is kept in a file, and not decided again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from rich.console import Console
from tallystick.experiments.progress import shown_progress
from tallystick.experiments.sql_suites.outcomes import Decided, decided, decided_of, key_of
from tallystick.experiments.sql_suites.records import Record
from tallystick.frontends.errors import SourceError
from tallystick.output import writing

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
    results = stored(kept)
    left = [record for record in records if key_of(record, seconds) not in results]

    def found(each: Decided) -> None:
        results[each.key] = each
        if kept is not None:
            with writing(kept):
                kept.parent.mkdir(parents=True, exist_ok=True)
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(each.to_json()) + "\n")

    done = len(results)
    try:
        with shown_progress("deciding", len(left), lambda: len(results) - done):
            if master is None:
                for record in left:
                    found(decided(record, seconds))
            elif left:
                _on_spark(left, seconds, master, found)
    except KeyboardInterrupt:
        Console(stderr=True, soft_wrap=True).print(_interrupted(len(results) - done, len(left), kept), highlight=False)
        raise
    return [results[key_of(record, seconds)] for record in records]


def _interrupted(finished: int, wanted: int, kept: Path | None) -> str:
    """What becomes of the pairs that an interrupted run has decided."""
    where = f"they are in {kept}; the same command goes on from there" if kept else "--results FOLDER would keep them"
    return f"Interrupted. {finished} of {wanted} pairs were decided: {where}."


def stored(kept: Path | None) -> dict[str, Decided]:
    """The results that a file has, by their keys; a last line that was cut off by an interrupt is left out."""
    if kept is None or not kept.exists():
        return {}
    results: dict[str, Decided] = {}
    lines = kept.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        try:
            each = decided_of(json.loads(line))
        except (ValueError, TypeError):
            if number == len(lines):
                break
            raise SourceError("the line is no result of a pair", str(kept), number) from None
        results[each.key] = each
    if lines and not kept.read_text(encoding="utf-8").endswith("\n"):
        with writing(kept):
            kept.write_text("".join(json.dumps(each.to_json()) + "\n" for each in results.values()), encoding="utf-8")
    return results


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
