"""The nightly load of orders: CSV lines in, facts out."""

from collections import defaultdict
from dataclasses import dataclass, replace

from pyspark import RDD, SparkContext

HEADER = "order_id,customer,sku,quantity,price,ordered_on"
RATES = {"EUR": 100, "USD": 92, "GBP": 117}


@dataclass(frozen=True)
class Order:
    order_id: int
    customer: str
    sku: str
    quantity: int
    cents: int
    ordered_on: str

    @property
    def total(self) -> int:
        return self.quantity * self.cents

    @classmethod
    def from_line(cls, line: str) -> "Order":
        parts = [part.strip() for part in line.split(",")]
        return cls(int(parts[0]), parts[1], parts[2], int(parts[3]), int(parts[4]), parts[5])


def is_record(line: str) -> bool:
    return bool(line) and line != HEADER and line.count(",") == 5


def try_order(line: str) -> Order | None:
    try:
        return Order.from_line(line)
    except (ValueError, IndexError):
        return None


def revenue_by_customer(lines: RDD[str]):
    orders = lines.filter(is_record).map(Order.from_line)
    return orders.map(lambda o: (o.customer, o.total)).reduceByKey(lambda a, b: a + b)


def revenue_by_customer_right(lines: RDD[str]):
    def customer_and_total(order):
        return order.customer, order.cents * order.quantity

    return lines.filter(is_record).map(Order.from_line).map(customer_and_total).foldByKey(0, lambda a, b: b + a)


def revenue_by_customer_wrong(lines: RDD[str]):
    orders = lines.filter(is_record).map(Order.from_line)
    return orders.map(lambda o: (o.customer, o.cents)).reduceByKey(lambda a, b: a + b)


def bad_lines(lines: RDD[str]) -> int:
    """How many lines are no orders."""
    return lines.filter(lambda line: try_order(line) is None).count()


def bad_lines_right(lines: RDD[str]) -> int:
    good = lines.map(try_order).filter(lambda o: o is not None).count()
    return lines.count() - good


def bad_lines_wrong(lines: RDD[str]) -> int:
    good = lines.map(try_order).filter(lambda o: o is not None and o.quantity > 0).count()
    return lines.count() - good


def latest_versions(orders: RDD[Order]):
    """The last version of each order; ties go to the larger total."""
    by_id = orders.map(lambda o: (o.order_id, (o.ordered_on, o.total)))
    return by_id.reduceByKey(lambda a, b: a if a >= b else b).mapValues(lambda v: v[1])


def latest_versions_right(orders: RDD[Order]):
    grouped = orders.groupBy(lambda o: o.order_id)

    def last(versions):
        best = None
        for o in versions:
            if best is None or (o.ordered_on, o.total) > best:
                best = (o.ordered_on, o.total)
        return best[1]

    return grouped.mapValues(last)


def latest_versions_wrong(orders: RDD[Order]):
    by_id = orders.map(lambda o: (o.order_id, (o.total, o.ordered_on)))
    return by_id.reduceByKey(lambda a, b: a if a >= b else b).mapValues(lambda v: v[0])


def discounted(sc: SparkContext, orders: RDD[Order], percent: dict[str, int]):
    """Totals by sku after a discount in percent."""
    table = sc.broadcast(percent)

    def apply(o):
        off = table.value.get(o.sku, 0)
        return replace(o, cents=o.cents * (100 - off))

    return orders.map(apply).map(lambda o: (o.sku, o.total)).reduceByKey(lambda a, b: a + b)


def discounted_right(sc: SparkContext, orders: RDD[Order], percent: dict[str, int]):
    table = sc.broadcast(percent)

    def keyed(o):
        rate = 100
        if o.sku in table.value:
            rate -= table.value[o.sku]
        return o.sku, o.total * rate

    return orders.map(keyed).reduceByKey(lambda a, b: a + b)


def discounted_wrong(sc: SparkContext, orders: RDD[Order], percent: dict[str, int]):
    table = sc.broadcast(percent)

    def keyed(o):
        rate = 100
        if o.sku in table.value:
            rate = table.value[o.sku]
        return o.sku, o.total * rate

    return orders.map(keyed).reduceByKey(lambda a, b: a + b)


def big_and_small(orders: RDD[Order], threshold: int):
    """The numbers of large and small orders, as a report."""
    large = orders.filter(lambda o: o.total >= threshold)
    small = orders.filter(lambda o: o.total < threshold)
    return {"large": large.count(), "small": small.count(), "share": large.count() * 100 // max(orders.count(), 1)}


def big_and_small_right(orders: RDD[Order], threshold: int):
    large, all_of_them = orders.aggregate(
        (0, 0),
        lambda acc, o: (acc[0] + (1 if o.total >= threshold else 0), acc[1] + 1),
        lambda a, b: (a[0] + b[0], a[1] + b[1]),
    )
    share = large * 100 // all_of_them if all_of_them else 0
    return dict(large=large, small=all_of_them - large, share=share)


def big_and_small_wrong(orders: RDD[Order], threshold: int):
    large, all_of_them = orders.aggregate(
        (0, 0),
        lambda acc, o: (acc[0] + (1 if o.total > threshold else 0), acc[1] + 1),
        lambda a, b: (a[0] + b[0], a[1] + b[1]),
    )
    share = large * 100 // all_of_them if all_of_them else 0
    return dict(large=large, small=all_of_them - large, share=share)


def first_order_month(orders: RDD[Order]):
    """How many customers ordered first in each month; dates are texts such as 2024-05-01."""
    first = orders.map(lambda o: (o.customer, o.ordered_on)).reduceByKey(min)
    return first.map(lambda kv: (kv[1][:7], 1)).reduceByKey(lambda a, b: a + b).sortByKey()


def first_order_month_right(orders: RDD[Order]):
    cohorts = defaultdict(int)
    firsts = {}
    for customer, day in orders.map(lambda o: (o.customer, o.ordered_on)).groupByKey().mapValues(min).collect():
        firsts[customer] = day
    for day in firsts.values():
        cohorts[day[:7]] += 1
    return sorted(cohorts.items())


def first_order_month_wrong(orders: RDD[Order]):
    months = orders.map(lambda o: (o.customer, o.ordered_on[:7])).distinct()
    return months.map(lambda kv: (kv[1], 1)).reduceByKey(lambda a, b: a + b).sortByKey()
