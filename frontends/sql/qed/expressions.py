"""Scalar expressions of plans: a column by its number, a constant, an operator with operands, or one with a query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from tallystick.core.queries.expressions import (
    ARITHMETIC,
    Arithmetic,
    Case,
    Comparison,
    ComparisonOperator,
    Divide,
    Exists,
    Expression,
    Function,
    IsNull,
    Literal,
    Not,
    Or,
    Remainder,
    ScalarSubquery,
)
from tallystick.core.queries.syntax import Project, Query, reference
from tallystick.core.queries.types import BOOLEAN, DECIMAL, INTEGER, TEXT
from tallystick.frontends.calendar import conjoined, on_days
from tallystick.frontends.elaboration.quantifiers import for_any, is_in
from tallystick.frontends.elaboration.truths import is_truth
from tallystick.frontends.sql.arithmetic import computed
from tallystick.frontends.sql.coercion import NUMBERS, common_type, convert
from tallystick.frontends.sql.folding import folded, matched
from tallystick.frontends.sql.qed.functions import FUNCTION, PARAMETER, arguments
from tallystick.frontends.sql.qed.literals import read_literal, read_search
from tallystick.frontends.sql.qed.values import NODE, PlanReading, Rows, carried_type, member, named, plain_type

COMPARISONS: Final[dict[str, ComparisonOperator]] = {
    "=": "=",
    "EQ": "=",
    "<>": "<>",
    "NE": "<>",
    "<": "<",
    "LT": "<",
    "<=": "<=",
    "LE": "<=",
    ">": ">",
    "GT": ">",
    ">=": ">=",
    "GE": ">=",
    "<=>": "<=>",
    "IS": "<=>",
    "IS NOT DISTINCT FROM": "<=>",
}
DIFFERENCES: Final = frozenset({"IS NOT", "IS DISTINCT FROM"})
SUMS: Final = {"+": "+", "PLUS": "+", "-": "-", "MINUS": "-", "*": "*", "MULT": "*"}
TESTS: Final[dict[str, Callable[[Expression], Expression]]] = {
    "NOT": Not,
    "IS NULL": IsNull,
    "IS NOT NULL": lambda value: Not(IsNull(value)),
    "IS TRUE": lambda value: is_truth(value, True),
    "IS NOT TRUE": lambda value: Not(is_truth(value, True)),
    "IS FALSE": lambda value: is_truth(value, False),
    "IS NOT FALSE": lambda value: Not(is_truth(value, False)),
}
PATTERNS: Final = {
    "LIKE": "LIKE",
    "I LIKE": "ILIKE",
    "SIMILAR TO": "SIMILAR TO",
    "REG MATCH": "RLIKE",
    "REG I MATCH": "RILIKE",
}
_TEXTS: Final = ("UPPER", "LOWER", "POWER", "||", "CONCAT", "COLLATE")
_DOCUMENTS: Final = ("FETCH VAL", "FETCH TEXT", "INDIRECTION", "CONTAINS", "CONTAINED BY")
_BITS: Final = ("BITXOR", "BITOR", "UNARY COMPLEMENT")
_PLACES: Final = ("ST_POINT", "ST_DWITHIN", "ST_CONTAINS", "ST_BUFFER", "ST_MAKELINE")
NAMED: Final = frozenset({*_TEXTS, *_DOCUMENTS, *_BITS, *_PLACES})
"""Operators of which nothing but the name is used: they are deterministic functions."""

if TYPE_CHECKING:
    QueryReader = Callable[[PlanReading, Any, Rows], Query]


class PlanExpressions:
    """The expressions over one row of a plan."""

    def __init__(self, plan: PlanReading, rows: Rows, read_query: QueryReader) -> None:
        self.plan = plan
        self.rows = rows
        self.read_query = read_query

    def read(self, data: Any) -> Expression:
        """The expression that a part of a plan stands for; raises SourceError if it is not understood."""
        if isinstance(data, dict) and "column" in data:
            found = self.rows.reference(int(data["column"]))
            if found is None:
                raise self.plan.error(f"there is no column {data['column']}")
            return found
        operator, operands = str(member(data, "operator")), data.get("operand") or []
        if "query" in data:
            return self._with_query(operator, operands, data["query"])
        if operator == FUNCTION:
            return self._called(operands, str(data.get("type")))
        if not operands and operator == PARAMETER and self.plan.names.parameter is not None:
            return named(self.plan.names.parameter, (), carried_type(str(data.get("type"))))
        if not operands:
            return read_literal(self.plan, operator, str(data.get("type")))
        return self._applied(operator, operands, str(data.get("type")))

    def condition(self, data: Any) -> Expression:
        """A truth value."""
        value = self.read(data)
        if value.type != BOOLEAN:
            raise self.plan.error(f"a condition is of type {value.type}")
        return value

    def _applied(self, operator: str, operands: Sequence[Any], type_name: str) -> Expression:
        if operator == "SEARCH":
            return read_search(self.plan, self.read(operands[0]), str(member(operands[1], "operator")))
        if operator == "COALESCE" and len(operands) == 1:
            operands = member(operands[0], "operand")
        if operator == "EXTRACT":
            part = str(member(operands[0], "operator"))
            return Function(part, (self.read(operands[1]),), carried_type(type_name), strict=True)
        values = [self.read(each) for each in operands]
        if operator in COMPARISONS or operator in DIFFERENCES:
            ordered = all(plain_type(each.get("type")) is not None for each in operands)
            return self._compared(operator, values, ordered)
        if operator in SUMS and len(values) == 2:
            return self._sum(SUMS[operator], values, type_name)
        if operator in TESTS and len(values) == 1:
            return TESTS[operator](values[0])
        match operator, values:
            case "AND", _:
                return conjoined(values)
            case "OR", _:
                return Or(tuple(values))
            case (("/" | "DIV" | "FLOOR DIV" | "MOD"), [_, _]):
                return self._quotient(operator, values, type_name)
            case (("UNARY MINUS" | "-"), [value]):
                zero = convert(self.plan.reading, Literal(0, INTEGER), value.type, NODE)
                return self._sum("-", [zero, value], type_name)
            case "CASE", _:
                return self._case(values)
            case "COALESCE", _:
                *first, last = self._unified(values)
                return Case(tuple((Not(IsNull(each)), each) for each in first), last) if first else last
            case "CAST", [value]:
                return self._cast(value, type_name)
            case _ if operator.removeprefix("NOT ") in PATTERNS and all(value.type == TEXT for value in values):
                found = matched(Function(PATTERNS[operator.removeprefix("NOT ")], tuple(values), BOOLEAN, strict=True))
                return Not(found) if operator.startswith("NOT ") else found
            case (("||" | "CONCAT"), [_, _]) if all(value.type == TEXT for value in values):
                return folded(Function("||", tuple(values), TEXT, strict=True))
            case (("UPPER" | "LOWER"), [value]) if value.type == TEXT:
                return folded(Function(operator, (value,), TEXT, strict=True))
            case _ if operator in NAMED:
                return named(operator, tuple(values), carried_type(type_name))
            case _:
                raise self.plan.error(f"the operator {operator} is not understood, or the plan has lost its name")

    def _called(self, operands: Sequence[Any], type_name: str) -> Expression:
        """A function by the name that the text of the plan gives it."""
        values = [self.read(each) for each in arguments(operands) or ()]
        name = self.plan.names.functions.get(len(values))
        if name is None:
            raise self.plan.error("a function has lost its name, and the text of the plan does not tell it")
        match name, values:
            case "mod", [_, _]:
                return self._quotient("MOD", values, type_name)
            case "length", [value] if value.type == TEXT:
                return folded(Function("LENGTH", (value,), INTEGER, strict=True))
            case "st_disjoint", [_, _]:
                return Not(named("st_intersects()", tuple(values), carried_type(type_name)))
        return named(f"{name}()", tuple(values), carried_type(type_name))

    def _unified(self, values: Sequence[Expression]) -> list[Expression]:
        joined = common_type(self.plan.reading, values, NODE)
        return list(values) if joined is None else [convert(self.plan.reading, each, joined, NODE) for each in values]

    def _compared(self, operator: str, values: Sequence[Expression], ordered: bool) -> Expression:
        left, right = self._unified(values)
        if operator in DIFFERENCES:
            return Not(Comparison("<=>", left, right))
        comparison = COMPARISONS[operator]
        if comparison not in ("=", "<>", "<=>") and not ordered:
            return Function(f"{comparison} of values known by equality", (left, right), BOOLEAN, strict=True)
        return on_days(Comparison(comparison, left, right))

    def _sum(self, operator: str, values: Sequence[Expression], type_name: str) -> Expression:
        if {value.type for value in values} <= NUMBERS:
            values = self._unified(values)
        left, right = values
        if (operator, left.type, right.type) in ARITHMETIC:
            return computed(Arithmetic(operator, left, right))  # type: ignore[arg-type]
        return named(operator, (left, right), carried_type(type_name))

    def _quotient(self, operator: str, values: Sequence[Expression], type_name: str) -> Expression:
        if not {value.type for value in values} <= NUMBERS:
            return named(operator, tuple(values), carried_type(type_name))
        left, right = self._unified(values)
        match operator:
            case "MOD":
                return Remainder(left, right, "truncate", "error")
            case "FLOOR DIV":
                return Divide(left, right, "truncate", "error")
            case _:
                integral = left.type == INTEGER and carried_type(type_name) == INTEGER
                return Divide(left, right, "truncate" if integral else "exact", "error")

    def _case(self, values: Sequence[Expression]) -> Expression:
        """CASE with conditions, or, with an even number of operands, with a value that is compared."""
        if len(values) % 2 == 0:
            subject, *values = values
            guards = [self._compared("=", [subject, each], True) for each in values[:-1:2]]
        else:
            guards = list(values[:-1:2])
        *chosen, default = self._unified([*values[1::2], values[-1]])
        return Case(tuple(zip(guards, chosen, strict=True)), default)

    def _cast(self, value: Expression, type_name: str) -> Expression:
        to = plain_type(type_name)
        if to is None:
            return named(f"cast as {type_name}", (value,), TEXT)
        if value.type == to:
            return value
        if value.type == DECIMAL and to == INTEGER:
            return Function("cast decimal as integer", (value,), INTEGER, strict=True)
        return convert(self.plan.reading, value, to, NODE)

    def _with_query(self, operator: str, operands: Sequence[Any], data: Any) -> Expression:
        query = self.read_query(self.plan, data, self.rows)
        match operator:
            case "EXISTS":
                return Exists(query)
            case "$SCALAR_QUERY":
                return ScalarSubquery(query)
            case "IN":
                values, aligned = self._aligned([self.read(each) for each in operands], query)
                return is_in(tuple(values), aligned)
            case _ if operator.removesuffix(" SOME") in COMPARISONS:
                values, aligned = self._aligned([self.read(each) for each in operands], query)
                return for_any(COMPARISONS[operator.removesuffix(" SOME")], values[0], aligned)
            case _:
                raise self.plan.error(f"the operator {operator} with a query is not understood")

    def _aligned(self, values: list[Expression], query: Query) -> tuple[list[Expression], Query]:
        if len(values) != len(query.columns):
            raise self.plan.error(f"{len(values)} values are compared with {len(query.columns)} columns")
        columns = [reference(query, index) for index in range(len(values))]
        pairs = [self._unified([value, column]) for value, column in zip(values, columns, strict=True)]
        converted = tuple(column for _, column in pairs)
        aligned = query if list(converted) == columns else Project(query, converted)
        return [value for value, _ in pairs], aligned
