"""Access logs of a web server, as lines of text."""

import re
from operator import add

from pyspark import RDD

LOG = re.compile(r'^(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+) \S+" (\d{3}) (\d+)$')
BOTS = frozenset(["Googlebot", "bingbot", "AhrefsBot"])


def parse_line(line):
    m = LOG.match(line)
    if not m:
        return None
    host, when, method, path, status, size = m.groups()
    return host, method, path, int(status), int(size)


def status_histogram(lines: RDD[str]):
    """Counts of status classes, as a plain dict at the driver."""
    fields = lines.map(lambda l: l.split(" ")).filter(lambda f: len(f) > 8)
    counts = fields.map(lambda f: f[8]).filter(lambda s: s.isdigit()).map(lambda s: (int(s) // 100, 1)).reduceByKey(add)
    result = {}
    for klass, n in counts.collect():
        result[klass] = n
    return result


def status_histogram_right(lines: RDD[str]):
    def klass(line):
        f = line.split(" ")
        if len(f) <= 8 or not f[8].isdigit():
            return None
        return int(f[8]) // 100

    return dict(lines.map(klass).filter(lambda k: k is not None).countByValue())


def status_histogram_wrong(lines: RDD[str]):
    fields = lines.map(lambda l: l.split(" ")).filter(lambda f: len(f) >= 8)
    return dict(fields.map(lambda f: f[7]).filter(lambda s: s.isdigit()).map(lambda s: int(s) // 100).countByValue())


def crawler_hits(visits: RDD[tuple[str, str]]):
    """How many hits each known crawler made; visits are (agent, path)."""

    def bot_of(agent):
        return next((b for b in ("Googlebot", "bingbot", "AhrefsBot") if b in agent), None)

    return visits.map(lambda v: (bot_of(v[0]), 1)).filter(lambda kv: kv[0] is not None).reduceByKey(add).collectAsMap()


def crawler_hits_right(visits: RDD[tuple[str, str]]):
    def bot_of(agent):
        if "Googlebot" in agent:
            return "Googlebot"
        elif "bingbot" in agent:
            return "bingbot"
        elif "AhrefsBot" in agent:
            return "AhrefsBot"
        return ""

    tagged = visits.keyBy(lambda v: bot_of(v[0])).filter(lambda kv: kv[0])
    return dict(tagged.countByKey())


def crawler_hits_wrong(visits: RDD[tuple[str, str]]):
    def bot_of(agent):
        if agent.startswith("Googlebot"):
            return "Googlebot"
        elif "bingbot" in agent:
            return "bingbot"
        elif "AhrefsBot" in agent:
            return "AhrefsBot"
        return ""

    tagged = visits.keyBy(lambda v: bot_of(v[0])).filter(lambda kv: kv[0])
    return dict(tagged.countByKey())


def query_params(urls: RDD[str]):
    """How often each name of a query parameter occurs."""

    def names(url):
        if "?" not in url:
            return []
        query = url.split("?", 1)[1]
        return [p.split("=")[0] for p in query.split("&") if p]

    return urls.flatMap(names).map(lambda n: (n, 1)).reduceByKey(add)


def query_params_right(urls: RDD[str]):
    queries = urls.filter(lambda u: "?" in u).map(lambda u: u.split("?", 1)[1])
    parts = queries.flatMap(lambda q: q.split("&")).filter(lambda p: p != "")
    return parts.map(lambda p: p.split("=")[0]).map(lambda n: (n, 1)).reduceByKey(lambda x, y: x + y)


def query_params_wrong(urls: RDD[str]):
    queries = urls.filter(lambda u: "?" in u).map(lambda u: u.split("?", 1)[1])
    parts = queries.flatMap(lambda q: q.split("&"))
    return parts.map(lambda p: p.split("=")[0]).map(lambda n: (n, 1)).reduceByKey(lambda x, y: x + y)


def error_ratio(requests: RDD[tuple[str, int]]):
    """Share of 5xx per endpoint, rounded to percent."""
    marked = requests.mapValues(lambda status: (1 if 500 <= status <= 599 else 0, 1))
    sums = marked.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda s: 100 * s[0] // s[1]).filter(lambda kv: kv[1] > 5)


def error_ratio_right(requests: RDD[tuple[str, int]]):
    def seq(acc, status):
        errors, total = acc
        return errors + int(status // 100 == 5), total + 1

    def comb(a, b):
        return tuple(x + y for x, y in zip(a, b))

    return (
        requests.aggregateByKey((0, 0), seq, comb)
        .mapValues(lambda acc: acc[0] * 100 // acc[1])
        .filter(lambda kv: not kv[1] <= 5)
    )


def error_ratio_wrong(requests: RDD[tuple[str, int]]):
    def seq(acc, status):
        errors, total = acc
        return errors + int(status // 100 >= 5), total + 1

    def comb(a, b):
        return tuple(x + y for x, y in zip(a, b))

    return (
        requests.aggregateByKey((0, 0), seq, comb)
        .mapValues(lambda acc: acc[0] * 100 // acc[1])
        .filter(lambda kv: not kv[1] <= 5)
    )
