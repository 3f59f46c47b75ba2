"""Running cases on an engine and evaluating the formula on each, letter by letter, until it is decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tallystick.streaming.engines.base import Case, Engine
from tallystick.streaming.errors import SubjectFailedError
from tallystick.streaming.letters import INPUT, Letter
from tallystick.streaming.logic.formulas import Formula
from tallystick.streaming.logic.simplification import Evaluation
from tallystick.streaming.logic.truth import Truth


@dataclass(frozen=True)
class Step:
    """One instant of a case: its letter, and what the formula had become after it."""

    number: int
    time: int
    letter: Letter
    formula: Formula


@dataclass
class CaseRun:
    """A case that has been run: the instants up to the decision, and the verdict or what the subject
    raised."""

    case: Case
    steps: list[Step] = field(default_factory=list)
    verdict: Truth = Truth.UNKNOWN
    error: SubjectFailedError | None = None

    @property
    def kind(self) -> str:
        """How the case ended: "passed", "inconclusive", "falsified" or "raised"."""
        if self.error is not None:
            return "raised"
        return {Truth.TRUE: "passed", Truth.UNKNOWN: "inconclusive", Truth.FALSE: "falsified"}[self.verdict]

    @property
    def failed(self) -> bool:
        """Whether the case refutes the property."""
        return self.kind in ("falsified", "raised")


def run_cases(
    engine: Engine, subject: Any, formula: Formula, cases: Sequence[Case], deadline: float | None = None
) -> list[CaseRun]:
    """Run the cases side by side and evaluate the formula on each; a case ends when its formula is decided.

    Raises what the engine raises, and what a predicate of the formula raises, with a note that says where.
    """
    runs = [CaseRun(case) for case in cases]
    evaluations = [Evaluation(formula) for _ in cases]

    def watch(index: int, number: int, letter: Letter) -> bool:
        time = engine.time_of(number)
        try:
            verdict = evaluations[index].consume(letter, time)
        except Exception as error:
            error.add_note(f"raised while the formula was evaluated in batch {number}, on {letter}")
            raise
        runs[index].steps.append(Step(number, time, letter, evaluations[index].formula))
        return not verdict.is_definite

    failures = engine.run(subject, cases, watch, deadline)
    for index, run in enumerate(runs):
        run.error = failures.get(index)
        run.verdict = evaluations[index].finish()
    return runs


def as_case(value: Any) -> Case:
    """Make a case of what a generator made: a prefix, or a dict of prefixes by stream name.

    Raises `TypeError` when it is not a sequence of batches.
    """
    prefixes = value if isinstance(value, Mapping) else {INPUT: value}
    for prefix in prefixes.values():
        batches = prefix if isinstance(prefix, (list, tuple)) else (None,)
        if not all(isinstance(batch, (list, tuple)) for batch in batches):
            raise TypeError(f"a generator makes a sequence of batches, each a sequence of records, not {prefix!r}")
    return Case({name: tuple(map(tuple, prefix)) for name, prefix in prefixes.items()})
