"""Taxi trips."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pyspark import RDD

AIRPORTS = {"JFK", "LGA", "EWR"}


@dataclass(frozen=True)
class Trip:
    driver: int
    start: datetime
    end: datetime
    origin: str
    target: str
    fare: int
    tip: int = 0

    @property
    def minutes(self) -> int:
        return (self.end - self.start).seconds // 60

    def to_airport(self) -> bool:
        return self.target in AIRPORTS


def airport_income(trips: RDD[Trip]):
    return (
        trips.filter(lambda t: t.to_airport()).map(lambda t: (t.driver, t.fare + t.tip)).reduceByKey(lambda a, b: a + b)
    )


def airport_income_right(trips: RDD[Trip]):
    relevant = trips.filter(lambda t: t.target == "JFK" or t.target == "LGA" or t.target == "EWR")
    fares = relevant.map(lambda t: (t.driver, t.fare))
    tips = relevant.map(lambda t: (t.driver, t.tip))
    return fares.union(tips).reduceByKey(lambda a, b: a + b)


def airport_income_wrong(trips: RDD[Trip]):
    return trips.map(lambda t: (t.driver, t.fare + t.tip if t.to_airport() else 0)).reduceByKey(lambda a, b: a + b)


def long_trips(trips: RDD[Trip]):
    return trips.filter(lambda t: t.end - t.start > timedelta(hours=2)).map(lambda t: t.driver).distinct().collect()


def long_trips_right(trips: RDD[Trip]):
    longest = trips.map(lambda t: (t.driver, t.end - t.start)).reduceByKey(max)
    return [driver for driver, span in longest.collect() if span > timedelta(minutes=120)]


def long_trips_wrong(trips: RDD[Trip]):
    longest = trips.map(lambda t: (t.driver, t.end - t.start)).reduceByKey(max)
    return [driver for driver, span in longest.collect() if span >= timedelta(minutes=120)]
