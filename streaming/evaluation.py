"""Running cases on an engine and evaluating the formula on each, letter by letter, until it is decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis.errors import HypothesisException
from tallystick.streaming.engines.base import Case, Engine, cause_of
from tallystick.streaming.errors import PredicateFailedError, StreamingError, SubjectFailedError
from tallystick.streaming.letters import INPUT, Letter
from tallystick.streaming.logic.evaluation import Evaluation
from tallystick.streaming.logic.formulas import Formula
from tallystick.streaming.logic.truth import Truth

KINDS = ("passed", "inconclusive", "falsified", "raised", "predicate raised")


@dataclass(frozen=True)
class Step:
    """One instant of a case: its letter, and what the formula had become after it."""

    number: int
    time: int
    letter: Letter
    formula: Formula


@dataclass
class CaseRun:
    """A case that has been run: the instants up to the decision, and the verdict or what was raised."""

    case: Case
    steps: list[Step] = field(default_factory=list)
    verdict: Truth = Truth.UNKNOWN
    error: SubjectFailedError | PredicateFailedError | None = None

    @property
    def kind(self) -> str:
        """How the case ended: one of `KINDS`."""
        if self.error is not None:
            return "predicate raised" if isinstance(self.error, PredicateFailedError) else "raised"
        return {Truth.TRUE: "passed", Truth.UNKNOWN: "inconclusive", Truth.FALSE: "falsified"}[self.verdict]

    @property
    def failed(self) -> bool:
        """Whether the case refutes the property."""
        return self.kind not in ("passed", "inconclusive")

    @property
    def way_of_failing(self) -> tuple[str, str]:
        """The kind, and the class of what was raised: what stays the same while a case is shrunk."""
        return self.kind, self.error.cause.partition(":")[0] if self.error else ""


def run_cases(
    engine: Engine, subject: Any, formula: Formula, cases: Sequence[Case], deadline: float | None = None
) -> list[CaseRun]:
    """Run the cases side by side and evaluate the formula on each; a case ends when its formula is decided.

    A case fails if a predicate of the formula raises. Raises what the engine raises, and what a formula that is not
    well formed raises, with a note that says where.
    """
    runs = [CaseRun(case) for case in cases]
    evaluators = [_Evaluator(run, formula) for run in runs]

    def watch(index: int, number: int, letter: Letter) -> bool:
        return evaluators[index].goes_on_after(number, engine.time_of(number), letter)

    failures = engine.run(subject, cases, watch, deadline)
    for index, run in enumerate(runs):
        run.error = run.error or failures.get(index)
        evaluators[index].finish()
    return runs


def evaluated_again(run: CaseRun, formula: Formula) -> CaseRun:
    """Evaluate the formula on the letters of a case that has been run, without running it again."""
    again = CaseRun(run.case)
    evaluator = _Evaluator(again, formula)
    letters = [(step.number, step.time, step.letter) for step in run.steps]
    for number, time, letter in letters:
        if not evaluator.goes_on_after(number, time, letter):
            break
    else:
        again.error = run.error if isinstance(run.error, SubjectFailedError) else None
    evaluator.finish()
    return again


class _Evaluator:
    """The evaluation of the formula on one case."""

    def __init__(self, run: CaseRun, formula: Formula) -> None:
        self._run = run
        self._evaluation = Evaluation(formula)

    def goes_on_after(self, number: int, time: int, letter: Letter) -> bool:
        """Evaluate the formula on a letter; return whether more letters are wanted."""
        try:
            verdict = self._evaluation.consume(letter, time)
        except (StreamingError, HypothesisException) as error:
            error.add_note(f"raised while the formula was evaluated in batch {number}, on {letter}")
            raise
        except Exception as error:
            self._run.error = PredicateFailedError(number, cause_of(error), error)
        else:
            self._run.steps.append(Step(number, time, letter, self._evaluation.formula))
            return not verdict.is_definite
        self._run.steps.append(Step(number, time, letter, self._evaluation.formula))
        return False

    def finish(self) -> None:
        if self._run.error is None:
            self._run.verdict = self._evaluation.finish()


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
