"""Clauses: joins with each condition and each star, set operations, groupings, orders, limits, subqueries."""

from __future__ import annotations

from itertools import product
from typing import Final

from conformance.families import KINDS, Made

SIDES: Final = tuple(
    f"{side} JOIN"
    for side in ("INNER", "LEFT", "LEFT OUTER", "RIGHT", "RIGHT OUTER", "FULL", "FULL OUTER", "CROSS", "ANY")
)
JOINS: Final = (
    *(
        "JOIN",
        "STRAIGHT_JOIN",
        "SEMI JOIN",
        "LEFT SEMI JOIN",
        "ANTI JOIN",
        "LEFT ANTI JOIN",
        "ASOF JOIN",
        "POSITIONAL JOIN",
    ),
    *("NATURAL JOIN", "NATURAL LEFT JOIN", "NATURAL RIGHT JOIN", "NATURAL FULL JOIN", "NATURAL INNER JOIN", *SIDES),
)
CONDITIONS: Final = (
    "",
    "ON x.k = y.k",
    "USING (k)",
    "USING (k, id)",
    "USING (id, k)",
    "ON x.k = y.k AND x.id < y.b",
    "ON x.k < y.k",
    "ON TRUE",
    "ON NULL",
    "ON x.k = y.k AND x.a IS NULL",
    "ON x.k IS NOT DISTINCT FROM y.k",
)
LISTS: Final = ("*", "x.*", "y.*", "y.*, x.*", "k", "x.k, y.k", "COUNT(*)", "x.id, y.b")
SETS: Final = (
    "UNION",
    "UNION ALL",
    "UNION DISTINCT",
    "INTERSECT",
    "INTERSECT ALL",
    "INTERSECT DISTINCT",
    "EXCEPT",
    "EXCEPT ALL",
    "EXCEPT DISTINCT",
    "MINUS",
    "UNION BY NAME",
    "UNION ALL BY NAME",
    "UNION CORRESPONDING",
)
GROUPINGS: Final = (
    "a",
    "a, b",
    "1",
    "a + 1",
    "(a, b)",
    "()",
    "ROLLUP (a, b)",
    "CUBE (a, b)",
    "GROUPING SETS ((a), (b), ())",
    "GROUPING SETS (a, b)",
    "GROUPING SETS ((a, b), a)",
    "a, ROLLUP (b)",
    "a WITH ROLLUP",
    "a, b WITH ROLLUP",
    "a WITH CUBE",
    "ALL",
    "DISTINCT a",
    "ALL a",
    "ROLLUP (a), CUBE (b)",
    "ROLLUP (a, (a, b))",
    "a, GROUPING SETS ((b), ())",
    "GROUPING SETS (ROLLUP (a), b)",
    "a ASC",
    "NULL",
    "'x'",
    "a IS NULL",
)
ENDS: Final = (
    "LIMIT 2",
    "LIMIT 0",
    "LIMIT 2 OFFSET 1",
    "OFFSET 2",
    "LIMIT 1, 2",
    "FETCH FIRST 2 ROWS ONLY",
    "FETCH NEXT ROW ONLY",
    "OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY",
    "LIMIT ALL",
    "LIMIT NULL",
    "LIMIT 1 + 1",
    "FETCH FIRST 2 ROWS WITH TIES",
    "LIMIT 50 PERCENT",
    "LIMIT 2 BY a",
    "OFFSET 100",
    "LIMIT (SELECT 2)",
)
ORDERS: Final = (
    "",
    "ASC",
    "DESC",
    "NULLS FIRST",
    "NULLS LAST",
    "ASC NULLS FIRST",
    "ASC NULLS LAST",
    "DESC NULLS FIRST",
    "DESC NULLS LAST",
)


def joins() -> Made:
    """Joins of each kind, with each condition and each star."""
    for join, condition, listed in product(JOINS, CONDITIONS, LISTS):
        if condition.startswith("USING") or "NATURAL" in join or listed in ("*", "x.id, y.b"):
            name = f"{join.lower()} {condition.split(' ')[0].lower()}".strip()
            yield name, f"SELECT {listed} FROM x {join} y {condition}".strip()


def queries() -> Made:
    """Set operations, groupings, orders, ends, and queries of all kinds."""
    for operation in SETS:
        for left, right in (
            ("a FROM t", "a FROM u"),
            ("a FROM u", "c FROM u"),
            ("a, s FROM t", "a, s FROM u"),
            ("z FROM e", "a FROM u"),
            ("a FROM u", "z FROM e"),
        ):
            yield f"set {operation.lower()}", f"SELECT {left} {operation} SELECT {right}"
        for second in SETS[:8]:
            yield (
                f"sets {operation.lower()}, {second.lower()}",
                f"SELECT a FROM t {operation} SELECT a FROM u {second} SELECT k FROM x",
            )
        yield (
            f"set {operation.lower()} in a query",
            f"SELECT COUNT(*) AS q FROM (SELECT a FROM t {operation} SELECT a FROM u) r",
        )
        yield (
            f"set {operation.lower()} in order",
            f"SELECT a AS q FROM t {operation} SELECT a FROM u ORDER BY q DESC LIMIT 3",
        )
        yield f"set {operation.lower()} in brackets", f"(SELECT a FROM t) {operation} (SELECT a FROM u)"
    for grouping in GROUPINGS:
        name = f"group by {grouping.split('(')[0].strip().lower()}"
        listed = ", ".join(each for each in ("a", "b") if each in grouping.replace("ALL", "").lower()) or "1"
        yield name, f"SELECT {listed}, COUNT(*) AS n FROM t GROUP BY {grouping}"
        yield name, f"SELECT COUNT(*) AS n, SUM(id) AS q FROM t GROUP BY {grouping}"
        yield name, f"SELECT COUNT(*) AS n FROM t GROUP BY {grouping} HAVING COUNT(*) > 1"
    for end in ENDS:
        yield f"end {end.split(' ')[0].lower()}", f"SELECT id FROM t ORDER BY id {end}"
        yield f"end {end.split(' ')[0].lower()}", f"SELECT a FROM t ORDER BY a {end}"
        yield f"end {end.split(' ')[0].lower()}", f"SELECT COUNT(*) AS q FROM (SELECT id FROM t ORDER BY id {end}) r"
    for (_kind, value), order in product(KINDS.items(), ORDERS):
        yield f"order {order.lower()}".strip(), f"SELECT id FROM t ORDER BY {value} {order}, id"
        yield f"order {order.lower()}".strip(), f"SELECT {value} AS q FROM t ORDER BY q {order}"
