"""Shop funnel: view -> cart -> buy."""

from __future__ import annotations

from enum import Enum
from operator import add
from typing import NamedTuple

from pyspark import RDD


class Step(Enum):
    VIEW = 1
    CART = 2
    BUY = 3


class Event(NamedTuple):
    user: int
    step: Step
    item: str
    minute: int


ORDER = {Step.VIEW: 1, Step.CART: 2, Step.BUY: 3}
WINDOW = 60


def users_per_step(events: RDD[Event]) -> dict[str, int]:
    pairs = events.map(lambda e: (e.step.name, e.user)).distinct()
    return dict(pairs.countByKey())


def users_per_step_right(events: RDD[Event]) -> dict[str, int]:
    users = events.map(lambda e: (e.step.name, e.user)).aggregateByKey(
        frozenset(), lambda s, u: s | {u}, lambda a, b: a | b
    )
    return {name: len(s) for name, s in users.collect()}


def users_per_step_wrong(events: RDD[Event]) -> dict[str, int]:
    users = events.map(lambda e: (e.step.name, e.user)).aggregateByKey(
        frozenset(), lambda s, u: s | {u}, lambda a, b: a | b
    )
    counts = users.mapValues(len).collectAsMap()
    return {s.name: counts.get(s.name, 0) for s in Step}


def furthest_step(events: RDD[Event]):
    """user -> name of the furthest step."""
    furthest = events.map(lambda e: (e.user, ORDER[e.step])).reduceByKey(max)
    return furthest.mapValues(lambda n: Step(n).name)


def furthest_step_right(events: RDD[Event]):
    def last(steps):
        seen = set(steps)
        if Step.BUY in seen:
            return "BUY"
        return "CART" if Step.CART in seen else "VIEW"

    return events.map(lambda e: (e.user, e.step)).groupByKey().mapValues(last)


def furthest_step_wrong(events: RDD[Event]):
    return events.map(lambda e: (e.user, e.step.name)).reduceByKey(max)


def abandoned(events: RDD[Event]):
    """(user, item) put into the cart but never bought."""
    carts = events.filter(lambda e: e.step == Step.CART).map(lambda e: (e.user, e.item)).distinct()
    buys = events.filter(lambda e: e.step == Step.BUY).map(lambda e: (e.user, e.item))
    return carts.subtract(buys)


def abandoned_right(events: RDD[Event]):
    flags = events.map(lambda e: ((e.user, e.item), (e.step is Step.CART, e.step is Step.BUY)))
    merged = flags.reduceByKey(lambda a, b: (a[0] or b[0], a[1] or b[1]))
    return merged.filter(lambda kv: kv[1][0] and not kv[1][1]).keys()


def abandoned_wrong(events: RDD[Event]):
    carts = events.filter(lambda e: e.step == Step.CART).map(lambda e: (e.user, e.item)).distinct()
    buyers = events.filter(lambda e: e.step == Step.BUY).map(lambda e: (e.user, e.item))
    return carts.subtractByKey(buyers)


def quick_buyers(events: RDD[Event]):
    """Users who bought within WINDOW minutes after their first view."""
    views = events.filter(lambda e: e.step == Step.VIEW).map(lambda e: (e.user, e.minute)).reduceByKey(min)
    buys = events.filter(lambda e: e.step == Step.BUY).map(lambda e: (e.user, e.minute))
    quick = views.join(buys).filter(lambda kv: 0 <= kv[1][1] - kv[1][0] <= WINDOW)
    return quick.keys().distinct()


def quick_buyers_right(events: RDD[Event]):
    def is_quick(user_events):
        views = [e.minute for e in user_events if e.step == Step.VIEW]
        if not views:
            return False
        start = min(views)
        return any(e.step == Step.BUY and start <= e.minute <= start + WINDOW for e in user_events)

    return events.groupBy(lambda e: e.user).mapValues(list).filter(lambda kv: is_quick(kv[1])).keys()


def quick_buyers_wrong(events: RDD[Event]):
    views = events.filter(lambda e: e.step == Step.VIEW).map(lambda e: (e.user, e.minute)).reduceByKey(min)
    buys = events.filter(lambda e: e.step == Step.BUY).map(lambda e: (e.user, e.minute)).reduceByKey(min)
    quick = views.join(buys).filter(lambda kv: 0 <= kv[1][1] - kv[1][0] <= WINDOW)
    return quick.keys()


def conversion(events: RDD[Event]) -> int:
    """Percent of the viewers who bought; 0 without viewers."""
    viewers = events.filter(lambda e: e.step == Step.VIEW).map(lambda e: e.user).distinct()
    buyers = events.filter(lambda e: e.step == Step.BUY).map(lambda e: e.user).distinct()
    n = viewers.count()
    return 0 if n == 0 else 100 * viewers.intersection(buyers).count() // n


def conversion_right(events: RDD[Event]) -> int:
    viewers = set(events.filter(lambda e: e.step is Step.VIEW).map(lambda e: e.user).collect())
    buyers = set(events.filter(lambda e: e.step is Step.BUY).map(lambda e: e.user).collect())
    if not viewers:
        return 0
    return len(viewers & buyers) * 100 // len(viewers)


def conversion_wrong(events: RDD[Event]) -> int:
    viewers = set(events.filter(lambda e: e.step is Step.VIEW).map(lambda e: e.user).collect())
    buyers = set(events.filter(lambda e: e.step is Step.BUY).map(lambda e: e.user).collect())
    if not viewers:
        return 0
    return len(buyers) * 100 // len(viewers)


def popular_items(events: RDD[Event], n: int) -> list[str]:
    """The n items bought by the most different users; by name on ties."""
    buyers = events.filter(lambda e: e.step == Step.BUY).map(lambda e: (e.item, e.user)).distinct()
    ranked = buyers.map(lambda p: (p[0], 1)).reduceByKey(add).sortBy(lambda kv: (-kv[1], kv[0]))
    return [item for item, _ in ranked.take(n)]


def popular_items_right(events: RDD[Event], n: int) -> list[str]:
    buys = events.filter(lambda e: e.step == Step.BUY)
    sizes = buys.groupBy(lambda e: e.item).mapValues(lambda es: len({e.user for e in es}))
    return [kv[0] for kv in sizes.takeOrdered(n, key=lambda kv: (-kv[1], kv[0]))]


def popular_items_wrong(events: RDD[Event], n: int) -> list[str]:
    buys = events.filter(lambda e: e.step == Step.BUY)
    sizes = buys.groupBy(lambda e: e.item).mapValues(lambda es: len(es))
    return [kv[0] for kv in sizes.takeOrdered(n, key=lambda kv: (-kv[1], kv[0]))]
