"""A failing case, made simpler record by record and number by number, for as long as it fails."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from tallystick.streaming.decorations import without_notes
from tallystick.streaming.engines.base import Case, Engine
from tallystick.streaming.evaluation import CaseRun, run_cases
from tallystick.streaming.every_stream import EveryStream
from tallystick.streaming.letters import Batch
from tallystick.streaming.logic.formulas import Formula


def simplest(
    engine: Engine, subject: Any, formula: Formula, case: Case, streams: Mapping[str, EveryStream], seconds: float
) -> CaseRun | None:
    """Run the case on the engine; return the run of a simplest case that fails in as many batches, or None.

    A case is made simpler on the engine's quick engine, if it has one and the case fails there, for so many seconds.
    Its records stay those of the streams.
    """
    quick = engine.quick_engine() or engine
    end = time.monotonic() + seconds
    length = case.length

    def fails(tried: Case, on: Engine) -> CaseRun | None:
        run = without_notes(lambda: run_cases(on, subject, formula, [tried])[0])
        return run if run.failed and len(run.steps) <= length else None

    found = case
    if fails(case, quick):
        improved = True
        while improved and time.monotonic() < end:
            improved = False
            for tried in _simpler(found, streams):
                if time.monotonic() > end:
                    break
                if fails(tried, quick):
                    found, improved = tried, True
                    break
    return fails(found, engine) or fails(case, engine)


def _simpler(case: Case, streams: Mapping[str, EveryStream]) -> Iterator[Case]:
    """Cases with one record less, then with one record that is simpler."""
    for name, prefix in case.inputs.items():
        for number, batch in enumerate(prefix):
            for place in range(len(batch)):
                yield _with_batch(case, name, number, (*batch[:place], *batch[place + 1 :]))
    for name, prefix in case.inputs.items():
        where = streams[name].where
        for number, batch in enumerate(prefix):
            for place, record in enumerate(batch):
                for simpler in _simpler_records(record):
                    if where is None or where(simpler):
                        yield _with_batch(case, name, number, (*batch[:place], simpler, *batch[place + 1 :]))


def _with_batch(case: Case, name: str, number: int, batch: Batch) -> Case:
    prefix = case.inputs[name]
    return Case({**case.inputs, name: (*prefix[:number], batch, *prefix[number + 1 :])})


def _simpler_records(record: Any) -> Iterator[Any]:
    """Records with one number in them nearer to 0, and not below it if that can be.

    >>> list(_simpler_records((-4, True)))
    [(0, True), (1, True), (-1, True), (4, True), (-2, True), (-3, True), (-4, False)]
    """
    if isinstance(record, tuple):
        for place, part in enumerate(record):
            for simpler in _simpler_records(part):
                yield (*record[:place], simpler, *record[place + 1 :])
    elif isinstance(record, bool):
        yield from (False,) if record else ()
    elif isinstance(record, int):
        tried = (0, 1, -1, abs(record), record // 2, record - (1 if record > 0 else -1))
        rank = _rank(record)
        yield from (each for each in dict.fromkeys(tried) if _rank(each) < rank)


def _rank(number: int) -> tuple[int, bool]:
    return abs(number), number < 0
