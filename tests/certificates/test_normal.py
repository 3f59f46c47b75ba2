"""Rule NORMAL: programs are their sums of monomials, if their folds are what their readings say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from normal_forms import NormalForms as Evaluated
from strategies import INPUTS, bag_expressions, environments
from tallystick.certificates import kernel
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.exports.coq import theorem
from tallystick.certificates.judgements import Goal
from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.normal import Normal, NormalForms, Reading
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.rules.transitive import Transitive
from tallystick.core.errors import FragmentError, KernelError, SortError, TallystickError
from tallystick.core.interpreter import bag_of, evaluate
from tallystick.core.programs import Program
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    aggregates,
    apply,
    build,
    conjunction,
    constant,
    disjunction,
    element,
    equal,
    ite,
    less,
    multiply,
    negation,
    none,
    project,
    row,
    scale,
    substitute,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType, TupleType
from tallystick.decision.invariants.fold_readings import reading
from tallystick.decision.methods.normal_forms import normal_forms
from tallystick.decision.outcome import Goal as Asked
from tallystick.decision.outcome import MethodContext, Proved, Unknown
from tallystick.decision.prover import NO_SOLVER, Prover

from certificates.examples import (
    KV,
    ONE,
    SUM,
    ZERO,
    A,
    R,
    S,
    X,
    cartesian,
    certificate,
    congruent,
    filtered,
    folded,
    folded_by_key,
    mapped,
    programs,
    sum_of_doubles,
    totals_by_key,
    union,
)

STATE = element(TupleType((BOOL, INT)))
THERE, SUMMED = project(STATE, 0), project(STATE, 1)
TOTAL = folded(ZERO, SUM, R)
READ = Reading(TOTAL, (("sum", X),), TRUE, SUMMED)
LARGEST = folded(ZERO, ite(less(A, X), X, A), R)
LARGEST_READ = Reading(
    LARGEST,
    (("max", X),),
    disjunction(THERE, equal(SUMMED, ZERO)),
    ite(conjunction(THERE, less(ZERO, SUMMED)), SUMMED, ZERO),
)


def context() -> MethodContext:
    return MethodContext(Prover(NO_SOLVER), lambda goal: Unknown("not asked"))


def readings(goal: Asked) -> tuple[Reading, ...] | None:
    found: list[Reading] = []
    for fold in dict.fromkeys((*aggregates(goal.left), *aggregates(goal.right))):
        one = reading(goal, fold, tuple(found), context())
        if one is None:
            return None
        found.append(one)
    return tuple(found)


def proved(left: Term, right: Term, hypothesis: Term = TRUE) -> None:
    goal = Asked(hypothesis, left, right)
    outcome = normal_forms(goal, context())
    assert isinstance(outcome, Proved), outcome
    kernel.prove(goal, outcome.proof)


@settings(max_examples=100)
@given(bag_expressions(aggregates=True), environments())
def test_a_bag_is_its_normal_form(expression, environment):
    """Maps, filters, products, unions, distinct, by-key folds, and folds inside of functions, as they are read."""
    known = {term: constant(environment[term]) for term in INPUTS if not isinstance(term.type, BagType)}
    expression = substitute(expression, known)
    found = readings(Asked(TRUE, expression, expression))
    assume(found is not None)
    assert found is not None
    database = {
        term.parameter[0]: [value for value, times in environment[term].items() for _ in range(times)]
        for term in INPUTS
        if term not in known
    }
    form = NormalForms(TRUE, found).whole(expression)
    assert bag_of(Evaluated(database).rows(form)) == evaluate(expression, environment)


@st.composite
def hard_bags(draw):
    """By-key folds inside of functions, products of a bag with itself, and what has no partner in a bag itself."""
    bag = draw(bag_expressions(draw(st.integers(0, 1)), aggregates=True))
    of = bag.type.element
    match draw(st.sampled_from(("product", "without", "inside", "keys"))):
        case "product":
            single = draw(bag_expressions(0))
            return build(Operator.DISTINCT, (cartesian(single, single),))
        case "without":
            other = draw(bag_expressions(1, aggregates=True).filter(lambda each: each.type == bag.type))
            return build(Operator.WITHOUT, (element(of), bag, draw(st.sampled_from((bag, other)))))
        case "keys":
            missing = ite(less(ZERO, X), build(Operator.SOME, (X,)), none(INT))
            pairs = mapped(tuple_of(tuple_of(missing, equal(X, ONE)), X), R)
            return folded_by_key(ZERO, ite(less(A, X), X, A), union(pairs, pairs))
    groups = folded_by_key(ZERO, SUM, mapped(tuple_of(equal(element(of), element(of)), ONE), bag))
    return filtered(less(folded(ZERO, add(A, ONE), groups), constant(draw(st.integers(0, 3)))), bag)


@settings(max_examples=100)
@given(hard_bags(), environments())
def test_a_bag_with_aggregates_inside_is_its_normal_form(expression, environment):
    test_a_bag_is_its_normal_form.hypothesis.inner_test(expression, environment)


def test_a_sum_or_an_extremum_has_its_reading():
    for fold, read in ((TOTAL, READ), (LARGEST, LARGEST_READ)):
        [begins, continues] = Normal((read,)).requirements(Goal(TRUE, fold, fold)).premises
        assert str(begins.about) == "fold 0 begins as it is read"
        assert str(continues.about) == "fold 0 continues as it is read, by monomial 0"
        assert [source.operator for source in continues.rows] == [Operator.VARIABLE, Operator.EVERY]
        assert all(not isinstance(Prover().answer(each.formula), str) for each in (begins, continues))


WRONG = {
    "another start": (READ, folded(ONE, SUM, R)),
    "another step": (READ, folded(ZERO, add(A, scale(2, X)), R)),
    "another weight": (replace(READ, measures=(("sum", scale(2, X)),)), TOTAL),
    "another measure": (replace(READ, measures=(("max", X),)), TOTAL),
    "another result": (replace(READ, result=add(SUMMED, ONE)), TOTAL),
    "a maximum from below": (replace(LARGEST_READ, result=SUMMED), LARGEST),
    "a minimum": (replace(LARGEST_READ, measures=(("min", X),)), LARGEST),
    "an invariant that is false at first": (replace(READ, invariant=THERE), TOTAL),
    "an invariant that an element breaks": (replace(READ, invariant=negation(THERE)), TOTAL),
    "an invariant that hides everything": (replace(READ, invariant=FALSE), TOTAL),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_reading_has_a_premise_that_is_false(name):
    read, fold = WRONG[name]
    premises = Normal((replace(read, fold=fold),)).requirements(Goal(TRUE, fold, fold)).premises
    answers = [type(Prover().answer(premise.formula)).__name__ for premise in premises]
    assert "Countermodel" in answers, answers


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((), "NORMAL has no reading of a fold of these programs"),
        ((replace(READ, fold=LARGEST),), "NORMAL has no reading of a fold of these programs"),
        ((replace(READ, result=row(0, INT)),), "a reading is made of functions of one element"),
        ((replace(READ, invariant=less(row(0, INT), ZERO)),), "a reading is made of functions of one element"),
        ((replace(READ, measures=(("sum", row(0, INT)),)),), "a reading is made of functions of one element"),
        ((replace(READ, measures=(("sum", A),)),), "a reading is made of functions of one element"),
        ((replace(READ, result=A),), "a reading is made of functions of one element"),
        ((replace(READ, result=X),), "a reading is made of functions of one element"),
        ((replace(READ, result=build(Operator.SLOT, (), (0, INT))),), "a reading is made of functions of one element"),
    ],
)
def test_a_reading_is_made_of_closed_functions(given, message):
    with pytest.raises(KernelError, match=message):
        Normal(given).requirements(Goal(TRUE, TOTAL, TOTAL))


@pytest.mark.parametrize("measure", [("sum", less(X, ZERO)), ("some", X), ("max", tuple_of(X, X))])
def test_measures_are_sums_extrema_and_conditions(measure):
    state = element(TupleType((BOOL, measure[1].type)))
    with pytest.raises(SortError):
        Normal((Reading(TOTAL, (measure,), TRUE, ite(project(state, 0), ZERO, ZERO)),)).requirements(
            Goal(TRUE, TOTAL, TOTAL)
        )


def test_another_measure_is_refused_by_name():
    read = replace(READ, measures=(("average", X),))
    with pytest.raises(KernelError, match="no measure is called 'average'"):
        Normal((read,)).requirements(Goal(TRUE, TOTAL, TOTAL))


def test_items_of_lists_have_no_normal_form():
    bag = build(Operator.EXPAND, (tuple_of(X), R), ("split", INT))
    with pytest.raises(FragmentError, match="expand has no normal form"):
        Normal(()).requirements(Goal(TRUE, bag, bag))


def test_a_goal_with_rows_or_about_queries_is_refused():
    for goal in (Goal(TRUE, R, R, (R,)), Goal(TRUE, R, R, (), {})):
        with pytest.raises(KernelError, match="this rule relates programs over input bags"):
            Normal(()).requirements(goal)


def test_a_goal_about_programs_has_no_normal_forms():
    """An infinite bag in the middle would do harm: CONG has what is true of finite bags say something of it."""
    form = NormalForms(TRUE, ()).bag(build(Operator.DISTINCT, (R,)))
    for middle in (form, filtered(build(Operator.EXISTS, (NormalForms(TRUE, ()).bag(S),)), R)):
        bag = build(Operator.DISTINCT, (R,)) if middle is form else R
        step = Step(Transitive(middle), (), (Step(Reflexive(), ()), Step(Reflexive(), ())))
        with pytest.raises(KernelError, match="a goal about programs has no normal forms"):
            kernel.prove(Goal(TRUE, bag, bag), step)
        with pytest.raises(SortError, match="⊥ and normal forms belong to program terms"):
            Program("P", (R, S), middle)


def test_the_hypothesis_is_kept():
    proved(
        filtered(less(ZERO, INPUTS[2]), build(Operator.DISTINCT, (R,))),
        build(Operator.DISTINCT, (R,)),
        less(ONE, INPUTS[2]),
    )


PAIR = element(TupleType((INT, INT)))
SUMS = folded_by_key(ZERO, SUM, KV)
EQUAL = {
    "a sum of sums": (folded(ZERO, add(A, project(PAIR, 1)), SUMS), folded(ZERO, add(A, project(PAIR, 1)), KV)),
    "keys of groups": (mapped(project(PAIR, 0), SUMS), build(Operator.DISTINCT, (mapped(project(PAIR, 0), KV),))),
    "no partner": (
        build(Operator.WITHOUT, (X, R, S)),
        build(Operator.WITHOUT, (X, R, build(Operator.DISTINCT, (S,)))),
    ),
    "a product counted": (
        less(ZERO, folded(ZERO, add(A, ONE), cartesian(R, S))),
        conjunction(less(ZERO, folded(ZERO, add(A, ONE), R)), less(ZERO, folded(ZERO, add(A, ONE), S))),
    ),
}
STATE_PAIR = accumulator(TupleType((INT, INT)))
BOTH = tuple_of(add(project(STATE_PAIR, 0), ONE), add(project(STATE_PAIR, 1), multiply(X, X)))
EQUAL["two sums in one fold"] = (
    folded(tuple_of(ZERO, ZERO), BOTH, R),
    tuple_of(folded(ZERO, add(A, ONE), R), folded(ZERO, add(A, multiply(X, X)), R)),
)
DIFFERENT = {
    "a sum of distinct sums": (
        folded(ZERO, SUM, build(Operator.DISTINCT, (mapped(project(PAIR, 1), SUMS),))),
        folded(ZERO, add(A, project(PAIR, 1)), KV),
    ),
    "values of groups": (mapped(project(PAIR, 1), SUMS), build(Operator.DISTINCT, (mapped(project(PAIR, 1), KV),))),
    "a partner": (build(Operator.WITHOUT, (X, R, S)), build(Operator.WITHOUT, (X, R, union(R, S)))),
    "twice the sums": (folded_by_key(ZERO, SUM, union(KV, KV)), SUMS),
    "a product or a factor": (
        less(ZERO, folded(ZERO, add(A, ONE), cartesian(R, S))),
        less(ZERO, folded(ZERO, add(A, ONE), R)),
    ),
    "distinct counts": (
        folded(ZERO, add(A, ONE), build(Operator.DISTINCT, (R,))),
        folded(ZERO, add(A, ONE), R),
    ),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_programs_are_proved(name):
    proved(*EQUAL[name])


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_programs_are_not(name):
    assert isinstance(normal_forms(Asked(TRUE, *DIFFERENT[name]), context()), Unknown)


def test_a_proof_about_other_normal_forms_is_rejected():
    """The premises of readings, and the proof below, belong to the very goal."""
    left, right = EQUAL["keys of groups"]
    outcome = normal_forms(Asked(TRUE, left, right), context())
    assert isinstance(outcome, Proved)
    for goal in (
        Goal(TRUE, right, build(Operator.DISTINCT, (mapped(project(PAIR, 1), KV),))),
        Goal(TRUE, mapped(project(PAIR, 1), SUMS), right),
    ):
        with pytest.raises(TallystickError):
            kernel.prove(goal, outcome.proof)
    with pytest.raises(KernelError, match="need as many pieces of evidence"):
        kernel.prove(Goal(TRUE, left, right), replace(outcome.proof, evidence=outcome.proof.evidence[1:]))


def test_values_of_a_function_are_those_of_its_element():
    """What a reading's functions are applied to stands in for `element`, and for nothing else."""
    assert apply(SUMMED, tuple_of(TRUE, ONE)) is ONE


EXISTS = build(Operator.EXISTS, (NormalForms(TRUE, ()).bag(R),))


@pytest.mark.parametrize(
    "invariant", [EXISTS, less(row(0, INT), ZERO), equal(row(1, BOOL), TRUE)], ids=["EXISTS", "a row", "a second row"]
)
@pytest.mark.parametrize("make", [sum_of_doubles, totals_by_key])
def test_hints_of_rules_for_programs_hold_nothing_of_normal_forms(make, invariant):
    """Where one is weakened to what is certainly true, it says nothing, and is no proof any more."""
    made = make()
    weaker = replace(made.result.rule, invariant=disjunction(invariant, negation(invariant)))
    report = audit(encode(replace(made, result=replace(made.result, rule=weaker))))
    assert not report.accepted
    stronger = replace(made.result.rule, invariant=conjunction(made.result.rule.invariant, invariant))
    assert not audit(encode(replace(made, result=replace(made.result, rule=stronger)))).accepted


@pytest.mark.parametrize("form", [NormalForms(TRUE, ()).bag(R), build(Operator.EVERY, (), INT)])
def test_parts_of_congruence_are_no_normal_forms(form):
    """Nothing that is true of each finite bag is concluded about what may be infinite."""
    made = congruent()
    rule = replace(made.result.rule, parts=(form, form), fresh=variable("B", form.type))
    report = audit(encode(replace(made, result=replace(made.result, rule=rule))))
    assert not report.accepted
    assert "a goal about programs has no normal forms" in str(report)


def test_a_certificate_by_normal_forms_is_audited():
    left, right = EQUAL["a sum of sums"]
    outcome = normal_forms(Asked(TRUE, left, right), context())
    made = certificate(programs(left, right, KV), outcome.proof)
    assert audit(encode(made)).accepted
    assert decode(encode(made)) == made
    with pytest.raises(FragmentError, match="the Coq development has no"):
        theorem(made)
    [read, *others] = made.result.rule.readings
    for forged in (replace(read, measures=()), replace(read, result=constant(7)), replace(read, invariant=FALSE)):
        rule = Normal((forged, *others))
        assert not audit(encode(replace(made, result=replace(made.result, rule=rule)))).accepted
