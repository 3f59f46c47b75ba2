"""Pairs of queries that are proved, by the rule that they need, and pairs that must not be."""

from __future__ import annotations

import time

import pytest
from tallystick.certificates import kernel
from tallystick.core.errors import KernelError
from tallystick.decision.queries.deciding import ProofLimits, Proved, Unproved, decide
from tallystick.decision.queries.trees.tableau import TreeLimits
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText

SCHEMA = """
CREATE TABLE emp (id INT NOT NULL PRIMARY KEY, dept INT NOT NULL REFERENCES dept (id), boss INT REFERENCES emp (id),
                  pay INT NOT NULL, bonus INT, job VARCHAR(20) NOT NULL);
CREATE TABLE dept (id INT NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL);
CREATE TABLE log (emp INT, day INT, price DECIMAL(10, 2));
CREATE TABLE seat (num INT UNIQUE, emp INT NOT NULL);
"""

EQUAL = {
    "a computation moves out of a LIMIT": (
        "SELECT p FROM (SELECT id, pay + 1 AS p FROM emp ORDER BY id LIMIT 5) e",
        "SELECT pay + 1 FROM (SELECT * FROM emp ORDER BY id LIMIT 5) e",
    ),
    "a computation moves out of a LIMIT that is summed up": (
        "SELECT sum(p) FROM (SELECT id, pay + 1 AS p FROM emp ORDER BY id LIMIT 5) e",
        "SELECT sum(pay + 1) FROM (SELECT * FROM emp ORDER BY id LIMIT 5) e",
    ),
    "a LIMIT of a LIMIT, of one order": (
        "SELECT id FROM (SELECT * FROM (SELECT * FROM emp ORDER BY id LIMIT 9) a ORDER BY id LIMIT 5 OFFSET 2) b",
        "SELECT id FROM (SELECT * FROM emp ORDER BY id LIMIT 5 OFFSET 2) b",
    ),
    "the row that a LIMIT's row comes from": (
        "SELECT e.pay FROM (SELECT id FROM emp ORDER BY id LIMIT 5) a JOIN emp e ON e.id = a.id",
        "SELECT pay FROM (SELECT * FROM emp ORDER BY id LIMIT 5) a",
    ),
    "counts of partners": (
        "SELECT d.id, (SELECT COUNT(*) FROM emp e WHERE e.dept = d.id) FROM dept d",
        "SELECT d.id, COUNT(e.id) FROM dept d LEFT JOIN emp e ON e.dept = d.id GROUP BY d.id",
    ),
    "filters commute": (
        "SELECT id FROM emp WHERE pay > 5 AND bonus > 1",
        "SELECT id FROM (SELECT * FROM emp WHERE bonus > 1) e WHERE NOT pay <= 5",
    ),
    "joins commute": (
        "SELECT e.id, d.name FROM emp e JOIN dept d ON e.dept = d.id WHERE d.name = 'x'",
        "SELECT e.id, d.name FROM (SELECT * FROM dept WHERE name = 'x') d, emp e WHERE d.id = e.dept",
    ),
    "filter split by cases": (
        "SELECT pay FROM emp WHERE pay < 3 UNION ALL SELECT pay FROM emp WHERE pay >= 3",
        "SELECT pay FROM emp",
    ),
    "key: self-join": ("SELECT a.id, b.pay FROM emp a JOIN emp b ON a.id = b.id", "SELECT id, pay FROM emp"),
    "foreign key: join removed": ("SELECT e.id FROM emp e JOIN dept d ON e.dept = d.id", "SELECT id FROM emp"),
    "foreign key that may be NULL": (
        "SELECT e.id FROM emp e JOIN emp b ON e.boss = b.id",
        "SELECT id FROM emp WHERE boss IS NOT NULL",
    ),
    "left join on a key": ("SELECT e.id FROM emp e LEFT JOIN dept d ON e.pay = d.id", "SELECT id FROM emp"),
    "left join by a foreign key that may be NULL": (
        "SELECT e.id FROM emp e LEFT JOIN emp b ON e.boss = b.id",
        "SELECT id FROM emp",
    ),
    "foreign key: the halves of an outer join": (
        "SELECT pay FROM emp WHERE boss IS NOT NULL UNION ALL "
        "SELECT pay FROM emp e WHERE NOT EXISTS (SELECT 1 FROM emp b WHERE b.id = e.boss)",
        "SELECT pay FROM emp",
    ),
    "outer half is empty": (
        "SELECT e.id, d.name FROM emp e LEFT JOIN dept d ON e.dept = d.id",
        "SELECT e.id, d.name FROM emp e JOIN dept d ON e.dept = d.id",
    ),
    "distinct over a key": ("SELECT DISTINCT id, job FROM emp", "SELECT id, job FROM emp"),
    "distinct of distinct": (
        "SELECT DISTINCT emp FROM (SELECT DISTINCT emp, day FROM log) l",
        "SELECT emp FROM log GROUP BY emp",
    ),
    "IN is a join on a key": (
        "SELECT id FROM emp WHERE dept IN (SELECT id FROM dept WHERE name = 'x')",
        "SELECT e.id FROM emp e JOIN dept d ON e.dept = d.id AND d.name = 'x'",
    ),
    "union, then distinct": (
        "SELECT emp FROM log WHERE day < 3 UNION SELECT emp FROM log WHERE day > 5",
        "SELECT DISTINCT emp FROM log WHERE day < 3 OR day > 5",
    ),
    "except by NOT EXISTS": (
        "SELECT emp FROM log WHERE emp IS NOT NULL EXCEPT SELECT id FROM emp",
        "SELECT DISTINCT emp FROM log WHERE emp IS NOT NULL AND NOT EXISTS (SELECT 1 FROM emp e WHERE e.id = log.emp)",
    ),
    "constant group key": (
        "SELECT dept, COUNT(*) FROM emp WHERE dept = 7 GROUP BY dept, job",
        "SELECT 7, COUNT(*) FROM emp WHERE dept = 7 GROUP BY job",
    ),
    "filter on a group key": (
        "SELECT dept, SUM(pay) FROM emp GROUP BY dept HAVING dept > 3",
        "SELECT dept, SUM(pay) FROM emp WHERE dept > 3 GROUP BY dept",
    ),
    "a condition on an aggregate, before and after a join": (
        "SELECT d.id, COUNT(*), SUM(n.price) FROM log n JOIN dept d ON d.id = n.emp GROUP BY d.id HAVING COUNT(*) > 1",
        "SELECT d.id, p.c, p.s FROM (SELECT emp, COUNT(*) c, SUM(price) s FROM log GROUP BY emp) p "
        "JOIN dept d ON d.id = p.emp WHERE p.c >= 2",
    ),
    "a left join on a key, and a subquery for its column": (
        "SELECT e.id, b.bonus FROM emp e LEFT JOIN emp b ON b.id = e.boss",
        "SELECT e.id, (SELECT b.bonus FROM emp b WHERE b.id = e.boss) FROM emp e",
    ),
    "a join on a foreign key, and a subquery for its column": (
        "SELECT e.id, d.name FROM emp e JOIN dept d ON d.id = e.dept",
        "SELECT e.id, (SELECT d.name FROM dept d WHERE d.id = e.dept) FROM emp e",
    ),
    "groups of rows joined with what their key refers to": (
        "SELECT d.id, p.c FROM (SELECT dept, COUNT(*) c FROM emp GROUP BY dept) p JOIN dept d ON d.id = p.dept",
        "SELECT dept, COUNT(*) FROM emp GROUP BY dept",
    ),
    "sum of sums": (
        "SELECT SUM(s) FROM (SELECT dept, SUM(pay) AS s FROM emp GROUP BY dept) e",
        "SELECT SUM(pay) FROM emp",
    ),
    "count over a foreign key": (
        "SELECT e.dept, COUNT(*) FROM emp e JOIN dept d ON e.dept = d.id GROUP BY e.dept",
        "SELECT dept, COUNT(*) FROM emp GROUP BY dept",
    ),
    "sum of one row": ("SELECT id, SUM(pay), COUNT(*) FROM emp GROUP BY id", "SELECT id, pay, 1 FROM emp"),
    "minimum of minima": (
        "SELECT MIN(m) FROM (SELECT job, MIN(pay) AS m FROM emp GROUP BY job) e",
        "SELECT MIN(pay) FROM emp",
    ),
    "a minimum exists": (
        "SELECT dept FROM emp GROUP BY dept HAVING MIN(pay) < 3",
        "SELECT DISTINCT dept FROM emp WHERE pay < 3",
    ),
    "count is positive": (
        "SELECT id FROM dept d WHERE (SELECT COUNT(*) FROM emp e WHERE e.dept = d.id) > 0",
        "SELECT id FROM dept d WHERE EXISTS (SELECT 1 FROM emp e WHERE e.dept = d.id)",
    ),
    "strict inequalities of decimals": (
        "SELECT emp FROM log WHERE price > 2.5 AND NOT price <= 3.5",
        "SELECT emp FROM log WHERE price > 3.5",
    ),
    "texts in order": ("SELECT id FROM emp WHERE job > 'b' AND job <> 'a'", "SELECT id FROM emp WHERE job > 'b'"),
    "functions agree on equal arguments": (
        "SELECT e.id FROM emp e, dept d WHERE e.job = d.name AND UPPER(e.job) LIKE '%X%'",
        "SELECT e.id FROM emp e, dept d WHERE e.job = d.name AND UPPER(d.name) LIKE '%X%'",
    ),
    "limits of equal bags": (
        "SELECT id FROM (SELECT * FROM emp WHERE pay > 1 AND pay > 2 ORDER BY id LIMIT 3) e",
        "SELECT id FROM (SELECT * FROM emp WHERE pay > 2 ORDER BY id LIMIT 3) e",
    ),
}

DIFFERENT = {
    "LIMIT by another order": (
        "SELECT pay FROM (SELECT * FROM emp ORDER BY id LIMIT 5) e",
        "SELECT pay FROM (SELECT * FROM emp ORDER BY pay LIMIT 5) e",
    ),
    "LIMIT by another direction": (
        "SELECT p FROM (SELECT id, pay + 1 AS p FROM emp ORDER BY id DESC LIMIT 5) e",
        "SELECT pay + 1 FROM (SELECT * FROM emp ORDER BY id LIMIT 5) e",
    ),
    "LIMIT after DISTINCT": (
        "SELECT pay FROM (SELECT DISTINCT pay FROM emp ORDER BY pay LIMIT 5) e",
        "SELECT pay FROM (SELECT pay FROM emp ORDER BY pay LIMIT 5) e",
    ),
    "LIMIT before a filter": (
        "SELECT id FROM (SELECT * FROM emp WHERE pay > 5 ORDER BY id LIMIT 5) e",
        "SELECT id FROM (SELECT * FROM emp ORDER BY id LIMIT 5) e WHERE pay > 5",
    ),
    "LIMIT of a LIMIT with an OFFSET": (
        "SELECT id FROM (SELECT * FROM (SELECT * FROM emp ORDER BY id LIMIT 6) a ORDER BY id LIMIT 5 OFFSET 2) b",
        "SELECT id FROM (SELECT * FROM emp ORDER BY id LIMIT 5 OFFSET 2) b",
    ),
    "LIMIT of a LIMIT by another order": (
        "SELECT id FROM (SELECT * FROM (SELECT * FROM emp ORDER BY pay LIMIT 9) a ORDER BY id LIMIT 5) b",
        "SELECT id FROM (SELECT * FROM emp ORDER BY id LIMIT 5) b",
    ),
    "LIMIT before a join that doubles rows": (
        "SELECT a.id FROM (SELECT id FROM emp ORDER BY id LIMIT 5) a JOIN log l ON l.emp = a.id",
        "SELECT id FROM (SELECT e.id FROM emp e JOIN log l ON l.emp = e.id ORDER BY e.id LIMIT 5) a",
    ),
    "counts of partners, and of padded rows": (
        "SELECT d.id, (SELECT COUNT(*) FROM emp e WHERE e.dept = d.id) FROM dept d",
        "SELECT d.id, COUNT(*) FROM dept d LEFT JOIN emp e ON e.dept = d.id GROUP BY d.id",
    ),
    "counts of partners, without those that have none": (
        "SELECT d.id, (SELECT COUNT(*) FROM emp e WHERE e.dept = d.id) FROM dept d",
        "SELECT d.id, COUNT(e.id) FROM dept d JOIN emp e ON e.dept = d.id GROUP BY d.id",
    ),
    "counts of partners, by a column that is no key": (
        "SELECT d.name, (SELECT COUNT(*) FROM emp e WHERE e.dept = d.id) FROM dept d",
        "SELECT d.name, COUNT(e.id) FROM dept d LEFT JOIN emp e ON e.dept = d.id GROUP BY d.name",
    ),
    "duplicates": ("SELECT dept FROM emp", "SELECT DISTINCT dept FROM emp"),
    "self-join without a key": (
        "SELECT a.emp FROM log a JOIN log b ON a.emp <=> b.emp AND a.day <=> b.day",
        "SELECT emp FROM log",
    ),
    "a unique column may be NULL twice": ("SELECT DISTINCT num FROM seat", "SELECT num FROM seat"),
    "a foreign key may be NULL": ("SELECT e.id FROM emp e JOIN emp b ON e.boss = b.id", "SELECT id FROM emp"),
    "join keys drop NULL": (
        "SELECT a.emp FROM (SELECT DISTINCT emp FROM log) a JOIN (SELECT DISTINCT emp FROM log) b ON a.emp = b.emp",
        "SELECT DISTINCT emp FROM log",
    ),
    "NOT IN and NULL": (
        "SELECT id FROM emp WHERE id NOT IN (SELECT emp FROM log)",
        "SELECT id FROM emp e WHERE NOT EXISTS (SELECT 1 FROM log l WHERE l.emp = e.id)",
    ),
    "SUM of no rows": ("SELECT SUM(bonus) FROM emp", "SELECT COALESCE(SUM(bonus), 0) FROM emp"),
    "COUNT of no rows": (
        "SELECT COUNT(*) FROM log",
        "SELECT SUM(c) FROM (SELECT emp, COUNT(*) AS c FROM log GROUP BY emp) l",
    ),
    "no group, no row": (
        "SELECT COUNT(*) FROM log WHERE day = 1 GROUP BY day",
        "SELECT COUNT(*) FROM log WHERE day = 1",
    ),
    "COUNT of NULL": ("SELECT COUNT(bonus) FROM emp", "SELECT COUNT(*) FROM emp"),
    "the COUNT bug": (
        "SELECT id FROM dept d WHERE (SELECT COUNT(*) FROM emp e WHERE e.dept = d.id) = 0",
        "SELECT d.id FROM dept d JOIN (SELECT dept, COUNT(*) AS c FROM emp GROUP BY dept) e ON dept = d.id WHERE c = 0",
    ),
    "ON and WHERE": (
        "SELECT e.id FROM emp e LEFT JOIN dept d ON e.dept = d.id AND d.name = 'x'",
        "SELECT e.id FROM emp e LEFT JOIN dept d ON e.dept = d.id WHERE d.name = 'x'",
    ),
    "EXCEPT ALL": (
        "SELECT emp FROM log EXCEPT ALL SELECT id FROM emp",
        "SELECT emp FROM log EXCEPT SELECT id FROM emp",
    ),
    "x = x and NULL": ("SELECT id FROM emp WHERE bonus = bonus", "SELECT id FROM emp"),
    "bounds": ("SELECT id FROM emp WHERE pay > 2", "SELECT id FROM emp WHERE pay >= 2"),
    "decimals are dense": ("SELECT emp FROM log WHERE price > 2", "SELECT emp FROM log WHERE price >= 3"),
    "texts are dense": ("SELECT id FROM emp WHERE job > 'a'", "SELECT id FROM emp WHERE job >= 'b'"),
    "sums of products": ("SELECT SUM(pay * dept) FROM emp", "SELECT SUM(pay) * SUM(dept) FROM emp"),
    "limits": ("SELECT id FROM emp LIMIT 3", "SELECT id FROM emp LIMIT 4"),
    "averages of averages": (
        "SELECT AVG(a) FROM (SELECT dept, AVG(pay) AS a FROM emp GROUP BY dept) e",
        "SELECT AVG(pay) FROM emp",
    ),
}


def decided(left: str, right: str, limits: ProofLimits | None = None) -> Proved | Unproved:
    schema = schema_from_statements(SqlText(SCHEMA, "schema"), SPARK)
    pair = read_pair(SqlText(left, "left"), SqlText(right, "right"), schema, SPARK)
    return decide(pair.left, pair.right, pair.catalogue, limits)


@pytest.mark.parametrize("name", EQUAL)
def test_equal_queries_are_proved(name: str) -> None:
    outcome = decided(*EQUAL[name])
    assert isinstance(outcome, Proved), outcome.reason


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_queries_are_not_proved(name: str) -> None:
    assert isinstance(decided(*DIFFERENT[name], ProofLimits(2.0)), Unproved)


def test_a_proof_proves_its_goal_and_no_other() -> None:
    one = decided(*EQUAL["key: self-join"])
    other = decided(*EQUAL["foreign key: join removed"])
    assert isinstance(one, Proved)
    assert isinstance(other, Proved)
    kernel.prove(one.goal, one.proof)
    with pytest.raises(KernelError):
        kernel.prove(other.goal, one.proof)


def test_the_same_pair_has_the_same_proof() -> None:
    first, second = (decided(*EQUAL["sum of sums"]) for _ in range(2))
    assert isinstance(first, Proved)
    assert isinstance(second, Proved)
    assert first.proof == second.proof


def test_reasons_name_what_is_missing() -> None:
    ordered = decided("SELECT id FROM emp ORDER BY id", "SELECT id FROM emp ORDER BY id DESC")
    assert ordered == Unproved("the results are ordered by different keys")
    different = decided("SELECT dept FROM emp", "SELECT pay FROM emp")
    assert isinstance(different, Unproved)
    assert different.reason.endswith("a branch stays open")
    assert different.branches


def test_limits_are_kept_and_named() -> None:
    start = time.monotonic()
    none = decided(*EQUAL["sum of sums"], ProofLimits(seconds=0))
    assert none == Unproved("the time limit was reached")
    assert time.monotonic() - start < 5
    few = decided(*EQUAL["union, then distinct"], ProofLimits(trees=TreeLimits(nodes=2)))
    assert isinstance(few, Unproved)
    assert "more than 2 branches (TreeLimits.nodes)" in few.reason


def test_blocks_that_mention_earlier_rows_are_compared_over_the_same_rows() -> None:
    block = "SELECT pay FROM emp WHERE dept = d.id AND {} ORDER BY pay LIMIT 1"
    lateral = f"SELECT d.id, t.pay FROM dept d, LATERAL ({block}) t"
    same = decided(lateral.format("pay > 1"), lateral.format("pay > 1"))
    assert isinstance(same, Proved)
    assert isinstance(decided(lateral.format("pay > 1"), lateral.format("pay > 2")), Unproved)


def test_sums_over_a_limit_of_a_limit_are_widened() -> None:
    limited = "(SELECT * FROM (SELECT * FROM emp ORDER BY id LIMIT 9) a ORDER BY pay, id LIMIT 5)"
    both = f"(SELECT id, bonus FROM {limited} e UNION SELECT id, bonus FROM {limited} g)"
    answer = decided(f"SELECT sum(bonus) FROM {limited} e", f"SELECT sum(bonus) FROM {both} e")
    assert isinstance(answer, Proved | Unproved)


def test_a_limit_over_no_row_of_a_table_has_no_columns_to_widen() -> None:
    counted = "SELECT max(pay), count({}) FROM emp OFFSET 1"
    assert isinstance(decided(counted.format("*"), counted.format("*")), Proved)
    assert isinstance(decided(counted.format("*"), counted.format("bonus")), Unproved)


def test_no_step_makes_a_block_mention_later_rows() -> None:
    block = "(SELECT n.*, lead({}.id, 2) OVER (ORDER BY n.id) AS next FROM emp n)"
    both = f"SELECT d.id, w.next FROM {{}} d, LATERAL {block.format('d')} w WHERE d.id = w.dept"
    answer = decided(both.format("(SELECT DISTINCT * FROM dept)"), both.format("dept"))
    assert isinstance(answer, Proved | Unproved)
