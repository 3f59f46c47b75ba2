# ruff: noqa: RUF059
"""Click events, devices and experiments."""

from datetime import date, datetime
from operator import itemgetter
from typing import NamedTuple

from pyspark.rdd import RDD


class Event(NamedTuple):
    user: int
    name: str
    ts: int
    page: str | None = None


class Device(NamedTuple):
    user: int
    os: str


SESSION_GAP = 30 * 60
FUNNEL = ("view", "cart", "buy")


def parse(line: str):
    parts = line.split("\t")
    if len(parts) < 3:
        return None
    try:
        return parts[0], parts[1], int(parts[2])
    except ValueError:
        return None


def hour_of(ts: int) -> int:
    return ts // 3600 % 24


# 9
def clicks_per_hour(lines: RDD[str]):
    """Parses lines and counts valid ones per user."""
    events = lines.map(parse).filter(lambda e: e is not None)
    return events.map(lambda e: (e[0], 1)).reduceByKey(lambda a, b: a + b)


def clicks_per_hour_right(lines: RDD[str]):
    def parsed(line):
        record = parse(line)
        return [record] if record else []

    return lines.flatMap(parsed).groupBy(lambda e: e[0]).mapValues(len)


def clicks_per_hour_wrong(lines: RDD[str]):
    rows = lines.map(lambda line: line.split("\t")).filter(lambda p: len(p) >= 3)
    return rows.map(lambda p: (p[0], 1)).reduceByKey(lambda a, b: a + b)


# 10
def conversion(events: RDD[Event]):
    """Users who both viewed and bought."""
    viewers = events.filter(lambda e: e.name == "view").map(lambda e: e.user).distinct()
    buyers = events.filter(lambda e: e.name == "buy").map(lambda e: e.user).distinct()
    return viewers.intersection(buyers).count()


def conversion_right(events: RDD[Event]):
    flags = events.map(lambda e: (e.user, (e.name == "view", e.name == "buy")))
    either = flags.reduceByKey(lambda a, b: (a[0] or b[0], a[1] or b[1]))
    return either.filter(lambda kv: kv[1][0] and kv[1][1]).count()


def conversion_wrong(events: RDD[Event]):
    viewers = events.filter(lambda e: e.name == "view").map(lambda e: e.user)
    buyers = events.filter(lambda e: e.name == "buy").map(lambda e: e.user).distinct()
    return viewers.map(lambda u: (u, 1)).join(buyers.map(lambda u: (u, 1))).count()


# 11
def events_with_os(events: RDD[Event], devices: RDD[Device]):
    """Events by operating system of the user, unknown for users without a device."""
    by_user = devices.map(lambda d: (d.user, d.os))
    joined = events.map(lambda e: (e.user, e.name)).leftOuterJoin(by_user)
    return joined.map(lambda kv: (kv[1][1] or "unknown", 1)).reduceByKey(lambda a, b: a + b)


def events_with_os_right(events: RDD[Event], devices: RDD[Device]):
    by_user = devices.map(lambda d: (d.user, d.os))
    joined = events.keyBy(lambda e: e.user).leftOuterJoin(by_user)

    def os_of(pair):
        _, (event, os) = pair
        return "unknown" if os is None or os == "" else os

    return joined.map(os_of).map(lambda os: (os, 1)).foldByKey(0, lambda a, b: a + b)


def events_with_os_wrong(events: RDD[Event], devices: RDD[Device]):
    by_user = devices.map(lambda d: (d.user, d.os))
    joined = events.map(lambda e: (e.user, e.name)).join(by_user)
    return joined.map(lambda kv: (kv[1][1] or "unknown", 1)).reduceByKey(lambda a, b: a + b)


# 12
def peak_hours(events: RDD[Event]):
    """Hours with more than 100 events."""
    counts = events.map(lambda e: (hour_of(e.ts), 1)).reduceByKey(lambda x, y: x + y)
    return counts.filter(lambda kv: kv[1] > 100).sortByKey().collect()


def peak_hours_right(events: RDD[Event]):
    counts = events.map(lambda e: e.ts // 3600 % 24).map(lambda h: (h, 1)).reduceByKey(lambda x, y: x + y)
    return sorted(counts.filter(lambda kv: kv[1] >= 101).collect())


def peak_hours_wrong(events: RDD[Event]):
    counts = events.map(lambda e: (e.ts // 3600 % 12, 1)).reduceByKey(lambda x, y: x + y)
    return counts.filter(lambda kv: kv[1] > 100).sortByKey().collect()


# 13
def funnel(events: RDD[Event]):
    """How many events of each step of the funnel, as a dict."""
    steps = events.filter(lambda e: e.name in FUNNEL)
    return steps.map(lambda e: e.name).countByValue()


def funnel_right(events: RDD[Event]):
    return events.keyBy(lambda e: e.name).filter(lambda kv: kv[0] in {"buy", "cart", "view"}).countByKey()


def funnel_wrong(events: RDD[Event]):
    return events.map(lambda e: (e.name, e.user)).distinct().filter(lambda kv: kv[0] in FUNNEL).countByKey()


# 14
def daily_active(events: RDD[tuple[int, datetime]]):
    """Distinct users per calendar day."""
    return events.map(lambda e: (e[1].date(), e[0])).distinct().mapValues(lambda _: 1).reduceByKey(lambda a, b: a + b)


def daily_active_right(events: RDD[tuple[int, datetime]]):
    return events.map(lambda e: (e[1].date(), e[0])).groupByKey().mapValues(lambda users: len(set(users)))


def daily_active_wrong(events: RDD[tuple[int, datetime]]):
    return events.map(lambda e: (e[1].date(), e[0])).groupByKey().mapValues(len)


# 15
def weekend_share(events: RDD[tuple[int, date]]):
    """Number of events on weekends and on other days."""
    weekend = events.filter(lambda e: e[1].weekday() >= 5).count()
    return weekend, events.count() - weekend


def weekend_share_right(events: RDD[tuple[int, date]]):
    zero = (0, 0)
    return events.aggregate(
        zero,
        lambda acc, e: (acc[0] + 1, acc[1]) if e[1].weekday() in (5, 6) else (acc[0], acc[1] + 1),
        lambda a, b: (a[0] + b[0], a[1] + b[1]),
    )


def weekend_share_wrong(events: RDD[tuple[int, date]]):
    weekend = events.filter(lambda e: e[1].weekday() > 5).count()
    return weekend, events.count() - weekend


# 16
def longest_page(events: RDD[Event]):
    """The longest page name per user, None if there is none."""
    pages = events.map(lambda e: (e.user, len(e.page) if e.page is not None else 0))
    return pages.reduceByKey(max)


def longest_page_right(events: RDD[Event]):
    return (
        events.map(lambda e: (e.user, 0 if e.page is None else len(e.page))).groupByKey().mapValues(lambda xs: max(xs))
    )


def longest_page_wrong(events: RDD[Event]):
    return events.filter(lambda e: e.page is not None).map(lambda e: (e.user, len(e.page))).reduceByKey(max)


# 17
def recent(events: RDD[Event], now: int):
    """Names of events in the last gap, upper case."""
    return events.filter(lambda e: now - e.ts < SESSION_GAP).map(lambda e: e.name.strip().upper()).distinct()


def recent_right(events: RDD[Event], now: int):
    start = now - SESSION_GAP
    names = events.map(lambda e: (e.name.strip().upper(), e.ts))
    return names.reduceByKey(lambda a, b: a if a > b else b).filter(lambda kv: kv[1] > start).map(itemgetter(0))


def recent_wrong(events: RDD[Event], now: int):
    start = now - SESSION_GAP
    return events.filter(lambda e: e.ts >= start).map(lambda e: e.name.strip().upper()).distinct()
