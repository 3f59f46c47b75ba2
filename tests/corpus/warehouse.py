"""Stock, prices and shipments in a warehouse; jobs as classes and as functions."""

import logging
from collections.abc import Iterable, Iterator
from datetime import date
from functools import partial
from math import ceil

from pyspark import RDD

log = logging.getLogger(__name__)
VAT = 20
BUCKETS = [0, 10, 100, 1000]
REGION_OF = {"DE": "EU", "FR": "EU", "US": "NA", "CA": "NA"}


def with_vat(net: int, rate: int = VAT) -> int:
    return net + net * rate // 100


def bucket(quantity: int) -> int:
    for i, limit in enumerate(BUCKETS):
        if quantity < limit:
            return i
    return len(BUCKETS)


def clean(rows: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    for sku, qty in rows:
        if qty is not None and qty > 0:
            yield sku.lower(), qty


class StockReport:
    def __init__(self, minimum: int):
        self.minimum = minimum

    def is_low(self, item: tuple[str, int]) -> bool:
        return item[1] < self.minimum

    def low(self, stock: RDD) -> RDD:
        return stock.filter(self.is_low)


# 18
def histogram(stock: RDD[tuple[str, int]]):
    """How many products in each bucket of quantities."""
    return stock.map(lambda s: (bucket(s[1]), 1)).reduceByKey(lambda a, b: a + b)


def histogram_right(stock: RDD[tuple[str, int]]):
    def place(q):
        if q < 0:
            return 0
        if q < 10:
            return 1
        if q < 100:
            return 2
        if q < 1000:
            return 3
        return 4

    return stock.groupBy(lambda s: place(s[1])).mapValues(len)


def histogram_wrong(stock: RDD[tuple[str, int]]):
    return stock.map(lambda s: (sum(1 for b in BUCKETS if s[1] > b), 1)).reduceByKey(lambda a, b: a + b)


# 19
def low_stock(stock: RDD[tuple[str, int]]):
    """Products with little left, via a report object."""
    report = StockReport(10)
    totals = stock.reduceByKey(lambda a, b: a + b)
    return report.low(totals).keys()


def low_stock_right(stock: RDD[tuple[str, int]]):
    return stock.groupByKey().filter(lambda kv: sum(kv[1]) < 10).map(lambda kv: kv[0])


def low_stock_wrong(stock: RDD[tuple[str, int]]):
    return stock.filter(lambda kv: kv[1] < 10).keys().distinct()


# 20
def cleaned_totals(stock: RDD[tuple[str, int]]):
    """Totals of cleaned rows."""
    return stock.mapPartitions(clean).reduceByKey(lambda a, b: a + b)


def cleaned_totals_right(stock: RDD[tuple[str, int]]):
    valid = stock.filter(lambda row: row[1] > 0)
    return valid.map(lambda row: (row[0].lower(), row[1])).reduceByKey(lambda a, b: a + b)


def cleaned_totals_wrong(stock: RDD[tuple[str, int]]):
    lower = stock.map(lambda row: (row[0].lower(), row[1]))
    return lower.reduceByKey(lambda a, b: a + b).filter(lambda row: row[1] > 0)


# 21
def revenue_by_region(sales: RDD[tuple[str, int]]):
    """Gross revenue by region; countries without one are 'other'."""
    gross = sales.mapValues(with_vat)
    return gross.map(lambda kv: (REGION_OF.get(kv[0], "other"), kv[1])).reduceByKey(lambda a, b: a + b)


def revenue_by_region_right(sales: RDD[tuple[str, int]]):
    by_country = sales.mapValues(partial(with_vat, rate=20)).reduceByKey(lambda a, b: a + b)

    def region(country):
        if country in ("DE", "FR"):
            return "EU"
        return "NA" if country in {"US", "CA"} else "other"

    return by_country.map(lambda kv: (region(kv[0]), kv[1])).reduceByKey(lambda a, b: a + b)


def revenue_by_region_wrong(sales: RDD[tuple[str, int]]):
    by_country = sales.reduceByKey(lambda a, b: a + b).mapValues(with_vat)
    return by_country.map(lambda kv: (REGION_OF.get(kv[0], "other"), kv[1])).reduceByKey(lambda a, b: a + b)


# 22
def boxes(orders: RDD[tuple[str, int]]):
    """Boxes of 12 that are needed per customer."""
    totals = orders.reduceByKey(lambda a, b: a + b)
    return totals.mapValues(lambda q: ceil(q / 12))


def boxes_right(orders: RDD[tuple[str, int]]):
    totals = orders.reduceByKey(lambda a, b: a + b)
    return totals.mapValues(lambda q: -(-q // 12))


def boxes_wrong(orders: RDD[tuple[str, int]]):
    return orders.mapValues(lambda q: ceil(q / 12)).reduceByKey(lambda a, b: a + b)


# 23
def missing_prices(stock: RDD[tuple[str, int]], prices: RDD[tuple[str, int]]):
    """Products in stock that have no price, each once."""
    log.info("looking for missing prices")
    return stock.keys().subtract(prices.keys()).distinct()


def missing_prices_right(stock: RDD[tuple[str, int]], prices: RDD[tuple[str, int]]):
    return stock.subtractByKey(prices).map(lambda kv: kv[0]).distinct()


def missing_prices_wrong(stock: RDD[tuple[str, int]], prices: RDD[tuple[str, int]]):
    joined = stock.leftOuterJoin(prices)
    return joined.filter(lambda kv: not kv[1][1]).keys().distinct()


# 24
def stock_value(stock: RDD[tuple[str, int]], prices: RDD[tuple[str, int]]):
    """Value of the stock, with one price for each product."""
    price = prices.reduceByKey(max)
    return stock.join(price).map(lambda kv: kv[1][0] * kv[1][1]).sum()


def stock_value_right(stock: RDD[tuple[str, int]], prices: RDD[tuple[str, int]]):
    price = prices.reduceByKey(max)
    totals = stock.reduceByKey(lambda a, b: a + b)
    return totals.join(price).values().map(lambda p: p[0] * p[1]).sum()


def stock_value_wrong(stock: RDD[tuple[str, int]], prices: RDD[tuple[str, int]]):
    return stock.join(prices).map(lambda kv: kv[1][0] * kv[1][1]).sum()


# 25
def quality(rows: RDD[tuple[str, int]]):
    """Counts of rows: all, with empty names, with negative quantities."""
    total = rows.count()
    empty = rows.filter(lambda r: not r[0]).count()
    negative = rows.filter(lambda r: r[1] < 0).count()
    return {"total": total, "empty": empty, "negative": negative}


def quality_right(rows: RDD[tuple[str, int]]):
    total, empty, negative = rows.map(lambda r: (1, int(r[0] == ""), 1 if r[1] < 0 else 0)).fold(
        (0, 0, 0), lambda a, b: tuple(x + y for x, y in zip(a, b))
    )
    return dict(total=total, empty=empty, negative=negative)


def quality_wrong(rows: RDD[tuple[str, int]]):
    total = rows.count()
    empty = rows.filter(lambda r: not r[0].strip()).count()
    negative = rows.filter(lambda r: r[1] < 0).count()
    return {"total": total, "empty": empty, "negative": negative}


# 26
def top_sellers(sales: RDD[tuple[str, int]], n: int = 3):
    """The three best sellers with their totals."""
    totals = sales.reduceByKey(lambda a, b: a + b)
    return totals.takeOrdered(3, key=lambda kv: (-kv[1], kv[0]))


def top_sellers_right(sales: RDD[tuple[str, int]], n: int = 3):
    totals = sales.groupByKey().mapValues(sum)
    return totals.sortBy(lambda kv: (-kv[1], kv[0])).take(3)


def top_sellers_wrong(sales: RDD[tuple[str, int]], n: int = 3):
    totals = sales.groupByKey().mapValues(max)
    return totals.sortBy(lambda kv: (-kv[1], kv[0])).take(3)


# 27
def variance_of(sales: RDD[int]):
    """Population variance by hand."""
    n = sales.count()
    if n == 0:
        return 0.0
    total = sales.sum()
    squares = sales.map(lambda x: x * x).sum()
    return squares / n - (total / n) ** 2


def variance_of_right(sales: RDD[int]):
    n, s, q = sales.map(lambda x: (1, x, x**2)).fold((0, 0, 0), lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2]))
    if not n:
        return 0.0
    mean = s / n
    return q / n - mean * mean


def variance_of_wrong(sales: RDD[int]):
    n = sales.count()
    if n == 0:
        return 0.0
    total = sales.sum()
    squares = sales.map(lambda x: x * x).sum()
    return squares / n - total / n


# 28
def late_shipments(shipped: RDD[tuple[int, date]], due: RDD[tuple[int, date]]):
    """Days of delay for each late shipment."""
    joined = shipped.join(due)
    return joined.mapValues(lambda d: (d[0] - d[1]).days).filter(lambda kv: kv[1] > 0)


def late_shipments_right(shipped: RDD[tuple[int, date]], due: RDD[tuple[int, date]]):
    def delay(pair):
        key, (there, planned) = pair
        if there <= planned:
            return []
        return [(key, (there - planned).days)]

    return shipped.join(due).flatMap(delay)


def late_shipments_wrong(shipped: RDD[tuple[int, date]], due: RDD[tuple[int, date]]):
    joined = shipped.leftOuterJoin(due)
    return joined.mapValues(lambda d: (d[0] - d[1]).days if d[1] else 1).filter(lambda kv: kv[1] > 0)


# 29
def rows_by_country(rows: RDD[dict[str, str]]):
    """Records as dictionaries."""
    return rows.map(lambda r: (r["country"], 1)).reduceByKey(lambda a, b: a + b)


def rows_by_country_right(rows: RDD[dict[str, str]]):
    return rows.map(lambda r: r["country"]).groupBy(lambda c: c).mapValues(len)


def rows_by_country_wrong(rows: RDD[dict[str, str]]):
    return rows.map(lambda r: (r["city"], 1)).reduceByKey(lambda a, b: a + b)


# 30
def dedup_latest(rows: RDD[tuple[str, int, str]]):
    """The latest version number of each record."""
    return rows.keyBy(lambda r: r[0]).mapValues(lambda r: r[1]).reduceByKey(lambda a, b: a if a >= b else b)


def dedup_latest_right(rows: RDD[tuple[str, int, str]]):
    return rows.map(lambda r: (r[0], r[1])).groupByKey().mapValues(lambda vs: sorted(vs)[-1])


def dedup_latest_wrong(rows: RDD[tuple[str, int, str]]):
    return rows.map(lambda r: (r[0], r[1])).groupByKey().mapValues(lambda vs: sorted(vs)[0])
