"""Planted faults: each is found by the default number of examples, and ends at its known minimum, on every engine."""

from __future__ import annotations

import pytest
from tallystick.streaming import for_all_streams
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.tables import failure_text

from .faults import ON_DSTREAMS, ON_FRAMES

SEEDS = range(10)


def _minimum_found(fault, engine, seed):
    """Whether the fault is found with the seed; then it must have ended at its minimum."""
    check = for_all_streams(fault.generator, engine=engine, seed=seed, shrink_seconds=240)
    report = check(fault.subject)(fault.formula).run()
    if report.failure is None:
        return False
    assert dict(report.failure.case.inputs) == fault.minimum
    text = failure_text(report)
    assert "The case as a test:" in text
    assert max(map(len, text.splitlines())) <= 100
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
    _found(fault, dstream_engine)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("fault", ON_FRAMES, ids=lambda fault: fault.name)
def test_a_fault_is_found_in_structured_streaming(fault, structured_engine):
    _found(fault, structured_engine)
