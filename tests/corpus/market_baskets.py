"""Market baskets: pairs of items, support, recommendations."""

from __future__ import annotations

from itertools import combinations
from operator import add

from pyspark import RDD

MIN_SUPPORT = 2


def pair_counts(lines: RDD[tuple[int, str]]):
    """Pairs of items bought in the same basket, at least MIN_SUPPORT times."""
    baskets = lines.distinct().groupByKey()
    pairs = baskets.flatMap(lambda kv: combinations(sorted(kv[1]), 2))
    return pairs.map(lambda p: (p, 1)).reduceByKey(add).filter(lambda kv: kv[1] >= MIN_SUPPORT)


def pair_counts_right(lines: RDD[tuple[int, str]]):
    unique = lines.distinct()
    pairs = unique.join(unique).values().filter(lambda p: p[0] < p[1])
    return pairs.map(lambda p: (p, 1)).reduceByKey(add).filter(lambda kv: kv[1] > MIN_SUPPORT - 1)


def pair_counts_wrong(lines: RDD[tuple[int, str]]):
    pairs = lines.join(lines).values().filter(lambda p: p[0] < p[1])
    return pairs.map(lambda p: (p, 1)).reduceByKey(add).filter(lambda kv: kv[1] >= MIN_SUPPORT)


def basket_sizes(lines: RDD[tuple[int, str]]):
    """Histogram: number of different items -> number of baskets."""
    sizes = lines.groupByKey().map(lambda kv: (len(set(kv[1])), 1))
    return sizes.reduceByKey(add)


def basket_sizes_right(lines: RDD[tuple[int, str]]):
    sizes = lines.distinct().mapValues(lambda _: 1).reduceByKey(add)
    return sizes.map(lambda kv: (kv[1], kv[0])).groupByKey().mapValues(len)


def basket_sizes_wrong(lines: RDD[tuple[int, str]]):
    sizes = lines.mapValues(lambda _: 1).reduceByKey(add)
    return sizes.map(lambda kv: (kv[1], kv[0])).groupByKey().mapValues(len)


def also_bought(lines: RDD[tuple[int, str]], item: str) -> list[str]:
    """Other items in the baskets which contain `item`."""
    with_item = lines.filter(lambda l: l[1] == item).map(lambda l: (l[0], 1)).distinct()
    others = lines.join(with_item).map(lambda kv: kv[1][0]).filter(lambda i: i != item)
    return sorted(others.distinct().collect())


def also_bought_right(lines: RDD[tuple[int, str]], item: str) -> list[str]:
    baskets = lines.groupByKey().mapValues(set).filter(lambda kv: item in kv[1])
    others = baskets.flatMap(lambda kv: kv[1] - {item}).distinct()
    return others.sortBy(lambda i: i).collect()


def also_bought_wrong(lines: RDD[tuple[int, str]], item: str) -> list[str]:
    baskets = lines.groupByKey().mapValues(set).filter(lambda kv: item in kv[1])
    others = baskets.flatMap(lambda kv: kv[1]).distinct()
    return others.sortBy(lambda i: i).collect()


def support(lines: RDD[tuple[int, str]]):
    """Percent of the baskets which contain each item."""
    total = lines.keys().distinct().count()
    per_item = lines.distinct().map(lambda l: (l[1], 1)).reduceByKey(add)
    return per_item.mapValues(lambda n: 100 * n // total)


def support_right(lines: RDD[tuple[int, str]]):
    total = lines.groupByKey().count()
    swapped = lines.map(lambda l: (l[1], {l[0]})).reduceByKey(lambda a, b: a | b)
    return swapped.map(lambda kv: (kv[0], len(kv[1]) * 100 // total))


def support_wrong(lines: RDD[tuple[int, str]]):
    total = lines.distinct().count()
    swapped = lines.map(lambda l: (l[1], {l[0]})).reduceByKey(lambda a, b: a | b)
    return swapped.map(lambda kv: (kv[0], len(kv[1]) * 100 // total))


def single_item(lines: RDD[tuple[int, str]]):
    """(basket, item) of the baskets which have only one kind of item."""
    kinds = lines.groupByKey().mapValues(lambda items: sorted(set(items)))
    return kinds.filter(lambda kv: len(kv[1]) == 1).mapValues(lambda items: items[0])


def single_item_right(lines: RDD[tuple[int, str]]):
    def create(item):
        return (item, True)

    def add_item(acc, item):
        return (acc[0], acc[1] and acc[0] == item)

    def merge(a, b):
        return (a[0], a[1] and b[1] and a[0] == b[0])

    kinds = lines.combineByKey(create, add_item, merge)
    return kinds.filter(lambda kv: kv[1][1]).mapValues(lambda p: p[0])


def single_item_wrong(lines: RDD[tuple[int, str]]):
    counts = lines.map(lambda l: (l[0], 1)).reduceByKey(add).filter(lambda kv: kv[1] == 1)
    return lines.join(counts).mapValues(lambda p: p[0])


def new_items(before: RDD[tuple[int, str]], after: RDD[tuple[int, str]]) -> dict[str, int]:
    """Items which were never sold before -> number of baskets that hold them now."""
    known = before.values().distinct().map(lambda i: (i, None))
    fresh = after.distinct().map(lambda l: (l[1], 1)).subtractByKey(known)
    return fresh.reduceByKey(add).collectAsMap()


def new_items_right(before: RDD[tuple[int, str]], after: RDD[tuple[int, str]]) -> dict[str, int]:
    known = set(before.map(lambda l: l[1]).collect())
    fresh = after.filter(lambda l: l[1] not in known).map(lambda l: (l[1], l[0]))
    return {item: len(set(baskets)) for item, baskets in fresh.groupByKey().collect()}


def new_items_wrong(before: RDD[tuple[int, str]], after: RDD[tuple[int, str]]) -> dict[str, int]:
    fresh = after.distinct().subtract(before).map(lambda l: (l[1], l[0]))
    return {item: len(set(baskets)) for item, baskets in fresh.groupByKey().collect()}
