# Names and parameters are PySpark's.
# ruff: noqa: N802, N803
"""`LocalRDD`: a PySpark RDD in one process, partition by partition.

Method names, results and partitions are PySpark's, so that a merge function which Spark would call is called
here too. As in Spark, functions that look at one partition are chained, and what one makes goes to the next as it is,
a generator too. Records are pickled where they leave a stage: in shuffles, in unions, in what is cached, and in what
an action returns. Each consumer computes its stage anew; what a shuffle has moved is kept. An operation that is not
here raises `UnsupportedOperationError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any, NoReturn

from tallystick.streaming.engines.base import Py4JJavaError, SparkError
from tallystick.streaming.engines.local.actions import Actions, Function
from tallystick.streaming.engines.local.by_key import ByKey
from tallystick.streaming.engines.local.partitions import (
    MOVED_TOGETHER,
    PySparkRuntimeError,
    Stored,
    Unreadable,
    batch_size,
    cut,
    dealt,
    int_of_java,
    slices,
)
from tallystick.streaming.engines.local.sampling import Sampling
from tallystick.streaming.errors import UnsupportedOperationError

#: How many partitions there are, and the function of a key that chooses one.
Partitioner = tuple[int, Callable[[Any], int]]


class LocalBroadcast:
    """A broadcast variable: `value` for everyone."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def unpersist(self, blocking: bool = False) -> None:
        """Nothing is held on other machines."""

    def destroy(self, blocking: bool = False) -> None:
        """Nothing is held on other machines."""


class LocalContext:
    """What a SparkContext offers to a program: RDDs from lists, and broadcast variables."""

    def __init__(self, parallelism: int = 2) -> None:
        self.defaultParallelism = parallelism
        #: What a program has asked for that is not here.
        self.refused: UnsupportedOperationError | None = None

    def parallelize(self, c: Iterable[Any], numSlices: int | None = None) -> LocalRDD:
        count = self.defaultParallelism if numSlices is None else int(numSlices)
        if isinstance(c, range):
            parts = [c[k * len(c) // count : (k + 1) * len(c) // count] for k in range(count)]
            return LocalRDD(self, count, lambda k: parts[k])
        records = c if isinstance(c, Sequence) else list(c)
        if count < 1:
            return self._no_slices(records, count)
        return self.stored(slices(records, count), batch_size(len(records), count))

    def stored(self, parts: Sequence[Iterable[Any]], width: int | None = None) -> LocalRDD:
        """Return records in partitions that are known, pickled in batches of a width; see `Stored`."""
        kept = [Stored.of(part, width) for part in parts]
        return LocalRDD(self, len(kept), kept.__getitem__, width=width)

    def emptyRDD(self) -> LocalRDD:
        return LocalRDD(self, 0, lambda k: ())

    def union(self, rdds: Sequence[LocalRDD]) -> LocalRDD:
        _ = rdds[0]
        return self.united(rdds)

    def united(self, rdds: Sequence[LocalRDD]) -> LocalRDD:
        """Put partitions side by side; or, if all RDDs are partitioned alike, those of one number together."""
        width = rdds[0].width if len({rdd.width for rdd in rdds}) == 1 else None
        some = [rdd for rdd in rdds if rdd.getNumPartitions()]
        alike = {rdd.java_partitioner for rdd in some}
        if len(alike) == 1 and None not in alike:
            count, partitioner = some[0].getNumPartitions(), some[0].java_partitioner
            parts = lambda k: Stored(chain.from_iterable(rdd.stored(k).batches for rdd in some))  # noqa: E731
            return LocalRDD(self, count, parts, java_partitioner=partitioner, width=width)
        places = [(rdd, k) for rdd in some for k in range(rdd.getNumPartitions())]
        return LocalRDD(self, len(places), lambda k: places[k][0].stored(places[k][1]), width=width)

    def broadcast(self, value: Any) -> LocalBroadcast:
        return LocalBroadcast(value)

    def _no_slices(self, records: Sequence[Any], count: int) -> NoReturn:
        if count == 0:
            _ = len(records) // count
        raise Py4JJavaError(SparkError("java.lang.IllegalArgumentException: Positive number of partitions required"))

    def refuse(self, what: str, name: str) -> NoReturn:
        """Refuse an operation; what the program makes of the error, the engine does not go on."""
        if name.startswith("__"):
            raise AttributeError(name)
        self.refused = UnsupportedOperationError(f"the local engine has no {what} operation {name!r}; use Spark")
        raise self.refused

    def __getattr__(self, name: str) -> NoReturn:
        self.refuse("SparkContext", name)


class LocalRDD(Actions, ByKey, Sampling):
    """A bag of records in partitions, each computed when it is asked for.

    `compute` gives the records of a partition to the next function of the stage: as `Stored`, if they come from
    elsewhere. `partitioner` is what PySpark knows of the places of keys, `java_partitioner` what the JVM does.
    `width` is how many records are pickled together; see `Stored`.
    """

    def __init__(
        self,
        context: LocalContext,
        count: int,
        compute: Callable[[int], Iterable[Any]],
        partitioner: Partitioner | None = None,
        java_partitioner: Partitioner | None = None,
        width: int | None = None,
    ) -> None:
        self.context = self.ctx = context
        self.partitioner = partitioner
        self.java_partitioner = java_partitioner
        self.width = width
        self._count = count
        self._compute = compute
        self._is_cached = False
        self._cached: dict[int, Stored] = {}

    def __getattr__(self, name: str) -> NoReturn:
        if name == "context":
            raise AttributeError(name)
        self.context.refuse("RDD", name)

    def _made(
        self,
        count: int,
        compute: Callable[[int], Iterable[Any]],
        partitioner: Partitioner | None = None,
        java_partitioner: Partitioner | None = None,
        width: int | None = None,
    ) -> LocalRDD:
        return LocalRDD(self.context, count, compute, partitioner, java_partitioner, width)

    def stored(self, k: int) -> Stored:
        """Return a partition as it leaves its stage."""
        if k in self._cached:
            return self._cached[k]
        made = self._compute(k)
        stored = made if isinstance(made, Stored) else Stored.of(made, self.width)
        if self._is_cached:
            self._cached[k] = stored
        return stored

    def handed_over(self) -> LocalRDD:
        """Return the RDD as the next stream gets it, which knows nothing of the stage that made it."""
        return LocalRDD(self.context, self._count, self.stored, java_partitioner=self.java_partitioner)

    def _given(self) -> Callable[[int], Iterable[Any]]:
        """Return what gives a partition to a function of the same stage."""
        compute, stored = self._compute, self.stored
        if self._is_cached:
            return lambda k: iter(stored(k))

        def given(k: int) -> Iterable[Any]:
            made = compute(k)
            return iter(made) if isinstance(made, Stored) else made

        return given

    # Each partition by itself

    def mapPartitionsWithIndex(self, f: Function, preservesPartitioning: bool = False) -> LocalRDD:
        given, keeps = self._given(), preservesPartitioning
        java = self.java_partitioner if keeps else None
        kept = self.partitioner if keeps else None
        return LocalRDD(self.context, self._count, lambda k: f(k, given(k)), kept, java)

    def mapPartitions(self, f: Function, preservesPartitioning: bool = False) -> LocalRDD:
        return self.mapPartitionsWithIndex(lambda _, part: f(part), preservesPartitioning)

    def glom(self) -> LocalRDD:
        return self.mapPartitions(lambda part: iter([list(part)]))

    def map(self, f: Function, preservesPartitioning: bool = False) -> LocalRDD:
        f = _without_stop(f)
        return self.mapPartitions(lambda part: map(f, part), preservesPartitioning)

    def flatMap(self, f: Function, preservesPartitioning: bool = False) -> LocalRDD:
        f = _without_stop(f)
        return self.mapPartitions(lambda part: chain.from_iterable(map(f, part)), preservesPartitioning)

    def filter(self, f: Function) -> LocalRDD:
        f = _without_stop(f)
        return self.mapPartitions(lambda part: filter(f, part), True)

    def mapValues(self, f: Function) -> LocalRDD:
        return self.map(lambda pair: (pair[0], f(pair[1])), True)

    def flatMapValues(self, f: Function) -> LocalRDD:
        return self.flatMap(lambda pair: ((pair[0], each) for each in f(pair[1])), True)

    def keys(self) -> LocalRDD:
        return self.map(lambda pair: pair[0])

    def values(self) -> LocalRDD:
        return self.map(lambda pair: pair[1])

    def keyBy(self, f: Function) -> LocalRDD:
        return self.map(lambda record: (f(record), record))

    def zipWithIndex(self) -> LocalRDD:
        starts = [0]
        if self._count > 1:
            for number in self.mapPartitions(lambda part: [sum(1 for _ in part)]).collect():
                starts.append(starts[-1] + number)
        return self.mapPartitionsWithIndex(lambda k, part: ((each, n) for n, each in enumerate(part, starts[k])))

    def zipWithUniqueId(self) -> LocalRDD:
        count = self._count
        return self.mapPartitionsWithIndex(lambda k, part: ((each, n * count + k) for n, each in enumerate(part)))

    # Two RDDs

    def union(self, other: LocalRDD) -> LocalRDD:
        made = self.context.united((self, other))
        if self.partitioner == other.partitioner and self._count == made._count:
            made.partitioner = self.partitioner
        return made

    def __add__(self, other: LocalRDD) -> LocalRDD:
        if not isinstance(other, LocalRDD):
            raise TypeError
        return self.union(other)

    def cartesian(self, other: LocalRDD) -> LocalRDD:
        theirs = other.getNumPartitions()

        def pairs(k: int) -> Iterable[Any]:
            mine = self.stored(k // theirs)
            return ((a, b) for a in mine for b in other.stored(k % theirs))

        return LocalRDD(self.context, self._count * theirs, pairs)

    def zip(self, other: LocalRDD) -> LocalRDD:
        if self._count != other._count:
            raise ValueError("Can only zip with RDD which has the same number of partitions")

        def pairs(k: int) -> Iterable[Any]:
            mine, theirs = list(self.stored(k)), list(other.stored(k))
            if bool(mine) != bool(theirs):
                said = "Can only zip RDDs with same number of elements in each partition"
                raise SparkError(f"org.apache.spark.SparkException: {said}")
            if len(mine) != len(theirs):
                said = f"different number of items in batches: ({len(mine)}, {len(theirs)})"
                return Stored([Unreadable(ValueError(f"Can not deserialize PairRDD with {said}"))])
            return zip(mine, theirs, strict=True)

        return LocalRDD(self.context, self._count, pairs)

    # Partitions and storage

    def getNumPartitions(self) -> int:
        return self._count

    def coalesce(self, numPartitions: int, shuffle: bool = False) -> LocalRDD:
        """Put neighbouring partitions together; or, with a shuffle, deal out batches of records, as Spark does."""
        if not numPartitions > 0:
            raise ValueError("Number of partitions must be positive.")
        count = int_of_java(numPartitions)
        if not shuffle:
            groups = cut(range(self._count), min(count, self._count))
            parts = lambda k: Stored(chain.from_iterable(self.stored(old).batches for old in groups[k]))  # noqa: E731
            return LocalRDD(self.context, len(groups), parts, width=self.width)
        source = self if self.width == MOVED_TOGETHER else self.mapPartitions(lambda part: part, True)
        source.width = MOVED_TOGETHER

        @cache
        def moved() -> list[Stored]:
            return [Stored(b) for b in dealt([source.stored(k).batches for k in range(self._count)], count)]

        return LocalRDD(self.context, count, lambda k: moved()[k], width=MOVED_TOGETHER)

    def repartition(self, numPartitions: int) -> LocalRDD:
        return self.coalesce(numPartitions, shuffle=True)

    def cache(self) -> LocalRDD:
        return self.persist()

    def persist(self, storageLevel: Any = None) -> LocalRDD:
        self._is_cached = True
        return self

    def unpersist(self, blocking: bool = False) -> LocalRDD:
        self._is_cached = False
        self._cached.clear()
        return self


def _without_stop(f: Function) -> Function:
    """A `StopIteration` that a function raises is an error, and no end of the records."""

    def checked(record: Any) -> Any:
        try:
            return f(record)
        except StopIteration as error:
            raise PySparkRuntimeError("STOP_ITERATION_OCCURRED") from error

    return checked
