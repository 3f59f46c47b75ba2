"""What lint says about the folds of a program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from textwrap import indent
from typing import Any

from tallystick.core.pretty import text
from tallystick.core.terms import TRUE
from tallystick.showing import Shown

FOLD_WIDTH = 70


class Safety(StrEnum):
    """What is known of a fold: its value does not depend on partitions, it does, or neither is known."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return self.value


def worst(outcomes: Iterable[Safety]) -> Safety:
    """Unsafe if one outcome is, else unknown if one is, else safe."""
    found = set(outcomes)
    return next((safety for safety in (Safety.UNSAFE, Safety.UNKNOWN) if safety in found), Safety.SAFE)


@dataclass(frozen=True, slots=True)
class PartitionWitness:
    """Two ways in which the elements of a fold may be spread over partitions, and its two values.

    Attributes:
        inputs: an input of the program: for each parameter that matters, a value, or the list of a bag's elements.
        input_partitions: how the input bags are spread in each of the two runs; None where more
            than maps and filters of one input bag come before the fold: they may place elements in other ways.
        partitions: how the folded elements are spread in each of the two runs.
        values: what the fold returns in each; a by-key fold returns a list of pairs.
        replayed_on: where the values come from: "reference", a simulation, and "spark", if PySpark returned them.
    """

    inputs: dict[str, Any]
    input_partitions: tuple[dict[str, Any], dict[str, Any]] | None
    partitions: tuple[Any, Any]
    values: tuple[Any, Any]
    replayed_on: tuple[str, ...] = ("reference",)

    def __str__(self) -> str:
        shown = [", ".join(repr(list(part)) for part in spread) or "none" for spread in self.partitions]
        width = min(max(map(len, shown)), 60)
        lines = [
            f"in partitions {spread:{width}} it returns {value}"
            for spread, value in zip(shown, self.values, strict=True)
        ]
        return "\n".join([*lines, f"replayed on: {', '.join(self.replayed_on)}"])


@dataclass(frozen=True, slots=True, repr=False)
class Finding(Shown):
    """What is known of one call that folds.

    Attributes:
        safety: safe, unsafe or unknown.
        method: the RDD method that is called.
        path, line, column: where its name stands.
        fold: the fold in the papers' notation.
        reason: why it is not known to be safe; empty where a witness says it all.
        invariant: for a safe fold, what its proof needs to know of the accumulated values M; "true" for nothing.
        oracles: for a safe fold, solvers whose word the proof rests on; the goal is none.
        witness: for an unsafe fold, unless the reason lies in its types.
    """

    safety: Safety
    method: str
    path: str
    line: int
    column: int
    fold: str
    reason: str = ""
    invariant: str = ""
    oracles: tuple[str, ...] = ()
    witness: PartitionWitness | None = None

    @property
    def place(self) -> str:
        """Where the call stands, as path:line:column."""
        return f"{self.path}:{self.line}:{self.column}"

    def __str__(self) -> str:
        said = {
            Safety.SAFE: f"the value of {self.method} does not depend on partitions",
            Safety.UNSAFE: f"the value of {self.method} depends on how Spark partitions its elements",
            Safety.UNKNOWN: f"it is not known whether the value of {self.method} depends on partitions",
        }[self.safety]
        details = [self.fold if len(self.fold) <= FOLD_WIDTH else f"{self.fold[:FOLD_WIDTH]}…", self.reason]
        if self.invariant and self.invariant != text(TRUE):
            details.append(f"invariant: {self.invariant}")
        if self.oracles:
            details.append(f"oracles: {', '.join(self.oracles)}")
        if self.witness is not None:
            details.append(str(self.witness))
        shown = indent("\n".join(detail for detail in details if detail), "    ")
        return f"{self.place}: {self.safety}: {said}\n{shown}"


@dataclass(frozen=True, slots=True, repr=False)
class LintReport(Shown):
    """The findings about one program, in the order in which it is read; `str` prints them.

    Attributes:
        program: the name of the function.
        findings: one for each call of a method whose function also merges the results of partitions.
        seconds: how long it took.
    """

    program: str
    findings: tuple[Finding, ...]
    seconds: float

    @property
    def safety(self) -> Safety:
        """Unsafe if a finding is, else unknown if a finding is, else safe."""
        return worst(finding.safety for finding in self.findings)

    def with_safety(self, safety: Safety) -> tuple[Finding, ...]:
        """The findings of one outcome."""
        return tuple(finding for finding in self.findings if finding.safety is safety)

    def __bool__(self) -> bool:
        raise TypeError("a report has three outcomes: compare report.safety with a Safety")

    def __str__(self) -> str:
        none = f"{self.program}: safe: it calls no method whose value may depend on partitions"
        return "\n".join(map(str, self.findings)) or none

    def to_json(self) -> dict[str, Any]:
        """The report as one JSON object, as `tallystick lint --json` prints it."""
        return {**asdict(self), "safety": str(self.safety)}
