"""Each rule of the kernel: goals that it proves, and what it refuses.

Steps that must be refused on their form alone come with oracles that say yes to everything.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from tallystick.certificates import kernel, refuting
from tallystick.certificates.budget import Budget
from tallystick.certificates.evidence import Cut, Evidence, Farkas, Refutation
from tallystick.certificates.judgements import Goal, Premise
from tallystick.certificates.proofs import Counterexample, Oracle, Step
from tallystick.certificates.rules.congruence import Congruence
from tallystick.certificates.rules.fold import Fold
from tallystick.certificates.rules.no_agg import Matching, NoAgg
from tallystick.certificates.rules.symmetric import Symmetric
from tallystick.certificates.rules.transitive import Transitive
from tallystick.core.binders import bind, exists, summation
from tallystick.core.errors import EvaluationError, FragmentError, KernelError, RefutationError, SortError
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    add,
    apply_function,
    build,
    conjunction,
    constant,
    element,
    equal,
    is_none,
    ite,
    less,
    less_equal,
    multiply,
    project,
    row,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BagType, OptionType

from certificates.examples import (
    BOTTOM,
    CERTIFICATES,
    KV,
    ONE,
    SUM,
    ZERO,
    A,
    K,
    P,
    R,
    S,
    X,
    cartesian,
    evidence,
    filtered,
    first_of,
    folded,
    folded_by_key,
    mapped,
    negated,
    no_agg,
    programs,
    refuted_premises,
    rest_of,
    union,
    with_hints,
)

MATCHING = ((0, (0,)),)
PROOFS = {name: make for name, make in CERTIFICATES.items() if not isinstance(make().result, Counterexample)}


@pytest.mark.parametrize("name", PROOFS)
def test_a_good_proof_proves_its_goal(name: str) -> None:
    certificate = PROOFS[name]()
    theorem = kernel.equivalent(certificate.left, certificate.right, certificate.result)  # type: ignore[arg-type]
    assert theorem.goal == Goal(TRUE, certificate.left.expression, certificate.right.expression)
    assert theorem.oracles == (frozenset({"z3"}) if name == "with_an_oracle" else frozenset())


# VALID


def valid(formula: Term, evidence: Evidence) -> kernel.Valid:
    return kernel.valid(Premise("a premise", formula), evidence, Budget())


def test_valid_accepts_a_refutation_of_the_negation() -> None:
    formula = less_equal(K, K)
    assert valid(formula, Farkas(((0, 1),))) == kernel.Valid(formula, frozenset())


def test_valid_rejects_evidence_for_another_formula() -> None:
    with pytest.raises(RefutationError):
        valid(less_equal(K, ZERO), Farkas(((0, 1),)))


def test_valid_names_the_oracle() -> None:
    assert valid(less(K, ZERO), Oracle("z3")).oracles == {"z3"}


@pytest.mark.parametrize(
    "term",
    [ZERO, equal(folded(ZERO, SUM, R), ZERO), equal(BOTTOM, ZERO), less(X, ZERO)],
    ids=["an integer", "an aggregate", "⊥", "a bound variable"],
)
def test_valid_rejects_what_is_no_formula_even_from_an_oracle(term: Term) -> None:
    with pytest.raises(RefutationError, match="formula"):
        valid(term, Oracle("z3"))


@pytest.mark.parametrize(
    "term",
    [
        exists(summation((bind((row(0, INT),), (S,), less(row(0, INT), K), TRUE),), BOOL)),
        less(constant("a"), variable("t", TEXT)),
        less(constant(Fraction(1, 2)), variable("q", RATIONAL)),
        is_none(variable("o", OptionType(INT))),
        less(apply_function("f", INT, K), ZERO),
        less(multiply(K, K), ZERO),
    ],
    ids=["a binder", "texts", "rationals", "options", "an unknown function", "a product"],
)
def test_no_solver_was_asked_about_more_than_linear_arithmetic(term: Term) -> None:
    with pytest.raises(KernelError, match="solvers are asked about linear arithmetic of integers, and nothing else"):
        valid(term, Oracle("z3"))


def test_a_solver_may_be_asked_about_rows() -> None:
    premise = Premise("a premise", less(row(0, INT), K), (S,))
    assert kernel.valid(premise, Oracle("z3"), Budget()).oracles == {"z3"}


# NOAGG


@pytest.mark.parametrize(
    ("left", "right", "matching"),
    [
        (mapped(ONE, R), mapped(ONE, S), None),
        (mapped(ONE, R), R, None),
        (mapped(ONE, filtered(less(ZERO, X), R)), mapped(ONE, R), MATCHING),
        (mapped(ONE, filtered(less(ZERO, X), R)), mapped(ONE, R), None),
        (union(R, R), R, None),
        (
            mapped(add(project(P, 0), scale(-1, project(P, 1))), cartesian(R, R)),
            mapped(ZERO, cartesian(R, R)),
            None,
        ),
        (K, add(K, ONE), None),
    ],
    ids=["other bag", "other value", "filter, matched", "filter", "multiplicity", "self-product", "values"],
)
def test_no_agg_has_a_false_premise_for_different_programs(left: Term, right: Term, matching: Matching | None) -> None:
    assert refuted_premises(NoAgg(matching).requirements(Goal(TRUE, left, right)).premises)


def test_no_agg_uses_the_hypothesis() -> None:
    goal = Goal(less(ZERO, K), filtered(less(ZERO, K), R), R)
    assert kernel.prove(goal, no_agg(goal, MATCHING)).goal == goal


@pytest.mark.parametrize(
    ("left", "right", "matching", "message"),
    [
        (R, S, MATCHING, "matched monomials are over the same bags"),
        (union(R, S), R, MATCHING, "pairs each left monomial with one right"),
        (R, R, ((0, (1,)),), "slots of one bag are permuted"),
        (R, R, ((1, (0,)),), "pairs each left monomial with one right"),
        (R, R, (), "pairs each left monomial with one right"),
        (union(R, R), union(R, R), ((0, (0,)), (0, (0,))), "pairs each left monomial with one right"),
        (cartesian(R, S), cartesian(R, S), ((0, (1, 0)),), "slots of one bag are permuted"),
        (R, mapped(tuple_of(X), R), None, "terms of one type"),
        (R, ZERO, None, "terms of one type"),
        (folded_by_key(ZERO, SUM, KV), KV, None, "an aggregate is not in the NoAgg class"),
        (build(Operator.DISTINCT, (R,)), R, None, "distinct is not in the NoAgg class"),
        (mapped(folded(ZERO, SUM, R), R), R, None, "an aggregate is not in the NoAgg class"),
        (mapped(first_of(X, BOTTOM), R), R, None, "programs have no ⊥"),
        (mapped(row(0, INT), R), R, None, "a goal has no other rows than the 0 in scope"),
    ],
    ids=[
        "other bag",
        "more monomials",
        "no slot",
        "no partner",
        "no matching",
        "one partner twice",
        "slots of two bags",
        "types",
        "value and bag",
        "by-key fold",
        "distinct",
        "aggregate in a UDF",
        "⊥ in a UDF",
        "a row",
    ],
)
def test_no_agg_rejects(left: Term, right: Term, matching: Matching | None, message: str) -> None:
    with pytest.raises(kernel.StepError, match=f"^proof: .*{message}"):
        kernel.prove(Goal(TRUE, left, right), Step(NoAgg(matching), (Oracle("z3"),) * 2))


def test_no_agg_wants_evidence_for_each_premise_and_no_more() -> None:
    goal = Goal(TRUE, R, mapped(X, R))
    step = no_agg(goal, MATCHING)
    for wrong in (step.evidence[:1], (*step.evidence, step.evidence[0]), ()):
        with pytest.raises(KernelError, match=f"^proof: 2 premises need as many pieces of evidence, not {len(wrong)}$"):
            kernel.prove(goal, replace(step, evidence=wrong))


def test_no_agg_bounds_its_work() -> None:
    doubled = R
    for _ in range(60):
        doubled = union(doubled, doubled)
    with pytest.raises(KernelError, match="more than 64 summands"):
        kernel.prove(Goal(TRUE, doubled, doubled), Step(NoAgg(None)))
    squared = R
    for _ in range(60):
        squared = mapped(ONE, cartesian(squared, squared))
    with pytest.raises(KernelError, match="more than 64 slots"):
        kernel.prove(Goal(TRUE, squared, squared), Step(NoAgg(None)))
    power = mapped(ONE, cartesian(cartesian(cartesian(R, R), cartesian(R, R)), cartesian(R, cartesian(R, R))))
    for other in (power, mapped(ONE, R)):
        with pytest.raises(KernelError, match="permutations"):
            kernel.prove(Goal(TRUE, power, other), Step(NoAgg(None)))


def test_bags_of_one_name_and_different_types_are_different_bags() -> None:
    other = variable("R", BagType(BOOL))
    left, right = mapped(ONE, R), mapped(ONE, other)
    assert refuted_premises(NoAgg(None).requirements(Goal(TRUE, left, right)).premises)
    with pytest.raises(FragmentError):
        NoAgg(MATCHING).requirements(Goal(TRUE, left, right))


def test_empty_tuples_do_not_exist() -> None:
    with pytest.raises(SortError):
        tuple_of()


# CONG, TRANS, SYM


def test_congruence_rejects_proofs_of_something_else() -> None:
    doubled, summed = mapped(add(X, X), R), mapped(scale(2, X), R)
    goal = Goal(TRUE, filtered(less(X, K), doubled), filtered(less(X, K), summed))
    fresh = variable("B", R.type)
    rule = Congruence((doubled, summed), fresh)
    parts, whole = no_agg(Goal(TRUE, doubled, summed)), no_agg(rest_of(goal, rule))
    step = Step(rule, (), (parts, whole))
    assert kernel.prove(goal, step).goal == goal
    for wrong, failed in [
        (replace(step, subproofs=(whole, whole)), "proof.equal_parts"),
        (replace(step, subproofs=(parts, parts)), "proof.whole"),
        (with_hints(step, parts=(doubled, doubled)), "proof.equal_parts"),
        (with_hints(step, parts=(doubled, R)), "proof.equal_parts"),
    ]:
        with pytest.raises(kernel.StepError, match=f"^{failed}: "):
            kernel.prove(goal, wrong)


@pytest.mark.parametrize(
    "fresh",
    [S, variable("B", BagType(BOOL)), row(0, INT), mapped(X, R), K],
    ids=["used", "other type", "a row", "no variable", "a value"],
)
def test_congruence_rejects_a_variable_that_is_not_fresh(fresh: Term) -> None:
    with pytest.raises((KernelError, FragmentError)):
        Congruence((R, R), fresh).requirements(Goal(TRUE, union(R, S), union(S, R)))


def test_a_fresh_variable_has_a_name_of_its_own_whatever_its_type() -> None:
    goal = Goal(TRUE, mapped(add(X, K), S), mapped(add(X, K), S))
    with pytest.raises(KernelError, match="occur nowhere else"):
        Congruence((K, K), variable("S", INT)).requirements(goal)
    parts, whole = Congruence((K, K), variable("n", INT)).requirements(goal).subgoals
    assert (parts.goal, whole.goal.left) == (Goal(TRUE, K, K), mapped(add(X, variable("n", INT)), S))


def test_congruence_rejects_open_parts() -> None:
    with pytest.raises(SortError, match="both must be closed"):
        Congruence((add(X, ONE), ONE), K).requirements(Goal(TRUE, mapped(add(X, ONE), R), R))


def test_transitivity_uses_one_middle_and_one_hypothesis() -> None:
    hypothesis, one, two = less(ZERO, K), filtered(less(ZERO, K), R), filtered(less_equal(ONE, K), R)
    goal = Goal(hypothesis, R, two)
    first, second = no_agg(Goal(hypothesis, R, one), MATCHING), no_agg(Goal(hypothesis, one, two), MATCHING)
    assert kernel.prove(goal, Step(Transitive(one), (), (first, second))).goal == goal
    for wrong, failed in [
        (Step(Transitive(mapped(ZERO, R)), (), (first, second)), "proof.first"),
        (Step(Transitive(one), (), (second, second)), "proof.first"),
        (Step(Transitive(one), (), (first, first)), "proof.second"),
    ]:
        with pytest.raises(kernel.StepError, match=f"^{failed}: "):
            kernel.prove(goal, wrong)
    with pytest.raises(kernel.StepError, match=r"^proof\.first: "):
        kernel.prove(Goal(TRUE, R, two), Step(Transitive(one), (), (first, second)))


@pytest.mark.parametrize(
    "middle",
    [
        mapped(first_of(X, BOTTOM), R),
        mapped(row(0, INT), R),
        element(INT),
        mapped(less(X, ZERO), R),
    ],
    ids=["⊥", "a row", "a bound variable", "another type"],
)
def test_transitivity_rejects_a_middle_that_is_no_program(middle: Term) -> None:
    leaf = Step(NoAgg(MATCHING), (Oracle("z3"),) * 2)
    with pytest.raises(kernel.StepError, match=r"^proof\.first: "):
        kernel.prove(Goal(TRUE, R, R), Step(Transitive(middle), (), (leaf, leaf)))


def test_symmetry_changes_the_sides_and_nothing_else() -> None:
    hypothesis, left, right = less(ZERO, K), filtered(less(ZERO, K), R), R
    mirrored = no_agg(Goal(hypothesis, right, left), MATCHING)
    assert kernel.prove(Goal(hypothesis, left, right), Step(Symmetric(), (), (mirrored,))).goal == Goal(
        hypothesis, left, right
    )
    for goal in (Goal(TRUE, left, right), Goal(hypothesis, mapped(ZERO, left), right)):
        with pytest.raises(kernel.StepError, match=r"^proof\.mirrored: "):
            kernel.prove(goal, Step(Symmetric(), (), (mirrored,)))


# REFUTE and claims


@pytest.mark.parametrize(
    ("environment", "error", "message"),
    [
        ({R: {1: 1}}, KernelError, "one value for each parameter"),
        ({R: {1: 1}, K: 0, S: {}}, KernelError, "one value for each parameter"),
        ({R: {True: 1}, K: 1}, EvaluationError, "no value of type"),
        ({R: {1: True}, K: 1}, EvaluationError, "no value of type"),
        ({R: {1: 0}, K: 1}, EvaluationError, "no value of type"),
        ({R: {1: -1}, K: 1}, EvaluationError, "no value of type"),
        ({R: {(): 1}, K: 1}, EvaluationError, "no value of type"),
        ({R: [1], K: 1}, EvaluationError, "no value of type"),
        ({R: {1: 1}, K: 1.0}, EvaluationError, "no value of type"),
        ({R: {}, K: 7}, KernelError, "both programs return the same value on this input"),
    ],
)
def test_refute_rejects(environment: dict, error: type[Exception], message: str) -> None:
    pair = programs(R, mapped(K, R), R, K)
    assert refuting.inequivalent(*pair, {R: {1: 1}, K: 2}).outputs == ({1: 1}, {2: 1})
    with pytest.raises(error, match=message):
        refuting.inequivalent(*pair, environment)


def test_truth_and_one_are_different_results() -> None:
    """A boolean and an integer that Python calls equal are values of different types, and never compared."""
    pair = programs(less(K, ONE), ite(less(K, ONE), ONE, ZERO), K)
    with pytest.raises(KernelError, match="comparable"):
        refuting.inequivalent(*pair, {K: 0})
    with pytest.raises(KernelError, match="different parameters or return different kinds"):
        kernel.equivalent(*pair, Step(NoAgg(None), (Oracle("z3"),)))


def test_refute_stops_at_its_limit() -> None:
    pair = programs(folded(ZERO, SUM, R), ZERO, R)
    with pytest.raises(EvaluationError, match="more steps than its limit allows"):
        refuting.inequivalent(*pair, {R: {1: 10**30}}, 10_000)


def test_refute_counts_long_integers_as_many_steps() -> None:
    grown = ONE
    for _ in range(2_000):
        grown = scale(10**300, grown)
    huge = R
    for _ in range(60):
        huge = mapped(ONE, cartesian(huge, huge))
    for term in (folded(ONE, scale(10**300, A), R), folded(ZERO, ONE, huge)):
        with pytest.raises(EvaluationError, match="more steps than its limit allows"):
            refuting.inequivalent(*programs(term, ZERO, R), {R: {1: 10**6}})


def test_programs_with_other_parameters_are_not_compared() -> None:
    left, right = programs(R, R, R)[0], programs(S, S, S)[1]
    with pytest.raises(KernelError, match="different parameters"):
        kernel.equivalent(left, right, Step(NoAgg(MATCHING), (Oracle("z3"),) * 2))


def test_the_failing_step_is_named_by_its_path() -> None:
    certificate = CERTIFICATES["congruent"]()
    proof = certificate.result
    assert isinstance(proof, Step)
    parts, whole = proof.subproofs
    assert isinstance(whole.rule, Fold)
    leaf = replace(whole.subproofs[0], evidence=())
    wrong = replace(proof, subproofs=(parts, replace(whole, subproofs=(leaf,))))
    with pytest.raises(kernel.StepError) as caught:
        kernel.equivalent(certificate.left, certificate.right, wrong)
    assert str(caught.value) == "proof.whole.conclusion: 1 premises need as many pieces of evidence, not 0"


def test_a_rule_that_does_not_exist_is_refused() -> None:
    with pytest.raises(kernel.StepError, match=r"^proof: no rule is called Oracle$"):
        kernel.prove(Goal(TRUE, R, S), Oracle("z3"))  # type: ignore[arg-type]


def test_the_evidence_of_another_premise_is_refused_with_the_name_of_the_premise() -> None:
    goal = Goal(
        TRUE,
        filtered(less(ZERO, X), mapped(add(X, ONE), R)),
        mapped(add(X, ONE), filtered(less_equal(ZERO, X), R)),
    )
    step = no_agg(goal, MATCHING)
    assert kernel.prove(goal, step).goal == goal
    required = NoAgg(MATCHING).requirements(goal).premises
    with pytest.raises(KernelError, match=r"^proof: premise 'left monomial 0 is right 0': "):
        kernel.prove(goal, replace(step, evidence=(Farkas(()), step.evidence[1])))
    assert len(evidence(required)) == 2


def test_cuts_of_cuts_do_not_grow_numbers_without_end() -> None:
    """400 cuts with multipliers of 300 digits took a minute, for numbers of 100,000 digits."""
    y, cuts = variable("y", INT), 400
    facts = less_equal(add(scale(7, K), scale(5, y)), ONE), less_equal(add(scale(3, K), scale(-11, y)), ONE)
    tree: Refutation = Farkas(())
    for fact in range(cuts, 0, -1):
        tree = Cut(((fact, 10**299 + fact), (fact - 1, 10**298 + 7 * fact + 1)), tree)
    with pytest.raises(RefutationError, match=r"^a number has more than 8192 bits$"):
        valid(negated(conjunction(*facts)), tree)
