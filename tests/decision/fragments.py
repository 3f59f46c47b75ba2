"""Random pairs inside the fragments of the complete methods, the same for the same seed.

The second term of a pair is the first one rewritten, mutated and rewritten, or another one, so that both verdicts
occur. Inputs are a bag of numbers R, a bag of pairs S, and a number k.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from tallystick.core.terms import (
    Operator,
    Term,
    accumulator,
    add,
    aggregates,
    build,
    conjunction,
    constant,
    disjunction,
    element,
    equal,
    ite,
    less,
    negation,
    project,
    tuple_of,
)
from tallystick.core.types import BOOL, INT, BagType, BasicType, TupleType
from tallystick.experiments.generator import MUTATIONS
from tallystick.experiments.random_programs import INPUTS, PAIR, random_term
from tallystick.experiments.rewrites import REWRITES, rewritten

R, S, K = INPUTS
TRIPLE = TupleType((INT, BOOL, INT))
TRIES = 500
"""How often another term of one type is tried: some types are rare."""
Make = Callable[[Random], Term]


def related(random: Random, make: Make, mutated: float = 0.4, other: float = 0.2) -> tuple[Term, Term]:
    """Two terms of a fragment that rewrites keep terms in: with these probabilities, after a mutation, or unrelated."""
    left = right = make(random)
    chance = random.random()
    if chance < mutated:
        right = rewritten(random, left, MUTATIONS)
    elif chance < mutated + other:
        others = (make(random) for _ in range(TRIES))
        right = next((each for each in others if each.type == left.type and each is not left), left)
    for _ in range(random.randint(1, 3)):
        right = rewritten(random, right, REWRITES)
    return left, right


def element_of(bag: Term) -> BasicType:
    """The type of a bag's elements."""
    assert isinstance(bag.type, BagType)
    return bag.type.element


def mapped(random: Random, of: BasicType, bag: Term, parameters: tuple[Term, ...] = (K,)) -> Term:
    """A random map of a bag to elements of a type."""
    return build(Operator.MAP, (random_term(random, of, (element(element_of(bag)), *parameters), 2), bag))


def kept(random: Random, bag: Term, parameters: tuple[Term, ...] = (K,)) -> Term:
    """A random filter of a bag."""
    return build(Operator.FILTER, (random_term(random, BOOL, (element(element_of(bag)), *parameters), 2), bag))


def bag_without_aggregates(random: Random, depth: int = 3, distinct: bool = False) -> Term:
    """Maps, filters, products of two expressions, unions of two, and (if asked) distinct, over both input bags."""
    if depth == 0:
        return random.choice((R, S))
    below = partial(bag_without_aggregates, random, depth - 1, distinct)
    match random.randrange(7 if distinct else 6):
        case 0 | 1:
            return mapped(random, random.choice((INT, PAIR, TRIPLE)), below())
        case 2 | 3:
            return kept(random, below())
        case 4:
            return build(Operator.CARTESIAN, (below(), random.choice((R, S))))
        case 5:
            first = below()
            return build(Operator.UNION, (first, mapped(random, element_of(first), below())))
    return build(Operator.DISTINCT, (below(),))


def without_aggregates(random: Random) -> Term:
    """A bag without aggregates, or now and then a value of the number alone."""
    if random.random() < 0.1:
        return random_term(random, random.choice((INT, BOOL, PAIR)), (K,), 3)
    return bag_without_aggregates(random, random.randint(1, 3))


def sets(random: Random) -> tuple[Term, Term]:
    """Two bags that repeat nothing: distinct at the top, filters of such bags, and products of them."""

    def distinct(bag: Term) -> Term:
        return build(Operator.DISTINCT, (bag,))

    left, right = map(distinct, related(random, lambda each: bag_without_aggregates(each, each.randint(1, 3), True)))
    if random.random() < 0.3:
        left, right = kept(random, left), (kept(random, right) if random.random() < 0.3 else right)
    if random.random() < 0.1:
        other = distinct(random.choice((R, S)))
        left, right = (build(Operator.CARTESIAN, (side, other)) for side in (left, right))
    return left, right


def over_one_bag(random: Random) -> Term:
    """Maps, filters and unions whose monomials each are over one input bag once, without the number."""
    return over(random, random.choice((R, R, S)), (R, S), ())


def over(random: Random, start: Term, added: tuple[Term, ...], parameters: tuple[Term, ...]) -> Term:
    """Maps, filters and unions of a bag and of those that may be added."""
    bag = start
    for _ in range(random.randint(0, 2)):
        match random.randrange(3):
            case 0:
                bag = mapped(random, random.choice((INT, PAIR)), bag, parameters)
            case 1:
                bag = kept(random, bag, parameters)
            case _:
                other = mapped(random, element_of(bag), random.choice(added), parameters)
                bag = build(Operator.UNION, (bag, other))
    return bag


def fold(start: Term, step: Term, bag: Term) -> Term:
    """fold(start, step)(bag)."""
    return build(Operator.FOLD, (start, step, bag))


def linear_fold(random: Random) -> Term:
    """A sum, a count or a sum by case; or two of them in one fold."""
    bag = over_one_bag(random)
    value = partial(random_term, random, INT, (element(element_of(bag)),))
    start = random.choice((constant(0), constant(random.randint(-3, 3)), K))
    if random.random() < 0.7:
        return fold(start, add(accumulator(INT), value(2)), bag)
    both = accumulator(PAIR)
    step = tuple_of(*(add(project(both, index), value(1)) for index in range(2)))
    return project(fold(tuple_of(start, constant(0)), step, bag), random.randrange(2))


def extremal_fold(random: Random) -> Term:
    """A minimum or a maximum; or a flag, as 0 or 1."""
    return extremum(random, over_one_bag(random), ())


def extremum(random: Random, bag: Term, parameters: tuple[Term, ...]) -> Term:
    """An extremum of some value of the elements of a bag, or of some of them."""
    leaves = (element(element_of(bag)), *parameters)
    if random.random() < 0.25:
        join, start = random.choice((conjunction, disjunction)), constant(random.random() < 0.5)
        step = join(accumulator(BOOL), random_term(random, BOOL, leaves, 2))
        return ite(fold(start, step, bag), constant(1), constant(0))
    state, value = accumulator(INT), random_term(random, INT, leaves, 2)
    better = less(state, value) if random.random() < 0.5 else less(value, state)
    if random.random() < 0.3:
        better = conjunction(better, random_term(random, BOOL, leaves, 1))
    return fold(random.choice((constant(random.randint(-3, 3)), K)), ite(better, value, state), bag)


def constant_fold(random: Random) -> Term:
    """A fold that returns its initial value, for a reason that a solver has to see."""
    bag = over_one_bag(random)
    leaves = (element(element_of(bag)), K)
    state, condition = accumulator(INT), random_term(random, BOOL, leaves, 1)
    more = add(state, random_term(random, INT, leaves, 1))
    match random.randrange(3):
        case 0:
            step = ite(condition, ite(condition, state, more), state)
        case 1:
            bag, step = build(Operator.FILTER, (conjunction(condition, negation(condition)), bag)), more
        case _:
            step = ite(equal(more, state), more, state)
    return fold(random.choice((constant(random.randint(-3, 3)), K)), step, bag)


def synchronous_fold(random: Random) -> Term:
    """A fold of which two elements make no more than one: an extremum, a flag, or the same for all elements."""
    source = random.choice((R, S, build(Operator.CARTESIAN, (R, S))))
    bag = over(random, source, (source,), (K,))
    if random.random() < 0.8:
        return extremum(random, bag, (K,))
    start, reached = constant(random.randint(-3, 3)), constant(random.randint(-3, 3))
    return fold(start, ite(random_term(random, BOOL, (element(element_of(bag)),), 2), reached, accumulator(INT)), bag)


def value_of(random: Random, make: Make, folds: int) -> Term:
    """A value computed from folds of one kind, and the number."""
    leaves = (K, *(make(random) for _ in range(random.randint(1, folds))))
    while not aggregates(found := random_term(random, random.choice((INT, BOOL, BOOL)), leaves, 2)):
        continue
    return found


FRAGMENTS: dict[str, Callable[[Random], tuple[Term, Term]]] = {
    "no_agg": lambda random: related(random, without_aggregates),
    "set_semantics": sets,
    "constant_fold": lambda random: related(random, lambda each: value_of(each, constant_fold, 3), 0, 0.5),
    "agg_one_sync": lambda random: related(random, lambda each: value_of(each, synchronous_fold, 1), 0.5, 0),
    "linear_aggregates": lambda random: related(random, lambda each: value_of(each, linear_fold, 3)),
    "extrema": lambda random: related(random, lambda each: value_of(each, extremal_fold, 3)),
}
"""For each method that is complete on a fragment: a random pair of the fragment."""
