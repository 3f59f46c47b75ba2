"""Dates: months, weekdays, validity periods, gaps."""

from __future__ import annotations

from datetime import date, timedelta
from operator import add
from typing import NamedTuple

from pyspark import RDD

CUTOFF = date(2024, 1, 1)
NOTICE_DAYS = 30


class Contract(NamedTuple):
    number: int
    owner: str
    start: date
    end: date | None


def active_on(contracts: RDD[Contract], day: date):
    """Owners with a contract valid on the day; both ends belong to it, no end means open."""
    valid = contracts.filter(lambda c: c.start <= day and (c.end is None or day <= c.end))
    return valid.map(lambda c: c.owner).distinct()


def active_on_right(contracts: RDD[Contract], day: date):
    def state(c: Contract) -> bool:
        if c.start > day:
            return False
        if c.end is None:
            return True
        return not c.end < day

    flags = contracts.map(lambda c: (c.owner, state(c))).reduceByKey(lambda a, b: a or b)
    return flags.filter(lambda kv: kv[1]).keys()


def active_on_wrong(contracts: RDD[Contract], day: date):
    def state(c: Contract) -> bool:
        if c.end is None:
            return True
        return c.start <= day <= c.end

    flags = contracts.map(lambda c: (c.owner, state(c))).reduceByKey(lambda a, b: a or b)
    return flags.filter(lambda kv: kv[1]).keys()


def weekend_starts(contracts: RDD[Contract]) -> int:
    return contracts.filter(lambda c: c.start.weekday() >= 5).count()


def weekend_starts_right(contracts: RDD[Contract]) -> int:
    return contracts.map(lambda c: 1 if c.start.isoweekday() in (6, 7) else 0).sum()


def weekend_starts_wrong(contracts: RDD[Contract]) -> int:
    return contracts.map(lambda c: 1 if c.start.isoweekday() >= 5 else 0).sum()


def starts_per_month(contracts: RDD[Contract]):
    """'YYYY-MM' -> number, from the cut-off on."""
    recent = contracts.filter(lambda c: c.start >= CUTOFF)
    return recent.map(lambda c: (f"{c.start.year}-{c.start.month:02d}", 1)).reduceByKey(add)


def starts_per_month_right(contracts: RDD[Contract]):
    by_month = contracts.map(lambda c: ((c.start.year, c.start.month), 1)).reduceByKey(add)
    recent = by_month.filter(lambda kv: kv[0] >= (CUTOFF.year, CUTOFF.month))
    return recent.map(lambda kv: (f"{kv[0][0]}-{kv[0][1]:02d}", kv[1]))


def starts_per_month_wrong(contracts: RDD[Contract]):
    by_month = contracts.map(lambda c: ((c.start.year, c.start.month), 1)).reduceByKey(add)
    recent = by_month.filter(lambda kv: kv[0] > (CUTOFF.year, CUTOFF.month))
    return recent.map(lambda kv: (f"{kv[0][0]}-{kv[0][1]:02d}", kv[1]))


def to_notify(contracts: RDD[Contract], today: date) -> list[int]:
    """Numbers of the contracts that end within NOTICE_DAYS, soonest first."""
    ending = contracts.filter(lambda c: c.end is not None and 0 <= (c.end - today).days <= NOTICE_DAYS)
    return ending.sortBy(lambda c: (c.end, c.number)).map(lambda c: c.number).collect()


def to_notify_right(contracts: RDD[Contract], today: date) -> list[int]:
    last = today + timedelta(days=NOTICE_DAYS)
    dated = contracts.map(lambda c: (c.end, c.number)).filter(lambda p: p[0] is not None)
    return [number for _, number in sorted(dated.filter(lambda p: today <= p[0] <= last).collect())]


def to_notify_wrong(contracts: RDD[Contract], today: date) -> list[int]:
    last = today + timedelta(days=NOTICE_DAYS)
    dated = contracts.map(lambda c: (c.end, c.number)).filter(lambda p: p[0] is not None)
    return [number for _, number in sorted(dated.filter(lambda p: today <= p[0] < last).collect())]


def longest_days(contracts: RDD[Contract], today: date):
    """owner -> longest duration in days, an open contract counts until today."""
    days = contracts.map(lambda c: (c.owner, ((c.end if c.end is not None else today) - c.start).days))
    return days.reduceByKey(max)


def longest_days_right(contracts: RDD[Contract], today: date):
    def until(c: Contract) -> date:
        return today if c.end is None else c.end

    grouped = contracts.groupBy(lambda c: c.owner)
    return grouped.mapValues(lambda cs: max(until(c) - c.start for c in cs).days)


def longest_days_wrong(contracts: RDD[Contract], today: date):
    days = contracts.map(lambda c: (c.owner, ((c.end or today) - c.start).days))
    return days.foldByKey(0, max)
