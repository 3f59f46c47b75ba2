"""A job with a class, settings, and steps that are put together."""

import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import reduce

from pyspark import RDD

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Settings:
    separator: str = ";"
    least: int = 3
    weights: tuple[int, ...] = (5, 3, 1)


DEFAULTS = Settings()


class Step(ABC):
    @abstractmethod
    def apply(self, rdd): ...


class DropShort(Step):
    def __init__(self, least: int):
        self.least = least

    def apply(self, rdd):
        least = self.least
        return rdd.filter(lambda s: len(s) >= least)


class Lower(Step):
    def apply(self, rdd):
        return rdd.map(str.lower)


class Unique(Step):
    def apply(self, rdd):
        return rdd.distinct()


def run_steps(rdd, *steps: Step):
    for step in steps:
        rdd = step.apply(rdd)
        logger.info("applied %s", type(step).__name__)
    return rdd


def vocabulary(words: RDD[str]):
    return run_steps(words, Lower(), DropShort(DEFAULTS.least), Unique())


def vocabulary_right(words: RDD[str]):
    kept = words.filter(lambda w: len(w.lower()) > 2)
    return kept.map(lambda w: (w.lower(), 1)).reduceByKey(lambda a, _: a).keys()


def vocabulary_wrong(words: RDD[str]):
    return run_steps(words, Unique(), Lower(), DropShort(DEFAULTS.least))


def scores(rows: RDD[tuple[str, int, int, int]], settings: Settings = DEFAULTS):
    """The weighted sum of three marks of each name, and the best name by it."""

    def score(row):
        name, *marks = row
        return name, sum(w * m for w, m in zip(DEFAULTS.weights, marks))

    return rows.map(score).reduceByKey(max)


def scores_right(rows: RDD[tuple[str, int, int, int]], settings: Settings = DEFAULTS):
    a, b, c = DEFAULTS.weights
    return rows.map(lambda r: (r[0], a * r[1] + b * r[2] + c * r[3])).groupByKey().mapValues(max)


def scores_wrong(rows: RDD[tuple[str, int, int, int]], settings: Settings = DEFAULTS):
    c, b, a = DEFAULTS.weights
    return rows.map(lambda r: (r[0], a * r[1] + b * r[2] + c * r[3])).groupByKey().mapValues(max)


def merged_sources(first: RDD[tuple[str, int]], second: RDD[tuple[str, int]], third: RDD[tuple[str, int]]):
    """The sums by key over three sources, of keys that all of them have."""
    sources = [first, second, third]
    sums = [source.reduceByKey(lambda a, b: a + b) for source in sources]
    joined = reduce(lambda left, right: left.join(right).mapValues(lambda p: p[0] + p[1]), sums)
    return joined.filter(lambda kv: kv[1] != 0)


def merged_sources_right(first: RDD[tuple[str, int]], second: RDD[tuple[str, int]], third: RDD[tuple[str, int]]):
    marked = [s.mapValues(lambda v, i=i: (v, {i})) for i, s in enumerate((first, second, third))]
    together = marked[0].union(marked[1]).union(marked[2])
    sums = together.reduceByKey(lambda a, b: (a[0] + b[0], a[1] | b[1]))
    return sums.filter(lambda kv: len(kv[1][1]) == 3 and kv[1][0] != 0).mapValues(lambda v: v[0])


def merged_sources_wrong(first: RDD[tuple[str, int]], second: RDD[tuple[str, int]], third: RDD[tuple[str, int]]):
    together = first.union(second).union(third)
    return together.reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[1] != 0)


def deduplicated(rows: RDD[tuple[str, int, str]]):
    """The newest value of each key; rows are (key, version, value); of equal versions the larger value."""
    return rows.map(lambda r: (r[0], r[1:])).reduceByKey(lambda a, b: max(a, b)).map(lambda kv: (kv[0], kv[1][1]))


def deduplicated_right(rows: RDD[tuple[str, int, str]]):
    newest = {}
    for key, version, value in rows.collect():
        if key not in newest or (version, value) > newest[key]:
            newest[key] = (version, value)
    return [(key, value) for key, (_, value) in newest.items()]


def deduplicated_wrong(rows: RDD[tuple[str, int, str]]):
    newest = {}
    for key, version, value in rows.collect():
        if key not in newest or (version, value) < newest[key]:
            newest[key] = (version, value)
    return [(key, value) for key, (_, value) in newest.items()]
