"""The rows of queries with groups, and aggregate functions of the rows of a group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from operator import and_, or_, xor
from typing import Any, NoReturn

from tallystick.core.errors import FragmentError
from tallystick.core.queries.constructs.aggregates import Aggregate, AggregateCall, GroupingCall
from tallystick.core.queries.interpreter.orders import in_order
from tallystick.core.queries.interpreter.rounding import quotient, square_root
from tallystick.core.queries.interpreter.running import (
    Environment,
    Evaluator,
    NotComputed,
    QueryFailure,
    RowsOf,
    Undetermined,
)
from tallystick.core.queries.names import plain_name
from tallystick.core.queries.types import DECIMAL, ORDERED_ONLY, PYTHON_TYPES, SqlRow, SqlValue

OfGroup = Callable[[Sequence[Environment]], SqlValue]
"""The value of a call for a group: a sequence of environments whose level 0 are the rows of the group."""


def grouped(node: Aggregate, rows: RowsOf, compiled: Callable[[Any], Evaluator], partly: bool) -> RowsOf:
    """The closure of a query with groups, over the rows of its input."""
    keys = [compiled(key) for key in node.keys]
    calls = [aggregator(call, compiled, partly) if isinstance(call, AggregateCall) else call for call in node.calls]

    def groups_of(outer: Environment) -> list[SqlRow]:
        environments = [(row, *outer) for row in rows(outer)]
        keyed = [(tuple(key(environment) for key in keys), environment) for environment in environments]
        result: list[SqlRow] = []
        for grouping in node.groupings:
            outer[-1].spend(1 + len(keyed))
            groups: dict[SqlRow, list[Environment]] = {} if grouping else {(): []}
            for key, environment in keyed:
                groups.setdefault(tuple(key[index] for index in grouping), []).append(environment)
            for key, group in groups.items():
                present = dict(zip(grouping, key, strict=True))
                values = [call.value(grouping) if isinstance(call, GroupingCall) else call(group) for call in calls]
                result.append((*(present.get(index) for index in range(len(keys))), *values))
        return result

    return groups_of


def aggregator(call: AggregateCall, compiled: Callable[[Any], Evaluator], partly: bool = False) -> OfGroup:
    """The closure that computes the call.

    For a function without an implementation, raises FragmentError; if `partly`, it raises NotComputed when it is asked.
    """
    types, name = {each.type for each in call.arguments}, plain_name(call.function)
    if call.opaque and (name not in OPAQUE or (name not in CHOOSING and types & ORDERED_ONLY)):
        missing = f"the aggregate function {call.function} has no implementation"
        if not partly:
            raise FragmentError(missing)
        return lambda _: _not_computed(missing)
    arguments = [compiled(argument) for argument in call.arguments]
    condition = None if call.filter is None else compiled(call.filter)
    order = [compiled(key.expression) for key in call.order]

    def value(group: Sequence[Environment]) -> SqlValue:
        if condition is not None:
            group = [row for row in group if condition(row) is True]
        keyed = [(tuple(key(row) for key in order), tuple(part(row) for part in arguments)) for row in group]
        if call.order:
            peers = in_order(keyed, call.order)
            if any(len({row for _, row in tied}) > 1 for tied in peers):
                raise Undetermined(f"{call.function} takes rows in an order in which some tie")
            keyed = [item for tied in peers for item in tied]
        rows = [row for _, row in keyed]
        return _OF_ROWS[call.function](rows, call) if not call.opaque else _opaque(rows, call)

    return value


def _not_computed(what: str) -> NoReturn:
    raise NotComputed(what)


def _values(rows: list[SqlRow], call: AggregateCall) -> list[Any]:
    values = [row[0] for row in rows if row[0] is not None]
    return list(dict.fromkeys(values)) if call.distinct else values


def _count(rows: list[SqlRow], call: AggregateCall) -> int:
    counted = [row for row in rows if None not in row]
    return len(set(counted)) if call.distinct else len(counted)


def _sum(rows: list[SqlRow], call: AggregateCall) -> SqlValue:
    values = _values(rows, call)
    return sum(values[1:], values[0]) if values else None


def _average(rows: list[SqlRow], call: AggregateCall) -> SqlValue:
    values = _values(rows, call)
    return quotient(sum(values), len(values), call.rounding or "exact") if values else None


_OF_ROWS: dict[str, Callable[[list[SqlRow], AggregateCall], SqlValue]] = {
    "count": _count,
    "sum": _sum,
    "avg": _average,
    "min": lambda rows, call: min(_values(rows, call), default=None),
    "max": lambda rows, call: max(_values(rows, call), default=None),
}


def _opaque(rows: list[SqlRow], call: AggregateCall) -> SqlValue:
    result = OPAQUE[plain_name(call.function)](list(dict.fromkeys(rows)) if call.distinct else rows)
    if result is not None and call.type == DECIMAL:
        result = Fraction(result)
    if result is not None and type(result) is not PYTHON_TYPES[call.type]:
        raise FragmentError(f"the aggregate function {call.function} has no implementation of type {call.type}")
    return result


def _variance(rows: list[SqlRow], less: int) -> Fraction | None:
    values = [Fraction(row[0]) for row in rows if row[0] is not None]  # type: ignore[arg-type]
    if len(values) <= less:
        return None
    mean = Fraction(sum(values), len(values))
    return Fraction(sum((value - mean) ** 2 for value in values), len(values) - less)


def _single_value(rows: list[SqlRow]) -> SqlValue:
    if len(rows) > 1:
        raise QueryFailure("a single value of several rows is an error")
    return rows[0][0] if rows else None


def _any_value(rows: list[SqlRow]) -> SqlValue:
    values = {row[0] for row in rows}
    if len(values) > 1:
        raise Undetermined("any_value of different values is any of them")
    return min(values, default=None)  # type: ignore[type-var]


def _deviation(rows: list[SqlRow], less: int) -> Fraction | None:
    variance = _variance(rows, less)
    return None if variance is None else square_root(variance)


def _bits(together: Callable[[Any, Any], int]) -> Callable[[list[SqlRow]], Any]:
    def value(rows: list[SqlRow]) -> Any:
        values: list[Any] = [row[0] for row in rows if row[0] is not None]
        return reduce(together, values) if values else None

    return value


OPAQUE: dict[str, Callable[[list[SqlRow]], Any]] = {
    "any_value": _any_value,
    "first_in_order": lambda rows: rows[0][0] if rows else None,
    "last_in_order": lambda rows: rows[-1][0] if rows else None,
    "single_value": _single_value,
    "VAR_POP": lambda rows: _variance(rows, 0),
    "VAR_SAMP": lambda rows: _variance(rows, 1),
    "STDDEV_POP": lambda rows: _deviation(rows, 0),
    "STDDEV_SAMP": lambda rows: _deviation(rows, 1),
    "BIT_AND": _bits(and_),
    "BIT_OR": _bits(or_),
    "BIT_XOR": _bits(xor),
}
"""Aggregate functions that the language knows by name alone, as functions of the rows of their arguments."""
CHOOSING = ("any_value", "single_value")
"""Those whose values are arguments of theirs."""
