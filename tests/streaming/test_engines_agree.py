"""The local engine and Spark agree on every DStream operation, batch by batch, on random inputs."""

from __future__ import annotations

import operator
from collections import Counter

import pytest
from hypothesis import strategies as st
from tallystick.streaming import batches, map_with_state
from tallystick.streaming.engines.base import Case
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.errors import UnsupportedOperationError
from tallystick.streaming.search import generate_cases

pytestmark = pytest.mark.spark

add, sub = operator.add, operator.sub


def _sum_or_forget(new, before):
    total = sum(new) + (before or 0)
    return total if new or total % 2 else None


def _running_total(key, value, state):
    total = (state or 0) + value
    return (None if total > 9 else total), (key, total)


STATELESS = {
    "map": lambda a, b: a.map(lambda pair: (pair[1], pair[0])),
    "flatMap": lambda a, b: a.flatMap(lambda pair: [pair[0]] * pair[1]),
    "filter": lambda a, b: a.filter(lambda pair: pair[1] > 1),
    "mapValues": lambda a, b: a.mapValues(lambda value: value * 2),
    "flatMapValues": lambda a, b: a.flatMapValues(range),
    "union": lambda a, b: a.union(b),
    "transform": lambda a, b: a.transform(lambda rdd: rdd.keys().distinct()),
    "transform with time": lambda a, b: a.transform(lambda time, rdd: rdd.map(lambda _: time.timestamp())),
    "transformWith": lambda a, b: a.transformWith(lambda left, right: left.subtractByKey(right), b),
    "reduceByKey": lambda a, b: a.reduceByKey(add),
    "combineByKey": lambda a, b: a.combineByKey(lambda v: (v,), lambda c, v: (*c, v), add).mapValues(sorted),
    "groupByKey": lambda a, b: a.groupByKey().mapValues(sorted),
    "reduce": lambda a, b: a.reduce(max),
    "count": lambda a, b: a.count(),
    "countByValue": lambda a, b: a.countByValue(),
    "repartition": lambda a, b: a.repartition(2),
    "join": lambda a, b: a.join(b),
    "leftOuterJoin": lambda a, b: a.leftOuterJoin(b),
    "rightOuterJoin": lambda a, b: a.rightOuterJoin(b),
    "fullOuterJoin": lambda a, b: a.fullOuterJoin(b),
    "cogroup": lambda a, b: a.cogroup(b).mapValues(lambda groups: tuple(map(sorted, groups))),
}
WINDOWS = {
    "window": lambda a, b: a.window(3),
    "window with slide": lambda a, b: a.window(3, 2),
    "window of window": lambda a, b: a.window(2, 2).window(4, 2),
    "reduceByWindow": lambda a, b: a.map(lambda p: p[1]).reduceByWindow(add, None, 3, 1),
    "reduceByWindow inverse": lambda a, b: a.map(lambda p: p[1]).reduceByWindow(add, sub, 5, 1),
    "reduceByKeyAndWindow": lambda a, b: a.reduceByKeyAndWindow(add, None, 3, 1),
    "reduceByKeyAndWindow slide": lambda a, b: a.reduceByKeyAndWindow(add, None, 4, 2),
    "inverse, short window": lambda a, b: a.reduceByKeyAndWindow(add, sub, 3, 1),
    "inverse, long window": lambda a, b: a.reduceByKeyAndWindow(add, sub, 5, 1),
    "inverse, filter": lambda a, b: a.reduceByKeyAndWindow(add, sub, 5, 1, filterFunc=lambda p: p[1] > 0),
    "countByWindow": lambda a, b: a.countByWindow(5, 1),
    "countByValueAndWindow": lambda a, b: a.countByValueAndWindow(5, 1),
    "groupByKeyAndWindow": lambda a, b: a.groupByKeyAndWindow(3, 1).mapValues(sorted),
}
STATE = {
    "updateStateByKey": lambda a, b: a.updateStateByKey(_sum_or_forget),
    "updateStateByKey initial": lambda a, b: a.updateStateByKey(_sum_or_forget, initialRDD=[("c", 7)]),
    "mapWithState": lambda a, b: map_with_state(a, _running_total),
}


def _together(operations):
    return lambda left, right: {name: make(left, right) for name, make in operations.items()}


def _random_cases(count, length):
    pairs = st.tuples(st.sampled_from("abc"), st.integers(0, 3))
    stream = batches.always(batches.of_n_to_m(0, 4, pairs), length)
    # The records of one key in a batch come in no particular order, so each key comes with one value a batch.
    return generate_cases(st.fixed_dictionaries({"left": stream, "right": stream}), count, seed=11)[1:]


def _letters(engine, subject, cases):
    seen = {}

    def watch(index, number, letter):
        seen[index, number] = {name: Counter(map(repr, batch)) for name, batch in letter.items()}
        return True

    assert engine.run(subject, cases, watch) == {}
    return seen


@pytest.mark.parametrize(("operations", "length"), [(STATELESS, 2), (WINDOWS, 8), (STATE, 6)])
def test_the_local_engine_gives_what_spark_gives(dstream_engine, operations, length):
    cases = _random_cases(3, length)
    if operations is STATE:
        cases = [_one_value_a_key(case) for case in cases]
    expected = _letters(dstream_engine, _together(operations), cases)
    ours = _letters(LocalEngine(), _together(operations), cases)
    assert set(ours) == set(expected)
    for place, letter in expected.items():
        for name, batch in letter.items():
            assert ours[place][name] == batch, f"{name} differs in (case, batch) {place} on {cases[place[0]]}"


def _one_value_a_key(case):
    return Case({name: tuple(tuple(dict(batch).items()) for batch in prefix) for name, prefix in case.inputs.items()})


def test_map_with_state_is_also_a_method_of_local_streams(dstream_engine):
    case = [Case({"input": ((("a", 1),), (("a", 2),), ())})]
    by_method = _letters(LocalEngine(), lambda stream: stream.mapWithState(_running_total), case)
    on_spark = _letters(dstream_engine, lambda stream: map_with_state(stream, _running_total), case)
    assert by_method == on_spark


@pytest.mark.parametrize(
    "make",
    [
        lambda stream: stream.window(3).reduceByKeyAndWindow(add, None, 1.5),
        lambda stream: stream.union(stream.window(2, 2)),
        lambda stream: stream.map(lambda pair: pair[2]),
        lambda stream: None,
    ],
    ids=["half a batch", "union of different slides", "a record without a third part", "no output"],
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
