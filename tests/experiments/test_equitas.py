"""EQUITAS made anew: the paper's examples, its errata with witnesses, and no verdict that a database contradicts."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from tallystick.cli import main
from tallystick.core.queries.syntax import Distinct, Statement
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.decision.queries.deciding import Proved, decide
from tallystick.experiments.equitas.containment import equivalent_as_sets
from tallystick.experiments.equitas.published import BY_KIND, ERRATA, PUBLISHED, SCHEMA, Erratum
from tallystick.experiments.equitas.representation import UnsupportedError
from tallystick.experiments.equitas.reproduction import kinds_of, tried, verdicts
from tallystick.experiments.sql_suites.own_pairs import own_pairs
from tallystick.experiments.sql_suites.records import Record
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema
from tallystick.frontends.sql.source import SqlText

CALCITE = DIALECTS["calcite"]
TABLES = """
CREATE TABLE emp (emp_id INT, emp_name VARCHAR(20), dept_id INT, sal INT);
CREATE TABLE dept (dept_id INT, dept_name VARCHAR(10));
"""


def pair(left: str, right: str, schema: str = TABLES) -> SqlPair:
    return read_pair(SqlText(left, "left"), SqlText(right, "right"), read_schema(schema, CALCITE), CALCITE)


def shown(left: str, right: str, schema: str = TABLES) -> bool:
    both = pair(left, right, schema)
    return equivalent_as_sets(both.left, both.right)


TENTH = "(SELECT * FROM emp WHERE dept_id = 10) AS t WHERE"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (f"SELECT * FROM {TENTH} t.dept_id + 5 > t.emp_id", f"SELECT * FROM {TENTH} 15 > t.emp_id"),
        ("SELECT emp_id FROM emp WHERE emp_id = 10 AND emp_id IS NOT NULL", "SELECT emp_id FROM emp WHERE emp_id = 10"),
        (f"SELECT COUNT(*) FROM {TENTH} t.dept_id + 5 > t.emp_id", f"SELECT COUNT(*) FROM {TENTH} 15 > t.emp_id"),
        (
            "SELECT e.sal, d.dept_name FROM emp e FULL JOIN dept d ON e.dept_id = d.dept_id",
            "SELECT e.sal, d.dept_name FROM emp e FULL JOIN dept d ON d.dept_id = e.dept_id",
        ),
        (
            "SELECT a.sal FROM emp a JOIN emp b ON a.sal = b.dept_id",
            "SELECT b.sal FROM emp a JOIN emp b ON b.sal = a.dept_id",
        ),
        ("SELECT MAX(sal) FROM emp GROUP BY dept_id + 1", "SELECT MAX(sal) FROM emp GROUP BY 1 + dept_id"),
        ("SELECT UPPER(emp_name) FROM emp WHERE sal = 3", "SELECT UPPER(emp_name) FROM emp WHERE 3 = sal"),
    ],
)
def test_the_examples_of_the_paper_and_their_kin_are_shown(left: str, right: str) -> None:
    assert shown(left, right)


def test_what_the_paper_calls_out_of_reach_is_not_shown_there_and_is_here() -> None:
    """Section 6.4: two aggregations against one; duplicates."""
    left = "SELECT dept_id, SUM(sal) AS s FROM emp GROUP BY dept_id"
    right = f"SELECT dept_id, SUM(s) AS s FROM ({left}) AS t GROUP BY dept_id"
    assert not shown(left, right)
    both = pair(left, right)
    assert isinstance(decide(both.left, both.right, both.catalogue), Proved)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("SELECT emp_id FROM emp", "SELECT dept_id FROM emp"),
        ("SELECT emp_id FROM emp WHERE sal > 1", "SELECT emp_id FROM emp WHERE sal >= 1"),
        ("SELECT MAX(sal) FROM emp GROUP BY dept_id", "SELECT MAX(sal) FROM emp GROUP BY emp_id"),
        ("SELECT MAX(sal) FROM emp", "SELECT MIN(sal) FROM emp"),
        ("SELECT SUM(sal) FROM emp", "SELECT SUM(emp_id) FROM emp"),
        ("SELECT emp_id FROM emp WHERE emp_name < 'a'", "SELECT emp_id FROM emp WHERE emp_name < 'b'"),
        ("SELECT emp_id FROM emp WHERE emp_id = emp_id", "SELECT emp_id FROM emp"),
        (
            "SELECT CASE WHEN sal = 1 THEN 2 ELSE CASE WHEN sal = 2 THEN 3 ELSE 4 END END FROM emp",
            "SELECT CASE WHEN sal = 1 THEN 2 ELSE CASE WHEN sal = 2 THEN 3 ELSE 5 END END FROM emp",
        ),
        ("SELECT e.sal FROM emp e LEFT JOIN dept d ON e.dept_id = d.dept_id", "SELECT e.sal FROM emp e, dept d"),
    ],
)
def test_different_queries_are_not_shown(left: str, right: str) -> None:
    assert not shown(left, right)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT emp_id FROM emp WHERE EXISTS (SELECT 1 FROM dept)",
        "SELECT emp_id FROM emp UNION SELECT dept_id FROM dept",
        "SELECT emp_id FROM emp LIMIT 1",
        "SELECT RANK() OVER (ORDER BY sal) FROM emp",
        "SELECT dept_id, SUM(sal) FROM emp GROUP BY ROLLUP (dept_id)",
    ],
)
def test_what_the_paper_does_not_support_is_refused(query: str) -> None:
    both = pair(query, query)
    with pytest.raises(UnsupportedError):
        equivalent_as_sets(both.left, both.right)


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda each: each.where)
def test_an_erratum_has_a_witness(erratum: Erratum) -> None:
    """Where the printed rules prove too much, a database; where they prove too little, a proof of ours."""
    assert verdicts(erratum) == ((True, False) if erratum.unsound else (False, True))
    both = pair(erratum.left, erratum.right, SCHEMA)
    if erratum.unsound:
        assert isinstance(find(as_set(both.left), as_set(both.right), both.catalogue, 5.0), DistinguishingDatabase)
    else:
        assert isinstance(decide(both.left, both.right, both.catalogue), Proved)


def as_set(statement: Statement) -> Statement:
    return Statement(Distinct(statement.query), statement.names)


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_no_pair_of_ours_that_differs_as_sets_is_shown(every: int) -> None:
    """Of each fourth one, and of all if slow."""
    tried_pairs = found = 0
    for each in [*own_pairs()][::every]:
        try:
            both = each.read()
        except SourceError:  # Spark 4 takes no ALL and ANY of a query
            continue
        try:
            proved = equivalent_as_sets(both.left, both.right, 1.0)
        except UnsupportedError:
            continue
        tried_pairs += 1
        if proved:
            found += 1
            sets = as_set(both.left), as_set(both.right)
            assert not isinstance(find(*sets, both.catalogue, 0.1), DistinguishingDatabase), each.name
    assert tried_pairs > 80 / every
    assert found > 20 / every


def test_kinds_are_those_of_the_papers_table() -> None:
    assert kinds_of(pair("SELECT sal FROM emp", "SELECT sal FROM emp").left) == ("SPJ",)
    both = pair("SELECT COUNT(*) FROM emp e LEFT JOIN dept d ON e.sal = d.dept_id", "SELECT COUNT(*) FROM emp")
    assert kinds_of(both.left, both.right) == ("aggregate", "outer join")


def test_published_numbers_are_those_of_the_papers() -> None:
    assert {(each.tool, each.pairs): each.proved for each in PUBLISHED} == {
        ("UDP", 232): 34,
        ("EQUITAS", 232): 67,
        ("SPES", 232): 95,
        ("QED", 444): 299,
        ("QED", 1287): 979,
    }
    assert sum(proved for proved, _ in BY_KIND["EQUITAS"].values()) == 69


def test_a_record_that_is_refused_is_not_supported() -> None:
    data = {"schema": TABLES, "q1": "SELECT nothing FROM emp", "q2": "SELECT sal FROM emp", "expected": "equivalent"}
    row = tried(Record("s", "1", {**data, "dialect": "calcite"}), 1.0)
    assert (row.shown, row.ours.outcome) == (None, "refused")


def test_the_command_prints_the_tables(tmp_path) -> None:
    (tmp_path / "testData").mkdir()
    pairs = '[{"name": "a", "q1": "SELECT SAL FROM EMP WHERE SAL > 1", "q2": "SELECT SAL FROM EMP WHERE 1 < SAL"}]'
    (tmp_path / "testData" / "calcite_tests.json").write_text(pairs)
    result = CliRunner().invoke(main, ["reproduce", "equitas", str(tmp_path)])
    assert result.exit_code == 0
    for words in ("As published", "EQUITAS", "Tallystick", "section 4.2, outer joins"):
        assert words in result.output
