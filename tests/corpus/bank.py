"""Accounts, currencies, fraud."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from functools import reduce
from operator import add

from pyspark import RDD


class Kind(Enum):
    DEPOSIT = "D"
    WITHDRAWAL = "W"
    FEE = "F"


@dataclass(frozen=True)
class Entry:
    account: str
    kind: Kind
    cents: int
    day: date

    @property
    def signed(self) -> int:
        return self.cents if self.kind is Kind.DEPOSIT else -self.cents


def balances(entries: RDD[Entry]):
    return entries.map(lambda e: (e.account, e.signed)).reduceByKey(add).filter(lambda kv: kv[1] != 0)


def balances_right(entries: RDD[Entry]):
    def fold(acc, entry):
        if entry.kind == Kind.DEPOSIT:
            return acc + entry.cents
        return acc - entry.cents

    grouped = entries.groupBy(lambda e: e.account)
    return grouped.mapValues(lambda es: reduce(fold, es, 0)).filter(lambda kv: kv[1])


def balances_wrong(entries: RDD[Entry]):
    def fold(acc, entry):
        if entry.kind == Kind.WITHDRAWAL:
            return acc - entry.cents
        return acc + entry.cents

    grouped = entries.groupBy(lambda e: e.account)
    return grouped.mapValues(lambda es: reduce(fold, es, 0)).filter(lambda kv: kv[1])


def suspicious(entries: RDD[Entry], limit: int):
    """Accounts with more than `limit` withdrawn on one day."""
    withdrawn = entries.filter(lambda e: e.kind == Kind.WITHDRAWAL).map(lambda e: ((e.account, e.day), e.cents))
    return withdrawn.reduceByKey(add).filter(lambda kv: kv[1] > limit).map(lambda kv: kv[0][0]).distinct()


def suspicious_right(entries: RDD[Entry], limit: int):
    withdrawn = entries.filter(lambda e: e.kind is Kind.WITHDRAWAL).map(lambda e: ((e.account, e.day), e.cents))
    worst = withdrawn.reduceByKey(add).map(lambda kv: (kv[0][0], kv[1])).reduceByKey(max)
    return worst.filter(lambda kv: kv[1] > limit).keys()


def suspicious_wrong(entries: RDD[Entry], limit: int):
    withdrawn = entries.filter(lambda e: e.kind is Kind.WITHDRAWAL).map(lambda e: (e.account, e.cents))
    return withdrawn.reduceByKey(add).filter(lambda kv: kv[1] > limit).keys()


def converted(payments: RDD[tuple[str, str, float]], rates: RDD[tuple[str, float]]):
    """Totals by customer in euros; unknown currencies are left out."""
    by_currency = payments.map(lambda p: (p[1], (p[0], p[2])))
    joined = by_currency.join(rates)
    return joined.map(lambda kv: (kv[1][0][0], kv[1][0][1] * kv[1][1])).reduceByKey(add)


def converted_right(payments: RDD[tuple[str, str, float]], rates: RDD[tuple[str, float]]):
    totals = payments.map(lambda p: ((p[1], p[0]), p[2])).reduceByKey(add)
    joined = totals.map(lambda kv: (kv[0][0], (kv[0][1], kv[1]))).join(rates)
    return joined.map(lambda kv: (kv[1][0][0], kv[1][0][1] * kv[1][1])).reduceByKey(add)


def converted_wrong(payments: RDD[tuple[str, str, float]], rates: RDD[tuple[str, float]]):
    totals = payments.map(lambda p: ((p[1], p[0]), p[2])).distinct().reduceByKey(add)
    joined = totals.map(lambda kv: (kv[0][0], (kv[0][1], kv[1]))).join(rates)
    return joined.map(lambda kv: (kv[1][0][0], kv[1][0][1] * kv[1][1])).reduceByKey(add)


def dormant(entries: RDD[Entry], today: date):
    """Accounts without a movement for ninety days."""
    last = entries.map(lambda e: (e.account, e.day)).reduceByKey(max)
    return last.filter(lambda kv: (today - kv[1]).days > 90).keys()


def dormant_right(entries: RDD[Entry], today: date):
    cut = today - timedelta(days=90)
    return entries.groupBy(lambda e: e.account).filter(lambda kv: all(e.day < cut for e in kv[1])).map(lambda kv: kv[0])


def dormant_wrong(entries: RDD[Entry], today: date):
    cut = today - timedelta(days=90)
    return (
        entries.groupBy(lambda e: e.account).filter(lambda kv: all(e.day <= cut for e in kv[1])).map(lambda kv: kv[0])
    )


def statement_lines(entries: RDD[Entry]):
    """What is printed: account, kind, amount with two digits."""
    return entries.map(lambda e: f"{e.account};{e.kind.value};{e.cents // 100}.{e.cents % 100:02d}")


def statement_lines_right(entries: RDD[Entry]):
    def show(e: Entry) -> str:
        units, cents = divmod(e.cents, 100)
        return f"{e.account};{e.kind.value};{units}.{cents:02d}"

    return entries.map(show)


def statement_lines_wrong(entries: RDD[Entry]):
    def show(e: Entry) -> str:
        units, cents = divmod(e.cents, 100)
        return f"{e.account};{e.kind.value};{units}.{cents}"

    return entries.map(show)


def referrals(links: RDD[tuple[str, str]]):
    """Customers of whom somebody was referred who refers others."""
    referrers = links.keys().distinct().map(lambda c: (c, None))
    by_new = links.map(lambda l: (l[1], l[0]))
    return by_new.join(referrers).map(lambda kv: kv[1][0]).distinct()


def referrals_right(links: RDD[tuple[str, str]]):
    second = links.map(lambda l: (l[1], l[0])).join(links)
    return second.map(lambda kv: kv[1][0]).distinct()


def referrals_wrong(links: RDD[tuple[str, str]]):
    second = links.join(links)
    return second.map(lambda kv: kv[1][0]).distinct()


def tiers(balances: RDD[tuple[str, int]]):
    """Number and total of each tier."""
    limits = [("gold", 10000), ("silver", 1000)]

    def tier(amount):
        for name, least in limits:
            if amount >= least:
                return name
        return "basic"

    return balances.map(lambda b: (tier(b[1]), (1, b[1]))).reduceByKey(lambda a, b: tuple(map(add, a, b)))


def tiers_right(balances: RDD[tuple[str, int]]):
    def tier(amount):
        return "gold" if amount >= 10000 else "silver" if amount >= 1000 else "basic"

    return balances.map(lambda b: (tier(b[1]), b[1])).groupByKey().mapValues(lambda g: (len(g), sum(g)))


def tiers_wrong(balances: RDD[tuple[str, int]]):
    def tier(amount):
        return "gold" if amount > 10000 else "silver" if amount >= 1000 else "basic"

    return balances.map(lambda b: (tier(b[1]), b[1])).groupByKey().mapValues(lambda g: (len(g), sum(g)))


def joint_accounts(owners: RDD[tuple[str, str]]):
    """Accounts with more than one owner, and the owners in order."""
    return owners.distinct().groupByKey().mapValues(sorted).filter(lambda kv: len(kv[1]) > 1)


def joint_accounts_right(owners: RDD[tuple[str, str]]):
    several = owners.distinct().mapValues(lambda _: 1).reduceByKey(add).filter(lambda kv: kv[1] > 1)
    return owners.distinct().join(several).mapValues(lambda p: p[0]).groupByKey().mapValues(sorted)


def joint_accounts_wrong(owners: RDD[tuple[str, str]]):
    return owners.groupByKey().mapValues(sorted).filter(lambda kv: len(kv[1]) > 1)
