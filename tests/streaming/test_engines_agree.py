"""The local engine and Spark agree on every DStream operation, batch by batch, on random inputs.

No difference is known. (`tests/streaming/programs.py` says in which form results are compared.)
"""

from __future__ import annotations

import operator
from collections import Counter

import pytest
from hypothesis import strategies as st
from tallystick.streaming import batches, map_with_state
from tallystick.streaming.describe import shown
from tallystick.streaming.engines.base import Case
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.errors import UnsupportedOperationError
from tallystick.streaming.search import generate_cases

from . import programs as all_programs
from .programs import GROUPS

add = operator.add
LETTERS = 36
#: A program, by name, for which the engines are known to differ, and the page of Spark's documentation that says why.
KNOWN_DIFFERENCES: dict[str, str] = {}


def _case(seed):
    """Thirty-six letters of two streams of pairs; some batches are empty."""
    pairs = st.tuples(st.integers(0, 3), st.integers(0, 3))
    stream = batches.always(batches.of_n_to_m(0, 5, pairs), LETTERS)
    return generate_cases(st.fixed_dictionaries({"left": stream, "right": stream}), 3, seed)[-1]


def _letters(engine, subject, cases):
    seen = {}

    def watch(index, number, letter):
        seen[index, number] = {name: Counter(map(shown, batch)) for name, batch in letter.items()}
        return True

    assert engine.run(subject, cases, watch) == {}
    return seen


@pytest.fixture(autouse=True)
def _programs_travel_by_value():
    """The workers cannot import this folder's modules."""
    from pyspark.cloudpickle import cloudpickle

    cloudpickle.register_pickle_by_value(all_programs)
    yield
    cloudpickle.unregister_pickle_by_value(all_programs)


def test_there_are_enough_programs():
    names = [name for programs in GROUPS.values() for name in programs]
    assert len(names) == len(set(names)) >= 120
    assert set(KNOWN_DIFFERENCES) <= set(names)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_the_local_engine_gives_what_spark_gives(dstream_engine, group):
    """All programs of a group run in one streaming context, so that an instant costs about one job each."""
    _agree(dstream_engine, GROUPS[group], _case(seed=11))


@pytest.mark.spark
@pytest.mark.parametrize("group", GROUPS)
def test_the_engines_agree_on_a_few_letters(dstream_engine, group):
    case = _case(seed=5)
    _agree(dstream_engine, GROUPS[group], Case({name: prefix[:3] for name, prefix in case.inputs.items()}))


def _agree(spark_engine, programs, case):
    def subject(left, right):
        return {name: make(left, right) for name, make in programs.items()}

    expected = _letters(spark_engine, subject, [case])
    ours = _letters(LocalEngine(), subject, [case])
    assert set(ours) == set(expected) == {(0, number) for number in range(1, case.length + 1)}
    different = {
        name: (number, letter[name], ours[0, number][name])
        for (_, number), letter in reversed(expected.items())
        for name in programs
        if letter[name] != ours[0, number][name]
    }
    assert {name: found for name, found in different.items() if name not in KNOWN_DIFFERENCES} == {}


def _running_total(key, value, state):
    total = (state or 0) + value
    return (None if total > 9 else total), (key, total)


@pytest.mark.spark
def test_map_with_state_is_also_a_method_of_local_streams(dstream_engine):
    case = [Case({"input": ((("a", 1),), (("a", 2),), ())})]
    by_method = _letters(LocalEngine(), lambda stream: stream.mapWithState(_running_total), case)
    on_spark = _letters(dstream_engine, lambda stream: map_with_state(stream, _running_total), case)
    assert by_method == on_spark


@pytest.mark.spark
@pytest.mark.parametrize(
    "make",
    [
        lambda stream: stream.window(3).reduceByKeyAndWindow(add, None, 1.5),
        lambda stream: stream.union(stream.window(2, 2)),
        lambda stream: stream.map(lambda pair: pair[2]),
        lambda stream: None,
        lambda stream: {"output": stream, "sum": 5},
    ],
    ids=["half a batch", "union of different slides", "a record without a third part", "no output", "no stream"],
)
def test_both_engines_report_the_same_failures(dstream_engine, make):
    case = [Case({"input": ((), (("a", 1),))})]
    ours, on_spark = (engine.run(make, case, lambda *_: True) for engine in (LocalEngine(), dstream_engine))
    assert str(ours[0]) == str(on_spark[0])


def test_an_operation_that_the_local_engine_lacks_is_an_error_that_says_so():
    case = [Case({"input": ((1,),)})]
    with pytest.raises(UnsupportedOperationError, match="no DStream operation 'saveAsTextFiles'; use Spark"):
        LocalEngine().run(lambda stream: stream.saveAsTextFiles("x"), case, lambda *_: True)
    with pytest.raises(UnsupportedOperationError, match="no RDD operation 'pipe'; use Spark"):
        LocalEngine().run(lambda s: s.transform(lambda rdd: rdd.pipe("cat")), case, lambda *_: True)
    with pytest.raises(UnsupportedOperationError, match="no SparkContext operation 'textFile'; use Spark"):
        LocalEngine().run(lambda s: s.context().sparkContext.textFile("x"), case, lambda *_: True)
