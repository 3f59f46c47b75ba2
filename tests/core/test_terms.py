"""Terms: typing rules, hash-consing, immutability, substitution."""

import copy
import pickle
import threading
from fractions import Fraction
from itertools import pairwise
from operator import is_

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import INPUTS, PAIR, VARIABLES, bag_expressions, environments, formulas, int_terms, terms
from tallystick.core.errors import SortError
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    accumulator,
    aggregates,
    apply,
    build,
    conjunction,
    constant,
    disjunction,
    element,
    equal,
    free_variables,
    implies,
    ite,
    multiply,
    negation,
    none,
    project,
    scale,
    simplified,
    slot,
    substitute,
    subterms,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BagType, OptionType, TupleType

X, P, T, W = VARIABLES[0], VARIABLES[3], VARIABLES[5], VARIABLES[7]
R, S, _ = INPUTS
Q = variable("Q", BagType(TupleType((BOOL, INT))))
ONE = constant(1)
SMALL = build(Operator.LESS, (element(INT), constant(5)))
OPEN_BAG = build(Operator.MAP, (ONE, R))
SUM = build(Operator.ADD, (accumulator(INT), element(INT)))

HALF, LETTER = constant(Fraction(1, 2)), constant("a")
ALL_OF_R = build(Operator.MONOMIAL, (R, TRUE, slot(0, INT)))
BAG = build(Operator.SUMMATION, (ALL_OF_R,), INT)
BY_SLOT = build(Operator.SUMMATION, (build(Operator.MONOMIAL, (equal(slot(0, INT), ONE), slot(0, INT))),), INT)
"""A bag that hangs on a slot of a monomial around it."""

ACCEPTED = [
    (Operator.CONSTANT, (), 7, INT),
    (Operator.CONSTANT, (), True, BOOL),
    (Operator.VARIABLE, (), ("R", BagType(INT)), BagType(INT)),
    (Operator.ELEMENT, (), PAIR, PAIR),
    (Operator.ACCUMULATOR, (), INT, INT),
    (Operator.BOTTOM, (), BOOL, BOOL),
    (Operator.ADD, (X, X, X), None, INT),
    (Operator.SCALE, (X,), -3, INT),
    (Operator.DIV, (X,), 3, INT),
    (Operator.MOD, (X,), 3, INT),
    (Operator.EQUAL, (T, T), None, BOOL),
    (Operator.LESS, (X, ONE), None, BOOL),
    (Operator.LESS_EQUAL, (X, ONE), None, BOOL),
    (Operator.NOT, (P,), None, BOOL),
    (Operator.AND, (P, P, TRUE), None, BOOL),
    (Operator.OR, (P, P), None, BOOL),
    (Operator.TUPLE, (X, P), None, TupleType((INT, BOOL))),
    (Operator.TUPLE, (X,), None, TupleType((INT,))),
    (Operator.PROJECTION, (T,), 1, BOOL),
    (Operator.ITE, (P, T, T), None, T.type),
    (Operator.MAP, (SMALL, R), None, BagType(BOOL)),
    (Operator.FILTER, (SMALL, R), None, BagType(INT)),
    (Operator.CARTESIAN, (R, S), None, BagType(TupleType((INT, PAIR)))),
    (Operator.UNION, (R, R), None, BagType(INT)),
    (Operator.DISTINCT, (S,), None, BagType(PAIR)),
    (Operator.EXPAND, (tuple_of(LETTER), R), ("words", TEXT), BagType(TupleType((INT, TEXT)))),
    (Operator.WITHOUT, (element(INT), R, R), None, BagType(INT)),
    (Operator.FOLD, (ONE, SUM, R), None, INT),
    (Operator.FOLD_BY_KEY, (ONE, SUM, Q), None, BagType(TupleType((BOOL, INT)))),
    (Operator.CONSTANT, (), "a", TEXT),
    (Operator.CONSTANT, (), Fraction(1, 2), RATIONAL),
    (Operator.ADD, (HALF, HALF), None, RATIONAL),
    (Operator.SCALE, (HALF,), Fraction(1, 3), RATIONAL),
    (Operator.SCALE, (HALF,), 3, RATIONAL),
    (Operator.LESS, (LETTER, LETTER), None, BOOL),
    (Operator.LESS_EQUAL, (HALF, HALF), None, BOOL),
    (Operator.MULTIPLY, (X, X), None, INT),
    (Operator.MULTIPLY, (HALF, HALF, HALF), None, RATIONAL),
    (Operator.TO_RATIONAL, (X,), None, RATIONAL),
    (Operator.NONE, (), INT, OptionType(INT)),
    (Operator.SOME, (LETTER,), None, OptionType(TEXT)),
    (Operator.IS_NONE, (none(INT),), None, BOOL),
    (Operator.VALUE, (none(INT),), None, INT),
    (Operator.APPLY, (X, LETTER), ("f", OptionType(INT)), OptionType(INT)),
    (Operator.APPLY, (), ("now", INT), INT),
    (Operator.SLOT, (), (0, PAIR), PAIR),
    (Operator.ROW, (), (3, PAIR), PAIR),
    (Operator.MONOMIAL, (TRUE, X), None, BagType(INT)),
    (Operator.MONOMIAL, (R, S, build(Operator.LESS, (slot(1, INT), project(slot(0, PAIR), 0))), X), None, BagType(INT)),
    (Operator.MONOMIAL, (R, build(Operator.LIMIT, (BY_SLOT,), (1, 0, ())), TRUE, slot(0, INT)), None, BagType(INT)),
    (Operator.SUMMATION, (), PAIR, BagType(PAIR)),
    (Operator.SUMMATION, (ALL_OF_R, ALL_OF_R), INT, BagType(INT)),
    (Operator.EVERY, (), OptionType(TEXT), BagType(OptionType(TEXT))),
    (Operator.LIMIT, (BAG,), (None, 2, ()), BagType(INT)),
    (Operator.LIMIT, (build(Operator.SUMMATION, (), PAIR),), (3, 0, ((True, False),)), BagType(PAIR)),
    (Operator.EXCEPT_ALL, (BAG, BAG), None, BagType(INT)),
    (Operator.INTERSECT_ALL, (BAG, BAG), None, BagType(INT)),
    (Operator.OPAQUE_BAG, (BAG,), ("sample", PAIR), BagType(PAIR)),
    (Operator.EXISTS, (BAG,), None, BOOL),
    (Operator.SUM, (BAG,), None, INT),
    (Operator.EXTREMUM, (BAG,), "min", INT),
    (Operator.AGGREGATE, (BAG, BAG), ("median", HALF.type), RATIONAL),
]

REFUSED = [
    (Operator.CONSTANT, (), 1.0, "constant of () with parameter 1.0"),
    (Operator.CONSTANT, (X,), 1, "constant of (Int) with parameter 1"),
    (Operator.VARIABLE, (), "x", "variable of () with parameter 'x'"),
    (Operator.VARIABLE, (), (1, INT), "variable of () with parameter (1, IntType())"),
    (Operator.VARIABLE, (), ("x", int), "variable of () with parameter ('x', <class 'int'>)"),
    (Operator.ELEMENT, (), BagType(INT), "element of () with parameter BagType(element=IntType())"),
    (Operator.ACCUMULATOR, (), None, "accumulator of () with parameter None"),
    (Operator.BOTTOM, (X,), INT, "bottom of (Int) with parameter IntType()"),
    (Operator.ADD, (X,), None, "add of (Int) with parameter None"),
    (Operator.ADD, (X, P), None, "add of (Int, Bool) with parameter None"),
    (Operator.ADD, (X, X), 2, "add of (Int, Int) with parameter 2"),
    (Operator.SCALE, (X,), True, "scale of (Int) with parameter True"),
    (Operator.SCALE, (X,), None, "scale of (Int) with parameter None"),
    (Operator.SCALE, (X, X), 2, "scale of (Int, Int) with parameter 2"),
    (Operator.DIV, (X,), 0, "div of (Int) with parameter 0"),
    (Operator.DIV, (X,), -2, "div of (Int) with parameter -2"),
    (Operator.MOD, (X,), True, "mod of (Int) with parameter True"),
    (Operator.MOD, (P,), 2, "mod of (Bool) with parameter 2"),
    (Operator.EQUAL, (X, P), None, "equal of (Int, Bool) with parameter None"),
    (Operator.EQUAL, (R, R), None, "equal of (Bag[Int], Bag[Int]) with parameter None"),
    (Operator.LESS, (P, P), None, "less of (Bool, Bool) with parameter None"),
    (Operator.LESS_EQUAL, (X, X, X), None, "less_equal of (Int, Int, Int) with parameter None"),
    (Operator.NOT, (X,), None, "not of (Int) with parameter None"),
    (Operator.AND, (P,), None, "and of (Bool) with parameter None"),
    (Operator.OR, (P, X), None, "or of (Bool, Int) with parameter None"),
    (Operator.TUPLE, (), None, "tuple of () with parameter None"),
    (Operator.TUPLE, (R, X), None, "tuple of (Bag[Int], Int) with parameter None"),
    (Operator.PROJECTION, (T,), 2, "projection of ((Int, Bool)) with parameter 2"),
    (Operator.PROJECTION, (T,), -1, "projection of ((Int, Bool)) with parameter -1"),
    (Operator.PROJECTION, (T,), True, "projection of ((Int, Bool)) with parameter True"),
    (Operator.PROJECTION, (X,), 0, "projection of (Int) with parameter 0"),
    (Operator.ITE, (P, X, P), None, "ite of (Bool, Int, Bool) with parameter None"),
    (Operator.ITE, (X, X, X), None, "ite of (Int, Int, Int) with parameter None"),
    (Operator.ITE, (P, R, R), None, "ite of (Bool, Bag[Int], Bag[Int]) with parameter None"),
    (Operator.MAP, (element(BOOL), R), None, "map of (Bool, Bag[Int]) with parameter None"),
    (Operator.MAP, (SUM, R), None, "map of (Int, Bag[Int]) with parameter None"),
    (Operator.MAP, (R, R), None, "map of (Bag[Int], Bag[Int]) with parameter None"),
    (Operator.MAP, (ONE, R), 1, "map of (Int, Bag[Int]) with parameter 1"),
    (Operator.FILTER, (ONE, R), None, "filter of (Int, Bag[Int]) with parameter None"),
    (Operator.FILTER, (element(BOOL), R), None, "filter of (Bool, Bag[Int]) with parameter None"),
    (Operator.CARTESIAN, (R, X), None, "cartesian of (Bag[Int], Int) with parameter None"),
    (Operator.UNION, (R, S), None, "union of (Bag[Int], Bag[(Int, Int)]) with parameter None"),
    (Operator.UNION, (X, X), None, "union of (Int, Int) with parameter None"),
    (Operator.DISTINCT, (X,), None, "distinct of (Int) with parameter None"),
    (Operator.DISTINCT, (), None, "distinct of () with parameter None"),
    (Operator.EXPAND, (LETTER, R), ("words", TEXT), "expand of (Text, Bag[Int]) with parameter ('words', TextType())"),
    (
        Operator.EXPAND,
        (tuple_of(LETTER), X),
        ("words", TEXT),
        "expand of ((Text,), Int) with parameter ('words', TextType())",
    ),
    (Operator.WITHOUT, (element(INT), R, S), None, "without of (Int, Bag[Int], Bag[(Int, Int)]) with parameter None"),
    (Operator.WITHOUT, (element(BOOL), R, R), None, "without of (Bool, Bag[Int], Bag[Int]) with parameter None"),
    (Operator.FOLD, (TRUE, SUM, R), None, "fold of (Bool, Int, Bag[Int]) with parameter None"),
    (Operator.FOLD, (element(INT), SUM, R), None, "fold of (Int, Int, Bag[Int]) with parameter None"),
    (Operator.FOLD, (ONE, SUM, S), None, "fold of (Int, Int, Bag[(Int, Int)]) with parameter None"),
    (Operator.FOLD, (R, R, R), None, "fold of (Bag[Int], Bag[Int], Bag[Int]) with parameter None"),
    (Operator.FOLD_BY_KEY, (ONE, SUM, R), None, "fold_by_key of (Int, Int, Bag[Int]) with parameter None"),
    (
        Operator.FOLD_BY_KEY,
        (ONE, build(Operator.ADD, (accumulator(INT), project(element(PAIR), 0))), S),
        None,
        "fold_by_key of (Int, Int, Bag[(Int, Int)]) with parameter None",
    ),
    (Operator.ADD, (X, HALF), None, "add of (Int, Rational) with parameter None"),
    (Operator.SCALE, (X,), Fraction(1, 2), "scale of (Int) with parameter Fraction(1, 2)"),
    (Operator.LESS, (LETTER, X), None, "less of (Text, Int) with parameter None"),
    (Operator.MULTIPLY, (X,), None, "multiply of (Int) with parameter None"),
    (Operator.MULTIPLY, (LETTER, LETTER), None, "multiply of (Text, Text) with parameter None"),
    (Operator.TO_RATIONAL, (HALF,), None, "to_rational of (Rational) with parameter None"),
    (Operator.NONE, (), OptionType(INT), "none of () with parameter OptionType(of=IntType())"),
    (Operator.SOME, (none(INT),), None, "some of (Int?) with parameter None"),
    (Operator.IS_NONE, (X,), None, "is_none of (Int) with parameter None"),
    (Operator.VALUE, (X,), None, "value of (Int) with parameter None"),
    (Operator.APPLY, (R,), ("f", INT), "apply of (Bag[Int]) with parameter ('f', IntType())"),
    (Operator.APPLY, (X,), (1, INT), "apply of (Int) with parameter (1, IntType())"),
    (Operator.SLOT, (), (-1, INT), "slot of () with parameter (-1, IntType())"),
    (Operator.SLOT, (), (True, INT), "slot of () with parameter (True, IntType())"),
    (Operator.ROW, (), (0, BagType(INT)), "row of () with parameter (0, BagType(element=IntType()))"),
    # a slot of another type than its source's rows, a condition that is none, a source that is none, an element
    (Operator.MONOMIAL, (S, TRUE, slot(0, INT)), None, "monomial of (Bag[(Int, Int)], Bool, Int) with parameter None"),
    (Operator.MONOMIAL, (R, X, X), None, "monomial of (Bag[Int], Int, Int) with parameter None"),
    (Operator.MONOMIAL, (OPEN_BAG, TRUE, X), None, "monomial of (Bag[Int], Bool, Int) with parameter None"),
    (Operator.MONOMIAL, (BAG, TRUE, X), None, "monomial of (Bag[Int], Bool, Int) with parameter None"),
    (Operator.MONOMIAL, (R, TRUE, element(INT)), None, "monomial of (Bag[Int], Bool, Int) with parameter None"),
    (Operator.SUMMATION, (ALL_OF_R,), BOOL, "summation of (Bag[Int]) with parameter BoolType()"),
    (Operator.SUMMATION, (R,), INT, "summation of (Bag[Int]) with parameter IntType()"),
    (Operator.EVERY, (), BagType(INT), "every of () with parameter BagType(element=IntType())"),
    (Operator.LIMIT, (BAG,), (-1, 0, ()), "limit of (Bag[Int]) with parameter (-1, 0, ())"),
    (Operator.LIMIT, (BAG,), (1, 0, ((True, True),)), "limit of (Bag[Int]) with parameter (1, 0, ((True, True),))"),
    (Operator.LIMIT, (R,), (1, 0, ()), "limit of (Bag[Int]) with parameter (1, 0, ())"),
    (Operator.EXCEPT_ALL, (BAG, R), None, "except_all of (Bag[Int], Bag[Int]) with parameter None"),
    (Operator.INTERSECT_ALL, (BAG,), None, "intersect_all of (Bag[Int]) with parameter None"),
    (Operator.OPAQUE_BAG, (R,), ("f", INT), "opaque_bag of (Bag[Int]) with parameter ('f', IntType())"),
    (Operator.EXISTS, (R,), None, "exists of (Bag[Int]) with parameter None"),
    (Operator.SUM, (build(Operator.SUMMATION, (), BOOL),), None, "sum of (Bag[Bool]) with parameter None"),
    (Operator.EXTREMUM, (BAG,), "mid", "extremum of (Bag[Int]) with parameter 'mid'"),
    (
        Operator.AGGREGATE,
        (BAG,),
        ("f", BagType(INT)),
        "aggregate of (Bag[Int]) with parameter ('f', BagType(element=IntType()))",
    ),
]


@pytest.mark.parametrize(("operator", "arguments", "parameter", "of"), ACCEPTED)
def test_a_typing_rule_gives_the_type(operator, arguments, parameter, of):
    assert build(operator, arguments, parameter).type == of


@pytest.mark.parametrize(("operator", "arguments", "parameter", "told"), REFUSED)
def test_a_term_without_a_typing_rule_is_refused(operator, arguments, parameter, told):
    with pytest.raises(SortError) as error:
        build(operator, arguments, parameter)
    assert str(error.value) == f"no typing rule for {told}"


@pytest.mark.parametrize("operator", Operator)
def test_every_operator_has_accepted_and_refused_terms_above(operator):
    assert operator in {case[0] for case in ACCEPTED}
    assert operator in {case[0] for case in REFUSED}


def test_an_operation_inside_a_udf_has_no_open_bag():
    bag = build(Operator.FILTER, (build(Operator.LESS, (element(INT), ONE)), R))
    total = build(Operator.FOLD, (ONE, SUM, bag))
    assert not total.bound
    assert build(Operator.MAP, (build(Operator.ADD, (total, element(INT))), R)).type == BagType(INT)


@given(bag_expressions(aggregates=True))
def test_equal_terms_are_one_object(expression):
    for term in subterms(expression):
        assert build(term.operator, term.arguments, term.parameter) is term


def test_true_is_not_one_and_types_tell_variables_apart():
    assert constant(True) is not constant(1)
    assert variable("x", INT) is not variable("x", BOOL)
    assert variable("x", TupleType((INT,))) is variable("x", TupleType((INT,)))


def test_terms_of_several_threads_are_one_object():
    found: list[list[Term]] = [[] for _ in range(4)]
    barrier = threading.Barrier(4)

    def work(mine: list[Term]) -> None:
        barrier.wait()
        mine += [build(Operator.ADD, (X, constant(n))) for n in range(10**6, 10**6 + 3000)]

    threads = [threading.Thread(target=work, args=(mine,)) for mine in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(all(map(is_, left, right)) for left, right in pairwise(found))


def test_terms_survive_copy_and_pickle_as_themselves():
    term = tuple_of(X, ite(P, X, ONE))
    assert copy.deepcopy(term) is term
    assert pickle.loads(pickle.dumps(term)) is term


@pytest.mark.parametrize("name", ["operator", "type", "anything"])
def test_terms_are_immutable(name):
    with pytest.raises(AttributeError, match=r"^terms are immutable$"):
        setattr(X, name, None)
    with pytest.raises(AttributeError, match=r"^terms are immutable$"):
        delattr(X, name)


def test_simplifying_constructors_simplify():
    assert negation(TRUE) is FALSE
    assert negation(negation(P)) is P
    assert conjunction() is TRUE
    assert conjunction(P, TRUE, P) is P
    assert conjunction(P, FALSE) is FALSE
    assert conjunction(conjunction(P, SMALL), P) is conjunction(P, SMALL)
    assert disjunction() is FALSE
    assert disjunction(P, TRUE) is TRUE
    assert implies(TRUE, P) is P
    assert implies(P, TRUE) is TRUE
    assert equal(T, T) is TRUE
    assert project(tuple_of(X, P), 1) is P
    assert ite(TRUE, X, ONE) is X
    assert ite(FALSE, X, ONE) is ONE
    assert ite(P, X, X) is X
    assert multiply(constant(2), X) is multiply(X, constant(2)) is scale(2, X)


def test_projecting_outside_of_a_tuple_is_refused_even_where_it_would_simplify():
    with pytest.raises(SortError):
        project(tuple_of(X, P), 2)
    with pytest.raises(SortError):
        project(tuple_of(X, P), -1)


@given(formulas(), environments(VARIABLES))
def test_simplifying_keeps_the_value(formula, environment):
    again = _made_by(formula, simplified)
    assert evaluate(again, environment) == evaluate(formula, environment)


def _made_by(term: Term, make) -> Term:
    return make(term.operator, tuple(_made_by(argument, make) for argument in term.arguments), term.parameter)


@given(formulas(depth=3), int_terms(depth=2), int_terms(depth=2), environments(VARIABLES))
def test_substituting_is_evaluating_where_the_variables_have_the_new_values(formula, left, right, environment):
    x, y = VARIABLES[:2]
    changed = environment | {x: evaluate(left, environment), y: evaluate(right, environment)}
    assert evaluate(substitute(formula, {x: left, y: right}), environment) == evaluate(formula, changed)


@given(bag_expressions(aggregates=True), st.data(), environments())
def test_substituting_reaches_into_udfs(expression, data, environment):
    k = INPUTS[2]
    number = data.draw(terms(INT, (k,), 2))
    changed = environment | {k: evaluate(number, environment)}
    assert evaluate(substitute(expression, {k: number}), environment) == evaluate(expression, changed)


def test_substitution_is_simultaneous():
    x, y = VARIABLES[:2]
    swapped = substitute(build(Operator.LESS, (x, y)), {x: y, y: x})
    assert swapped is build(Operator.LESS, (y, x))


@pytest.mark.parametrize(
    "replacements",
    [{X: element(INT)}, {element(INT): X}, {X: P}, {R: X}],
    ids=["open value", "open key", "other type", "value for a bag"],
)
def test_substituting_open_terms_or_other_types_is_refused(replacements):
    (key, value) = next(iter(replacements.items()))
    with pytest.raises(SortError) as error:
        substitute(X, replacements)
    assert str(error.value) == f"cannot replace {key!r} by {value!r}: both must be closed, and of one type"


@given(st.data())
def test_applying_is_evaluating_where_the_bound_variables_have_the_arguments(data):
    x, y = VARIABLES[:2]
    environment = data.draw(environments((x, y)))
    body = data.draw(terms(INT, (element(INT), accumulator(INT)), 3))
    named = apply(body, x, y)
    assert not named.bound
    mapped = build(Operator.FOLD, (y, body, variable("one", BagType(INT))))
    assert evaluate(named, environment) == evaluate(
        mapped, environment | {variable("one", BagType(INT)): {environment[x]: 1}}
    )


def test_applying_leaves_the_bound_variables_of_an_inner_aggregate():
    total = build(Operator.FOLD, (constant(0), SUM, R))
    body = build(Operator.ADD, (total, element(INT)))
    assert apply(body, X) is build(Operator.ADD, (total, X))


def test_aggregates_and_subterms_come_innermost_first():
    inner = build(Operator.FOLD, (constant(0), SUM, R))
    bag = build(Operator.FILTER, (build(Operator.LESS, (element(INT), inner)), R))
    outer = build(Operator.FOLD, (inner, SUM, bag))
    assert aggregates(outer) == (inner, outer)
    seen = list(subterms(outer))
    assert len(seen) == len(set(seen))
    assert all(seen.index(part) < seen.index(term) for term in seen for part in term.arguments)
    assert free_variables(outer) == {R}


def test_a_term_reads_as_how_it_is_built():
    assert repr(build(Operator.SCALE, (X,), 2)) == "scale(2, variable(('x', IntType())))"
