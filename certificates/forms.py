"""Linear forms over unknowns, exact (trusted)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Final

from tallystick.core.errors import RefutationError
from tallystick.core.terms import Term
from tallystick.core.types import RationalType

Literal = tuple[Term, bool]
"""A formula, and whether it is assumed to hold or to fail."""


@dataclass(slots=True, eq=False)
class Form:
    """Σ coefficient · unknown + constant, no coefficient 0; as a fact, the atom that this is ≤ 0, or < 0 if `strict`.

    In atoms all numbers are integers; in terms there may be fractions. `origin` is the literal that an atom stands for.
    """

    coefficients: Mapping[Term, int]
    constant: int
    strict: bool = False
    origin: Literal | None = None

    @property
    def contradictory(self) -> bool:
        """Whether no values of the unknowns make the atom true."""
        return not self.coefficients and (self.constant > 0 or (self.strict and self.constant == 0))

    @property
    def trivial(self) -> bool:
        """Whether the atom is true of all values, since it has no unknown."""
        return not self.coefficients and not self.contradictory


ONE: Final = Form({}, 1)
MAX_BITS: Final = 8192
"""How long the numbers of forms, and of refutations, may be."""


def size_of(form: Form) -> int:
    """How many cells of memory a form takes; raises RefutationError when a number in it is too long."""
    size = 1
    for number in (form.constant, *form.coefficients.values()):
        bits = number.numerator.bit_length() + number.denominator.bit_length()
        if bits > MAX_BITS:
            raise RefutationError(f"a number has more than {MAX_BITS} bits")
        size += 1 + (bits >> 9)
    return size


def total(*parts: tuple[int, Form]) -> Form:
    """The sum of multiplier · form."""
    coefficients: dict[Term, int] = {}
    offset = 0
    for multiplier, form in parts:
        offset += multiplier * form.constant
        for unknown, coefficient in form.coefficients.items():
            coefficients[unknown] = coefficients.get(unknown, 0) + multiplier * coefficient
    return Form({unknown: coefficient for unknown, coefficient in coefficients.items() if coefficient}, offset)


def tightened(form: Form, strict: bool = False, origin: Literal | None = None) -> Form:
    """The atom form ≤ 0, or form < 0, in integers without a common divisor.

    Over integer unknowns, form < 0 becomes form + 1 ≤ 0, and the constant is rounded up after the division.
    """
    numbers = [*form.coefficients.values(), form.constant]
    if any(type(number) is Fraction for number in numbers):
        scale = lcm(*(number.denominator for number in numbers))
        coefficients = {unknown: int(part * scale) for unknown, part in form.coefficients.items()}
        form = Form(coefficients, int(form.constant * scale))
    if any(type(unknown.type) is RationalType for unknown in form.coefficients):
        divisor = gcd(form.constant, *form.coefficients.values())
    else:
        form = Form(form.coefficients, form.constant + 1) if strict else form
        divisor, strict = gcd(*form.coefficients.values()) or 1, False
    constant = -(-form.constant // divisor)
    return Form({x: a // divisor for x, a in form.coefficients.items()}, constant, strict, origin)
