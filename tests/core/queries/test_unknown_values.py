"""Values of functions without an implementation: what is returned beside them is returned whatever they are."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from random_queries import CATALOGUE, T, random_case
from tallystick.certificates.queries.expressions import value_text
from tallystick.core.dataflows.substitution import Substitution
from tallystick.core.errors import EvaluationError
from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.expressions import And, Comparison, Divide, Expression, Function, IsNull, Literal, Not
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.interpreter.functions import FUNCTIONS
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.interpreter.refuting import refute
from tallystick.core.queries.interpreter.running import NotComputed
from tallystick.core.queries.interpreter.unknown import Unknown
from tallystick.core.queries.syntax import Aggregate, Distinct, Filter, Project, Query, Scan, Statement, references
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT, TIMESTAMP, SqlType
from tallystick.experiments.queries.random_queries import Options

SCAN = T.scan()
A, B, C = references(SCAN)
ROWS = {"t": ((1, 5, "x"), (2, 5, None), (3, None, "y"))}
MEANINGS: dict[str, Callable[[Any], Any]] = {
    "constant": lambda value: {int: 3, Fraction: Fraction(3), str: "b"}[type(value)],
    "the same": lambda value: value,
    "one to one": lambda value: value + "!" if isinstance(value, str) else 2 * value + 1,
    "turned": lambda value: value[::-1] if isinstance(value, str) else -value,
}


def frobnicated(argument: Expression, strict: bool = True, result: SqlType | None = None) -> Function:
    return Function("frobnicate", (argument,), result or argument.type, strict)


def statement(query: Query) -> Statement:
    return Statement(query, tuple(map(str, range(len(query.columns)))))


def partly(query: Query) -> Outcome:
    return evaluate(statement(query), ROWS, partly=True)


@pytest.mark.parametrize("meaning", MEANINGS)
def test_what_is_known_is_so_for_each_function(meaning: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random queries over tables in which a function was applied to some columns."""
    compared = unknown = 0
    for seed in range(150):
        given, databases = random_case(seed, Options())

        def applied(scan: Scan, seed: int = seed) -> Query:
            columns = references(scan)
            place = seed % len(columns)
            changed = columns[place] if columns[place].type is BOOLEAN else frobnicated(columns[place])
            return Project(scan, (*columns[:place], changed, *columns[place + 1 :]))

        over = Substitution(applied)
        changed = Statement(over(given.query), given.names, over(given.order))
        for database in databases:
            try:
                before = evaluate(changed, database, 50_000, partly=True)
            except EvaluationError:
                continue
            with monkeypatch.context() as patched:
                patched.setitem(FUNCTIONS, "frobnicate", MEANINGS[meaning])
                after = evaluate(changed, database, 50_000)
            assert list(map(len, before.groups)) == list(map(len, after.groups))
            for row, other in zip(before.rows, after.rows, strict=True):
                for value, true in zip(row, other, strict=True):
                    if isinstance(value, Unknown):
                        unknown += 1
                        assert true is not None
                    else:
                        assert value == true
            compared += 1
    assert (compared > 100, unknown > 0) == (True, True)


def test_it_is_moved_and_counted() -> None:
    keyed = Project(SCAN, (frobnicated(C), B))
    assert [str(row[0]) for row in partly(keyed).rows] == ["frobnicate(x)", "None", "frobnicate(y)"]
    counted = Aggregate(keyed, (), (AggregateCall("count", (references(keyed)[0],)), AggregateCall("count")))
    assert partly(counted).rows == ((2, 3),)
    missing = Filter(keyed, IsNull(references(keyed)[0]))
    assert partly(Project(missing, (references(missing)[1],))).rows == ((5,),)


LOOKED_AT = {
    "compared": Filter(SCAN, Comparison("=", frobnicated(B), Literal(5, INTEGER))),
    "compared with itself elsewhere": Filter(SCAN, Comparison("<=>", frobnicated(B), frobnicated(B))),
    "a truth value": Filter(SCAN, frobnicated(B, result=BOOLEAN)),
    "a truth value that is denied": Filter(SCAN, Not(frobnicated(B, result=BOOLEAN))),
    "one of several": Filter(SCAN, And((frobnicated(B, result=BOOLEAN), IsNull(C)))),
    "perhaps NULL": Project(SCAN, (frobnicated(B, strict=False),)),
    "grouped": Aggregate(SCAN, (frobnicated(C),), (AggregateCall("count"),)),
    "without duplicates": Distinct(Project(SCAN, (frobnicated(C),))),
    "summed": Aggregate(SCAN, (), (AggregateCall("sum", (frobnicated(B),)),)),
    "averaged": Aggregate(SCAN, (), (AggregateCall("avg", (frobnicated(B),), rounding="exact"),)),
    "joined bit by bit": Aggregate(SCAN, (), (AggregateCall("BIT_AND", (frobnicated(A),), result=INTEGER),)),
    "divided": Project(
        SCAN, (Divide(frobnicated(B, result=DECIMAL), Literal(Fraction(2), DECIMAL), "exact", "error"),)
    ),
    "the least": Aggregate(SCAN, (), (AggregateCall("min", (frobnicated(C),)),)),
}


@pytest.mark.parametrize("use", LOOKED_AT)
def test_nothing_is_returned_that_hangs_on_it(use: str) -> None:
    with pytest.raises(NotComputed, match="the function frobnicate has no implementation"):
        partly(LOOKED_AT[use])


@pytest.mark.parametrize("result", [INTEGER, DECIMAL, TEXT, DATE, TIMESTAMP])
def test_a_function_of_it_is_not_known_either(result: SqlType) -> None:
    [row, *_] = partly(Project(SCAN, (Function("UPPER", (frobnicated(A, result=TEXT),), result, strict=True),))).rows
    assert str(row[0]) == "UPPER(…)"


OPERATIONS = [
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.add, operator.sub),
    *(operator.mul, operator.truediv, operator.floordiv, operator.mod, divmod, pow, operator.and_, operator.or_),
    *(operator.xor, operator.contains, operator.getitem, Fraction),
]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_operation_learns_anything_of_it(operation: Callable[[Any, Any], Any]) -> None:
    value = Unknown("f", (1,))
    with pytest.raises(NotComputed):
        operation(value, 2)
    if operation not in (operator.contains, operator.getitem):
        with pytest.raises(NotComputed):
            operation(2, value)


@pytest.mark.parametrize("operation", [hash, bool, int, float, len, iter, abs, round, operator.neg, Fraction, range])
def test_no_function_learns_anything_of_it(operation: Callable[[Any], Any]) -> None:
    with pytest.raises(NotComputed):
        operation(Unknown("f", (1,)))


def test_what_is_shown_of_it_grows_no_faster_than_its_calls() -> None:
    value: Any = 1
    for _ in range(10_000):
        value = Unknown("f", (value, value, "x"))
    assert str(value) == "f(…, …, x)"
    assert value_text(Unknown("g\nclaim: equivalent", (None,)), TEXT) == r"some value 'g\nclaim: equivalent(NULL)'"


def test_a_difference_is_one_beside_it() -> None:
    one, other = (statement(Project(SCAN, (frobnicated(C), each))) for each in (A, Literal(1, INTEGER)))
    found = refute(one, other, CATALOGUE, ROWS)
    assert [row[1] for row in found.left.rows] == [1, 2, 3]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Project(SCAN, (frobnicated(C),)), Project(SCAN, (C,))),
        (Project(SCAN, (frobnicated(A), B)), Project(SCAN, (frobnicated(frobnicated(A)), B))),
        (Project(SCAN, (frobnicated(A), B)), Project(SCAN, (A, B))),
    ],
)
def test_a_difference_in_it_is_none(left: Query, right: Query) -> None:
    """The function may be the one that returns its argument."""
    with pytest.raises(EvaluationError, match="both statements may return the same on the database"):
        refute(statement(left), statement(right), CATALOGUE, ROWS)


def test_a_difference_in_the_number_of_rows_is_one() -> None:
    keyed = Project(SCAN, (frobnicated(A),))
    first = Filter(SCAN, Comparison("=", A, Literal(1, INTEGER)))
    refute(statement(keyed), statement(Project(first, (frobnicated(A),))), CATALOGUE, ROWS)
