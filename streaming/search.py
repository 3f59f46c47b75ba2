"""Generating cases with Hypothesis, and shrinking a failing one.

Cases are generated first and run afterwards, so that many can run side by side. When one fails, Hypothesis
generates the same cases again from the same seed, finds the failing one in the results, and shrinks it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeAlias

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from tallystick.streaming.engines.base import Case, Engine
from tallystick.streaming.engines.dstreams import DStreamEngine
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.errors import StreamingError, UnsatisfiableFormulaError
from tallystick.streaming.evaluation import CaseRun, as_case
from tallystick.streaming.report import Settings

#: Cases are large, and nothing is run while they are generated.
_UNCHECKED = (
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.large_base_example,
    HealthCheck.nested_given,
    HealthCheck.too_slow,
)

RunOne: TypeAlias = Callable[[Engine, Case], CaseRun]


def generate_cases(generator: st.SearchStrategy[Any], examples: int, seed: int) -> list[Case]:
    """Return up to `examples` cases; fewer if the generator cannot make so many different ones.

    Raises `UnsatisfiableFormulaError` if it cannot make any.
    """
    cases: list[Case] = []
    _explore(generator, examples, seed, (Phase.generate,), lambda case: cases.append(case))
    return cases


def shrink(
    generator: st.SearchStrategy[Any],
    run_one: RunOne,
    failed: CaseRun,
    engine: Engine,
    settings: Settings,
    seed: int,
) -> CaseRun:
    """Return a smaller case that fails in the same way on the engine, or the failed one itself.

    A case found with DStreams on Spark is shrunk on the local engine if it fails there too, which is faster
    by far; the result must then fail on Spark as well, or the search is repeated there.
    """
    if settings.shrink_seconds <= 0:
        return failed
    if isinstance(engine, DStreamEngine):
        quick = LocalEngine(engine.batch_interval)
        candidate = _shrunk_on(quick, generator, run_one, failed, settings, seed)
        if candidate is not None:
            confirmed = run_one(engine, candidate.case)
            if confirmed.kind == failed.kind:
                return confirmed
    return _shrunk_on(engine, generator, run_one, failed, settings, seed) or failed


def _shrunk_on(
    engine: Engine,
    generator: st.SearchStrategy[Any],
    run_one: RunOne,
    failed: CaseRun,
    settings: Settings,
    seed: int,
) -> CaseRun | None:
    """Shrink on one engine. Return None if the case does not fail there, or Hypothesis does not meet it
    again."""
    end = time.monotonic() + settings.shrink_seconds
    known: dict[str, CaseRun | None] = {}
    wanted = _key(failed.case)
    smallest: list[CaseRun] = []

    def run_again(case: Case) -> None:
        if smallest and time.monotonic() > end:
            raise _OutOfTimeError
        key = _key(case)
        if key not in known:
            known[key] = run_one(engine, case) if smallest or key == wanted else None
        run = known[key]
        if run is not None and run.kind == failed.kind and len(run.steps) <= len(failed.steps):
            smallest[:] = [min(*smallest, run, key=_size)] if smallest else [run]
            raise _FailedAgainError(run)

    try:
        phases = (Phase.generate, Phase.shrink)
        _explore(generator, settings.examples, seed, phases, run_again)
    except _FailedAgainError as end_of_search:
        return end_of_search.run
    except _OutOfTimeError:
        return smallest[0]
    except StreamingError:
        return None
    return None


def _size(run: CaseRun) -> tuple[int, int, int]:
    seen = [step.letter for step in run.steps]
    return len(seen), sum(len(batch) for letter in seen for batch in letter.values()), len(repr(seen))


class _FailedAgainError(Exception):
    def __init__(self, run: CaseRun) -> None:
        self.run = run
        super().__init__("a case failed again")


class _OutOfTimeError(BaseException):
    """Ends the search at once: Hypothesis takes any `Exception` for a failure of the test."""


def _explore(generator: Any, examples: int, seed: int, phases: tuple[Phase, ...], visit: Any) -> None:
    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples,
        phases=phases,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=_UNCHECKED,
        verbosity=Verbosity.quiet,
    )
    @hypothesis.given(generator)
    def explore(value: Any) -> None:
        visit(as_case(value))

    try:
        explore()
    except Unsatisfiable as error:
        raise UnsatisfiableFormulaError(generator, "those tried") from error


def _key(case: Case) -> str:
    return repr(sorted(case.inputs.items()))
