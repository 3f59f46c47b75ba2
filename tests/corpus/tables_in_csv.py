"""Tables in CSV, joined."""

from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from pyspark import RDD


class Order(NamedTuple):
    order_id: int
    customer_id: int
    amount: Decimal
    status: str

    @classmethod
    def parse(cls, line: str) -> "Order":
        fields = line.split(",")
        return cls(int(fields[0]), int(fields[1]), Decimal(fields[2]), fields[3].strip())


def revenue(lines: RDD[str]):
    """Revenue by customer of shipped orders."""
    orders = lines.map(Order.parse)
    shipped = orders.filter(lambda o: o.status == "shipped")
    return shipped.map(lambda o: (o.customer_id, o.amount)).reduceByKey(lambda a, b: a + b)


def revenue_right(lines: RDD[str]):
    def amount(order):
        return order.amount if order.status == "shipped" else None

    pairs = lines.map(Order.parse).map(lambda o: (o.customer_id, amount(o))).filter(lambda kv: kv[1] is not None)
    return pairs.groupByKey().mapValues(sum)


def revenue_wrong(lines: RDD[str]):
    def amount(order):
        return order.amount if order.status == "shipped" else Decimal(0)

    return lines.map(Order.parse).map(lambda o: (o.customer_id, amount(o))).reduceByKey(lambda a, b: a + b)


def orders_with_names(orders: RDD[tuple[int, int, float]], customers: RDD[tuple[int, str]]):
    """(name, total) of each customer with orders, biggest first."""
    totals = orders.map(lambda o: (o[1], o[2])).reduceByKey(lambda a, b: a + b)
    return totals.join(customers).map(lambda kv: (kv[1][1], kv[1][0])).sortBy(lambda t: t[1], ascending=False)


def orders_with_names_right(orders: RDD[tuple[int, int, float]], customers: RDD[tuple[int, str]]):
    totals = orders.keyBy(lambda o: o[1]).mapValues(lambda o: o[2]).foldByKey(0.0, lambda a, b: a + b)
    return customers.join(totals).values().sortBy(lambda t: -t[1])


def orders_with_names_wrong(orders: RDD[tuple[int, int, float]], customers: RDD[tuple[int, str]]):
    totals = orders.keyBy(lambda o: o[1]).mapValues(lambda o: o[2]).foldByKey(0.0, lambda a, b: a + b)
    return customers.leftOuterJoin(totals).mapValues(lambda t: (t[0], t[1] or 0.0)).values().sortBy(lambda t: -t[1])


def missing_customers(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, str]]):
    """Orders of customers that nobody knows."""
    joined = orders.map(lambda o: (o[1], o[0])).leftOuterJoin(customers)
    return joined.filter(lambda kv: kv[1][1] is None).map(lambda kv: kv[1][0])


def missing_customers_right(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, str]]):
    return orders.map(lambda o: (o[1], o[0])).subtractByKey(customers).values()


def missing_customers_wrong(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, str]]):
    return orders.map(lambda o: (o[1], o[0])).subtractByKey(customers).keys()


@dataclass
class Item:
    sku: str
    quantity: int
    price: float
    discount: float | None = None

    @property
    def total(self) -> float:
        full = self.quantity * self.price
        if self.discount is not None:
            return full * (1 - self.discount)
        return full
