"""Monomials with rows in place of their slots, as the search handles them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tallystick.core.binders import bind, fresh_rows, instantiate
from tallystick.core.terms import Term, conjunction
from tallystick.decision.queries.trees.slots import conjuncts, replaced

FRESH = 10_000_000
"""Greater than the number of any row in scope."""


@dataclass(frozen=True, slots=True)
class Opened:
    """⟨rows : sources | ⋀ conditions ↦ head⟩."""

    rows: tuple[Term, ...]
    sources: tuple[Term, ...]
    conditions: tuple[Term, ...]
    head: Term

    @property
    def condition(self) -> Term:
        """The conjunction."""
        return conjunction(*self.conditions)

    @property
    def monomial(self) -> Term:
        """The monomial with slots again."""
        return bind(self.rows, self.sources, self.condition, self.head)

    @property
    def is_in_order(self) -> bool:
        """Whether each source mentions the rows before it only."""
        return not any(mentions(source, frozenset(self.rows[at:])) for at, source in enumerate(self.sources))

    def only(self, positions: Iterable[int]) -> Opened:
        """Some of the slots, with all conditions."""
        kept = sorted(positions)
        rows, sources = tuple(self.rows[i] for i in kept), tuple(self.sources[i] for i in kept)
        return replace(self, rows=rows, sources=sources)

    def without(self, position: int) -> Opened:
        """All slots but one."""
        return self.only(index for index in range(len(self.rows)) if index != position)

    def substituted(self, values: Mapping[Term, Term]) -> Opened:
        """With terms replaced in sources, conditions and head."""
        conditions = [part for old in self.conditions for part in conjuncts(replaced(old, values))]
        return Opened(
            self.rows,
            tuple(replaced(source, values) for source in self.sources),
            tuple(dict.fromkeys(conditions)),
            replaced(self.head, values),
        )


def opened(monomial: Term, first: int) -> Opened:
    """A monomial with the rows from number `first` on for its slots."""
    rows = fresh_rows(monomial, first)
    instance = instantiate(monomial, rows)
    return Opened(rows, instance.sources, tuple(conjuncts(instance.condition)), instance.head)


def mentions(term: Term, rows: frozenset[Term]) -> bool:
    """Whether a term mentions one of some rows."""
    return not rows.isdisjoint(term.rows)
