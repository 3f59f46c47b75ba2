"""What `tallystick machine FILE` does: simulates a machine, has P9 and P10 decided, and explains the answer."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode
from tallystick.certificates.proofs import Counterexample, Step
from tallystick.certificates.rules.fold import Fold
from tallystick.core.clock import clock
from tallystick.core.interpreter import Bag
from tallystick.core.programs import Program
from tallystick.reductions.machine_text import read_machine
from tallystick.reductions.notation import invariant_lines
from tallystick.reductions.report import MachineReport
from tallystick.reductions.to_programs import programs, pyspark_source, run_of_bag
from tallystick.reductions.two_counter_machine import STEP_LIMIT, Machine, simulate

if TYPE_CHECKING:
    from tallystick.decision.service.settlement import Settlement

SECONDS = 30.0


class Comparison(Protocol):
    """Whether two programs had different outcomes on Spark."""

    @property
    def differs(self) -> bool: ...


class SparkReplay(Protocol):
    """Two programs after a run on Spark, with folds in SparkLite's meaning."""

    @property
    def in_sparklite(self) -> Comparison: ...


Decide = Callable[[Program, Program, tuple[str, str]], "Settlement"]
"""Settles two programs, given with the sources that a certificate shows."""
Replay = Callable[[str, str, Mapping[str, Bag]], SparkReplay]
"""Runs two functions, each "path.py:name", on Spark on one input: `SparkReplayer.replay`."""


def decide_here(left: Program, right: Program, sources: tuple[str, str]) -> Settlement:
    """What the portfolio says about two programs, within about SECONDS in this process."""
    from tallystick.decision.prover import Prover
    from tallystick.decision.service.settle import settle

    return settle(left, right, sources, Prover("auto", clock() + SECONDS))


def explain_machine(
    path: str | Path, *, step_limit: int = STEP_LIMIT, decide: Decide = decide_here, replay: Replay | None = None
) -> MachineReport:
    """The report on the machine in a file.

    Args:
        path: the file, in the format of `machine_text`.
        step_limit: for the simulation; the portfolio has caps of its own.
        decide: settles the pair; what it finds is audited here before it is believed.
        replay: runs a counterexample on Spark as well; nothing is run there without.

    Raises MachineError when the file describes no machine, and RuntimeError when the verdict contradicts the
    simulation or PySpark, which is a defect.
    """
    machine = read_machine(path)
    run = simulate(machine, step_limit)
    pair, source = programs(machine), pyspark_source(machine)
    started = time.perf_counter()
    settlement = decide(*pair, (source, source))
    reasons = dict(settlement.reasons)
    certificate = settlement.certificate.encode() if settlement.certificate is not None else None
    audited = audit(certificate, against=pair) if certificate is not None else None
    seconds = time.perf_counter() - started
    if certificate is None or audited is None or not audited.accepted:
        if audited is not None:
            reasons["audit"] = f"the prover's certificate was rejected: {audited.reason}"
        return MachineReport(machine, run, "unknown", (), reasons, seconds)
    if audited.verdict == "equivalent" and run.halted:
        raise RuntimeError(f"{machine.name} halts after {run.steps} steps, and was proved never to halt")
    common = (machine, run, audited.verdict, settlement.method, reasons, seconds, certificate, audited)
    result = decode(certificate).result
    if not isinstance(result, Counterexample):
        return MachineReport(*common, invariant=_invariant(machine, result))
    [bag] = result.inputs
    assert isinstance(bag, dict)  # the pair has one parameter, and the auditor has checked its type
    replayed_on = ("the reference interpreter",)
    if replay is not None:
        _replay(machine, source, bag, replay)
        replayed_on += ("PySpark",)
    size, halting_run = sum(bag.values()), run_of_bag(machine, bag)
    return MachineReport(*common, counterexample_size=size, halting_run=halting_run, replayed_on=replayed_on)


def _invariant(machine: Machine, proof: Step) -> tuple[str, ...]:
    if not isinstance(proof.rule, Fold):
        return ()
    [state] = proof.rule.accumulators
    return tuple(invariant_lines(machine, state, proof.rule.invariant))


def _replay(machine: Machine, source: str, bag: Bag, replay: Replay) -> None:
    """Runs the pair's source on PySpark; raises RuntimeError when it does not differ there."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "machine_pair.py"
        path.write_text(source, encoding="utf-8")
        if not replay(f"{path}:p9", f"{path}:p10", {"R": bag}).in_sparklite.differs:
            raise RuntimeError(f"the counterexample of {machine.name} makes no difference on PySpark")
