"""Queries as text of SQL: one SELECT a node, so that the text means what the tree means and nothing is left to scoping.

Every SELECT names its columns c0, c1, … and every FROM has an alias of its own. Keys and arguments of aggregates and
windows are computed by a SELECT below, so that no constant is read as an ordinal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import assert_never

from tallystick.core.errors import FragmentError
from tallystick.core.queries.calls import NUMBERED, AggregateCall, Frame, GroupingCall, OrderKey, WindowCall
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.expressions import (
    CHOICE,
    And,
    Arithmetic,
    Case,
    Cast,
    Comparison,
    Divide,
    Exists,
    Expression,
    ForSome,
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
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    Scan,
    SetOperation,
    Statement,
    Values,
    Window,
)
from tallystick.core.queries.types import (
    DATE,
    INTEGER,
    SqlValue,
)
from tallystick.frontends.sql.printing.literals import Dialect, name_text, type_text, value_text

Scopes = tuple[tuple[str, ...], ...]
"""What the columns of the rows in scope are called, level 0 first."""


def statement_text(statement: Statement, catalogue: Catalogue, dialect: Dialect) -> str:
    """The statement as one SELECT with its own column names."""
    inner, alias, row, order = QueryPrinter(catalogue, dialect).ordered(statement.query, statement.order, ())
    names = [name_text(name, dialect) for name in _distinct(statement.names)]
    columns = [f"{column} AS {name}" for column, name in zip(row, names, strict=False)]
    return f"SELECT {', '.join(columns)} FROM {inner} AS {alias}{order}"


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, with numbers where one occurs before."""
    seen: dict[str, int] = {}
    result = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return result


_OPERATORS = {"<=>": {"duckdb": "IS NOT DISTINCT FROM", "spark": "<=>"}}
_JOINS = {
    "inner": {"duckdb": "INNER JOIN", "spark": "INNER JOIN"},
    "left": {"duckdb": "LEFT JOIN", "spark": "LEFT JOIN"},
    "right": {"duckdb": "RIGHT JOIN", "spark": "RIGHT JOIN"},
    "full": {"duckdb": "FULL JOIN", "spark": "FULL JOIN"},
    "semi": {"duckdb": "SEMI JOIN", "spark": "LEFT SEMI JOIN"},
    "anti": {"duckdb": "ANTI JOIN", "spark": "LEFT ANTI JOIN"},
}


@dataclass
class QueryPrinter:
    """The printer of one statement: its aliases are numbered through."""

    catalogue: Catalogue
    dialect: Dialect
    aliases: count[int] = field(default_factory=count)

    def source(self, query: Query, outer: Scopes) -> tuple[str, str, tuple[str, ...]]:
        """The query in parentheses, an alias for it, and what its columns are called."""
        alias = f"t{next(self.aliases)}"
        return f"({self.query(query, outer)})", alias, self.row(alias, query)

    def row(self, alias: str, query: Query) -> tuple[str, ...]:
        return tuple(f"{alias}.c{index}" for index in range(len(query.columns)))

    def select(self, columns: Sequence[str], rest: str, prefix: str = "c") -> str:
        """A SELECT of these columns, named; without columns, of a constant."""
        named = [f"{column} AS {prefix}{index}" for index, column in enumerate(columns)] or ["1 AS nothing"]
        return f"SELECT {', '.join(named)}{rest}"

    def query(self, query: Query, outer: Scopes) -> str:
        """A SELECT whose columns are named c0, c1, …"""
        match query:
            case Scan():
                return self.scan(query)
            case Values():
                return self.values(query)
            case Filter(input_, condition):
                inner, alias, row = self.source(input_, outer)
                return self.select(row, f" FROM {inner} AS {alias} WHERE {self.expression(condition, (row, *outer))}")
            case Project(Values(((),), ()), expressions):
                return self.select([self.expression(part, ((), *outer)) for part in expressions], "")
            case Project(input_, expressions):
                inner, alias, row = self.source(input_, outer)
                parts = [self.expression(part, (row, *outer)) for part in expressions]
                return self.select(parts, f" FROM {inner} AS {alias}")
            case Join():
                return self.join(query, outer)
            case SetOperation(kind, all_, left, right):
                sides = [self.source(side, outer) for side in (left, right)]
                selects = [self.select(row, f" FROM {inner} AS {alias}") for inner, alias, row in sides]
                return f" {kind.upper()} {'ALL' if all_ else 'DISTINCT'} ".join(selects)
            case Distinct(input_):
                inner, alias, row = self.source(input_, outer)
                return self.select(row, f" FROM {inner} AS {alias}").replace("SELECT", "SELECT DISTINCT", 1)
            case Aggregate():
                return self.aggregate(query, outer)
            case Window():
                return self.window(query, outer)
            case Limit(input_, order, number, offset):
                inner, alias, row, ordered = self.ordered(input_, order, outer)
                limit = f"{'' if number is None else f' LIMIT {number}'}{f' OFFSET {offset}' * (offset > 0)}"
                return self.select(row, f" FROM {inner} AS {alias}{ordered}{limit}")
            case _:
                assert_never(query)

    def scan(self, query: Scan) -> str:
        table = self.catalogue.by_name[query.table]
        columns = [name_text(column.name, self.dialect) for column in table.columns]
        return self.select(columns, f" FROM {name_text(table.name, self.dialect)}")

    def values(self, query: Values) -> str:
        def row(values: Sequence[SqlValue]) -> list[str]:
            return [
                f"CAST({value_text(value, column.type, self.dialect)} AS {type_text(column.type, self.dialect)})"
                for value, column in zip(values, query.columns, strict=True)
            ]

        if not query.rows:
            return self.select(row([None] * len(query.columns)), " WHERE FALSE")
        if self.dialect == "spark" and query.columns:
            # Spark 4.3 fails on unions of constants below two EXISTS that OR connects: an inline table has none.
            names = [f"v{index}" for index in range(len(query.columns))]
            rows = ", ".join(f"({', '.join(row(values))})" for values in query.rows)
            return self.select(names, f" FROM VALUES {rows} AS inline_table({', '.join(names)})")
        return " UNION ALL ".join(self.select(row(values), "") for values in query.rows)

    def join(self, node: Join, outer: Scopes) -> str:
        left, left_alias, left_row = self.source(node.left, outer)
        right, right_alias, right_row = self.source(node.right, (left_row, *outer) if node.lateral else outer)
        condition = self.expression(node.condition, ((*left_row, *right_row), *outer))
        row = left_row if node.kind in ("semi", "anti") else (*left_row, *right_row)
        joined = f"{left} AS {left_alias} {_JOINS[node.kind][self.dialect]} {'LATERAL ' * node.lateral}{right}"
        return self.select(row, f" FROM {joined} AS {right_alias} ON {condition}")

    def below(self, query: Query, operands: Sequence[Expression], outer: Scopes) -> tuple[str, str]:
        """The columns c0, … of the query and the operands as d0, …, in parentheses; and an alias."""
        inner, alias, row = self.source(query, outer)
        parts = [f"{column} AS c{index}" for index, column in enumerate(row)]
        parts += [f"{self.expression(part, (row, *outer))} AS d{index}" for index, part in enumerate(operands)]
        alias_above = f"t{next(self.aliases)}"
        return f"(SELECT {', '.join(parts) or '1 AS nothing'} FROM {inner} AS {alias})", alias_above

    def aggregate(self, node: Aggregate, outer: Scopes) -> str:
        if self.dialect == "spark" and () in (node.grouping_sets or ()):
            raise FragmentError("Spark gives no row for the grouping by no key of no rows")
        calls = [call for call in node.calls if isinstance(call, AggregateCall)]
        operands = [*node.keys, *(operand for call in calls for operand in call.operands)]
        inner, alias = self.below(node.input, operands, outer)
        columns = iter(f"{alias}.d{index}" for index in range(len(operands)))
        keys = [next(columns) for _ in node.keys]
        used = {key for grouping in node.groupings for key in grouping}
        parts = [
            key if index in used else f"CAST(NULL AS {type_text(node.keys[index].type, self.dialect)})"
            for index, key in enumerate(keys)
        ]
        for call in node.calls:
            if isinstance(call, GroupingCall):
                if not used.issuperset(call.keys):
                    raise FragmentError("GROUPING of a key that no grouping has is not printed")
                parts.append(self.grouping([keys[key] for key in call.keys]))
            else:
                parts.append(self.call(call, [next(columns) for _ in call.operands]))
        sets = [f"({', '.join(keys[key] for key in grouping)})" for grouping in node.grouping_sets or ()]
        by = f"GROUPING SETS ({', '.join(sets)})" if node.grouping_sets is not None else ", ".join(keys)
        grouped = f" GROUP BY {by}" if by else "" if parts else " HAVING COUNT(*) >= 0"
        return self.select(parts, f" FROM {inner} AS {alias}{grouped}")

    def grouping(self, keys: list[str]) -> str:
        name = "grouping_id" if self.dialect == "spark" else "GROUPING"
        return f"CAST({name}({', '.join(keys)}) AS BIGINT)"

    def call(self, call: AggregateCall, operands: list[str]) -> str:
        if call.opaque:
            raise FragmentError(f"the aggregate {call.function} is not printed")
        arguments = operands[: len(call.arguments)]
        inside = f"{'DISTINCT ' * call.distinct}{', '.join(arguments) or '*'}"
        if call.function == "count" and len(arguments) > 1 and self.dialect == "duckdb":
            known = " AND ".join(f"{part} IS NOT NULL" for part in arguments)
            inside = f"{'DISTINCT ' * call.distinct}CASE WHEN {known} THEN ({', '.join(arguments)}) END"
        text = f"{call.function.upper()}({inside})"
        if call.filter is not None:
            text += f" FILTER (WHERE {operands[len(call.arguments)]})"
        if call.rounding not in (None, "exact"):
            raise FragmentError("an average that is rounded is not printed")
        return text

    def window(self, node: Window, outer: Scopes) -> str:
        operands = [operand for call in node.calls for operand in call.operands]
        inner, alias = self.below(node.input, operands, outer)
        columns = iter(f"{alias}.d{index}" for index in range(len(operands)))
        parts = [f"{alias}.c{index}" for index in range(len(node.input.columns))]
        parts += [self.window_call(call, [next(columns) for _ in call.operands]) for call in node.calls]
        return self.select(parts, f" FROM {inner} AS {alias}")

    def window_call(self, call: WindowCall, operands: list[str]) -> str:
        arguments = len(operands) - len(call.partition) - len(call.order)
        if isinstance(call.call, AggregateCall):
            text = self.call(call.call, operands[:arguments])
        else:
            shown = operands[:arguments]
            for index, part in enumerate(call.call.arguments):
                if index == NUMBERED.get(call.call.function) and isinstance(part, Literal):
                    shown[index] = str(part.value)
            text = f"{call.call.function.upper()}({', '.join(shown)})"
        partition = operands[arguments : arguments + len(call.partition)]
        keys = operands[arguments + len(call.partition) :]
        over = [f"PARTITION BY {', '.join(partition)}"] if partition else []
        over += [self.order(call.order, keys).strip()] if keys else []
        over += [_frame(call.frame)] if call.frame is not None else []
        return f"{text} OVER ({' '.join(over)})"

    def ordered(self, query: Query, order: Sequence[OrderKey], outer: Scopes) -> tuple[str, str, tuple[str, ...], str]:
        """The query with its order keys in parentheses, an alias, what its columns are called, and ORDER BY."""
        if not order:
            return *self.source(query, outer), ""
        inner, alias = self.below(query, [key.expression for key in order], outer)
        keys = [f"{alias}.d{index}" for index in range(len(order))]
        return inner, alias, self.row(alias, query), self.order(order, keys)

    def order(self, order: Sequence[OrderKey], keys: Sequence[str]) -> str:
        parts = [
            f"{text} {'DESC' if key.descending else 'ASC'} NULLS {'FIRST' if key.nulls_first else 'LAST'}"
            for key, text in zip(order, keys, strict=True)
        ]
        return f" ORDER BY {', '.join(parts)}"

    def expression(self, expression: Expression, scopes: Scopes) -> str:
        """The expression, in parentheses if it has parts."""

        def text(part: Expression) -> str:
            return self.expression(part, scopes)

        match expression:
            case Literal(value, type_):
                return value_text(value, type_, self.dialect)
            case Reference(level, index):
                return scopes[level][index]
            case Arithmetic(_, left, right):
                return self.arithmetic(expression, text(left), text(right))
            case Divide(left, right, _, _) | Remainder(left, right, _, _):
                return self.division(expression, text(left), text(right))
            case Cast(operand, type_):
                return f"CAST({text(operand)} AS {type_text(type_, self.dialect)})"
            case Function():
                return self.function(expression, [text(argument) for argument in expression.arguments])
            case Comparison(operator, left, right):
                shown = _OPERATORS[operator][self.dialect] if operator in _OPERATORS else operator
                return f"({text(left)} {shown} {text(right)})"
            case And(operands):
                return f"({' AND '.join(map(text, operands)) or 'TRUE'})"
            case Or(operands):
                return f"({' OR '.join(map(text, operands)) or 'FALSE'})"
            case Not(operand):
                return f"(NOT {text(operand)})"
            case IsNull(operand):
                return f"({text(operand)} IS NULL)"
            case Case(branches, default):
                cases = " ".join(f"WHEN {text(condition)} THEN {text(value)}" for condition, value in branches)
                return f"(CASE {cases} ELSE {text(default)} END)" if cases else text(default)
            case Exists(query):
                return f"EXISTS ({self.query(query, scopes)})"
            case ForSome("=", expressions, query):
                row = ", ".join(map(text, expressions))
                return f"({f'({row})' if len(expressions) > 1 else row} IN ({self.query(query, scopes)}))"
            case ForSome(operator, (operand,), query) if operator != "<=>":
                return f"({text(operand)} {operator} ANY ({self.query(query, scopes)}))"
            case ForSome():
                raise FragmentError("a null-safe comparison with a quantifier is not printed")
            case ScalarSubquery(query):
                return f"({self.query(query, scopes)})"
            case _:
                assert_never(expression)

    def arithmetic(self, node: Arithmetic, left: str, right: str) -> str:
        """Dates count days by INT; results keep their types."""
        types = node.left.type, node.right.type
        if types == (DATE, DATE):
            return (
                f"CAST({f'({left} - {right})' if self.dialect == 'duckdb' else f'DATEDIFF({left}, {right})'} AS BIGINT)"
            )
        if node.type == DATE:
            left, right = (
                f"CAST({text} AS INT)" if type_ == INTEGER else text
                for text, type_ in zip((left, right), types, strict=True)
            )
        return f"CAST(({left} {node.operator} {right}) AS {type_text(node.type, self.dialect)})"

    def division(self, node: Divide | Remainder, left: str, right: str) -> str:
        if node.on_zero == "null":
            right = f"NULLIF({right}, 0)"
        if isinstance(node, Remainder):
            if node.rounding != "truncate":
                raise FragmentError("a remainder of a quotient that is rounded down is not printed")
            return f"({left} % {right})"
        if node.rounding == "truncate" and node.left.type == INTEGER:
            return f"({left} {'//' if self.dialect == 'duckdb' else 'DIV'} {right})"
        if node.rounding == "exact":
            return f"({left} / {right})"
        raise FragmentError(f"a division that rounds by {node.rounding} is not printed")

    def function(self, node: Function, arguments: list[str]) -> str:
        match node.name:
            case "LIKE" | "||":
                return f"({arguments[0]} {node.name} {arguments[1]})"
            case "LIKE ESCAPE":
                return f"({arguments[0]} LIKE {arguments[1]} ESCAPE {arguments[2]})"
            case name if name == CHOICE:  # the same for all rows: engines need not know more
                return arguments[0]
            case "UPPER" | "LOWER" | "LENGTH":
                return f"{node.name}({', '.join(arguments)})"
            case "SUBSTRING" | "LEFT" | "RIGHT":
                numbers = [f"CAST({number} AS INT)" for number in arguments[1:]]
                return f"{node.name}({', '.join([arguments[0], *numbers])})"
            case "YEAR" | "MONTH" | "DAY" | "QUARTER":
                return f"CAST({node.name}({arguments[0]}) AS BIGINT)"
            case _:
                raise FragmentError(f"the function {node.name} is not printed")


def _frame(frame: Frame) -> str:
    def end(distance: int | None, unbounded: str) -> str:
        if distance is None:
            return f"UNBOUNDED {unbounded}"
        if distance == 0:
            return "CURRENT ROW"
        return f"{abs(distance)} {'PRECEDING' if distance < 0 else 'FOLLOWING'}"

    return f"{frame.unit.upper()} BETWEEN {end(frame.start, 'PRECEDING')} AND {end(frame.end, 'FOLLOWING')}"
