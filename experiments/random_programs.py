"""Random core programs, the same for the same seed; their folds do not depend on the order of elements."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tallystick.core.errors import FragmentError
from tallystick.core.programs import Program
from tallystick.core.terms import (
    Operator,
    Term,
    accumulator,
    add,
    build,
    constant,
    element,
    equal,
    ite,
    less,
    less_equal,
    project,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import (
    BOOL,
    INT,
    BagType,
    BasicType,
    BoolType,
    IntType,
    OptionType,
    RationalType,
    TextType,
    TupleType,
)

PAIR = TupleType((INT, INT))
INPUTS = (variable("R", BagType(INT)), variable("S", BagType(PAIR)), variable("k", INT))
"""The parameters of all random programs: a bag of numbers, a bag of pairs, and a number."""

LARGEST_CONSTANT = 12
DIVISORS = (2, 3, 5, 10)
OPERATORS = ("map", "map", "filter", "filter", "product", "union", "distinct", "by key", "by key")
"""What bags are made with, as often as it stands here."""


def random_program(random: Random) -> Program:
    """A program that returns a bag, or a value computed from one or two folds."""
    if random.random() < 0.4:
        leaves = (INPUTS[2], *(_fold(random) for _ in range(random.choice((1, 1, 2)))))
        expression = random_term(random, random.choice((INT, INT, BOOL)), leaves, 2)
    else:
        expression = random_bag(random, random.randint(1, 3))
    return Program("P", INPUTS, expression)


def random_bag(random: Random, depth: int, operators: Sequence[str] = OPERATORS) -> Term:
    """A bag expression with `depth` of some operators, one inside the other."""
    if depth == 0:
        return random.choice(INPUTS[:2])
    bag = random_bag(random, depth - 1, operators)
    assert isinstance(bag.type, BagType)
    of = bag.type.element
    leaves = (element(of), INPUTS[2])
    match random.choice([each for each in operators if each != "by key" or of == PAIR]):
        case "map":
            return build(Operator.MAP, (random_term(random, random.choice((INT, PAIR)), leaves, 2), bag))
        case "filter":
            return build(Operator.FILTER, (random_term(random, BOOL, leaves, 2), bag))
        case "product":
            return build(Operator.CARTESIAN, (bag, random.choice(INPUTS[:2])))
        case "union":
            other = random.choice(INPUTS[:2])
            udf = random_term(random, of, (element(other.type.element), INPUTS[2]), 2)  # type: ignore[union-attr]
            return build(Operator.UNION, (bag, build(Operator.MAP, (udf, other))))
        case "distinct":
            return build(Operator.DISTINCT, (bag,))
        case _:
            return build(Operator.FOLD_BY_KEY, (*_fold_udf(random, INT), bag))


def _fold(random: Random) -> Term:
    bag = random_bag(random, random.randint(0, 1))
    while any(node.operator is Operator.FOLD_BY_KEY for node in (bag, *bag.arguments)):
        bag = random_bag(random, 1)
    assert isinstance(bag.type, BagType)
    return build(Operator.FOLD, (*_fold_udf(random, bag.type.element), bag))


def _fold_udf(random: Random, of: BasicType) -> tuple[Term, Term]:
    """An initial value and a UDF: a sum, a sum modulo a number, a minimum or a maximum of some value of the element."""
    so_far, value = accumulator(INT), random_term(random, INT, (element(of),), 1)
    total = add(so_far, value)
    udf = random.choice(
        (
            total,
            total,
            build(Operator.MOD, (total,), random.choice(DIVISORS)),
            ite(less(value, so_far), value, so_far),
            ite(less(value, so_far), so_far, value),
        )
    )
    return constant(random.randint(-3, 3)), udf


def random_term(random: Random, of: BasicType, leaves: tuple[Term, ...], depth: int) -> Term:
    """A term of a basic type over some leaves, at most `depth` operators deep."""

    def part(type_: BasicType) -> Term:
        return random_term(random, type_, leaves, depth - 1)

    match of:
        case TupleType(components):
            return tuple_of(*map(part, components))
        case IntType():
            match random.randrange(8) if depth > 0 else 0:
                case 1 | 2:
                    return add(part(INT), part(INT))
                case 3:
                    return scale(random.choice((-2, -1, 2, 3)), part(INT))
                case 4:
                    return build(random.choice((Operator.DIV, Operator.MOD)), (part(INT),), random.choice(DIVISORS))
                case 5:
                    return ite(part(BOOL), part(INT), part(INT))
            return _leaf(random, leaves)
        case BoolType():
            match random.randrange(6) if depth > 0 else 0:
                case 1:
                    return build(Operator.NOT, (part(BOOL),))
                case 2:
                    return build(random.choice((Operator.AND, Operator.OR)), (part(BOOL), part(BOOL)))
                case 3:
                    return equal(part(INT), part(INT))
            return random.choice((less, less_equal))(_leaf(random, leaves), _leaf(random, leaves))
        case TextType() | RationalType() | OptionType():
            raise FragmentError(f"no RDD program has values of type {of}")


def _leaf(random: Random, leaves: tuple[Term, ...]) -> Term:
    """A constant, a leaf, or a number inside one."""
    if random.random() < 0.3:
        return constant(random.randint(-LARGEST_CONSTANT, LARGEST_CONSTANT))
    leaf = random.choice(leaves)
    while isinstance(leaf.type, TupleType):
        leaf = project(leaf, random.randrange(len(leaf.type.components)))
    return leaf if leaf.type == INT else ite(leaf, constant(1), constant(0))
