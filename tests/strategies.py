"""Hypothesis strategies for terms: formulas (THEORY.md section 4) and the terms inside them."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    build,
    constant,
    variable,
)
from tallystick.core.types import BOOL, INT, BasicType, BoolType, IntType, TupleType

VARIABLES: tuple[Term, ...] = (
    *(variable(name, INT) for name in "xyz"),
    *(variable(name, BOOL) for name in "pq"),
    *(variable(name, TupleType((INT, BOOL))) for name in "st"),
    variable("w", TupleType((TupleType((INT, INT)),))),
)
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
