"""Rule ONE as a chase: equal monomials with fewer EXISTS and fewer superfluous slots (untrusted).

Guesses come from the equations among the conditions; each is a step of rule ONE, whose premises decide. *Closing*
removes slots: a ★-slot that equals a term, a row that another row determines by a key, a row that exists once because
of a foreign key, an implied condition (no slot at all). *Opening* turns an EXISTS, or the part of its slots that is
unique, into slots.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tallystick.core.binders import bind, exists, extremum, summation
from tallystick.core.finiteness import is_finite
from tallystick.core.operators import ORDERED, Operator
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    conjunction,
    equal,
    is_none,
    ite,
    negation,
    none,
    project,
    some,
    subterms,
    value_of,
)
from tallystick.core.types import BOOL, BoolType, OptionType, TupleType
from tallystick.decision.queries.proofs.classes import Classes
from tallystick.decision.queries.proofs.limits import rows_of_limits
from tallystick.decision.queries.proofs.openings import (
    Guess,
    attained,
    determined,
    opened_alternatives,
    opened_parts,
    opened_singles,
)
from tallystick.decision.queries.proofs.places import places
from tallystick.decision.queries.trees.opened import Opened, mentions, opened
from tallystick.decision.queries.trees.slots import replaced
from tallystick.decision.queries.trees.theory import Theory


@dataclass(frozen=True, slots=True)
class MonomialContext:
    """What is known around a monomial: formulas, and rows with their sources."""

    formulas: tuple[Term, ...]
    rows: tuple[tuple[Term, Term], ...]


def guesses(theory: Theory, monomial: Opened, context: MonomialContext, first: int, mode: str) -> Iterator[Guess]:
    """Steps to try on a monomial, the most rewarding first; `first` is the number from which rows are fresh.

    None of them makes a source mention rows after it.
    """
    return (guess for guess in _guesses(theory, monomial, context, first, mode) if guess.replacement.is_in_order)


def _guesses(theory: Theory, monomial: Opened, context: MonomialContext, first: int, mode: str) -> Iterator[Guess]:
    classes = Classes((*context.formulas, *monomial.conditions))
    opens = mode in ("open", "attained")
    if mode == "keep":
        yield from _unread_rows(theory, monomial, classes)
    if not opens:
        yield from _eliminated_rows(theory, monomial, classes)  # while ★-slots still hold what the row is known by
    yield from _determined_values(monomial, classes)
    yield from _explicit_values(monomial, classes)
    yield from _attained_values(monomial, classes)
    yield from _merged_rows(theory, monomial, context, classes)
    yield from places(monomial, first)
    for position, smaller in rows_of_limits(theory, monomial, classes, first):
        yield Guess(smaller, (position,), False, "row of a LIMIT")
    if mode == "attained":
        yield from attained(theory, monomial, first)
    openings = list(opened_parts(theory, monomial, first)) if opens else []
    if any(map(_sums, monomial.conditions)):
        yield from openings  # before a SUM that is not 0 makes the EXISTS an implied condition, whose rows are lost
    yield from _implied(monomial)
    if opens:
        yield from openings
        yield from opened_alternatives(theory, monomial, first)
        yield from opened_singles(theory, monomial, first)
        yield from _eliminated_rows(theory, monomial, classes)
    if mode in ("close", "keep", "values"):
        yield from _closings(theory, monomial, classes, mode == "values")


def _determined_values(monomial: Opened, classes: Classes) -> Iterator[Guess]:
    """⟨x̄, k:★ | φ⟩ with φ ⊢ k ≐ e: k := e."""
    for position, (row, source) in enumerate(zip(monomial.rows, monomial.sources, strict=True)):
        if source.operator is not Operator.EVERY:
            continue
        own = frozenset((row,))
        for term in _values(row, monomial, classes):
            if not mentions(term, own):
                smaller = monomial.without(position).substituted({row: term})
                yield Guess(smaller, (position,), False, "determined value")
                break


def _values(row: Term, monomial: Opened, classes: Classes) -> Iterator[Term]:
    if isinstance(row.type, BoolType) or row.type == OptionType(BoolType()):
        for condition in monomial.conditions:
            if row in condition.rows and condition.operator is not Operator.EXISTS:
                yield from _truth(row, condition)
    others = classes.others(row)
    if isinstance(row.type, OptionType):
        others.sort(key=lambda term: term.operator is not Operator.NONE)
    yield from others


def _explicit_values(monomial: Opened, classes: Classes) -> Iterator[Guess]:
    """⟨x̄, k:★ | φ⟩ where an EXISTS in φ gives k a value: k ≐ e becomes a condition."""
    for row, source in zip(monomial.rows, monomial.sources, strict=True):
        if source.operator is not Operator.EVERY:
            continue
        for condition in monomial.conditions:
            if condition.operator is Operator.EXISTS and row in condition.rows:
                for term in _inner_values(row, condition):
                    if not classes.same(row, term) and row not in term.rows:
                        equation = equal(row, term)
                        yield Guess(replace(monomial, conditions=(*monomial.conditions, equation)), (), False, "value")


def _attained_values(monomial: Opened, classes: Classes) -> Iterator[Guess]:
    """⟨x̄, k:★ | x.i ≐ max⟨u:S | u.g ≐ k ↦ u.i⟩, …⟩ for a row x of S: k ≐ x.g becomes a condition, if i is a key."""
    for row, source in zip(monomial.rows, monomial.sources, strict=True):
        if source.operator is not Operator.EVERY:
            continue
        for found in _extrema(monomial.conditions):
            if row not in found.rows or len(found.arguments[0].arguments) != 1:
                continue
            inner = opened(found.arguments[0].arguments[0], 1_000_000)
            for other, of in zip(monomial.rows, monomial.sources, strict=True):
                if inner.sources == (of,) and classes.same(found, replaced(inner.head, {inner.rows[0]: other})):
                    there = {inner.rows[0]: other}
                    for term in Classes(inner.conditions).others(row):
                        value = replaced(term, there)
                        if not classes.same(row, value) and row not in value.rows:
                            conditions = (*monomial.conditions, equal(row, value))
                            yield Guess(replace(monomial, conditions=conditions), (), False, "value")


def _extrema(conditions: Iterable[Term]) -> Iterator[Term]:
    for condition in conditions:
        yield from (part for part in subterms(condition) if part.operator is Operator.EXTREMUM)


def _truth(row: Term, condition: Term) -> Iterator[Term]:
    inner, value = condition, TRUE
    if inner.operator is Operator.NOT:
        inner, value = inner.arguments[0], FALSE
    if inner is row:
        yield value


def _inner_values(row: Term, condition: Term) -> Iterator[Term]:
    """Terms over outer rows that an EXISTS of one monomial equates with a row, if need be after other equations."""
    monomials = condition.arguments[0].arguments
    if len(monomials) == 1:
        inner = opened(monomials[0], 1_000_000)
        own = frozenset(inner.rows)
        classes = Classes(inner.conditions)
        others = classes.others(row)
        if not others or not all(mentions(term, own) for term in others):
            yield from (term for term in others if not mentions(term, own))
            return
        columns = {
            column: value
            for each in inner.rows
            for column in _columns(each)
            for value in classes.others(column)
            if not mentions(value, own)
        }
        for term in others:
            outer = replaced(term, columns)
            if not mentions(outer, own):
                yield outer


def _columns(row: Term) -> list[Term]:
    if not isinstance(row.type, TupleType):
        return [row]
    return [project(row, index) for index in range(len(row.type.components))]


def _merged_rows(theory: Theory, monomial: Opened, context: MonomialContext, classes: Classes) -> Iterator[Guess]:
    """Two rows of one table that agree on a key are one."""
    rows = list(enumerate(zip(monomial.rows, monomial.sources, strict=True)))
    for position, (row, source) in reversed(rows):
        for key in theory.keys(source):
            before = zip(monomial.rows[:position], monomial.sources[:position], strict=True)
            for other, other_source in (*before, *context.rows):
                if other_source is source and all(classes.same(project(row, i), project(other, i)) for i in key):
                    smaller = monomial.without(position).substituted({row: other})
                    yield Guess(smaller, (position,), False, "key")
                    break


def _implied(monomial: Opened) -> Iterator[Guess]:
    """A condition that the others imply: an EXISTS, or that a value is not NULL where it is the SUM or MIN of rows.

    What leaves finitely many values for ★ stays: sums need that.
    """
    endless = frozenset(
        row for row, source in zip(monomial.rows, monomial.sources, strict=True) if source.operator is Operator.EVERY
    )
    for index, condition in enumerate(monomial.conditions):
        if condition.operator is Operator.EXISTS or _is_known(condition):
            smaller = replace(monomial, conditions=monomial.conditions[:index] + monomial.conditions[index + 1 :])
            of: Any = smaller.head.type
            if not mentions(condition, endless) or is_finite(summation((smaller.monomial,), of)):
                yield Guess(smaller, (), False, "implied condition")


def _is_known(condition: Term) -> bool:
    """Whether a condition says that a conditional value is not NULL."""
    inner = condition.arguments[0] if condition.operator is Operator.NOT else condition
    return inner.operator is Operator.IS_NONE and inner.arguments[0].operator is Operator.ITE


def _sums(condition: Term) -> bool:
    """Whether a condition is about a SUM, outside of other binders."""
    if condition.operator is Operator.EXISTS:
        return False
    return condition.operator is Operator.SUM or any(map(_sums, condition.arguments))


def _eliminated_rows(theory: Theory, monomial: Opened, classes: Classes) -> Iterator[Guess]:
    """A row that exists once whatever the others are: foreign keys."""
    for position, (row, source) in enumerate(zip(monomial.rows, monomial.sources, strict=True)):
        if not theory.keys(source):
            continue
        columns = _replaced_columns(row, classes)
        if not any(all(project(row, i) in columns for i in key) for key in theory.keys(source)):
            continue
        own = frozenset((row,))
        smaller = monomial.without(position).substituted(columns)
        if mentions(smaller.head, own) or any(mentions(source, own) for source in smaller.sources):
            continue
        kept = tuple(part for part in smaller.conditions if not mentions(part, own))
        yield Guess(replace(smaller, conditions=kept), (position,), False, "foreign key")


def _unread_rows(theory: Theory, monomial: Opened, classes: Classes) -> Iterator[Guess]:
    """Rows that are closed before others, which a foreign key of theirs would make superfluous."""
    for guess in _closings(theory, monomial, classes, values=False):
        [position] = guess.slots
        if not mentions(monomial.head, frozenset((monomial.rows[position],))):
            yield guess


def _replaced_columns(row: Term, classes: Classes) -> dict[Term, Term]:
    """Columns of a row, with terms without the row that are taken for equal."""
    own = frozenset((row,))
    found: dict[Term, Term] = {}
    for index in range(len(row.type.components)):  # type: ignore[union-attr]
        column = project(row, index)
        value = next((term for term in classes.others(column) if not mentions(term, own)), None)
        if value is not None:
            found[column] = value
    return found


def _closings(theory: Theory, monomial: Opened, classes: Classes, values: bool) -> Iterator[Guess]:
    """A unique row or value becomes an EXISTS; with `values`, the head has extrema for columns of the row."""
    for position in reversed(range(len(monomial.rows))):
        row, source = monomial.rows[position], monomial.sources[position]
        own = frozenset((row,))
        if not (theory.keys(source) or source.operator is Operator.EVERY):
            continue
        rest = monomial.without(position)
        if any(mentions(other, own) for other in rest.sources):
            continue
        head = rest.head
        inside = [part for part in monomial.conditions if mentions(part, own)]
        if mentions(head, own):
            columns = {} if source.operator is Operator.EVERY else _replaced_columns(row, classes)
            head = replaced(head, columns)
            if values and mentions(head, own):
                head = replaced(head, _sole_values(row, source, conjunction(*inside)))
            if mentions(head, own):
                continue
        if determined(monomial, (position,), theory, classes) != {position}:
            continue
        yield Guess(closed(monomial, (position,), head), (position,), False, "closing")


def closed(monomial: Opened, positions: tuple[int, ...], head: Term) -> Opened:
    """Some rows become an EXISTS; the head is about the others."""
    rows, sources = ([each[i] for i in positions] for each in (monomial.rows, monomial.sources))
    own = frozenset(rows)
    inside = [part for part in monomial.conditions if mentions(part, own)]
    outside = [part for part in monomial.conditions if not mentions(part, own)]
    some = exists(summation((bind(tuple(rows), sources, conjunction(*inside), TRUE),), BOOL))
    rest = monomial.only(index for index in range(len(monomial.rows)) if index not in positions)
    return replace(rest, conditions=(*outside, some), head=head)


def _sole_values(row: Term, source: Term, condition: Term) -> dict[Term, Term]:
    """Columns of the one row that satisfies a condition, as scalar subqueries are compiled: as the greatest value."""
    found: dict[Term, Term] = {}
    for index, of in enumerate(row.type.components if isinstance(row.type, TupleType) else ()):
        column = project(row, index)
        if isinstance(of, OptionType) and of.of in ORDERED:
            given = conjunction(condition, negation(is_none(column)))
            greatest = extremum("max", summation((bind((row,), (source,), given, value_of(column)),), of.of))
            there = exists(summation((bind((row,), (source,), given, TRUE),), BOOL))
            found[column] = ite(there, some(greatest), none(of.of))
        elif of in ORDERED:
            found[column] = extremum("max", summation((bind((row,), (source,), condition, column),), of))
    return found
