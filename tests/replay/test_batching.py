"""All inputs of a program share one Spark job for each of its actions, and each has the outcome that it has alone."""

from __future__ import annotations

import pytest
from conftest import WriteFile
from tallystick.replay import Partitioned, Raised, Returned, SparkReplayer
from tallystick.replay.batching import MOST_RUNS

pytestmark = pytest.mark.spark

JOBS = """
    def jobs_so_far(r):
        total = r.sum()
        r.map(lambda x: x + total).distinct().count()
        return r.context._jsc.sc().dagScheduler().numTotalJobs()
"""
PROGRAMS = """
    def inverses(r):
        return r.map(lambda x: 12 // x)

    def twice_if_positive(r):
        return r.cartesian(r).map(lambda p: p[0] - p[1]) if r.fold(0, lambda a, x: a + x) > 0 else r

    def same(r):
        return r
"""


def test_inputs_share_one_job_for_each_action(replayer: SparkReplayer, write: WriteFile):
    """A sum and a count are two jobs, whatever the number of inputs."""
    program = f"{write('jobs.py', JOBS)}:jobs_so_far"
    before = replayer.run_on_spark(program, [{"r": {1: 1}}])[0].written
    assert isinstance(before, Returned)
    runs = replayer.run_on_spark(program, [{"r": {number: number}} for number in range(7)])
    assert {run.written for run in runs} == {Returned(before.value + 2)}  # type: ignore[operator]


def test_an_input_on_which_a_program_raises_costs_the_others_nothing(replayer: SparkReplayer, write: WriteFile):
    program = f"{write('programs.py', PROGRAMS)}:inverses"
    runs = replayer.run_on_spark(program, [{"r": {3: 2}}, {"r": {1: 1, 0: 1}}, {"r": {}}])
    assert [run.written for run in runs] == [Returned({4: 2}), Raised("ZeroDivisionError", ""), Returned({})]


def test_inputs_may_take_different_ways_through_a_program(replayer: SparkReplayer, write: WriteFile):
    """Some runs have ended, or want other actions, when others still collect."""
    program = f"{write('programs.py', PROGRAMS)}:twice_if_positive"
    runs = replayer.run_on_spark(program, [{"r": bag} for bag in ({5: 1, 2: 1}, {-5: 1}, {}, {1: 2})])
    expected = [Returned(bag) for bag in ({0: 2, 3: 1, -3: 1}, {-5: 1}, {}, {0: 4})]
    assert [run.sparklite for run in runs] == expected


def test_more_inputs_than_a_batch_has_come_back_in_their_order(replayer: SparkReplayer, write: WriteFile):
    program = f"{write('programs.py', PROGRAMS)}:same"
    runs = replayer.run_on_spark(program, [{"r": {number: 1}} for number in range(MOST_RUNS + 3)], partitions=1)
    assert [run.written for run in runs] == [Returned({number: 1}) for number in range(MOST_RUNS + 3)]


def test_elements_keep_their_order_over_partitions(replayer: SparkReplayer, write: WriteFile):
    program = f"{write('ordered.py', 'def elements(r): return (0, *r.collect())')}:elements"
    inputs = [Partitioned(((5,), (3, 4), (), (1, 2))), Partitioned(((7, 6), (8,))), Partitioned(())]
    runs = replayer.run_on_spark(program, [{"r": each} for each in inputs])
    assert [run.written for run in runs] == [Returned((0, 5, 3, 4, 1, 2)), Returned((0, 7, 6, 8)), Returned((0,))]
