"""BAG, ONE, SUM and CONG for bags: on every small database on which a step's premises hold, so does its conclusion."""

from __future__ import annotations

import random

import pytest
from tallystick.certificates.judgements import Goal
from tallystick.certificates.rules.bag import Bag
from tallystick.certificates.rules.flattening import flatten
from tallystick.certificates.rules.matching import Group, Match, Placed
from tallystick.certificates.rules.one import One
from tallystick.certificates.rules.sum import Sum
from tallystick.core.binders import bind, every, exists, instantiate, limit, summation, total
from tallystick.core.errors import FragmentError, KernelError, TallystickError
from tallystick.core.relations import Relation
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    add,
    conjunction,
    constant,
    equal,
    is_none,
    ite,
    less,
    multiply,
    negation,
    project,
    row,
    scale,
    value_of,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType, OptionType, TupleType

from certificates.small_databases import Database

KEYED, PLAIN = TupleType((OptionType(INT), INT)), TupleType((INT, INT))
R, S, T = variable("R", BagType(KEYED)), variable("S", BagType(PLAIN)), variable("T", BagType(PLAIN))
RELATIONS = {"R": Relation(R, keys=((0,),)), "S": Relation(S), "T": Relation(T, keys=((),))}
X, Y, Z = row(0, KEYED), row(1, KEYED), row(0, PLAIN)


def goal(left: Term, right: Term) -> Goal:
    return Goal(TRUE, left, right, (), RELATIONS)


def bag(*monomials: Term, of=INT) -> Term:
    return summation(monomials, of)


def databases(seed: int, count: int = 12):
    """Databases with NULL keys, repeated rows without a key, and empty tables."""
    generator = random.Random(seed)
    for _ in range(count):
        keys = generator.sample([0, 1, 2], generator.randint(0, 3))
        keyed = [(key, generator.randint(-1, 2)) for key in keys]
        nulls = [(None, generator.randint(0, 1)) for _ in range(generator.randint(0, 2))]
        plain = [(generator.randint(0, 1), generator.randint(0, 2)) for _ in range(generator.randint(0, 3))]
        yield Database({"R": keyed + nulls, "S": plain, "T": plain[1:2]})


def refuted_on_some_database(rule, judgement: Goal) -> bool:
    """Whether a premise of a step fails on a small database; where none does, the conclusion must hold on it."""
    required = rule.requirements(judgement)
    refuted = False
    for database in databases(3, 40):
        premises = all(database.satisfies(each.formula, {}, 0, each.rows) for each in required.premises)
        subgoals = all(
            database.value(each.goal.left, {}) == database.value(each.goal.right, {})
            for each in required.subgoals
            if not each.goal.rows
        )
        refuted |= not premises
        if premises and subgoals:
            assert database.value(judgement.left, {}) == database.value(judgement.right, {})
    return refuted


def atom(generator: random.Random, rows: tuple[Term, ...]) -> Term:
    cells = [constant(generator.randint(0, 2))]
    for each in rows:
        cells += [each] if each.type == INT else [project(each, 1)]
        cells += [value_of(project(each, 0))] if each.type == KEYED else []
    made = generator.choice((equal, less))(generator.choice(cells), generator.choice(cells))
    return negation(made) if made is not TRUE and generator.random() < 0.3 else made


def monomial(generator: random.Random, sources: tuple[Term, ...]) -> Term:
    rows = tuple(row(place, source.type.element) for place, source in enumerate(sources))
    conditions = [atom(generator, rows) for _ in range(generator.randint(1, 3))]
    conditions += [equal(slot, project(rows[0], 1)) for slot in rows[1:] if slot.type == INT]
    if generator.random() < 0.3:
        inner = row(len(rows), PLAIN)
        conditions.append(exists(bag(bind((inner,), (S,), atom(generator, (*rows, inner)), TRUE), of=BOOL)))
    head = project(rows[0], 1) if generator.random() < 0.5 else constant(1)
    return bind(rows, sources, conjunction(*conditions), head)


def swapped(made: Term, places: tuple[int, ...]) -> Term:
    """The same monomial with its slots in another order: new slot i is old slot places[i]."""
    old = tuple(row(10 + place, source.type.element) for place, source in enumerate(made.arguments[:-2]))
    opened = instantiate(made, old)
    rows = tuple(old[place] for place in places)
    return bind(rows, tuple(opened.sources[place] for place in places), opened.condition, opened.head)


@pytest.mark.parametrize("seed", range(60))
def test_a_bag_step_whose_premises_hold_has_a_true_conclusion(seed):
    generator = random.Random(seed)
    sources = (R, generator.choice((S, R, every(INT))), S)[: generator.randint(1, 3)]
    left = [monomial(generator, sources) for _ in range(generator.randint(1, 2))]
    places = tuple(generator.sample(range(len(sources)), len(sources)))
    right = [swapped(each if generator.random() < 0.8 else monomial(generator, sources), places) for each in left]
    count = len(left)
    paired = Bag(tuple(Match(place, place, places) for place in range(count)), ())
    members = tuple(Placed(place, tuple(range(len(sources)))) for place in range(count))
    others = tuple(Placed(place, places) for place in range(count))
    for rule in (paired, Bag((), (Group(members, others),))):
        refuted_on_some_database(rule, goal(bag(*left), bag(*right)))
    sums = goal(total(bag(*left)), total(bag(*right)))
    for rule in (Sum(paired.pairs, ()), Sum((), (Group(members, others),))):
        refuted_on_some_database(rule, sums)


BY_KEY = bind((X, Y), (R, R), equal(project(X, 0), project(Y, 0)), project(X, 1))
BY_KNOWN_KEY = bind(
    (X, Y),
    (R, R),
    conjunction(equal(project(X, 0), project(Y, 0)), negation(is_none(project(X, 0)))),
    project(X, 1),
)
ALL_KNOWN = bind((X,), (R,), negation(is_none(project(X, 0))), project(X, 1))
ALL = bind((X,), (R,), TRUE, project(X, 1))
TWICE = bind((Z, row(1, PLAIN)), (S, S), equal(Z, row(1, PLAIN)), project(Z, 1))
ONCE = bind((Z,), (S,), TRUE, project(Z, 1))
NUMBER = row(1, INT)
DETERMINED = bind((Z, NUMBER), (S, every(INT)), equal(NUMBER, project(Z, 0)), NUMBER)
MERGED = bind((Z,), (S,), TRUE, project(Z, 0))
LOOSE = bind((Z, NUMBER), (S, every(INT)), less(NUMBER, project(Z, 0)), constant(1))

HOLD = {
    "a self-join on a key that is not NULL": (BY_KNOWN_KEY, ALL_KNOWN),
    "a determined value": (DETERMINED, MERGED),
    "a table of one row at most beside itself": (
        bind((Z, row(1, PLAIN)), (T, T), TRUE, project(Z, 1)),
        bind((Z,), (T,), TRUE, project(Z, 1)),
    ),
}
FAIL = {
    "a table of one row at most beside another": (
        bind((Z, row(1, PLAIN)), (S, T), TRUE, project(Z, 1)),
        bind((Z,), (S,), TRUE, project(Z, 1)),
    ),
    "a self-join on a key that may be NULL": (BY_KEY, ALL),
    "a self-join on a key, with rows whose key is NULL": (BY_KNOWN_KEY, ALL),
    "a self-join without a key": (TWICE, ONCE),
    "a value that is bounded only": (LOOSE, bind((Z,), (S,), TRUE, constant(1))),
}


@pytest.mark.parametrize("name", HOLD)
@pytest.mark.parametrize("opening", [False, True])
def test_one_has_premises_that_hold(name, opening):
    large, small = HOLD[name]
    present, other = (small, large) if opening else (large, small)
    step = One("left", 0, other, (1,), opening)
    judgement = goal(bag(present), bag(other))
    assert not refuted_on_some_database(step, judgement)
    assert step.requirements(judgement).subgoals[0].goal.left is bag(other)


@pytest.mark.parametrize("name", FAIL)
@pytest.mark.parametrize("opening", [False, True])
def test_an_attack_on_one_has_a_premise_that_fails(name, opening):
    large, small = FAIL[name]
    present, other = (small, large) if opening else (large, small)
    assert refuted_on_some_database(One("left", 0, other, (1,), opening), goal(bag(present), bag(other)))


def test_a_block_that_mentions_a_closed_slot_is_refused():
    inner = row(2, PLAIN)
    block = limit(bag(bind((inner,), (S,), equal(project(inner, 0), project(X, 1)), inner), of=PLAIN), 1, 0, ())
    large = bind((X, row(1, PLAIN)), (R, block), TRUE, constant(1))
    small = bind((Z,), (S,), TRUE, constant(1))
    with pytest.raises(KernelError, match="come from the same sources"):
        One("left", 0, small, (0,), False).requirements(goal(bag(large), bag(small)))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (One("left", 1, ALL, (), False), "there is no monomial 1, only 1"),
        (One("left", 0, ALL, (1, 0), False), "are no slots of a monomial"),
        (One("left", 0, ALL, (7,), False), "are no slots of a monomial"),
        (One("left", 0, TRUE, (), False), "ONE replaces a monomial"),
        (One("top", 0, ALL, (), False), "a goal has a left and a right side"),
        (Bag((Match(0, 0, (0,)), Match(0, 0, (0,))), ()), "matched twice"),
        (Bag((Match(0, 2, (0,)),), ()), "there is no monomial 2, only 1"),
        (Bag((Match(0, 0, (1,)),), ()), "does not put 1 slots into 1 places"),
        (Bag((), (Group((), ()),)), "a group has a monomial"),
        (Bag((), (Group((Placed(0, (0,)), Placed(0, (0,))), (Placed(0, (0,)),)),)), "equally often"),
        (Sum((), ()), "SUM relates two numbers"),
    ],
)
def test_a_step_that_does_not_fit_its_goal_is_refused(step, message):
    with pytest.raises(KernelError, match=message):
        step.requirements(goal(bag(ALL), bag(ALL)))


def test_slots_of_different_tables_are_not_matched():
    other = bind((X,), (variable("T", R.type),), TRUE, project(X, 1))
    with pytest.raises(KernelError, match="matched slots have the same source"):
        Bag((Match(0, 0, (0,)),), ()).requirements(goal(bag(ALL), bag(other)))


def test_monomials_without_a_partner_have_to_be_empty():
    never = bind((X,), (R,), FALSE, constant(1))
    made = goal(summation((ALL,), INT), Goal(TRUE, bag(), bag()).left)
    assert refuted_on_some_database(Bag((), ()), made)
    assert never not in bag(never).arguments


def test_sums_flatten_to_monomials_that_mean_the_same():
    there = row(1, PLAIN)
    related = bind((there,), (S,), equal(project(there, 0), project(X, 1)), project(there, 1))
    inner = total(bag(related))
    weight = add(scale(2, inner), ite(less(project(X, 1), constant(1)), multiply(inner, inner), constant(3)))
    term = add(total(bag(bind((X,), (R,), TRUE, weight))), constant(-1))
    flat = total(summation(flatten(term, 0), INT))
    for database in databases(5, 30):
        assert database.value(flat, {}) == database.value(term, {})


def test_a_sum_that_might_be_infinite_is_refused():
    with pytest.raises(FragmentError, match="a slot ranges over every value"):
        Sum((Match(0, 0, (0, 1)),), ()).requirements(goal(total(bag(LOOSE)), total(bag(LOOSE))))


def test_every_hint_is_refused_in_words_or_has_sound_premises():
    """Numbers from a hostile file: nothing but errors of Tallystick comes out, and no false conclusion."""
    generator = random.Random(11)
    terms = (ALL, BY_KEY, BY_KNOWN_KEY, ALL_KNOWN, TWICE, ONCE, DETERMINED, MERGED, TRUE)
    for _ in range(300):
        numbers = tuple(generator.randint(-1, 2) for _ in range(generator.randint(0, 3)))
        place = generator.randint(-1, 1)
        step = generator.choice(
            (
                One("left", place, generator.choice(terms), numbers, generator.random() < 0.5),
                Bag((Match(place, generator.randint(-1, 1), numbers),), ()),
                Bag((), (Group((Placed(place, numbers),), (Placed(0, numbers),)),)),
                Sum((Match(place, 0, numbers),), ()),
            )
        )
        sides = [generator.choice(terms[:-1]) for _ in range(2)]
        wrap = total if isinstance(step, Sum) else (lambda each: each)
        try:
            refuted_on_some_database(step, goal(wrap(bag(sides[0])), wrap(bag(sides[1]))))
        except TallystickError:
            continue
