"""Call records, from CSV."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from operator import add

from pyspark import RDD, SparkContext


class Plan(str, Enum):
    PREPAID = "prepaid"
    CONTRACT = "contract"

    @classmethod
    def of(cls, code: str) -> Plan:
        return cls.PREPAID if code == "P" else cls.CONTRACT


RATES = {Plan.PREPAID: 9, Plan.CONTRACT: 5}
SEPARATOR = ";"


def parse(line: str) -> tuple[str, str, int] | None:
    caller, callee, seconds, *_ = line.split(SEPARATOR) + ["", "", ""]
    if not seconds.isdigit():
        return None
    return caller, callee, int(seconds)


def minutes(seconds: int) -> int:
    return (seconds + 59) // 60


def contacts(calls: RDD[tuple[str, str]]):
    """Number of different partners, whoever calls."""
    both = calls.flatMap(lambda c: ((c[0], c[1]), (c[1], c[0])))
    return both.distinct().mapValues(lambda _: 1).reduceByKey(add)


def contacts_right(calls: RDD[tuple[str, str]]):
    swapped = calls.map(lambda c: (c[1], c[0]))
    return calls.union(swapped).groupByKey().mapValues(lambda partners: len(set(partners)))


def contacts_wrong(calls: RDD[tuple[str, str]]):
    both = calls.flatMap(lambda c: ((c[0], c[1]), (c[1], c[0])))
    return both.mapValues(lambda _: 1).reduceByKey(add)


def fraud(calls: RDD[tuple[str, int]], blacklist: RDD[str], sc: SparkContext):
    """Seconds of callers on the black list."""
    bad = sc.broadcast(set(blacklist.collect()))
    return calls.filter(lambda c: c[0] in bad.value).reduceByKey(add)


def fraud_right(calls: RDD[tuple[str, int]], blacklist: RDD[str], sc: SparkContext):
    bad = blacklist.distinct().map(lambda b: (b, None))
    return calls.reduceByKey(add).join(bad).mapValues(lambda v: v[0])


def fraud_wrong(calls: RDD[tuple[str, int]], blacklist: RDD[str], sc: SparkContext):
    bad = blacklist.map(lambda b: (b, None))
    return calls.join(bad).mapValues(lambda v: v[0]).reduceByKey(add)


def busiest(calls: RDD[tuple[int, int]]):
    """The hour with most calls, the earliest of these; None without calls."""
    counts = calls.map(lambda c: (c[0] // 3600 % 24, 1)).reduceByKey(add).collect()
    if not counts:
        return None
    return min(counts, key=lambda hc: (-hc[1], hc[0]))[0]


def busiest_right(calls: RDD[tuple[int, int]]):
    if calls.isEmpty():
        return None
    hours = calls.map(lambda c: c[0] // 3600 % 24).map(lambda h: (h, 1)).reduceByKey(add)
    return hours.sortBy(lambda hc: (-hc[1], hc[0])).first()[0]


def busiest_wrong(calls: RDD[tuple[int, int]]):
    if calls.isEmpty():
        return None
    hours = calls.map(lambda c: c[0] // 3600 % 24).map(lambda h: (h, 1)).reduceByKey(add)
    return hours.sortBy(lambda hc: (hc[1], hc[0])).first()[0]


def chunks(calls: RDD[tuple[str, int]]):
    """Sums by partitions first."""

    def partial_sums(rows: Iterator[tuple[str, int]]):
        for number, seconds in rows:
            if seconds > 0:
                yield number, minutes(seconds)

    return calls.mapPartitions(partial_sums).reduceByKey(add)


def chunks_right(calls: RDD[tuple[str, int]]):
    billed = calls.filter(lambda c: not c[1] <= 0).mapValues(minutes)
    return billed.aggregateByKey(0, add, add)


def chunks_wrong(calls: RDD[tuple[str, int]]):
    return calls.mapValues(minutes).aggregateByKey(0, add, add).filter(lambda c: c[1] > 0)
