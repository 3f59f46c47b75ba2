"""Rides of a taxi company."""

from datetime import datetime
from typing import NamedTuple

from pyspark.rdd import RDD

ZONES = {"A": "center", "B": "center", "C": "suburb"}
PEAK = range(7, 10)


class Ride(NamedTuple):
    driver: str
    zone: str
    start: datetime
    minutes: int
    fare: float
    tip: float | None = None


def income(rides: RDD[Ride]):
    """Fares and tips by driver."""
    return rides.map(lambda r: (r.driver, r.fare + (r.tip or 0.0))).reduceByKey(lambda a, b: a + b)


def income_right(rides: RDD[Ride]):
    fares = rides.map(lambda r: (r.driver, r.fare))
    tips = rides.filter(lambda r: r.tip is not None).map(lambda r: (r.driver, r.tip))
    return fares.union(tips).reduceByKey(lambda a, b: a + b)


def income_wrong(rides: RDD[Ride]):
    tipped = rides.filter(lambda r: r.tip is not None)
    return tipped.map(lambda r: (r.driver, r.fare + r.tip)).reduceByKey(lambda a, b: a + b)


def peak_share(rides: RDD[Ride]):
    """Rides in the morning peak of each zone's area, and all."""

    def flag(r):
        area = ZONES.get(r.zone, "elsewhere")
        return area, (int(r.start.hour in PEAK), 1)

    return rides.map(flag).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))


def peak_share_right(rides: RDD[Ride]):
    def area(zone):
        match zone:
            case "A" | "B":
                return "center"
            case "C":
                return "suburb"
            case _:
                return "elsewhere"

    grouped = rides.groupBy(lambda r: area(r.zone))
    return grouped.mapValues(lambda rs: (sum(1 for r in rs if 7 <= r.start.hour <= 9), len(rs)))


def peak_share_wrong(rides: RDD[Ride]):
    def area(zone):
        return ZONES[zone] if zone in ZONES else "elsewhere"

    return rides.groupBy(lambda r: area(r.zone)).mapValues(
        lambda rs: (sum(1 for r in rs if 7 <= r.start.hour <= 10), len(rs))
    )


def longest(rides: RDD[Ride]):
    """The longest ride of each driver, as (driver, minutes, zone)."""
    best = rides.map(lambda r: (r.driver, (r.minutes, r.zone))).reduceByKey(max)
    return best.map(lambda kv: (kv[0],) + kv[1])


def longest_right(rides: RDD[Ride]):
    grouped = rides.groupBy(lambda r: r.driver)
    best = grouped.mapValues(lambda rs: max((r.minutes, r.zone) for r in rs))
    return best.map(lambda kv: (kv[0], kv[1][0], kv[1][1]))


def longest_wrong(rides: RDD[Ride]):
    minutes = rides.map(lambda r: (r.driver, r.minutes)).reduceByKey(max)
    zones = rides.map(lambda r: (r.driver, r.zone)).reduceByKey(max)
    return minutes.join(zones).map(lambda kv: (kv[0], kv[1][0], kv[1][1]))


def idle_drivers(rides: RDD[Ride], drivers: RDD[str]):
    """Drivers without a ride."""
    active = set(rides.map(lambda r: r.driver).distinct().collect())
    return drivers.filter(lambda d: d not in active)


def idle_drivers_right(rides: RDD[Ride], drivers: RDD[str]):
    return drivers.subtract(rides.map(lambda r: r.driver))


def idle_drivers_wrong(rides: RDD[Ride], drivers: RDD[str]):
    return drivers.subtract(rides.map(lambda r: r.driver)).distinct()


def surcharge(rides: RDD[Ride]):
    """Fares with night and weekend surcharges, rounded to cents."""

    def price(r):
        factor = 1.0
        if r.start.weekday() >= 5:
            factor += 0.2
        if r.start.hour >= 22 or r.start.hour < 6:
            factor += 0.25
        return r.driver, round(r.fare * factor, 2)

    return rides.map(price)


def surcharge_right(rides: RDD[Ride]):
    def price(r):
        weekend = r.start.isoweekday() in (6, 7)
        night = not 6 <= r.start.hour < 22
        percent = 100 + (20 if weekend else 0) + (25 if night else 0)
        return r.driver, round(r.fare * percent / 100, 2)

    return rides.map(price)


def surcharge_wrong(rides: RDD[Ride]):
    def price(r):
        factor = 1.2 if r.start.weekday() >= 5 else 1.25 if r.start.hour >= 22 or r.start.hour < 6 else 1.0
        return r.driver, round(r.fare * factor, 2)

    return rides.map(price)
