"""Random queries of the hunt: always the same of a seed, of all constructs, and such that Spark's parser knows them."""

from __future__ import annotations

from random import Random

import pytest
from click.testing import CliRunner
from sqlglot import exp, parse_one
from tallystick.cli import main
from tallystick.frontends.errors import SourceError
from tallystick.plans.random_queries import Column, RandomQueries, random_queries
from tallystick.plans.schemas import declared_tables

SCHEMA = """
CREATE TABLE a (id INT PRIMARY KEY, n BIGINT, day DATE, s STRING, x DECIMAL(8, 2), b BOOLEAN, tags ARRAY<STRING>);
CREATE TABLE c (k INT NOT NULL, a_id INT, s STRING, FOREIGN KEY (a_id) REFERENCES a (id));
"""
COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ)
CONSTRUCTS = (
    *(" JOIN ", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN", "NOT EXISTS", "NOT IN"),
    *("GROUP BY ROLLUP", "GROUP BY CUBE", "GROUPING SETS", "HAVING", "FILTER (WHERE", "PARTITION BY", "ROWS BETWEEN"),
    *(
        "UNION ALL",
        "INTERSECT",
        "EXCEPT",
        "WITH w1",
        "DISTINCT",
        "LIMIT",
        "<=>",
        "CASE WHEN",
        "CAST(NULL AS",
        "(SELECT m",
    ),
)


def test_the_queries_of_a_seed_are_always_the_same_and_parse() -> None:
    tables = declared_tables(SCHEMA)
    found = list(random_queries(tables, 300, 7))
    assert found[:20] == list(random_queries(tables, 20, 7))
    assert found[:20] != list(random_queries(tables, 20, 8))
    for _, text in found[::10]:
        parse_one(text, dialect="spark")
    texts = "\n".join(text for _, text in found)
    assert [each for each in CONSTRUCTS if each not in texts] == []
    assert "tags" not in texts


def test_no_comparison_is_compared_without_parentheses_which_spark_does_not_parse() -> None:
    drawing = RandomQueries(declared_tables(SCHEMA), Random(1))
    for _ in range(300):
        text = f"SELECT {drawing.condition(2, (Column('b', 'truth'), Column('n', 'int')))}"
        for each in parse_one(text, dialect="spark").find_all(*COMPARISONS):
            assert not isinstance(each.left, COMPARISONS), text
            assert not isinstance(each.right, COMPARISONS), text


def test_tables_of_which_nothing_is_drawn_are_refused() -> None:
    with pytest.raises(SourceError, match="no table has a column of integers, decimals, texts, dates or truth values"):
        list(random_queries(declared_tables("CREATE TABLE t (a DOUBLE)"), 1, 1))


def test_files_and_random_queries_are_not_asked_for_together() -> None:
    result = CliRunner().invoke(main, ["plans", "--schema", SCHEMA, "--random", "3", "queries"])
    assert result.exit_code == 3
    assert "--random draws queries: name no files" in result.output
