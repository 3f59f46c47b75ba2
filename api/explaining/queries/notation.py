"""Normal forms in words of SQL: rows by their tables, columns by their names, NULL and null-safe equality as such."""

from __future__ import annotations

from tallystick.core.binders import fresh_rows, instantiate
from tallystick.core.operators import Operator
from tallystick.core.pretty import ATOM, COMPARISON, NOT, SUM, Writer
from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.terms import TRUE, Term, row
from tallystick.explaining.document import tree_size

_LETTERS = {Operator.EXISTS: "E", Operator.SUM: "S", Operator.EXTREMUM: "X", Operator.AGGREGATE: "A"}
"""What functions of bags are called where they have short names, with a number."""
LARGEST = 900
"""The most operators, counted with repetitions, that a formula may have to be shown."""


class Notation(Writer):
    """Writes normal forms of queries over a catalogue.

    A row that comes from a table is named by the first letter of the table and its number, as in `o2.total`; one that
    ranges over every value is a `k`. `sources` has where the rows in scope come from. `short`, if given, is what
    EXISTS, sums and other functions of bags are called, and gets a name for each that has none.
    """

    def __init__(
        self, catalogue: Catalogue, sources: dict[Term, Term] | None = None, short: dict[Term, str] | None = None
    ) -> None:
        super().__init__({})
        self.catalogue = catalogue
        self.sources = sources or {}
        self.short = short

    def over(self, sources: tuple[Term, ...], short: dict[Term, str] | None = None) -> Notation:
        """The notation where rows from these sources are in scope, numbered from 0."""
        rows = {row(number, source.type.element): source for number, source in enumerate(sources)}  # type: ignore[union-attr]
        return Notation(self.catalogue, rows, short)

    def text(self, term: Term) -> str:
        """A term as one line, or what it is where it has more than LARGEST operators."""
        size = tree_size(term)
        return self.write(term) if size <= LARGEST else f"(a term of {size} operators, too large to show)"

    def name(self, number: int, source: Term | None) -> str:
        """What a row is called."""
        if source is None:
            return f"x{number}"
        if source.operator is Operator.VARIABLE:
            first = str(source.parameter[0])[:1].lower()  # type: ignore[index]
            return f"{first if first.isalpha() else 'r'}{number}"
        return f"{'k' if source.operator is Operator.EVERY else 'b'}{number}"

    def table(self, source: Term | None) -> Table | None:
        """The table that a source is; None for other sources."""
        if source is None or source.operator is not Operator.VARIABLE:
            return None
        return self.catalogue.by_name.get(str(source.parameter[0]))  # type: ignore[index]

    def column(self, of: Term, index: int) -> str:
        """A column of a row of a table; "" for other tuples."""
        table = self.table(self.sources.get(of))
        return "" if table is None else f"{self.write(of)}.{table.columns[index].name}"

    def compute(self, term: Term) -> tuple[int, str]:
        if self.short is not None and term.operator in _LETTERS:
            letter = _LETTERS[term.operator]
            number = 1 + sum(name.startswith(letter) for name in self.short.values())
            return ATOM, self.short.setdefault(term, f"{letter}{number}")
        safe = null_safe(term)
        if safe is not None:
            left, right = (self.write(side, SUM) for side in safe)
            return COMPARISON, f"{left} ≐ {right}"
        arguments = term.arguments
        match term.operator:
            case Operator.PROJECTION:
                named = self.column(arguments[0], term.parameter)  # type: ignore[arg-type]
                return (ATOM, named) if named else super().compute(term)
            case Operator.ROW:
                return ATOM, self.name(term.parameter[0], self.sources.get(term))  # type: ignore[index, arg-type]
            case Operator.VALUE | Operator.SOME:
                return self.compute(arguments[0])
            case Operator.IS_NONE:
                return COMPARISON, f"{self.write(arguments[0], SUM)} is NULL"
            case Operator.NOT if arguments[0].operator is Operator.IS_NONE:
                return COMPARISON, f"{self.write(arguments[0].arguments[0], SUM)} is not NULL"
            case Operator.NOT if null_safe(arguments[0]) is not None:
                return NOT, f"¬({self.write(arguments[0])})"
            case Operator.EXISTS:
                return ATOM, f"Ex({self.write(arguments[0])})"
            case Operator.SUM:
                return ATOM, f"Sum({self.write(arguments[0])})"
            case _:
                return super().compute(term)

    def monomial(self, monomial: Term) -> str:
        """⟨o1: orders, k2: ★Int? | condition ↦ head⟩; the condition is left out where it is true."""
        first = 1 + max((each.parameter[0] for each in monomial.rows), default=-1)  # type: ignore[index, operator, type-var]
        rows = fresh_rows(monomial, max(first, len(self.sources)))
        opened = instantiate(monomial, rows)
        inner = Notation(self.catalogue, {**self.sources, **dict(zip(rows, opened.sources, strict=True))})
        slots = ", ".join(
            f"{inner.write(slot)}: {inner.write(source)}" for slot, source in zip(rows, opened.sources, strict=True)
        )
        condition = "" if opened.condition is TRUE else f" | {inner.write(opened.condition)}"
        return f"⟨{slots}{condition} ↦ {inner.write(opened.head)}⟩"


def null_safe(term: Term) -> tuple[Term, Term] | None:
    """The sides of a ≐ b where a formula spells it: both are NULL, or neither is and their values are equal."""
    if term.operator is not Operator.OR or len(term.arguments) != 2:
        return None
    nulls, values = term.arguments
    if nulls.operator is not Operator.AND or values.operator is not Operator.AND:
        return None
    if [each.operator for each in nulls.arguments] != [Operator.IS_NONE] * 2:
        return None
    sides = tuple(each.arguments[0] for each in nulls.arguments)
    *known, equation = values.arguments
    present = [each.arguments[0] for each in known if each.operator is Operator.NOT]
    if [each.arguments[0] for each in present if each.operator is Operator.IS_NONE] != list(sides) or len(known) != 2:
        return None
    compared = equation.arguments if equation.operator is Operator.EQUAL else ()
    if any(each.operator is not Operator.VALUE for each in compared) or len(compared) != 2:
        return None
    return (sides[0], sides[1]) if [each.arguments[0] for each in compared] == list(sides) else None
