"""The best of each group."""

from operator import itemgetter

from pyspark import RDD


def best_seller(sales: RDD[tuple[str, str, int]]):
    """The best product of each category by total, ties by name."""
    totals = sales.map(lambda s: ((s[0], s[1]), s[2])).reduceByKey(lambda a, b: a + b)
    by_category = totals.map(lambda kv: (kv[0][0], (kv[0][1], kv[1])))
    return by_category.reduceByKey(lambda a, b: a if (a[1], a[0]) > (b[1], b[0]) else b)


def best_seller_right(sales: RDD[tuple[str, str, int]]):
    totals = sales.map(lambda s: ((s[0], s[1]), s[2])).reduceByKey(lambda a, b: a + b)
    by_category = totals.map(lambda kv: (kv[0][0], (kv[0][1], kv[1]))).groupByKey()
    return by_category.mapValues(lambda items: max(items, key=lambda t: (t[1], t[0])))


def best_seller_wrong(sales: RDD[tuple[str, str, int]]):
    by_category = sales.map(lambda s: (s[0], (s[1], s[2])))
    return by_category.reduceByKey(lambda a, b: a if (a[1], a[0]) > (b[1], b[0]) else b)


def cheapest_offer(offers: RDD[tuple[str, str, int]]):
    """The cheapest shop for each product."""
    return offers.map(lambda o: (o[0], (o[2], o[1]))).reduceByKey(min).map(lambda kv: (kv[0], kv[1][1], kv[1][0]))


def cheapest_offer_right(offers: RDD[tuple[str, str, int]]):
    def cheapest(group):
        product, rows = group
        price, shop = min((r[2], r[1]) for r in rows)
        return product, shop, price

    return offers.groupBy(itemgetter(0)).map(cheapest)


def cheapest_offer_wrong(offers: RDD[tuple[str, str, int]]):
    return offers.map(lambda o: (o[0], (o[1], o[2]))).reduceByKey(min).map(lambda kv: (kv[0], kv[1][0], kv[1][1]))


def highest_scores(scores: RDD[tuple[str, int]]):
    """The five highest scores."""
    return [score for _, score in scores.takeOrdered(5, key=lambda kv: -kv[1])]


def highest_scores_right(scores: RDD[tuple[str, int]]):
    return scores.values().top(5)


def highest_scores_wrong(scores: RDD[tuple[str, int]]):
    return scores.values().distinct().top(5)
