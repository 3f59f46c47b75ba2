"""Jobs on the access logs of a web server."""

import re
from collections import defaultdict, namedtuple

from pyspark import RDD, SparkContext

LINE = re.compile(r'^(\S+) (\S+) "(GET|POST|PUT) (\S+)" (\d{3}) (\d+)$')
Hit = namedtuple("Hit", ["host", "user", "verb", "path", "status", "size"])
STATIC = (".css", ".js", ".png")


def parse(line):
    found = LINE.match(line)
    if found is None:
        return None
    host, user, verb, path, status, size = found.groups()
    return Hit(host, user, verb, path, int(status), int(size))


def is_error(hit):
    return hit.status >= 500


def error_rate_by_path(lines: RDD[str]):
    hits = lines.map(parse).filter(lambda h: h is not None)
    counted = hits.map(lambda h: (h.path, (1 if is_error(h) else 0, 1)))
    sums = counted.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda s: s[0] / s[1])


def error_rate_by_path_right(lines: RDD[str]):
    def paths(part):
        for line in part:
            hit = parse(line)
            if hit is not None:
                yield hit.path, is_error(hit)

    def add(acc, wrong):
        bad, total = acc
        return (bad + int(wrong), total + 1)

    sums = lines.mapPartitions(paths).aggregateByKey((0, 0), add, lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.map(lambda kv: (kv[0], kv[1][0] / kv[1][1]))


def error_rate_by_path_wrong(lines: RDD[str]):
    hits = lines.map(parse).filter(lambda h: h is not None and not h.path.endswith(STATIC))
    counted = hits.map(lambda h: (h.path, (1 if is_error(h) else 0, 1)))
    sums = counted.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda s: s[0] / s[1])


def bytes_per_host(lines: RDD[str], limit: int):
    totals = defaultdict(int)
    for hit in lines.map(parse).filter(bool).collect():
        totals[hit.host] += hit.size
    return {host: size for host, size in totals.items() if size > limit}


def bytes_per_host_right(lines: RDD[str], limit: int):
    hits = lines.flatMap(lambda line: [h for h in [parse(line)] if h])
    sums = hits.map(lambda h: (h.host, h.size)).reduceByKey(lambda a, b: a + b)
    return sums.filter(lambda kv: kv[1] > limit).collectAsMap()


def bytes_per_host_wrong(lines: RDD[str], limit: int):
    hits = lines.flatMap(lambda line: [h for h in [parse(line)] if h])
    sums = hits.filter(lambda h: h.size > limit).map(lambda h: (h.host, h.size)).reduceByKey(lambda a, b: a + b)
    return sums.collectAsMap()


def status_classes(lines: RDD[str]):
    """How many answers of each class, such as 4xx, were given."""
    hits = lines.map(parse).filter(lambda h: h is not None)
    return hits.map(lambda h: (f"{h.status // 100}xx", 1)).reduceByKey(lambda a, b: a + b)


def status_classes_right(lines: RDD[str]):
    def label(hit):
        return f"{hit.status // 100}xx"

    return lines.map(parse).filter(lambda h: h is not None).map(label).groupBy(lambda name: name).mapValues(len)


def status_classes_wrong(lines: RDD[str]):
    hits = lines.map(parse).filter(lambda h: h is not None)
    return hits.map(lambda h: (f"{h.status // 10}xx", 1)).reduceByKey(lambda a, b: a + b)


def distinct_visitors(lines: RDD[str]):
    """How many hosts saw each page."""
    seen = lines.map(parse).filter(lambda h: h is not None and h.verb == "GET").map(lambda h: (h.path, h.host))
    sets = seen.aggregateByKey(set(), lambda s, host: s | {host}, lambda a, b: a | b)
    return sets.mapValues(len)


def distinct_visitors_right(lines: RDD[str]):
    pairs = lines.map(parse).filter(lambda h: h is not None).filter(lambda h: h.verb == "GET")
    return pairs.map(lambda h: (h.path, h.host)).distinct().map(lambda p: (p[0], 1)).reduceByKey(lambda a, b: a + b)


def distinct_visitors_wrong(lines: RDD[str]):
    pairs = lines.map(parse).filter(lambda h: h is not None).filter(lambda h: h.verb == "GET")
    return pairs.map(lambda h: (h.path, h.host)).map(lambda p: (p[0], 1)).reduceByKey(lambda a, b: a + b)


def noisy_hosts(sc: SparkContext, lines: RDD[str], blocked: list[str]):
    """Hosts that are not blocked and made more than ten requests, and how many."""
    known = sc.broadcast(set(blocked))
    hits = lines.map(parse).filter(lambda h: h is not None).filter(lambda h: h.host not in known.value)
    counts = hits.map(lambda h: (h.host, 1)).reduceByKey(lambda a, b: a + b)
    return counts.filter(lambda kv: kv[1] > 10).sortBy(lambda kv: (-kv[1], kv[0]))


def noisy_hosts_right(sc: SparkContext, lines: RDD[str], blocked: list[str]):
    known = sc.broadcast(frozenset(blocked))

    def hosts(line):
        hit = parse(line)
        if hit is None or hit.host in known.value:
            return []
        return [(hit.host, 1)]

    counts = lines.flatMap(hosts).reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[1] >= 11)
    return counts.sortBy(lambda kv: (-kv[1], kv[0]))


def noisy_hosts_wrong(sc: SparkContext, lines: RDD[str], blocked: list[str]):
    known = sc.broadcast(set(blocked))
    hits = lines.map(parse).filter(lambda h: h is not None).filter(lambda h: h.host not in known.value)
    counts = hits.map(lambda h: (h.host, 1)).reduceByKey(lambda a, b: a + b)
    return counts.filter(lambda kv: kv[1] >= 10).sortBy(lambda kv: (-kv[1], kv[0]))
