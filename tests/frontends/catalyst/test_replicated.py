"""What the optimiser makes of EXCEPT ALL and INTERSECT ALL is read as these; what looks like it is not."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.expressions import And, Case, Comparison, Expression, IsNull, Literal, Not
from tallystick.core.queries.interpreter.evaluation import rows_of
from tallystick.core.queries.syntax import Aggregate, Filter, Project, Query, Scan, SetOperation, reference
from tallystick.core.queries.types import BOOLEAN, INTEGER, ColumnType, SqlType
from tallystick.frontends.catalyst.replicated import replicated
from tallystick.frontends.catalyst.values import integer

COLUMNS = (ColumnType(INTEGER, True),)
LEFT, RIGHT = Scan("left", COLUMNS), Scan("right", COLUMNS)
YES, NO = Literal(True, BOOLEAN), Literal(None, BOOLEAN)


def union(*branches: tuple[Query, tuple[Expression, ...]]) -> Query:
    """Rows of several sources, each with its constants before it."""
    first, *others = (Project(rows, (*marks, reference(rows, 0))) for rows, marks in branches)
    for each in others:
        first = SetOperation("union", True, first, each)
    return first


def difference(mark: int = -1, least: int = 0, distinct: bool = False, operator: str = ">") -> tuple[Query, Expression]:
    """The groups of which rows are repeated for EXCEPT ALL, and how often."""
    marked = union((LEFT, (integer(1),)), (LEFT, (integer(1),)), (RIGHT, (integer(mark),)))
    groups = Aggregate(marked, (reference(marked, 1),), (AggregateCall("sum", (reference(marked, 0),), distinct),))
    number = reference(groups, 1)
    kept = And((Not(IsNull(number)), Comparison(operator, number, integer(least))))
    return Filter(groups, kept), number


def intersection(smaller: str = ">", least: int = 1, right: Literal = YES) -> tuple[Query, Expression]:
    """The groups of which rows are repeated for INTERSECT ALL, and how often."""
    marked = union((LEFT, (YES, NO)), (RIGHT, (NO, right)))
    calls = tuple(AggregateCall("count", (reference(marked, index),)) for index in (0, 1))
    groups = Aggregate(marked, (reference(marked, 2),), calls)
    one, other = reference(groups, 1), reference(groups, 2)
    kept = Filter(groups, And(tuple(Comparison(">=", each, integer(least)) for each in (one, other))))
    shown = Project(kept, (reference(kept, 0), Case(((Comparison(smaller, one, other), other),), one)))
    return shown, reference(shown, 1)


def repeated(query: Query, number: Expression, database: dict[str, tuple[tuple[int | None], ...]]) -> Counter:
    """What Spark does: each row as often as the number says."""
    rows = rows_of(Project(query, (reference(query, 0), number)), database)
    return Counter({(value,): times for value, times in rows})


@pytest.mark.parametrize("made", [difference(), intersection()], ids=["difference", "intersection"])
def test_the_rows_are_those_that_spark_repeats(made):
    query, number = made
    read = replicated(query, number, [reference(query, 0)])
    assert read is not None
    for seed in range(100):
        random = Random(seed)
        sides = (tuple((random.choice((None, 0, 1)),) for _ in range(random.randint(0, 6))) for _ in range(2))
        database = dict(zip(("left", "right"), sides, strict=True))
        assert Counter(rows_of(read, database)) == repeated(query, number, database)


def test_a_side_without_rows_is_one_of_no_rows():
    marked = union((LEFT, (integer(1),)))
    groups = Aggregate(marked, (reference(marked, 1),), (AggregateCall("sum", (reference(marked, 0),)),))
    number = reference(groups, 1)
    query = Filter(groups, Comparison(">", number, integer(0)))
    read = replicated(query, number, [reference(query, 0)])
    assert read is not None
    database = {"left": ((1,), (1,), (None,))}
    assert Counter(rows_of(read, database)) == Counter({(1,): 2, (None,): 1})


@pytest.mark.parametrize(
    "made",
    [
        difference(mark=-2),
        difference(least=1),
        difference(distinct=True),
        difference(operator=">="),
        intersection(smaller="<"),
        intersection(least=2),
        intersection(right=NO),
        (difference()[0], integer(2)),
        (difference()[0].input, difference()[1]),
    ],
)
def test_other_numbers_and_other_groups_are_none(made):
    query, number = made
    assert replicated(query, number, [reference(query, 0)]) is None


def test_what_else_is_asked_of_keys_is_asked_of_the_rows():
    query, number = difference()
    more = Filter(query, Comparison("=", reference(query, 0), integer(1)))
    read = replicated(more, number, [reference(more, 0)])
    assert read is not None
    database = {"left": ((1,), (0,)), "right": ((1,),)}
    assert rows_of(read, database) == [(1,)]
    counted = Filter(query, Comparison("=", number, integer(1)))
    assert replicated(counted, number, [reference(counted, 0)]) is None


def test_columns_that_are_no_keys_are_not_repeated():
    query, number = difference()
    assert replicated(query, number, [reference(query, 1)]) is None


def test_rows_of_a_type_that_is_summed_are_told_apart_from_truths():
    marked = union((LEFT, (YES,)), (RIGHT, (NO,)))
    groups = Aggregate(marked, (reference(marked, 1),), (AggregateCall("count", (reference(marked, 0),)),))
    number = reference(groups, 1)
    assert number.type is SqlType.INTEGER
    assert replicated(Filter(groups, Comparison(">", number, integer(0))), number, [reference(groups, 0)]) is None
