"""Scalar expressions of queries: typed, without names and without a dialect.

An expression belongs to a node of a query and is evaluated for each *input row* of that node. A `Reference` names a
value by level and index: level 0 is the input row, level k the row k scopes further out. What opens a scope is a query
inside an expression, or the right side of a lateral join: its outer references of level 0 mean the row that
surrounds it. `free` holds the references of an expression or query that its surroundings must supply.

Everything is three-valued as in SQL unless it says otherwise; arithmetic is exact. What a dialect may choose is spelled
out in the node: how a division rounds, what it does with zero, what a function is called.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast
from typing import Literal as Choice

from tallystick.core.errors import SortError
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    INTEGER,
    MICROSECONDS,
    MONTHS,
    TIMESTAMP,
    ColumnType,
    RowType,
    SqlType,
    SqlValue,
    require,
)

if TYPE_CHECKING:
    from tallystick.core.queries.syntax import Query

Rounding = Choice["exact", "truncate", "floor"]
"""How a quotient is rounded: not at all (a decimal), towards zero, or down (an integer)."""
OnZero = Choice["null", "error"]
"""What a division by zero gives."""
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


class _Expression:
    """What all expressions share. Each has a `type`, is `nullable` unless its value is never NULL, and has `operands`,
    the expressions in the same scope that it is made of."""

    @cached_property
    def free(self) -> frozenset[Reference]:
        """The references to rows; level 0 is the input row of the node that the expression belongs to."""
        expression = cast("Expression", self)
        operands = frozenset[Reference]().union(*(operand.free for operand in expression.operands))
        if isinstance(expression, WithQuery):
            return operands | cast("frozenset[Reference]", expression.query.free)
        return operands

    @property
    def column(self) -> ColumnType:
        """The type of a column that holds the value."""
        expression = cast("Expression", self)
        return ColumnType(expression.type, expression.nullable)


@dataclass(frozen=True)
class Reference(_Expression):
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


def bound(free: frozenset[Reference], row: RowType) -> frozenset[Reference]:
    """What stays free when level 0 is a row of this type. Raises SortError if a reference does not fit the row."""
    for reference in free:
        if reference.level == 0:
            fits = reference.index < len(row) and row[reference.index] == reference.column
            if not fits:
                described = f"({', '.join(map(str, row))})"
                raise SortError(f"there is no column {reference.index} of type {reference.column} in a row {described}")
    return frozenset(replace(reference, level=reference.level - 1) for reference in free if reference.level > 0)


@dataclass(frozen=True)
class Literal(_Expression):
    """A constant; NULL has a type, too."""

    value: SqlValue
    type: SqlType

    operands = ()

    def __post_init__(self) -> None:
        require(ColumnType(self.type, True).admits(self.value), f"{self.value!r} is no value of type {self.type}")

    @property
    def nullable(self) -> bool:
        return self.value is None


def _arithmetic() -> dict[tuple[str, SqlType, SqlType], SqlType]:
    table = {}
    for number in (INTEGER, DECIMAL):
        table |= {(operator, number, number): number for operator in "+-*"}
    for interval in (MONTHS, MICROSECONDS):
        table |= {(operator, interval, interval): interval for operator in "+-"}
        table |= {("*", interval, INTEGER): interval, ("*", INTEGER, interval): interval}
    table |= {("+", DATE, INTEGER): DATE, ("+", INTEGER, DATE): DATE, ("-", DATE, INTEGER): DATE}
    table |= {("+", TIMESTAMP, MICROSECONDS): TIMESTAMP, ("+", MICROSECONDS, TIMESTAMP): TIMESTAMP}
    table |= {("-", TIMESTAMP, MICROSECONDS): TIMESTAMP}
    return table | {("-", DATE, DATE): INTEGER, ("-", TIMESTAMP, TIMESTAMP): MICROSECONDS}


ARITHMETIC = _arithmetic()
"""The type of `left operator right`. Adding months to a date is a function, since it is not linear."""


@dataclass(frozen=True)
class Arithmetic(_Expression):
    """`left operator right`, exact, NULL if either is. A date plus an integer counts days."""

    operator: Choice["+", "-", "*"]
    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        require(
            (self.operator, self.left.type, self.right.type) in ARITHMETIC,
            f"{self.operator} does not apply to {self.left.type} and {self.right.type}",
        )

    @cached_property
    def type(self) -> SqlType:
        return ARITHMETIC[self.operator, self.left.type, self.right.type]

    @cached_property
    def nullable(self) -> bool:
        return self.left.nullable or self.right.nullable

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.left, self.right)


@dataclass(frozen=True)
class _Division(_Expression):
    left: Expression
    right: Expression
    rounding: Rounding
    on_zero: OnZero

    def __post_init__(self) -> None:
        numbers = self.left.type == self.right.type and self.left.type in (INTEGER, DECIMAL)
        require(numbers, f"{type(self).__name__} does not apply to {self.left.type} and {self.right.type}")
        require(self.rounding in ("exact", "truncate", "floor"), f"there is no rounding {self.rounding!r}")
        require(self.on_zero in ("null", "error"), f"a division by zero gives null or error, not {self.on_zero!r}")

    @cached_property
    def nullable(self) -> bool:
        never_zero = self.on_zero == "error" or (isinstance(self.right, Literal) and self.right.value != 0)
        return self.left.nullable or self.right.nullable or not never_zero

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.left, self.right)


@dataclass(frozen=True)
class Divide(_Division):
    """The quotient of two integers or two decimals: a decimal if exact, else an integer."""

    @property
    def type(self) -> SqlType:
        return DECIMAL if self.rounding == "exact" else INTEGER


@dataclass(frozen=True)
class Remainder(_Division):
    """`left − right · q` where q is the quotient, rounded towards zero or down."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.rounding != "exact", "an exact quotient has no remainder")

    @property
    def type(self) -> SqlType:
        return self.left.type


CASTS = frozenset({(INTEGER, DECIMAL), (DATE, TIMESTAMP), (BOOLEAN, INTEGER), (BOOLEAN, DECIMAL)})
"""The conversions that are exact, total and the same in every dialect; true is 1. Others are functions."""


@dataclass(frozen=True)
class Cast(_Expression):
    """One of the conversions in `CASTS`."""

    operand: Expression
    type: SqlType

    def __post_init__(self) -> None:
        known = (self.operand.type, self.type) in CASTS
        require(known, f"the cast of {self.operand.type} to {self.type} is a function, not a Cast")

    @property
    def nullable(self) -> bool:
        return self.operand.nullable

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.operand,)


@dataclass(frozen=True)
class Function(_Expression):
    """A deterministic function of its arguments, known by its name; equal names mean equal functions.

    If `strict`, its value is NULL if and only if an argument is; else it may be NULL or not for any arguments.
    """

    name: str
    arguments: tuple[Expression, ...]
    type: SqlType
    strict: bool

    @cached_property
    def nullable(self) -> bool:
        return not self.strict or any(argument.nullable for argument in self.arguments)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.arguments


OWN = "'s "
"""Behind the name of a dialect, and before that of a function that is its own."""


def plain_name(name: str) -> str:
    """The name of a function without the dialect, of small letters, that it is of alone: not what is called Spark's."""
    dialect, _, plain = name.partition(OWN)
    return plain if plain and dialect.isidentifier() and dialect.islower() else name


CHOICE = "choice"
"""The function of a number that tells choices among rows apart: a key of their orders, the same for all rows."""


def is_choice(expression: Expression) -> bool:
    """Whether a key of an order tells a choice from others."""
    return isinstance(expression, Function) and expression.name == CHOICE


@dataclass(frozen=True)
class Comparison(_Expression):
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

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.left, self.right)


def _require_truths(node: str, operands: tuple[Expression, ...]) -> None:
    for operand in operands:
        require(operand.type == BOOLEAN, f"an operand of {node} is of type {operand.type}")


@dataclass(frozen=True)
class And(_Expression):
    """The least of its operands, where false < NULL < true; true without any."""

    operands: tuple[Expression, ...]
    type = BOOLEAN

    @cached_property
    def nullable(self) -> bool:
        """Whether an operand is."""
        return any(operand.nullable for operand in self.operands)

    def __post_init__(self) -> None:
        _require_truths("AND", self.operands)


@dataclass(frozen=True)
class Or(_Expression):
    """The greatest of its operands, where false < NULL < true; false without any."""

    operands: tuple[Expression, ...]
    type = BOOLEAN

    @cached_property
    def nullable(self) -> bool:
        """Whether an operand is."""
        return any(operand.nullable for operand in self.operands)

    def __post_init__(self) -> None:
        _require_truths("OR", self.operands)


@dataclass(frozen=True)
class Not(_Expression):
    """The negation; NULL of NULL."""

    operand: Expression
    type = BOOLEAN

    @cached_property
    def nullable(self) -> bool:
        """Whether an operand is."""
        return any(operand.nullable for operand in self.operands)

    def __post_init__(self) -> None:
        _require_truths("NOT", self.operands)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.operand,)


@dataclass(frozen=True)
class IsNull(_Expression):
    """Whether the value is NULL; never NULL itself. IS UNKNOWN is this."""

    operand: Expression
    type = BOOLEAN
    nullable = False

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.operand,)


@dataclass(frozen=True)
class Case(_Expression):
    """The value of the first branch (condition, value) whose condition is true, else the default.

    The default is written out; without ELSE it is a NULL. COALESCE, NULLIF, IF and the like are this.
    """

    branches: tuple[tuple[Expression, Expression], ...]
    default: Expression

    def __post_init__(self) -> None:
        _require_truths("WHEN", tuple(condition for condition, _ in self.branches))
        for _, value in self.branches:
            require(value.type == self.type, f"a CASE has values of types {value.type} and {self.type}")

    @property
    def type(self) -> SqlType:
        return self.default.type

    @cached_property
    def nullable(self) -> bool:
        return self.default.nullable or any(value.nullable for _, value in self.branches)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (*(part for branch in self.branches for part in branch), self.default)


@dataclass(frozen=True)
class Exists(_Expression):
    """Whether the query has a row; never NULL."""

    query: Query
    type = BOOLEAN
    nullable = False
    operands = ()


@dataclass(frozen=True)
class ForSome(_Expression):
    """Whether the row of the expressions compares so with a row of the query, column by column: the disjunction over
    its rows of the conjunction of the comparisons. Several columns are compared by `=` alone."""

    operator: ComparisonOperator
    expressions: tuple[Expression, ...]
    query: Query
    type = BOOLEAN

    def __post_init__(self) -> None:
        require(self.operator in (*NEGATED, "<=>"), f"there is no comparison {self.operator!r}")
        left = tuple(expression.type for expression in self.expressions)
        right = tuple(column.type for column in self.query.columns)
        described = [", ".join(map(str, types)) for types in (left, right)]
        require(left == right, f"({described[0]}) is compared with rows of ({described[1]})")
        require(len(left) == 1 or (len(left) > 1 and self.operator == "="), "rows are compared by = in some column")

    @cached_property
    def nullable(self) -> bool:
        return self.operator != "<=>" and any(part.nullable for part in (*self.expressions, *self.query.columns))

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.expressions


@dataclass(frozen=True)
class ScalarSubquery(_Expression):
    """The value of the query's only row, NULL without one; several rows are an error."""

    query: Query

    operands = ()
    nullable = True

    def __post_init__(self) -> None:
        require(len(self.query.columns) == 1, f"a scalar subquery has one column, not {len(self.query.columns)}")

    @property
    def type(self) -> SqlType:
        return self.query.columns[0].type


WithQuery = Exists | ForSome | ScalarSubquery
"""The expressions that have a subquery."""
Expression = (
    Reference
    | Literal
    | Arithmetic
    | Divide
    | Remainder
    | Cast
    | Function
    | Comparison
    | And
    | Or
    | Not
    | IsNull
    | Case
    | WithQuery
)
