"""Access logs, parsed by regular expressions."""

import re
from datetime import datetime
from operator import add

from pyspark import RDD

LOG_PATTERN = re.compile(r'^(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+) [^"]*" (\d{3}) (\d+|-)$')


def parse_line(line):
    match = LOG_PATTERN.match(line)
    if match is None:
        return None
    size = match.group(6)
    return (match.group(1), match.group(4), int(match.group(5)), 0 if size == "-" else int(size))


def bytes_by_host(lines: RDD[str]):
    parsed = lines.map(parse_line).filter(lambda r: r is not None)
    return parsed.map(lambda r: (r[0], r[3])).reduceByKey(lambda a, b: a + b)


def bytes_by_host_right(lines: RDD[str]):
    def sizes(line):
        m = LOG_PATTERN.match(line)
        if m:
            host, size = m.group(1), m.group(6)
            return [(host, int(size) if size != "-" else 0)]
        return []

    return lines.flatMap(sizes).reduceByKey(add)


def bytes_by_host_wrong(lines: RDD[str]):
    parsed = lines.map(parse_line).filter(lambda r: r is not None and r[3] > 0)
    return parsed.map(lambda r: (r[0], r[3])).reduceByKey(lambda a, b: a + b)


def not_found_paths(lines: RDD[str]):
    """The ten paths with most 404s."""
    parsed = lines.map(parse_line).filter(lambda r: r is not None).filter(lambda r: r[2] == 404)
    counts = parsed.map(lambda r: (r[1], 1)).reduceByKey(add)
    return counts.takeOrdered(10, key=lambda kv: (-kv[1], kv[0]))


def not_found_paths_right(lines: RDD[str]):
    counts = (
        lines.map(parse_line).filter(lambda r: r is not None and r[2] == 404).map(lambda r: (r[1], 1)).reduceByKey(add)
    )
    return counts.sortBy(lambda kv: (-kv[1], kv[0])).take(10)


def not_found_paths_wrong(lines: RDD[str]):
    counts = (
        lines.map(parse_line).filter(lambda r: r is not None and r[2] >= 400).map(lambda r: (r[1], 1)).reduceByKey(add)
    )
    return counts.sortBy(lambda kv: (-kv[1], kv[0])).take(10)


def words_with_regex(lines: RDD[str]):
    """Word count with tokens found by a regular expression."""
    return (
        lines.flatMap(lambda line: re.findall(r"[a-z']+", line.lower()))
        .map(lambda w: (w, 1))
        .reduceByKey(lambda a, b: a + b)
    )


def words_with_regex_right(lines: RDD[str]):
    pattern = re.compile(r"[a-z']+")

    def tokens(line):
        for word in pattern.findall(line.lower()):
            yield word, 1

    return lines.flatMap(tokens).foldByKey(0, add)


def words_with_regex_wrong(lines: RDD[str]):
    return (
        lines.flatMap(lambda line: re.findall(r"[a-z']+", line)).map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)
    )


def hits_per_hour(lines: RDD[str]):
    def hour(line):
        stamp = line.split(" ")[0]
        return datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%S").hour

    return (
        lines.filter(lambda l: not l.startswith("#")).map(lambda l: (hour(l), 1)).reduceByKey(add).sortByKey().collect()
    )


def hits_per_hour_right(lines: RDD[str]):
    real = lines.filter(lambda l: l[:1] != "#")
    stamps = real.map(lambda l: l.split(" ")[0]).map(lambda s: datetime.strptime(s, "%Y-%m-%dT%H:%M:%S"))
    return sorted(stamps.map(lambda d: d.hour).countByValue().items())


def hits_per_hour_wrong(lines: RDD[str]):
    real = lines.filter(lambda l: l[:1] != "#")
    stamps = real.map(lambda l: l.split(" ")[0]).map(lambda s: datetime.strptime(s, "%Y-%m-%dT%H:%M:%S"))
    return sorted(stamps.map(lambda d: d.minute).countByValue().items())


def email_domains(users: RDD[tuple[int, str]]):
    """How many users each mail domain has; malformed addresses are dropped."""
    email = re.compile(r"^[\w.+-]+@([\w-]+\.[\w.-]+)$")
    found = users.map(lambda u: email.match(u[1])).filter(lambda m: m is not None)
    return found.map(lambda m: (m.group(1).lower(), 1)).reduceByKey(add)


def email_domains_right(users: RDD[tuple[int, str]]):
    email = re.compile(r"^[\w.+-]+@([\w-]+\.[\w.-]+)$")
    valid = users.values().filter(lambda e: email.match(e))
    return valid.map(lambda e: email.match(e).group(1)).map(lambda d: (d.lower(), 1)).reduceByKey(add)


def email_domains_wrong(users: RDD[tuple[int, str]]):
    email = re.compile(r"^[\w.+-]+@([\w-]+\.[\w.-]+)$")
    valid = users.values().filter(lambda e: email.match(e)).distinct()
    return valid.map(lambda e: email.match(e).group(1)).map(lambda d: (d.lower(), 1)).reduceByKey(add)
