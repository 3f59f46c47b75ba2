"""Employees, shifts and payroll."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from pyspark import RDD


@dataclass(frozen=True)
class Shift:
    employee: str
    department: str
    start: dt.datetime
    end: dt.datetime

    @property
    def minutes(self) -> int:
        return int((self.end - self.start).total_seconds()) // 60

    @property
    def at_weekend(self) -> bool:
        return self.start.weekday() >= 5


def wage(shift: Shift, per_hour: int) -> int:
    factor = 150 if shift.at_weekend else 100
    return shift.minutes * per_hour * factor


def payroll(shifts: RDD[Shift], per_hour: int):
    return shifts.map(lambda s: (s.employee, wage(s, per_hour))).reduceByKey(lambda a, b: a + b)


def payroll_right(shifts: RDD[Shift], per_hour: int):
    normal = shifts.filter(lambda s: not s.at_weekend).map(lambda s: (s.employee, s.minutes * per_hour * 100))
    extra = shifts.filter(lambda s: s.at_weekend).map(lambda s: (s.employee, s.minutes * per_hour * 150))
    return normal.union(extra).reduceByKey(lambda a, b: a + b)


def payroll_wrong(shifts: RDD[Shift], per_hour: int):
    normal = shifts.filter(lambda s: not s.at_weekend).map(lambda s: (s.employee, s.minutes * per_hour * 100))
    extra = shifts.filter(lambda s: s.at_weekend).map(lambda s: (s.employee, s.minutes * per_hour * 150))
    return normal.union(extra.distinct()).reduceByKey(lambda a, b: a + b)


def overlapping(shifts: RDD[tuple[str, int, int]]):
    """Employees of whom two shifts (employee, start, end) overlap."""

    def overlap(intervals):
        latest = None
        for start, end in sorted(intervals):
            if latest is not None and start < latest:
                return True
            latest = end if latest is None else max(latest, end)
        return False

    grouped = shifts.map(lambda s: (s[0], (s[1], s[2]))).groupByKey()
    return grouped.filter(lambda kv: overlap(kv[1])).map(lambda kv: kv[0])


def overlapping_right(shifts: RDD[tuple[str, int, int]]):
    def overlap(intervals):
        latest, found = None, False
        for start, end in sorted(intervals):
            if latest is None:
                latest = end
            else:
                found = found or start < latest
                latest = max(latest, end)
        return found

    grouped = shifts.map(lambda s: (s[0], (s[1], s[2]))).groupByKey()
    return grouped.mapValues(overlap).filter(lambda kv: kv[1]).keys()


def overlapping_wrong(shifts: RDD[tuple[str, int, int]]):
    def overlap(intervals):
        ordered = sorted(intervals)
        return any(b[0] <= a[1] for a, b in zip(ordered, ordered[1:]))

    grouped = shifts.map(lambda s: (s[0], (s[1], s[2]))).groupByKey()
    return grouped.mapValues(overlap).filter(lambda kv: kv[1]).keys()


def department_summary(rows: RDD[tuple[str, str, int]]):
    """Head count, lowest, highest and sum of salaries of each department."""

    def create(salary):
        return {"n": 1, "low": salary, "high": salary, "sum": salary}

    def merge_value(acc, salary):
        return {
            "n": acc["n"] + 1,
            "low": min(acc["low"], salary),
            "high": max(acc["high"], salary),
            "sum": acc["sum"] + salary,
        }

    def merge(a, b):
        return {
            "n": a["n"] + b["n"],
            "low": min(a["low"], b["low"]),
            "high": max(a["high"], b["high"]),
            "sum": a["sum"] + b["sum"],
        }

    by_department = rows.map(lambda r: (r[1], r[2]))
    return by_department.combineByKey(create, merge_value, merge).mapValues(
        lambda acc: (acc["n"], acc["low"], acc["high"], acc["sum"])
    )


def department_summary_right(rows: RDD[tuple[str, str, int]]):
    def summary(salaries):
        values = list(salaries)
        return len(values), min(values), max(values), sum(values)

    return rows.map(lambda r: (r[1], r[2])).groupByKey().mapValues(summary)


def department_summary_wrong(rows: RDD[tuple[str, str, int]]):
    def summary(salaries):
        values = set(salaries)
        return len(values), min(values), max(values), sum(values)

    return rows.map(lambda r: (r[1], r[2])).groupByKey().mapValues(summary)


def managers_with_teams(people: RDD[tuple[int, str, int | None]]):
    """Names of managers, and how many report to them; rows are (id, name, manager)."""
    reports = people.filter(lambda p: p[2] is not None).map(lambda p: (p[2], 1)).reduceByKey(lambda a, b: a + b)
    names = people.map(lambda p: (p[0], p[1]))
    return names.join(reports).map(lambda kv: (kv[1][0], kv[1][1]))


def managers_with_teams_right(people: RDD[tuple[int, str, int | None]]):
    names = people.map(lambda p: (p[0], p[1]))
    reports = people.flatMap(lambda p: [] if p[2] is None else [(p[2], p[0])])

    def team(entry):
        _, (own, team) = entry
        size = len(list(team))
        return [(name, size) for name in own if size > 0]

    return names.cogroup(reports).flatMap(team)


def managers_with_teams_wrong(people: RDD[tuple[int, str, int | None]]):
    names = people.map(lambda p: (p[0], p[1]))
    reports = people.flatMap(lambda p: [] if p[2] is None else [(p[2], p[0])])

    def team(entry):
        _, (own, team) = entry
        size = len(list(team))
        return [(name, size) for name in own]

    return names.cogroup(reports).flatMap(team)
