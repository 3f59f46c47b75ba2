"""Verdicts against PySpark: what Spark computes must be what a verdict says.

Every counterexample runs on Spark, where both programs must return what the certificate says. Programs that are held
to be equivalent run on many inputs, all inputs of a program in one request, and must return the same, which must also
be what the reference interpreter returns. Programs are compared in SparkLite's meaning of folds, the meaning that
verdicts are about.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tallystick.certificates.codec import decode
from tallystick.certificates.proofs import Certificate, Counterexample
from tallystick.core.errors import EvaluationError, TallystickError
from tallystick.core.interpreter import Bag, Environment, evaluate
from tallystick.core.types import Value
from tallystick.experiments.inputs import generated_inputs
from tallystick.experiments.questions import Question
from tallystick.experiments.records import Record
from tallystick.frontends.pyspark import aligned
from tallystick.frontends.pyspark.values.options import python_value
from tallystick.frontends.rdd import read_program
from tallystick.replay import Outcome, Raised, Returned, SparkReplayer
from tallystick.replay.records import show

INPUTS = 8
"""How many inputs an equivalent pair is run on, unless a call says otherwise."""
ROUNDING = Fraction(1, 2**30)
"""By which part of itself, or of 1, a mean on Spark may be away from the exact quotient."""


@dataclass(frozen=True, slots=True)
class Validation:
    """What Spark said about a verdict: on how many inputs the programs agreed, or that they differed on one."""

    pair: str
    inputs: int
    differed: bool

    def __str__(self) -> str:
        return "differs" if self.differed else f"same {self.inputs}×"


class Disagreement(TallystickError, AssertionError):  # noqa: N818 - it is a finding, not a mistake of the caller
    """Spark does not compute what a verdict says.

    Attributes:
        report: everything that is needed to see it again, as a JSON object.
    """

    def __init__(self, message: str, report: dict[str, object]) -> None:
        super().__init__(message)
        self.report = report

    def saved(self, folder: Path) -> Disagreement:
        """Writes the report and a program that runs the pair again into a folder; gives this error with their names."""
        folder.mkdir(parents=True, exist_ok=True)
        report, program = folder / "disagreement.json", folder / "disagreement.py"
        report.write_text(json.dumps(self.report, indent=2, ensure_ascii=False), encoding="utf-8")
        program.write_text(str(self.report["program"]), encoding="utf-8")
        return Disagreement(
            f"{self}\n  everything needed to see it again: {report}\n  run: python {program}", self.report
        )


def cross_validate(
    question: Question, record: Record, replayer: SparkReplayer, inputs: int = INPUTS
) -> Validation | None:
    """Runs the programs of a question on Spark to see whether a record about them can be right.

    With 0 `inputs`, equivalent pairs are not run. Returns None when there is nothing to run: the verdict is unknown,
    or the pair has no PySpark source. Raises Disagreement when Spark contradicts the verdict, and what
    `SparkReplayer.run_on_spark` raises when the programs cannot be run.
    """
    if question.claim is None or not question.left or record.certificate is None:
        return None
    asked = decode(question.claim.encode())
    if record.verdict == "inequivalent":
        environments = [_counterexample(record.certificate)]
    elif inputs:
        environments = generated_inputs(asked.left, asked.right, inputs)
    else:
        return None
    runs = [
        replayer.run_on_spark(place, [_named(environment) for environment in environments], partitions=1)
        for place in (question.left, question.right)
    ]
    differed = False
    for environment, left, right in zip(environments, *runs, strict=True):
        outcomes = left.sparklite, right.sparklite
        differed = outcomes[0] != outcomes[1]
        problem = _problem(record, differed) or _misread(question, asked, environment, outcomes)
        if problem:
            raise _disagreement(question, record, problem, environment, outcomes)
    return Validation(question.pair, len(environments), differed)


def _problem(record: Record, differed: bool) -> str:
    if differed == (record.verdict == "inequivalent"):
        return ""
    return f"the verdict is {record.verdict}, but Spark returns {'two results' if differed else 'one result'}"


def _misread(question: Question, asked: Certificate, environment: Environment, outcomes: Sequence[Outcome]) -> str:
    """How an outcome is not what the program means that was read from the source."""
    sources = aligned(read_program(question.left), read_program(question.right))
    for program, source, outcome in zip((asked.left, asked.right), sources, outcomes, strict=True):
        try:
            expected: Any = evaluate(program.expression, environment)
        except EvaluationError:
            continue  # it takes the interpreter too long; Spark's results have been compared with each other
        returns, value = expected if source.may_raise else (True, expected)
        if isinstance(outcome, Raised):
            if returns:
                return f"{program.name} {outcome}, although it returns a value for this input"
        elif not returns:
            return f"{program.name} returns {outcome} on Spark, but raises"
        elif not (_is_mean(outcome, value) if source.returns == "mean" else outcome == Returned(python_value(value))):
            return f"{program.name} returns {outcome} on Spark, but means {show(python_value(value))}"
    return ""


def _is_mean(outcome: Returned, pair: tuple[int, int]) -> bool:
    """Whether a float is about the quotient of sum and count, 0 where nothing is counted."""
    total, count = pair
    exact = Fraction(total, count) if count else Fraction(0)
    if not isinstance(outcome.value, float):
        return False
    return abs(Fraction(outcome.value) - exact) <= ROUNDING * (1 + abs(exact))


def _counterexample(certificate: str) -> Environment:
    found = decode(certificate.encode())
    assert isinstance(found.result, Counterexample)
    return dict(zip(found.left.parameters, found.result.inputs, strict=True))


def _named(environment: Environment) -> dict[str, Value | Bag]:
    return {str(name.parameter[0]): python_value(value) for name, value in environment.items()}  # type: ignore[index]


def _disagreement(
    question: Question, record: Record, problem: str, environment: Environment, outcomes: Sequence[Outcome]
) -> Disagreement:
    inputs = {name: show(value) for name, value in _named(environment).items()}
    report: dict[str, object] = {
        "problem": problem,
        "suite": question.suite,
        "pair": question.pair,
        "left": question.left,
        "right": question.right,
        "inputs": inputs,
        "on_spark": [str(outcome) for outcome in outcomes],
        "verdict": record.verdict,
        "method": record.method,
        "solver": record.solver,
        "seed": record.seed,
        "versions": record.versions,
        "timeout": record.timeout,
        "memory": record.memory,
        "key": record.key,
        "certificate": record.certificate,
        "program": _program(question, environment),
    }
    lines = [
        f"{question.suite}, {question.pair}: {problem}",
        f"  on {', '.join(f'{name} = {value}' for name, value in inputs.items())}",
        f"    {question.left} returns {outcomes[0]}",
        f"    {question.right} returns {outcomes[1]}",
    ]
    return Disagreement("\n".join(lines), report)


def _program(question: Question, environment: Environment) -> str:
    """Python that runs both programs on Spark again, and prints what they return."""
    return (
        "from tallystick.replay import SparkReplayer\n\n"
        "with SparkReplayer() as spark:\n"
        f"    left, right = {_place(question.left)!r}, {_place(question.right)!r}\n"
        f"    print(spark.replay(left, right, {_named(environment)!r}, partitions=1).explain())\n"
    )


def _place(program: str) -> str:
    """A program as "path.py:function", from wherever it is run."""
    path, _, function = program.rpartition(":")
    return f"{Path(path).resolve()}:{function}"
