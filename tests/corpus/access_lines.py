"""Web server access logs: 'ip path status bytes'."""

from __future__ import annotations

from collections import Counter
from operator import add
from typing import NamedTuple

from pyspark import RDD

SERVER_ERROR = 500
CLIENT_ERROR = 400
ASSETS = (".css", ".js", ".png")


class Hit(NamedTuple):
    ip: str
    path: str
    status: int
    size: int


def parse(line: str) -> Hit:
    ip, path, status, size = line.split(" ")
    return Hit(ip, path, int(status), int(size))


def looks_valid(line: str) -> bool:
    parts = line.split(" ")
    return len(parts) == 4 and parts[2].isdigit() and parts[3].isdigit()


def bytes_by_ip(lines: RDD[str]):
    """Bytes sent to each address; broken lines are skipped."""
    hits = lines.map(lambda l: l.split(" ")).filter(lambda p: len(p) == 4 and p[3].isdecimal())
    return hits.map(lambda p: (p[0], int(p[3]))).reduceByKey(add)


def bytes_by_ip_right(lines: RDD[str]):
    def sizes(line):
        parts = line.split(" ")
        if len(parts) != 4:
            return []
        if not parts[3].isdecimal():
            return []
        return [(parts[0], int(parts[3]))]

    return lines.flatMap(sizes).groupByKey().mapValues(sum)


def bytes_by_ip_wrong(lines: RDD[str]):
    def sizes(line):
        parts = line.split()
        if len(parts) != 4:
            return []
        if not parts[3].isdecimal():
            return []
        return [(parts[0], int(parts[3]))]

    return lines.flatMap(sizes).groupByKey().mapValues(sum)


def error_ratio(hits: RDD[Hit]):
    """Share of hits with an error status for each path."""
    pairs = hits.map(lambda h: (h.path, (1 if h.status >= CLIENT_ERROR else 0, 1)))
    sums = pairs.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda p: p[0] / p[1])


def error_ratio_right(hits: RDD[Hit]):
    def share(statuses):
        statuses = list(statuses)
        return len([s for s in statuses if s >= CLIENT_ERROR]) / len(statuses)

    return hits.map(lambda h: (h.path, h.status)).groupByKey().mapValues(share)


def error_ratio_wrong(hits: RDD[Hit]):
    def share(statuses):
        statuses = list(statuses)
        return len([s for s in statuses if CLIENT_ERROR <= s < SERVER_ERROR]) / len(statuses)

    return hits.map(lambda h: (h.path, h.status)).groupByKey().mapValues(share)


def status_classes(hits: RDD[Hit]) -> dict[str, int]:
    """How many hits of 2xx, 3xx, …"""
    return dict(hits.map(lambda h: f"{h.status // 100}xx").countByValue())


def status_classes_right(hits: RDD[Hit]) -> dict[str, int]:
    return hits.map(lambda h: (str(h.status // 100) + "xx", 1)).reduceByKey(add).collectAsMap()


def status_classes_wrong(hits: RDD[Hit]) -> dict[str, int]:
    return hits.map(lambda h: (str(round(h.status / 100)) + "xx", 1)).reduceByKey(add).collectAsMap()


def pages_only(hits: RDD[Hit]):
    """Page views per path, no assets and no failed requests."""
    pages = hits.filter(lambda h: not h.path.endswith(ASSETS)).filter(lambda h: h.status < CLIENT_ERROR)
    return pages.map(lambda h: (h.path, 1)).reduceByKey(add)


def pages_only_right(hits: RDD[Hit]):
    good = hits.filter(lambda h: h.status < CLIENT_ERROR).map(lambda h: (h.path, 1)).reduceByKey(add)
    return good.filter(lambda kv: not any(kv[0].endswith(a) for a in ASSETS))


def pages_only_wrong(hits: RDD[Hit]):
    good = hits.filter(lambda h: h.status < CLIENT_ERROR).map(lambda h: (h.path, 1)).reduceByKey(add)
    return good.filter(lambda kv: not any(a in kv[0] for a in ASSETS))


def strip_query(hits: RDD[Hit]):
    """Distinct visitors per path without the query string."""
    pairs = hits.map(lambda h: (h.path.split("?")[0], h.ip)).distinct()
    return pairs.mapValues(lambda _: 1).reduceByKey(add)


def strip_query_right(hits: RDD[Hit]):
    def bare(path: str) -> str:
        cut = path.find("?")
        return path if cut < 0 else path[:cut]

    return hits.map(lambda h: (bare(h.path), h.ip)).groupByKey().mapValues(lambda ips: len(set(ips)))


def strip_query_wrong(hits: RDD[Hit]):
    def bare(path: str) -> str:
        cut = path.find("?")
        return path[:cut]

    return hits.map(lambda h: (bare(h.path), h.ip)).groupByKey().mapValues(lambda ips: len(set(ips)))


def busiest_ip(hits: RDD[Hit]) -> str:
    """Address with the most hits, the smallest on a tie, '-' if there is none."""
    counts = Counter(hits.map(lambda h: h.ip).collect())
    if not counts:
        return "-"
    return min(counts.items(), key=lambda kv: (-kv[1], kv[0]))[0]


def busiest_ip_right(hits: RDD[Hit]) -> str:
    best = hits.map(lambda h: (h.ip, 1)).reduceByKey(add).takeOrdered(1, key=lambda kv: (-kv[1], kv[0]))
    return best[0][0] if best else "-"


def busiest_ip_wrong(hits: RDD[Hit]) -> str:
    best = hits.map(lambda h: (h.ip, 1)).reduceByKey(add).map(lambda kv: (kv[1], kv[0])).top(1)
    return best[0][1] if best else "-"
