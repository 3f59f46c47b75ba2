"""Sales."""

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from pyspark import RDD, SparkContext


@dataclass(frozen=True)
class Sale:
    shop: str
    product: str
    quantity: int
    price: int


class Order(NamedTuple):
    id: int
    customer: int
    day: date
    amount: int
    coupon: str | None = None


class Customer(NamedTuple):
    id: int
    name: str
    country: str


def average_price(sales: RDD[tuple[str, int]]):
    """The average price per shop."""
    totals = sales.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return totals.mapValues(lambda t: t[0] / t[1])


def average_price_right(sales: RDD[tuple[str, int]]):
    totals = sales.aggregateByKey(
        (0, 0), lambda acc, v: (acc[0] + v, acc[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1])
    )
    return totals.map(lambda kv: (kv[0], kv[1][0] / kv[1][1]))


def average_price_wrong(sales: RDD[tuple[str, int]]):
    totals = sales.mapValues(lambda v: (v, 2)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return totals.mapValues(lambda t: t[0] / t[1])


def best_sale(sales: RDD[Sale]):
    """The largest sale of each shop."""
    by_shop = sales.map(lambda s: (s.shop, s.quantity * s.price))
    return by_shop.groupByKey().mapValues(max)


def best_sale_right(sales: RDD[Sale]):
    return sales.keyBy(lambda s: s.shop).mapValues(lambda s: s.price * s.quantity).reduceByKey(max)


def best_sale_wrong(sales: RDD[Sale]):
    return sales.keyBy(lambda s: s.shop).mapValues(lambda s: s.price + s.quantity).reduceByKey(max)


def big_orders(orders: RDD[Order], customers: RDD[Customer]):
    """The names of customers with an order over 1000."""
    big = orders.filter(lambda o: o.amount > 1000).map(lambda o: (o.customer, o.amount))
    names = customers.map(lambda c: (c.id, c.name))
    return big.join(names).map(lambda row: (row[1][1], row[1][0]))


def big_orders_right(orders: RDD[Order], customers: RDD[Customer]):
    names = customers.keyBy(lambda c: c.id)
    joined = orders.keyBy(lambda o: o.customer).join(names)
    return joined.values().filter(lambda pair: pair[0].amount > 1000).map(lambda pair: (pair[1].name, pair[0].amount))


def big_orders_wrong(orders: RDD[Order], customers: RDD[Customer]):
    names = customers.keyBy(lambda c: c.id)
    joined = orders.keyBy(lambda o: o.id).join(names)
    return joined.values().filter(lambda pair: pair[0].amount > 1000).map(lambda pair: (pair[1].name, pair[0].amount))


def revenue_by_country(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, str]]):
    """Revenue per country: orders are (customer, amount), customers (id, country)."""
    joined = orders.join(customers)
    return joined.map(lambda kv: (kv[1][1], kv[1][0])).reduceByKey(lambda a, b: a + b)


def revenue_by_country_right(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, str]]):
    per_customer = orders.reduceByKey(lambda a, b: a + b)
    joined = per_customer.join(customers)
    return joined.map(lambda kv: (kv[1][1], kv[1][0])).reduceByKey(lambda a, b: a + b)


def revenue_by_country_wrong(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, str]]):
    joined = orders.distinct().join(customers)
    return joined.map(lambda kv: (kv[1][1], kv[1][0])).reduceByKey(lambda a, b: a + b)


def coupon_rate(orders: RDD[Order]):
    """Orders with and without coupon, per day."""

    def one(order):
        used = 1 if order.coupon else 0
        return order.day, (used, 1 - used)

    return orders.map(one).reduceByKey(lambda a, b: tuple(x + y for x, y in zip(a, b)))


def coupon_rate_right(orders: RDD[Order]):
    def one(order):
        if order.coupon is not None and order.coupon != "":
            return order.day, (1, 0)
        return order.day, (0, 1)

    return orders.map(one).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))


def coupon_rate_wrong(orders: RDD[Order]):
    def one(order):
        if order.coupon is not None:
            return order.day, (1, 0)
        return order.day, (0, 1)

    return orders.map(one).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))


def monthly_total(orders: RDD[Order], year: int):
    return (
        orders.filter(lambda o: o.day.year == year)
        .map(lambda o: (o.day.month, o.amount))
        .reduceByKey(lambda x, y: x + y)
    )


def monthly_total_right(orders: RDD[Order], year: int):
    months = orders.map(lambda o: ((o.day.year, o.day.month), o.amount)).reduceByKey(lambda x, y: x + y)
    return months.filter(lambda kv: kv[0][0] == year).map(lambda kv: (kv[0][1], kv[1]))


def monthly_total_wrong(orders: RDD[Order], year: int):
    months = orders.map(lambda o: ((o.day.year, o.day.month), o.amount)).reduceByKey(lambda x, y: x + y)
    return months.filter(lambda kv: kv[0][0] >= year).map(lambda kv: (kv[0][1], kv[1]))


def with_tax(sales: RDD[Sale], sc: SparkContext):
    """Totals with a tax rate of the country of the shop, from a broadcast table."""
    rates = sc.broadcast({"DE": 19, "FR": 20})
    return sales.map(lambda s: (s.shop, s.quantity * 100 + rates.value.get(s.shop, 0)))


def with_tax_right(sales: RDD[Sale], sc: SparkContext):
    rates = {"FR": 20, "DE": 19}

    def taxed(sale):
        rate = rates[sale.shop] if sale.shop in rates else 0
        return sale.shop, 100 * sale.quantity + rate

    return sales.map(taxed)


def with_tax_wrong(sales: RDD[Sale], sc: SparkContext):
    rates = sc.broadcast({"DE": 19, "FR": 20})
    return sales.filter(lambda s: s.shop in rates.value).map(lambda s: (s.shop, 100 * s.quantity + rates.value[s.shop]))


def customers_without_orders(customers: RDD[tuple[int, str]], orders: RDD[tuple[int, int]]):
    joined = customers.leftOuterJoin(orders)
    return joined.filter(lambda row: row[1][1] is None).map(lambda row: row[1][0])


def customers_without_orders_right(customers: RDD[tuple[int, str]], orders: RDD[tuple[int, int]]):
    return customers.subtractByKey(orders).values()


def customers_without_orders_wrong(customers: RDD[tuple[int, str]], orders: RDD[tuple[int, int]]):
    return customers.subtractByKey(orders).values().distinct()


def products(sales: RDD[Sale]):
    """The products of each shop, sorted."""
    return sales.map(lambda s: (s.shop, s.product)).distinct().groupByKey().mapValues(sorted)


def products_right(sales: RDD[Sale]):
    return sales.map(lambda s: (s.shop, s.product)).groupByKey().mapValues(lambda ps: sorted(set(ps)))


def products_wrong(sales: RDD[Sale]):
    return sales.map(lambda s: (s.shop, s.product)).groupByKey().mapValues(sorted)
