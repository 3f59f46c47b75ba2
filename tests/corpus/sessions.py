"""Clicks, visits and sessions of users."""

from dataclasses import dataclass
from datetime import date, datetime

from pyspark import RDD

GAP = 1800


@dataclass(frozen=True)
class Click:
    user: str
    second: int
    page: str


def session_lengths(clicks: RDD[Click]):
    """From first to last click of each user."""
    first = clicks.map(lambda click: (click.user, click.second)).reduceByKey(min)
    last = clicks.map(lambda click: (click.user, click.second)).reduceByKey(max)
    return first.join(last).mapValues(lambda ends: ends[1] - ends[0])


def session_lengths_right(clicks: RDD[Click]):
    ends = clicks.map(lambda click: (click.user, (click.second, click.second)))
    merged = ends.reduceByKey(lambda a, b: (min(a[0], b[0]), max(a[1], b[1])))
    return merged.mapValues(lambda pair: pair[1] - pair[0])


def session_lengths_wrong(clicks: RDD[Click]):
    ends = clicks.map(lambda click: (click.user, (0, click.second)))
    merged = ends.reduceByKey(lambda a, b: (min(a[0], b[0]), max(a[1], b[1])))
    return merged.mapValues(lambda pair: pair[1] - pair[0])


def page_views(clicks: RDD[Click]):
    """How often each page was seen in each hour."""
    return clicks.map(lambda click: ((click.page, click.second // 3600), 1)).reduceByKey(lambda a, b: a + b)


def page_views_right(clicks: RDD[Click]):
    def hour_of(click: Click) -> int:
        return click.second // (60 * 60)

    return clicks.keyBy(lambda click: (click.page, hour_of(click))).groupByKey().mapValues(len)


def page_views_wrong(clicks: RDD[Click]):
    return clicks.map(lambda click: ((click.page, click.second // 60), 1)).reduceByKey(lambda a, b: a + b)


def active_users(visits: RDD[tuple[str, date]]):
    """How many users came on each day."""
    return visits.distinct().map(lambda visit: (visit[1], 1)).reduceByKey(lambda a, b: a + b)


def active_users_right(visits: RDD[tuple[str, date]]):
    swapped = visits.map(lambda visit: (visit[1], visit[0])).distinct()
    return swapped.mapValues(lambda user: 1).reduceByKey(lambda a, b: a + b)


def active_users_wrong(visits: RDD[tuple[str, date]]):
    return visits.map(lambda visit: (visit[1], 1)).reduceByKey(lambda a, b: a + b)


def short_visits(visits: RDD[tuple[str, int, int]]):
    """Visits of (user, start, end) that took less than the gap."""
    return visits.filter(lambda visit: visit[2] - visit[1] < GAP).map(lambda visit: visit[0]).distinct()


def short_visits_right(visits: RDD[tuple[str, int, int]]):
    lengths = visits.map(lambda visit: (visit[0], visit[2] - visit[1]))
    return lengths.filter(lambda pair: not pair[1] >= GAP).keys().distinct()


def short_visits_wrong(visits: RDD[tuple[str, int, int]]):
    lengths = visits.map(lambda visit: (visit[0], visit[2] - visit[1]))
    return lengths.reduceByKey(max).filter(lambda pair: pair[1] < GAP).keys()


def first_visit(visits: RDD[tuple[str, datetime]]):
    return visits.reduceByKey(lambda a, b: a if a < b else b)


def first_visit_right(visits: RDD[tuple[str, datetime]]):
    return visits.groupByKey().mapValues(min)


def first_visit_wrong(visits: RDD[tuple[str, datetime]]):
    return visits.reduceByKey(lambda a, b: a if a > b else b)


def bounces(clicks: RDD[Click]):
    """How many users clicked once."""
    counts = clicks.map(lambda click: (click.user, 1)).reduceByKey(lambda a, b: a + b)
    return counts.filter(lambda pair: pair[1] == 1).count()


def bounces_right(clicks: RDD[Click]):
    counts = clicks.map(lambda click: (click.user, 1)).reduceByKey(lambda a, b: a + b)
    return counts.map(lambda pair: 1 if pair[1] < 2 else 0).sum()


def bounces_wrong(clicks: RDD[Click]):
    counts = clicks.map(lambda click: (click.user, 1)).reduceByKey(lambda a, b: a + b)
    return counts.filter(lambda pair: pair[1] <= 2).count()


def landing_pages(clicks: RDD[Click]):
    """The first page of each user; the smallest, if there are several of one second."""
    pairs = clicks.map(lambda click: (click.user, (click.second, click.page)))
    return pairs.reduceByKey(min).mapValues(lambda pair: pair[1])


def landing_pages_right(clicks: RDD[Click]):
    def earlier(a, b):
        if a[0] != b[0]:
            return a if a[0] < b[0] else b
        return a if a[1] < b[1] else b

    pairs = clicks.map(lambda click: (click.user, (click.second, click.page)))
    return pairs.reduceByKey(earlier).map(lambda row: (row[0], row[1][1]))


def landing_pages_wrong(clicks: RDD[Click]):
    pairs = clicks.map(lambda click: (click.user, (click.page, click.second)))
    return pairs.reduceByKey(min).mapValues(lambda pair: pair[0])


def weekend_clicks(days: RDD[date]):
    return days.filter(lambda day: day.weekday() >= 5).count()


def weekend_clicks_right(days: RDD[date]):
    return days.map(lambda day: 1 if day.weekday() in (5, 6) or day.weekday() > 6 else 0).sum()


def weekend_clicks_wrong(days: RDD[date]):
    return days.map(lambda day: 1 if day.weekday() in (6, 7) else 0).sum()
