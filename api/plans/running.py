"""Many queries: each is decided in a process of its own, here or on Spark's workers, and what is known is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from tallystick.decision.service.isolation import isolated
from tallystick.frontends.catalyst.reading import SourceTable
from tallystick.frontends.errors import SourceError
from tallystick.output import writing
from tallystick.plans.trying import UNASKED
from tallystick.plans.validating import Asked, Validation, answered, asked, confirmed, without_answer
from tallystick.replay.catalyst.process import SparkPlans

Record = dict[str, Any]
Query = tuple[str, str]
"""What a query is called, and its text."""
QUERIES_OF_A_JOB = 8
"""So many queries a core are decided by one job of Spark; those of finished jobs are kept."""
PATIENCE = 3.0
"""So many times its limit of time may a query take, with its certificate, before its process is ended."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How a query is decided.

    Attributes:
        seconds: for the proof, and again for the steps of the optimiser where these are asked for.
        memory_mebibytes: of the process that decides it.
        each_rule: whether the optimiser's steps are proved where the whole is not.
        trials: on so many random databases the reading of its plans is tried.
    """

    seconds: float = 50.0
    memory_mebibytes: int = 4096
    each_rule: bool = False
    trials: int = UNASKED


@dataclass(frozen=True, slots=True)
class Job:
    """What the answers about queries hang on, besides their texts.

    Attributes:
        spark: has the tables of the schema; its plans are in question.
        settings: that it was started with.
        tables: of the schema.
        limits: for each query.
        master: a Spark on whose workers plans are decided; none: this machine.
    """

    spark: SparkPlans
    settings: Mapping[str, str]
    tables: Sequence[SourceTable]
    limits: Limits
    master: str | None = None

    def key(self, query: Query) -> str:
        """What an answer about a query is found by: all that it hangs on but Tallystick."""
        content = [query, self.spark.version, sorted(self.settings.items()), repr(self.tables), repr(self.limits)]
        return sha256(json.dumps(content).encode()).hexdigest()[:24]


def run(job: Job, queries: Sequence[Query], kept: Path | None = None) -> Iterator[tuple[Record, Validation | None]]:
    """The record of each query, and its validation unless the record was kept before; the latter come first.

    Raises SourceError for a file that holds something else than records, OutputError when it cannot be written.
    """
    known = stored(kept)
    left = []
    for query in queries:
        if job.key(query) in known:
            yield known[job.key(query)], None
        else:
            left.append(query)
    for query, found in _validations(job, left):
        record = {"key": job.key(query), **found.to_json()}
        if kept is not None:
            with writing(kept), kept.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(record) + "\n")
        yield record, found


def stored(kept: Path | None) -> dict[str, Record]:
    """The records that a file has, by their keys. A last line that was cut off by an interrupt is taken out."""
    if kept is None or not kept.exists():
        return {}
    text = kept.read_text(encoding="utf-8")
    whole, _, rest = text.rpartition("\n")
    records: dict[str, Record] = {}
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            record = json.loads(line)
            records[record["key"]] = record
        except (ValueError, TypeError, KeyError):
            raise SourceError("the line is no result of a query", str(kept), number) from None
    if rest:
        with writing(kept):
            kept.write_text(f"{whole}\n" if whole else "", encoding="utf-8")
    return records


def _validations(job: Job, queries: Sequence[Query]) -> Iterator[tuple[Query, Validation]]:
    if job.master is None:
        for name, text in queries:
            question = asked(job.spark, name, text, job.limits.each_rule)
            yield (name, text), confirmed(job.spark, question, measured(job.tables, job.limits, question))
    elif queries:
        yield from _on_spark(job, job.master, queries)


def measured(tables: Sequence[SourceTable], limits: Limits, question: Asked) -> Validation:
    """The answer about a query by a process of its own, with what it took."""
    most = PATIENCE * limits.seconds * (1 + limits.each_rule) + 30
    work = partial(answered, question, tables, limits.seconds, limits.each_rule, limits.trials)
    found = isolated(work, most, limits.memory_mebibytes)
    answer = found.result or without_answer(question, *(found.problem or ("process", "no answer")))
    return replace(answer, processor_seconds=found.processor_seconds, memory_mebibytes=found.memory_mebibytes)


def _on_spark(job: Job, master: str, queries: Sequence[Query]) -> Iterator[tuple[Query, Validation]]:
    from tallystick.replay.session import spark_session

    decide = partial(measured, tuple(job.tables), job.limits)
    with spark_session(master) as spark:
        context = spark.sparkContext
        size = QUERIES_OF_A_JOB * context.defaultParallelism
        for start in range(0, len(queries), size):
            batch = queries[start : start + size]
            questions = [asked(job.spark, name, text, job.limits.each_rule) for name, text in batch]
            answers = context.parallelize(questions, len(questions)).map(decide).collect()
            for query, question, answer in zip(batch, questions, answers, strict=True):
                yield query, confirmed(job.spark, question, answer)
