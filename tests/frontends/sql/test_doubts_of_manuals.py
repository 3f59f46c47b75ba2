"""What manuals of engines that cannot be asked leave open is refused, or known by its name."""

from __future__ import annotations

import pytest
from tallystick import check_sql
from tallystick.frontends.errors import SourceError

SCHEMA = "CREATE TABLE t (a INT, s VARCHAR(5))"
ALL = "SELECT s AS q FROM t"


@pytest.mark.parametrize("condition", ["s = 1", "a IN (s, 2)", "COALESCE(s, a) = 1"])
def test_a_text_beside_an_integer_is_refused_in_snowflake(condition: str) -> None:
    text = f"SELECT a FROM t WHERE {condition}"
    with pytest.raises(SourceError, match="values of the types integer and text meet"):
        check_sql(text, text, schema=SCHEMA, dialect="snowflake")


@pytest.mark.parametrize("condition", ["CAST(s AS INT) = 1", "a = '1'", "s = '1'"])
def test_what_is_converted_is_read(condition: str) -> None:
    text = f"SELECT a FROM t WHERE {condition}"
    assert check_sql(text, text, schema=SCHEMA, dialect="snowflake", timeout=2).verdict == "equivalent"


@pytest.mark.parametrize(("dialect", "type_"), [("snowflake", "VARCHAR(2)"), ("bigquery", "STRING(2)")])
def test_a_cast_to_fewer_characters_is_known_by_name(dialect: str, type_: str) -> None:
    schema = SCHEMA if dialect == "snowflake" else "CREATE TABLE t (a INT64, s STRING)"
    cast = f"SELECT CAST(s AS {type_}) AS q FROM t"
    assert check_sql(cast, ALL, schema=schema, dialect=dialect, timeout=1).verdict == "unknown"
    assert check_sql(cast, f"{cast} WHERE TRUE", schema=schema, dialect=dialect, timeout=2).verdict == "equivalent"


def test_a_cast_to_as_many_characters_changes_nothing() -> None:
    wide = "SELECT CAST(s AS VARCHAR(5)) AS q FROM t"
    assert check_sql(wide, ALL, schema=SCHEMA, dialect="snowflake", timeout=2).verdict == "equivalent"
