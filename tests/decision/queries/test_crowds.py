"""Differences that show in many rows only: of a count, a rank or LIMIT with one constant and the next."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from tallystick import check_sql
from tallystick.core.queries.catalogue import Catalogue, Column, ForeignKey, Table
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT, SqlType
from tallystick.decision.queries.counterexamples.databases import crowded
from tallystick.decision.queries.counterexamples.draws import LARGEST_CROWD, Draws
from tallystick.queries.tables import MOST_ROWS, ROWS_SHOWN, returned, table

SCHEMA = """
CREATE TABLE customers (id INT PRIMARY KEY, name TEXT);
CREATE TABLE orders (id INT PRIMARY KEY, customer INT NOT NULL REFERENCES customers (id), amount INT, day DATE);
CREATE TABLE events (kind TEXT, size SMALLINT);
"""
RANKED = "SELECT id FROM (SELECT id, {}() OVER (PARTITION BY day ORDER BY id) AS n FROM orders) AS t WHERE n {}"


@pytest.mark.parametrize(
    ("left", "right", "rows"),
    [
        ("SELECT id FROM orders ORDER BY id LIMIT 100", "SELECT id FROM orders ORDER BY id LIMIT 101", 101),
        ("SELECT id FROM orders ORDER BY id OFFSET 40", "SELECT id FROM orders ORDER BY id OFFSET 41", 41),
        (
            "SELECT kind FROM events GROUP BY kind HAVING COUNT(*) > 60",
            "SELECT kind FROM events GROUP BY kind HAVING COUNT(*) >= 60",
            60,
        ),
        (
            "SELECT name FROM customers c JOIN orders o ON o.customer = c.id GROUP BY name HAVING COUNT(o.amount) > 30",
            "SELECT name FROM customers c JOIN orders o ON o.customer = c.id GROUP BY name HAVING COUNT(o.amount) > 29",
            30,
        ),
        (
            "SELECT day FROM orders GROUP BY day HAVING COUNT(DISTINCT amount) = 12 AND AVG(amount) > 5000",
            "SELECT day FROM orders GROUP BY day HAVING COUNT(DISTINCT amount) >= 12 AND AVG(amount) > 5000",
            13,
        ),
        (RANKED.format("ROW_NUMBER", "<= 50"), RANKED.format("ROW_NUMBER", "< 50"), 50),
        (RANKED.format("RANK", "<= 20"), RANKED.format("DENSE_RANK", "<= 21"), 21),
    ],
)
def test_what_many_rows_show_is_shown(left: str, right: str, rows: int) -> None:
    found = check_sql(left, right, schema=SCHEMA, dialect="postgres")
    assert found.verdict == "inequivalent"
    assert found.counterexample is not None
    assert max(map(len, found.counterexample.database.values())) == rows


def test_a_crowd_keeps_to_its_constraints() -> None:
    parent = Table("p", (Column("k", INTEGER, False),), ((0,),))
    columns = ("k", TEXT), ("of", INTEGER), ("paid", BOOLEAN), ("on", DATE), ("price", DECIMAL)
    child = Table("c", tuple(Column(*each, False) for each in columns), ((0,),), (ForeignKey((1,), "p", (0,)),))
    catalogue, row = Catalogue((parent, child)), ("a", 7, True, 3, Fraction(5))
    for seed in range(20):
        found = crowded({"p": ((7,),), "c": (row,)}, child, 40, Random(seed))
        assert constraints(catalogue)(found) is None
        assert len({key for key, *_ in found["c"]}) == len(found["c"]) == 41
        assert {(of, paid) for _, of, paid, *_ in found["c"]} == {(7, True)}


def test_crowds_that_break_a_constraint_or_would_be_too_large_are_not_drawn() -> None:
    one = check_sql(
        "SELECT 1 FROM t LIMIT 50", "SELECT 1 FROM t LIMIT 51", schema="CREATE TABLE t (b BOOLEAN UNIQUE NOT NULL)"
    )
    draws = Draws((one.pair.left.query, one.pair.right.query), one.pair.catalogue, 1)
    assert draws.sizes == [49, 50, 51, 52]
    assert max(len(draws.draw(number)["t"]) for number in range(200)) == 2
    far = LARGEST_CROWD + 2
    large = check_sql(f"SELECT kind FROM events LIMIT {far}", "SELECT kind FROM events", schema=SCHEMA, timeout=1)
    assert large.verdict == "unknown"


def test_large_tables_are_cut_and_rows_of_both_results_counted() -> None:
    rows = [(number,) for number in range(MOST_ROWS + 1)]
    shown = table("t:", ["a"], [SqlType.INTEGER], rows)
    assert len(shown) == ROWS_SHOWN + 4
    assert shown[-1] == f"… {MOST_ROWS + 1 - ROWS_SHOWN} rows more"
    assert len(table("t:", ["a"], [SqlType.INTEGER], rows[1:])) == MOST_ROWS + 3
    left, right = ("l", ["a"], [SqlType.INTEGER], rows), ("r", ["a"], [SqlType.INTEGER], [*rows[1:], (77,), (77,)])
    assert returned(left, right) == [
        f"both return {MOST_ROWS} rows, and beside these",
        "",
        "l    r",
        "a    a",
        "-    --",
        "0    77",
        "     77",
    ]
    assert returned(left, left)[:4] == [f"{a:18}{b}" for a, b in zip("la-0", "la-0", strict=True)]
