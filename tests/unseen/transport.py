"""More jobs, as data engineers write them."""

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from operator import add, attrgetter
from typing import NamedTuple

from pyspark import RDD, SparkContext

LOG = re.compile(r"^\[(?P<level>\w+)\] (?P<service>[\w-]+): (?P<message>.*)$")
SEVERITY = {"DEBUG": 0, "INFO": 1, "WARN": 2, "ERROR": 3}


class Trip(NamedTuple):
    driver: str
    zone: str
    start: int
    minutes: int
    fare: int
    tip: int | None


@dataclass(frozen=True)
class Event:
    user: str
    name: str
    at: datetime
    value: float


@dataclass
class Rolling:
    low: int
    high: int
    total: int
    n: int

    @staticmethod
    def of(v: int) -> "Rolling":
        return Rolling(v, v, v, 1)

    def with_value(self, v: int) -> "Rolling":
        return Rolling(min(self.low, v), max(self.high, v), self.total + v, self.n + 1)

    def merged(self, o: "Rolling") -> "Rolling":
        return Rolling(min(self.low, o.low), max(self.high, o.high), self.total + o.total, self.n + o.n)


def parse_log(line: str) -> tuple[str, str, str] | None:
    m = LOG.match(line.strip())
    return (m.group("level"), m.group("service"), m.group("message")) if m else None


def severe_services(lines: RDD[str], least: str = "WARN"):
    parsed = lines.map(parse_log).filter(lambda t: t is not None)
    severe = parsed.filter(lambda t: SEVERITY.get(t[0], -1) >= SEVERITY["WARN"])
    return severe.map(lambda t: (t[1], {t[0]: 1})).reduceByKey(
        lambda a, b: {k: a.get(k, 0) + b.get(k, 0) for k in ("WARN", "ERROR")}
    )


def error_messages(lines: RDD[str]):
    def messages(line):
        try:
            head, message = line.split(": ", 1)
            level = head[1 : head.index("]")]
        except ValueError:
            return
        if level == "ERROR":
            yield message.lower()

    return lines.flatMap(messages).distinct().sortBy(lambda m: m)


def driver_stats(trips: RDD[Trip]):
    stats = trips.map(lambda t: (t.driver, t.fare)).combineByKey(
        Rolling.of, lambda r, v: r.with_value(v), lambda a, b: a.merged(b)
    )
    return stats.mapValues(lambda r: (r.low, r.high, r.total // r.n))


def tips(trips: RDD[Trip]):
    return trips.map(lambda t: (t.zone, t.tip or 0)).reduceByKey(add).filter(lambda kv: kv[1])


def busiest_hour(trips: RDD[Trip]):
    per_hour = trips.map(lambda t: ((t.zone, t.start // 60 % 24), 1)).reduceByKey(add)
    return per_hour.map(lambda kv: (kv[0][0], (kv[1], -kv[0][1]))).reduceByKey(max).mapValues(lambda p: -p[1])


def zone_profit(sc: SparkContext, trips: RDD[Trip], costs: dict[str, int]):
    bc = sc.broadcast(costs)

    def class_of(t):
        return "long" if t.minutes > 30 else "short"

    return (
        trips.map(lambda t: ((t.zone, class_of(t)), t.fare - t.minutes * bc.value.get(t.zone, 1)))
        .groupByKey()
        .mapValues(lambda vs: sum(vs))
        .filter(lambda kv: kv[1] > 0)
    )


def idle_gaps(trips: RDD[Trip]):
    def gaps(ts):
        last_end = None
        longest = 0
        for t in sorted(ts, key=lambda t: (t.start, t.minutes)):
            if last_end is not None and t.start > last_end:
                longest = max(longest, t.start - last_end)
            last_end = t.start + t.minutes if last_end is None else max(last_end, t.start + t.minutes)
        return longest

    return trips.groupBy(lambda t: t.driver).mapValues(gaps)


def trips_per_driver_table(trips: RDD[Trip]) -> list[str]:
    counts = sorted(trips.map(lambda t: (t.driver, 1)).reduceByKey(add).collect())
    return [f"{driver:<10}|{n:>4}" for driver, n in counts]


def normalised(values: RDD[tuple[str, float]]):
    total = values.values().sum()
    return values.reduceByKey(add).mapValues(lambda v: v / total if total else 0.0)


def z_scores(values: RDD[float]):
    n = values.count()
    mean = values.sum() / n if n else 0.0
    return values.map(lambda v: v - mean)


def daily_active(events: RDD[Event]):
    days = events.map(lambda e: (e.at.date(), e.user)).distinct().groupByKey().mapValues(lambda us: len(set(us)))
    return {str(d): n for d, n in days.collect()}


def retained(events: RDD[Event]):
    days = events.map(lambda e: (e.user, e.at.date())).distinct()
    next_day = days.map(lambda p: (p[0], p[1] - timedelta(days=1)))
    both = days.map(lambda p: (p, 1)).join(next_day.map(lambda p: (p, 1)))
    return both.map(lambda kv: (kv[0][1], 1)).reduceByKey(add)


def last_value(events: RDD[Event]):
    def later(a: Event, b: Event) -> Event:
        return a if (a.at, a.value) >= (b.at, b.value) else b

    return events.keyBy(lambda e: (e.user, e.name)).reduceByKey(later).mapValues(attrgetter("value"))


def pivot(events: RDD[Event]):
    names = ["open", "click", "buy"]
    rows = events.map(lambda e: (e.user, [1 if e.name == n else 0 for n in names]))
    return rows.reduceByKey(lambda a, b: [x + y for x, y in zip(a, b)]).mapValues(tuple)


def csv_totals(lines: RDD[str]):
    def parse(line):
        cells = line.split(",")
        return {"id": cells[0], "amount": int(cells[1]), "currency": cells[2] if len(cells) > 2 else "EUR"}

    rows = lines.filter(lambda l: not l.startswith("#")).map(parse)
    return rows.map(lambda r: (r["currency"], r["amount"])).reduceByKey(add)


def partition_counts(lines: RDD[str]):
    def count(part):
        counts = defaultdict(int)
        for line in part:
            for word in line.split():
                counts[word] += 1
        return iter(counts.items())

    return lines.mapPartitions(count).reduceByKey(add)


def merged_config_keys(pairs: RDD[tuple[str, str]], defaults: dict[str, str]):
    given = pairs.reduceByKey(max).collectAsMap()
    return {**defaults, **given}


def components(edges: RDD[tuple[int, int]]):
    nodes = edges.flatMap(lambda e: e).distinct().map(lambda n: (n, n))
    both = edges.union(edges.map(lambda e: (e[1], e[0])))
    labels = nodes
    for _ in range(2):
        labels = both.join(labels).map(lambda kv: kv[1]).union(labels).reduceByKey(min)
    return labels


def jaccard(baskets: RDD[tuple[str, str]]):
    items = baskets.distinct()
    sizes = items.mapValues(lambda _: 1).reduceByKey(add)
    common = (
        items.map(lambda p: (p[1], p[0]))
        .groupByKey()
        .flatMap(lambda kv: [((a, b), 1) for a in kv[1] for b in kv[1] if a < b])
    )
    return common.reduceByKey(add)


def bucketed(values: RDD[int], edges: list[int]):
    bounds = [0, 10, 100, 1000]

    def bucket(v):
        for i, b in enumerate(bounds):
            if v < b:
                return i
        return len(bounds)

    return values.map(bucket).countByValue()


def word_lengths(lines: RDD[str]):
    words = lines.flatMap(str.split).map(lambda w: w.strip(".,;:!?").lower()).filter(len)
    return words.keyBy(len).groupByKey().mapValues(lambda ws: sorted(set(ws))).sortByKey()


def streaks(rows: RDD[tuple[str, date]]):
    def longest(days):
        ordered = sorted(set(days))
        best = run = 1
        for a, b in zip(ordered, ordered[1:]):
            run = run + 1 if (b - a).days == 1 else 1
            best = max(best, run)
        return best

    return rows.groupByKey().mapValues(longest)
