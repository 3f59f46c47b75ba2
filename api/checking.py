"""From two references to a verdict: read, decide under limits, audit, replay."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal

from tallystick.core.errors import TallystickError
from tallystick.core.programs import comparable
from tallystick.decision.process import ProverProcess
from tallystick.frontends.pyspark import SourceProgram, read_program
from tallystick.verdict import Verdict

Reference = str | Callable[..., Any]
Solver = Literal["auto", "z3", "cvc5", "cooper"]
Replay = Literal["auto", "reference", "spark", "off"]


class SignatureError(TallystickError, TypeError):
    """Two programs cannot be compared: they take different parameters or return different types."""


def check(
    before: Reference,
    after: Reference,
    *,
    types: str | None = None,
    solver: Solver = "auto",
    timeout: float = 30.0,
    replay: Replay = "reference",
    process: ProverProcess | None = None,
) -> Verdict:
    """Whether two PySpark functions return the same on every input.

    Args:
        before, after: functions, or "path.py:function". They are parsed, never run, unless a replay is asked for.
        types: types of parameters, such as "r: RDD[int], k: int", where annotations are missing.
        solver: what decides premises first; "auto" is the search for refutation trees, then Z3.
        timeout: seconds for deciding.
        replay: "spark" runs a counterexample on PySpark too; "auto" does so where Spark is available.
        process: the prover's process, to share it between checks.

    Raises SourceError when a program cannot be read, SignatureError when the programs are not comparable, and
    ReplayUnavailable when replay="spark" and there is no Spark.
    """
    left, right = read_program(before, types), read_program(after, types)
    return check_programs(left, right, solver=solver, timeout=timeout, replay=replay, process=process)


def check_programs(
    left: SourceProgram,
    right: SourceProgram,
    *,
    solver: Solver = "auto",
    timeout: float = 30.0,
    replay: Replay = "reference",
    process: ProverProcess | None = None,
) -> Verdict:
    """`check` for programs that have been read."""
    if not comparable(left.program, right.program):
        raise SignatureError(_signatures(left, right))
    started = time.perf_counter()
    with ProverProcess.shared(process) as prover:
        report = prover.decide(left.program, right.program, (left.source, right.source), solver, timeout)
    verdict = _audited(left, right, report, started)
