# ruff: noqa: UP042
"""Payments: accounts, fees, refunds."""

import datetime as dt
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum, IntEnum
from operator import add, attrgetter

from pyspark import RDD

Payment = namedtuple("Payment", ["id", "account", "amount", "currency", "status"])
FEE_BPS = {"EUR": 10, "USD": 15, "GBP": 12}
DEFAULT_FEE = 20
MIN_AMOUNT = 1_00


class Status(str, Enum):
    OK = "ok"
    FAILED = "failed"
    REFUNDED = "refunded"


class Priority(IntEnum):
    LOW = 1
    NORMAL = 2
    HIGH = 3


@dataclass(frozen=True)
class Tx:
    account: str
    amount: int
    day: dt.date
    kind: str = "debit"

    @property
    def signed(self) -> int:
        return -self.amount if self.kind == "debit" else self.amount

    def is_large(self, limit: int = 10_000) -> bool:
        return self.amount >= limit


@dataclass
class Ticket:
    id: int
    priority: Priority
    minutes: int


def fee(currency: str, amount: int) -> int:
    bps = FEE_BPS.get(currency, DEFAULT_FEE)
    return amount * bps // 10_000


class FeeJob:
    MIN = 5

    def __init__(self, floor: int = 5):
        self.floor = floor

    @staticmethod
    def charged(tx: "Tx", rate: int) -> int:
        return tx.amount * rate // 100

    @classmethod
    def at_least(cls, value: int) -> int:
        return max(cls.MIN, value)


# 1
def fees_per_account(payments: RDD[tuple[str, str, int]]):
    """Fees by account: (account, currency, amount)."""

    def to_fee(p):
        account, currency, amount = p
        return account, fee(currency, amount)

    return payments.map(to_fee).reduceByKey(add).filter(lambda kv: kv[1] > 0)


def fees_per_account_right(payments: RDD[tuple[str, str, int]]):
    fees = payments.map(lambda p: (p[0], p[2] * FEE_BPS.get(p[1], DEFAULT_FEE) // 10_000))
    totals = fees.groupByKey().mapValues(sum)
    return totals.filter(lambda kv: not kv[1] <= 0)


def fees_per_account_wrong(payments: RDD[tuple[str, str, int]]):
    fees = payments.map(lambda p: (p[0], p[2] * FEE_BPS.get(p[1], DEFAULT_FEE) // 10_000))
    return fees.filter(lambda kv: kv[1] > 0).reduceByKey(add)


# 2
def balance_by_day(txs: RDD[Tx]):
    """Signed balance per account and day."""
    return txs.map(lambda t: ((t.account, t.day), t.signed)).reduceByKey(lambda a, b: a + b)


def balance_by_day_right(txs: RDD[Tx]):
    credits = txs.filter(lambda t: t.kind != "debit").map(lambda t: ((t.account, t.day), t.amount))
    debits = txs.filter(lambda t: t.kind == "debit").map(lambda t: ((t.account, t.day), -t.amount))
    return credits.union(debits).reduceByKey(add)


def balance_by_day_wrong(txs: RDD[Tx]):
    credits = txs.filter(lambda t: t.kind == "credit").map(lambda t: ((t.account, t.day), t.amount))
    debits = txs.filter(lambda t: t.kind == "debit").map(lambda t: ((t.account, t.day), -t.amount))
    return credits.union(debits).reduceByKey(add)


# 3
def large_accounts(txs: RDD[Tx]):
    """Accounts with at least one large transaction."""
    return txs.filter(lambda t: t.is_large()).map(attrgetter("account")).distinct()


def large_accounts_right(txs: RDD[Tx]):
    pairs = txs.map(lambda t: (t.account, t.amount)).reduceByKey(max)
    return pairs.filter(lambda kv: kv[1] >= 10_000).keys()


def large_accounts_wrong(txs: RDD[Tx]):
    pairs = txs.map(lambda t: (t.account, t.amount)).reduceByKey(add)
    return pairs.filter(lambda kv: kv[1] >= 10_000).keys()


# 4
def urgent_minutes(tickets: RDD[Ticket]):
    """Minutes spent on tickets of at least normal priority."""
    return tickets.filter(lambda t: t.priority >= Priority.NORMAL).map(lambda t: t.minutes).sum()


def urgent_minutes_right(tickets: RDD[Ticket]):
    return tickets.map(lambda t: t.minutes if t.priority in (Priority.NORMAL, Priority.HIGH) else 0).sum()


def urgent_minutes_wrong(tickets: RDD[Ticket]):
    return tickets.filter(lambda t: t.priority == Priority.HIGH).map(lambda t: t.minutes).sum()


# 5
def charged_total(txs: RDD[Tx]):
    """Charges with a floor."""
    return txs.map(lambda t: FeeJob.at_least(FeeJob.charged(t, 2))).sum()


def charged_total_right(txs: RDD[Tx]):
    def charge(t):
        c = t.amount * 2 // 100
        if c < 5:
            return 5
        return c

    return txs.map(charge).fold(0, add)


def charged_total_wrong(txs: RDD[Tx]):
    return max(FeeJob.MIN, txs.map(lambda t: FeeJob.charged(t, 2)).sum())


# 6
def net_of_refunds(payments: RDD[tuple[int, str, int]]):
    """id, status, amount: what is left by status."""
    kept = payments.filter(lambda p: p[1] != Status.FAILED.value)
    return kept.map(lambda p: -p[2] if p[1] == Status.REFUNDED.value else p[2]).sum()


def net_of_refunds_right(payments: RDD[tuple[int, str, int]]):
    sign = {"failed": 0, "refunded": -1}
    return payments.map(lambda p: sign.get(p[1], 1) * p[2]).sum()


def net_of_refunds_wrong(payments: RDD[tuple[int, str, int]]):
    sign = {"ok": 1, "refunded": -1}
    return payments.map(lambda p: sign.get(p[1], 0) * p[2]).sum()


# 7
def first_and_last(txs: RDD[Tx]):
    """First and last day of each account."""
    days = txs.map(lambda t: (t.account, (t.day, t.day)))
    return days.reduceByKey(lambda a, b: (min(a[0], b[0]), max(a[1], b[1]))).mapValues(lambda d: (d[1] - d[0]).days)


def first_and_last_right(txs: RDD[Tx]):
    days = txs.map(lambda t: (t.account, t.day))
    first, last = days.reduceByKey(min), days.reduceByKey(max)
    return first.join(last).mapValues(lambda p: (p[1] - p[0]).days)


def first_and_last_wrong(txs: RDD[Tx]):
    days = txs.map(lambda t: (t.account, t.day))
    first, last = days.reduceByKey(min), days.reduceByKey(max)
    return first.join(last).mapValues(lambda p: (p[1] - p[0]).days + 1)


# 8
def average_ticket(tickets: RDD[tuple[str, float]]):
    """Mean of amounts per shop, only shops with three or more."""
    stats = tickets.aggregateByKey(
        (0.0, 0), lambda acc, v: (acc[0] + v, acc[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1])
    )
    return stats.filter(lambda kv: kv[1][1] >= 3).mapValues(lambda s: s[0] / s[1])


def average_ticket_right(tickets: RDD[tuple[str, float]]):
    groups = tickets.groupByKey().mapValues(list)
    return groups.filter(lambda kv: len(kv[1]) > 2).mapValues(lambda vs: sum(vs) / len(vs))


def average_ticket_wrong(tickets: RDD[tuple[str, float]]):
    groups = tickets.groupByKey().mapValues(list)
    return groups.filter(lambda kv: len(kv[1]) > 3).mapValues(lambda vs: sum(vs) / len(vs))
