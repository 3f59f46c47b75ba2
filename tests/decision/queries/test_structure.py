"""Proofs by structure: what optimisers do to large queries is proved without compiling them whole."""

from __future__ import annotations

import time

import pytest
from certificates.query_samples import question, read
from tallystick.certificates.audit import audit
from tallystick.decision.queries.certifying import certificate
from tallystick.decision.queries.deciding import ProofLimits, Proved, by_structure, decide

SCHEMA = """
CREATE TABLE sales (id INT PRIMARY KEY, item INT, day INT, shop INT NOT NULL, price INT);
CREATE TABLE days (id INT PRIMARY KEY, year INT, month INT);
"""
YEARS = "SELECT s.item AS item, d.year AS year, sum(s.price) AS total FROM sales s JOIN days d ON s.day = d.id"
SAME = "d.id <=> s.item AND d.year <=> s.day AND d.month <=> s.shop AND d.id <=> s.price"
IN_SHOP = "rank() OVER (PARTITION BY shop ORDER BY price) AS r"
IN_ITEM = "max(price) OVER (PARTITION BY shop, item) AS m"
WEEK = "SELECT s.item, count(*) AS n FROM sales s, days d WHERE s.day = d.id AND d.month = (SELECT max(month) FROM days"
RANKED = "rank() OVER (PARTITION BY shop ORDER BY price DESC) AS r"
PARTS = " UNION ALL ".join(
    f"SELECT {column} AS k, count(*) AS n, '{column[0]}' AS kind FROM sales GROUP BY {column}"
    for column in ("item", "day", "shop", "price")
)
EQUAL = {
    "a shared subquery whose conditions were pushed into each use": (
        f"WITH t AS ({YEARS} GROUP BY s.item, d.year) SELECT a.item, a.total, b.total FROM t a JOIN t b"
        " ON a.item = b.item WHERE a.year = 2001 AND b.year = 2002 ORDER BY a.item LIMIT 10",
        f"SELECT a.item, a.total, b.total FROM ({YEARS} WHERE d.year = 2001 AND s.item IS NOT NULL GROUP BY s.item,"
        f" d.year) a JOIN ({YEARS} WHERE d.year = 2002 AND s.item IS NOT NULL GROUP BY d.year, s.item) b"
        " ON a.item = b.item ORDER BY a.item LIMIT 10",
    ),
    "columns that nobody reads are gone, and joins are in another order": (
        "SELECT x.item, x.n FROM (SELECT s.item, count(*) AS n, max(d.month) AS m, sum(s.price) AS p"
        " FROM sales s, days d WHERE s.day = d.id AND d.year = 3 GROUP BY s.item) x ORDER BY x.n LIMIT 3",
        "SELECT x.item, x.n FROM (SELECT s.item, count(*) AS n FROM (SELECT id FROM days WHERE year = 3 AND id IS NOT"
        " NULL) d JOIN sales s ON d.id = s.day GROUP BY s.item) x ORDER BY x.n LIMIT 3",
    ),
    "a condition on what a window partitions by": (
        "SELECT * FROM (SELECT item, shop, rank() OVER (PARTITION BY shop ORDER BY price) AS r FROM sales) x"
        " WHERE x.shop = 1",
        "SELECT item, shop, rank() OVER (PARTITION BY shop ORDER BY price) AS r FROM sales WHERE shop = 1",
    ),
    "a condition on the rows that an outer join keeps": (
        "SELECT x.item, y.n FROM (SELECT item, sum(price) AS p FROM sales GROUP BY item) x LEFT JOIN"
        " (SELECT shop, count(*) AS n FROM sales GROUP BY shop) y ON x.item = y.shop WHERE x.item > 1"
        " ORDER BY 1 LIMIT 5",
        "SELECT x.item, y.n FROM (SELECT item, sum(price) AS p FROM sales WHERE item > 1 GROUP BY item) x LEFT JOIN"
        " (SELECT shop, count(*) AS n FROM sales GROUP BY shop) y ON x.item = y.shop ORDER BY 1 LIMIT 5",
    ),
    "INTERSECT as rows that have an equal one, NULLs too": (
        "SELECT count(*) AS n FROM (SELECT item, day, item AS shop, price FROM sales INTERSECT SELECT month, year,"
        " month, month FROM days INTERSECT SELECT item, day, price, price FROM sales WHERE id > 3) x",
        "SELECT count(*) AS n FROM (SELECT DISTINCT item, day, shop, price FROM (SELECT item, day, item AS shop, price"
        " FROM sales) s WHERE EXISTS (SELECT * FROM (SELECT month AS id, year, month FROM days) d WHERE"
        f" {SAME}) AND EXISTS (SELECT * FROM (SELECT item, day, price FROM sales WHERE id > 3) d WHERE"
        " d.item <=> s.item AND d.day <=> s.day AND d.price <=> s.shop AND d.price <=> s.price)) x",
    ),
    "EXCEPT as rows that have no equal one": (
        "SELECT item, day, shop, item FROM sales EXCEPT SELECT id, year, month, id FROM days WHERE month = 3",
        "SELECT DISTINCT item, day, shop, price FROM (SELECT item, day, shop, item AS price FROM sales) s WHERE NOT"
        f" EXISTS (SELECT * FROM days d WHERE d.month = 3 AND {SAME})",
    ),
    "an outer join whose padded rows are filtered out": (
        "SELECT x.item, d.year FROM (SELECT item, max(day) AS day FROM sales GROUP BY item) x LEFT JOIN"
        " (SELECT id, max(year) AS year FROM days GROUP BY id) d ON x.day = d.id WHERE d.year > 2000 LIMIT 7",
        "SELECT x.item, d.year FROM (SELECT item, max(day) AS day FROM sales GROUP BY item) x JOIN"
        " (SELECT id, max(year) AS year FROM days GROUP BY id) d ON x.day = d.id WHERE d.year > 2000 LIMIT 7",
    ),
    "parts of a union that joins have no use for": (
        f"WITH t AS ({PARTS}) SELECT a.n, b.n, c.n, d.n, e.n FROM t a, t b, t c, t d, t e WHERE a.k = b.k"
        " AND a.kind = 'i' AND b.kind = 'd' AND c.kind = 's' AND d.kind = 'p' AND e.kind = 'i' AND c.k = d.k",
        "SELECT a.n, b.n, c.n, d.n, e.n FROM (SELECT item AS k, count(*) AS n FROM sales GROUP BY item) a JOIN"
        " (SELECT day AS k, count(*) AS n FROM sales GROUP BY day) b ON a.k = b.k CROSS JOIN"
        " (SELECT item AS k, count(*) AS n FROM sales GROUP BY item) e CROSS JOIN"
        " (SELECT shop AS k, count(*) AS n FROM sales GROUP BY shop) c JOIN"
        " (SELECT price AS k, count(*) AS n FROM sales GROUP BY price) d ON c.k = d.k",
    ),
    "ranks of the first rows": (
        f"SELECT item, price FROM (SELECT *, {RANKED} FROM sales) x WHERE r < 4 LIMIT 9",
        f"SELECT item, price FROM (SELECT *, {RANKED} FROM (SELECT id, item, day, shop, price FROM"
        f" (SELECT *, {RANKED} FROM sales) y WHERE r <= 3) x) z WHERE r < 4 AND r IS NOT NULL LIMIT 9",
    ),
    "a value of one row, with other factors": (
        "SELECT item, count(*) AS n FROM sales WHERE 100 * price > (SELECT avg(price) * 200 FROM sales) GROUP BY item",
        "SELECT item, count(*) AS n FROM sales WHERE 100 * price > (SELECT 100 * (2 * avg(price)) FROM sales)"
        " GROUP BY item",
    ),
    "duplicates that are dropped twice": (
        "SELECT DISTINCT k FROM (SELECT item AS k FROM sales UNION SELECT shop FROM sales UNION"
        " SELECT DISTINCT day FROM sales) x WHERE k > 1",
        "SELECT DISTINCT k FROM (SELECT item AS k FROM sales WHERE item > 1 UNION ALL SELECT shop FROM sales WHERE"
        " shop > 1 UNION ALL SELECT day FROM sales WHERE day > 1) x",
    ),
    "sums of sums and extrema of extrema": (
        "SELECT item, max(p) AS p, sum(q) AS q FROM (SELECT shop, item, sum(price) AS q, max(price) AS p FROM"
        " (SELECT * FROM sales WHERE id > 3) s GROUP BY item, shop) x GROUP BY item",
        "SELECT item, max(price) AS p, sum(price) AS q FROM sales WHERE id > 3 GROUP BY item",
    ),
    "windows in another order, and a condition on the partitions of one between them": (
        f"SELECT shop, item, r, m FROM (SELECT *, {IN_SHOP} FROM (SELECT *, {IN_ITEM} FROM sales) x) y WHERE item = 3",
        f"SELECT shop, item, r, m FROM (SELECT *, {IN_ITEM} FROM (SELECT * FROM (SELECT *, {IN_SHOP} FROM sales) x"
        " WHERE item = 3) y) z",
    ),
    "two groups that are alike but for a value of a subquery": (
        f"SELECT a.item, a.n, b.n FROM ({WEEK} WHERE year = 1) GROUP BY s.item) a, ({WEEK} WHERE year = 2)"
        " GROUP BY s.item) b WHERE a.item = b.item",
        f"SELECT a.item, a.n, b.n FROM (SELECT * FROM ({WEEK} WHERE year = 1 AND year IS NOT NULL) AND s.item IS NOT"
        f" NULL GROUP BY s.item) x) a JOIN ({WEEK} WHERE year = 2 AND year IS NOT NULL) AND s.item IS NOT NULL"
        " GROUP BY s.item) b ON a.item = b.item",
    ),
}
DIFFERENT = {
    "a condition between windows on what one does not partition by": (
        f"SELECT shop, item, r, m FROM (SELECT *, {IN_SHOP} FROM (SELECT *, {IN_ITEM} FROM sales) x) y WHERE item = 3",
        f"SELECT shop, item, r, m FROM (SELECT *, {IN_SHOP} FROM (SELECT * FROM (SELECT *, {IN_ITEM} FROM sales) x"
        " WHERE item = 3) y) z",
    ),
    "a sum of greatest values": (
        "SELECT item, sum(p) AS p FROM (SELECT item, shop, max(price) AS p FROM sales GROUP BY item, shop) x"
        " GROUP BY item",
        "SELECT item, sum(price) AS p FROM sales GROUP BY item",
    ),
    "a sum of sums of different values": (
        "SELECT item, sum(p) AS p FROM (SELECT item, shop, sum(DISTINCT price) AS p FROM sales GROUP BY item, shop) x"
        " GROUP BY item",
        "SELECT item, sum(DISTINCT price) AS p FROM sales GROUP BY item",
    ),
    "a number of numbers": (
        "SELECT item, count(p) AS p FROM (SELECT item, shop, count(price) AS p FROM sales GROUP BY item, shop) x"
        " GROUP BY item",
        "SELECT item, count(price) AS p FROM sales GROUP BY item",
    ),
    "duplicates that are counted": (
        "SELECT count(*) AS n FROM (SELECT item FROM sales UNION SELECT day FROM sales UNION SELECT shop FROM sales) x",
        "SELECT count(*) AS n FROM (SELECT item FROM sales UNION ALL SELECT day FROM sales UNION ALL"
        " SELECT shop FROM sales) x",
    ),
    "duplicates that a UNION ALL keeps": (
        "SELECT item FROM sales UNION ALL SELECT DISTINCT day FROM sales",
        "SELECT item FROM sales UNION ALL SELECT day FROM sales",
    ),
    "INTERSECT drops duplicates": (
        "SELECT item, day FROM sales INTERSECT SELECT month, year FROM days",
        "SELECT item, day FROM sales s WHERE EXISTS"
        " (SELECT * FROM days d WHERE d.month <=> s.item AND d.year <=> s.day)",
    ),
    "INTERSECT keeps NULLs": (
        "SELECT item, day FROM sales INTERSECT SELECT month, year FROM days",
        "SELECT DISTINCT item, day FROM sales s WHERE EXISTS (SELECT * FROM days d WHERE d.month = s.item AND"
        " d.year = s.day)",
    ),
    "an outer join whose padded rows pass the filter": (
        "SELECT x.item, d.year FROM (SELECT item, max(day) AS day FROM sales GROUP BY item) x LEFT JOIN"
        " (SELECT id, max(year) AS year FROM days GROUP BY id) d ON x.day = d.id WHERE d.year IS NULL",
        "SELECT x.item, d.year FROM (SELECT item, max(day) AS day FROM sales GROUP BY item) x JOIN"
        " (SELECT id, max(year) AS year FROM days GROUP BY id) d ON x.day = d.id WHERE d.year IS NULL",
    ),
    "too few of the first rows": (
        f"SELECT item, price FROM (SELECT *, {RANKED} FROM sales) x WHERE r < 5",
        f"SELECT item, price FROM (SELECT *, {RANKED} FROM (SELECT id, item, day, shop, price FROM"
        f" (SELECT *, {RANKED} FROM sales) y WHERE r <= 3) x) z WHERE r < 5",
    ),
    "another part of a union": (
        f"WITH t AS ({PARTS}) SELECT a.n, b.n FROM t a, t b WHERE a.k = b.k AND a.kind = 'i' AND b.kind = 'd'",
        "SELECT a.n, b.n FROM (SELECT item AS k, count(*) AS n FROM sales GROUP BY item) a JOIN"
        " (SELECT shop AS k, count(*) AS n FROM sales GROUP BY shop) b ON a.k = b.k",
    ),
    "a condition on an aggregate is not one on rows": (
        "SELECT * FROM (SELECT item, max(price) AS p FROM sales GROUP BY item) x WHERE x.p > 1 ORDER BY 1 LIMIT 2",
        "SELECT item, max(price) AS p FROM sales WHERE price < 9 AND price > 1 GROUP BY item ORDER BY 1 LIMIT 2",
    ),
    "a condition on what a window orders by": (
        "SELECT * FROM (SELECT item, price, rank() OVER (PARTITION BY item ORDER BY price) AS r FROM sales) x"
        " WHERE x.price = 2",
        "SELECT item, price, rank() OVER (PARTITION BY item ORDER BY price) AS r FROM sales WHERE price = 2",
    ),
    "another year": (
        f"SELECT * FROM ({YEARS} GROUP BY s.item, d.year) t WHERE t.year = 2001",
        f"{YEARS} WHERE d.year = 2002 GROUP BY s.item, d.year",
    ),
}


@pytest.mark.parametrize("name", EQUAL)
def test_what_optimisers_do_is_proved_and_audited(name: str) -> None:
    pair = question(read(*EQUAL[name], SCHEMA))
    found = by_structure(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=120))
    assert isinstance(found, Proved)
    report = audit(certificate(pair, found), pair)
    assert (report.accepted, report.reason) == (True, "every step holds")


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_differs_has_no_proof_by_structure(name: str) -> None:
    pair = question(read(*DIFFERENT[name], SCHEMA))
    assert not isinstance(by_structure(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=2)), Proved)


def test_the_time_limit_holds_while_queries_are_compiled() -> None:
    """Nine uses of a union of four make 262,144 monomials."""
    union = " UNION ALL ".join(f"SELECT item, {number} AS k FROM sales" for number in range(4))
    uses = ", ".join(f"t t{number}" for number in range(9))
    query = f"WITH t AS ({union}) SELECT t0.item FROM {uses}"
    pair = question(read(query, f"{query} WHERE t0.k >= 0", SCHEMA))
    start = time.process_time()
    assert not isinstance(decide(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=2)), Proved)
    assert time.process_time() - start < 20


def test_a_table_with_the_name_of_a_subquery_is_no_crash() -> None:
    pair = question(read(*next(iter(EQUAL.values())), SCHEMA + "CREATE TABLE `subquery 0` (id INT);"))
    assert by_structure(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=120)) is None
