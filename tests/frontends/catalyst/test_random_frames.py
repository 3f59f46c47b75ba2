"""Random DataFrame calls: their plans are read as what Spark returns on tables of a few rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.decision.queries.counterexamples.databases import RandomDatabases
from tallystick.frontends.catalyst.data import returned, views
from tallystick.frontends.catalyst.reader import read_plans
from tallystick.frontends.errors import SourceError
from tallystick.queries.trials import permits
from tallystick.replay.catalyst.process import QueryRefused, SparkPlans
from tallystick.replay.sql_engines import rounded

from frontends.catalyst.random_frames import HEADER, Frames
from frontends.catalyst.shop import TABLES

NUMBER = 300
A_DATABASE = 30
"""Functions that are called on one database."""
POOLS = {"integer": (0, 1, 2, 3, -3), "text": ("a", "b", "", "Ab", " a "), "boolean": (True, False), "date": (0, 11016)}


def tables_of(random: Random) -> list[str]:
    """Statements that make the tables, as views of a few rows."""
    by_name = {table.name: table for table in TABLES}
    drawn = RandomDatabases(Catalogue(tuple(table.as_table() for table in TABLES)), random)

    def pool(name: str, index: int) -> tuple[object, ...]:
        kind = by_name[name].columns[index].type
        return (0, 150, -200, 250) if kind.name == "decimal" and kind.scale else POOLS.get(kind.core.value, (None,))

    database = drawn.draw(pool, lambda _: random.randint(3, 6), 0.2)
    return views(by_name, database)


@pytest.mark.slow
@pytest.mark.spark
def test_random_dataframes_return_what_is_read(tmp_path: Path) -> None:
    compare(tmp_path, seed=1, number=NUMBER)


def compare(folder: Path, seed: int, number: int) -> Counter[str]:
    """Asserts that functions return what their plans are read as; how many were compared, and why others were not."""
    random, outcomes = Random(seed), Counter[str]()
    frames, file = Frames(random), folder / "drawn.py"
    texts = [frames.function(f"drawn_{index}") for index in range(number)]
    file.write_text(HEADER + "\n\n" + "\n\n".join(texts), encoding="utf-8")
    with SparkPlans() as spark:
        for index, text in enumerate(texts):
            if index % A_DATABASE == 0:
                setup = tables_of(random)
            reference = [(str(file), f"drawn_{index}")]
            try:
                [plan] = spark.functions(reference, setup)
                pair = read_plans(plan["analyzed"], plan["analyzed"], plan["settings"])
                outcome = evaluate(pair.left, {})
                [rows] = spark.collected(reference, setup)
            except (SourceError, QueryRefused, EvaluationError, FragmentError) as error:
                outcomes[f"{type(error).__name__}: {str(error).splitlines()[0][:90]}"] += 1
                continue
            result = [rounded(row) for row in returned(rows, pair.types)]
            assert permits(outcome, result), f"\n{text}\n{setup}\nread as {outcome.rows}\nSpark returns {result}"
            outcomes["compared"] += 1
            outcomes["rows"] += len(result)
    assert outcomes["compared"] > number * 0.7, outcomes
    assert outcomes["rows"] > number, outcomes
    return outcomes
