"""The reference interpreter of queries returns what DuckDB returns."""

from __future__ import annotations

from collections import Counter

import pytest
from random_queries import CATALOGUE, random_case
from tallystick.core.errors import FragmentError
from tallystick.core.queries.interpreter.evaluation import interpreter
from tallystick.core.queries.interpreter.running import Undetermined
from tallystick.experiments.queries.random_queries import Options
from tallystick.frontends.sql.printing.databases import script
from tallystick.frontends.sql.printing.queries import statement_text
from tallystick.replay.sql_engines import agrees, on_duckdb


def compare_with_duckdb(seeds: range) -> Counter[str]:
    """How many statements and databases were compared. Fails at the first difference."""
    compared: Counter[str] = Counter()
    for seed in seeds:
        statement, databases = random_case(seed, Options())
        run = interpreter(statement)
        try:
            text = statement_text(statement, CATALOGUE, "duckdb")
        except FragmentError:
            compared["not printed"] += 1
            continue
        for database in databases:
            try:
                outcome = run(database)
            except Undetermined:
                compared["undetermined"] += 1
                continue
            (rows,) = on_duckdb(script(CATALOGUE, database, "duckdb"), [text])
            assert agrees(outcome, rows, statement.columns), (seed, text, database, outcome.groups, rows)
            compared["agreed"] += 1
            compared["rows"] += bool(rows)
    return compared


def test_random_statements_return_what_duckdb_returns():
    compared = compare_with_duckdb(range(120))
    assert compared["agreed"] > 200
    assert compared["rows"] > 100
    assert compared["not printed"] < 6


@pytest.mark.slow
def test_many_random_statements_return_what_duckdb_returns():
    compared = compare_with_duckdb(range(10_000, 11_500))
    assert compared["agreed"] > 2800
    assert compared["rows"] > 1400
