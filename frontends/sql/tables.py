"""FROM: tables, derived tables, VALUES and joins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlglot import exp
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import And as Conjunction
from tallystick.core.queries.expressions import Case, Expression, IsNull, Literal, Not
from tallystick.core.queries.syntax import UNIT, Join, JoinKind, Project, Query, SetOperation, Values
from tallystick.core.queries.types import INTEGER, OPAQUE, ColumnType
from tallystick.frontends.sql.coercion import common_type, convert, met, typed, unified
from tallystick.frontends.sql.declared import common, declared_type
from tallystick.frontends.sql.elements import GENERATORS, generates, keeps_rows, read_generated
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.literals import truth
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.pivots import not_read, pivoted
from tallystick.frontends.sql.predicates import compared
from tallystick.frontends.sql.scopes import (
    Name,
    QueryReading,
    Relation,
    Scope,
    Tables,
    near,
    positions,
    require_readable,
    row_of,
)

Named = tuple[Name, Expression]
"""A column that a join adds or keeps, and its value."""
NOTHING: Final = Relation(UNIT, ())
"""What a query without FROM reads: one row of no columns."""
OUTER: Final[dict[str, JoinKind]] = {"LEFT": "left", "RIGHT": "right", "FULL": "full"}


@dataclass(frozen=True)
class From:
    """What reads the FROM clauses of a query: the reading, the rows around, and the tables of WITH."""

    reading: QueryReading
    around: Scope | None
    tables: Tables

    def read(self, first: exp.Expr, joins: list[exp.Expr]) -> Relation:
        """A table and its joins, from left to right; commas bind as the dialect says."""
        if not self.reading.dialect.comma_binds_weakest:
            return self._joined(self.table(first), joins)
        groups: list[list[exp.Expr]] = [[]]
        for join in joins:
            if _is_comma(join):
                groups.append([join])
            else:
                groups[-1].append(join)
        result = self._joined(self.table(first), groups[0])
        for comma, *rest in groups[1:]:
            result = self._after_comma(result, comma, rest)
        return result

    def _after_comma(self, left: Relation, comma: exp.Expr, rest: list[exp.Expr]) -> Relation:
        if not rest:
            return self._joined(left, [comma])
        if any(isinstance(join.this, GENERATORS) for join in (comma, *rest)):
            return self._joined(left, [comma, *rest])
        with self.reading.parts(comma) as parts:
            return _cross(left, self._joined(self.table(parts.this), rest))

    def _joined(self, left: Relation, joins: list[exp.Expr]) -> Relation:
        for join in joins:
            left = self.join(left, join)
        return left

    def table(self, node: exp.Expr) -> Relation:
        """One item of FROM, with the joins that are written inside it."""
        with self.reading.parts(node) as parts:
            item = self._item(parts)
            relation = item if generates(node) else self._aliased(item, parts)
            for pivot in parts.args.get("pivots") or []:
                relation = pivoted(self.reading, relation, pivot, self.around, self.tables)
            return self._joined(relation, parts.args.get("joins") or [])

    def _item(self, node: Parts) -> Relation:
        match node.of:
            case exp.Table() if not generates(node.of):
                return self._named(node)
            case exp.Values():
                return values(self.reading, node, self.around, self.tables)
            case exp.Subquery(this=exp.Table() | exp.Subquery() | exp.Values()) if not _modified(node.of):
                return self.table(node.this)
            case exp.Subquery():
                return self._derived(node)
            case _ if generates(node.of):
                if keeps_rows(node.of) and not _is_joined_without_condition(node.of):
                    raise self.reading.error(node, "OUTER => TRUE is understood in a join without a condition only")
                scope = Scope(NOTHING, self.around)
                return read_generated(Expressions(self.reading, scope, self.tables, place="FROM"), node)
            case exp.Lateral():
                raise self.reading.error(node, "LATERAL has nothing to its left")
            case _:
                raise self.reading.refused(node)

    def _derived(self, node: Parts) -> Relation:
        from tallystick.frontends.sql.queries import read_query

        return read_query(self.reading, node.whole(), self.around, self.tables, ("alias", "joins", "pivots")).visible()

    def _named(self, node: Parts) -> Relation:
        if not isinstance(node.this, exp.Identifier):
            raise self.reading.refused(node.this if isinstance(node.this, exp.Expr) else node)
        parts = [node.args.get(part) for part in ("catalog", "db", "this")]
        name = tuple(self.reading.folded(part) for part in parts if part is not None)
        if len(name) == 1 and name[0] in self.tables:
            return self.tables[name[0]].renamed(name)
        return table_named(self.reading, node, name)

    def _aliased(self, relation: Relation, node: Parts) -> Relation:
        alias = node.args.get("alias")
        if alias is None:
            return relation
        with self.reading.parts(alias) as parts:
            qualifier = (self.reading.folded(parts.this),) if parts.this is not None else ()
            relation = relation.without_hidden()
            return relation.renamed(qualifier, self.column_names(relation, parts))

    def column_names(self, relation: Relation, alias: Parts) -> tuple[str, ...] | None:
        """The names of columns that an alias lists, or None."""
        columns = names_of(self.reading, alias.args.get("columns") or [])
        if not columns or relation.wild is not None:
            return None
        if len(columns) != len(relation.names):
            message = f"{len(columns)} names are given to {len(relation.names)} columns"
            raise self.reading.error(alias, message)
        return columns

    def join(self, left: Relation, node: exp.Expr) -> Relation:
        """The join of what stands to the left with one more item."""
        with self.reading.parts(node) as parts:
            return self._join(left, parts)

    def _join(self, left: Relation, node: Parts) -> Relation:
        kind = _kind(self.reading, node)
        for pivot in node.args.get("pivots") or []:
            raise not_read(self.reading, pivot)
        if node.this.args.get("joins") and not self.reading.dialect.nests_joins:
            raise self.reading.error(node, "a join inside another is not understood here", "write parentheses")
        generated = generates(node.this)
        lateral = generated or isinstance(node.this, exp.Lateral)
        if generated and keeps_rows(node.this):
            kind = "left"
        if lateral and kind in ("right", "full"):
            raise self.reading.error(node, f"a {kind} join is not lateral")
        inner = replace(self, around=Scope(left, self.around)) if lateral else self
        right = self._lateral(inner, node.this) if lateral and not generated else inner.table(node.this)
        padded = {"left": (right,), "right": (left,), "full": (left, right)}.get(kind, ())
        if any(side.wild is not None for side in padded):
            raise self.reading.error(node, "VALUES without rows has no columns that a join could fill with NULL")
        method = (node.args.get("method") or "").upper()
        natural = method == "NATURAL"
        if method and not natural:
            raise self.reading.error(node, f"a {method} JOIN is not understood")
        if natural or node.args.get("using"):
            return self._using(left, right, kind, node, lateral)
        on = node.args.get("on")
        if not generated:
            self._require_condition(node, on)
        condition: Expression = truth(True)
        if on is not None:
            both = _side_by_side(left, right, kind, lateral)
            scope = Scope(replace(both, query=_unpadded(left, right, lateral)), self.around)
            condition = Expressions(self.reading, scope, self.tables, place="ON").condition(on)
        return _joined(left, right, kind, condition, lateral)

    def _require_condition(self, node: Parts, on: exp.Expr | None) -> None:
        """Raises SourceError where a join has a condition, or has none, and the dialect does not allow it."""
        dialect, cross = self.reading.dialect, node.args.get("kind") == "CROSS" or _is_comma(node.of)
        needless = dialect.joins_without_on == "all" or (
            dialect.joins_without_on != "none" and not node.args.get("side")
        )
        if cross and on is not None and not needless:
            raise self.reading.error(node, "CROSS JOIN has no condition", "write JOIN … ON")
        if not cross and on is None and not needless:
            raise self.reading.error(node, "this join lacks its condition", "write CROSS JOIN, or JOIN … ON")

    def _lateral(self, inner: From, node: exp.Expr) -> Relation:
        """A query behind LATERAL, which `inner` reads."""
        with self.reading.parts(node) as parts:
            if not isinstance(parts.this, exp.Subquery):
                raise self.reading.error(node, "LATERAL is understood before a query only")
            return self._aliased(inner.table(parts.this), parts)

    def _using(self, left: Relation, right: Relation, kind: JoinKind, node: Parts, lateral: bool) -> Relation:
        """NATURAL and USING: one column for each shared name, then the others of either side."""
        shared = self._shared(left, right, node)
        width = len(left.names)
        unpadded = _unpadded(left, right, lateral)
        row = Relation(unpadded, (*left.names, *right.names))
        pairs = [(row.column(a), row.column(width + b)) for a, b in shared]
        expressions = Expressions(self.reading, Scope(row, self.around), self.tables, place="USING")
        condition = Conjunction(tuple(compared(expressions, "=", a, b, node) for a, b in pairs))
        joined = _joined(left, right, kind, condition, lateral)
        if kind in ("semi", "anti"):
            return self._keys_first(joined, [a for a, _ in shared])
        merged = [_merged(self.reading, joined, kind, a, width + b, node) for a, b in shared]
        taken = {index for a, b in shared for index in (a, width + b)}
        columns = [
            (Name(left.names[a].name, (), declared=common((left.names[a].declared, right.names[b].declared))), value)
            for (a, b), value in zip(shared, merged, strict=True)
        ]
        others = [
            (replace(each, shown=each.shown and index not in taken), typed(joined.column(index)))
            for index, each in enumerate(joined.names)
        ]
        ordered = self._in_order(columns, others, [(a, width + b) for a, b in shared], width, kind)
        return Relation(Project(joined.query, tuple(value for _, value in ordered)), tuple(name for name, _ in ordered))

    def _in_order(
        self, keys: list[Named], others: list[Named], places: list[tuple[int, int]], width: int, kind: JoinKind
    ) -> list[Named]:
        """The columns of USING and those of both sides, in the order of `*` and `t.*`."""
        left, right = others[:width], others[width:]
        match self.reading.dialect.using_order:
            case "keys first":
                return [*keys, *others]
            case "keys first in tables":
                taken = [index for pair in zip(*places, strict=True) for index in pair]
                return [*keys, *(others[at] for at in taken), *(others[at] for at in _without(len(others), taken))]
            case "left table":
                at = {a: key for (a, _), key in zip(places, keys, strict=True)}
                return [
                    each for index, own in enumerate(left) for each in ((at[index], own) if index in at else (own,))
                ] + right
            case "outer table":
                side = 1 if kind == "right" else 0
                kept = [key for _, key in sorted(zip(places, keys, strict=True), key=lambda pair: pair[0][side])]
                return [*kept, *right, *left] if side else [*kept, *others]

    def _keys_first(self, relation: Relation, keys: list[int]) -> Relation:
        """The left side of a join with USING of which nothing is added."""
        if self.reading.dialect.using_order != "keys first in tables":
            return relation
        order = [*keys, *_without(len(relation.names), keys)]
        columns = tuple(typed(relation.column(index)) for index in order)
        return Relation(Project(relation.query, columns), tuple(relation.names[index] for index in order))

    def _shared(self, left: Relation, right: Relation, node: Parts) -> list[tuple[int, int]]:
        using = node.args.get("using")
        if using:
            names = list(names_of(self.reading, using))
        else:
            shown = [each.name for each in left.names if each.shown]
            names = [each.name for each in right.names if each.shown and each.name in shown]
            names = [name for name in shown if name in names]
        shared = []
        for name in names:
            found = positions(left, name, ()), positions(right, name, ())
            for side, columns in zip(("left", "right"), found, strict=True):
                if len(columns) != 1:
                    problem = "is ambiguous" if columns else "is missing"
                    raise self.reading.error(node, f"the column {name} {problem} on the {side} side of the join")
            require_readable(self.reading, left.names[found[0][0]], node)
            require_readable(self.reading, right.names[found[1][0]], node)
            shared.append((found[0][0], found[1][0]))
        return shared


def names_of(reading: QueryReading, columns: Sequence[exp.Expr]) -> tuple[str, ...]:
    """The names in a list of columns."""
    return tuple(_name_of(reading, each) for each in columns)


def _name_of(reading: QueryReading, node: exp.Expr) -> str:
    if isinstance(node, exp.Identifier):
        return reading.folded(node)
    if isinstance(node, exp.Column | exp.ColumnDef):
        with reading.parts(node) as parts:
            return _name_of(reading, parts.this)
    raise reading.error(node, "the name of a column is expected here")


def _without(width: int, some: Sequence[int]) -> list[int]:
    return [index for index in range(width) if index not in some]


def _modified(node: exp.Expr) -> bool:
    return any(node.args.get(part) for part in ("order", "limit", "offset"))


def _is_joined_without_condition(node: exp.Expr) -> bool:
    """Whether an item of FROM is joined to others, and nothing is asked of the pairs."""
    join = node.parent
    return isinstance(join, exp.Join) and not any(join.args.get(each) for each in ("on", "using", "method"))


def _is_comma(join: exp.Expr) -> bool:
    """Whether a join was written as a comma: sqlglot gives other joins, and only those, a part named `pivots`."""
    return "pivots" not in join.args


def _kind(reading: QueryReading, node: Parts) -> JoinKind:
    side, kind = (node.args.get("side") or "").upper(), (node.args.get("kind") or "").upper()
    for word in {side, kind} & {"FULL", "SEMI", "ANTI"} - reading.dialect.join_words:
        message = f"{word} is no join in this dialect, but the name of a table"
        raise reading.error(node, message, "write EXISTS, NOT EXISTS, or a UNION ALL of an outer join")
    match side, kind:
        case ("LEFT" | "", "SEMI"):
            return "semi"
        case ("LEFT" | "", "ANTI"):
            return "anti"
        case ("LEFT" | "RIGHT" | "FULL", "" | "OUTER"):
            return OUTER[side]
        case ("", "" | "INNER" | "CROSS"):
            return "inner"
        case _:
            raise reading.error(node, f"a {f'{side} {kind}'.strip()} JOIN is not understood")


def _unpadded(left: Relation, right: Relation, lateral: bool) -> Query:
    return Join("inner", left.query, right.query, truth(True), lateral)


def _side_by_side(left: Relation, right: Relation, kind: JoinKind, lateral: bool) -> Relation:
    wild = left.wild if left.wild is not None else right.wild
    return Relation(_unpadded(left, right, lateral), (*left.names, *right.names), wild)


def _joined(left: Relation, right: Relation, kind: JoinKind, condition: Expression, lateral: bool = False) -> Relation:
    query = Join(kind, left.query, right.query, condition, lateral)
    if kind in ("semi", "anti"):
        return Relation(query, left.names, left.wild)
    wild = left.wild if left.wild is not None else right.wild
    return Relation(query, (*left.names, *right.names), wild)


def _cross(left: Relation, right: Relation) -> Relation:
    return _joined(left, right, "inner", truth(True))


def _merged(reading: QueryReading, joined: Relation, kind: JoinKind, a: int, b: int, node: Parts) -> Expression:
    """The shared column of USING: of the side that is not padded, or of either."""
    pair = unified(reading, [joined.column(a), joined.column(b)], node)
    if pair is None:
        return Literal(None, INTEGER)
    if pair[0].type == OPAQUE and reading.dialect.name != "snowflake":
        raise reading.error(node, "USING and NATURAL are not understood for arrays and documents", "write ON")
    left, right = pair
    if kind == "right":
        return right
    return Case(((Not(IsNull(left)), left),), right) if kind == "full" else left


def table_named(reading: QueryReading, node: Parts, name: tuple[str, ...]) -> Relation:
    """A table of the catalogue; raises SourceError if there is none of the name, or if it cannot be read."""
    known = {_parts(reading, table.name): table for table in reading.schema.catalogue.tables}
    found = [parts for parts in known if parts[-len(name) :] == name]
    if len(found) > 1:
        raise reading.error(node, f"the table {'.'.join(name)} is ambiguous in the schema")
    if not found:
        hint = near(name[-1], {parts[-1]: None for parts in known}) or "the schema has no tables"
        raise reading.error(node, f"there is no table {'.'.join(name)} in the schema", hint)
    table = known[found[0]]
    reading.note_name(node.of, table.name)
    if table.name in reading.schema.unenforced and (table.keys or table.foreign_keys or table.checks):
        reading.assumptions.add(Assumption.NOT_ENFORCED)
    if any(of == table.name for of, _ in reading.schema.padded):
        reading.assumptions.add(Assumption.UNPADDED)
    names = tuple(
        Name(
            reading.dialect.declared(column.name),
            found[0],
            note=reading.schema.notes.get((table.name, index), ""),
            declared=reading.schema.types.get((table.name, index)),
        )
        for index, column in enumerate(table.columns)
    )
    return Relation(table.scan(), names)


def _parts(reading: QueryReading, name: str) -> tuple[str, ...]:
    return tuple(reading.dialect.declared(part) for part in name.split("."))


def values(reading: QueryReading, node: Parts, around: Scope | None, tables: Tables) -> Relation:
    """VALUES: a row of constants each; expressions are computed over one row."""
    if not node.expressions:
        return Relation(Values((), (ColumnType(INTEGER, True),)), (Name("", (), shown=False, untyped=True),), wild=())
    scope = Scope(NOTHING, around)
    expressions = Expressions(reading, scope, tables, place="VALUES")
    rows, parts_of = [], []
    for row in node.expressions:
        parts = row_of(reading, row) if isinstance(row, exp.Tuple) else [row]
        parts_of.append(parts)
        rows.append([expressions.read(part) for part in parts])
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        raise reading.error(node, "the rows of VALUES have different lengths")
    columns = [list(column) for column in zip(*rows, strict=True)]
    types = [common_type(reading, column, node, "branches") for column in columns]
    converted = [
        [typed(each) for each in column]
        if to is None
        else met(reading, [convert(reading, each, to, node) for each in column], node)
        for column, to in zip(columns, types, strict=True)
    ]
    declared = [common(declared_type(expressions, part) for part in column) for column in zip(*parts_of, strict=True)]
    names = tuple(
        Name(column_name(reading, index), (), untyped=to is None, declared=declared[index])
        for index, to in enumerate(types)
    )
    return Relation(_rows(list(zip(*converted, strict=True))), names)


def _rows(rows: list[tuple[Expression, ...]]) -> Query:
    if all(isinstance(each, Literal) for row in rows for each in row):
        columns = tuple(
            ColumnType(column[0].type, any(each.nullable for each in column)) for column in zip(*rows, strict=True)
        )
        return Values(tuple(tuple(each.value for each in row if isinstance(each, Literal)) for row in rows), columns)
    query: Query = Project(UNIT, rows[0])
    for row in rows[1:]:
        query = SetOperation("union", True, query, Project(UNIT, row))
    return query


def column_name(reading: QueryReading, index: int) -> str:
    """The name that a dialect gives to a column of VALUES."""
    match reading.dialect.name:
        case "calcite":
            return reading.dialect.folded(f"EXPR${index}", quoted=False)
        case "postgres" | "snowflake":
            return f"column{index + 1}"
        case "mysql":
            return f"column_{index}"
        case _:
            return f"col{index + 1 if reading.dialect.name in ('spark', 'databricks') else index}"
