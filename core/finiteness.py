"""Which bags are certainly finite, whatever the database: what sums and extrema need to obey their laws.

A slot that ranges over every value makes a bag infinite unless the condition *guards* it: an equation says what its
value is, or an EXISTS does whose monomials all have such an equation. The compilation of a query guards every slot. A
sum over a bag that is not known to be finite has a value of which nothing is known, and no rule speaks of it.
"""

from __future__ import annotations

from tallystick.core.binders import conjuncts, element_type, fresh_rows, instantiate
from tallystick.core.errors import FragmentError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term
from tallystick.core.types import BOOL, OptionType

WRAPPERS = (Operator.SOME, Operator.VALUE, Operator.TO_RATIONAL)
"""Functions under which each value has finitely many originals."""


def require_finite(bag: Term) -> None:
    """Raises FragmentError unless a summation is certainly finite."""
    if not is_finite(bag):
        raise FragmentError("a slot ranges over every value, and no condition says which ones")


def is_finite(bag: Term) -> bool:
    """Whether a summation is certainly finite."""
    first = 1 + max((term.parameter[0] for term in bag.rows), default=-1)  # type: ignore[index, operator, type-var]
    return all(not _unguarded(monomial, first, frozenset()) for monomial in bag.arguments)


def _unguarded(monomial: Term, first: int, unknown: frozenset[Term]) -> frozenset[Term]:
    """The slots that may have infinitely many values, where the rows in `unknown` may, as rows from number `first` on.

    A block that might be infinite counts as such a slot.
    """
    rows = fresh_rows(monomial, first)
    opened = instantiate(monomial, rows)
    left = frozenset(
        slot for slot, source in zip(rows, opened.sources, strict=True) if _is_endless(source, first + len(rows))
    )
    while left:
        guarded = {slot for slot in left if _guards(opened.condition, slot, left | unknown, first + len(rows))}
        if not guarded:
            break
        left -= guarded
    return left


def _is_endless(source: Term, first: int) -> bool:
    if source.operator is Operator.EVERY:
        of = element_type(source)
        return (of.of if isinstance(of, OptionType) else of) != BOOL
    bags = () if source.operator in (Operator.VARIABLE, Operator.OPAQUE_BAG) else source.arguments
    return any(_unguarded(monomial, first, frozenset()) for bag in bags for monomial in bag.arguments)


def _guards(condition: Term, slot: Term, unknown: frozenset[Term], first: int) -> bool:
    """Whether a condition leaves a slot finitely many values, for each choice of the rows that are not `unknown`."""
    match condition.operator:
        case Operator.AND:
            return any(_guards(part, slot, unknown, first) for part in conjuncts(condition))
        case Operator.OR:
            return all(_guards(part, slot, unknown, first) for part in condition.arguments)
        case Operator.ITE:
            return all(_guards(part, slot, unknown, first) for part in condition.arguments[1:])
        case Operator.IS_NONE:
            return condition.arguments[0] is slot
        case Operator.EQUAL:
            sides = condition.arguments, condition.arguments[::-1]
            return any(_is(one, slot) and unknown.isdisjoint(other.rows) for one, other in sides)
        case Operator.EXISTS:
            return all(_inside(monomial, slot, unknown, first) for monomial in condition.arguments[0].arguments)
    return False


def _inside(monomial: Term, slot: Term, unknown: frozenset[Term], first: int) -> bool:
    rows = fresh_rows(monomial, first)
    more = unknown | _unguarded(monomial, first, unknown)
    return _guards(instantiate(monomial, rows).condition, slot, more, first + len(rows))


def _is(term: Term, slot: Term) -> bool:
    while term.operator in WRAPPERS:
        term = term.arguments[0]
    return term is slot
