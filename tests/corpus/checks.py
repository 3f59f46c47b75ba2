"""Data quality checks and cleaning of a customer file."""

from __future__ import annotations

from operator import add
from typing import NamedTuple

from pyspark import RDD

REQUIRED = ("name", "email")
MAX_AGE = 120


class Person(NamedTuple):
    pid: int
    name: str | None
    email: str
    age: int | None


def clean_email(raw: str) -> str:
    return raw.strip().lower()


def null_counts(people: RDD[Person]) -> dict[str, int]:
    return {
        "name": people.filter(lambda p: p.name is None).count(),
        "age": people.filter(lambda p: p.age is None).count(),
    }


def null_counts_right(people: RDD[Person]) -> dict[str, int]:
    """One pass instead of two."""
    totals = people.map(lambda p: (int(p.name is None), int(p.age is None))).fold(
        (0, 0), lambda a, b: (a[0] + b[0], a[1] + b[1])
    )
    return {"name": totals[0], "age": totals[1]}


def null_counts_wrong(people: RDD[Person]) -> dict[str, int]:
    totals = people.map(lambda p: (int(not p.name), int(not p.age))).fold(
        (0, 0), lambda a, b: (a[0] + b[0], a[1] + b[1])
    )
    return {"name": totals[0], "age": totals[1]}


def duplicate_emails(people: RDD[Person]):
    """E-mail addresses shared by several rows."""
    return people.map(lambda p: (clean_email(p.email), 1)).reduceByKey(add).filter(lambda kv: kv[1] > 1).keys()


def duplicate_emails_right(people: RDD[Person]):
    grouped = people.groupBy(lambda p: p.email.lower().strip())
    return grouped.filter(lambda kv: len(kv[1]) >= 2).map(lambda kv: kv[0])


def duplicate_emails_wrong(people: RDD[Person]):
    grouped = people.groupBy(lambda p: p.email.strip())
    return grouped.filter(lambda kv: len(kv[1]) >= 2).map(lambda kv: kv[0].lower())


def valid_ages(people: RDD[Person]):
    """Ids with an age in [0, MAX_AGE]; a missing age is fine."""
    return people.filter(lambda p: p.age is None or 0 <= p.age <= MAX_AGE).map(lambda p: p.pid)


def valid_ages_right(people: RDD[Person]):
    def ok(person: Person) -> bool:
        if person.age is None:
            return True
        if person.age < 0:
            return False
        return not person.age > MAX_AGE

    return people.flatMap(lambda p: [p.pid] if ok(p) else [])


def valid_ages_wrong(people: RDD[Person]):
    def ok(person: Person) -> bool:
        if not person.age:
            return True
        return 0 < person.age < MAX_AGE

    return people.flatMap(lambda p: [p.pid] if ok(p) else [])


def dedupe_by_email(people: RDD[Person]):
    """One row per e-mail: the one with the smallest id."""
    smallest = people.map(lambda p: (clean_email(p.email), p.pid)).reduceByKey(min)
    return smallest.map(lambda kv: f"{kv[1]}:{kv[0]}")


def dedupe_by_email_right(people: RDD[Person]):
    grouped = people.map(lambda p: (p.pid, clean_email(p.email))).groupBy(lambda t: t[1])
    return grouped.map(lambda kv: "%d:%s" % (min(kv[1])[0], kv[0]))


def dedupe_by_email_wrong(people: RDD[Person]):
    grouped = people.map(lambda p: (p.pid, clean_email(p.email))).groupBy(lambda t: t[1])
    return grouped.map(lambda kv: "%d:%s" % (max(kv[1])[0], kv[0]))


def completeness(people: RDD[Person]) -> int:
    """Percentage of rows that have all fields, 100 for an empty file."""
    total = people.count()
    if total == 0:
        return 100
    full = people.filter(lambda p: p.name is not None and p.email != "" and p.age is not None).count()
    return 100 * full // total


def completeness_right(people: RDD[Person]) -> int:
    def add_row(acc, p):
        full, total = acc
        missing = p.name is None or not p.email or p.age is None
        return (full if missing else full + 1, total + 1)

    full, total = people.aggregate((0, 0), add_row, lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return 100 if total == 0 else full * 100 // total


def completeness_wrong(people: RDD[Person]) -> int:
    def add_row(acc, p):
        full, total = acc
        missing = p.name is None or not p.email or p.age is None
        return (full if missing else full + 1, total + 1)

    full, total = people.aggregate((0, 0), add_row, lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return 100 if total == 0 else full // total * 100


def name_lengths(people: RDD[Person]):
    """Histogram of the lengths of trimmed names; missing names are left out."""
    named = people.filter(lambda p: p.name is not None)
    return named.map(lambda p: (len(p.name.strip()), 1)).reduceByKey(add)


def name_lengths_right(people: RDD[Person]):
    lengths = people.map(lambda p: p.name).filter(lambda n: n is not None).map(str.strip).map(len)
    return lengths.map(lambda n: (n, 1)).groupByKey().mapValues(lambda ones: sum(ones))


def name_lengths_wrong(people: RDD[Person]):
    lengths = people.map(lambda p: p.name).filter(lambda n: n).map(str.strip).map(len)
    return lengths.map(lambda n: (n, 1)).groupByKey().mapValues(lambda ones: sum(ones))
