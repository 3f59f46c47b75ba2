"""UUIDs are texts to the core: as engines show them, and in no other spelling."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from tallystick import Answer, check_sql
from tallystick.core.queries.assumptions import Assumption
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.uuids import is_shown

SCHEMA = "CREATE TABLE t (u UUID PRIMARY KEY, s TEXT, a INT); CREATE TABLE o (n INT, t_u UUID REFERENCES t (u))"
SHOWN = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
OTHERS = (SHOWN.upper(), SHOWN.replace("-", ""), f"{{{SHOWN}}}", f" {SHOWN}")
DIALECTS = ("duckdb", "postgres")


def verdict(left: str, right: str, dialect: str) -> Any:
    return check_sql(left, right, schema=SCHEMA, dialect=dialect, timeout=5)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("spelling", OTHERS)
def test_a_constant_in_another_spelling_is_refused(spelling: str, dialect: str) -> None:
    text = f"SELECT a FROM t WHERE u = '{spelling}'"
    with pytest.raises(SourceError, match="this UUID is written otherwise than engines show it") as problem:
        verdict(text, text, dialect)
    assert problem.value.hint == f"write '{SHOWN}' if it is one"


@pytest.mark.parametrize("spelling", OTHERS[:3])
def test_such_a_constant_is_the_same_uuid(spelling: str) -> None:
    assert duckdb.sql(f"SELECT CAST('{SHOWN}' AS UUID) = '{spelling}'").fetchall() == [(True,)]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("SELECT a FROM o JOIN t ON t_u = u", "SELECT a FROM t JOIN o ON u = t_u"),
        ("SELECT n FROM o LEFT JOIN t ON t_u = u", "SELECT n FROM o"),
        (f"SELECT a FROM t WHERE u = s AND u = '{SHOWN}'", f"SELECT a FROM t WHERE u = s AND s = '{SHOWN}'"),
    ],
)
def test_claims_about_uuids_say_how_their_texts_are_written(left: str, right: str, dialect: str) -> None:
    found = verdict(left, right, dialect)
    assert found.verdict is Answer.EQUIVALENT
    assert Assumption.SHOWN_UUIDS in found.pair.assumptions


def test_texts_are_no_uuids_where_no_column_is_one() -> None:
    text = f"SELECT n FROM o WHERE '{SHOWN.upper()}' = 'x'"
    schema = "CREATE TABLE o (n INT)"
    found = check_sql(text, text, schema=schema, dialect="duckdb")
    assert found.verdict is Answer.EQUIVALENT
    assert Assumption.SHOWN_UUIDS not in found.pair.assumptions


@pytest.mark.parametrize("dialect", DIALECTS)
def test_differences_have_uuids_where_the_schema_has_them(dialect: str) -> None:
    found = verdict("SELECT a FROM t JOIN o ON u = t_u", "SELECT a FROM t WHERE u = s", dialect)
    assert found.verdict is Answer.INEQUIVALENT
    assert found.counterexample is not None
    values = {row[0] for row in found.counterexample.database["t"]}
    assert all(is_shown(str(value)) for value in values)
    assert values


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_differs_on_other_texts_alone_is_no_difference(dialect: str) -> None:
    found = verdict("SELECT a FROM t WHERE LENGTH(u) > 0", "SELECT a FROM t", dialect)
    assert found.verdict is Answer.UNKNOWN
    assert found.reasons["uuids"] == "they differ on texts that are no UUIDs, where the schema has some"
