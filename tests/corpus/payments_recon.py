"""Reconciliation of a ledger with the bank's file."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta

from pyspark import RDD


@dataclass(frozen=True)
class Entry:
    reference: str
    account: str
    cents: int
    booked: date


class Matcher:
    """Pairs entries of two sides by reference."""

    def __init__(self, tolerance: int = 0):
        self.tolerance = tolerance

    def status(self, ours: list, theirs: list) -> str:
        if not theirs:
            return "missing"
        if not ours:
            return "unexpected"
        if abs(sum(ours) - sum(theirs)) > self.tolerance:
            return "differs"
        return "ok"


def keyed(entries):
    return entries.map(lambda e: (e.reference, e.cents))


def statuses(ours: RDD[Entry], theirs: RDD[Entry]):
    """How many references have each status."""
    matcher = Matcher(tolerance=5)
    both = keyed(ours).cogroup(keyed(theirs))
    found = both.mapValues(lambda sides: matcher.status(list(sides[0]), list(sides[1])))
    return found.values().countByValue()


def statuses_right(ours: RDD[Entry], theirs: RDD[Entry]):
    left = keyed(ours).reduceByKey(lambda a, b: a + b)
    right = keyed(theirs).reduceByKey(lambda a, b: a + b)

    def status(kv):
        _, (a, b) = kv
        if b is None:
            return "missing", 1
        if a is None:
            return "unexpected", 1
        return ("differs" if abs(a - b) > 5 else "ok"), 1

    return dict(left.fullOuterJoin(right).map(status).reduceByKey(lambda a, b: a + b).collect())


def statuses_wrong(ours: RDD[Entry], theirs: RDD[Entry]):
    left = keyed(ours).reduceByKey(lambda a, b: a + b)
    right = keyed(theirs).reduceByKey(lambda a, b: a + b)

    def status(kv):
        _, (a, b) = kv
        if b is None:
            return "missing", 1
        return ("differs" if abs(a - b) > 5 else "ok"), 1

    return dict(left.leftOuterJoin(right).map(status).reduceByKey(lambda a, b: a + b).collect())


def balances(entries: RDD[Entry], day: date):
    """The balance of each account up to a day."""
    until = entries.filter(lambda e: e.booked <= day)
    return until.map(lambda e: (e.account, e.cents)).reduceByKey(lambda a, b: a + b)


def balances_right(entries: RDD[Entry], day: date):
    def account_of(entry: Entry):
        if entry.booked > day:
            return None
        return entry.account, entry.cents

    pairs = entries.map(account_of).filter(lambda p: p is not None)
    return pairs.combineByKey(lambda v: v, lambda a, v: a + v, lambda a, b: a + b)


def balances_wrong(entries: RDD[Entry], day: date):
    until = entries.filter(lambda e: e.booked < day)
    return until.map(lambda e: (e.account, e.cents)).reduceByKey(lambda a, b: a + b)


def overdrawn(entries: RDD[Entry]):
    """Accounts whose running balance by day was below zero at the end of some day."""

    def ever_negative(pairs):
        by_day = defaultdict(int)
        for day, cents in pairs:
            by_day[day] += cents
        balance = 0
        for day in sorted(by_day):
            balance += by_day[day]
            if balance < 0:
                return True
        return False

    grouped = entries.map(lambda e: (e.account, (e.booked, e.cents))).groupByKey()
    return grouped.filter(lambda kv: ever_negative(kv[1])).keys()


def overdrawn_right(entries: RDD[Entry]):
    daily = entries.map(lambda e: ((e.account, e.booked), e.cents)).reduceByKey(lambda a, b: a + b)

    def ever_negative(pairs):
        balance, lowest = 0, 0
        for _, cents in sorted(pairs):
            balance += cents
            lowest = min(lowest, balance)
        return lowest < 0

    grouped = daily.map(lambda kv: (kv[0][0], (kv[0][1], kv[1]))).groupByKey()
    return grouped.filter(lambda kv: ever_negative(kv[1])).map(lambda kv: kv[0])


def overdrawn_wrong(entries: RDD[Entry]):
    totals = entries.map(lambda e: (e.account, e.cents)).reduceByKey(lambda a, b: a + b)
    return totals.filter(lambda kv: kv[1] < 0).keys()


def weekly_volume(entries: RDD[Entry]):
    """The volume of each week, which is named by its Monday."""

    def monday(day: date) -> date:
        return day - timedelta(days=day.weekday())

    return entries.map(lambda e: (monday(e.booked), abs(e.cents))).reduceByKey(lambda a, b: a + b).sortByKey()


def weekly_volume_right(entries: RDD[Entry]):
    weeks = entries.keyBy(lambda e: e.booked - timedelta(days=e.booked.isoweekday() - 1))
    sums = weeks.mapValues(lambda e: e.cents if e.cents >= 0 else -e.cents).foldByKey(0, lambda a, b: a + b)
    return sums.sortBy(lambda kv: kv[0])


def weekly_volume_wrong(entries: RDD[Entry]):
    weeks = entries.keyBy(lambda e: e.booked - timedelta(days=e.booked.isoweekday()))
    sums = weeks.mapValues(lambda e: e.cents if e.cents >= 0 else -e.cents).foldByKey(0, lambda a, b: a + b)
    return sums.sortBy(lambda kv: kv[0])
