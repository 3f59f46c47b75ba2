"""Sessions, funnels and paths of users."""

from collections.abc import Iterable
from typing import NamedTuple

from pyspark import RDD

GAP = 30 * 60
FUNNEL = ("view", "cart", "pay")


class Event(NamedTuple):
    user: int
    at: int
    kind: str
    page: str


class Session:
    """A session that is being built."""

    def __init__(self, start: int):
        self.start = start
        self.end = start
        self.events = 0

    def add(self, at: int) -> None:
        self.end = at
        self.events += 1

    def length(self) -> int:
        return self.end - self.start


def count_sessions(times: Iterable[int]) -> int:
    sessions, last = 0, None
    for at in sorted(times):
        if last is None or at - last > GAP:
            sessions += 1
        last = at
    return sessions


def sessions_per_user(events: RDD[Event]):
    return events.map(lambda e: (e.user, e.at)).groupByKey().mapValues(count_sessions)


def sessions_per_user_right(events: RDD[Event]):
    def by_pairs(times):
        ordered = sorted(times)
        return 1 + sum(1 for a, b in zip(ordered, ordered[1:]) if b - a > GAP)

    return events.groupBy(lambda e: e.user).mapValues(lambda es: by_pairs(e.at for e in es))


def sessions_per_user_wrong(events: RDD[Event]):
    def by_pairs(times):
        ordered = sorted(times)
        return sum(1 for a, b in zip(ordered, ordered[1:]) if b - a > GAP)

    return events.groupBy(lambda e: e.user).mapValues(lambda es: by_pairs(e.at for e in es))


def funnel(events: RDD[Event]):
    """How many users reached each step, in any order of time."""
    reached = events.filter(lambda e: e.kind in FUNNEL).map(lambda e: (e.kind, e.user)).distinct()
    counts = reached.countByKey()
    return [counts.get(step, 0) for step in FUNNEL]


def funnel_right(events: RDD[Event]):
    result = []
    for step in FUNNEL:
        users = events.filter(lambda e, step=step: e.kind == step).map(lambda e: e.user).distinct()
        result.append(users.count())
    return result


def funnel_wrong(events: RDD[Event]):
    result = []
    for step in FUNNEL:
        users = events.filter(lambda e, step=step: e.kind == step).map(lambda e: e.user)
        result.append(users.count())
    return result


def conversion(events: RDD[Event]):
    """Users that paid among those that had a cart."""
    carts = events.filter(lambda e: e.kind == "cart").map(lambda e: e.user).distinct()
    paid = events.filter(lambda e: e.kind == "pay").map(lambda e: e.user).distinct()
    return carts.intersection(paid).count() / max(carts.count(), 1)


def conversion_right(events: RDD[Event]):
    carts = set(events.filter(lambda e: e.kind == "cart").map(lambda e: e.user).collect())
    paid = set(events.filter(lambda e: e.kind == "pay").map(lambda e: e.user).collect())
    return len(carts & paid) / len(carts) if carts else 0.0


def conversion_wrong(events: RDD[Event]):
    carts = set(events.filter(lambda e: e.kind == "cart").map(lambda e: e.user).collect())
    paid = set(events.filter(lambda e: e.kind == "pay").map(lambda e: e.user).collect())
    return len(carts | paid) / len(carts) if carts else 0.0


def landing_page(events: RDD[Event]):
    """The page of each user's first event, the smallest of one second."""
    zero = (10**12, "~")

    def earlier(acc, event):
        candidate = (event.at, event.page)
        return candidate if candidate < acc else acc

    best = events.keyBy(lambda e: e.user).combineByKey(
        lambda e: (e.at, e.page), earlier, lambda a, b: a if a <= b else b
    )
    return best.mapValues(lambda pair: pair[1])


def landing_page_right(events: RDD[Event]):
    firsts = events.map(lambda e: (e.user, (e.at, e.page))).groupByKey()
    return firsts.map(lambda kv: (kv[0], sorted(kv[1])[0][1]))


def landing_page_wrong(events: RDD[Event]):
    firsts = events.map(lambda e: (e.user, (e.at, e.page))).groupByKey()
    return firsts.map(lambda kv: (kv[0], sorted(kv[1])[-1][1]))
