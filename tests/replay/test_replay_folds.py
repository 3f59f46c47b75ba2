"""Spark's own folds and SparkLite's, computed on Spark (THEORY section 5)."""

from __future__ import annotations

import pytest
from conftest import WriteFile
from tallystick.experiments import suites
from tallystick.replay import Returned, SparkReplayer

pytestmark = pytest.mark.spark

FOLDS = """
    from operator import add

    def counted(r):
        return r.fold(0, lambda a, x: a + 1)

    def from_five(r):
        return r.fold(5, add)

    def counted_by_key(r):
        return r.foldByKey(0, lambda a, x: a + 1)

    def counted_by_spark(r):
        return (r.count(), r.sum())

    def counted_by_name(r):
        return r.filter(lambda x: x > 0).fold(zeroValue=0, op=lambda a, x: a + 1)

    def nothing(r):
        return r.context.emptyRDD().fold(7, add)
"""


def test_a_count_by_fold_counts_partitions_on_spark_not_elements(replayer: SparkReplayer, write: WriteFile):
    path = write("folds.py", FOLDS)
    (run,) = replayer.run_on_spark(f"{path}:counted", [{"r": [1, 2, 3, 4]}], partitions=2)
    assert (run.written, run.sparklite) == (Returned(2), Returned(4))
    assert run.folds
    assert run.depends_on_meaning


def test_a_zero_that_is_not_neutral_is_added_once_a_partition_and_once_more(replayer: SparkReplayer, write: WriteFile):
    path = write("folds.py", FOLDS)
    (run,) = replayer.run_on_spark(f"{path}:from_five", [{"r": [1, 2, 3]}], partitions=3)
    assert (run.written, run.sparklite) == (Returned(26), Returned(11))


def test_a_count_by_key_is_wrong_on_spark_when_a_key_is_in_two_partitions(replayer: SparkReplayer, write: WriteFile):
    path = write("folds.py", FOLDS)
    elements = [(1, 0)] * 6 + [(2, 0)] * 2
    (run,) = replayer.run_on_spark(f"{path}:counted_by_key", [{"r": elements}], partitions=2)
    assert run.written == Returned({(1, 5): 1, (2, 2): 1})
    assert run.sparklite == Returned({(1, 6): 1, (2, 2): 1})


def test_sparks_own_count_and_sum_are_no_folds_of_the_user(replayer: SparkReplayer, write: WriteFile):
    path = write("folds.py", FOLDS)
    (run,) = replayer.run_on_spark(f"{path}:counted_by_spark", [{"r": [1, 2, 2]}])
    assert (run.written, run.folds) == (Returned((3, 5)), False)


def test_arguments_of_fold_may_be_passed_by_name_after_other_operators(replayer: SparkReplayer, write: WriteFile):
    path = write("folds.py", FOLDS)
    (run,) = replayer.run_on_spark(f"{path}:counted_by_name", [{"r": {-1: 2, 1: 3}}])
    assert run.sparklite == Returned(3)


def test_a_fold_of_an_rdd_without_partitions_is_its_zero(replayer: SparkReplayer, write: WriteFile):
    path = write("folds.py", FOLDS)
    (run,) = replayer.run_on_spark(f"{path}:nothing", [{"r": []}])
    assert (run.written, run.sparklite) == (Returned(7), Returned(7))


def test_a_replay_says_where_the_meanings_differ(replayer: SparkReplayer):
    """CAV's P13 and P14 are equivalent in SparkLite, and differ as they are written."""
    (pair,) = (pair for pair in suites.load("sparklite-cav") if pair.name == "P13/P14")
    replay = replayer.replay(pair.left, pair.right, {"r": [1, 3, 5, 7]})
    assert (replay.as_written.differs, replay.in_sparklite.differs) == (True, False)
    assert replay.depends_on_meaning
    assert replay.explain() == (
        "on Spark, input in 2 partitions: they differ\n"
        "  left   2\n"
        "  right  4\n"
        "on Spark, each fold as one left fold: they agree\n"
        "  left   4\n"
        "  right  4\n"
        "Spark folds each partition from the zero, and then the partial results: here that\n"
        "does not give the value of one left fold."
    )


def test_one_partition_does_not_give_sparks_fold_sparklites_meaning(replayer: SparkReplayer, write: WriteFile):
    path = write("folds.py", FOLDS)
    (run,) = replayer.run_on_spark(f"{path}:counted", [{"r": [1, 2, 3, 4]}], partitions=1)
    assert (run.written, run.sparklite) == (Returned(1), Returned(4))
