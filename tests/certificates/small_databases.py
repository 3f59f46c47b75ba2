"""Normal forms on small databases, evaluated by their meaning: what judgements and premises are tested against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tallystick.core.binders import element_type, fresh_rows, instantiate
from tallystick.core.operators import FIRST_ORDER, Operator
from tallystick.core.terms import Term
from tallystick.core.types import BOOL, INT, OptionType, default_value

NUMBERS = (-1, 0, 1, 2)
"""What a slot over every integer ranges over."""


class Database:
    """A bag of rows for each table, and values for the rows in scope; every value is one of a few."""

    def __init__(self, tables: Mapping[str, list[Any]]) -> None:
        self.tables = {name: Counter(rows) for name, rows in tables.items()}

    def source(self, source: Term, rows: Mapping[Term, Any]) -> Mapping[Any, int]:
        """The values of a source, with their multiplicities."""
        parameter: Any = source.parameter
        match source.operator:
            case Operator.VARIABLE:
                return self.tables[parameter[0]]
            case Operator.EVERY:
                return dict.fromkeys(_every(parameter), 1)
            case Operator.LIMIT:
                count, offset, _ = parameter
                found = sorted(self.bag(source.arguments[0], rows).elements(), key=repr)
                return Counter(found[offset:] if count is None else found[offset : offset + count])
            case Operator.EXCEPT_ALL:
                return self.bag(source.arguments[0], rows) - self.bag(source.arguments[1], rows)
        raise NotImplementedError(source.operator)

    def choices(self, monomial: Term, rows: Mapping[Term, Any]) -> Iterator[tuple[dict[Term, Any], int, Term, Term]]:
        """The rows for the slots of a monomial, their weight, and its condition and head over them."""
        first = 1 + max((each.parameter[0] for each in (*monomial.rows, *rows)), default=-1)
        slots = fresh_rows(monomial, first)
        opened = instantiate(monomial, slots)
        for known, weight in self.tuples(slots, opened.sources, dict(rows)):
            yield known, weight, opened.condition, opened.head

    def tuples(self, slots, sources, rows: dict[Term, Any], weight: int = 1) -> Iterator[tuple[dict[Term, Any], int]]:
        """All values of rows from sources, which may mention the rows before them."""
        if not slots:
            yield rows, weight
            return
        for value, count in self.source(sources[0], rows).items():
            yield from self.tuples(slots[1:], sources[1:], {**rows, slots[0]: value}, weight * count)

    def bag(self, bag: Term, rows: Mapping[Term, Any]) -> Counter[Any]:
        """The elements of a summation."""
        found: Counter[Any] = Counter()
        for monomial in bag.arguments:
            for known, weight, condition, head in self.choices(monomial, rows):
                if self.value(condition, known):
                    found[self.value(head, known)] += weight
        return found

    def value(self, term: Term, rows: Mapping[Term, Any]) -> Any:
        """The value of a term for given rows."""
        match term.operator:
            case Operator.ROW:
                return rows[term]
            case Operator.SUMMATION:
                return self.bag(term, rows)
            case Operator.EXISTS:
                return bool(self.bag(term.arguments[0], rows))
            case Operator.SUM:
                return sum(self.bag(term.arguments[0], rows).elements())
            case Operator.EXTREMUM:
                found = self.bag(term.arguments[0], rows)
                return (min if term.parameter == "min" else max)(found, default=default_value(term.type))
            case Operator.APPLY:
                return sum(hash(self.value(argument, rows)) for argument in term.arguments) % 3
        if isinstance(element := term.type, OptionType) or element:
            values = [self.value(argument, rows) for argument in term.arguments]
            return FIRST_ORDER[term.operator].value(values, term)
        raise NotImplementedError(term.operator)

    def satisfies(self, formula: Term, before: Mapping[Term, Any], first: int, sources: tuple[Term, ...]) -> bool:
        """Whether a formula holds for all rows with numbers from `first` on from these sources."""
        from tallystick.core.terms import row

        slots = tuple(row(first + place, element_type(source)) for place, source in enumerate(sources))
        return all(self.value(formula, known) for known, _ in self.tuples(slots, sources, dict(before)))


def _every(of: Any) -> tuple[Any, ...]:
    if isinstance(of, OptionType):
        return (None, *_every(of.of))
    if of == BOOL:
        return (False, True)
    assert of == INT
    return NUMBERS
