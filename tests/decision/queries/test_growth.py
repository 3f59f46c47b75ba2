"""Large pairs of the families by which the time of a verdict is measured, and what keeps their proofs small."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from tallystick import check_sql
from tallystick.core.binders import bind
from tallystick.core.clock import clock
from tallystick.core.queries.syntax import Aggregate, Join, Project, Statement
from tallystick.core.queries.traversal import nodes
from tallystick.core.terms import TRUE, conjunction, equal, less, project, row, tuple_of, variable
from tallystick.core.types import INT, BagType, TupleType
from tallystick.decision.queries.deciding import GLANCE, ProofLimits, Proved, as_they_are, decide
from tallystick.decision.queries.proofs.colours import histories
from tallystick.decision.queries.proofs.matching import assignments
from tallystick.decision.queries.structure.unread import without_unread
from tallystick.decision.queries.trees.opened import opened
from tallystick.experiments.queries.families import FAMILIES, SCHEMA
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText
from tallystick.verdict import Answer

LARGE = {
    "chain": 16,
    "star": 16,
    "listed": 16,
    "disjoined": 16,
    "derived": 16,
    "regrouped": 16,
    "cases": 16,
    "scalars": 16,
    "outer": 12,
    "edits": 16,
    "itself": 32,
}


@pytest.mark.parametrize("part", [0.5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", LARGE)
def test_large_pairs_are_decided(name: str, part: float) -> None:
    """Of half their size, and whole if slow."""
    verdict = check_sql(*FAMILIES[name](int(part * LARGE[name])), schema=SCHEMA, timeout=100).verdict
    assert verdict is (Answer.INEQUIVALENT if name == "edits" else Answer.EQUIVALENT)


@pytest.mark.parametrize(("name", "proved"), [("cases", True), ("listed", False), ("disjoined", False)])
def test_caps_are_for_premises_about_bags(name: str, proved: bool) -> None:
    """A CASE of 16 branches takes 5,000 branches of one tree, which ends by itself; others may not."""
    pair = read_pair(
        *(SqlText(text, text) for text in FAMILIES[name](16)),
        schema_from_statements(SqlText(SCHEMA, "s"), SPARK),
        SPARK,
    )
    found = as_they_are(pair.left, pair.right, pair.catalogue, ProofLimits(30.0, branches=GLANCE))
    assert isinstance(found, Proved) is proved


def test_outer_joins_are_not_compiled_for_long() -> None:
    """Twelve of them make 4,096 monomials."""
    before = clock()
    assert check_sql(*FAMILIES["outer"](12), schema=SCHEMA, timeout=100).verdict is Answer.EQUIVALENT
    assert clock() - before < 10


PAIR = TupleType((INT, INT))
TABLE = variable("t", BagType(PAIR))


def chained(order: list[int]):
    """⟨x₀ … : t | xᵢ.1 = xᵢ₊₁.0 for the slots in this order ↦ (x₀.0, x₀.1)⟩, where no source tells slots apart."""
    rows = [row(100 + place, PAIR) for place in order]
    links = [equal(project(one, 1), project(other, 0)) for one, other in pairwise(rows)]
    head = tuple_of(project(rows[0], 0), project(rows[0], 1))
    slots = sorted(rows, key=lambda each: each.parameter[0])  # type: ignore[index, return-value]
    return bind(tuple(slots), (TABLE,) * len(rows), conjunction(*links), head)


@pytest.mark.parametrize("seed", range(5))
def test_slots_that_conditions_tell_apart_are_matched_at_once(seed: int) -> None:
    size, random = 14, Random(seed)
    orders = [random.sample(range(size), size) for _ in range(2)]
    one, other = map(chained, orders)
    first = next(assignments(opened(one, 0), other, lambda left, right: left is right))
    assert [first[place] for place in orders[1]] == orders[0]


def test_colours_are_refined_until_they_tell_no_more_rows_apart() -> None:
    parts = opened(chained(list(range(9))), 0)
    told = histories(parts.rows, parts.sources, (*parts.conditions, parts.head))
    assert len({history[-1] for history in told}) == 9
    alike = [row(place, PAIR) for place in range(3)]
    between = [less(project(one, 0), project(other, 0)) for one in alike for other in alike if one is not other]
    assert len(set(histories(alike, [TABLE] * 3, between))) == 1
    assert histories((), (), (TRUE,)) == []


def dropped(text: str) -> list[tuple[Statement, Statement]]:
    """Parts of a query, and what they may be exchanged for that has a join less."""
    schema = schema_from_statements(SqlText(TABLES, "schema"), SPARK)
    statement = read_pair(SqlText(text, "one"), SqlText(text, "other"), schema, SPARK).left
    parts = [node for node in nodes(statement.query) if isinstance(node, Project | Aggregate)]
    found = [(part, new) for part in parts for new, _ in without_unread(part, schema.catalogue)]
    return [(replace(statement, query=part), replace(statement, query=new)) for part, new in found]


TABLES = "CREATE TABLE a (x INT, y INT); CREATE TABLE b (k INT PRIMARY KEY, v INT, w INT)"


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a.x FROM a LEFT JOIN b ON b.k = a.y",
        "SELECT a.x FROM a LEFT JOIN b ON a.y + 1 = b.k AND b.v > 3 WHERE a.x > 1",
        "SELECT a.x FROM a LEFT JOIN b ON b.k = 3",
        "SELECT q.x FROM (SELECT a.x, b.v FROM a LEFT JOIN b ON b.k = a.y) AS q WHERE q.x > 2",
        "SELECT a.x, c.v FROM a LEFT JOIN b ON b.k = a.y JOIN b AS c ON c.k = a.x",
        "SELECT a.x, SUM(a.y) FROM a LEFT JOIN b ON b.k = a.y GROUP BY a.x",
        "SELECT a.x FROM a LEFT JOIN (SELECT v, MAX(w) AS m FROM b GROUP BY v) AS c ON c.v = a.y",
        "SELECT a.x FROM a LEFT JOIN (SELECT DISTINCT v FROM b) AS c ON c.v = a.y",
        "SELECT a.x FROM a LEFT JOIN (SELECT w, k FROM b WHERE w > 2) AS c ON c.k = a.y",
    ],
)
def test_joins_of_which_nothing_is_read_are_dropped(text: str) -> None:
    [(before, after)] = dropped(text)
    one, other = (sum(isinstance(each, Join) for each in nodes(of.query)) for of in (before, after))
    assert other == one - 1
    assert isinstance(decide(before, after, schema_from_statements(SqlText(TABLES, "schema"), SPARK).catalogue), Proved)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a.x FROM a LEFT JOIN b ON b.v = a.y",
        "SELECT a.x FROM a LEFT JOIN b ON b.k <= a.y",
        "SELECT a.x FROM a LEFT JOIN b ON b.k = b.v",
        "SELECT a.x, b.v FROM a LEFT JOIN b ON b.k = a.y",
        "SELECT a.x FROM a LEFT JOIN b ON b.k = a.y WHERE b.v IS NULL",
        "SELECT a.x FROM a JOIN b ON b.k = a.y",
        "SELECT a.x, COUNT(b.v) FROM a LEFT JOIN b ON b.k = a.y GROUP BY a.x",
        "SELECT a.x FROM a LEFT JOIN (SELECT v, w FROM b GROUP BY v, w) AS c ON c.v = a.y",
        "SELECT a.x FROM a LEFT JOIN b ON b.k = a.y OR b.k = a.x",
    ],
)
def test_other_joins_are_kept(text: str) -> None:
    assert not dropped(text)
