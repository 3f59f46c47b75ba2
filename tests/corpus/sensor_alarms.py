"""Sensor readings: averages, ranges, alarms, buckets."""

from __future__ import annotations

from operator import add
from typing import NamedTuple

from pyspark import RDD

LOW, HIGH = -20, 60
HOUR = 3600
BUCKET = 10


class Reading(NamedTuple):
    sensor: str
    ts: int
    value: int


class Stats:
    @staticmethod
    def create(v):
        return (v, v, 1, v)

    @staticmethod
    def merge_value(acc, v):
        return (min(acc[0], v), max(acc[1], v), acc[2] + 1, acc[3] + v)

    @staticmethod
    def merge(a, b):
        return (min(a[0], b[0]), max(a[1], b[1]), a[2] + b[2], a[3] + b[3])


def average(readings: RDD[Reading]):
    """Mean of the plausible readings of each sensor."""
    plausible = readings.filter(lambda r: LOW <= r.value <= HIGH)
    sums = plausible.map(lambda r: (r.sensor, (r.value, 1))).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda s: s[0] / s[1])


def average_right(readings: RDD[Reading]):
    kept = readings.filter(lambda r: not (r.value < LOW or r.value > HIGH)).map(lambda r: (r.sensor, r.value))
    return kept.groupByKey().mapValues(lambda vs: sum(vs) / len(vs))


def average_wrong(readings: RDD[Reading]):
    kept = readings.filter(lambda r: LOW < r.value < HIGH).map(lambda r: (r.sensor, r.value))
    return kept.groupByKey().mapValues(lambda vs: sum(vs) / len(vs))


def spread(readings: RDD[Reading]):
    """Difference between the largest and the smallest value, sensors with two readings at least."""
    stats = readings.map(lambda r: (r.sensor, r.value)).combineByKey(Stats.create, Stats.merge_value, Stats.merge)
    return stats.filter(lambda kv: kv[1][2] >= 2).mapValues(lambda s: s[1] - s[0])


def spread_right(readings: RDD[Reading]):
    grouped = readings.map(lambda r: (r.sensor, r.value)).groupByKey().mapValues(list)
    return grouped.filter(lambda kv: len(kv[1]) > 1).mapValues(lambda vs: max(vs) - min(vs))


def spread_wrong(readings: RDD[Reading]):
    grouped = readings.map(lambda r: (r.sensor, r.value)).groupByKey().mapValues(set)
    return grouped.filter(lambda kv: len(kv[1]) > 1).mapValues(lambda vs: max(vs) - min(vs))


def hourly_max(readings: RDD[Reading]):
    return readings.map(lambda r: ((r.sensor, r.ts // HOUR * HOUR), r.value)).reduceByKey(max)


def hourly_max_right(readings: RDD[Reading]):
    def hour(ts: int) -> int:
        return ts - ts % HOUR

    grouped = readings.groupBy(lambda r: (r.sensor, hour(r.ts)))
    return grouped.mapValues(lambda rs: max(r.value for r in rs))


def hourly_max_wrong(readings: RDD[Reading]):
    keyed = readings.map(lambda r: ((r.sensor, r.ts // HOUR), r.value))
    return keyed.reduceByKey(max)


def value_histogram(readings: RDD[Reading]):
    """[(bucket, count)] in order of the buckets."""
    buckets = readings.map(lambda r: (r.value // BUCKET, 1)).reduceByKey(add)
    return buckets.sortByKey().collect()


def value_histogram_right(readings: RDD[Reading]):
    counts = readings.map(lambda r: r.value // BUCKET).countByValue()
    return sorted(counts.items())


def value_histogram_wrong(readings: RDD[Reading]):
    counts = readings.map(lambda r: int(r.value / BUCKET)).countByValue()
    return sorted(counts.items())


def last_value(readings: RDD[Reading]):
    """Last reading of each sensor; the greater value if two came at the same time."""
    return readings.map(lambda r: (r.sensor, (r.ts, r.value))).reduceByKey(max).mapValues(lambda p: p[1])


def last_value_right(readings: RDD[Reading]):
    def newest(rs):
        best = None
        for r in rs:
            if best is None or (r.ts, r.value) > (best.ts, best.value):
                best = r
        return best.value

    return readings.groupBy(lambda r: r.sensor).mapValues(newest)


def last_value_wrong(readings: RDD[Reading]):
    def newest(rs):
        best = None
        for r in rs:
            if best is None or (r.value, r.ts) > (best.value, best.ts):
                best = r
        return best.value

    return readings.groupBy(lambda r: r.sensor).mapValues(newest)


def calibrated(readings: RDD[Reading], offsets: RDD[tuple[str, int | None]]):
    """Add the sensor's total offset; no offset, or an empty one, counts as zero."""
    totals = offsets.mapValues(lambda o: 0 if o is None else o).reduceByKey(add)
    joined = readings.map(lambda r: (r.sensor, (r.ts, r.value))).leftOuterJoin(totals)
    return joined.map(lambda kv: (kv[0], kv[1][0][0], kv[1][0][1] + (kv[1][1] or 0)))


def calibrated_right(readings: RDD[Reading], offsets: RDD[tuple[str, int | None]]):
    table = offsets.filter(lambda p: p[1] is not None).reduceByKey(add).collectAsMap()
    return readings.map(lambda r: (r.sensor, r.ts, r.value + table.get(r.sensor, 0)))


def calibrated_wrong(readings: RDD[Reading], offsets: RDD[tuple[str, int | None]]):
    totals = offsets.filter(lambda p: p[1] is not None).reduceByKey(add)
    joined = readings.map(lambda r: (r.sensor, (r.ts, r.value))).join(totals)
    return joined.map(lambda kv: (kv[0], kv[1][0][0], kv[1][0][1] + kv[1][1]))
