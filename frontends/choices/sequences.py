"""In which order the rows of a query come, as far as its text says: a digest of how they are made.

Rows of two queries come in the same order where both read the same tables in the same places, join, unite and group
them in the same way, and lose the same orders on the way. Conditions on single rows and projections keep rows in their
order, and say nothing; conditions on several tables belong to the joins, wherever they stand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.expressions import And, Comparison, Expression, Literal, Reference, WithQuery
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    Scan,
    SetOperation,
    Window,
)
from tallystick.frontends.choices.marks import InOrder


@dataclass(frozen=True)
class Rows:
    """Rows in their order: a digest of how they are made, and one of what is in each column."""

    digest: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class _Part:
    """A value over the leaves of a block: a digest, and the leaves that it is computed from; None if it has a query."""

    digest: str
    leaves: frozenset[int] | None


@dataclass
class _Block:
    """Tables and other leaves that inner joins put together, and the conditions that are about several of them."""

    leaves: int = 0
    conditions: set[str] = field(default_factory=set)


class Sequences:
    """In which order rows of queries come, as digests."""

    def __init__(self) -> None:
        self.blocks: dict[int, tuple[Query, Rows]] = {}
        self.wholes: dict[int, tuple[Any, str]] = {}

    def block(self, query: Query) -> Rows:
        """The rows of a query of inner joins, conditions and projections over others."""
        if id(query) not in self.blocks:
            block = _Block()
            shape, columns = self.within(block, query)
            rows = Rows(digest(shape, *sorted(block.conditions)), tuple(each.digest for each in columns))
            self.blocks[id(query)] = query, rows
        return self.blocks[id(query)][1]

    def within(self, block: _Block, query: Query) -> tuple[str, list[_Part]]:
        """How leaves of a block stand to each other, and the columns of a query over them."""
        match query:
            case InOrder():
                pass
            case Filter(input_, condition):
                shape, columns = self.within(block, input_)
                self.note(block, condition, columns)
                return shape, columns
            case Project(input_, expressions):
                shape, columns = self.within(block, input_)
                return shape, [self.part(each, columns) for each in expressions]
            case Join("inner", left, right, condition, False):
                (left_shape, lefts), (right_shape, rights) = self.within(block, left), self.within(block, right)
                self.note(block, condition, [*lefts, *rights])
                return f"({left_shape} {right_shape})", [*lefts, *rights]
            case Limit(input_, (), _, 0):
                return self.within(block, input_)
        rows, place = self.leaf(query), block.leaves
        block.leaves += 1
        return rows.digest, [_Part(digest(str(place), each), frozenset({place})) for each in rows.columns]

    def note(self, block: _Block, condition: Expression, columns: Sequence[_Part]) -> None:
        """Notes those parts of a condition that are about several leaves."""
        for each in _conjuncts(condition):
            part = self.part(each, columns)
            if part.leaves is None or len(part.leaves) > 1:
                block.conditions.add(part.digest)

    def leaf(self, query: Query) -> Rows:
        """The rows of what is no block."""
        match query:
            case InOrder(input_, _, by):
                rows = self.block(input_)
                keys = [each if isinstance(each, str) else self.key(each, rows) for each in by]
                return Rows(digest("in order", *keys, rows.digest), rows.columns)
            case Scan(table):
                return Rows(digest("table", table), _places(query))
            case Join(kind, left, right, condition, lateral):
                sides = [self.block(side) for side in (left, right)]
                columns = [digest(side, each) for side, rows in zip("lr", sides, strict=True) for each in rows.columns]
                over = [_Part(each, frozenset()) for each in columns]
                parts = sorted(self.part(each, over).digest for each in _conjuncts(condition))
                made = digest(kind, str(lateral), *(rows.digest for rows in sides), *parts)
                return Rows(made, tuple(columns[: len(query.columns)]))
            case SetOperation(kind, all_, left, right):
                made = digest(kind, str(all_), *(self.block(side).digest for side in (left, right)))
                return Rows(made, _places(query))
            case Distinct(input_):
                rows = self.block(input_)
                return Rows(digest("distinct", rows.digest, *rows.columns), rows.columns)
            case Aggregate(input_, _, calls, sets):
                rows, keys = self.block(input_), self.keys(query)
                made = digest("groups", rows.digest, str(sets), *keys)
                return Rows(made, (*keys, *(self.call(each, rows) for each in calls)))
            case Window(input_, calls):
                rows = self.block(input_)
                calls_ = [self.call(each, rows) for each in calls]
                return Rows(digest("window", rows.digest, *calls_), (*rows.columns, *calls_))
            case Limit(input_, order):
                rows = self.block(input_)
                return Rows(digest("in order", *(self.key(each, rows) for each in order), rows.digest), rows.columns)
        return Rows(self.whole(query), _places(query))

    def keys(self, node: Aggregate) -> list[str]:
        """What rows are grouped by."""
        rows = self.block(node.input)
        return [self.key(key, rows) for key in node.keys]

    def key(self, key: Expression | OrderKey, rows: Rows) -> str:
        """A key over rows."""
        columns = [_Part(each, frozenset()) for each in rows.columns]
        if isinstance(key, OrderKey):
            return digest(self.part(key.expression, columns).digest, str(key.descending), str(key.nulls_first))
        return self.part(key, columns).digest

    def call(self, call: Any, rows: Rows) -> str:
        """A call over rows."""
        return self.part(call, [_Part(each, frozenset()) for each in rows.columns]).digest

    def part(self, value: Any, columns: Sequence[_Part]) -> _Part:
        """An expression, or a part of one, over columns."""
        if isinstance(value, Reference):
            return columns[value.index] if value.level == 0 else _Part(f"{value.level}.{value.index}", frozenset())
        if isinstance(value, WithQuery):
            return _Part(digest(self.whole(value), *(each.digest for each in columns)), None)
        if not is_dataclass(value) and not isinstance(value, tuple):
            return _Part(repr(value), frozenset())
        value = _turned(value)
        inner = value if isinstance(value, tuple) else [getattr(value, each.name) for each in fields(value)]
        parts = [self.part(each, columns) for each in inner]
        texts = [each.digest for each in parts]
        if isinstance(value, Comparison) and value.operator in ("=", "<>", "<=>"):
            texts.sort()
        known = [each.leaves for each in parts if each.leaves is not None]
        leaves = frozenset[int]().union(*known) if len(known) == len(parts) else None
        return _Part(digest(type(value).__name__, *texts), leaves)

    def whole(self, value: Any) -> str:
        """All of a query or an expression, as it is written."""
        if isinstance(value, tuple):
            return digest(*map(self.whole, value))
        if not is_dataclass(value):
            return repr(value)
        if id(value) not in self.wholes:
            parts = (self.whole(getattr(value, each.name)) for each in fields(value))
            self.wholes[id(value)] = value, digest(type(value).__name__, *parts)
        return self.wholes[id(value)][1]


def _turned(value: Any) -> Any:
    """A comparison that says less and not more."""
    if isinstance(value, Comparison) and value.operator in (">", ">="):
        return Comparison("<" if value.operator == ">" else "<=", value.right, value.left)
    return value


def _conjuncts(condition: Expression) -> Iterator[Expression]:
    if isinstance(condition, And):
        for each in condition.operands:
            yield from _conjuncts(each)
    elif not isinstance(condition, Literal):
        yield condition


def _places(query: Query) -> tuple[str, ...]:
    return tuple(map(str, range(len(query.columns))))


def digest(*parts: str) -> str:
    """A digest of several texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
