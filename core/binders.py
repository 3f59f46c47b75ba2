"""Binders: monomials are opened to rows and closed again (normal forms of THEORY-SQL section 2).

    MONOMIAL(source₀, …, sourceₘ₋₁, condition, head)

binds m slots. Source i stands under the slots before it, condition and head under all m, so slot i is SLOT(m - 1 - i)
there. Nobody shifts indices by hand ("locally nameless", McKinna and Pollack 1993; Charguéraud 2012): `instantiate`
puts closed terms, mostly ROWs, in the place of the slots, and `bind` puts slots in the place of ROWs. Rows have numbers
of their own, so nothing can be captured.

The constructors here simplify, and `instantiate` makes terms by them, so that terms that differ in trivial ways only
are one term: EXISTS looks at no heads, a monomial that is nowhere true is left out, one without slots is a condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tallystick.core.errors import SortError
from tallystick.core.operators import FIRST_ORDER, Operator, Parameter
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    add,
    build,
    conjunction,
    default_term,
    disjunction,
    ite,
    row,
    simplified,
    slot,
)
from tallystick.core.types import BOOL, BagType, BasicType


@dataclass(frozen=True, slots=True)
class Instance:
    """A monomial with terms in the place of its slots."""

    sources: tuple[Term, ...]
    condition: Term
    head: Term


def slots_of(monomial: Term) -> int:
    """How many slots a monomial binds."""
    return len(monomial.arguments) - 2


def element_type(source: Term) -> BasicType:
    """The type of the rows of a source, or of the elements of another bag; raises SortError for what is no bag."""
    if not isinstance(source.type, BagType):
        raise SortError(f"{source!r} is no bag")
    return source.type.element


def in_scope(rows: Sequence[Term], term: Term) -> bool:
    """Whether a term is closed, and all its rows are among those in scope."""
    for each in term.rows:
        place: Any = each.parameter[0]  # type: ignore[index]
        if place >= len(rows) or element_type(rows[place]) != each.type:
            return False
    return not term.bound


def instantiate(monomial: Term, terms: Sequence[Term]) -> Instance:
    """A monomial with a closed term for each slot; raises SortError unless they are closed, and of the slots' types."""
    return _instance(monomial, tuple(terms))


@lru_cache(20_000)
def _instance(monomial: Term, terms: tuple[Term, ...]) -> Instance:
    expected = [element_type(source) for source in monomial.arguments[:-2]]
    if [term.type for term in terms] != expected or any(term.bound for term in terms):
        raise SortError(f"expected closed terms of the types {', '.join(map(str, expected))}, got {terms!r}")
    *sources, condition, head = monomial.arguments
    opened = [_opened(source, terms[:place]) for place, source in enumerate(sources)]
    return Instance(tuple(opened), _opened(condition, terms), _opened(head, terms))


def fresh_rows(monomial: Term, first: int) -> tuple[Term, ...]:
    """Rows with the numbers from `first` on for the slots of a monomial."""
    return tuple(row(first + place, element_type(source)) for place, source in enumerate(monomial.arguments[:-2]))


def _opened(term: Term, terms: tuple[Term, ...]) -> Term:
    """`term` with the innermost slots replaced, the last of `terms` for slot 0."""
    done: dict[tuple[Term, int], Term] = {}
    count = len(terms)

    def leaf(node: Term, depth: int) -> Term:
        index: int = node.parameter[0] - depth  # type: ignore[index, operator, assignment]
        if index < 0:
            return node
        return terms[count - 1 - index] if index < count else slot(index - count + depth, node.type)  # type: ignore[arg-type]

    def visit(node: Term, depth: int) -> Term:
        if not node.bound or all(free.parameter[0] < depth for free in node.bound):  # type: ignore[index, operator]
            return node
        if node.operator is Operator.SLOT:
            return leaf(node, depth)
        return _renewed(node, depth, visit, done)

    return visit(term, 0)


def bind(rows: Sequence[Term], sources: Sequence[Term], condition: Term, head: Term) -> Term:
    """The monomial whose slots are the given ROW terms, which may occur in later sources, in condition and head.

    Raises SortError unless `rows` are different ROWs, one a source, and of its type.
    """
    if len(set(rows)) < len(rows) or [term.type for term in rows] != [element_type(source) for source in sources]:
        raise SortError("a monomial binds different rows, one for each source, and of its type")
    if any(term.operator is not Operator.ROW for term in rows):
        raise SortError("a monomial binds rows")
    if any(later in source.rows for place, source in enumerate(sources) for later in rows[place:]):
        raise SortError("a source mentions the slots before it only")
    closed = [_closed(source, tuple(rows[:place])) for place, source in enumerate(sources)]
    arguments = (*closed, _closed(condition, tuple(rows)), _closed(head, tuple(rows)))
    return build(Operator.MONOMIAL, arguments)


def _closed(term: Term, rows: tuple[Term, ...]) -> Term:
    """`term` with slots for rows, the last of them slot 0, and its own free slots shifted beyond them."""
    done: dict[tuple[Term, int], Term] = {}
    count, wanted = len(rows), frozenset(rows)
    places = {bound: count - 1 - place for place, bound in enumerate(rows)}

    def visit(node: Term, depth: int) -> Term:
        if node in places:
            return slot(places[node] + depth, node.type)  # type: ignore[arg-type]
        free = node.bound and any(term.parameter[0] >= depth for term in node.bound)  # type: ignore[index, operator]
        if not free and wanted.isdisjoint(node.rows):
            return node
        if node.operator is Operator.SLOT:
            return slot(node.parameter[0] + count, node.type)  # type: ignore[index, operator, arg-type]
        return _renewed(node, depth, visit, done)

    return visit(term, 0)


def _renewed(node: Term, depth: int, visit: Any, done: dict[tuple[Term, int], Term]) -> Term:
    """A term made anew from what `visit` makes of its arguments, at the depths at which they stand."""
    result = done.get((node, depth))
    if result is None:
        last = len(node.arguments) - 2 if node.operator is Operator.MONOMIAL else 0
        arguments = tuple(visit(part, depth + min(place, last)) for place, part in enumerate(node.arguments))
        result = done[node, depth] = canonical(node.operator, arguments, node.parameter)
    return result


def canonical(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter = None) -> Term:
    """Like `simplified`, with the simplifications of this module as well."""
    if operator in FIRST_ORDER:
        return simplified(operator, arguments, parameter)
    match operator:
        case Operator.SUMMATION:
            return summation(arguments, parameter)  # type: ignore[arg-type]
        case Operator.EXISTS:
            return exists(arguments[0])
        case Operator.SUM:
            return total(arguments[0])
        case Operator.EXTREMUM:
            return extremum(parameter, arguments[0])  # type: ignore[arg-type]
    return simplified(operator, arguments, parameter)


def summation(monomials: Iterable[Term], of: BasicType) -> Term:
    """The sum of monomials with heads of one type, without those whose condition is false."""
    kept = tuple(monomial for monomial in monomials if monomial.arguments[-2] is not FALSE)
    return build(Operator.SUMMATION, kept, of)


def every(of: BasicType) -> Term:
    """★: each value of a type, once."""
    return build(Operator.EVERY, (), of)


def limit(bag: Term, count: int | None, offset: int, directions: tuple[tuple[bool, bool], ...]) -> Term:
    """The first `count` rows after `offset` ones, ordered by the last columns: (descending, NULLs first) of each."""
    return build(Operator.LIMIT, (bag,), (count, offset, directions))


def exists(bag: Term) -> Term:
    """Whether a summation has an element."""
    conditions, monomials = [], []
    for monomial in bag.arguments:
        *sources, condition, head = monomial.arguments
        if not sources:
            conditions.append(condition)
        elif head is TRUE:
            monomials.append(monomial)
        else:
            monomials.append(build(Operator.MONOMIAL, (*sources, condition, TRUE)))
    remaining = summation(dict.fromkeys(monomials), BOOL)
    return disjunction(*conditions, *([build(Operator.EXISTS, (remaining,))] if remaining.arguments else []))


def total(bag: Term) -> Term:
    """The sum of the heads of a summation: 0 without elements."""
    of = element_type(bag)
    zero = default_term(of)
    alone = [ite(m.arguments[0], m.arguments[1], zero) for m in bag.arguments if not slots_of(m)]
    remaining = summation((m for m in bag.arguments if slots_of(m)), of)
    parts = [part for part in alone if part is not zero]
    if remaining.arguments or bag.operator is not Operator.SUMMATION:
        parts.append(build(Operator.SUM, (remaining,)))
    return add(*parts) if len(parts) > 1 else parts[0] if parts else zero


def extremum(which: str, bag: Term) -> Term:
    """The least ("min") or greatest ("max") head of a summation; the default value of its type without elements."""
    made = build(Operator.EXTREMUM, (bag,), which)
    return made if bag.arguments else default_term(element_type(bag))


def aggregate(name: str, of: BasicType, *bags: Term) -> Term:
    """A function of bags of which nothing is known but its name and type: equal bags have equal values."""
    return build(Operator.AGGREGATE, bags, (name, of))


def conjuncts(condition: Term) -> tuple[Term, ...]:
    """The parts of a conjunction; none of TRUE."""
    return () if condition is TRUE else condition.arguments if condition.operator is Operator.AND else (condition,)


def beyond(given: Term, wanted: Term) -> Term:
    """What a condition says that another one does not say in the same words: where `given` holds, it is `wanted`."""
    said = {*conjuncts(given)}
    return conjunction(*(part for part in conjuncts(wanted) if part not in said))


def restricted(bag: Term, first: int, also: Callable[[Instance], Term]) -> Term:
    """A summation with a further condition of each monomial, and TRUE for heads: for `exists`.

    `also` is asked of each monomial opened to rows from number `first` on: greater than that of any row in scope.
    """
    parts = []
    for monomial in bag.arguments:
        rows = fresh_rows(monomial, first)
        opened = instantiate(monomial, rows)
        parts.append(bind(rows, opened.sources, conjunction(opened.condition, also(opened)), TRUE))
    return summation(parts, BOOL)
