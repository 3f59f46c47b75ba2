"""The audit of a certificate: every premise is derived anew and every step replayed in the kernel, without a solver."""

from __future__ import annotations

import ast
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path

from tallystick.certificates import kernel
from tallystick.certificates.codec import LIMITS, Certificate, Counterexample, Limits, decode
from tallystick.core.errors import CertificateError, TallystickError
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE


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
            "trusted": f"{sum(modules.values())} lines of code in {len(modules)} modules",
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
        decoded = decode(certificate if isinstance(certificate, bytes) else _contents(certificate, limits), limits)
        rules = Counter(_names(decoded.result))
        assumptions = tuple(map(_shown, decoded.assumptions))
        report = AuditReport(False, "", decoded.verdict, _shown(claim(decoded)), assumptions, tuple(rules.items()))
        if against is not None and not all(map(_same, (decoded.left, decoded.right), against)):
            raise CertificateError("the certificate is about other programs")
        oracles = tuple(map(_shown, sorted(_replay(decoded, limits))))
    except (TallystickError, RecursionError) as error:
        return replace(report, reason=_shown(str(error)))
    return replace(report, accepted=True, reason="every step holds", oracles=oracles)


def _same(program: Program, other: Program) -> bool:
    return (program.parameters, program.expression) == (other.parameters, other.expression)


def trusted_modules() -> dict[str, int]:
    """The modules that an audit runs, found by following imports from this one, with their numbers of lines of code:
    blank lines, comments and docstrings are not counted."""
    found: dict[str, int] = {}
    names = [__name__]
    for name in names:
        if name in sys.modules and name not in found:
            text = Path(sys.modules[name].__file__ or "").read_text(encoding="utf-8")
            code = {
                number for number, line in enumerate(text.splitlines(), 1) if line.strip() and line.strip()[0] != "#"
            }
            for node in ast.walk(ast.parse(text)):
                match node:
                    case ast.Expr(value=ast.Constant(value=str())):
                        code -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
                    case ast.ImportFrom(module=str(module)) if module.startswith("tallystick."):
                        names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
            found[name] = len(code)
    return dict(sorted(found.items()))


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
        yield type(node).__name__
        for field in fields(node):
            yield from _names(getattr(node, field.name))
    elif isinstance(node, tuple):
        for part in node:
            yield from _names(part)


def _contents(path: str | Path, limits: Limits) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(limits.bytes + 1)


def _replay(certificate: Certificate, limits: Limits) -> frozenset[str]:
    """The oracles behind the claim; fails unless the kernel proves the very claim."""
    left, right, result = certificate.left, certificate.right, certificate.result
    if isinstance(result, Counterexample):
        environment = dict(zip(left.parameters, result.inputs, strict=True))
        if kernel.inequivalent(left, right, environment, limits.evaluation).outputs != result.outputs:
            raise CertificateError("the programs return other values than the certificate says")
        return kernel.NO_ORACLES
    theorem = kernel.equivalent(left, right, result)
    if theorem.goal != (TRUE, left.expression, right.expression):
        raise CertificateError("the proof proves another claim")
    return theorem.oracles
