"""Operators, comparisons, `and`, `or`, `not`, `x if c else y` and `:=`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    build,
    conjunction,
    constant,
    disjunction,
    ite,
    negation,
)
from tallystick.core.types import BOOL, INT, TEXT
from tallystick.frontends.pyspark.python import arithmetic, dictionary_cells, group_dictionaries, texts
from tallystick.frontends.pyspark.python.expressions.names import usable
from tallystick.frontends.pyspark.python.gathered import combined
from tallystick.frontends.pyspark.python.one_time import kept
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import MOST_ITEMS
from tallystick.frontends.pyspark.python.tables_of_constants import member, selected_of_set
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.rdds import driver_sets, partial
from tallystick.frontends.pyspark.rdds.calls import Call
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values import records
from tallystick.frontends.pyspark.values.describing import (
    as_bag,
    describe,
    is_rdd,
    literal,
    show_type,
)
from tallystick.frontends.pyspark.values.groups import Group, GroupDictionary
from tallystick.frontends.pyspark.values.kinds import (
    Choice,
    Collected,
    Dictionary,
    DictionaryOfGroups,
    Flags,
    Frame,
    Growing,
    Listing,
    Ranked,
    Unusable,
    Value,
    WiderSet,
)
from tallystick.frontends.pyspark.values.options import (
    given,
    is_option,
    narrowed,
    present,
    unified,
)
from tallystick.frontends.pyspark.values.record_types import RecordType


def read_binary(reader: Reading, node: ast.BinOp, frame: Frame, place: Place) -> Value:
    left, right = reader.evaluate(node.left, frame), reader.evaluate(node.right, frame)
    if isinstance(node.op, ast.Add) and is_rdd(left):
        return _union(left, right, place)
    if isinstance(node.op, ast.Mod) and texts.is_text(left):
        return texts.filled_by_percent(left, right, place)  # type: ignore[arg-type]
    if isinstance(left, Flags) and isinstance(right, Flags) and isinstance(node.op, ast.BitOr):
        return Flags(left.bits | right.bits)
    if isinstance(left, Group) and isinstance(node.op, ast.Sub | ast.BitAnd):
        return selected_of_set(left, right, node.op, place)
    if (gathered := combined(type(node.op), left, right, place)) is not None:
        return gathered
    if (of_sets := driver_sets.operated(reader, node.op, left, right, place)) is not None:
        return of_sets
    if isinstance(left, Listing) and isinstance(node.op, ast.Add | ast.Mult):
        return _of_lists(left, right, node.op, place)
    if (method := _OPERATORS.get(type(node.op))) is not None and isinstance(left, Term):
        of = left.type
        if isinstance(of, RecordType) and method in of.definition.methods:
            return reader.call(records.field(reader, left, method, place), place, [right], {})
    return arithmetic.combine(place, type(node.op), left, right)


def _of_lists(left: Listing, right: Value, operation: ast.operator, place: Place) -> Listing:
    """`+` of two lists, and a list so many times."""
    count = literal(right)
    if isinstance(operation, ast.Mult) and type(count) is int and len(left.items) * max(count, 0) <= MOST_ITEMS:
        return Listing(left.items * count)
    if isinstance(operation, ast.Add) and isinstance(right, Listing):
        return Listing((*left.items, *right.items))
    raise place.error("this operator of a list is not supported", "supported are `+` of lists, and `*` with a constant")


_OPERATORS: Final[dict[type[ast.operator], str]] = {ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__"}


def _union(left: Value, right: Value, place: Place) -> Value:
    """`+` of two RDDs, which is `union`."""
    one, other = as_bag(left), as_bag(right)
    if not (isinstance(one, Term) and isinstance(other, Term)):
        raise place.error(f"`+` of what is {describe(left)} and what is {describe(right)}", "write `union`")
    both = unified(one, other)
    if both is None or not is_rdd(other):
        raise place.error(f"`+` of {show_type(one.type)} and {show_type(other.type)}", "both are RDDs of one type")
    return build(Operator.UNION, both)


def read_unary(reader: Reading, node: ast.UnaryOp, frame: Frame, place: Place) -> Value:
    if isinstance(node.op, ast.Not):
        return condition(reader, node, frame, "the operand of `not`")
    operand = reader.evaluate(node.operand, frame)
    match node.op:
        case ast.USub():
            return arithmetic.negative(place, operand)
        case ast.UAdd():
            return arithmetic.integer(operand, place, "the operand of `+`")
    return arithmetic.minus(place, constant(-1), arithmetic.integer(operand, place, "the operand of `~`"))


def condition(reader: Reading, node: ast.expr, frame: Frame, what: str) -> Term:
    """When Python finds the value of an expression true; the operands of `and`, `or`, `not` may differ in type."""
    place = frame.scope.source.place(node)
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return negation(reader.condition(operand, frame, "the operand of `not`"))
        case ast.BoolOp(values=operands):
            conjunctive, result = isinstance(node.op, ast.And), TRUE
            for index, each in enumerate(operands):
                if index:
                    refuse_walrus(each, place)
                if result is FALSE:  # Python never evaluates the rest
                    break
                with reader.assuming(result):
                    holds = reader.condition(each, frame, f"an operand of `{'and' if conjunctive else 'or'}`")
                result = conjunction(result, holds if conjunctive else negation(holds))
            return result if conjunctive else negation(result)
    value = reader.evaluate(node, frame)
    if isinstance(value, Ranked) and not reader.in_udf:
        return partial.whether_taken(Call(reader, None, "bool", place, {}), value)
    return truth(value, place, what)


def read_connective(reader: Reading, node: ast.BoolOp, frame: Frame, place: Place) -> Value:
    """`and` and `or` give the first operand that decides, or else the last one."""
    return _first_that_decides(reader, node, node.values, frame, place)


def _first_that_decides(
    reader: Reading, node: ast.BoolOp, operands: Sequence[ast.expr], frame: Frame, place: Place
) -> Value:
    first, *others = operands
    value = reader.evaluate(first, frame)
    if not others:
        return value
    refuse_walrus(others[0], place)
    where, symbol = place.source.place(first), "and" if isinstance(node.op, ast.And) else "or"
    goes_on = truth(value, where, f"an operand of `{symbol}`")
    goes_on = goes_on if symbol == "and" else negation(goes_on)
    if goes_on in (TRUE, FALSE):  # Python never evaluates the rest, or always
        return value if goes_on is FALSE else _first_that_decides(reader, node, others, frame, place)
    with reader.assuming(goes_on):
        rest = _first_that_decides(reader, node, others, frame, place)
    if _is_bool(value) and _is_bool(rest):
        return conjunction(value, rest) if symbol == "and" else disjunction(value, rest)  # type: ignore[arg-type]
    if symbol == "or" and isinstance(value, Term) and isinstance(rest, Term) and _is_falsy(rest):
        if value.type == rest.type:  # a falsy value of this type is this very one
            return value
        if is_option(value.type) and given(value).type == rest.type:
            return ite(present(value), given(value), rest)
    kept = narrowed(value, negation(goes_on)) if isinstance(value, Term) else value
    merged = reader.merge(goes_on, rest, kept, f"both operands of `{symbol}`")
    return Choice(goes_on, rest, kept, merged.reason) if isinstance(merged, Unusable) else merged


def _is_falsy(value: Term) -> bool:
    """Whether a term is the one value of its type that Python finds false."""
    return value.operator is Operator.CONSTANT and value.type in (INT, TEXT) and not value.parameter


def _is_bool(value: Value) -> bool:
    return isinstance(value, Term) and value.type == BOOL


def refuse_walrus(node: ast.AST, place: Place) -> None:
    """Raise SourceError for `:=` in what is evaluated under a condition."""
    for each in ast.walk(node):
        if isinstance(each, ast.NamedExpr):
            where = place.source.place(each)
            raise where.error("`:=` under a condition is not supported", "assign before the condition")


def read_comparison(reader: Reading, node: ast.Compare, frame: Frame, place: Place) -> Value:
    left, result = reader.evaluate(node.left, frame), TRUE
    for index, (operation, each) in enumerate(zip(node.ops, node.comparators, strict=True)):
        if index:
            refuse_walrus(each, place)
        with reader.assuming(result):
            right = reader.evaluate(each, frame)
        result = conjunction(result, _compared(reader, place, operation, left, right))
        left = right
    return result


def _compared(reader: Reading, place: Place, operation: ast.cmpop, left: Value, right: Value) -> Term:
    if not isinstance(operation, ast.In | ast.NotIn):
        if (of_sets := driver_sets.compared(reader, operation, left, right, place)) is not None:
            return of_sets
        return arithmetic.compare(place, type(operation), left, right)
    if isinstance(right, Ranked) and right.of is not None and not right.once:
        right = right.of
    if isinstance(right, DictionaryOfGroups):
        right = right.keys
    if isinstance(right, Collected):
        right = right.asked("set", place)
    if isinstance(right, GroupDictionary):
        found = group_dictionaries.is_key(right, left, place)
    elif isinstance(right, Growing) and right.cell is not None:
        found = dictionary_cells.has(reader, right, left, place)
    elif isinstance(right, Dictionary | WiderSet):
        found = driver_sets.has(reader, right, left, place)
    else:
        found = member(place, left, right)
    return found if isinstance(operation, ast.In) else negation(found)


def read_conditional(reader: Reading, node: ast.IfExp, frame: Frame, place: Place) -> Value:
    test = reader.condition(node.test, frame, "the condition of `if … else`")
    if test in (TRUE, FALSE):  # Python never evaluates the other
        return reader.evaluate(node.body if test is TRUE else node.orelse, frame)
    refuse_walrus(node.body, place)
    refuse_walrus(node.orelse, place)
    with reader.assuming(test):
        then = reader.evaluate(node.body, frame)
    with reader.assuming(negation(test)):
        otherwise = reader.evaluate(node.orelse, frame)
    return usable(reader.merge(test, then, otherwise, "both branches"), place)


def read_walrus(reader: Reading, node: ast.NamedExpr, frame: Frame, place: Place) -> Value:
    if frame.static or frame.runs_at_once:
        raise place.error("`:=` is not supported here", "assign before")
    value = kept(reader.evaluate(node.value, frame), place)
    frame.values[node.target.id] = value
    return value
