"""Inventory: movements, products, warehouses."""

from collections import namedtuple
from operator import itemgetter

from pyspark import RDD

Move = namedtuple("Move", ["sku", "warehouse", "quantity"])


def stock(moves: RDD[tuple[str, str, int]]):
    m = moves.map(lambda t: Move(*t))
    return (
        m.map(lambda x: ((x.sku, x.warehouse), x.quantity)).reduceByKey(lambda a, b: a + b).filter(lambda x: x[1] != 0)
    )


def stock_right(moves: RDD[tuple[str, str, int]]):
    incoming = moves.filter(lambda t: t[2] > 0).map(lambda t: (t[:2], t[2]))
    outgoing = moves.filter(lambda t: t[2] < 0).map(lambda t: ((t[0], t[1]), t[2]))
    return incoming.union(outgoing).reduceByKey(lambda a, b: a + b).filter(lambda x: x[1])


def stock_wrong(moves: RDD[tuple[str, str, int]]):
    return moves.map(lambda t: (t[:2], t[2])).reduceByKey(lambda a, b: a + b).filter(lambda x: x[1] > 0)


def reorder(levels: RDD[tuple[str, int]], minimum: RDD[tuple[str, int]]):
    """Products under their minimum; no stock is a level of 0."""
    joined = minimum.leftOuterJoin(levels)
    return (
        joined.map(lambda x: (x[0], x[1][0], x[1][1] if x[1][1] is not None else 0))
        .filter(lambda t: t[2] < t[1])
        .map(lambda t: t[0])
    )


def reorder_right(levels: RDD[tuple[str, int]], minimum: RDD[tuple[str, int]]):
    def short(pair):
        low, have = pair
        return (have or 0) < low

    return minimum.leftOuterJoin(levels).filter(lambda kv: short(kv[1])).keys()


def reorder_wrong(levels: RDD[tuple[str, int]], minimum: RDD[tuple[str, int]]):
    return minimum.join(levels).filter(lambda kv: kv[1][1] < kv[1][0]).keys()


def value_by_category(stock: RDD[tuple[str, int]], prices: RDD[tuple[str, int]], categories: RDD[tuple[str, str]]):
    """Three tables."""
    joined = stock.join(prices).join(categories)
    return joined.map(lambda row: (row[1][1], row[1][0][0] * row[1][0][1])).reduceByKey(lambda a, b: a + b)


def value_by_category_right(
    stock: RDD[tuple[str, int]], prices: RDD[tuple[str, int]], categories: RDD[tuple[str, str]]
):
    values = prices.join(stock).mapValues(lambda p: p[0] * p[1])
    return categories.join(values).values().reduceByKey(lambda a, b: a + b)


def value_by_category_wrong(
    stock: RDD[tuple[str, int]], prices: RDD[tuple[str, int]], categories: RDD[tuple[str, str]]
):
    values = prices.join(stock).mapValues(lambda p: p[0] + p[1])
    return categories.join(values).values().reduceByKey(lambda a, b: a + b)


def unsold(products: RDD[str], sales: RDD[tuple[str, int]]):
    return products.subtract(sales.map(itemgetter(0)))


def unsold_right(products: RDD[str], sales: RDD[tuple[str, int]]):
    return products.map(lambda p: (p, None)).subtractByKey(sales).keys()


def unsold_wrong(products: RDD[str], sales: RDD[tuple[str, int]]):
    return products.subtract(sales.filter(lambda s: s[1] > 1).map(itemgetter(0)))
