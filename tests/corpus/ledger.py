"""A bank's ledger."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from typing import Final

from pyspark import RDD


class Side(Enum):
    DEBIT = "D"
    CREDIT = "C"


@dataclass(frozen=True, slots=True)
class Entry:
    account: str
    day: date
    side: Side
    cents: int
    memo: str = ""

    @property
    def signed(self) -> int:
        return self.cents if self.side is Side.CREDIT else -self.cents

    def reversed(self) -> Entry:
        other = Side.DEBIT if self.side is Side.CREDIT else Side.CREDIT
        return replace(self, side=other)


GRACE: Final = timedelta(days=14)


def balances(entries: RDD[Entry]):
    return entries.map(lambda e: (e.account, e.signed)).reduceByKey(lambda a, b: a + b)


def balances_right(entries: RDD[Entry]):
    credits = entries.filter(lambda e: e.side == Side.CREDIT).map(lambda e: (e.account, e.cents))
    debits = entries.filter(lambda e: e.side != Side.CREDIT).map(lambda e: (e.account, -e.cents))
    return credits.union(debits).reduceByKey(lambda a, b: a + b)


def balances_wrong(entries: RDD[Entry]):
    credits = (
        entries.filter(lambda e: e.side == Side.CREDIT)
        .map(lambda e: (e.account, e.cents))
        .reduceByKey(lambda a, b: a + b)
    )
    debits = (
        entries.filter(lambda e: e.side == Side.DEBIT)
        .map(lambda e: (e.account, e.cents))
        .reduceByKey(lambda a, b: a + b)
    )
    return credits.join(debits).mapValues(lambda p: p[0] - p[1])


def overdue(invoices: RDD[tuple[str, date, Decimal]], today: date):
    return invoices.filter(lambda i: i[1] + GRACE < today).map(lambda i: (i[0], i[2])).reduceByKey(lambda a, b: a + b)


def overdue_right(invoices: RDD[tuple[str, date, Decimal]], today: date):
    return invoices.filter(lambda i: (today - i[1]).days > 14).map(lambda i: (i[0], i[2])).groupByKey().mapValues(sum)


def overdue_wrong(invoices: RDD[tuple[str, date, Decimal]], today: date):
    return invoices.filter(lambda i: (today - i[1]).days >= 14).map(lambda i: (i[0], i[2])).groupByKey().mapValues(sum)
