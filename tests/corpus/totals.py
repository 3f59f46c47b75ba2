"""Totals, running and by key."""

from operator import add, itemgetter

from pyspark import RDD


def balances(transactions: RDD[tuple[str, str, int]]):
    """What each account has, after (account, kind, amount)."""

    def signed(row):
        account, kind, amount = row
        return account, amount if kind == "deposit" else -amount

    return transactions.map(signed).reduceByKey(add)


def balances_right(transactions: RDD[tuple[str, str, int]]):
    deposits = transactions.filter(lambda row: row[1] == "deposit").map(lambda row: (row[0], row[2]))
    others = transactions.filter(lambda row: row[1] != "deposit").map(lambda row: (row[0], -row[2]))
    return deposits.union(others).reduceByKey(add)


def balances_wrong(transactions: RDD[tuple[str, str, int]]):
    deposits = transactions.filter(lambda row: row[1] == "deposit").map(lambda row: (row[0], row[2]))
    others = transactions.filter(lambda row: row[1] == "withdrawal").map(lambda row: (row[0], -row[2]))
    return deposits.union(others).reduceByKey(add)


def overdrawn(transactions: RDD[tuple[str, int]]):
    return transactions.reduceByKey(add).filter(lambda pair: pair[1] < 0).map(itemgetter(0))


def overdrawn_right(transactions: RDD[tuple[str, int]]):
    return transactions.groupByKey().mapValues(sum).filter(lambda pair: not pair[1] >= 0).keys()


def overdrawn_wrong(transactions: RDD[tuple[str, int]]):
    return transactions.filter(lambda pair: pair[1] < 0).reduceByKey(add).keys()


def totals_and_counts(sales: RDD[tuple[str, int]]):
    return sales.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))


def totals_and_counts_right(sales: RDD[tuple[str, int]]):
    return sales.combineByKey(
        lambda v: (v, 1), lambda a, v: (a[0] + v, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1])
    )


def totals_and_counts_wrong(sales: RDD[tuple[str, int]]):
    return sales.aggregateByKey((0, 1), lambda a, v: (a[0] + v, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1] - 1))


def by_region_and_product(sales: RDD[tuple[str, str, int]]):
    return sales.map(lambda sale: ((sale[0], sale[1]), sale[2])).reduceByKey(add)


def by_region_and_product_right(sales: RDD[tuple[str, str, int]]):
    keyed = sales.keyBy(lambda sale: (sale[0], sale[1]))
    return keyed.mapValues(itemgetter(2)).reduceByKey(add)


def by_region_and_product_wrong(sales: RDD[tuple[str, str, int]]):
    return sales.map(lambda sale: ((sale[1], sale[0]), sale[2])).reduceByKey(add)


def regions(sales: RDD[tuple[str, str, int]]):
    """Totals of regions, by way of those of products."""
    products = sales.map(lambda sale: ((sale[0], sale[1]), sale[2])).reduceByKey(add)
    return products.map(lambda row: (row[0][0], row[1])).reduceByKey(add)


def regions_right(sales: RDD[tuple[str, str, int]]):
    return sales.map(lambda sale: (sale[0], sale[2])).reduceByKey(add)


def regions_wrong(sales: RDD[tuple[str, str, int]]):
    products = sales.map(lambda sale: ((sale[0], sale[1]), sale[2])).reduceByKey(add)
    return products.map(lambda row: (row[0][0], row[1])).reduceByKey(max)


def in_partitions(amounts: RDD[int]):
    """The sum by way of partitions."""
    return amounts.mapPartitions(lambda part: (2 * amount for amount in part if amount > 0)).sum()


def in_partitions_right(amounts: RDD[int]):
    return 2 * amounts.filter(lambda amount: amount > 0).sum()


def in_partitions_wrong(amounts: RDD[int]):
    return 2 * amounts.sum()


def lines_of_report(totals: RDD[tuple[str, int]]):
    return totals.reduceByKey(add).map(lambda pair: f"{pair[0]}: {pair[1]}")


def lines_of_report_right(totals: RDD[tuple[str, int]]):
    def line(pair):
        name, total = pair
        return f"{name}: {total}"

    return totals.foldByKey(0, add).map(line)


def lines_of_report_wrong(totals: RDD[tuple[str, int]]):
    return totals.map(lambda pair: f"{pair[0]}: {pair[1]}").distinct()


def weighted(items: RDD[tuple[str, int, int]]):
    """Price times quantity of each product."""
    return items.map(lambda item: (item[0], item[1] * item[2])).reduceByKey(add)


def weighted_right(items: RDD[tuple[str, int, int]]):
    return items.map(lambda item: (item[0], item[2] * item[1])).groupByKey().mapValues(sum)


def weighted_wrong(items: RDD[tuple[str, int, int]]):
    pairs = items.map(lambda item: (item[0], (item[1], item[2])))
    sums = pairs.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda pair: pair[0] * pair[1])
