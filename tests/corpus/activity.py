"""Sessions, latest records, histograms, rolling figures."""

from pyspark import RDD, StorageLevel


def latest(a, b):
    """The record with the later stamp."""
    return a if (a["ts"], a["id"]) >= (b["ts"], b["id"]) else b


def latest_profile(updates: RDD[tuple[str, int, str]]):
    """(user, stamp, city): the newest city; ties by name."""
    keyed = updates.map(lambda u: (u[0], {"ts": u[1], "id": u[2]}))
    return keyed.reduceByKey(latest).mapValues(lambda d: d["id"])


def latest_profile_right(updates: RDD[tuple[str, int, str]]):
    return updates.map(lambda u: (u[0], (u[1], u[2]))).groupByKey().mapValues(lambda g: max(g)[1])


def latest_profile_wrong(updates: RDD[tuple[str, int, str]]):
    return updates.map(lambda u: (u[0], (u[1], u[2]))).groupByKey().mapValues(lambda g: max(x[1] for x in g))


def spread(values: RDD[int]):
    """Sum of squares about the mean, times n."""
    values.persist(StorageLevel.MEMORY_ONLY)
    n = values.count()
    s = values.sum()
    q = values.map(lambda v: v**2).sum()
    return n * q - s * s


def spread_right(values: RDD[int]):
    n, s, q = values.aggregate(
        (0, 0, 0),
        lambda acc, v: (acc[0] + 1, acc[1] + v, acc[2] + v * v),
        lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2]),
    )
    return n * q - s**2


def spread_wrong(values: RDD[int]):
    n, s, q = values.aggregate(
        (0, 0, 0),
        lambda acc, v: (acc[0] + 1, acc[1] + v, acc[2] + v * v),
        lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2]),
    )
    return n * q - s


def fresh(events: RDD[tuple[str, int]], now: int, days: int = 7):
    """Users active in the last days, with how many events."""
    since = now - days * 24 * 60 * 60
    return events.filter(lambda e: since <= e[1] < now).countByKey()


def fresh_right(events: RDD[tuple[str, int]], now: int, days: int = 7):
    ages = events.mapValues(lambda t: now - t).filter(lambda e: 0 < e[1] <= days * 86400)
    return ages.mapValues(lambda a: 1).reduceByKey(lambda a, b: a + b).collectAsMap()


def fresh_wrong(events: RDD[tuple[str, int]], now: int, days: int = 7):
    ages = events.mapValues(lambda t: now - t).filter(lambda e: e[1] <= days * 86400)
    return ages.mapValues(lambda a: 1).reduceByKey(lambda a, b: a + b).collectAsMap()
