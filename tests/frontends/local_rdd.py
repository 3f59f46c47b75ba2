"""A few lines that behave like PySpark's RDD in one process, in SparkLite's reading of a fold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from fractions import Fraction
from functools import reduce
from types import SimpleNamespace
from typing import Any

from pyspark.statcounter import StatCounter
from tallystick.certificates.refuting import listed
from tallystick.core.interpreter import bag_of, evaluate
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.pyspark.values.options import core_value, in_order, python_value

RAISED = "raised"
"""What `run_by_python` and `run_by_terms` give for a program that raises ValueError."""


class LocalRDD:
    """The methods of RDD as their documentation says, on a list."""

    def __init__(self, elements: Iterable[Any], in_order: bool = False) -> None:
        self.elements = list(elements)
        self.in_order = in_order

    def __iter__(self) -> Iterator[Any]:
        """What Python goes through once it was collected."""
        return iter(self.elements)

    def __len__(self) -> int:
        return len(self.elements)

    def __bool__(self) -> bool:
        return True  # an RDD of Spark's has no length

    @property
    def context(self) -> LocalContext:
        return LocalContext()

    def map(self, f: Callable[..., Any]) -> LocalRDD:
        return LocalRDD((f(x) for x in self.elements), self.in_order)

    def filter(self, f: Callable[..., Any]) -> LocalRDD:
        return LocalRDD((x for x in self.elements if f(x)), self.in_order)

    def mapPartitions(self, f: Callable[..., Any]) -> LocalRDD:  # noqa: N802
        return LocalRDD(y for part in (self.elements[0::2], self.elements[1::2]) for y in f(iter(part)))

    def groupBy(self, f: Callable[..., Any], numPartitions: int | None = None) -> LocalRDD:  # noqa: N802, N803
        return self.map(lambda x: (f(x), x)).groupByKey()

    def subtractByKey(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:  # noqa: N802, N803
        taken = {k for k, _ in other.elements}
        return LocalRDD((k, v) for k, v in self.elements if k not in taken)

    def sortBy(  # noqa: N802
        self,
        keyfunc: Callable[..., Any],
        ascending: bool = True,
        numPartitions: int | None = None,  # noqa: N803
    ) -> LocalRDD:
        return LocalRDD(sorted(self.elements, key=keyfunc, reverse=not ascending), True)

    def sortByKey(self, ascending: bool = True, numPartitions: int | None = None) -> LocalRDD:  # noqa: N802, N803
        return self.sortBy(lambda pair: pair[0], ascending)

    def takeOrdered(self, num: int, key: Callable[..., Any] | None = None) -> list[Any]:  # noqa: N802
        if num < 0:
            raise ValueError("top N cannot be negative")
        return sorted(self.elements, key=key)[:num]

    def top(self, num: int, key: Callable[..., Any] | None = None) -> list[Any]:
        return sorted(self.elements, key=key, reverse=True)[: max(num, 0)]

    def take(self, num: int) -> list[Any]:
        return self.elements[: max(num, 0)]

    def first(self) -> Any:
        if not self.elements:
            raise ValueError("the RDD is empty")
        return self.elements[0]

    def collect(self) -> LocalRDD:
        return LocalList(self.elements, self.in_order)

    def toLocalIterator(self, prefetchPartitions: bool = False) -> Iterator[Any]:  # noqa: N802, N803
        return iter(self.elements)

    def flatMap(self, f: Callable[..., Any]) -> LocalRDD:  # noqa: N802
        return LocalRDD(y for x in self.elements for y in f(x))

    def flatMapValues(self, f: Callable[..., Any]) -> LocalRDD:  # noqa: N802
        return LocalRDD((k, w) for k, v in self.elements for w in f(v))

    @property
    def ctx(self) -> LocalContext:
        return self.context

    def cartesian(self, other: LocalRDD) -> LocalRDD:
        return LocalRDD((x, y) for x in self.elements for y in other.elements)

    def union(self, other: LocalRDD) -> LocalRDD:
        return LocalRDD(self.elements + other.elements)

    def __add__(self, other: LocalRDD) -> LocalRDD:
        return self.union(other)

    def intersection(self, other: LocalRDD) -> LocalRDD:
        return LocalRDD(set(self.elements) & set(other.elements))

    def subtract(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:  # noqa: N803
        return LocalRDD(x for x in self.elements if x not in other.elements)

    def distinct(self, numPartitions: int | None = None) -> LocalRDD:  # noqa: N803
        return LocalRDD(set(self.elements))

    def join(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:  # noqa: N803
        return LocalRDD((k, (v, w)) for k, v in self.elements for j, w in other.elements if k == j)

    def mapValues(self, f: Callable[..., Any]) -> LocalRDD:  # noqa: N802
        return LocalRDD((k, f(v)) for k, v in self.elements)

    def keyBy(self, f: Callable[..., Any]) -> LocalRDD:  # noqa: N802
        return LocalRDD((f(x), x) for x in self.elements)

    def keys(self) -> LocalRDD:
        return LocalRDD(k for k, _ in self.elements)

    def values(self) -> LocalRDD:
        return LocalRDD(v for _, v in self.elements)

    def fold(self, zeroValue: Any, op: Callable[..., Any]) -> Any:  # noqa: N803
        return reduce(op, sorted(self.elements, key=in_order), zeroValue)

    def aggregate(self, zeroValue: Any, seqOp: Callable[..., Any], combOp: Callable[..., Any]) -> Any:  # noqa: N803
        parts = (reduce(seqOp, self.elements[start::2], deepcopy(zeroValue)) for start in (0, 1))
        return reduce(combOp, parts, deepcopy(zeroValue))

    def treeAggregate(  # noqa: N802
        self,
        zeroValue: Any,  # noqa: N803
        seqOp: Callable[..., Any],  # noqa: N803
        combOp: Callable[..., Any],  # noqa: N803
        depth: int = 2,
    ) -> Any:
        return self.aggregate(zeroValue, seqOp, combOp)

    def aggregateByKey(  # noqa: N802
        self,
        zeroValue: Any,  # noqa: N803
        seqFunc: Callable[..., Any],  # noqa: N803
        combFunc: Callable[..., Any],  # noqa: N803
        numPartitions: int | None = None,  # noqa: N803
    ) -> LocalRDD:
        return self.combineByKey(lambda v: seqFunc(deepcopy(zeroValue), v), seqFunc, combFunc)

    def combineByKey(  # noqa: N802
        self,
        createCombiner: Callable[..., Any],  # noqa: N803
        mergeValue: Callable[..., Any],  # noqa: N803
        mergeCombiners: Callable[..., Any],  # noqa: N803
        numPartitions: int | None = None,  # noqa: N803
    ) -> LocalRDD:
        def combined(values: list[Any]) -> Any:
            parts = [part for part in (values[0::2], values[1::2]) if part]
            return reduce(mergeCombiners, [reduce(mergeValue, rest, createCombiner(v)) for v, *rest in parts])

        return self.groupByKey().mapValues(combined)

    def cogroup(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:  # noqa: N803
        keys = {k for k, _ in self.elements + other.elements}
        return LocalRDD(
            (k, ([v for j, v in self.elements if j == k], [w for j, w in other.elements if j == k])) for k in keys
        )

    groupWith = cogroup  # noqa: N815

    def _outer(self, other: LocalRDD, left: bool, right: bool) -> LocalRDD:
        groups = ((k, p[0] or [None] * right, p[1] or [None] * left) for k, p in self.cogroup(other).elements)
        return LocalRDD((k, (v, w)) for k, vs, ws in groups for v in vs for w in ws)

    def leftOuterJoin(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:  # noqa: N802, N803
        return self._outer(other, True, False)

    def rightOuterJoin(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:  # noqa: N802, N803
        return self._outer(other, False, True)

    def fullOuterJoin(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:  # noqa: N802, N803
        return self._outer(other, True, True)

    def countByKey(self) -> dict[Any, int]:  # noqa: N802
        return Counter(k for k, _ in self.elements)

    def countByValue(self) -> dict[Any, int]:  # noqa: N802
        return Counter(self.elements)

    def collectAsMap(self) -> dict[Any, Any]:  # noqa: N802
        return dict(self.elements)

    def lookup(self, key: Any) -> LocalRDD:
        return LocalList(value for each, value in self.elements if each == key)

    def mean(self) -> Fraction:
        return Fraction(sum(self.elements)) / max(len(self.elements), 1)

    def stats(self) -> StatCounter:
        return StatCounter(self.elements)

    def variance(self) -> float:
        return self.stats().variance()

    def stdev(self) -> float:
        return self.stats().stdev()

    def sampleVariance(self) -> float:  # noqa: N802
        return self.stats().sampleVariance()

    def sampleStdev(self) -> float:  # noqa: N802
        return self.stats().sampleStdev()

    def groupByKey(self, numPartitions: int | None = None) -> LocalRDD:  # noqa: N802, N803
        groups: dict[Any, list[Any]] = {}
        for k, v in self.elements:
            groups.setdefault(k, []).append(v)
        return LocalRDD(groups.items())

    def foldByKey(  # noqa: N802
        self,
        zeroValue: Any,  # noqa: N803
        func: Callable[..., Any],
        numPartitions: int | None = None,  # noqa: N803
    ) -> LocalRDD:
        return self.groupByKey().mapValues(lambda group: LocalRDD(group).fold(zeroValue, func))

    def reduceByKey(self, func: Callable[..., Any], numPartitions: int | None = None) -> LocalRDD:  # noqa: N802, N803
        return self.groupByKey().mapValues(lambda group: reduce(func, sorted(group, key=_in_order)))

    def count(self) -> int:
        return len(self.elements)

    def sum(self) -> int:
        return sum(self.elements)

    def isEmpty(self) -> bool:  # noqa: N802
        return not self.elements

    def min(self, key: Callable[..., Any] | None = None) -> Any:
        return self.reduce(lambda a, b: min(a, b, key=key))

    def max(self, key: Callable[..., Any] | None = None) -> Any:
        return self.reduce(lambda a, b: max(a, b, key=key))

    def reduce(self, f: Callable[..., Any]) -> Any:
        if not self.elements:
            raise ValueError("the RDD is empty")
        return reduce(f, sorted(self.elements, key=in_order))

    def treeReduce(self, f: Callable[..., Any], depth: int = 2) -> Any:  # noqa: N802
        return self.reduce(f)

    def _same(self, *tuning: Any, **more_tuning: Any) -> LocalRDD:
        return self

    cache = persist = unpersist = repartition = coalesce = _same


def _in_order(value: Any) -> Any:
    """A sort key, for dictionaries too."""
    return str(value) if isinstance(value, dict) else in_order(value)


class LocalList(LocalRDD):
    """A list at the driver, which the tests take for a bag unless it is in an order."""

    def __bool__(self) -> bool:
        return bool(self.elements)


class LocalContext:
    """The one method of SparkContext that is read."""

    def parallelize(self, c: Iterable[Any], numSlices: int | None = None) -> LocalRDD:  # noqa: N803
        return LocalRDD(c)

    def broadcast(self, value: Any) -> SimpleNamespace:
        return SimpleNamespace(value=value)


def load(source: str, name: str = "p") -> Callable[..., Any]:
    """A function of a source text, which is run."""
    namespace: dict[str, Any] = {"RDD": list}  # for annotations of texts that do not import it
    exec(compile(source, "<test>", "exec"), namespace)  # the tests' own text
    return namespace[name]


def run_by_python(function: Callable[..., Any], arguments: list[Any]) -> Any:
    """What Python makes of a function; lists become RDDs, a resulting RDD a bag, and a ValueError RAISED."""
    try:
        result = function(*(LocalRDD(each) if isinstance(each, list) else each for each in arguments))
    except ValueError:
        return RAISED
    result = LocalRDD(result.items()) if isinstance(result, dict) else result
    result = LocalRDD(result) if isinstance(result, set) else result
    if isinstance(result, LocalRDD):
        elements = [item for each in result.elements for item in _of_group(each)]
        return elements if result.in_order else bag_of(elements)
    return result


def _of_group(element: Any) -> list[Any]:
    """A pair of a key and a list or set as the pairs that it stands for; anything else as it is."""
    match element:
        case (key, list() | set() as items):
            return [(key, item) for item in items]
    return [element]


def run_by_terms(read: SourceProgram, arguments: list[Any]) -> Any:
    """What the interpreter makes of the program that was read."""
    values = {
        parameter: core_value(bag_of(value) if isinstance(value, list) else value, parameter.type)
        for parameter, value in zip(read.program.parameters, arguments, strict=True)
    }
    result: Any = evaluate(read.program.expression, values)
    if read.may_raise:
        if not result[0]:
            return RAISED
        result = result[1]
    return python_value(listed(result)[0] if read.returns == "list" else result)


def same(left: Any, right: Any) -> bool:
    """Whether two results are equal and of one type: True is not 1."""
    if isinstance(left, dict) and isinstance(right, dict):
        return sorted(map(repr, left.items())) == sorted(map(repr, right.items()))
    return repr(left) == repr(right)
