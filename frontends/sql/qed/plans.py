"""Plans as queries: scan, filter, project, join, correlate, group, sort, values and set operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.expressions import Case, Expression, IsNull, Literal, Not, ScalarSubquery
from tallystick.core.queries.syntax import (
    UNIT,
    Aggregate,
    Distinct,
    Filter,
    Join,
    JoinKind,
    Limit,
    Project,
    Query,
    SetOperation,
    Statement,
    Values,
    reference,
    references,
)
from tallystick.core.queries.types import INTEGER, ColumnType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.coercion import common_type, convert
from tallystick.frontends.sql.literals import truth
from tallystick.frontends.sql.qed.aggregates import read_call
from tallystick.frontends.sql.qed.expressions import PlanExpressions
from tallystick.frontends.sql.qed.functions import Names
from tallystick.frontends.sql.qed.groupings import Grouping
from tallystick.frontends.sql.qed.values import CALCITE, NODE, PlanReading, PlanSource, Rows, carried_type, member
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.scopes import QueryReading
from tallystick.frontends.sql.source import LONGEST_NUMBER

KINDS: Final[dict[str, JoinKind]] = {
    "INNER": "inner",
    "LEFT": "left",
    "RIGHT": "right",
    "FULL": "full",
    "SEMI": "semi",
    "ANTI": "anti",
}


class PlanReader:
    """Reads the nodes of one plan.

    Attributes:
        groupings: what the text of the plan says of its groups, in the order in which they are met; None if it is not
            known.
    """

    def __init__(self, groupings: Sequence[Grouping] | None = None) -> None:
        self.groupings = None if groupings is None else list(groupings)

    def read(self, plan: PlanReading, data: Any, rows: Rows) -> Query:
        """The query that a node of a plan stands for; raises SourceError if it is not understood."""
        if not isinstance(data, dict) or len(data) != 1:
            raise plan.error("a node of the plan is not understood")
        [(kind, body)] = data.items()
        match kind:
            case "scan":
                return plan.tables[int(body)].scan()
            case "filter":
                source = self.read(plan, member(body, "source"), rows)
                return Filter(source, self._over(plan, rows, source).condition(member(body, "condition")))
            case "project":
                source = self.read(plan, member(body, "source"), rows)
                over = self._over(plan, rows, source)
                return Project(source, tuple(over.read(each) for each in member(body, "target")))
            case "join" | "correlate":
                return self._join(plan, body, rows, lateral=kind == "correlate")
            case "group":
                return self._group(plan, body, rows)
            case "sort":
                return self._sort(plan, body, rows)
            case "values":
                return self._values(plan, body, rows)
            case "distinct":
                return Distinct(self.read(plan, body, rows))
            case "union" | "intersect" | "except":
                return self._set_operation(plan, kind, body, rows)
            case _:
                raise plan.error(f"the node {kind} is not understood")

    def _over(self, plan: PlanReading, rows: Rows, source: Query) -> PlanExpressions:
        return PlanExpressions(plan, rows.inside(source.columns), self.read)

    def _join(self, plan: PlanReading, body: Any, rows: Rows, lateral: bool) -> Query:
        kind = KINDS.get(str(body.get("kind", "INNER")))
        if kind is None:
            raise plan.error(f"a {body.get('kind')} join is not understood")
        left = self.read(plan, member(body, "left"), rows)
        right = self.read(plan, member(body, "right"), rows.inside(left.columns) if lateral else rows)
        both = Rows((*rows.rows, (*left.columns, *right.columns)))
        given = body.get("condition")
        condition = truth(True) if given is None else PlanExpressions(plan, both, self.read).condition(given)
        return Join(kind, left, right, condition, lateral)

    def _group(self, plan: PlanReading, body: Any, rows: Rows) -> Query:
        grouping = self.groupings.pop(0) if self.groupings else None
        source = self.read(plan, member(body, "source"), rows)
        over = self._over(plan, rows, source)
        keys = tuple(over.read(each) for each in member(body, "keys"))
        functions = member(body, "function")
        if any(member(each, "operator") == "SINGLE_VALUE" for each in functions):
            return self._single_value(plan, source, over, keys, functions)
        filters = [None] * len(functions) if grouping is None else grouping.conditions(over, len(functions))
        constants = (None,) * len(functions) if grouping is None else grouping.constants
        calls = tuple(
            read_call(over, each, keys, condition, constant)
            for each, condition, constant in zip(functions, filters, constants, strict=True)
        )
        sets = None if grouping is None else grouping.sets(over, keys)
        grouped = Aggregate(source, keys, calls, sets)
        zeros = [member(each, "operator") == "$SUM0" for each in functions]
        return _with_zeros(plan, grouped, len(keys), zeros) if any(zeros) else grouped

    def _single_value(
        self, plan: PlanReading, source: Query, over: PlanExpressions, keys: tuple[Expression, ...], functions: Any
    ) -> Query:
        """SINGLE_VALUE of all rows: a scalar subquery."""
        if keys or len(functions) != 1 or source.free:
            raise plan.error("SINGLE_VALUE is understood without groups and correlation only")
        value = over.read(member(functions[0], "operand")[0])
        return Project(UNIT, (ScalarSubquery(Project(source, (value,))),))

    def _sort(self, plan: PlanReading, body: Any, rows: Rows) -> Query:
        source = self.read(plan, member(body, "source"), rows)
        count, offset = _number(plan, body.get("limit")), _number(plan, body.get("offset"))
        if count is None and not offset:
            return source
        if count == 0:
            return Values((), source.columns)
        return Limit(source, order_keys(plan, source, body.get("collation") or []), count, offset or 0)

    def _values(self, plan: PlanReading, body: Any, rows: Rows) -> Query:
        over = PlanExpressions(plan, rows.inside(()), self.read)
        content = [[over.read(each) for each in row] for row in member(body, "content")]
        types = [carried_type(name) for name in member(body, "schema")]
        converted = [
            tuple(convert(plan.reading, each, to, NODE) for each, to in zip(row, types, strict=True)) for row in content
        ]
        if not converted:
            return Values((), tuple(ColumnType(each, True) for each in types))
        if not types:
            return Values(tuple(() for _ in converted), ())
        query: Query = Project(UNIT, converted[0])
        for row in converted[1:]:
            query = SetOperation("union", True, query, Project(UNIT, row))
        return query

    def _set_operation(self, plan: PlanReading, kind: Any, body: Any, rows: Rows) -> Query:
        """UNION keeps duplicates, unless it stands below `distinct`; INTERSECT and EXCEPT are those of sets."""
        first, *rest = (self.read(plan, each, rows) for each in body)
        for each in rest:
            left, right = aligned(plan, first, each)
            first = SetOperation(kind, kind == "union", left, right)
        return first


def _with_zeros(plan: PlanReading, grouped: Aggregate, width: int, zeros: Sequence[bool]) -> Query:
    """$SUM0 is 0 where SUM is NULL."""
    columns = list[Expression](references(grouped))
    for index, zero in enumerate(zeros, start=width):
        if zero:
            column = columns[index]
            nothing = convert(plan.reading, Literal(0, INTEGER), column.type, NODE)
            columns[index] = Case(((Not(IsNull(column)), column),), nothing)
    return Project(grouped, tuple(columns))


def _number(plan: PlanReading, data: Any) -> int | None:
    if data is None:
        return None
    text = str(member(data, "operator"))
    if not text.isdecimal() or len(text) > LONGEST_NUMBER:
        raise plan.error(f"the number of rows {text} is not understood")
    return int(text)


def order_keys(plan: PlanReading, source: Query, collation: Sequence[Any]) -> tuple[OrderKey, ...]:
    """The order of a sort; NULL counts as the largest value."""
    keys = []
    for column, _, direction in collation:
        descending = str(direction).upper().startswith("DESC")
        keys.append(OrderKey(reference(source, int(column)), descending, descending))
    return tuple(keys)


def aligned(plan: PlanReading, left: Query, right: Query) -> tuple[Query, Query]:
    """Two queries with their columns converted to common types."""
    if len(left.columns) != len(right.columns):
        raise plan.error(f"results of {len(left.columns)} and {len(right.columns)} columns meet")
    pairs = list(zip(references(left), references(right), strict=True))
    types = [common_type(plan.reading, pair, NODE) for pair in pairs]
    sides = []
    for side in (left, right):
        columns = references(side)
        converted = tuple(
            each if to is None else convert(plan.reading, each, to, NODE)
            for each, to in zip(columns, types, strict=True)
        )
        sides.append(side if converted == columns else Project(side, converted))
    return sides[0], sides[1]


def read_tables(data: Any, name: str) -> tuple[Table, ...]:
    """The tables of a plan, in the order in which scans number them; equal names get a number."""
    tables: list[Table] = []
    for each in member(data, "tables"):
        columns = tuple(
            Column(str(column["name"]), carried_type(column["type"]), bool(column.get("nullable", True)))
            for column in member(each, "columns")
        )
        keys = tuple(dict.fromkeys(tuple(int(index) for index in key) for key in each.get("keys") or [] if key))
        if each.get("guaranteed"):
            raise SourceError("conditions that a table guarantees are not understood", name)
        table = Table(str(member(each, "name")), columns, keys)
        taken = [other for other in tables if other.name == table.name]
        if taken and taken[0] != table:
            table = replace(table, name=f"{table.name} {len(tables)}")
        tables.append(table)
    return tuple(tables)


def read_plans(
    schema: Any,
    plans: tuple[Any, Any],
    name: str,
    groupings: tuple[list[Grouping] | None, list[Grouping] | None],
    names: tuple[Names, Names],
) -> tuple[Statement, Statement, Catalogue]:
    """Two plans over the tables of one schema, as statements. Raises SourceError where one is not understood."""
    tables = read_tables(schema, name)
    catalogue = Catalogue(tuple(dict.fromkeys(tables)))
    reading = QueryReading(PlanSource("", name), CALCITE, Schema(catalogue), exact_floats=True)
    queries = [
        PlanReader(known).read(PlanReading(tables, reading, told), data, Rows(()))
        for data, known, told in zip(plans, groupings, names, strict=True)
    ]
    left, right = aligned(PlanReading(tables, reading), queries[0], queries[1])
    columns = tuple(f"column {index + 1}" for index in range(len(left.columns)))
    return Statement(left, columns), Statement(right, columns), catalogue
