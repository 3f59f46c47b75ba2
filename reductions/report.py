"""The report on a machine, for people and as JSON."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from typing import Any

from tallystick.certificates.audit import AuditReport
from tallystick.reductions.two_counter_machine import Machine, Run, State

EXIT_STATUS = {"equivalent": 0, "inequivalent": 1, "unknown": 2}
WIDTH = 80
INDENT = 13
MOST_LINES = 40
"""How many lines of an invariant are shown."""

UNDECIDABLE = (
    "P9 and P10 meet every premise of well-definedness: there is one fold, and its function f ignores the element, "
    "so f(f(M, x), y) = f(f(M, y), x), and neither the order of the elements nor what they are can matter. How many "
    "there are does: the pair differs on n elements if and only if the machine has halted after n steps. To decide "
    "every such pair is to decide which machines halt, and no algorithm does: two counters simulate a Turing machine "
    "(Minsky, 1967; TR Theorem 2). A prover that is never wrong has to answer unknown for some machine that never "
    "halts."
)


@dataclass(frozen=True, slots=True)
class MachineReport:
    """What is known about a machine.

    Attributes:
        machine: the machine.
        run: its simulation, up to the step limit.
        verdict: about P9 and P10: "inequivalent" (it halts), "equivalent" (it never does) or "unknown".
        method: what found the verdict; empty when unknown.
        reasons: why other methods did not.
        seconds: how long deciding and auditing took.
        certificate: of the verdict; None when unknown.
        audit: of the certificate; None when unknown.
        counterexample_size: how many elements the counterexample has; None unless inequivalent.
        halting_run: the run that the counterexample stands for; None unless inequivalent.
        invariant: one line for each case; empty unless equivalent.
        replayed_on: where the counterexample was evaluated again: "the reference interpreter" and "PySpark".
    """

    machine: Machine
    run: Run
    verdict: str
    method: tuple[str, ...]
    reasons: dict[str, str]
    seconds: float
    certificate: bytes | None = field(default=None, repr=False)
    audit: AuditReport | None = None
    counterexample_size: int | None = None
    halting_run: Run | None = None
    invariant: tuple[str, ...] = ()
    replayed_on: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """0 for equivalent, 1 for inequivalent, 2 for unknown, as for every command."""
        return EXIT_STATUS[self.verdict]

    @property
    def text(self) -> str:
        """The report for people, in lines of at most 80 columns."""
        sections = [
            ("machine", _machine(self)),
            ("simulation", _simulation(self)),
            ("programs", _programs(self.machine)),
            ("verdict", _VERDICTS[self.verdict](self)),
            ("undecidable", [UNDECIDABLE]),
        ]
        return "\n".join(line for name, paragraphs in sections for line in _section(name, paragraphs))

    def to_json(self) -> dict[str, Any]:
        """The report as one JSON object."""
        return {
            "programs": [self.machine.name],
            "verdict": self.verdict,
            "method": list(self.method),
            "seconds": self.seconds,
            "certificate": self.certificate.decode() if self.certificate else None,
            "counterexample_size": self.counterexample_size,
            "steps_to_halting": self.halting_run.steps if self.halting_run else None,
            "steps_simulated": self.run.steps,
            "invariant": list(self.invariant),
            "replayed_on": list(self.replayed_on),
            "reasons": self.reasons,
        }


def _section(name: str, paragraphs: list[str]) -> list[str]:
    lines: list[str] = []
    for paragraph in paragraphs:
        own = len(paragraph) - len(paragraph.lstrip())
        indent = " " * (INDENT + own)
        lines += textwrap.wrap(
            paragraph.strip(), WIDTH, initial_indent=indent, subsequent_indent=indent + " " * min(own, 2)
        )
    lines[0] = f"{name:{INDENT}}{lines[0][INDENT:]}"
    return lines


def _machine(report: MachineReport) -> list[str]:
    machine = report.machine
    return [
        f"{machine.name}, {_counted(len(machine.instructions), 'instruction')}, "
        f"starts {_state(machine, machine.initial)}",
        *filter(None, [" ".join(machine.comment.split())]),
    ]


def _state(machine: Machine, state: State) -> str:
    location, c1, c2 = state
    return f"at {machine.place(location)} with c1 = {c1}, c2 = {c2}"


def _simulation(report: MachineReport) -> list[str]:
    run = report.run
    if run.halted:
        return [f"halts after {_counted(run.steps, 'step')} with c1 = {run.trace[-1][1]}, c2 = {run.trace[-1][2]}"]
    return [f"{run.stopped}: {_state(run.machine, run.trace[-1])}"]


def _programs(machine: Machine) -> list[str]:
    return [
        f"P9(R) = (fold({machine.initial}, f)(R)[0] = {machine.halting_location}), "
        f"where f makes one step of the machine and ignores its element",
        "P10(R) = false",
    ]


def _halts(report: MachineReport) -> list[str]:
    run, size = report.halting_run, report.counterexample_size
    assert run is not None
    shortest = "no smaller bag will do, for the machine has not halted before"
    if size != run.steps:
        shortest = f"{_counted(run.steps, 'element')} would do, as many as the machine makes steps"
    return [
        f"inequivalent: the machine halts ({_found(report)})",
        f"On a bag of {_counted(size or 0, 'element')}, P9 returns True and P10 returns False; {shortest}.",
        f"Checked on {' and '.join(report.replayed_on)}; {_audited(report)}.",
    ]


def _never_halts(report: MachineReport) -> list[str]:
    lines = list(report.invariant)
    shown = [f"  {line}" for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"  and {len(lines) - MOST_LINES} more cases, in the certificate")
    return [
        f"equivalent: the machine never halts ({_found(report)})",
        "Initially and after every step one of these cases holds, and none holds of a halted machine:",
        *shown,
        f"{_audited(report).capitalize()}.",
    ]


def _unknown(report: MachineReport) -> list[str]:
    found = [f"unknown ({report.seconds:.2f} s); what was tried:"]
    found += [f"  {method}: {reason}" for method, reason in report.reasons.items()]
    if report.run.halted:
        found.append(
            f"The simulation says that the pair differs on {_counted(report.run.steps, 'element')}; "
            "that is beyond the caps of the methods."
        )
    return found


_VERDICTS = {"inequivalent": _halts, "equivalent": _never_halts, "unknown": _unknown}


def _found(report: MachineReport) -> str:
    return f"{' > '.join(report.method)}, {report.seconds:.2f} s"


def _audited(report: MachineReport) -> str:
    assert report.audit is not None
    oracles = ", ".join(report.audit.oracles)
    trust = f"it rests on the word of {oracles}" if oracles else "no solver has to be trusted"
    return f"the certificate of {len(report.certificate or b'')} bytes was audited, and {trust}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
