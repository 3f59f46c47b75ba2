"""The expected verdicts hold on real PySpark."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest
from tallystick.core.types import Value
from tallystick.experiments import suites
from tallystick.replay import Input, Returned, SparkReplayer

pytestmark = pytest.mark.spark

BOUNDARIES = (-1, 0, 1, 2, 5, 6, 10, 49, 50, 59, 60, 61, 99, 100, 119, 120, 1000, 1020, -100, -101, 2**70 + 1)
CASES = [(name, pair) for name in suites.names() if name != "beyond" for pair in suites.load(name)]
"""The suite `beyond` is in test_beyond_on_spark.py: there are many pairs, and Spark cannot split all of their folds."""


def _cases(expected: suites.Expected):
    return [pytest.param(pair, id=f"{name} {pair.name}") for name, pair in CASES if pair.expected == expected]


@pytest.mark.parametrize("pair", _cases(suites.INEQUIVALENT))
def test_the_witness_of_an_inequivalent_pair_gives_two_results(pair: suites.Pair, replayer: SparkReplayer):
    assert pair.witness is not None
    replay = replayer.replay(pair.left, pair.right, pair.witness)
    assert replay.as_written.returned
    assert replay.as_written.differs
    assert replay.in_sparklite.returned
    assert replay.in_sparklite.differs


@pytest.mark.parametrize("pair", _cases(suites.EQUIVALENT))
def test_an_equivalent_pair_agrees_on_generated_bags(pair: suites.Pair, replayer: SparkReplayer):
    """In SparkLite's meaning; some pairs that fold differ in Spark's own (see test_replay_folds.py)."""
    inputs = _inputs(pair, random.Random(pair.name))
    left = replayer.run_on_spark(pair.left, inputs, partitions=1)
    right = replayer.run_on_spark(pair.right, inputs, partitions=1)
    for environment, one, other in zip(inputs, left, right, strict=True):
        assert isinstance(one.sparklite, Returned)
        assert one.sparklite == other.sparklite, environment


def _inputs(pair: suites.Pair, generator: random.Random) -> list[dict[str, Input]]:
    """Empty bags; bags with all boundary values; and random ones with duplicates."""
    path, _, name = pair.left.rpartition(":")
    program = next(
        node
        for node in ast.parse(Path(path).read_text()).body
        if isinstance(node, ast.FunctionDef) and node.name == name
    )
    pairs = {parameter.arg: "tuple" in ast.unparse(parameter) for parameter in program.args.args}
    return [
        {parameter: {} for parameter in pairs},
        {parameter: _covering(generator, of_pairs) for parameter, of_pairs in pairs.items()},
        {parameter: _small(generator, of_pairs) for parameter, of_pairs in pairs.items()},
    ]


def _covering(generator: random.Random, of_pairs: bool) -> dict[Value, int]:
    if not of_pairs:
        return dict.fromkeys(BOUNDARIES, 1)
    return {(generator.choice((0, 1, 2, 7, 60)), value): generator.randint(1, 2) for value in BOUNDARIES}


def _small(generator: random.Random, of_pairs: bool) -> dict[Value, int]:
    """Few values, so that keys and elements repeat."""
    values = generator.sample(BOUNDARIES, 3)
    elements = [(generator.choice(values), generator.choice(values)) if of_pairs else x for x in values]
    return {element: generator.randint(1, 3) for element in elements}
