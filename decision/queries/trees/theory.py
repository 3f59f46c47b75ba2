"""What the search reads of the catalogue: sources are terms, tables are variables (untrusted)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tallystick.core.binders import element_type
from tallystick.core.operators import Operator
from tallystick.core.relations import Relation, Relations
from tallystick.core.terms import Term, project, row, substitute, subterms
from tallystick.core.types import BagType, TupleType


class Theory:
    """The tables of a database as the search asks for them.

    Attributes:
        relations: what is known of the tables.
    """

    def __init__(self, relations: Relations) -> None:
        self.relations = relations
        self._sources: dict[Term, frozenset[Term]] = {}
        self._checks: dict[tuple[Term, Term], tuple[tuple[Term, frozenset[Term]], ...]] = {}

    def table(self, source: Term) -> Relation | None:
        """The table that a source is, if it is one of which something is known."""
        if source.operator is not Operator.VARIABLE:
            return None
        parameter: Any = source.parameter
        return self.relations.get(parameter[0])

    def keys(self, source: Term) -> tuple[tuple[int, ...], ...]:
        """The keys of the table that a source is; none if it is no table."""
        table = self.table(source)
        return () if table is None else table.keys

    def checks(self, source: Term, row_term: Term) -> tuple[tuple[Term, frozenset[Term]], ...]:
        """The checks of the table that a source is, of a row of it, with the columns that they mention.

        They are kept: a search asks for the checks of each row at each node.
        """
        known = self._checks.get((source, row_term))
        if known is None:
            table, first = self.table(source), self.row(0, source)
            formulas = () if table is None else table.checks
            checks = [substitute(formula, {first: row_term}) for formula in formulas]
            known = tuple((check, frozenset(filter(None, map(column_of, subterms(check))))) for check in checks)
            self._checks[source, row_term] = known
        return known

    def foreign_tables(self, source: Term) -> list[Term]:
        """The tables that the foreign keys of a source refer to."""
        table = self.table(source)
        return [] if table is None else [self.relations[found.table].source for found in table.references]

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
            bags = (part for part in subterms(unknown) if isinstance(part.type, BagType))
            known = self._sources[unknown] = frozenset(bag for bag in bags if bag.operator is Operator.VARIABLE)
        return known

    def columns(self, one: Term, other: Term) -> Iterator[tuple[Term, Term]]:
        """The columns of two rows of one table, side by side."""
        of = one.type
        if isinstance(of, TupleType):
            for index in range(len(of.components)):
                yield project(one, index), project(other, index)


def column_of(term: Term) -> Term | None:
    """The column of a row that a term is, or reads: its value, or whether it is NULL."""
    of = term.arguments[0] if term.operator in (Operator.IS_NONE, Operator.VALUE) else term
    return of if of.operator is Operator.PROJECTION else None
