"""Planted faults: each is found by the default number of examples, and ends at its known minimum, on every engine."""

from __future__ import annotations

import pytest
from tallystick.streaming.engines.local import LocalEngine

from .faults import ON_DSTREAMS, ON_FRAMES, attempt

pytestmark = pytest.mark.usefixtures("all_examples")
SEEDS = range(10)
#: On Spark, where each seed takes seconds or minutes; `benchmarks/planted_faults.py` tries ten there too.
SEEDS_ON_SPARK = range(2)


def _minimum_found(fault, engine, seed):
    """Whether the fault is found with the seed; then it must have ended at its minimum."""
    made = attempt(fault, engine, seed)
    if made.report.failure is None:
        return False
    assert dict(made.report.failure.case.inputs) == fault.minimum
    assert "The case as a test:" in made.text
    assert max(map(len, made.text.splitlines())) <= 100
    return True


def _found(fault, engine, seeds=SEEDS):
    found = sum(_minimum_found(fault, engine, seed) for seed in seeds)
    assert found >= 0.9 * len(seeds), f"{fault.name} was found for {found} of {len(seeds)} seeds"


def test_there_are_twenty_planted_faults_and_eight_on_each_engine():
    names = [fault.name for fault in (*ON_DSTREAMS, *ON_FRAMES)]
    assert len(set(names)) == len(names) >= 20
    assert min(len(ON_DSTREAMS), len(ON_FRAMES)) >= 8


@pytest.mark.parametrize("fault", ON_DSTREAMS, ids=lambda fault: fault.name)
def test_a_fault_is_found_on_the_local_engine(fault):
    _found(fault, LocalEngine(), range(2))


@pytest.mark.slow
@pytest.mark.parametrize("fault", ON_DSTREAMS, ids=lambda fault: fault.name)
def test_a_fault_is_found_on_the_local_engine_for_nine_of_ten_seeds(fault):
    _found(fault, LocalEngine())


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("fault", ON_DSTREAMS, ids=lambda fault: fault.name)
def test_a_fault_is_found_on_dstreams(fault, dstream_engine):
    _found(fault, dstream_engine, SEEDS_ON_SPARK)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("fault", ON_FRAMES, ids=lambda fault: fault.name)
def test_a_fault_is_found_in_structured_streaming(fault, structured_engine):
    _found(fault, structured_engine, SEEDS_ON_SPARK)
