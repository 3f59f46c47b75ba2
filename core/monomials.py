"""Monomials: the effect of a bag expression on arbitrary elements of its input bags (THEORY section 2).

The program term of TR Fig. 6 is one term that may be ⊥. A monomial keeps the two halves of its definedness
translation apart: the formula `exists` (the term is not ⊥) and the ⊥-free `value`, so that a filtered-out
element cannot come back when a later UDF ignores its argument. An expression with unions has one monomial a
summand. The bag that it denotes is the union, over its monomials and over all choices of one element of the
right input bag for each slot, of {{ value }} where `exists` holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tallystick.core.errors import FragmentError
from tallystick.core.terms import TRUE, Operator, Term, aggregates, apply, build, conjunction, substitute, subterms
from tallystick.core.types import BagType

SLOT_MARK = "#"
"""Occurs in the names of representative variables, and in no other name."""

SUMMAND_LIMIT = 64
SLOT_LIMIT = 64

Degree = tuple[tuple[Term, int], ...]
"""How many slots each input bag has, sorted by the bag's name; bags without a slot are left out."""


@dataclass(frozen=True, slots=True)
class Monomial:
    """One summand of a bag expression.

    Attributes:
        degree: the number of slots (occurrences) of each input bag.
        exists: the formula that says that the slots' elements contribute an element.
        value: that element, a term without ⊥.
    """

    degree: Degree
    exists: Term
    value: Term

    @property
    def slots(self) -> tuple[Term, ...]:
        """The representative variables (CAV section 4.1), one a slot."""
        return tuple(representative(bag, index) for bag, count in self.degree for index in range(count))

    def put(self, terms: Mapping[Term, Term]) -> Monomial:
        """The monomial with other terms in the place of its slots; its degree stays as it is."""
        return Monomial(self.degree, substitute(self.exists, terms), substitute(self.value, terms))


def representative(bag: Term, index: int) -> Term:
    """The representative variable of slot `index` of an input bag."""
    return build(Operator.VARIABLE, (), (f"{name_of(bag)}{SLOT_MARK}{index}", bag.type.element))  # type: ignore[union-attr]


def is_slot(variable: Term) -> bool:
    """Whether a variable is a representative variable."""
    return SLOT_MARK in name_of(variable)


def name_of(variable: Term) -> str:
    """The name of a variable."""
    return variable.parameter[0]  # type: ignore[index,return-value]


def plain(*terms: Term) -> None:
    """Checks that terms are closed, without ⊥ and without a variable that could be taken for a representative variable.

    Raises FragmentError otherwise.
    """
    for term in terms:
        if term.bound or any(part.operator is Operator.BOTTOM for part in subterms(term)):
            raise FragmentError("programs have no ⊥, and no bound variable outside a UDF")
        if any(part.operator is Operator.VARIABLE and is_slot(part) for part in subterms(term)):
            raise FragmentError(f"names of parameters do not contain {SLOT_MARK!r}")


def monomials(expression: Term) -> tuple[Monomial, ...]:
    """The monomials of a NoAgg bag expression: input bags, map, filter, cartesian and union.

    Raises FragmentError when it is not plain, has distinct or an aggregate (in a UDF, too), or is too large.
    """
    plain(expression)
    if aggregates(expression):
        raise FragmentError("an aggregate is not in the NoAgg class")
    return _monomials(expression, ())


def _monomials(expression: Term, taken: Degree) -> tuple[Monomial, ...]:
    """The monomials of an expression beside which the slots in `taken` stand; their degrees include it."""
    arguments = expression.arguments
    match expression.operator:
        case Operator.VARIABLE if isinstance(expression.type, BagType):
            counts = {expression: 0, **dict(taken)}
            slot = representative(expression, counts[expression])
            counts[expression] += 1
            _bounded(sum(counts.values()), SLOT_LIMIT, "slots")
            return (Monomial(tuple(sorted(counts.items(), key=lambda item: name_of(item[0]))), TRUE, slot),)
        case Operator.MAP:
            udf, bag = arguments[0], _monomials(arguments[1], taken)
            return tuple(Monomial(m.degree, m.exists, apply(udf, m.value)) for m in bag)
        case Operator.FILTER:
            udf, bag = arguments[0], _monomials(arguments[1], taken)
            return tuple(Monomial(m.degree, conjunction(m.exists, apply(udf, m.value)), m.value) for m in bag)
        case Operator.CARTESIAN:
            summands = [
                Monomial(
                    right.degree,
                    conjunction(left.exists, right.exists),
                    build(Operator.TUPLE, (left.value, right.value)),
                )
                for left in _monomials(arguments[0], taken)
                for right in _monomials(arguments[1], left.degree)
            ]
        case Operator.UNION:
            summands = _monomials(arguments[0], taken) + _monomials(arguments[1], taken)
        case _:
            raise FragmentError(f"{expression.operator.value} is not in the NoAgg class")
    _bounded(len(summands), SUMMAND_LIMIT, "summands")
    return tuple(summands)


def _bounded(number: int, limit: int, what: str) -> None:
    if number > limit:
        raise FragmentError(f"a bag expression has more than {limit} {what}")


def shift(monomial: Monomial, by: Mapping[Term, int]) -> Monomial:
    """The monomial with the slots of each bag renumbered, to stand apart from another monomial's slots."""
    places = [(bag, index) for bag, count in monomial.degree for index in range(count)]
    return monomial.put(
        {representative(bag, index): representative(bag, index + by.get(bag, 0)) for bag, index in places}
    )
