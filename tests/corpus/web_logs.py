"""Access logs."""

from collections import namedtuple
from datetime import datetime
from operator import add

from pyspark import RDD, SparkContext

Hit = namedtuple("Hit", ["host", "path", "status", "size"])


def parse_hit(line):
    host, path, status, size = line.split(" ")
    return Hit(host, path, int(status), int(size))


def error_hosts(lines: RDD[str]):
    """Hosts with server errors, and how many."""
    hits = lines.map(parse_hit)
    return hits.filter(lambda h: h.status >= 500).map(lambda h: (h.host, 1)).reduceByKey(add)


def error_hosts_right(lines: RDD[str]):
    fields = lines.map(lambda line: line.split(" "))
    errors = fields.map(lambda f: (f[0], f[1], int(f[2]), int(f[3]))).filter(lambda f: not f[2] < 500)
    return errors.map(lambda f: f[0]).map(lambda host: (host, 1)).reduceByKey(lambda x, y: x + y)


def error_hosts_wrong(lines: RDD[str]):
    hits = lines.map(parse_hit)
    return hits.filter(lambda h: h.status > 500).map(lambda h: (h.host, 1)).reduceByKey(add)


def unique_visitors(hits: RDD[tuple[str, str]]):
    """Distinct users of each page."""
    return hits.distinct().map(lambda h: (h[1], 1)).reduceByKey(add)


def unique_visitors_right(hits: RDD[tuple[str, str]]):
    pairs = hits.map(lambda h: (h[1], h[0]))
    return pairs.groupByKey().mapValues(lambda users: len(set(users)))


def unique_visitors_wrong(hits: RDD[tuple[str, str]]):
    pairs = hits.map(lambda h: (h[1], h[0]))
    return pairs.groupByKey().mapValues(lambda users: len(list(users)))


def top_pages(sc: SparkContext, path: str, n: int):
    """The most visited pages of a file."""
    pages = sc.textFile(path).map(lambda line: line.split("\t")).map(lambda f: (f[1], 1))
    return pages.reduceByKey(lambda a, b: a + b).takeOrdered(10, key=lambda kv: (-kv[1], kv[0]))


def top_pages_right(sc: SparkContext, path: str, n: int):
    pages = sc.textFile(path).map(lambda line: (line.split("\t")[1], 1))
    return pages.reduceByKey(add).sortBy(lambda kv: (-kv[1], kv[0])).take(10)


def top_pages_wrong(sc: SparkContext, path: str, n: int):
    pages = sc.textFile(path).map(lambda line: (line.split("\t")[1], 1))
    return pages.reduceByKey(add).sortBy(lambda kv: (kv[1], kv[0])).take(10)


def hourly_traffic(events: RDD[tuple[str, datetime]]):
    return events.map(lambda e: ((e[0], e[1].hour), 1)).reduceByKey(add)


def hourly_traffic_right(events: RDD[tuple[str, datetime]]):
    keyed = events.keyBy(lambda e: (e[0], e[1].hour))
    return keyed.mapValues(lambda _: 1).foldByKey(0, add)


def hourly_traffic_wrong(events: RDD[tuple[str, datetime]]):
    keyed = events.keyBy(lambda e: (e[0], e[1].minute))
    return keyed.mapValues(lambda _: 1).foldByKey(0, add)


def status_classes(codes: RDD[int]):
    def name(code):
        if 200 <= code < 300:
            return "ok"
        if 300 <= code < 400:
            return "redirect"
        if code >= 400:
            return "error"
        return "other"

    return codes.map(name).countByValue()


def status_classes_right(codes: RDD[int]):
    names = {2: "ok", 3: "redirect"}
    return codes.map(lambda c: "error" if c >= 400 else names.get(c // 100, "other")).map(lambda n: (n, 1)).countByKey()


def status_classes_wrong(codes: RDD[int]):
    names = {2: "ok", 3: "redirect", 4: "error", 5: "error"}
    return codes.map(lambda c: names.get(c // 100, "other")).countByValue()
