"""Queries as sums of monomials, as `form` of `coq/queries/Forms.v` makes them.

`Any(i)` there is the variable `parameter(i, type)` here. Coq computes all of this itself: what is made here names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tallystick.certificates.exports.coq_compiled import (
    NAMES,
    Cell,
    compiled_in,
    kind_in,
    literal,
    read_cell,
    row_type,
    stored_type,
)
from tallystick.certificates.exports.coq_members import parameter
from tallystick.certificates.exports.coq_sql import Argument, Data, Index, kind, lacking
from tallystick.core.operators import Operator
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.types import RowType
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    apply_function,
    build,
    conjunction,
    disjunction,
    equal,
    negation,
    project,
    substitute,
    tuple_of,
)
from tallystick.core.types import BOOL, BasicType

Types = tuple[BasicType, ...]
Heads = tuple[tuple[str, Cell], ...]
"""The cells of a row, each with its kind."""
Slots = tuple[tuple[str, BasicType], ...]
"""Tables, with the types of their rows."""
Within = Callable[[Types, Heads], Term]


def kinds_of(heads: Heads) -> tuple[str, ...]:
    """What the columns of a row hold."""
    return tuple(of for of, _ in heads)


def types_of(slots: Slots) -> Types:
    """The types of the rows of slots."""
    return tuple(of for _, of in slots)


def packed(heads: Heads) -> Term:
    """A row as a tuple of cells."""
    return tuple_of(*(tuple_of(*cell) for _, cell in heads))


def row_cells(row: Term, kinds: Sequence[str]) -> Heads:
    """The cells of a row that is a tuple of cells."""
    return tuple(
        (of, (project(project(row, place), 0), project(project(row, place), 1))) for place, of in enumerate(kinds)
    )


def table_cells(row: Term, columns: RowType) -> Heads:
    """The cells of a row of a table."""
    parts = (build(Operator.PROJECTION, (row,), place) for place in range(len(columns)))
    return tuple((kind(of.type), read_cell(part, of)) for part, of in zip(parts, columns, strict=True))


def as_parameters(scopes: Sequence[Heads]) -> tuple[Heads, ...]:
    """Rows that are parameters, of the same kinds."""
    return tuple(
        row_cells(parameter(place, row_type(kinds_of(heads))), kinds_of(heads)) for place, heads in enumerate(scopes)
    )


@dataclass(frozen=True, slots=True)
class Monomial:
    """A row for each choice of rows of which the condition holds."""

    over: Slots
    condition: Term
    heads: Heads

    def also(self, formula: Term) -> Monomial:
        """With a further condition."""
        return Monomial(self.over, conjunction(self.condition, formula), self.heads)

    def beside(self, other: Monomial) -> Monomial:
        """Both, side by side."""
        condition = conjunction(self.condition, other.condition)
        return Monomial((*self.over, *other.over), condition, (*self.heads, *other.heads))


@dataclass(frozen=True, slots=True)
class Existence:
    """A function that says whether there are rows of which a condition holds."""

    name: str
    takes: Types
    over: Slots
    where: Term

    def __call__(self, arguments: Iterable[Term]) -> Term:
        return apply_function(self.name, BOOL, *arguments)

    def with_arguments(self, arguments: Sequence[Term]) -> Term:
        """The condition, of these arguments and rows."""
        types = (*self.takes, *types_of(self.over))
        return substitute(
            self.where,
            {parameter(place, of): each for place, (of, each) in enumerate(zip(types, arguments, strict=True))},
        )


class Forms:
    """Compiles queries to monomials; `functions` are those that it has defined, each after those that it calls."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.functions: list[Existence] = []

    def form(self, types: Types, scopes: tuple[Heads, ...], query: Data) -> list[Monomial]:
        """The monomials of a query; raises FragmentError for what has none."""
        made = self._form(types, scopes, query)
        if not made or len({kinds_of(each.heads) for each in made}) > 1:
            raise lacking("proof about queries whose parts have columns of different kinds")
        return made

    def _form(self, types: Types, scopes: tuple[Heads, ...], query: Data) -> list[Monomial]:
        def below(source: Argument) -> list[Monomial]:
            if not isinstance(source, Data):
                raise lacking("such query")
            return self.form(types, scopes, source)

        def at(each: Monomial) -> tuple[Types, tuple[Heads, ...]]:
            return (*types, *types_of(each.over)), (each.heads, *scopes)

        match query:
            case Data("Table", (str(name),)):
                columns = self.catalogue.by_name[name].row
                if name.startswith("*"):
                    raise lacking("table whose name begins with a star")
                of = stored_type(columns)
                return [Monomial(((name, of),), TRUE, table_cells(parameter(len(types), of), columns))]
            case Data("Where", (condition, source)):
                return [each.also(self.truth(*at(each), condition)[1]) for each in below(source)]
            case Data("Select", (list(expressions), source)):
                return [
                    Monomial(each.over, each.condition, tuple(self.term(*at(each), part) for part in expressions))
                    for each in below(source)
                ]
            case Data("Join", (condition, left, Data() as right)):
                pairs = [
                    one.beside(other)
                    for one in below(left)
                    for other in self.form((*types, *types_of(one.over)), scopes, right)
                ]
                return [pair.also(self.truth(*at(pair), condition)[1]) for pair in pairs]
            case Data("LeftJoin", (Index(width), condition, left, right)):
                joined = below(Data("Join", (condition, left, right)))
                alone = below(Data("SemiJoin", (False, condition, left, right)))
                nulls = tuple((of, (TRUE, literal(of, ()))) for of in kinds_of(joined[0].heads)[-width:])
                return [*joined, *(Monomial(each.over, each.condition, (*each.heads, *nulls)) for each in alone)]
            case Data("SemiJoin", (bool(kept), condition, left, Data() as right)):
                return [
                    self._partner(each, scopes, kept, right, lambda own, inner: self._joined(own, inner, condition))
                    for each in below(left)
                ]
            case Data("UnionAll", (left, right)):
                return [*below(left), *below(right)]
            case Data("Among", (bool(kept), left, Data() as right)):
                return [self._partner(each, scopes, kept, right, self._alike) for each in below(left)]
            case Data("Distinct", (Data() as source,)):
                kinds = kinds_of(below(source)[0].heads)
                of = row_type(kinds)
                heads = row_cells(parameter(len(types), of), kinds)
                found = self._partner(Monomial((), TRUE, heads), scopes, True, source, self._alike)
                name = "*" + "".join({"Numbers": "n", "Truths": "b", "Texts": "t"}[each] for each in kinds)
                return [Monomial(((name, of),), found.condition, heads)]
            case Data(constructor):
                raise lacking(f"proof about {NAMES.get(constructor, 'aggregates in this place')}")

    def _partner(
        self,
        each: Monomial,
        scopes: tuple[Heads, ...],
        kept: bool,
        query: Data,
        within: Callable[[Heads, tuple[Heads, ...]], Within],
    ) -> Monomial:
        """A monomial, where its row has a partner in a query, or has none."""
        around = (each.heads, *scopes)
        own, *inner = as_parameters(around)
        found = self.some_row(around, tuple(inner), within(own, tuple(inner)), query)
        return each.also(found if kept else negation(found))

    def _joined(self, own: Heads, inner: tuple[Heads, ...], condition: Argument) -> Within:
        return lambda types, heads: self.truth(types, ((*own, *heads), *inner), condition)[1]

    @staticmethod
    def _alike(own: Heads, _: tuple[Heads, ...]) -> Within:
        def within(_: Types, heads: Heads) -> Term:
            if kinds_of(own) != kinds_of(heads):
                raise lacking("proof about queries whose parts have columns of different kinds")
            pairs = [(one, other) for (_, here), (_, there) in zip(own, heads, strict=True)
                     for one, other in zip(here, there, strict=True)]  # fmt: skip
            return conjunction(*(equal(*pair) for pair in pairs))

        return within

    def some_row(self, scopes: tuple[Heads, ...], inner: tuple[Heads, ...], within: Within, query: Data) -> Term:
        """Whether some row of a query satisfies a condition."""
        if distincts(query):
            raise lacking("proof about DISTINCT in a subquery or on the right of a join")
        takes = tuple(row_type(kinds_of(heads)) for heads in scopes)
        calls = []
        for each in self.form(takes, inner, query):
            where = conjunction(each.condition, within((*takes, *types_of(each.over)), each.heads))
            calls.append(FALSE if where is FALSE else self._define(takes, each.over, where)(map(packed, scopes)))
        return disjunction(*calls)

    def _define(self, takes: Types, over: Slots, where: Term) -> Existence:
        for known in self.functions:
            if (known.takes, known.over, known.where) == (takes, over, where):
                return known
        self.functions.append(Existence(f"e{len(self.functions)}", takes, over, where))
        return self.functions[-1]

    def truth(self, types: Types, scopes: tuple[Heads, ...], expression: Argument) -> Cell:
        """A condition: whether it is NULL, and whether it is true."""
        return self.term(types, scopes, expression)[1]

    def term(self, types: Types, scopes: tuple[Heads, ...], expression: Argument) -> tuple[str, Cell]:
        """An expression in scopes, with its kind."""

        def some(condition: Data, query: Data) -> Cell:
            inner = as_parameters(scopes)

            def within(part: int) -> Within:
                return lambda under, heads: self.truth(under, (heads, *inner), condition)[part]

            yes = self.some_row(scopes, inner, within(1), query)
            unknown = self.some_row(scopes, inner, within(0), query)
            return conjunction(negation(yes), unknown), yes

        cell = compiled_in(lambda scope, index: scopes[scope][index][1], some, expression)
        return kind_in([kinds_of(heads) for heads in scopes], expression), cell


def distincts(query: Argument) -> bool:
    """Whether a query has DISTINCT outside of its expressions."""
    match query:
        case Data("Distinct"):
            return True
        case Data("Where" | "Select", (_, source)):
            return distincts(source)
        case Data("Join", (_, left, right)) | Data("LeftJoin", (_, _, left, right)) | Data("UnionAll", (left, right)):
            return distincts(left) or distincts(right)
        case Data("SemiJoin", (_, _, left, _)) | Data("Among", (_, left, _)):
            return distincts(left)
        case _:
            return False
