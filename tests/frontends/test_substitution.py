"""Windows over projections have the rows of windows below them, and are one window wherever columns are computed."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tallystick.core.queries.calls import AggregateCall, Frame, OrderKey, WindowCall, WindowFunction
from tallystick.core.queries.expressions import (
    And,
    Arithmetic,
    Case,
    Comparison,
    Exists,
    Expression,
    IsNull,
    Literal,
    Reference,
)
from tallystick.core.queries.interpreter.evaluation import rows_of
from tallystick.core.queries.interpreter.running import Undetermined
from tallystick.core.queries.syntax import Filter, Project, Query, Scan, Window, reference, references
from tallystick.core.queries.types import INTEGER, ColumnType
from tallystick.frontends.choices.marks import in_order
from tallystick.frontends.substitution import CorrelatedError, conjuncts, lifted, replaced, windowed

COLUMNS = (ColumnType(INTEGER, True), ColumnType(INTEGER, True))
T = Scan("t", COLUMNS)
X, Y = references(T)
ONE = Literal(1, INTEGER)
NOTHING = Case(((IsNull(X), ONE),), X)


def at(place: int) -> Reference:
    return Reference(0, place, INTEGER, True)


def calls(places: tuple[int, int]) -> list[WindowCall]:
    """A rank and a sum over a frame of rows with the same values, by the places of two columns."""
    order = tuple(OrderKey(at(place), place == 0, True) for place in places)
    over = AggregateCall("sum", (at(places[0]),))
    rank = WindowCall(WindowFunction("rank"), (at(places[1]),), order[:1], None)
    return [rank, WindowCall(over, (), order, Frame("rows", -1, 0))]


SUM = Arithmetic("+", X, Y)
BELOW = {
    "computed": (Project(T, (Y, NOTHING, X, SUM)), T),
    "in turn": (Project(T, (Y, X)), T),
    "doubled": (Project(T, (Y, Y)), Project(T, (Y,))),
    "one column": (Project(T, (X, NOTHING)), Project(T, (X,))),
    "another": (Project(T, (SUM, NOTHING, X)), Project(T, (SUM, X))),
    "twice": (Project(Project(T, (X, Y, SUM)), (at(2), at(0), at(1), Arithmetic("*", at(2), at(0)))), T),
    "filtered": (
        Project(Filter(Project(T, (X, NOTHING, Y)), Comparison("<", at(1), at(2))), (at(0), at(2), at(1))),
        Filter(T, Comparison("<", NOTHING, Y)),
    ),
    "filter": (
        Filter(Project(T, (X, Y, NOTHING)), Comparison(">", at(2), ONE)),
        Filter(T, Comparison(">", NOTHING, ONE)),
    ),
}
"""Queries, and what is left below their windows."""
STAYS = {
    "a table": T,
    "some columns": Project(T, (Y,)),
    "what tells less than its columns": Project(T, (NOTHING, SUM)),
    "an order": in_order(T, OrderKey(X, False, True)),
}


def outcome(query: Query, rows: tuple[tuple[int | None, int | None], ...]) -> Counter | str:
    try:
        return Counter(rows_of(query, {"t": rows}))
    except Undetermined as problem:
        return str(problem)


@pytest.mark.parametrize("name", BELOW)
def test_the_rows_are_those_of_the_window(name):
    query, below = BELOW[name]
    window, read = Window(query, tuple(calls((0, 1)))), windowed(query, calls((0, 1)))
    assert isinstance(read, Project)
    assert isinstance(read.input, Window)
    kept = read.input.input
    assert kept == below or (isinstance(kept, Project) and kept.input == below)
    for seed in range(60):
        random = Random(seed)
        rows = tuple(
            (random.choice((None, 0, 1, 2)), random.choice((None, 0, 1, 3))) for _ in range(random.randint(0, 6))
        )
        assert outcome(read, rows) == outcome(window, rows)


def test_where_a_column_is_computed_makes_no_difference():
    before = windowed(Project(T, (X, Y, NOTHING)), calls((0, 1)))
    over = windowed(T, calls((0, 1)))
    after = Project(over, (X, Y, NOTHING, reference(over, 2), reference(over, 3)))
    assert before == after


def exists(of: Reference) -> Expression:
    inner = Reference(1, of.index, of.type, of.nullable)
    return Exists(Filter(Scan("u", COLUMNS), Comparison("=", X, inner)))


@pytest.mark.parametrize("name", STAYS)
def test_what_is_computed_from_nothing_else_stays_below(name: str):
    over = calls((0, 0))
    assert windowed(STAYS[name], over) == Window(STAYS[name], tuple(over))


def test_subqueries_are_not_written_twice():
    flag = Case(((exists(X), ONE),), Y)
    query = Project(T, (flag, X, Y))
    assert windowed(query, calls((0, 1))) == Window(query, tuple(calls((0, 1))))
    condition = Filter(query, Comparison("=", at(0), ONE))
    assert lifted(condition) == (condition, references(condition))
    with pytest.raises(CorrelatedError):
        replaced(exists(X), lambda _: Y)


def test_conditions_are_taken_apart():
    one, other = Comparison("<", X, ONE), IsNull(Y)
    assert conjuncts(And((one, And((other, one))))) == [one, other, one]
    assert conjuncts(other) == [other]
