"""Lines of CSV files, data quality."""

from collections.abc import Iterator

from pyspark import RDD

EXPECTED_FIELDS = 4
COUNTRIES = frozenset(["DE", "FR", "IT"])


def safe_int(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def parse_line(line: str) -> tuple[str, str, int] | None:
    fields = [field.strip() for field in line.split(",")]
    if len(fields) != EXPECTED_FIELDS:
        return None
    amount = safe_int(fields[3])
    if amount is None:
        return None
    return fields[0], fields[1], amount


def amounts(lines: RDD[str]):
    good = lines.map(parse_line).filter(lambda r: r is not None)
    return good.map(lambda r: (r[1], r[2])).reduceByKey(lambda a, b: a + b)


def amounts_right(lines: RDD[str]):
    def rows(line):
        parsed = parse_line(line)
        return [] if parsed is None else [(parsed[1], parsed[2])]

    return lines.flatMap(rows).groupByKey().mapValues(sum)


def amounts_wrong(lines: RDD[str]):
    def rows(line):
        parsed = parse_line(line)
        return [] if parsed is None else [(parsed[0], parsed[2])]

    return lines.flatMap(rows).groupByKey().mapValues(sum)


def without_header(lines: RDD[str]):
    header = "id,country,amount"
    return lines.filter(lambda line: line != header and line.strip() != "").map(str.strip)


def without_header_right(lines: RDD[str]):
    kept = lines.filter(lambda line: line.strip())
    return kept.filter(lambda line: not line == "id,country,amount").map(lambda line: line.strip())


def without_header_wrong(lines: RDD[str]):
    return lines.map(str.strip).filter(lambda line: line and line != "id,country,amount")


def quality(rows: RDD[tuple[str | None, int | None]]):
    """How many rows lack a name, lack an amount, are negative."""

    def checks(row):
        name, amount = row
        return (int(not name), int(amount is None), int(amount is not None and amount < 0))

    return rows.map(checks).fold((0, 0, 0), lambda a, b: tuple(x + y for x, y in zip(a, b)))


def quality_right(rows: RDD[tuple[str | None, int | None]]):
    nameless = rows.filter(lambda r: r[0] is None or r[0] == "").count()
    empty = rows.filter(lambda r: r[1] is None).count()
    negative = rows.filter(lambda r: r[1] is not None and r[1] < 0).count()
    return nameless, empty, negative


def quality_wrong(rows: RDD[tuple[str | None, int | None]]):
    nameless = rows.filter(lambda r: r[0] is None).count()
    empty = rows.filter(lambda r: r[1] is None).count()
    negative = rows.filter(lambda r: r[1] is not None and r[1] < 0).count()
    return nameless, empty, negative


def known_countries(people: RDD[tuple[str, str, int]]):
    """Adults by country; other countries are one."""

    def country(code):
        code = code.strip().upper()
        return code if code in COUNTRIES else "other"

    return (
        people.filter(lambda p: p[2] >= 18)
        .map(lambda p: (country(p[1]), 1))
        .reduceByKey(lambda a, b: a + b)
        .collectAsMap()
    )


def known_countries_right(people: RDD[tuple[str, str, int]]):
    def country(person):
        c = person[1].strip().upper()
        if c not in ("DE", "FR", "IT"):
            return "other"
        return c

    return people.filter(lambda p: p[2] > 17).map(country).countByValue()


def known_countries_wrong(people: RDD[tuple[str, str, int]]):
    def country(person):
        c = person[1].upper()
        return c if c in COUNTRIES else "other"

    return dict(people.filter(lambda p: p[2] >= 18).map(country).countByValue())


def partition_sums(lines: RDD[str]):
    """A generator over partitions that skips what is no number."""

    def parse(iterator: Iterator[str]) -> Iterator[int]:
        for line in iterator:
            text = line.strip()
            if not text.isdigit():
                continue
            yield int(text)

    return lines.mapPartitions(parse).sum()


def partition_sums_right(lines: RDD[str]):
    return lines.map(lambda l: l.strip()).filter(lambda t: t.isdigit()).map(int).sum()


def partition_sums_wrong(lines: RDD[str]):
    return lines.filter(lambda t: t.isdigit()).map(int).sum()
