"""The order in which proofs and databases are looked for, and the limit of all of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from tallystick.core.clock import clock
from tallystick.decision.outcome import Unknown
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, Look
from tallystick.decision.queries.deciding import Proved
from tallystick.decision.queries.portfolio import GLANCE, LOOK, Portfolio
from tallystick.decision.queries.trees.structure import OpenBranch
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema
from tallystick.frontends.sql.source import SqlText

SCHEMA = read_schema("CREATE TABLE t (a INT, b INT, c INT, s STRING, r STRING); CREATE TABLE u (d INT)", SPARK)
PRODUCTS = (
    ("a * (b + c)", "a * b + a * c"),
    ("(a + b) * (a - b)", "a * a - b * b"),
    ("(a + 1) * (a + 1)", "a * a + 2 * a + 1"),
)
"""Expressions that are equal, as is seen when they are multiplied out."""
EQUAL = (
    ("upper(lower(s))", "upper(s)"),
    ("lower(upper(s))", "lower(s)"),
    ("length(s || r)", "length(s) + length(r)"),
    ("upper(s || r)", "upper(s) || upper(r)"),
    ("reverse(reverse(s))", "substring(s, 1)"),
    ("replace(s, 'a', 'a')", "substring(s, 1)"),
    ("length(reverse(s))", "length(s)"),
)
"""Expressions that are equal, as nothing shows."""
AROUND = (
    "SELECT {} FROM t",
    "SELECT t.a FROM t, u WHERE {} = d OR {} IS NULL",
    "SELECT {}, count(*) FROM t GROUP BY {}",
    "SELECT max({}) FROM t",
    "SELECT DISTINCT {} FROM t UNION ALL SELECT {} FROM t WHERE b > 1",
)
KNOWN = [tuple(text.replace("{}", each) for each in pair) for pair, text in product(PRODUCTS, AROUND)]
UNKNOWN = [tuple(text.replace("{}", each) for each in pair) for pair, text in product(EQUAL, AROUND)]


def pair(left: str, right: str) -> SqlPair:
    return read_pair(SqlText(left, "left"), SqlText(right, "right"), SCHEMA, SPARK)


def portfolio(left: str, right: str, seconds: float, look: Look | None = None) -> Portfolio:
    read = pair(left, right)
    question = read.left, read.right, read.catalogue
    return Portfolio(*question, seconds, look or Look(*question))


class Blind(Look):
    """Sees no database, and says for how long it looks, and whether it was told of open branches."""

    def __init__(self) -> None:
        self.looks: list[tuple[float, bool]] = []

    def __call__(self, seconds: float, minimising: float = 0.0, branches: Sequence[OpenBranch] = ()) -> Unknown:
        self.looks.append((seconds, bool(branches)))
        return Unknown("nothing is seen")


def test_the_same_query_is_known_without_a_look() -> None:
    blind = Blind()
    answers = list(portfolio("SELECT a FROM t WHERE s LIKE r", "SELECT a FROM t WHERE s LIKE r", 5.0, blind).answers())
    assert (len(answers), blind.looks) == (1, [])
    assert isinstance(answers[0], Proved)


def test_a_quick_proof_comes_after_a_glance() -> None:
    blind = Blind()
    answer = next(portfolio("SELECT a FROM t WHERE a > 1", "SELECT a FROM t WHERE a >= 2", 5.0, blind).answers())
    assert isinstance(answer, Proved)
    assert blind.looks == [(GLANCE, False)]


def test_databases_are_looked_for_in_turns_with_proofs() -> None:
    blind = Blind()
    tried = portfolio("SELECT a FROM t WHERE a > b", "SELECT a FROM t WHERE a >= b", 5.0, blind)
    assert list(tried.answers()) == []
    assert blind.looks[:2] == [(GLANCE, False), (LOOK, True)]
    assert len(blind.looks) == 3
    assert (tried.unrefuted, tried.unproved is not None) == ("nothing is seen", True)


def test_looks_are_short_where_the_limit_is() -> None:
    blind = Blind()
    list(portfolio("SELECT a FROM t WHERE a > b", "SELECT a FROM t WHERE a >= b", 0.04, blind).answers())
    assert [seconds for seconds, _ in blind.looks[:2]] == pytest.approx([0.004, 0.004])


def test_a_difference_is_seen_at_a_glance() -> None:
    found = next(portfolio("SELECT a FROM t", "SELECT b FROM t", 5.0).answers())
    assert isinstance(found, DistinguishingDatabase)
    assert found.database == {"t": ((None, 0, None, None, None),)}


def test_a_search_goes_on_where_it_was() -> None:
    read = pair("SELECT upper(lower(s)) FROM t", "SELECT upper(s) FROM t")
    look = Look(read.left, read.right, read.catalogue)
    tried = [look.search.tried.total()]
    for _ in range(3):
        assert isinstance(look(0.01), Unknown)
        tried.append(look.search.tried.total())
    assert tried[0] == 0
    assert tried == sorted(set(tried))


def test_statements_that_read_no_table_are_run_once() -> None:
    read = pair("SELECT reverse('ab')", "SELECT 'ba'")
    look = Look(read.left, read.right, read.catalogue)
    assert look(1.0) == Unknown("the statements read no table, and return the same")
    assert look.search.tried.total() == 1


@pytest.mark.parametrize("number", range(len(KNOWN)))
def test_products_are_multiplied_out(number: int) -> None:
    assert isinstance(next(portfolio(*KNOWN[number], 5.0).answers()), Proved)


def test_a_product_that_lacks_a_part_is_refuted() -> None:
    found = next(portfolio("SELECT (a + b) * (a + b) FROM t", "SELECT a * a + a * b + b * b FROM t", 5.0).answers())
    assert isinstance(found, DistinguishingDatabase)


def keeps_to(left: str, right: str, seconds: float) -> bool:
    """Whether nothing is found, in hardly more than the limit; what is loaded once, such as z3, does not count."""
    import tallystick.decision.queries.counterexamples.symbolic.solving  # noqa: F401

    before = clock()
    assert list(portfolio(left, right, seconds).answers()) == []
    return clock() - before <= 1.1 * seconds + 0.2


@pytest.mark.parametrize("number", [0, 16, 27])
def test_unknown_pairs_keep_to_their_limit(number: int) -> None:
    assert keeps_to(*UNKNOWN[number], 0.3)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(UNKNOWN)))
def test_all_unknown_pairs_keep_to_their_limit(number: int) -> None:
    assert keeps_to(*UNKNOWN[number], 1.0)
