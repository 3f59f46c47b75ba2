"""Orders of an online shop."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from operator import add
from typing import NamedTuple

from pyspark import RDD


class Order(NamedTuple):
    id: int
    customer: str
    product: str
    quantity: int
    price: float
    day: date


def parse_order(line: str) -> Order:
    parts = [p.strip() for p in line.split(",")]
    return Order(int(parts[0]), parts[1], parts[2], int(parts[3]), float(parts[4]), date.fromisoformat(parts[5]))


def loyal_customers(orders: RDD[Order]):
    """Customers with orders on at least three days."""
    days = orders.map(lambda o: (o.customer, o.day)).distinct()
    return days.mapValues(lambda d: 1).reduceByKey(add).filter(lambda kv: kv[1] >= 3).keys()


def loyal_customers_right(orders: RDD[Order]):
    grouped = orders.map(lambda o: (o.customer, o.day)).groupByKey()
    return grouped.filter(lambda kv: len(set(kv[1])) > 2).map(lambda kv: kv[0])


def loyal_customers_wrong(orders: RDD[Order]):
    days = orders.map(lambda o: (o.customer, o.day))
    return days.mapValues(lambda d: 1).reduceByKey(add).filter(lambda kv: kv[1] >= 3).keys()


def average_basket(orders: RDD[Order]):
    """Average value of an order by customer."""

    def create(value):
        return value, 1

    def merge_value(acc, value):
        total, n = acc
        return total + value, n + 1

    def merge(a, b):
        return a[0] + b[0], a[1] + b[1]

    values = orders.map(lambda o: (o.customer, o.quantity * o.price))
    return values.combineByKey(create, merge_value, merge).mapValues(lambda t: t[0] / t[1])


def average_basket_right(orders: RDD[Order]):
    values = orders.map(lambda o: (o.customer, o.quantity * o.price))

    def average(vs):
        total, n = 0.0, 0
        for v in vs:
            total += v
            n += 1
        return total / n

    return values.groupByKey().mapValues(average)


def average_basket_wrong(orders: RDD[Order]):
    values = orders.map(lambda o: (o.customer, o.price))
    return values.groupByKey().mapValues(lambda vs: sum(vs) / len(vs))


def gaps(orders: RDD[Order]):
    """Days between first and last order of each customer."""
    firsts = orders.map(lambda o: (o.customer, o.day)).reduceByKey(min)
    lasts = orders.map(lambda o: (o.customer, o.day)).reduceByKey(max)
    return firsts.join(lasts).mapValues(lambda p: (p[1] - p[0]).days)


def gaps_right(orders: RDD[Order]):
    days = orders.map(lambda o: (o.customer, (o.day, o.day)))
    ends = days.reduceByKey(lambda a, b: (min(a[0], b[0]), max(a[1], b[1])))
    return ends.map(lambda kv: (kv[0], (kv[1][1] - kv[1][0]).days))


def gaps_wrong(orders: RDD[Order]):
    days = orders.map(lambda o: (o.customer, (o.day, o.day)))
    ends = days.reduceByKey(lambda a, b: (min(a[0], b[0]), max(a[1], b[1])))
    return ends.map(lambda kv: (kv[0], (kv[1][1] - kv[1][0]).days + 1))


def weekend_sales(orders: RDD[Order]):
    """Items sold on week ends and on week days."""
    kinds = orders.map(lambda o: ("weekend" if o.day.weekday() >= 5 else "weekday", o.quantity))
    return kinds.reduceByKey(add).collectAsMap()


def weekend_sales_right(orders: RDD[Order]):
    result = defaultdict(int)
    for kind, n in orders.map(lambda o: (o.day.weekday() in (5, 6), o.quantity)).collect():
        result["weekend" if kind else "weekday"] += n
    return dict(result)


def weekend_sales_wrong(orders: RDD[Order]):
    kinds = orders.map(lambda o: ("weekend" if o.day.weekday() > 5 else "weekday", o.quantity))
    return kinds.reduceByKey(add).collectAsMap()


def top_products(orders: RDD[Order], n: int):
    totals = orders.map(lambda o: (o.product, o.quantity)).reduceByKey(add)
    return totals.sortBy(lambda kv: (-kv[1], kv[0])).map(lambda kv: kv[0]).take(5)


def top_products_right(orders: RDD[Order], n: int):
    totals = orders.map(lambda o: (o.product, o.quantity)).groupByKey().mapValues(sum)
    best = totals.takeOrdered(5, key=lambda kv: (-kv[1], kv[0]))
    return [name for name, _ in best]


def top_products_wrong(orders: RDD[Order], n: int):
    totals = orders.map(lambda o: (o.product, 1)).groupByKey().mapValues(sum)
    best = totals.takeOrdered(5, key=lambda kv: (-kv[1], kv[0]))
    return [name for name, _ in best]
