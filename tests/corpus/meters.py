"""Meters of electricity."""

from pyspark import RDD

NIGHT = range(6)
TARIFF = {"day": 30, "night": 18}


def cost(reading):
    meter, hour, wh = reading
    kind = "night" if hour in NIGHT else "day"
    return meter, wh * TARIFF[kind]


def bills(readings: RDD[tuple[str, int, int]]):
    return readings.map(cost).reduceByKey(lambda a, b: a + b).mapValues(lambda c: c // 1000)


def bills_right(readings: RDD[tuple[str, int, int]]):
    night = readings.filter(lambda r: 0 <= r[1] <= 5).map(lambda r: (r[0], r[2] * 18))
    day = readings.filter(lambda r: r[1] < 0 or r[1] > 5).map(lambda r: (r[0], r[2] * 30))
    return (night + day).reduceByKey(lambda a, b: a + b).mapValues(lambda c: c // 1000)


def bills_wrong(readings: RDD[tuple[str, int, int]]):
    return readings.map(cost).mapValues(lambda c: c // 1000).reduceByKey(lambda a, b: a + b)


def peak_by_meter(readings: RDD[tuple[str, int, int]]):
    """For each meter the hours with its largest value."""
    keyed = readings.map(lambda r: (r[0], (r[1], r[2])))
    largest = keyed.mapValues(lambda p: p[1]).reduceByKey(max)
    return keyed.join(largest).filter(lambda x: x[1][0][1] == x[1][1]).map(lambda x: (x[0], x[1][0][0])).distinct()


def peak_by_meter_right(readings: RDD[tuple[str, int, int]]):
    largest = readings.map(lambda r: (r[0], r[2])).groupByKey().mapValues(max)
    peaks = readings.map(lambda r: ((r[0], r[2]), r[1])).join(largest.map(lambda x: (x, 1)))
    return peaks.map(lambda x: (x[0][0], x[1][0])).distinct()


def peak_by_meter_wrong(readings: RDD[tuple[str, int, int]]):
    return readings.map(lambda r: (r[0], (r[2], r[1]))).reduceByKey(max).mapValues(lambda p: p[1])


def smoothed(readings: RDD[tuple[str, int, int]], weights: tuple[int, int, int]):
    """Weighted sums of three classes of hours."""

    def weight(hour):
        for limit, factor in zip((8, 16, 24), weights):
            if hour < limit:
                return factor
        return 0

    return readings.map(lambda r: (r[0], weight(r[1]) * r[2])).reduceByKey(lambda a, b: a + b)


def smoothed_right(readings: RDD[tuple[str, int, int]], weights: tuple[int, int, int]):
    a, b, c = weights

    def weighted(r):
        meter, hour, wh = r
        if hour >= 24:
            return meter, 0
        return meter, (a if hour < 8 else b if hour < 16 else c) * wh

    return readings.map(weighted).groupByKey().mapValues(sum)


def smoothed_wrong(readings: RDD[tuple[str, int, int]], weights: tuple[int, int, int]):
    a, b, c = weights
    return readings.map(lambda r: (r[0], (a if r[1] < 8 else b if r[1] < 16 else c) * r[2])).reduceByKey(
        lambda x, y: x + y
    )
