"""The largest, the first, the best."""

from operator import add

from pyspark import RDD


def best_three(scores: RDD[int]):
    return scores.top(3)


def best_three_right(scores: RDD[int]):
    return scores.takeOrdered(3, key=lambda score: -score)


def best_three_wrong(scores: RDD[int]):
    return scores.takeOrdered(3)


def best_sellers(sales: RDD[tuple[str, int]]):
    """The ten products that were sold most."""
    return sales.reduceByKey(add).takeOrdered(10, key=lambda pair: (-pair[1], pair[0]))


def best_sellers_right(sales: RDD[tuple[str, int]]):
    totals = sales.groupByKey().mapValues(sum)
    return totals.sortBy(lambda pair: (-pair[1], pair[0])).take(10)


def best_sellers_wrong(sales: RDD[tuple[str, int]]):
    totals = sales.groupByKey().mapValues(len)
    return totals.sortBy(lambda pair: (-pair[1], pair[0])).take(10)


def largest_order(orders: RDD[tuple[str, int]]):
    return orders.values().max()


def largest_order_right(orders: RDD[tuple[str, int]]):
    return orders.map(lambda order: order[1]).reduce(lambda a, b: a if a >= b else b)


def largest_order_wrong(orders: RDD[tuple[str, int]]):
    return orders.values().fold(0, max)


def cheapest_by_product(prices: RDD[tuple[str, int]]):
    return prices.reduceByKey(min).sortByKey()


def cheapest_by_product_right(prices: RDD[tuple[str, int]]):
    return prices.groupByKey().mapValues(min).sortByKey(ascending=True)


def cheapest_by_product_wrong(prices: RDD[tuple[str, int]]):
    return prices.reduceByKey(max).sortByKey()


def winner(scores: RDD[tuple[int, str]]):
    """The best score, and of several players the last by name."""
    return scores.top(1)


def winner_right(scores: RDD[tuple[int, str]]):
    return scores.sortBy(lambda score: score, ascending=False).take(1)


def winner_wrong(scores: RDD[tuple[int, str]]):
    return scores.sortBy(lambda score: score).take(1)


def two_best_by_team(scores: RDD[tuple[str, int]]):
    """The best and the second best score of each team."""

    def merge(a, b):
        ranked = sorted([a[0], a[1], b[0], b[1]], reverse=True)
        return ranked[0], ranked[1]

    return scores.mapValues(lambda score: (score, -1)).reduceByKey(merge)


def two_best_by_team_right(scores: RDD[tuple[str, int]]):
    def merge(a, b):
        ranked = sorted((a[0], a[1], b[0], b[1]))
        return ranked[3], ranked[2]

    return scores.map(lambda pair: (pair[0], (pair[1], -1))).reduceByKey(merge)


def two_best_by_team_wrong(scores: RDD[tuple[str, int]]):
    return scores.mapValues(lambda score: (score, -1)).reduceByKey(lambda a, b: (max(a[0], b[0]), max(a[1], b[1])))


def best_in_each(scores: RDD[tuple[str, int]]):
    best = scores.reduceByKey(max)
    return scores.join(best).filter(lambda row: row[1][0] == row[1][1]).keys().distinct()


def best_in_each_right(scores: RDD[tuple[str, int]]):
    return scores.keys().distinct()


def best_in_each_wrong(scores: RDD[tuple[str, int]]):
    best = scores.reduceByKey(max)
    return scores.join(best).filter(lambda row: row[1][0] < row[1][1]).keys().distinct()
