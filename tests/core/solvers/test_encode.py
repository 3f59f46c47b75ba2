"""The one encoding, for each back-end: what it encodes is what the table says, and means what evaluation says."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import cvc5
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from pysmt.environment import Environment
from sampling import examples
from strategies import VARIABLES, terms
from tallystick.certificates.exports.smtlib import Script, script
from tallystick.certificates.judgements import Premise
from tallystick.certificates.obligations import Obligation
from tallystick.certificates.proofs import Oracle
from tallystick.core.answers import Invalid, Valid
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import evaluate
from tallystick.core.operators import FIRST_ORDER, Operator
from tallystick.core.solvers.door import solver
from tallystick.core.solvers.encode import BackEnd, Encoder
from tallystick.core.solvers.pysmt_backends import PySmtTerms
from tallystick.core.solvers.spacer import Z3Terms
from tallystick.core.terms import FALSE, TRUE, Term, build, constant, is_linear, variable
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, OptionType, TupleType, Value

X, Y, P, Q = variable("x", INT), variable("y", INT), variable("p", BOOL), variable("q", BOOL)
PAIR, MAYBE = variable("s", TupleType((INT, BOOL))), variable("m", OptionType(INT))
FRACTION, WORD = variable("f", RATIONAL), variable("t", TEXT)

LINEAR: dict[Operator, tuple[Term, ...]] = {
    Operator.CONSTANT: (constant(-7), TRUE, FALSE),
    Operator.ADD: (build(Operator.ADD, (X, Y, X)),),
    Operator.SCALE: (build(Operator.SCALE, (X,), -3),),
    Operator.DIV: (build(Operator.DIV, (X,), 3),),
    Operator.MOD: (build(Operator.MOD, (X,), 3),),
    Operator.EQUAL: tuple(build(Operator.EQUAL, pair) for pair in ((X, Y), (P, Q), (PAIR, PAIR))),
    Operator.LESS: (build(Operator.LESS, (X, Y)),),
    Operator.LESS_EQUAL: (build(Operator.LESS_EQUAL, (X, Y)),),
    Operator.NOT: (build(Operator.NOT, (P,)),),
    Operator.AND: (build(Operator.AND, (P, Q)),),
    Operator.OR: (build(Operator.OR, (P, Q)),),
    Operator.TUPLE: (build(Operator.TUPLE, (X, PAIR)),),
    Operator.PROJECTION: (build(Operator.PROJECTION, (PAIR,), 1),),
    Operator.ITE: (build(Operator.ITE, (P, X, Y)), build(Operator.ITE, (P, PAIR, build(Operator.TUPLE, (X, Q))))),
}
NONLINEAR: dict[Operator, tuple[tuple[Term, str], ...]] = {
    Operator.CONSTANT: ((constant("a"), "constant"), (constant(Fraction(1, 2)), "constant")),
    Operator.MULTIPLY: ((build(Operator.MULTIPLY, (X, Y)), "multiply"),),
    Operator.TO_RATIONAL: ((build(Operator.TO_RATIONAL, (X,)), "to_rational"),),
    Operator.LESS: ((build(Operator.LESS, (WORD, WORD)), "a variable of type Text"),),
    Operator.ADD: ((build(Operator.ADD, (FRACTION, FRACTION)), "a variable of type Rational"),),
    Operator.NONE: ((build(Operator.NONE, (), INT), "none"),),
    Operator.SOME: ((build(Operator.SOME, (X,)), "some"),),
    Operator.IS_NONE: ((build(Operator.IS_NONE, (MAYBE,)), "a variable of type"),),
    Operator.VALUE: ((build(Operator.VALUE, (build(Operator.SOME, (X,)),)), "some"),),
    Operator.APPLY: ((build(Operator.APPLY, (X,), ("f", INT)), "apply"),),
}
BACK_ENDS: dict[str, Callable[[], BackEnd]] = {
    "pySMT": lambda: PySmtTerms(Environment()),
    "Z3": lambda: Z3Terms(z3.Context()),
    "SMT-LIB": Script,
}


def test_the_samples_have_every_first_order_operator() -> None:
    assert LINEAR.keys() | NONLINEAR.keys() == FIRST_ORDER.keys()
    assert {operator for operator, row in FIRST_ORDER.items() if row.symbol} <= LINEAR.keys()


@pytest.mark.parametrize("name", BACK_ENDS)
@pytest.mark.parametrize("operator", LINEAR)
def test_what_is_linear_is_encoded(name: str, operator: Operator) -> None:
    for term in LINEAR[operator]:
        assert is_linear(term)
        assert Encoder(BACK_ENDS[name]()).encode(term) is not None


@pytest.mark.parametrize("name", BACK_ENDS)
@pytest.mark.parametrize("operator", NONLINEAR)
def test_what_is_not_linear_is_refused_by_name(name: str, operator: Operator) -> None:
    for term, named in NONLINEAR[operator]:
        assert not is_linear(term)
        with pytest.raises(FragmentError) as caught:
            Encoder(BACK_ENDS[name]()).encode(term)
        assert str(caught.value).startswith(named)
        assert str(caught.value).endswith("does not belong into a formula")


def test_two_variables_of_one_name_in_a_script_are_refused() -> None:
    pair, clash = variable("x", TupleType((INT,))), variable("x.0", INT)
    with pytest.raises(FragmentError) as caught:
        Encoder(Script()).encode(build(Operator.EQUAL, (build(Operator.PROJECTION, (pair,), 0), clash)))
    assert str(caught.value) == "two variables are called 'x.0'"


def by_script(formula: Term) -> bool:
    text = script(Obligation("proof", Premise("premise", formula), Oracle("z3")))
    text = text.replace("(set-info :status unsat)", "")
    one = z3.Solver()
    one.from_string(text)
    other = cvc5.Solver()
    parser = cvc5.InputParser(other)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "premise")
    answers = []
    while not (command := parser.nextCommand()).isNull():
        answers.append(str(command.invoke(other, parser.getSymbolManager())).strip())
    (answer,) = filter(None, answers)
    assert str(one.check()) == answer
    return answer == "unsat"


def by_z3_terms(formula: Term) -> bool:
    made = Z3Terms(z3.Context())
    search = z3.Solver(ctx=made.context)
    search.add(z3.Not(Encoder(made).encode(formula)))
    return search.check() == z3.unsat


def by_pysmt(name: str) -> Callable[[Term], bool]:
    def valid(formula: Term) -> bool:
        answer = solver(name).validity(formula)
        assert isinstance(answer, Valid | Invalid)
        return isinstance(answer, Valid)

    return valid


DECIDERS: dict[str, Callable[[Term], bool]] = {
    "z3": by_pysmt("z3"),
    "cvc5": by_pysmt("cvc5"),
    "Z3": by_z3_terms,
    "SMT-LIB": by_script,
}


def value_term(value: Value) -> Term:
    return build(Operator.TUPLE, tuple(map(value_term, value))) if isinstance(value, tuple) else constant(value)  # type: ignore[arg-type]


def values(of: object) -> st.SearchStrategy[Value]:
    if isinstance(of, TupleType):
        return st.tuples(*map(values, of.components))
    return st.booleans() if of == BOOL else st.integers(-30, 30)


@pytest.mark.parametrize("name", DECIDERS)
@settings(max_examples=examples(60))
@given(st.data())
def test_an_encoded_term_has_the_value_that_evaluation_gives(name: str, data: st.DataObject) -> None:
    of = data.draw(st.sampled_from((INT, BOOL, PAIR.type)))
    term = data.draw(terms(of, VARIABLES, 4))  # type: ignore[arg-type]
    point = {each: data.draw(values(each.type)) for each in VARIABLES}
    there = [build(Operator.EQUAL, (each, value_term(value))) for each, value in point.items()]
    has_value = build(Operator.EQUAL, (term, value_term(evaluate(term, point))))  # type: ignore[arg-type]
    elsewhere = build(Operator.NOT, (build(Operator.AND, tuple(there)),))
    assert DECIDERS[name](build(Operator.OR, (elsewhere, has_value)))
    assert not DECIDERS[name](build(Operator.OR, (elsewhere, build(Operator.NOT, (has_value,)))))
