"""A query as it was written, in the words of an engine of another dialect."""

from __future__ import annotations

from typing import Final

import sqlglot
from sqlglot import exp
from tallystick.frontends.sql.dialects import Dialect

OWN: Final = {"duckdb": "duckdb", "spark": "spark", "databricks": "spark"}
"""The engines that are at hand, by the dialects that are theirs."""


def translated(text: str, dialect: Dialect, engine: str) -> str:
    """The text for an engine, "duckdb" or "spark"; raises ParseError where it is not understood.

    A DECIMAL without sizes gets those of its dialect: engines have others.
    """
    if OWN.get(dialect.name) == engine:
        return text
    parsed = sqlglot.parse_one(text, read=None if dialect.name == "calcite" else dialect.name)
    for node in parsed.find_all(exp.DataType):
        if node.this == exp.DType.DECIMAL and not node.expressions and dialect.decimal is not None:
            node.set("expressions", [exp.DataTypeParam(this=exp.Literal.number(size)) for size in dialect.decimal])
    return parsed.sql(dialect=engine)
