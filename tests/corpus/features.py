"""Feature engineering for models."""

from dataclasses import dataclass

from pyspark import RDD


@dataclass
class Stats:
    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> "Stats":
        return Stats(self.count + 1, self.total + value, self.squares + value * value)

    def merge(self, other: "Stats") -> "Stats":
        return Stats(self.count + other.count, self.total + other.total, self.squares + other.squares)

    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0


def feature_means(rows: RDD[tuple[str, int]]):
    stats = rows.aggregateByKey(Stats(), lambda s, v: s.add(v), lambda a, b: a.merge(b))
    return stats.mapValues(lambda s: s.mean())


def feature_means_right(rows: RDD[tuple[str, int]]):
    sums = rows.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda s: s[0] / s[1])


def feature_means_wrong(rows: RDD[tuple[str, int]]):
    sums = rows.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda s: s[0] // s[1])


def min_max_scaled(values: RDD[int]):
    """Values in parts of a thousand between the smallest and the largest."""
    low, high = values.min(), values.max()
    span = high - low
    if span == 0:
        return values.map(lambda v: 0)
    return values.map(lambda v: (v - low) * 1000 // span)


def min_max_scaled_right(values: RDD[int]):
    low = values.reduce(min)
    high = values.reduce(lambda a, b: a if a > b else b)

    def scale(v):
        return (v - low) * 1000 // (high - low) if high > low else 0

    return values.map(scale)


def min_max_scaled_wrong(values: RDD[int]):
    high = values.max()
    return values.map(lambda v: v * 1000 // high if high else 0)


def one_hot(rows: RDD[tuple[int, str]], categories: list[str]):
    """A tuple of three flags for each row."""
    first, second, third = "red", "green", "blue"
    return rows.map(lambda r: (r[0], tuple(int(r[1] == c) for c in (first, second, third))))


def one_hot_right(rows: RDD[tuple[int, str]], categories: list[str]):
    index = {name: i for i, name in enumerate(["red", "green", "blue"])}

    def encode(name):
        flags = [0] * len(index)
        if name in index:
            flags[index[name]] = 1
        return tuple(flags)

    return rows.mapValues(encode)


def one_hot_wrong(rows: RDD[tuple[int, str]], categories: list[str]):
    index = {name: i for i, name in enumerate(["red", "blue", "green"])}

    def encode(name):
        flags = [0] * len(index)
        if name in index:
            flags[index[name]] = 1
        return tuple(flags)

    return rows.mapValues(encode)


def filled(rows: RDD[tuple[str, int | None]]):
    """Missing values become the mean of the others of the key, rounded down; 0 where there is none."""
    present = rows.filter(lambda r: r[1] is not None)
    sums = present.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    means = sums.mapValues(lambda s: s[0] // s[1]).collectAsMap()
    return rows.map(lambda r: (r[0], means.get(r[0], 0) if r[1] is None else r[1]))


def filled_right(rows: RDD[tuple[str, int | None]]):
    def fill(values):
        values = list(values)
        known = [v for v in values if v is not None]
        mean = sum(known) // len(known) if known else 0
        return [mean if v is None else v for v in values]

    return rows.groupByKey().flatMapValues(fill)


def filled_wrong(rows: RDD[tuple[str, int | None]]):
    def fill(values):
        values = list(values)
        known = [v for v in values if v]
        mean = sum(known) // len(known) if known else 0
        return [mean if v is None else v for v in values]

    return rows.groupByKey().flatMapValues(fill)
