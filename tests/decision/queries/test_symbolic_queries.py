"""Queries over unknown rows mean what the reference interpreter says, and z3 finds databases on which two differ."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
import z3
from random_queries import CATALOGUE, S, T, pool_of
from tallystick.core.clock import clock
from tallystick.core.errors import EvaluationError
from tallystick.core.queries.calls import UP_TO_PEERS, AggregateCall, OrderKey, WindowCall, WindowFunction
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.expressions import Comparison, Function, IsNull, Literal, Not, Reference
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.core.queries.interpreter.evaluation import rows_of
from tallystick.core.queries.interpreter.refuting import refute
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    Statement,
    Window,
    reference,
    references,
)
from tallystick.core.queries.types import BOOLEAN, DECIMAL, INTEGER, TEXT, SqlType
from tallystick.decision.queries.counterexamples.databases import RandomDatabases
from tallystick.decision.queries.counterexamples.pools import Constants
from tallystick.decision.queries.counterexamples.search import Search
from tallystick.decision.queries.counterexamples.symbolic.cells import (
    NoEncodingError,
    SymbolicRow,
    SymbolicValue,
    conj,
    null,
    number,
)
from tallystick.decision.queries.counterexamples.symbolic.queries import Queries, TooLargeError
from tallystick.decision.queries.counterexamples.symbolic.solving import solved
from tallystick.decision.queries.counterexamples.symbolic.texts import Functions, Texts
from tallystick.experiments.queries.random_queries import Options, RandomQueries
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText

from .long_pairs import SALES, SALES_REFACTORED, SHOP_SCHEMA

SCAN = T.scan()
A, B, C = references(SCAN)
COUNT = AggregateCall("count")


def integer(value):
    return Literal(value, INTEGER)


def named(query, order=()):
    return Statement(query, tuple(f"x{index}" for index in range(len(query.columns))), order)


# --- the encoding against the interpreter: rows are constants here --------------------------------------------------


def known_cell(value: Any, type_: SqlType, functions: Functions, lifted: bool) -> SymbolicValue:
    """A constant: one of Python, which formulas are folded by, or one of z3, for which they are built."""
    cell = null(type_) if value is None else SymbolicValue(functions.encoded(value), False, type_)
    if type_ is BOOLEAN:
        return SymbolicValue(z3.BoolVal(cell.value), z3.BoolVal(cell.null), type_) if lifted else cell
    if lifted:
        return SymbolicValue(number(cell.value, type_), z3.BoolVal(cell.null), type_)
    return SymbolicValue(number(cell.value, type_), cell.null, type_) if type_ is DECIMAL else cell


def folded(term: Any, type_: SqlType, texts: Texts) -> Any:
    """The constant that a term without unknowns is."""
    if z3.is_expr(term):
        term = z3.simplify(term)
        if z3.is_bool(term):
            return z3.is_true(term)
        term = Fraction(term.numerator_as_long(), term.denominator_as_long()) if z3.is_real(term) else term.as_long()
    if type_ is TEXT:
        return texts.text_of[term]
    return Fraction(term) if type_ is DECIMAL else term


def encoded_rows(query: Query, database: Any, catalogue: Catalogue, lifted: bool) -> Counter[Any] | None:
    """The rows that the encoding gives; None where the tables of functions lack values, or a query fails."""
    texts = Texts()
    functions = Functions(Constants((query,), catalogue), texts)
    tables = {
        table.name: [
            SymbolicRow(
                z3.BoolVal(True) if lifted else True,
                tuple(
                    known_cell(value, column.type, functions, lifted)
                    for value, column in zip(row, table.row, strict=True)
                ),
            )
            for row in database[table.name]
        ]
        for table in catalogue.tables
    }
    queries = Queries(tables, functions, 3_000)
    rows = queries.rows(query)
    if not folded(conj(queries.expressions.asked), BOOLEAN, texts):
        return None
    return Counter(
        tuple(None if folded(cell.null, BOOLEAN, texts) else folded(cell.value, cell.type, texts) for cell in row.cells)
        for row in rows
        if folded(row.present, BOOLEAN, texts)
    )


def compared(seeds: range) -> Counter[str]:
    """How many random queries mean the same as a formula; fails on one that does not."""
    outcomes: Counter[str] = Counter()
    for seed in seeds:
        random = Random(seed)
        query = RandomQueries(CATALOGUE, random, Options()).query(random.choice((1, 2, 2, 3)), ())
        drawn = RandomDatabases(CATALOGUE, random)
        database = drawn.draw(pool_of, lambda table, by=random: by.randint(0, 3), 0.3)
        try:
            expected: Counter[Any] = Counter(rows_of(query, database))
        except EvaluationError:
            continue
        try:
            found = encoded_rows(query, database, CATALOGUE, lifted=bool(seed % 2))
        except NoEncodingError as reason:
            outcomes["too large" if isinstance(reason, TooLargeError) else str(reason)] += 1
            continue
        if found is None:
            outcomes["not asked"] += 1
            continue
        assert found == expected, (seed, query, database)
        outcomes["same"] += 1
    return outcomes


def test_the_formulas_of_random_queries_mean_what_the_interpreter_says():
    outcomes = compared(range(150))
    assert outcomes["same"] > 80


@pytest.mark.slow
def test_the_formulas_of_many_random_queries_mean_what_the_interpreter_says():
    outcomes = compared(range(10_000, 11_500))
    assert outcomes["same"] > 800


def test_texts_are_numbers_in_the_order_of_code_points():
    texts, random = Texts(), Random(1)
    words = ["".join(random.choice("abzAZ_é") for _ in range(random.randint(0, 4))) for _ in range(200)]
    numbers = {word: texts.number(word) for word in words}
    assert sorted(numbers) == sorted(numbers, key=lambda word: numbers[word])
    assert all(texts.text_of[numbers[word]] == word for word in words)


# --- solving --------------------------------------------------------------------------------------------------------


def solve(left: Statement, right: Statement, catalogue: Catalogue = CATALOGUE, seconds: float = 20.0):
    search = Search(left, right, catalogue, 0)
    deadline = clock() + seconds
    found, told = solved((left, right), search.catalogue, search.constants, search.differ, deadline)
    if found is not None:
        assert constraints(search.catalogue)(found) is None
        refute(left, right, search.catalogue, found)
    return found, told


def test_a_formula_that_takes_too_long_to_write_is_given_up():
    """Groups of groups of a product compare each row with all others; without a limit, this takes minutes."""
    catalogue = schema_from_statements(SqlText(SHOP_SCHEMA, "schema"), SPARK)
    pair = read_pair(SqlText(SALES, "left"), SqlText(SALES_REFACTORED, "right"), catalogue, SPARK)
    before = clock()
    found, told = solve(pair.left, pair.right, pair.catalogue, 1.0)
    assert found is None
    assert told.endswith("rows a table takes too long to write")
    assert clock() - before < 10


GROUPED = Aggregate(SCAN, (B,), (AggregateCall("sum", (A,)), AggregateCall("count", (C,), distinct=True)))
LAST = OrderKey(A, True, False)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param(Filter(SCAN, Comparison("=", B, integer(123_456))), Filter(SCAN, Comparison("<>", A, A)), id="="),
        pytest.param(
            Filter(GROUPED, Comparison("=", reference(GROUPED, 1), integer(1_717))),
            Filter(GROUPED, Literal(False, BOOLEAN)),
            id="a sum",
        ),
        pytest.param(
            Filter(GROUPED, Comparison(">", reference(GROUPED, 2), integer(2))),
            Filter(GROUPED, Comparison(">", reference(GROUPED, 2), integer(3))),
            id="many different values",
        ),
        pytest.param(
            Project(Join("left", SCAN, S.scan(), Comparison("=", A, Reference(0, 3, INTEGER, True))), (A,)),
            Project(SCAN, (A,)),
            id="a join that multiplies",
        ),
        pytest.param(
            Project(Limit(SCAN, (LAST,), 1), (A,)), Project(Limit(SCAN, (LAST,), 1, 1), (A,)), id="LIMIT and OFFSET"
        ),
        pytest.param(
            Project(Window(SCAN, (WindowCall(WindowFunction("rank"), (B,), (LAST,), None),)), (A,)),
            Project(
                Filter(
                    Window(SCAN, (WindowCall(WindowFunction("rank"), (B,), (LAST,), None),)),
                    Comparison("<=", Reference(0, 3, INTEGER, False), integer(2)),
                ),
                (A,),
            ),
            id="ranks above two",
        ),
        pytest.param(
            Project(
                Window(SCAN, (WindowCall(AggregateCall("sum", (A,)), (), (OrderKey(B, False, True),), UP_TO_PEERS),)),
                (Reference(0, 3, INTEGER, False),),
            ),
            Project(
                Window(SCAN, (WindowCall(AggregateCall("sum", (A,)), (), (OrderKey(B, True, True),), UP_TO_PEERS),)),
                (Reference(0, 3, INTEGER, False),),
            ),
            id="running sums",
        ),
        pytest.param(
            Filter(SCAN, Function("LIKE", (C, Literal("x%y", TEXT)), BOOLEAN, strict=True)),
            Filter(SCAN, Comparison("=", C, Literal("xy", TEXT))),
            id="LIKE",
        ),
    ],
)
def test_what_differs_is_found(left, right):
    found, told = solve(named(left), named(right))
    assert found is not None, told


def test_lists_in_opposite_orders_differ():
    orders = [(OrderKey(A, descending, True),) for descending in (False, True)]
    found, _ = solve(named(Project(SCAN, (A,)), orders[0]), named(Project(SCAN, (A,)), orders[1]))
    assert found is not None
    assert len(found["t"]) == 2


def test_keys_foreign_keys_and_checks_are_kept():
    """Each constraint is what makes these equal: none is found with it, one without."""
    positive = Comparison(">", Reference(0, 1, INTEGER, True), integer(0))
    of_a = Project(SCAN, (A,))
    checked = Catalogue((Table("t", T.columns, T.keys, (), (positive,)),))
    pairs = [
        (of_a, Distinct(of_a), Catalogue((T,)), Catalogue((Table("t", T.columns),))),
        (
            Filter(SCAN, Not(IsNull(B))),
            Filter(SCAN, Comparison(">", B, integer(0))),
            checked,
            Catalogue((T,)),
        ),
        (
            Filter(S.scan(), Not(IsNull(reference(S.scan(), 0)))),
            Join("semi", S.scan(), SCAN, Comparison("=", reference(S.scan(), 0), Reference(0, 4, INTEGER, False))),
            CATALOGUE,
            Catalogue((T, Table("s", S.columns))),
        ),
    ]
    for left, right, kept, without in pairs:
        assert solve(named(left), named(right), kept)[0] is None
        assert solve(named(left), named(right), without)[0] is not None


def test_none_is_found_that_hangs_on_what_sql_leaves_open():
    unordered, ordered = Limit(SCAN, (), 1), Limit(SCAN, (OrderKey(A, True, True),), 1)
    assert solve(named(unordered), named(ordered)) == (None, "z3 finds none of up to 9 rows of t")


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (
            AggregateCall("STDDEV_POP", (A,), result=DECIMAL),
            "z3 is not asked: unknown rows do not go with the aggregate function STDDEV_POP",
        ),
        (
            WindowCall(WindowFunction("cume_dist"), (), (LAST,), None),
            "z3 is not asked: unknown rows do not go with the window function cume_dist",
        ),
    ],
)
def test_what_has_no_formula_is_a_reason(expression, reason):
    query = Window(SCAN, (expression,)) if isinstance(expression, WindowCall) else Aggregate(SCAN, (), (expression,))
    assert solve(named(query), named(query)) == (None, reason)


def test_large_queries_are_not_encoded():
    """Eleven copies of a table: at two rows there are too many joined ones, and it says how far it went."""
    product = SCAN
    for _ in range(10):
        product = Join("inner", product, SCAN, Literal(True, BOOLEAN))
    counted = Aggregate(product, (), (COUNT,))
    assert solve(named(counted), named(counted)) == (None, "z3 finds none of up to 1 rows a table")


def test_the_time_of_the_processor_is_a_limit():
    assert solve(named(SCAN), named(Distinct(SCAN)), seconds=0.0) == (None, "z3 was not asked")


def test_a_decimal_of_a_model_is_exact():
    table = Table("r", (Column("d", DECIMAL),))
    scan = table.scan()
    (value,) = references(scan)
    third = Comparison("=", value, Literal(Fraction(1, 3), DECIMAL))
    found, _ = solve(named(Filter(scan, third)), named(Filter(scan, Literal(False, BOOLEAN))), Catalogue((table,)))
    assert found == {"r": ((Fraction(1, 3),),)}
