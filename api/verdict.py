"""Verdicts: what Tallystick answers about a pair of programs, as data and as text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, is_dataclass
from datetime import date
from enum import StrEnum
from math import isfinite
from textwrap import indent
from typing import TYPE_CHECKING, Any, cast

from tallystick.showing import Shown

if TYPE_CHECKING:
    from tallystick.findings import LintReport


class Answer(StrEnum):
    """The three answers."""

    EQUIVALENT = "equivalent"
    INEQUIVALENT = "inequivalent"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Raises:
    """What a program does instead of returning: an exception, for an RDD is empty, or a key is missing."""

    raises: str

    def __str__(self) -> str:
        return f"raises {self.raises}: an RDD is empty, or a key is missing"


@dataclass(frozen=True, slots=True)
class DifferingInput:
    """An input on which two programs differ.

    Attributes:
        inputs: for each parameter, a value, or a list of the elements of a bag with repetitions.
        values: the inputs as the programs get them: a date, where `inputs` has the number of its day.
        outputs: what the two programs return there under the reference semantics, or `Raises`.
        replayed_on: what the outputs were reproduced on: "reference" and, if asked, "spark".
        notes: what else the replay showed, such as a fold that Spark reads differently.
    """

    inputs: dict[str, Any]
    outputs: tuple[Any, Any]
    replayed_on: tuple[str, ...] = ("reference",)
    notes: tuple[str, ...] = ()
    values: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Shown):
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
            classifying, auditing, and trying the readings; a prover that was ended tells none of its own.
        solver_calls: how often an SMT solver was asked about a premise.
        programs: the names of both programs.
        trials: for both programs of a definite answer, on how many inputs the reading was compared with the interpreter
            of Python, or why it was not.
        no_one_value: for programs whose value depends on how Spark partitions their elements, each such fold with two
            values that it has; the verdict is unknown then.
    """

    verdict: Answer
    method: tuple[str, ...]
    program_class: str
    complete: bool
    seconds: float
    certificate: bytes | None = None
    counterexample: DifferingInput | None = None
    assumptions: tuple[str, ...] = ()
    oracles: tuple[str, ...] = ()
    reasons: dict[str, str] = field(default_factory=dict[str, str])
    semantics: str = "sparklite"
    notes: tuple[str, ...] = ()
    as_sets: bool = False
    phases: dict[str, float] = field(default_factory=dict[str, float])
    solver_calls: int = 0
    programs: tuple[str, str] = ("left", "right")
    no_one_value: tuple[LintReport, ...] = ()
    trials: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        raise TypeError("a verdict has three values: compare verdict.verdict with an Answer")

    def __str__(self) -> str:
        """What a user wants to know first: the answer, how it was found, and what it rests on."""
        before, after = self.programs
        answered = f"{self.verdict}{' as sets' * self.as_sets}"
        lines = [f"{answered}: {before} {_RELATIONS[self.verdict]} {after}"]
        if self.as_sets:
            lines.append("  what is compared is distinct of both results, not how often an element occurs")
        if self.verdict is Answer.UNKNOWN:
            for report in self.no_one_value:
                lines.append(f"  {report.program} has no one value: it depends on how Spark partitions its elements")
                lines.append(indent(str(report), "    "))
            if not self.reasons:
                return "\n".join(lines)
            known = f"class {self.program_class}, " if self.program_class else ""
            lines.append(f"  {known}{self.seconds:.2f} s; what was tried:")
            lines += [f"    {method}: {reason}" for method, reason in self.reasons.items()]
            return "\n".join(lines)
        if self.counterexample is not None:
            lines += _differing(before, after, self.counterexample)
        lines.append(f"  class {self.program_class}, decided by {' > '.join(self.method)} in {self.seconds:.2f} s")
        rests_on = f"oracles: {', '.join(self.oracles)}" if self.oracles else "no solver has to be trusted"
        lines.append(f"  certificate of {len(self.certificate or b'')} bytes, audited: {rests_on}")
        lines += [f"  assuming: {assumption}" for assumption in self.assumptions]
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The verdict as one JSON object, with the keys of `tallystick check --json`."""
        content = asdict(self)
        del content["counterexample"]
        content["witness"], content["replayed_on"] = None, []
        if (found := self.counterexample) is not None:
            inputs, outputs = (found.values or found.inputs).items(), zip(self.programs, found.outputs, strict=True)
            content["witness"] = {"inputs": _named(inputs), "outputs": _named(outputs)}
            content["replayed_on"] = list(found.replayed_on)
            content["notes"] = [*self.notes, *found.notes]
        content["class"] = content.pop("program_class")
        content["verdict"] = str(self.verdict)
        content["certificate"] = self.certificate.decode() if self.certificate else None
        return content


def _named(values: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
    """Values with their names, as JSON has them."""
    return [
        {"name": name, "value": in_json(asdict(value) if is_dataclass(value) else value)}  # type: ignore[arg-type]
        for name, value in values
    ]


def in_json(value: Any) -> Any:
    """A value with lists for tuples, and texts for numbers and dates of which JSON has none."""
    match value:
        case dict():
            return {name: in_json(each) for name, each in cast("dict[str, Any]", value).items()}
        case list() | tuple():
            return list(map(in_json, cast("list[Any]", value)))
        case None | bool() | int() | str():
            return value
        case float() if isfinite(value):
            return value
        case date():
            return value.isoformat()
        case _:
            return str(value)


_RELATIONS = {Answer.EQUIVALENT: "≡", Answer.INEQUIVALENT: "≢", Answer.UNKNOWN: "?"}


def _differing(before: str, after: str, found: DifferingInput) -> list[str]:
    width = max(len(before), len(after))
    lines = [f"  on {', '.join(f'{name} = {show(value)}' for name, value in (found.values or found.inputs).items())}"]
    lines += [
        f"    {name:{width}} {output if isinstance(output, Raises) else f'returns {show(output)}'}"
        for name, output in zip((before, after), found.outputs, strict=True)
    ]
    lines.append(f"  replayed on: {', '.join(found.replayed_on)}")
    lines += [f"  note: {note}" for note in found.notes]
    return lines


def show(value: Any, limit: int = 400) -> str:
    """A value as Python writes it, cut when it is long."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def listed(value: Any) -> Any:
    """A bag as the sorted list of its elements with repetitions, and other values, as Python has them."""
    from tallystick.frontends.pyspark.values.options import in_order, python_value  # answers about queries need none

    if isinstance(value, dict):
        bag = cast("dict[Any, int]", value)
        return [python_value(item) for item in sorted(bag, key=in_order) for _ in range(bag[item])]
    return python_value(value)
