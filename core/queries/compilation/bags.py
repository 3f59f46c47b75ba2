"""Bags of rows in the making: summations opened to their monomials, and closed again.

While a query is compiled, the slots in scope are ROW terms with numbers of their own, so that nothing is captured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from tallystick.core.binders import (
    bind,
    exists,
    fresh_rows,
    instantiate,
    slots_of,
    summation,
    total,
)
from tallystick.core.errors import FragmentError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.cells import (
    Cell,
    Row,
    packed_row,
    row_of,
    row_type,
    same,
    stored,
)
from tallystick.core.queries.types import RowType
from tallystick.core.terms import FALSE, TRUE, Term, conjunction, constant, row
from tallystick.core.types import BOOL, INT, BasicType

Spend = Callable[[int], None]
"""Counts steps of work, and raises where there are too many."""
Scopes = tuple[Row, ...]
"""The rows in scope, level 0 first."""


MOST_SLOTS = 500
"""A query with monomials of more slots is refused: it joins as many tables and groups."""
OPENING, MONOMIAL = 20, 20
"""What it costs to open a monomial and to close it again: so many steps for each subterm, and for itself."""


def free_of_charge(steps: int) -> None:
    """Counts nothing."""


@dataclass(frozen=True)
class Summand:
    """A monomial that is open: rows for its slots, and the cells of its head."""

    rows: tuple[Term, ...]
    sources: tuple[Term, ...]
    condition: Term
    head: Row

    def closed(self, columns: RowType, condition: Term = TRUE, head: Row | None = None) -> Term:
        """The monomial of rows of these columns, with a further condition, and perhaps another head."""
        return self.with_head(packed_row(self.head if head is None else head, columns), condition)

    def with_head(self, head: Term, condition: Term) -> Term:
        """The monomial with a head and a further condition."""
        return bind(self.rows, self.sources, conjunction(self.condition, condition), head)

    def where(self, condition: Term) -> Summand:
        """The monomial with a further condition."""
        return replace(self, condition=conjunction(self.condition, condition))

    def of(self, head: Row) -> Summand:
        """The monomial with another head."""
        return replace(self, head=head)

    def beside(self, other: Summand) -> Summand:
        """The product of two monomials: pairs of rows."""
        condition = conjunction(self.condition, other.condition)
        return Summand((*self.rows, *other.rows), (*self.sources, *other.sources), condition, (*self.head, *other.head))


OpenRows = tuple[Summand, ...]
"""A bag of rows that is open: for bags that do not stand inside of each other, since its rows are the same in all."""


class Bags:
    """What the compilation does with summations."""

    def __init__(self, catalogue: Catalogue, spend: Spend = free_of_charge) -> None:
        self.catalogue = catalogue
        self.spend = spend
        self.numbers = count()
        self.sizes: dict[Term, int] = {}

    def row(self, of: BasicType) -> Term:
        """A row that occurs nowhere else."""
        return row(next(self.numbers), of)

    def opened(self, bag: Term | OpenRows, columns: RowType) -> Iterator[Summand]:
        """The monomials of a summation of rows, each with rows that occur nowhere else; or those that are open."""
        if isinstance(bag, tuple):
            yield from bag
            return
        for monomial in bag.arguments:
            self.spend(OPENING * (MONOMIAL + self.size_of(monomial)))
            first = next(self.numbers)
            for _ in range(slots_of(monomial)):
                next(self.numbers)
            rows = fresh_rows(monomial, first)
            instance = instantiate(monomial, rows)
            yield Summand(rows, instance.sources, instance.condition, row_of(instance.head, columns))

    def kept(self, parts: Iterable[Summand], columns: RowType) -> Iterator[Summand]:
        """Open monomials of rows of these columns, as they are when they are closed and opened again."""
        for part in parts:
            self.spend(OPENING * (MONOMIAL + len(columns)))
            if len(part.rows) > MOST_SLOTS:
                raise FragmentError(f"a monomial has more than {MOST_SLOTS} slots")
            if part.condition is not FALSE:
                yield part.of(tuple(stored(*pair) for pair in zip(part.head, columns, strict=True)))

    def size_of(self, monomial: Term) -> int:
        """How much work it is to open or to close a monomial: its distinct subterms, each with what is free in it."""
        if monomial not in self.sizes:
            if slots_of(monomial) > MOST_SLOTS:
                raise FragmentError(f"a monomial has more than {MOST_SLOTS} slots")
            seen, waiting, size = {monomial}, [monomial], 0
            while waiting:
                term = waiting.pop()
                size += 1 + len(term.bound) + len(term.rows)
                fresh = [argument for argument in term.arguments if argument not in seen]
                seen.update(fresh)
                waiting += fresh
            self.sizes[monomial] = size
        return self.sizes[monomial]

    def mapped(
        self,
        bag: Term | OpenRows,
        columns: RowType,
        head: Callable[[Row], Term],
        of: BasicType,
        where: Callable[[Row], Term] = lambda _: TRUE,
    ) -> Term:
        """The summation with other heads, of the rows where a formula holds."""
        summands = self.opened(bag, columns)
        return summation((part.with_head(head(part.head), where(part.head)) for part in summands), of)

    def size(self, bag: Term | OpenRows, columns: RowType, where: Callable[[Row], Term] = lambda _: TRUE) -> Term:
        """How many rows there are where a formula holds."""
        return total(self.mapped(bag, columns, lambda _: constant(1), INT, where))

    def some(self, bag: Term | OpenRows, columns: RowType, where: Callable[[Row], Term] = lambda _: TRUE) -> Term:
        """Whether there is a row where a formula holds."""
        return exists(self.mapped(bag, columns, lambda _: TRUE, BOOL, where))

    def projected(
        self, bag: Term | OpenRows, columns: RowType, types: RowType, image: Callable[[Row], Sequence[Cell]]
    ) -> Term:
        """The images of the rows, as rows of these types."""
        return self.mapped(bag, columns, lambda head: packed_row(image(head), types), row_type(types))

    def restricted(self, bag: Term | OpenRows, columns: RowType, where: Callable[[Row], Term]) -> Term:
        """The rows where a formula holds."""
        return self.mapped(bag, columns, lambda head: packed_row(head, columns), row_type(columns), where)

    def source(self, source: Term, columns: RowType, types: RowType | None = None) -> Term:
        """The rows of a source, with the cells of `types`, as rows of the columns."""
        return summation([self.rows_of(source, columns, types).closed(columns)], row_type(columns))

    def rows_of(self, source: Term, columns: RowType, types: RowType | None = None) -> Summand:
        """The monomial of `source`, open."""
        slot = self.row(source.type.element)  # type: ignore[union-attr]
        return Summand((slot,), (source,), TRUE, row_of(slot, types or columns)[: len(columns)])


def same_rows(left: Sequence[Cell], right: Sequence[Cell]) -> Term:
    """Null-safe equality of rows."""
    return conjunction(*(same(*pair) for pair in zip(left, right, strict=True)))
