"""Bags of rows in the making: summations opened to their monomials, and closed again.

While a query is compiled, the slots in scope are ROW terms with numbers of their own, so that nothing is captured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from tallystick.core.binders import (
    aggregate,
    bind,
    conjuncts,
    every,
    exists,
    extremum,
    fresh_rows,
    instantiate,
    slots_of,
    summation,
    total,
)
from tallystick.core.errors import FragmentError
from tallystick.core.operators import Operator
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.cells import (
    Cell,
    Row,
    packed_row,
    row_of,
    row_type,
    same,
    stored,
    symbol,
    term_type,
    truth_of,
    unpacked,
    value_type,
)
from tallystick.core.queries.types import BOOLEAN, ColumnType, RowType, padded
from tallystick.core.terms import FALSE, TRUE, Term, conjunction, constant, disjunction, negation, row
from tallystick.core.types import BOOL, INT, BasicType, OptionType

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

    def distinct(self, columns: RowType, where: Callable[[Row], Term]) -> Term:
        """⟨k̄:★ | where k̄ ↦ k̄⟩: each row for which a formula holds, once. There must be finitely many of these."""
        slots = tuple(self.row(term_type(column)) for column in columns)
        keys = tuple(unpacked(slot) for slot in slots)
        monomial = bind(slots, [every(term_type(column)) for column in columns], where(keys), packed_row(keys, columns))
        return summation([monomial], row_type(columns))

    def has(self, bag: Term | OpenRows, columns: RowType, keys: Row) -> Term:
        """Ex(B | h ≐ k̄): whether the row is one of the bag."""
        return self.some(bag, columns, lambda head: same_rows(head, keys))

    def without_duplicates(self, bag: Term | OpenRows, columns: RowType) -> Term:
        """DISTINCT."""
        return self.distinct(columns, lambda keys: self.has(bag, columns, keys))

    def single(self, bag: Term, column: ColumnType, one: bool) -> Cell:
        """The value of a scalar subquery, which may be known to have one row at most.

        It is the head of its only monomial if that has no slots; the greatest of its values if it has one row at most;
        else a function of the bag of which nothing is known.
        """
        summands = list(self.opened(bag, (column,)))
        if len(summands) == 1 and not summands[0].rows:
            (cell,) = summands[0].head
            return Cell(disjunction(negation(summands[0].condition), cell.null), cell.value)
        if one or not summands or (len(summands) == 1 and self.has_one_row(summands[0])):
            return self.extreme("max", bag, (column,), column)
        values = self.projected(bag, (column,), padded((column,)), lambda head: head)
        name = symbol("single_value", (column.type,), column.type)
        return unpacked(aggregate(name, OptionType(value_type(column.type)), values))

    def extreme(self, which: str, bag: Term | OpenRows, columns: RowType, column: ColumnType) -> Cell:
        """The least ("min") or greatest ("max") value in the first column that is not NULL; NULL without one."""

        def found(test: Callable[[Cell], Term]) -> Term:
            return self.some(bag, columns, lambda row: test(row[0]))

        null = negation(found(lambda cell: negation(cell.null)))
        if column.type == BOOLEAN:
            if which == "max":
                return Cell(null, found(lambda cell: truth_of(cell).true))
            return Cell(null, negation(found(lambda cell: truth_of(cell).false)))
        of = value_type(column.type)
        values = self.mapped(bag, columns, lambda row: row[0].value, of, lambda row: negation(row[0].null))
        return Cell(null, extremum(which, values))

    def has_one_row(self, summand: Summand) -> bool:
        """Whether at most one choice of rows satisfies the condition, of multiplicity 1.

        This is so if for each slot the condition determines ★, or a key of the table that is not NULL in it, by
        equations with terms outside or over slots that are determined.
        """
        equations = [each.arguments for each in conjuncts(summand.condition) if each.operator is Operator.EQUAL]
        known = {each.arguments[0].arguments[0] for each in conjuncts(summand.condition) if _says_not_null(each)}
        determined: set[Term] = set()

        def fixed(part: Term) -> bool:
            """Whether an equation gives the part a value, and says that it is not NULL."""
            if part.operator is Operator.VALUE and part.arguments[0] not in known:
                return False
            inner = set(summand.rows) - determined
            sides = [(pair[1 - place]) for pair in equations for place in (0, 1) if pair[place] is part]
            return any(inner.isdisjoint(side.rows) for side in sides)

        for _ in summand.rows:
            for slot, source in zip(summand.rows, summand.sources, strict=True):
                if source.operator is Operator.EVERY:
                    found = not isinstance(slot.type, OptionType) and fixed(slot)
                elif source.operator is Operator.VARIABLE:
                    table = self.catalogue.by_name[source.parameter[0]]  # type: ignore[index]
                    cells = row_of(slot, table.row)
                    found = any(all(fixed(cells[index].value) for index in key) for key in table.keys)
                else:
                    found = False
                if found:
                    determined.add(slot)
        return len(determined) == len(summand.rows)


def _says_not_null(formula: Term) -> bool:
    return formula.operator is Operator.NOT and formula.arguments[0].operator is Operator.IS_NONE


def same_rows(left: Sequence[Cell], right: Sequence[Cell]) -> Term:
    """Null-safe equality of rows."""
    return conjunction(*(same(*pair) for pair in zip(left, right, strict=True)))


def union(bags: Iterable[Term], of: BasicType) -> Term:
    """The sum of bags of one type."""
    return summation([monomial for bag in bags for monomial in bag.arguments], of)
