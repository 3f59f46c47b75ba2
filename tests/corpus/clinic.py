"""Patients, visits, laboratory values."""

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from pyspark import RDD


@dataclass(frozen=True)
class Patient:
    id: int
    name: str
    born: date
    weight: float
    height: float

    @property
    def bmi(self) -> float:
        return self.weight / (self.height * self.height)

    def age(self, on: date) -> int:
        return on.year - self.born.year - ((on.month, on.day) < (self.born.month, self.born.day))


@dataclass
class Lab:
    patient: int
    test: str
    value: Decimal
    unit: str = "mg"

    def in_gram(self):
        if self.unit == "mg":
            return replace(self, value=self.value / 1000, unit="g")
        return self


DAY = date(2024, 6, 30)
LIMITS = {"glucose": (Decimal("0.7"), Decimal("1.1")), "iron": (Decimal(0), Decimal("0.2"))}


def adults(patients: RDD[Patient]):
    """Names of adults."""
    return patients.filter(lambda p: p.age(DAY) >= 18).map(lambda p: p.name.title())


def adults_right(patients: RDD[Patient]):
    latest = date(DAY.year - 18, DAY.month, DAY.day)

    def grown(p):
        return (p.born.year, p.born.month, p.born.day) <= (latest.year, latest.month, latest.day)

    return patients.filter(grown).map(lambda p: p.name.title())


def adults_wrong(patients: RDD[Patient]):
    return patients.filter(lambda p: DAY.year - p.born.year >= 18).map(lambda p: p.name.title())


def abnormal(labs: RDD[Lab]):
    """Values out of their limits, in gram."""

    def is_abnormal(lab):
        low, high = LIMITS[lab.test]
        return not low <= lab.value <= high

    grams = labs.filter(lambda l: l.test in LIMITS).map(lambda l: l.in_gram())
    return grams.filter(is_abnormal).map(lambda l: (l.patient, l.test))


def abnormal_right(labs: RDD[Lab]):
    def check(lab):
        if lab.test not in ("glucose", "iron"):
            return []
        value = lab.value / 1000 if lab.unit == "mg" else lab.value
        low, high = (Decimal("0.7"), Decimal("1.1")) if lab.test == "glucose" else (Decimal("0"), Decimal("0.2"))
        return [(lab.patient, lab.test)] if value < low or value > high else []

    return labs.flatMap(check)


def abnormal_wrong(labs: RDD[Lab]):
    def is_abnormal(lab):
        low, high = LIMITS[lab.test]
        return not low <= lab.value <= high

    return labs.filter(lambda l: l.test in LIMITS).filter(is_abnormal).map(lambda l: (l.patient, l.test))


def groups_by_bmi(patients: RDD[Patient]):
    """How many patients in each class of weight."""

    def classify(p: Patient) -> str:
        return "thin" if p.bmi < 18.5 else "normal" if p.bmi < 25 else "heavy"

    return patients.map(classify).countByValue()


def groups_by_bmi_right(patients: RDD[Patient]):
    counts = defaultdict(int)
    for bmi in patients.map(lambda p: p.weight / p.height**2).collect():
        if bmi >= 25:
            counts["heavy"] += 1
        elif bmi >= 18.5:
            counts["normal"] += 1
        else:
            counts["thin"] += 1
    return counts


def groups_by_bmi_wrong(patients: RDD[Patient]):
    counts = defaultdict(int)
    for bmi in patients.map(lambda p: p.weight / p.height**2).collect():
        if bmi > 25:
            counts["heavy"] += 1
        elif bmi >= 18.5:
            counts["normal"] += 1
        else:
            counts["thin"] += 1
    return counts


def last_values(labs: RDD[tuple[int, str, date, int]]):
    """For each patient and test the value of the latest day, the larger of two on one day."""
    keyed = labs.map(lambda l: ((l[0], l[1]), (l[2], l[3])))
    return keyed.groupByKey().mapValues(lambda vs: sorted(vs)[-1][1])


def last_values_right(labs: RDD[tuple[int, str, date, int]]):
    def later(a, b):
        if a[0] != b[0]:
            return a if a[0] > b[0] else b
        return a if a[1] > b[1] else b

    keyed = labs.map(lambda l: ((l[0], l[1]), (l[2], l[3])))
    return keyed.reduceByKey(later).map(lambda kv: (kv[0], kv[1][1]))


def last_values_wrong(labs: RDD[tuple[int, str, date, int]]):
    keyed = labs.map(lambda l: ((l[0], l[1]), (l[3], l[2])))
    return keyed.reduceByKey(max).map(lambda kv: (kv[0], kv[1][0]))


def average_by_test(labs: RDD[tuple[str, int]]):
    """Average of each test with at least two values."""
    sums = labs.combineByKey(
        lambda v: (v, 1), lambda a, v: (a[0] + v, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1])
    )
    return sums.filter(lambda kv: kv[1][1] > 1).mapValues(lambda s: s[0] / s[1])


def average_by_test_right(labs: RDD[tuple[str, int]]):
    def average(values):
        values = list(values)
        return sum(values) / len(values) if len(values) >= 2 else None

    return labs.groupByKey().mapValues(average).filter(lambda kv: kv[1] is not None)


def average_by_test_wrong(labs: RDD[tuple[str, int]]):
    sums = labs.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda s: s[0] / s[1])


def dedup(patients: RDD[Patient]):
    """One record for each id: the one with the later birthday, then the greater name."""
    best = patients.map(lambda p: (p.id, (p.born, p.name))).reduceByKey(lambda a, b: max(a, b))
    return best.mapValues(itemgetter_1)


def itemgetter_1(t):
    return t[1]


def dedup_right(patients: RDD[Patient]):
    grouped = patients.map(lambda p: (p.id, p)).groupByKey()
    return grouped.map(lambda kv: (kv[0], max(kv[1], key=lambda p: (p.born, p.name)).name))


def dedup_wrong(patients: RDD[Patient]):
    return patients.map(lambda p: (p.id, p.name)).reduceByKey(lambda a, b: max(a, b))
