"""Queries as relational algebra: positional columns, typed, without names and without a dialect.

What every statement is made of: references, constants, comparisons, tables, selection and projection. The other
constructs are files of `constructs/`, loaded for statements that have them: see `construct`.

An expression belongs to a node of a query and is evaluated for each *input row* of that node. A `Reference` names a
value by level and index: level 0 is the input row, level k the row k scopes further out. What opens a scope is a query
inside an expression, or the right side of a lateral join: its outer references of level 0 mean the row that
surrounds it. `free` holds the references of an expression or query that its surroundings must supply. A join condition
sees the left row followed by the right row, both unpadded.

Each node checks, when it is built, that its expressions are typed and refer to columns that exist: a tree that is
wrong raises SortError. A common table expression is one object that occurs at several places.

Everything is three-valued as in SQL unless it says otherwise; arithmetic is exact. What a dialect may choose is spelled
out in the node: how a division rounds, what it does with zero, what a function is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast
from typing import Literal as Choice

from tallystick.core.errors import SortError
from tallystick.core.queries.types import BOOLEAN, ColumnType, RowType, SqlType, SqlValue, require

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query

ComparisonOperator = Choice["=", "<>", "<", "<=", ">", ">=", "<=>"]

NEGATED: dict[ComparisonOperator, ComparisonOperator] = {
    "=": "<>",
    "<>": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}
"""The comparison that is true where another is false; `<=>` has none."""


class ExpressionNode:
    """What all expressions share. Each has a `type` and is `nullable` unless its value is never NULL.

    Attributes:
        operands: the expressions in the same scope that it is made of. inputs: the queries in it.
    """

    inputs: Any = ()
    operands: Any

    @cached_property
    def free(self) -> frozenset[Reference]:
        """The references to rows; level 0 is the input row of the node that the expression belongs to."""
        return free_of((*self.operands, *self.inputs))

    @property
    def column(self) -> ColumnType:
        """The type of a column that holds the value."""
        expression = cast("Expression", self)
        return ColumnType(expression.type, expression.nullable)


@dataclass(frozen=True)
class Reference(ExpressionNode):
    """The value in column `index` of the row `level` scopes out."""

    level: int
    index: int
    type: SqlType
    nullable: bool

    operands = ()

    def __post_init__(self) -> None:
        require(self.level >= 0 and self.index >= 0, "level and index of a reference are not negative")

    def __reduce__(self) -> tuple[type[Reference], tuple[object, ...]]:
        return Reference, (self.level, self.index, self.type, self.nullable)  # without `free`, which has itself in it

    @cached_property
    def free(self) -> frozenset[Reference]:
        """The reference itself."""
        return frozenset({self})


@dataclass(frozen=True)
class Literal(ExpressionNode):
    """A constant; NULL has a type, too."""

    value: SqlValue
    type: SqlType

    operands = ()

    def __post_init__(self) -> None:
        require(ColumnType(self.type, True).admits(self.value), f"{self.value!r} is no value of type {self.type}")

    @property
    def nullable(self) -> bool:
        return self.value is None


class Binary(ExpressionNode):
    """An expression of a left and a right one, NULL if either is."""

    left: Expression
    right: Expression

    @cached_property
    def nullable(self) -> bool:
        """Whether an operand is."""
        return self.left.nullable or self.right.nullable

    @property
    def operands(self) -> tuple[Expression, ...]:  # type: ignore[override]
        return (self.left, self.right)


@dataclass(frozen=True)
class Comparison(Binary):
    """`left operator right` of two values of one type; `<=>` (IS NOT DISTINCT FROM) is never NULL.

    Texts are ordered by code points, false is less than true.
    """

    operator: ComparisonOperator
    left: Expression
    right: Expression
    type = BOOLEAN

    def __post_init__(self) -> None:
        require(self.operator in (*NEGATED, "<=>"), f"there is no comparison {self.operator!r}")
        require(self.left.type == self.right.type, f"{self.left.type} is not compared with {self.right.type}")

    @cached_property
    def nullable(self) -> bool:
        return self.operator != "<=>" and (self.left.nullable or self.right.nullable)


def bound(free: frozenset[Reference], row: RowType) -> frozenset[Reference]:
    """What stays free when level 0 is a row of this type. Raises SortError if a reference does not fit the row."""
    for reference in free:
        if reference.level == 0:
            fits = reference.index < len(row) and row[reference.index] == reference.column
            if not fits:
                described = f"({', '.join(map(str, row))})"
                raise SortError(f"there is no column {reference.index} of type {reference.column} in a row {described}")
    return frozenset(replace(reference, level=reference.level - 1) for reference in free if reference.level > 0)


def free_of(nodes: Iterable[Any]) -> frozenset[Reference]:
    """The references of some expressions and queries."""
    return frozenset[Reference]().union(*(node.free for node in nodes))


def require_condition(condition: Expression) -> None:
    """Raises SortError unless a condition is boolean."""
    require(condition.type == BOOLEAN, f"a condition is boolean, not {condition.type}")


@dataclass(frozen=True)
class QueryNode:
    """What all queries share: `columns`, the type of its rows, and `free`, the references to rows around it, where
    level 0 is the innermost of these.

    Class attributes:
        inputs: the queries whose rows it reads. operands: the expressions of the node, without their parts.
    """

    def __post_init__(self) -> None:
        query = cast("Query", self)
        _ = query.free, query.columns  # computing them checks every reference


@dataclass(frozen=True)
class OneInput(QueryNode):
    """A query over the rows of another one; its expressions see these rows."""

    input: Query

    @property
    def inputs(self) -> tuple[Query, ...]:
        return (self.input,)

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The expressions of the node, without their parts."""
        return ()

    @cached_property
    def columns(self) -> RowType:
        """Those of the input."""
        return self.input.columns

    @cached_property
    def free(self) -> frozenset[Reference]:
        return free_of(self.inputs) | bound(free_of(self.operands), self.input.columns)


@dataclass(frozen=True)
class Scan(QueryNode):
    """The rows of a table; the columns are those that the catalogue declares."""

    table: str
    columns: RowType

    free = frozenset[Reference]()
    inputs = ()
    operands = ()


@dataclass(frozen=True)
class Filter(OneInput):
    """The rows on which the condition is true."""

    condition: Expression

    def __post_init__(self) -> None:
        require_condition(self.condition)
        super().__post_init__()

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.condition,)


@dataclass(frozen=True)
class Project(OneInput):
    """The values of the expressions for each row."""

    expressions: tuple[Expression, ...]

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.expressions

    @cached_property
    def columns(self) -> RowType:
        return tuple(expression.column for expression in self.expressions)


@dataclass(frozen=True)
class OrderKey:
    """A key of an order: rows with smaller values first, or with larger ones; NULLs before or after all values."""

    expression: Expression
    descending: bool
    nulls_first: bool


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
        outer = bound(free_of(key.expression for key in self.order), self.query.columns)
        require(not outer, "an order refers to its row alone")

    @property
    def columns(self) -> RowType:
        """The visible columns."""
        return self.query.columns[: len(self.names)]


def below(node: Query | Expression) -> tuple[Query | Expression, ...]:
    """The queries and expressions that a node is made of."""
    first, others = (node.inputs, node.operands) if isinstance(node, QueryNode) else (node.operands, node.inputs)
    return (*first, *others)


def nodes(*roots: Query | Expression) -> Iterator[Query | Expression]:
    """The queries and expressions in some, each object once, those of subqueries too."""
    seen: set[int] = set()
    pending: list[Query | Expression] = list(roots)
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        pending += below(node)


def construct(name: str) -> type[ExpressionNode | QueryNode] | None:
    """The class of the queries or expressions with a name, of which a certificate may have some; None of others."""
    match name:
        case "Reference" | "Literal" | "Comparison" | "Scan" | "Filter" | "Project":
            return _HERE[name]
        case "And" | "Or" | "Not" | "IsNull" | "Case":
            from tallystick.core.queries.constructs import truths as found
        case "Arithmetic" | "Divide" | "Remainder" | "Cast":
            from tallystick.core.queries.constructs import numbers as found
        case "Function":
            from tallystick.core.queries.constructs import functions as found
        case "Exists" | "ForSome" | "ScalarSubquery":
            from tallystick.core.queries.constructs import subqueries as found
        case "Values":
            from tallystick.core.queries.constructs import values as found
        case "Join":
            from tallystick.core.queries.constructs import joins as found
        case "SetOperation" | "Distinct":
            from tallystick.core.queries.constructs import sets as found
        case "Aggregate":
            from tallystick.core.queries.constructs import aggregates as found
        case "Window":
            from tallystick.core.queries.constructs import windows as found
        case "Limit":
            from tallystick.core.queries.constructs import limits as found
        case _:
            return None
    return getattr(found, name)


_HERE = {each.__name__: each for each in (Reference, Literal, Comparison, Scan, Filter, Project)}
