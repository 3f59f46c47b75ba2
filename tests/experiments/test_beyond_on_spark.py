"""The verdicts of the suite `beyond` hold on real PySpark, in SparkLite's meaning of folds."""

from __future__ import annotations

import random

import pytest
from tallystick.core.terms import Term
from tallystick.experiments import suites
from tallystick.experiments.suites import EQUIVALENT, INEQUIVALENT, Expected, Pair
from tallystick.frontends.pyspark.values.options import python_value
from tallystick.replay import Raised, SparkReplayer

from .test_beyond import PAIRS, programs, random_environment

pytestmark = [pytest.mark.spark, pytest.mark.slow]
SAMPLES = 3


def _each(expected: Expected):
    return pytest.mark.parametrize(
        "pair", [pytest.param(pair, id=pair.name) for pair in PAIRS if pair.expected == expected]
    )


@_each(INEQUIVALENT)
def test_the_witness_gives_two_outcomes(pair: suites.Pair, replayer: SparkReplayer):
    assert pair.witness is not None
    replay = replayer.replay(pair.left, pair.right, pair.witness)
    assert replay.in_sparklite.differs, replay.explain()


@_each(EQUIVALENT)
def test_equivalent_programs_agree_on_random_inputs(pair: Pair, replayer: SparkReplayer):
    generator = random.Random(pair.name)
    samples = [_named(random_environment(pair, generator)) for _ in range(SAMPLES)]
    may_raise = programs(pair)[0].may_raise
    left = replayer.run_on_spark(pair.left, samples, partitions=1)
    right = replayer.run_on_spark(pair.right, samples, partitions=1)
    for sample, one, other in zip(samples, left, right, strict=True):
        assert one.sparklite == other.sparklite, sample
        assert may_raise or not isinstance(one.sparklite, Raised), one.sparklite


def _named(environment: dict[Term, object]) -> dict[str, object]:
    return {name.parameter[0]: python_value(value) for name, value in environment.items()}  # type: ignore[index]
