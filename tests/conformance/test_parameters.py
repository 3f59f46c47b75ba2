"""Prepared statements return on their engines, for values drawn at random, what their texts are read as."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest
from tallystick.core.queries.types import DATE, INTEGER, TEXT
from tallystick.frontends.sql.reader import read_pair
from tallystick.frontends.sql.source import SqlText

from conformance.engines import Engine
from conformance.readings import Reader, rows_of

TEXTS: Final = """
SELECT id FROM t WHERE a = ? ORDER BY id
SELECT id FROM t WHERE a > ? OR b < ? ORDER BY id
SELECT id FROM t WHERE a IN (?, ?) ORDER BY id
SELECT id FROM t WHERE a NOT IN (?, 2) ORDER BY id
SELECT id FROM t WHERE b BETWEEN ? AND ? ORDER BY id
SELECT id FROM t WHERE s = ? ORDER BY id
SELECT id FROM t WHERE s LIKE ? ORDER BY id
SELECT id FROM t WHERE d >= ? ORDER BY id
SELECT id, COALESCE(b, ?) AS q FROM t ORDER BY id
SELECT id, NULLIF(a, ?) AS q FROM t ORDER BY id
SELECT id, a + ? AS q FROM t ORDER BY id
SELECT id, CASE WHEN a = ? THEN b ELSE ? END AS q FROM t WHERE ? > 1 OR b IS NULL ORDER BY id
SELECT a, COUNT(*) AS q FROM t WHERE b < ? GROUP BY a HAVING COUNT(*) >= ? ORDER BY a
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND u.c > ?) ORDER BY id
WITH q AS (SELECT id, a FROM t WHERE a = ?) SELECT q.id, r.id AS i FROM q JOIN q AS r ON q.a = r.a ORDER BY 1, 2
SELECT id FROM t ORDER BY id LIMIT ?
SELECT id FROM t ORDER BY id LIMIT ? OFFSET ?
SELECT q.id FROM (SELECT id, a FROM t ORDER BY id DESC LIMIT ?) AS q WHERE q.a = ? ORDER BY q.id
""".strip().splitlines()
ENGINES: Final = ("duckdb", "sqlite", "postgres", "mysql")
VALUES: Final = {
    INTEGER: (0, 1, 2, 3, 10, -7),  # the last one is no number of rows
    TEXT: ("", "a", "A%", "Ab", "_", "%"),
    DATE: ("1999-12-31", "2000-02-29", "2001-02-28"),
}


def prepared(engine: Engine, text: str, values: list[Any]) -> list[tuple[Any, ...]]:
    """What a prepared statement returns."""
    given = ", ".join(map(engine.constant, values))
    if engine.name == "mysql":
        names = [f"@v{place}" for place in range(len(values))]
        for name, value in zip(names, values, strict=True):
            engine.run(f"SET {name} = {value if isinstance(value, int) else engine.constant(value)}")
        quoted = text.replace("'", "''")
        engine.run(f"PREPARE q FROM '{quoted}'")
        return list(engine.run(f"EXECUTE q USING {', '.join(names)}").rows)
    if engine.name == "postgres":
        for place in range(len(values)):
            text = text.replace("?", f"${place + 1}", 1)
        engine.run(f"PREPARE q AS {text}")
        try:
            return list(engine.run(f"EXECUTE q({given})").rows)
        finally:
            engine.run("DEALLOCATE q")
    return engine._connection.execute(text, values).fetchall()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("engine", "text"),
    # SQLite's LIKE has no regard to the case of letters, which the suites' reading of it has
    [(name, text) for name in ENGINES for text in TEXTS if (name, " LIKE " in text) != ("sqlite", True)],
    indirect=["engine"],
)
def test_prepared_statements_return_what_is_read(engine: Engine, text: str) -> None:
    """Values are NULL now and then, but for a number of rows, which is not negative."""
    reader, random, source = Reader(engine.name), Random(text), SqlText(text, "q")
    pair = read_pair(source, source, reader.schema, reader.dialect)
    assert pair.parameters is not None
    for _ in range(12):
        row = [
            None
            if each.nullable and random.random() < 0.15
            else random.choice(VALUES[each.type][: None if each.nullable else -1])
            for each in pair.parameters.columns
        ]
        outcome = reader.returned(pair.left, {**reader.database, pair.parameters.name: rows_of(pair.parameters, [row])})
        returned = prepared(engine, text, row)
        assert outcome.is_list(returned), (row, returned)
