"""The audit of a certificate: every premise is derived anew and every step replayed in the kernel, without a solver.

The reader and the kernel do that; they are trusted. This module puts what they found into words.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path

from tallystick.certificates import kernel, reader
from tallystick.certificates.codec import require_canonical
from tallystick.certificates.proofs import Certificate, Counterexample, Step
from tallystick.certificates.reader import LIMITS, Limits
from tallystick.certificates.trusted import trusted_modules
from tallystick.core.errors import CertificateError, TallystickError
from tallystick.core.programs import Program


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit found; `str` prints it.

    Attributes:
        accepted: whether the claim holds, if the oracles are right.
        reason: the step that failed and why, or that all hold.
        verdict: "equivalent" or "inequivalent" as claimed; empty when nothing could be read.
        claim: the claim in words.
        assumptions: under which the programs mean what their sources mean.
        rules: how often each rule of the kernel and each kind of evidence is used.
        oracles: the solvers whose word the claim depends on.
    """

    accepted: bool
    reason: str
    verdict: str = ""
    claim: str = ""
    assumptions: tuple[str, ...] = ()
    rules: tuple[tuple[str, int], ...] = ()
    oracles: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        """How many rules and pieces of evidence were claimed."""
        return sum(count for _, count in self.rules)

    def __str__(self) -> str:
        modules = trusted_modules()
        parts = {
            "accepted" if self.accepted else "rejected": self.reason,
            "claim": self.claim,
            "assuming": "; ".join(self.assumptions),
            "rules": ", ".join(f"{rule} {count}" for rule, count in self.rules),
            "oracles": ", ".join(self.oracles) or "none",
            "trusted": f"{sum(modules.values())} lines in {len(modules)} modules",
        }
        wrapper = textwrap.TextWrapper(80, subsequent_indent=" " * 10)
        return "\n".join(wrapper.fill(f"{name:<10}{text}") for name, text in parts.items() if text)


def audit(
    certificate: bytes | str | Path, against: tuple[Program, Program] | None = None, limits: Limits = LIMITS
) -> AuditReport:
    """Checks a certificate, given as bytes or as the path of a file.

    With `against`, it has to be about programs with these parameters and expressions, in this order. Raises OSError
    when the file cannot be read; everything else that is wrong is the report's reason.
    """
    report = AuditReport(False, "")
    try:
        data = certificate if isinstance(certificate, bytes) else _contents(certificate, limits)
        read = reader.read(data, limits)
        rules = Counter(_names(read.result))
        assumptions = tuple(map(_shown, read.assumptions))
        report = AuditReport(False, "", read.verdict, _shown(claim(read)), assumptions, tuple(rules.items()))
        if against is not None and not all(map(_same, (read.left, read.right), against)):
            raise CertificateError("the certificate is about other programs")
        require_canonical(read, data)
        oracles = tuple(map(_shown, sorted(kernel.check(read, limits.evaluation))))
    except (TallystickError, RecursionError) as error:
        return replace(report, reason=_shown(str(error)))
    return replace(report, accepted=True, reason="every step holds", oracles=oracles)


def _same(program: Program, other: Program) -> bool:
    return (program.parameters, program.expression) == (other.parameters, other.expression)


def claim(certificate: Certificate) -> str:
    """What a certificate claims, in words."""
    left, right = certificate.left, certificate.right
    names = f"{left.name!r} and {right.name!r}"
    inputs = ", ".join(f"{parameter.parameter[0]}: {parameter.type}" for parameter in left.parameters)  # type: ignore[index]
    if not isinstance(certificate.result, Counterexample):
        return f"for every input ({inputs}), {names} return the same {left.result}"
    values = ", ".join(
        f"{parameter.parameter[0]} = {_value(value)}"  # type: ignore[index]
        for parameter, value in zip(left.parameters, certificate.result.inputs, strict=True)
    )
    outputs = " and ".join(map(_value, certificate.result.outputs))
    return f"on the input {values}, {names} return {outputs}"


def _value(value: object) -> str:
    if not isinstance(value, dict):
        return str(value)
    return "{{" + ", ".join(f"{x} (×{n})" if n > 1 else str(x) for x, n in sorted(value.items())) + "}}"


def _shown(text: str) -> str:
    """A text for the terminal: short, and without what a terminal would obey."""
    shown = text if len(text) <= 1000 else f"{text[:1000]} …"
    return shown if shown.isprintable() else ascii(shown)


def _names(node: object) -> Iterator[str]:
    """The names of the rules and of the evidence in a proof."""
    if is_dataclass(node):
        if not isinstance(node, Step):
            yield type(node).__name__
        for field in fields(node):
            yield from _names(getattr(node, field.name))
    elif isinstance(node, tuple):
        for part in node:
            yield from _names(part)


def _contents(path: str | Path, limits: Limits) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(limits.bytes + 1)
