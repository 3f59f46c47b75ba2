"""Window calls over rows that may be there or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tallystick.core.queries.calls import AggregateCall, Frame, WindowCall, WindowFunction
from tallystick.core.queries.expressions import Literal
from tallystick.core.queries.types import INTEGER
from tallystick.decision.queries.counterexamples.symbolic.aggregates import Calls
from tallystick.decision.queries.counterexamples.symbolic.cells import (
    NoEncodingError,
    SymbolicRow,
    SymbolicValue,
    Truth,
    both,
    choice,
    conj,
    counted,
    disj,
    neg,
    null,
    same_rows,
)
from tallystick.decision.queries.counterexamples.symbolic.expressions import Expressions, Scopes
from tallystick.decision.queries.counterexamples.symbolic.orders import Ordered


def window(
    call: WindowCall, rows: Sequence[SymbolicRow], scopes: Sequence[Scopes], expressions: Expressions
) -> list[SymbolicValue]:
    """The values of a call for all rows. Raises NoEncodingError for functions and frames that have none here."""
    keys = [tuple(expressions.cell(key, each) for key in call.partition) for each in scopes]
    together = [[same_rows(one, other) for other in keys] for one in keys]
    order_keys = [tuple(expressions.cell(key.expression, each) for key in call.order) for each in scopes]
    ordered = Ordered(call.order, [row.present for row in rows], order_keys, [row.cells for row in rows], together)
    if call.reads_places:
        expressions.asked.append(ordered.ties_are_same())
    if isinstance(call.call, AggregateCall):
        calls = Calls(call.call, scopes, expressions)
        return [calls.of(members) for members in _frames(ordered, call.frame)]
    return _of_function(call, call.call, ordered, scopes, expressions)


def _frames(ordered: Ordered, frame: Frame | None) -> list[list[Truth]]:
    """For each row, which rows its frame has."""
    numbers = range(len(ordered.present))
    if frame is None or (frame.start is None and frame.end is None):
        return [[there for _, there in ordered.partners(row)] for row in numbers]
    if frame.unit == "rows":
        return _between(ordered, ordered.places(), frame)
    if {frame.start, frame.end} <= {0, None}:
        return [
            [both(there, _in_peers(ordered, frame, row, other)) for other, there in ordered.partners(row)]
            for row in numbers
        ]
    if frame.unit == "groups":
        return _between(ordered, [_dense_rank(ordered, row) for row in numbers], frame)
    return _by_differences(ordered, frame)


def _between(ordered: Ordered, places: Sequence[Any], frame: Frame) -> list[list[Truth]]:
    result: list[list[Truth]] = []
    for row in range(len(places)):
        members: list[Truth] = []
        for other, there in ordered.partners(row):
            start = True if frame.start is None else places[other] >= places[row] + frame.start
            end = True if frame.end is None else places[other] <= places[row] + frame.end
            members.append(conj((there, start, end)))
        result.append(members)
    return result


def _in_peers(ordered: Ordered, frame: Frame, row: int, other: int) -> Truth:
    start = True if frame.start is None else neg(ordered.before(other, row))
    end = True if frame.end is None else neg(ordered.before(row, other))
    return both(start, end)


def _by_differences(ordered: Ordered, frame: Frame) -> list[list[Truth]]:
    """A row whose key is NULL has its peers where another has the rows at a distance."""
    sign = -1 if ordered.order[0].descending else 1
    result: list[list[Truth]] = []
    for row in range(len(ordered.present)):
        (key,) = ordered.keys[row]
        members: list[Truth] = []
        for other, there in ordered.partners(row):
            (value,) = ordered.keys[other]
            distance = sign * (value.value - key.value)
            start = _end(frame.start, key, value, ordered.before(other, row), _at_least, distance)
            end = _end(frame.end, key, value, ordered.before(row, other), _at_most, distance)
            members.append(conj((there, start, end)))
        result.append(members)
    return result


def _end(limit: int | None, key: SymbolicValue, value: SymbolicValue, beyond: Truth, test: Any, distance: Any) -> Truth:
    if limit is None:
        return True
    near = both(neg(value.null), test(distance, limit))
    return disj((both(key.null, neg(beyond)), both(neg(key.null), near)))


def _at_least(distance: Any, limit: int) -> Truth:
    return distance >= limit


def _at_most(distance: Any, limit: int) -> Truth:
    return distance <= limit


def _rank(ordered: Ordered, row: int) -> Any:
    return 1 + counted(both(there, ordered.before(other, row)) for other, there in ordered.partners(row))


def _dense_rank(ordered: Ordered, row: int) -> Any:
    partners = ordered.partners(row)

    def is_first(other: int) -> Truth:
        return neg(disj(both(there, ordered.ties(each, other)) for each, there in partners if each < other))

    return 1 + counted(conj((there, ordered.before(other, row), is_first(other))) for other, there in partners)


def _of_function(
    call: WindowCall, function: WindowFunction, ordered: Ordered, scopes: Sequence[Scopes], expressions: Expressions
) -> list[SymbolicValue]:
    numbers = range(len(scopes))
    match function.function:
        case "row_number":
            return [SymbolicValue(1 + place, False, INTEGER) for place in ordered.places()]
        case "rank":
            return [SymbolicValue(_rank(ordered, row), False, INTEGER) for row in numbers]
        case "dense_rank":
            return [SymbolicValue(_dense_rank(ordered, row), False, INTEGER) for row in numbers]
        case "lag" | "lead":
            return _shifted(function, ordered, scopes, expressions)
        case "first_value" | "last_value":
            return _outermost(call, function, ordered, scopes, expressions)
        case name:
            raise NoEncodingError(f"the window function {name}")


def _shifted(
    function: WindowFunction, ordered: Ordered, scopes: Sequence[Scopes], expressions: Expressions
) -> list[SymbolicValue]:
    value, distance, otherwise = function.arguments
    if not isinstance(distance, Literal) or not isinstance(distance.value, int):
        raise NoEncodingError(f"{function.function} by something else than a number")
    by = distance.value if function.function == "lead" else -distance.value
    places = ordered.places()
    values = [expressions.cell(value, each) for each in scopes]
    result: list[SymbolicValue] = []
    for row, scope in enumerate(scopes):
        cell = expressions.cell(otherwise, scope)
        for other, there in ordered.partners(row):
            cell = choice(both(there, places[other] == places[row] + by), values[other], cell)
        result.append(cell)
    return result


def _outermost(
    call: WindowCall, function: WindowFunction, ordered: Ordered, scopes: Sequence[Scopes], expressions: Expressions
) -> list[SymbolicValue]:
    (argument,) = function.arguments
    values = [expressions.cell(argument, each) for each in scopes]
    places = ordered.places()
    first = function.function == "first_value"
    result: list[SymbolicValue] = []
    for members in _frames(ordered, call.frame):
        cell = null(argument.type)
        for other, member in enumerate(members):
            further = [
                both(each, places[number] < places[other] if first else places[number] > places[other])
                for number, each in enumerate(members)
                if number != other
            ]
            cell = choice(both(member, neg(disj(further))), values[other], cell)
        result.append(cell)
    return result
