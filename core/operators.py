"""The kinds of terms, and the one table of first-order operators: typing, value and SMT-LIB symbol of each.

A first-order operator takes values to a value. The others bind variables or range over bags; `terms` types them, and
what they mean stands where they are evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import prod
from typing import Any, Final

from tallystick.core.types import (
    BOOL,
    INT,
    RATIONAL,
    TEXT,
    OptionType,
    TupleType,
    Type,
    default_value,
    is_basic,
)


class Operator(Enum):
    """Every kind of term. The comment names its arguments and, after a semicolon, its parameter."""

    CONSTANT = "constant"  # ; an integer, a boolean, a text or a fraction
    VARIABLE = "variable"  # ; (name, type): an input bag, a basic parameter, or a logical variable
    ELEMENT = "element"  # ; a basic type
    ACCUMULATOR = "accumulator"  # ; a basic type
    BOTTOM = "bottom"  # ; a basic type: ⊥, the element that does not exist
    ADD = "add"  # two or more integers, or rationals
    SCALE = "scale"  # an integer or a rational; the factor, an integer or a fraction
    DIV = "div"  # an integer; the positive divisor: the quotient's floor
    MOD = "mod"  # an integer; the positive divisor: the remainder in 0 .. divisor - 1
    MULTIPLY = "multiply"  # two or more integers, or rationals
    TO_RATIONAL = "to_rational"  # an integer
    EQUAL = "equal"  # two terms of one basic type
    LESS = "less"  # two integers, rationals or texts
    LESS_EQUAL = "less_equal"  # two integers, rationals or texts
    NOT = "not"  # a boolean
    AND = "and"  # two or more booleans
    OR = "or"  # two or more booleans
    TUPLE = "tuple"  # one or more terms of basic types; none, or a type of these components that says more of them
    PROJECTION = "projection"  # a tuple; the index, from 0
    ITE = "ite"  # a boolean, two terms of one basic type
    NONE = "none"  # ; the basic type of which it is no value
    SOME = "some"  # a term of a basic type that is no option
    IS_NONE = "is_none"  # an option
    VALUE = "value"  # an option: its value, or the default value of the type
    APPLY = "apply"  # terms of basic types; (function name, basic type): a function that nothing is known of
    MAP = "map"  # a UDF, a bag
    FILTER = "filter"  # a boolean UDF, a bag
    CARTESIAN = "cartesian"  # two bags
    UNION = "union"  # two bags of one type: multiplicities add up
    DISTINCT = "distinct"  # a bag: every multiplicity becomes 1
    EXPAND = "expand"  # a UDF that gives a tuple, a bag; (name of a list-valued function, type of its items): each
    # element paired with each item of the function's list for what the UDF gives
    WITHOUT = "without"  # a UDF, a bag, a bag: the elements of the first for which the UDF gives nothing of the second
    FOLD = "fold"  # the initial value, a UDF over accumulator and element, a bag
    FOLD_BY_KEY = "fold_by_key"  # the initial value, a UDF over accumulator and value, a bag of pairs
    SLOT = "slot"  # ; (de Bruijn index, basic type): a bound slot, 0 for the innermost one
    ROW = "row"  # ; (number, basic type): a row in scope
    MONOMIAL = "monomial"  # sources, a condition, a head: binds a slot a source, see `binders`
    SUMMATION = "summation"  # monomials; the type of their heads
    EVERY = "every"  # ; a basic type: each of its values, once
    LIMIT = "limit"  # a summation; (count or None, offset, ((descending, NULLs first) of each order key, ...))
    EXCEPT_ALL = "except_all"  # two summations
    INTERSECT_ALL = "intersect_all"  # two summations
    OPAQUE_BAG = "opaque_bag"  # summations; (name, basic type): a function of bags that nothing is known of
    EXISTS = "exists"  # a summation: whether it has an element
    SUM = "sum"  # a summation of integers or rationals: 0 without elements
    EXTREMUM = "extremum"  # a summation of integers, rationals or texts; "min" or "max": the default without elements
    AGGREGATE = "aggregate"  # summations; (name, basic type): a function of bags that nothing is known of

    __hash__ = object.__hash__  # identity: building a term hashes its operator


BOUND: Final = (Operator.ELEMENT, Operator.ACCUMULATOR, Operator.SLOT)
AGGREGATES: Final = (Operator.FOLD, Operator.FOLD_BY_KEY)
OPAQUE: Final = (Operator.EXPAND, Operator.WITHOUT)
"""Bags of which proofs know nothing but that equal ones are equal."""
OVER_BAGS: Final = (
    Operator.MAP,
    Operator.FILTER,
    Operator.CARTESIAN,
    Operator.UNION,
    Operator.DISTINCT,
    *OPAQUE,
    *AGGREGATES,
)
SOURCES: Final = (
    Operator.VARIABLE,
    Operator.EVERY,
    Operator.LIMIT,
    Operator.EXCEPT_ALL,
    Operator.INTERSECT_ALL,
    Operator.OPAQUE_BAG,
)
"""What a slot of a monomial ranges over: a table, each value of a type, or a block."""
OF_QUERIES: Final = frozenset([*Operator][[*Operator].index(Operator.SLOT) :])
"""Operators that no program has: those of normal forms."""

Parameter = int | bool | str | Fraction | Type | tuple[Any, ...] | None
ORDERED: Final = (INT, RATIONAL, TEXT)
NUMBERS: Final = (INT, RATIONAL)


@dataclass(frozen=True, slots=True)
class FirstOrder:
    """A first-order operator.

    Attributes:
        typing: the type of its terms from the types of their arguments and the parameter; None where they do not fit.
        value: its value from the values of its arguments and the term itself.
        symbol: the function of SMT-LIB it is in linear integer arithmetic, if any; a parameter is its last argument.
    """

    typing: Callable[[list[Type], Any], Type | None]
    value: Callable[[Sequence[Any], Any], Any]
    symbol: str | None = None


def _constant(types: list[Type], parameter: Any) -> Type | None:
    kinds: dict[type, Type] = {int: INT, bool: BOOL, str: TEXT, Fraction: RATIONAL}
    return None if types else kinds.get(type(parameter))


def _numbers(types: list[Type], parameter: Any) -> Type | None:
    same = len(types) > 1 and types[0] in NUMBERS and types.count(types[0]) == len(types)
    return types[0] if same and parameter is None else None


def _truths(types: list[Type], parameter: Any) -> Type | None:
    return BOOL if len(types) > 1 and types.count(BOOL) == len(types) and parameter is None else None


def _comparison(types: list[Type], parameter: Any) -> Type | None:
    return BOOL if len(types) == 2 and types[0] == types[1] and types[0] in ORDERED and parameter is None else None


def _equal(types: list[Type], parameter: Any) -> Type | None:
    return BOOL if len(types) == 2 and types[0] == types[1] and is_basic(types[0]) and parameter is None else None


def _scale(types: list[Type], factor: Any) -> Type | None:
    fits = (type(factor) is int and types == [INT]) or (type(factor) in (int, Fraction) and types == [RATIONAL])
    return types[0] if fits else None


def _division(types: list[Type], divisor: Any) -> Type | None:
    return INT if types == [INT] and type(divisor) is int and divisor > 0 else None


def _tuple(types: list[Type], parameter: Any) -> Type | None:
    if isinstance(parameter, TupleType):
        return parameter if parameter.components == tuple(types) else None
    return TupleType(tuple(types)) if types and all(map(is_basic, types)) and parameter is None else None  # type: ignore[arg-type]


def _projection(types: list[Type], index: Any) -> Type | None:
    match types:
        case [TupleType(components)] if type(index) is int and 0 <= index < len(components):
            return components[index]
    return None


def _ite(types: list[Type], parameter: Any) -> Type | None:
    fits = len(types) == 3 and types[0] == BOOL and types[1] == types[2] and is_basic(types[1]) and parameter is None
    return types[1] if fits else None


def _none(types: list[Type], of: Any) -> Type | None:
    return OptionType(of) if not types and is_basic(of) and not isinstance(of, OptionType) else None


def _some(types: list[Type], parameter: Any) -> Type | None:
    return None if len(types) != 1 or parameter is not None else _none([], types[0])


def _is_none(types: list[Type], parameter: Any) -> Type | None:
    return BOOL if _value(types, parameter) is not None else None


def _value(types: list[Type], parameter: Any) -> Type | None:
    match types:
        case [OptionType(of)] if parameter is None:
            return of
    return None


def _apply(types: list[Type], parameter: Any) -> Type | None:
    match parameter:
        case (str(), of) if is_basic(of) and all(map(is_basic, types)):
            return of
    return None


def _only(argument: Type, result: Type) -> Callable[[list[Type], Any], Type | None]:
    return lambda types, parameter: result if types == [argument] and parameter is None else None


def _option(values: Sequence[Any], term: Any) -> Any:
    return default_value(term.type) if values[0] is None else values[0]


def _applied(values: Sequence[Any], term: Any) -> Any:
    from tallystick.core import functions

    return functions.apply(term.parameter[0], [argument.type for argument in term.arguments], term.type, values)


FIRST_ORDER: Final[dict[Operator, FirstOrder]] = {
    Operator.CONSTANT: FirstOrder(_constant, lambda _, term: term.parameter),
    Operator.ADD: FirstOrder(_numbers, lambda values, _: sum(values), "+"),
    Operator.SCALE: FirstOrder(_scale, lambda values, term: term.parameter * values[0], "*"),
    Operator.DIV: FirstOrder(_division, lambda values, term: values[0] // term.parameter, "div"),
    Operator.MOD: FirstOrder(_division, lambda values, term: values[0] % term.parameter, "mod"),
    Operator.MULTIPLY: FirstOrder(_numbers, lambda values, _: prod(values)),
    Operator.TO_RATIONAL: FirstOrder(_only(INT, RATIONAL), lambda values, _: Fraction(values[0])),
    Operator.EQUAL: FirstOrder(_equal, lambda values, _: values[0] == values[1], "="),
    Operator.LESS: FirstOrder(_comparison, lambda values, _: values[0] < values[1], "<"),
    Operator.LESS_EQUAL: FirstOrder(_comparison, lambda values, _: values[0] <= values[1], "<="),
    Operator.NOT: FirstOrder(_only(BOOL, BOOL), lambda values, _: not values[0], "not"),
    Operator.AND: FirstOrder(_truths, lambda values, _: all(values), "and"),
    Operator.OR: FirstOrder(_truths, lambda values, _: any(values), "or"),
    Operator.TUPLE: FirstOrder(_tuple, lambda values, _: tuple(values)),
    Operator.PROJECTION: FirstOrder(_projection, lambda values, term: values[0][term.parameter]),
    Operator.ITE: FirstOrder(_ite, lambda values, _: values[1] if values[0] else values[2], "ite"),
    Operator.NONE: FirstOrder(_none, lambda _, __: None),
    Operator.SOME: FirstOrder(_some, lambda values, _: values[0]),
    Operator.IS_NONE: FirstOrder(_is_none, lambda values, _: values[0] is None),
    Operator.VALUE: FirstOrder(_value, _option),
    Operator.APPLY: FirstOrder(_apply, _applied),
}

LINEAR: Final = frozenset(
    {operator for operator, meaning in FIRST_ORDER.items() if meaning.symbol}
    | {Operator.CONSTANT, Operator.TUPLE, Operator.PROJECTION, Operator.VARIABLE, Operator.ROW}
)
"""What linear arithmetic of integers has, with records of integers: where it has no symbol, records are taken apart."""
