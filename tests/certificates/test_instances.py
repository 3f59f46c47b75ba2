"""What the nodes over rows add to a branch is true of every database; what does not fit is refused in words."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tallystick.certificates.evidence import (
    Apply,
    Case,
    Check,
    Cut,
    Extremum,
    Farkas,
    Foreign,
    Key,
    Lemma,
    Member,
    Open,
    Sign,
    Split,
    Step,
    Use,
)
from tallystick.certificates.facts import Facts
from tallystick.certificates.instances import added
from tallystick.certificates.kernel import prove
from tallystick.certificates.refutation import check
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.core.binders import bind, every, exists, extremum, limit, total
from tallystick.core.errors import FragmentError, RefutationError, TallystickError
from tallystick.core.relations import Reference, Relation
from tallystick.core.terms import (
    TRUE,
    apply_function,
    conjunction,
    constant,
    equal,
    implies,
    is_none,
    less,
    less_equal,
    multiply,
    negation,
    project,
    row,
    scale,
    value_of,
    variable,
)
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT

from certificates.small_databases import Database
from certificates.test_query_rules import ALL, KEYED, LOOSE, ONCE, PLAIN, R, S, X, Z, bag, databases

LIMITED = limit(bag(ALL), 2, 0, ())
RELATIONS = {
    "R": Relation(R, keys=((0,),), checks=(less_equal(project(row(0, KEYED), 1), constant(2)),)),
    "S": Relation(S, references=(Reference((0,), "R", (0,)),)),
}
ROWS = (R, R, S, LIMITED)
X0, X1, X2, X3 = row(0, KEYED), row(1, KEYED), row(2, PLAIN), row(3, INT)
IN_S = bag(bind((Z,), (S,), less(project(Z, 0), project(Z, 1)), TRUE), of=BOOL)
WEIGHTS = bag(bind((Z,), (S,), TRUE, project(Z, 1)), bind((X,), (R,), negation(is_none(project(X, 0))), project(X, 1)))
UNKNOWNS = (
    exists(IN_S),
    extremum("min", WEIGHTS),
    extremum("max", WEIGHTS),
    total(WEIGHTS),
    apply_function("f", INT, project(X0, 1)),
    apply_function("f", INT, project(X1, 1)),
)


def branch() -> Facts:
    """A branch on which each of UNKNOWNS has its number."""
    facts = Facts(ROWS, RELATIONS)
    for term in UNKNOWNS:
        facts.assume((term if term.type == BOOL else less_equal(constant(-99), term), True))
    assert tuple(facts.unknowns) == UNKNOWNS
    return facts


LEAF = Farkas(())
NODES = (
    Use(0, 0, (X2,), LEAF),
    Use(1, 0, (X2,), LEAF),
    Use(1, 1, (X0,), LEAF),
    Use(2, 1, (X1,), LEAF),
    Extremum(1, LEAF),
    Extremum(2, LEAF),
    Key(0, 1, 0, LEAF),
    Check(0, 0, LEAF),
    Member(3, LEAF),
    Apply(4, 5, LEAF),
    Sign(3, None, LEAF),
)


@pytest.mark.parametrize("node", NODES)
def test_what_a_node_adds_is_true_of_every_database(node):
    formula = added(branch(), node)
    for database in databases(7, 25):
        assert database.satisfies(formula, {}, 0, ROWS)


def test_a_foreign_key_gives_a_row_where_it_holds():
    formula = added(branch(), Foreign(2, 0, LEAF))
    kept = Database({"R": [(0, 1), (None, 1)], "S": [(0, 2), (0, 2)]})
    broken = Database({"R": [(1, 1)], "S": [(0, 2)]})
    for database, holds in ((kept, True), (broken, False)):
        assert database.satisfies(formula, {X0: (0, 1), X1: (0, 1), X3: 1}, 2, (S,)) is holds


def test_a_key_says_nothing_of_rows_whose_key_is_null_nor_of_a_database_that_breaks_it():
    formula = added(branch(), Key(0, 1, 0, LEAF))
    assert Database({}).value(formula, {X0: (None, 1), X1: (None, 2)})
    assert not Database({}).value(formula, {X0: (0, 1), X1: (0, 2)})


def test_the_sign_of_a_sum_needs_its_premise():
    claim = added(branch(), Sign(3, (LEAF, LEAF), LEAF))
    negative = Database({"R": [(0, -1)], "S": []})
    assert not negative.value(claim, {})
    tree = Sign(0, (Farkas(()),), Farkas(((0, 1),)))
    s = total(bag(ONCE))
    with pytest.raises(RefutationError):
        check(less_equal(constant(0), s), tree)


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (Use(1, 2, (X2,), LEAF), "there is no monomial 2, only 2"),
        (Use(0, 0, (), LEAF), "expected 1 terms for the slots"),
        (Use(3, 0, (X2,), LEAF), "unknown 3 is no exists or extremum, but sum"),
        (Use(0, 0, (row(7, PLAIN),), LEAF), "is no term over the 4 rows in scope"),
        (Use(0, 0, (variable("z", PLAIN),), LEAF), "is no row of the source of its slot"),
        (Extremum(0, LEAF), "unknown 0 is no extremum"),
        (Key(0, 2, 0, LEAF), "a key is about two rows of one table"),
        (Key(0, 1, 1, LEAF), "there is no key 1, only 1"),
        (Key(0, 3, 0, LEAF), "row 3 is a row of no table of the catalogue"),
        (Foreign(0, 0, LEAF), "there is no foreign key 0, only 0"),
        (Check(2, 0, LEAF), "there is no check 0, only 0"),
        (Member(0, LEAF), "row 0 is a row of no bag that is known to have it"),
        (Apply(3, 4, LEAF), "congruence is about two values of one unknown function"),
        (Sign(1, None, LEAF), "unknown 1 is no sum"),
    ],
)
def test_a_node_that_does_not_fit_its_branch_is_refused(node, message):
    with pytest.raises(RefutationError, match=message):
        added(branch(), node)


def test_a_row_of_another_table_is_no_instance_even_if_its_columns_have_the_same_types():
    twin = variable("T", S.type)
    facts = Facts((twin,), {})
    facts.assume((exists(IN_S), False))
    with pytest.raises(RefutationError, match="is no row of the source of its slot"):
        added(facts, Use(0, 0, (row(0, PLAIN),), LEAF))


def test_extrema_and_signs_of_bags_that_might_be_infinite_are_refused():
    facts = Facts(ROWS, {})
    for term in (extremum("min", bag(LOOSE)), total(bag(LOOSE))):
        facts.assume((less_equal(constant(0), term), True))
    for node in (Extremum(0, LEAF), Sign(1, None, LEAF), Use(0, 0, (X2, constant(0)), LEAF)):
        with pytest.raises(FragmentError, match="a slot ranges over every value"):
            added(facts, node)


def test_open_and_use_prove_a_containment():
    """Ex(x:S | x.0 < x.1) implies Ex(x:S | x.0 ≤ x.1)."""
    weaker = exists(bag(bind((Z,), (S,), less_equal(project(Z, 0), project(Z, 1)), TRUE), of=BOOL))
    used = Use(1, 0, (row(0, PLAIN),), Case(3, (Farkas(((1, 1), (4, 1))), Farkas(((2, 1), (4, 1))))))
    check(implies(exists(IN_S), weaker), Open(0, (used,)))
    with pytest.raises(RefutationError):
        check(implies(weaker, exists(IN_S)), Open(0, (used,)))


def test_a_slot_over_every_value_may_be_any_term_and_a_row_of_it_is_no_row_of_a_table():
    number = row(0, INT)
    some_number = exists(bag(bind((number,), (every(INT),), equal(number, constant(5)), TRUE), of=BOOL))
    facts = Facts()
    facts.assume((some_number, False))
    assert added(facts, Use(0, 0, (constant(5),), LEAF)) is some_number
    facts = Facts((every(PLAIN),), RELATIONS)
    facts.assume((exists(IN_S), False))
    with pytest.raises(RefutationError, match="is no row of the source of its slot"):
        added(facts, Use(0, 0, (row(0, PLAIN),), LEAF))


def test_open_takes_facts_that_say_that_a_bag_has_an_element_and_no_others():
    for formula in (less(constant(1), constant(0)), negation(exists(IN_S))):
        with pytest.raises(RefutationError, match="does not say that a bag has an element"):
            check(negation(formula) if formula is not TRUE else formula, Open(0, ()))


def test_a_lemma_rests_on_literals_of_its_branch_alone():
    u, v = variable("u", INT), variable("v", INT)
    formula = implies(less_equal(u, v), less_equal(u, v))

    def lemma(goal_, step, path):
        prove(goal_, step, None, path)

    good = Lemma(0, u, 0, (0,), Step(Reflexive()), Farkas(((0, 1), (1, 1))))
    check(formula, good, prove=lemma)
    for bad in (
        Lemma(0, v, 0, (0,), Step(Reflexive()), LEAF),
        Lemma(0, u, 1, (), Step(Reflexive()), LEAF),
        Lemma(0, row(0, INT), 0, (), Step(Reflexive()), LEAF),
        Lemma(0, u, 0, (5,), Step(Reflexive()), LEAF),
        Lemma(7, u, 0, (), Step(Reflexive()), LEAF),
    ):
        with pytest.raises(TallystickError):
            check(formula, bad, prove=lemma)
    with pytest.raises(RefutationError, match="nothing here proves judgements"):
        check(formula, good)


def test_strict_rational_atoms_close_a_leaf_and_rationals_are_neither_split_nor_rounded():
    a, b = variable("a", RATIONAL), variable("b", RATIONAL)
    check(implies(less(a, b), negation(less(b, a))), Farkas(((0, 1), (1, 1))))
    with pytest.raises(RefutationError, match="is not contradictory"):
        check(implies(less_equal(a, b), negation(less_equal(b, a))), Farkas(((0, 1), (1, 1))))
    with pytest.raises(RefutationError, match="unknown 0 is no integer, and cannot be split on"):
        check(less(a, b), Split(((0, 1),), 0, LEAF, LEAF))
    facts = Facts()
    double = conjunction(less(scale(Fraction(1, 2), a), b), less(b, scale(Fraction(1, 2), a)))
    facts.assume((double, True))
    assert all(fact.strict for fact in facts.facts)


def test_texts_are_ordered_by_code_points_and_the_empty_text_is_least():
    t = variable("t", TEXT)
    facts = Facts()
    facts.assume((less_equal(constant("b"), t), True), (less_equal(t, constant("a")), True))
    assert len(facts.facts) == 6  # both literals, '' < 'b', '' ≤ t, '' < 'a' and 'a' < 'b'
    check(negation(less(t, constant(""))), Farkas(((0, 1), (1, 1))))


def test_products_do_not_hang_on_the_order_of_their_factors():
    u, v = variable("u", INT), variable("v", INT)
    check(less_equal(multiply(u, v), multiply(v, u)), Farkas(((0, 1),)))


def test_hostile_numbers_are_refused_in_words():
    generator = random.Random(5)
    terms = (X0, X2, X3, row(9, INT), constant(1), value_of(project(X0, 0)), variable("S", S.type))

    def number() -> int:
        return generator.randint(-1, 8)

    def node(depth: int):
        rest = node(depth - 1) if depth else Farkas(((number(), number()),))
        some_terms = tuple(generator.choice(terms) for _ in range(generator.randint(0, 2)))
        return generator.choice(
            (
                Use(number(), number(), some_terms, rest),
                Extremum(number(), rest),
                Key(number(), number(), number(), rest),
                Foreign(number(), number(), rest),
                Check(number(), number(), rest),
                Member(number(), rest),
                Apply(number(), number(), rest),
                Sign(number(), generator.choice((None, (rest,))), rest),
                Lemma(number(), generator.choice(terms), number(), (number(),), Step(Reflexive()), rest),
                Open(number(), (rest,) * generator.randint(0, 2)),
                Case(number(), (rest,) * generator.randint(0, 2)),
                Split(((number(), number()),), number(), rest, rest),
                Cut(((number(), number()),), rest),
            )
        )

    false = conjunction(*(less_equal(constant(-99), term) for term in UNKNOWNS[1:]), exists(IN_S))
    for _ in range(2000):
        with pytest.raises(TallystickError):
            check(negation(false), node(3), rows=ROWS, relations=RELATIONS, prove=lambda g, s, p: prove(g, s, None, p))
