"""Which outcomes may be the same, which databases are legal, and when a database refutes two statements."""

from __future__ import annotations

import pytest
from random_queries import CATALOGUE, S, T
from tallystick.core.errors import EvaluationError
from tallystick.core.queries.expressions import Comparison, Literal
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.interpreter.refuting import refute
from tallystick.core.queries.syntax import Filter, Limit, Statement, reference, references
from tallystick.core.queries.types import INTEGER


def integer(value):
    return Literal(value, INTEGER)


def outcome(*groups):
    return Outcome(tuple(tuple((value,) for value in group) for group in groups))


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (outcome("ab"), outcome("ba"), True),
        (outcome("aab"), outcome("abb"), False),
        (outcome("ab"), outcome("aab"), False),
        (outcome("a", "b"), outcome("ab"), True),
        (outcome("a", "b"), outcome("b", "a"), False),
        (outcome("ab", "c"), outcome("a", "bc"), True),
        (outcome("ab", "cd"), outcome("c", "abd"), False),
        (outcome("abc", "d"), outcome("a", "b", "cd"), True),
        (outcome("abc", "d"), outcome("a", "bd", "c"), False),
        (outcome(), outcome(), True),
        (outcome(), outcome("a"), False),
    ],
)
def test_outcomes_differ_if_no_list_is_a_result_of_both(left, right, expected):
    assert left.may_equal(right) is expected
    assert right.may_equal(left) is expected


@pytest.mark.parametrize(
    ("database", "expected"),
    [
        ({"t": ((1, None, None), (2, None, None)), "s": ((1, None, None, None), (None, None, None, None))}, None),
        ({"t": ((1, None, None), (1, 2, None))}, ("t", 1, "a key")),
        ({"t": ((None, None, None),)}, ("t", 0, "the types of the columns")),
        ({"s": ((1, None, None, None),)}, ("s", 0, "a foreign key to t")),
        ({"u": ()}, ("u", 0, "there is no such table")),
    ],
)
def test_constraints_of_a_catalogue(database, expected):
    assert constraints(CATALOGUE)(database) == expected


def test_a_unique_key_permits_several_nulls_and_a_check_permits_null():
    positive = Comparison(">", reference(S.scan(), 0), integer(0))
    unique = type(S)("s", S.columns, keys=((0,),), checks=(positive,))
    violation = constraints(type(CATALOGUE)((unique,)))
    null, one, zero = ((value, None, None, None) for value in (None, 1, 0))
    assert violation({"s": (null, null, one)}) is None
    assert violation({"s": (one, one)}) == ("s", 1, "a key")
    assert violation({"s": (zero,)}) == ("s", 0, "a check")


def statement(query):
    return Statement(query, tuple(f"x{index}" for index in range(len(query.columns))))


def test_a_database_refutes_two_statements_that_return_different_rows():
    found = refute(statement(T.scan()), statement(bag_of_t()), CATALOGUE, {"t": ((1, None, None),), "s": ()})
    assert (found.left.rows, found.right.rows) == (((1, None, None),), ())


def bag_of_t():
    return Filter(T.scan(), Comparison("=", *references(T.scan())[1:2] * 2))


@pytest.mark.parametrize(
    ("right", "rows", "message"),
    [
        (bag_of_t(), ((1, 2, None),), "both statements may return the same on the database"),
        (bag_of_t(), ((1, None, None), (1, None, None)), "row 1 of table t breaks a key"),
        (
            Limit(T.scan(), (), 1),
            ((1, None, None), (2, None, None)),
            "a LIMIT or OFFSET cuts through different rows that tie in its order",
        ),
        (bag_of_t(), ((None, None, None),), "row 0 of table t breaks the types of the columns"),
    ],
)
def test_a_database_refutes_nothing_if_a_constraint_breaks_or_the_rows_may_be_the_same(right, rows, message):
    with pytest.raises(EvaluationError) as caught:
        refute(statement(T.scan()), statement(right), CATALOGUE, {"t": rows, "s": ()})
    assert str(caught.value) == message
