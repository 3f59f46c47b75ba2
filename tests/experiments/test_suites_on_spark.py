"""The expected verdicts hold on real PySpark."""

from __future__ import annotations

import pytest
from tallystick.experiments import suites
from tallystick.experiments.inputs import generated_inputs
from tallystick.frontends.rdd import read_program
from tallystick.replay import Returned, SparkReplayer

pytestmark = pytest.mark.spark

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
    inputs = [
        {str(name.parameter[0]): value for name, value in environment.items()}  # type: ignore[index]
        for environment in generated_inputs(read_program(pair.left).program, read_program(pair.right).program, 3)
    ]
    left = replayer.run_on_spark(pair.left, inputs, partitions=1)
    right = replayer.run_on_spark(pair.right, inputs, partitions=1)
    for environment, one, other in zip(inputs, left, right, strict=True):
        assert isinstance(one.sparklite, Returned)
        assert one.sparklite == other.sparklite, environment
