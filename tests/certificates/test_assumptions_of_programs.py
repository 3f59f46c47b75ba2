"""What programs need to mean what their sources mean is assumed by name, or the kernel rejects the certificate."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from tallystick.certificates.kernel import check
from tallystick.certificates.proofs import ASSUMPTIONS, Certificate, Step
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.core.errors import KernelError
from tallystick.core.functions import RAISE
from tallystick.core.programs import SPARKLITE, MergedFold, Program
from tallystick.core.terms import (
    Operator,
    Term,
    accumulator,
    apply_function,
    build,
    constant,
    element,
    tuple_of,
    variable,
)
from tallystick.core.types import INT, RATIONAL, TEXT, BagType

LINES = variable("lines", BagType(TEXT))


def certificate(value: Term, *assumptions: str) -> Certificate:
    """That a program which maps the lines is itself."""
    program = Program("p", (LINES,), build(Operator.MAP, (value, LINES)))
    return Certificate(program, program, SPARKLITE, ("", ""), assumptions, (), (), Step(Reflexive()))


LINE = element(TEXT)
NEEDED = {
    "int of a text": (apply_function("int", INT, LINE), ASSUMPTIONS[4]),
    "a piece of a text": (apply_function("word", TEXT, LINE, constant(0)), ASSUMPTIONS[4]),
    "an exception": (apply_function(RAISE, INT), ASSUMPTIONS[4]),
    "a float": (constant(Fraction(1, 2)), ASSUMPTIONS[3]),
    "a decimal": (tuple_of(apply_function("number", RATIONAL, LINE)), ASSUMPTIONS[2]),
}


@pytest.mark.parametrize("name", NEEDED)
def test_what_programs_need_is_assumed_by_name(name: str) -> None:
    value, needed = NEEDED[name]
    check(certificate(value, needed, ASSUMPTIONS[4]))
    with pytest.raises(KernelError, match="assumes that"):
        check(certificate(value))


@pytest.mark.parametrize("name", ["int of a text", "an exception"])
def test_what_merges_partitions_is_part_of_a_program(name: str) -> None:
    """A fold that the value does not use, whose results are merged by a function that may raise."""
    merged = {
        "int of a text": apply_function("int", INT, apply_function("str", TEXT, accumulator(INT))),
        "an exception": apply_function(RAISE, INT),
    }[name]
    fold = build(Operator.FOLD, (constant(0), accumulator(INT), LINES))
    made = certificate(LINE, *ASSUMPTIONS)
    program = replace(made.left, folds=(MergedFold(fold, merged),))
    step = Step(Reflexive())
    with pytest.raises(KernelError, match="may raise: the claim assumes that"):
        check(replace(made, left=program, right=program, assumptions=()))
    with pytest.raises(KernelError, match="need as many proofs that they have one value"):
        check(replace(made, left=program, right=program, result=step))


def test_functions_that_never_raise_need_no_assumption() -> None:
    check(certificate(apply_function("str.lower", TEXT, LINE)))
