"""LIMIT-PUSH: what a LIMIT leaves out below another one that looks at no more rows, in one order, is not missed."""

from collections import Counter
from random import Random

import pytest
from tallystick.certificates.judgements import Goal
from tallystick.certificates.rules.limit_push import KeysAgree, LimitPush, RowsExist
from tallystick.core.binders import bind, element_type, exists, limit, summation
from tallystick.core.errors import KernelError
from tallystick.core.operators import Operator
from tallystick.core.relations import Relation
from tallystick.core.terms import (
    TRUE,
    add,
    constant,
    disjunction,
    equal,
    less,
    negation,
    none,
    project,
    row,
    some,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType, TupleType

from certificates.small_databases import Database

PAIR = TupleType((INT, INT))
R, S, Z = (variable(name, BagType(PAIR)) for name in "RSZ")
RELATIONS = {"R": Relation(R), "S": Relation(S), "Z": Relation(Z)}
UP, DOWN = ((False, False),), ((True, False),)
X, Y = row(0, PAIR), row(1, PAIR)
ROWS = summation([bind((X,), (R,), TRUE, tuple_of(project(X, 0), project(X, 1), project(X, 1)))], TupleType((INT,) * 3))
"""The rows (a, b) of R, ordered by b."""


def bag(*monomials):
    return summation(monomials, monomials[0].arguments[-1].type)


def over(source, slots, condition, head):
    """⟨y: source, z̄: slots | condition(y, z̄) ↦ head(y, z̄)⟩."""
    y = row(0, element_type(source))
    rows = [row(1 + place, element_type(each)) for place, each in enumerate(slots)]
    return bind((y, *rows), (source, *slots), condition(y, *rows), head(y, *rows))


def columns(y):
    return project(y, 0), project(y, 1)


def always(*_):
    return TRUE


def unchanged(y, *_):
    return y


def inner(count=3, offset=0, directions=UP, rows=ROWS):
    return limit(rows, count, offset, directions)


def union(below):
    """The rows of the LIMIT below, and those of S."""
    x = row(0, PAIR)
    return bag(
        over(below, (), always, unchanged),
        bind((x,), (S,), TRUE, tuple_of(*columns(x), project(x, 1))),
    )


def partners(y):
    z = row(1, PAIR)
    return exists(summation([bind((z,), (S,), equal(project(z, 0), project(y, 0)), TRUE)], BOOL))


def joined(below, padded=True, head=lambda y, last: tuple_of(*columns(y), last, project(y, 2))):
    """The rows of the LIMIT below with their partners in S, or NULL where there is none."""
    halves = [
        over(
            below,
            (S,),
            lambda y, z: equal(project(z, 0), project(y, 0)),
            lambda y, z: head(y, some(project(z, 1))),
        ),
        over(below, (), lambda y: negation(partners(y)), lambda y: head(y, none(INT))),
    ]
    return bag(*(halves if padded else halves[:1]))


def goal(side, rows=()):
    return Goal(TRUE, side, side, rows, RELATIONS)


def outer(rows, count=2, offset=0, directions=UP):
    return limit(rows, count, offset, directions)


def pushed(side, slots):
    (rest,) = LimitPush("left", slots).requirements(goal(side)).subgoals
    return rest.goal.left


class Ordered(Database):
    """LIMIT takes the first rows in the order of the keys, ties in an order of the columns from the first on."""

    def __init__(self, tables, place):
        super().__init__(tables)
        self.place = place

    def source(self, source, rows):
        if source.operator is not Operator.LIMIT:
            return super().source(source, rows)
        count, offset, directions = source.parameter

        def rank(value):
            keys = value[len(value) - len(directions) :]
            signs = [(-1 if down else 1) for down, _ in directions]
            asked = [(key is not None, sign * (key or 0)) for key, sign in zip(keys, signs, strict=True)]
            return asked, [self.place[each] for each in value[: len(value) - len(directions)]]

        found = sorted(self.bag(source.arguments[0], rows).elements(), key=rank)
        return Counter(found[offset : offset + count])


def random_database(random):
    values = [-1, 0, 1, 2]
    tables = {
        name: [(random.choice(values[1:3]), random.choice(values)) for _ in range(random.randint(0, 4))]
        for name in "RSZ"
    }
    order = [*values, None]
    random.shuffle(order)
    return Ordered(tables, {value: place for place, value in enumerate(order)})


def differ(left, right, tries=4000):
    """A database on which two LIMITs have different rows."""
    random = Random(7)
    for _ in range(tries):
        database = random_database(random)
        if +database.source(left, {}) != +database.source(right, {}):
            return database
    return None


UNION, JOIN = outer(union(inner())), outer(joined(inner()))


@pytest.mark.parametrize(
    ("side", "slots"),
    [
        (UNION, ((0, 0),)),
        (outer(union(inner()), 2, 1), ((0, 0),)),
        (outer(union(inner(rows=union(inner(7)))), 1), ((0, 0),)),
        (JOIN, ((0, 0), (1, 0))),
        (outer(joined(inner(2, directions=DOWN)), 2, directions=DOWN), ((0, 0), (1, 0))),
        (outer(bag(over(inner(2, 0, ()), (), always, unchanged)), 2, 0, ()), ((0, 0),)),
    ],
)
def test_the_limit_below_is_left_out_and_no_row_is_missed(side, slots):
    after = pushed(side, slots)
    assert after.parameter == side.parameter
    assert len(after.arguments[0].arguments) >= len(side.arguments[0].arguments)
    assert repr(after).count("limit") == repr(side).count("limit") - len(slots)
    assert differ(side, after, 1500) is None


def test_the_premises_are_about_keys_and_about_rows_that_exist():
    premises = LimitPush("left", ((0, 0), (1, 0))).requirements(goal(JOIN)).premises
    assert [premise.about for premise in premises] == [KeysAgree(0, 0), KeysAgree(1, 0), RowsExist(0)]
    assert [premise.rows for premise in premises] == [(R, S), (R,), (R,)]
    assert premises[0].formula is TRUE
    assert premises[2].formula is disjunction(partners(X), negation(partners(X)))


def test_where_no_row_need_exist_the_premise_says_so():
    """An inner join: the rows that the LIMIT takes may have no partners."""
    side = outer(joined(inner(2), padded=False), 2)
    *_, exist = LimitPush("left", ((0, 0),)).requirements(goal(side)).premises
    assert exist.formula is partners(X)
    assert differ(side, pushed(side, ((0, 0),))) is not None


def test_where_only_some_branches_are_named_the_others_keep_the_limit():
    side = outer(bag(*union(inner()).arguments, over(inner(), (), always, unchanged)), 2)
    after = pushed(side, ((2, 0),))
    kept = [one.arguments[0].operator is Operator.LIMIT for one in after.arguments[0].arguments]
    assert kept == [True, False, False]
    assert differ(side, after, 1500) is None


def test_where_the_order_keys_change_the_premise_says_so():
    def head(y, *_):
        return tuple_of(*columns(y), add(constant(1), project(y, 0)))

    side = outer(bag(over(inner(2), (), always, head)), 2)
    keys, _ = LimitPush("left", ((0, 0),)).requirements(goal(side)).premises
    assert keys.formula is equal(project(X, 1), add(constant(1), project(X, 0)))
    assert differ(side, pushed(side, ((0, 0),))) is not None


def test_a_condition_that_loses_rows_is_seen():
    side = outer(bag(over(inner(2), (), lambda y: less(constant(0), project(y, 0)), unchanged)), 2)
    _, exist = LimitPush("left", ((0, 0),)).requirements(goal(side)).premises
    assert exist.formula is less(constant(0), project(X, 0))
    assert differ(side, pushed(side, ((0, 0),))) is not None


FEW = "the slots range over one LIMIT of the first rows, of enough of them, in the same order"
BEGIN = "the rows that are made do not begin with the columns of the row that they are made from"


def turned(y, last):
    return tuple_of(last, *columns(y), project(y, 2))


REFUSED = [
    (outer(union(inner(1))), ((0, 0),), FEW),
    (outer(union(inner(2)), 2, 1), ((0, 0),), FEW),
    (outer(union(inner(3, 1))), ((0, 0),), FEW),
    (outer(union(inner(3, 0, DOWN))), ((0, 0),), FEW),
    (outer(bag(over(inner(3, 0, ()), (), always, unchanged))), ((0, 0),), FEW),
    (outer(joined(inner(), head=turned)), ((0, 0), (1, 0)), BEGIN),
    (
        outer(bag(over(inner(), (), always, lambda y: tuple_of(project(y, 1), project(y, 0), project(y, 2))))),
        ((0, 0),),
        BEGIN,
    ),
    (outer(bag(over(inner(), (), always, lambda y: tuple_of(project(y, 0), project(y, 2))))), ((0, 0),), BEGIN),
]


@pytest.mark.parametrize(("side", "slots", "message"), REFUSED)
def test_a_limit_that_matters_is_kept(side, slots, message):
    with pytest.raises(KernelError, match=f"^{message}$"):
        LimitPush("left", slots).requirements(goal(side))


def test_what_is_refused_would_be_wrong():
    """Without the side conditions: the rows differ on some database, whatever LIMIT chooses among ties."""
    plain = summation(ROWS.arguments, TupleType((INT,) * 3))
    for side, without in (
        (outer(union(inner(1))), outer(union_of(plain))),
        (outer(union(inner(2)), 2, 1), outer(union_of(plain), 2, 1)),
        (outer(union(inner(3, 1))), outer(union_of(plain))),
        (outer(union(inner(3, 0, DOWN))), outer(union_of(plain))),
        (
            outer(bag(over(inner(2, 0, ()), (), always, swapped)), 2, 0, ()),
            outer(bag(bind((X,), (R,), TRUE, swapped(wide(X)))), 2, 0, ()),
        ),
    ):
        assert differ(side, without) is not None


def wide(x):
    return tuple_of(*columns(x), project(x, 1))


def swapped(y):
    return tuple_of(project(y, 1), project(y, 0), project(y, 2))


def union_of(rows):
    x = row(0, PAIR)
    return summation(
        [*rows.arguments, bind((x,), (S,), TRUE, tuple_of(*columns(x), project(x, 1)))], TupleType((INT,) * 3)
    )


@pytest.mark.parametrize(
    ("step", "side", "message"),
    [
        (LimitPush("middle", ((0, 0),)), UNION, "LIMIT-PUSH names a side, and slots of monomials in ascending order"),
        (LimitPush("left", ()), UNION, "LIMIT-PUSH names a side, and slots of monomials in ascending order"),
        (
            LimitPush("left", ((1, 0), (0, 0))),
            JOIN,
            "LIMIT-PUSH names a side, and slots of monomials in ascending order",
        ),
        (
            LimitPush("left", ((0, 0), (0, 0))),
            JOIN,
            "LIMIT-PUSH names a side, and slots of monomials in ascending order",
        ),
        (LimitPush("left", ((2, 0),)), UNION, "there is no monomial 2, only 2"),
        (LimitPush("left", ((0, 1),)), UNION, "there is no slot 1 with a source over the rows in scope"),
        (LimitPush("left", ((0, True),)), UNION, "there is no slot True with a source over the rows in scope"),
        (LimitPush("left", ((1, 0),)), UNION, "LIMIT-PUSH is about a LIMIT of a summation, and one below it"),
        (LimitPush("left", ((0, 0),)), R, "LIMIT-PUSH is about a LIMIT of a summation, and one below it"),
        (
            LimitPush("left", ((0, 0),)),
            outer(summation([bind((X,), (R,), TRUE, X)], PAIR)),
            "LIMIT-PUSH is about a LIMIT of a summation, and one below it",
        ),
    ],
)
def test_a_step_is_refused(step, side, message):
    with pytest.raises(KernelError, match=f"^{message}$"):
        step.requirements(goal(side))


def test_a_limit_that_depends_on_rows_of_the_monomial_is_kept():
    """LATERAL: another LIMIT for each row before."""
    below = summation([bind((Y,), (R,), equal(project(X, 0), project(Y, 0)), Y)], PAIR)
    source = limit(below, 3, 0, UP)
    y = row(1, PAIR)
    side = outer(summation([bind((X, y), (S, source), TRUE, y)], PAIR))
    with pytest.raises(KernelError, match="there is no slot 1 with a source over the rows in scope"):
        LimitPush("left", ((0, 1),)).requirements(goal(side))


def test_two_limits_are_not_pushed_as_one():
    side = outer(bag(over(inner(3), (), always, unchanged), over(inner(4), (), always, unchanged)), 2)
    with pytest.raises(KernelError, match=f"^{FEW}$"):
        LimitPush("left", ((0, 0), (1, 0))).requirements(goal(side))


def test_an_empty_limit_below_leaves_nothing_to_show():
    empty = limit(summation([], TupleType((INT,) * 3)), 3, 0, UP)
    found = LimitPush("left", ((0, 0),)).requirements(goal(outer(union(empty))))
    assert found.premises == ()
    assert [one.arguments[0] for one in found.subgoals[0].goal.left.arguments[0].arguments] == [S]
