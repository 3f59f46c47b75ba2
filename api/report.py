"""Verdicts as text."""

from __future__ import annotations

from typing import Any

from tallystick.verdict import Answer, Counterexample, Raises, Verdict


def summary(before: str, after: str, verdict: Verdict) -> str:
    """What a user wants to know first: the answer, how it was found, and what it rests on."""
    seconds = f"{verdict.seconds:.2f} s"
    relation = {Answer.EQUIVALENT: "≡", Answer.INEQUIVALENT: "≢", Answer.UNKNOWN: "?"}[verdict.verdict]
    lines = [f"{verdict.verdict}{' as sets' * verdict.as_sets}: {_name(before)} {relation} {_name(after)}"]
    if verdict.as_sets:
        lines.append("  what is compared is distinct of both results, not how often an element occurs")
    if verdict.verdict is Answer.UNKNOWN:
        known = f"class {verdict.program_class}, " if verdict.program_class else ""
        lines.append(f"  {known}{seconds}; what was tried:")
        lines += [f"    {method}: {reason}" for method, reason in verdict.reasons.items()]
        return "\n".join(lines)
    if verdict.counterexample is not None:
        lines += _counterexample(_name(before), _name(after), verdict.counterexample)
    found = " > ".join(verdict.method)
    lines.append(f"  class {verdict.program_class}, decided by {found} in {seconds}")
    rests_on = f"oracles: {', '.join(verdict.oracles)}" if verdict.oracles else "no solver has to be trusted"
    lines.append(f"  certificate of {len(verdict.certificate or b'')} bytes, audited: {rests_on}")
    lines += [f"  assuming: {assumption}" for assumption in verdict.assumptions]
    lines += [f"  note: {note}" for note in verdict.notes]
    return "\n".join(lines)


def _name(reference: str) -> str:
    return reference.rpartition(":")[2] or reference


def _counterexample(before: str, after: str, found: Counterexample) -> list[str]:
    width = max(len(before), len(after))
    lines = [f"  on {', '.join(f'{name} = {show(value)}' for name, value in found.inputs.items())}"]
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
