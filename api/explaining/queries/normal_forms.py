"""How a query becomes a sum of monomials, operator by operator."""

from __future__ import annotations

from typing import assert_never

from tallystick.core.errors import FragmentError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.queries import Queries
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    Scan,
    SetOperation,
    Statement,
    Values,
    Window,
)
from tallystick.core.queries.traversal import inputs
from tallystick.core.terms import Term
from tallystick.explaining.document import Block, Formula, Paragraph
from tallystick.explaining.layout import laid_out
from tallystick.explaining.queries.notation import Notation


def steps(statement: Statement, catalogue: Catalogue) -> tuple[Block, ...]:
    """The normal form after each operator of a query, from the tables to the whole; a shared part is shown once."""
    telling = _Steps(Queries(catalogue), Notation(catalogue))
    try:
        telling.visit(statement.query)
    except FragmentError as error:
        telling.blocks.append(Paragraph(f"There is no normal form: {error}."))
    return tuple(telling.blocks)


class _Steps:
    def __init__(self, compiler: Queries, notation: Notation) -> None:
        self.compiler, self.notation = compiler, notation
        self.blocks: list[Block] = []
        self.names: dict[Term, str] = {}

    def visit(self, query: Query) -> str:
        """What the rows of a query are called; its blocks are added unless an operator changes nothing."""
        if isinstance(query, Scan):
            return query.table
        names = [self.visit(each) for each in inputs(query) if not each.free]
        if query.free:
            return "a part that depends on the rows around it"
        bag = self.compiler.summation(query, ())
        if bag not in self.names:
            number = f"({len(self.names) + 1})"
            self.names[bag] = number
            self.blocks += [
                Paragraph(f"{number} {operator_in_words(query, names)}:"),
                Formula(laid_out(self.notation.text(bag))),
            ]
        return self.names[bag]


def operator_in_words(query: Query, names: list[str]) -> str:
    """What an operator does with its inputs, which have names."""
    of = names[0] if names else "nothing"
    match query:
        case Scan(table):
            return f"the rows of {table}"
        case Values(rows):
            return "one row of no columns" if rows == ((),) else f"{len(rows)} rows of constants"
        case Filter():
            return f"the rows of {of} for which the condition is true"
        case Project():
            return f"columns computed from {of}"
        case Join(kind=kind):
            return f"{kind} join of {' and '.join(names)}"
        case SetOperation(kind=kind, all=keeps):
            return f"{kind.upper()}{' ALL' if keeps else ''} of {' and '.join(names)}"
        case Distinct():
            return f"each row of {of} once: one value a column, of which there is a row"
        case Aggregate():
            return f"a row a group of {of}"
        case Window():
            return f"{of} with values over windows of it"
        case Limit():
            return f"the first rows of {of}, of which nothing is known but that they are among them"
        case _:
            assert_never(query)
