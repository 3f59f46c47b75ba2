# Names and parameters of what is replaced are PySpark's.
# ruff: noqa: N803
"""A hundred and fifty drawn programs do the same on Spark and on the local engine, errors included.

Spark runs each program once. Then, for each thing in which the local engine might differ from Spark, the difference is
planted, and some program must show it.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from tallystick.streaming.describe import shown
from tallystick.streaming.engines.base import Case
from tallystick.streaming.engines.local import LocalEngine, actions, by_key, dstream, partitions, rdd, windows
from tallystick.streaming.engines.local.dstream import LocalDStream
from tallystick.streaming.engines.local.hashing import portable_hash
from tallystick.streaming.engines.local.rdd import LocalContext, LocalRDD
from tallystick.streaming.errors import UnsupportedOperationError

from . import drawn, programs
from .drawn import Drawn

PROGRAMS = 150
#: Programs that go well run side by side; one that fails may end the streaming context.
TOGETHER = 25
LEFT = (
    ((0, 1), (1, 2), (0, 3), (2, 1), (3, 3)),
    ((1, 1),),
    (),
    ((0, 2), (1, 3), (1, 2)),
    ((2, 2), (2, 1), (3, 1), (0, 1)),
    ((1, 1), (1, 0)),
    ((3, 2),),
)
RIGHT = (((1, 5),), ((0, 7), (1, 6)), ((2, 2),), (), ((1, 1), (1, 2)), (), ((3, 3), (0, 0)))
CASE = Case({"left": LEFT, "right": RIGHT})


def outcomes(engine, made):
    """For each program, what it gives in each batch, and the class of what it raises at last, with the batch."""
    seen = {name: [] for name in made}

    def watch(_, __, letter):
        for name in made:
            seen[name].append(Counter(map(shown, letter[name])))
        return True

    failures = engine.run(lambda left, right: {name: make(left, right) for name, make in made.items()}, [CASE], watch)
    error = failures.get(0)
    return {name: (batches, error and (error.batch, error.cause.partition(":")[0])) for name, batches in seen.items()}


def on_the_local_engine(program):
    """What a program does on the local engine; None if that refuses it."""
    try:
        return outcomes(LocalEngine(), {"program": program})["program"]
    except UnsupportedOperationError:
        return None


def drawn_programs():
    """Programs that the local engine does not refuse, by seed."""
    seeds = (seed for seed in range(2 * PROGRAMS) if on_the_local_engine(Drawn(seed)) is not None)
    return [Drawn(seed) for seed in islice(seeds, PROGRAMS)]


@pytest.fixture(scope="module")
def on_spark(dstream_engine):
    """What each program does on Spark."""
    from pyspark.cloudpickle import cloudpickle

    for module in (drawn, programs):
        cloudpickle.register_pickle_by_value(module)
    chosen = drawn_programs()
    expected = {program.name: on_the_local_engine(program) for program in chosen}
    well = [program for program in chosen if expected[program.name][1] is None]
    found = {}
    for start in range(0, len(well), TOGETHER):
        together = {program.name: program for program in well[start : start + TOGETHER]}
        made = outcomes(dstream_engine, together)
        if any(error for _, error in made.values()):
            made = {name: outcomes(dstream_engine, {name: program})[name] for name, program in together.items()}
        found |= made
    for program in chosen:
        if program.name not in found:
            found |= outcomes(dstream_engine, {program.name: program})
    yield {program: found[program.name] for program in chosen}
    for module in (drawn, programs):
        cloudpickle.unregister_pickle_by_value(module)


def different(on_spark):
    """The programs that do something else on the local engine, with what they do on both."""
    found = {}
    for program, expected in on_spark.items():
        ours = on_the_local_engine(program)
        if ours != expected:
            found[program.name] = {"Spark": expected, "here": ours}
    return found


def test_programs_are_drawn_from_all_operations_and_many_fail():
    chosen = drawn_programs()
    assert len(chosen) == PROGRAMS
    outcomes_ = [on_the_local_engine(program) for program in chosen]
    assert sum(error is not None for _, error in outcomes_) >= PROGRAMS // 10
    assert sum(any(batches) for batches, _ in outcomes_) >= PROGRAMS // 2


@pytest.mark.spark
@pytest.mark.slow
def test_all_programs_do_on_the_local_engine_what_they_do_on_spark(on_spark):
    assert different(on_spark) == {}


class Plants:
    """Ways in which the local engine might differ from Spark: each changes it."""

    @staticmethod
    def every_function_gets_copies(patch):
        given = LocalRDD._given

        def copies(self):
            of = given(self)
            return lambda k: iter(partitions.Stored.of(of(k)))

        patch.setattr(LocalRDD, "_given", copies)

    @staticmethod
    def nothing_is_copied(patch):
        patch.setattr(partitions, "_is_fixed", lambda value: True)

    @staticmethod
    def cached_records_are_not_pickled(patch):
        patch.setattr(LocalRDD, "cache", lambda self: self)
        patch.setattr(LocalRDD, "persist", lambda self, storageLevel=None: self)

    @staticmethod
    def cached_streams_are_one_stage(patch):
        patch.setattr(LocalDStream, "cache", lambda self: self)

    @staticmethod
    def a_window_of_nothing_is_an_error(patch):
        window = LocalDStream.window

        def refusing(self, width, slide=None):
            if width == 0:
                raise ValueError("a window of 0")
            return window(self, width, slide)

        patch.setattr(LocalDStream, "window", refusing)

    @staticmethod
    def a_negative_slide_is_an_error(patch):
        window = LocalDStream.window

        def refusing(self, width, slide=None):
            if isinstance(slide, int) and slide < 0:
                raise ValueError("a negative slide")
            return window(self, width, slide)

        patch.setattr(LocalDStream, "window", refusing)

    @staticmethod
    def a_slide_of_0_is_that_of_the_stream(patch):
        window = LocalDStream._window
        patch.setattr(LocalDStream, "_window", lambda self, width, slide: window(self, width, slide or None))

    @staticmethod
    def persist_needs_no_level(patch):
        patch.setattr(LocalDStream, "persist", lambda self, storageLevel=None: self.cache())

    @staticmethod
    def repartition_deals_out_single_records(patch):
        patch.setattr(rdd, "MOVED_TOGETHER", 1)

    @staticmethod
    def repartition_begins_with_the_first_partition(patch):
        patch.setattr(partitions, "_first_random_number", lambda seed, bound: 0)

    @staticmethod
    def unions_keep_all_partitions_apart(patch):
        made = LocalRDD._made
        patch.setattr(LocalRDD, "_made", lambda self, count, compute, *more, width=None: made(self, count, compute))

    @staticmethod
    def a_transform_is_called_once_for_all(patch):
        patch.setattr(dstream._Transformed, "_is_kept", True, raising=False)
        patch.setattr(
            LocalDStream,
            "__setattr__",
            lambda self, name, value: None if name == "_is_kept" else object.__setattr__(self, name, value),
        )

    @staticmethod
    def no_batch_is_no_batch_of_two(patch):
        between = LocalDStream.transformWith

        def strict(self, func, other, keepSerializer=False):
            made = between(self, func, other)
            compute = made._compute
            made._compute = lambda n: None if self.rdd(n) is None or other.rdd(n) is None else compute(n)
            return made

        patch.setattr(LocalDStream, "transformWith", strict)

    @staticmethod
    def a_stop_is_an_error_everywhere(patch):
        patch.setattr(
            LocalDStream,
            "map",
            lambda self, f, preservesPartitioning=False: self.transform(lambda r: r.map(f, preservesPartitioning)),
        )

    @staticmethod
    def no_partition_is_an_error(patch):
        partition_by = by_key.ByKey.partitionBy

        def refusing(self, numPartitions, partitionFunc=portable_hash):
            if isinstance(numPartitions, int) and numPartitions < 1:
                raise ValueError("no partition")
            return partition_by(self, numPartitions, partitionFunc)

        patch.setattr(LocalRDD, "partitionBy", refusing)

    @staticmethod
    def actions_compute_everything(patch):
        patch.setattr(actions.Actions, "take", lambda self, num: self.collect()[: max(num, 0)])

    @staticmethod
    def an_action_raises_what_a_function_has_raised(patch):
        patch.setattr(
            actions.Actions,
            "of_partitions",
            lambda self, ks: [r for part in [self.stored(k) for k in ks] for r in part],
        )

    @staticmethod
    def an_inverse_is_always_used(patch):
        patch.setattr(windows, "_SLIDES_FOR_AN_INVERSE", 1)

    @staticmethod
    def keys_are_placed_by_their_text(patch):
        place = lambda key: len(repr(key))  # noqa: E731
        patch.setattr(LocalRDD, "partitionBy", _with_default(by_key.ByKey.partitionBy, place))

    @staticmethod
    def samples_are_of_other_random_numbers(patch):
        patch.setattr(
            "tallystick.streaming.engines.local.sampling._numbers", lambda seed, k: __import__("random").Random(k)
        )

    @staticmethod
    def an_empty_rdd_has_partitions(patch):
        patch.setattr(LocalContext, "emptyRDD", lambda self: self.parallelize([]))


def _with_default(partition_by, place):
    def replaced(self, numPartitions, partitionFunc=portable_hash):
        return partition_by(self, numPartitions, place if partitionFunc is portable_hash else partitionFunc)

    return replaced


PLANTS = [name for name in vars(Plants) if not name.startswith("_")]


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_difference_is_found(on_spark, plant, monkeypatch):
    getattr(Plants, plant)(monkeypatch)
    assert different(on_spark) != {}
