"""Programs with DStreams for the differential test: each operation, with arguments that tell its variants apart.

`left` and `right` are streams of pairs of a small integer key and a small integer value. Integer keys, because their
partitions are the same everywhere. Results in which the order of records in a batch or the place of a record in a
partition would show are brought to a form in which it does not, unless Spark promises it.
"""

from __future__ import annotations

import operator
from functools import partial

from tallystick.streaming import map_with_state

add, sub = operator.add, operator.sub


def _values(stream):
    return stream.map(lambda pair: pair[1])


def _rdd(act):
    """A program that applies a function of RDDs to each batch of the first stream."""
    return lambda a, b: a.transform(act)


def _value(take):
    """A program that puts the result of an action on each batch into a batch of its own; what it raises, too."""

    def in_batch(rdd):
        try:
            found = take(rdd)
        except Exception as error:
            found = type(error).__name__
        return rdd.context.parallelize([found], 1)

    return lambda a, b: a.transform(in_batch)


def _both(act):
    return lambda a, b: a.transformWith(act, b)


def _sorted_groups(pair):
    return pair[0], sorted(pair[1])


def _count_or_forget(new, before):
    total = sum(new) + (before or 0)
    return total if new or total % 2 else None


def _history(new, before):
    return [*(before or []), *sorted(new)][-6:]


def _in_place(new, before):
    state = before if before is not None else {}
    for value in sorted(new):
        state[value] = state.get(value, 0) + 1
    return state


def _running(key, value, state):
    total = (state or 0) + value
    return (None if total > 9 else total), (key, total)


def _sum_of(pairs):
    return sum(value for _, value in pairs)


def _rounded(stats):
    return tuple(round(float(part), 9) for part in stats)


RECORDS = {
    "map": lambda a, b: a.map(lambda pair: (pair[1], pair[0])),
    "map preserving": lambda a, b: a.map(lambda pair: (pair[0], -pair[1]), True),
    "flatMap": lambda a, b: a.flatMap(lambda pair: [pair[0]] * pair[1]),
    "filter": lambda a, b: a.filter(lambda pair: pair[1] > 1),
    "mapValues": lambda a, b: a.mapValues(lambda value: value * 2),
    "flatMapValues": lambda a, b: a.flatMapValues(range),
    "mapPartitions": lambda a, b: a.mapPartitions(lambda part: [_sum_of(part)]),
    "mapPartitionsWithIndex": lambda a, b: a.mapPartitionsWithIndex(lambda k, part: [(k, _sum_of(part))]),
    "glom": lambda a, b: a.glom(),
    "glom of key": lambda a, b: a.partitionBy(3).glom().map(sorted),
    "partitionBy": lambda a, b: a.partitionBy(2),
    "partitionBy function": lambda a, b: a.partitionBy(2, lambda key: key // 2).glom().map(sorted),
    "repartition": lambda a, b: a.repartition(3),
    "cache": lambda a, b: a.cache().map(lambda pair: pair[0]),
    "mapPartitions preserving": lambda a, b: a.mapPartitions(list, True).count(),
    "context": lambda a, b: a.filter(partial(_is_in, a.context().sparkContext.broadcast({0, 2}))),
    "count": lambda a, b: a.count(),
    "count of filtered": lambda a, b: a.filter(lambda pair: pair[1] > 9).count(),
    "countByValue": lambda a, b: a.countByValue(),
    "reduce": lambda a, b: a.reduce(max),
    "reduce sums": lambda a, b: _values(a).reduce(add),
    "transform with time": lambda a, b: a.transform(lambda time, rdd: rdd.map(lambda _: time.timestamp())),
    "transform to none": lambda a, b: a.transform(lambda rdd: None if rdd.isEmpty() else rdd.keys()),
}


def _is_in(broadcast, pair):
    return pair[0] in broadcast.value


KEYS = {
    "reduceByKey": lambda a, b: a.reduceByKey(add),
    "reduceByKey partitions": lambda a, b: a.reduceByKey(add, 3).glom().map(sorted),
    "groupByKey": lambda a, b: a.groupByKey().map(_sorted_groups),
    "groupByKey length": lambda a, b: a.groupByKey(1).mapValues(len),
    "combineByKey": lambda a, b: a.combineByKey(lambda v: (v,), lambda c, v: (*c, v), add).map(_sorted_groups),
    "combineByKey counted": lambda a, b: a.combineByKey(lambda v: 1, lambda c, v: c, lambda c, d: c + d),
    "join": lambda a, b: a.join(b),
    "leftOuterJoin": lambda a, b: a.leftOuterJoin(b),
    "rightOuterJoin": lambda a, b: a.rightOuterJoin(b),
    "fullOuterJoin": lambda a, b: a.fullOuterJoin(b, 3),
    "cogroup": lambda a, b: a.cogroup(b).mapValues(lambda groups: tuple(map(sorted, groups))),
    "union": lambda a, b: a.union(b),
    "union of itself": lambda a, b: a.union(a),
    "transformWith": _both(lambda left, right: left.subtractByKey(right)),
    "transformWith time": _both(lambda time, left, right: left.union(right).map(lambda p: (time.timestamp(), p))),
}
BAGS = {
    "distinct": _rdd(lambda rdd: rdd.distinct()),
    "keys": _rdd(lambda rdd: rdd.keys()),
    "values": _rdd(lambda rdd: rdd.values()),
    "keyBy": _rdd(lambda rdd: rdd.keyBy(lambda pair: pair[1])),
    "groupBy": _rdd(lambda rdd: rdd.groupBy(lambda pair: pair[1] % 2).map(_sorted_groups)),
    "groupWith": _both(lambda left, right: left.groupWith(right).mapValues(lambda g: tuple(map(sorted, g)))),
    "intersection": _both(lambda left, right: left.intersection(right)),
    "subtract": _both(lambda left, right: left.subtract(right)),
    "subtractByKey": _both(lambda left, right: left.subtractByKey(right)),
    "cartesian": _both(lambda left, right: left.cartesian(right)),
    "zip": _rdd(lambda rdd: rdd.zip(rdd.map(lambda pair: pair[1]))),
    "zipWithIndex": _rdd(lambda rdd: rdd.zipWithIndex()),
    "zipWithUniqueId": _rdd(lambda rdd: rdd.zipWithUniqueId()),
    "sortBy": _rdd(lambda rdd: rdd.sortBy(lambda pair: pair[1]).map(lambda pair: pair[1]).glom()),
    "sortByKey": _rdd(lambda rdd: rdd.sortByKey().keys().glom()),
    "sortByKey down": _rdd(lambda rdd: rdd.sortByKey(False).keys().glom()),
    "sortByKey one partition": _rdd(lambda rdd: rdd.sortByKey(numPartitions=1).keys().glom()),
    "foldByKey": _rdd(lambda rdd: rdd.foldByKey(1, add)),
    "aggregateByKey": _rdd(lambda rdd: rdd.aggregateByKey((0, 0), _pair_with, _pairs).mapValues(tuple)),
    "aggregateByKey mutable": _rdd(lambda rdd: rdd.aggregateByKey([], _appended, add).map(_sorted_groups)),
    "sample": _rdd(lambda rdd: rdd.sample(False, 0.5, 7)),
    "sample again": _rdd(lambda rdd: rdd.sample(True, 0.7, 7)),
    "sample many": _rdd(lambda rdd: rdd.sample(True, 21.0, 3)),
    "coalesce": _rdd(lambda rdd: rdd.coalesce(1).glom()),
    "coalesce more": _rdd(lambda rdd: rdd.coalesce(5).glom()),
    "union of rdds": _rdd(lambda rdd: rdd.context.union([rdd, rdd.keys()])),
    "parallelize": _rdd(lambda rdd: rdd.context.parallelize(range(5), 3).glom()),
    "parallelize list": _rdd(lambda rdd: rdd.context.parallelize(rdd.collect(), 3).glom()),
    "emptyRDD": _rdd(lambda rdd: rdd.context.emptyRDD()),
    "rdd.mapPartitionsWithIndex": _rdd(lambda rdd: rdd.mapPartitionsWithIndex(lambda k, part: [(k, len(list(part)))])),
    "rdd.partitionBy": _rdd(lambda rdd: rdd.partitionBy(4).glom().map(sorted)),
}


def _pair_with(pair, value):
    return pair[0] + value, pair[1] + 1


def _pairs(left, right):
    return left[0] + right[0], left[1] + right[1]


def _appended(values, value):
    values.append(value)
    return values


ACTIONS = {
    "collect": _value(lambda rdd: rdd.collect()),
    "collectAsMap": _value(lambda rdd: rdd.reduceByKey(add).collectAsMap()),
    "rdd.count": _value(lambda rdd: rdd.count()),
    "rdd.countByValue": _value(lambda rdd: sorted(rdd.countByValue().items())),
    "countByKey": _value(lambda rdd: sorted(rdd.countByKey().items())),
    "isEmpty": _value(lambda rdd: rdd.isEmpty()),
    "first": _value(lambda rdd: rdd.first()),
    "take": _value(lambda rdd: rdd.take(2)),
    "takeOrdered": _value(lambda rdd: rdd.takeOrdered(2)),
    "takeOrdered key": _value(lambda rdd: rdd.takeOrdered(2, lambda pair: (-pair[1], pair[0]))),
    "top": _value(lambda rdd: rdd.top(2)),
    "top key": _value(lambda rdd: rdd.top(3, lambda pair: (pair[1], pair[0]))),
    "lookup": _value(lambda rdd: sorted(rdd.lookup(1))),
    "rdd.reduce": _value(lambda rdd: rdd.values().reduce(sub)),
    "treeReduce": _value(lambda rdd: rdd.values().treeReduce(add)),
    "fold": _value(lambda rdd: rdd.values().fold(1, add)),
    "aggregate": _value(lambda rdd: rdd.values().aggregate((0, 1), _pair_with, _pairs)),
    "treeAggregate": _value(lambda rdd: rdd.values().treeAggregate(1, add, add)),
    "reduceByKeyLocally": _value(lambda rdd: sorted(rdd.reduceByKeyLocally(add).items())),
    "sum": _value(lambda rdd: rdd.values().sum()),
    "max": _value(lambda rdd: rdd.max()),
    "max key": _value(lambda rdd: rdd.max(lambda pair: (pair[1], pair[0]))),
    "min": _value(lambda rdd: rdd.min()),
    "mean": _value(lambda rdd: round(rdd.values().mean(), 9)),
    "stats": _value(lambda rdd: _rounded(_parts(rdd.values().stats()))),
    "variance": _value(lambda rdd: round(rdd.values().variance(), 9)),
    "stdev": _value(lambda rdd: round(rdd.values().stdev(), 9)),
    "sampleVariance": _value(lambda rdd: round(rdd.values().sampleVariance(), 9)),
    "getNumPartitions": _value(lambda rdd: rdd.getNumPartitions()),
}


def _parts(stats):
    return stats.count(), stats.mean(), stats.sum(), stats.min(), stats.max()


WINDOWS = {
    "window": lambda a, b: a.window(3),
    "window one": lambda a, b: a.window(1),
    "window slide": lambda a, b: a.window(3, 2),
    "window 1 2": lambda a, b: a.window(1, 2),
    "window 2 4": lambda a, b: a.window(2, 4),
    "window of window": lambda a, b: a.window(2, 2).window(4, 2),
    "window of count": lambda a, b: a.count().window(3),
    "reduceByWindow": lambda a, b: _values(a).reduceByWindow(add, None, 3, 1),
    "reduceByWindow slide": lambda a, b: _values(a).reduceByWindow(add, None, 2, 3),
    "reduceByWindow inverse": lambda a, b: _values(a).reduceByWindow(add, sub, 5, 1),
    "reduceByKeyAndWindow": lambda a, b: a.reduceByKeyAndWindow(add, None, 3, 1),
    "reduceByKeyAndWindow 1 3": lambda a, b: a.reduceByKeyAndWindow(add, None, 1, 3),
    "reduceByKeyAndWindow 4 2": lambda a, b: a.reduceByKeyAndWindow(add, None, 4, 2),
    "inverse short": lambda a, b: a.reduceByKeyAndWindow(add, sub, 3, 1),
    "inverse long": lambda a, b: a.reduceByKeyAndWindow(add, sub, 5, 1),
    "inverse slide": lambda a, b: a.reduceByKeyAndWindow(add, sub, 10, 2),
    "inverse 1 3": lambda a, b: a.reduceByKeyAndWindow(add, sub, 1, 3),
    "inverse filter": lambda a, b: a.reduceByKeyAndWindow(add, sub, 5, 1, filterFunc=lambda pair: pair[1] > 0),
    "countByWindow": lambda a, b: a.countByWindow(5, 1),
    "countByWindow slide": lambda a, b: a.countByWindow(2, 3),
    "countByValueAndWindow": lambda a, b: a.countByValueAndWindow(5, 1),
    "groupByKeyAndWindow": lambda a, b: a.groupByKeyAndWindow(3, 1).map(_sorted_groups),
    "groupByKeyAndWindow slide": lambda a, b: a.groupByKeyAndWindow(2, 4).map(_sorted_groups),
    "join of windows": lambda a, b: a.window(2).join(b.window(3)),
    "union of windows": lambda a, b: a.window(2, 2).union(b.window(4, 2)),
}
STATE = {
    "updateStateByKey": lambda a, b: a.updateStateByKey(_count_or_forget),
    "updateStateByKey partitions": lambda a, b: a.updateStateByKey(_count_or_forget, 3),
    "updateStateByKey initial": lambda a, b: a.updateStateByKey(_count_or_forget, initialRDD=[(5, 7), (0, 2)]),
    "updateStateByKey rdd": lambda a, b: a.updateStateByKey(
        _count_or_forget, initialRDD=a.context().sparkContext.parallelize([(5, 7)], 1)
    ),
    "updateStateByKey history": lambda a, b: a.updateStateByKey(_history),
    "updateStateByKey in place": lambda a, b: a.updateStateByKey(_in_place),
    "state of a window": lambda a, b: a.window(2, 2).updateStateByKey(_count_or_forget),
    "window of a state": lambda a, b: a.updateStateByKey(_count_or_forget).window(2, 2),
    "join with state": lambda a, b: a.join(b.updateStateByKey(_count_or_forget)),
    "state of state": lambda a, b: a.updateStateByKey(_count_or_forget).updateStateByKey(_history),
    # The records of one key in a batch come in no particular order, so each key has one value in a batch.
    "map_with_state": lambda a, b: map_with_state(a.reduceByKey(add), _running),
    "map_with_state timeout": lambda a, b: map_with_state(
        a.filter(lambda pair: pair[1] > 1).reduceByKey(add), _running, timeout=1, on_timeout=lambda k, s: (k, -s)
    ),
    "map_with_state initial": lambda a, b: map_with_state(a.reduceByKey(max), _running, initial=[(0, 3), (7, 1)]),
}
GROUPS = {
    "records": RECORDS,
    "keys": KEYS,
    "bags": BAGS,
    "actions": ACTIONS,
    "windows": WINDOWS,
    "state": STATE,
}
