"""Duplicates removed, and found."""

from operator import add
from typing import NamedTuple

from pyspark import RDD


class Event(NamedTuple):
    id: str
    version: int
    payload: str


def latest_versions(events: RDD[Event]):
    """The last version of each event."""
    versions = events.map(lambda event: (event.id, (event.version, event.payload)))
    return versions.reduceByKey(max).mapValues(lambda pair: pair[1])


def latest_versions_right(events: RDD[Event]):
    def later(a, b):
        return a if a >= b else b

    versions = events.map(lambda event: (event.id, (event.version, event.payload)))
    return versions.reduceByKey(later).map(lambda row: (row[0], row[1][1]))


def latest_versions_wrong(events: RDD[Event]):
    versions = events.map(lambda event: (event.id, (event.version, event.payload)))
    return versions.reduceByKey(min).mapValues(lambda pair: pair[1])


def unique_rows(rows: RDD[tuple[str, int]]):
    return rows.distinct()


def unique_rows_right(rows: RDD[tuple[str, int]]):
    return rows.map(lambda row: (row, None)).reduceByKey(lambda a, b: a).keys()


def unique_rows_wrong(rows: RDD[tuple[str, int]]):
    return rows.reduceByKey(max)


def duplicated(ids: RDD[str]):
    """Ids that occur more than once."""
    return ids.map(lambda key: (key, 1)).reduceByKey(add).filter(lambda pair: pair[1] > 1).keys()


def duplicated_right(ids: RDD[str]):
    return ids.groupBy(lambda key: key).mapValues(len).filter(lambda pair: pair[1] >= 2).map(lambda pair: pair[0])


def duplicated_wrong(ids: RDD[str]):
    return ids.groupBy(lambda key: key).mapValues(len).filter(lambda pair: pair[1] >= 1).map(lambda pair: pair[0])


def cleaned(names: RDD[str]):
    """Names without blanks around them, in lower case, each once, and no empty one."""
    return names.map(lambda name: name.strip().lower()).filter(lambda name: len(name) > 0).distinct()


def cleaned_right(names: RDD[str]):
    stripped = names.map(lambda name: name.strip()).map(lambda name: name.lower())
    return stripped.distinct().filter(lambda name: name != "")


def cleaned_wrong(names: RDD[str]):
    stripped = names.filter(lambda name: name != "").map(lambda name: name.strip())
    return stripped.map(lambda name: name.lower()).distinct()


def number_of_customers(orders: RDD[tuple[str, int]]):
    return orders.keys().distinct().count()


def number_of_customers_right(orders: RDD[tuple[str, int]]):
    return orders.reduceByKey(add).count()


def number_of_customers_wrong(orders: RDD[tuple[str, int]]):
    return orders.reduceByKey(add).filter(lambda pair: pair[1] > 0).count()


def seen_before(new: RDD[str], old: RDD[str]):
    """New ids that are not among the old ones."""
    return new.subtract(old)


def seen_before_right(new: RDD[str], old: RDD[str]):
    return new.map(lambda key: (key, 1)).subtractByKey(old.map(lambda key: (key, 1))).keys()


def seen_before_wrong(new: RDD[str], old: RDD[str]):
    return new.distinct().subtract(old)


def merged_sources(first: RDD[tuple[str, int]], second: RDD[tuple[str, int]]):
    return first.union(second).distinct()


def merged_sources_right(first: RDD[tuple[str, int]], second: RDD[tuple[str, int]]):
    return first.distinct().union(second.distinct()).distinct()


def merged_sources_wrong(first: RDD[tuple[str, int]], second: RDD[tuple[str, int]]):
    return first.distinct().union(second.distinct())
