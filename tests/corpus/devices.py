"""Sensor readings."""

from __future__ import annotations

from collections import namedtuple
from operator import add

from pyspark import RDD

Reading = namedtuple("Reading", "device ts temperature")


def parse(line):
    try:
        device, ts, temp = line.split(";")
        return Reading(device, int(ts), float(temp))
    except ValueError:
        return None


def deviations(readings: RDD[tuple[str, float]]):
    """The number of readings above the average of their device."""

    def count(values):
        vals = list(values)
        mean = sum(vals) / len(vals)
        return len([v for v in vals if v > mean])

    return readings.groupByKey().mapValues(count)


def deviations_right(readings: RDD[tuple[str, float]]):
    means = (
        readings.mapValues(lambda v: (v, 1))
        .reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
        .mapValues(lambda t: t[0] / t[1])
    )
    flagged = readings.join(means).mapValues(lambda p: 1 if p[0] > p[1] else 0)
    return flagged.reduceByKey(add)


def deviations_wrong(readings: RDD[tuple[str, float]]):
    means = (
        readings.mapValues(lambda v: (v, 1))
        .reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
        .mapValues(lambda t: t[0] / t[1])
    )
    flagged = readings.join(means).filter(lambda kv: kv[1][0] > kv[1][1]).mapValues(lambda p: 1)
    return flagged.reduceByKey(add)


def normalised(readings: RDD[tuple[str, int]]):
    """Values as shares of the maximum of their device."""
    tops = readings.reduceByKey(max)
    return readings.join(tops).mapValues(lambda p: p[0] / p[1] if p[1] else 0.0)


def normalised_right(readings: RDD[tuple[str, int]]):
    def scale(kv):
        device, values = kv
        values = list(values)
        top = max(values)
        for v in values:
            yield device, (v / top if top != 0 else 0.0)

    return readings.groupByKey().flatMap(scale)


def normalised_wrong(readings: RDD[tuple[str, int]]):
    tops = readings.reduceByKey(min)
    return readings.join(tops).mapValues(lambda p: p[0] / p[1] if p[1] else 0.0)


def offline(readings: RDD[tuple[str, int]], devices: RDD[str], now: int):
    """Devices without a reading within the last hour."""
    recent = readings.filter(lambda r: now - r[1] < 3600).keys().distinct()
    return devices.subtract(recent)


def offline_right(readings: RDD[tuple[str, int]], devices: RDD[str], now: int):
    recent = readings.filter(lambda r: r[1] > now - 3600).map(lambda r: (r[0], None))
    return devices.map(lambda d: (d, None)).subtractByKey(recent).keys()


def offline_wrong(readings: RDD[tuple[str, int]], devices: RDD[str], now: int):
    recent = readings.filter(lambda r: r[1] >= now - 3600).map(lambda r: (r[0], None))
    return devices.map(lambda d: (d, None)).subtractByKey(recent).keys()


def buckets(values: RDD[float]):
    """Histogram with open ends."""
    edges = [0, 10, 20, 50]

    def bucket(v):
        for i, edge in enumerate(edges):
            if v < edge:
                return i
        return len(edges)

    return values.map(lambda v: (bucket(v), 1)).reduceByKey(add).sortByKey().collect()


def buckets_right(values: RDD[float]):
    edges = (0, 10, 20, 50)
    return sorted(values.map(lambda v: sum(1 for e in edges if v >= e)).countByValue().items())


def buckets_wrong(values: RDD[float]):
    edges = (0, 10, 20, 50)
    return sorted(values.map(lambda v: sum(1 for e in edges if v > e)).countByValue().items())


def spikes(readings: RDD[tuple[str, int, int]]):
    """Readings that are more than ten above the one a minute before."""
    now = readings.map(lambda r: ((r[0], r[1]), r[2]))
    before = readings.map(lambda r: ((r[0], r[1] + 60), r[2]))
    return now.join(before).filter(lambda kv: kv[1][0] - kv[1][1] > 10).map(lambda kv: (kv[0][0], kv[0][1]))


def spikes_right(readings: RDD[tuple[str, int, int]]):
    keyed = readings.keyBy(lambda r: (r[0], r[1])).mapValues(lambda r: r[2])
    shifted = keyed.map(lambda kv: ((kv[0][0], kv[0][1] + 60), kv[1]))
    return shifted.join(keyed).filter(lambda kv: kv[1][1] > kv[1][0] + 10).keys()


def spikes_wrong(readings: RDD[tuple[str, int, int]]):
    keyed = readings.keyBy(lambda r: (r[0], r[1])).mapValues(lambda r: r[2])
    shifted = keyed.map(lambda kv: ((kv[0][0], kv[0][1] - 60), kv[1]))
    return shifted.join(keyed).filter(lambda kv: kv[1][1] > kv[1][0] + 10).keys()
