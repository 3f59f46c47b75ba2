"""Random typed queries over a catalogue, with every node of the syntax.

Options switch off what an engine cannot run. A query of depth n has subtrees of depth n - 1 at most; whatever is drawn
is well typed and may refer to all rows in scope.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from tallystick.core.queries.calls import (
    UP_TO_PEERS,
    WHOLE_PARTITION,
    AggregateCall,
    Frame,
    GroupingCall,
    OrderKey,
    WindowCall,
    WindowFunction,
)
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.expressions import (
    NEGATED,
    And,
    Arithmetic,
    Case,
    Cast,
    Comparison,
    Divide,
    Exists,
    Expression,
    Function,
    IsNull,
    Literal,
    Not,
    Or,
    Reference,
    Remainder,
    ScalarSubquery,
)
from tallystick.core.queries.syntax import (
    UNIT,
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    SetOperation,
    Statement,
    Values,
    Window,
    references,
)
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    INTEGER,
    TEXT,
    ColumnType,
    RowType,
    SqlType,
    SqlValue,
)
from tallystick.frontends.elaboration.quantifiers import for_all, for_any, is_in
from tallystick.frontends.elaboration.truths import is_truth

POOLS: dict[SqlType, tuple[SqlValue, ...]] = {
    BOOLEAN: (False, True),
    INTEGER: (-1, 0, 1, 2, 3),
    DECIMAL: (Fraction(0), Fraction(1), Fraction(-3, 2), Fraction(5, 2)),
    TEXT: ("", "a", "b", "ab", "B"),
    DATE: (0, 1, 31, 18_321),
}
"""Small values of each type that queries and databases have in common, so that they meet."""

Scopes = tuple[RowType, ...]


@dataclass(frozen=True)
class Options:
    """What queries may contain."""

    subqueries: bool = True
    """Subqueries in expressions, elsewhere than as conjuncts of a filter, too."""
    quantified: bool = True
    lateral: bool = True
    windows: bool = True
    groups_frames: bool = True
    limits: bool = True
    division: bool = True
    types: tuple[SqlType, ...] = (INTEGER, DECIMAL, TEXT, BOOLEAN, DATE)


class RandomQueries:
    """Draws queries."""

    def __init__(self, catalogue: Catalogue, random: Random, options: Options = Options()) -> None:
        self.catalogue = catalogue
        self.random = random
        self.options = options

    def statement(self, depth: int) -> Statement:
        """A statement, in half of the cases with an order."""
        query = self.query(depth, ())
        if not query.columns:
            query = Project(query, (Literal(1, INTEGER),))
        order = self.order((query.columns,), 1) if self.chance(0.5) else ()
        visible = self.random.randint(1, len(query.columns)) if order else len(query.columns)
        return Statement(query, tuple(f"x{index}" for index in range(visible)), order)

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random.random() < probability

    def type(self) -> SqlType:
        """One of the types that occur, integers often."""
        return INTEGER if self.chance(0.4) else self.random.choice(self.options.types)

    # --- queries ---------------------------------------------------------------------------------------------------

    def query(self, depth: int, outer: Scopes) -> Query:
        """A query with any columns, at least one."""
        if depth <= 0:
            return self.leaf()
        draws = [self.filter, self.filter, self.project, self.join, self.join, self.set_operation, self.aggregate]
        draws += [self.distinct, self.aggregate]
        draws += [self.window] if self.options.windows else []
        draws += [self.limit] if self.options.limits else []
        return self.random.choice(draws)(depth, outer)

    def leaf(self) -> Query:
        """A table, or sometimes constants."""
        if self.chance(0.85):
            return self.random.choice(self.catalogue.tables).scan()
        columns = tuple(ColumnType(self.type(), True) for _ in range(self.random.randint(1, 2)))
        rows = [tuple(self.constant(column.type) for column in columns) for _ in range(self.random.randint(0, 3))]
        return Values(tuple(rows), columns)

    def constant(self, type_: SqlType) -> SqlValue:
        """A value or NULL."""
        return None if self.chance(0.2) else self.random.choice(POOLS[type_])

    def filter(self, depth: int, outer: Scopes) -> Query:
        """WHERE, also with conjuncts that have subqueries."""
        input_ = self.query(depth - 1, outer)
        scopes = (input_.columns, *outer)
        condition = self.condition(depth - 1, scopes)
        if self.chance(0.4) and depth > 1:
            condition = And((condition, self.subquery_test(depth - 1, scopes)))
        return Filter(input_, condition)

    def project(self, depth: int, outer: Scopes) -> Query:
        """A SELECT list, sometimes without FROM."""
        input_ = self.query(depth - 1, outer) if self.chance(0.9) else UNIT
        types = [self.type() for _ in range(self.random.randint(1, 3))]
        return Project(input_, tuple(self.expression(type_, depth - 1, (input_.columns, *outer)) for type_ in types))

    def of_types(self, types: Sequence[SqlType], depth: int, outer: Scopes) -> Query:
        """A query whose columns have these types."""
        input_ = self.query(depth - 1, outer)
        return Project(input_, tuple(self.expression(type_, 1, (input_.columns, *outer)) for type_ in types))

    def join(self, depth: int, outer: Scopes) -> Query:
        """A join of any kind."""
        lateral = self.options.lateral and self.chance(0.2)
        kinds = ("inner", "left", "semi", "anti") if lateral else ("inner", "left", "right", "full", "semi", "anti")
        kind: Any = self.random.choice(kinds)
        if lateral and kind in ("semi", "anti"):
            kind = "left"
        left = self.query(depth - 1, outer)
        right = self.query(depth - 1, (left.columns, *outer) if lateral else outer)
        row = (*left.columns, *right.columns)
        return Join(kind, left, right, self.equation(left.columns, right.columns, (row, *outer)), lateral)

    def equation(self, left: RowType, right: RowType, scopes: Scopes) -> Expression:
        """A join condition: mostly columns of the two sides that are equal, and something more."""
        pairs = [(i, j) for i, first in enumerate(left) for j, second in enumerate(right) if first.type == second.type]
        if not pairs or self.chance(0.2):
            return self.condition(1, scopes)
        i, j = self.random.choice(pairs)
        operator: Any = self.random.choice(("=", "=", "=", "<=>", "<"))
        equal = Comparison(operator, _column(scopes, 0, i), _column(scopes, 0, len(left) + j))
        return And((equal, self.condition(1, scopes))) if self.chance(0.3) else equal

    def set_operation(self, depth: int, outer: Scopes) -> Query:
        """UNION, INTERSECT, EXCEPT."""
        types = [self.type() for _ in range(self.random.randint(1, 2))]
        kind: Any = self.random.choice(("union", "intersect", "except"))
        sides = [self.of_types(types, depth - 1, outer) for _ in range(2)]
        return SetOperation(kind, self.chance(0.5), sides[0], sides[1])

    def distinct(self, depth: int, outer: Scopes) -> Query:
        """DISTINCT."""
        return Distinct(self.query(depth - 1, outer))

    def aggregate(self, depth: int, outer: Scopes) -> Query:
        """GROUP BY, sometimes without keys, sometimes with grouping sets."""
        input_ = self.query(depth - 1, outer)
        scopes = (input_.columns, *outer)
        keys = tuple(self.expression(self.type(), 0, scopes) for _ in range(self.random.randint(0, 2)))
        calls: list[AggregateCall | GroupingCall] = [
            self.aggregate_call(scopes) for _ in range(self.random.randint(not keys, 2))
        ]
        sets = None
        if keys and self.chance(0.25):
            positions = range(len(keys))
            drawn = {tuple(key for key in positions if self.chance(0.5)) for _ in range(self.random.randint(1, 3))}
            sets = tuple(sorted(drawn))
            calls += [GroupingCall(tuple(positions))] if self.chance(0.5) else []
        return Aggregate(input_, keys, tuple(calls), sets)

    def aggregate_call(self, scopes: Scopes) -> AggregateCall:
        """An aggregate with all of its clauses."""
        function = self.random.choice(("count", "count", "sum", "sum", "min", "max", "avg"))
        condition = self.condition(1, scopes) if self.chance(0.2) else None
        if function == "count":
            arguments = tuple(self.expression(self.type(), 1, scopes) for _ in range(self.random.choice((0, 1, 1, 2))))
            return AggregateCall("count", arguments, bool(arguments) and self.chance(0.3), condition)
        numbers = [type_ for type_ in (INTEGER, DECIMAL) if type_ in self.options.types]
        type_ = self.type() if function in ("min", "max") else self.random.choice(numbers)
        argument = self.expression(type_, 1, scopes)
        rounding = "exact" if function == "avg" else None
        return AggregateCall(function, (argument,), self.chance(0.3), condition, rounding)

    def order(self, scopes: Scopes, depth: int) -> tuple[OrderKey, ...]:
        """Some keys."""
        keys = range(self.random.randint(1, 2))
        return tuple(
            OrderKey(self.expression(self.type(), depth, scopes), self.chance(0.5), self.chance(0.5)) for _ in keys
        )

    def window(self, depth: int, outer: Scopes) -> Query:
        """Window calls."""
        input_ = self.query(depth - 1, outer)
        return Window(
            input_, tuple(self.window_call((input_.columns, *outer)) for _ in range(self.random.randint(1, 2)))
        )

    def window_call(self, scopes: Scopes) -> WindowCall:
        """A call of a function or an aggregate over a window."""
        partition = tuple(self.expression(self.type(), 0, scopes) for _ in range(self.random.randint(0, 1)))
        order = self.order(scopes, 0) if self.chance(0.8) else ()
        if self.chance(0.5):
            call = self.aggregate_call(scopes)
            call = AggregateCall(call.function, call.arguments, False, call.filter, call.rounding)
            return WindowCall(call, partition, order, self.frame(order))
        # The row itself as the last keys: no ties are left between different rows.
        order += tuple(OrderKey(_column(scopes, 0, index), False, True) for index in range(len(scopes[0])))
        name = self.random.choice(("row_number", "rank", "dense_rank", "ntile", "lag", "lead", "first_value"))
        type_ = self.type()
        value, default = self.expression(type_, 0, scopes), Literal(None, type_)
        number = Literal(self.random.randint(1, 2), INTEGER)
        arguments = {"ntile": (number,), "lag": (value, number, default), "lead": (value, number, default)}
        call = WindowFunction(name, (value,) if name == "first_value" else arguments.get(name, ()))
        return WindowCall(call, partition, order, UP_TO_PEERS if name == "first_value" else None)

    def frame(self, order: tuple[OrderKey, ...]) -> Frame:
        """A frame that the order permits."""
        if not order:
            return WHOLE_PARTITION
        if self.chance(0.4):
            return UP_TO_PEERS
        units = ["rows"]
        if len(order) == 1 and order[0].expression.type == INTEGER:
            units.append("range")
        if self.options.groups_frames:
            units.append("groups")
        unit: Any = self.random.choice(units)
        ends = [self.random.choice((-2, -1, 0, 1, None)), self.random.choice((-1, 0, 1, 2, None))]
        if ends[0] is not None and ends[1] is not None and ends[0] > ends[1]:
            ends.reverse()
        return Frame(unit, ends[0], ends[1])

    def limit(self, depth: int, outer: Scopes) -> Query:
        """LIMIT and OFFSET, mostly by an order without ties."""
        input_ = self.query(depth - 1, outer)
        scopes = (input_.columns, *outer)
        order = self.order(scopes, 0) if self.chance(0.6) else ()
        if self.chance(0.9):
            order += tuple(
                OrderKey(_column(scopes, 0, index), self.chance(0.5), True) for index in range(len(input_.columns))
            )
        count = self.random.choice((None, 0, 1, 1, 2, 3))
        return Limit(input_, order, count, self.random.choice((0, 0, 1)) if count is not None else 1)

    # --- expressions -----------------------------------------------------------------------------------------------

    def expression(self, type_: SqlType, depth: int, scopes: Scopes) -> Expression:
        """An expression of a type."""
        columns = [
            _column(scopes, level, index)
            for level, row in enumerate(scopes)
            for index, column in enumerate(row)
            if column.type == type_
        ]
        if columns and self.chance(0.5 if depth > 0 else 0.85):
            inner = [column for column in columns if column.level == 0]
            return self.random.choice(inner if inner and self.chance(0.6) else columns)
        if depth <= 0 or self.chance(0.2):
            return Literal(self.constant(type_), type_)
        if self.chance(0.15):
            return Case(
                ((self.condition(depth - 1, scopes), self.expression(type_, depth - 1, scopes)),),
                self.expression(type_, depth - 1, scopes),
            )
        if self.options.subqueries and depth > 1 and self.chance(0.15):
            return self.scalar(type_, depth - 1, scopes)
        match type_:
            case SqlType.INTEGER:
                return self.integer(depth - 1, scopes)
            case SqlType.DECIMAL:
                return self.decimal(depth - 1, scopes)
            case SqlType.TEXT:
                name = self.random.choice(("UPPER", "LOWER"))
                return Function(name, (self.expression(TEXT, depth - 1, scopes),), TEXT, strict=True)
            case SqlType.DATE:
                return Arithmetic("+", self.expression(DATE, depth - 1, scopes), Literal(1, INTEGER))
            case SqlType.BOOLEAN:
                return self.condition(depth - 1, scopes)
            case _:
                return Literal(None, type_)

    def integer(self, depth: int, scopes: Scopes) -> Expression:
        """Arithmetic of integers."""
        operator: Any = self.random.choice("+-*")
        left, right = (self.expression(INTEGER, depth, scopes) for _ in range(2))
        if self.options.division and self.chance(0.2):
            divide = Divide if self.chance(0.5) else Remainder
            return divide(left, right, "truncate", "null")
        if TEXT in self.options.types and self.chance(0.1):
            return Function("LENGTH", (self.expression(TEXT, depth, scopes),), INTEGER, strict=True)
        return Arithmetic(operator, left, right)

    def decimal(self, depth: int, scopes: Scopes) -> Expression:
        """Arithmetic of decimals; products are of constants, so that no digits are lost."""
        if self.chance(0.3):
            return Cast(self.expression(INTEGER, depth, scopes), DECIMAL)
        left = self.expression(DECIMAL, depth, scopes)
        if self.chance(0.3):
            return Arithmetic("*", Literal(Fraction(2), DECIMAL), left)
        return Arithmetic(self.random.choice("+-"), left, self.expression(DECIMAL, depth, scopes))  # type: ignore[arg-type]

    def condition(self, depth: int, scopes: Scopes) -> Expression:
        """A truth value."""
        if depth <= 0 or self.chance(0.5):
            return self.comparison(depth, scopes)
        inner = [self.condition(depth - 1, scopes) for _ in range(2)]
        draws = [And(tuple(inner)), Or(tuple(inner)), Not(inner[0]), is_truth(inner[0], self.chance(0.5))]
        draws += [IsNull(self.expression(self.type(), depth - 1, scopes))]
        if TEXT in self.options.types:
            pattern = Literal(self.random.choice(("a%", "_b", "%")), TEXT)
            draws += [Function("LIKE", (self.expression(TEXT, depth - 1, scopes), pattern), BOOLEAN, strict=True)]
        if self.options.subqueries and depth > 1 and self.chance(0.3):
            return self.subquery_test(depth - 1, scopes)
        return self.random.choice(draws)

    def comparison(self, depth: int, scopes: Scopes) -> Expression:
        """A comparison of two values."""
        type_ = self.random.choice([type_ for type_ in (INTEGER, INTEGER, self.type()) if type_ in self.options.types])
        operator: Any = self.random.choice((*NEGATED, "=", "=", "<=>"))
        return Comparison(
            operator, self.expression(type_, depth - 1, scopes), self.expression(type_, depth - 1, scopes)
        )

    def subquery_test(self, depth: int, scopes: Scopes) -> Expression:
        """EXISTS, IN, ANY or ALL, negated or not."""
        type_ = self.type()
        kind = self.random.choice(("exists", "in", "quantified"))
        if kind == "exists":
            test: Expression = Exists(self.query(depth, scopes))
        elif kind == "in" or not self.options.quantified:
            test = is_in((self.expression(type_, 0, scopes),), self.of_types((type_,), depth, scopes))
        else:
            operator: Any = self.random.choice((*NEGATED,))
            quantified = self.random.choice((for_any, for_all))
            left = self.expression(type_, 0, scopes)
            test = quantified(operator, left, self.of_types((type_,), depth, scopes))
        return Not(test) if self.chance(0.4) else test

    def scalar(self, type_: SqlType, depth: int, scopes: Scopes) -> Expression:
        """A scalar subquery with at most one row."""
        input_ = self.of_types((type_,), depth, scopes)
        call = AggregateCall(self.random.choice(("min", "max")), references(input_))
        return ScalarSubquery(Aggregate(input_, (), (call,)))


def _column(scopes: Scopes, level: int, index: int) -> Reference:
    column = scopes[level][index]
    return Reference(level, index, column.type, column.nullable)
