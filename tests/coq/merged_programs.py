"""Programs under Spark's own meaning of folds: their certificates prove, by PARTITION, how results are merged.

The functions are read, and never run.
"""

from pyspark import RDD

PAIRS = (
    ("sum_of_doubles", "double_of_sum", "equivalent"),
    ("sum_of_doubles", "built_in_sum", "equivalent"),
    ("scaled_sums_by_key", "sums_of_scaled_by_key", "equivalent"),
    ("greatest_of_negated", "negated_least", "equivalent"),
    ("greater_of_two", "built_in_maximum", "equivalent"),
    ("sum_and_count", "sum_beside_count", "equivalent"),
    ("below_count", "below_count_counted_first", "equivalent"),
    ("mean", "mean_of_successors", "inequivalent"),
    ("greatest_of_negated", "built_in_maximum", "inequivalent"),
    ("scaled_sums_by_key", "sums_by_key", "inequivalent"),
)


def sum_of_doubles(rdd: RDD[int]):
    return rdd.map(lambda x: x * 2).fold(0, lambda a, x: a + x)


def double_of_sum(rdd: RDD[int]):
    return rdd.fold(0, lambda a, x: a + x) * 2


def built_in_sum(rdd: RDD[int]):
    return rdd.map(lambda x: x * 2).sum()


def scaled_sums_by_key(rdd: RDD[tuple[int, int]]):
    return rdd.reduceByKey(lambda a, b: a + b).mapValues(lambda v: 2 * v)


def sums_of_scaled_by_key(rdd: RDD[tuple[int, int]]):
    return rdd.mapValues(lambda v: 2 * v).foldByKey(0, lambda a, b: a + b)


def sums_by_key(rdd: RDD[tuple[int, int]]):
    return rdd.reduceByKey(lambda a, b: a + b)


def greatest_of_negated(rdd: RDD[int]):
    return rdd.map(lambda x: -x).max()


def negated_least(rdd: RDD[int]):
    return -rdd.min()


def greater_of_two(rdd: RDD[int]):
    return rdd.reduce(lambda a, b: a if a > b else b)


def built_in_maximum(rdd: RDD[int]):
    return rdd.max()


def sum_and_count(rdd: RDD[int]):
    return rdd.aggregate((0, 0), lambda a, x: (a[0] + x, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1]))


def sum_beside_count(rdd: RDD[int]):
    return (rdd.sum(), rdd.count())


def below_count(rdd: RDD[int]):
    n = rdd.count()
    return rdd.fold(0, lambda a, x: a + x) + n


def below_count_counted_first(rdd: RDD[int]):
    return rdd.count() + rdd.sum()


def mean(rdd: RDD[int]):
    return rdd.mean()


def mean_of_successors(rdd: RDD[int]):
    return rdd.map(lambda x: x + 1).mean()
