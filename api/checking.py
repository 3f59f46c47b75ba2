"""From two references to a verdict: read, decide under limits, audit, replay."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Literal

from tallystick.certificates.audit import audit
from tallystick.certificates.codec import Counterexample as Evidence
from tallystick.certificates.codec import decode
from tallystick.core.errors import TallystickError
from tallystick.core.programs import comparable
from tallystick.decision.process import ProverProcess
from tallystick.decision.settle import Settlement
from tallystick.frontends.pyspark import SourceProgram, aligned, read_program
from tallystick.verdict import Answer, Counterexample, Raises, Verdict

if TYPE_CHECKING:
    from tallystick.replay import Replay, SparkReplayer

Reference = str | Callable[..., Any]
Solver = Literal["auto", "z3", "cvc5", "cooper"]
ReplayOn = Literal["reference", "spark"]


class SignatureError(TallystickError, TypeError):
    """Two programs cannot be compared: they take different parameters or return different types."""


class OrderError(TallystickError, ValueError):
    """A program has no meaning: the result of a fold depends on the order of the elements."""


_prover = ProverProcess()
"""Shared by the checks of this process that do not bring their own."""


def check(
    before: Reference,
    after: Reference,
    *,
    types: str | None = None,
    solver: Solver = "auto",
    timeout: float = 30.0,
    replay: ReplayOn = "reference",
    prover: ProverProcess = _prover,
    replayer: SparkReplayer | None = None,
) -> Verdict:
    """Whether two PySpark functions return the same on every input.

    Args:
        before, after: functions, or "path.py:function". They are parsed, never run, unless a replay is asked for.
        types: types of parameters, such as "r: RDD[int], k: int", where annotations are missing.
        solver: what decides premises first; "auto" is the search for refutation trees, then Z3.
        timeout: seconds for deciding.
        replay: "spark" runs both programs on PySpark on a counterexample; the reference interpreter always does.
        prover: the prover's process.
        replayer: the Spark to replay on; one is started, and ended, where none is given.

    Raises SourceError when a program cannot be read, SignatureError when the programs are not comparable, OrderError
    when a fold of theirs is not well defined, and ReplayUnavailable when replay is "spark" and there is no Spark.
    """
    prover.start()
    left, right = read_program(before, types), read_program(after, types)
    verdict = check_programs(left, right, solver=solver, timeout=timeout, prover=prover)
    if verdict.counterexample is None or replay == "reference":
        return verdict
    from tallystick.replay import SparkReplayer

    with nullcontext(replayer) if replayer is not None else SparkReplayer() as spark:
        return replayed(verdict, spark.replay(before, after, verdict.counterexample.inputs))


def check_programs(
    left: SourceProgram,
    right: SourceProgram,
    *,
    solver: Solver = "auto",
    timeout: float = 30.0,
    prover: ProverProcess = _prover,
) -> Verdict:
    """`check` for programs that have been read, without a replay on Spark."""
    left, right = aligned(left, right)
    if not comparable(left.program, right.program):
        raise SignatureError(
            "the programs cannot be compared: their parameters and results must agree\n"
            f"  {_signature(left)}\n  {_signature(right)}"
        )
    started = time.perf_counter()
    settlement = prover.settle(left.program, right.program, (left.source, right.source), solver, timeout)
    if settlement.order_matters is not None:
        raise OrderError(settlement.order_matters)
    return audited(left, right, settlement, started)


def audited(left: SourceProgram, right: SourceProgram, settlement: Settlement, started: float) -> Verdict:
    """The verdict that a settlement supports: what its certificate proves about these programs, or unknown."""
    reasons = dict(settlement.reasons)
    answer, oracles, assumptions, found = Answer.UNKNOWN, (), (), None
    certificate = settlement.certificate.encode() if settlement.certificate is not None else None
    if certificate is not None:
        report = audit(certificate, against=(left.program, right.program))
        if report.accepted:
            content = decode(certificate)
            answer, oracles, assumptions = Answer(report.verdict), report.oracles, content.assumptions
            if isinstance(content.result, Evidence):
                found = _counterexample(left, content.result)
        else:
            reasons["audit"] = (
                f"a defect of the prover: its certificate was rejected ({report.reason}); please report it"
            )
            certificate = None
    return Verdict(
        answer,
        settlement.method if answer is not Answer.UNKNOWN else (),
        settlement.program_class,
        settlement.complete,
        time.perf_counter() - started,
        certificate,
        found,
        assumptions,
        oracles,
        reasons,
    )


def replayed(verdict: Verdict, replay: Replay) -> Verdict:
    """An inequivalent verdict after its counterexample ran on Spark; unknown when Spark does not tell them apart."""
    found = verdict.counterexample
    if found is None:
        return verdict
    if not replay.in_sparklite.differs:
        reasons = {**verdict.reasons, "spark": f"the counterexample did not tell them apart:\n{replay.explain()}"}
        return dataclasses.replace(verdict, verdict=Answer.UNKNOWN, reasons=reasons, method=())
    notes = ()
    if replay.depends_on_meaning:
        notes = tuple(replay.explain().splitlines())
    on_spark = dataclasses.replace(found, replayed_on=("reference", "spark"), notes=notes)
    return dataclasses.replace(verdict, counterexample=on_spark)


def _signature(source: SourceProgram) -> str:
    return f"{source.path}:{source.line}: {source.function_name}{source.parameters} -> {source.program.result}"


def _counterexample(left: SourceProgram, found: Evidence) -> Counterexample:
    names = [str(name.parameter[0]) for name in left.program.parameters]  # type: ignore[index]
    inputs = {name: listed(value) for name, value in zip(names, found.inputs, strict=True)}
    first, second = (_outcome(output) if left.may_raise else listed(output) for output in found.outputs)
    return Counterexample(inputs, (first, second))


def _outcome(output: Any) -> Any:
    """What a program that may raise does: its result is a pair (whether it returns, what it returns)."""
    returns, value = output
    return value if returns else Raises("ValueError")


def listed(value: Any) -> Any:
    """A bag as the sorted list of its elements with repetitions; other values as they are."""
    return [item for item in sorted(value) for _ in range(value[item])] if isinstance(value, dict) else value
