"""What queries return on small databases: three-valued logic, empty groups, duplicates, and what is left open."""

from __future__ import annotations

import hashlib
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_queries import T
from sampling import examples
from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.queries.calls import (
    UP_TO_PEERS,
    WHOLE_PARTITION,
    AggregateCall,
    Frame,
    GroupingCall,
    OrderKey,
    WindowCall,
    WindowFunction,
)
from tallystick.core.queries.expressions import (
    And,
    Arithmetic,
    Case,
    Comparison,
    Divide,
    Exists,
    ForSome,
    Function,
    IsNull,
    Literal,
    Not,
    Or,
    Remainder,
    ScalarSubquery,
)
from tallystick.core.queries.interpreter.evaluation import evaluate, rows_of
from tallystick.core.queries.interpreter.functions import like
from tallystick.core.queries.interpreter.running import QueryFailure, Undetermined
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
    Values,
    Window,
    reference,
    references,
)
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    INTEGER,
    MICROSECONDS_A_DAY,
    TEXT,
    TIMESTAMP,
    ColumnType,
)

INT = ColumnType(INTEGER, True)
TRUE, FALSE, UNKNOWN = (Literal(value, BOOLEAN) for value in (True, False, None))


def bag(*values):
    """A query of one column of integers."""
    return Values(tuple((value,) for value in values), (INT,))


def table(*rows):
    """A query of several columns of integers."""
    return Values(rows, (INT,) * len(rows[0]))


def integer(value):
    return Literal(value, INTEGER)


def spark_part(text, between, count):
    arguments = (Literal(text, TEXT), Literal(between, TEXT), integer(count))
    return Function("SUBSTRING_INDEX in spark", arguments, TEXT, strict=True)


def value_of(expression):
    ((value,),) = rows_of(Project(UNIT, (expression,)), {})
    return value


def counted(query, database=None):
    return sorted(rows_of(query, database or {}), key=str)


X = reference(bag(), 0)
NUMBER = integer(7)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (And((UNKNOWN, FALSE)), False),
        (And((UNKNOWN, TRUE)), None),
        (And(()), True),
        (Or((UNKNOWN, TRUE)), True),
        (Or((UNKNOWN, FALSE)), None),
        (Or(()), False),
        (Not(UNKNOWN), None),
        (Comparison("=", integer(None), integer(None)), None),
        (Comparison("<=>", integer(None), integer(None)), True),
        (Comparison("<=>", integer(None), NUMBER), False),
        (Comparison("<>", integer(None), NUMBER), None),
        (IsNull(UNKNOWN), True),
        (Case(((UNKNOWN, integer(1)),), integer(2)), 2),
        (Arithmetic("+", NUMBER, integer(None)), None),
        (Divide(integer(-7), integer(2), "exact", "null"), Fraction(-7, 2)),
        (Divide(integer(-7), integer(2), "truncate", "null"), -3),
        (Divide(integer(-7), integer(2), "floor", "null"), -4),
        (Divide(NUMBER, integer(0), "truncate", "null"), None),
        (Remainder(integer(-7), integer(2), "truncate", "null"), -1),
        (Remainder(integer(-7), integer(2), "floor", "null"), 1),
        (ForSome("=", (integer(1),), bag(1, None)), True),
        (ForSome("=", (integer(2),), bag(1, None)), None),
        (ForSome("=", (integer(2),), bag()), False),
        (ForSome("=", (integer(None),), bag()), False),
        (ForSome("=", (integer(1), integer(None)), table((2, 3))), False),
        (ForSome("=", (integer(1), integer(None)), table((1, 3))), None),
        (ForSome("<", (integer(1),), bag()), False),
        (ForSome("<", (integer(1),), bag(0, None)), None),
        (ForSome("<=>", (integer(None),), bag(0, None)), True),
        (Exists(Project(bag(None), (X,))), True),
        (ScalarSubquery(bag()), None),
        (Function("LIKE", (Literal("a%b\n", TEXT), Literal("a_b%", TEXT)), BOOLEAN, strict=True), True),
        (Function("LIKE", (Literal("a.b", TEXT), Literal("a_", TEXT)), BOOLEAN, strict=True), False),
        (Function("SUBSTRING", (Literal("abc", TEXT), integer(2), integer(9)), TEXT, strict=True), "bc"),
        (Function("SUBSTRING in spark", (Literal("abc", TEXT), integer(0), integer(2)), TEXT, strict=True), "ab"),
        (Function("SUBSTRING in spark", (Literal("abc", TEXT), integer(-5), integer(3)), TEXT, strict=True), "a"),
        (spark_part("a@b@c", "@", 1), "a"),
        (spark_part("a@b@c", "@", -2), "b@c"),
        (spark_part("a@b@c", "@", -3), "a@b@c"),
        (spark_part("a@b@c", "@", 0), ""),
        (spark_part("a@b@c", "", 2), ""),
        (spark_part("aaa", "aa", 2), "a"),
        (spark_part("aaa", "aa", -2), "a"),
        (spark_part("", "@", -1), ""),
        (Function("SHA1 in spark", (Literal("é", TEXT),), TEXT, strict=True), hashlib.sha1(b"\xc3\xa9").hexdigest()),
        (Function("SHA2 of 256 bits", (Literal("", TEXT),), TEXT, strict=True), hashlib.sha256(b"").hexdigest()),
        (Function("DATE_TRUNC HOUR", (Literal(-1, TIMESTAMP),), TIMESTAMP, strict=True), -3_600_000_000),
        (Function("DATE_TRUNC DAY", (Literal(-1, TIMESTAMP),), TIMESTAMP, strict=True), -MICROSECONDS_A_DAY),
        (Function("DATE_TRUNC MONTH", (Literal(-1, TIMESTAMP),), TIMESTAMP, strict=True), -31 * MICROSECONDS_A_DAY),
        (Function("seconds since 1970", (Literal(-2_000_000, TIMESTAMP),), INTEGER, strict=True), -2),
        (Function("LIKE ESCAPE", (*[Literal("\\", TEXT)] * 2, Literal("", TEXT)), BOOLEAN, strict=True), True),
        (Function("RIGHT", (Literal("abc", TEXT), integer(0)), TEXT, strict=True), ""),
        (Function("add months", (Literal(30, DATE), integer(1)), DATE, strict=True), 58),
        (Function("LAST_DAY", (Literal(31, DATE),), DATE, strict=True), 58),
        (Function("QUARTER", (Literal(-1, DATE),), INTEGER, strict=True), 4),
        (Function("YEAR", (Literal(-1, TIMESTAMP),), INTEGER, strict=True), 1969),
        (Function("ROUND", (Literal(Fraction(-5, 2), DECIMAL),), DECIMAL, strict=True), Fraction(-3)),
        (Function("SQRT", (Literal(Fraction(9, 4), DECIMAL),), DECIMAL, strict=False), Fraction(3, 2)),
    ],
)
def test_values_of_expressions(expression, expected):
    value = value_of(expression)
    assert (value, type(value)) == (expected, type(expected))


def test_sum_of_nothing_is_null_count_of_nothing_is_0_and_grouping_nothing_gives_no_row():
    calls = (AggregateCall("sum", (X,)), AggregateCall("count"), AggregateCall("count", (X,)))
    assert rows_of(Aggregate(bag(), (), calls), {}) == [(None, 0, 0)]
    assert rows_of(Aggregate(bag(), (X,), calls), {}) == []
    assert rows_of(Aggregate(bag(None), (X,), calls), {}) == [(None, None, 1, 0)]


def test_count_of_several_arguments_counts_rows_without_null():
    rows = table((1, 1), (1, None), (1, 1), (2, 1))
    calls = (AggregateCall("count", references(rows)), AggregateCall("count", references(rows), distinct=True))
    assert rows_of(Aggregate(rows, (), calls), {}) == [(3, 2)]


def test_aggregates_with_distinct_and_filter():
    above = Comparison(">", X, integer(1))
    calls = (
        AggregateCall("sum", (X,), distinct=True),
        AggregateCall("sum", (X,), filter=above),
        AggregateCall("avg", (X,), rounding="truncate"),
        AggregateCall("avg", (X,), rounding="exact"),
    )
    assert rows_of(Aggregate(bag(-3, 2, 2, None), (), calls), {}) == [(-1, 4, 0, Fraction(1, 3))]


def test_grouping_sets_are_a_union_and_grouping_tells_absent_keys():
    rows = table((1, 1), (1, 2))
    query = Aggregate(rows, references(rows), (AggregateCall("count"), GroupingCall((0, 1))), ((0, 1), (0,), ()))
    assert counted(query) == [(1, 1, 1, 0), (1, 2, 1, 0), (1, None, 2, 1), (None, None, 2, 3)]


def test_join_keys_drop_nulls_and_set_operations_keep_them():
    left, right = bag(None, 1), bag(None, 1)
    equal = Comparison("=", *references(table((0, 0))))
    assert rows_of(Join("inner", left, right, equal), {}) == [(1, 1)]
    assert counted(Join("full", left, right, equal)) == [(1, 1), (None, None), (None, None)]
    assert counted(SetOperation("intersect", False, left, right)) == [(1,), (None,)]
    assert rows_of(Distinct(bag(None, None)), {}) == [(None,)]


def test_the_right_side_of_an_outer_join_is_padded_when_no_row_matches():
    equal = Comparison("=", *references(table((0, 0))))
    assert counted(Join("left", bag(1, 2), bag(2, 2), equal)) == [(1, None), (2, 2), (2, 2)]
    assert counted(Join("right", bag(1, 2), bag(2, 3), equal)) == [(2, 2), (None, 3)]
    assert counted(Join("semi", bag(1, 2), bag(2, 2), equal)) == [(2,)]
    assert counted(Join("anti", bag(1, 2, None), bag(2, 2), equal)) == [(1,), (None,)]


@pytest.mark.parametrize(
    ("kind", "all_", "expected"),
    [
        ("union", True, [1, 1, 1, 2, 3]),
        ("union", False, [1, 2, 3]),
        ("except", True, [1, 2]),
        ("except", False, [2]),
        ("intersect", True, [1]),
        ("intersect", False, [1]),
    ],
)
def test_set_operations_as_bags_and_as_sets(kind, all_, expected):
    rows = counted(SetOperation(kind, all_, bag(1, 1, 2), bag(1, 3)))
    assert rows == [(value,) for value in expected]


def test_a_lateral_join_sees_the_left_row():
    outer = reference(bag(), 0, level=1)
    smaller = Filter(bag(1, 2, 3), Comparison("<", X, outer))
    assert counted(Join("left", bag(1, 3), smaller, TRUE, lateral=True)) == [(1, None), (3, 1), (3, 2)]


def test_a_subquery_sees_rows_two_levels_out():
    two_out = reference(bag(), 0, level=2)
    inner = Exists(Filter(bag(5), Comparison("=", Arithmetic("+", reference(bag(), 0, level=1), two_out), X)))
    query = Filter(bag(1, 2, 3), Exists(Filter(bag(2), inner)))
    assert rows_of(query, {}) == [(3,)]


def test_scans_read_the_database_and_check_its_rows():
    assert rows_of(T.scan(), {"t": ((1, None, "a"),)}) == [(1, None, "a")]
    with pytest.raises(EvaluationError, match="the database has no table t"):
        rows_of(T.scan(), {})
    with pytest.raises(EvaluationError, match="is no row of table t"):
        rows_of(T.scan(), {"t": ((None, None, "a"),)})


def ordered(*keys):
    return tuple(OrderKey(key, False, False) for key in keys)


def test_an_order_puts_rows_in_groups_of_ties():
    rows = table((2, 1), (1, 1), (1, 2), (None, 3))
    first, _ = references(rows)
    statement = Statement(rows, ("x", "y"), (OrderKey(first, descending=True, nulls_first=False),))
    assert evaluate(statement, {}).groups == (((2, 1),), ((1, 1), (1, 2)), ((None, 3),))
    hidden = Statement(Project(rows, (references(rows)[1], first)), ("y",), (OrderKey(X, False, False),))
    assert evaluate(hidden, {}).rows == ((1,), (1,), (2,), (3,))


@pytest.mark.parametrize(
    ("descending", "nulls_first", "expected"),
    [
        (False, True, [None, 1, 2]),
        (False, False, [1, 2, None]),
        (True, True, [None, 2, 1]),
        (True, False, [2, 1, None]),
    ],
)
def test_nulls_come_first_or_last_in_both_directions(descending, nulls_first, expected):
    statement = Statement(bag(2, None, 1), ("x",), (OrderKey(X, descending, nulls_first),))
    assert [value for (value,) in evaluate(statement, {}).rows] == expected


def test_a_limit_is_determined_unless_it_cuts_through_different_rows_that_tie():
    rows = table((1, 1), (1, 2), (2, 3), (2, 3))
    first, _ = references(rows)
    assert rows_of(Limit(rows, ordered(first), 2), {}) == [(1, 1), (1, 2)]
    assert rows_of(Limit(rows, ordered(first), 3), {}) == [(1, 1), (1, 2), (2, 3)]
    assert rows_of(Limit(rows, ordered(first), 1, 2), {}) == [(2, 3)]
    assert rows_of(Limit(rows, (), 0), {}) == []
    assert rows_of(Limit(rows, (), 4), {}) == list(rows.rows)
    for limit in (Limit(rows, ordered(first), 1), Limit(rows, ordered(first), 5, 1), Limit(rows, (), 2)):
        with pytest.raises(Undetermined, match="a LIMIT or OFFSET cuts through different rows that tie in its order"):
            rows_of(limit, {})


def test_whether_there_is_a_row_does_not_depend_on_which_rows_a_limit_takes():
    rows = table((1, 1), (1, 2))
    assert value_of(Exists(Project(Limit(rows, (), 1), references(rows)))) is True
    assert value_of(Exists(Limit(rows, (), 0))) is False
    assert value_of(Exists(Limit(rows, ordered(X), 1, 2))) is False


def windowed(call, *values, order=None, frame=None):
    """The values of a window call for the rows 0, … with these values, in the order of the values unless told."""
    rows = table(*enumerate(values))
    number, value = references(rows)
    keys = ordered(value) if order is None else order(number, value)
    result = rows_of(Window(rows, (WindowCall(call(value), (), keys, frame),)), {})
    return [computed for _, _, computed in result]


def summed(value):
    return AggregateCall("sum", (value,))


def both(number, value):
    return ordered(value, number)


def test_window_aggregates_by_range_include_peers_and_by_rows_do_not():
    assert windowed(summed, 1, 2, 2, 3, frame=UP_TO_PEERS) == [1, 5, 5, 8]
    assert windowed(summed, 1, 2, 2, 3, order=both, frame=Frame("rows", None, 0)) == [1, 3, 5, 8]
    assert windowed(summed, 1, 2, 2, 3, frame=WHOLE_PARTITION) == [8, 8, 8, 8]


def test_window_frames_with_distances():
    assert windowed(summed, 1, 2, 2, 4, order=both, frame=Frame("rows", -1, 1)) == [3, 5, 8, 6]
    assert windowed(summed, 1, 2, 2, 4, frame=Frame("range", -2, -1)) == [None, 1, 1, 4]
    assert windowed(summed, 1, 2, 2, 4, frame=Frame("groups", 1, 1)) == [4, 4, 4, None]
    assert windowed(summed, 1, None, 2, frame=Frame("range", -1, 0)) == [1, None, 3]
    descending = Frame("range", None, -1)
    values = windowed(summed, 1, 2, 4, order=lambda _, value: (OrderKey(value, True, True),), frame=descending)
    assert values == [6, 4, None]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("rank", [1, 2, 2, 4]),
        ("dense_rank", [1, 2, 2, 3]),
        ("percent_rank", [Fraction(0), Fraction(1, 3), Fraction(1, 3), Fraction(1)]),
        ("cume_dist", [Fraction(1, 4), Fraction(3, 4), Fraction(3, 4), Fraction(1)]),
    ],
)
def test_ranks_are_determined_with_ties(function, expected):
    assert windowed(lambda _: WindowFunction(function), 1, 2, 2, 3) == expected


def test_functions_of_places():
    def shifted(name):
        return lambda value: WindowFunction(name, (value, integer(1), integer(9)))

    assert windowed(lambda _: WindowFunction("row_number"), 3, 1, 2) == [3, 1, 2]
    assert windowed(lambda _: WindowFunction("ntile", (integer(2),)), 1, 2, 3) == [1, 1, 2]
    assert windowed(shifted("lag"), 3, 1, 2) == [2, 9, 1]
    assert windowed(shifted("lead"), 3, 1, 2) == [9, 2, 3]
    nth = windowed(lambda value: WindowFunction("nth_value", (value, integer(2))), 3, 1, 2, frame=UP_TO_PEERS)
    assert nth == [2, None, 2]
    assert windowed(lambda value: WindowFunction("last_value", (value,)), 3, 1, 2, frame=UP_TO_PEERS) == [3, 1, 2]


@pytest.mark.parametrize(
    ("call", "frame"),
    [
        (lambda value: WindowFunction("row_number"), None),
        (lambda value: WindowFunction("first_value", (value,)), UP_TO_PEERS),
        (summed, Frame("rows", None, 0)),
    ],
)
def test_places_of_different_rows_that_tie_are_undetermined(call, frame):
    with pytest.raises(Undetermined, match="depends on an order in which different rows tie"):
        windowed(call, 1, 1, frame=frame)


def test_the_number_of_a_row_is_determined_when_the_rows_that_tie_are_equal():
    rows = bag(1, 1)
    calls = (WindowCall(WindowFunction("row_number"), (), ordered(X), None),)
    assert rows_of(Window(rows, calls), {}) == [(1, 1), (1, 2)]


def test_failures_are_reported_also_behind_a_false_conjunct():
    division = Comparison("=", Divide(integer(1), integer(0), "truncate", "error"), integer(1))
    with pytest.raises(QueryFailure, match="a division by zero is an error"):
        value_of(And((FALSE, division)))
    assert value_of(Case(((TRUE, TRUE),), division)) is True
    with pytest.raises(QueryFailure, match="a scalar subquery with several rows is an error"):
        value_of(ScalarSubquery(bag(1, 1)))


def test_what_has_no_implementation_is_refused_by_name():
    with pytest.raises(FragmentError, match="the function frobnicate has no implementation"):
        value_of(Function("frobnicate", (), TEXT, strict=True))
    with pytest.raises(FragmentError, match="the aggregate function median has no implementation"):
        rows_of(Aggregate(bag(), (), (AggregateCall("median", (X,), result=INTEGER),)), {})
    with pytest.raises(FragmentError, match="the function UPPER has no implementation of type integer"):
        value_of(Function("UPPER", (Literal("a", TEXT),), INTEGER, strict=True))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("SUBSTRING", (Literal("abc", TEXT), integer(0))),
        ("LIKE", (Literal("a", TEXT), Literal("\\a", TEXT))),
        ("LEFT", (Literal("a", TEXT), integer(-1))),
        ("SQRT", (Literal(Fraction(2), DECIMAL),)),
        ("cast text as integer", (Literal("1x", TEXT),)),
        ("cast text as date", (Literal("2020-02-30", TEXT),)),
        ("cast text as decimal", (Literal("1e3", TEXT),)),
        ("cast text as decimal", (Literal(".5", TEXT),)),
    ],
)
def test_where_dialects_differ_functions_are_undetermined(name, arguments):
    types = {"LIKE": BOOLEAN, "SQRT": DECIMAL, "cast text as integer": INTEGER, "cast text as date": DATE}
    types["cast text as decimal"] = DECIMAL
    with pytest.raises(Undetermined):
        value_of(Function(name, arguments, types.get(name, TEXT), strict=False))


def test_any_value_is_determined_for_equal_values():
    def any_of(*values):
        return rows_of(Aggregate(bag(*values), (), (AggregateCall("any_value", (X,), result=INTEGER),)), {})

    assert any_of(3, 3) == [(3,)]
    with pytest.raises(Undetermined, match="any_value of different values is any of them"):
        any_of(3, 4)


def test_an_evaluation_has_a_step_limit():
    many = bag(*range(100))
    with pytest.raises(EvaluationError, match="the evaluation takes more steps than its limit allows"):
        evaluate(Statement(Join("inner", many, many, TRUE), ("x", "y")), {}, step_limit=1000)


@given(st.text(alphabet="ab_%c", max_size=12), st.lists(st.sampled_from(["a", "b", "%", "_", "%%", "c"]), max_size=7))
@settings(max_examples=examples(300))
def test_like_matches_what_a_regular_expression_matches(text: str, parts: list[str]) -> None:
    pattern = "".join(parts)
    regular = "".join({"%": ".*", "_": "."}.get(each) or re.escape(each) for each in pattern)
    assert like(text, pattern) is bool(re.fullmatch(regular, text, re.DOTALL))


def test_values_larger_than_evaluation_allows_end_it() -> None:
    """Without the bound, twenty squares are a number of three million digits, and as many texts as long."""
    values = Values(((7, "ab"),), (ColumnType(INTEGER, False), ColumnType(TEXT, False)))
    number, text = reference(values, 0), reference(values, 1)
    for _ in range(14):
        number = Arithmetic("*", number, number)
        text = Function("||", (text, text), TEXT, True)
    for large in (number, text):
        with pytest.raises(EvaluationError, match="a value is larger than the evaluation allows"):
            rows_of(Project(values, (large,)), {})


def test_expressions_larger_than_evaluation_allows_are_refused() -> None:
    condition = Comparison("=", reference(T.scan(), 0), Literal(1, INTEGER))
    for _ in range(40):
        condition = And((condition, condition))
    with pytest.raises(EvaluationError, match="an expression is larger than the evaluation allows"):
        rows_of(Filter(T.scan(), condition), {"t": ()})


@pytest.mark.parametrize(
    ("number", "scale", "text"),
    [("1.5", 2, "1.50"), ("-0.05", 2, "-0.05"), ("0", 3, "0.000"), ("-12", 0, "-12"), ("1234567890123456.5", 1, None)],
)
def test_the_text_of_a_decimal_has_the_digits_of_its_scale(number, scale, text):
    literal = Literal(Fraction(number), DECIMAL)
    function = Function(f"cast decimal as text of scale {scale}", (literal,), TEXT, strict=True)
    assert value_of(function) == (number if text is None else text)


def test_the_text_of_a_decimal_with_more_digits_is_undetermined():
    literal = Literal(Fraction("1.25"), DECIMAL)
    with pytest.raises(Undetermined):
        value_of(Function("cast decimal as text of scale 1", (literal,), TEXT, strict=True))
