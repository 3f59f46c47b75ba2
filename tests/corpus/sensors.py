"""Readings of sensors, in classes."""

import logging
from typing import NamedTuple

from pyspark.rdd import RDD

log = logging.getLogger(__name__)


class Reading(NamedTuple):
    sensor: str
    minute: int
    celsius: int


class Config:
    LOW = -40
    HIGH = 85
    OFFSETS = {"a1": 2, "b7": -1}


class Pipeline:
    """Cleans readings and sums them up."""

    def __init__(self, low=Config.LOW, high=Config.HIGH):
        self.low = low
        self.high = high

    def is_valid(self, reading):
        return self.low <= reading.celsius <= self.high

    @staticmethod
    def calibrate(reading):
        return reading._replace(celsius=reading.celsius + Config.OFFSETS.get(reading.sensor, 0))

    def run(self, readings):
        cleaned = readings.map(self.calibrate).filter(self.is_valid)
        return cleaned.map(lambda r: (r.sensor, r.celsius)).reduceByKey(max)


def hottest(readings: RDD[Reading]):
    return Pipeline().run(readings)


def hottest_right(readings: RDD[Reading]):
    def fix(r):
        if r.sensor in Config.OFFSETS:
            return (r.sensor, r.celsius + Config.OFFSETS[r.sensor])
        return (r.sensor, r.celsius)

    fixed = readings.map(fix)
    return fixed.filter(lambda kv: kv[1] >= -40 and kv[1] <= 85).groupByKey().mapValues(max)


def hottest_wrong(readings: RDD[Reading]):
    valid = readings.filter(lambda r: Config.LOW <= r.celsius <= Config.HIGH)
    return valid.map(Pipeline.calibrate).map(lambda r: (r.sensor, r.celsius)).reduceByKey(max)


def alarm_minutes(readings: RDD[Reading], threshold: int):
    """Minutes in which at least one sensor was over the threshold."""
    log.info("threshold is %d", threshold)
    hot = readings.filter(lambda r: r.celsius > threshold)
    return hot.map(lambda r: r.minute).distinct().count()


def alarm_minutes_right(readings: RDD[Reading], threshold: int):
    per_minute = readings.map(lambda r: (r.minute, r.celsius)).reduceByKey(lambda a, b: a if a > b else b)
    return per_minute.filter(lambda kv: kv[1] > threshold).count()


def alarm_minutes_wrong(readings: RDD[Reading], threshold: int):
    per_minute = readings.map(lambda r: (r.minute, r.celsius)).reduceByKey(lambda a, b: a if a < b else b)
    return per_minute.filter(lambda kv: kv[1] > threshold).count()


def ranges(readings: RDD[Reading]):
    """Difference of the highest and the lowest value of each sensor."""

    def seq(acc, r):
        lo, hi = acc
        return (min(lo, r.celsius), max(hi, r.celsius))

    def comb(a, b):
        return (min(a[0], b[0]), max(a[1], b[1]))

    keyed = readings.map(lambda r: (r.sensor, r))
    return keyed.aggregateByKey((10**6, -(10**6)), seq, comb).mapValues(lambda t: t[1] - t[0])


def ranges_right(readings: RDD[Reading]):
    pairs = readings.map(lambda r: (r.sensor, (min(r.celsius, 1000000), max(r.celsius, -1000000))))
    return pairs.reduceByKey(lambda a, b: (min(a[0], b[0]), max(a[1], b[1]))).mapValues(lambda t: t[1] - t[0])


def ranges_wrong(readings: RDD[Reading]):
    pairs = readings.map(lambda r: (r.sensor, r.celsius))
    return pairs.groupByKey().mapValues(lambda vs: max(vs) - min(vs))


def stuck(readings: RDD[Reading]):
    """Sensors that report one value only."""
    return (
        readings.map(lambda r: (r.sensor, r.celsius))
        .distinct()
        .mapValues(lambda _: 1)
        .reduceByKey(lambda a, b: a + b)
        .filter(lambda kv: kv[1] == 1)
        .keys()
    )


def stuck_right(readings: RDD[Reading]):
    by_sensor = readings.map(lambda r: (r.sensor, r.celsius)).groupByKey()
    return by_sensor.filter(lambda kv: len(set(kv[1])) == 1).map(lambda kv: kv[0])


def stuck_wrong(readings: RDD[Reading]):
    by_sensor = readings.map(lambda r: (r.sensor, r.celsius)).groupByKey()
    return by_sensor.filter(lambda kv: len(kv[1]) == 1).map(lambda kv: kv[0])
