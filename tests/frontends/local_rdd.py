"""A few lines that behave like PySpark's RDD in one process, in SparkLite's reading of a fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from tallystick.core.interpreter import bag_of, evaluate
from tallystick.core.types import BagType
from tallystick.frontends.pyspark import SourceProgram

RAISED = "raised"
"""What `run_by_python` and `run_by_terms` give for a program that raises ValueError."""


class LocalRDD:
    """The methods of RDD as their documentation says, on a list."""

    def __init__(self, elements: Iterable[Any]) -> None:
        self.elements = list(elements)

    def map(self, f: Callable[..., Any]) -> LocalRDD:
        return LocalRDD(f(x) for x in self.elements)

    def filter(self, f: Callable[..., Any]) -> LocalRDD:
        return LocalRDD(x for x in self.elements if f(x))

    def flatMap(self, f: Callable[..., Any]) -> LocalRDD:  # noqa: N802
        return LocalRDD(y for x in self.elements for y in f(x))

    def flatMapValues(self, f: Callable[..., Any]) -> LocalRDD:  # noqa: N802
        return LocalRDD((k, w) for k, v in self.elements for w in f(v))

    def cartesian(self, other: LocalRDD) -> LocalRDD:
        return LocalRDD((x, y) for x in self.elements for y in other.elements)

    def union(self, other: LocalRDD) -> LocalRDD:
        return LocalRDD(self.elements + other.elements)

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
        result = zeroValue
        for x in sorted(self.elements):
            result = op(result, x)
        return result

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
        return self.groupByKey().mapValues(lambda group: reduce(func, sorted(group)))

    def count(self) -> int:
        return len(self.elements)

    def sum(self) -> int:
        return sum(self.elements)

    def isEmpty(self) -> bool:  # noqa: N802
        return not self.elements

    def min(self) -> Any:
        return self.reduce(min)

    def max(self) -> Any:
        return self.reduce(max)

    def reduce(self, f: Callable[..., Any]) -> Any:
        if not self.elements:
            raise ValueError("the RDD is empty")
        return reduce(f, sorted(self.elements))

    def treeReduce(self, f: Callable[..., Any], depth: int = 2) -> Any:  # noqa: N802
        return self.reduce(f)

    def _same(self, *tuning: Any, **more_tuning: Any) -> LocalRDD:
        return self

    cache = persist = unpersist = repartition = coalesce = _same


def load(source: str, name: str = "p") -> Callable[..., Any]:
    """A function of a source text, which is run."""
    namespace: dict[str, Any] = {}
    exec(compile(source, "<test>", "exec"), namespace)  # the tests' own text
    return namespace[name]


def run_by_python(function: Callable[..., Any], arguments: list[Any]) -> Any:
    """What Python makes of a function; lists become RDDs, a resulting RDD a bag, and a ValueError RAISED."""
    try:
        result = function(*(LocalRDD(each) if isinstance(each, list) else each for each in arguments))
    except ValueError:
        return RAISED
    return bag_of(result.elements) if isinstance(result, LocalRDD) else result


def run_by_terms(read: SourceProgram, arguments: list[Any]) -> Any:
    """What the interpreter makes of the program that was read."""
    values = {
        parameter: bag_of(value) if isinstance(parameter.type, BagType) else value
        for parameter, value in zip(read.program.parameters, arguments, strict=True)
    }
    result: Any = evaluate(read.program.expression, values)
    return (result[1] if result[0] else RAISED) if read.may_raise else result


def same(left: Any, right: Any) -> bool:
    """Whether two results are equal and of one type: True is not 1."""
    if isinstance(left, dict) and isinstance(right, dict):
        return sorted(map(repr, left.items())) == sorted(map(repr, right.items()))
    return repr(left) == repr(right)
