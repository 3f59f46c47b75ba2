"""Programs: what they are made of, and when two are comparable."""

import pytest
from hypothesis import given
from strategies import INPUTS, programs
from tallystick.core.errors import SortError
from tallystick.core.programs import Program, comparable
from tallystick.core.terms import Operator, build, constant, element, variable
from tallystick.core.types import BOOL, INT, BagType

R, S, K = INPUTS
LARGE = build(Operator.FILTER, (build(Operator.LESS, (K, element(INT))), R))


@given(programs())
def test_random_programs_are_programs(program):
    assert program.result == program.expression.type
    assert program.bags == (R, S)


@pytest.mark.parametrize(
    ("parameters", "expression", "told"),
    [
        ((R, variable("R", BOOL)), R, "P: parameters are variables with distinct names"),
        ((R, R), R, "P: parameters are variables with distinct names"),
        ((R, constant(1)), R, "P: parameters are variables with distinct names"),
        ((R,), LARGE, "P: the main expression has free variables that are no parameters"),
        ((R, variable("k", BOOL)), LARGE, "P: the main expression has free variables that are no parameters"),
        ((R,), element(INT), "P: the main expression has free variables that are no parameters"),
        ((R,), build(Operator.BOTTOM, (), INT), "P: ⊥ and normal forms belong to program terms, not to programs"),
        (
            (R,),
            build(Operator.MAP, (build(Operator.BOTTOM, (), INT), R)),
            "P: ⊥ and normal forms belong to program terms, not to programs",
        ),
    ],
)
def test_what_is_no_program_is_refused(parameters, expression, told):
    with pytest.raises(SortError) as error:
        Program("P", parameters, expression)
    assert str(error.value) == told


def test_comparable_programs_have_one_list_of_parameters_and_one_result():
    program = Program("P", (R, K), LARGE)
    assert comparable(program, Program("Q", (R, K), R))
    assert not comparable(program, Program("Q", (K, R), R))
    assert not comparable(program, Program("Q", (R, K), build(Operator.MAP, (constant(True), R))))
    assert not comparable(program, Program("Q", (variable("R2", BagType(INT)), K), K))
