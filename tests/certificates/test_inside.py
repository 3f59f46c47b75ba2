"""INSIDE puts equals for equals in any place of a bag; AGAIN stands for what a step before has proved."""

import pytest
from tallystick.certificates import kernel
from tallystick.certificates.evidence import Step
from tallystick.certificates.judgements import Goal
from tallystick.certificates.rules.again import Again
from tallystick.certificates.rules.inside import Inside
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.rules.transitive import Transitive
from tallystick.core.binders import bind, element_type, every, exists, limit, summation, total
from tallystick.core.errors import KernelError
from tallystick.core.relations import Relation
from tallystick.core.terms import (
    TRUE,
    add,
    constant,
    equal,
    less,
    negation,
    project,
    row,
    slot,
    variable,
)
from tallystick.core.types import INT, BagType, TupleType

PAIR = TupleType((INT, INT))
R, S = variable("R", BagType(PAIR)), variable("S", BagType(PAIR))
RELATIONS = {"R": Relation(R), "S": Relation(S)}
X, Y = row(0, PAIR), row(1, PAIR)
A, B, C = project(X, 0), project(X, 1), project(Y, 0)


def bag(*monomials, of=PAIR):
    return summation(monomials, of)


def goal(left, right=None, hypothesis=TRUE, rows=()):
    return Goal(hypothesis, left, left if right is None else right, rows, RELATIONS)


def inner(of):
    """⟨y : S | y₀ = x₀ ↦ …⟩, about the row before."""
    return bag(bind((Y,), (S,), equal(C, A), constant(1) if of == "exists" else project(Y, 1)), of=INT)


MATCHES = exists(inner("exists"))
TOTAL = total(inner("total"))
HALF = total(bag(bind((Y,), (S,), equal(C, A), add(project(Y, 1), constant(1))), of=INT))
SLOT = slot(0, INT)
QUERY = bag(bind((X,), (R,), MATCHES, X))
SUMMED = bag(bind((X,), (R,), less(A, TOTAL), TOTAL), of=INT)


def test_in_a_condition_the_slots_around_are_rows():
    part, rest = Inside("left", (0, 1), MATCHES, negation(MATCHES)).requirements(goal(QUERY)).subgoals
    assert (part.goal.left, part.goal.right, part.goal.rows) == (MATCHES, negation(MATCHES), (R,))
    assert rest.goal.left is bag(bind((X,), (R,), negation(MATCHES), X))
    assert rest.goal.right is QUERY


def test_every_occurrence_in_the_place_is_replaced_and_none_elsewhere():
    part, rest = Inside("right", (0, 2), TOTAL, HALF).requirements(goal(SUMMED)).subgoals
    assert part.goal.rows == (R,)
    assert rest.goal.left is SUMMED
    assert rest.goal.right is bag(bind((X,), (R,), less(A, TOTAL), HALF), of=INT)


def test_below_other_binders_rows_are_numbered_after_those_of_the_goal():
    within = row(2, PAIR)
    number = project(row(1, PAIR), 1)
    deep = total(
        bag(bind((Y,), (S,), exists(bag(bind((within,), (R,), less(number, A), constant(1)), of=INT)), C), of=INT)
    )
    new = less(number, constant(3))
    old = exists(bag(bind((within,), (R,), less(number, A), constant(1)), of=INT))
    part, _ = Inside("left", (0, 0, 1), old, new).requirements(goal(deep, rows=(R,))).subgoals
    assert part.goal.rows == (R, S)
    assert part.goal.hypothesis is TRUE


def test_a_source_is_replaced_over_the_slots_before_it_only():
    block = limit(bag(bind((row(1, PAIR),), (S,), equal(C, A), row(1, PAIR))), 1, 0, ())
    taken = row(1, element_type(block))
    query = bag(bind((X, taken), (R, block), TRUE, taken))
    smaller = limit(bag(bind((row(1, PAIR),), (S,), less(C, A), row(1, PAIR))), 1, 0, ())
    part, rest = Inside("left", (0, 1), block, smaller).requirements(goal(query)).subgoals
    assert part.goal.rows == (R,)
    assert rest.goal.left is bag(bind((X, taken), (R, smaller), TRUE, taken))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (Inside("middle", (0, 1), MATCHES, TRUE), "INSIDE changes the left or the right side of a goal about queries"),
        (Inside("left", (1, 1), MATCHES, TRUE), "there is no part 1, only 1"),
        (Inside("left", (-1, 1), MATCHES, TRUE), "there is no part -1, only 1"),
        (Inside("left", (True, 1), MATCHES, TRUE), "there is no part True, only 1"),
        (Inside("left", (0, 3), MATCHES, TRUE), "there is no part 3, only 3"),
        (Inside("left", (0, 1, 0, 0, 1, 0), MATCHES, TRUE), "no path of INSIDE leads into a term made by equal"),
        (Inside("left", (), MATCHES, TRUE), "INSIDE replaces a term over the rows in scope by another of its type"),
        (Inside("left", (0, 0), MATCHES, TRUE), "INSIDE replaces a term over the rows in scope by another of its type"),
        (Inside("left", (0, 1), A, TRUE), "INSIDE replaces a term over the rows in scope by another of its type"),
        (Inside("left", (0, 1), C, A), "INSIDE replaces a term over the rows in scope by another of its type"),
        (
            Inside("left", (0, 1), slot(0, INT), A),
            "INSIDE replaces a term over the rows in scope by another of its type",
        ),
    ],
)
def test_a_step_is_refused(step, message):
    with pytest.raises(KernelError, match=f"^{message}$"):
        step.requirements(goal(QUERY))


def test_programs_have_no_inside_and_no_again():
    for rule, words in ((Inside("left", (0, 1), MATCHES, TRUE), "INSIDE changes"), (Again(), "AGAIN is about queries")):
        with pytest.raises(KernelError, match=words):
            rule.requirements(Goal(TRUE, QUERY, QUERY))


def test_a_false_equation_has_no_proof():
    step = Step(Inside("left", (0, 1), MATCHES, negation(MATCHES)), (), (Step(Reflexive()), Step(Reflexive())))
    with pytest.raises(KernelError, match=r"proof\.inside: the sides are not the same term"):
        kernel.prove(goal(QUERY, bag(bind((X,), (R,), negation(MATCHES), X))), step)


def test_a_replacement_is_captured_by_no_binder():
    """The new term mentions the slot around it, whatever number that has below other binders."""
    within = row(2, PAIR)
    old = exists(bag(bind((within,), (R,), equal(project(within, 0), A), constant(1)), of=INT))
    new = exists(bag(bind((within,), (R,), less(project(within, 0), A), constant(1)), of=INT))
    query, expected = (
        bag(bind((X,), (R,), exists(bag(bind((Y,), (S,), part, constant(1)), of=INT)), X)) for part in (old, new)
    )
    rest = Inside("left", (0, 1), old, new).requirements(goal(query)).subgoals[1]
    assert rest.goal.left is expected


# AGAIN

PAIRED = bag(bind((X, Y), (R, S), TRUE, X))


def test_what_was_proved_before_is_taken_for_granted_once_it_was_proved():
    kernel.prove(goal(PAIRED), Step(Transitive(PAIRED), (), (Step(Reflexive()), Step(Again()))))


@pytest.mark.parametrize("first", [Step(Again()), Step(Transitive(PAIRED), (), (Step(Again()), Step(Reflexive())))])
def test_nothing_is_proved_by_what_comes_after_it(first):
    with pytest.raises(KernelError, match="AGAIN is about what was proved before, which this was not"):
        kernel.prove(goal(PAIRED), first)


def test_a_judgement_does_not_rest_on_itself():
    """TRANS through the same goal: its subgoals come before it, so neither is proved yet."""
    with pytest.raises(KernelError, match="AGAIN is about what was proved before"):
        kernel.prove(goal(PAIRED, QUERY), Step(Transitive(PAIRED), (), (Step(Reflexive()), Step(Again()))))


def test_rows_catalogues_and_hypotheses_belong_to_a_judgement():
    """The same sides under fewer rows, another hypothesis or another catalogue are another judgement."""
    budget = kernel.Budget()
    known = goal(PAIRED, rows=(R,))
    kernel.prove(known, Step(Reflexive()), budget)
    kernel.prove(known, Step(Again()), budget)
    others = (
        goal(PAIRED),
        goal(PAIRED, QUERY, rows=(R,)),
        goal(QUERY, PAIRED, rows=(R,)),
        goal(PAIRED, rows=(S,)),
        goal(PAIRED, hypothesis=less(A, B), rows=(R,)),
        Goal(TRUE, PAIRED, PAIRED, (R,), {"R": Relation(R, ((0,),)), "S": Relation(S)}),
    )
    for other in others:
        with pytest.raises(KernelError, match="AGAIN is about what was proved before"):
            kernel.prove(other, Step(Again()), budget)


def test_it_takes_no_subproofs():
    budget = kernel.Budget()
    kernel.prove(goal(PAIRED), Step(Reflexive()), budget)
    with pytest.raises(KernelError, match="0 subgoals need as many subproofs, not 1"):
        kernel.prove(goal(PAIRED), Step(Again(), (), (Step(Reflexive()),)), budget)


def test_a_slot_over_every_value_is_in_scope_as_well():
    value = row(0, INT)
    guard = exists(bag(bind((row(1, PAIR),), (R,), equal(project(row(1, PAIR), 0), value), constant(1)), of=INT))
    query = bag(bind((value,), (every(INT),), guard, value), of=INT)
    part, _ = Inside("left", (0, 1), guard, TRUE).requirements(goal(query)).subgoals
    assert part.goal.rows == (every(INT),)
