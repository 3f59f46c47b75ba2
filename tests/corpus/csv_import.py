"""Import of semicolon separated files."""

from __future__ import annotations

from dataclasses import dataclass
from operator import add

from pyspark import RDD

SEP = ";"
HEADER = "id;name;qty"


@dataclass(frozen=True)
class Row:
    key: str
    name: str
    qty: int


def parse_qty(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isdecimal() else None


def rows(lines: RDD[str]):
    """Header, empty lines and lines with another number of fields are dropped."""
    body = lines.filter(lambda l: l != HEADER and l.strip() != "")
    return body.map(lambda l: l.split(SEP)).filter(lambda p: len(p) == 3).map(lambda p: tuple(f.strip() for f in p))


def rows_right(lines: RDD[str]):
    def fields(line: str):
        if line == HEADER:
            return
        parts = [f.strip() for f in line.split(SEP)]
        if len(parts) == 3:
            yield tuple(parts)

    return lines.flatMap(fields)


def rows_wrong(lines: RDD[str]):
    def fields(line: str):
        if line == HEADER:
            return
        parts = [f.strip() for f in line.split(SEP) if f.strip()]
        if len(parts) == 3:
            yield tuple(parts)

    return lines.flatMap(fields)


def quantity_by_name(lines: RDD[str]):
    """Sum of quantities by name; an unreadable quantity is zero."""
    parts = lines.map(lambda l: l.split(SEP)).filter(lambda p: len(p) >= 3)
    return parts.map(lambda p: (p[1].strip(), parse_qty(p[2]) or 0)).reduceByKey(add)


def quantity_by_name_right(lines: RDD[str]):
    def read(line: str):
        parts = line.split(SEP)
        if len(parts) < 3:
            return []
        qty = parse_qty(parts[2])
        return [(parts[1].strip(), 0 if qty is None else qty)]

    return lines.flatMap(read).groupByKey().mapValues(sum)


def quantity_by_name_wrong(lines: RDD[str]):
    def read(line: str):
        parts = line.split(SEP)
        if len(parts) < 3:
            return []
        qty = parse_qty(parts[2])
        return [] if qty is None else [(parts[1].strip(), qty)]

    return lines.flatMap(read).groupByKey().mapValues(sum)


def bad_lines(lines: RDD[str]) -> int:
    """Number of lines that have not three fields."""
    return lines.filter(lambda l: len(l.split(SEP)) != 3).count()


def bad_lines_right(lines: RDD[str]) -> int:
    return lines.map(lambda l: 0 if l.count(SEP) == 2 else 1).sum()


def bad_lines_wrong(lines: RDD[str]) -> int:
    return lines.map(lambda l: 0 if l.count(SEP) == 3 else 1).sum()


def key_values(lines: RDD[str]):
    """'k=v' settings: the greatest value of each key in lower case."""
    pairs = lines.filter(lambda l: "=" in l).map(lambda l: l.split("=", 1))
    return pairs.map(lambda p: (p[0].strip().lower(), p[1].strip())).reduceByKey(max)


def key_values_right(lines: RDD[str]):
    def split(line: str):
        key, sep, value = line.partition("=")
        return [(key.strip().lower(), value.strip())] if sep else []

    return lines.flatMap(split).groupByKey().mapValues(lambda vs: sorted(vs)[-1])


def key_values_wrong(lines: RDD[str]):
    pairs = lines.filter(lambda l: "=" in l).map(lambda l: l.split("="))
    return pairs.map(lambda p: (p[0].strip().lower(), p[1].strip())).reduceByKey(max)


def export(rows: RDD[Row]):
    """Back to lines, one for each distinct row with a positive quantity."""
    positive = rows.filter(lambda r: r.qty > 0).distinct()
    return positive.map(lambda r: f"{r.key}{SEP}{r.name}{SEP}{r.qty}")


def export_right(rows: RDD[Row]):
    unique = rows.map(lambda r: ((r.key, r.name, r.qty), None)).reduceByKey(lambda a, _: a).keys()
    return unique.filter(lambda t: t[2] >= 1).map(lambda t: SEP.join([t[0], t[1], str(t[2])]))


def export_wrong(rows: RDD[Row]):
    unique = rows.map(lambda r: (r.key, r)).reduceByKey(lambda a, b: a if (a.qty, a.name) >= (b.qty, b.name) else b)
    return unique.values().filter(lambda r: r.qty >= 1).map(lambda r: SEP.join([r.key, r.name, str(r.qty)]))


def changed_rows(old: RDD[Row], new: RDD[Row]) -> list[str]:
    """Keys present in both files with another total quantity."""
    before = old.map(lambda r: (r.key, r.qty)).reduceByKey(add)
    after = new.map(lambda r: (r.key, r.qty)).reduceByKey(add)
    return sorted(before.join(after).filter(lambda kv: kv[1][0] != kv[1][1]).keys().collect())


def changed_rows_right(old: RDD[Row], new: RDD[Row]) -> list[str]:
    before = old.map(lambda r: (r.key, r.qty)).reduceByKey(add).collectAsMap()
    after = new.map(lambda r: (r.key, r.qty)).reduceByKey(add).collectAsMap()
    return sorted(k for k in before if k in after and before[k] != after[k])


def changed_rows_wrong(old: RDD[Row], new: RDD[Row]) -> list[str]:
    before = old.map(lambda r: (r.key, r.qty)).reduceByKey(add).collectAsMap()
    after = new.map(lambda r: (r.key, r.qty)).reduceByKey(add).collectAsMap()
    return sorted(k for k in before if before[k] != after.get(k))
