"""LIMIT-MAP: a LIMIT over an image is the image of a LIMIT, where the image keeps the order keys."""

from dataclasses import replace

import pytest
from tallystick.certificates.judgements import Goal
from tallystick.certificates.rules.limit_map import Determined, LimitMap
from tallystick.core.binders import bind, element_type, limit, summation, total
from tallystick.core.errors import KernelError
from tallystick.core.relations import Relation
from tallystick.core.terms import (
    TRUE,
    add,
    conjunction,
    constant,
    equal,
    implies,
    less,
    project,
    row,
    tuple_of,
    variable,
)
from tallystick.core.types import INT, BagType, TupleType

PAIR = TupleType((INT, INT))
R, S = variable("R", BagType(PAIR)), variable("S", BagType(PAIR))
RELATIONS = {"R": Relation(R), "S": Relation(S)}
UP = ((False, False),)
X, Z = row(0, PAIR), row(1, PAIR)
A, B = project(X, 0), project(X, 1)


def bag(*monomials, of=PAIR):
    return summation(monomials, of)


def goal(left, right=None):
    return Goal(TRUE, left, left if right is None else right, (), RELATIONS)


def taken(inside, head, after=(), of=PAIR):
    """⟨y : LIMIT 2 of a bag by its last column, and more slots | ↦ head(y)⟩."""
    source = limit(inside, 2, 0, UP)
    y = row(0, element_type(source))
    slots = [row(1 + place, element_type(each)) for place, each in enumerate(after)]
    return bag(bind((y, *slots), (source, *after), TRUE, head(y, *slots)), of=of)


SUMS = bag(bind((X,), (R,), less(A, B), tuple_of(add(A, B), A)))
"""a + b, ordered by a, of the rows with a < b."""
WIDE_TYPE = TupleType((INT, INT, INT))
WIDE = bag(bind((X,), (R,), less(A, B), tuple_of(A, B, A)), of=WIDE_TYPE)
NEW = row(0, WIDE_TYPE)
IMAGE = tuple_of(add(project(NEW, 0), project(NEW, 1)), project(NEW, 2))
QUERY = taken(SUMS, lambda y: tuple_of(project(y, 0), constant(7)))
STEP = LimitMap("left", 0, 0, WIDE, IMAGE, False)


CLOSED = "LIMIT-MAP with ties is about closed bags without a LIMIT in them, and a function of one row"


def test_the_computation_moves_out_of_the_limit():
    image, rest = STEP.requirements(goal(QUERY)).subgoals
    assert (image.role, image.goal.left, image.goal.right, image.goal.rows) == ("image", SUMS, SUMS, ())
    assert rest.goal.left is taken(WIDE, lambda y: tuple_of(add(project(y, 0), project(y, 1)), constant(7)))


def test_the_right_side_and_sums_are_changed_alike():
    weights = total(taken(SUMS, lambda y: project(y, 0), of=INT))
    (monomial,) = weights.arguments[0].arguments
    assert monomial.arguments[0].operator.value == "limit"
    rest = LimitMap("right", 0, 0, WIDE, IMAGE, False).requirements(goal(total(bag(of=INT)), weights)).subgoals[1]
    assert rest.goal.right is total(taken(WIDE, lambda y: add(project(y, 0), project(y, 1)), of=INT))


def test_later_slots_see_the_image():
    query = taken(SUMS, lambda y, z: tuple_of(project(y, 0), project(z, 1)), (S,))
    rest = STEP.requirements(goal(query)).subgoals[1]
    assert rest.goal.left is taken(WIDE, lambda y, z: tuple_of(add(project(y, 0), project(y, 1)), project(z, 1)), (S,))


def test_the_bag_may_mention_rows_before_the_limit_and_the_subgoal_has_them():
    inner = bag(bind((Z,), (S,), equal(project(Z, 0), A), tuple_of(project(Z, 1), project(Z, 1))))
    source = limit(inner, 1, 0, UP)
    y = row(1, PAIR)
    query = bag(bind((X, y), (R, source), TRUE, y))
    required = LimitMap("left", 0, 1, inner, y, True).requirements(goal(query))
    image, rest = required.subgoals
    assert image.goal.rows == (R,)
    assert rest.goal.left is query
    (premise,) = required.premises
    assert premise.rows == (R, S, S)
    with pytest.raises(KernelError, match=CLOSED):
        LimitMap("left", 0, 1, inner, y, False).requirements(goal(query))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (LimitMap("middle", 0, 0, WIDE, IMAGE, False), "a goal has a left and a right side"),
        (LimitMap("left", 1, 0, WIDE, IMAGE, False), "there is no monomial 1, only 1"),
        (LimitMap("left", 0, 1, WIDE, IMAGE, False), "there is no slot 1, only 1"),
        (LimitMap("left", 0, True, WIDE, IMAGE, False), "there is no slot True, only 1"),
        (LimitMap("left", 0, 0, R, row(0, PAIR), False), "B' is no bag over the rows before the LIMIT"),
        (
            LimitMap("left", 0, 0, bag(bind((Z,), (S,), equal(X, Z), Z)), row(0, PAIR), False),
            "B' is no bag over the rows before the LIMIT",
        ),
        (
            LimitMap("left", 0, 0, WIDE, project(NEW, 0), False),
            "the image is no row of the LIMIT, made from the new row and those before it",
        ),
        (
            LimitMap("left", 0, 0, WIDE, row(1, PAIR), False),
            "the image is no row of the LIMIT, made from the new row and those before it",
        ),
        (
            LimitMap("left", 0, 0, WIDE, tuple_of(project(NEW, 0), project(NEW, 1)), False),
            "the image changes an order key",
        ),
        (
            LimitMap("left", 0, 0, WIDE, tuple_of(project(NEW, 0), add(project(NEW, 2), constant(1))), False),
            "the image changes an order key",
        ),
    ],
)
def test_a_step_is_refused(step, message):
    with pytest.raises(KernelError, match=f"^{message}$"):
        step.requirements(goal(QUERY))


def test_only_slots_over_a_limit_are_changed():
    query = bag(bind((X,), (R,), TRUE, X))
    with pytest.raises(KernelError, match="LIMIT-MAP is about a slot that ranges over a LIMIT"):
        LimitMap("left", 0, 0, bag(bind((X,), (R,), TRUE, X)), X, False).requirements(goal(query))


def test_an_image_that_forgets_rows_leaves_a_subgoal_that_is_false():
    """B' with fewer rows: the image is another bag, and the subgoal says so."""
    fewer = bag(bind((X,), (R,), less(B, A), tuple_of(A, B, A)), of=WIDE_TYPE)
    image = LimitMap("left", 0, 0, fewer, IMAGE, False).requirements(goal(QUERY)).subgoals[0]
    assert image.goal.left is not image.goal.right


def test_what_is_chosen_among_ties_is_said_of_rows_of_the_type_and_of_the_directions():
    required = STEP.requirements(goal(QUERY))
    assert required.premises == ()
    assert required.choices == (("ties", "as their images"), ((PAIR, UP), (SUMS, WIDE, IMAGE)))


def test_where_keys_determine_the_rows_nothing_is_chosen():
    two = bag(*WIDE.arguments, bind((X,), (S,), TRUE, tuple_of(B, A, A)), of=WIDE_TYPE)
    required = replace(STEP, bag=two, determined=True).requirements(goal(QUERY))
    assert required.choices == ()
    assert [premise.about for premise in required.premises] == [Determined(at) for at in ((0, 0), (0, 1), (1, 1))]
    assert [premise.rows for premise in required.premises] == [(R, R), (R, S), (S, S)]
    other = row(1, PAIR)
    low, high = project(other, 0), project(other, 1)
    first, second, third = (premise.formula for premise in required.premises)
    given = conjunction(less(A, B), less(low, high), equal(A, low))
    assert first is implies(given, equal(tuple_of(A, B, A), tuple_of(low, high, low)))
    assert second is implies(conjunction(less(A, B), equal(A, low)), equal(tuple_of(A, B, A), tuple_of(high, low, low)))
    assert third is implies(equal(A, low), equal(tuple_of(B, A, A), tuple_of(high, low, low)))


def test_without_keys_all_rows_are_the_same_or_there_is_a_choice():
    (premise,) = replace(STEP, determined=True).requirements(goal(QUERY)).premises
    assert premise.formula is not TRUE


def test_with_ties_there_are_more_columns():
    same = bag(bind((X,), (R,), less(A, B), tuple_of(add(A, B), A)))
    with pytest.raises(KernelError, match="LIMIT-MAP with ties is about a LIMIT of more columns"):
        LimitMap("left", 0, 0, same, row(0, PAIR), False).requirements(goal(QUERY))


def test_with_ties_the_bags_have_no_limit_in_them():
    """What is chosen above would depend on what is chosen below, and the reverse."""
    inner = limit(SUMS, 3, 0, UP)
    y = row(0, PAIR)
    wide = bag(bind((y,), (inner,), TRUE, tuple_of(project(y, 0), project(y, 1), project(y, 1))), of=WIDE_TYPE)
    image = tuple_of(project(NEW, 0), project(NEW, 2))
    nested = taken(bag(bind((y,), (inner,), TRUE, y)), lambda y: y)
    for query, bags in ((nested, wide), (QUERY, wide), (nested, WIDE)):
        with pytest.raises(KernelError, match=CLOSED):
            LimitMap("left", 0, 0, bags, image, False).requirements(goal(query))


def test_with_ties_the_image_is_made_from_its_row_alone():
    source = limit(SUMS, 2, 0, UP)
    y = row(1, PAIR)
    query = bag(bind((X, y), (R, source), TRUE, y))
    new = row(1, WIDE_TYPE)
    image = tuple_of(add(project(new, 0), A), project(new, 2))
    with pytest.raises(KernelError, match=CLOSED):
        LimitMap("left", 0, 1, WIDE, image, False).requirements(goal(query))
    assert LimitMap("left", 0, 1, WIDE, image, True).requirements(goal(query)).choices == ()
