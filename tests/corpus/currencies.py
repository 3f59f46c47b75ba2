"""Amounts in several currencies, taxes and discounts."""

from decimal import Decimal

from pyspark import RDD

RATES = {"EUR": 100, "USD": 92, "GBP": 117}
VAT = {"book": 7, "food": 7, "other": 19}


def to_cents(amount: int, currency: str) -> int:
    return amount * RATES.get(currency, 0)


def in_euros(payments: RDD[tuple[str, int]]):
    """Cents of a euro, for payments of (currency, amount)."""
    return (
        payments.filter(lambda payment: payment[0] in RATES).map(lambda payment: payment[1] * RATES[payment[0]]).sum()
    )


def in_euros_right(payments: RDD[tuple[str, int]]):
    return payments.map(lambda payment: to_cents(payment[1], payment[0])).sum()


def in_euros_wrong(payments: RDD[tuple[str, int]]):
    return payments.map(lambda payment: payment[1] * RATES.get(payment[0], 1)).sum()


def by_currency(payments: RDD[tuple[str, int]]):
    known = payments.filter(lambda payment: payment[0] in ("EUR", "USD"))
    return known.reduceByKey(lambda a, b: a + b)


def by_currency_right(payments: RDD[tuple[str, int]]):
    totals = payments.reduceByKey(lambda a, b: a + b)
    return totals.filter(lambda pair: pair[0] == "EUR" or pair[0] == "USD")


def by_currency_wrong(payments: RDD[tuple[str, int]]):
    totals = payments.reduceByKey(lambda a, b: a + b)
    return totals.filter(lambda pair: pair[0] in RATES)


def with_tax(items: RDD[tuple[str, int]]):
    """Gross prices, in hundredths of a cent, of (class, net price)."""
    return items.map(lambda item: item[1] * (100 + VAT.get(item[0], VAT["other"])))


def with_tax_right(items: RDD[tuple[str, int]]):
    def gross(item):
        kind, net = item
        if kind in {"book", "food"}:
            return 107 * net
        return 119 * net

    return items.map(gross)


def with_tax_wrong(items: RDD[tuple[str, int]]):
    def gross(item):
        kind, net = item
        return 107 * net if kind == "book" else 119 * net

    return items.map(gross)


def discounted(prices: RDD[float]):
    """Prices above 100, with ten percent off."""
    return prices.filter(lambda price: price > 100.0).map(lambda price: price * 0.9)


def discounted_right(prices: RDD[float]):
    return prices.map(lambda price: 0.9 * price).filter(lambda price: price > 90.0)


def discounted_wrong(prices: RDD[float]):
    return prices.map(lambda price: 0.9 * price).filter(lambda price: price > 100.0)


def exact_totals(bills: RDD[tuple[str, Decimal]]):
    return bills.reduceByKey(lambda a, b: a + b).filter(lambda pair: pair[1] > Decimal("0"))


def exact_totals_right(bills: RDD[tuple[str, Decimal]]):
    return bills.foldByKey(Decimal(0), lambda a, b: a + b).filter(lambda pair: pair[1] > 0)


def exact_totals_wrong(bills: RDD[tuple[str, Decimal]]):
    return bills.filter(lambda pair: pair[1] > 0).reduceByKey(lambda a, b: a + b)


def rounded_down(cents: RDD[int]):
    return cents.map(lambda amount: amount // 100).sum()


def rounded_down_right(cents: RDD[int]):
    return cents.map(lambda amount: (amount - amount % 100) // 100).sum()


def rounded_down_wrong(cents: RDD[int]):
    return cents.sum() // 100


def margins(sales: RDD[tuple[str, float, float]]):
    """Revenue less cost of each product."""
    return sales.map(lambda sale: (sale[0], sale[1] - sale[2])).reduceByKey(lambda a, b: a + b)


def margins_right(sales: RDD[tuple[str, float, float]]):
    pairs = sales.map(lambda sale: (sale[0], (sale[1], sale[2])))
    sums = pairs.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda pair: pair[0] - pair[1])


def margins_wrong(sales: RDD[tuple[str, float, float]]):
    pairs = sales.map(lambda sale: (sale[0], (sale[1], sale[2])))
    sums = pairs.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda pair: pair[1] - pair[0])
