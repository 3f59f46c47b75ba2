"""The programs that queries are compiled to, as `compile` of `coq/queries/Sound.v` does it.

A row is a tuple of cells, and a cell a pair of whether it is NULL, and a value, the default where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from tallystick.certificates.exports.coq_sql import Argument, Data, Index, kind, lacking
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.types import BOOLEAN, ColumnType, RowType
from tallystick.core.terms import (
    FALSE,
    Operator,
    Term,
    accumulator,
    add,
    apply,
    build,
    conjunction,
    constant,
    disjunction,
    element,
    equal,
    ite,
    less,
    less_equal,
    negation,
    project,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType, BasicType, TupleType

Kinds = tuple[str, ...]
"""What the columns of a row hold: "Numbers", "Truths" or "Texts"."""
Cell = tuple[Term, Term]
"""Whether a value is NULL, and the value."""


def code(text: str) -> int:
    """The number that stands for a text."""
    number = 0
    for byte in reversed(text.encode()):
        number = byte + 1 + 256 * number
    return number


def cell_type(of: str) -> TupleType:
    """The type of a cell."""
    return TupleType((BOOL, _base(of)))


def _base(of: str) -> BasicType:
    return BOOL if of == "Truths" else INT


def row_type(kinds: Kinds) -> TupleType:
    """The type of a row; raises FragmentError for one without columns."""
    if not kinds:
        raise lacking("row without columns")
    return TupleType(tuple(map(cell_type, kinds)))


class Compiler:
    """Compiles queries; `scanned` are the bags of the tables that they read, by their names."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.scanned: dict[str, Term] = {}
        self._known: dict[int, tuple[Data, Term, Kinds]] = {}

    def compile_both(self, left: Data, right: Data) -> tuple[Term, Term]:
        """What `check_queries` compares: the rows of queries that always return one, or the bags of rows."""
        rows = self.row(left), self.row(right)
        if rows[0] is not None and rows[1] is not None:
            return rows[0][0], rows[1][0]
        return self.compile(left)[0], self.compile(right)[0]

    def compile(self, query: Data) -> tuple[Term, Kinds]:
        """The program of a query, and the kinds of its columns; raises FragmentError for what is not compiled."""
        if id(query) not in self._known:
            self._known[id(query)] = (query, *self._compiled(query))
        return self._known[id(query)][1:]

    def _compiled(self, query: Data) -> tuple[Term, Kinds]:
        match query:
            case Data("Table", (str(name),)):
                return self._table(name)
            case Data("Where", (Data() as condition, Data() as source)):
                bag, kinds = self.compile(source)
                return build(Operator.FILTER, (_truth(condition, kinds), bag)), kinds
            case Data("Select", (list(expressions), Data() as source)):
                bag, kinds = self.compile(source)
                made = tuple(kind_of(kinds, each) for each in expressions)
                row_type(made)
                return build(Operator.MAP, (_cells(expressions, kinds), bag)), made
            case Data("Join", (Data() as condition, Data() as left, Data() as right)):
                product, kinds = self._product(left, right)
                return build(Operator.FILTER, (_truth(condition, kinds), product)), kinds
            case Data("UnionAll", (Data() as left, Data() as right)):
                return build(Operator.UNION, (self.compile(left)[0], self.compile(right)[0])), self.compile(left)[1]
            case Data("Distinct", (Data() as source,)):
                bag, kinds = self.compile(source)
                return build(Operator.DISTINCT, (bag,)), kinds
            case Data("GroupBy", (list(keys), list(calls), Data() as source)):
                return self._grouped(keys, calls, source)
            case Data(constructor):
                raise lacking(f"proof about {NAMES[constructor]}")

    def _table(self, name: str) -> tuple[Term, Kinds]:
        """The rows of a table: cells of columns that are NOT NULL are stored without a flag."""
        columns = self._catalogue.by_name[name].row
        kinds, stored = tuple(kind(column.type) for column in columns), stored_type(columns)
        bag = self.scanned.setdefault(name, variable(name, BagType(stored)))
        parts = [build(Operator.PROJECTION, (element(stored),), index) for index in range(len(columns))]
        cells = [tuple_of(*read_cell(part, column)) for part, column in zip(parts, columns, strict=True)]
        return build(Operator.MAP, (tuple_of(*cells), bag)), kinds

    def _product(self, left: Data, right: Data) -> tuple[Term, Kinds]:
        (one, ones), (other, others) = self.compile(left), self.compile(right)
        pairs = build(Operator.CARTESIAN, (one, other))
        return _side_by_side((row_type(ones), row_type(others)), pairs), (*ones, *others)

    def _grouped(self, keys: list[Any], calls: list[Any], source: Data) -> tuple[Term, Kinds]:
        """GROUP BY: a fold by key, whose state has a cell for each call."""
        bag, kinds = self.compile(source)
        made = tuple(kind_of(kinds, key) for key in keys)
        taken = [argument(call) for call in calls]
        pairs = build(Operator.MAP, (tuple_of(_cells(keys, kinds), _cells(taken, kinds)), bag))
        numbers = ("Numbers",) * len(calls)
        groups = build(Operator.FOLD_BY_KEY, (_starts(calls), _step(calls), pairs))
        return _side_by_side((row_type(made), row_type(numbers)), groups), (*made, *numbers)

    def row(self, query: Data) -> tuple[Term, Kinds] | None:
        """The only row of a query that always returns one, as `one_row` has it; None for other queries."""
        match query:
            case Data("Total", (list(calls), Data() as source)):
                bag, kinds = self.compile(source)
                taken = build(Operator.MAP, (_cells([argument(call) for call in calls], kinds), bag))
                state = build(Operator.FOLD, (_starts(calls), _step(calls), taken))
                return state, ("Numbers",) * len(calls)
            case Data("Select", (list(expressions), Data() as source)):
                read = self.row(source)
                if read is None:
                    return None
                row, kinds = read
                return apply(_cells(expressions, kinds), row), tuple(kind_of(kinds, each) for each in expressions)
            case _:
                return None


NAMES: Final = {
    "Rows": "VALUES",
    "LeftJoin": "outer joins",
    "SemiJoin": "semi and anti joins",
    "ExceptAll": "EXCEPT ALL",
    "Among": "EXCEPT and INTERSECT",
    "Total": "inner aggregates without GROUP BY",
    "ForSome": "EXISTS, IN, ANY and ALL",
    "TheValue": "scalar subqueries",
}


def kind_of(kinds: Kinds, expression: Argument) -> str:
    """What the values of an expression over a row are."""
    return kind_in((kinds,), expression)


def kind_in(scopes: Sequence[Kinds], expression: Argument) -> str:
    """What the values of an expression in these scopes are."""
    match expression:
        case Data("Column", (Index(scope), Index(index))):
            if scope >= len(scopes):
                raise lacking("proof about correlated subqueries")
            return scopes[scope][index]
        case Data("Constant", (Data(of), _)):
            return of
        case Data("Plus" | "Times"):
            return "Numbers"
        case Data("When", (_, then, _)):
            return kind_in(scopes, then)
        case _:
            return "Truths"


def argument(call: tuple[Data, Data]) -> Data:
    """What an aggregate combines of each row, as an expression."""
    function, of = call
    if function.constructor != "Count":
        return of
    none, one = (Data("Constant", (Data("Numbers"), each)) for each in (Data("Null"), Data("Number", (1,))))
    return Data("When", (Data("IsNull", (of,)), none, one))


def _side_by_side(sides: tuple[TupleType, TupleType], pairs: Term) -> Term:
    """The pairs of rows of a bag, each as one row."""
    pair = element(TupleType(sides))
    cells = [
        build(Operator.PROJECTION, (build(Operator.PROJECTION, (pair,), side),), index)
        for side, row in enumerate(sides)
        for index in range(len(row.components))
    ]
    return build(Operator.MAP, (tuple_of(*cells), pairs))


def _cells(expressions: Iterable[Any], kinds: Kinds) -> Term:
    row = element(row_type(kinds))
    return tuple_of(*(tuple_of(*compiled(row, each)) for each in expressions))


def _truth(condition: Data, kinds: Kinds) -> Term:
    return compiled(element(row_type(kinds)), condition)[1]


def _starts(calls: Sequence[tuple[Data, Data]]) -> Term:
    return tuple_of(*(tuple_of(constant(function.constructor != "Count"), constant(0)) for function, _ in calls))


def _step(calls: Sequence[tuple[Data, Data]]) -> Term:
    """What becomes of the state of a group, a cell for each call, when it takes those of a row."""
    state = row_type(("Numbers",) * len(calls))
    return tuple_of(
        *(
            _joined(function.constructor, project(accumulator(state), index), project(element(state), index))
            for index, (function, _) in enumerate(calls)
        )
    )


def _joined(function: str, state: Term, cell: Term) -> Term:
    (old_null, old), (null, new) = ((project(each, 0), project(each, 1)) for each in (state, cell))
    joined = add(old, new)
    if function in ("Least", "Greatest"):
        better = less(new, old) if function == "Least" else less(old, new)
        joined = ite(old_null, new, ite(null, old, ite(better, new, old)))
    return tuple_of(conjunction(old_null, null), joined)


def stored_type(columns: RowType) -> TupleType:
    """The type of the rows of a table: cells of columns that are NOT NULL are stored without a flag."""
    kinds = [kind(column.type) for column in columns]
    return TupleType(
        tuple(cell_type(of) if column.nullable else _base(of) for of, column in zip(kinds, columns, strict=True))
    )


def read_cell(stored: Term, column: ColumnType) -> Cell:
    """A stored cell as a cell: what stands beside the flag of NULL is arbitrary in a program's input."""
    if not column.nullable:
        return FALSE, stored
    null, value = (build(Operator.PROJECTION, (stored,), index) for index in range(2))
    if column.type == BOOLEAN:
        return null, build(Operator.AND, (build(Operator.NOT, (null,)), value))
    return null, build(Operator.ITE, (null, constant(0), value))


def compiled(row: Term, expression: Argument) -> Cell:
    """Whether the value of an expression over a row is NULL, and the value."""

    def cell(_: int, index: int) -> Cell:
        return project(project(row, index), 0), project(project(row, index), 1)

    return compiled_in(cell, no_subquery, expression)


def no_subquery(condition: Data, query: Data) -> Cell:
    """What programs make of the disjunction of a condition over the rows of a subquery."""
    raise lacking(f"proof about {NAMES['ForSome']}")


def compiled_in(cell_at: Callable[[int, int], Cell], some: Callable[[Data, Data], Cell], expression: Argument) -> Cell:
    """The same, where columns are cells by their scopes and numbers, and `some` compiles subqueries."""

    def compiled(part: Argument) -> Cell:
        return compiled_in(cell_at, some, part)

    match expression:
        case Data("Column", (Index(scope), Index(index))):
            return cell_at(scope, index)
        case Data("ForSome", (Data() as condition, Data() as query)):
            return some(condition, query)
        case Data("Constant", (Data(of), Data(name, given))):
            return constant(name == "Null"), literal(of, given)
        case Data("Plus", (left, right)):
            (n, x), (m, y) = compiled(left), compiled(right)
            null = disjunction(n, m)
            return null, ite(null, constant(0), add(x, y))
        case Data("Times", (int(factor), part)):
            n, x = compiled(part)
            return n, scale(factor, x)
        case Data("Compare", (Data(comparison), left, right)):
            return _compared(comparison, compiled(left), compiled(right))
        case Data("Both", (left, right)):
            (n, x), (m, y) = compiled(left), compiled(right)
            return conjunction(disjunction(n, m), disjunction(n, x), disjunction(m, y)), conjunction(x, y)
        case Data("Either", (left, right)):
            (n, x), (m, y) = compiled(left), compiled(right)
            return conjunction(disjunction(n, m), negation(x), negation(y)), disjunction(x, y)
        case Data("Negated", (part,)):
            n, x = compiled(part)
            return n, conjunction(negation(n), negation(x))
        case Data("IsNull", (part,)):
            return FALSE, compiled(part)[0]
        case Data("When", (condition, then, otherwise)):
            (n, x), (m, y) = compiled(then), compiled(otherwise)
            chosen = compiled(condition)[1]
            return ite(chosen, n, m), ite(chosen, x, y)
        case Data(constructor):
            raise lacking(f"proof about {NAMES[constructor]}")
        case _:
            raise lacking(f"expression {expression}")


def literal(of: str, given: tuple[Argument, ...]) -> Term:
    """The value of a literal; the default of its kind where it is NULL."""
    match given:
        case (str(text),):
            return constant(code(text))
        case (bool() | int() as number,):
            return constant(number)
        case _:
            return constant(False if of == "Truths" else 0)


def _compared(comparison: str, left: tuple[Term, Term], right: tuple[Term, Term]) -> tuple[Term, Term]:
    (n, x), (m, y) = left, right
    if comparison == "Same":
        return FALSE, conjunction(equal(n, m), equal(x, y))
    null = disjunction(n, m)
    known = {"Equal": equal, "Below": less, "AtMost": less_equal}[comparison](x, y)
    return null, conjunction(negation(null), known)
