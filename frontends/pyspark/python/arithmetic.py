"""Python's operators on integers, booleans and tuples, as terms; what is not linear is refused.

No operation here can fail or have an effect once division by zero is refused, so evaluating both branches of
a conditional, and both operands of `and`, is exact.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from tallystick.core.operators import FIRST_ORDER
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    add,
    apply_function,
    build,
    conjunction,
    constant,
    disjunction,
    equal,
    ite,
    less,
    less_equal,
    multiply,
    negation,
    project,
    scale,
    to_rational,
    tuple_of,
)
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, TupleType, Type
from tallystick.frontends.pyspark.python.texts import applied, concatenated, is_text, start_is, text
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values import dates
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.describing import basic, constant_value, literal, show_type
from tallystick.frontends.pyspark.values.enums import as_value
from tallystick.frontends.pyspark.values.kinds import Instance, Value
from tallystick.frontends.pyspark.values.nominal_types import (
    DATE,
    DATETIME,
    DECIMAL,
    EXACT,
    FRACTION,
    PARTIAL_FLOATS,
    TIMEDELTA,
    NominalType,
    content,
    wrapped,
)
from tallystick.frontends.pyspark.values.options import (
    NONE,
    component_count,
    is_none,
    is_option,
    is_tuple,
    optional,
    unified,
)
from tallystick.frontends.pyspark.values.partial_floats import compared, computed, holds_partial, is_nan
from tallystick.frontends.pyspark.values.record_types import holds_objects

LARGEST_BITS: Final = 2048
_DIVISOR: Final = "divide by a non-zero integer constant"
_MAY_BE_NONE: Final = "test it before, as in `x if x is not None else 0`"
_TO_INT: Final = "Python would count True as 1; write `1 if b else 0` for it"


def integer(value: Value, place: Place, what: str) -> Term:
    """The value as an integer term; members of an IntEnum are ints."""
    term = basic(as_value(value), place, what)
    if term.type == BOOL:
        raise place.error(f"{what} must be an int, and is of type bool", _TO_INT)
    if is_option(term.type):
        raise place.error(f"{what} must be an int, and is of type {show_type(term.type)}", _MAY_BE_NONE)
    if term.type != INT:
        raise place.error(f"{what} must be an int, and is of type {show_type(term.type)}")
    return term


def boolean(value: Value, place: Place, what: str) -> Term:
    """The value as a boolean term: Python's truth of integers and tuples is refused."""
    term = basic(value, place, what)
    if term.type != BOOL:
        hint = "write `x != 0` to test an int" if term.type == INT else ""
        hint = "write `x is not None` to test for None" if is_option(term.type) else hint
        raise place.error(f"{what} must be a bool, and is of type {show_type(term.type)}", hint)
    return term


def number(value: int, place: Place) -> Term:
    """An integer constant; raises SourceError for one of more than LARGEST_BITS bits."""
    if value.bit_length() > LARGEST_BITS:
        raise place.error(f"this integer has more than {LARGEST_BITS} bits", "use a smaller one")
    return constant(value)


def plus(place: Place, left: Term, right: Term) -> Term:
    """left + right."""
    first, second = literal(left), literal(right)
    if first is not None and second is not None:
        return number(first + second, place)
    if first == 0 or second == 0:
        return right if first == 0 else left
    return add(left, right)


def times(place: Place, left: Term, right: Term) -> Term:
    """left * right."""
    first, second = literal(left), literal(right)
    if first is not None and second is not None:
        return number(first * second, place)
    if first is None and second is None:
        for factor, term in ((left, right), (right, left)):
            if factor.operator is Operator.ITE and all(literal(each) is not None for each in factor.arguments[1:]):
                condition, then, otherwise = factor.arguments
                return ite(condition, times(place, then, term), times(place, otherwise, term))
        return multiply(left, right)
    factor, term = (first, right) if first is not None else (second, left)
    assert factor is not None  # one of the two is a constant
    if term.operator is Operator.SCALE:
        (inner,) = term.arguments
        return times(place, number(factor * int(term.parameter), place), inner)  # type: ignore[arg-type]
    if factor in (0, 1):
        return term if factor == 1 else constant(0)
    return scale(factor, term)


def minus(place: Place, left: Term, right: Term) -> Term:
    """left - right."""
    return plus(place, left, times(place, constant(-1), right))


def floor_divide(place: Place, left: Term, right: Term) -> Term:
    """left // right, Python's floor: x // -c = (-x) // c."""
    if literal(right) is None:
        return applied("floor quotient", left, right)
    dividend, divisor, _ = _divide(place, left, right, "//")
    known = literal(dividend)
    return constant(known // divisor) if known is not None else build(Operator.DIV, (dividend,), divisor)


def remainder(place: Place, left: Term, right: Term) -> Term:
    """left % right, which has the sign of the divisor: x % -c = -((-x) % c)."""
    if literal(right) is None:
        return applied("remainder", left, right)
    dividend, divisor, sign = _divide(place, left, right, "%")
    known = literal(dividend)
    result = constant(known % divisor) if known is not None else build(Operator.MOD, (dividend,), divisor)
    return times(place, constant(sign), result)


def _divide(place: Place, left: Term, right: Term, symbol: str) -> tuple[Term, int, int]:
    """Dividend and positive divisor, both negated if the divisor was negative, and the divisor's sign."""
    divisor = literal(right)
    if divisor is None:
        raise place.error(f"`{symbol}` by a value that is not constant", _DIVISOR)
    if divisor == 0:
        raise place.error(f"`{symbol}` by zero", _DIVISOR)
    sign = 1 if divisor > 0 else -1
    return times(place, constant(sign), left), divisor * sign, sign


ARITHMETIC: Final[dict[type[ast.operator], tuple[str, Callable[[Place, Term, Term], Term]]]] = {
    ast.Add: ("+", plus),
    ast.Sub: ("-", minus),
    ast.Mult: ("*", times),
    ast.FloorDiv: ("//", floor_divide),
    ast.Mod: ("%", remainder),
}
_REFUSED: Final[dict[type[ast.operator], tuple[str, str]]] = {
    ast.MatMult: ("@", ""),
    ast.BitAnd: ("&", "supported are bools, and constants such as 1, 3, 7: or write `%`"),
    ast.BitOr: ("|", "supported are bools"),
    ast.BitXor: ("^", "supported are bools"),
    ast.LShift: ("<<", "shift by a constant"),
    ast.RShift: (">>", "shift by a constant"),
}


def combine(place: Place, kind: type[ast.operator], left: Value, right: Value) -> Term:
    """The result of a binary operator on two values."""
    if is_nan(left) or is_nan(right):
        return computed(lambda one, other: combine(place, kind, one, other), [left, right])
    spans = [isinstance(each, Term) and each.type == TIMEDELTA for each in (left, right)]
    if kind is ast.Div and all(spans):
        return dates.combined(place, kind, basic(left, place, "an operand"), basic(right, place, "an operand"))
    if kind is ast.Div:
        return divide(place, left, right)
    if kind is ast.Pow:
        return _power(place, left, right)
    if kind in _BITWISE and (found := _of_bits(place, kind, as_value(left), as_value(right))) is not None:
        return found
    if kind not in ARITHMETIC:
        symbol, hint = _REFUSED.get(kind, (kind.__name__, ""))
        raise place.error(f"`{symbol}` is not supported", hint or "the operators are `+ - * // %`")
    symbol, operation = ARITHMETIC[kind]
    what = f"an operand of `{symbol}`"
    left, right = as_value(left), as_value(right)
    if any(isinstance(each, Term) and each.type in (DATE, DATETIME, TIMEDELTA) for each in (left, right)):
        return dates.combined(place, kind, basic(left, place, what), basic(right, place, what))
    if (of := _rational_type(left, right, kind)) is not None:
        return _rational(place, kind, of, left, right)
    if kind is ast.Add and (is_text(left) or is_text(right)):
        return concatenated(text(left, place, what), text(right, place, what))
    if kind is ast.Add and all(isinstance(each, Term) and is_tuple(each.type) for each in (left, right)):
        return tuple_of(*_components(left), *_components(right))  # type: ignore[arg-type]
    return operation(place, _int_of(left, place, what), _int_of(right, place, what))


def _components(value: Term) -> list[Term]:
    return [project(value, index) for index in range(component_count(value))]


def _int_of(value: Value, place: Place, what: str) -> Term:
    """An int, or the 0 or 1 that a bool is."""
    if isinstance(value, Term) and value.type == BOOL:
        return ite(value, constant(1), constant(0))
    return integer(value, place, what)


_BITWISE: Final = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
_MOST_SHIFTED: Final = 64


def _of_bits(place: Place, kind: type[ast.operator], left: Value, right: Value) -> Term | None:
    """`& | ^` of bools, shifts by constants, and `&` with a constant 2**n - 1; None for others."""
    if all(isinstance(each, Term) and each.type == BOOL for each in (left, right)):
        first, second = (boolean(each, place, "an operand") for each in (left, right))
        if kind is ast.BitXor:
            return disjunction(conjunction(first, negation(second)), conjunction(negation(first), second))
        return {ast.BitAnd: conjunction, ast.BitOr: disjunction}[kind](first, second) if kind in _OF_BOOLS else None
    if kind in _OF_INTS and literal(left) is not None:
        left, right = right, left
    known = literal(right)
    if type(known) is not int or known < 0:
        return None
    if kind in (ast.LShift, ast.RShift) and known <= _MOST_SHIFTED:
        operation = times if kind is ast.LShift else floor_divide
        return operation(place, integer(left, place, "what is shifted"), constant(2**known))
    if kind in _OF_INTS and known <= _LARGEST_MASK:
        whole = integer(left, place, "what bits are taken of")
        common = _masked(place, whole, known)
        if kind is ast.BitAnd:
            return common
        more = minus(place, constant(known), common if kind is ast.BitOr else plus(place, common, common))
        return plus(place, whole, more)
    return None


def _masked(place: Place, whole: Term, mask: int) -> Term:
    """whole & mask, run of ones by run of ones: ints have so many bits as one likes, and negative ones end in ones."""
    result, low = constant(0), 0
    while mask >> low:
        low += ((mask >> low) & -(mask >> low)).bit_length() - 1
        size = (~(mask >> low) & ((mask >> low) + 1)).bit_length() - 1
        shifted = floor_divide(place, whole, constant(2**low)) if low else whole
        part = remainder(place, shifted, constant(2**size))
        result = plus(place, result, times(place, constant(2**low), part))
        low += size
    return result


_OF_BOOLS: Final = (ast.BitAnd, ast.BitOr)
_OF_INTS: Final = (ast.BitAnd, ast.BitOr, ast.BitXor)
_LARGEST_MASK: Final = 2**32


MOST_FACTORS: Final = 8


def _power(place: Place, base: Value, exponent: Value) -> Term:
    """base ** exponent, a product of so many factors."""
    count = literal(exponent)
    if count is None or isinstance(count, bool) or not 1 <= count <= MOST_FACTORS:
        raise place.error(f"`**` is supported with exponents from 1 to {MOST_FACTORS}", "multiply")
    result = basic(base, place, "an operand of `**`")
    for _ in range(count - 1):
        result = combine(place, ast.Mult, result, base)
    return result if count > 1 else combine(place, ast.Mult, result, constant(1))


def _rational_type(left: Value, right: Value, kind: type[ast.operator]) -> Type | None:
    """float, Decimal or Fraction, where an operand is one; None otherwise."""
    types = [each.type for each in (left, right) if isinstance(each, Term)]
    return next((of for of in (DECIMAL, RATIONAL, FRACTION) if of in types), None)


def is_number(of: Type) -> bool:
    """Whether a type is int, float, Decimal or Fraction."""
    return of in (INT, RATIONAL, *EXACT)


def rational(value: Value, place: Place, what: str) -> Term:
    """An int, a float, a Decimal or a Fraction as an exact number."""
    term = basic(value, place, what)
    if term.type in EXACT:
        return content(term)
    if term.type == RATIONAL:
        return term
    number_term = integer(term, place, what)
    known = literal(number_term)
    return to_rational(number_term) if known is None else constant(Fraction(known))


def as_number(of: Type, exact: Term) -> Term:
    """An exact number as a float, a Decimal or a Fraction."""
    return wrapped(of, exact) if isinstance(of, NominalType) else exact


def _rational(place: Place, kind: type[ast.operator], of: Type, left: Value, right: Value) -> Term:
    symbol = ARITHMETIC[kind][0] if kind in ARITHMETIC else kind.__name__
    what = f"an operand of `{symbol}`"
    _refuse_mixed(place, symbol, of, left, right)
    first, second = rational(left, place, what), rational(right, place, what)
    known = [constant_value(each) for each in (first, second)]
    match kind, known:
        case ast.Add, _:
            result = first if known[1] == 0 else second if known[0] == 0 else add(first, second)
        case ast.Sub, _:
            result = first if known[1] == 0 else add(first, scale(-1, second))
        case ast.Mult, [Fraction() as factor, _]:
            result = scale(factor, second)
        case ast.Mult, [_, Fraction() as factor]:
            result = scale(factor, first)
        case ast.Mult, _:
            result = multiply(first, second)
        case ((ast.FloorDiv | ast.Mod), [_, Fraction() as divisor]):
            whole = _floored(place, kind, of, first, divisor)
            return whole if whole.type == INT else as_number(of, whole)
        case _:
            raise place.error(f"`{symbol}` of {show_type(of)} is not supported", "the operators are `+ - * /`")
    return as_number(of, _folded(result))


def _refuse_mixed(place: Place, symbol: str, of: Type, left: Value, right: Value) -> None:
    """Raise SourceError for a Decimal with a number of another class than int."""
    for each in (left, right) if of == DECIMAL else ():
        if isinstance(each, Term) and each.type in (RATIONAL, FRACTION):
            message = f"`{symbol}` of a {show_type(each.type)} and a Decimal raises TypeError"
            raise place.error(message, "make both Decimals")


def _floored(place: Place, kind: type[ast.operator], of: Type, number: Term, by: Fraction) -> Term:
    """`//` and `%` by a constant: floats take the floor, Fractions as an int, and Decimals cut off."""
    if by == 0:
        raise place.error("a quotient by zero", "divide by another number")
    whole = applied("truncate" if of == DECIMAL else "floor", _folded(scale(1 / by, number)))
    if of == FRACTION and kind is ast.FloorDiv:
        return whole
    known = literal(whole)
    quotient = to_rational(whole) if known is None else constant(Fraction(known))
    return quotient if kind is ast.FloorDiv else _folded(add(number, _folded(scale(-by, quotient))))


def _folded(term: Term) -> Term:
    """A number that is computed of constants, as a constant."""
    arguments = [constant_value(each) for each in term.arguments]
    if None in arguments or not term.arguments or term.operator is Operator.APPLY:
        return term
    return constant(FIRST_ORDER[term.operator].value(arguments, term))


def divide(place: Place, left: Value, right: Value) -> Term:
    """left / right, an exact quotient, which raises where the divisor is 0."""
    what = "an operand of `/`"
    of = _rational_type(left, right, ast.Div) or RATIONAL
    _refuse_mixed(place, "/", of, left, right)
    first, second = rational(left, place, what), rational(right, place, what)
    divisor = constant_value(second)
    if divisor == 0:
        raise place.error("`/` by zero", "divide by another number")
    if isinstance(divisor, Fraction):
        return as_number(of, _folded(scale(1 / divisor, first)))
    return as_number(of, apply_function("quotient", RATIONAL, first, second))


_ORDER: Final[dict[type[ast.cmpop], tuple[str, Callable[[Term, Term], Term]]]] = {
    ast.Lt: ("<", lambda left, right: precedes(left, right)),
    ast.LtE: ("<=", lambda left, right: at_most(left, right)),
    ast.Gt: (">", lambda left, right: precedes(right, left)),
    ast.GtE: (">=", lambda left, right: at_most(right, left)),
}


def precedes(left: Term, right: Term) -> Term:
    """left < right, for two ordered terms of one type, or two bools: tuples are compared component by component."""
    if isinstance(left.type, TupleType):
        result = FALSE
        for index in reversed(range(component_count(left))):
            first, second = project(left, index), project(right, index)
            result = disjunction(precedes(first, second), conjunction(_same(first, second), result))
        return result
    if left.type == BOOL:  # as a component: Python finds False less than True
        return conjunction(negation(left), right)
    known = constant_value(left), constant_value(right)
    return less(left, right) if None in known else constant(known[0] < known[1])  # type: ignore[operator]


def at_most(left: Term, right: Term) -> Term:
    """left ≤ right, for two ordered terms of one type."""
    if isinstance(left.type, TupleType):
        return negation(precedes(right, left))
    known = constant_value(left), constant_value(right)
    return less_equal(left, right) if None in known else constant(known[0] <= known[1])  # type: ignore[operator]


def _same(left: Term, right: Term) -> Term:
    known = constant_value(left), constant_value(right)
    if (prefix := start_is(left, right) or start_is(right, left)) is not None:
        return prefix
    return equal(left, right) if None in known else constant(known[0] == known[1])


def ordered(left: Value, right: Value, place: Place, what: str) -> tuple[Term, Term]:
    """Two values as terms of one type that Python orders: ints, texts, and tuples of these and of bools."""
    first, second = basic(as_value(left), place, what), basic(as_value(right), place, what)
    if first.type != second.type and is_number(first.type) and is_number(second.type):
        return rational(first, place, what), rational(second, place, what)
    if first.type == INT or second.type == INT or not has_order(first.type):
        return integer(first, place, what), integer(second, place, what)
    if first.type != second.type:
        types = f"{show_type(first.type)} and {show_type(second.type)}"
        raise place.error(f"{what} must be of the type of the other, and these are {types}")
    return first, second


def has_order(of: Type) -> bool:
    """Whether Python orders the values of a type, and this reads it.

    These are ints, floats, texts, dates, and tuples of these and of bools.
    """
    if isinstance(of, NominalType):
        return not (of.members or of.by_identity or isinstance(of, CodedType) or of in PARTIAL_FLOATS)
    if is_tuple(of) and isinstance(of, TupleType):
        return all(each == BOOL or has_order(each) for each in of.components)
    return of in (INT, TEXT, RATIONAL)


def compare(place: Place, kind: type[ast.cmpop], left: Value, right: Value) -> Term:
    """The result of one comparison."""
    if kind in (ast.Is, ast.IsNot):
        return _identity(place, kind, left, right)
    if is_nan(left) or is_nan(right):
        positive = ast.Eq if kind is ast.NotEq else kind
        holds = compared(lambda one, other: compare(place, positive, one, other), [left, right])
        return negation(holds) if kind is ast.NotEq else holds
    if kind in _ORDER:
        symbol, operation = _ORDER[kind]
        what = f"an operand of `{symbol}`"
        return operation(*ordered(left, right, place, what))
    symbol = "==" if kind is ast.Eq else "!="
    if any(isinstance(each, Term) and holds_partial(each.type) for each in (left, right)):
        raise place.error(f"`{symbol}` of floats that may be nan or inf is not read", "test `stats().count()`")
    for each in (left, right):
        if isinstance(each, Instance) or (isinstance(each, Term) and holds_objects(each.type)):
            raise place.error(
                f"`{symbol}` of objects of a plain class compares which object it is", "compare attributes"
            )
    first, second = (basic(each, place, f"an operand of `{symbol}`") for each in (left, right))
    if NONE in (first.type, second.type):
        same = is_none(second if first.type == NONE else first)
        return same if kind is ast.Eq else negation(same)
    if first.type != second.type:
        first, second = (basic(as_value(each), place, "an operand") for each in (first, second))
    if first.type != second.type and is_number(first.type) and is_number(second.type):
        first, second = rational(first, place, "an operand"), rational(second, place, "an operand")
    both = unified(first, second)
    if both is None:
        types = f"{show_type(first.type)} and {show_type(second.type)}"
        hint = "both sides must have one type: Python finds True == 1 but a bool is no int here"
        raise place.error(f"`{symbol}` compares {types}", hint)
    first, second = both
    same = _same(first, second)
    return same if kind is ast.Eq else negation(same)


def _identity(place: Place, kind: type[ast.cmpop], left: Value, right: Value) -> Term:
    symbol = "is" if kind is ast.Is else "is not"
    first, second = (basic(each, place, f"an operand of `{symbol}`") for each in (left, right))
    if first.type == second.type and isinstance(first.type, NominalType) and first.type.members:
        return _same(first, second) if kind is ast.Is else negation(_same(first, second))
    if {first.type, second.type} == {BOOL, optional(BOOL)} and {TRUE, FALSE} & {first, second}:
        both = unified(first, second)
        assert both is not None
        return equal(*both) if kind is ast.Is else negation(equal(*both))
    if first.type == second.type == BOOL and (TRUE in (first, second) or FALSE in (first, second)):
        return _same(first, second) if kind is ast.Is else negation(_same(first, second))
    if NONE not in (first.type, second.type):
        raise place.error(f"`{symbol}` is supported with None only", "compare with `== != < <= > >=`")
    same = is_none(second if first.type == NONE else first)
    return same if kind is ast.Is else negation(same)


def minimum(place: Place, values: list[Value]) -> Term:
    """min of two or more values that Python orders."""
    return _extremum(place, values, "min", lambda best, other: precedes(other, best))


def maximum(place: Place, values: list[Value]) -> Term:
    """max of two or more values that Python orders."""
    return _extremum(place, values, "max", lambda best, other: precedes(best, other))


def _extremum(place: Place, values: list[Value], name: str, better: Callable[[Term, Term], Term]) -> Term:
    what = f"an argument of `{name}`"
    if len(values) < 2:
        raise place.error(f"`{name}` of {'one int' if values else 'nothing'}", f"give `{name}` two or more ints")
    best = basic(values[0], place, what)
    for value in values[1:]:
        best, term = ordered(best, value, place, what)
        best = ite(better(best, term), term, best)
    return best


def absolute(place: Place, values: list[Value]) -> Term:
    """abs of a number."""
    (value,) = exactly(place, values, 1, "abs")
    if is_nan(value):
        return computed(lambda each: absolute(place, [each]), [value])
    if isinstance(value, Term) and value.type in (RATIONAL, *EXACT):
        exact = rational(value, place, "the argument of `abs`")
        return as_number(value.type, ite(less(exact, constant(Fraction(0))), scale(-1, exact), exact))
    (term,) = (integer(each, place, "the argument of `abs`") for each in exactly(place, values, 1, "abs"))
    return ite(less(term, constant(0)), times(place, constant(-1), term), term)


def quotient_and_remainder(place: Place, values: list[Value]) -> Term:
    """divmod by a constant."""
    left, right = exactly(place, values, 2, "divmod")
    return tuple_of(combine(place, ast.FloorDiv, left, right), combine(place, ast.Mod, left, right))


def negative(place: Place, value: Value) -> Term:
    """-value."""
    if is_nan(value):
        return computed(lambda each: negative(place, each), [value])
    if isinstance(value, Term) and value.type in (RATIONAL, *EXACT):
        return as_number(value.type, _folded(scale(-1, rational(value, place, "the operand of `-`"))))
    if isinstance(value, Term) and value.type == TIMEDELTA:
        return wrapped(TIMEDELTA, times(place, constant(-1), content(value)))
    return times(place, constant(-1), integer(value, place, "the operand of `-`"))


def exactly(place: Place, values: list[Value], count: int, name: str) -> list[Value]:
    """The arguments, if there are as many as the function takes."""
    if len(values) != count:
        raise place.error(f"`{name}` takes {count} argument{'s' * (count > 1)}, not {len(values)}")
    return values
