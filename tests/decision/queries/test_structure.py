"""Structures of branches: what closes a term may decide it, and what an open branch says outlives the branch."""

from __future__ import annotations

from tallystick.core.binders import bind, every, exists, summation, total
from tallystick.core.operators import Operator
from tallystick.core.terms import FALSE, TRUE, Term, constant, project, row, variable
from tallystick.core.types import BOOL, INT, BagType, TupleType
from tallystick.decision.queries.trees.instances import heads
from tallystick.decision.queries.trees.slots import close
from tallystick.decision.queries.trees.structure import Structure

ROW = TupleType((INT,))
TABLE = variable("t", BagType(ROW))


def structure(rows: int = 0) -> Structure:
    known = {TABLE: [row(number, ROW) for number in range(rows)]}
    return Structure(lambda term: None, lambda term: (False, False), heads, known, {})


def under_a_slot(binder: Term) -> Term:
    """A term over row 0, with the slot of a ★ in its place."""
    bound = bind((row(0, BOOL),), (every(BOOL),), TRUE, binder)
    return bound.arguments[-1]


def test_an_exists_that_closing_decides_has_that_value():
    """EXISTS (t where k): for k := false it is false, whatever t has, for true it is whether t has a row."""
    inner = bind((row(1, ROW),), (TABLE,), row(0, BOOL), project(row(1, ROW), 0))
    term = under_a_slot(exists(summation((inner,), INT)))
    assert term.operator is Operator.EXISTS
    assert close(term, (FALSE,)).operator is Operator.CONSTANT
    assert structure(1).existence(term, (FALSE,)) is False
    assert structure(1).existence(term, (TRUE,)) is True
    assert structure(0).existence(term, (TRUE,)) is False


def test_a_sum_that_closing_decides_has_that_value():
    """The sum of a over the rows of t where k: for k := false it is 0."""
    inner = bind((row(1, ROW),), (TABLE,), row(0, BOOL), project(row(1, ROW), 0))
    term = under_a_slot(total(summation((inner,), INT)))
    assert term.operator is Operator.SUM
    assert structure(1).value(term, (FALSE,)) == 0


def test_an_open_branch_keeps_the_values_that_it_was_read_with():
    values: dict[Term, int] = {}
    column = project(row(0, ROW), 0)
    live = Structure(values.get, lambda term: (False, False), heads, {TABLE: [row(0, ROW)]}, {})
    values[column] = 5
    values[constant("x")] = 3
    branch = live.open_branch([column, constant("x")])
    values[column] = 6
    assert branch.rows == {TABLE: ((5,),)}
    assert branch.texts == {"x": 3}
