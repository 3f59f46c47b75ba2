# ruff: noqa: UP031
"""Small pipelines."""

import functools
import logging
import math
from datetime import datetime

from pyspark import RDD

log = logging.getLogger(__name__)


def timed(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        log.info("start")
        return function(*args, **kwargs)

    return inner


class Cleaner:
    """Cleans rows."""

    LIMIT = 100

    def __init__(self, low, high):
        self.low = low
        self.high = high

    def ok(self, value):
        return self.low <= value <= self.high

    def run(self, rows):
        return rows.filter(lambda row: self.ok(row[1]))


def cleaned(rows: RDD[tuple[str, int]]):
    return Cleaner(0, 100).run(rows).count()


def cleaned_right(rows: RDD[tuple[str, int]]):
    return rows.values().filter(lambda v: v >= 0 and v <= 100).count()


def cleaned_wrong(rows: RDD[tuple[str, int]]):
    return rows.values().filter(lambda v: v >= 0 and v < 100).count()


def safe_int(text):
    try:
        return int(text)
    except ValueError:
        return None


def parsed(lines: RDD[str]):
    """The valid numbers of a column."""
    return lines.map(safe_int).filter(lambda v: v is not None).sum()


def parsed_right(lines: RDD[str]):
    def numbers(line):
        try:
            yield int(line)
        except ValueError:
            pass

    return lines.flatMap(numbers).sum()


def parsed_wrong(lines: RDD[str]):
    return lines.map(safe_int).map(lambda v: 0 if v is None else 1).sum()


@timed
def totals(pairs: RDD[tuple[str, int]]):
    return pairs.reduceByKey(lambda a, b: a + b)


def totals_right(pairs: RDD[tuple[str, int]]):
    return pairs.groupByKey().map(lambda kv: (kv[0], sum(kv[1])))


def totals_wrong(pairs: RDD[tuple[str, int]]):
    return pairs.groupByKey().map(lambda kv: (kv[0], len(kv[1])))


def sessions(events: RDD[tuple[str, int]]):
    """The number of events in each window of 30 minutes."""
    return events.map(lambda e: ((e[0], e[1] // 1800), 1)).reduceByKey(lambda a, b: a + b).filter(lambda s: s[1] > 1)


def sessions_right(events: RDD[tuple[str, int]]):
    windows = events.map(lambda e: (e[0], math.floor(e[1] / 1800)))
    return windows.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).filter(lambda s: s[1] >= 2)


def sessions_wrong(events: RDD[tuple[str, int]]):
    windows = events.map(lambda e: (e[0], int(e[1] / 1800)))
    return windows.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).filter(lambda s: s[1] >= 2)


def spread(values: RDD[int]):
    """Maximum less minimum."""
    return values.max() - values.min()


def spread_right(values: RDD[int]):
    low, high = values.map(lambda v: (v, v)).reduce(lambda a, b: (min(a[0], b[0]), max(a[1], b[1])))
    return high - low


def spread_wrong(values: RDD[int]):
    low, high = values.map(lambda v: (v, v)).fold((0, 0), lambda a, b: (min(a[0], b[0]), max(a[1], b[1])))
    return high - low


def friends(edges: RDD[tuple[int, int]]):
    """Degrees of a graph whose edges are in one direction."""
    both = edges.flatMap(lambda e: [(e[0], e[1]), (e[1], e[0])])
    return both.groupByKey().mapValues(len)


def friends_right(edges: RDD[tuple[int, int]]):
    both = edges.union(edges.map(lambda e: (e[1], e[0])))
    return both.map(lambda e: (e[0], 1)).reduceByKey(lambda a, b: a + b)


def friends_wrong(edges: RDD[tuple[int, int]]):
    both = edges.union(edges.map(lambda e: (e[1], e[0]))).distinct()
    return both.map(lambda e: (e[0], 1)).reduceByKey(lambda a, b: a + b)


def number_of_users(events: RDD[tuple[str, int]]):
    return events.keys().distinct().count()


def number_of_users_right(events: RDD[tuple[str, int]]):
    return events.mapValues(lambda _: 1).reduceByKey(lambda a, b: a + b).count()


def number_of_users_wrong(events: RDD[tuple[str, int]]):
    return events.distinct().count()


def latest_by_max(rows: RDD[tuple[str, int, int]]):
    keyed = rows.map(lambda r: (r[0], (r[1], r[2])))
    return keyed.reduceByKey(max).mapValues(lambda v: v[1])


def latest_by_max_right(rows: RDD[tuple[str, int, int]]):
    keyed = rows.keyBy(lambda r: r[0])
    return keyed.reduceByKey(lambda a, b: a if (a[1], a[2]) > (b[1], b[2]) else b).map(lambda kv: (kv[0], kv[1][2]))


def latest_by_max_wrong(rows: RDD[tuple[str, int, int]]):
    keyed = rows.keyBy(lambda r: r[0])
    return keyed.reduceByKey(lambda a, b: a if (a[2], a[1]) > (b[2], b[1]) else b).map(lambda kv: (kv[0], kv[1][2]))


def price_of(prices: RDD[tuple[str, int]], name: str):
    return prices.lookup(name)


def price_of_right(prices: RDD[tuple[str, int]], name: str):
    return prices.filter(lambda p: p[0] == name).map(lambda p: p[1]).collect()


def price_of_wrong(prices: RDD[tuple[str, int]], name: str):
    return prices.filter(lambda p: p[0] >= name).values().collect()


def labels(rows: RDD[tuple[str, int]]):
    return rows.map(lambda r: "%s: %d" % r)


def labels_right(rows: RDD[tuple[str, int]]):
    return rows.map(lambda r: "%s: %d" % (r[0], r[1]))


def labels_wrong(rows: RDD[tuple[str, int]]):
    return rows.map(lambda r: f"{r[1]}: {r[0]}")


def word_lengths(lines: RDD[str]):
    words = lines.flatMap(lambda l: l.lower().split()).filter(lambda w: len(w) > 3 and w.isalpha())
    return words.map(lambda w: (len(w), 1)).reduceByKey(lambda a, b: a + b).sortByKey()


def word_lengths_right(lines: RDD[str]):
    words = lines.map(str.lower).flatMap(str.split).filter(str.isalpha).map(len).filter(lambda n: n >= 4)
    return words.map(lambda n: (n, 1)).reduceByKey(lambda a, b: a + b).sortBy(lambda p: p[0])


def word_lengths_wrong(lines: RDD[str]):
    words = lines.map(str.lower).flatMap(str.split).filter(str.isalpha).map(len).filter(lambda n: n >= 3)
    return words.map(lambda n: (n, 1)).reduceByKey(lambda a, b: a + b).sortBy(lambda p: p[0])


def daily_active(events: RDD[tuple[str, str]]):
    """Distinct users of each day: (user, timestamp as text)."""

    def day(event):
        user, stamp = event
        return datetime.strptime(stamp, "%Y-%m-%d %H:%M:%S").date(), user

    return events.map(day).distinct().countByKey()


def daily_active_right(events: RDD[tuple[str, str]]):
    days = events.map(lambda e: (datetime.strptime(e[1], "%Y-%m-%d %H:%M:%S").date(), e[0]))
    return days.map(lambda d: (d, 1)).reduceByKey(lambda a, b: a + b).keys().map(lambda d: (d[0], 1)).countByKey()


def daily_active_wrong(events: RDD[tuple[str, str]]):
    days = events.map(lambda e: (datetime.strptime(e[1], "%Y-%m-%d %H:%M:%S").date(), e[0]))
    return days.countByKey()


def buckets(values: RDD[float]):
    def bucket(v):
        for i, edge in enumerate([0.0, 10.0, 50.0, 100.0]):
            if v < edge:
                return i
        return 4

    return values.map(lambda v: (bucket(v), 1)).reduceByKey(lambda a, b: a + b)


def buckets_right(values: RDD[float]):
    edges = (0, 10, 50, 100)
    return values.map(lambda v: (sum(1 for e in edges if v >= e), 1)).reduceByKey(lambda a, b: a + b)


def buckets_wrong(values: RDD[float]):
    edges = (0, 10, 50, 100)
    return values.map(lambda v: (sum(1 for e in edges if v > e), 1)).reduceByKey(lambda a, b: a + b)
