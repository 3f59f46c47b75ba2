"""The checker of refutation trees: accepted and rejected cases for each node and each rule of lowering."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import VARIABLES, formulas
from tallystick.certificates.evidence import Case, Cut, Farkas, Refutation, Split
from tallystick.certificates.facts import Disjunction, Facts
from tallystick.certificates.forms import Form
from tallystick.certificates.refutation import check
from tallystick.certificates.search.tableau import search
from tallystick.core.errors import BudgetError, KernelError, RefutationError
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    add,
    build,
    conjunction,
    constant,
    disjunction,
    element,
    equal,
    implies,
    less,
    less_equal,
    negation,
    project,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType, TupleType, Type, Value

from certificates.z3_oracle import is_valid

X, Y, Z = (variable(name, INT) for name in "xyz")
P, Q = (variable(name, BOOL) for name in "pq")
PAIR = TupleType((INT, BOOL))
S, T = (variable(name, PAIR) for name in "st")
ZERO, ONE = constant(0), constant(1)


def div(term: Term, divisor: int) -> Term:
    return build(Operator.DIV, (term,), divisor)


def mod(term: Term, divisor: int) -> Term:
    return build(Operator.MOD, (term,), divisor)


def ite(*arguments: Term) -> Term:
    return build(Operator.ITE, arguments)


def leaf(*numbers: int) -> Farkas:
    return Farkas(tuple((number, 1) for number in numbers))


ACCEPTED: dict[str, tuple[Term, Refutation]] = {
    "a false fact closes by itself": (TRUE, leaf(0)),
    "farkas adds facts up": (implies(conjunction(less(X, Y), less(Y, Z)), less(X, Z)), leaf(0, 1, 2)),
    "farkas multiplies": (
        negation(conjunction(less_equal(add(scale(2, X), Y), ZERO), less_equal(ONE, add(X, Y)), less(ZERO, X))),
        leaf(0, 1, 2),
    ),
    "entering atoms are tightened": (negation(equal(scale(2, X), ONE)), leaf(0, 1)),
    "case has a branch for each disjunct": (
        implies(conjunction(disjunction(less(X, ZERO), less(ONE, X)), less(ZERO, X)), less(ONE, X)),
        Case(0, (leaf(1, 3), leaf(2, 3))),
    ),
    "cut divides and rounds": (
        negation(conjunction(equal(add(scale(2, X), scale(3, Y)), ONE), equal(Y, scale(2, Z)))),
        Cut(((0, 1), (2, 3)), Cut(((1, 1), (3, 3)), leaf(4, 5))),
    ),
    "split has both sides": (
        negation(conjunction(less(ZERO, scale(2, X)), less(X, ONE))),
        Split(((0, 1),), 0, leaf(0, 2), leaf(1, 2)),
    ),
    "split on a form of two unknowns": (
        implies(less(X, Y), less_equal(add(X, ONE), Y)),
        Split(((0, 1), (1, -1)), 0, leaf(0, 2), leaf(1, 2)),
    ),
    "a boolean unknown holds or fails": (disjunction(P, negation(P)), leaf(0, 1)),
    "equivalence has both hold or both fail": (
        implies(equal(P, Q), disjunction(negation(P), Q)),
        Case(0, (leaf(2, 4), leaf(1, 3))),
    ),
    "a boolean conditional has two cases": (
        implies(ite(P, Q, FALSE), Q),
        Case(0, (leaf(1, 3), leaf(3))),
    ),
    "an integer conditional is defined by its two cases": (
        less_equal(X, ite(less(X, Y), Y, X)),
        Case(1, (leaf(0, 2, 4), leaf(0, 4))),
    ),
    "a remainder is at least 0": (less_equal(ZERO, mod(X, 5)), leaf(0, 1)),
    "a remainder is less than its divisor": (less(mod(X, 5), constant(5)), leaf(0, 2)),
    "quotient and remainder of one term share the quotient": (
        less_equal(add(scale(5, div(X, 5)), mod(X, 5)), X),
        leaf(0),
    ),
    "a component of a conditional tuple is a conditional": (
        less_equal(X, project(ite(less(X, Y), tuple_of(Y, P), tuple_of(X, Q)), 0)),
        Case(1, (leaf(0, 2, 4), leaf(0, 4))),
    ),
    "tuples are equal component by component": (
        implies(equal(S, T), less_equal(project(S, 0), project(T, 0))),
        leaf(0, 3),
    ),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_refutation_is_accepted(name: str) -> None:
    check(*ACCEPTED[name])


REJECTED: dict[str, tuple[Term, Refutation, str]] = {
    "no facts contradict": (TRUE, Farkas(()), "the leaf () is not contradictory"),
    "facts of satisfiable kind": (less(X, Y), leaf(0), "the leaf ((0, 1),) is not contradictory"),
    "unknowns remain": (
        implies(conjunction(less(X, Y), less(Y, Z)), less(X, Z)),
        leaf(0, 1),
        "the leaf ((0, 1), (1, 1)) is not contradictory",
    ),
    "a multiplier of 0": (TRUE, Farkas(((0, 0),)), "multiplier 0 is not positive"),
    "a negative multiplier": (
        less(X, Y),
        Farkas(((0, 1), (0, -1))),
        "multiplier -1 is not positive",
    ),
    "a boolean multiplier": (
        TRUE,
        Farkas(((0, True),)),
        "expected an integer of at most 8192 bits, got bool",
    ),
    "a boolean number": (TRUE, Farkas(((False, 1),)), "expected an integer of at most 8192 bits, got bool"),
    "a huge multiplier": (
        TRUE,
        Farkas(((0, 10**5000),)),
        "expected an integer of at most 8192 bits, got int",
    ),
    "a huge number": (TRUE, Farkas(((10**5000, 0),)), "multiplier 0 is not positive"),
    "a huge bound": (
        less(X, Y),
        Split(((0, 1),), 10**5000, leaf(0), leaf(0)),
        "expected an integer of at most 8192 bits, got int",
    ),
    "a number beyond the facts": (TRUE, leaf(1), "there is no fact 1, only 1"),
    "a negative number": (TRUE, leaf(-1), "there is no fact -1, only 1"),
    "a disjunction in a combination": (
        equal(P, Q),
        leaf(0),
        "fact 0 is a Disjunction, not a Form",
    ),
    "an atom as a case": (TRUE, Case(0, (leaf(0), leaf(0))), "fact 0 is a Form, not a Disjunction"),
    "a branch too few": (equal(P, Q), Case(0, (leaf(0),)), "fact 0 has 2 branches, not 1"),
    "a branch too many": (equal(P, Q), Case(0, (leaf(0),) * 3), "fact 0 has 2 branches, not 3"),
    "a branch that stays open": (
        implies(disjunction(P, Q), P),
        Case(0, (leaf(1, 2), leaf(1, 2))),
        "the leaf ((1, 1), (2, 1)) is not contradictory",
    ),
    "a fact of another branch": (
        implies(disjunction(conjunction(P, less(ONE, ZERO)), Q), FALSE),
        Case(0, (leaf(2), leaf(2))),
        "there is no fact 2, only 2",
    ),
    "a cut of nothing": (less(X, Y), Cut((), leaf(1)), "there is no fact 1, only 1"),
    "a cut that rounds down": (
        negation(equal(scale(2, X), Y)),
        Cut(((0, 1),), leaf(0, 2)),
        "the leaf ((0, 1), (2, 1)) is not contradictory",
    ),
    "a split on an unknown beyond the branch": (
        less(X, Y),
        Split(((2, 1),), 0, leaf(0), leaf(0)),
        "there is no unknown 2, only 2",
    ),
    "a split on a negative unknown": (
        less(X, Y),
        Split(((-1, 1),), 0, leaf(0), leaf(0)),
        "there is no unknown -1, only 2",
    ),
    "a split at a boolean": (
        less(X, Y),
        Split(((0, 1),), True, leaf(0), leaf(0)),
        "expected an integer of at most 8192 bits, got bool",
    ),
    "a split whose sides do not meet": (
        negation(equal(X, ZERO)),
        Split(((0, 1),), -1, leaf(1, 2), leaf(1, 2)),
        "the leaf ((1, 1), (2, 1)) is not contradictory",
    ),
    "a split of which one side stays open": (
        less(X, ZERO),
        Split(((0, 1),), -1, leaf(0, 1), leaf(0)),
        "the leaf ((0, 1),) is not contradictory",
    ),
    "a remainder that equals its divisor": (
        less_equal(mod(X, 5), constant(3)),
        leaf(0, 2),
        "the leaf ((0, 1), (2, 1)) is not contradictory",
    ),
    "no refutation": (TRUE, None, "a refutation has no NoneType"),  # type: ignore[dict-item]
    "an integer": (X, leaf(0), "a formula is a boolean, not of type Int"),
    "⊥, even where no branch looks": (
        disjunction(less(X, Y), equal(build(Operator.BOTTOM, (), INT), X), less_equal(Y, X)),
        leaf(0, 1),
        "a formula has no bottom",
    ),
    "a bound variable": (less(element(INT), X), leaf(0), "a formula has no element"),
    "a fold": (
        build(
            Operator.EQUAL,
            (build(Operator.FOLD, (ZERO, ONE, variable("b", BagType(INT)))), ZERO),
        ),
        leaf(0),
        "a formula has no fold",
    ),
}


@pytest.mark.parametrize("name", REJECTED)
def test_a_flawed_refutation_is_rejected_with_its_reason(name: str) -> None:
    formula, refutation, reason = REJECTED[name]
    with pytest.raises(RefutationError) as error:
        check(formula, refutation)
    assert str(error.value) == reason


def test_the_error_is_one_of_the_kernel() -> None:
    assert issubclass(RefutationError, KernelError)


def test_a_hostile_depth_is_an_error_and_no_crash() -> None:
    tree: Refutation = leaf(0)
    for _ in range(100_000):
        tree = Cut((), tree)
    with pytest.raises(RefutationError, match="nested too deeply"):
        check(TRUE, tree)
    formula = P
    for _ in range(100_000):
        formula = build(Operator.NOT, (formula,))
    with pytest.raises(BudgetError, match=r"^a term is nested more than 900 levels deep$"):
        check(formula, leaf(0))


def test_shared_subterms_are_not_expanded_more_than_once() -> None:
    """A conjunction that doubles 100 times has one atom; sums and tuples that double stay small as well."""
    formula, total, pair = less(X, Y), X, ite(P, tuple_of(X, X), tuple_of(Y, Y))
    for _ in range(100):
        formula = build(Operator.AND, (formula, formula))
        total = add(total, total)
        pair = build(Operator.TUPLE, (project(ite(P, pair, pair), 1), project(pair, 0)))
    facts = Facts()
    facts.assume((formula, True), (less(total, X), True), (equal(pair, pair), True))
    assert len(facts.facts) == 2


def test_checks_hold_without_assertions() -> None:
    """Under `python -O`, flawed refutations are rejected too."""
    program = (
        "from certificates.test_refutation import *\n"
        "count = 0\n"
        "for formula, refutation, reason in REJECTED.values():\n"
        "    try:\n        check(formula, refutation)\n"
        "    except RefutationError:\n        count += 1\n"
        "for case in ACCEPTED.values():\n    check(*case)\n"
        "print(count == len(REJECTED))\n"
    )
    folder = __file__.rsplit("/certificates/", 1)[0]
    run = subprocess.run([sys.executable, "-O", "-c", program], cwd=folder, capture_output=True, text=True)
    assert run.stdout == "True\n", run.stderr


def mutations(node: Refutation) -> Iterator[Refutation]:
    """Every tree that differs from `node` in one number, pair or branch."""
    match node:
        case Farkas() | Cut():
            yield from (replace(node, multipliers=changed) for changed in changed_pairs(node.multipliers))
        case Case():
            yield from (replace(node, fact=node.fact + change) for change in (-1, 1))
            for index, branch in enumerate(node.branches):
                before, after = node.branches[:index], node.branches[index + 1 :]
                yield replace(node, branches=before + after)
                yield from (replace(node, branches=(*before, other, *after)) for other in mutations(branch))
            yield replace(node, branches=node.branches[::-1])
        case Split():
            yield from (replace(node, bound=node.bound + change) for change in (-1, 1))
            yield from (replace(node, coefficients=changed) for changed in changed_pairs(node.coefficients))
            yield replace(node, below=node.above, above=node.below)
    for name in ("rest", "below", "above"):
        if name in {field.name for field in fields(node)}:
            yield getattr(node, name)
            yield from (replace(node, **{name: other}) for other in mutations(getattr(node, name)))


def changed_pairs(pairs: tuple[tuple[int, int], ...]) -> Iterator[tuple[tuple[int, int], ...]]:
    for index, (number, multiplier) in enumerate(pairs):
        for moved, multiplied in ((1, 0), (-1, 0), (0, 1), (0, -2 * multiplier)):
            yield (*pairs[:index], (number + moved, multiplier + multiplied), *pairs[index + 1 :])
        yield pairs[:index] + pairs[index + 1 :]


def accepted(formula: Term, refutation: Refutation) -> bool:
    try:
        check(formula, refutation)
    except RefutationError:
        return False
    return True


INVALID = (
    less(X, Y),
    equal(mod(X, 2), ZERO),
    equal(P, Q),
    equal(S, T),
    implies(disjunction(P, Q), P),
    less_equal(ite(less(X, Y), Y, X), X),
    implies(less_equal(X, Y), less(X, Y)),
    negation(equal(scale(2, X), scale(3, Y))),
    FALSE,
)


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_mutated_refutation_of_one_formula_proves_no_invalid_one(name: str) -> None:
    for tree in (ACCEPTED[name][1], *mutations(ACCEPTED[name][1])):
        assert not any(accepted(other, tree) for other in INVALID)


def test_z3_agrees_on_what_is_valid_and_invalid() -> None:
    assert all(is_valid(formula) is False for formula in INVALID)
    assert all(is_valid(formula) is True for formula, _ in ACCEPTED.values())


VALUES = st.integers(-30, 30)


@settings(max_examples=200)
@given(formulas(depth=4), st.booleans(), st.data())
def test_the_facts_of_a_literal_are_true_exactly_where_the_literal_is(
    formula: Term, holds: bool, data: st.DataObject
) -> None:
    """Lowering is an equivalence under any values, and each unknown's value satisfies its definition."""
    values = {variable: data.draw(of_type(variable.type)) for variable in VARIABLES}
    facts = Facts()
    truth = [is_true(fact, values) for fact in facts.lower(formula, holds)]
    assert all(truth) is (evaluate(formula, values) is holds)
    for fact in facts.lower(formula, holds):
        for unknown in fact.coefficients if isinstance(fact, Form) else ():
            facts.add(Form({unknown: 1}, -1_000_000))
    assert all(is_true(fact, values) for fact in facts.facts)


def of_type(type_: Type) -> st.SearchStrategy[Value]:
    if isinstance(type_, TupleType):
        return st.tuples(*map(of_type, type_.components))
    return st.booleans() if type_ == BOOL else VALUES


def is_true(fact: Form | Disjunction, values: dict[Term, Value]) -> bool:
    if isinstance(fact, Disjunction):
        branches = fact.branches
        return any(all(evaluate(term, values) is holds for term, holds in branch) for branch in branches)
    return fact.constant + sum(part * int(evaluate(x, values)) for x, part in fact.coefficients.items()) <= 0


@settings(max_examples=40)
@given(formulas(depth=3), st.data())
def test_no_tree_is_accepted_for_an_invalid_formula(formula: Term, data: st.DataObject) -> None:
    """Random trees, and changed trees of valid formulas, against formulas that Z3 finds invalid."""
    if is_valid(formula) is False:
        tree = search(disjunction(formula, negation(formula)))
        assert isinstance(tree, Case | Split | Cut | Farkas)
        candidates = [tree, *mutations(tree)]
        candidates.append(data.draw(trees()))
        assert not any(accepted(formula, candidate) for candidate in candidates[:200])


def trees() -> st.SearchStrategy[Refutation]:
    number = st.integers(-1, 8)
    pairs = st.lists(st.tuples(number, st.integers(-1, 4)), max_size=4).map(tuple)
    return st.recursive(
        st.builds(Farkas, pairs),
        lambda inner: st.one_of(
            st.builds(Case, number, st.lists(inner, max_size=3).map(tuple)),
            st.builds(Split, pairs, number, inner, inner),
            st.builds(Cut, pairs, inner),
        ),
        max_leaves=12,
    )


@settings(max_examples=150)
@given(formulas(depth=2), trees())
def test_any_tree_is_accepted_for_a_valid_formula_or_rejected_by_the_documented_error(
    formula: Term, tree: Refutation
) -> None:
    if accepted(formula, tree):
        assert is_valid(formula)
