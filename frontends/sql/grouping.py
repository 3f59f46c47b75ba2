"""GROUP BY: the keys, the grouping sets, and what the clauses after it see of a group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Final

from sqlglot import exp
from tallystick.core.queries.calls import AggregateCall, GroupingCall
from tallystick.core.queries.expressions import Comparison, Expression, Reference
from tallystick.core.queries.syntax import Aggregate, Filter, Project, Query, reference
from tallystick.core.queries.types import ColumnType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.aggregates import (
    GROUPING,
    aggregate_call,
    aggregate_nodes,
    as_declared,
    defined,
    read_call,
)
from tallystick.frontends.sql.coercion import SAY_BINARY, collated, typed
from tallystick.frontends.sql.determined import ONE_OF_THE_VALUES, determined_columns
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.literals import integer
from tallystick.frontends.sql.nulls import UntypedNull, Value
from tallystick.frontends.sql.ordinals import ordinal
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.scopes import Name, Relation, Scope, positions, row_of, unwrapped

LARGEST_NUMBER_OF_SETS: Final = 256
COUNT: Final = AggregateCall("count")


@dataclass
class Groups:
    """The groups of a query: implements `expressions.Calls`.

    Attributes:
        rows: the expressions over the rows that are grouped.
        keys: the keys, different from each other, and the nodes that they were read from.
        grouping_sets: positions of keys, or None.
        calls: the aggregate calls, in the order of their columns.
    """

    rows: Expressions
    keys: tuple[Expression, ...]
    nodes: tuple[exp.Expr, ...]
    grouping_sets: tuple[tuple[int, ...], ...] | None
    calls: list[AggregateCall | GroupingCall] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rows.place = "an aggregate"
        self._grouped = Aggregate(self._input, self.keys, (), self.grouping_sets)
        columns = zip(self.keys, self.nodes, strict=True)
        simple = {type(node) for key, node in columns if isinstance(key, Reference)} & {exp.Column}
        self._compound = tuple({type(node) for node in self.nodes} - simple - {exp.Literal})

    @property
    def _input(self) -> Query:
        return self.rows.scope.relation.query

    @property
    def query(self) -> Query:
        """The groups, with all calls that were met."""
        calls = tuple(self.calls)
        omits_empty = self.rows.reading.dialect.name in ("spark", "databricks", "mysql")
        if omits_empty and self.grouping_sets is not None and () in self.grouping_sets:
            return _without_empty(Aggregate(self._input, self.keys, (*calls, COUNT), self.grouping_sets))
        return Aggregate(self._input, self.keys, calls, self.grouping_sets)

    @property
    def scope(self) -> Scope:
        """The scope of the clauses after GROUP BY: the keys have names, other columns may not be read."""
        relation = self.rows.scope.relation
        names = [Name("") for _ in self.keys]
        rest: list[Name] = []
        for index, name in enumerate(relation.names):
            key = _position(self.keys, relation.column(index))
            if name.untyped:
                rest.append(name)
            elif key is None or names[key].name:
                hint = SAY_BINARY if key is None and self._is_collated(relation.column(index)) else ""
                note = hint if key is None else name.note
                rest.append(replace(name, readable=key is not None, same_as=key, note=note))
            else:
                names[key] = name
        return Scope(Relation(self._grouped, (*names, *rest)), self.rows.scope.around)

    def _is_collated(self, value: Value) -> bool:
        """Whether the rows are grouped by what a text is compared by, which several texts may have in common."""
        return not isinstance(value, UntypedNull) and collated(self.rows.reading, value) in self.keys

    def value_of(self, node: exp.Expr) -> Expression | None:
        """The value of an aggregate call, of GROUPING or of a key; None for other expressions."""
        definition = defined(self.rows, node)
        if definition is not None:
            return Expressions(self.rows.reading, self.scope, self.rows.tables, calls=self).typed(definition)
        some = node.this if isinstance(node, exp.IgnoreNulls) else node
        if isinstance(some, ONE_OF_THE_VALUES) and (key := self._only_value(some)) is not None:
            if some is not node:
                with self.rows.reading.parts(node) as nulls:
                    assert nulls.this is some
            return key
        if aggregate_call(node) is not None:
            return as_declared(self.rows, node, self._call(read_call(self.rows, node)))
        if isinstance(node, GROUPING):
            return self._call(self._grouping(node))
        if not isinstance(node, self._compound) or next(aggregate_nodes(node), None) is not None:
            return None
        try:
            key = _position(self.keys, typed(self.rows.read(node)))
        except SourceError:
            return None
        return None if key is None else self.key(key)

    def key(self, position: int) -> Reference:
        """The value of a key in the row of a group."""
        column = self._grouped.columns[position]
        return Reference(0, position, column.type, column.nullable)

    def _only_value(self, node: exp.Expr) -> Reference | None:
        """What ANY_VALUE and the like return of a key."""
        others = any(value for part, value in node.args.items() if part != "this")
        if self.grouping_sets is not None or others or isinstance(node.this, exp.HavingMax):
            return None
        with self.rows.reading.parts(node) as parts:
            key = _position(self.keys, self.rows.read(parts.this))
        return None if key is None else self.key(key)

    def _call(self, call: AggregateCall | GroupingCall) -> Expression:
        if call not in self.calls:
            self.calls.append(call)
        position = len(self.keys) + self.calls.index(call)
        column: ColumnType = call.column_of(() in self._grouped.groupings)
        return Reference(0, position, column.type, column.nullable)

    def _grouping(self, node: exp.Expr) -> GroupingCall:
        reading = self.rows.reading
        with reading.parts(node) as parts:
            columns = parts.expressions
        found = []
        for each in columns:
            key = _position(self.keys, typed(self.rows.read(each)))
            if key is None:
                raise reading.error(each, f"{each.sql()} is not in GROUP BY")
            found.append(key)
        return GroupingCall(tuple(found) if found else tuple(range(len(self.keys))))


def _without_empty(groups: Aggregate) -> Query:
    """Spark and MySQL return no row for the grouping set () of no rows, unless there are no grouping sets."""
    last = len(groups.columns) - 1
    some = Comparison(">", reference(groups, last), integer(0))
    rows = Filter(groups, some)
    return Project(rows, tuple(reference(rows, index) for index in range(last)))


def _position(values: Sequence[Expression], value: Value) -> int | None:
    return next((index for index, each in enumerate(values) if each == value), None)


Items = Sequence[tuple[str, exp.Expr | Value]]
"""The SELECT list: names, and nodes or the values that `*` stands for."""


def read_groups(rows: Expressions, group: exp.Group | None, items: Items, after: Iterable[exp.Expr]) -> Groups:
    """The groups of a query, without GROUP BY one; `after` is what is read of them."""
    if group is None:
        return Groups(rows, (), (), None)
    rows.place = "GROUP BY"
    reader = _Keys(rows, items)
    with rows.reading.parts(group) as parts:
        groups = reader.all_of_the_list() if reader.is_all(parts) else reader.read(parts)
    if groups.grouping_sets is not None:
        return groups
    for value, node in determined_columns(rows, groups.keys, after):
        reader.add(value, node)
    return Groups(rows, tuple(reader.keys), tuple(reader.nodes), None)


@dataclass
class _Keys:
    rows: Expressions
    items: Items
    keys: list[Expression] = field(default_factory=list)
    nodes: list[exp.Expr] = field(default_factory=list)

    def all_of_the_list(self) -> Groups:
        """GROUP BY ALL: the items without aggregates."""
        for _, item in self.items:
            if isinstance(item, exp.Expr) and next(aggregate_nodes(item), None) is None:
                self.key(item)
            elif not isinstance(item, exp.Expr):
                self.add(typed(item), exp.column("*"))
        return Groups(self.rows, tuple(self.keys), tuple(self.nodes), None)

    def is_all(self, group: Parts) -> bool:
        """Whether a clause is GROUP BY ALL alone; ALL before a list changes nothing, where a dialect knows it."""
        given = group.args.get("all")
        if given is False and self.rows.reading.dialect.name != "postgres":
            hint = "write the grouping sets that are different"
            raise self.rows.reading.error(group, "GROUP BY DISTINCT is not understood in this dialect", hint)
        listed = any(group.args.get(part) for part in ("expressions", "grouping_sets", "cube", "rollup"))
        if given and listed and self.rows.reading.dialect.name != "postgres":
            raise self.rows.reading.error(group, "GROUP BY ALL with a list is not understood", "leave ALL out")
        if given and not listed and self.rows.reading.dialect.name in ("postgres", "mysql", "calcite"):
            raise self.rows.reading.error(group, "GROUP BY ALL is not understood in this dialect", "list the columns")
        return bool(given) and not listed

    def read(self, group: Parts) -> Groups:
        """The keys and grouping sets that the clause lists; `()` is the grouping by no key."""
        empty = [each for each in group.expressions if isinstance(each, exp.Tuple) and not each.expressions]
        if empty and self.rows.reading.dialect.name in ("spark", "databricks"):
            hint = "leave it out, or write GROUPING SETS (())"
            raise self.rows.reading.error(empty[0], "Spark has no GROUP BY ()", hint)
        rows = () if not self.rows.reading.dialect.groups_by_rows else (exp.Tuple,)
        keys = [
            part
            for each in group.expressions
            if each not in empty
            for part in (self._items(each) if isinstance(each, rows) else [each])
        ]
        plain = [each for each in keys if not isinstance(each, exp.GroupingSets | exp.Rollup | exp.Cube)]
        for each in empty:
            row_of(self.rows.reading, each)
        special = [each for each in group.expressions if isinstance(each, exp.GroupingSets | exp.Rollup | exp.Cube)]
        listed = [each for part in ("grouping_sets", "rollup", "cube") for each in group.args.get(part) or []]
        if listed and plain and group.args.get("all") is not False:
            return self._with_plain_list(group, plain, listed)
        base = tuple(self.key(each) for each in plain)
        alternatives = [self._sets(each) for each in (*special, *listed)]
        if not alternatives:
            return Groups(self.rows, tuple(self.keys), tuple(self.nodes), None)
        sets = tuple(
            tuple(dict.fromkeys((*base, *(key for part in choice for key in part))))
            for choice in product(*alternatives)
        )
        if group.args.get("all") is False:  # GROUP BY DISTINCT
            sets = tuple({frozenset(each): each for each in reversed(sets)}.values())[::-1]
        if len(sets) > LARGEST_NUMBER_OF_SETS:
            raise self.rows.reading.error(group, f"there are more than {LARGEST_NUMBER_OF_SETS} grouping sets")
        return Groups(self.rows, tuple(self.keys), tuple(self.nodes), sets)

    def _with_plain_list(self, group: Parts, plain: list[exp.Expr], listed: list[exp.Expr]) -> Groups:
        """`GROUP BY a, b WITH ROLLUP` and `GROUP BY a, b GROUPING SETS (…)`."""
        [special, *more] = listed
        if more:
            raise self.rows.reading.error(group, "this GROUP BY is not understood", "write one list of GROUPING SETS")
        if isinstance(special, exp.Rollup | exp.Cube) and not special.expressions:
            with self.rows.reading.parts(special):
                special = type(special)(expressions=plain)
        elif self.rows.reading.dialect.name not in ("spark", "databricks"):
            base = tuple(self.key(each) for each in plain)
            sets = tuple(tuple(dict.fromkeys((*base, *each))) for each in self._sets(special))
            return Groups(self.rows, tuple(self.keys), tuple(self.nodes), sets)
        for each in plain:
            self.key(each)
        return Groups(self.rows, tuple(self.keys), tuple(self.nodes), tuple(self._sets(special)))

    def _sets(self, node: exp.Expr) -> list[tuple[int, ...]]:
        with self.rows.reading.parts(node) as opened:
            listed = opened.expressions
        if any(isinstance(part, exp.GroupingSets | exp.Rollup | exp.Cube) for part in listed):
            raise self.rows.reading.error(node, "grouping sets inside grouping sets are not understood")
        parts = [tuple(self.key(each) for each in self._items(part)) for part in listed]
        match node:
            case exp.Rollup():
                chosen = [parts[:size] for size in range(len(parts), -1, -1)]
            case exp.Cube():
                sizes = range(len(parts), -1, -1)
                chosen = [list(choice) for size in sizes for choice in combinations(parts, size)]
            case _:
                chosen = [[part] for part in parts]
        return [tuple(dict.fromkeys(key for part in choice for key in part)) for choice in chosen]

    def key(self, node: exp.Expr) -> int:
        """The position of a key, which is added if it is new."""
        node = unwrapped(self.rows.reading, node)
        meant = self._meant(node)
        if not isinstance(meant, exp.Expr):
            return self.add(collated(self.rows.reading, typed(meant)), node)
        misplaced = next(aggregate_nodes(meant), None)
        if misplaced is not None:
            raise self.rows.reading.error(node, "an aggregate may not stand in GROUP BY")
        return self.add(collated(self.rows.reading, typed(self.rows.read(meant))), meant)

    def add(self, value: Expression, node: exp.Expr) -> int:
        """The position of a key with a value, which is added if it is new."""
        position = _position(self.keys, value)
        if position is None:
            position = len(self.keys)
            self.keys.append(value)
            self.nodes.append(node)
        return position

    def _meant(self, node: exp.Expr) -> exp.Expr | Value:
        """What a position or a name of the SELECT list stands for."""
        reading = self.rows.reading
        if not reading.dialect.group_by_names:
            return node
        if (listed := ordinal(reading, node, len(self.items))) is not None:
            return self.items[listed][1]
        name = reading.bare(node)
        if name is None:
            return node
        named = [item for item_name, item in self.items if item_name == name]
        is_column = bool(positions(self.rows.scope.relation, name, ()))
        prefers_list = reading.dialect.name == "bigquery"
        if not named or (is_column and not prefers_list):
            return node
        if any(item != named[0] for item in named):
            raise reading.error(node, f"{name} names several columns of the SELECT list")
        return named[0]

    def _items(self, node: exp.Expr) -> list[exp.Expr]:
        return row_of(self.rows.reading, node) if isinstance(node, exp.Tuple) else [node]
