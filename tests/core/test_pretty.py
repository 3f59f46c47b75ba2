"""Text: notation, precedence, names of bound variables."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import INPUTS, PAIR, VARIABLES, programs
from tallystick.core.binders import every
from tallystick.core.pretty import program_text, text, udf_text, with_named_rows
from tallystick.core.programs import Program
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    accumulator,
    build,
    constant,
    element,
    less,
    project,
    row,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType, TupleType

R, S, K = INPUTS
X, Y, Z, P, Q, T = VARIABLES[:6]
E, A = element(INT), accumulator(INT)
PAIR_E = element(PAIR)
ONE, FIVE = constant(1), constant(5)
NESTED = TupleType((PAIR, PAIR))


def made(operator, *arguments, parameter=None):
    return build(operator, arguments, parameter)


def add(*terms):
    return made(Operator.ADD, *terms)


def times(factor, term):
    return made(Operator.SCALE, term, parameter=factor)


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (constant(-5), "-5"),
        (TRUE, "true"),
        (made(Operator.BOTTOM, parameter=INT), "⊥"),
        (row(2, INT), "x2"),
        (add(X, times(-1, Y), times(-3, Z), constant(-7), times(2, X)), "x - y - 3*z - 7 + 2*x"),
        (add(times(-1, X), Y), "-x + y"),
        (add(X, add(Y, Z)), "x + (y + z)"),
        (add(X, add(times(-1, Y), Z)), "x + (-y + z)"),
        (times(2, add(X, Y)), "2*(x + y)"),
        (times(-1, times(-2, X)), "-(-2*x)"),
        (times(2, constant(-3)), "2*(-3)"),
        (times(0, X), "0*x"),
        (made(Operator.DIV, times(2, X), parameter=3), "(2*x) div 3"),
        (made(Operator.MOD, add(X, Y), parameter=3), "(x + y) mod 3"),
        (times(2, made(Operator.MOD, X, parameter=3)), "2*(x mod 3)"),
        (add(X, made(Operator.DIV, Y, parameter=3)), "x + y div 3"),
        (less(FIVE, X), "x > 5"),
        (less(X, FIVE), "x < 5"),
        (less(ONE, FIVE), "1 < 5"),
        (made(Operator.LESS_EQUAL, FIVE, X), "x ≥ 5"),
        (made(Operator.NOT, less(X, FIVE)), "x ≥ 5"),
        (made(Operator.NOT, made(Operator.LESS_EQUAL, FIVE, X)), "x < 5"),
        (made(Operator.NOT, made(Operator.EQUAL, ONE, X)), "x ≠ 1"),
        (made(Operator.EQUAL, made(Operator.EQUAL, P, Q), made(Operator.NOT, P)), "(p = q) = (¬p)"),
        (made(Operator.NOT, made(Operator.NOT, P)), "¬¬p"),
        (made(Operator.NOT, made(Operator.AND, P, Q)), "¬(p ∧ q)"),
        (made(Operator.AND, made(Operator.OR, P, Q), made(Operator.NOT, P), less(X, Y)), "(p ∨ q) ∧ ¬p ∧ x < y"),
        (made(Operator.OR, made(Operator.AND, P, Q), made(Operator.OR, P, Q)), "p ∧ q ∨ (p ∨ q)"),
        (made(Operator.OR, made(Operator.NOT, made(Operator.AND, P, Q)), P, Q), "p ∧ q ⇒ p ∨ q"),
        (
            made(Operator.OR, made(Operator.NOT, P), made(Operator.OR, made(Operator.NOT, Q), P)),
            "p ⇒ (q ⇒ p)",
        ),
        (made(Operator.AND, made(Operator.OR, made(Operator.NOT, P), Q), P), "(p ⇒ q) ∧ p"),
        (tuple_of(X), "(x,)"),
        (tuple_of(X, tuple_of(P, Y)), "(x, (p, y))"),
        (made(Operator.PROJECTION, T, parameter=1), "p₂(s)"),
        (made(Operator.ITE, P, add(X, Y), X), "ite(p, x + y, x)"),
        (add(E, A), "element + accumulator"),
    ],
)
def test_a_term_reads_as_in_the_papers(term, expected):
    assert text(term) == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (made(Operator.MAP, times(2, E), R), "map(λx. 2*x)(R)"),
        (made(Operator.FILTER, TRUE, R), "filter(λx. true)(R)"),
        (made(Operator.FOLD, constant(0), add(A, E), R), "fold(0, λA,x. A + x)(R)"),
        (made(Operator.FOLD_BY_KEY, constant(0), add(A, E), S), "foldByKey(0, λA,x. A + x)(S)"),
        (made(Operator.FOLD, ONE, add(A, project(PAIR_E, 1)), S), "fold(1, λA,(x, y). A + y)(S)"),
        (made(Operator.CARTESIAN, R, made(Operator.UNION, R, R)), "cartesian(R, union(R, R))"),
        (made(Operator.DISTINCT, S), "distinct(S)"),
        (made(Operator.MAP, tuple_of(PAIR_E, project(PAIR_E, 0)), S), "map(λx. (x, p₁(x)))(S)"),
        (
            made(
                Operator.FILTER,
                less(project(project(element(NESTED), 0), 1), project(project(element(NESTED), 1), 0)),
                made(Operator.CARTESIAN, S, S),
            ),
            "filter(λ((x, y), (z, w)). y < z)(cartesian(S, S))",
        ),
        (
            made(
                Operator.MAP,
                made(Operator.EQUAL, *(project(element(NESTED), i) for i in (0, 1))),
                made(Operator.CARTESIAN, S, S),
            ),
            "map(λ(x, y). x = y)(cartesian(S, S))",
        ),
        (
            made(Operator.FOLD, tuple_of(ONE, FALSE), tuple_of(E, project(accumulator(TupleType((INT, BOOL))), 1)), R),
            "fold((1, false), λ(A, B),x. (x, B))(R)",
        ),
    ],
)
def test_an_operation_on_bags_shows_its_udf(term, expected):
    assert text(term) == expected


def test_bound_variables_do_not_take_the_names_of_free_ones():
    body = add(A, E, variable("x", INT), variable("A", INT), variable("y", INT))
    assert udf_text(body, A, E) == "λB,z. B + z + x + A + y"
    letters = add(E, *(variable(name, INT) for name in "xyzwuv"))
    assert udf_text(letters, E) == "λx1. x1 + x + y + z + w + u + v"


def test_an_inner_udf_has_bound_variables_of_its_own():
    total = made(Operator.FOLD, constant(0), add(A, E), made(Operator.FILTER, less(E, K), R))
    assert text(made(Operator.MAP, add(E, total), R)) == ("map(λx. x + fold(0, λA,x. A + x)(filter(λx. x < k)(R)))(R)")


def test_a_program_reads_with_its_parameters_and_their_types():
    program = Program("P", (variable("R", BagType(PAIR)), K), made(Operator.MAP, K, variable("R", BagType(PAIR))))
    assert program_text(program) == "P(R: Bag[(Int, Int)], k: Int) = map(λx. k)(R)"
    assert program_text(Program("zero", (), constant(0))) == "zero() = 0"


@given(programs())
def test_every_program_has_a_text_on_one_line_with_balanced_parentheses(program):
    written = program_text(program)
    assert written.isprintable()
    assert written.count("(") == written.count(")")
    assert "element" not in written
    assert "accumulator" not in written


def test_rows_are_named_after_their_bags_by_names_that_nothing_else_has():
    rows = tuple_of(row(0, INT), row(1, INT), row(2, PAIR), row(3, BOOL), row(4, BOOL), variable("x_S", INT))
    named = with_named_rows(rows, (R, R, S, every(BOOL), every(BOOL)))
    assert text(named) == "(x_R, x_R', x_S', y, y', x_S)"
