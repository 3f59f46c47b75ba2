"""A failing case of a proof, made simpler record by record and number by number, for as long as it fails."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import chain
from typing import Any

from tallystick.streaming.decorations import without_notes
from tallystick.streaming.engines.base import Case, Engine
from tallystick.streaming.evaluation import CaseRun, run_cases
from tallystick.streaming.every_stream import EveryStream
from tallystick.streaming.letters import Batch
from tallystick.streaming.logic.formulas import Formula
from tallystick.streaming.shrinking import leading_empty_batches, steps


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
    """Cases without the empty batches at their beginning, then with one record less, then with simpler records."""
    first = leading_empty_batches(case)
    if first:
        yield Case({name: (*prefix[first:], *prefix[:first]) for name, prefix in case.inputs.items()})
    for name, prefix in case.inputs.items():
        for number, batch in enumerate(prefix):
            for place in range(len(batch)):
                yield _with_batch(case, name, number, (*batch[:place], *batch[place + 1 :]))
    for changed in chain(_lowered_together(case), _with_one_simpler(case)):
        narrowed = [(each.where, _records(changed, name)) for name, each in streams.items() if each.where is not None]
        if all(all(map(where, records)) for where, records in narrowed):
            yield changed


def _records(case: Case, name: str) -> list[Any]:
    return [record for batch in case.inputs[name] for record in batch]


def _with_one_simpler(case: Case) -> Iterator[Case]:
    for name, prefix in case.inputs.items():
        for number, batch in enumerate(prefix):
            for place, record in enumerate(batch):
                for simpler in simpler_values(record):
                    yield _with_batch(case, name, number, (*batch[:place], simpler, *batch[place + 1 :]))


def _lowered_together(case: Case) -> Iterator[Case]:
    """All numbers of a sign that are far enough from 0 nearer to it by as much; then all that are equal, likewise."""
    numbers = {each for name in case.inputs for record in _records(case, name) for each in _numbers(record)}
    for chosen in (*({n for n in numbers if n > 0}, {n for n in numbers if n < 0}), *({n} for n in numbers)):
        for step in steps(max(chosen, key=abs, default=0)):
            moved = {n: n - step for n in chosen if abs(n) >= abs(step)}
            yield Case(
                {
                    name: tuple(tuple(_replaced(record, moved) for record in batch) for batch in prefix)
                    for name, prefix in case.inputs.items()
                }
            )


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    elif type(value) is int:
        yield value


def _replaced(value: Any, by: Mapping[int, int]) -> Any:
    if type(value) is tuple:
        return tuple(_replaced(part, by) for part in value)
    return by.get(value, value) if type(value) is int else value


def _with_batch(case: Case, name: str, number: int, batch: Batch) -> Case:
    prefix = case.inputs[name]
    return Case({**case.inputs, name: (*prefix[:number], batch, *prefix[number + 1 :])})


def simpler_values(value: Any) -> Iterator[Any]:
    """Values with one part that is simpler: a number nearer to 0, and not below it if that can be, a shorter text.

    >>> list(simpler_values((-4, True)))
    [(4, True), (0, True), (-2, True), (-3, True), (-4, False)]
    >>> list(simpler_values("xy"))
    ['', 'y', 'x', 'ay', 'xa']
    """
    if type(value) is tuple:
        for place, part in enumerate(value):
            for simpler in simpler_values(part):
                yield (*value[:place], simpler, *value[place + 1 :])
    elif isinstance(value, bool):
        yield from (False,) if value else ()
    elif isinstance(value, int):
        yield from (-value,) if value < 0 else ()
        yield from (value - step for step in steps(value))
    elif isinstance(value, str):
        yield from ("",) if len(value) > 1 else ()
        yield from (value[:place] + value[place + 1 :] for place in range(len(value)))
        yield from (value[:at] + "a" + value[at + 1 :] for at, letter in enumerate(value) if letter != "a")
    elif isinstance(value, date) and type(value) is date:
        yield from (value - timedelta(days=step) for step in steps((value - date(2000, 1, 1)).days))
