"""What nodes compute over several rows: aggregate calls, window calls, orders and frames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal as Choice

from tallystick.core.queries.expressions import Expression, Literal, Rounding
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    INTEGER,
    MICROSECONDS,
    MONTHS,
    TIMESTAMP,
    ColumnType,
    SqlType,
    require,
)


@dataclass(frozen=True)
class OrderKey:
    """A key of an order: rows with smaller values first, or with larger ones; NULLs before or after all values."""

    expression: Expression
    descending: bool
    nulls_first: bool


@dataclass(frozen=True)
class AggregateCall:
    """An aggregate function of the rows of a group on which `filter` is true.

    * count counts the rows on which no argument is NULL; without arguments, all rows; `distinct`, the different rows of
      arguments among these.
    * sum, min, max and avg ignore NULL, and are NULL of no values; avg rounds as Divide does.
    * Any other name is a function of the bag of the rows of its arguments (a set if `distinct`), as a list by `order`
      if it has one; `result` gives its type. It is known by its name alone and may be NULL.
    """

    function: str
    arguments: tuple[Expression, ...] = ()
    distinct: bool = False
    filter: Expression | None = None
    rounding: Rounding | None = None
    result: SqlType | None = None
    order: tuple[OrderKey, ...] = ()

    def __post_init__(self) -> None:
        function, types = self.function, tuple(argument.type for argument in self.arguments)
        described = f"{function}({', '.join(map(str, types))})"
        if function in _ARGUMENTS:
            require(len(types) == 1, f"{described}: one argument is expected")
            require(types[0] in _ARGUMENTS[function], f"{described}: the aggregate is not defined")
        require((function == "avg") == (self.rounding is not None), f"{described}: avg alone says how it rounds")
        require(self.opaque == (self.result is not None), f"{described}: an opaque aggregate alone states its type")
        require(self.opaque or not self.order, f"{described}: the order of rows does not matter")
        if self.filter is not None:
            require(self.filter.type == BOOLEAN, f"{described}: FILTER has a condition of type {self.filter.type}")

    @property
    def opaque(self) -> bool:
        """Whether the aggregate is known by its name alone."""
        return self.function not in ("count", *_ARGUMENTS)

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The expressions over a row of the group."""
        condition = () if self.filter is None else (self.filter,)
        return (*self.arguments, *condition, *(key.expression for key in self.order))

    @property
    def type(self) -> SqlType:
        """The type of the result."""
        match self.function:
            case "count":
                return INTEGER
            case "avg":
                return DECIMAL if self.rounding == "exact" else INTEGER
            case _:
                return self.arguments[0].type if self.result is None else self.result

    def column_of(self, may_be_empty: bool) -> ColumnType:
        """The column of the results, over groups that may or may not be empty."""
        if self.function == "count":
            return ColumnType(INTEGER, False)
        no_values = self.opaque or may_be_empty or self.filter is not None or self.arguments[0].nullable
        return ColumnType(self.type, no_values)


_NUMBERS = frozenset({INTEGER, DECIMAL})
_ARGUMENTS = {
    "sum": _NUMBERS | {MONTHS, MICROSECONDS},
    "avg": _NUMBERS,
    "min": frozenset(SqlType),
    "max": frozenset(SqlType),
}


@dataclass(frozen=True)
class GroupingCall:
    """GROUPING(keys…): a bit for each key, the last one lowest, that is 1 where the key is absent from the grouping."""

    keys: tuple[int, ...]

    operands = ()

    def column_of(self, may_be_empty: bool) -> ColumnType:
        """The column of the results."""
        return ColumnType(INTEGER, False)

    def value(self, grouping: tuple[int, ...]) -> int:
        """The value for a grouping by the keys at these positions."""
        bits = 0
        for key in self.keys:
            bits = 2 * bits + (key not in grouping)
        return bits


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
            measured = _NUMBERS | {DATE, TIMESTAMP, MONTHS, MICROSECONDS}
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
