"""Pipelines of several steps, with settings, classes and helpers, as data engineers write them."""

from __future__ import annotations

from collections import defaultdict, namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial, reduce
from operator import itemgetter
from typing import NamedTuple

from pyspark import RDD, SparkContext

CONFIG = {"min_amount": 10, "currency": {"EUR": 100, "USD": 92}, "skip": ["test", "demo"]}
Row3 = namedtuple("Row3", ["key", "value", "tag"])


class Sale(NamedTuple):
    shop: str
    item: str
    amount: int
    currency: str
    day: date | None


@dataclass
class Settings:
    least: int
    most: int
    tags: tuple[str, ...] = ("new",)


class Step:
    def run(self, data):
        return data


class Only(Step):
    def __init__(self, test: Callable):
        self.test = test

    def run(self, data):
        return data.filter(self.test)


class Scale(Step):
    factor = 3

    def run(self, data):
        return data.mapValues(lambda v: v * self.factor)


class Pipeline:
    def __init__(self, *steps):
        self.steps = list(steps)

    def add(self, step):
        self.steps.append(step)
        return self

    def run(self, data):
        for step in self.steps:
            data = step.run(data)
        return data


def scaled(values: RDD[tuple[str, int]]):
    pipeline = Pipeline(Only(lambda kv: kv[1] > 0))
    pipeline.add(Scale()).add(Only(lambda kv: kv[0] != ""))
    return pipeline.run(values)


def in_euros(sales: RDD[Sale]):
    rates = CONFIG["currency"]
    return sales.filter(lambda s: s.currency in rates).map(lambda s: (s.shop, s.amount * rates[s.currency]))


def without_tests(sales: RDD[Sale]):
    kept = sales
    for word in CONFIG["skip"]:
        kept = kept.filter(lambda s, w=word: s.shop != w)
    return kept.map(lambda s: s.shop).distinct()


def per_currency(sales: RDD[Sale]):
    result = {}
    for currency in ("EUR", "USD", "GBP"):
        result[currency] = sales.filter(lambda s, c=currency: s.currency == c).map(lambda s: s.amount).sum()
    return result


def report(sales: RDD[Sale]) -> tuple[int, int, int]:
    counters = {"all": 0, "small": 0, "undated": 0}
    for s in sales.collect():
        counters["all"] += 1
        if s.amount < CONFIG["min_amount"]:
            counters["small"] += 1
        if s.day is None:
            counters["undated"] += 1
    return counters["all"], counters["small"], counters["undated"]


def between(values: RDD[int], least: int):
    settings = Settings(least, least + 100)
    return values.filter(lambda v: settings.least <= v < settings.most)


def apply_all(values: RDD[int]):
    functions = [lambda v: v + 1, lambda v: v * 2, abs]
    for f in functions:
        values = values.map(f)
    return values


def composed(values: RDD[int]):
    def compose(*functions):
        return lambda x: reduce(lambda acc, f: f(acc), functions, x)

    return values.map(compose(lambda x: x + 1, lambda x: x * x, lambda x: x - 3))


def with_partial(values: RDD[int], factor: int):
    def scale(by, offset, v):
        return v * by + offset

    return values.map(partial(scale, factor, 10))


def sum_of_three(a: RDD[int], b: RDD[int], c: RDD[int]) -> int:
    total = 0
    for rdd in [a, b, c]:
        total += rdd.sum()
    return total


def largest_source(a: RDD[int], b: RDD[int]) -> str:
    counts = {"a": a.count(), "b": b.count()}
    best = None
    for name in counts:
        if best is None or counts[name] > counts[best]:
            best = name
    return best


def merged(a: RDD[tuple[str, int]], b: RDD[tuple[str, int]], c: RDD[tuple[str, int]]):
    return reduce(lambda x, y: x.union(y), [a, b, c]).reduceByKey(lambda x, y: x + y)


def shares(sc: SparkContext, values: RDD[tuple[str, int]]):
    total = sc.broadcast(values.values().sum())
    return values.reduceByKey(lambda a, b: a + b).mapValues(lambda v: v * 100 // (total.value or 1))


def second_field(lines: RDD[str]):
    rows = lines.map(lambda l: l.split("|"))
    return rows.filter(lambda r: len(r) > 1).map(lambda r: r[1].strip()).filter(bool)


def indexed(values: RDD[tuple[str, int]]):
    by_key = {}
    for k, v in values.collect():
        if k not in by_key:
            by_key[k] = 0
        by_key[k] = by_key[k] + v
    return sorted(by_key.items())


def buckets(values: RDD[int]):
    limits = [10, 100, 1000]

    def bucket(v):
        for i, limit in enumerate(limits):
            if v < limit:
                return i
        return len(limits)

    return values.map(lambda v: (bucket(v), 1)).reduceByKey(lambda a, b: a + b)


def running_flags(values: RDD[int]) -> tuple[bool, bool]:
    any_negative, all_even = False, True
    for v in values.collect():
        any_negative = any_negative or v < 0
        all_even &= v % 2 == 0
    return any_negative, all_even


def tagged(values: RDD[tuple[str, int]]):
    rows = values.map(lambda kv: Row3(kv[0], kv[1], "x" if kv[1] > 5 else "y"))
    return rows.map(lambda r: ((r.key, r.tag), r.value)).reduceByKey(max)


def itemgetters(values: RDD[tuple[str, int, int]]):
    return values.map(itemgetter(0, 2)).reduceByKey(lambda a, b: a + b)


def normalised(lines: RDD[str]):
    steps = [str.strip, str.lower, lambda s: s.replace("-", " ")]

    def clean(line):
        for step in steps:
            line = step(line)
        return line

    return lines.map(clean).distinct()


def missing_keys(wanted: RDD[str], got: RDD[tuple[str, int]]):
    known = set(got.keys().collect())
    return [w for w in wanted.collect() if w not in known]


def pairs_of_days(sales: RDD[tuple[str, int]]) -> int:
    first, last = None, None
    for _, day in sales.collect():
        if first is None or day < first:
            first = day
        if last is None or day > last:
            last = day
    return 0 if first is None else last - first


class Counter:
    def __init__(self):
        self.count = 0
        self.total = 0

    def see(self, value):
        self.count += 1
        self.total += value

    @property
    def mean(self):
        return self.total // self.count if self.count else 0


def counted(values: RDD[int]) -> int:
    counter = Counter()
    for v in values.collect():
        counter.see(v)
    return counter.mean


def groups_of_two(values: RDD[tuple[str, int]]):
    groups = defaultdict(set)
    for k, v in values.collect():
        groups[k].add(v)
    return {k for k, vs in groups.items() if len(vs) == 2}


def chosen(values: RDD[int], mode: str):
    modes = {"double": lambda v: v * 2, "square": lambda v: v * v}
    if mode == "double":
        return values.map(modes["double"])
    return values.map(modes["square"])


def checked(values: RDD[int], least: int):
    if least < 0:
        raise ValueError("negative")
    return values.filter(lambda v: v >= least)


def flat(values: RDD[tuple[int, int]]):
    out = []
    for a, b in values.collect():
        out.append(a)
        out.append(b)
    return sorted(out)


def steps_with_flags(values: RDD[int], dedupe: bool, positive: bool):
    if dedupe:
        values = values.distinct()
    if positive:
        values = values.filter(lambda v: v > 0)
    return values


def joined_all(a: RDD[tuple[str, int]], b: RDD[tuple[str, int]], c: RDD[tuple[str, int]]):
    result = a.mapValues(lambda v: (v,))
    for other in (b, c):
        result = result.join(other).mapValues(lambda p: (*p[0], p[1]))
    return result


def best_per_shop(sales: RDD[Sale]):
    best: dict[str, int] = {}
    for s in sales.collect():
        best[s.shop] = max(best.get(s.shop, 0), s.amount)
    return best
