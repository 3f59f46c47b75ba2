"""Jobs as classes; quality; A/B tests."""

from pyspark import RDD


class AbTest:
    """Conversion of two variants."""

    def __init__(self, events: RDD[tuple[str, int, bool]], minimum: int = 1):
        self.events = events
        self.minimum = minimum

    def rates(self):
        pairs = self.events.map(lambda e: (e[0], (int(e[2]), 1)))
        totals = pairs.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
        return totals.filter(lambda kv: kv[1][1] >= self.minimum).mapValues(lambda t: t[0] / t[1])


def conversion(events: RDD[tuple[str, int, bool]]):
    return AbTest(events, 10).rates()


def conversion_right(events: RDD[tuple[str, int, bool]]):
    users = events.map(lambda e: (e[0], 1)).reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[1] >= 10)
    converted = events.map(lambda e: (e[0], 1 if e[2] else 0)).reduceByKey(lambda a, b: a + b)
    return users.join(converted).mapValues(lambda t: t[1] / t[0])


def conversion_wrong(events: RDD[tuple[str, int, bool]]):
    users = events.map(lambda e: (e[0], 1)).reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[1] > 10)
    converted = events.map(lambda e: (e[0], 1 if e[2] else 0)).reduceByKey(lambda a, b: a + b)
    return users.join(converted).mapValues(lambda t: t[1] / t[0])


def parse_amount(text: str) -> int | None:
    try:
        return int(text.strip())
    except ValueError:
        return None


def quality_report(rows: RDD[tuple[str | None, int | None]]):
    """How many names and amounts are missing, and how many amounts are negative."""

    def flags(row):
        name, amount = row
        return (1, int(not name), int(amount is None), int(amount is not None and amount < 0))

    return rows.map(flags).fold((0, 0, 0, 0), lambda a, b: tuple(x + y for x, y in zip(a, b)))


def quality_report_right(rows: RDD[tuple[str | None, int | None]]):
    total = rows.count()
    no_name = rows.filter(lambda r: r[0] is None or r[0] == "").count()
    no_amount = rows.filter(lambda r: r[1] is None).count()
    negative = rows.filter(lambda r: r[1] is not None).filter(lambda r: r[1] < 0).count()
    return total, no_name, no_amount, negative


def quality_report_wrong(rows: RDD[tuple[str | None, int | None]]):
    total = rows.count()
    no_name = rows.filter(lambda r: r[0] is None).count()
    no_amount = rows.filter(lambda r: r[1] is None).count()
    negative = rows.filter(lambda r: r[1] is not None).filter(lambda r: r[1] < 0).count()
    return total, no_name, no_amount, negative


def stock(movements: RDD[tuple[str, str, int]]):
    """Stock by product: 'in' adds, 'out' takes away; anything else is ignored."""
    signs = {"in": 1, "out": -1}
    known = movements.filter(lambda m: m[1] in signs)
    return known.map(lambda m: (m[0], signs[m[1]] * m[2])).reduceByKey(lambda a, b: a + b)


def stock_right(movements: RDD[tuple[str, str, int]]):
    def delta(kind, quantity):
        if kind == "in":
            return quantity
        if kind == "out":
            return -quantity
        return None

    changes = movements.map(lambda m: (m[0], delta(m[1], m[2]))).filter(lambda kv: kv[1] is not None)
    return changes.reduceByKey(lambda a, b: a + b)


def stock_wrong(movements: RDD[tuple[str, str, int]]):
    def delta(kind, quantity):
        return {"in": quantity, "out": -quantity}.get(kind, 0)

    return movements.map(lambda m: (m[0], delta(m[1], m[2]))).reduceByKey(lambda a, b: a + b)


def latest_versions(rows: RDD[tuple[int, int, str]]):
    """Deduplicated: the row with the highest version of each id (ties to the greater payload)."""
    return rows.keyBy(lambda r: r[0]).reduceByKey(lambda a, b: max(a, b)).values()


def latest_versions_right(rows: RDD[tuple[int, int, str]]):
    def newest(group):
        best = None
        for row in group:
            if best is None or row > best:
                best = row
        return best

    return rows.groupBy(lambda r: r[0]).mapValues(newest).map(lambda kv: kv[1])


def latest_versions_wrong(rows: RDD[tuple[int, int, str]]):
    return rows.keyBy(lambda r: r[1]).reduceByKey(lambda a, b: max(a, b)).values()


def flags_of(rows: RDD[tuple[int, int]]):
    """Rows with a flag set, by the flag."""
    active, paid_bit = 1 << 0, 1 << 1
    return (
        rows.filter(lambda r: r[1] & paid_bit).map(lambda r: (bool(r[1] & active), 1)).reduceByKey(lambda a, b: a + b)
    )


def flags_of_right(rows: RDD[tuple[int, int]]):
    paid = rows.filter(lambda r: (r[1] & 2) != 0)
    return paid.map(lambda r: (r[1] & 1 == 1, 1)).reduceByKey(lambda a, b: a + b)


def flags_of_wrong(rows: RDD[tuple[int, int]]):
    paid = rows.filter(lambda r: r[1] & 1)
    return paid.map(lambda r: (bool(r[1] & 2), 1)).reduceByKey(lambda a, b: a + b)
