"""What functions of the user's make of rows: by the functions themselves where they are given, else by hashes.

A hash stands for an unknown function: it gives equal values for equal arguments. What is seen through one only suggests
that wires differ. See `frontends/workflows/meanings.py` for how wires have functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from random import Random
from typing import Any

from tallystick.core.errors import EvaluationError
from tallystick.core.queries.expressions import And, Comparison, Expression, Function, Reference
from tallystick.core.queries.syntax import Filter, Join, Project, Query, Scan
from tallystick.core.queries.types import PYTHON_TYPES, ColumnType, SqlRow, SqlValue, admits_row
from tallystick.dataflow.sweep.calling import CallError
from tallystick.decision.queries.counterexamples.pools import COMMON
from tallystick.frontends.workflows.functions import ROWS_PREFIX, call_named

Functions = Mapping[str, Callable[..., Any]]
"""Functions of the user's by name: of values, to a value, a dictionary of values, a truth, or a list of such; or of
lists of rows, as tuples, to a list of rows."""
MOST_ROWS = 3
"""Rows that the hash of an opaque operator gives at most."""


@dataclass(frozen=True)
class RowFunction:
    """A wire whose rows are those of another, each by itself through a function.

    Attributes:
        source: the wire or table that is read.
        function: its name.
        reads: the columns that are its arguments.
        adds: the columns that it makes, with their names.
        filters: whether it says which rows stay.
        table: that with the rows of the function, if there may be many for each row; else "".
    """

    source: str
    function: str
    reads: tuple[int, ...]
    adds: tuple[tuple[str, ColumnType], ...]
    filters: bool = False
    table: str = ""

    def rows(self, rows: Iterable[SqlRow], functions: Functions) -> list[SqlRow]:
        """The rows of the wire. Raises EvaluationError where the function fails, or returns no such value."""
        given = functions.get(self.function)
        made: list[SqlRow] = []
        for row in rows:
            arguments = tuple(row[i] for i in self.reads)
            if given is None:
                made += self.hashed(row, arguments)
                continue
            found = call(self.function, given, arguments)
            if self.filters:
                made += [row] if found is True else []
            else:
                listed = found if self.table and isinstance(found, (list, tuple)) else [found]
                made += [(*row, *self.values(each)) for each in listed]
        return made

    def values(self, found: Any) -> SqlRow:
        """What a function returned, as values of the columns that it adds."""
        names = [name for name, _ in self.adds]
        if isinstance(found, Mapping):
            values = tuple(found.get(name) for name in names)
        else:
            values = tuple(found) if isinstance(found, tuple) else (found,)
        return checked(self.function, values, [column for _, column in self.adds])

    def hashed(self, row: SqlRow, arguments: SqlRow) -> list[SqlRow]:
        """What the hash makes of a row."""
        random = _random(self.function, arguments)
        if self.filters:
            return [row] if random.random() < 0.5 else []
        count = random.randint(0, 2) if self.table else 1
        return [(*row, *(value_of(column, random) for _, column in self.adds)) for _ in range(count)]


def row_function(query: Query) -> RowFunction | None:
    """The function that a query is, if it is one of single rows."""
    match query:
        case Filter(Scan(source), Function(name, arguments)) if (named := call_named(name)) is not None:
            places = _places(arguments)
            return None if places is None else RowFunction(source, named[0], places, (), filters=True)
        case Project(Scan(source) as scan, expressions):
            calls = [each for each in expressions[len(scan.columns) :] if isinstance(each, Function)]
            kept = all(
                isinstance(each, Reference) and each.index == i
                for i, each in enumerate(expressions[: len(scan.columns)])
            )
            if not calls or not kept or len(calls) != len(expressions) - len(scan.columns):
                return None
            names = [named for call in calls if (named := call_named(call.name)) is not None]
            places = _places(calls[0].arguments)
            if len(names) != len(calls) or len({name for name, _ in names}) != 1 or places is None:
                return None
            adds = tuple((column, call.column) for (_, column), call in zip(names, calls, strict=True))
            return RowFunction(source, names[0][0], places, adds)
        case Project(Join("inner", Scan(source), Scan(table) as made, And(keys))) if table.startswith(ROWS_PREFIX):
            compared = [key.left for key in keys if isinstance(key, Comparison)]
            places = _places(compared)
            adds = tuple(("", column) for column in made.columns[len(keys) :])
            return None if places is None else RowFunction(source, table[len(ROWS_PREFIX) :], places, adds, table=table)
        case _:
            return None


def _places(arguments: Sequence[Expression]) -> tuple[int, ...] | None:
    if not all(isinstance(each, Reference) and each.level == 0 for each in arguments):
        return None
    return tuple(each.index for each in arguments if isinstance(each, Reference))


def call(name: str, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """What a function returns. Raises EvaluationError where it fails."""
    try:
        return function(*arguments)
    except CallError as problem:
        raise EvaluationError(f"the function {name} fails: {problem}") from problem
    except Exception as problem:
        raise EvaluationError(f"the function {name} fails: {type(problem).__name__}: {problem}") from problem


def checked(name: str, values: SqlRow, columns: Sequence[ColumnType]) -> SqlRow:
    """The values as a row. Raises EvaluationError where they are of other types."""
    exact = tuple(
        Fraction(value) if PYTHON_TYPES[column.type] is Fraction and type(value) is int else value
        for value, column in zip(values, columns, strict=False)
    )
    if len(values) != len(columns) or not admits_row(tuple(columns), exact):
        raise EvaluationError(f"the function {name} returned {values!r}, which is no row of its columns")
    return exact


def hashed_rows(function: str, bags: object, columns: Sequence[ColumnType]) -> tuple[SqlRow, ...]:
    """Rows that are a function of some bags."""
    random = _random(function, bags, columns)
    count = random.randint(0, MOST_ROWS)
    return tuple(tuple(value_of(column, random) for column in columns) for _ in range(count))


def value_of(column: ColumnType, random: Random) -> SqlValue:
    """A random value."""
    if column.nullable and random.random() < 0.1:
        return None
    kind = PYTHON_TYPES[column.type]
    if kind is int:
        return random.randint(0, 6)
    return Fraction(random.randint(0, 6)) if kind is Fraction else random.choice(COMMON[column.type])


def _random(*seed: object) -> Random:
    return Random(sha256(repr(seed).encode()).digest())
