"""Functions that are NULL for arguments of which none is: they are not taken for NULL for NULL alone."""

from __future__ import annotations

import pytest
from tallystick import Answer, check_sql

SCHEMA = "CREATE TABLE t (id INT, s VARCHAR(10), d DATE, a INT)"


@pytest.mark.parametrize(
    ("dialect", "call", "of_nulls"),
    [
        ("mysql", "LPAD(s, a)", "s IS NULL OR a IS NULL"),
        ("mysql", "RPAD(s, -1, 'x')", "s IS NULL"),
        ("mysql", "LPAD(s, 3, '')", "s IS NULL"),
        ("mysql", "DATE_FORMAT(d, '')", "d IS NULL"),
        ("mysql", "DATE_FORMAT(d, s)", "d IS NULL OR s IS NULL"),
        ("postgres", "TO_CHAR(d, '')", "d IS NULL"),
        ("postgres", "TO_CHAR(d, s)", "d IS NULL OR s IS NULL"),
    ],
)
def test_a_function_that_may_be_null_of_what_is_not(dialect: str, call: str, of_nulls: str):
    left, right = (f"SELECT id FROM t WHERE {condition}" for condition in (f"{call} IS NULL", of_nulls))
    assert check_sql(left, right, schema=SCHEMA, dialect=dialect, timeout=1.0).verdict is not Answer.EQUIVALENT


@pytest.mark.parametrize(
    ("dialect", "call"),
    [("mysql", "LPAD(s, 3, 'x')"), ("mysql", "DATE_FORMAT(d, '%Y')"), ("postgres", "TO_CHAR(d, 'YYYY')")],
)
def test_a_function_that_is_null_of_null_alone(dialect: str, call: str):
    column = call.partition("(")[2][0]
    left, right = (f"SELECT id FROM t WHERE {condition} IS NULL" for condition in (call, column))
    assert check_sql(left, right, schema=SCHEMA, dialect=dialect).verdict is Answer.EQUIVALENT
