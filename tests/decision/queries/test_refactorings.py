"""Refactorings of queries as data engineers do them, each with a mistake in it: proved, and told apart."""

from __future__ import annotations

import pytest
from sampling import sampled
from tallystick.core.queries.assumptions import Assumption
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.decision.queries.deciding import ProofLimits, Proved, Unproved, decide
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import SqlPair, read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText

SCHEMA = """
CREATE TABLE orders (id INT NOT NULL PRIMARY KEY, customer INT NOT NULL, state VARCHAR(10) NOT NULL,
                     made TIMESTAMP NOT NULL, amount DECIMAL(12, 2) NOT NULL, discount DECIMAL(12, 2));
CREATE TABLE line (orders INT NOT NULL REFERENCES orders (id), number INT NOT NULL, product INT, n INT NOT NULL,
                   PRIMARY KEY (orders, number));
CREATE TABLE event (person INT, kind VARCHAR(10), n INT);
"""

PAIRS = {
    "a factor before a sum, and in it": (
        "SELECT orders, SUM(n) * 2 FROM line GROUP BY orders",
        "SELECT orders, SUM(2 * n) FROM line GROUP BY orders",
        "SELECT orders, SUM(2 + n) FROM line GROUP BY orders",
    ),
    "sums of differences, and differences of sums": (
        "SELECT SUM(amount - discount) FROM orders",
        "SELECT SUM(amount) - SUM(discount) FROM orders WHERE discount IS NOT NULL",
        "SELECT SUM(amount) - SUM(discount) FROM orders",
    ),
    "a constant in a sum, and a count": (
        "SELECT customer, SUM(amount * 1.19 + 5) FROM orders GROUP BY customer",
        "SELECT customer, 1.19 * SUM(amount) + COUNT(*) * 5 FROM orders GROUP BY customer",
        "SELECT customer, 1.19 * SUM(amount) + COUNT(discount) * 5 FROM orders GROUP BY customer",
    ),
    "a balance of CASE, and two counts": (
        "SELECT SUM(CASE WHEN state = 'paid' THEN 1 ELSE -1 END) FROM orders",
        "SELECT SUM(CASE WHEN state = 'paid' THEN 1 ELSE 0 END) * 2 - COUNT(*) FROM orders",
        "SELECT COUNT(CASE WHEN state = 'paid' THEN 1 END) * 2 - COUNT(*) FROM orders",
    ),
    "integers of a join, scaled before and after their group": (
        "SELECT o.id, SUM(l.n * 0.5) FROM orders o JOIN line l ON l.orders = o.id GROUP BY o.id",
        "SELECT o.id, s.n * 0.5 FROM orders o JOIN (SELECT orders, SUM(n) AS n FROM line GROUP BY orders) s"
        " ON s.orders = o.id",
        "SELECT o.id, s.n * 0.5 FROM orders o LEFT JOIN (SELECT orders, SUM(n) AS n FROM line GROUP BY orders) s"
        " ON s.orders = o.id",
    ),
    "UNION of one table's rows, and OR": (
        "SELECT id FROM orders WHERE state = 'paid' UNION SELECT id FROM orders WHERE amount > 10",
        "SELECT id FROM orders WHERE state = 'paid' OR amount > 10",
        "SELECT customer FROM orders WHERE state = 'paid' OR amount > 10",
    ),
    "UNION of rows with partners and others": (
        "SELECT o.id FROM orders o JOIN line l ON l.orders = o.id UNION SELECT id FROM orders WHERE amount > 10",
        "SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM line l WHERE l.orders = o.id) OR o.amount > 10",
        "SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM line l WHERE l.orders = o.id) AND o.amount > 10",
    ),
    "the last one by NOT EXISTS, and by MAX": (
        "SELECT customer, id FROM orders o WHERE NOT EXISTS"
        " (SELECT 1 FROM orders p WHERE p.customer = o.customer AND p.id > o.id)",
        "SELECT customer, MAX(id) FROM orders GROUP BY customer",
        "SELECT customer, MIN(id) FROM orders GROUP BY customer",
    ),
    "the last line by NOT EXISTS, and by MAX, with a key of two columns": (
        "SELECT orders, number FROM line l WHERE NOT EXISTS"
        " (SELECT 1 FROM line m WHERE m.orders = l.orders AND m.number > l.number)",
        "SELECT orders, MAX(number) FROM line GROUP BY orders",
        "SELECT product, MAX(number) FROM line GROUP BY product",
    ),
    "rows that are alone, by a window": (
        "SELECT id FROM (SELECT id, COUNT(*) OVER (PARTITION BY customer) AS n FROM orders) o WHERE n = 1",
        "SELECT id FROM orders o WHERE NOT EXISTS"
        " (SELECT 1 FROM orders p WHERE p.customer = o.customer AND p.id <> o.id)",
        "SELECT id FROM orders o WHERE NOT EXISTS"
        " (SELECT 1 FROM orders p WHERE p.customer = o.customer AND p.id > o.id)",
    ),
    "groups of one row": (
        "SELECT customer, MAX(id) FROM orders GROUP BY customer HAVING COUNT(*) = 1",
        "SELECT customer, id FROM orders o WHERE NOT EXISTS"
        " (SELECT 1 FROM orders p WHERE p.customer = o.customer AND p.id <> o.id)",
        "SELECT customer, MAX(id) FROM orders GROUP BY customer HAVING COUNT(*) <= 2",
    ),
    "groups of two rows and more, and a self-join": (
        "SELECT customer FROM orders GROUP BY customer HAVING COUNT(*) >= 2",
        "SELECT DISTINCT o.customer FROM orders o JOIN orders p ON o.customer = p.customer AND o.id < p.id",
        "SELECT DISTINCT o.customer FROM orders o JOIN orders p ON o.customer = p.customer AND o.id <= p.id",
    ),
    "groups with two lines of a kind, by a key of two columns": (
        "SELECT orders FROM line WHERE n > 5 GROUP BY orders HAVING COUNT(*) > 1",
        "SELECT DISTINCT l.orders FROM line l, line m WHERE l.orders = m.orders AND l.number <> m.number"
        " AND l.n > 5 AND m.n > 5",
        "SELECT DISTINCT l.orders FROM line l, line m WHERE l.orders = m.orders AND l.number <> m.number AND l.n > 5",
    ),
    "without a key, a row may be there twice": (
        "SELECT DISTINCT person FROM event WHERE person IS NOT NULL",
        "SELECT person FROM event WHERE person IS NOT NULL GROUP BY person HAVING COUNT(*) >= 1",
        "SELECT e.person FROM event e WHERE e.person IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM event f WHERE f.person = e.person AND f.n <> e.n)",
    ),
    "rows without a value, counted by a difference": (
        "SELECT customer, COUNT(*) - COUNT(discount) FROM orders GROUP BY customer",
        "SELECT customer, SUM(CASE WHEN discount IS NULL THEN 1 ELSE 0 END) FROM orders GROUP BY customer",
        "SELECT customer, SUM(CASE WHEN discount IS NULL THEN 0 ELSE 1 END) FROM orders GROUP BY customer",
    ),
    "groups without NULL, by counts": (
        "SELECT person FROM event GROUP BY person HAVING COUNT(*) = COUNT(n)",
        "SELECT person FROM event GROUP BY person HAVING SUM(CASE WHEN n IS NULL THEN 1 ELSE 0 END) = 0",
        "SELECT person FROM event GROUP BY person HAVING SUM(CASE WHEN n IS NULL THEN 1 ELSE 0 END) <= 1",
    ),
    "counts of groups, added up, are positive": (
        "SELECT person, SUM(c) FROM (SELECT person, kind, COUNT(*) AS c FROM event GROUP BY person, kind)"
        " GROUP BY person HAVING SUM(c) > 0",
        "SELECT person, COUNT(*) FROM event GROUP BY person",
        "SELECT person, COUNT(*) FROM event GROUP BY person HAVING COUNT(kind) > 0",
    ),
    "sums of sums of what is positive": (
        "SELECT person FROM (SELECT person, kind, SUM(n) AS c FROM event WHERE n > 0 GROUP BY person, kind)"
        " GROUP BY person HAVING SUM(c) >= 1",
        "SELECT DISTINCT person FROM event WHERE n > 0",
        "SELECT DISTINCT person FROM event WHERE n > 1",
    ),
    "what a conditional sum leaves": (
        "SELECT customer, SUM(amount) - SUM(CASE WHEN state = 'paid' THEN amount ELSE 0 END) FROM orders"
        " GROUP BY customer",
        "SELECT customer, SUM(CASE WHEN state = 'paid' THEN 0 ELSE amount END) FROM orders GROUP BY customer",
        "SELECT customer, SUM(CASE WHEN state = 'paid' THEN amount ELSE 0 END) FROM orders GROUP BY customer",
    ),
    "the latest one by ROW_NUMBER, and by MAX": (
        "WITH ranked AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY id DESC) AS n FROM orders),"
        " latest AS (SELECT * FROM ranked WHERE n = 1) SELECT customer, id FROM latest WHERE customer > 5",
        "SELECT customer, MAX(id) FROM orders WHERE customer > 5 GROUP BY customer",
        "SELECT customer, MAX(id) FROM orders WHERE customer >= 5 GROUP BY customer",
    ),
    "the latest row by ROW_NUMBER, and by a join with MAX of the key": (
        "SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY discount ORDER BY id DESC) AS n FROM orders)"
        " WHERE n = 1",
        "SELECT o.id, amount FROM orders o JOIN (SELECT MAX(id) AS id FROM orders GROUP BY discount) m ON o.id = m.id",
        "SELECT o.id, amount FROM orders o JOIN (SELECT MAX(id) AS id FROM orders GROUP BY state) m ON o.id = m.id",
    ),
    "one row of each group, whichever it is": (
        "SELECT person FROM (SELECT person, ROW_NUMBER() OVER (PARTITION BY person ORDER BY n) AS r FROM event) e"
        " WHERE r = 1",
        "SELECT DISTINCT person FROM event",
        "SELECT DISTINCT person FROM event WHERE person IS NOT NULL",
    ),
    "conditional sums by an outer join, and by subqueries": (
        "SELECT o.id, COALESCE((SELECT SUM(n) FROM line l WHERE l.orders = o.id AND l.product = 1), 0), COALESCE("
        "(SELECT SUM(number) FROM line l WHERE l.orders = o.id AND l.product <> 1), 0) FROM orders o",
        "SELECT o.id, SUM(CASE WHEN l.product = 1 THEN l.n ELSE 0 END), COALESCE(SUM(CASE WHEN l.product <> 1"
        " THEN l.number ELSE 0 END), 0) FROM orders o LEFT JOIN line l ON l.orders = o.id GROUP BY o.id",
        "SELECT o.id, SUM(CASE WHEN l.product = 1 THEN l.n ELSE 0 END), COALESCE(SUM(CASE WHEN l.product <> 1"
        " THEN l.number ELSE 0 END), 0) FROM orders o JOIN line l ON l.orders = o.id GROUP BY o.id",
    ),
    "a child of which there is one at most, joined and not read": (
        "SELECT o.id, amount FROM orders o LEFT JOIN line l ON l.orders = o.id AND l.number = 1",
        "SELECT id, amount FROM orders",
        "SELECT o.id, amount FROM orders o LEFT JOIN line l ON l.orders = o.id AND l.number > 1",
    ),
    "the first value of a window, and its least": (
        "SELECT id, FIRST_VALUE(amount) OVER (PARTITION BY customer ORDER BY amount DESC) FROM orders",
        "SELECT o.id, m.a FROM orders o JOIN (SELECT customer, MAX(amount) AS a FROM orders GROUP BY customer) m"
        " ON m.customer <=> o.customer",
        "SELECT o.id, m.a FROM orders o JOIN (SELECT customer, MIN(amount) AS a FROM orders GROUP BY customer) m"
        " ON m.customer <=> o.customer",
    ),
    "products, multiplied out": (
        "SELECT orders, (n + number) * (n - number) * 2 FROM line",
        "SELECT orders, 2 * n * n - number * number * 2 FROM line",
        "SELECT orders, 2 * n * n - number * 2 FROM line",
    ),
    "a sum of products, multiplied out": (
        "SELECT orders, SUM(n * (number + 3)) FROM line GROUP BY orders",
        "SELECT orders, SUM(number * n) + 3 * SUM(n) FROM line GROUP BY orders",
        "SELECT orders, SUM(number * n) + SUM(3) FROM line GROUP BY orders",
    ),
    "the greatest of one row at most, after a left join on its key": (
        "SELECT l.orders, l.number, MAX(o.discount) FROM line l LEFT JOIN orders o ON o.id = l.product"
        " GROUP BY l.orders, l.number",
        "SELECT l.orders, l.number, o.discount FROM line l LEFT JOIN orders o ON o.id = l.product",
        "SELECT l.orders, l.number, o.discount FROM line l JOIN orders o ON o.id = l.product",
    ),
    "the number of rows, one at most, after a left join on its key": (
        "SELECT l.orders, l.number, COUNT(o.id) FROM line l LEFT JOIN orders o ON o.id = l.product"
        " GROUP BY l.orders, l.number",
        "SELECT l.orders, l.number, CASE WHEN o.id IS NULL THEN 0 ELSE 1 END FROM line l"
        " LEFT JOIN orders o ON o.id = l.product",
        "SELECT l.orders, l.number, CASE WHEN o.discount IS NULL THEN 0 ELSE 1 END FROM line l"
        " LEFT JOIN orders o ON o.id = l.product",
    ),
    "a value with one greater value, by its rank": (
        "SELECT id FROM (SELECT id, DENSE_RANK() OVER (ORDER BY customer DESC) AS r FROM orders) o WHERE r = 2",
        "SELECT id FROM orders o WHERE EXISTS (SELECT 1 FROM orders p WHERE p.customer > o.customer) AND NOT EXISTS"
        " (SELECT 1 FROM orders p JOIN orders q ON q.customer > p.customer WHERE p.customer > o.customer)",
        "SELECT id FROM orders o WHERE EXISTS (SELECT 1 FROM orders p WHERE p.customer > o.customer) AND NOT EXISTS"
        " (SELECT 1 FROM orders p JOIN orders q ON q.id > p.id WHERE p.customer > o.customer AND"
        " q.customer > o.customer)",
    ),
    "the rows of the second largest value, by MAX below MAX": (
        "SELECT id FROM (SELECT id, DENSE_RANK() OVER (ORDER BY customer DESC) AS r FROM orders) o WHERE r = 2",
        "SELECT id FROM orders WHERE customer = (SELECT MAX(customer) FROM orders WHERE customer <"
        " (SELECT MAX(customer) FROM orders))",
        "SELECT id FROM orders WHERE customer = (SELECT MAX(customer) FROM orders WHERE customer <="
        " (SELECT MAX(customer) FROM orders))",
    ),
    "EVERY, and the least of numbers": (
        "SELECT customer, EVERY(amount > 5) FROM orders GROUP BY customer",
        "SELECT customer, MIN(amount) > 5 FROM orders GROUP BY customer",
        "SELECT customer, MAX(amount) > 5 FROM orders GROUP BY customer",
    ),
    "the day of a timestamp": (
        "SELECT id FROM orders WHERE CAST(made AS DATE) BETWEEN DATE '2024-03-01' AND DATE '2024-03-31'",
        "SELECT id FROM orders"
        " WHERE made >= TIMESTAMP '2024-03-01 00:00:00' AND made < TIMESTAMP '2024-04-01 00:00:00'",
        "SELECT id FROM orders WHERE made BETWEEN TIMESTAMP '2024-03-01 00:00:00' AND TIMESTAMP '2024-03-31 00:00:00'",
    ),
    "the month of a timestamp": (
        "SELECT id FROM orders WHERE YEAR(made) = 2024 AND MONTH(made) = 3",
        "SELECT id FROM orders WHERE DATE_TRUNC('month', made) = TIMESTAMP '2024-03-01 00:00:00'",
        "SELECT id FROM orders WHERE DATE_TRUNC('month', made) >= TIMESTAMP '2024-03-01 00:00:00'",
    ),
    "a column for each number, by CASE and by a join on the key": (
        "SELECT orders, MAX(CASE WHEN number = 1 THEN n END) AS n FROM line GROUP BY orders",
        "SELECT s.orders, l.n FROM (SELECT DISTINCT orders FROM line) s"
        " LEFT JOIN line l ON l.orders = s.orders AND l.number = 1",
        "SELECT s.orders, l.n FROM (SELECT DISTINCT orders FROM line) s"
        " JOIN line l ON l.orders = s.orders AND l.number = 1",
    ),
    "who has both, by a count and by a join": (
        "SELECT orders FROM line WHERE number IN (1, 2) GROUP BY orders HAVING COUNT(*) = 2",
        "SELECT a.orders FROM line a JOIN line b ON b.orders = a.orders WHERE a.number = 1 AND b.number = 2",
        "SELECT a.orders FROM line a JOIN line b ON b.orders = a.orders WHERE a.number = 1 AND b.number <> 1",
    ),
    "who has both, by values and by INTERSECT": (
        "SELECT orders FROM line WHERE number IN (1, 2) GROUP BY orders HAVING COUNT(DISTINCT number) = 2",
        "SELECT orders FROM line WHERE number = 1 INTERSECT SELECT orders FROM line WHERE number = 2",
        "SELECT orders FROM line WHERE number = 1 UNION SELECT orders FROM line WHERE number = 2",
    ),
    "the difference of two rows, by a sum and by a join": (
        "SELECT orders, SUM(CASE WHEN number = 1 THEN n ELSE -n END) AS d FROM line WHERE number IN (1, 2)"
        " GROUP BY orders HAVING COUNT(*) = 2",
        "SELECT a.orders, a.n - b.n AS d FROM line a JOIN line b ON b.orders = a.orders"
        " WHERE a.number = 1 AND b.number = 2",
        "SELECT a.orders, b.n - a.n AS d FROM line a JOIN line b ON b.orders = a.orders"
        " WHERE a.number = 1 AND b.number = 2",
    ),
}


def read(left: str, right: str) -> SqlPair:
    schema = schema_from_statements(SqlText(SCHEMA, "schema"), SPARK)
    return read_pair(SqlText(left, "left"), SqlText(right, "right"), schema, SPARK)


@pytest.mark.parametrize("name", PAIRS)
def test_refactorings_are_proved(name: str) -> None:
    before, after, _ = PAIRS[name]
    pair = read(before, after)
    found = decide(pair.left, pair.right, pair.catalogue, ProofLimits(60))
    assert isinstance(found, Proved), found.reason
    assert (Assumption.FIXED_CLOCKS in pair.assumptions) == ("timestamp" in name)


@pytest.mark.parametrize("name", sampled(PAIRS, 3))
def test_mistakes_are_refuted(name: str) -> None:
    """Each third one, and all if slow."""
    before, _, mistaken = PAIRS[name]
    pair = read(before, mistaken)
    assert isinstance(decide(pair.left, pair.right, pair.catalogue, ProofLimits(5)), Unproved)
    found = find(pair.left, pair.right, pair.catalogue, 20.0)
    assert isinstance(found, DistinguishingDatabase), found.reason


def test_lists_ordered_by_keys_of_different_types_are_not_compared() -> None:
    pair = read("SELECT state FROM orders ORDER BY id LIMIT 3", "SELECT state FROM orders ORDER BY state LIMIT 3")
    assert decide(pair.left, pair.right, pair.catalogue) == Unproved(
        "the results are ordered by keys of different types"
    )
