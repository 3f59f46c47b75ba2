"""Verdicts: what Tallystick answers about a pair of programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from tallystick.frontends.pyspark.options import in_order, python_value


class Answer(StrEnum):
    """The three answers."""

    EQUIVALENT = "equivalent"
    INEQUIVALENT = "inequivalent"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Raises:
    """What a program does instead of returning: it raises this exception, for an RDD is empty."""

    raises: str

    def __str__(self) -> str:
        return f"raises {self.raises}: an RDD is empty"


@dataclass(frozen=True, slots=True)
class Counterexample:
    """An input on which two programs differ.

    Attributes:
        inputs: for each parameter, a value, or a list of the elements of a bag with repetitions.
        outputs: what the two programs return there under the reference semantics, or `Raises`.
        replayed_on: what the outputs were reproduced on: "reference" and, if asked, "spark".
        notes: what else the replay showed, such as a fold that Spark reads differently.
    """

    inputs: dict[str, Any]
    outputs: tuple[Any, Any]
    replayed_on: tuple[str, ...] = ("reference",)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer about two programs, with what it rests on.

    Attributes:
        verdict: equivalent (with an audited certificate), inequivalent (with a replayed counterexample) or unknown.
        method: the decision methods that found it, outermost first; empty when unknown.
        program_class: the papers' class of the pair.
        complete: whether a method that decides every pair of that class was applied.
        seconds: how long deciding and auditing took.
        certificate: the certificate as canonical JSON; None when unknown.
        counterexample: for inequivalent programs.
        assumptions: what the verdict is relative to.
        oracles: solvers whose word the certificate rests on; the goal is none.
        reasons: for each method that was tried and did not answer, why.
        semantics: how folds are read: "sparklite", as one left fold, or "spark", as Spark folds partitions.
        notes: what else was shown on the way.
        as_sets: whether the answer is about the sets of the elements that the programs return, not about bags.
        phases: the seconds by phase: deciding (with the partition safety of folds, where it matters), certifying,
            classifying and auditing; a prover that was ended tells none of its own.
        solver_calls: how often an SMT solver was asked about a premise.
    """

    verdict: Answer
    method: tuple[str, ...]
    program_class: str
    complete: bool
    seconds: float
    certificate: bytes | None = field(default=None, repr=False)
    counterexample: Counterexample | None = None
    assumptions: tuple[str, ...] = ()
    oracles: tuple[str, ...] = ()
    reasons: dict[str, str] = field(default_factory=dict)
    semantics: str = "sparklite"
    notes: tuple[str, ...] = ()
    as_sets: bool = False
    phases: dict[str, float] = field(default_factory=dict)
    solver_calls: int = 0

    def __bool__(self) -> bool:
        raise TypeError("a verdict has three values: compare verdict.verdict with an Answer")

    def to_json(self) -> dict[str, Any]:
        """The verdict as one JSON object, with the keys of `tallystick check --json`."""
        content = asdict(self)
        content["class"] = content.pop("program_class")
        content["verdict"] = str(self.verdict)
        content["certificate"] = self.certificate.decode() if self.certificate else None
        return content


def listed(value: Any) -> Any:
    """A bag as the sorted list of its elements with repetitions, and other values, as Python has them."""
    if isinstance(value, dict):
        return [python_value(item) for item in sorted(value, key=in_order) for _ in range(value[item])]
    return python_value(value)
