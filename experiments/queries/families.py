"""Families of pairs of queries of any size, by which the time of a verdict is seen to grow.

All pairs are equivalent but those of `edits`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

SCHEMA: Final = (
    "CREATE TABLE t (id INT PRIMARY KEY, v INT, w INT NOT NULL, g INT NOT NULL); CREATE TABLE s (k INT, u INT)"
)
Texts = tuple[str, str]


def chain(size: int) -> Texts:
    """A chain of joins, from its other end."""
    sources = [f"t AS a{each}" for each in range(size + 1)]
    links = " AND ".join(f"a{each}.v = a{each + 1}.id" for each in range(size))
    listed = f"SELECT a0.id, a{size}.w FROM "
    return (
        listed + ", ".join(sources) + f" WHERE {links}",
        listed + ", ".join(reversed(sources)) + f" WHERE {links}",
    )


def star(size: int) -> Texts:
    """A join of one table with many, each with a condition that is written otherwise."""

    def text(condition: str) -> str:
        joins = " ".join(f"JOIN s AS b{each} ON b{each}.k = a.v" for each in range(size))
        where = " AND ".join(f"b{each}.u {condition.format(each, each + 1)}" for each in range(size))
        return f"SELECT a.id FROM t AS a {joins} WHERE {where}"

    return text("> {0}"), text(">= {1}")


def listed(size: int) -> Texts:
    """A union of selections, and one selection of a list."""
    parts = " UNION ALL ".join(f"SELECT id, v FROM t WHERE v = {each}" for each in range(size))
    return parts, f"SELECT id, v FROM t WHERE v IN ({', '.join(str(each) for each in range(size))})"


def disjoined(size: int) -> Texts:
    """A union without copies, and the rows without copies of one disjunction."""
    parts = " UNION ".join(f"SELECT v, w FROM t WHERE v = {each} AND w > {each}" for each in range(size))
    conditions = " OR ".join(f"v = {each} AND w > {each}" for each in range(size))
    return f"SELECT DISTINCT * FROM ({parts}) AS q", f"SELECT DISTINCT v, w FROM t WHERE {conditions}"


def derived(size: int) -> Texts:
    """Tables derived from each other, and one query."""
    text = "SELECT id, v, w FROM t"
    for each in range(size):
        text = f"SELECT id, v + 1 AS v, w FROM ({text}) AS q{each} WHERE w <> {each}"
    conditions = " AND ".join(f"w <> {each}" for each in range(size))
    return text, f"SELECT id, v + {size} AS v, w FROM t WHERE {conditions}"


def regrouped(size: int) -> Texts:
    """Sums of sums, and one sum."""
    text = "SELECT g, w, SUM(v) AS q FROM t GROUP BY g, w"
    for each in range(size - 1):
        text = f"SELECT g, w, SUM(q) AS q FROM ({text}) AS q{each} GROUP BY g, w"
    return f"SELECT g, SUM(q) AS q FROM ({text}) AS r GROUP BY g", "SELECT g, SUM(v) AS q FROM t GROUP BY g"


def cases(size: int) -> Texts:
    """A CASE with many branches, in opposite orders."""
    branches = [f"WHEN v = {each} THEN {each * each}" for each in range(size)]
    return (
        f"SELECT id, CASE {' '.join(branches)} END AS q FROM t",
        f"SELECT id, CASE {' '.join(reversed(branches))} END AS q FROM t",
    )


def scalars(size: int) -> Texts:
    """Sums of one table as subqueries, and one aggregation with filters."""
    parts = ", ".join(f"(SELECT COUNT(*) FROM t WHERE w = {each}) AS q{each}" for each in range(size))
    sums = ", ".join(f"COUNT(CASE WHEN w = {each} THEN 1 END) AS q{each}" for each in range(size))
    return f"SELECT {parts}", f"SELECT {sums} FROM t"


def outer(size: int) -> Texts:
    """Left joins by a key of which nothing is returned, and none."""
    joins = " ".join(f"LEFT JOIN t AS b{each} ON b{each}.id = a.v + {each}" for each in range(size))
    return f"SELECT a.id, a.w FROM t AS a {joins}", "SELECT id, w FROM t"


def edits(size: int) -> Texts:
    """A query of n lines in which four numbers are other ones, of which one changes what is returned."""
    lines = [
        f"  CASE WHEN v > {each} AND w + {each} < 50 THEN w * {each} ELSE v END AS q{each}" for each in range(size)
    ]
    text = "SELECT id,\n" + ",\n".join(lines) + "\nFROM t\nWHERE v > 3 AND w < 40"
    changed = text.replace("v > 3 AND", "v >= 4 AND").replace("w + 0 < 50", "w < 50").replace("w < 40", "w <= 40")
    return text, changed


def itself(size: int) -> Texts:
    """A query of many joins, and the same."""
    first, _ = chain(size)
    return first, first


FAMILIES: Final[dict[str, Callable[[int], Texts]]] = {
    each.__name__: each
    for each in (chain, star, listed, disjoined, derived, regrouped, cases, scalars, outer, edits, itself)
}
