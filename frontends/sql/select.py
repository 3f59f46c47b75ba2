"""SELECT: from the rows of FROM to the rows of the result, clause by clause in the order of their meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from itertools import chain, count

from sqlglot import exp
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.expressions import Expression, Literal, Reference
from tallystick.core.queries.syntax import Distinct, Filter, Project, Query, Window, reference
from tallystick.core.queries.types import TEXT
from tallystick.frontends.sql.aggregates import aggregate_nodes
from tallystick.frontends.sql.coercion import collated, require_spelling, typed
from tallystick.frontends.sql.distinct_on import Keys, first_of_each, leading, partition_of
from tallystick.frontends.sql.exact_types import item_type
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.first_rows import first_rows
from tallystick.frontends.sql.grouping import Groups, read_groups
from tallystick.frontends.sql.nulls import UntypedNull, Value
from tallystick.frontends.sql.ordinals import ordinal
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.results import Result
from tallystick.frontends.sql.scopes import (
    Name,
    QueryReading,
    Relation,
    Scope,
    Tables,
    has_qualifier,
    qualifier_of,
    require_readable,
    unwrapped,
)
from tallystick.frontends.sql.tables import NOTHING, From, names_of
from tallystick.frontends.sql.type_names import TypeName
from tallystick.frontends.sql.windows import Windows, ordered

ROWS_WITHOUT_COLUMNS = frozenset({"postgres", "calcite"})
"""Dialects in which a SELECT list may be empty."""


class Select:
    """The reading of one SELECT, without WITH and LIMIT; of a SELECT list that is given, or its own."""

    def __init__(
        self,
        reading: QueryReading,
        node: Parts,
        around: Scope | None,
        tables: Tables,
        listed: list[exp.Expr] | None = None,
    ) -> None:
        self.reading = reading
        self._ignore_hint(node)
        self.listed = node.expressions if listed is None else listed
        self.node = node
        self.around = around
        self.tables = tables

    def _ignore_hint(self, node: Parts) -> None:
        """A hint changes how rows are found, not which; but one that sets a variable."""
        hint = node.args.get("hint")
        if hint is not None and "SET_VAR" in hint.sql().upper():
            raise self.reading.error(hint, "a hint that sets a variable is not understood", "compare without it")
        self.reading.covered(hint)

    def read(self) -> Result:
        """The rows of the result, in the order that ORDER BY says."""
        relation = self._rows()
        self.items = self._items(relation)
        rows = Expressions(self.reading, Scope(relation, self.around), self.tables, place="the SELECT list")
        if self.reading.dialect.where_names:
            rows.aliases, rows.several = _aliases(self.items)
        groups = self._groups(rows)
        scope = rows.scope if groups is None else groups.scope
        if groups is not None:
            for node in self._nodes():
                for call in aggregate_nodes(node):
                    groups.value_of(call)
        query: Query = relation.query if groups is None else groups.query
        windows = Windows(len(query.columns), self._named_windows(), _aliases(self.items)[0])
        outputs = Expressions(self.reading, scope, self.tables, calls=groups, windows=windows, place="the SELECT list")
        having = self._having(scope, groups)
        values = self._values(outputs)
        qualify = self._qualify(outputs)
        order = self._order(outputs, values)
        partition = self._distinct_on(outputs, values, order)
        if having is not None:
            query = Filter(query, having)
        if windows.calls:
            query = Window(query, tuple(windows.calls))
        if qualify is not None:
            query = Filter(query, qualify)
        if partition is not None:
            query = first_of_each(query, partition, order)
            self.reading.chooses(self.node.args["distinct"], "DISTINCT ON")
            order = leading(order, partition)
        return self._result(relation, outputs, query, values, order)

    def _rows(self) -> Relation:
        """FROM and WHERE."""
        clause = self.node.args.get("from_")
        joins = self.node.args.get("joins") or []
        source = From(self.reading, self.around, self.tables)
        if clause is None and joins:
            raise self.reading.refused(self.node)
        relation = NOTHING
        if clause is not None:
            with self.reading.parts(clause) as parts:
                relation = source.read(parts.this, joins)
        where = self._under("where")
        if where is None:
            return relation
        scope = Scope(relation, self.around)
        expressions = Expressions(self.reading, scope, self.tables, place="WHERE")
        if self.reading.dialect.where_names:
            named = (node for node in self.listed if isinstance(node, exp.Alias))
            items = [(self.reading.folded(node.args["alias"]), node.this) for node in named]
            expressions.aliases, expressions.several = _aliases(items)
        return replace(relation, query=Filter(relation.query, expressions.condition(where)))

    def _under(self, clause: str) -> exp.Expr | None:
        """What stands under WHERE, HAVING or QUALIFY."""
        node = self.node.args.get(clause)
        if node is None:
            return None
        with self.reading.parts(node) as parts:
            condition: exp.Expr = parts.this
            return condition

    def _items(self, relation: Relation) -> list[tuple[str, exp.Expr | Value]]:
        """The SELECT list: a name and a node each, or the value of a column that `*` stands for."""
        items: list[tuple[str, exp.Expr | Value]] = []
        for node in self.listed:
            if isinstance(node, exp.Star) or (isinstance(node, exp.Column) and isinstance(node.this, exp.Star)):
                items += self._star(relation, node)
            elif isinstance(node, exp.Alias):
                with self.reading.parts(node) as parts:
                    items.append((self.reading.folded(parts.args["alias"]), parts.this))
            else:
                name = self.reading.folded(node.this) if isinstance(node, exp.Column) else ""
                items.append((name or self._unnamed(len(items)), node))
        return _renamed(items) if self.reading.dialect.name == "calcite" else items

    def _unnamed(self, index: int) -> str:
        calcite = self.reading.dialect.name == "calcite"
        return self.reading.dialect.folded(f"EXPR${index}", quoted=False) if calcite else ""

    def _star(self, relation: Relation, node: exp.Expr) -> Iterator[tuple[str, Value]]:
        star: exp.Expr = node
        qualifier: tuple[str, ...] = ()
        if isinstance(node, exp.Column):
            with self.reading.parts(node) as parts:
                star, qualifier = parts.this, qualifier_of(self.reading, parts)
        with self.reading.parts(star) as parts:
            left_out = set(names_of(self.reading, parts.args.get("except_") or []))
        if qualifier and not has_qualifier(relation, qualifier):
            raise self.reading.error(node, f"there is no table {'.'.join(qualifier)} here")
        known = {name.name for name in relation.names}
        if not left_out <= known:
            raise self.reading.error(star, f"there is no column {', '.join(sorted(left_out - known))}")
        for index, name in enumerate(relation.names):
            wanted = name.qualifier[-len(qualifier) :] == qualifier if qualifier else name.shown
            if wanted and name.name not in left_out:
                require_readable(self.reading, name, node)
                if name.fields:
                    hint = "list the columns, or the fields"
                    raise self.reading.error(node, "whether * has the fields of what UNNEST makes is not known", hint)
                yield name.name, relation.column(index)

    def _groups(self, rows: Expressions) -> Groups | None:
        group = self.node.args.get("group")
        aggregates = any(next(aggregate_nodes(node), None) is not None for node in self._nodes())
        if group is None and not aggregates:
            having = self._under("having")
            if having is not None:
                raise self.reading.error(
                    having, "HAVING without GROUP BY and aggregates is not understood", "write WHERE"
                )
            return None
        return read_groups(rows, group, self.items, self._nodes())

    def _nodes(self) -> Iterator[exp.Expr]:
        """What is read after GROUP BY."""
        yield from (item for _, item in self.items if isinstance(item, exp.Expr))
        for part in ("having", "qualify"):
            if (condition := self._under(part)) is not None:
                yield condition
        if self.node.args.get("order") is not None:
            yield from self.node.args["order"].expressions

    def _named_windows(self) -> dict[str, exp.Expr]:
        return {self.reading.folded(each.this): each for each in self.node.args.get("windows") or []}

    def _values(self, outputs: Expressions) -> list[Value]:
        """The values of the SELECT list; a NULL without a type stays so."""
        values: list[Value] = []
        if self.reading.dialect.where_names:  # names are known before the items that they stand for
            outputs.aliases, outputs.several = _aliases(self.items)
        for name, item in self.items:
            if isinstance(item, exp.Expr):
                values.append(outputs.read(item))
            else:
                values.append(item if outputs.calls is None else self._grouped_column(outputs, item))
            if name and self.reading.dialect.lateral_names and isinstance(item, exp.Expr):
                outputs.several |= {name} if outputs.aliases.setdefault(name, item) != item else set()
        return values

    def _grouped_column(self, outputs: Expressions, value: Value) -> Value:
        """A column that `*` stands for, after GROUP BY."""
        groups = outputs.calls
        assert isinstance(groups, Groups)
        if isinstance(value, UntypedNull):
            return value
        if value not in groups.keys:
            hint = "list the columns that are grouped"
            raise self.reading.error(self.listed[0], "* has columns that are neither grouped nor aggregated", hint)
        return groups.key(groups.keys.index(value))

    def _having(self, scope: Scope, groups: Groups | None) -> Expression | None:
        having = self._under("having")
        if having is None:
            return None
        expressions = Expressions(self.reading, scope, self.tables, calls=groups, place="HAVING")
        if self.reading.dialect.having_names:
            (expressions.aliases, expressions.several), expressions.strict_aliases = _aliases(self.items), True
        return expressions.condition(having)

    def _qualify(self, outputs: Expressions) -> Expression | None:
        qualify = self._under("qualify")
        if qualify is None:
            return None
        (outputs.aliases, outputs.several), outputs.strict_aliases = _aliases(self.items), True
        return outputs.condition(qualify)

    def _order(self, outputs: Expressions, values: list[Value]) -> Keys:
        """The keys of ORDER BY that are no constants: value, descending, NULLs first."""
        order = self.node.args.get("order")
        if order is None:
            return []
        self._read_names(outputs, "ORDER BY")
        with self.reading.parts(order) as parts:
            listed = [ordered(self.reading, each) for each in parts.expressions]
        keys = []
        for node, *directions in listed:
            value = self._order_value(outputs, values, node)
            if isinstance(value, UntypedNull | Literal):
                continue
            if value.type == TEXT:
                self.reading.assumptions.add(Assumption.CODE_POINTS)
            keys.append((collated(self.reading, value), *directions))
        return keys

    def _read_names(self, outputs: Expressions, place: str) -> None:
        """From here on, names of the SELECT list may be read, also in expressions where the dialect has it so."""
        outputs.aliases, outputs.several = _aliases(self.items if self.reading.dialect.names_in_keys else ())
        outputs.strict_aliases, outputs.place = True, place

    def _distinct_on(self, outputs: Expressions, values: list[Value], order: Keys) -> list[Expression] | None:
        """What DISTINCT ON lists; None without it."""
        distinct = self.node.args.get("distinct")
        if distinct is None or distinct.args.get("on") is None:
            return None
        self._read_names(outputs, "DISTINCT ON")
        with self.reading.parts(distinct) as parts:
            return partition_of(self.reading, parts, partial(self._order_value, outputs, values), order)

    def _order_value(self, outputs: Expressions, values: list[Value], node: exp.Expr) -> Value:
        if (listed := ordinal(self.reading, node, len(values))) is not None:
            return values[listed]
        if (name := self.reading.bare(unwrapped(self.reading, node))) is not None:
            named = [value for (item, _), value in zip(self.items, values, strict=True) if item == name]
            if any(value != named[0] for value in named):
                raise self.reading.error(node, f"{node.sql()} names several columns of the SELECT list")
            if named:
                return named[0]
        return outputs.read(node)

    def _result(
        self, relation: Relation, outputs: Expressions, query: Query, values: list[Value], order: Keys
    ) -> Result:
        names = tuple(
            Name(name, untyped=isinstance(value, UntypedNull), declared=self._declared(relation, outputs, item))
            for (name, item), value in zip(self.items, values, strict=True)
        )
        distinct = self._distinct()
        if not values and (distinct is not None or self.reading.dialect.name not in ROWS_WITHOUT_COLUMNS):
            raise self.reading.error(self.node, "the SELECT list has no columns")
        visible = [typed(value) for value in values]
        hidden: list[Expression] = []
        for value, _, _ in order:
            if value not in visible and value not in hidden:
                hidden.append(value)
        if distinct is not None:
            with self.reading.parts(distinct):
                pass
            if hidden:
                message = "with DISTINCT, ORDER BY understands the columns of the SELECT list only"
                raise self.reading.error(self.node.args["order"], message)
        wide = first_rows(Project(query, (*visible, *hidden)), distinct is not None)
        if distinct is not None:
            require_spelling(self.reading, visible, self.node.expressions[0], "DISTINCT")
            wide = Distinct(wide)
        columns = [*visible, *hidden]
        keys = tuple(OrderKey(reference(wide, columns.index(value)), *rest) for value, *rest in order)
        wild = relation.wild if self._is_bare_star() else None
        return Result(wide, names, keys, wild)

    def _declared(self, relation: Relation, outputs: Expressions, item: exp.Expr | Value) -> TypeName | None:
        """The declared type of an item of the SELECT list."""
        if isinstance(item, exp.Expr):
            return item_type(outputs, item)
        return relation.names[item.index].declared if isinstance(item, Reference) else None

    def _distinct(self) -> exp.Expr | None:
        """DISTINCT without ON."""
        distinct = self.node.args.get("distinct")
        return None if distinct is None or distinct.args.get("on") is not None else distinct

    def _is_bare_star(self) -> bool:
        return len(self.listed) == 1 and isinstance(self.listed[0], exp.Star)


def _renamed(items: list[tuple[str, exp.Expr | Value]]) -> list[tuple[str, exp.Expr | Value]]:
    """Calcite tells columns of one name apart by numbers: sal, sal0, sal1."""
    taken: set[str] = set()
    renamed: list[tuple[str, exp.Expr | Value]] = []
    for name, item in items:
        candidates = chain([name], (f"{name}{number}" for number in count()))
        chosen = next(each for each in candidates if each not in taken)
        taken.add(chosen)
        renamed.append((chosen, item))
    return renamed


def _aliases(items: Sequence[tuple[str, exp.Expr | Value]]) -> tuple[dict[str, exp.Expr], AbstractSet[str]]:
    """The names of the SELECT list with what they stand for, and the names that stand for different things."""
    listed = [(name, item) for name, item in items if name and isinstance(item, exp.Expr)]
    first = dict(reversed(listed))
    return first, {name for name, item in listed if item != first[name]}
