"""Orders that rows had when they were read, and that their meaning does not have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.expressions import Expression
from tallystick.core.queries.syntax import Project, Query, references


@dataclass(frozen=True)
class InOrder(Project):
    """The rows of a query as they are, which came in an order that their meaning does not have.

    It stands in what a front-end reads until choices are told apart (`telling.py`), and in no statement.
    """

    by: tuple[Any, ...] = ()


def in_order(query: Query, *by: Expression | OrderKey | str) -> Query:
    """The rows of a query that came in an order: by keys, or as a text says."""
    return InOrder(query, references(query), by)
