"""Functions that are known by their names do not tell integers of two widths apart, since the reader does not."""

from __future__ import annotations

import re

import pytest

from conformance.engines import Engine, FailedError, RejectedError
from conformance.table import rows

pytestmark = pytest.mark.xdist_group("conformance")
INTEGERS = re.compile(r"(?<![.'\w])(id|a|b)(?![\w'])")


def with_integers(expression: str, of_type: str) -> str:
    """The expression with integers, some of which are negative, of a type in place of columns that have such."""
    parts = re.split(r"('(?:[^']|'')*')", expression)
    return "".join(
        part if number % 2 else INTEGERS.sub(lambda found: f"CAST({found[0]} - 4 AS {of_type})", part)
        for number, part in enumerate(parts)
    )


def returned(engine: Engine, expression: str) -> list[str] | None:
    try:
        return [str(value) for _, value in engine.run(f"SELECT id, {expression} AS q FROM t ORDER BY id").rows]
    except (RejectedError, FailedError):
        return None


@pytest.mark.parametrize(
    "engine", ["duckdb", "postgres", pytest.param("spark", marks=pytest.mark.spark)], indirect=True
)
def test_functions_by_name_do_not_tell_widths_apart(engine: Engine) -> None:
    named = [row for row in rows() if row.construct.startswith("named ") and engine.name in row.dialects]
    told, asked = [], 0
    for expression in (row.text[1:].strip() for row in named if row.text.startswith("=")):
        one, other = (returned(engine, with_integers(expression, each)) for each in ("INT", "BIGINT"))
        if one is not None and other is not None and with_integers(expression, "INT") != expression:
            asked += 1
            told += [expression] if one != other else []
    assert asked > 10
    assert not told
