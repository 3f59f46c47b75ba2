"""Currencies, rates and ledgers."""

from __future__ import annotations

from decimal import Decimal
from operator import add
from typing import NamedTuple

from pyspark import RDD

RATES = {"EUR": 100, "USD": 90, "GBP": 115}
BASE = "EUR"


class Transfer(NamedTuple):
    sender: str
    receiver: str
    amount: int
    currency: str


def in_base(amount: int, currency: str) -> int:
    return amount * RATES.get(currency, 0)


def received(transfers: RDD[Transfer]):
    """What each receiver got in hundredths of the base currency; unknown currencies are ignored."""
    known = transfers.filter(lambda t: t.currency in RATES)
    return known.map(lambda t: (t.receiver, t.amount * RATES[t.currency])).reduceByKey(add)


def received_right(transfers: RDD[Transfer]):
    def convert(transfers_of_one):
        return sum(t.amount * RATES[t.currency] for t in transfers_of_one)

    return (
        transfers.filter(lambda t: RATES.get(t.currency) is not None).groupBy(lambda t: t.receiver).mapValues(convert)
    )


def received_wrong(transfers: RDD[Transfer]):
    return transfers.map(lambda t: (t.receiver, in_base(t.amount, t.currency))).reduceByKey(add)


def net_position(transfers: RDD[Transfer]):
    """Received minus sent by party and currency."""
    incoming = transfers.map(lambda t: ((t.receiver, t.currency), t.amount))
    outgoing = transfers.map(lambda t: ((t.sender, t.currency), -t.amount))
    return incoming.union(outgoing).reduceByKey(add)


def net_position_right(transfers: RDD[Transfer]):
    def legs(t: Transfer):
        yield (t.receiver, t.currency), t.amount
        yield (t.sender, t.currency), -t.amount

    return transfers.flatMap(legs).groupByKey().mapValues(sum)


def net_position_wrong(transfers: RDD[Transfer]):
    incoming = transfers.map(lambda t: ((t.receiver, t.currency), t.amount)).reduceByKey(add)
    outgoing = transfers.map(lambda t: ((t.sender, t.currency), t.amount)).reduceByKey(add)
    return incoming.join(outgoing).mapValues(lambda p: p[0] - p[1])


def average_fee(fees: RDD[tuple[str, Decimal]]):
    """Highest and number of fees for each kind."""
    return fees.aggregateByKey(
        (Decimal(0), 0), lambda acc, f: (max(acc[0], f), acc[1] + 1), lambda a, b: (max(a[0], b[0]), a[1] + b[1])
    )


def average_fee_right(fees: RDD[tuple[str, Decimal]]):
    pairs = fees.mapValues(lambda f: (max(Decimal(0), f), 1))
    return pairs.reduceByKey(lambda a, b: (max(a[0], b[0]), a[1] + b[1]))


def average_fee_wrong(fees: RDD[tuple[str, Decimal]]):
    pairs = fees.mapValues(lambda f: (f, 1))
    return pairs.reduceByKey(lambda a, b: (max(a[0], b[0]), a[1] + b[1]))


def reconcile(ours: RDD[tuple[str, int]], theirs: RDD[tuple[str, int]]):
    """References whose totals differ or which one side does not know: (ref, difference)."""
    left, right = ours.reduceByKey(add), theirs.reduceByKey(add)
    both = left.fullOuterJoin(right)
    return both.mapValues(lambda p: (p[0] or 0) - (p[1] or 0)).filter(lambda kv: kv[1] != 0)


def reconcile_right(ours: RDD[tuple[str, int]], theirs: RDD[tuple[str, int]]):
    signed = ours.union(theirs.mapValues(lambda v: -v))
    return signed.reduceByKey(add).filter(lambda kv: kv[1] != 0)


def reconcile_wrong(ours: RDD[tuple[str, int]], theirs: RDD[tuple[str, int]]):
    left, right = ours.reduceByKey(add), theirs.reduceByKey(add)
    both = left.leftOuterJoin(right)
    return both.mapValues(lambda p: p[0] - (p[1] or 0)).filter(lambda kv: kv[1] != 0)


def self_transfers(transfers: RDD[Transfer]) -> bool:
    """Is there anybody who sends money to himself?"""
    return transfers.filter(lambda t: t.sender == t.receiver).count() > 0


def self_transfers_right(transfers: RDD[Transfer]) -> bool:
    return not transfers.filter(lambda t: t.sender == t.receiver).isEmpty()


def self_transfers_wrong(transfers: RDD[Transfer]) -> bool:
    senders = transfers.map(lambda t: t.sender).distinct()
    return not senders.intersection(transfers.map(lambda t: t.receiver)).isEmpty()
