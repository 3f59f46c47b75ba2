"""Monomials: the effect of a bag expression on arbitrary elements of its input bags (THEORY section 2).

The program term of TR Fig. 6 is one term that may be ⊥. A monomial keeps the two halves of its definedness
translation apart: the formula `exists` (the term is not ⊥) and the ⊥-free `value`, so that a filtered-out
element cannot come back when a later UDF ignores its argument. An expression with unions has one monomial a
summand. The bag that it denotes is the union, over its monomials and over all choices of one element of the
right input bag for each slot, of {{ value }} where `exists` holds. Slot i, the *representative variable* of CAV
section 4.1, is ROW(i): an arbitrary row of its input bag.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tallystick.core.errors import FragmentError
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    aggregates,
    apply,
    build,
    conjunction,
    require_defined,
    row,
    substitute,
)
from tallystick.core.types import BagType

SUMMAND_LIMIT = 64
SLOT_LIMIT = 64


@dataclass(frozen=True, slots=True)
class Monomial:
    """One summand of a bag expression.

    Attributes:
        sources: the input bag of each slot, sorted by name; slots of one bag are in the order of their occurrence.
        exists: the formula, over the slots, that says that their elements contribute an element.
        value: that element, a term without ⊥.
    """

    sources: tuple[Term, ...]
    exists: Term
    value: Term

    @property
    def slots(self) -> tuple[Term, ...]:
        """The representative variables, one a slot: the rows from number 0 on."""
        return rows_of(self.sources)

    def put(self, terms: Sequence[Term]) -> Monomial:
        """The monomial with other terms in the place of its slots; its sources stay as they are."""
        placed = dict(zip(self.slots, terms, strict=True))
        return Monomial(self.sources, substitute(self.exists, placed), substitute(self.value, placed))

    def after(self, first: int) -> Monomial:
        """The monomial over the rows from number `first` on, to stand apart from those before."""
        return self.put(rows_of(self.sources, first))


def rows_of(sources: Sequence[Term], first: int = 0) -> tuple[Term, ...]:
    """A row of each source, with the numbers from `first` on."""
    return tuple(row(first + place, source.type.element) for place, source in enumerate(sources))  # type: ignore[union-attr]


def name_of(variable: Term) -> str:
    """The name of a variable."""
    return variable.parameter[0]  # type: ignore[index,return-value]


def plain(*terms: Term) -> None:
    """Raises FragmentError unless terms are closed, without ⊥, and speak of no row, which could be taken for a slot."""
    require_defined(*terms)
    if any(term.rows for term in terms):
        raise FragmentError("programs, and what is said of them, have no rows")


def monomials(expression: Term) -> tuple[Monomial, ...]:
    """The monomials of a NoAgg bag expression: input bags, map, filter, cartesian and union.

    Raises FragmentError when it is not plain, has distinct or an aggregate (in a UDF, too), or is too large.
    """
    plain(expression)
    if aggregates(expression):
        raise FragmentError("an aggregate is not in the NoAgg class")
    return tuple(map(_sorted, _monomials(expression, 0)))


def _sorted(monomial: Monomial) -> Monomial:
    """The monomial with its sources in order."""
    order = sorted(range(len(monomial.sources)), key=lambda slot: name_of(monomial.sources[slot]))
    sources = tuple(monomial.sources[slot] for slot in order)
    if sources == monomial.sources:
        return monomial
    placed = dict(zip((monomial.slots[slot] for slot in order), rows_of(sources), strict=True))
    return Monomial(sources, substitute(monomial.exists, placed), substitute(monomial.value, placed))


def _monomials(expression: Term, first: int) -> tuple[Monomial, ...]:
    """The monomials of an expression over the rows from number `first` on, in the order of their occurrence."""
    arguments = expression.arguments
    match expression.operator:
        case Operator.VARIABLE if isinstance(expression.type, BagType):
            _bounded(first + 1, SLOT_LIMIT, "slots")
            return (Monomial((expression,), TRUE, row(first, expression.type.element)),)
        case Operator.MAP:
            udf, bag = arguments[0], _monomials(arguments[1], first)
            return tuple(Monomial(m.sources, m.exists, apply(udf, m.value)) for m in bag)
        case Operator.FILTER:
            udf, bag = arguments[0], _monomials(arguments[1], first)
            return tuple(Monomial(m.sources, conjunction(m.exists, apply(udf, m.value)), m.value) for m in bag)
        case Operator.CARTESIAN:
            summands = [
                Monomial(
                    left.sources + right.sources,
                    conjunction(left.exists, right.exists),
                    build(Operator.TUPLE, (left.value, right.value)),
                )
                for left in _monomials(arguments[0], first)
                for right in _monomials(arguments[1], first + len(left.sources))
            ]
        case Operator.UNION:
            summands = _monomials(arguments[0], first) + _monomials(arguments[1], first)
        case _:
            raise FragmentError(f"{expression.operator.value} is not in the NoAgg class")
    _bounded(len(summands), SUMMAND_LIMIT, "summands")
    return tuple(summands)


def _bounded(number: int, limit: int, what: str) -> None:
    if number > limit:
        raise FragmentError(f"a bag expression has more than {limit} {what}")
