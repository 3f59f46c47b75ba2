"""Normal forms have the rows that the reference interpreter returns."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from normal_forms import NormalForms, Unchosen
from random_queries import CATALOGUE, S, T, random_case
from sampling import examples
from tallystick.core.binders import bind, element_type, slots_of, summation
from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.operators import Operator
from tallystick.core.queries.calls import (
    UP_TO_PEERS,
    WHOLE_PARTITION,
    AggregateCall,
    Frame,
    OrderKey,
    WindowCall,
    WindowFunction,
)
from tallystick.core.queries.catalogue import Catalogue, Column, Database, Table
from tallystick.core.queries.compilation.cells import table_variable
from tallystick.core.queries.compilation.normal_form import check_formulas, normal_form, normal_forms
from tallystick.core.queries.expressions import (
    And,
    Cast,
    Comparison,
    Divide,
    Exists,
    Expression,
    Function,
    IsNull,
    Literal,
    Not,
    Or,
    Reference,
    ScalarSubquery,
)
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.core.queries.interpreter.evaluation import evaluate, rows_of
from tallystick.core.queries.syntax import (
    UNIT,
    Aggregate,
    Distinct,
    Filter,
    Join,
    JoinKind,
    Limit,
    Project,
    Query,
    SetOperation,
    Statement,
    Values,
    Window,
    reference,
    references,
)
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT, TIMESTAMP, ColumnType
from tallystick.core.terms import TRUE, constant, row, subterms
from tallystick.core.types import INT, BagType, OptionType, TupleType
from tallystick.core.types import TEXT as TEXT_TERMS
from tallystick.experiments.queries.random_queries import Options

SCAN = T.scan()
A, B, C = references(SCAN)
OUTER_A = reference(SCAN, 0, level=1)


def compare_with_interpreter(seeds: range) -> Counter[str]:
    """How many statements and databases were compared. Fails at the first difference."""
    compared: Counter[str] = Counter()
    for seed in seeds:
        statement, databases = random_case(seed, Options())
        form, _ = normal_forms(statement, statement, CATALOGUE)
        for database in databases:
            try:
                expected = Counter(evaluate(statement, database).rows)
                rows = NormalForms(database).rows(form.bag)
            except (EvaluationError, NotImplementedError, Unchosen) as error:
                compared[type(error).__name__] += 1
                continue
            visible = len(statement.names)
            assert Counter(each[:visible] for each in rows) == expected, (seed, statement, database)
            compared["equal"] += 1
            compared["rows"] += bool(rows)
    return compared


def test_normal_forms_of_random_statements_have_the_rows_of_the_interpreter():
    compared = compare_with_interpreter(range(100))
    assert compared["equal"] > 140
    assert compared["rows"] > 70


@pytest.mark.slow
def test_normal_forms_of_many_random_statements_have_the_rows_of_the_interpreter():
    compared = compare_with_interpreter(range(20_000, 22_500))
    assert compared["equal"] > 4000
    assert compared["rows"] > 2000


def monomials(query):
    return normal_form(query, CATALOGUE).arguments


def operators(query):
    return {term.operator for term in subterms(normal_form(query, CATALOGUE))}


def test_a_table_is_one_slot_and_its_rows_are_options_where_nullable():
    (monomial,) = monomials(SCAN)
    assert monomial.arguments[:2] == (table_variable(T.name, T.row), TRUE)
    assert table_variable(T.name, T.row).type == BagType(TupleType((INT, OptionType(INT), OptionType(TEXT_TERMS))))


def test_queries_that_differ_in_nesting_only_have_one_normal_form():
    one = Filter(Project(SCAN, (A, B)), Comparison("=", A, A))
    other = Project(Filter(SCAN, Comparison("=", A, A)), (A, B))
    assert normal_form(one, CATALOGUE) is normal_form(other, CATALOGUE)


def test_union_all_adds_monomials_and_a_left_join_has_one_for_rows_without_partner():
    assert len(monomials(SetOperation("union", True, SCAN, SCAN))) == 2
    pair = Join("inner", SCAN, SCAN, Literal(True, BOOLEAN))
    inner, alone = monomials(Join("left", SCAN, SCAN, Comparison("=", A, reference(pair, 3))))
    assert (slots_of(inner), slots_of(alone)) == (2, 1)
    assert alone.arguments[-2].operator is Operator.NOT


def test_distinct_is_a_slot_for_each_column():
    (monomial,) = monomials(Distinct(SCAN))
    assert [source.operator for source in monomial.arguments[:-2]] == [Operator.EVERY] * 3
    assert monomial.arguments[-2].operator is Operator.EXISTS


def test_no_group_by_is_one_monomial_without_slots():
    (monomial,) = monomials(Aggregate(SCAN, (), (AggregateCall("count"),)))
    assert slots_of(monomial) == 0


def test_limits_and_bag_differences_are_blocks():
    assert Operator.LIMIT in operators(Limit(SCAN, (OrderKey(A, True, False),), 3))
    assert Operator.EXCEPT_ALL in operators(SetOperation("except", True, SCAN, SCAN))
    assert Operator.LIMIT not in operators(Limit(SCAN, (), None))
    assert monomials(Limit(SCAN, (), 0)) == ()


@pytest.mark.parametrize("order", [(), (OrderKey(B, False, False),)])
def test_limits_of_one_order_are_one_limit_of_the_rows_that_both_take(order):
    numbers = list(range(12))
    for first, second in product(product((None, 0, 1, 3, 7), (0, 2, 4)), repeat=2):
        inner = Limit(SCAN, order, *first)
        query = Limit(Project(inner, references(inner)), order, *second)
        rest = numbers[first[1] :][: first[0]]
        expected = rest[second[1] :][: second[0]]
        found = monomials(query)
        source = found[0].arguments[0] if found else None
        if source is None:
            assert expected == []
        elif source.operator is Operator.LIMIT:
            count, offset, _ = source.parameter
            assert numbers[offset:][:count] == expected
        else:
            assert expected == numbers
        assert sum(term.operator is Operator.LIMIT for each in found for term in subterms(each)) <= 1


def test_limits_of_two_orders_stay_two_limits():
    inner = Limit(SCAN, (OrderKey(B, False, False),), 5)
    nested = normal_form(Limit(inner, (OrderKey(A, False, False),), 3), CATALOGUE)
    assert sum(term.operator is Operator.LIMIT for term in subterms(nested)) == 2


def test_exists_has_no_limit_of_at_least_one_row():
    def tested(limit):
        return operators(Filter(SCAN, Exists(limit)))

    assert Operator.LIMIT not in tested(Project(Limit(SCAN, (), 1), (A,)))
    assert Operator.LIMIT in tested(Limit(SCAN, (), 1, 1))


def test_the_order_of_rows_in_a_limit_has_no_constant_keys():
    keys = (OrderKey(Literal(1, INTEGER), True, False), OrderKey(B, False, True))
    (monomial,) = monomials(Limit(SCAN, keys, 3))
    assert monomial.arguments[0].parameter == (3, 0, ((False, True),))


def test_ranks_are_counts_and_row_numbers_are_blocks_unless_the_order_is_total():
    def over(name, *order):
        return operators(Window(SCAN, (WindowCall(WindowFunction(name), (), order, None),)))

    ascending, by_b = OrderKey(A, False, True), OrderKey(B, True, False)
    assert Operator.SUM in over("rank", by_b)
    assert Operator.OPAQUE_BAG not in over("rank", by_b)
    assert Operator.OPAQUE_BAG in over("row_number", by_b)
    assert Operator.OPAQUE_BAG not in over("row_number", ascending)  # A is a key
    assert Operator.OPAQUE_BAG not in over("row_number", by_b, ascending)
    assert Operator.OPAQUE_BAG in over("row_number")


def test_a_total_order_needs_a_key_of_all_rows_that_is_not_null():
    def found(query, index):
        order = (OrderKey(reference(query, index), False, True),)
        window = Window(query, (WindowCall(WindowFunction("row_number"), (), order, None),))
        return Operator.OPAQUE_BAG in {term.operator for term in subterms(normal_form(window, ONE_ROW))}

    scan = KEYED.scan()
    twice = Project(scan, (reference(scan, 1), reference(scan, 0)))
    assert not found(scan, 0)
    assert found(scan, 1)  # a unique key that may be NULL
    assert not found(twice, 1)
    assert found(SetOperation("union", True, twice, twice), 1)
    assert found(Join("inner", scan, scan, TRUTH), 0)


def test_the_first_row_of_an_order_is_no_block_if_the_order_says_which_row_it_is():
    by_b = OrderKey(B, False, True)
    assert Operator.LIMIT in operators(Limit(SCAN, (by_b,), 1))
    assert Operator.LIMIT not in operators(Limit(SCAN, (by_b, OrderKey(A, True, False)), 1))
    assert Operator.LIMIT in operators(Limit(SCAN, (), 1))
    (alone,) = (Project(SCAN, (B,)),)
    assert Operator.LIMIT not in operators(Limit(alone, (OrderKey(reference(alone, 0), False, True),), 1))
    doubled = SetOperation("union", True, SCAN, SCAN)
    assert Operator.LIMIT in operators(Limit(doubled, (OrderKey(A, True, False),), 1))


def test_the_row_at_a_place_of_an_order_is_no_block_if_the_order_says_which_row_it_is():
    by_a, by_b = OrderKey(A, True, False), OrderKey(B, False, True)
    assert Operator.LIMIT not in operators(Limit(SCAN, (by_a,), 1, 1))
    assert Operator.LIMIT not in operators(Limit(SCAN, (by_b, by_a), 1, 2))
    assert Operator.LIMIT in operators(Limit(SCAN, (by_b,), 1, 1))
    assert Operator.LIMIT in operators(Limit(SCAN, (by_a,), 2, 1))
    assert Operator.LIMIT in operators(Limit(SCAN, (by_a,), None, 1))
    alone = Project(SCAN, (B,))
    for rows in (alone, Distinct(alone), Aggregate(alone, references(alone), ())):
        assert Operator.LIMIT not in operators(Limit(rows, (OrderKey(reference(rows, 0), False, True),), 1, 2))


@pytest.mark.parametrize("values", [(), (2,), (2, 2, None), (None, None, 4, 4, 0), (1, 3, 2)])
@pytest.mark.parametrize(("descending", "nulls_first"), [*product((False, True), repeat=2)])
def test_a_row_at_a_place_is_the_row_that_the_interpreter_has_there(values, descending, nulls_first):
    database: Database = {"s": tuple((value, None, None, None) for value in values)}
    column = Project(S.scan(), (reference(S.scan(), 0),))
    for query in (column, Distinct(column), Aggregate(column, references(column), ())):
        for offset in range(4):
            placed = Limit(query, (OrderKey(reference(query, 0), descending, nulls_first),), 1, offset)
            form = normal_form(placed, CATALOGUE)
            assert Operator.LIMIT not in {term.operator for term in subterms(form)}
            assert NormalForms(database).rows(form) == rows_of(placed, database)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (Comparison("=", A, OUTER_A), Operator.EXTREMUM),  # by the key of the table
        (Comparison("=", OUTER_A, A), Operator.EXTREMUM),
        (Comparison("<", A, OUTER_A), Operator.AGGREGATE),
        (Comparison("=", reference(SCAN, 1), OUTER_A), Operator.AGGREGATE),  # by a column that is no key
    ],
)
def test_a_scalar_subquery_has_a_value_of_its_own_if_a_key_says_that_it_has_one_row(condition, expected):
    subquery = ScalarSubquery(Project(Filter(SCAN, condition), (B,)))
    found = operators(Project(SCAN, (subquery,)))
    assert found & {Operator.EXTREMUM, Operator.AGGREGATE} == {expected}


def test_a_unique_key_that_may_be_null_determines_a_row_only_where_it_is_not_null():
    unique = Table("u", (Column("k", INTEGER), Column("v", INTEGER)), keys=((0,),))
    catalogue = Catalogue((unique,))
    scan = unique.scan()

    def found(condition):
        query = Project(UNIT, (ScalarSubquery(Project(Filter(scan, condition), (reference(scan, 1),))),))
        return {term.operator for term in subterms(normal_form(query, catalogue))}

    assert Operator.AGGREGATE not in found(Comparison("=", reference(scan, 0), Literal(1, INTEGER)))
    assert Operator.AGGREGATE in found(Comparison("<=>", reference(scan, 0), Literal(None, INTEGER)))
    assert Operator.AGGREGATE in found(IsNull(reference(scan, 0)))


def test_division_by_a_constant_is_linear_and_by_a_column_unknown():
    def divided(right, rounding="exact"):
        return operators(Project(SCAN, (Divide(A, right, rounding, "null"),)))

    assert Operator.APPLY not in divided(Literal(2, INTEGER))
    assert Operator.DIV in divided(Literal(-2, INTEGER), "truncate")
    assert Operator.APPLY in divided(A)


@pytest.mark.parametrize("divisor", [-3, -2, -1, 1, 2, 3])
@pytest.mark.parametrize("rounding", ["truncate", "floor", "exact"])
def test_quotients_by_constants_round_as_the_interpreter_says(divisor, rounding):
    numbers = Values(tuple((number,) for number in range(-7, 8)), (ColumnType(INTEGER, False),))
    query = Project(numbers, (Divide(reference(numbers, 0), Literal(divisor, INTEGER), rounding, "null"),))
    assert NormalForms({}).rows(normal_form(query, CATALOGUE)) == rows_of(query, {})


def test_a_strict_function_is_of_values_and_another_of_options():
    def applied(strict):
        (monomial,) = monomials(Project(SCAN, (Function("f", (C,), TEXT, strict),)))
        (term,) = [term for term in subterms(monomial) if term.operator is Operator.APPLY]
        return term.type, term.arguments[0].type

    assert applied(strict=True) == (TEXT_TERMS, TEXT_TERMS)
    assert applied(strict=False) == (OptionType(TEXT_TERMS), OptionType(TEXT_TERMS))


def test_statements_are_compared_with_their_order_keys_and_directions():
    by_b = Statement(SCAN, ("a",), (OrderKey(B, True, False), OrderKey(Literal(1, INTEGER), False, True)))
    left, right = normal_forms(by_b, Statement(SCAN, ("a",)), CATALOGUE)
    assert left.directions == ((True, False),)
    assert right.directions == ()
    assert left.bag.type == BagType(TupleType((INT, OptionType(INT))))


def test_a_column_is_nullable_if_it_is_on_one_side():
    nullable = Statement(Project(SCAN, (B,)), ("x",))
    left, right = normal_forms(Statement(Project(SCAN, (A,)), ("x",)), nullable, CATALOGUE)
    assert left.bag.type == right.bag.type == BagType(TupleType((OptionType(INT),)))


def test_statements_of_different_types_have_no_common_normal_forms():
    decimal = Statement(Project(S.scan(), (reference(S.scan(), 1),)), ("d",))
    assert decimal.columns[0].type == DECIMAL
    with pytest.raises(FragmentError, match=r"the results have the columns \(integer\) and \(decimal\)"):
        normal_forms(Statement(Project(SCAN, (A,)), ("a",)), decimal, CATALOGUE)


def test_tables_are_those_of_the_catalogue():
    with pytest.raises(FragmentError, match="the catalogue has no table t with these columns"):
        normal_form(SCAN, Catalogue(()))


def test_a_check_is_a_formula_over_a_row_that_is_not_false_of_null():
    positive = Comparison(">", reference(SCAN, 1), Literal(0, INTEGER))
    table = Table("t", T.columns, checks=(Not(positive), positive))
    scanned = row(0, element_type(table_variable(table.name, table.row)))
    never, formula = check_formulas(table, scanned)
    holds = bind((scanned,), (table_variable(table.name, table.row),), formula, constant(1))
    rows = {"t": ((1, None, None), (2, 1, None), (3, 0, None))}
    assert len(NormalForms(rows).rows(summation([holds], INT))) == 2
    assert never is not formula


def test_functions_of_one_name_are_told_apart_by_their_types():
    """YEAR of day 400 is another number than YEAR of microsecond 400: both are 400 in the logic."""

    def of(argument: Literal, result=INTEGER):
        return Project(UNIT, (Function("YEAR", (argument,), result, True),))

    days, moments = of(Literal(400, DATE)), of(Literal(400, TIMESTAMP))
    assert normal_form(days, CATALOGUE) is not normal_form(moments, CATALOGUE)
    assert normal_form(days, CATALOGUE) is not normal_form(of(Literal(400, DATE), DATE), CATALOGUE)


def test_no_function_is_taken_for_one_of_the_compilation():
    """The names that the compilation makes up are no names of functions of the user."""
    one, two = Literal(1, INTEGER), reference(SCAN, 0)
    named = Function("quotient truncate", (Cast(one, DECIMAL), Cast(two, DECIMAL)), INTEGER, True)
    divided = Divide(one, two, "truncate", "error")
    assert normal_form(Project(SCAN, (named,)), CATALOGUE) is not normal_form(Project(SCAN, (divided,)), CATALOGUE)


def test_an_order_is_no_part_of_the_name_of_an_aggregate():
    """f(a ORDER BY a) is not the function of two columns that is called "f ascending nulls first"."""
    a = reference(SCAN, 0)
    ordered = AggregateCall("f", (a,), result=INTEGER, order=(OrderKey(a, False, True),))
    called = AggregateCall("f ascending nulls first", (a, a), result=INTEGER)
    forms = [normal_form(Aggregate(SCAN, (), (call,)), CATALOGUE) for call in (ordered, called)]
    assert forms[0] is not forms[1]


KEYED = Table(
    "keyed",
    (Column("k", INTEGER, False), Column("u", INTEGER), Column("v", INTEGER), Column("w", INTEGER)),
    keys=((0,), (1,), (2, 3)),
)
ONE_ROW = Catalogue((KEYED, T))
TRUTH, ONE, NULL = Literal(True, BOOLEAN), Literal(1, INTEGER), Literal(None, INTEGER)


@st.composite
def conditions(draw: st.DrawFn, width: int) -> Expression:
    """Conjunctions of comparisons of columns of a row, of columns of the row around it and of constants."""
    columns = KEYED.row * (width // 4)
    inside = [Reference(0, index, column.type, column.nullable) for index, column in enumerate(columns)]
    outside = [Reference(1, index, column.type, column.nullable) for index, column in enumerate(T.row[:2])]
    operands = st.sampled_from([*inside, *inside, *[each for each in outside if each.type == INTEGER], ONE, NULL])
    kinds = st.sampled_from(["=", "=", "=", "<=>", "<"])
    parts = st.builds(Comparison, kinds, operands, operands)
    mixed = st.one_of(parts, parts, parts, st.builds(lambda a, b: Or((a, b)), parts, parts))
    return And(tuple(draw(st.lists(mixed, min_size=1, max_size=5))))


@given(st.data(), st.sampled_from([4, 8]))
@settings(max_examples=examples(150))
def test_what_is_said_to_have_one_row_never_has_two(data: st.DataObject, width: int) -> None:
    """Bags.has_one_row against the reference interpreter, on databases with NULLs in keys that permit them."""
    tables = KEYED.scan() if width == 4 else Join("inner", KEYED.scan(), KEYED.scan(), TRUTH)
    subquery = Filter(tables, data.draw(conditions(width)))
    value = ScalarSubquery(Project(subquery, (reference(subquery, 1),)))
    form = normal_form(Project(T.scan(), (value,)), ONE_ROW)
    if any(Operator.AGGREGATE is term.operator for term in subterms(form)):
        return
    cells = st.sampled_from([None, 0, 1, 2])
    rows: list[tuple[int | None, ...]] = []
    for drawn in data.draw(st.lists(st.tuples(st.sampled_from([0, 1, 2]), cells, cells, cells), max_size=5)):
        if constraints(ONE_ROW)({"keyed": (*rows, drawn), "t": ()}) is None:
            rows.append(drawn)
    outer = data.draw(st.lists(st.tuples(*(_cell(column) for column in T.row)), min_size=1, max_size=3))
    database = {"keyed": tuple(rows), "t": tuple(outer)}
    if constraints(ONE_ROW)(database) is None:
        rows_of(Project(T.scan(), (value,)), database)  # several rows are an error


NAMES = ("row_number", "lag", "lead", "first_value", "last_value", "sum", "max", "rank")
FRAMES = [Frame("rows", None, 0), WHOLE_PARTITION, UP_TO_PEERS, Frame("rows", 0, None), Frame("rows", -1, 1)]


@st.composite
def windows(draw: st.DrawFn, query: Query) -> Query:
    """A window call, or the first row, over rows of the keyed table, in an order that may be total or not."""
    columns = references(query)
    keys = draw(st.lists(st.builds(OrderKey, st.sampled_from(columns), st.booleans(), st.booleans()), max_size=3))
    if draw(st.integers(0, 3)) == 0:
        first = Limit(query, tuple(keys), 1, draw(st.sampled_from([0, 0, 1, 2])))
        shown = tuple(draw(st.lists(st.sampled_from(columns), min_size=1, max_size=2)))
        return Project(first, shown) if draw(st.booleans()) else first
    partition = tuple(draw(st.lists(st.sampled_from(columns), max_size=1)))
    value, name, frame = draw(st.sampled_from(columns)), draw(st.sampled_from(NAMES)), draw(st.sampled_from(FRAMES))
    match name:
        case "row_number" | "rank":
            call, frame = WindowFunction(name), None
        case "lag" | "lead":
            default = draw(st.sampled_from([NULL, Literal(7, INTEGER), columns[0]]))
            call, frame = (
                WindowFunction(name, (value, draw(st.sampled_from([ONE, ONE, Literal(2, INTEGER)])), default)),
                None,
            )
        case "first_value" | "last_value":
            call = WindowFunction(name, (value,))
        case _:
            call = AggregateCall(name, (value,))
    return Window(query, (WindowCall(call, partition, tuple(keys), frame),))


def on_the_second(kind: JoinKind, left: Query, right: Query) -> Query:
    """A join of rows with equal second columns."""
    both = references(Join("inner", left, right, Literal(True, BOOLEAN)))
    return Join(kind, left, right, Comparison("=", both[1], both[len(left.columns) + 1]))


def several_times(shared: Query) -> list[Query]:
    """Queries in which one closed query stands several times: beside itself, below itself and in its own scope."""
    key, value = references(shared)
    inner = Filter(shared, Comparison("=", value, reference(shared, 1, level=1)))
    pair = on_the_second("inner", shared, shared)
    calls = (AggregateCall("count", (value,)), AggregateCall("max", (key,), True))
    grouped = Aggregate(shared, (value,), calls)
    return [
        pair,
        on_the_second("left", shared, on_the_second("full", shared, shared)),
        on_the_second("anti", shared, shared),
        Filter(shared, Exists(Filter(inner, Exists(inner)))),
        Project(shared, (key, ScalarSubquery(Aggregate(inner, (), (AggregateCall("sum", (key,)),))))),
        Aggregate(pair, (reference(pair, 1),), (AggregateCall("sum", (reference(pair, 2),)),)),
        on_the_second("right", grouped, shared),
        SetOperation("union", True, grouped, Aggregate(shared, (value,), calls)),
    ]


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("kind", ["table", "filter", "groups"])
def test_a_query_that_stands_several_times_has_rows_of_its_own_at_each_place(kind: str, number: int) -> None:
    shared: Query = Project(SCAN, (A, B))
    if kind == "filter":
        shared = Filter(shared, Comparison("<", A, Literal(3, INTEGER)))
    elif kind == "groups":
        grouped = Aggregate(SCAN, (C,), (AggregateCall("count", ()), AggregateCall("min", (B,))))
        shared = Project(grouped, references(grouped)[1:])
    query = several_times(shared)[number]
    form = normal_form(query, CATALOGUE)
    for size in range(4):
        for rows in combinations([(0, None, "x"), (1, 0, "x"), (2, 0, None), (3, 2, "y"), (4, 0, "y")], size):
            database: Database = {"t": rows, "s": ()}
            assert Counter(NormalForms(database).rows(form)) == Counter(rows_of(query, database))


@given(st.data(), st.integers(0, 3))
@settings(max_examples=examples(300))
def test_windows_and_first_rows_of_total_orders_have_the_rows_of_the_interpreter(
    data: st.DataObject, shape: int
) -> None:
    """On databases with NULLs in unique keys; what is undetermined stays a block, which has no rows here."""
    scan = KEYED.scan()
    query: Query = scan
    match shape:
        case 1:
            query = Filter(scan, Not(IsNull(reference(scan, 1))))
        case 2:
            query = Project(scan, tuple(reversed(references(scan))))
        case 3:
            query = Aggregate(
                scan, (reference(scan, 1), reference(scan, 2)), (AggregateCall("max", (reference(scan, 3),)),)
            )
    query = data.draw(windows(query))
    rows: list[tuple[int | None, ...]] = []
    cells = st.sampled_from([None, 0, 1, 2])
    for drawn in data.draw(st.lists(st.tuples(st.sampled_from([0, 1, 2, 3]), cells, cells, cells), max_size=6)):
        if constraints(ONE_ROW)({"keyed": (*rows, drawn), "t": ()}) is None:
            rows.append(drawn)
    database = {"keyed": tuple(rows), "t": ()}
    form = normal_form(query, ONE_ROW)
    blocks = {term.operator for term in subterms(form)} & {Operator.OPAQUE_BAG, Operator.LIMIT}
    if not blocks:  # then the order determines the result, and the interpreter does not fail
        assert Counter(NormalForms(database).rows(form)) == Counter(rows_of(of_keys_alone(query), database))


def of_keys_alone(query: Query) -> Query:
    """The first row of the keys, where nothing else of the first row is shown: the interpreter looks at whole rows."""
    match query:
        case Project(Limit(below, order, 1, 0), shown) if {*shown} <= {key.expression for key in order}:
            keys = Project(below, tuple(key.expression for key in order))
            at = {key.expression: reference(keys, place) for place, key in enumerate(order)}
            ordered = tuple(replace(key, expression=at[key.expression]) for key in order)
            return Project(Limit(keys, ordered, 1), tuple(at[each] for each in shown))
    return query


def _cell(column: ColumnType) -> st.SearchStrategy[object]:
    values = {INTEGER: [0, 1, 2], TEXT: ["a", "b"], DECIMAL: [Fraction(0), Fraction(1)], BOOLEAN: [True, False]}
    return st.sampled_from([*values[column.type], *([None] if column.nullable else [])])
