"""Access logs, as an ops engineer parses them."""

import re

from pyspark import RDD

LOG = re.compile(r"^(\S+) (\S+) (\d{3}) (\d+)$")


def parse(line):
    m = LOG.match(line)
    if m is None:
        return None
    return (m.group(1), m.group(2), int(m.group(3)), int(m.group(4)))


def error_share(records: RDD[tuple[str, int]]):
    """(errors, all) of statuses."""
    return records.map(lambda kv: (1 if kv[1] >= 500 else 0, 1)).fold((0, 0), lambda a, b: (a[0] + b[0], a[1] + b[1]))


def error_share_right(records: RDD[tuple[str, int]]):
    n_all = records.count()
    n_err = records.filter(lambda kv: not kv[1] < 500).count()
    return (n_err, n_all)


def error_share_wrong(records: RDD[tuple[str, int]]):
    n_all = records.count()
    n_err = records.filter(lambda kv: kv[1] > 500).count()
    return (n_err, n_all)
