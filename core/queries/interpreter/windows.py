"""Window calls: for each row a value of its partition, in an order, within a frame.

Where the value depends on which of several tied rows comes first, and these differ, the call is undetermined.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any

from tallystick.core.queries.constructs.aggregates import AggregateCall
from tallystick.core.queries.constructs.windows import Frame, Window, WindowCall, WindowFunction
from tallystick.core.queries.interpreter.aggregates import OfGroup, aggregator
from tallystick.core.queries.interpreter.orders import in_order
from tallystick.core.queries.interpreter.running import Environment, Evaluator, QueryFailure, RowsOf, Undetermined
from tallystick.core.queries.nodes import Literal
from tallystick.core.queries.types import SqlRow, SqlValue


@dataclass(frozen=True)
class Partition:
    """The rows of a partition in order, and how they tie. `groups` has the places where groups of peers start."""

    call: WindowCall
    rows: list[Environment]
    keys: list[tuple[SqlValue, ...]]
    starts: list[int]
    group_of: list[int]

    def peers(self, place: int) -> tuple[int, int]:
        """The first place of the peers of a row, and the place behind the last."""
        return self.group(self.group_of[place])

    def group(self, number: int) -> tuple[int, int]:
        """Where a group of peers begins and ends; groups beyond the first and last are empty."""
        if number < 0 or number >= len(self.starts):
            return (0, 0) if number < 0 else (len(self.rows), len(self.rows))
        last = number + 1 == len(self.starts)
        return self.starts[number], len(self.rows) if last else self.starts[number + 1]

    def frame(self, place: int) -> tuple[int, int]:
        """The first place of the frame of a row, and the place behind its last."""
        frame = self.call.frame
        if frame is None:
            return 0, len(self.rows)
        start, end = _START_AND_END[frame.unit](self, frame, place)
        return max(0, start), max(0, start, min(len(self.rows), end))

    @cached_property
    def distances(self) -> list[Any]:
        """The only order key of each row, negated where it descends, for frames by differences."""
        sign = -1 if self.call.order[0].descending else 1
        return [None if key is None else sign * key for (key,) in self.keys]  # type: ignore[operator]


def _by_rows(partition: Partition, frame: Frame, place: int) -> tuple[int, int]:
    start = 0 if frame.start is None else place + frame.start
    return start, len(partition.rows) if frame.end is None else place + frame.end + 1


def _by_groups(partition: Partition, frame: Frame, place: int) -> tuple[int, int]:
    group = partition.group_of[place]
    start = 0 if frame.start is None else partition.group(group + frame.start)[0]
    return start, len(partition.rows) if frame.end is None else partition.group(group + frame.end)[1]


def _by_differences(partition: Partition, frame: Frame, place: int) -> tuple[int, int]:
    """A row whose key is NULL has its peers where another has the rows at a distance."""
    if frame.start in (None, 0) and frame.end in (None, 0):
        return _by_groups(partition, frame, place)
    distances = partition.distances
    partition.rows[place][-1].spend(len(distances))
    start, end = partition.peers(place)
    if distances[place] is not None:
        known = [at for at, distance in enumerate(distances) if distance is not None]
        values, first = [distances[at] for at in known], known[0]
        if frame.start is not None:
            start = first + bisect_left(values, distances[place] + frame.start)
        if frame.end is not None:
            end = first + bisect_right(values, distances[place] + frame.end)
    return 0 if frame.start is None else start, len(distances) if frame.end is None else end


_START_AND_END: dict[str, Callable[[Partition, Frame, int], tuple[int, int]]] = {
    "rows": _by_rows,
    "range": _by_differences,
    "groups": _by_groups,
}


def widened(node: Window, rows: RowsOf, compiled: Callable[[Any], Evaluator], partly: bool) -> RowsOf:
    """The closure of a query with windows, over the rows of its input."""
    calls = [window(call, compiled, partly) for call in node.calls]

    def with_calls(outer: Environment) -> list[SqlRow]:
        environments = [(row, *outer) for row in rows(outer)]
        columns = [call(environments) for call in calls]
        return [(*row[0], *values) for row, *values in zip(environments, *columns, strict=True)]

    return with_calls


def window(
    call: WindowCall, compiled: Callable[[Any], Evaluator], partly: bool = False
) -> Callable[[Sequence[Environment]], list[SqlValue]]:
    """The closure that gives the values of the call for all rows of the input, in their sequence."""
    partition_keys = [compiled(key) for key in call.partition]
    order_keys = [compiled(key.expression) for key in call.order]
    if isinstance(call.call, AggregateCall):
        of_place = _of_frame(aggregator(call.call, compiled, partly))
    else:
        of_place = _of_function(call.call, [compiled(argument) for argument in call.call.arguments])

    def values(rows: Sequence[Environment]) -> list[SqlValue]:
        partitions: dict[tuple[SqlValue, ...], list[int]] = {}
        for number, row in enumerate(rows):
            partitions.setdefault(tuple(key(row) for key in partition_keys), []).append(number)
        result: list[SqlValue] = [None] * len(rows)
        for numbers in partitions.values():
            keyed = [(tuple(key(rows[number]) for key in order_keys), number) for number in numbers]
            tied = in_order(keyed, call.order)
            if call.reads_places and any(len({rows[number][0] for _, number in peers}) > 1 for peers in tied):
                raise Undetermined(f"{call.call.function} depends on an order in which different rows tie")
            placed = [number for peers in tied for _, number in peers]
            sizes = [len(peers) for peers in tied]
            partition = Partition(
                call,
                [rows[number] for number in placed],
                [key for peers in tied for key, _ in peers],
                [0, *accumulate(sizes)][:-1],
                [group for group, size in enumerate(sizes) for _ in range(size)],
            )
            for place, number in enumerate(placed):
                result[number] = of_place(partition, place)
        return result

    return values


def _of_frame(aggregate: OfGroup) -> Callable[[Partition, int], SqlValue]:
    def value(partition: Partition, place: int) -> SqlValue:
        start, end = partition.frame(place)
        partition.rows[place][-1].spend(end - start)
        return aggregate(partition.rows[start:end])

    return value


def _of_function(call: WindowFunction, arguments: list[Evaluator]) -> Callable[[Partition, int], SqlValue]:
    function = call.function

    def value(partition: Partition, place: int) -> SqlValue:
        size = len(partition.rows)
        first, behind = partition.peers(place)
        match function:
            case "row_number":
                return place + 1
            case "rank":
                return first + 1
            case "dense_rank":
                return partition.group_of[place] + 1
            case "percent_rank":
                return Fraction(first, size - 1) if size > 1 else Fraction(0)
            case "cume_dist":
                return Fraction(behind, size)
            case "ntile":
                return _tile(size, place, _positive(call, 0))
            case "lag" | "lead":
                other = place + (1 if function == "lead" else -1) * _literal(call, 1)
                return arguments[0](partition.rows[other]) if 0 <= other < size else arguments[2](partition.rows[place])
            case "first_value" | "last_value" | "nth_value":
                start, end = partition.frame(place)
                at = {"first_value": start, "last_value": end - 1}.get(function)
                at = start + _positive(call, 1) - 1 if at is None else at
                return arguments[0](partition.rows[at]) if start <= at < end else None
            case _:
                raise QueryFailure(f"there is no window function {function}")

    return value


def _literal(call: WindowFunction, index: int) -> int:
    argument = call.arguments[index]
    if not isinstance(argument, Literal) or not isinstance(argument.value, int):
        raise QueryFailure(f"{call.function}: argument {index + 1} is a literal integer")
    return argument.value


def _positive(call: WindowFunction, index: int) -> int:
    if (number := _literal(call, index)) < 1:
        raise QueryFailure(f"{call.function}: argument {index + 1} is positive")
    return number


def _tile(size: int, place: int, tiles: int) -> int:
    """The number of the tile of a row: the first size mod tiles tiles have a row more than the others."""
    small, large_tiles = divmod(size, tiles)
    in_large = large_tiles * (small + 1)
    return 1 + (place // (small + 1) if place < in_large else large_tiles + (place - in_large) // small)
