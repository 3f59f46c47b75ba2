"""Queries as relational algebra: positional columns, typed, without names and without a dialect.

Each node checks, when it is built, that its expressions are typed and refer to columns that exist: a tree that is
wrong raises SortError. A common table expression is one object that occurs at several places. `Reference`s of level 0
in the expressions of a node mean its input row; a join condition sees the left row followed by the right row, both
unpadded. `free` are the references to rows around a query, where level 0 is the innermost of these rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, cast, get_args
from typing import Literal as Choice

from tallystick.core.queries.calls import AggregateCall, GroupingCall, OrderKey, WindowCall
from tallystick.core.queries.expressions import Expression, Reference, bound
from tallystick.core.queries.types import BOOLEAN, ColumnType, RowType, SqlRow, admits_row, padded, require

JoinKind = Choice["inner", "left", "right", "full", "semi", "anti"]


def reference(query: Query, index: int, level: int = 0) -> Reference:
    """The reference to a column of a query whose row is `level` scopes out."""
    require(0 <= index < len(query.columns), f"there is no column {index} among {len(query.columns)}")
    column = query.columns[index]
    return Reference(level, index, column.type, column.nullable)


def references(query: Query) -> tuple[Reference, ...]:
    """References to all columns of a query, whose row is the input row."""
    return tuple(reference(query, index) for index in range(len(query.columns)))


def _free(expressions: Iterable[Expression]) -> frozenset[Reference]:
    return frozenset[Reference]().union(*(expression.free for expression in expressions))


def _require_condition(condition: Expression) -> None:
    require(condition.type == BOOLEAN, f"a condition is boolean, not {condition.type}")


@dataclass(frozen=True)
class _Query:
    """What all queries share. Each has `columns`, the type of its rows, and `free`."""

    def __post_init__(self) -> None:
        query = cast("Query", self)
        _ = query.free, query.columns  # computing them checks every reference


@dataclass(frozen=True)
class Scan(_Query):
    """The rows of a table; the columns are those that the catalogue declares."""

    table: str
    columns: RowType

    free = frozenset[Reference]()


@dataclass(frozen=True)
class Values(_Query):
    """Rows of constants. One row of no columns, `UNIT`, is what a query without FROM reads."""

    rows: tuple[SqlRow, ...]
    columns: RowType

    free = frozenset[Reference]()

    def __post_init__(self) -> None:
        for row in self.rows:
            require(admits_row(self.columns, row), f"{row!r} is no row of ({', '.join(map(str, self.columns))})")


UNIT = Values(((),), ())


@dataclass(frozen=True)
class Filter(_Query):
    """The rows on which the condition is true."""

    input: Query
    condition: Expression

    def __post_init__(self) -> None:
        _require_condition(self.condition)
        super().__post_init__()

    @property
    def columns(self) -> RowType:
        return self.input.columns

    @cached_property
    def free(self) -> frozenset[Reference]:
        return self.input.free | bound(self.condition.free, self.input.columns)


@dataclass(frozen=True)
class Project(_Query):
    """The values of the expressions for each row."""

    input: Query
    expressions: tuple[Expression, ...]

    @cached_property
    def columns(self) -> RowType:
        return tuple(expression.column for expression in self.expressions)

    @cached_property
    def free(self) -> frozenset[Reference]:
        return self.input.free | bound(_free(self.expressions), self.input.columns)


@dataclass(frozen=True)
class Join(_Query):
    """A join; if `lateral`, the right side is evaluated for each left row, as a scope of its own.

    Cross joins are inner joins on true; natural joins and USING are projections of inner or outer ones. Semi and
    anti joins have the left columns.
    """

    kind: JoinKind
    left: Query
    right: Query
    condition: Expression
    lateral: bool = False

    def __post_init__(self) -> None:
        require(self.kind in ("inner", "left", "right", "full", "semi", "anti"), f"there is no {self.kind!r} join")
        require(not (self.lateral and self.kind in ("right", "full")), f"a {self.kind} join is not lateral")
        _require_condition(self.condition)
        super().__post_init__()

    @cached_property
    def columns(self) -> RowType:
        left, right = self.left.columns, self.right.columns
        if self.kind in ("semi", "anti"):
            return left
        return (
            *(padded(left) if self.kind in ("right", "full") else left),
            *(padded(right) if self.kind in ("left", "full") else right),
        )

    @cached_property
    def free(self) -> frozenset[Reference]:
        right = bound(self.right.free, self.left.columns) if self.lateral else self.right.free
        return self.left.free | right | bound(self.condition.free, (*self.left.columns, *self.right.columns))


@dataclass(frozen=True)
class SetOperation(_Query):
    """UNION, INTERSECT or EXCEPT of two queries with columns of equal types; as bags if `all`, else as sets."""

    kind: Choice["union", "intersect", "except"]
    all: bool
    left: Query
    right: Query

    def __post_init__(self) -> None:
        require(self.kind in ("union", "intersect", "except"), f"there is no set operation {self.kind!r}")
        sides = [", ".join(str(column.type) for column in side.columns) for side in (self.left, self.right)]
        require(sides[0] == sides[1], f"{self.kind.upper()} of ({sides[0]}) and ({sides[1]})")
        super().__post_init__()

    @cached_property
    def columns(self) -> RowType:
        """NOT NULL where no row of the result can hold a NULL."""
        if self.kind == "except":
            return self.left.columns
        either = self.kind == "union"
        return tuple(
            ColumnType(left.type, (left.nullable or right.nullable) if either else (left.nullable and right.nullable))
            for left, right in zip(self.left.columns, self.right.columns, strict=True)
        )

    @cached_property
    def free(self) -> frozenset[Reference]:
        return self.left.free | self.right.free


@dataclass(frozen=True)
class Distinct(_Query):
    """Each row once; NULL is not distinct from NULL."""

    input: Query

    @property
    def columns(self) -> RowType:
        return self.input.columns

    @property
    def free(self) -> frozenset[Reference]:
        return self.input.free


@dataclass(frozen=True)
class Aggregate(_Query):
    """GROUP BY: for each group of rows with equal keys, the keys and the calls.

    Without keys and grouping sets there is exactly one group, empty or not. `grouping_sets` gives a tuple of positions
    of keys for each set, and means the union of the groupings, where absent keys are NULL; of these, too, the one by
    no key has exactly one group.
    """

    input: Query
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

    @cached_property
    def free(self) -> frozenset[Reference]:
        calls = (operand for call in self.calls for operand in call.operands)
        return self.input.free | bound(_free((*self.keys, *calls)), self.input.columns)


@dataclass(frozen=True)
class Window(_Query):
    """The columns of the input, then a column for each call."""

    input: Query
    calls: tuple[WindowCall, ...]

    @cached_property
    def columns(self) -> RowType:
        return (*self.input.columns, *(call.column for call in self.calls))

    @cached_property
    def free(self) -> frozenset[Reference]:
        calls = (operand for call in self.calls for operand in call.operands)
        return self.input.free | bound(_free(calls), self.input.columns)


@dataclass(frozen=True)
class Limit(_Query):
    """The rows after the first `offset` in an order, `count` of them or all.

    Which rows these are is not determined if the cut goes through rows that tie in the order and differ.
    """

    input: Query
    order: tuple[OrderKey, ...]
    count: int | None
    offset: int = 0

    def __post_init__(self) -> None:
        require(self.count is None or self.count >= 0, "LIMIT is not negative")
        require(self.offset >= 0, "OFFSET is not negative")
        super().__post_init__()

    @property
    def cuts(self) -> bool:
        """Whether there are rows before or behind those that it keeps, and it keeps some."""
        return self.count != 0 and (self.count is not None or self.offset > 0)

    @property
    def columns(self) -> RowType:
        return self.input.columns

    @cached_property
    def free(self) -> frozenset[Reference]:
        return self.input.free | bound(_free(key.expression for key in self.order), self.input.columns)


Query = Scan | Values | Filter | Project | Join | SetOperation | Distinct | Aggregate | Window | Limit
NODES: Final[dict[str, type]] = {node.__name__: node for node in (*get_args(Query), *get_args(Expression))}
"""The classes of queries and expressions by name: the one list of what a statement is made of. Certificates are read
and written by it, and by the annotations of the classes."""


@dataclass(frozen=True)
class Statement:
    """A query that stands alone. Its result is a bag, or with an `order` a list up to ties.

    `names` are those of the first columns, the visible ones; columns beyond exist for the order only. A result is
    compared by position: names do not count.
    """

    query: Query
    names: tuple[str, ...]
    order: tuple[OrderKey, ...] = ()

    def __post_init__(self) -> None:
        require(not self.query.free, "a statement refers to no row around it")
        require(len(self.names) <= len(self.query.columns), "a statement names its visible columns")
        outer = bound(_free(key.expression for key in self.order), self.query.columns)
        require(not outer, "an order refers to its row alone")

    @property
    def columns(self) -> RowType:
        """The visible columns."""
        return self.query.columns[: len(self.names)]
