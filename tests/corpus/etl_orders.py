"""An ETL job over CSV exports of a shop."""

import logging
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from pyspark.rdd import RDD

logger = logging.getLogger("etl")

HEADER = "order_id,customer,country,amount,currency,day"
CONFIG = {"min_amount": 1, "countries": ["DE", "AT", "CH"], "rates": {"EUR": Decimal("1"), "CHF": Decimal("1.05")}}
EU = {"DE", "AT", "FR", "IT"}


class Order(NamedTuple):
    order_id: int
    customer: str
    country: str
    amount: Decimal
    currency: str
    day: date


def parse_order(line: str):
    fields = [f.strip() for f in line.split(",")]
    if len(fields) != 6:
        return None
    try:
        return Order(
            int(fields[0]), fields[1], fields[2].upper(), Decimal(fields[3]), fields[4], date.fromisoformat(fields[5])
        )
    except Exception:
        return None


def is_valid(order) -> bool:
    return order.amount > CONFIG["min_amount"] and order.country in CONFIG["countries"]


def load(lines: RDD[str]):
    """Valid orders of a file with a header."""
    rows = lines.filter(lambda l: l != HEADER and not l.startswith("#"))
    return rows.map(parse_order).filter(lambda o: o is not None and is_valid(o)).map(lambda o: (o.customer, o.amount))


def load_right(lines: RDD[str]):
    def good(line):
        if line == HEADER or line[:1] == "#":
            return []
        order = parse_order(line)
        if order is None:
            return []
        if order.amount <= 1 or order.country not in ("DE", "AT", "CH"):
            return []
        return [(order.customer, order.amount)]

    return lines.flatMap(good)


def load_wrong(lines: RDD[str]):
    rows = lines.filter(lambda l: l != HEADER and not l.startswith("#")).map(lambda l: l.upper())
    return rows.map(parse_order).filter(lambda o: o is not None and is_valid(o)).map(lambda o: (o.customer, o.amount))


def totals_in_euro(orders: RDD[Order]):
    """Sum of the orders of each customer in euro."""
    rates = CONFIG["rates"]
    known = orders.filter(lambda o: o.currency in rates)
    return known.map(lambda o: (o.customer, o.amount * rates[o.currency])).reduceByKey(lambda a, b: a + b)


def totals_in_euro_right(orders: RDD[Order]):
    per_currency = orders.map(lambda o: ((o.customer, o.currency), o.amount)).reduceByKey(lambda a, b: a + b)
    known = per_currency.filter(lambda kv: kv[0][1] == "EUR" or kv[0][1] == "CHF")
    return known.map(lambda kv: (kv[0][0], kv[1] if kv[0][1] == "EUR" else kv[1] * Decimal("1.05"))).reduceByKey(
        lambda a, b: a + b
    )


def totals_in_euro_wrong(orders: RDD[Order]):
    rates = CONFIG["rates"]
    return orders.map(lambda o: (o.customer, o.amount * rates.get(o.currency, Decimal(1)))).reduceByKey(
        lambda a, b: a + b
    )


def rejected(lines: RDD[str]):
    """How many lines were good, empty or bad."""

    def classify(line):
        if not line.strip():
            return "empty"
        try:
            int(line.split(",")[0])
        except (ValueError, IndexError):
            return "bad"
        return "good"

    counts = lines.map(classify).countByValue()
    return {kind: counts[kind] for kind in ("good", "empty", "bad")}


def rejected_right(lines: RDD[str]):
    def is_good(line):
        try:
            int(line.split(",")[0])
            return True
        except ValueError:
            return False

    empty = lines.filter(lambda l: l.strip() == "").count()
    good = lines.filter(lambda l: l.strip() != "").filter(is_good).count()
    return {"good": good, "empty": empty, "bad": lines.count() - good - empty}


def rejected_wrong(lines: RDD[str]):
    def is_good(line):
        try:
            int(line.split(",")[0])
            return True
        except ValueError:
            return False

    empty = lines.filter(lambda l: l == "").count()
    good = lines.filter(lambda l: l != "").filter(is_good).count()
    return {"good": good, "empty": empty, "bad": lines.count() - good - empty}
