"""Input in given partitions, and what each fold returns on Spark."""

from __future__ import annotations

import pytest
from conftest import WriteFile
from tallystick.replay import Partitioned, Raised, ReplayError, Returned, SparkReplayer

pytestmark = pytest.mark.spark

JOBS = """
    def looks(r):
        return r.mapPartitionsWithIndex(lambda index, part: [(index, x) for x in part])

    def folds(r):
        def add(a, x):
            return a + x

        first = r.fold(0, add)
        return first + (
            r.map(lambda x: (x % 2, x))
            .reduceByKey(add)
            .values()
            .fold(5, add)
        ) + r.count() + r.sum()

    def fails(r):
        return r.fold(0, lambda a, x: a // x)
"""
PARTS = ((1, 2), (), (3, 1))


def test_an_input_has_the_partitions_that_are_given(replayer: SparkReplayer, write: WriteFile):
    given = [{"r": Partitioned(PARTS)}, {"r": Partitioned(((7,),))}]
    spread, single = replayer.run_on_spark(f"{write('jobs.py', JOBS)}:looks", given)
    assert spread.written == Returned({(0, 1): 1, (0, 2): 1, (2, 3): 1, (2, 1): 1})
    assert single.written == Returned({(0, 7): 1})


def test_folds_of_user_code_are_observed_in_their_order_with_line_partitions_and_value(
    replayer: SparkReplayer, write: WriteFile
):
    path = write("jobs.py", JOBS)
    (observed,) = replayer.observe_folds(f"{path}:folds", [{"r": Partitioned(PARTS)}])
    assert [(fold.method, fold.line, fold.path) for fold in observed] == [
        ("fold", 9, path),
        ("reduceByKey", 12, path),
        ("fold", 14, path),
    ]
    assert observed[0].partitions == PARTS
    assert observed[1].partitions == (((1, 1), (0, 2)), (), ((1, 3), (1, 1)))
    assert [fold.outcome for fold in observed[:2]] == [Returned(7), Returned({(0, 2): 1, (1, 5): 1})]
    assert sorted(each for part in observed[2].partitions for each in part) == [2, 5]
    assert observed[2].outcome == Returned(7 + 5 * (1 + len(observed[2].partitions)))


def test_a_fold_without_partitions_and_one_that_raises_are_observed_too(replayer: SparkReplayer, write: WriteFile):
    path = write("jobs.py", JOBS)
    none, failing = replayer.observe_folds(f"{path}:fails", [{"r": Partitioned(())}, {"r": Partitioned(((0,),))}])
    assert (none[0].partitions, none[0].outcome) == ((), Returned(0))
    assert isinstance(failing[0].outcome, Raised)
    assert failing[0].outcome.error == "ZeroDivisionError"


def test_partitions_hold_values_of_one_type(replayer: SparkReplayer):
    with pytest.raises(ReplayError, match="the value of r cannot be given to Spark: the elements of a bag are of one"):
        replayer.observe_folds(f"{__file__}:anything", [{"r": Partitioned(((1,), (True,)))}])
