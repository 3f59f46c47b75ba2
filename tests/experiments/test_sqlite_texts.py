"""In texts of SQLite a name in double quotes that nothing has is a text."""

from __future__ import annotations

import pytest
from tallystick.experiments.sql_suites.records import Record, read_record
from tallystick.experiments.sql_suites.sqlite_texts import with_texts
from tallystick.frontends.errors import SourceError


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ('SELECT a FROM t WHERE b = "New York"', "SELECT a FROM t WHERE b = 'New York'"),
        ('SELECT "A" FROM "t" WHERE b = "x"', 'SELECT "A" FROM "t" WHERE b = \'x\''),
        ('SELECT a AS "c d" FROM t ORDER BY "c d"', 'SELECT a AS "c d" FROM t ORDER BY "c d"'),
        (
            """SELECT a FROM t WHERE b = '"x"' AND b <> "it's" """,
            """SELECT a FROM t WHERE b = '"x"' AND b <> 'it''s' """,
        ),
        ('SELECT a FROM t WHERE b = "say ""hi"""', "SELECT a FROM t WHERE b = 'say \"hi\"'"),
        ("SELECT a FROM t WHERE b = 'it''s'", "SELECT a FROM t WHERE b = 'it''s'"),
    ],
)
def test_names_that_nothing_has_are_texts(query, read):
    assert with_texts(query, {"a", "b", "t"}) == read


def test_records_of_other_dialects_are_read_as_they_are():
    columns = [{"name": "b", "type": "varchar", "nullable": True}]
    data = {
        "id": "1",
        "schema": {"tables": {"t": {"columns": columns, "primary_key": [], "unique": [], "foreign_keys": []}}},
        "q1": 'SELECT b FROM t WHERE b = "x"',
        "q2": "SELECT b FROM t WHERE b = 'x'",
        "expected": "equivalent",
    }
    pair = read_record(Record("s", "1", {**data, "dialect": "sqlite"}))
    assert pair.left == pair.right
    with pytest.raises(SourceError, match='there is no column "x"'):
        read_record(Record("s", "1", {**data, "dialect": "duckdb"}))
