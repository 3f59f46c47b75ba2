"""Stock movements, reorder levels and warehouses."""

from __future__ import annotations

from collections import defaultdict
from operator import add
from typing import NamedTuple

from pyspark import RDD

REORDER_BELOW = 10
KINDS = {"in": 1, "out": -1}


class Movement(NamedTuple):
    sku: str
    warehouse: str
    kind: str
    qty: int


def signed(m: Movement) -> int:
    return KINDS.get(m.kind, 0) * m.qty


def stock(moves: RDD[Movement]):
    """Stock by sku and warehouse, zero stocks left out."""
    return moves.map(lambda m: ((m.sku, m.warehouse), signed(m))).reduceByKey(add).filter(lambda kv: kv[1] != 0)


def stock_right(moves: RDD[Movement]):
    def balance(ms):
        total = 0
        for m in ms:
            if m.kind == "in":
                total += m.qty
            elif m.kind == "out":
                total -= m.qty
        return total

    return moves.groupBy(lambda m: (m.sku, m.warehouse)).mapValues(balance).filter(lambda kv: kv[1])


def stock_wrong(moves: RDD[Movement]):
    def balance(ms):
        return sum(m.qty if m.kind == "in" else -m.qty for m in ms)

    return moves.groupBy(lambda m: (m.sku, m.warehouse)).mapValues(balance).filter(lambda kv: kv[1])


def reorder(moves: RDD[Movement], skus: RDD[str]) -> list[str]:
    """Known skus with a stock below the limit; a sku without movements has no stock."""
    totals = moves.map(lambda m: (m.sku, signed(m))).reduceByKey(add)
    known = skus.distinct().map(lambda s: (s, None)).leftOuterJoin(totals)
    low = known.filter(lambda kv: (kv[1][1] or 0) < REORDER_BELOW)
    return low.keys().sortBy(lambda s: s).collect()


def reorder_right(moves: RDD[Movement], skus: RDD[str]) -> list[str]:
    totals = moves.map(lambda m: (m.sku, signed(m))).reduceByKey(add).collectAsMap()
    return sorted(s for s in set(skus.collect()) if totals.get(s, 0) < REORDER_BELOW)


def reorder_wrong(moves: RDD[Movement], skus: RDD[str]) -> list[str]:
    totals = moves.map(lambda m: (m.sku, signed(m))).reduceByKey(add)
    known = skus.distinct().map(lambda s: (s, None)).join(totals)
    low = known.filter(lambda kv: kv[1][1] < REORDER_BELOW)
    return low.keys().sortBy(lambda s: s).collect()


def warehouse_profile(moves: RDD[Movement]):
    """warehouse -> {'in': …, 'out': …} quantities."""
    sums = moves.filter(lambda m: m.kind in KINDS).map(lambda m: (m.warehouse, (m.kind, m.qty))).groupByKey()

    def profile(pairs):
        out = {"in": 0, "out": 0}
        for kind, qty in pairs:
            out[kind] += qty
        return out

    return sums.mapValues(profile)


def warehouse_profile_right(moves: RDD[Movement]):
    def both(m: Movement):
        return (m.qty, 0) if m.kind == "in" else (0, m.qty)

    known = moves.filter(lambda m: m.kind == "in" or m.kind == "out")
    sums = known.map(lambda m: (m.warehouse, both(m))).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda p: {"in": p[0], "out": p[1]})


def warehouse_profile_wrong(moves: RDD[Movement]):
    def both(m: Movement):
        return (m.qty, 0) if m.kind == "in" else (0, m.qty)

    sums = moves.map(lambda m: (m.warehouse, both(m))).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda p: {"in": p[0], "out": p[1]})


def only_in_one(moves: RDD[Movement]):
    """Skus which are kept in exactly one warehouse, with that warehouse."""
    places = moves.map(lambda m: (m.sku, m.warehouse)).distinct().groupByKey().mapValues(list)
    return places.filter(lambda kv: len(kv[1]) == 1).mapValues(lambda ws: ws[0])


def only_in_one_right(moves: RDD[Movement]):
    ends = moves.map(lambda m: (m.sku, (m.warehouse, m.warehouse))).reduceByKey(
        lambda a, b: (min(a[0], b[0]), max(a[1], b[1]))
    )
    return ends.filter(lambda kv: kv[1][0] == kv[1][1]).mapValues(lambda p: p[0])


def only_in_one_wrong(moves: RDD[Movement]):
    counted = moves.map(lambda m: (m.sku, (m.warehouse, 1))).reduceByKey(lambda a, b: (min(a[0], b[0]), a[1] + b[1]))
    return counted.filter(lambda kv: kv[1][1] == 1).mapValues(lambda p: p[0])


def stock_value(moves: RDD[Movement], prices: RDD[tuple[str, int]]) -> int:
    """Value of all stock at the lowest listed price; no price means no value."""
    price = prices.reduceByKey(min)
    totals = moves.map(lambda m: (m.sku, signed(m))).reduceByKey(add)
    return totals.join(price).map(lambda kv: kv[1][0] * kv[1][1]).sum()


def stock_value_right(moves: RDD[Movement], prices: RDD[tuple[str, int]]) -> int:
    price = defaultdict(int, prices.reduceByKey(min).collectAsMap())
    return sum(moves.map(lambda m: signed(m) * price[m.sku]).collect())


def stock_value_wrong(moves: RDD[Movement], prices: RDD[tuple[str, int]]) -> int:
    keyed = moves.map(lambda m: (m.sku, signed(m)))
    return keyed.join(prices).map(lambda kv: kv[1][0] * kv[1][1]).sum()


def largest_outflow(moves: RDD[Movement]):
    """Per warehouse: sku of the largest single 'out' (smallest sku on ties)."""
    outs = moves.filter(lambda m: m.kind == "out").map(lambda m: (m.warehouse, (-m.qty, m.sku)))
    return outs.reduceByKey(min).mapValues(lambda p: p[1])


def largest_outflow_right(moves: RDD[Movement]):
    outs = moves.filter(lambda m: m.kind == "out").groupBy(lambda m: m.warehouse)
    return outs.mapValues(lambda ms: min(ms, key=lambda m: (-m.qty, m.sku)).sku)


def largest_outflow_wrong(moves: RDD[Movement]):
    outs = moves.filter(lambda m: m.kind == "out").groupBy(lambda m: m.warehouse)
    return outs.mapValues(lambda ms: max(ms, key=lambda m: (m.qty, m.sku)).sku)
