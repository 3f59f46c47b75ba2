"""Real refactorings are proved, by certificates that an audit accepts; mistakes in them are not."""

import pytest
from tallystick.certificates.audit import audit
from tallystick.certificates.queries.certificates import QueryPair
from tallystick.decision.queries.certifying import certificate
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText

from .long_pairs import REVENUE, REVENUE_REFACTORED, SALES, SALES_REFACTORED, SCHEMA, SHOP_SCHEMA


def outcome(left: str, right: str, schema: str = SCHEMA) -> bool:
    """Whether two queries are proved equal, and an audit accepts the certificate."""
    catalogue = schema_from_statements(SqlText(schema, "schema"), SPARK)
    pair = read_pair(SqlText(left, "left"), SqlText(right, "right"), catalogue, SPARK)
    found = decide(pair.left, pair.right, pair.catalogue, ProofLimits(60.0))
    if not isinstance(found, Proved):
        return False
    asked = QueryPair(pair.catalogue, pair.left, pair.right, frozenset(), SPARK.name, SPARK.switches, pair.assumptions)
    assert audit(certificate(asked, found), asked)
    return True


@pytest.mark.slow
def test_a_report_with_ctes_filters_and_aggregates_before_a_join() -> None:
    assert outcome(REVENUE, REVENUE_REFACTORED)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("HAVING COUNT(*) >= 2", "HAVING COUNT(*) > 2"),
        ("NOT day < DATE", "NOT day <= DATE"),
        ("WHERE i.n IS NOT NULL", "WHERE i.n IS NULL"),
        ("LEFT JOIN lines l", "JOIN lines l"),
    ],
)
def test_mistakes_in_it_are_not_proved(before: str, after: str) -> None:
    assert before in REVENUE_REFACTORED
    assert not outcome(REVENUE, REVENUE_REFACTORED.replace(before, after, 1))


@pytest.mark.slow
def test_a_report_by_country_without_its_intermediate_groups() -> None:
    assert outcome(SALES, SALES_REFACTORED, SHOP_SCHEMA)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2024-12-31", "2024-12-30"),
        ("COUNT(DISTINCT customer_id)", "COUNT(customer_id)"),
        ("oi.discount IS NULL", "oi.discount IS NOT NULL"),
        ("= 'music'", "= 'video'"),
    ],
)
def test_mistakes_in_the_report_by_country_are_not_proved(before: str, after: str) -> None:
    assert before in SALES_REFACTORED
    assert not outcome(SALES, SALES_REFACTORED.replace(before, after, 1), SHOP_SCHEMA)
