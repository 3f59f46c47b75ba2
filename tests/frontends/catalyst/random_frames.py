"""Random functions that make DataFrames of the shop's tables, as texts of Python."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from random import Random

COLUMNS = {
    "customer": {"id": "int", "name": "text", "city": "text", "balance": "decimal"},
    "orders": {"id": "int", "customer": "int", "day": "day", "total": "decimal", "paid": "bool"},
    "item": {"ordered": "int", "product": "text", "number": "int", "price": "decimal"},
}
CONSTANTS = {
    "int": ("0", "1", "2", "-3"),
    "text": ("'a'", "'b'", "''", "'Ab'"),
    "decimal": ("0", "1.5", "-2"),
    "day": ("f.lit('2000-02-29').cast('date')", "f.lit('1999-12-31').cast('date')"),
    "bool": ("True", "False"),
}
HEADER = "from pyspark.sql import Window\nfrom pyspark.sql import functions as f\n"


@dataclass
class Frames:
    """Draws functions."""

    random: Random
    names: count[int] = field(default_factory=count)

    def function(self, name: str) -> str:
        """The text of a function of the tables that it names."""
        self.used: dict[str, None] = {}
        text, _ = self.frame(self.random.randint(2, 5))
        return f"def {name}({', '.join(self.used)}):\n    return {text}\n"

    def frame(self, steps: int) -> tuple[str, dict[str, str]]:
        """An expression of a DataFrame, and the types of its columns."""
        table = self.random.choice(sorted(COLUMNS))
        self.used[table] = None
        text, columns = table, COLUMNS[table]
        for _ in range(steps):
            step = self.random.choice(
                (self.select, self.computed, self.filter, self.joined, self.grouped, self.numbered, self.united,
                 self.distinct, self.first, self.filled, self.dropped)
            )  # fmt: skip
            text, columns = step(text, columns)
        return text, columns

    # ---- steps

    def select(self, text: str, columns: dict[str, str]) -> tuple[str, dict[str, str]]:
        kept = {self.new(): kind for kind in self.random.sample(sorted({*columns.values()}), 1)}
        [(name, kind)] = kept.items()
        rest = dict(self.random.sample(sorted(columns.items()), min(2, len(columns))))
        shown = ", ".join([*(f"{column!r}" for column in rest), f"{self.value(columns, kind)}.alias({name!r})"])
        return f"{text}.select({shown})", rest | kept

    def computed(self, text: str, columns: dict[str, str]) -> tuple[str, dict[str, str]]:
        name, kind = self.new(), self.random.choice(("int", "text", "bool", "day"))
        return f"{text}.withColumn({name!r}, {self.value(columns, kind)})", columns | {name: kind}

    def filter(self, text: str, columns: dict[str, str]) -> tuple[str, dict[str, str]]:
        return f"{text}.{self.random.choice(('where', 'filter'))}({self.condition(columns)})", columns

    def joined(self, text: str, columns: dict[str, str]) -> tuple[str, dict[str, str]]:
        """With a table under new names, by a kind of join."""
        table = self.random.choice(sorted(COLUMNS))
        self.used[table] = None
        names = {self.new(): (old, kind) for old, kind in COLUMNS[table].items()}
        renamed = ", ".join(f"f.col({old!r}).alias({new!r})" for new, (old, _) in names.items())
        others = {new: kind for new, (_, kind) in names.items()}
        pairs = [(a, b) for a, one in columns.items() for b, other in others.items() if one == other == "int"]
        if not pairs:
            return text, columns
        one, other = self.random.choice(pairs)
        on = self.random.choice(
            ("f.col({!r}) == f.col({!r})", "f.col({!r}).eqNullSafe(f.col({!r}))", "f.col({!r}) < f.col({!r})")
        )
        how = self.random.choice(("inner", "left", "right", "full", "left_semi", "left_anti"))
        made = f"{text}.join({table}.select({renamed}), {on.format(f'f.col({one!r})', f'f.col({other!r})')}, {how!r})"
        return made, columns if "_" in how else columns | others

    def grouped(self, text: str, columns: dict[str, str]) -> tuple[str, dict[str, str]]:
        keys = dict(self.random.sample(sorted(columns.items()), self.random.randint(0, min(2, len(columns)))))
        calls, made = [], {}
        for _ in range(self.random.randint(1, 3)):
            name, call = self.new(), self.random.choice(("count", "sum", "min", "max", "avg", "countDistinct", "star"))
            of = [each for each, kind in columns.items() if kind in ("int", "decimal") or call not in ("sum", "avg")]
            if call == "star" or not of:
                calls.append(f"f.count('*').alias({name!r})")
                made[name] = "int"
                continue
            column = self.random.choice(of)
            if call == "sum" and columns[column] == "decimal":
                call = "max"
            if call == "avg":
                call = "sum" if columns[column] == "int" else "min"
            calls.append(f"f.{call}({column!r}).alias({name!r})")
            made[name] = "int" if call.startswith("count") else columns[column]
        return f"{text}.groupBy({', '.join(map(repr, keys))}).agg({', '.join(calls)})", keys | made

    def numbered(self, text: str, columns: dict[str, str]) -> tuple[str, dict[str, str]]:
        """A window call over all columns as its order, so that nothing is chosen but among equal rows."""
        name, part = self.new(), self.random.choice(sorted(columns))
        order = ", ".join(f"f.col({each!r}).{self.random.choice(ORDERS)}()" for each in sorted(columns))
        window = f"Window.partitionBy({part!r}).orderBy({order})"
        ints = [each for each, kind in columns.items() if kind == "int"] or None
        calls = [
            ("f.row_number()", "int"),
            ("f.rank()", "int"),
            ("f.dense_rank()", "int"),
            (f"f.lag({part!r})", columns[part]),
        ]
        calls += [("f.ntile(2)", "int")]
        if ints:
            calls += [(f"f.sum({ints[0]!r})", "int"), (f"f.first({ints[0]!r})", "int"), (f"f.last({ints[0]!r})", "int")]
        call, kind = self.random.choice(calls)
        return f"{text}.withColumn({name!r}, {call}.over({window}))", columns | {name: kind}

    def united(self, text: str, columns: dict[str, str]) -> tuple[str, dict[str, str]]:
        call = self.random.choice(("union", "unionByName", "intersect", "subtract"))
        return f"{text}.{call}({text}.where({self.condition(columns)}))", columns

    def distinct(self, text: str, columns: dict[str, str]) -> tuple[str, dict[str, str]]:
        return f"{text}.{self.random.choice(('distinct', 'dropDuplicates'))}()", columns

    def first(self, text: str, columns: dict[str, str]) -> tuple[str, dict[str, str]]:
        order = ", ".join(f"f.col({each!r}).{self.random.choice(ORDERS)}()" for each in sorted(columns))
        return f"{text}.orderBy({order}).limit({self.random.randint(1, 4)})", columns

    def filled(self, text: str, columns: dict[str, str]) -> tuple[str, dict[str, str]]:
        fills = {"int": "0", "text": "'z'", "bool": "False"}
        found = [each for each, kind in columns.items() if kind in fills]
        if not found:
            return text, columns
        column = self.random.choice(found)
        return f"{text}.fillna({{{column!r}: {fills[columns[column]]}}})", columns

    def dropped(self, text: str, columns: dict[str, str]) -> tuple[str, dict[str, str]]:
        how = self.random.choice(
            ("dropna()", "dropna('all')", f"dropna(subset=[{self.random.choice(sorted(columns))!r}])")
        )
        return f"{text}.{how}", columns

    # ---- expressions

    def new(self) -> str:
        return f"c{next(self.names)}"

    def value(self, columns: dict[str, str], kind: str, depth: int = 2) -> str:
        """An expression of a type."""
        same = [f"f.col({each!r})" for each, of in columns.items() if of == kind]
        constant = self.random.choice(CONSTANTS[kind])
        leaf = self.random.choice([*same, *same, constant if constant.startswith("f.") else f"f.lit({constant})"])
        if kind == "decimal" and not same:
            return "f.lit(1).cast('decimal(7,2)')"
        if kind == "decimal":
            return self.random.choice(same)
        if depth == 0 or self.random.random() < 0.3:
            return leaf
        of = lambda which: self.value(columns, which, depth - 1)  # noqa: E731
        made = {
            "int": lambda: self.random.choice((
                f"({of('int')} + {of('int')})", f"({of('int')} * 2)", f"f.length({of('text')})", f"f.abs({of('int')})",
                f"f.year({of('day')})", f"f.month({of('day')})", f"f.datediff({of('day')}, {of('day')})",
                f"({of('int')} % 3)", f"f.greatest({of('int')}, {of('int')})", f"(-{of('int')})",
                f"f.coalesce({of('int')}, {of('int')})", f"{of('bool')}.cast('int')", f"f.dayofmonth({of('day')})",
            )),
            "text": lambda: self.random.choice((
                f"f.upper({of('text')})", f"f.concat({of('text')}, {of('text')})", f"f.substring({of('text')}, 1, 2)",
                f"f.trim({of('text')})", f"f.coalesce({of('text')}, f.lit('q'))", f"{of('int')}.cast('string')",
                f"f.when({self.condition(columns, depth - 1)}, {of('text')})", f"f.least({of('text')}, {of('text')})",
                f"f.lower({of('text')})", f"{of('text')}.substr(-1, 1)",
            )),
            "bool": lambda: f"({self.condition(columns, depth - 1)})",
            "day": lambda: self.random.choice((
                f"f.date_add({of('day')}, 1)", f"f.last_day({of('day')})", f"f.add_months({of('day')}, -1)",
                f"f.trunc({of('day')}, 'month')",
                f"f.when({self.condition(columns, depth - 1)}, {of('day')}).otherwise({of('day')})",
            )),
        }  # fmt: skip
        return made[kind]()

    def condition(self, columns: dict[str, str], depth: int = 2) -> str:
        """A condition."""
        kind = self.random.choice(sorted({*columns.values()} - {"decimal"}) or ["int"])
        one, other = self.value(columns, kind, max(depth - 1, 0)), self.value(columns, kind, 0)
        made = [f"({one} {self.random.choice(('==', '!=', '<', '>=') if kind != 'bool' else ('==', '!='))} {other})"]
        made += [f"{one}.isNull()", f"{one}.isNotNull()", f"{one}.eqNullSafe({other})"]
        made += [f"{one}.isin({', '.join(CONSTANTS[kind][:2])})"] if kind in ("int", "text") else []
        made += [f"{one}.between({CONSTANTS[kind][0]}, {CONSTANTS[kind][2]})"] if kind == "int" else []
        made += [f"{one}.startswith('a')", f"{one}.contains('b')", f"{one}.like('%b%')"] if kind == "text" else []
        if depth > 0 and self.random.random() < 0.4:
            left, right = (self.condition(columns, depth - 1) for _ in range(2))
            made += [f"({left} & {right})", f"({left} | {right})", f"(~{left})"] * 2
        return self.random.choice(made)


ORDERS = ("asc", "desc", "asc_nulls_last", "desc_nulls_first")
