"""Hypothesis strategies: terms and formulas, typed SparkLite programs, and inputs for them."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from tallystick.core.interpreter import Bag, bag_of
from tallystick.core.programs import Program
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    accumulator,
    build,
    constant,
    element,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType, BasicType, BoolType, IntType, TupleType, Type, Value

VARIABLES: tuple[Term, ...] = (
    *(variable(name, INT) for name in "xyz"),
    *(variable(name, BOOL) for name in "pq"),
    *(variable(name, TupleType((INT, BOOL))) for name in "st"),
    variable("w", TupleType((TupleType((INT, INT)),))),
)
BOTTOMS: tuple[Term, ...] = tuple(build(Operator.BOTTOM, (), of) for of in (INT, BOOL, TupleType((INT, BOOL))))
"""⊥ of several types: beside VARIABLES, they give terms of APA+."""

PAIR = TupleType((INT, INT))
INPUTS: tuple[Term, ...] = (variable("R", BagType(INT)), variable("S", BagType(PAIR)), variable("k", INT))
"""The parameters of random programs: two bags and a number."""

SMALL = st.integers(-12, 12)
DIVISORS = st.sampled_from((1, 2, 3, 5, 6, 10))


def int_terms(variables: tuple[Term, ...] = VARIABLES, depth: int = 3) -> SearchStrategy[Term]:
    """Integer terms without ⊥, bags and bound variables, nested at most `depth` times."""
    return terms(INT, variables, depth)


def formulas(variables: tuple[Term, ...] = VARIABLES, depth: int = 4) -> SearchStrategy[Term]:
    """Boolean terms without ⊥, bags and bound variables: what the kernel asks evidence for."""
    return terms(BOOL, variables, depth)


@st.composite
def terms(draw: DrawFn, of: BasicType, variables: tuple[Term, ...], depth: int) -> Term:
    """A term of one basic type, over the given variables of basic types, nested at most `depth` times."""

    def sub(type_: BasicType) -> Term:
        return draw(terms(type_, variables, depth - 1))

    def several(type_: BasicType) -> tuple[Term, ...]:
        return tuple(sub(type_) for _ in range(draw(st.integers(2, 3))))

    operator = draw(st.sampled_from(_OPERATORS[type(of)])) if depth > 0 else None
    match operator:
        case None:
            return draw(_leaves(of, variables))
        case Operator.ITE:
            return build(operator, (sub(BOOL), sub(of), sub(of)))
        case Operator.TUPLE:
            return build(operator, tuple(map(sub, of.components)))  # type: ignore[union-attr]
        case Operator.ADD:
            return build(operator, several(INT))
        case Operator.SCALE:
            return build(operator, (sub(INT),), draw(st.integers(-4, 4)))
        case Operator.DIV | Operator.MOD:
            return build(operator, (sub(INT),), draw(DIVISORS))
        case Operator.LESS | Operator.LESS_EQUAL:
            return build(operator, (sub(INT), sub(INT)))
        case Operator.EQUAL:
            type_ = draw(st.sampled_from((INT, BOOL, *_tuple_types(variables))))
            return build(operator, (sub(type_), sub(type_)))
        case Operator.NOT:
            return build(operator, (sub(BOOL),))
        case _:
            return build(operator, several(BOOL))


_OPERATORS = {
    IntType: (None, Operator.ITE, Operator.ADD, Operator.SCALE, Operator.DIV, Operator.MOD),
    BoolType: (
        None,
        Operator.ITE,
        Operator.EQUAL,
        Operator.LESS,
        Operator.LESS_EQUAL,
        Operator.NOT,
        Operator.AND,
        Operator.OR,
    ),
    TupleType: (None, Operator.ITE, Operator.TUPLE),
}


def _leaves(of: BasicType, variables: tuple[Term, ...]) -> SearchStrategy[Term]:
    leaves = [part for term in variables for part in _components(term) if part.type == of]
    match of:
        case IntType():
            return st.one_of(st.sampled_from(leaves), SMALL.map(constant)) if leaves else SMALL.map(constant)
        case BoolType():
            return st.sampled_from([*leaves, TRUE, FALSE])
        case TupleType(components):
            whole = st.tuples(*(_leaves(component, variables) for component in components))
            made = whole.map(lambda arguments: build(Operator.TUPLE, arguments))
            return st.one_of(st.sampled_from(leaves), made) if leaves else made


def _components(term: Term) -> list[Term]:
    """A variable, its components, and their components."""
    result = [term]
    if isinstance(term.type, TupleType):
        for index in range(len(term.type.components)):
            result += _components(build(Operator.PROJECTION, (term,), index))
    return result


def _tuple_types(variables: tuple[Term, ...]) -> list[BasicType]:
    return [term.type for term in variables if isinstance(term.type, TupleType)]


@st.composite
def programs(draw: DrawFn, aggregates: bool = True) -> Program:
    """Programs over INPUTS that return a bag or, with aggregates, perhaps a value; their folds are well defined."""
    if aggregates and draw(st.booleans()):
        basic = (INPUTS[2], draw(folds()), draw(folds()))
        expression = draw(terms(draw(st.sampled_from((INT, BOOL))), basic, 2))
    else:
        expression = draw(bag_expressions(aggregates=aggregates))
    return Program("P", INPUTS, expression)


@st.composite
def bag_expressions(draw: DrawFn, depth: int = 3, aggregates: bool = False) -> Term:
    """Bag expressions over INPUTS: maps, filters, products (with themselves too) and unions, `depth` operations deep.

    With aggregates, also distinct, by-key folds, and UDFs that mention a fold.
    """
    if depth == 0:
        return draw(st.sampled_from(INPUTS[:2]))
    bag = draw(bag_expressions(depth - 1, aggregates))
    of = bag.type.element  # type: ignore[union-attr]
    basic = (element(of), INPUTS[2], *([draw(folds())] if aggregates and draw(st.booleans()) else []))
    choices = [Operator.MAP, Operator.FILTER, Operator.CARTESIAN, Operator.UNION]
    if aggregates:
        choices += [
            Operator.DISTINCT,
            *[Operator.FOLD_BY_KEY] * (isinstance(of, TupleType) and len(of.components) == 2),
        ]
    match draw(st.sampled_from(choices)):
        case Operator.MAP:
            return build(Operator.MAP, (draw(terms(draw(st.sampled_from((INT, BOOL, PAIR))), basic, 2)), bag))
        case Operator.FILTER:
            return build(Operator.FILTER, (draw(terms(BOOL, basic, 2)), bag))
        case Operator.CARTESIAN:
            return build(Operator.CARTESIAN, (bag, draw(st.sampled_from((*INPUTS[:2], *[bag] * (depth == 1))))))
        case Operator.UNION:
            other = draw(bag_expressions(0, aggregates))
            udf = draw(terms(of, (element(other.type.element), INPUTS[2]), 2))  # type: ignore[union-attr]
            return build(Operator.UNION, (bag, build(Operator.MAP, (udf, other))))
        case Operator.DISTINCT:
            return build(Operator.DISTINCT, (bag,))
        case _:
            start, udf = draw(fold_udfs(of.components[1]))  # type: ignore[union-attr]
            return build(Operator.FOLD_BY_KEY, (start, udf, bag))


@st.composite
def folds(draw: DrawFn) -> Term:
    """Well-defined folds to an integer over an input bag of a program."""
    bag = draw(bag_expressions(draw(st.integers(0, 1))))
    start, udf = draw(fold_udfs(bag.type.element))  # type: ignore[union-attr]
    return build(Operator.FOLD, (start, udf, bag))


@st.composite
def fold_udfs(draw: DrawFn, of: BasicType) -> tuple[Term, Term]:
    """An initial value and a UDF that takes elements in either order: sums, sums modulo c, minima and maxima."""
    so_far, change = accumulator(INT), draw(terms(INT, (element(of),), 2))
    total = build(Operator.ADD, (so_far, change))
    less = build(Operator.LESS, (change, so_far))
    choices = (
        total,
        build(Operator.MOD, (total,), 3),
        build(Operator.ITE, (less, change, so_far)),
        build(Operator.ITE, (less, so_far, change)),
    )
    return constant(draw(st.integers(-3, 3))), draw(st.sampled_from(choices))


def values(of: BasicType) -> SearchStrategy[Value]:
    """Small values of a basic type."""
    match of:
        case IntType():
            return st.integers(-4, 4)
        case BoolType():
            return st.booleans()
        case TupleType(components):
            return st.tuples(*map(values, components))


def bags(of: BasicType, size: int = 3) -> SearchStrategy[Bag]:
    """Bags with at most `size` elements, repetitions among them."""
    return st.lists(values(of), max_size=size).map(bag_of)


def inputs(of: Type) -> SearchStrategy[Value | Bag]:
    """Values of a basic type, or bags."""
    return bags(of.element) if isinstance(of, BagType) else values(of)


def environments(variables: Sequence[Term] = INPUTS) -> SearchStrategy[dict[Term, Value | Bag]]:
    """A value or bag for each variable."""
    return st.fixed_dictionaries({variable: inputs(variable.type) for variable in variables})
