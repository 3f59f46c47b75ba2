"""Certificates about programs: what they claim, in words; whether it is about given programs; whether it follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tallystick.certificates import kernel
from tallystick.certificates.budget import Budget
from tallystick.certificates.printing import program_lines, value_text
from tallystick.certificates.proofs import Certificate, Counterexample
from tallystick.certificates.trees import used as used_in
from tallystick.certificates.words import quoted
from tallystick.core.operators import OVER_BAGS
from tallystick.core.programs import same_meaning
from tallystick.core.terms import subterms

OTHERS: Final = "other programs, or another meaning of folds"
"""What a certificate is about that is not about given programs."""
COMPARING: Final = ()
"""What is loaded besides to compare a certificate with given programs."""


def lines(certificate: Certificate) -> Iterator[str]:
    """What a certificate claims, in words, with both programs in full."""
    left, right, result = certificate.left, certificate.right, certificate.result
    names = f"{quoted(left.name)} and {quoted(right.name)}"
    if isinstance(result, Counterexample):
        inputs = ", ".join(
            f"{quoted(str(parameter.parameter[0]))} = {value_text(value, parameter.type)}"  # type: ignore[index]
            for parameter, value in zip(left.parameters, result.inputs, strict=True)
        )
        one, other = (value_text(value, left.result) for value in result.outputs)
        yield f"on the input {inputs or 'without parameters'}, {names} return {one} and {other}"
    else:
        yield f"for every input, {names} return the same"
    yield from program_lines(left)
    yield from program_lines(right)


def claim_about(certificate: Certificate, given: Any, semantics: str) -> Certificate | None:
    """A certificate, if it is about two programs, in this order and semantics, whatever their names are."""
    if not isinstance(given, tuple) or certificate.semantics != semantics:
        return None
    return certificate if all(map(same_meaning, (certificate.left, certificate.right), given)) else None


def modules(certificate: Certificate) -> Iterator[str]:
    """What an audit of a certificate loads besides what this module imports, and the rules of its proofs."""
    yield "tallystick.certificates.program_reader"
    if isinstance(certificate.result, Counterexample):
        yield "tallystick.certificates.refuting"
    terms = (*certificate.left.terms, *certificate.right.terms)
    operators = {node.operator for term in terms for node in subterms(term)}
    if not operators.isdisjoint(OVER_BAGS):
        yield "tallystick.core.typing_of_programs"
    if not operators.isdisjoint(kernel.CALLS):
        yield "tallystick.core.exceptions"


def used(certificate: Certificate) -> Iterator[type]:
    """The classes of rules and evidence that a certificate uses."""
    return used_in((certificate.result, certificate.one_values), certificate.NODES)


def check(certificate: Certificate, steps: int, budget: Budget) -> tuple[frozenset[str], tuple[str, ...]]:
    """The oracles on whose word the claim depends; nothing more is to say. Raises a TallystickError like the kernel."""
    return kernel.check(certificate, steps, budget), ()
