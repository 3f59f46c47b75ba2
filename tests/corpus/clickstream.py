"""Clicks on pages of a shop."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from pyspark.rdd import RDD


class Action(Enum):
    VIEW = auto()
    CLICK = auto()
    BUY = auto()


@dataclass(frozen=True)
class Click:
    user_id: int
    page: str
    ts: int
    action: Action = Action.VIEW
    referrer: str | None = None

    @property
    def minute(self) -> int:
        return self.ts // 60

    def is_external(self) -> bool:
        return self.referrer is not None and not self.referrer.startswith("/")


SESSION_TIMEOUT = 1800
WEIGHTS = {Action.VIEW: 1, Action.CLICK: 3, Action.BUY: 10}


def scores(clicks: RDD[Click]):
    """Weighted score of each user."""
    return clicks.map(lambda c: (c.user_id, WEIGHTS[c.action])).reduceByKey(lambda a, b: a + b)


def scores_right(clicks: RDD[Click]):
    def weight(c):
        match c.action:
            case Action.VIEW:
                return 1
            case Action.CLICK:
                return 3
            case Action.BUY:
                return 10

    return clicks.groupBy(lambda c: c.user_id).mapValues(lambda cs: sum(weight(c) for c in cs))


def scores_wrong(clicks: RDD[Click]):
    def weight(c):
        return 3 if c.action is Action.CLICK else 10 if c.action == Action.BUY else 0

    return clicks.map(lambda c: (c.user_id, weight(c))).reduceByKey(lambda a, b: a + b)


def external_minutes(clicks: RDD[Click]):
    """Distinct (user, minute) with an external click."""
    return clicks.filter(lambda c: c.is_external()).map(lambda c: (c.user_id, c.minute)).distinct()


def external_minutes_right(clicks: RDD[Click]):
    def external(c: Click) -> bool:
        if c.referrer is None:
            return False
        return c.referrer[:1] != "/"

    found = clicks.filter(external).map(lambda c: ((c.user_id, c.ts // 60), None))
    return found.reduceByKey(lambda a, _: a).keys()


def external_minutes_wrong(clicks: RDD[Click]):
    return clicks.filter(lambda c: c.is_external()).map(lambda c: (c.user_id, c.ts // 3600)).distinct()


def last_page(clicks: RDD[Click]):
    """The latest page of each user, ties to the greater name."""
    latest = clicks.map(lambda c: (c.user_id, (c.ts, c.page))).reduceByKey(max)
    return latest.mapValues(lambda t: t[1])


def last_page_right(clicks: RDD[Click]):
    def newer(a: Click, b: Click) -> Click:
        return a if (a.ts, a.page) >= (b.ts, b.page) else b

    return (
        clicks.map(lambda c: (c.user_id, c.page, c.ts))
        .map(lambda t: (t[0], (t[2], t[1])))
        .groupByKey()
        .map(lambda kv: (kv[0], sorted(kv[1], reverse=True)[0][1]))
    )


def last_page_wrong(clicks: RDD[Click]):
    return clicks.map(lambda c: (c.user_id, (c.ts, c.page))).reduceByKey(min).mapValues(lambda t: t[1])


def conversion_by_day(clicks: RDD[tuple[datetime, str, int]]):
    """(day, buyers, viewers) for each day."""

    def to_pair(row):
        when, what, user = row
        return (when.date(), user), (what == "view", what == "buy")

    per_user = clicks.map(to_pair).reduceByKey(lambda a, b: (a[0] or b[0], a[1] or b[1]))
    per_day = per_user.map(lambda kv: (kv[0][0], (int(kv[1][1]), int(kv[1][0]))))
    return per_day.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1])).map(lambda kv: (kv[0], *kv[1]))


def conversion_by_day_right(clicks: RDD[tuple[datetime, str, int]]):
    def users(what):
        return (
            clicks.filter(lambda r: r[1] == what).map(lambda r: (r[0].date(), r[2])).distinct().mapValues(lambda _: 1)
        )

    days = clicks.map(lambda r: (r[0].date(), (0, 0))).distinct()
    buys = users("buy").map(lambda kv: (kv[0], (1, 0)))
    views = users("view").map(lambda kv: (kv[0], (0, 1)))
    both = days.union(buys).union(views).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return both.map(lambda kv: (kv[0], kv[1][0], kv[1][1]))


def conversion_by_day_wrong(clicks: RDD[tuple[datetime, str, int]]):
    per_day = clicks.map(lambda r: (r[0].date(), (int(r[1] == "buy"), int(r[1] == "view"))))
    return per_day.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1])).map(lambda kv: (kv[0], kv[1][0], kv[1][1]))


def bounce_users(clicks: RDD[Click]):
    """Users with exactly one click."""
    return clicks.map(lambda c: c.user_id).countByValue()


def bounce_users_right(clicks: RDD[Click]):
    counts = defaultdict(int)
    for user, n in clicks.map(lambda c: (c.user_id, 1)).reduceByKey(lambda a, b: a + b).collect():
        counts[user] += n
    return counts


def bounce_users_wrong(clicks: RDD[Click]):
    return clicks.map(lambda c: (c.user_id, c.page)).distinct().countByKey()
