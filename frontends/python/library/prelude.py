"""Spark's classes in Python: read like any other source, never imported.

An RDD is `RDD(iterable)`, its elements in an order that nothing fixes, and iteration over it. Folds mean what their
functions say of all elements in one partition, from the value that they begin with once: that partitions change
nothing is proved apart (`FoldCall`).
"""

from collections import defaultdict
from copy import deepcopy
from functools import reduce
from math import sqrt


def _groups(pairs):
    found = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


class RDD:
    def __init__(self, elements):
        self._elements = list(elements)

    def __class_getitem__(cls, of):
        return cls

    def __iter__(self):
        raise TypeError("'RDD' object is not iterable")

    def __add__(self, other):
        if not isinstance(other, RDD):
            raise TypeError()
        return self.union(other)

    @property
    def context(self):
        return SparkContext()

    ctx = context

    def map(self, f, preservesPartitioning=False):
        return RDD([f(x) for x in self._elements])

    def flatMap(self, f, preservesPartitioning=False):
        return RDD([y for x in self._elements for y in f(x)])

    def filter(self, f):
        return RDD([x for x in self._elements if f(x)])

    def mapPartitions(self, f, preservesPartitioning=False):
        one, other = self._elements[0::2], self._elements[1::2]
        return RDD([y for part in (one, other) for y in f(iter(part))])

    def mapValues(self, f):
        return RDD([(k, f(v)) for k, v in self._elements])

    def flatMapValues(self, f):
        return RDD([(k, w) for k, v in self._elements for w in f(v)])

    def keyBy(self, f):
        return RDD([(f(x), x) for x in self._elements])

    def keys(self):
        return RDD([x[0] for x in self._elements])

    def values(self):
        return RDD([x[1] for x in self._elements])

    def union(self, other):
        return RDD([*self._elements, *other._elements])

    def cartesian(self, other):
        return RDD([(x, y) for x in self._elements for y in other._elements])

    def distinct(self, numPartitions=None):
        return RDD(dict.fromkeys(self._elements))

    def groupByKey(self, numPartitions=None, partitionFunc=None):
        return RDD(_groups(self._elements).items())

    def groupBy(self, f, numPartitions=None, partitionFunc=None):
        return RDD(_groups([(f(x), x) for x in self._elements]).items())

    def reduceByKey(self, func, numPartitions=None, partitionFunc=None):
        return RDD([(k, reduce(func, vs)) for k, vs in _groups(self._elements).items()])

    def reduceByKeyLocally(self, func):
        return {k: reduce(func, vs) for k, vs in _groups(self._elements).items()}

    def foldByKey(self, zeroValue, func, numPartitions=None, partitionFunc=None):
        return RDD([(k, reduce(func, vs, deepcopy(zeroValue))) for k, vs in _groups(self._elements).items()])

    def aggregateByKey(self, zeroValue, seqFunc, combFunc, numPartitions=None, partitionFunc=None):
        return self.foldByKey(zeroValue, seqFunc)

    def combineByKey(self, createCombiner, mergeValue, mergeCombiners, numPartitions=None, partitionFunc=None):
        groups = _groups(self._elements).items()
        return RDD([(k, reduce(mergeValue, vs[1:], createCombiner(vs[0]))) for k, vs in groups])

    def cogroup(self, other, numPartitions=None):
        one, two = _groups(self._elements), _groups(other._elements)
        return RDD([(k, (one.get(k, []), two.get(k, []))) for k in {**one, **two}])

    def groupWith(self, other, *others):
        sides = [_groups(each._elements) for each in (self, other, *others)]
        keys = dict.fromkeys([k for each in sides for k in each])
        return RDD([(k, tuple([each.get(k, []) for each in sides])) for k in keys])

    def join(self, other, numPartitions=None):
        return self.cogroup(other).flatMapValues(lambda both: [(v, w) for v in both[0] for w in both[1]])

    def leftOuterJoin(self, other, numPartitions=None):
        return self.cogroup(other).flatMapValues(lambda both: [(v, w) for v in both[0] for w in both[1] or [None]])

    def rightOuterJoin(self, other, numPartitions=None):
        return self.cogroup(other).flatMapValues(lambda both: [(v, w) for w in both[1] for v in both[0] or [None]])

    def fullOuterJoin(self, other, numPartitions=None):
        return self.cogroup(other).flatMapValues(
            lambda both: [(v, w) for v in both[0] or [None] for w in both[1] or [None]]
        )

    def subtractByKey(self, other, numPartitions=None):
        taken = {y[0] for y in other._elements}
        return RDD([(k, v) for k, v in self._elements if k not in taken])

    def subtract(self, other, numPartitions=None):
        taken = set(other._elements)
        return RDD([x for x in self._elements if x not in taken])

    def intersection(self, other):
        common = set(other._elements)
        return RDD([x for x in dict.fromkeys(self._elements) if x in common])

    def sortBy(self, keyfunc, ascending=True, numPartitions=None):
        return RDD(sorted(self._elements, key=keyfunc, reverse=not ascending))

    def sortByKey(self, ascending=True, numPartitions=None, keyfunc=lambda x: x):
        return self.sortBy(lambda x: keyfunc(x[0]), ascending)

    def zipWithIndex(self):
        return RDD([(x, i) for i, x in enumerate(self._elements)])

    def cache(self):
        return self

    def persist(self, storageLevel=None):
        return self

    def unpersist(self, blocking=False):
        return self

    def repartition(self, numPartitions):
        return self

    def coalesce(self, numPartitions, shuffle=False):
        return self

    def partitionBy(self, numPartitions, partitionFunc=None):
        return self

    def setName(self, name):
        return self

    def checkpoint(self):
        return None

    def localCheckpoint(self):
        return None

    def collect(self):
        return list(self._elements)

    def toLocalIterator(self, prefetchPartitions=False):
        return iter(list(self._elements))

    def collectAsMap(self):
        return dict(self._elements)

    def count(self):
        return len(self._elements)

    def isEmpty(self):
        return not self._elements

    def sum(self):
        return sum(self._elements)

    def mean(self):
        return self.stats().mean()

    def min(self, key=None):
        return min(self._required(), key=key)

    def max(self, key=None):
        return max(self._required(), key=key)

    def _required(self):
        if not self._elements:
            raise ValueError("Can not reduce() empty RDD")
        return self._elements

    def reduce(self, f):
        return reduce(f, self._required())

    def treeReduce(self, f, depth=2):
        return self.reduce(f)

    def fold(self, zeroValue, op):
        return reduce(op, self._elements, deepcopy(zeroValue))

    def aggregate(self, zeroValue, seqOp, combOp):
        return reduce(seqOp, self._elements, deepcopy(zeroValue))

    def treeAggregate(self, zeroValue, seqOp, combOp, depth=2):
        return self.aggregate(zeroValue, seqOp, combOp)

    def foreach(self, f):
        for x in self._elements:
            f(x)

    def countByKey(self):
        return self.keys().countByValue()

    def countByValue(self):
        counts = defaultdict(int)
        for x in self._elements:
            counts[x] += 1
        return counts

    def lookup(self, key):
        return [v for k, v in self._elements if k == key]

    def take(self, num):
        return self._elements[: max(num, 0)]

    def first(self):
        if not self._elements:
            raise ValueError("RDD is empty")
        return self._elements[0]

    def takeOrdered(self, num, key=None):
        if num < 0:
            raise ValueError("top N cannot be negative")
        return sorted(self._elements, key=key)[:num]

    def top(self, num, key=None):
        return sorted(self._elements, key=key, reverse=True)[: max(num, 0)]

    def stats(self):
        return StatCounter(self._elements)

    def variance(self):
        return self.stats().variance()

    def stdev(self):
        return self.stats().stdev()

    def sampleVariance(self):
        return self.stats().sampleVariance()

    def sampleStdev(self):
        return self.stats().sampleStdev()


class StatCounter:
    def __init__(self, values):
        self._values = list(values)

    def count(self):
        return len(self._values)

    def sum(self):
        return self.mean() * len(self._values)

    def mean(self):
        return sum(self._values) / len(self._values) if self._values else 0.0

    def min(self):
        return min(self._values, default=float("inf"))

    def max(self):
        return max(self._values, default=float("-inf"))

    def _squares(self):
        mean = self.mean()
        return sum([(x - mean) ** 2 for x in self._values])

    def variance(self):
        return self._squares() / len(self._values) if self._values else float("nan")

    def sampleVariance(self):
        return self._squares() / (len(self._values) - 1) if len(self._values) > 1 else float("nan")

    def stdev(self):
        return sqrt(self.variance())

    def sampleStdev(self):
        return sqrt(self.sampleVariance())


class Broadcast:
    def __init__(self, value):
        self.value = value

    def unpersist(self, blocking=False):
        return None

    def destroy(self, blocking=False):
        return None


class SparkContext:
    def parallelize(self, c, numSlices=None):
        return RDD(c)

    def emptyRDD(self):
        return RDD([])

    def broadcast(self, value):
        return Broadcast(value)

    def union(self, rdds):
        return RDD([x for each in rdds for x in each._elements])

    def range(self, start, end=None, step=1, numSlices=None):
        return RDD(range(0, start, step) if end is None else range(start, end, step))

    def textFile(self, name, minPartitions=None, use_unicode=True):
        return RDD(name.lines)

    @classmethod
    def getOrCreate(cls):
        return cls()


class SparkSession:
    @property
    def sparkContext(self):
        return SparkContext()


class File(str):
    """The path of a file whose lines are known."""

    lines: list

    def __new__(cls, lines):
        made = str.__new__(cls, "file")
        made.lines = lines
        return made


class Row(tuple):
    """Spark's Row: of values, or of names with values."""

    __fields__: list

    def __new__(cls, *given, **named):
        if given and named:
            raise ValueError("Can not use both args and kwargs to create Row")
        made = tuple.__new__(cls, tuple(named.values()) if named else given)
        if named:
            made.__fields__ = list(named)
        return made

    def __call__(self, *given):
        made = tuple.__new__(Row, given)
        made.__fields__ = list(self)
        return made

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        fields = self.__fields__
        if name not in fields:
            raise AttributeError(name)
        return tuple.__getitem__(self, fields.index(name))

    def __getitem__(self, at):
        if isinstance(at, (int, slice)):
            return tuple.__getitem__(self, at)
        if at not in self.__fields__:
            raise ValueError(at)
        return tuple.__getitem__(self, self.__fields__.index(at))

    def asDict(self, recursive=False):
        return dict(zip(self.__fields__, self))
