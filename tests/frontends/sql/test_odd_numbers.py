"""Numbers beyond all floating-point numbers, and years of MySQL, of which 24 is 2024."""

from __future__ import annotations

import pytest
from tallystick import check_sql
from tallystick.frontends.errors import SourceError


def test_a_number_beyond_all_floating_point_numbers_is_no_defect() -> None:
    schema = "CREATE TABLE t (a DOUBLE PRECISION)"
    left, right = "SELECT a FROM t WHERE a > 1e400", "SELECT a FROM t WHERE FALSE"
    assert check_sql(left, right, schema=schema, dialect="postgres", timeout=2).verdict == "unknown"


def test_years_are_not_understood() -> None:
    schema = "CREATE TABLE t (id INT, y YEAR)"
    with pytest.raises(SourceError, match="the column y cannot be read: values of the type YEAR are not understood"):
        check_sql("SELECT id FROM t WHERE y = 24", "SELECT id FROM t WHERE y = 2024", schema=schema, dialect="mysql")
    text = "SELECT id FROM t"
    assert check_sql(text, text, schema=schema, dialect="mysql").verdict == "equivalent"
