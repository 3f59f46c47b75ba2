"""Conditions that say at which place of an order a row stands, said by extrema instead (untrusted).

A table is finite: of its rows, some row is the first. Trees know that of extrema alone. So that NOT EXISTS a row before
this one, and that one value is before this one, become equations with the first value and with the second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tallystick.certificates.facts import Facts
from tallystick.core.binders import extremum, summation
from tallystick.core.operators import Operator
from tallystick.core.terms import FALSE, TRUE, Term, conjunction, disjunction, equal, less, negation, value_of
from tallystick.core.types import INT, OptionType
from tallystick.decision.queries.proofs.classes import Classes
from tallystick.decision.queries.proofs.openings import Guess
from tallystick.decision.queries.trees.opened import Opened, mentions, opened
from tallystick.decision.queries.trees.slots import conjuncts, replaced


def places(monomial: Opened, first: int) -> Iterator[Guess]:
    """A monomial with one such condition said otherwise; `first` is the number from which rows are fresh."""
    yield from ends(monomial, first)
    yield from seconds(monomial, first)


def ends(monomial: Opened, first: int) -> Iterator[Guess]:
    """⟨x̄, y:S | φ ∧ ψ(y) ∧ ¬Ex(z:S | ψ(z) ∧ z.i < y.i)⟩: that no row is before y becomes y.i = min⟨z:S | ψ(z) ↦ z.i⟩.

    The table is finite, so there is such a row; of NOT EXISTS alone, no tree knows that.
    """
    for index, condition in enumerate(monomial.conditions):
        denied = condition.arguments[0] if condition.operator is Operator.NOT else condition
        if denied is condition or denied.operator is not Operator.EXISTS or len(denied.arguments[0].arguments) != 1:
            continue
        inner = _known(opened(denied.arguments[0].arguments[0], first), monomial.conditions)
        for row, source in zip(monomial.rows, monomial.sources, strict=True):
            if inner.sources != (source,):
                continue
            for least, column, rest in _beyond(inner, row):
                if not mentions(rest.condition, frozenset((row,))):
                    values = summation((replace(rest, head=column).monomial,), column.type)  # type: ignore[arg-type]
                    end = extremum("min" if least else "max", values)
                    is_end = equal(replaced(column, {inner.rows[0]: row}), end)
                    conditions = (*monomial.conditions[:index], is_end, *monomial.conditions[index + 1 :])
                    yield Guess(replace(monomial, conditions=conditions), (), False, "end of an order")


def seconds(monomial: Opened, first: int) -> Iterator[Guess]:
    """⟨x̄ | φ ∧ Sum⟨k:★ | Ex(z | ψ(z) ∧ z.i = k) ∧ t < k ↦ 1⟩ = 1⟩: that t is the second greatest value is said so.

    Then t < max⟨z | ψ(z) ↦ z.i⟩ and t = max⟨z | ψ(z) ∧ z.i < max⟨z | ψ(z) ↦ z.i⟩ ↦ z.i⟩.
    """
    for index, condition in enumerate(monomial.conditions):
        for total in _equal_to_one(condition):
            counted = opened(total.arguments[0].arguments[0], first)
            for least, column, own, rest, outside in _distinct_beyond(counted, first + 1, monomial.conditions):
                which, of = "min" if least else "max", column.type
                outmost = extremum(which, summation((replace(rest, head=column).monomial,), of))  # type: ignore[arg-type]
                inside = less(outmost, column) if least else less(column, outmost)
                others = replace(rest, conditions=(*rest.conditions, inside), head=column)
                second = extremum(which, summation((others.monomial,), of))  # type: ignore[arg-type]
                beyond = less(outmost, own) if least else less(own, outmost)
                said = (*outside, beyond, equal(own, second))
                conditions = (*monomial.conditions[:index], *said, *monomial.conditions[index + 1 :])
                yield Guess(replace(monomial, conditions=conditions), (), False, "second of an order")


def _equal_to_one(condition: Term) -> Iterator[Term]:
    """The sum of one monomial that an equation says is 1."""
    if condition.operator is Operator.EQUAL and condition.arguments[0].type == INT:
        left, right = map(Facts().form, condition.arguments)
        factors = {
            term: left.coefficients.get(term, 0) - right.coefficients.get(term, 0)
            for term in {*left.coefficients, *right.coefficients}
        }
        (term, factor), *others = factors.items() or ((condition, 0),)
        is_sum = term.operator is Operator.SUM and len(term.arguments[0].arguments) == 1
        if is_sum and not others and factor in (1, -1) and right.constant - left.constant == factor:
            yield term


def _distinct_beyond(
    counted: Opened, first: int, known: tuple[Term, ...]
) -> Iterator[tuple[bool, Term, Term, Opened, tuple[Term, ...]]]:
    """Of the values of a column beyond a term, which are counted: whether they are less, the column of a row, the term,
    the row with its other conditions, and those that are about no such row."""
    of_values = [part for part in counted.conditions if part.operator is Operator.EXISTS]
    if len(of_values) != 1 or len(counted.rows) != 1 or len(of_values[0].arguments[0].arguments) != 1:
        return
    inner = opened(of_values[0].arguments[0].arguments[0], first)
    (value,) = counted.rows
    columns = [term for term in Classes(inner.conditions).others(value) if term.rows and term.rows <= {*inner.rows}]
    if len(inner.rows) != 1 or not columns:
        return
    parts = [part for part in (*counted.conditions, *inner.conditions) if part not in of_values]
    said = (replaced(part, {value: columns[0]}) for part in parts)
    row = _known(replace(inner, conditions=tuple(dict.fromkeys(said))), known)
    column = value_of(columns[0]) if isinstance(columns[0].type, OptionType) else columns[0]
    about = [part for part in row.conditions if mentions(part, frozenset(row.rows))]
    outside = tuple(part for part in row.conditions if part not in about)
    for part in about:
        if part.operator is Operator.LESS:
            for least, (mine, own) in ((True, part.arguments), (False, part.arguments[::-1])):
                if mine is column and own.rows.isdisjoint(inner.rows):
                    rest = replace(row, conditions=tuple(each for each in about if each is not part))
                    yield least, column, own, rest, outside


def _known(monomial: Opened, known: tuple[Term, ...]) -> Opened:
    """A monomial whose conditions leave out what others of them, and some formulas, decide."""

    def assuming(formula: Term, others: frozenset[Term]) -> Term:
        if formula in others:
            return TRUE
        if negation(formula) in others:
            return FALSE
        if formula.operator in (Operator.AND, Operator.OR):
            make = conjunction if formula.operator is Operator.AND else disjunction
            return make(*(assuming(part, others) for part in formula.arguments))
        return formula

    every = frozenset((*known, *monomial.conditions))
    simpler = conjunction(*(assuming(part, every - {part}) for part in monomial.conditions))
    return replace(monomial, conditions=tuple(conjuncts(simpler)))


def _beyond(inner: Opened, row: Term) -> Iterator[tuple[bool, Term, Opened]]:
    """Conditions z.i < y.i, or z.i > y.i, of a row z: whether they are the former, the column z.i, and the others."""
    for place, part in enumerate(inner.conditions):
        if part.operator is Operator.LESS:
            for least, (own, other) in ((True, part.arguments), (False, part.arguments[::-1])):
                if own.rows == {inner.rows[0]} and replaced(own, {inner.rows[0]: row}) is other:
                    yield (
                        least,
                        own,
                        replace(inner, conditions=inner.conditions[:place] + inner.conditions[place + 1 :]),
                    )
