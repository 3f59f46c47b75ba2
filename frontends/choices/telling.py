"""Choices of two statements, told apart by tags where they are made from rows that come in different orders.

LIMIT, ROW_NUMBER in ties, ANY_VALUE and FIRST choose among rows. An engine chooses by the order in which rows happen to
come, and two queries make the same choice only where their rows come in the same order. So a choice gets a *tag*, the
number of such an order (`sequences.py`): one more key of its order, or one more argument, that is the same for all
rows. It changes no meaning, but functions of different tags are not the same function.

What is no choice gets no tag: where rows that tie have the same values in all columns that are read (`needed.py`,
`order_keys.py`), any of them will do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Final

from tallystick.core.queries.calls import AggregateCall, OrderKey, WindowCall
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.expressions import CHOICE, Expression, Function, Literal, Reference
from tallystick.core.queries.syntax import (
    Aggregate,
    Limit,
    Project,
    Query,
    Scan,
    Statement,
    Values,
    Window,
    reference,
    references,
)
from tallystick.core.queries.types import BOOLEAN, INTEGER, PYTHON_TYPES, ColumnType
from tallystick.frontends.choices.marks import InOrder
from tallystick.frontends.choices.needed import Columns, needed_columns, read_by
from tallystick.frontends.choices.order_keys import determined
from tallystick.frontends.choices.sequences import Sequences, digest

TRUE: Final = Literal(True, BOOLEAN)
"""What no row fails: a call with a condition is NULL of no rows, as the types around it say."""
ONE_OF_THE_ROWS: Final = frozenset({"any_value", "last value"})
"""Aggregates that are the value of one of the rows."""


Change = Callable[[Statement], Statement]


@dataclass(frozen=True)
class ToldApart:
    """Two statements whose choices are the same only if they are made from rows that come in the same order.

    `alike` are the same statements where that is not asked, None if it makes no difference.
    """

    left: Statement
    right: Statement
    alike: tuple[Statement, Statement] | None = None

    def changed(self, left: Change, right: Change | None = None) -> ToldApart:
        """All of them, changed: the right ones as the left ones, or in a way of their own."""
        right = right or left
        alike = None if self.alike is None else (left(self.alike[0]), right(self.alike[1]))
        return ToldApart(left(self.left), right(self.right), alike)


def told_apart(left: Statement, right: Statement, catalogue: Catalogue, one_engine: bool = True) -> ToldApart:
    """Two statements as they were read, with tags where they make different choices; two engines, or one under settings
    by which rows come in other orders, make none alike."""
    sequences, found = Sequences(), dict[str, int]()

    def noted(made: str) -> None:
        found.setdefault(made, len(found) + 1)

    def rewritten(*tags: Callable[[str], OrderKey | None]) -> tuple[Statement, Statement]:
        needed = [needed_columns(each) for each in (left, right)]
        first, second = (_Rewriting(sequences, catalogue, *each) for each in zip(tags, needed, strict=True))
        return first.of(left), second.of(right)

    alike = rewritten(noted, noted)
    if not found or (one_engine and len(found) == 1):
        return ToldApart(*alike)

    def first(made: str) -> OrderKey:
        return _key(found[made])

    def second(made: str) -> OrderKey:
        return _key(found[made] if one_engine else len(found) + found[made])

    return ToldApart(*rewritten(first, second), alike)


def tagged(statement: Statement, catalogue: Catalogue) -> Statement:
    """A statement as it was read, with tags by which its choices are told from those of any other statement."""
    tag = lambda made: _key(int(made[:12], 16))  # noqa: E731
    return _Rewriting(Sequences(), catalogue, tag, needed_columns(statement)).of(statement)


def unordered(statement: Statement) -> Statement:
    """A statement as it was read, without the orders that its meaning does not have."""
    return _Rewriting(Sequences(), Catalogue(()), None, needed_columns(statement)).of(statement)


def unfixed(left: Sequence[str], right: Sequence[str]) -> str:
    """Why two statements that differ in nothing but choices are not known to return the same, by what makes these."""
    both = "both keep" if left and right else "the first keeps" if left else "the second keeps"
    return f"{both} one row of several, and nothing fixes which: {', '.join(dict.fromkeys((*left, *right)))}"


@dataclass
class _Rewriting:
    """Puts tags, if there are any, where choices are made, and takes orders away that were lost."""

    sequences: Sequences
    catalogue: Catalogue
    tag: Callable[[str], OrderKey | None] | None
    needed: dict[int, Columns]
    done: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def of(self, value: Any) -> Any:
        """A value of which parts may be queries, changed; the same object where nothing changes."""
        if isinstance(value, tuple):
            parts = tuple(map(self.of, value))
            return value if all(new is old for new, old in zip(parts, value, strict=True)) else parts
        if not is_dataclass(value) or isinstance(value, type | Literal | Reference | Scan | Values):
            return value
        if id(value) not in self.done:
            self.done[id(value)] = value, self.changed(value)
        return self.done[id(value)][1]

    def changed(self, value: Any) -> Any:
        if isinstance(value, InOrder):
            return self.of(value.input)
        parts = {each.name: self.of(getattr(value, each.name)) for each in fields(value)}
        match value:
            case Limit() if value.cuts and self.needed[id(value)]:
                tags = self.tags(value.input, _keys(value), self.needed[id(value)], _chosen_from(value))
                parts["order"] = (*parts["order"], *tags)
            case Limit():
                parts["order"] = parts["order"] if self.needed[id(value)] else ()
            case Window():
                return self.window(value, parts["input"], parts["calls"])
            case Aggregate():
                pairs = zip(value.calls, parts["calls"], strict=True)
                parts["calls"] = tuple(self.of_group(value, *calls) for calls in pairs)
        same = all(part is getattr(value, name) for name, part in parts.items())
        return value if same else replace(value, **parts)

    def window(self, node: Window, below: Query, calls: tuple[WindowCall, ...]) -> Query:
        """Rows with the calls that are read, and constants for others."""
        needed, width = self.needed[id(node)], len(node.input.columns)
        pairs = enumerate(zip(node.calls, calls, strict=True), width)
        kept = {index: self.of_window(node, *each) for index, each in pairs if index in needed}
        if len(kept) == len(calls):
            same = below is node.input and tuple(kept.values()) == node.calls
            return node if same else Window(below, tuple(kept.values()))
        rows = Window(below, tuple(kept.values())) if kept else below
        places = {index: place for place, index in enumerate((*range(width), *kept))}
        columns = enumerate(node.columns)
        return Project(rows, tuple(reference(rows, places[at]) if at in places else _unread(of) for at, of in columns))

    def of_window(self, node: Window, call: WindowCall, changed: WindowCall) -> WindowCall:
        inner, new = call.call, changed.call
        if isinstance(inner, AggregateCall) and isinstance(new, AggregateCall) and inner.order:
            fixed = (*call.partition, *_keys(inner))
            tags = tuple(self.tags(node.input, fixed, read_by(inner.arguments)))
            changed = replace(changed, call=replace(new, order=(*new.order, *tags)))
        if not call.reads_places:
            return changed
        needed = Columns(each for each in self.needed[id(node)] if each < len(node.input.columns))
        own = call.call.operands if isinstance(call.call, AggregateCall) else call.call.arguments
        tags = self.tags(node.input, (*call.partition, *_keys(call)), needed | read_by(own))
        return replace(changed, order=(*changed.order, *tags))

    def of_group(self, node: Aggregate, call: Any, changed: Any) -> Any:
        if not isinstance(call, AggregateCall) or not (call.order or call.function in ONE_OF_THE_ROWS):
            return changed
        fixed, by, read = (*node.keys, *_keys(call)), self.sequences.keys(node), read_by(call.arguments)
        if not call.order and self.tag is not None and read <= determined(node.input, _columns(fixed), self.catalogue):
            return replace(changed, function="max", filter=changed.filter or TRUE, result=None)
        tags = tuple(self.tags(node.input, fixed, read, node.input, *by))
        if call.order:
            return replace(changed, order=(*changed.order, *tags))
        return replace(changed, arguments=(*changed.arguments, *(tag.expression for tag in tags)))

    def tags(
        self, rows: Query, fixed: Iterable[Expression], read: Columns, of: Query | None = None, *by: str
    ) -> Iterator[OrderKey]:
        """The tag of a choice among rows in which some expressions are the same, if there is a choice.

        Args:
            read: the columns of the rows that are read.
            of: what the rows come from, in the order in which they come.
            by: what else the choice hangs on.
        """
        if self.tag is None or read <= determined(rows, _columns(fixed), self.catalogue):
            return
        tag = self.tag(digest(self.sequences.block(rows if of is None else of).digest, *by))
        if tag is not None:
            yield tag


def _key(number: int) -> OrderKey:
    """The key that tells a choice from those with other numbers."""
    return OrderKey(Function(CHOICE, (Literal(number, INTEGER),), INTEGER, strict=True), False, False)


def _unread(column: ColumnType) -> Literal:
    """A value for a column that nobody reads: of its type, and NULL only if it may be NULL."""
    return Literal(None if column.nullable else PYTHON_TYPES[column.type](), column.type)


def _keys(call: AggregateCall | WindowCall | Limit) -> tuple[Expression, ...]:
    return tuple(key.expression for key in call.order)


def _columns(expressions: Iterable[Expression]) -> Columns:
    """The columns that some of the expressions are."""
    return Columns(each.index for each in expressions if isinstance(each, Reference) and each.level == 0)


def _chosen_from(limit: Limit) -> Query:
    """What a LIMIT chooses from, below what orders or limits rows as it does."""
    inner: Query = limit
    while True:
        match inner:
            case Limit(below, order) if order == limit.order:
                inner = below
            case InOrder(below, _, by) if by == limit.order:
                inner = below
            case Project(below, values) if values == references(below) and not isinstance(inner, InOrder):
                inner = below
            case _:
                return inner
