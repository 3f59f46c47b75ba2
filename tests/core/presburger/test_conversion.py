"""Core formulas become Presburger formulas of the same meaning, and back."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import VARIABLES, formulas, values
from tallystick.core import terms
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import evaluate
from tallystick.core.presburger import sharing
from tallystick.core.presburger.conversion import Conversion, from_term, to_term
from tallystick.core.presburger.formulas import Exists, Formula, conjunction, equal, free_names, holds
from tallystick.core.presburger.linear import unknown
from tallystick.core.presburger.search import satisfy
from tallystick.core.presburger.syntax import parse
from tallystick.core.terms import Operator, Term, build, variable
from tallystick.core.types import BOOL, INT, BagType, TupleType, Value

from .presburger_strategies import quantifier_free

X, Y, B = variable("x", INT), variable("y", INT), variable("b", BOOL)
PAIR = variable("p", TupleType((INT, BOOL)))

ENVIRONMENTS = st.fixed_dictionaries({term: values(term.type) for term in VARIABLES})  # type: ignore[arg-type]


def _fixed(conversion: Conversion, model: dict[Term, Value]) -> list[Formula]:
    """Equations that give the unknowns of a conversion the values of a model."""
    result: list[Formula] = []
    for name in conversion.paths.keys() - conversion.auxiliary:
        value = evaluate(conversion.paths[name], model)
        result.append(equal(unknown(name).shift(-int(value))))  # type: ignore[arg-type]
    return result


@pytest.mark.parametrize("large", [1, 4, sharing.LARGE])
@given(formulas(depth=3), ENVIRONMENTS)
def test_a_formula_and_its_negation_mean_what_the_interpreter_says(
    large: int, term: Term, model: dict[Term, Value]
) -> None:
    conversion = Conversion()
    with patch.object(sharing, "LARGE", large):
        truth, falsity = conversion.formula(term), conversion.formula(term, positive=False)
    fixed = _fixed(conversion, model)
    expected = evaluate(term, model)
    assert (satisfy(conjunction((truth, *fixed))) is not None) == expected
    assert (satisfy(conjunction((falsity, *fixed))) is None) == expected


@given(quantifier_free(), st.fixed_dictionaries({name: st.integers(-20, 20) for name in "xyz"}))
def test_back_to_terms_means_the_same(formula: Formula, found: dict[str, int]) -> None:
    term = to_term(formula)
    assert evaluate(term, {variable(name, INT): value for name, value in found.items()}) == holds(formula, found)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (terms.less(X, Y), "x + 1 <= y"),
        (terms.equal(build(Operator.MOD, (X,), 5), terms.constant(3)), "5 | x + 2"),
        (terms.equal(terms.constant(3), build(Operator.MOD, (X,), 5)), "5 | x + 2"),
        (terms.equal(build(Operator.MOD, (X,), 5), build(Operator.MOD, (Y,), 5)), "5 | x - y"),
        (terms.equal(build(Operator.MOD, (X,), 5), terms.constant(7)), "false"),
        (B, "b >= 1"),
        (terms.negation(B), "b <= 0"),
        (terms.equal(B, terms.less(X, Y)), "b >= 1 and x < y or b <= 0 and x >= y"),
    ],
)
def test_without_auxiliary_unknowns(term: Term, text: str) -> None:
    assert from_term(term) == parse(text)


def test_subterms_are_named_once_and_bound() -> None:
    quotient = build(Operator.DIV, (X,), 3)
    formula = from_term(terms.conjunction(terms.less(quotient, Y), terms.less(Y, terms.scale(2, quotient))))
    assert isinstance(formula, Exists)
    assert formula.names == ("?0",)
    assert free_names(formula) == {"x", "y"}


def test_components_and_variables_of_one_name_keep_apart() -> None:
    conversion = Conversion()
    names = [
        conversion.unknowns(variable("p.0", INT)),
        conversion.unknowns(PAIR),
        conversion.unknowns(variable("p.0", BOOL)),
    ]
    assert names == [("p.0",), ("p.0'", "p.1"), ("p.0''",)]
    assert conversion.model({"p.0": 3, "p.0'": 4, "p.1": 1}, [PAIR]) == {PAIR: (4, True)}


def test_booleans_come_back_as_booleans() -> None:
    conversion = Conversion()
    formula = conversion.formula(terms.conjunction(B, terms.negation(terms.project(PAIR, 1))))
    assert conversion.term(formula) is terms.conjunction(B, terms.negation(terms.project(PAIR, 1)))


@pytest.mark.parametrize(
    ("term", "message"),
    [
        (X, "expected a Bool-typed formula, found Int"),
        (build(Operator.BOTTOM, (), BOOL), "bottom does not belong into a formula"),
        (terms.less(terms.element(INT), X), "element does not belong into a formula"),
        (
            terms.less(build(Operator.FOLD, (X, terms.accumulator(INT), variable("R", BagType(INT)))), X),
            "fold does not belong into a formula",
        ),
    ],
)
def test_what_is_no_formula_is_refused_by_name(term: Term, message: str) -> None:
    with pytest.raises(FragmentError) as caught:
        from_term(term)
    assert str(caught.value) == message


def test_quantifiers_do_not_come_back() -> None:
    with pytest.raises(FragmentError) as caught:
        to_term(parse("exists x. x = y"))
    assert str(caught.value) == "a formula with a quantifier is no core term: eliminate it first"
