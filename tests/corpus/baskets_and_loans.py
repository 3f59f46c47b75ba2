"""Sessions, sets, and partitions."""

from pyspark import RDD

GAP = 30 * 60


def pairs_of_items(baskets: RDD[tuple[int, str]]):
    """How often two items are bought together."""
    both = baskets.join(baskets).filter(lambda kv: kv[1][0] < kv[1][1])
    return both.map(lambda kv: (kv[1], 1)).reduceByKey(lambda a, b: a + b)


def pairs_of_items_right(baskets: RDD[tuple[int, str]]):
    def ordered(kv):
        basket, (one, other) = kv
        return one < other

    return baskets.join(baskets).filter(ordered).values().map(lambda p: (p, 1)).reduceByKey(lambda a, b: a + b)


def pairs_of_items_wrong(baskets: RDD[tuple[int, str]]):
    both = baskets.join(baskets).filter(lambda kv: kv[1][0] != kv[1][1])
    return both.map(lambda kv: (kv[1], 1)).reduceByKey(lambda a, b: a + b)


def inverted_index(documents: RDD[tuple[int, str]]):
    """The sorted documents of each word."""
    words = documents.flatMap(lambda d: [(w, d[0]) for w in d[1].lower().split()])
    return words.distinct().groupByKey().mapValues(sorted)


def inverted_index_right(documents: RDD[tuple[int, str]]):
    words = documents.flatMap(lambda d: ((w, d[0]) for w in set(d[1].lower().split())))
    return words.groupByKey().mapValues(lambda ids: sorted(set(ids)))


def inverted_index_wrong(documents: RDD[tuple[int, str]]):
    words = documents.flatMap(lambda d: [(w, d[0]) for w in d[1].lower().split()])
    return words.groupByKey().mapValues(sorted)


def percent_share(sales: RDD[tuple[str, int]]):
    """Share of each region in percent."""
    total = sales.values().sum()
    by_region = sales.reduceByKey(lambda a, b: a + b)
    return by_region.mapValues(lambda v: round(100 * v / total, 1)).collectAsMap()


def percent_share_right(sales: RDD[tuple[str, int]]):
    by_region = sales.reduceByKey(lambda a, b: a + b)
    total = by_region.map(lambda kv: kv[1]).sum()
    return dict(by_region.map(lambda kv: (kv[0], round(100 * kv[1] / total, 1))).collect())


def percent_share_wrong(sales: RDD[tuple[str, int]]):
    by_region = sales.reduceByKey(lambda a, b: a + b)
    total = by_region.map(lambda kv: kv[1]).distinct().sum()
    return dict(by_region.map(lambda kv: (kv[0], round(100 * kv[1] / total, 1))).collect())
