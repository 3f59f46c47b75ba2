"""Programs that are drawn: any operation, behind other operations, with arguments that nobody would write.

A program is one of `programs.GROUPS` or of `ODD` on two streams of pairs, each of which may first have gone through
some of `BEFORE`. Names say what a program is made of.
"""

from __future__ import annotations

import operator
import random

from .programs import GROUPS

add, sub = operator.add, operator.sub
SIZES = (0, 1, 2, 3, 5, -1, -2)


def _numbers_below(n):
    return (each for each in range(n))


def _generators(stream):
    return stream.map(lambda pair: (pair[0], _numbers_below(pair[1])))


def _summed(stream):
    return stream.map(lambda pair: (pair[0], sum(pair[1])))


def _every_second(time, rdd):
    return rdd if int(time.timestamp()) % 2 else None


def _numbered():
    """A function of RDDs that counts how often it was called."""
    calls = []

    def number(rdd):
        calls.append(0)
        count = len(calls)
        return rdd.map(lambda pair: (pair[0], pair[1] + count))

    return number


def _total(new, before):
    return sum(new) + (before or 0)


def _in_place(pair):
    pair[1].append(9)
    return pair


def _level():
    from pyspark import StorageLevel

    return StorageLevel.MEMORY_ONLY


def _three(pair):
    if pair[1] == 3:
        raise ValueError("three")
    return pair


def _caught(take):
    def in_batch(rdd):
        try:
            found = take(rdd)
        except Exception as error:
            found = type(error).__name__
        return rdd.context.parallelize([found], 1)

    return in_batch


#: What is done to a stream of pairs of numbers, which stays one.
BEFORE = {
    "map": lambda draw, s: s.map(lambda pair: (pair[0], pair[1] + 1)),
    "map kept": lambda draw, s: s.map(lambda pair: (pair[0], pair[1] % 3), True),
    "exchanged as if kept": lambda draw, s: s.partitionBy(2).map(lambda pair: (pair[1], pair[0]), True),
    "filter": lambda draw, s: s.filter(lambda pair: pair[1] != 1),
    "flatMap": lambda draw, s: s.flatMap(lambda pair: [pair] * pair[1]),
    "window": lambda draw, s: s.window(draw((0, 1, 2, 3, -1))),
    "window slide": lambda draw, s: s.window(draw((0, 1, 2, 4, -2)), draw((1, 2, -1, -2, None))),
    "reduceByKey": lambda draw, s: s.reduceByKey(add, draw((*SIZES, None))),
    "max": lambda draw, s: s.reduceByKey(max, draw((1, 2, 3))),
    "partitionBy": lambda draw, s: s.partitionBy(draw((*SIZES, None))),
    "repartition": lambda draw, s: s.repartition(draw((1, 2, 3, 4, 5, 16))),
    "cache": lambda draw, s: s.map(lambda pair: (pair[0], pair[1] * 2)).cache(),
    "persist": lambda draw, s: s.map(lambda pair: (pair[1], pair[1])).persist(_level()),
    "checkpoint": lambda draw, s: s.map(lambda pair: (pair[0], 1)).checkpoint(1),
    "state": lambda draw, s: s.updateStateByKey(_total, draw((None, 1, 2, 3))),
    "glom": lambda draw, s: s.glom().flatMap(lambda part: part),
    "generators": lambda draw, s: _summed(_generators(s)),
    "generators filtered": lambda draw, s: _summed(_generators(s).filter(bool).transform(lambda rdd: rdd.map(tuple))),
    "partition generator": lambda draw, s: s.mapPartitions(lambda part: ((key, -value) for key, value in part)),
    "groups": lambda draw, s: s.groupByKey(draw((None, 1, 3))).mapValues(sum),
    "every second": lambda draw, s: s.transform(_every_second).cache(),
    "numbered": lambda draw, s: s.transform(_numbered()),
    "numbered and cached": lambda draw, s: s.transform(_numbered()).cache(),
    "union with itself": lambda draw, s: s.union(s),
    "union partitioned": lambda draw, s: s.partitionBy(2).union(s.partitionBy(draw((2, 3)))),
    "join": lambda draw, s: s.join(s.window(draw((1, 2)))).mapValues(lambda two: two[0] - two[1]),
    "inverse": lambda draw, s: s.reduceByKeyAndWindow(add, sub, draw((0, 1, 3, 5, 6)), draw((1, 1, None))),
    "coalesce": lambda draw, s: s.repartition(5).transform(lambda rdd: rdd.coalesce(2)),
}

#: What ends a program: `draw` chooses one of several arguments.
ODD = {
    "window": lambda draw, a, b: a.window(draw((0, -1, 1.5, 2.0, True, "2", None, 0.0001))),
    "window slide": lambda draw, a, b: a.window(draw((0, 2, -2)), draw((0, 1, -1, -2, 0.5, None))),
    "window glom": lambda draw, a, b: a.window(draw((0, 2, 3)), draw((1, 2, -1))).glom(),
    "window of partitioned": lambda draw, a, b: a.partitionBy(draw((1, 2, 3))).window(2).glom(),
    "countByWindow": lambda draw, a, b: a.countByWindow(draw((0, 1, 5)), draw((0, 1, 2))),
    "countByValueAndWindow": lambda draw, a, b: a.countByValueAndWindow(draw((0, 2, 5)), 1, draw(SIZES)),
    "groupByKeyAndWindow": lambda draw, a, b: a.groupByKeyAndWindow(draw((0, 2, 5)), 1, draw((None, 3))).mapValues(
        sorted
    ),
    "reduceByWindow": lambda draw, a, b: a.map(sum).reduceByWindow(
        draw((add, max)), None, draw((0, 2)), draw((1, -1, 0, None))
    ),
    "reduceByKeyAndWindow": lambda draw, a, b: a.reduceByKeyAndWindow(
        add, draw((None, sub)), draw((0, 2, 6)), draw((1, 2, 0)), draw((None, 0, 3))
    ),
    "filter of a window": lambda draw, a, b: a.reduceByKeyAndWindow(
        add, draw((None, sub)), draw((2, 5)), 1, filterFunc=lambda p: p[1] > 2
    ),
    "persist": lambda draw, a, b: a.persist(*draw(((), (None,), (5,), (_level(),)))).map(sum),
    "cache of generators": lambda draw, a, b: _summed(_generators(a).cache()),
    "checkpoint": lambda draw, a, b: a.map(sum).checkpoint(draw((0, 1, 2, -1, 1.5))),
    "checkpoint of generators": lambda draw, a, b: _summed(_generators(a).checkpoint(1)),
    "generators": lambda draw, a, b: _generators(a),
    "generators in a union": lambda draw, a, b: _generators(a).union(b).count(),
    "generators for two": lambda draw, a, b: (lambda g: _summed(g).union(g.mapValues(list).mapValues(len)))(
        _generators(a)
    ),
    "generators in a shuffle": lambda draw, a, b: _generators(a).groupByKey().mapValues(len),
    "generators in a window": lambda draw, a, b: _generators(a).window(2).count(),
    "generators in a state": lambda draw, a, b: _generators(a).updateStateByKey(lambda new, before: len(new)),
    "generators counted": lambda draw, a, b: _generators(a).count(),
    "generators in glom": lambda draw, a, b: _generators(a).glom().map(lambda part: [(k, sum(g)) for k, g in part]),
    "functions": lambda draw, a, b: (
        a.mapValues(lambda v: lambda: v).groupByKey().mapValues(lambda fs: sorted(f() for f in fs))
    ),
    "repartition": lambda draw, a, b: a.repartition(draw((0, -1, None, 2.5, True, 1, 2, 3))),
    "repartition glom": lambda draw, a, b: a.repartition(draw((1, 2, 3, 4, 5, 7, 16))).glom(),
    "repartition of many": lambda draw, a, b: a.flatMap(lambda p: range(30 * p[1])).repartition(draw((2, 3, 5))).glom(),
    "repartition twice": lambda draw, a, b: a.repartition(draw((2, 3))).repartition(draw((2, 4))).glom(),
    "repartition of reduced": lambda draw, a, b: a.reduceByKey(add).repartition(draw((2, 3))).glom(),
    "partitionBy": lambda draw, a, b: a.partitionBy(draw((*SIZES, None, 2.0))).glom(),
    "partitionBy function": lambda draw, a, b: a.partitionBy(
        3, draw((lambda k: -k, lambda k: "x", lambda k: 1.5, lambda k: None, lambda k: True))
    ).glom(),
    "keys of several types": lambda draw, a, b: (
        lambda key: a.map(lambda p: (key if p[1] else p[0], 1)).reduceByKey(add, 3).glom()
    )(draw((None, (), (1, 2), 2.5, -1, True))),
    "reduceByKey": lambda draw, a, b: a.reduceByKey(draw((add, max, lambda x, y: None)), draw(SIZES)),
    "groupByKey": lambda draw, a, b: a.groupByKey(draw(SIZES)).mapValues(sorted),
    "state": lambda draw, a, b: a.updateStateByKey(
        _total, draw(SIZES), draw((None, [], [(9, 9)], [(9, 9), (9, 8)], ((0, 1),), [5]))
    ),
    "join": lambda draw, a, b: getattr(a, draw(("join", "leftOuterJoin", "rightOuterJoin", "fullOuterJoin")))(
        b, draw(SIZES)
    ),
    "cogroup": lambda draw, a, b: a.cogroup(b, draw(SIZES)).mapValues(lambda groups: tuple(map(sorted, groups))),
    "join of slides": lambda draw, a, b: a.join(b.window(2, draw((2, -2, 3)))),
    "union of slides": lambda draw, a, b: a.union(b.window(2, draw((1, 2, -1)))),
    "transformWith": lambda draw, a, b: a.transformWith(
        draw((lambda x, y: None, lambda x: x, lambda x, y: 5, lambda x, y: y)), b
    ),
    "transform": lambda draw, a, b: a.transform(
        draw(
            (
                lambda r: None,
                lambda r: 0,
                lambda r: 5,
                lambda r: [1],
                lambda: 1,
                lambda x, y, z: y,
                operator.methodcaller("keys"),
                lambda r, n=2: r,
            )
        )
    ),
    "transform none then map": lambda draw, a, b: a.transform(_every_second).map(sum),
    "transform for two": lambda draw, a, b: (lambda t: t.map(sum).union(t.map(lambda p: -sum(p))))(
        a.transform(_numbered())
    ),
    "mapPartitions": lambda draw, a, b: a.mapPartitions(
        draw((lambda p: 5, lambda p: None, lambda p: "ab", lambda p: [next(p, 0)], lambda p: [next(p)]))
    ),
    "mapPartitions twice": lambda draw, a, b: a.mapPartitions(lambda p: [1, 2]).mapPartitions(lambda p: [next(p)]),
    "flatMap": lambda draw, a, b: a.flatMap(draw((lambda p: p[0], lambda p: None, lambda p: {p: 1}, lambda p: "ab"))),
    "stopped in map": lambda draw, a, b: a.map(lambda p: next(iter(()))),
    "stopped in filter": lambda draw, a, b: a.filter(lambda p: next(iter(()))),
    "stopped in an RDD": lambda draw, a, b: a.transform(lambda rdd: rdd.map(lambda p: next(iter(())))),
    "no pairs": lambda draw, a, b: a.map(draw((sum, str, list, lambda p: (1, 2, 3), lambda p: "ab"))).reduceByKey(add),
    "unhashable": lambda draw, a, b: a.map(lambda p: [p[0]]).countByValue(),
    "in place for two": lambda draw, a, b: (lambda s: s.map(_in_place).union(s))(a.mapValues(lambda v: [v])),
    "in place in a window": lambda draw, a, b: (
        a.mapValues(lambda v: [v]).reduceByKeyAndWindow(lambda x, y: x.extend(y) or x, None, 3, 1).mapValues(sorted)
    ),
    "in place after a window": lambda draw, a, b: a.mapValues(lambda v: [v]).window(3).map(_in_place),
    "in place after cache": lambda draw, a, b: (lambda s: s.map(_in_place).union(s.map(_in_place)))(
        a.mapValues(lambda v: [v]).cache()
    ),
    "one list for all": lambda draw, a, b: (
        a.mapPartitions(lambda part: (lambda box: [(0, box) for _ in part])([]))
        .repartition(2)
        .map(lambda p: list(_in_place(p)[1]))
    ),
    "one list for all, unmoved": lambda draw, a, b: a.mapPartitions(
        lambda part: (lambda box: [(0, box) for _ in part])([])
    ).map(lambda p: list(_in_place(p)[1])),
    "first of what fails": lambda draw, a, b: (lambda take: a.transform(_caught(lambda rdd: take(rdd.map(_three)))))(
        draw((lambda r: r.take(1), lambda r: r.first(), lambda r: r.isEmpty(), lambda r: r.count()))
    ),
    "actions": lambda draw, a, b: a.transform(
        _caught(
            draw(
                (
                    lambda r: r.take(-1),
                    lambda r: r.top(-1),
                    lambda r: r.takeOrdered(-1),
                    lambda r: r.filter(lambda p: False).reduce(max),
                    lambda r: r.treeReduce(max, 0),
                    lambda r: r.coalesce(0).collect(),
                    lambda r: r.sample(False, -1.0).collect(),
                    lambda r: r.sortByKey(numPartitions=0).collect(),
                    lambda r: r.context.parallelize([1], 0).collect(),
                    lambda r: r.context.union([]).collect(),
                    lambda r: r.union(r).getNumPartitions(),
                    lambda r: r.values().sum(),
                    lambda r: r.zip(r.filter(lambda p: p[1] > 1)).collect(),
                    lambda r: r.context.emptyRDD().glom().collect(),
                    lambda r: r.takeSample(False, 2, 3),
                    lambda r: [p.collect() for p in r.randomSplit([1, 2], 3)],
                    lambda r: r.repartition(9).values().treeAggregate(1, add, add),
                    lambda r: r.partitionBy(3).union(r.partitionBy(3)).getNumPartitions(),
                    lambda r: r.map(_three).collect(),
                    lambda r: r.groupWith(r, r).mapValues(lambda g: [sorted(x) for x in g]).collect(),
                    lambda r: r.values().fold(1, add),
                    lambda r: r.repartitionAndSortWithinPartitions(2, ascending=False).glom().collect(),
                )
            )
        )
    ),
    "generators in a cached RDD": lambda draw, a, b: a.transform(
        lambda rdd: _pairs_of_generators(rdd).cache().map(_sum_of_pair)
    ),
    "generators in an RDD that is cached late": lambda draw, a, b: a.transform(_cached_late),
    "transformWith of slides": lambda draw, a, b: a.transformWith(lambda x, y: x.union(y), b.window(2, draw((2, -2)))),
    "an action that fails": lambda draw, a, b: a.transform(_caught(lambda rdd: rdd.map(_three).collect())),
    "an action on what fails later": lambda draw, a, b: a.transform(_caught(lambda rdd: rdd.map(_three).take(1))),
    "samples": lambda draw, a, b: a.union(b).transform(lambda rdd: rdd.sample(False, 0.5, 3).glom()),
    "samples again": lambda draw, a, b: a.transform(lambda rdd: rdd.sampleByKey(True, dict.fromkeys(range(9), 1.5), 5)),
    "emptyRDD": lambda draw, a, b: a.transform(lambda rdd: rdd.context.emptyRDD().glom()),
    "a range": lambda draw, a, b: a.transform(lambda rdd: rdd.context.parallelize(range(7), 3).glom()),
    "sorted": lambda draw, a, b: (
        lambda up, n: a.transform(lambda rdd: rdd.sortBy(lambda p: (p[1], p[0]), up, n).glom())
    )(draw((True, False)), draw((1, 2, 3, 5))),
}


def _pairs_of_generators(rdd):
    return rdd.map(lambda pair: (pair[0], _numbers_below(pair[1])))


def _sum_of_pair(pair):
    return sum(pair[1])


def _cached_late(rdd):
    pairs = _pairs_of_generators(rdd)
    made = pairs.map(_sum_of_pair)
    pairs.cache()
    return made


class Drawn:
    """A drawn program: a function of two streams, the same each time it is called."""

    def __init__(self, seed):
        chooser = random.Random(seed)
        known = [*ODD] * 2 + [name for programs in GROUPS.values() for name in programs]
        self._end = chooser.choice(known)
        self._before = [chooser.sample(sorted(BEFORE), chooser.choice((0, 0, 1, 1, 2))) for _ in range(2)]
        if seed < len(ODD):  # The first ones are what ends a program by itself, each once.
            self._end, self._before = [*ODD][seed], [[], []]
        self._seed = seed
        self.name = f"{seed}: {self._end} after {self._before[0]} and {self._before[1]}"

    def __call__(self, a, b):
        """Set up the program. Arguments are drawn anew, and so are the same."""
        draw = random.Random(self._seed + 0.5).choice
        for name in self._before[0]:
            a = BEFORE[name](draw, a)
        for name in self._before[1]:
            b = BEFORE[name](draw, b)
        if self._end in ODD:
            return ODD[self._end](draw, a, b)
        return {name: made for programs in GROUPS.values() for name, made in programs.items()}[self._end](a, b)
