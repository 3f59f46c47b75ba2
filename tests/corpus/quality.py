"""Checks of the quality of data."""

from functools import partial

from pyspark import RDD

REQUIRED = ("id", "name")


def missing_values(rows: RDD[tuple[str | None, int | None]]):
    """How many rows lack something."""
    return rows.filter(lambda row: row[0] is None or row[1] is None).count()


def missing_values_right(rows: RDD[tuple[str | None, int | None]]):
    def complete(row):
        name, amount = row
        return name is not None and amount is not None

    return rows.filter(lambda row: not complete(row)).count()


def missing_values_wrong(rows: RDD[tuple[str | None, int | None]]):
    return rows.filter(lambda row: not row[0] or not row[1]).count()


def out_of_range(values: RDD[int], low: int, high: int):
    return values.filter(lambda value: value < low or value > high).count()


def in_range(low: int, high: int, value: int) -> bool:
    return low <= value <= high


def out_of_range_right(values: RDD[int], low: int, high: int):
    check = partial(in_range, low, high)
    return values.map(lambda value: 0 if check(value) else 1).sum()


def out_of_range_wrong(values: RDD[int], low: int, high: int):
    return values.map(lambda value: 0 if low < value < high else 1).sum()


def violations(rows: RDD[tuple[str, int]]):
    """Rows with the name of the rule that they break."""

    def broken(row):
        name, amount = row
        rules = []
        if name == "":
            rules.append(("no name", amount))
        if amount < 0:
            rules.append(("negative", amount))
        return rules

    return rows.flatMap(broken).map(lambda pair: (pair[0], 1)).reduceByKey(lambda a, b: a + b)


def violations_right(rows: RDD[tuple[str, int]]):
    unnamed = rows.filter(lambda row: not row[0]).map(lambda row: ("no name", 1))
    negative = rows.filter(lambda row: row[1] < 0).map(lambda row: ("negative", 1))
    return unnamed.union(negative).reduceByKey(lambda a, b: a + b)


def violations_wrong(rows: RDD[tuple[str, int]]):
    def broken(row):
        name, amount = row
        return "no name" if name == "" else "negative" if amount < 0 else "fine"

    return (
        rows.map(broken).filter(lambda rule: rule != "fine").map(lambda rule: (rule, 1)).reduceByKey(lambda a, b: a + b)
    )


def filled(rows: RDD[tuple[str, int | None]]):
    """Zero for what is missing."""
    return rows.mapValues(lambda amount: amount or 0)


def filled_right(rows: RDD[tuple[str, int | None]]):
    return rows.map(lambda row: (row[0], 0 if row[1] is None else row[1]))


def filled_wrong(rows: RDD[tuple[str, int | None]]):
    return rows.filter(lambda row: row[1] is not None).map(lambda row: (row[0], row[1]))


def all_positive(amounts: RDD[int]):
    return amounts.filter(lambda amount: amount <= 0).isEmpty()


def all_positive_right(amounts: RDD[int]):
    return amounts.filter(lambda amount: not amount > 0).count() == 0


def all_positive_wrong(amounts: RDD[int]):
    return amounts.filter(lambda amount: amount < 0).isEmpty()


def valid_codes(codes: RDD[str]):
    """Codes of two capitals."""
    return codes.filter(lambda code: len(code) == 2 and code.isalpha() and code == code.upper())


def valid_codes_right(codes: RDD[str]):
    alphabetic = codes.filter(lambda code: code.isalpha()).filter(lambda code: code.upper() == code)
    return alphabetic.filter(lambda code: 1 < len(code) < 3)


def valid_codes_wrong(codes: RDD[str]):
    return codes.filter(lambda code: len(code) == 2 and code.isalpha()).map(lambda code: code.upper())


class Report:
    """A job as a class with static methods."""

    @staticmethod
    def is_suspicious(amount: int) -> bool:
        return amount > 10_000 or amount < 0

    @staticmethod
    def run(amounts: RDD[int]):
        return amounts.filter(Report.is_suspicious).count()


def suspicious(amounts: RDD[int]):
    return Report.run(amounts)


def suspicious_right(amounts: RDD[int]):
    return amounts.filter(lambda amount: not 0 <= amount <= 10_000).count()


def suspicious_wrong(amounts: RDD[int]):
    return amounts.filter(lambda amount: not 0 <= amount < 10_000).count()


def error_rate(statuses: RDD[int]):
    """Errors in a hundred."""
    errors = statuses.filter(lambda status: status >= 500).count()
    total = statuses.count()
    print(f"{errors} of {total}")
    return (100 * errors, total)


def error_rate_right(statuses: RDD[int]):
    flags = statuses.map(lambda status: (100 if status >= 500 else 0, 1))
    return flags.fold((0, 0), lambda a, b: (a[0] + b[0], a[1] + b[1]))


def error_rate_wrong(statuses: RDD[int]):
    flags = statuses.map(lambda status: (100 if status > 500 else 0, 1))
    return flags.fold((0, 0), lambda a, b: (a[0] + b[0], a[1] + b[1]))
