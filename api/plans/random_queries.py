"""Random queries in Spark's SQL over the tables of a schema, for a hunt for plans that its optimiser makes wrongly.

They have joins of all kinds, subqueries (correlated ones, too), NULLs, groups, grouping sets, windows, set operations,
limits in an order without ties, dates, decimals, texts and casts. What may stop with an error, such as a division by a
column, is left out: a plan may fail where another does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from tallystick.frontends.errors import SourceError
from tallystick.plans.schemas import DeclaredTable

KINDS: Final = {"int": "int", "bigint": "int", "smallint": "int", "tinyint": "int", "string": "text", "date": "date"}
KINDS_OF_MORE: Final = {"decimal": "number", "boolean": "truth", "varchar": "", "char": ""}
CONSTANTS: Final = {
    "int": ("0", "1", "2", "-1", "3"),
    "number": ("0.00", "1.50", "2.00", "-0.50"),
    "text": ("''", "'a'", "'b'", "'A'"),
    "date": ("DATE '2024-02-29'", "DATE '2024-03-01'", "DATE '1970-01-01'"),
    "truth": ("true", "false"),
}
TYPES: Final = {"int": "BIGINT", "number": "DECIMAL(12, 2)", "text": "STRING", "date": "DATE", "truth": "BOOLEAN"}
JOINS: Final = ("JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN")


@dataclass(frozen=True)
class Column:
    """A column in scope: how it is written, and what kind of values it has."""

    text: str
    kind: str


Scope = tuple[Column, ...]


class RandomQueries:
    """Draws queries over tables."""

    def __init__(self, tables: Sequence[DeclaredTable], random: Random) -> None:
        self.random = random
        self.tables: list[tuple[str, Scope]] = []
        self.names = 0
        for each in tables:
            pairs = zip(each.table.columns, each.types, strict=True)
            columns = [Column(f"`{column.name}`", kind_of(type_)) for column, type_ in pairs if kind_of(type_)]
            if columns:
                self.tables.append((f"`{each.table.name}`", tuple(columns)))

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random.random() < probability

    def name(self, letter: str) -> str:
        """A name that is new in the query."""
        self.names += 1
        return f"{letter}{self.names}"

    def query(self, depth: int) -> str:
        """A query that stands alone."""
        self.names = 0
        if self.chance(0.12):
            name, (text, columns) = self.name("w"), self.select(depth - 1, (), None)
            self.tables.append((name, tuple(Column(each.text.rpartition(".")[2], each.kind) for each in columns)))
            body, _ = self.compound(depth, ())
            self.tables.pop()
            return f"WITH {name} AS ({text}) {body}"
        return self.compound(depth, ())[0]

    def compound(self, depth: int, outer: Scope) -> tuple[str, Scope]:
        """A SELECT, or two of the same kinds of columns in a set operation."""
        if depth <= 0 or not self.chance(0.15):
            return self.select(depth, outer, None)
        kinds = [self.kind() for _ in range(self.random.randint(1, 2))]
        operator = self.random.choice(("UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT", "EXCEPT ALL"))
        left, columns = self.select(depth - 1, outer, kinds)
        right, _ = self.select(depth - 1, outer, kinds)
        return f"({left}) {operator} ({right})", columns

    def kind(self) -> str:
        """One of the kinds of values that tables have."""
        return self.random.choice([column.kind for _, columns in self.tables for column in columns])

    def select(self, depth: int, outer: Scope, kinds: Sequence[str] | None) -> tuple[str, Scope]:
        """A SELECT whose columns have these kinds, or any."""
        source, inner = self.sources(depth, outer)
        scope = (*inner, *outer)
        tests = [self.condition(2, scope) for _ in range(self.random.choice((0, 0, 1, 1, 2)))]
        if depth > 0 and self.chance(0.35):
            tests.append(self.subquery_test(depth - 1, scope))
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        kinds = [self.kind() for _ in range(self.random.randint(1, 3))] if kinds is None else kinds
        form = self.random.choice((self.plain, self.plain, self.grouped, self.grouped, self.windowed))
        return form(f"FROM {source}{where}", inner, kinds, depth)

    def sources(self, depth: int, outer: Scope) -> tuple[str, Scope]:
        """What stands behind FROM, and what can be seen of it."""
        text, scope = self.source(depth)
        for _ in range(self.random.choice((0, 0, 1, 1, 1, 2))):
            other, columns = self.source(depth)
            join = self.random.choice(JOINS)
            text += f" {join} {other} ON {self.join_condition(scope, columns)}"
            scope = scope if "SEMI" in join or "ANTI" in join else (*scope, *columns)
        return text, scope

    def source(self, depth: int) -> tuple[str, Scope]:
        """A table, or a subquery, by a new name."""
        name = self.name("t")
        if depth > 0 and self.chance(0.25):
            text, columns = self.compound(depth - 1, ())
            return f"({text}) {name}", tuple(Column(f"{name}.{each.text}", each.kind) for each in columns)
        table, columns = self.random.choice(self.tables)
        return f"{table} {name}", tuple(Column(f"{name}.{each.text}", each.kind) for each in columns)

    def join_condition(self, left: Scope, right: Scope) -> str:
        """Mostly an equation of two columns, and something more."""
        pairs = [(one, other) for one in left for other in right if one.kind == other.kind]
        if not pairs or self.chance(0.1):
            return self.condition(1, (*left, *right))
        one, other = self.random.choice(pairs)
        operator = self.random.choice(("=", "=", "=", "=", "<=>", "<"))
        more = f" AND {self.condition(1, (*left, *right))}" if self.chance(0.3) else ""
        return f"{one.text} {operator} {other.text}{more}"

    # ---- the forms of a SELECT

    def plain(self, rest: str, inner: Scope, kinds: Sequence[str], depth: int) -> tuple[str, Scope]:
        """Expressions over rows, sometimes DISTINCT, sometimes the first in an order of all columns."""
        columns = tuple(Column(self.name("c"), kind) for kind in kinds)
        drawn = ", ".join(f"{self.column(each.kind, depth, inner)} AS {each.text}" for each in columns)
        text = f"SELECT {'DISTINCT ' if self.chance(0.15) else ''}{drawn} {rest}"
        return text + self.limit(columns), columns

    def column(self, kind: str, depth: int, inner: Scope) -> str:
        """An expression, sometimes a scalar subquery."""
        if depth > 0 and self.chance(0.1):
            return self.scalar(kind, depth - 1, inner)
        return self.expression(kind, 2, inner)

    def grouped(self, rest: str, inner: Scope, kinds: Sequence[str], _: int) -> tuple[str, Scope]:
        """Aggregates of groups, or of all rows."""
        columns = tuple(Column(self.name("c"), kind) for kind in kinds)
        calls, keys = list[str](), list[str]()
        for column in columns:
            own = [each.text for each in inner if each.kind == column.kind]
            if own and self.chance(0.5):
                keys.append(self.random.choice(own))
                calls.append(f"{keys[-1]} AS {column.text}")
            else:
                calls.append(f"{self.aggregate(column.kind, inner)} AS {column.text}")
        by = f" GROUP BY {self.grouping(list(dict.fromkeys(keys)))}" if keys else ""
        having = (
            f" HAVING {self.aggregate('int', inner)} {self.operator()} {self.constant('int')}"
            if self.chance(0.2)
            else ""
        )
        return f"SELECT {', '.join(calls)} {rest}{by}{having}", columns

    def grouping(self, keys: list[str]) -> str:
        """The keys of GROUP BY, sometimes as grouping sets."""
        form = self.random.choice(("", "", "", "", "ROLLUP", "CUBE", "SETS"))
        if form in ("ROLLUP", "CUBE"):
            return f"{form}({', '.join(keys)})"
        if form == "SETS":
            return (
                f"GROUPING SETS (({', '.join(keys)}), ({keys[0]}))"
                if len(keys) > 1
                else f"GROUPING SETS (({keys[0]}), ())"
            )
        return ", ".join(keys)

    def windowed(self, rest: str, inner: Scope, kinds: Sequence[str], _: int) -> tuple[str, Scope]:
        """Columns, and calls over windows in an order of all columns, so that what ties is the same."""
        columns = tuple(Column(self.name("c"), kind) for kind in kinds)
        drawn = [f"{self.expression(each.kind, 1, inner)} AS {each.text}" for each in columns[:-1]]
        last = columns[-1]
        order = ", ".join(f"{each.text}{' DESC' if self.chance(0.4) else ''}" for each in inner)
        partition = f"PARTITION BY {self.random.choice(inner).text} " if self.chance(0.6) else ""
        over = f"OVER ({partition}ORDER BY {order})"
        if last.kind == "int" and self.chance(0.6):
            call = f"{self.random.choice(('row_number()', 'rank()', 'dense_rank()', 'count(*)'))} {over}"
        elif self.chance(0.4):
            call = f"{self.random.choice(('lag', 'lead'))}({self.expression(last.kind, 1, inner)}) {over}"
        else:
            frame = self.random.choice(("", " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW"))
            call = f"{self.aggregate(last.kind, inner, plain=True)} {over[:-1]}{frame})"
        drawn.append(f"{call} AS {last.text}")
        text = f"SELECT {', '.join(drawn)} {rest}"
        if self.chance(0.3) and last.kind == "int":
            return (
                f"SELECT * FROM ({text}) {self.name('t')} WHERE {last.text} {self.operator()} {self.constant('int')}",
                columns,
            )
        return text, columns

    def limit(self, columns: Scope) -> str:
        """Sometimes the first rows in an order of all columns."""
        if not self.chance(0.12):
            return ""
        keys = ", ".join(f"{each.text}{self.random.choice(('', ' DESC', ' NULLS LAST'))}" for each in columns)
        return f" ORDER BY {keys} LIMIT {self.random.randint(1, 3)}"

    # ---- expressions

    def constant(self, kind: str) -> str:
        """A value, sometimes NULL."""
        return f"CAST(NULL AS {TYPES[kind]})" if self.chance(0.06) else self.random.choice(CONSTANTS[kind])

    def operator(self) -> str:
        """A comparison."""
        return self.random.choice(("=", "=", "<>", "<", "<=", ">", ">=", "<=>"))

    def expression(self, kind: str, depth: int, scope: Scope) -> str:
        """An expression of a kind."""
        own = [each.text for each in scope if each.kind == kind]
        if own and self.chance(0.6 if depth > 0 else 0.9):
            return self.random.choice(own)
        if depth <= 0 or self.chance(0.2):
            return self.constant(kind)
        one, other = (self.expression(kind, depth - 1, scope) for _ in range(2))
        if self.chance(0.35):
            test = self.condition(depth - 1, scope)
            return self.random.choice(
                (
                    f"coalesce({one}, {other})",
                    f"CASE WHEN {test} THEN {one} ELSE {other} END",
                    f"if({test}, {one}, NULL)",
                )
            )
        number, text, day = (self.expression(each, depth - 1, scope) for each in ("int", "text", "date"))
        made = {
            "int": (f"({one} + {other})", f"({one} - {other})", f"length({text})", f"year({day})", f"abs({one})"),
            "number": (f"({one} + {other})", f"CAST({number} AS DECIMAL(12, 2))", f"greatest({one}, {other})"),
            "text": (f"upper({one})", f"concat({one}, {other})", f"CAST({number} AS STRING)", f"trim({one})"),
            "date": (f"date_add({one}, 1)", f"least({one}, {other})", f"trunc({one}, 'MM')"),
            "truth": (f"({self.condition(depth - 1, scope)})", f"(NOT {one})"),
        }
        return self.random.choice(made[kind])

    def condition(self, depth: int, scope: Scope) -> str:
        """A truth value."""
        if depth > 0 and self.chance(0.35):
            one, other = (self.condition(depth - 1, scope) for _ in range(2))
            return self.random.choice((f"({one} AND {other})", f"({one} OR {other})", f"(NOT {one})"))
        kind = self.random.choice([each.kind for each in scope] or ["int"])
        one, other = self.expression(kind, depth, scope), self.expression(kind, depth - 1, scope)
        values = ", ".join(self.constant(kind) for _ in range(2))
        forms = [f"{one} {self.operator()} {other}"] * 4 + [
            f"{one} IS NULL",
            f"{one} IS NOT NULL",
            f"{one} IN ({values})",
        ]
        forms += [f"{one} LIKE 'a%'"] if kind == "text" else []
        return self.random.choice(forms)

    def aggregate(self, kind: str, scope: Scope, plain: bool = False) -> str:
        """An aggregate of a kind."""
        argument = self.expression(kind, 1, scope)
        distinct = "" if plain or not self.chance(0.2) else "DISTINCT "
        calls = [f"min({argument})", f"max({argument})"]
        if kind == "int":
            any_ = self.random.choice(scope).text
            calls += ["count(*)", f"count({distinct}{any_})", f"sum({distinct}{argument})"]
        if kind == "number":
            calls.append(f"sum({distinct}{argument})")
        only = f" FILTER (WHERE {self.condition(1, scope)})" if not plain and self.chance(0.15) else ""
        return self.random.choice(calls) + only

    def subquery_test(self, depth: int, scope: Scope) -> str:
        """EXISTS or IN, negated or not; mostly correlated by an equation."""
        table, columns = self.source(depth)
        correlated = f" WHERE {self.join_condition(scope, columns)}" if self.chance(0.75) else ""
        negated = "NOT " if self.chance(0.4) else ""
        if self.chance(0.5):
            return f"{negated}EXISTS (SELECT 1 FROM {table}{correlated})"
        own = self.random.choice(columns)
        return f"{self.expression(own.kind, 0, scope)} {negated}IN (SELECT {own.text} FROM {table}{correlated})"

    def scalar(self, kind: str, depth: int, scope: Scope) -> str:
        """A scalar subquery: an aggregate, mostly correlated by an equation."""
        table, columns = self.source(depth)
        equal = [f"{one.text} = {other.text}" for one in scope for other in columns if one.kind == other.kind]
        correlated = f" WHERE {self.random.choice(equal)}" if equal and self.chance(0.7) else ""
        return f"(SELECT {self.aggregate(kind, columns)} FROM {table}{correlated})"


def kind_of(type_: str) -> str:
    """The kind of values of a type; "" for those that are not drawn."""
    name = type_.lower().partition("(")[0].strip()
    return KINDS.get(name) or KINDS_OF_MORE.get(name, "")


def random_queries(tables: Sequence[DeclaredTable], number: int, seed: int) -> Iterator[tuple[str, str]]:
    """So many queries with their names; the query of a number and a seed is always the same.

    Raises SourceError if no table has a column whose values are drawn.
    """
    for index in range(number):
        drawing = RandomQueries(tables, Random(f"{seed} {index}"))
        if not drawing.tables:
            raise SourceError("no table has a column of integers, decimals, texts, dates or truth values", "the schema")
        yield f"random {seed} {index}", drawing.query(2)
