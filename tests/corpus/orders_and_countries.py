"""Orders, customers and discounts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from operator import add

from pyspark import RDD

FREE_SHIPPING = 50
SHIPPING = 5
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Order:
    order_id: int
    customer: str
    amount: int
    day: date
    coupon: str | None


def revenue_by_month(orders: RDD[Order]):
    return orders.map(lambda o: ((o.day.year, o.day.month), o.amount)).reduceByKey(add)


def revenue_by_month_right(orders: RDD[Order]):
    by_month = orders.keyBy(lambda o: (o.day.year, o.day.month))
    return by_month.aggregateByKey(0, lambda acc, o: acc + o.amount, lambda a, b: a + b)


def revenue_by_month_wrong(orders: RDD[Order]):
    by_month = orders.keyBy(lambda o: (o.day.year, o.day.month))
    return by_month.mapValues(lambda o: o.amount).distinct().reduceByKey(add)


def with_shipping(orders: RDD[Order]):
    """Amount to pay, with the shipping fee for small orders."""
    return orders.map(lambda o: (o.order_id, o.amount if o.amount >= FREE_SHIPPING else o.amount + SHIPPING))


def with_shipping_right(orders: RDD[Order]):
    def fee(amount: int) -> int:
        if amount < FREE_SHIPPING:
            return SHIPPING
        return 0

    return orders.map(lambda o: (o.order_id, o.amount)).map(lambda p: (p[0], p[1] + fee(p[1])))


def with_shipping_wrong(orders: RDD[Order]):
    def fee(amount: int) -> int:
        if amount <= FREE_SHIPPING:
            return SHIPPING
        return 0

    return orders.map(lambda o: (o.order_id, o.amount)).map(lambda p: (p[0], p[1] + fee(p[1])))


def coupon_use(orders: RDD[Order]):
    """Number of orders with each coupon; no coupon counts as 'none'."""
    return orders.map(lambda o: (o.coupon if o.coupon is not None else "none", 1)).reduceByKey(add)


def coupon_use_right(orders: RDD[Order]):
    def label(order: Order) -> str:
        if order.coupon is None:
            return "none"
        return order.coupon

    return orders.groupBy(label).map(lambda kv: (kv[0], len(kv[1])))


def coupon_use_wrong(orders: RDD[Order]):
    return orders.groupBy(lambda o: o.coupon or "none").map(lambda kv: (kv[0], len(kv[1])))


def latest_order(orders: RDD[Order]):
    """Customer -> (day, id) of the latest order; the larger id on the same day."""
    latest = orders.map(lambda o: (o.customer, o)).reduceByKey(
        lambda a, b: a if (a.day, a.order_id) >= (b.day, b.order_id) else b
    )
    return latest.mapValues(lambda o: (o.day, o.order_id))


def latest_order_right(orders: RDD[Order]):
    return orders.map(lambda o: (o.customer, (o.day, o.order_id))).reduceByKey(max)


def latest_order_wrong(orders: RDD[Order]):
    return orders.map(lambda o: (o.customer, (o.order_id, o.day))).reduceByKey(max).mapValues(lambda p: (p[1], p[0]))


def customer_country(orders: RDD[Order], countries: RDD[tuple[str, str]]):
    """Revenue by country. A customer counts in the (alphabetically) first country on file."""
    first = countries.reduceByKey(min)
    joined = orders.map(lambda o: (o.customer, o.amount)).leftOuterJoin(first)
    return joined.map(lambda kv: (kv[1][1] or UNKNOWN, kv[1][0])).reduceByKey(add)


def customer_country_right(orders: RDD[Order], countries: RDD[tuple[str, str]]):
    lookup = countries.groupByKey().mapValues(min).collectAsMap()
    return orders.map(lambda o: (lookup.get(o.customer) or UNKNOWN, o.amount)).reduceByKey(add)


def customer_country_wrong(orders: RDD[Order], countries: RDD[tuple[str, str]]):
    joined = orders.map(lambda o: (o.customer, o.amount)).leftOuterJoin(countries)
    return joined.map(lambda kv: (kv[1][1] or UNKNOWN, kv[1][0])).reduceByKey(add)


def never_ordered(customers: RDD[str], orders: RDD[Order]) -> list[str]:
    bought = orders.map(lambda o: o.customer).distinct()
    return sorted(customers.distinct().subtract(bought).collect())


def never_ordered_right(customers: RDD[str], orders: RDD[Order]) -> list[str]:
    left = customers.map(lambda c: (c, 0)).leftOuterJoin(orders.map(lambda o: (o.customer, 1)))
    return sorted(left.filter(lambda kv: kv[1][1] is None).keys().distinct().collect())


def never_ordered_wrong(customers: RDD[str], orders: RDD[Order]) -> list[str]:
    bought = set(orders.map(lambda o: o.customer).collect())
    return sorted(customers.filter(lambda c: c not in bought).collect())
