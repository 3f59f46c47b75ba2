"""Jobs on orders, customers and products, as data engineers write them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from pyspark import RDD, SparkContext

EU = {"DE", "FR", "IT", "ES", "NL"}
VAT = {"DE": 19, "FR": 20, "IT": 22}
EMAIL = re.compile(r"[^@]+@[^@]+\.[a-z]+")


class Order(NamedTuple):
    id: int
    customer: int
    country: str
    amount: int
    status: str


@dataclass(frozen=True)
class Product:
    sku: str
    category: str
    price: int
    stock: int


def revenue_by_country(orders: RDD[Order]):
    return (
        orders.filter(lambda o: o.status == "paid").map(lambda o: (o.country, o.amount)).reduceByKey(lambda a, b: a + b)
    )


def gross_revenue(orders: RDD[Order]) -> int:
    total = 0
    for o in orders.collect():
        rate = VAT.get(o.country, 0)
        total += o.amount * (100 + rate)
    return total


def customers_with_many_orders(orders: RDD[Order], least: int):
    counts = orders.map(lambda o: (o.customer, 1)).reduceByKey(lambda a, b: a + b)
    return counts.filter(lambda kv: kv[1] >= least).keys()


def status_report(orders: RDD[Order]) -> dict[str, int]:
    report = {"paid": 0, "open": 0, "cancelled": 0}
    for o in orders.collect():
        if o.status in report:
            report[o.status] += 1
    return report


def average_basket(orders: RDD[Order]):
    sums = orders.map(lambda o: (o.customer, (o.amount, 1)))
    sums = sums.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda s: s[0] / s[1])


def largest_order_per_country(orders: RDD[Order]):
    def larger(a, b):
        if a is None:
            return b
        if b is None:
            return a
        return a if a >= b else b

    return orders.map(lambda o: (o.country, o.amount)).reduceByKey(larger)


def parse_orders(lines: RDD[str]):
    def parse(line):
        parts = line.split(",")
        if len(parts) != 3:
            return []
        try:
            return [(parts[0].strip(), int(parts[1]), parts[2].strip().upper())]
        except ValueError:
            return []

    return lines.flatMap(parse)


def bad_lines(lines: RDD[str]) -> int:
    bad = 0
    for line in lines.toLocalIterator():
        fields = line.split(";")
        if len(fields) < 4 or not fields[2].isdigit():
            bad += 1
    return bad


def categories(products: RDD[Product]):
    return products.map(lambda p: p.category.lower()).distinct()


def stock_value(products: RDD[Product]) -> int:
    return products.map(lambda p: p.price * p.stock).fold(0, lambda a, b: a + b)


def out_of_stock(products: RDD[Product]) -> set[str]:
    missing = set()
    for p in products.collect():
        if p.stock <= 0:
            missing.add(p.sku)
    return missing


def price_bands(products: RDD[Product]):
    def band(price):
        if price < 10:
            return "cheap"
        elif price < 100:
            return "middle"
        else:
            return "dear"

    return products.groupBy(lambda p: band(p.price)).mapValues(len)


def price_range(products: RDD[Product]):
    def seq(acc, p):
        lo, hi, n = acc
        return (p.price if lo is None or p.price < lo else lo, p.price if hi is None or p.price > hi else hi, n + 1)

    def comb(a, b):
        lows = [x for x in (a[0], b[0]) if x is not None]
        highs = [x for x in (a[1], b[1]) if x is not None]
        return (min(lows) if lows else None, max(highs) if highs else None, a[2] + b[2])

    return products.aggregate((None, None, 0), seq, comb)


def enrich(orders: RDD[Order], names: RDD[tuple[int, str]]):
    by_customer = orders.map(lambda o: (o.customer, o))
    return by_customer.leftOuterJoin(names).map(lambda kv: (kv[1][0].id, kv[1][1] or "unknown"))


def with_names_broadcast(sc: SparkContext, orders: RDD[Order], names: RDD[tuple[int, str]]):
    lookup = sc.broadcast(names.collectAsMap())
    return orders.map(lambda o: (o.id, lookup.value.get(o.customer, "unknown")))


def customers_without_orders(customers: RDD[tuple[int, str]], orders: RDD[Order]):
    return customers.subtractByKey(orders.map(lambda o: (o.customer, None))).values()


def top_countries(orders: RDD[Order], n: int):
    totals = orders.map(lambda o: (o.country, o.amount)).reduceByKey(lambda a, b: a + b)
    return totals.takeOrdered(n, key=lambda kv: (-kv[1], kv[0]))


def eu_share(orders: RDD[Order]) -> tuple[int, int]:
    inside = outside = 0
    for o in orders.collect():
        if o.country in EU:
            inside += o.amount
        else:
            outside += o.amount
    return inside, outside


def valid_emails(emails: RDD[str]):
    return emails.map(str.strip).filter(lambda e: EMAIL.fullmatch(e) is not None).map(str.lower).distinct()


def domains(emails: RDD[str]):
    counts = defaultdict(int)
    for e in emails.collect():
        _, _, domain = e.partition("@")
        if domain:
            counts[domain] += 1
    return dict(counts)


def first_order_dates(orders: RDD[tuple[int, date]]):
    return orders.reduceByKey(min)


def days_since_last_order(orders: RDD[tuple[int, date]], today: date):
    return orders.reduceByKey(max).mapValues(lambda d: (today - d).days)


def churned(orders: RDD[tuple[int, date]], today: date):
    limit = today - timedelta(days=90)
    last = orders.reduceByKey(lambda a, b: a if a > b else b)
    return last.filter(lambda kv: kv[1] < limit).map(lambda kv: kv[0])


def weekend_sales(orders: RDD[tuple[date, int]]) -> int:
    return orders.filter(lambda o: o[0].weekday() >= 5).map(lambda o: o[1]).sum()


def discounts(orders: RDD[tuple[int, int, str | None]]):
    def discount(order):
        id_, amount, code = order
        if code is None:
            return id_, amount
        match code:
            case "TEN":
                return id_, amount - amount // 10
            case "HALF":
                return id_, amount // 2
            case _:
                return id_, amount

    return orders.map(discount)


def pairs_bought_together(baskets: RDD[tuple[int, str]]):
    def pairs(items):
        unique = sorted(set(items))
        return [(a, b) for i, a in enumerate(unique) for b in unique[i + 1 :]]

    grouped = baskets.groupByKey().mapValues(list)
    return grouped.values().flatMap(pairs).map(lambda p: (p, 1)).reduceByKey(lambda a, b: a + b)


def basket_sizes(baskets: RDD[tuple[int, str]]) -> list[int]:
    sizes = Counter()
    for basket, _ in baskets.collect():
        sizes[basket] += 1
    return sorted(sizes.values())


def running_total_of_day(sales: RDD[tuple[str, int]]):
    def running(values):
        total, out = 0, []
        for v in sorted(values):
            total += v
            out.append(total)
        return out

    return sales.groupByKey().mapValues(running)


def loyal(orders: RDD[Order]) -> bool:
    seen = {}
    for o in orders.collect():
        seen.setdefault(o.customer, set()).add(o.country)
    return all(len(countries) == 1 for countries in seen.values())


def cheapest_product(products: RDD[Product]) -> int | None:
    best = None
    for p in products.collect():
        if best is None or p.price < best:
            best = p.price
    return best
