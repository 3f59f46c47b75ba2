"""Impressions, clicks and budgets of campaigns."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import NamedTuple

from pyspark import RDD, SparkContext, StorageLevel

FORMAT = "%Y-%m-%d %H:%M:%S"


class Impression(NamedTuple):
    campaign: str
    user: str
    stamp: str
    clicked: bool
    cost: int


@dataclass
class Totals:
    shown: int = 0
    clicks: int = 0
    cost: int = 0

    def __add__(self, other: "Totals") -> "Totals":
        return Totals(self.shown + other.shown, self.clicks + other.clicks, self.cost + other.cost)


def hour_of(stamp):
    return datetime.strptime(stamp, FORMAT).hour


def click_rates(seen: RDD[Impression]):
    """Clicks in a thousand for campaigns that were shown at least 100 times."""
    totals = seen.map(lambda i: (i.campaign, Totals(1, int(i.clicked), i.cost))).reduceByKey(lambda a, b: a + b)
    return totals.filter(lambda kv: kv[1].shown >= 100).mapValues(lambda t: 1000 * t.clicks // t.shown)


def click_rates_right(seen: RDD[Impression]):
    shown = seen.map(lambda i: (i.campaign, 1)).reduceByKey(lambda a, b: a + b)
    clicked = seen.map(lambda i: (i.campaign, 1 if i.clicked else 0)).reduceByKey(lambda a, b: a + b)
    both = shown.join(clicked).filter(lambda kv: kv[1][0] > 99)
    return both.mapValues(lambda p: p[1] * 1000 // p[0])


def click_rates_wrong(seen: RDD[Impression]):
    shown = seen.map(lambda i: (i.campaign, 1)).reduceByKey(lambda a, b: a + b)
    clicked = seen.filter(lambda i: i.clicked).map(lambda i: (i.campaign, 1)).reduceByKey(lambda a, b: a + b)
    both = shown.join(clicked).filter(lambda kv: kv[1][0] > 99)
    return both.mapValues(lambda p: p[1] * 1000 // p[0])


def clicks_by_hour(seen: RDD[Impression]):
    clicked = seen.filter(lambda i: i.clicked)
    return clicked.map(lambda i: (hour_of(i.stamp), 1)).reduceByKey(lambda a, b: a + b).collectAsMap()


def clicks_by_hour_right(seen: RDD[Impression]):
    counts = Counter()
    for hour in seen.filter(lambda i: i.clicked).map(lambda i: hour_of(i.stamp)).collect():
        counts[hour] += 1
    return dict(counts)


def clicks_by_hour_wrong(seen: RDD[Impression]):
    counts = Counter()
    for hour in seen.map(lambda i: hour_of(i.stamp)).collect():
        counts[hour] += 1
    return dict(counts)


def over_budget(sc: SparkContext, seen: RDD[Impression], budgets: RDD[tuple[str, int]]):
    """Campaigns that cost more than their budget; those without one have none to spend."""
    limits = sc.broadcast(budgets.reduceByKey(max).collectAsMap())
    costs = seen.map(lambda i: (i.campaign, i.cost)).reduceByKey(lambda a, b: a + b)
    return costs.filter(lambda kv: kv[1] > limits.value.get(kv[0], 0)).keys()


def over_budget_right(sc: SparkContext, seen: RDD[Impression], budgets: RDD[tuple[str, int]]):
    costs = seen.map(lambda i: (i.campaign, i.cost)).reduceByKey(lambda a, b: a + b)
    limits = budgets.reduceByKey(lambda a, b: a if a > b else b)

    def too_much(entry):
        cost, limit = entry[1]
        return cost > (limit or 0)

    return costs.leftOuterJoin(limits).filter(too_much).map(lambda kv: kv[0])


def over_budget_wrong(sc: SparkContext, seen: RDD[Impression], budgets: RDD[tuple[str, int]]):
    costs = seen.map(lambda i: (i.campaign, i.cost)).reduceByKey(lambda a, b: a + b)
    limits = budgets.reduceByKey(lambda a, b: a if a > b else b)
    return costs.join(limits).filter(lambda kv: kv[1][0] > kv[1][1]).map(lambda kv: kv[0])


def reach_overlap(seen: RDD[Impression]):
    """How many users saw both campaigns of a pair."""
    per_user = seen.map(lambda i: (i.user, i.campaign)).distinct().groupByKey()
    pairs = per_user.flatMap(lambda kv: combinations(sorted(kv[1]), 2))
    return pairs.map(lambda p: (p, 1)).reduceByKey(lambda a, b: a + b)


def reach_overlap_right(seen: RDD[Impression]):
    pairs = seen.map(lambda i: (i.user, i.campaign)).distinct()
    joined = pairs.join(pairs).values().filter(lambda p: p[0] < p[1])
    return joined.map(lambda p: ((p[0], p[1]), 1)).reduceByKey(lambda a, b: a + b)


def reach_overlap_wrong(seen: RDD[Impression]):
    pairs = seen.map(lambda i: (i.user, i.campaign))
    joined = pairs.join(pairs).values().filter(lambda p: p[0] < p[1])
    return joined.map(lambda p: ((p[0], p[1]), 1)).reduceByKey(lambda a, b: a + b)


def frequency_capped(seen: RDD[Impression], cap: int):
    """The cost, where only so many impressions of a user and campaign in one hour count."""
    counts = seen.map(lambda i: ((i.campaign, i.user, hour_of(i.stamp)), 1)).reduceByKey(lambda a, b: a + b)
    return counts.map(lambda kv: (kv[0][0], min(kv[1], cap))).reduceByKey(lambda a, b: a + b)


def frequency_capped_right(seen: RDD[Impression], cap: int):
    groups = seen.groupBy(lambda i: (i.campaign, i.user, hour_of(i.stamp)))

    def counted(entry):
        (campaign, _, _), shown = entry
        many = len(list(shown))
        return campaign, (cap if many > cap else many)

    return groups.map(counted).reduceByKey(lambda a, b: a + b)


def frequency_capped_wrong(seen: RDD[Impression], cap: int):
    groups = seen.groupBy(lambda i: (i.campaign, i.user))

    def counted(entry):
        (campaign, _), shown = entry
        many = len(list(shown))
        return campaign, (cap if many > cap else many)

    return groups.map(counted).reduceByKey(lambda a, b: a + b)


def job_stages(seen: RDD[Impression], names: list[str]):
    """Several results of one cached RDD, kept in a dictionary of steps."""
    base = seen.filter(lambda i: i.cost > 0).persist(StorageLevel.MEMORY_AND_DISK)
    steps = {
        "cost": lambda i: i.cost,
        "clicks": lambda i: int(i.clicked),
        "shown": lambda i: 1,
    }
    results = {}
    for name, step in steps.items():
        results[name] = base.map(step).sum()
    base.unpersist()
    return results


def job_stages_right(seen: RDD[Impression], names: list[str]):
    def add(acc, i):
        return (acc[0] + i.cost, acc[1] + (1 if i.clicked else 0), acc[2] + 1)

    base = seen.filter(lambda i: not i.cost <= 0)
    cost, clicks, shown = base.aggregate((0, 0, 0), add, lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2]))
    return {"clicks": clicks, "cost": cost, "shown": shown}


def job_stages_wrong(seen: RDD[Impression], names: list[str]):
    def add(acc, i):
        return (acc[0] + i.cost, acc[1] + (1 if i.clicked else 0), acc[2] + 1)

    cost, clicks, shown = seen.aggregate((0, 0, 0), add, lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2]))
    return {"clicks": clicks, "cost": cost, "shown": shown}
