"""Sensor statistics."""

from collections import namedtuple

from pyspark import RDD

Reading = namedtuple("Reading", ["sensor", "ts", "value"])


def variance_by_sensor(readings: RDD[tuple[str, int]]):
    sums = readings.mapValues(lambda v: (1, v, v * v)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2]))
    return sums.mapValues(lambda s: s[2] / s[0] - (s[1] / s[0]) ** 2)


def variance_by_sensor_right(readings: RDD[tuple[str, int]]):
    sums = readings.aggregateByKey(
        (0, 0, 0),
        lambda acc, v: (acc[0] + 1, acc[1] + v, acc[2] + v * v),
        lambda a, b: tuple(x + y for x, y in zip(a, b)),
    )

    def variance(s):
        n, total, squares = s
        mean = total / n
        return squares / n - mean * mean

    return sums.mapValues(variance)


def variance_by_sensor_wrong(readings: RDD[tuple[str, int]]):
    sums = readings.aggregateByKey(
        (0, 0, 0),
        lambda acc, v: (acc[0] + 1, acc[1] + v, acc[2] + v * v),
        lambda a, b: tuple(x + y for x, y in zip(a, b)),
    )

    def variance(s):
        n, total, squares = s
        return squares / n - total / n

    return sums.mapValues(variance)


def outliers(readings: RDD[tuple[str, float]], limit: float):
    """Readings further than the limit from the mean of their sensor."""
    means = readings.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    means = means.mapValues(lambda t: t[0] / t[1])
    return readings.join(means).filter(lambda kv: abs(kv[1][0] - kv[1][1]) > limit).map(lambda kv: (kv[0], kv[1][0]))


def outliers_right(readings: RDD[tuple[str, float]], limit: float):
    means = readings.aggregateByKey(
        (0.0, 0), lambda a, v: (a[0] + v, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1])
    )
    joined = readings.join(means.mapValues(lambda t: t[0] / t[1]))
    return joined.filter(lambda kv: not (abs(kv[1][0] - kv[1][1]) <= limit)).mapValues(lambda pair: pair[0])


def outliers_wrong(readings: RDD[tuple[str, float]], limit: float):
    means = readings.aggregateByKey(
        (0.0, 0), lambda a, v: (a[0] + v, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1])
    )
    joined = readings.join(means.mapValues(lambda t: t[0] / t[1]))
    return joined.filter(lambda kv: kv[1][0] - kv[1][1] > limit).mapValues(lambda pair: pair[0])


def alert_levels(readings: RDD[tuple[str, int]]):
    """Number of readings of each level."""

    def level(value):
        if value > 90:
            return "critical"
        elif value > 70:
            return "warning"
        return "ok"

    return dict(readings.map(lambda r: (level(r[1]), 1)).reduceByKey(lambda a, b: a + b).collect())


def alert_levels_right(readings: RDD[tuple[str, int]]):
    thresholds = [(90, "critical"), (70, "warning")]

    def level(value):
        for bound, name in thresholds:
            if value > bound:
                return name
        return "ok"

    return dict(readings.values().map(level).countByValue())


def alert_levels_wrong(readings: RDD[tuple[str, int]]):
    thresholds = [(70, "warning"), (90, "critical")]

    def level(value):
        for bound, name in thresholds:
            if value > bound:
                return name
        return "ok"

    return dict(readings.values().map(level).countByValue())
