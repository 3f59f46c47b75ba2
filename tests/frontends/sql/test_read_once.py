"""A schema is read once for many pairs, and anew where its text, its name or its dialect is another."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import read_pair, read_schema
from tallystick.frontends.sql.source import SqlText

SPARK, MYSQL = DIALECTS["spark"], DIALECTS["mysql"]
TEXT = "CREATE TABLE t (a INT PRIMARY KEY, b DOUBLE, c CHAR(2))"


def test_what_is_read_again_is_what_was_read(tmp_path: Path) -> None:
    first = read_schema(TEXT, SPARK)
    assert read_schema(TEXT, SPARK) is first
    assert read_schema(SqlText(TEXT, "tables.sql"), SPARK) == first
    assert read_schema(TEXT, MYSQL) != first
    path = tmp_path / "schema.sql"
    path.write_text(TEXT)
    assert read_schema(path, SPARK) == first
    path.write_text(TEXT.replace("PRIMARY KEY", "NOT NULL"))
    assert read_schema(path, SPARK) != first


def test_an_error_is_raised_each_time_with_the_name_of_its_text() -> None:
    for name in ("one.sql", "one.sql", "other.sql"):
        with pytest.raises(SourceError, match=f"^{name}:1:"):
            read_schema(SqlText("CREATE TABLE t (a INT, a INT, FOO)", name), SPARK)


def test_no_pair_changes_the_schema_that_others_are_read_with() -> None:
    schema = read_schema(TEXT, SPARK)
    before = deepcopy(schema)
    texts = [SqlText(text, "a query") for text in ("SELECT a FROM t", "SELECT DISTINCT a FROM t")]
    read_pair(texts[0], texts[1], schema, SPARK)
    read_pair(texts[0], texts[1], schema, SPARK, to=MYSQL)
    read_pair(texts[0], texts[1], schema.with_floats(), SPARK, exact_floats=True)
    assert schema == before
