"""Results of two programs in one form, so that they can be compared."""

from __future__ import annotations

from dataclasses import replace

from tallystick.core.terms import FALSE, TRUE, Operator, Term, build, element, ite, project, tuple_of
from tallystick.core.types import INT, RATIONAL, BagType, TupleType, Type
from tallystick.frontends.pyspark.program import SourceProgram
from tallystick.frontends.pyspark.result_types import never_equal
from tallystick.frontends.pyspark.values.options import common_type, converted, default_of, is_option
from tallystick.frontends.pyspark.values.partial_floats import widened, widened_type


def aligned(left: SourceProgram, right: SourceProgram) -> tuple[SourceProgram, SourceProgram]:
    """Both programs, with results in one form where there is one.

    Where only one of them may raise, the other's result says that it always returns; where only one may return None in
    some place, what the other returns there is never None. Where only one returns floats in some place, the other's
    ints are converted, and both say that they are `as_floats`. Lists in different orders are pairs of both orders and
    an element; a list is a single value where the other's list is one. Means are pairs of sum and count where both
    programs return means, and floats that are never nan are floats that may be where the other's may be. Where no value
    of one type equals one of the other, both results say of
    which program they are.
    """
    if left.mean is not None and right.mean is not None:
        left, right = left.mean, right.mean
    left, right = _by_name(left, right), _by_name(right, left)
    if left.may_raise != right.may_raise:
        left, right = (left, _always_returning(right)) if left.may_raise else (_always_returning(left), right)
    left, right = _with_partial_floats(left, right), _with_partial_floats(right, left)
    if left.returns == right.returns == "list":
        left, right = _in_both_orders(left, right)
    if _are_told_apart(left, right):
        return _told_apart(left, right, 0), _told_apart(right, left, 1)
    of = common_type(left.program.result, right.program.result)
    if of is None:
        return left, right
    as_floats = any(_makes_floats(each.program.result, of) for each in (left, right))
    return _returning(left, of, as_floats), _returning(right, of, as_floats)


def _by_name(source: SourceProgram, other: SourceProgram) -> SourceProgram:
    """The program with its list as one value, where the other's list is one."""
    if source.returns != "list" or other.returns != "value":
        return source
    named = source.by_name()
    return source if named is None or named.result_type != other.result_type else named


def _with_partial_floats(source: SourceProgram, other: SourceProgram) -> SourceProgram:
    """The program with floats that may be nan or inf where the other returns these."""
    of, wanted = source.result_type, other.result_type
    if of is None or wanted is None or widened_type(of, wanted) == of:
        return source
    expression = source.program.expression
    if source.may_raise:
        expression = tuple_of(project(expression, 0), widened(project(expression, 1), of, wanted))
    else:
        expression = widened(expression, of, wanted)
    program = replace(source.program, expression=expression)
    return replace(source, program=program, result_type=widened_type(of, wanted))


def _in_both_orders(left: SourceProgram, right: SourceProgram) -> tuple[SourceProgram, SourceProgram]:
    """Lists whose orders are of different types: in the order of the left one, then in the order of the right one.

    Each has constants for the order of the other, which therefore decides nothing.
    """
    columns = [_columns(each) for each in (left, right)]
    if [each.type for each in columns[0]] == [each.type for each in columns[1]]:
        return left, right
    return (
        _ordered_by(left, (*columns[0], *map(_default, columns[1]))),
        _ordered_by(right, (*map(_default, columns[0]), *columns[1])),
    )


def _columns(source: SourceProgram) -> list[Term]:
    """The parts of the order of a list's elements, after how many of the first are in it, over `element`."""
    order = project(element(source.program.result.element), 0)  # type: ignore[union-attr]
    return [project(order, index) for index in range(1, len(order.type.components))]  # type: ignore[union-attr]


def _default(term: Term) -> Term:
    return default_of(term.type)  # type: ignore[arg-type]


def _ordered_by(source: SourceProgram, columns: tuple[Term, ...]) -> SourceProgram:
    expression = source.program.expression
    pair = element(expression.type.element)  # type: ignore[union-attr]
    ordered = tuple_of(tuple_of(project(project(pair, 0), 0), *columns), project(pair, 1))
    return replace(source, program=replace(source.program, expression=build(Operator.MAP, (ordered, expression))))


def _are_told_apart(left: SourceProgram, right: SourceProgram) -> bool:
    """Whether the results of two programs are never equal, unless they are RDDs, lists or dictionaries, and empty."""
    one, other = left.result_type, right.result_type
    if one is None or other is None or left.returns != right.returns or left.returns_set != right.returns_set:
        return False  # an empty set is no empty list
    if left.returns == "list":
        one, other = (each.element.components[1] for each in (one, other))  # type: ignore[union-attr]
    return left.returns in ("value", "dict", "list") and never_equal(one, other)


def _told_apart(source: SourceProgram, other: SourceProgram, side: int) -> SourceProgram:
    """A program whose result says that it is of this one, not of the other one."""
    of = other.program.result
    if other.may_raise:
        of = of.components[1]  # type: ignore[union-attr]
    expression = source.program.expression
    if isinstance(of, BagType):
        whole = element(expression.type.element)  # type: ignore[union-attr]
        if source.returns == "list":
            marked = tuple_of(project(whole, 0), _triple(project(whole, 1), of.element.components[1], side))  # type: ignore[union-attr]
        else:
            marked = _triple(whole, of.element, side)
        result = build(Operator.MAP, (marked, expression))
    elif source.may_raise:
        returns, value = project(expression, 0), project(expression, 1)
        marked = _triple(value, of, side)
        result = tuple_of(returns, ite(returns, marked, default_of(marked.type)))  # type: ignore[arg-type]
    else:
        result = _triple(expression, of, side)
    kind = "list" if source.returns == "list" else "value"
    program = replace(source.program, expression=result, returns=kind)
    return replace(source, program=program, returns=kind, told_apart=True, records=())


def _triple(value: Term, other: Type, side: int) -> Term:
    parts = value, default_of(other)  # type: ignore[arg-type]
    return tuple_of(TRUE if side else FALSE, *(reversed(parts) if side else parts))


def _makes_floats(of: Type, to: Type) -> bool:
    """Whether converting values makes floats of ints: such may be equal, and are not the same."""
    if isinstance(of, BagType) and isinstance(to, BagType):
        return _makes_floats(of.element, to.element)
    if is_option(to):
        return _makes_floats(of.components[1] if is_option(of) else of, to.components[1])  # type: ignore[union-attr]
    if isinstance(of, TupleType) and isinstance(to, TupleType):
        return any(map(_makes_floats, of.components, to.components))
    return of == INT and to == RATIONAL


def _returning(source: SourceProgram, of: Type, as_floats: bool) -> SourceProgram:
    program = source.program
    if program.result != of:
        program = replace(program, expression=converted(program.expression, of))
    return replace(source, program=program, as_floats=as_floats)


def _always_returning(source: SourceProgram) -> SourceProgram:
    program = source.program
    if isinstance(program.result, BagType):
        return source
    result = tuple_of(TRUE, program.expression)
    return replace(source, program=replace(program, expression=result, may_raise=True), may_raise=True)
