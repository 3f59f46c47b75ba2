"""What the search reads of the catalogue, and the formulas that the checker's nodes add (untrusted)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tallystick.core.binders import bind, element_type, exists, fresh_rows, instantiate, restricted, summation
from tallystick.core.operators import Operator
from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.terms import (
    TRUE,
    Term,
    conjunction,
    default_term,
    disjunction,
    equal,
    is_none,
    less,
    less_equal,
    negation,
    project,
    row,
    subterms,
    variable,
)
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BagType, OptionType, TupleType
from tallystick.decision.queries.opened import FRESH


class Theory:
    """The catalogue as the search asks it: sources are terms, tables are variables."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._sources: dict[Term, frozenset[Term]] = {}

    def table(self, source: Term) -> Table | None:
        """The table that a source is, if it is one."""
        if source.operator is not Operator.VARIABLE:
            return None
        parameter: Any = source.parameter
        return self.catalogue.by_name.get(parameter[0])

    def keys(self, source: Term) -> tuple[tuple[int, ...], ...]:
        """The keys of the table that a source is; none if it is no table."""
        table = self.table(source)
        return () if table is None else table.keys

    def single(self, source: Term) -> bool:
        """Whether a source has at most one row by its form."""
        parameter: Any = source.parameter
        return source.operator is Operator.LIMIT and parameter[0] in (0, 1)

    def row(self, number: int, source: Term) -> Term:
        """The row of a number in a source."""
        return row(number, element_type(source))

    def sources(self, unknown: Term) -> frozenset[Term]:
        """The tables that binders in a term range over."""
        known = self._sources.get(unknown)
        if known is None:
            found = (part for part in subterms(unknown) if isinstance(part.type, BagType))
            known = self._sources[unknown] = frozenset(part for part in found if part.operator is Operator.VARIABLE)
        return known

    def columns(self, one: Term, other: Term) -> Iterator[tuple[Term, Term]]:
        """The columns of two rows of one table, side by side."""
        for index in range(len(one.type.components)):  # type: ignore[union-attr]
            yield project(one, index), project(other, index)

    def foreign_tables(self, source: Term) -> list[Term]:
        """The tables that the foreign keys of a source refer to."""
        table = self.table(source)
        if table is None:
            return []
        return [self._target(key.table) for key in table.foreign_keys]

    def _target(self, name: str) -> Term:
        return variable(name, table_type(self.catalogue.by_name[name]))

    # The formulas that nodes add

    def opened(self, monomial: Term, first: int) -> tuple[tuple[Term, ...], Term]:
        """The sources and the condition of a monomial on the rows from number `first` on."""
        instance = instantiate(monomial, fresh_rows(monomial, first))
        return instance.sources, instance.condition

    def use(self, unknown: Term, index: int, terms: tuple[Term, ...]) -> Term:
        """EXISTS(B) ∨ ¬φθ, or ¬φθ ∨ extremum beyond hθ."""
        instance = instantiate(unknown.arguments[0].arguments[index], terms)
        if unknown.operator is Operator.EXISTS:
            return disjunction(unknown, negation(instance.condition))
        least = unknown.parameter == "min"
        bound = less_equal(unknown, instance.head) if least else less_equal(instance.head, unknown)
        return disjunction(negation(instance.condition), bound)

    def apply(self, one: Term, other: Term) -> Term:
        """Equal arguments, equal values."""
        first, second = _applied(one), _applied(other)
        different = [negation(equal(a, b)) for a, b in zip(first.arguments, second.arguments, strict=True)]
        return disjunction(*different, equal(first, second))

    def key(self, source: Term, one: Term, other: Term, key: int) -> Term:
        """A key column is NULL, or differs, or the rows are equal."""
        columns = [(project(one, c), project(other, c)) for c in self.keys(source)[key]]
        null = [is_none(first) for first, _ in columns if isinstance(first.type, OptionType)]
        different = [negation(equal(first, second)) for first, second in columns]
        return disjunction(*null, *different, equal(one, other))

    def checks(self, source: Term) -> int:
        """How many CHECKs a source has."""
        return 0

    def check(self, row: Term, source: Term, check: int) -> Term:
        """The CHECK is not false."""
        raise NotImplementedError

    def member(self, row: Term, source: Term) -> Term:
        """The row of a block is a row of its bag."""
        bags = source.arguments if source.operator is Operator.INTERSECT_ALL else source.arguments[:1]
        return conjunction(*(exists(restricted(bag, FRESH, lambda opened: equal(opened.head, row))) for bag in bags))

    def foreign(self, row_term: Term, source: Term, index: int) -> Term:
        """A column is NULL, or the row that the foreign key refers to exists."""
        table = self.table(source)
        assert table is not None
        key = table.foreign_keys[index]
        target = self._target(key.table)
        other = row(1 + max(term.parameter[0] for term in row_term.rows), element_type(target))  # type: ignore[index, operator, type-var]
        null, same = [], []
        for column, referenced in zip(key.columns, key.referenced, strict=True):
            mine, theirs = project(row_term, column), project(other, referenced)
            if isinstance(mine.type, OptionType):
                null.append(is_none(mine))
            same.append(_null_safe(mine, theirs))
        return disjunction(*null, exists(summation((bind((other,), (target,), conjunction(*same), TRUE),), TRUE.type)))  # type: ignore[arg-type]

    def extremum(self, unknown: Term) -> Term:
        """Nothing exists and the value is the default, or the value is attained."""
        (bag,) = unknown.arguments
        nothing = conjunction(negation(exists(bag)), equal(unknown, default_term(unknown.type)))  # type: ignore[arg-type]
        return disjunction(nothing, exists(restricted(bag, FRESH, lambda opened: equal(opened.head, unknown))))

    def sign(self, unknown: Term, nonnegative: bool) -> Term:
        """Nothing but zeros is added and the sum is 0, or something else is; then the sum is positive if no weight is negative."""
        (bag,) = unknown.arguments
        zero = default_term(unknown.type)  # type: ignore[arg-type]
        some = exists(restricted(bag, FRESH, lambda opened: negation(equal(opened.head, zero))))
        positive = less(zero, unknown) if nonnegative else TRUE
        return disjunction(conjunction(negation(some), equal(unknown, zero)), conjunction(some, positive))


def _null_safe(one: Term, other: Term) -> Term:
    from tallystick.core.terms import some

    if one.type == other.type:
        return equal(one, other)
    return equal(one, some(other)) if isinstance(one.type, OptionType) else equal(some(one), other)


def _applied(term: Term) -> Term:
    return term.arguments[0] if term.operator in (Operator.VALUE, Operator.IS_NONE) else term


_TYPES = {"INTEGER": INT, "TEXT": TEXT, "DECIMAL": RATIONAL, "BOOLEAN": BOOL}


def table_type(table: Table) -> BagType:
    """The type of a table's rows, as a bag."""
    parts = []
    for column in table.columns:
        of = _TYPES.get(column.type.name, INT)
        parts.append(OptionType(of) if column.nullable else of)
    return BagType(TupleType(tuple(parts)))
