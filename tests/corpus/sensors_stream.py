"""Readings of sensors: windows, alarms, gaps."""

from collections import deque
from dataclasses import dataclass
from enum import Enum

from pyspark import RDD

WINDOW = 60
LIMITS = {"temperature": (0, 80), "humidity": (10, 90), "pressure": (950, 1050)}


class Level(Enum):
    OK = 0
    LOW = 1
    HIGH = 2


@dataclass(frozen=True, order=True)
class Reading:
    sensor: str
    kind: str
    at: int
    value: int


def level(reading: Reading) -> Level:
    if reading.kind not in LIMITS:
        return Level.OK
    low, high = LIMITS[reading.kind]
    if reading.value < low:
        return Level.LOW
    if reading.value > high:
        return Level.HIGH
    return Level.OK


def alarms(readings: RDD[Reading]):
    """How many alarms each sensor had, by level."""
    rated = readings.map(lambda r: ((r.sensor, level(r)), 1)).filter(lambda kv: kv[0][1] is not Level.OK)
    return rated.map(lambda kv: ((kv[0][0], kv[0][1].name), kv[1])).reduceByKey(lambda a, b: a + b)


def alarms_right(readings: RDD[Reading]):
    def names(r):
        found = level(r)
        if found != Level.OK:
            yield (r.sensor, found.name), 1

    return readings.flatMap(names).reduceByKey(lambda a, b: a + b)


def alarms_wrong(readings: RDD[Reading]):
    def names(r):
        found = level(r)
        if found == Level.HIGH:
            yield (r.sensor, found.name), 1

    return readings.flatMap(names).reduceByKey(lambda a, b: a + b)


def silent_sensors(readings: RDD[Reading], inventory: RDD[str]):
    """Sensors of the inventory that sent nothing."""
    active = readings.map(lambda r: r.sensor).distinct()
    return inventory.distinct().subtract(active).sortBy(lambda name: name)


def silent_sensors_right(readings: RDD[Reading], inventory: RDD[str]):
    active = {r.sensor for r in readings.collect()}
    return sorted({name for name in inventory.collect() if name not in active})


def silent_sensors_wrong(readings: RDD[Reading], inventory: RDD[str]):
    active = {r.sensor for r in readings.collect()}
    return sorted(name for name in inventory.collect() if name not in active)


def largest_jump(readings: RDD[Reading]):
    """The largest difference of two values of a sensor that follow each other in time."""

    def jump(rs):
        ordered = sorted(rs)
        best = 0
        for (_, a), (_, b) in zip(ordered, ordered[1:]):
            best = max(best, abs(b - a))
        return best

    return readings.map(lambda r: (r.sensor, (r.at, r.value))).groupByKey().mapValues(jump)


def largest_jump_right(readings: RDD[Reading]):
    def jump(rs):
        values = [value for _, value in sorted(rs)]
        return max((abs(values[i] - values[i - 1]) for i in range(1, len(values))), default=0)

    return readings.map(lambda r: (r.sensor, (r.at, r.value))).groupByKey().mapValues(jump)


def largest_jump_wrong(readings: RDD[Reading]):
    def jump(rs):
        values = [value for _, value in sorted(rs)]
        return max((values[i] - values[i - 1] for i in range(1, len(values))), default=0)

    return readings.map(lambda r: (r.sensor, (r.at, r.value))).groupByKey().mapValues(jump)


def moving_sums(readings: RDD[Reading]):
    """Of each sensor, the sums of three values that follow each other."""

    def sums(rs):
        window = deque(maxlen=3)
        out = []
        for _, value in sorted(rs):
            window.append(value)
            if len(window) == 3:
                out.append(sum(window))
        return out

    return readings.map(lambda r: (r.sensor, (r.at, r.value))).groupByKey().mapValues(sums)


def moving_sums_right(readings: RDD[Reading]):
    def sums(rs):
        values = [value for _, value in sorted(rs)]
        return [sum(values[i : i + 3]) for i in range(len(values) - 2)]

    return readings.map(lambda r: (r.sensor, (r.at, r.value))).groupByKey().mapValues(sums)


def moving_sums_wrong(readings: RDD[Reading]):
    def sums(rs):
        values = [value for _, value in sorted(rs)]
        return [sum(values[i : i + 3]) for i in range(len(values))]

    return readings.map(lambda r: (r.sensor, (r.at, r.value))).groupByKey().mapValues(sums)
