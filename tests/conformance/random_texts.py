"""Random texts over all that is accepted: expressions are grown from the rows of the table that came out the same.

A row like `= LEFT(s, 2)` is a form with a place for a text: any other text may stand there, in brackets. Queries are
forms with places for expressions, conditions and clauses. A text is a tree, so that one that fails can be cut down.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from conformance.running import Result
from conformance.table import Kind

COLUMNS: Final = {"id": "integer", "a": "integer", "b": "integer", "m": "decimal", "s": "text"} | {
    "d": "date",
    "ts": "timestamp",
    "p": "boolean",
}
LEAVES: Final = {
    "integer": ("a", "b", "id", "2", "(-1)", "0"),
    "decimal": ("m", "1.5", "0.05"),
    "text": ("s", "'a'", "''", "'Ab'"),
    "date": ("d", "DATE '2000-02-29'"),
    "timestamp": ("ts", "TIMESTAMP '2000-02-29 06:00:00'"),
    "boolean": ("p", "TRUE", "(a > 1)"),
}
_PARTS: Final = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`|\w+(?=\s*\()|\w*\.\w+|\w+|.", re.DOTALL)
_WHOLE: Final = re.compile(r"\b(SELECT|OVER|FROM t|EXISTS|NULL)\b(?<!IS NULL)(?<!NOT NULL)", re.IGNORECASE)
DEPTH: Final = 3


@dataclass(frozen=True)
class Tree:
    """A form with {} for each tree below it."""

    kind: str
    form: str
    below: tuple[Tree, ...] = ()

    def __str__(self) -> str:
        return self.form.format(*map(str, self.below))

    @property
    def size(self) -> int:
        return 1 + sum(each.size for each in self.below)


@dataclass(frozen=True)
class Form:
    """What a tree of a kind may be: a text with places for trees of kinds."""

    kind: str
    text: str
    places: tuple[str, ...]


def forms(results: Iterable[Result]) -> dict[str, list[Form]]:
    """The forms of expressions, by kind, of rows whose value is the engine's."""
    found: dict[str, dict[Form, None]] = defaultdict(dict)
    for each in results:
        text = each.row.text
        if each.finding.kind is Kind.SAME and each.answer and text.startswith("=") and not _WHOLE.search(text):
            kind = each.read.types[1]
            form = _form(kind, text[1:].strip())
            if kind in LEAVES and form.places:
                found[kind][form] = None
    return {kind: [*listed] for kind, listed in found.items()}


def _form(kind: str, text: str) -> Form:
    parts, places = [], []
    for part in _PARTS.findall(text):
        if part in COLUMNS:
            places.append(COLUMNS[part])
            parts.append("{}")
        else:
            parts.append(part.replace("{", "{{").replace("}", "}}"))
    return Form(kind, "".join(parts), tuple(places))


class Texts:
    """Random texts of a dialect."""

    def __init__(self, known: Mapping[str, list[Form]], random: Random) -> None:
        self.known = known
        self.random = random

    def expression(self, kind: str, depth: int = DEPTH) -> Tree:
        """An expression of a kind over a row of t."""
        listed = self.known.get(kind)
        if depth == 0 or not listed or self.random.random() < 0.3:
            return self.leaf(kind)
        form = self.random.choice(listed)
        return Tree(kind, form.text, tuple(self._bracketed(place, depth - 1) for place in form.places))

    def _bracketed(self, kind: str, depth: int) -> Tree:
        tree = self.expression(kind, depth)
        return tree if not tree.below else replace(tree, form=f"({tree.form})")

    def leaf(self, kind: str) -> Tree:
        """A column or a constant."""
        return Tree(kind, self.random.choice(LEAVES[kind]))

    def query(self) -> Tree:
        """A query."""
        made: Callable[[], Tree] = self.random.choice(
            (self.plain, self.plain, self.plain, self.grouped, self.joined, self.set_of, self.nested, self.window)
        )
        return made()

    def any(self, depth: int = DEPTH) -> Tree:
        return self.expression(self.random.choice([*LEAVES]), depth)

    def where(self) -> Tree:
        """A clause of WHERE, or none."""
        if self.random.random() < 0.5:
            return Tree("where", "")
        return Tree("where", " WHERE {}", (self.expression("boolean", 2),))

    def plain(self) -> Tree:
        first, second = self.any(), self.any(2)
        form = (
            "SELECT id, {} AS q, {} AS r FROM t{}"
            if self.random.random() < 0.6
            else "SELECT DISTINCT {} AS q, {} AS r FROM t{}"
        )
        return Tree("query", form + "{}", (first, second, self.where(), self.end(("q", "r"))))

    def end(self, names: tuple[str, ...]) -> Tree:
        """An order, with a limit where it leaves no choice."""
        choice = self.random.random()
        if choice < 0.5:
            return Tree("end", "")
        down = " DESC" if self.random.random() < 0.5 else ""
        keys = ", ".join(f"{name}{down}" for name in names)
        limit = f" LIMIT {self.random.randrange(5)}" if choice < 0.7 else ""
        return Tree("end", f" ORDER BY {keys}{limit}")

    def aggregate(self) -> Tree:
        name, kinds = self.random.choice(
            (
                ("COUNT", [*LEAVES]),
                ("SUM", ["integer", "decimal"]),
                ("MIN", ["integer", "decimal", "text", "date", "timestamp"]),
                ("MAX", ["integer", "decimal", "text", "date", "timestamp"]),
                ("AVG", ["integer", "decimal"]),
            )
        )
        distinct = "DISTINCT " if self.random.random() < 0.3 else ""
        return Tree("aggregate", f"{name}({distinct}{{}})", (self.expression(self.random.choice(kinds), 2),))

    def grouped(self) -> Tree:
        aggregates = self.aggregate(), self.aggregate()
        if self.random.random() < 0.3:
            return Tree("query", "SELECT {} AS q, {} AS r FROM t{}", (*aggregates, self.where()))
        having = Tree("having", "")
        if self.random.random() < 0.3:
            having = Tree(
                "having",
                f" HAVING {{}} {self.random.choice(('>', '<=', '<>'))} 1",
                (Tree("aggregate", "COUNT({})", (self.any(1),)),),
            )
        key = self.any(2)
        key = self.leaf("integer") if not key.below else key
        while not key.below and key.form not in COLUMNS:  # a number is a position
            key = self.leaf(key.kind)
        wrapped = Tree(
            "query",
            "SELECT q, {} AS n, {} AS r FROM (SELECT id, a, b, s, m, d, ts, p, {} AS q FROM t{}) AS z GROUP BY q{}{}",
        )
        return replace(wrapped, below=(*aggregates, key, self.where(), having, self.end(("q",))))

    def joined(self) -> Tree:
        join = self.random.choice(("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN"))
        condition = Tree("on", "") if join == "CROSS JOIN" else Tree("on", " ON {}", (self.expression("boolean", 2),))
        if condition.form and self.random.random() < 0.6:
            condition = Tree("on", f" ON t.a {self.random.choice(('=', '=', '<', '<>'))} y.k")
        listed = self.random.choice(("t.id, y.k, {}", "y.*, {}", "COUNT(*), COUNT({})"))
        # the names of y are renamed, so that those of t stand alone
        form = f"SELECT {listed} AS q FROM t {join} (SELECT k, b AS yb, id AS yid FROM y) AS y"
        return Tree("query", form + "{}{}", (self.any(2), condition, self.where()))

    def set_of(self) -> Tree:
        kind = self.random.choice([*LEAVES])
        words = self.random.choice(("UNION", "UNION ALL", "INTERSECT", "EXCEPT"))
        sides = self.expression(kind, 2), self.where(), self.expression(kind, 2), self.where()
        end = Tree("end", self.random.choice(("", "", " ORDER BY q", " ORDER BY q DESC")))
        return Tree("query", f"SELECT {{}} AS q FROM t{{}} {words} SELECT {{}} FROM t{{}}{{}}", (*sides, end))

    def nested(self) -> Tree:
        kind = self.random.choice([*LEAVES])
        form = self.random.choice(
            (
                "SELECT id FROM t WHERE {0} IN (SELECT {1} FROM t{2})",
                "SELECT id FROM t WHERE {0} NOT IN (SELECT {1} FROM t{2})",
                "SELECT id, {0} AS q FROM t WHERE EXISTS (SELECT {1} FROM u WHERE u.a = t.a)",
                "SELECT id, (SELECT MAX(y.b) FROM y WHERE y.k = t.a AND t.b IS NOT NULL) AS q FROM t{2}",
                "WITH c AS (SELECT id, {0} AS q FROM t{2}) SELECT q FROM c WHERE q IS NOT NULL",
                "SELECT q, COUNT(*) AS n FROM (SELECT {0} AS q FROM t{2}) AS z GROUP BY q",
                "SELECT x.id, z.q FROM x JOIN (SELECT id, {0} AS q FROM t{2}) AS z ON x.id = z.id",
            )
        )
        return Tree("query", form, (self.expression(kind, 2), self.expression(kind, 1), self.where()))

    def window(self) -> Tree:
        call = self.random.choice(
            (
                "ROW_NUMBER()",
                "RANK()",
                "DENSE_RANK()",
                "COUNT(*)",
                "SUM(b)",
                "MIN(s)",
                "LAG(a)",
                "LEAD(m)",
                "FIRST_VALUE(a)",
            )
        )
        partition = (
            Tree("partition", "")
            if self.random.random() < 0.4
            else Tree("partition", "PARTITION BY {} ", (self.any(2),))
        )
        if not any(each.below for each in partition.below):
            partition = Tree("partition", self.random.choice(("", "PARTITION BY a ", "PARTITION BY p ")))
        order = self.random.choice(("ORDER BY id", "ORDER BY id DESC", "ORDER BY b, id"))
        return Tree("query", f"SELECT id, {call} OVER ({{}}{order}) AS q FROM t{{}}", (partition, self.where()))


EMPTY: Final = {
    "where": Tree("where", ""),
    "end": Tree("end", ""),
    "having": Tree("having", ""),
    "partition": Tree("partition", ""),
}


def smaller(tree: Tree) -> Iterator[Tree]:
    """Trees with one part cut down: to a part of it of the same kind, to a leaf, or to nothing."""
    for each in _within(tree):
        if each.kind == tree.kind and each is not tree:
            yield each
    simple = (
        [EMPTY[tree.kind]] if tree.kind in EMPTY else [Tree(tree.kind, leaf) for leaf in LEAVES.get(tree.kind, ())[:1]]
    )
    yield from (each for each in simple if tree.size > 1 or (tree.form and not each.form))
    for index, each in enumerate(tree.below):
        for less in smaller(each):
            yield replace(tree, below=(*tree.below[:index], less, *tree.below[index + 1 :]))


def _within(tree: Tree) -> Iterator[Tree]:
    yield tree
    for each in tree.below:
        yield from _within(each)


def cut_down(tree: Tree, fails: Callable[[Tree], bool]) -> Tree:
    """A smaller tree that fails, too."""
    while True:
        less = next((each for each in smaller(tree) if fails(each)), None)
        if less is None:
            return tree
        tree = less
