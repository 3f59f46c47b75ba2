"""GROUP BY, and aggregate calls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tallystick.core.queries.nodes import OneInput, OrderKey
from tallystick.core.queries.types import (
    BOOLEAN,
    DECIMAL,
    INTEGER,
    MICROSECONDS,
    MONTHS,
    ColumnType,
    Rounding,
    RowType,
    SqlType,
    require,
)

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression


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


NUMBERS = frozenset({INTEGER, DECIMAL})
_ARGUMENTS = {
    "sum": NUMBERS | {MONTHS, MICROSECONDS},
    "avg": NUMBERS,
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
class Aggregate(OneInput):
    """GROUP BY: for each group of rows with equal keys, the keys and the calls.

    Without keys and grouping sets there is exactly one group, empty or not. `grouping_sets` gives a tuple of positions
    of keys for each set, and means the union of the groupings, where absent keys are NULL; of these, too, the one by
    no key has exactly one group.
    """

    keys: tuple[Expression, ...]
    calls: tuple[AggregateCall | GroupingCall, ...]
    grouping_sets: tuple[tuple[int, ...], ...] | None = None

    def __post_init__(self) -> None:
        positions = [key for keys in self.grouping_sets or () for key in keys]
        positions += [key for call in self.calls if isinstance(call, GroupingCall) for key in call.keys]
        require(all(0 <= key < len(self.keys) for key in positions), "a grouping names a key that does not exist")
        super().__post_init__()

    @property
    def groupings(self) -> tuple[tuple[int, ...], ...]:
        """The positions of the keys of each grouping."""
        return (tuple(range(len(self.keys))),) if self.grouping_sets is None else self.grouping_sets

    @cached_property
    def columns(self) -> RowType:
        always = set(range(len(self.keys))).intersection(*self.groupings)
        keys = [ColumnType(key.type, key.nullable or index not in always) for index, key in enumerate(self.keys)]
        may_be_empty = () in self.groupings
        return (*keys, *(call.column_of(may_be_empty) for call in self.calls))

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (*self.keys, *(operand for call in self.calls for operand in call.operands))
