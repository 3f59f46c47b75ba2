"""Trees of queries are typed: one that is wrong is refused when it is built, and outer references are counted."""

import pickle
from fractions import Fraction

import pytest
from tallystick.core.errors import SortError
from tallystick.core.queries.calls import (
    UP_TO_PEERS,
    AggregateCall,
    Frame,
    GroupingCall,
    OrderKey,
    WindowCall,
    WindowFunction,
)
from tallystick.core.queries.catalogue import Catalogue, Column, ForeignKey, Table
from tallystick.core.queries.expressions import (
    And,
    Arithmetic,
    Case,
    Cast,
    Comparison,
    Divide,
    Exists,
    ForSome,
    Function,
    IsNull,
    Literal,
    Not,
    Reference,
    Remainder,
    ScalarSubquery,
)
from tallystick.core.queries.syntax import (
    UNIT,
    Aggregate,
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
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT, TIMESTAMP, ColumnType

T = Table("T", (Column("a", INTEGER, nullable=False), Column("b", TEXT)), keys=((0,),))
SCAN = T.scan()
A, B = references(SCAN)
OUTER_A = reference(SCAN, 0, level=1)
ONE, NULL = Literal(1, INTEGER), Literal(None, INTEGER)
TRUE = Literal(True, BOOLEAN)
SAME_A = Filter(SCAN, Comparison("=", A, OUTER_A))


def nullability(query):
    return "".join("?" if column.nullable else "!" for column in query.columns)


def test_a_correlated_subquery_is_free_in_the_row_around_it_and_no_further():
    assert SAME_A.free == {A}
    assert Filter(SCAN, Exists(SAME_A)).free == frozenset()


def test_a_lateral_join_binds_the_left_row_in_its_right_side():
    assert Join("inner", SCAN, SAME_A, TRUE, lateral=True).free == frozenset()
    assert Join("inner", SCAN, SAME_A, TRUE).free == {A}


def test_levels_count_the_scopes():
    twice = Filter(SCAN, Exists(Filter(SCAN, Comparison("=", reference(SCAN, 0, level=2), OUTER_A))))
    assert twice.free == {A}
    assert Project(SCAN, (ScalarSubquery(Aggregate(twice, (), (AggregateCall("count"),))),)).free == frozenset()


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("inner", "!?!?"), ("left", "!???"), ("right", "??!?"), ("full", "????"), ("semi", "!?"), ("anti", "!?")],
)
def test_outer_joins_pad_with_nulls(kind, expected):
    assert nullability(Join(kind, SCAN, SCAN, TRUE)) == expected


@pytest.mark.parametrize(("kind", "expected"), [("union", "??"), ("intersect", "!?"), ("except", "!?")])
def test_set_operations_may_hold_null_where_a_side_does(kind, expected):
    nulls = Project(SCAN, (Literal(None, INTEGER), B))
    assert nullability(SetOperation(kind, True, SCAN, nulls)) == expected


def test_aggregates_of_possibly_empty_groups_may_be_null():
    calls = (AggregateCall("count"), AggregateCall("sum", (A,)), AggregateCall("min", (B,)))
    assert nullability(Aggregate(SCAN, (), calls)) == "!??"
    assert nullability(Aggregate(SCAN, (A,), calls)) == "!!!?"
    assert nullability(Aggregate(SCAN, (A,), (AggregateCall("sum", (A,), filter=TRUE),))) == "!?"
    assert nullability(Aggregate(SCAN, (A, B), (GroupingCall((0, 1)),), ((0, 1), (1,)))) == "??!"


def test_types_of_expressions():
    assert Arithmetic("-", Literal(3, DATE), Literal(1, DATE)).type == INTEGER
    assert Arithmetic("+", Literal(3, DATE), ONE).type == DATE
    assert Divide(A, ONE, "exact", "null").column == ColumnType(DECIMAL, False)
    assert Divide(A, A, "truncate", "null").column == ColumnType(INTEGER, True)
    assert Divide(A, A, "floor", "error").column == ColumnType(INTEGER, False)
    assert Case(((IsNull(B), A),), NULL).column == ColumnType(INTEGER, True)
    assert Function("upper", (A,), TEXT, strict=True).nullable is False
    assert Function("upper", (A,), TEXT, strict=False).nullable is True
    assert Comparison("<=>", B, B).nullable is False
    assert ForSome("=", (A,), Project(SCAN, (NULL,))).nullable is True
    assert ForSome("<=>", (A,), Project(SCAN, (NULL,))).nullable is False


ROW_NUMBER = WindowFunction("row_number")


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Literal(True, INTEGER), "True is no value of type integer"),
        (lambda: Literal(1, DECIMAL), "1 is no value of type decimal"),
        (lambda: Literal(1.5, DECIMAL), "1.5 is no value of type decimal"),
        (lambda: Reference(-1, 0, INTEGER, True), "level and index of a reference are not negative"),
        (lambda: Arithmetic("+", A, B), "+ does not apply to integer and text"),
        (lambda: Arithmetic("+", A, Literal(Fraction(1), DECIMAL)), "+ does not apply to integer and decimal"),
        (lambda: Divide(A, B, "exact", "null"), "Divide does not apply to integer and text"),
        (lambda: Divide(A, A, "round", "null"), "there is no rounding 'round'"),
        (lambda: Divide(A, A, "floor", "zero"), "a division by zero gives null or error, not 'zero'"),
        (lambda: Remainder(A, A, "exact", "null"), "an exact quotient has no remainder"),
        (lambda: Cast(A, TEXT), "the cast of integer to text is a function, not a Cast"),
        (lambda: Cast(Literal(0, TIMESTAMP), DATE), "the cast of timestamp to date is a function, not a Cast"),
        (lambda: Comparison("=", A, B), "integer is not compared with text"),
        (lambda: Comparison("==", A, A), "there is no comparison '=='"),
        (lambda: And((A,)), "an operand of AND is of type integer"),
        (lambda: Not(A), "an operand of NOT is of type integer"),
        (lambda: Case(((A, A),), A), "an operand of WHEN is of type integer"),
        (lambda: Case(((TRUE, B),), A), "a CASE has values of types text and integer"),
        (lambda: ForSome("=", (A,), SCAN), "(integer) is compared with rows of (integer, text)"),
        (lambda: ForSome("=", (), Project(SCAN, ())), "rows are compared by = in some column"),
        (lambda: ForSome("<", (A, B), SCAN), "rows are compared by = in some column"),
        (lambda: ForSome("in", (A, B), SCAN), "there is no comparison 'in'"),
        (lambda: ScalarSubquery(SCAN), "a scalar subquery has one column, not 2"),
        (lambda: Filter(SCAN, A), "a condition is boolean, not integer"),
        (
            lambda: Project(SCAN, (Reference(0, 0, INTEGER, True),)),
            "there is no column 0 of type integer in a row (integer NOT NULL, text)",
        ),
        (
            lambda: Filter(Filter(SCAN, Exists(SAME_A)), IsNull(Reference(0, 2, TEXT, True))),
            "there is no column 2 of type text in a row (integer NOT NULL, text)",
        ),
        (
            lambda: Project(Project(SCAN, (B,)), (ScalarSubquery(Project(SAME_A, (A,))),)),
            "there is no column 0 of type integer NOT NULL in a row (text)",
        ),
        (lambda: Values(((1, 2),), SCAN.columns), "(1, 2) is no row of (integer NOT NULL, text)"),
        (lambda: Values(((None, None),), SCAN.columns), "(None, None) is no row of (integer NOT NULL, text)"),
        (lambda: Join("cross", SCAN, SCAN, TRUE), "there is no 'cross' join"),
        (lambda: Join("full", SCAN, SAME_A, TRUE, lateral=True), "a full join is not lateral"),
        (lambda: SetOperation("union", True, SCAN, Project(SCAN, (B, B))), "UNION of (integer, text) and (text, text)"),
        (lambda: AggregateCall("sum", (B,)), "sum(text): the aggregate is not defined"),
        (lambda: AggregateCall("sum"), "sum(): one argument is expected"),
        (lambda: AggregateCall("avg", (A,)), "avg(integer): avg alone says how it rounds"),
        (lambda: AggregateCall("median", (A,)), "median(integer): an opaque aggregate alone states its type"),
        (lambda: AggregateCall("sum", (A,), filter=A), "sum(integer): FILTER has a condition of type integer"),
        (
            lambda: AggregateCall("sum", (A,), order=(OrderKey(A, False, True),)),
            "sum(integer): the order of rows does not matter",
        ),
        (lambda: Aggregate(SCAN, (A,), (), ((1,),)), "a grouping names a key that does not exist"),
        (lambda: Frame("rows", 1, 0), "a frame ends before it starts"),
        (lambda: WindowFunction("first"), "there is no window function 'first'"),
        (lambda: WindowFunction("lag", (A,)), "lag has 3 arguments, not 1"),
        (lambda: WindowFunction("lag", (A, A, A)), "lag: argument 2 is a literal integer"),
        (lambda: WindowFunction("lag", (A, ONE, B)), "lag: the default is of the type of the value"),
        (
            lambda: WindowCall(ROW_NUMBER, (), (), UP_TO_PEERS),
            "row_number: a frame is given if and only if it is read",
        ),
        (
            lambda: WindowCall(AggregateCall("count"), (), (OrderKey(B, False, True),), Frame("range", -1, 0)),
            "a frame by differences has one order key, which is a number or a time",
        ),
        (lambda: Limit(SCAN, (), -1), "LIMIT is not negative"),
        (lambda: Limit(SCAN, (), 1, -1), "OFFSET is not negative"),
        (lambda: Statement(SAME_A, ("a", "b")), "a statement refers to no row around it"),
        (lambda: Statement(SCAN, ("a",) * 9), "a statement names its visible columns"),
        (lambda: Statement(SCAN, ("a",), (OrderKey(OUTER_A, False, True),)), "an order refers to its row alone"),
    ],
)
def test_trees_that_are_wrong_are_refused(build, message):
    with pytest.raises(SortError) as caught:
        build()
    assert str(caught.value) == message


def test_a_query_without_from_reads_one_row_of_no_columns():
    assert UNIT.rows == ((),)
    assert nullability(Project(UNIT, (ONE, NULL))) == "!?"


def test_frames_that_can_miss_the_current_row_make_aggregates_nullable():
    def summed(frame):
        return Window(SCAN, (WindowCall(AggregateCall("sum", (A,)), (), (OrderKey(A, False, True),), frame),))

    assert nullability(summed(UP_TO_PEERS)) == "!?!"
    assert nullability(summed(Frame("rows", None, -1))) == "!??"
    assert nullability(summed(Frame("rows", 1, None))) == "!??"


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Table("S", ()), "table S has no columns"),
        (lambda: Table("S", T.columns, keys=((2,),)), "a key of table S names a column that does not exist"),
        (
            lambda: Table("S", T.columns, foreign_keys=(ForeignKey((), "T", ()),)),
            "a foreign key of table S has no columns",
        ),
        (lambda: Table("S", T.columns, checks=(A,)), "a check of table S is boolean, not integer"),
        (lambda: Table("S", T.columns, checks=(IsNull(OUTER_A),)), "a check of table S sees its row alone"),
        (lambda: Catalogue((T, T)), "two tables of the catalogue have one name"),
        (
            lambda: Catalogue((Table("S", T.columns, foreign_keys=(ForeignKey((0,), "U", (0,)),)),)),
            "the foreign key of table S to U: there is no such table",
        ),
        (
            lambda: Catalogue((T, Table("S", T.columns, foreign_keys=(ForeignKey((0,), "T", (1,)),)))),
            "the foreign key of table S to T: the columns have different types",
        ),
    ],
)
def test_catalogues_that_are_wrong_are_refused(build, message):
    with pytest.raises(SortError) as caught:
        build()
    assert str(caught.value) == message


def test_what_knows_its_references_is_pickled_and_read_back() -> None:
    reference = Reference(0, 1, INTEGER, True)
    compared = Comparison("=", reference, reference)
    assert compared.free == reference.free == {reference}
    assert pickle.loads(pickle.dumps({compared: reference})) == {compared: reference}
