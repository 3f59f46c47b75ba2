"""Rows in an order: sorting, peers, and what a cut through peers leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from tallystick.core.queries.nodes import OrderKey
from tallystick.core.queries.types import SqlValue

Item = TypeVar("Item")
Keyed = tuple[tuple[SqlValue, ...], Item]
"""Something with the values of its order keys."""


def in_order(items: Sequence[Keyed[Item]], keys: Sequence[OrderKey]) -> list[list[Keyed[Item]]]:
    """The items grouped by equal keys, the groups in order. All are one group if there are no keys."""
    result = list(items)
    for position, key in reversed(list(enumerate(keys))):
        result.sort(key=lambda item, at=position, by=key: _sortable(item[0][at], by), reverse=key.descending)
    groups: list[list[Keyed[Item]]] = []
    for item in result:
        if groups and groups[-1][0][0] == item[0]:
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _sortable(value: Any, key: OrderKey) -> tuple[Any, ...]:
    """NULL is a pair of no value: below all others if it comes first of ascending, or last of descending, values."""
    return (1, value) if value is not None else (0,) if key.nulls_first != key.descending else (2,)
