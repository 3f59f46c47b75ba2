"""Texts as numbers in the same order, numbers that stand for texts, and functions as tables of what they give."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import product
from typing import Any, Final

import z3
from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.queries.expressions import Function
from tallystick.core.queries.interpreter.functions import implementation
from tallystick.core.queries.types import SqlType, SqlValue
from tallystick.decision.queries.counterexamples.pools import COMMON, Constants
from tallystick.decision.queries.counterexamples.symbolic.cells import (
    NoEncodingError,
    SymbolicValue,
    chosen,
    conj,
    disj,
)

GAP: Final = 2**64
"""Between the numbers of two texts next to each other, so that others find room between them."""
MOST_ENTRIES: Final = 300
"""Of the table of a function."""


class Texts:
    """Numbers for texts, given when a text is first met."""

    def __init__(self) -> None:
        self.sorted: list[str] = []
        self.number_of: dict[str, int] = {}
        self.text_of: dict[int, str] = {}

    def number(self, text: str) -> int:
        """The number of a text."""
        if text not in self.number_of:
            place = bisect_left(self.sorted, text)
            below = self.number_of[self.sorted[place - 1]] if place else None
            above = self.number_of[self.sorted[place]] if place < len(self.sorted) else None
            self._give(text, below, above)
            self.sorted.insert(place, text)
        return self.number_of[text]

    def _give(self, text: str, below: int | None, above: int | None) -> None:
        if below is None or above is None:
            found = 0 if below is above else above - GAP if above is not None else (below or 0) + GAP
        else:
            found = (below + above) // 2
            if found == below:
                raise NoEncodingError("too many texts")
        self.number_of[text], self.text_of[found] = found, text


class Functions:
    """Functions of cells, by what they give on the values of pools: arguments are asked to be among these.

    Attributes:
        asked: what a database must satisfy for the tables to be right.
    """

    def __init__(self, constants: Constants, texts: Texts) -> None:
        self.constants, self.texts = constants, texts
        self.asked: list[Any] = []
        self.results: dict[int, tuple[SymbolicValue, tuple[SqlValue, ...]]] = {}

    def encoded(self, value: SqlValue) -> Any:
        """A value as cells have it."""
        return self.texts.number(value) if isinstance(value, str) else value

    def pool(self, type_: SqlType) -> tuple[SqlValue, ...]:
        """The values of unknown cells that functions are applied to; those of texts in any case."""
        return self.constants.pool(type_) or COMMON[type_]

    def apply(self, function: Function, arguments: list[SymbolicValue]) -> SymbolicValue:
        """The value of a strict function. Raises NoEncodingError for another, and where a table is too large."""
        if not function.strict:
            raise NoEncodingError(f"the function {function.name}, which may be NULL of values")
        missing = disj(cell.null for cell in arguments)
        try:
            compute = implementation(function)
        except FragmentError:
            if function.type is SqlType.BOOLEAN:
                raise NoEncodingError(f"the function {function.name}, which nothing computes") from None
            return self._of_table([], missing, function.type)  # the same for all values: no difference comes from it
        domains = [self._domain(cell) for cell in arguments]
        entries = 1
        for domain in domains:
            entries *= len(domain)
        if entries > MOST_ENTRIES:
            raise NoEncodingError(f"the function {function.name} on more than {MOST_ENTRIES} values")
        table: list[tuple[Any, SqlValue]] = []
        for values in product(*domains):
            try:
                result = compute(*values)
            except EvaluationError:
                continue
            table.append((conj(self._is(*pair) for pair in zip(arguments, values, strict=True)), result))
        self.asked.append(disj((missing, *(condition for condition, _ in table))))
        return self._of_table(table, missing, function.type)

    def _is(self, cell: SymbolicValue, value: SqlValue) -> Any:
        if cell.type is SqlType.BOOLEAN:
            return cell.value == value
        encoded = self.encoded(value)
        if cell.type is SqlType.DECIMAL and z3.is_expr(cell.value):
            return cell.value == z3.Q(encoded.numerator, encoded.denominator)  # type: ignore[union-attr]
        return cell.value == encoded

    def _of_table(self, table: list[tuple[Any, SqlValue]], missing: Any, type_: SqlType) -> SymbolicValue:
        if type_ is SqlType.BOOLEAN:
            cell = SymbolicValue(disj(condition for condition, result in table if result), missing, type_)
        else:
            value: Any = 0
            for condition, result in table:
                value = chosen(condition, self._term(result, type_), value, type_)
            cell = SymbolicValue(value, missing, type_)
        self._remember(cell, (result for _, result in table))
        return cell

    def _term(self, value: Any, type_: SqlType) -> Any:
        if type_ is SqlType.DECIMAL:
            return z3.Q(value.numerator, value.denominator)
        return z3.IntVal(self.encoded(value))

    def _remember(self, cell: SymbolicValue, results: Iterable[SqlValue]) -> None:
        """What a function gives may be what another is applied to."""
        self.results[id(cell)] = cell, tuple(dict.fromkeys(results))

    def constant(self, cell: SymbolicValue, value: SqlValue) -> SymbolicValue:
        """A cell that is known to have a value."""
        self._remember(cell, () if value is None else (value,))
        return cell

    def _domain(self, cell: SymbolicValue) -> tuple[SqlValue, ...]:
        if id(cell) in self.results:
            return self.results[id(cell)][1]
        return (False, True) if cell.type is SqlType.BOOLEAN else self.pool(cell.type)

    def is_text(self, cell: SymbolicValue) -> Any:
        """Whether the number of a cell of texts stands for one of the pool."""
        pool = self.pool(SqlType.TEXT)
        return disj((cell.null, *(cell.value == self.encoded(text) for text in pool)))
