"""Click streams: sessions, dwell times, first and last pages."""

from __future__ import annotations

from operator import add
from typing import NamedTuple

from pyspark import RDD

GAP = 30


class Click(NamedTuple):
    user: str
    ts: int
    page: str


def count_sessions(stamps) -> int:
    ordered = sorted(stamps)
    sessions = 0
    previous = None
    for ts in ordered:
        if previous is None or ts - previous > GAP:
            sessions += 1
        previous = ts
    return sessions


def sessions_per_user(clicks: RDD[Click]):
    """A new session starts after more than GAP minutes of silence."""
    return clicks.map(lambda c: (c.user, c.ts)).groupByKey().mapValues(count_sessions)


def sessions_per_user_right(clicks: RDD[Click]):
    def count(stamps):
        ordered = sorted(stamps)
        return 1 + sum(1 for a, b in zip(ordered, ordered[1:]) if b - a > GAP)

    return clicks.map(lambda c: (c.user, c.ts)).groupByKey().mapValues(count)


def sessions_per_user_wrong(clicks: RDD[Click]):
    def count(stamps):
        ordered = sorted(stamps)
        return 1 + sum(1 for a, b in zip(ordered, ordered[1:]) if b - a >= GAP)

    return clicks.map(lambda c: (c.user, c.ts)).groupByKey().mapValues(count)


def time_on_site(clicks: RDD[Click]):
    """Last minus first click of each user."""
    ends = clicks.map(lambda c: (c.user, (c.ts, c.ts))).reduceByKey(lambda a, b: (min(a[0], b[0]), max(a[1], b[1])))
    return ends.mapValues(lambda e: e[1] - e[0])


def time_on_site_right(clicks: RDD[Click]):
    keyed = clicks.map(lambda c: (c.user, c.ts))
    first, last = keyed.reduceByKey(min), keyed.reduceByKey(max)
    return last.join(first).mapValues(lambda p: p[0] - p[1])


def time_on_site_wrong(clicks: RDD[Click]):
    def total(stamps):
        ordered = sorted(stamps)
        return sum(b - a for a, b in zip(ordered, ordered[1:]) if b - a <= GAP)

    return clicks.map(lambda c: (c.user, c.ts)).groupByKey().mapValues(total)


def landing_pages(clicks: RDD[Click]):
    """How many users entered on each page (first in time, then in the alphabet)."""
    first = clicks.map(lambda c: (c.user, (c.ts, c.page))).reduceByKey(min)
    return first.map(lambda kv: (kv[1][1], 1)).reduceByKey(add)


def landing_pages_right(clicks: RDD[Click]):
    def entry(visits):
        return sorted(visits, key=lambda c: (c.ts, c.page))[0].page

    return clicks.groupBy(lambda c: c.user).mapValues(entry).map(lambda kv: (kv[1], kv[0])).groupByKey().mapValues(len)


def landing_pages_wrong(clicks: RDD[Click]):
    def entry(visits):
        return sorted(visits, key=lambda c: (c.page, c.ts))[0].page

    return clicks.groupBy(lambda c: c.user).mapValues(entry).map(lambda kv: (kv[1], kv[0])).groupByKey().mapValues(len)


def bounces(clicks: RDD[Click]) -> int:
    """Users who have seen one page only, however often."""
    pages = clicks.map(lambda c: (c.user, c.page)).distinct().countByKey()
    return len([u for u, n in pages.items() if n == 1])


def bounces_right(clicks: RDD[Click]) -> int:
    pages = clicks.map(lambda c: (c.user, c.page)).groupByKey().mapValues(set)
    return pages.filter(lambda kv: len(kv[1]) == 1).count()


def bounces_wrong(clicks: RDD[Click]) -> int:
    pages = clicks.map(lambda c: (c.user, c.page)).groupByKey().mapValues(list)
    return pages.filter(lambda kv: len(kv[1]) == 1).count()


def active_users(clicks: RDD[Click], start: int, end: int) -> list[str]:
    """Users with a click in [start, end)."""
    return clicks.filter(lambda c: start <= c.ts < end).map(lambda c: c.user).distinct().sortBy(lambda u: u).collect()


def active_users_right(clicks: RDD[Click], start: int, end: int) -> list[str]:
    late = clicks.filter(lambda c: c.ts >= start)
    early = late.filter(lambda c: not c.ts >= end)
    return sorted(early.map(lambda c: (c.user, 1)).reduceByKey(add).collectAsMap())


def active_users_wrong(clicks: RDD[Click], start: int, end: int) -> list[str]:
    users = clicks.map(lambda c: (c.user, (c.ts, c.ts)))
    ends = users.reduceByKey(lambda a, b: (min(a[0], b[0]), max(a[1], b[1])))
    return sorted(ends.filter(lambda kv: kv[1][1] >= start and kv[1][0] < end).keys().collect())


def transitions(clicks: RDD[Click]):
    """Counts of page -> next page of the same user."""

    def steps(visits):
        pages = [page for _, page in sorted(visits)]
        return list(zip(pages, pages[1:]))

    visits = clicks.map(lambda c: (c.user, (c.ts, c.page))).groupByKey()
    return visits.flatMapValues(steps).values().map(lambda s: (s, 1)).reduceByKey(add)


def transitions_right(clicks: RDD[Click]):
    def steps(kv):
        visits = sorted(kv[1], key=lambda c: (c.ts, c.page))
        for i in range(1, len(visits)):
            yield (visits[i - 1].page, visits[i].page), 1

    return clicks.groupBy(lambda c: c.user).flatMap(steps).foldByKey(0, add)


def transitions_wrong(clicks: RDD[Click]):
    def steps(kv):
        visits = sorted(kv[1], key=lambda c: (c.ts, c.page))
        for i in range(1, len(visits)):
            if visits[i - 1].page != visits[i].page:
                yield (visits[i - 1].page, visits[i].page), 1

    return clicks.groupBy(lambda c: c.user).flatMap(steps).foldByKey(0, add)
