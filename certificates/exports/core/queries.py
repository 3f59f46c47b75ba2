"""Queries in the core language (`coq/core/Core.v`): one case a construct, each with its law.

Expressions and queries are nodes of `terms`. In the core the right side of a join sees the left row, so references
to rows around it are one scope further out; what has no constructor is written out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tallystick.certificates.exports.core.terms import Node, node, value
from tallystick.core.errors import FragmentError
from tallystick.core.queries import expressions as sql
from tallystick.core.queries import syntax
from tallystick.core.queries.calls import (
    AggregateCall,
    Frame,
    GroupingCall,
    OrderKey,
    WindowCall,
    WindowFunction,
)
from tallystick.core.queries.constructs.limits import without_limit
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    MICROSECONDS_A_DAY,
    ORDERED_ONLY,
    TEXT,
    TIMESTAMP,
    SqlType,
)

Place = Callable[[int], tuple[int, int]]
"""Of a column of a row: the scope that holds it, counted from the outermost, and its column there."""


def lacking(construct: str) -> FragmentError:
    """The refusal of a construct, by its name."""
    return FragmentError(f"the core language in Coq has no {construct}")


def kind(of: SqlType) -> str:
    """What Coq calls a type: dates, timestamps and intervals are whole numbers."""
    if of in ORDERED_ONLY:
        return "Others"
    return {BOOLEAN: "Core.Truths", TEXT: "Texts", DECIMAL: "Decimals"}.get(of, "Integers")


def column(index: int, scope: int = 0) -> Node:
    """A column of the row that is so many scopes out."""
    return node("Column", scope, index)


def constant(given: bool | int | Fraction | str | None) -> Node:
    """A constant."""
    return node("Constant", value(given))


TRUE, FALSE, NULL = constant(True), constant(False), constant(None)
COUNT_ALL = node("call", node("Count"), False, TRUE, ())


def negated(of: Node) -> Node:
    """NOT."""
    return node("Negated", of)


def compare(operator: str, left: Node, right: Node) -> Node:
    """A comparison: orders are total, and NULL stays NULL."""
    match operator:
        case "=" | "<>":
            equal = node("Compare", node("Equal"), left, right)
            return equal if operator == "=" else negated(equal)
        case "<=>":
            return node("Compare", node("Same"), left, right)
        case "<" | ">=":
            less = node("Compare", node("Less"), left, right)
            return less if operator == "<" else negated(less)
        case _:
            return compare({">": "<", "<=": ">="}[operator], right, left)


def joined(constructor: str, parts: Sequence[Node], none: Node) -> Node:
    """Several conditions by AND or OR."""
    if not parts:
        return none
    first, *others = parts
    for other in others:
        first = node(constructor, first, other)
    return first


def some_row(condition: Node, query: Node) -> Node:
    """The disjunction of a condition over rows: true for some, else NULL for some, else false."""
    found, unknown = (node("Exists", node("Filter", each, query)) for each in (condition, node("IsNull", condition)))
    return node("When", found, TRUE, node("When", unknown, NULL, FALSE))


def below_zero(of: Node) -> Node:
    return compare("<", of, constant(0))


def quotient(rounding: str, left: Node, right: Node) -> Node:
    """A division; by zero NULL. Towards zero is down of what is not negative."""
    if rounding == "exact":
        return node("Quotient", node("Exact"), left, right)
    down = node("Quotient", node("Down"), left, right)
    if rounding == "floor":
        return down
    opposite = node("Quotient", node("Down"), minus(left), right)
    return node("When", below_zero(node("Quotient", node("Exact"), left, right)), minus(opposite), down)


def precedes(keys: Sequence[tuple[Node, Node, bool, bool]]) -> Node:
    """Whether the first row comes before the second in an order: never NULL."""
    result = FALSE
    for one, other, descending, nulls_first in reversed(keys):
        less = compare("<", *((other, one) if descending else (one, other)))
        last = node("When", node("IsNull", other), constant(not nulls_first), less)
        first = node(
            "When", node("IsNull", one), node("Both", constant(nulls_first), negated(node("IsNull", other))), last
        )
        result = node("Either", first, node("Both", compare("<=>", one, other), result))
    return result


def minus(of: Node) -> Node:
    """The negative of a number."""
    return node("Times", constant(-1), of)


MOST_NODES = 20_000
"""How many nodes a query may have, written out: parts that it shares are written as often as they are used."""


@dataclass
class Length:
    """How many nodes were written out."""

    nodes: int = 0

    def grow(self) -> None:
        """One more node; raises FragmentError when they are too many."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise FragmentError("the query is too long to be spelt out in Coq")


Sort = tuple[tuple[sql.Expression, ...], tuple[OrderKey, ...]]
"""The keys of partitions, and those of the order in them."""


@dataclass(frozen=True)
class Elaboration:
    """Where a query or an expression stands: the rows around it, the innermost first, and the number of scopes."""

    levels: tuple[Place, ...] = ()
    depth: int = 0
    length: Length = field(default_factory=Length)

    def on(self, row: Place | None = None) -> Elaboration:
        """In the scope of a row, which is the innermost unless its columns have other places."""
        depth = self.depth
        levels = (row or (lambda index: (depth, index)), *self.levels)
        return replace(self, levels=levels, depth=depth + 1)

    def beside(self, lateral: bool) -> Elaboration:
        """On the right side of a join."""
        return self.on() if lateral else replace(self, depth=self.depth + 1)

    def query(self, of: syntax.Query) -> Node:
        """A query; raises FragmentError for what the core has not, or this does not write out."""
        self.length.grow()
        match of:
            case syntax.Scan(table=table):
                return node("Scan", table)
            case syntax.Values(rows=()):
                # no rows of so many columns: in the core, its rows say how wide a list of constants is
                return node("Filter", FALSE, node("Values", (tuple(value(None) for _ in of.columns),)))
            case syntax.Values(rows=rows):
                return node("Values", tuple(tuple(map(value, row)) for row in rows))
            case syntax.Filter(input=source, condition=condition):
                return node("Filter", self.on().expression(condition), self.query(source))
            case syntax.Project(input=source, expressions=expressions):
                return node("Project", tuple(map(self.on().expression, expressions)), self.query(source))
            case syntax.Join():
                return self._join(of)
            case syntax.SetOperation():
                return self._set_operation(of)
            case syntax.Distinct(input=source):
                return node("Distinct", self.query(source))
            case syntax.Aggregate():
                return self._aggregate(of)
            case syntax.Limit():
                return self._limit(of)
            case syntax.Window():
                return self._window(of)

    def _join(self, of: syntax.Join) -> Node:
        widths = len(of.left.columns), len(of.right.columns)
        depth = self.depth
        if of.kind in ("inner", "left"):
            left, right = self.query(of.left), self.beside(of.lateral).query(of.right)
            condition = self.on().expression(of.condition)
            return (
                node("Join", condition, left, right)
                if of.kind == "inner"
                else node("LeftJoin", widths[1], condition, left, right)
            )
        if of.kind in ("semi", "anti"):
            inside = self.beside(of.lateral)
            split = replace(inside, levels=self.levels).on(
                lambda index: (depth, index) if index < widths[0] else (depth + 1, index - widths[0])
            )
            partner = node("Exists", node("Filter", split.expression(of.condition), inside.query(of.right)))
            return node("Filter", partner if of.kind == "semi" else negated(partner), self.query(of.left))
        turned = self.on(lambda index: (depth, index + widths[1] if index < widths[0] else index - widths[0]))
        swapped = (*range(widths[1], sum(widths)), *range(widths[1]))
        if of.kind == "right":
            left = node(
                "LeftJoin",
                widths[0],
                turned.expression(of.condition),
                self.query(of.right),
                self.beside(False).query(of.left),
            )
            return node("Project", tuple(map(column, swapped)), left)
        both = node(
            "LeftJoin",
            widths[1],
            self.on().expression(of.condition),
            self.query(of.left),
            self.beside(False).query(of.right),
        )
        inside = self.beside(False)
        split = inside.on(lambda index: (depth + 1, index) if index < widths[0] else (depth, index - widths[0]))
        partner = node("Exists", node("Filter", split.expression(of.condition), inside.query(of.left)))
        padded = (*[NULL] * widths[0], *map(column, range(widths[1])))
        alone = node("Project", padded, node("Filter", negated(partner), self.query(of.right)))
        return node("UnionAll", both, alone)

    def _set_operation(self, of: syntax.SetOperation) -> Node:
        if of.kind == "union":
            both = node("UnionAll", self.query(of.left), self.query(of.right))
            return both if of.all else node("Distinct", both)
        width = len(of.columns)
        alike = joined("Both", [compare("<=>", column(index), column(index, 1)) for index in range(width)], TRUE)
        partners = node("Filter", alike, self.beside(False).query(of.right))
        if not of.all:
            among = node("Exists", partners)
            return node(
                "Filter", among if of.kind == "intersect" else negated(among), node("Distinct", self.query(of.left))
            )
        columns = tuple(map(column, range(width)))
        numbered = node("Numbered", "", columns, (), self.query(of.left))
        copies = node("TheValue", node("Aggregate", (), (COUNT_ALL,), partners))
        kept = compare("<=" if of.kind == "intersect" else ">", column(width), copies)
        return node("Project", columns, node("Filter", kept, numbered))

    def _aggregate(self, of: syntax.Aggregate) -> Node:
        source, row = self.query(of.input), self.on()
        keys = tuple(map(row.expression, of.keys))
        parts = []
        for grouping in of.groupings:
            calls: list[Node] = []
            first = len(grouping)
            heads = [column(grouping.index(index)) if index in grouping else NULL for index in range(len(keys))]
            for call in of.calls:
                if isinstance(call, GroupingCall):
                    heads.append(constant(call.value(grouping)))
                else:
                    heads.append(row.call(call, first, calls))
            chosen = node("Aggregate", tuple(keys[index] for index in grouping), tuple(calls), source)
            plain = [column(index) for index in range(first + len(calls))]
            parts.append(chosen if heads == plain else node("Project", tuple(heads), chosen))
        return joined("UnionAll", parts, node("Values", ()))

    def call(self, of: AggregateCall, first: int, calls: list[Node]) -> Node:
        """An aggregate as an expression over the columns of calls, which are added."""

        def column_of(name: Node, distinct: bool, arguments: tuple[Node, ...]) -> Node:
            made = node("call", name, distinct, condition, arguments)
            if made not in calls:
                calls.append(made)
            return column(first + calls.index(made))

        condition = TRUE if of.filter is None else self.expression(of.filter)
        arguments = tuple(map(self.expression, of.arguments))
        match of.function:
            case "count" | "sum" | "min" | "max":
                name = {"count": "Count", "sum": "Sum", "min": "Least", "max": "Greatest"}[of.function]
                return column_of(node(name), of.distinct, arguments)
            case "avg":
                total, number = (column_of(node(name), of.distinct, arguments) for name in ("Sum", "Count"))
                return quotient(of.rounding or "exact", total, number)
            case _:
                directions = "".join(f" {key.descending} {key.nulls_first}" for key in of.order)
                ordered = (*arguments, *(self.expression(key.expression) for key in of.order))
                return column_of(node("OfBag", f"{of.function}{directions}"), of.distinct, ordered)

    def _window(self, of: syntax.Window) -> Node:
        """The columns of the input, and for each call its value among the rows of the partition."""
        width, inside = len(of.input.columns), replace(self.on(), levels=self.levels)
        sorts = dict.fromkeys((call.partition, call.order) for call in of.calls if call.reads_places)
        places = {sort: width + number for number, sort in enumerate(sorts)}
        source, again = (each.numbered(places, of.input) for each in (self, inside))
        values = [self._called(call, inside, again, places.get((call.partition, call.order))) for call in of.calls]
        return node("Project", (*map(column, range(width)), *values), source)

    def numbered(self, sorts: Iterable[Sort], of: syntax.Query) -> Node:
        """A query with a column for the places of its rows in each of some orders."""
        found, row = self.query(of), self.on()
        for partition, keys in sorts:
            tag, order = row.order(keys)
            found = node("Numbered", tag, tuple(map(row.expression, partition)), order, found)
        return found

    def _called(self, of: WindowCall, inside: Elaboration, again: Node, place: int | None) -> Node:
        """A window call, in the scope of the row: of the rows of its partition that its frame has.

        `again` are all rows; the column `place` has the place of each where the call reads it.
        """
        own = replace(self.on(), depth=inside.depth + 1)
        row = replace(inside, levels=self.levels).on()

        def known_to_both(each: sql.Expression) -> tuple[Node, Node]:
            return row.expression(each), own.expression(each)

        def rows_of(*more: Node) -> Node:
            alike = [compare("<=>", *known_to_both(each)) for each in of.partition]
            return node("Filter", joined("Both", [*alike, *more], TRUE), again)

        def at(operator: str, distance: int) -> Node:
            """How the place of a row of the partition compares to one at a distance from the row."""
            assert place is not None
            return compare(operator, column(place), node("Plus", column(place, 1), constant(distance)))

        keys = [(*known_to_both(key.expression), key.descending, key.nulls_first) for key in of.order]
        match of.call:
            case WindowFunction(function="row_number") if place is not None:
                return column(place)
            case WindowFunction(
                function="lag" | "lead" as function, arguments=(value_of, sql.Literal(value=int(by)), other)
            ):
                rows = rows_of(at("=", by if function == "lead" else -by))
                there = node("TheValue", node("Project", (row.expression(value_of),), rows))
                return node("When", node("Exists", rows), there, self.on().expression(other))
            case WindowFunction(function="rank" | "dense_rank" as function):
                rows = rows_of(precedes(keys))
                if function == "dense_rank":
                    rows = node(
                        "Distinct", node("Project", tuple(row.expression(key.expression) for key in of.order), rows)
                    )
                number = node("TheValue", node("Aggregate", (), (COUNT_ALL,), rows))
                return node("Plus", constant(1), number)
            case WindowFunction(function=function):
                raise lacking(f"window function {function}")
            case AggregateCall():
                pass
        match of.frame:
            case Frame(start=None, end=None):
                rows = rows_of()
            case Frame(unit="range", start=None, end=0):
                turned = [(mine, each, descending, first) for each, mine, descending, first in keys]
                rows = rows_of(negated(precedes(turned)))
            case Frame(unit="rows", start=start, end=end):
                ends = ((">=", start), ("<=", end))
                rows = rows_of(*(at(operator, by) for operator, by in ends if by is not None))
            case _:
                raise lacking("frame by differences, or of groups of peers")
        calls: list[Node] = []
        head = row.call(of.call, 0, calls)
        return node("TheValue", node("Project", (head,), node("Aggregate", (), tuple(calls), rows)))

    def _limit(self, of: syntax.Limit) -> Node:
        width, row = len(of.columns), self.on()
        if of.count == 0:
            return node("Filter", FALSE, self.query(of.input))
        if not of.cuts:
            return self.query(of.input)
        tag, order = row.order(of.order)
        numbered = node("Numbered", tag, (), order, self.query(of.input))
        bounds = [compare(">", column(width), constant(of.offset))] if of.offset else []
        if of.count is not None:
            bounds.append(compare("<=", column(width), constant(of.offset + of.count)))
        return node("Project", tuple(map(column, range(width))), node("Filter", joined("Both", bounds, TRUE), numbered))

    def order(self, keys: Sequence[OrderKey]) -> tuple[str, tuple[Node, ...]]:
        """What tells a choice from others, and the keys of an order."""
        tags = [key.expression for key in keys if sql.is_choice(key.expression)]
        plain = [key for key in keys if not sql.is_choice(key.expression)]
        return " ".join(map(str, tags)), tuple(
            node("key", self.expression(key.expression), key.descending, key.nulls_first) for key in plain
        )

    def expression(self, of: sql.Expression) -> Node:
        """An expression; raises FragmentError for what the core has not, or this does not write out."""
        self.length.grow()
        here = self.expression
        match of:
            case sql.Reference(level=level, index=index):
                scope, place = self.levels[level](index)
                return column(place, self.depth - 1 - scope)
            case sql.Literal(value=given):
                return constant(given)
            case sql.Arithmetic(operator=operator, left=left, right=right):
                if operator == "*":
                    return node("Times", here(left), here(right))
                return node("Plus", here(left), here(right) if operator == "+" else minus(here(right)))
            case sql.Divide(left=left, right=right, rounding=rounding):
                return quotient(rounding, here(left), here(right))
            case sql.Remainder(left=left, right=right, rounding=rounding):
                return node(
                    "Plus", here(left), minus(node("Times", here(right), quotient(rounding, here(left), here(right))))
                )
            case sql.Cast(operand=operand, type=of_type):
                return self._cast(operand, of_type)
            case sql.Function(name=name, arguments=arguments, type=of_type, strict=strict):
                if name == sql.CHOICE:
                    raise lacking("choice in this place")
                return node("Call", name, node(kind(of_type)), strict, tuple(map(here, arguments)))
            case sql.Comparison(operator=operator, left=left, right=right):
                return compare(operator, here(left), here(right))
            case sql.And(operands=operands):
                return joined("Both", [*map(here, operands)], TRUE)
            case sql.Or(operands=operands):
                return joined("Either", [*map(here, operands)], FALSE)
            case sql.Not(operand=operand):
                return negated(here(operand))
            case sql.IsNull(operand=operand):
                return node("IsNull", here(operand))
            case sql.Case(branches=branches, default=default):
                result = here(default)
                for condition, chosen in reversed(branches):
                    result = node("When", here(condition), here(chosen), result)
                return result
            case sql.Exists(query=query):
                return node("Exists", self.query(without_limit(query)))
            case sql.ScalarSubquery(query=query):
                return node("TheValue", self.query(query))
            case sql.ForSome(operator=operator, expressions=expressions, query=query):
                inside = replace(self, depth=self.depth + 1)
                pairs = [
                    compare(operator, inside.expression(each), column(index)) for index, each in enumerate(expressions)
                ]
                return some_row(joined("Both", pairs, TRUE), self.query(query))

    def _cast(self, operand: sql.Expression, of: SqlType) -> Node:
        given = self.expression(operand)
        if operand.type == BOOLEAN:
            return node("When", node("IsNull", given), NULL, node("When", given, constant(1), constant(0)))
        return node("Times", constant(MICROSECONDS_A_DAY), given) if (operand.type, of) == (DATE, TIMESTAMP) else given
