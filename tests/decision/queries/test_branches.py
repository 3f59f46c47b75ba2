"""Open branches of failed premises suggest databases of the catalogue, on which queries differ."""

from __future__ import annotations

import pytest
from random_queries import CATALOGUE, S, T
from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.queries.expressions import Comparison, IsNull, Literal, Not
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.core.queries.syntax import Distinct, Filter, Join, Project, Statement, reference, references
from tallystick.core.queries.types import INTEGER, TEXT
from tallystick.decision.queries.counterexamples.branches import candidates
from tallystick.decision.queries.counterexamples.search import Search
from tallystick.decision.queries.deciding import Unproved, decide

SCAN = T.scan()
A, B, C = references(SCAN)


def named(query):
    return Statement(query, tuple(f"x{index}" for index in range(len(query.columns))))


def number(value):
    return Literal(value, INTEGER)


def suggested(left, right, catalogue=CATALOGUE):
    """The first database that an open branch suggests on which the statements differ."""
    answer = decide(named(left), named(right), catalogue)
    assert isinstance(answer, Unproved)
    assert answer.branches, answer.reason
    search = Search(named(left), named(right), catalogue, 0)
    for branch in answer.branches:
        databases = list(candidates(branch, search.catalogue))
        assert len(databases) == 3
        assert all(constraints(search.catalogue)(database) is None for database in databases)
    return search.from_branches(answer.branches)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Filter(SCAN, Comparison(">", B, number(12_345))), Filter(SCAN, Comparison(">=", B, number(12_345)))),
        (Filter(SCAN, Comparison(">=", A, number(7))), Filter(SCAN, Comparison(">=", B, number(7)))),
        (SCAN, Filter(SCAN, Not(IsNull(B)))),
        (
            Filter(SCAN, Comparison("=", C, Literal("north", TEXT))),
            Filter(SCAN, Comparison("=", C, Literal("south", TEXT))),
        ),
    ],
)
def test_a_branch_gives_a_database_on_which_the_queries_differ(left, right):
    assert suggested(left, right) is not None


def test_rows_that_foreign_keys_refer_to_are_added():
    scan = S.scan()
    x = reference(scan, 0)
    left = Filter(scan, Comparison(">", x, number(77)))
    found = suggested(left, Filter(scan, Comparison(">", x, number(78))))
    assert found is not None
    assert found["t"] == ((78, None, None),)


def test_rows_of_tables_without_keys_occur_several_times():
    table = Table("u", T.columns[:1])
    scan = table.scan()
    pair = Join("inner", scan, scan, Comparison("=", *references(Join("inner", scan, scan, _TRUE))))
    found = suggested(Project(pair, references(pair)[:1]), scan, Catalogue((table,)))
    if found is None:  # the premise that fails may be one about a single row
        found = suggested(scan, Distinct(scan), Catalogue((table,)))
    assert found is not None
    assert len(found["u"]) > 1


_TRUE = Comparison("=", number(1), number(1))
