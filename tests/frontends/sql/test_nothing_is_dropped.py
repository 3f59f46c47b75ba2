"""Nothing of a parse tree is dropped: with any other value of any argument, a tree is another statement, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import pytest
from sqlglot import exp
from tallystick.core.errors import TallystickError
from tallystick.experiments.sql_suites.own_pairs import own_pairs, own_schema
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.queries import read_query
from tallystick.frontends.sql.reader import read_schema, read_unverified
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.scopes import QueryReading
from tallystick.frontends.sql.source import SqlText, statements

SCHEMA: Final = (
    "CREATE TABLE t (a INT, b INT, s VARCHAR(9), d DATE, p BOOLEAN); CREATE TABLE u (a INT, c INT, s VARCHAR(9))"
)
TEXTS: Final = {
    "spark": (
        "SELECT /*+ BROADCAST(u) */ t.*, RANK() OVER (PARTITION BY a ORDER BY b DESC NULLS LAST) AS r FROM t",
        "WITH q (v) AS (SELECT a FROM t) SELECT v FROM q JOIN u ON v = u.a LIMIT 3 OFFSET 1",
        "SELECT a, COUNT(DISTINCT b), SUM(b) FILTER (WHERE b > 0) FROM t GROUP BY a WITH ROLLUP HAVING COUNT(*) > 1",
        "SELECT a FROM t LEFT SEMI JOIN u USING (a) UNION ALL SELECT c FROM u ORDER BY 1",
        "SELECT CASE WHEN s LIKE 'x%' THEN 1 ELSE 2 END, IF(p, 1, 2), d + INTERVAL 1 DAY, EXTRACT(YEAR FROM d) FROM t",
        "SELECT a FROM t WHERE (a, b) IN (SELECT a, c FROM u) AND b BETWEEN 1 AND 2 AND NOT EXISTS (SELECT 1 FROM u)",
        "SELECT x FROM VALUES (1, 2), (3, 4) AS v (x, y) WHERE x IS NOT NULL AND y <=> 2 "
        " QUALIFY ROW_NUMBER() OVER w = 1 WINDOW w AS (ORDER BY x)",
        "SELECT SUM(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING), "
        " LAG(a, 2, 0) OVER (ORDER BY b) FROM t",
        "SELECT CAST(a AS STRING), COALESCE(a, b), GREATEST(a, b), TRIM(s), SUBSTRING(s, 1, 2), s || 'x', -a % 2"
        " FROM t",
    ),
    "postgres": (
        "SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, b FETCH FIRST 2 ROWS ONLY",
        "SELECT a, GROUPING(a) FROM t GROUP BY GROUPING SETS ((a), (a, b), ())",
        "SELECT * FROM t CROSS JOIN LATERAL (SELECT c FROM u WHERE u.a = t.a) AS q WHERE t.a > ALL (SELECT a FROM u)",
        "SELECT a::TEXT FROM t NATURAL JOIN u WHERE s ILIKE 'x' ESCAPE '!' OR a IS DISTINCT FROM b",
    ),
}
SAME_BY_A_REASON: Final = {
    "what the parser notes of the dialect and of a function's name": {
        ("Div", "typed"),
        ("Div", "safe"),
        ("Cast", "safe"),
        ("TryCast", "safe"),
        ("TryCast", "requires_string"),
        ("Count", "big_int"),
        ("Coalesce", "is_nvl"),
        ("Coalesce", "is_null"),
        ("Greatest", "ignore_nulls"),
        ("DPipe", "safe"),
        ("Substring", "zero_start"),
    },
    "advice to the optimizer": {("Select", "hint"), ("CTE", "materialized")},
    "a name that nothing refers to": {
        ("Table", "alias"),
        ("Subquery", "alias"),
        ("Lateral", "alias"),
        ("TableAlias", "columns"),
    },
    "another spelling": {("Identifier", "quoted"), ("LimitOptions", "rows"), ("Literal", "is_string")},
}
SEEN: Final = 2
"""How often an argument of a kind of node is changed."""


def read(tree: exp.Expr, text: str, dialect: str, schema: Schema) -> str:
    """A tree as it is read; "refused" where it is."""
    reading = QueryReading(SqlText(text, "q"), DIALECTS[dialect], schema, exact_floats=True)
    try:
        result = read_query(reading, tree, None, {})
        reading.require_all(tree)
    except (SourceError, TallystickError):
        return "refused"
    except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        return "refused"  # a tree that no text has
    names = [replace(name, declared=None) for name in result.names]  # types that are not known are the text itself
    return repr((result.query, names, result.order, result.wild))


def others(value: Any) -> Iterator[Any]:
    """Other values of an argument."""
    if value is None or value is False or value == []:
        yield from (True, exp.column("zz"), [exp.column("zz")])
    elif value is True:
        yield False
    elif isinstance(value, str):
        yield value + "X"
    elif isinstance(value, list):
        yield [*value, exp.column("zz")]
        yield value[:-1]
    elif isinstance(value, exp.Expr):
        yield exp.column("zz")


def mutants(text: str, dialect: str, seen: dict[tuple[str, str], int]) -> Iterator[tuple[str, str, str, exp.Expr]]:
    """Trees of a text with one argument of a node changed: the node, the argument, its other value, and the tree."""
    [tree] = statements(SqlText(text, "q"), DIALECTS[dialect])
    for place, node in enumerate(tree.walk()):
        if node.find_ancestor(exp.DataType, exp.Hint) or isinstance(node, exp.DataType | exp.Hint):
            continue  # names of types are read as a whole, and hints mean nothing
        for part in node.arg_types:
            key = type(node).__name__, part
            if seen.get(key, 0) >= SEEN:
                continue
            seen[key] = seen.get(key, 0) + 1
            for value in others(node.args.get(part)):
                copy = tree.copy()
                list(copy.walk())[place].set(part, value)
                yield *key, repr(value), copy


def texts() -> list[tuple[str, str, Schema]]:
    own = own_schema()
    found = [(side, "spark", own) for pair in own_pairs() for side in (pair.left, pair.right)]
    for dialect, some in TEXTS.items():
        schema = read_schema(SCHEMA, DIALECTS[dialect])
        found += [(text, dialect, schema) for text in some]
    return found


@pytest.mark.parametrize(("dialect", "text"), [(dialect, text) for dialect, some in TEXTS.items() for text in some])
def test_the_texts_are_read(dialect: str, text: str) -> None:
    schema = read_schema(SCHEMA, DIALECTS[dialect])
    assert read_unverified(SqlText(text, "q"), schema, DIALECTS[dialect])


def test_whatever_changes_in_a_tree_changes_the_statement_or_is_refused() -> None:
    seen: dict[tuple[str, str], int] = {}
    dropped: dict[tuple[str, str], str] = {}
    for text, dialect, schema in texts():
        [tree] = statements(SqlText(text, "q"), DIALECTS[dialect])
        before = read(tree, text, dialect, schema)
        if before == "refused":
            continue
        for name, part, value, mutant in mutants(text, dialect, seen):
            if read(mutant, text, dialect, schema) == before:
                dropped.setdefault((name, part), f"{value} in {text}")
    assert len(seen) > 300
    explained = set().union(*SAME_BY_A_REASON.values())
    assert {key: text for key, text in dropped.items() if key not in explained} == {}
    assert explained <= set(dropped), "a reason that is not needed"
