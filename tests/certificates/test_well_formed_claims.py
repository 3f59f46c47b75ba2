"""What a claim about two statements has to be, whether it says that they return the same or that they do not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import encode
from tallystick.certificates.evidence import Step
from tallystick.certificates.queries.certificates import QueryCertificate, Witness
from tallystick.certificates.queries.reader import decode_queries
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.expressions import Cast, Comparison, Exists, Literal
from tallystick.core.queries.syntax import Filter, Project, Query, Scan, Statement, Values, reference, references
from tallystick.core.queries.types import DECIMAL, INTEGER, TEXT, ColumnType

from certificates.query_samples import sample, with_result

CATALOGUE = Catalogue((Table("t", (Column("a", INTEGER), Column("b", TEXT, False))),))
T = CATALOGUE.by_name["t"].scan()
SAME, DIFFERENT = Step(Reflexive()), Witness((((1, "x"),),))


def certificate_of(catalogue: Catalogue, left: Statement, right: Statement, result: Step | Witness) -> QueryCertificate:
    made = decode_queries(sample("a lost duplicate")[1])
    return with_result(made, result, catalogue=catalogue, left=left, right=right, unenforced=())


def claim(left: Statement, right: Statement, result: Step | Witness) -> bytes:
    return encode(certificate_of(CATALOGUE, left, right, result))


def named(query: Query, *order: OrderKey) -> Statement:
    return Statement(query, tuple(f"x{place}" for place in range(len(query.columns) - len(order))), order)


def where_b_is(text: str, rows: Scan = T) -> Query:
    return Filter(rows, Comparison("=", reference(rows, 1), Literal(text, rows.columns[1].type)))


def other_scan(*columns: ColumnType, table: str = "t") -> Query:
    """One of those rows, which have other columns than the table: it has none of them where it is evaluated."""
    scan = Scan(table, columns)
    first = Comparison("=", reference(scan, 0), Literal("x" if columns[0].type == TEXT else None, columns[0].type))
    return Project(Filter(scan, first), (Literal(1, INTEGER),))


NUMBER, TEXT_COLUMN = ColumnType(INTEGER, True), ColumnType(TEXT, False)
ILL = {
    "of other types": other_scan(ColumnType(TEXT, True), TEXT_COLUMN),
    "that are NOT NULL": other_scan(replace(NUMBER, nullable=False), TEXT_COLUMN),
    "that may be NULL": other_scan(NUMBER, replace(TEXT_COLUMN, nullable=True)),
    "that are fewer": other_scan(NUMBER),
    "that are more": other_scan(NUMBER, TEXT_COLUMN, NUMBER),
    "of another table": other_scan(NUMBER, TEXT_COLUMN, table="u"),
}
ONE = Project(T, (Literal(1, INTEGER),))


@pytest.mark.parametrize("result", [SAME, DIFFERENT], ids=["the same", "a difference"])
@pytest.mark.parametrize("which", ILL)
def test_statements_read_the_columns_that_tables_have(which: str, result: Step | Witness) -> None:
    ill, well = named(ILL[which]), named(ONE)
    reason = f"the catalogue has no table {'u' if 'another' in which else 't'} with these columns"
    inside = named(Filter(ONE, Exists(ILL[which])))
    pairs = [(ill, ill), (inside, inside)] if result is SAME else [(ill, well), (well, ill), (well, inside)]
    for left, right in pairs:
        report = audit(claim(left, right, result))
        assert (report.accepted, report.reason) == (False, reason)


def test_statements_with_the_columns_of_their_tables_are_claimed_to_be_the_same_or_not() -> None:
    assert audit(claim(named(T), named(T), SAME))
    assert audit(claim(named(where_b_is("x")), named(where_b_is("y")), DIFFERENT))
    assert not audit(claim(named(where_b_is("y")), named(where_b_is("z")), DIFFERENT)), "neither has the row"


def test_the_tables_of_order_keys_are_those_of_the_catalogue() -> None:
    key = OrderKey(Exists(ILL["of other types"]), False, False)
    for result in (SAME, DIFFERENT):
        report = audit(claim(named(Project(T, (reference(T, 0), reference(T, 0))), key), named(T), result))
        assert report.reason == "the catalogue has no table t with these columns"


def test_what_checks_compute_is_assumed_too() -> None:
    """Order of texts in a check: by code points, whatever is claimed."""
    check = Comparison("<", Literal("a", TEXT), reference(T, 1))
    checked = Catalogue((replace(CATALOGUE.by_name["t"], checks=(check,)),))
    some = certificate_of(checked, named(ONE), named(ONE), SAME)
    other = certificate_of(checked, named(ONE), named(Project(T, (Literal(2, INTEGER),))), DIFFERENT)
    for made in (some, other):
        assert audit(encode(made))
        fewer = tuple(each for each in made.assumptions if each is not Assumption.CODE_POINTS)
        report = audit(encode(replace(made, assumptions=fewer)))
        assert report.reason == f"such a claim also assumes that {Assumption.CODE_POINTS.value}"


RESULTS = {
    "more columns": (Project(T, references(T)), Project(T, references(T)[:1])),
    "columns of other types": (
        Project(T, (reference(T, 0),)),
        Project(T, (Cast(reference(T, 0), DECIMAL),)),
    ),
    "columns in another order": (Project(T, references(T)), Project(T, references(T)[::-1])),
}


@pytest.mark.parametrize("which", RESULTS)
def test_results_of_other_types_are_not_compared(which: str) -> None:
    left, right = map(named, RESULTS[which])
    reasons = {audit(claim(left, right, result)).reason for result in (SAME, DIFFERENT)}
    (reason,) = reasons
    assert reason.startswith("the results have the columns (")


def test_a_column_that_is_nullable_on_one_side_is_compared() -> None:
    nullable, filled = (Values(((1,),), (ColumnType(INTEGER, may),)) for may in (True, False))
    other = Values(((2,),), (ColumnType(INTEGER, False),))
    assert audit(claim(named(nullable), named(filled), SAME))
    assert audit(claim(named(nullable), named(other), DIFFERENT))
