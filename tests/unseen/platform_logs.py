"""Jobs on logs, sensors and sessions, as data engineers write them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from enum import Enum
from functools import reduce
from itertools import chain
from operator import add
from typing import NamedTuple

from pyspark import RDD, SparkContext


class Level(Enum):
    DEBUG = 10
    INFO = 20
    ERROR = 40


class Event(NamedTuple):
    user: str
    kind: str
    at: int
    value: int


SECONDS_PER_HOUR = 3600


def status_class(code: int) -> str:
    return f"{code // 100}xx"


def requests_by_status(logs: RDD[tuple[str, int]]):
    return logs.map(lambda r: (status_class(r[1]), 1)).reduceByKey(add)


def error_rate(logs: RDD[tuple[str, int]]) -> float:
    errors = logs.filter(lambda r: r[1] >= 500).count()
    total = logs.count()
    return errors / total if total else 0.0


def hourly(events: RDD[Event]):
    return events.map(lambda e: (e.at // SECONDS_PER_HOUR, 1)).reduceByKey(add).sortByKey()


def users_by_kind(events: RDD[Event]):
    return events.map(lambda e: (e.kind, e.user)).distinct().mapValues(lambda _: 1).reduceByKey(add)


def funnel(events: RDD[Event]):
    steps = ["view", "cart", "buy"]
    return [events.filter(lambda e, s=step: e.kind == s).map(lambda e: e.user).distinct().count() for step in steps]


def sessions_per_user(events: RDD[Event], gap: int):
    def count_sessions(times: Iterable[int]) -> int:
        sessions, last = 0, None
        for t in sorted(times):
            if last is None or t - last > gap:
                sessions += 1
            last = t
        return sessions

    return events.map(lambda e: (e.user, e.at)).groupByKey().mapValues(count_sessions)


def active_on_both(a: RDD[Event], b: RDD[Event]):
    return a.map(lambda e: e.user).intersection(b.map(lambda e: e.user))


def max_per_sensor(readings: RDD[tuple[str, int]]):
    best: dict[str, int] = {}
    for sensor, value in readings.collect():
        if sensor not in best or value > best[sensor]:
            best[sensor] = value
    return best


def alarm_count(readings: RDD[tuple[str, int]], limits: RDD[tuple[str, int]]):
    joined = readings.join(limits)
    alarms = joined.filter(lambda kv: kv[1][0] > kv[1][1])
    return alarms.countByKey()


def normalise(readings: RDD[tuple[str, int]]):
    total = readings.values().sum()
    return readings.mapValues(lambda v: 0 if total == 0 else v * 100 // total)


def any_negative(readings: RDD[tuple[str, int]]) -> bool:
    for _, v in readings.collect():
        if v < 0:
            return True
    return False


def first_error(lines: RDD[str]) -> bool:
    found = False
    for line in lines.collect():
        if "ERROR" in line:
            found = True
            break
    return found


def words(lines: RDD[str]):
    return (
        lines.flatMap(lambda l: l.lower().split()).filter(lambda w: len(w) > 3).map(lambda w: (w, 1)).reduceByKey(add)
    )


def longest_line(lines: RDD[str]) -> int:
    return lines.map(len).fold(0, max)


def level_of(line: str) -> Level:
    if line.startswith("ERROR"):
        return Level.ERROR
    if line.startswith("INFO"):
        return Level.INFO
    return Level.DEBUG


def lines_by_level(lines: RDD[str]):
    return lines.map(lambda l: (level_of(l).value, 1)).reduceByKey(add)


def severe(lines: RDD[str], least: int) -> int:
    return lines.filter(lambda l: level_of(l).value >= least).count()


def key_values(lines: RDD[str]):
    def pairs(line):
        for part in line.split("&"):
            if "=" in part:
                key, value = part.split("=", 1)
                yield key, value

    return lines.flatMap(pairs)


def spread(readings: RDD[tuple[str, int]]):
    def merge_value(acc, v):
        return min(acc[0], v), max(acc[1], v)

    def merge(a, b):
        return min(a[0], b[0]), max(a[1], b[1])

    return readings.combineByKey(lambda v: (v, v), merge_value, merge).mapValues(lambda p: p[1] - p[0])


def outliers(readings: RDD[tuple[str, int]], factor: int):
    stats = readings.aggregateByKey(
        (0, 0), lambda acc, v: (acc[0] + v, acc[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1])
    )
    return (
        readings.join(stats).filter(lambda kv: kv[1][0] * kv[1][1][1] > factor * kv[1][1][0]).mapValues(lambda v: v[0])
    )


def group_lists(events: RDD[Event]):
    groups = defaultdict(list)
    for e in events.collect():
        groups[e.kind].append(e.value)
    return {k: sum(v) for k, v in groups.items()}


def kinds_over(events: RDD[Event], least: int):
    counts = Counter(e.kind for e in events.collect())
    return {k for k, n in counts.items() if n > least}


def total_and_count(events: RDD[Event]):
    values = [e.value for e in events.collect() if e.value]
    return sum(values), len(values)


def histogram(values: RDD[int], width: int):
    if width <= 0:
        width = 1
    return values.map(lambda v: (v // width * width, 1)).reduceByKey(add)


def chunks(events: RDD[Event]):
    def process(part):
        for e in part:
            if e.kind != "heartbeat":
                yield (e.user, e.value)

    return events.mapPartitions(process).reduceByKey(add)


def union_of_days(sc: SparkContext, monday: RDD[Event], tuesday: RDD[Event], wednesday: RDD[Event]):
    days = [monday, tuesday, wednesday]
    return sc.union(days).map(lambda e: (e.user, 1)).reduceByKey(add)


def sum_over_days(monday: RDD[Event], tuesday: RDD[Event]) -> int:
    return reduce(add, (day.map(lambda e: e.value).sum() for day in (monday, tuesday)))


def both_sides(a: RDD[tuple[str, int]], b: RDD[tuple[str, int]]):
    return a.cogroup(b).mapValues(lambda s: (sum(s[0]), sum(s[1]))).filter(lambda kv: kv[1][0] != kv[1][1])


def cleaned(values: RDD[str]):
    def clean(v):
        v = v.strip()
        while v.endswith("."):
            v = v[:-1]
        return v or "n/a"

    return values.map(clean)


def score(events: RDD[Event]):
    weights = {"view": 1, "cart": 3}
    weights["buy"] = 10
    return events.map(lambda e: (e.user, weights.get(e.kind, 0) * e.value)).reduceByKey(add)


def distance(points: RDD[tuple[float, float]]):
    return points.map(lambda p: math.sqrt(p[0] ** 2 + p[1] ** 2)).max()


def three_largest(values: RDD[int]) -> int:
    return sum(sorted(values.collect(), reverse=True)[:3])


class Cleaner:
    """A step of a pipeline that is configured once."""

    def __init__(self, lowest: int, highest: int):
        self.lowest = lowest
        self.highest = highest
        self.scale = 1

    def keep(self, value: int) -> bool:
        return self.lowest <= value <= self.highest

    def apply(self, values):
        return values.filter(self.keep).map(lambda v: v * self.scale)


def cleaned_values(values: RDD[int]):
    cleaner = Cleaner(0, 100)
    cleaner.scale = 2
    return cleaner.apply(values)


def flat_tags(rows: RDD[tuple[int, list[str]]]):
    return rows.flatMap(lambda r: [(tag.lower(), r[0]) for tag in r[1]]).distinct()


def tags_per_row(rows: RDD[tuple[int, list[str]]]):
    return rows.map(lambda r: (r[0], len(set(r[1]))))


def all_tags(rows: RDD[tuple[int, list[str]]]) -> int:
    return len(set(chain.from_iterable(tags for _, tags in rows.collect())))
