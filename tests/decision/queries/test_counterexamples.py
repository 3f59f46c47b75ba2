"""Counterexamples to the equivalence of queries: real, minimal, and none that hangs on what SQL leaves open."""

from __future__ import annotations

import re
from collections import Counter
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis.strategies import permutations
from random_queries import CATALOGUE, S, T, pool_of, random_case
from tallystick.core.queries.calls import AggregateCall, OrderKey
from tallystick.core.queries.catalogue import Catalogue, Column, Database, ForeignKey, Table
from tallystick.core.queries.expressions import (
    Comparison,
    Divide,
    Function,
    IsNull,
    Literal,
    Not,
    ScalarSubquery,
)
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.syntax import (
    UNIT,
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    SetOperation,
    Statement,
    references,
)
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, MICROSECONDS_A_DAY, TEXT, TIMESTAMP, SqlRow
from tallystick.decision.outcome import Unknown
from tallystick.decision.queries.counterexamples.databases import RandomDatabases
from tallystick.decision.queries.counterexamples.minimal import minimal
from tallystick.decision.queries.counterexamples.pools import LAST_DAY, Constants, neighbours
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.experiments.queries.random_queries import Options
from tallystick.frontends.sql.printing.databases import script
from tallystick.frontends.sql.printing.queries import statement_text
from tallystick.replay.sql_engines import agrees, on_duckdb

SCAN = T.scan()
A, B, C = references(SCAN)
BS = Project(SCAN, (B,))
COUNT = AggregateCall("count")
QUOTIENT = Divide(A, B, "truncate", "error")
COUNTS = Aggregate(SCAN, (B,), (COUNT,))


def number(value):
    return Literal(value, INTEGER)


def named(query, order=()):
    return Statement(query, tuple(f"x{index}" for index in range(len(query.columns))), order)


def shown(outcome):
    """An outcome that may have values that are not known, which are not compared."""
    return [[[str(value) for value in row] for row in group] for group in outcome.groups]


def search(left, right, catalogue=CATALOGUE, seconds=10.0):
    """A counterexample, checked by hand; or Unknown."""
    found = find(left, right, catalogue, seconds)
    if isinstance(found, DistinguishingDatabase):
        assert constraints(catalogue)(found.database) is None
        sides = (left, found.left), (right, found.right)
        assert all(shown(evaluate(side, found.database, partly=True)) == shown(each) for side, each in sides)
        assert not found.left.may_equal(found.right)
    return found


@pytest.mark.parametrize(
    ("left", "right", "rows"),
    [
        (BS, Distinct(BS), 2),
        (SCAN, Filter(SCAN, Comparison("=", B, B)), 1),
        (Filter(SCAN, Comparison(">", B, number(900))), Filter(SCAN, Comparison(">=", B, number(900))), 1),
        (
            Filter(SCAN, Function("LIKE", (C, Literal("x%y_", TEXT)), BOOLEAN, strict=True)),
            Filter(SCAN, Literal(False, BOOLEAN)),
            1,
        ),
        (Aggregate(SCAN, (), (COUNT,)), Aggregate(SCAN, (), (AggregateCall("count", (B,)),)), 1),
        (Aggregate(SCAN, (), (COUNT,)), Project(Aggregate(SCAN, (B,), (COUNT,)), (number(1),)), 0),
        (SetOperation("union", True, BS, BS), SetOperation("union", False, BS, BS), 1),
        (Filter(COUNTS, Literal(False, BOOLEAN)), Filter(COUNTS, Comparison(">", references(COUNTS)[1], number(5))), 6),
    ],
)
def test_pairs_that_differ_are_refuted_by_small_databases(left, right, rows):
    found = search(named(left), named(right))
    assert isinstance(found, DistinguishingDatabase)
    assert sum(map(len, found.database.values())) == rows


def test_values_of_a_counterexample_are_simple():
    found = search(named(BS), named(Filter(BS, Not(Comparison(">", references(BS)[0], number(900))))))
    assert isinstance(found, DistinguishingDatabase)
    assert found.database == {"t": ((0, None, None),)}


def test_a_counterexample_satisfies_keys_and_foreign_keys():
    """A row of `s` with an x that is not NULL has a row of `t`: the left join pads none of these."""
    scan = S.scan()
    pair = Join("inner", scan, SCAN, Literal(True, BOOLEAN))
    equal = Comparison("=", references(pair)[0], references(pair)[4])
    left, inner = Join("left", scan, SCAN, equal), Join("inner", scan, SCAN, equal)
    known = Not(IsNull(references(left)[0]))
    padded = Project(Filter(left, known), references(left)[:1])
    matched = Project(Filter(inner, Not(IsNull(references(inner)[0]))), references(inner)[:1])
    found = search(named(padded), named(matched), seconds=1.0)
    assert isinstance(found, Unknown)
    assert found.reason.startswith("the statements agree on ")
    without = Catalogue((T, Table("s", S.columns)))
    assert isinstance(search(named(padded), named(matched), without), DistinguishingDatabase)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (named(Limit(SCAN, (), 1)), named(Limit(SCAN, (OrderKey(A, True, True),), 1))),
        (named(BS), named(Project(SCAN, (Function("any", (B,), INTEGER, strict=False),)))),
        (
            named(Project(UNIT, (ScalarSubquery(Limit(BS, (OrderKey(references(BS)[0], False, True),), 2)),))),
            named(Project(UNIT, (ScalarSubquery(Aggregate(BS, (), (AggregateCall("min", references(BS)),))),))),
        ),
        (
            named(Filter(SCAN, Comparison("=", Divide(A, B, "truncate", "error"), number(1)))),
            named(
                Filter(
                    Filter(SCAN, Comparison("<>", B, number(0))),
                    Comparison("=", Divide(A, B, "truncate", "error"), number(1)),
                )
            ),
        ),
        (named(SCAN, (OrderKey(B, False, True),)), named(SCAN, (OrderKey(B, False, True), OrderKey(A, False, True)))),
    ],
)
def test_pairs_that_differ_only_where_sql_leaves_the_result_open_are_not_refuted(left, right):
    assert isinstance(search(left, right, seconds=1.0), Unknown)


def test_lists_in_opposite_orders_are_refuted():
    orders = [(OrderKey(A, descending, True),) for descending in (False, True)]
    found = search(named(Project(SCAN, (A,)), orders[0]), named(Project(SCAN, (A,)), orders[1]))
    assert isinstance(found, DistinguishingDatabase)
    assert len(found.database["t"]) == 2


def test_what_has_no_implementation_is_a_reason():
    unknown = Function("frobnicate", (B,), INTEGER, strict=True)
    found = find(named(BS), named(Project(SCAN, (unknown,))), CATALOGUE)
    assert isinstance(found, Unknown)
    assert re.fullmatch(
        r"the statements agree on \d+ random databases in \S+ s; "
        "on most others, results hang on what has no implementation: frobnicate",
        found.reason,
    )


@pytest.mark.parametrize("type_", [TEXT, INTEGER, DECIMAL, DATE])
def test_differences_are_found_beside_what_has_no_implementation(type_):
    unknown = Function("frobnicate", (B,), type_, strict=True)
    found = search(named(Project(SCAN, (unknown, B))), named(Project(SCAN, (unknown, C))))
    assert isinstance(found, DistinguishingDatabase)
    assert sum(map(len, found.database.values())) == 1


def test_differences_are_found_below_what_has_no_implementation_where_nobody_reads_it():
    unknown = Function("frobnicate", (B,), TEXT, strict=True)
    keyed = Project(SCAN, (unknown, B))
    sides = (Project(keyed, (references(keyed)[1],)), Project(SCAN, (C,)))
    assert isinstance(search(*map(named, sides)), DistinguishingDatabase)


@pytest.mark.parametrize("strict", [True, False])
def test_no_difference_hangs_on_what_has_no_implementation(strict):
    """The function may be anything that its name says nothing of: constant, for example, or one to one."""
    unknown = Function("frobnicate", (B,), INTEGER, strict)
    other = Function("frobnicate", (C,), INTEGER, strict)
    kept = [Filter(SCAN, Comparison("=", each, number(1))) for each in (unknown, other)]
    for left, right in ((Project(SCAN, (unknown,)), Project(SCAN, (other,))), kept):
        found = search(named(left), named(right), seconds=0.3)
        if isinstance(found, DistinguishingDatabase):
            assert not strict or any(None in row for rows in found.database.values() for row in rows)


@pytest.mark.parametrize("seed", range(30))
def test_no_statement_is_refuted_by_itself_and_refutations_of_others_hold_on_duckdb(seed):
    """Random pairs: of columns that are equal in number."""
    left, _ = random_case(seed, Options(), databases=0)
    right, _ = random_case(seed + 1000, Options(), databases=0)
    assert isinstance(search(left, left, seconds=0.05), Unknown)
    if [column.type for column in left.columns] != [column.type for column in right.columns]:
        return
    found = search(left, right, seconds=1.0)
    if isinstance(found, DistinguishingDatabase):
        texts = [statement_text(each, CATALOGUE, "duckdb") for each in (left, right)]
        empty = {table.name: () for table in CATALOGUE.tables}
        results = on_duckdb(script(CATALOGUE, {**empty, **found.database}, "duckdb"), texts)
        assert agrees(found.left, results[0], left.columns)
        assert agrees(found.right, results[1], right.columns)


def test_random_databases_satisfy_catalogues_with_cycles_of_foreign_keys():
    first = Table("p", (Column("k", INTEGER, False), Column("q", INTEGER)), ((0,),), (ForeignKey((1,), "q", (0,)),))
    second = Table(
        "q", (Column("k", INTEGER, False), Column("p", INTEGER, False)), ((0,),), (ForeignKey((1,), "p", (0,)),)
    )
    catalogue = Catalogue((first, second))
    random, violation = Random(0), constraints(catalogue)
    drawn = RandomDatabases(catalogue, random)
    databases = [drawn.draw(lambda table, index: (1, 2, 3), lambda table: 4, 0.3) for _ in range(200)]
    assert all(violation(database) is None for database in databases)
    assert any(database["p"] and database["q"] for database in databases)


def test_constants_belong_to_the_columns_that_they_are_compared_with():
    doubled = Project(SCAN, (C, B))
    query = Filter(doubled, Comparison("=", references(doubled)[1], number(77)))
    constants = Constants([query], CATALOGUE)
    assert constants.column_pool(("t", 1), INTEGER) == (77, 78, 76)
    assert constants.column_pool(("t", 0), INTEGER) == ()
    assert list(neighbours("a%b", TEXT)) == ["a%b", "ab", "abb", "A%B", "a%ba"]
    assert pool_of("t", 0)


def test_moments_meet_dates_on_their_days_and_no_value_is_outside_of_the_calendar():
    table = Table("t", (Column("on", DATE, True), Column("at", TIMESTAMP, True)))
    scan = table.scan()
    on, at = references(scan)
    noon = 3 * MICROSECONDS_A_DAY + MICROSECONDS_A_DAY // 2
    apart = Function("months between", (on, Literal(noon, TIMESTAMP)), INTEGER, strict=True)
    late = Comparison("<", Function("its day", (at,), DATE, strict=True), Literal(LAST_DAY, DATE))
    constants = Constants([Filter(Filter(scan, Comparison(">", apart, number(1))), late)], Catalogue((table,)))
    days, moments = constants.column_pool(("t", 0), DATE), constants.column_pool(("t", 1), TIMESTAMP)
    assert {2, 3, 4} <= {*days}
    assert moments == (LAST_DAY * MICROSECONDS_A_DAY, (LAST_DAY - 1) * MICROSECONDS_A_DAY)
    assert LAST_DAY in constants.pool(DATE)
    assert LAST_DAY + 1 not in constants.pool(DATE)


def test_texts_are_drawn_in_both_cases_where_a_query_changes_these():
    texts = T.columns.index(next(column for column in T.columns if column.type == TEXT))
    column = references(SCAN)[texts]
    plain = Filter(SCAN, Comparison("=", column, Literal("@x", TEXT)))
    lower = Comparison("=", Function("LOWER", (column,), TEXT, strict=True), Literal("@x", TEXT))
    assert "@XA" not in Constants([plain], CATALOGUE).pool(TEXT)
    constants = Constants([Filter(SCAN, lower)], CATALOGUE)
    assert {"@xa", "@XA"} <= {*constants.pool(TEXT)}
    assert {"@xa", "@XA"} <= {*constants.column_pool(("t", texts), TEXT)}


@given(permutations([(None, "b"), (12, None), (9, "zz"), (0, "a"), (0, "b")]))
def test_how_a_database_was_found_is_not_seen_in_the_order_of_its_rows(rows: list[SqlRow]) -> None:
    table = Table("T", (Column("n", INTEGER, True), Column("s", TEXT, True)))
    catalogue = Catalogue((table,))

    def differ(database: Database) -> bool:
        return Counter(database["T"]) == Counter(rows)  # so that neither rows nor values change

    found = minimal({"T": tuple(rows)}, differ, constraints(catalogue), catalogue, inf)
    assert found == {"T": ((None, "b"), (0, "a"), (0, "b"), (9, "zz"), (12, None))}
