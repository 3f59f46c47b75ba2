"""Normal forms evaluated on a database, by their definition (THEORY-SQL section 2).

A slot over ★ ranges over the values that an equation in the condition can give it: the condition is false of others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from tallystick.core.binders import conjuncts
from tallystick.core.operators import FIRST_ORDER, Operator
from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.expressions import Literal
from tallystick.core.queries.interpreter.functions import FUNCTIONS
from tallystick.core.queries.interpreter.orders import in_order
from tallystick.core.queries.interpreter.rounding import quotient
from tallystick.core.queries.interpreter.running import Undetermined
from tallystick.core.queries.types import INTEGER
from tallystick.core.terms import Term
from tallystick.core.types import BOOL, OptionType, default_value

Slots = tuple[Any, ...]
"""The values of the slots in scope, the innermost first; `UNKNOWN` for those that are not chosen yet."""
UNKNOWN = object()


class Unchosen(Exception):  # noqa: N818 - it is no mistake
    """A value depends on a slot that is not chosen yet."""


class NormalForms:
    """Evaluates terms on one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def rows(self, bag: Term, slots: Slots = ()) -> list[Any]:
        """The heads of a summation, as often as they occur."""
        return [
            self.value(monomial.arguments[-1], chosen)
            for monomial in bag.arguments
            for chosen in self.choices(monomial.arguments[:-2], monomial.arguments[-2], slots)
        ]

    def choices(self, sources: Sequence[Term], condition: Term, slots: Slots) -> Iterator[Slots]:
        """All choices for slots under which no conjunct of the condition is false; conjuncts may be unknown."""
        if not sources:
            if self.is_possible(condition, slots):
                yield slots
            return
        for value in self.source(sources[0], condition, slots, len(sources)):
            yield from self.choices(sources[1:], condition, (value, *slots))

    def is_possible(self, condition: Term, slots: Slots) -> bool:
        for conjunct in conjuncts(condition):
            try:
                if not self.value(conjunct, slots):
                    return False
            except Unchosen:
                continue
        return True

    def source(self, source: Term, condition: Term, slots: Slots, unchosen: int) -> list[Any]:
        match source.operator:
            case Operator.VARIABLE:
                return list(self.database[source.parameter[0]])  # type: ignore[index]
            case Operator.EVERY if source.parameter == BOOL:
                return [False, True]
            case Operator.EVERY if source.parameter == OptionType(BOOL):
                return [None, False, True]
            case Operator.EVERY:
                padded = (*[UNKNOWN] * unchosen, *slots)
                return list(dict.fromkeys(self.candidates(condition, padded, unchosen - 1)))
            case Operator.LIMIT:
                return self.limited(source, slots)
            case Operator.EXCEPT_ALL | Operator.INTERSECT_ALL:
                left, right = (Counter(self.rows(bag, slots)) for bag in source.arguments)
                return list((left - right if source.operator is Operator.EXCEPT_ALL else left & right).elements())
        raise NotImplementedError(source.operator)

    def candidates(self, formula: Term, slots: Slots, index: int) -> Iterator[Any]:
        """The values that the equations in a formula can give to a slot."""
        match formula.operator:
            case Operator.EQUAL:
                for place, side in enumerate(formula.arguments):
                    if _slot_of(side) == index:
                        try:
                            yield self.value(formula.arguments[1 - place], slots)
                        except Unchosen:
                            continue
            case Operator.IS_NONE if _slot_of(formula.arguments[0]) == index:
                yield None
            case Operator.EXISTS:
                for monomial in formula.arguments[0].arguments:
                    *sources, condition, _ = monomial.arguments
                    for chosen in self.choices(sources, condition, slots):
                        yield from self.candidates(condition, chosen, index + len(sources))
            case Operator.AND | Operator.OR | Operator.NOT | Operator.ITE:
                for argument in formula.arguments:
                    yield from self.candidates(argument, slots, index)

    def limited(self, source: Term, slots: Slots) -> list[Any]:
        count, offset, directions = source.parameter  # type: ignore[misc]
        rows = self.rows(source.arguments[0], slots)
        keys = [OrderKey(Literal(None, INTEGER), *direction) for direction in directions]
        groups = in_order([(row[len(row) - len(keys) :], row) for row in rows], keys)
        behind = len(rows) if count is None else offset + count
        place = 0
        for group in groups:
            end = place + len(group)
            if any(place < at < end for at in (offset, behind)) and len({row for _, row in group}) > 1:
                raise Undetermined("a cut through ties")
            place = end
        return [row for group in groups for _, row in group][offset:behind]

    def value(self, term: Term, slots: Slots) -> Any:
        """The value of a term."""
        match term.operator:
            case Operator.SLOT:
                if slots[term.parameter[0]] is UNKNOWN:  # type: ignore[index]
                    raise Unchosen
                return slots[term.parameter[0]]  # type: ignore[index]
            case Operator.ITE:
                return self.value(term.arguments[1 if self.value(term.arguments[0], slots) else 2], slots)
            case Operator.AND:
                return all(self.value(part, slots) for part in term.arguments)
            case Operator.OR:
                return any(self.value(part, slots) for part in term.arguments)
            case Operator.EXISTS:
                return bool(self.rows(term.arguments[0], slots))
            case Operator.SUM:
                return sum(self.rows(term.arguments[0], slots), default_value(term.type))  # type: ignore[arg-type]
            case Operator.EXTREMUM:
                chosen = min if term.parameter == "min" else max
                return chosen(self.rows(term.arguments[0], slots), default=default_value(term.type))  # type: ignore[arg-type]
            case Operator.AGGREGATE if term.parameter[0].startswith("'single_value'("):  # type: ignore[index, union-attr]
                rows = self.rows(term.arguments[0], slots)
                if len(rows) > 1:
                    raise Undetermined("several rows")
                return rows[0][0] if rows else None
        values = [self.value(argument, slots) for argument in term.arguments]
        if term.operator is Operator.APPLY:
            name = term.parameter[0]  # type: ignore[index]
            if name.startswith("quotient "):
                return quotient(*values, name.removeprefix("quotient ")) if values[1] else default_value(term.type)  # type: ignore[arg-type]
            result = FUNCTIONS[_spelled(name)](*values)
            return Fraction(result) if default_value(term.type) == Fraction(0) and type(result) is not int else result  # type: ignore[arg-type]
        return FIRST_ORDER[term.operator].value(values, term)


def _spelled(name: str) -> str:
    """The name of a function without its types."""
    return re.match(r"'(.*)'\(", name)[1]  # type: ignore[index]


def _slot_of(term: Term) -> int | None:
    """The index of a slot, or of one whose value is read."""
    if term.operator is Operator.VALUE:
        term = term.arguments[0]
    return term.parameter[0] if term.operator is Operator.SLOT else None  # type: ignore[index]
