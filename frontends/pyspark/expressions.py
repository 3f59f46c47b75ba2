"""Expressions of the source: one small function for each kind that is read; all others are refused."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Final

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, constant, negation, project, tuple_of
from tallystick.core.types import BOOL
from tallystick.frontends.pyspark import arithmetic, operators
from tallystick.frontends.pyspark.calls import method_place
from tallystick.frontends.pyspark.constructs import construct
from tallystick.frontends.pyspark.options import MISSING, component_count, is_option, is_tuple
from tallystick.frontends.pyspark.reading import Reading
from tallystick.frontends.pyspark.source import Place
from tallystick.frontends.pyspark.values import (
    Context,
    Frame,
    Listing,
    Module,
    Record,
    Unusable,
    Value,
    basic,
    describe,
    is_rdd,
    literal,
    what_to_do_with,
)

SUPPORTED: Final = (
    "int and bool constants, None, names, `+ - * // %`, comparisons, `and or not`, `x if c else y`, tuples, "
    "`t[0]`, lambdas and calls"
)


def evaluate(reader: Reading, node: ast.expr, frame: Frame, place: Place) -> Value:
    """The value of an expression of any kind."""
    read = _READ.get(type(node))
    if read is None:
        raise place.error(f"{construct(node)} is not supported", f"supported are {SUPPORTED}")
    return read(reader, node, frame, place)


def _constant(reader: Reading, node: ast.Constant, frame: Frame, place: Place) -> Value:
    if isinstance(node.value, bool):
        return constant(node.value)
    if isinstance(node.value, int):
        return arithmetic.number(node.value, place)
    if node.value is None:
        return MISSING
    kind = f"a constant of type {type(node.value).__name__}"
    raise place.error(f"{kind} is not supported", "constants are ints, True, False and None")


def _name(reader: Reading, node: ast.Name, frame: Frame, place: Place) -> Value:
    return reader.names.lookup(node.id, frame, place)


def _attribute(reader: Reading, node: ast.Attribute, frame: Frame, place: Place) -> Value:
    owner = reader.evaluate(node.value, frame)
    if isinstance(owner, Module):
        value = reader.names.attribute(owner, node.attr, place)
        if isinstance(value, Unusable):
            raise place.error(f"`{node.attr}` {value.reason}", value.hint)
        return value
    if is_rdd(owner) and node.attr in ("context", "ctx"):
        return Context()
    if is_rdd(owner):
        operators.require_supported(node.attr, method_place(place))
        raise place.error(f"the method `{node.attr}` must be called where it stands")
    raise place.error(f"`.{node.attr}` is not supported: its left side is {describe(owner)}", what_to_do_with(owner))


def _binary(reader: Reading, node: ast.BinOp, frame: Frame, place: Place) -> Value:
    left, right = reader.evaluate(node.left, frame), reader.evaluate(node.right, frame)
    return arithmetic.combine(place, type(node.op), left, right)


def _unary(reader: Reading, node: ast.UnaryOp, frame: Frame, place: Place) -> Value:
    operand = reader.evaluate(node.operand, frame)
    match node.op:
        case ast.USub():
            return arithmetic.negative(place, operand)
        case ast.UAdd():
            return arithmetic.integer(operand, place, "the operand of `+`")
        case ast.Not():
            return arithmetic.inverse(place, operand)
    raise place.error("`~` is not supported", "write `-x - 1`, or `not` for booleans")


def _connective(reader: Reading, node: ast.BoolOp, frame: Frame, place: Place) -> Value:
    reached, operands = TRUE, []
    for each in node.values:
        if reached is FALSE:  # Python never evaluates the rest
            break
        with reader.assuming(reached):
            value = reader.evaluate(each, frame)
        where = place.source.place(each)
        operands.append((where, value))
        truth = arithmetic.boolean(value, where, f"an operand of `{'and' if isinstance(node.op, ast.And) else 'or'}`")
        reached = conjunction(reached, truth if isinstance(node.op, ast.And) else negation(truth))
    return arithmetic.connect(place, type(node.op), operands)


def _comparison(reader: Reading, node: ast.Compare, frame: Frame, place: Place) -> Value:
    left, result = reader.evaluate(node.left, frame), TRUE
    for operation, each in zip(node.ops, node.comparators, strict=True):
        with reader.assuming(result):
            right = reader.evaluate(each, frame)
        result = conjunction(result, arithmetic.compare(place, type(operation), left, right))
        left = right
    return result


def _conditional(reader: Reading, node: ast.IfExp, frame: Frame, place: Place) -> Value:
    test = reader.evaluate(node.test, frame)
    condition = arithmetic.boolean(test, place.source.place(node.test), "the condition of `if … else`")
    if condition in (TRUE, FALSE):  # Python never evaluates the other
        return reader.evaluate(node.body if condition is TRUE else node.orelse, frame)
    with reader.assuming(condition):
        then = reader.evaluate(node.body, frame)
    with reader.assuming(negation(condition)):
        otherwise = reader.evaluate(node.orelse, frame)
    value = reader.merge(condition, then, otherwise, "both branches")
    if isinstance(value, Unusable):
        raise place.error(f"this value {value.reason}", value.hint)
    return value


def _tuple(reader: Reading, node: ast.Tuple, frame: Frame, place: Place) -> Value:
    if not node.elts:
        raise place.error("the empty tuple is not supported", "a tuple has at least one component")
    components = [
        basic(reader.evaluate(each, frame), place.source.place(each), "a component of a tuple") for each in node.elts
    ]
    if [each.type for each in components] == [BOOL]:
        raise place.error("a tuple of one bool is not supported", "use the bool itself")
    return tuple_of(*components)


def _list(reader: Reading, node: ast.List, frame: Frame, place: Place) -> Value:
    items = [basic(reader.evaluate(each, frame), place.source.place(each), "an item of a list") for each in node.elts]
    return Listing(tuple((TRUE, item) for item in items))


def _subscript(reader: Reading, node: ast.Subscript, frame: Frame, place: Place) -> Value:
    whole = reader.evaluate(node.value, frame)
    if isinstance(whole, Record):
        return _item(reader, node, frame, place, whole.items)
    if not (isinstance(whole, Term) and is_tuple(whole.type)):
        may_be_none = isinstance(whole, Term) and is_option(whole.type)
        hint = "test it before: `x is not None`" if may_be_none else what_to_do_with(whole)
        raise place.error(f"only tuples can be indexed, and this is {describe(whole)}", hint)
    return _item(reader, node, frame, place, [project(whole, index) for index in range(component_count(whole))])


def _item(reader: Reading, node: ast.Subscript, frame: Frame, place: Place, items: Sequence[Value]) -> Value:
    """The item of a tuple that a subscript means."""
    where, size = place.source.place(node.slice), len(items)
    if isinstance(node.slice, ast.Slice):
        raise where.error("slices are not supported", "index the components one by one")
    index = literal(arithmetic.integer(reader.evaluate(node.slice, frame), where, "the index of a tuple"))
    if index is None:
        raise where.error("the index of a tuple must be constant")
    if not -size <= index < size:
        raise where.error(f"index {index} of a tuple with {size} component{'s' * (size > 1)}")
    return items[index]


def _lambda(reader: Reading, node: ast.Lambda, frame: Frame, place: Place) -> Value:
    return reader.closure(node, frame)


def _call(reader: Reading, node: ast.Call, frame: Frame, place: Place) -> Value:
    starred = [each for each in node.args if isinstance(each, ast.Starred)]
    starred += [each.value for each in node.keywords if each.arg is None]
    if starred:
        raise place.source.place(starred[0]).error("`*` arguments are not supported", "write each argument out")
    if isinstance(node.func, ast.Attribute):
        owner = reader.evaluate(node.func.value, frame)
        if isinstance(owner, operators.Owner) and (is_rdd(owner) or isinstance(owner, Context)):
            return operators.call(reader, owner, node, frame)
    function = reader.evaluate(node.func, frame)
    given = [reader.evaluate(each, frame) for each in node.args]
    named = {each.arg: reader.evaluate(each.value, frame) for each in node.keywords if each.arg is not None}
    return reader.call(function, place, given, named)


_READ: Final[dict[type[ast.expr], Callable[..., Value]]] = {
    ast.Attribute: _attribute,
    ast.BinOp: _binary,
    ast.BoolOp: _connective,
    ast.Call: _call,
    ast.Compare: _comparison,
    ast.Constant: _constant,
    ast.IfExp: _conditional,
    ast.Lambda: _lambda,
    ast.List: _list,
    ast.Name: _name,
    ast.Subscript: _subscript,
    ast.Tuple: _tuple,
    ast.UnaryOp: _unary,
}
