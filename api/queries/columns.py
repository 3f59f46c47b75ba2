"""A verdict for each output column by itself: where two queries differ."""

from __future__ import annotations

from dataclasses import replace

from tallystick.core.queries.syntax import Project, Statement, reference
from tallystick.frontends.sql.reader import SqlPair


def column_pairs(pair: SqlPair) -> list[tuple[str, SqlPair]]:
    """For each column that both have, its name and the pair of queries that return it alone, as bags."""
    return [
        (name, replace(pair, left=_only(pair.left, index), right=_only(pair.right, index)))
        for index, (name, _) in enumerate(zip(pair.left.names, pair.right.names, strict=False))
    ]


def _only(statement: Statement, index: int) -> Statement:
    column = reference(statement.query, index)
    return Statement(Project(statement.query, (column,)), (statement.names[index],))
