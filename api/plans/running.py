"""Many queries: each is decided in a process of its own, here or on Spark's workers, and what is known is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from typing import Any

from tallystick.decision.service.isolation import isolated
from tallystick.frontends.catalyst.reading import SourceTable
from tallystick.plans.trying import UNASKED
from tallystick.plans.validating import PlanQuestion, Validation, answered, confirmed, plans_of, without_answer
from tallystick.replay.catalyst.process import SparkPlans
from tallystick.results_file import ResultsFile

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
    known = results_of(kept)
    left = []
    for query in queries:
        if job.key(query) in known.results:
            yield known.results[job.key(query)], None
        else:
            left.append(query)
    for query, found in _validations(job, left):
        record = {"key": job.key(query), **found.to_json()}
        known.add(record)
        yield record, found


def results_of(path: Path | None) -> ResultsFile[Record]:
    """The records of a file, by their keys. Raises SourceError where it holds something else."""
    return ResultsFile(path, dict, dict, itemgetter("key"), "query")


def _validations(job: Job, queries: Sequence[Query]) -> Iterator[tuple[Query, Validation]]:
    if job.master is None:
        for name, text in queries:
            question = plans_of(job.spark, name, text, job.limits.each_rule)
            yield (name, text), confirmed(job.spark, question, measured(job.tables, job.limits, question))
    elif queries:
        yield from _on_spark(job, job.master, queries)


def measured(tables: Sequence[SourceTable], limits: Limits, question: PlanQuestion) -> Validation:
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
            questions = [plans_of(job.spark, name, text, job.limits.each_rule) for name, text in batch]
            answers = context.parallelize(questions, len(questions)).map(decide).collect()
            for query, question, answer in zip(batch, questions, answers, strict=True):
                yield query, confirmed(job.spark, question, answer)
