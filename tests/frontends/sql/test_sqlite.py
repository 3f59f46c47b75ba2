"""SQLite, as suites read it: what hangs on how a value is stored, and on the case of letters in LIKE, is refused."""

from __future__ import annotations

import pytest
from tallystick.experiments.sql_suites.records import SQLITE
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.reader import read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText

SCHEMA = schema_from_statements(SqlText("CREATE TABLE t (a INT, s VARCHAR(5), m DECIMAL(10,2))", "schema"), SQLITE)


def read(text: str) -> None:
    source = SqlText(text, "query")
    read_pair(source, source, SCHEMA, SQLITE, exact_floats=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT a FROM t WHERE s LIKE 'a%'", "LIKE ignores the case of letters"),
        ("SELECT a FROM t WHERE s LIKE s", "LIKE ignores the case of letters"),
        ("SELECT m / 2 AS q FROM t", "a decimal without a fraction may be an integer"),
        ("SELECT SUM(m) / 2 AS q FROM t", "a decimal without a fraction may be an integer"),
        (
            "SELECT CASE WHEN a > 1 THEN a ELSE 1.0 END / 2 AS q FROM t",
            "a decimal without a fraction may be an integer",
        ),
        ("SELECT a FROM t WHERE s = 1", "values of the types integer and text meet"),
    ],
)
def test_what_hangs_on_stored_values_and_on_case_is_refused(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a FROM t WHERE s LIKE '1%'",
        "SELECT m / 2.0 AS q FROM t",
        "SELECT a * 1.0 / 2 AS q FROM t",
        "SELECT a FROM t WHERE a = '1'",
    ],
)
def test_the_rest_is_read(text: str) -> None:
    read(text)
