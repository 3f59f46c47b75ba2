"""Readings of sensors."""

import operator
from collections import namedtuple

from pyspark.rdd import RDD

Reading = namedtuple("Reading", ["sensor", "ts", "value"])
LIMITS = [(-40, "freezing"), (0, "cold"), (15, "mild"), (30, "hot")]


class RunningStats:
    """Counts, sums and sums of squares."""

    def __init__(self, n=0, total=0, squares=0):
        self.n = n
        self.total = total
        self.squares = squares

    def add(self, x):
        return RunningStats(self.n + 1, self.total + x, self.squares + x * x)

    def merge(self, other):
        return RunningStats(self.n + other.n, self.total + other.total, self.squares + other.squares)


def label(value):
    name = "arctic"
    for limit, text in LIMITS:
        if value >= limit:
            name = text
    return name


def labels(readings: RDD[tuple[str, int, int]]):
    """Number of readings of each label."""
    return readings.map(lambda r: (label(r[2]), 1)).reduceByKey(operator.add)


def labels_right(readings: RDD[tuple[str, int, int]]):
    def label_of(v):
        for limit, text in reversed(LIMITS):
            if limit <= v:
                return text
        return "arctic"

    return readings.map(lambda r: label_of(r[2])).map(lambda l: (l, 1)).foldByKey(0, operator.add)


def labels_wrong(readings: RDD[tuple[str, int, int]]):
    def label_of(v):
        for limit, text in LIMITS:
            if limit <= v:
                return text
        return "arctic"

    return readings.map(lambda r: label_of(r[2])).map(lambda l: (l, 1)).foldByKey(0, operator.add)


def moments(readings: RDD[tuple[str, int, int]]):
    """Count, sum and sum of squares per sensor by a class of accumulators."""
    per_sensor = readings.map(lambda r: (r[0], r[2]))
    stats = per_sensor.aggregateByKey(RunningStats(), lambda s, x: s.add(x), lambda a, b: a.merge(b))
    return stats.mapValues(lambda s: (s.n, s.total, s.squares))


def moments_right(readings: RDD[tuple[str, int, int]]):
    triples = readings.map(lambda r: (r[0], (1, r[2], r[2] ** 2)))
    return triples.reduceByKey(lambda a, b: tuple(map(operator.add, a, b)))


def moments_wrong(readings: RDD[tuple[str, int, int]]):
    triples = readings.map(lambda r: (r[0], (1, r[2], r[2])))
    return triples.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[1] * b[1]))


def valid_fraction(readings: RDD[tuple[str, int | None]]):
    """Fraction of readings with a value, 0 if there are none."""
    total, valid = readings.map(lambda r: (1, 0 if r[1] is None else 1)).fold(
        (0, 0), lambda a, b: (a[0] + b[0], a[1] + b[1])
    )
    return valid / total if total else 0


def valid_fraction_right(readings: RDD[tuple[str, int | None]]):
    total = readings.count()
    if total == 0:
        return 0
    missing = readings.filter(lambda r: r[1] is None).count()
    return (total - missing) / total


def valid_fraction_wrong(readings: RDD[tuple[str, int | None]]):
    total = readings.count()
    if total == 0:
        return 0
    valid = readings.filter(lambda r: r[1]).count()
    return valid / total


def calibrate(readings: RDD[tuple[str, float]]):
    """Calibrated values in whole degrees of sensors in the field."""
    offsets = {"a": 0.5, "b": -1.25}
    fixed = readings.map(lambda r: (r[0], r[1] + offsets.get(r[0], 0.0)))
    return fixed.filter(lambda r: -50.0 < r[1] < 60.0).mapValues(lambda v: v * 9 / 5 + 32)


def calibrate_right(readings: RDD[tuple[str, float]]):
    def fix(r):
        sensor, value = r
        if sensor == "a":
            value += 0.5
        elif sensor == "b":
            value -= 1.25
        return sensor, value

    def plausible(r):
        return not (r[1] <= -50.0 or r[1] >= 60.0)

    return readings.map(fix).filter(plausible).map(lambda r: (r[0], 1.8 * r[1] + 32))


def calibrate_wrong(readings: RDD[tuple[str, float]]):
    def fix(r):
        sensor, value = r
        if sensor == "a":
            value += 0.5
        else:
            value -= 1.25
        return sensor, value

    return readings.map(fix).filter(lambda r: -50.0 < r[1] < 60.0).map(lambda r: (r[0], 1.8 * r[1] + 32))
