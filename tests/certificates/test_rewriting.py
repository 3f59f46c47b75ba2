"""Proofs by rewriting: subqueries are exchanged and named only where the claim follows."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import encode
from tallystick.certificates.evidence import Step
from tallystick.certificates.queries.kernel import same_results
from tallystick.certificates.queries.proofs import Exchange, Name, Pull, Rewriting
from tallystick.certificates.queries.pulling import pushed
from tallystick.certificates.queries.reader import decode_queries
from tallystick.certificates.queries.rewriting import Rewriter
from tallystick.certificates.rules.bag import Bag
from tallystick.certificates.rules.matching import Match
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.core.errors import TallystickError
from tallystick.core.queries.calls import (
    UP_TO_PEERS,
    WHOLE_PARTITION,
    AggregateCall,
    OrderKey,
    WindowCall,
    WindowFunction,
)
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.compilation.bags import free_of_charge
from tallystick.core.queries.expressions import Comparison, Exists, Expression, IsNull, Literal, Not, Reference
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    Scan,
    SetOperation,
    Statement,
    Values,
    Window,
    reference,
    references,
)
from tallystick.core.queries.types import BOOLEAN, INTEGER, ColumnType
from tallystick.decision.queries.certifying import certificate
from tallystick.decision.queries.deciding import ProofLimits, Proved, by_structure
from tallystick.decision.queries.structure.boundaries import boundaries

from certificates.query_samples import question, read

T = Table("t", (Column("a", INTEGER), Column("b", INTEGER), Column("n", INTEGER, False)))
CATALOGUE = Catalogue((T,))
SCAN = T.scan()
A, B, N = references(SCAN)
ONE, TRUTH = Literal(1, INTEGER), Literal(True, BOOLEAN)
REFLEXIVE = Step(Reflexive(), (), ())
SUM_OF_N = AggregateCall("sum", (N,))
GROUPS = Aggregate(SCAN, (A,), (SUM_OF_N,))
KEY, TOTAL = references(GROUPS)
TICKET = ColumnType(INTEGER, True)


def is_one(expression: Expression) -> Expression:
    return Comparison("=", expression, ONE)


def claim(
    left: Query, right: Query, steps: Sequence[Exchange | Pull | Name], proof: Step = REFLEXIVE, catalogue=CATALOGUE
):
    statements = [Statement(query, tuple(f"c{n}" for n in range(len(query.columns)))) for query in (left, right)]
    return same_results(statements[0], statements[1], catalogue, Rewriting(tuple(steps), proof))


def refused(left: Query, right: Query, steps: Sequence[Exchange | Pull | Name], catalogue=CATALOGUE) -> str:
    with pytest.raises(TallystickError) as error:
        claim(left, right, steps, catalogue=catalogue)
    return str(error.value)


def named(number: int, query: Query) -> Scan:
    return Scan(f"subquery {number}", query.columns)


def test_what_is_equal_is_exchanged_and_named() -> None:
    plain = Filter(SCAN, is_one(A))
    twice = Filter(plain, is_one(A))
    exchange = Exchange("left", Aggregate(twice, (A,), ()), Aggregate(plain, (A,), ()), (), REFLEXIVE)
    claim(Aggregate(twice, (A,), ()), Aggregate(plain, (A,), ()), [exchange])
    claim(Limit(GROUPS, (), 3), Limit(Aggregate(SCAN, (A,), (SUM_OF_N,)), (), 3), [Name(GROUPS)])


def test_a_named_subquery_is_seen_through_only_where_a_step_says_so() -> None:
    ones = Filter(SCAN, is_one(A))
    scan = named(0, ones)
    steps = [Name(ones), Exchange("left", Filter(scan, is_one(A)), scan, (0,), REFLEXIVE)]
    claim(Filter(ones, is_one(A)), ones, steps)
    steps[1] = replace(steps[1], unfolded=())
    assert refused(Filter(ones, is_one(A)), ones, steps) == "steps[1]: the sides are not the same term"


def test_an_exchange_needs_a_proof() -> None:
    wrong = Exchange("left", SCAN, Filter(SCAN, is_one(N)), (), REFLEXIVE)
    assert refused(SCAN, Filter(SCAN, is_one(N)), [wrong]).startswith("steps[0]: the sides are not the same term")
    pairing = Step(Bag((Match(0, 0, (0,)),), ()), (), ())
    assert "premises need as many" in refused(
        SCAN, Filter(SCAN, is_one(N)), [Exchange("left", SCAN, SCAN, (), pairing)]
    )


def test_subqueries_that_are_exchanged_have_the_same_columns_and_no_outer_references() -> None:
    narrow = Project(SCAN, (A,))
    problem = "subqueries that are exchanged have the same columns, and no references to rows around"
    wider = SetOperation("union", True, Project(SCAN, (N,)), Values((), (TICKET,)))
    for old, new in ((SCAN, narrow), (Project(SCAN, (N,)), wider)):
        with pytest.raises(TallystickError, match=problem):
            Rewriter(
                Statement(SCAN, ("a", "b", "n")), Statement(SCAN, ("a", "b", "n")), CATALOGUE, free_of_charge
            ).exchange("left", old, new)
    inner = Filter(SCAN, Comparison("=", A, Reference(1, 1, INTEGER, True)))
    outer = Filter(SCAN, Exists(inner))
    assert "no references to rows around" in refused(outer, outer, [Name(inner)])


FORGERIES = {
    "about itself": Name(SetOperation("except", True, SCAN, named(0, SCAN))),
    "about a later one": Name(Project(named(1, SCAN), references(SCAN))),
    "other columns": Name(Scan("t", (*SCAN.columns[:2], TICKET))),
    "nullable": Name(Scan("t", (SCAN.columns[0], ColumnType(INTEGER, False), SCAN.columns[2]))),
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_definitions_are_about_tables_that_are_there(kind: str) -> None:
    """Else a definition such as T = R EXCEPT T, which no rows satisfy, would prove anything."""
    assert "the catalogue has no table" in refused(SCAN, SCAN, [FORGERIES[kind]])


def test_exchanges_and_pulls_are_about_tables_that_are_there() -> None:
    later = named(0, SCAN)
    for step in (
        Exchange("left", SCAN, later, (), REFLEXIVE),
        Pull("left", Filter(Aggregate(later, (A,), ()), is_one(A))),
    ):
        assert "the catalogue has no table" in refused(SCAN, SCAN, [step])


def test_no_statement_reads_a_named_subquery_from_the_start() -> None:
    forged = named(0, GROUPS)
    assert "the catalogue has no table subquery 0" in refused(forged, GROUPS, [Name(GROUPS)])


def test_a_name_that_a_table_has_is_taken() -> None:
    taken = Catalogue((T, Table("subquery 0", T.columns)))
    assert refused(SCAN, SCAN, [Name(GROUPS)], taken) == "two tables of the catalogue have one name"


def test_only_named_subqueries_are_unfolded() -> None:
    assert refused(SCAN, SCAN, [Exchange("left", SCAN, SCAN, (0,), REFLEXIVE)]) == "no subquery has the number 0"
    assert refused(SCAN, SCAN, [Exchange("left", SCAN, SCAN, (-1,), REFLEXIVE)]) == "no subquery has the number -1"


def test_a_table_that_stands_for_one_side_alone_proves_nothing() -> None:
    other = Aggregate(SCAN, (A,), (AggregateCall("max", (N,)),))
    assert "are not the same term" in refused(GROUPS, other, [Name(GROUPS), Name(other)])


def by(*partition: Expression, order: tuple[OrderKey, ...] = ()) -> WindowCall:
    return WindowCall(AggregateCall("sum", (N,)), partition, order, UP_TO_PEERS if order else WHOLE_PARTITION)


RANK = WindowCall(WindowFunction("rank"), (A, B), (OrderKey(N, False, True),), None)


def ranked(function: str, partition: tuple[Expression, ...], most: int | None, operator: str = "<=") -> Filter:
    """The rows whose rank, or another call, is at most a number."""
    window = Window(SCAN, (WindowCall(WindowFunction(function), partition, (OrderKey(N, True, True),), None),))
    value = reference(window, 3)
    return Filter(window, Comparison(operator, value, Literal(most, value.type)))


NUMBER = WindowCall(WindowFunction("row_number"), (A,), (OrderKey(N, False, True),), None)
WINDOW = Window(SCAN, (by(A), RANK))
GROUPS_OF_TWO = Aggregate(SCAN, (A, N), (AggregateCall("count"),))
PULLED = (
    Filter(GROUPS, is_one(KEY)),
    Filter(GROUPS, IsNull(KEY)),
    Filter(GROUPS, Not(is_one(KEY))),
    Filter(GROUPS, Literal(None, BOOLEAN)),
    Filter(GROUPS_OF_TWO, Comparison("=", *references(GROUPS_OF_TWO)[:2])),
    Filter(WINDOW, is_one(reference(WINDOW, 0))),
    Filter(WINDOW, IsNull(reference(WINDOW, 0))),
    Filter(WINDOW, TRUTH),
    *(ranked(function, partition, 2) for function in ("rank", "dense_rank") for partition in ((), (A,), (A, B))),
)


def databases(count: int = 60):
    generator = random.Random(5)
    values = (None, 0, 1)
    for _ in range(count):
        rows = [(generator.choice(values), generator.choice(values), generator.randint(0, 2)) for _ in range(6)]
        yield {"t": tuple(rows[: generator.randint(0, 6)])}


@pytest.mark.parametrize("filtered", PULLED, ids=range(len(PULLED)))
def test_conditions_on_groups_and_partitions_mean_the_same_below(filtered: Query) -> None:
    """On databases with NULL keys, duplicates and no rows."""
    below = pushed(filtered)
    names = tuple(f"c{n}" for n in range(len(filtered.columns)))
    kept = 0
    for database in databases():
        one, other = (evaluate(Statement(query, names), database) for query in (filtered, below))
        assert Counter(one.rows) == Counter(other.rows)
        kept += len(one.rows)
    assert kept or filtered.condition == Literal(None, BOOLEAN)
    claim(below, filtered, [Pull("left", filtered)])


NOT_PULLED = {
    "a call's value": Filter(GROUPS, is_one(TOTAL)),
    "no keys": Filter(Aggregate(SCAN, (), (SUM_OF_N,)), TRUTH),
    "grouping sets": Filter(Aggregate(SCAN, (A,), (SUM_OF_N,), ((0,), ())), is_one(KEY)),
    "a subquery": Filter(GROUPS, Exists(SCAN)),
    "a window call's value": Filter(WINDOW, is_one(reference(WINDOW, 3))),
    "a column that no call partitions by": Filter(WINDOW, is_one(reference(WINDOW, 2))),
    "a column that one call partitions by": Filter(WINDOW, is_one(reference(WINDOW, 1))),
    "a choice among ties": Filter(Window(SCAN, (NUMBER,)), is_one(reference(SCAN, 0))),
    "a rank that is at least a number": ranked("rank", (A,), 2, ">="),
    "places that ties leave open": ranked("row_number", (A,), 2),
    "a part of all rows": ranked("percent_rank", (A,), None),
    "a rank beside another call": Filter(
        Window(SCAN, (*ranked("rank", (A,), 1).input.calls, NUMBER)), Comparison("<=", reference(WINDOW, 4), ONE)
    ),
    "a limit": Filter(Limit(SCAN, (), 1), is_one(A)),
    "nothing": GROUPS,
}


@pytest.mark.parametrize("kind", NOT_PULLED)
def test_other_conditions_are_not_pulled(kind: str) -> None:
    problem = "pushed below|are pushed|no references to rows around"
    with pytest.raises(TallystickError, match=problem):
        pushed(NOT_PULLED[kind])
    assert refused(SCAN, SCAN, [Pull("left", NOT_PULLED[kind])])


def test_conditions_on_rows_around_are_not_pulled() -> None:
    outer = Comparison("=", KEY, Reference(1, 0, INTEGER, True))
    with pytest.raises(TallystickError, match="about the columns of the rows there"):
        pushed(Filter(GROUPS, outer))


def test_named_groups_have_their_keys_and_others_have_none() -> None:
    """NULL is a group of its own; a key says nothing of rows where one of its columns is NULL. One group by nothing
    has the key of no columns; of several groupings, the one by nothing has not."""
    statement = Statement(SCAN, ("a", "b", "n"))
    rewriter = Rewriter(statement, statement, CATALOGUE, free_of_charge)
    sets = Aggregate(SCAN, (A,), (), ((0,), ()))
    for query in (GROUPS, Distinct(SCAN), Aggregate(SCAN, (), (SUM_OF_N,)), sets, SCAN):
        rewriter.name(query)
    keys = [table.keys for table in rewriter.catalogue.tables[1:]]
    assert keys == [((0,),), ((0, 1, 2),), ((),), (), ()]


def test_a_subquery_is_exchanged_below_lateral_joins_and_limits() -> None:
    twice, once = Filter(Filter(SCAN, is_one(A)), is_one(A)), Filter(SCAN, is_one(A))
    order = (OrderKey(N, True, False),)

    def whole(part: Query) -> Query:
        correlated = Filter(part, Comparison("=", reference(part, 2), Reference(1, 2, INTEGER, False)))
        return Limit(Join("inner", SCAN, correlated, TRUTH, lateral=True), order, 2)

    claim(whole(twice), whole(once), [Exchange("left", twice, once, (), REFLEXIVE)])


SCHEMA = "CREATE TABLE t (a INT, b INT, n INT NOT NULL);"
PAIR = (
    "SELECT x.a, x.s FROM (SELECT a, sum(n) AS s, max(b) AS m FROM t GROUP BY a) x"
    " LEFT JOIN (SELECT b, count(*) AS c FROM t GROUP BY b) y ON x.a = y.b WHERE x.a > 1 ORDER BY x.a LIMIT 5",
    "SELECT x.a, x.s FROM (SELECT a, sum(n) AS s FROM t WHERE a > 1 GROUP BY a) x"
    " LEFT JOIN (SELECT b, count(*) AS c FROM t GROUP BY b) y ON x.a = y.b ORDER BY x.a LIMIT 5",
)


@pytest.fixture(scope="module")
def found() -> tuple[object, bytes]:
    pair = question(read(*PAIR, SCHEMA))
    proved = by_structure(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=60))
    assert isinstance(proved, Proved)
    return pair, certificate(pair, proved)


def test_proofs_by_structure_are_audited_in_files(found) -> None:
    pair, data = found
    read_again = decode_queries(data)
    assert isinstance(read_again.result, Rewriting)
    assert {type(step) for step in read_again.result.steps} == {Exchange, Name, Pull}
    report = audit(data, pair)
    assert (report.accepted, report.reason) == (True, "every step holds")
    assert len(list(boundaries(pair.left.query))) == 4


def test_no_step_of_a_proof_by_structure_is_superfluous_and_none_may_be_altered(found) -> None:
    _, data = found
    made = decode_queries(data)
    steps = made.result.steps
    for number in range(len(steps)):
        without = replace(made, result=replace(made.result, steps=steps[:number] + steps[number + 1 :]))
        assert not audit(encode(without)).accepted
    for number, step in enumerate(steps):
        if isinstance(step, Exchange):
            swapped = replace(step, old=step.new, new=step.old)
            changed = replace(made, result=replace(made.result, steps=(*steps[:number], swapped, *steps[number + 1 :])))
            assert not audit(encode(changed)).accepted
