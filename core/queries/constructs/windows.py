"""Window calls, frames, and the queries that have some."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from typing import Literal as Choice

from tallystick.core.queries.constructs.aggregates import NUMBERS, AggregateCall
from tallystick.core.queries.nodes import Literal, OneInput, OrderKey
from tallystick.core.queries.types import (
    DATE,
    DECIMAL,
    INTEGER,
    MICROSECONDS,
    MONTHS,
    TIMESTAMP,
    ColumnType,
    RowType,
    require,
)

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression


@dataclass(frozen=True)
class Frame:
    """The rows of a partition around the current row that a window call sees, both ends included.

    Ends are numbers of rows, of groups of peers, or differences of the only order key, before the current row if
    negative; None is unbounded. With `range` and `groups`, 0 includes all peers of the current row.
    """

    unit: Choice["rows", "range", "groups"]
    start: int | None
    end: int | None

    def __post_init__(self) -> None:
        require(self.unit in ("rows", "range", "groups"), f"there is no frame by {self.unit!r}")
        require(self.start is None or self.end is None or self.start <= self.end, "a frame ends before it starts")


WHOLE_PARTITION = Frame("rows", None, None)
"""The frame that a window without ORDER BY has unless it says otherwise."""
UP_TO_PEERS = Frame("range", None, 0)
"""The frame that a window with ORDER BY has unless it says otherwise."""
WINDOW_FUNCTIONS: dict[str, tuple[int, bool]] = {
    "row_number": (0, False),
    "rank": (0, False),
    "dense_rank": (0, False),
    "percent_rank": (0, False),
    "cume_dist": (0, False),
    "ntile": (1, False),
    "lag": (3, False),
    "lead": (3, False),
    "first_value": (1, True),
    "last_value": (1, True),
    "nth_value": (2, True),
}
"""The functions of windows that are no aggregates: how many arguments they have, and whether they read the frame.

lag and lead have a value, a distance (a literal) and a default, all written out; ntile and nth_value a literal number.
"""
RANKS = ("rank", "dense_rank", "percent_rank", "cume_dist")
"""The functions of windows whose values follow from the bag of rows and the row."""
NUMBERED = {"ntile": 0, "lag": 1, "lead": 1, "nth_value": 1}
"""Which argument of a window function is a literal number."""


@dataclass(frozen=True)
class WindowFunction:
    """One of WINDOW_FUNCTIONS."""

    function: str
    arguments: tuple[Expression, ...] = ()

    def __post_init__(self) -> None:
        require(self.function in WINDOW_FUNCTIONS, f"there is no window function {self.function!r}")
        expected = WINDOW_FUNCTIONS[self.function][0]
        require(len(self.arguments) == expected, f"{self.function} has {expected} arguments, not {len(self.arguments)}")
        number = NUMBERED.get(self.function)
        if number is not None:
            literal = self.arguments[number]
            counted = isinstance(literal, Literal) and type(literal.value) is int
            require(counted, f"{self.function}: argument {number + 1} is a literal integer")
        if self.function in ("lag", "lead"):
            same = self.arguments[0].type == self.arguments[2].type
            require(same, f"{self.function}: the default is of the type of the value")

    @property
    def column(self) -> ColumnType:
        """The column of the results."""
        match self.function:
            case "row_number" | "rank" | "dense_rank" | "ntile":
                return ColumnType(INTEGER, False)
            case "percent_rank" | "cume_dist":
                return ColumnType(DECIMAL, False)
            case "lag" | "lead":
                return ColumnType(self.arguments[0].type, self.arguments[0].nullable or self.arguments[2].nullable)
            case _:
                return ColumnType(self.arguments[0].type, True)


@dataclass(frozen=True)
class WindowCall:
    """A function over the rows of the partition of the current row, in an order, within a frame.

    The frame is written out for aggregates and functions that read it (see WHOLE_PARTITION and UP_TO_PEERS), absent
    for others.
    """

    call: AggregateCall | WindowFunction
    partition: tuple[Expression, ...]
    order: tuple[OrderKey, ...]
    frame: Frame | None

    def __post_init__(self) -> None:
        call = self.call
        reads_frame = isinstance(call, AggregateCall) or WINDOW_FUNCTIONS[call.function][1]
        require(reads_frame == (self.frame is not None), f"{call.function}: a frame is given if and only if it is read")
        if self.frame is not None and self.frame.unit == "range" and {self.frame.start, self.frame.end} - {0, None}:
            measured = NUMBERS | {DATE, TIMESTAMP, MONTHS, MICROSECONDS}
            fits = len(self.order) == 1 and self.order[0].expression.type in measured
            require(fits, "a frame by differences has one order key, which is a number or a time")

    @cached_property
    def column(self) -> ColumnType:
        """The column of the results."""
        if isinstance(self.call, WindowFunction):
            return self.call.column
        return self.call.column_of(self.may_be_empty)

    @property
    def may_be_empty(self) -> bool:
        """Whether a frame need not contain the current row."""
        frame = self.frame
        if frame is None:
            return False
        return (frame.start is not None and frame.start > 0) or (frame.end is not None and frame.end < 0)

    @property
    def reads_places(self) -> bool:
        """Whether values depend on the places of rows, not only on the sequence of groups of peers."""
        if isinstance(self.call, WindowFunction):
            return self.call.function not in RANKS
        return self.frame is not None and self.frame.unit == "rows" and self.frame != WHOLE_PARTITION

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The expressions over a row of the input."""
        arguments = self.call.operands if isinstance(self.call, AggregateCall) else self.call.arguments
        return (*arguments, *self.partition, *(key.expression for key in self.order))


@dataclass(frozen=True)
class Window(OneInput):
    """The columns of the input, then a column for each call."""

    calls: tuple[WindowCall, ...]

    @cached_property
    def columns(self) -> RowType:
        return (*self.input.columns, *(call.column for call in self.calls))

    @property
    def operands(self) -> tuple[Expression, ...]:
        return tuple(operand for call in self.calls for operand in call.operands)
