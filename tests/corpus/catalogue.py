"""Products, categories and suppliers: joins, top lists and checks."""

import heapq
from collections import defaultdict, namedtuple

from pyspark import RDD

Product = namedtuple("Product", "sku name category price")
Sale = namedtuple("Sale", ["sku", "quantity"])

CONFIG = {"min_price": 10, "categories": ["books", "games"], "top": 3}


def parse_product(line):
    sku, name, category, price = line.split("|")
    return Product(sku, name.title(), category, int(price))


def parse_sale(line):
    fields = line.split("|")
    return Sale(sku=fields[0], quantity=int(fields[1]))


def sales_by_category(products: RDD[str], sales: RDD[str]):
    catalogue = products.map(parse_product).map(lambda p: (p.sku, p))
    sold = sales.map(parse_sale).map(lambda s: (s.sku, s.quantity))
    joined = sold.join(catalogue).values()
    return joined.map(lambda qp: (qp[1].category, qp[0] * qp[1].price)).reduceByKey(lambda a, b: a + b)


def sales_by_category_right(products: RDD[str], sales: RDD[str]):
    catalogue = products.map(parse_product).map(lambda p: (p.sku, (p.category, p.price)))
    sold = sales.map(parse_sale).map(lambda s: (s.sku, s.quantity))

    def amount(entry):
        _, ((category, price), quantity) = entry
        return category, price * quantity

    return catalogue.join(sold).map(amount).reduceByKey(lambda a, b: a + b)


def sales_by_category_wrong(products: RDD[str], sales: RDD[str]):
    catalogue = products.map(parse_product).map(lambda p: (p.sku, (p.category, p.price))).distinct()
    sold = sales.map(parse_sale).map(lambda s: (s.sku, s.quantity))

    def amount(entry):
        _, ((category, price), quantity) = entry
        return category, price * quantity

    return catalogue.join(sold).map(amount).reduceByKey(lambda a, b: a + b)


def top_sellers(sales: RDD[tuple[str, str, int]]):
    """The three products of each category that sold most; ties by name."""

    def best(items):
        totals = defaultdict(int)
        for sku, quantity in items:
            totals[sku] += quantity
        return sorted(totals.items(), key=lambda kv: (-kv[1], kv[0]))[: CONFIG["top"]]

    return sales.map(lambda s: (s[0], (s[1], s[2]))).groupByKey().mapValues(best)


def top_sellers_right(sales: RDD[tuple[str, str, int]]):
    totals = sales.map(lambda s: ((s[0], s[1]), s[2])).reduceByKey(lambda a, b: a + b)
    by_category = totals.map(lambda kv: (kv[0][0], (kv[0][1], kv[1]))).groupByKey()
    return by_category.mapValues(lambda items: heapq.nsmallest(3, items, key=lambda p: (-p[1], p[0])))


def top_sellers_wrong(sales: RDD[tuple[str, str, int]]):
    totals = sales.map(lambda s: ((s[0], s[1]), s[2])).reduceByKey(lambda a, b: max(a, b))
    by_category = totals.map(lambda kv: (kv[0][0], (kv[0][1], kv[1]))).groupByKey()
    return by_category.mapValues(lambda items: heapq.nsmallest(3, items, key=lambda p: (-p[1], p[0])))


def orphan_sales(products: RDD[tuple[str, int]], sales: RDD[tuple[str, int]]):
    """Skus that were sold and are no products."""
    return sales.leftOuterJoin(products).filter(lambda kv: kv[1][1] is None).keys().distinct()


def orphan_sales_right(products: RDD[tuple[str, int]], sales: RDD[tuple[str, int]]):
    return sales.keys().distinct().subtract(products.keys())


def orphan_sales_wrong(products: RDD[tuple[str, int]], sales: RDD[tuple[str, int]]):
    return sales.keys().subtract(products.keys())
